//! Conversion to and from `RoaringTreemap` of the `roaring` crate.
//!
//! For callers who keep a mutable bitmap on the heap: read a vector into one, or write one as a blob. Both go by runs
//! and containers, never by single positions where there are many in a row.

use alloc::vec::Vec;

use roaring::{RoaringBitmap, RoaringTreemap};

use crate::checksum::crc32;
use crate::deletion_vector::{DeletionVector, MAGIC, MAX_KEY};
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{BITSET_LEN, Bitmap32, Bitmap64, Container, MAX_ARRAY_CARDINALITY, high16, join16, low16};

impl From<&Bitmap32<'_>> for RoaringBitmap {
    /// Copies the values into a bitmap on the heap, container by container.
    fn from(bitmap: &Bitmap32<'_>) -> Self {
        let mut values = Self::new();
        for (key, container) in bitmap.containers() {
            match container {
                Container::Array(array) => {
                    let ascending = array.values().iter().map(|low| join16(key, low.get()));
                    values.extend(ascending);
                }
                Container::Bitset(bitset) => {
                    let mut bits = [0_u8; BITSET_LEN];
                    for (to, word) in bits.chunks_exact_mut(8).zip(bitset.words()) {
                        to.copy_from_slice(&word.to_bytes());
                    }
                    values |= Self::from_lsb0_bytes(join16(key, 0), &bits);
                }
                Container::Run(run) => {
                    for [start, length] in run.runs() {
                        let first = join16(key, start.get());
                        values.insert_range(first..=first.saturating_add(u32::from(length.get())));
                    }
                }
            }
        }
        values
    }
}

impl From<&Bitmap64<'_>> for RoaringTreemap {
    /// Copies the positions into a treemap on the heap, bucket by bucket; empty buckets leave no trace.
    fn from(bitmap: &Bitmap64<'_>) -> Self {
        let buckets = bitmap.buckets().filter(|(_, bitmap)| !bitmap.is_empty());
        Self::from_bitmaps(buckets.map(|(key, bitmap)| (key, RoaringBitmap::from(&bitmap))))
    }
}

impl From<&DeletionVector<'_>> for RoaringTreemap {
    /// Copies the deleted positions into a treemap on the heap.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::deletion_vector::{DeletionVector, encode_treemap};
    /// use roaring::RoaringTreemap;
    ///
    /// let deleted = RoaringTreemap::from_iter([3, 1 << 40]);
    /// let blob = encode_treemap(&deleted)?;
    /// let vector = DeletionVector::parse(&blob)?;
    /// assert_eq!(RoaringTreemap::from(&vector), deleted);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    fn from(vector: &DeletionVector<'_>) -> Self {
        Self::from(vector.bitmap())
    }
}

/// Writes the positions of `treemap` as a `deletion-vector-v1` blob.
///
/// Keys without positions are left out; a container is stored as runs only where that is strictly smaller.
///
/// # Errors
///
/// [`ErrorKind::KeyOutOfRange`] for a position whose high 32 bits are above 0x7FFF_FFFE, the highest that Iceberg Java
/// reads; [`ErrorKind::LengthMismatch`] if the blob would be longer than its size field can say.
pub fn encode_treemap(treemap: &RoaringTreemap) -> Result<Vec<u8>> {
    let mut blob = Vec::from([0; 4]);
    blob.extend(MAGIC);
    let buckets = || treemap.bitmaps().filter(|(_, bitmap)| !bitmap.is_empty());
    blob.extend((buckets().count() as u64).to_le_bytes());
    for (key, bitmap) in buckets() {
        if key >= MAX_KEY {
            return Err(Error::new(ErrorKind::KeyOutOfRange, blob.len(), u64::from(key)));
        }
        blob.extend(key.to_le_bytes());
        encode_bitmap(bitmap, &mut blob)?;
    }
    let covered = blob.get(4..).unwrap_or_default();
    let size = covered.len() as u64;
    let crc = crc32(covered);
    let size = u32::try_from(size).map_err(|_| Error::new(ErrorKind::LengthMismatch, 0, size))?;
    if let Some(field) = blob.first_chunk_mut() {
        *field = size.to_be_bytes();
    }
    blob.extend(crc.to_be_bytes());
    Ok(blob)
}

/// A container to be: its runs are the next `runs` of all runs.
struct Chunk {
    key: u16,
    cardinality: u32,
    runs: usize,
}

