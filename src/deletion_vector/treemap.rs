//! Conversion to and from `RoaringTreemap` of the `roaring` crate.
//!
//! For callers who keep a mutable bitmap on the heap: read a vector into one, or write one as a blob. Both go by runs
//! and containers, never by single positions where there are many in a row.

use alloc::vec::Vec;
use core::ops::Range;

use roaring::{RoaringBitmap, RoaringTreemap};

use crate::deletion_vector::{DeletionVector, Encoder, Source};
use crate::error::Result;
use crate::roaring::{BITSET_LEN, Bitmap32, Bitmap64, Container, join16, join32};

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

/// Writes the positions of `treemap` as a `deletion-vector-v1` blob, run by run.
///
/// # Errors
///
/// [`ErrorKind::KeyOutOfRange`](crate::ErrorKind::KeyOutOfRange) for a position above
/// [`MAX_WRITTEN_POSITION`](super::MAX_WRITTEN_POSITION), the highest that Iceberg Java reads;
/// [`ErrorKind::VectorTooLong`](crate::ErrorKind::VectorTooLong) if the blob would be longer than its size field can
/// say.
pub fn encode_treemap(treemap: &RoaringTreemap) -> Result<Vec<u8>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (key, bitmap) in treemap.bitmaps() {
        let mut runs = bitmap.iter();
        while let Some(run) = runs.next_range() {
            // The last of all positions has nothing behind it, and is refused.
            ranges.push(join32(key, *run.start())..join32(key, *run.end()).saturating_add(1));
        }
    }
    Encoder::new(&mut [Source::ranges(&ranges)?]).encode_to_vec()
}