impl Chunk {
    /// Returns the stored size as runs.
    const fn run_len(&self) -> usize {
        self.runs.saturating_mul(4).saturating_add(2)
    }

    /// Returns the stored size as array or bitset, whichever the cardinality prescribes.
    const fn plain_len(&self) -> usize {
        if self.cardinality > MAX_ARRAY_CARDINALITY {
            BITSET_LEN
        } else {
            (self.cardinality as usize).saturating_mul(2)
        }
    }

    const fn is_run(&self) -> bool {
        self.run_len() < self.plain_len()
    }

    const fn encoded_len(&self) -> usize {
        if self.is_run() { self.run_len() } else { self.plain_len() }
    }
}

/// Appends one bitmap in the portable format.
fn encode_bitmap(bitmap: &RoaringBitmap, out: &mut Vec<u8>) -> Result<()> {
    let (chunks, runs) = split(bitmap);
    let count = u32::try_from(chunks.len()).map_err(|_| Error::new(ErrorKind::Internal, 0, 0))?;
    let start = out.len();
    let any_run = chunks.iter().any(Chunk::is_run);
    if any_run {
        out.extend((12347 | (count.saturating_sub(1) << 16)).to_le_bytes());
        out.extend(
            chunks
                .chunks(8)
                .map(|eight| eight.iter().rev().fold(0_u8, |flags, chunk| flags << 1 | u8::from(chunk.is_run()))),
        );
    } else {
        out.extend(12346_u32.to_le_bytes());
        out.extend(count.to_le_bytes());
    }
    for chunk in &chunks {
        out.extend(chunk.key.to_le_bytes());
        out.extend(low16(chunk.cardinality.saturating_sub(1)).to_le_bytes());
    }
    if !any_run || count >= 4 {
        let headers = out.len().saturating_sub(start).saturating_add(chunks.len().saturating_mul(4));
        let mut at = headers;
        for chunk in &chunks {
            let offset = u32::try_from(at).map_err(|_| Error::new(ErrorKind::Internal, 0, at as u64))?;
            out.extend(offset.to_le_bytes());
            at = at.saturating_add(chunk.encoded_len());
        }
    }
    let mut runs = runs.as_slice();
    for chunk in &chunks {
        let (own, later) = runs.split_at_checked(chunk.runs).unwrap_or_default();
        encode_container(chunk, own, out);
        runs = later;
    }
    Ok(())
}

/// Appends the body of one container. `runs` are its (first, last) values.
fn encode_container(chunk: &Chunk, runs: &[(u16, u16)], out: &mut Vec<u8>) {
    if chunk.is_run() {
        out.extend(u16::try_from(runs.len()).unwrap_or(u16::MAX).to_le_bytes());
        for (first, last) in runs {
            out.extend(first.to_le_bytes());
            out.extend((last - first).to_le_bytes());
        }
    } else if chunk.cardinality > MAX_ARRAY_CARDINALITY {
        let mut words = [0_u64; BITSET_LEN / 8];
        for low in runs.iter().flat_map(|&(first, last)| first..=last) {
            if let Some(word) = words.get_mut(usize::from(low >> 6)) {
                *word |= 1 << (low & 63);
            }
        }
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    } else {
        out.extend(runs.iter().flat_map(|&(first, last)| first..=last).flat_map(u16::to_le_bytes));
    }
}

/// Splits a bitmap into containers and their runs, in ascending order.
fn split(bitmap: &RoaringBitmap) -> (Vec<Chunk>, Vec<(u16, u16)>) {
    let (mut chunks, mut runs) = (Vec::<Chunk>::new(), Vec::new());
    let mut ranges = bitmap.iter();
    while let Some(range) = ranges.next_range() {
        for key in high16(*range.start())..=high16(*range.end()) {
            let first = if key == high16(*range.start()) { low16(*range.start()) } else { 0 };
            let last = if key == high16(*range.end()) { low16(*range.end()) } else { u16::MAX };
            let cardinality = u32::from(last - first) + 1;
            runs.push((first, last));
            match chunks.last_mut().filter(|chunk| chunk.key == key) {
                Some(chunk) => {
                    chunk.cardinality = chunk.cardinality.saturating_add(cardinality);
                    chunk.runs = chunk.runs.saturating_add(1);
                }
                None => chunks.push(Chunk { key, cardinality, runs: 1 }),
            }
        }
    }
    (chunks, runs)
}
