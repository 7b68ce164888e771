//! Writing deletion vectors: one union of any number of sources, straight into caller memory.
//!
//! ```text
//!  Source::positions ──┐                         ┌─▶ encoded_len    an exact length, nothing written
//!  Source::ranges    ──┤   container after       │
//!  Source::vector    ──┼─▶ container, in the ────┼─▶ encode_into    deletion-vector-v1
//!  Source::rows      ──┤   order of their keys   │
//!  Source::operation ──┘                         └─▶ encode_bitmap_into   the bitmap alone
//! ```
//!
//! What comes out is canonical: the same set has the same bytes whatever it was made from. A container is stored as
//! runs only where that is strictly smaller; no container and, with sparse keys, no bucket is empty; the cookie with
//! run flags is written only where there is a run; no key is above [`MAX_WRITTEN_KEY`](super::MAX_WRITTEN_KEY). Sources
//! that were parsed as trusted and are not valid give an unspecified set, and still a valid vector.

mod heads;
#[cfg(feature = "alloc")]
mod heap;
mod place;
mod positions;
mod ranges;
mod rows;
mod source;

use zerocopy::{FromBytes, IntoBytes};

use crate::checksum::crc32;
use crate::deletion_vector::MAGIC;
use crate::deletion_vector::iceberg::ENVELOPE_LEN;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::combine::{Block, bitset, union};
use crate::roaring::{BITSET_LEN, BitmapWriter, Container, Measured, low16, low32};

use heads::{Heads, WORDS_PER_SOURCE};
#[cfg(feature = "alloc")]
pub use heap::encode_positions;
use place::Place;
pub use source::Source;

/// Words of a container's block.
const BLOCK_WORDS: usize = BITSET_LEN / 8;

/// Bytes a container from which containers are counted before they are written, and not moved afterwards.
const WORTH_COUNTING: usize = 512;

/// The bitmap of a bucket without a container: cookie and count.
const EMPTY_BUCKET: [u8; 8] = [0x3A, 0x30, 0, 0, 0, 0, 0, 0];

/// Returns how many words of scratch memory an [`Encoder`] of so many sources needs: 2,048 words (16 KiB), which hold
/// two containers, and two words a source.
#[must_use]
pub const fn encode_scratch_len(sources: usize) -> usize {
    sources.saturating_mul(WORDS_PER_SOURCE).saturating_add(2 * BLOCK_WORDS)
}

/// What was written: what a manifest entry and a footer say of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Encoded {
    len: usize,
    cardinality: u64,
}

impl Encoded {
    /// Returns how many bytes there are: `content_size_in_bytes` of a manifest entry.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no vector is without bytes")]
    pub const fn len(self) -> usize {
        self.len
    }

    /// Returns how many positions: `record_count` of a manifest entry, `cardinality` of a footer entry.
    #[must_use]
    pub const fn cardinality(self) -> u64 {
        self.cardinality
    }
}

/// Writes the union of sources as one deletion vector, in one pass over their containers.
///
/// Takes O(stored size of the sources) in all, a logarithm of the number of sources for each container, and that number
/// for each bucket.
///
/// Nothing is allocated: the sources keep their places themselves, and containers are made in scratch memory, of which
/// [`encode_scratch_len`] says how much is needed. What is in it before does not matter.
///
/// # Examples
///
/// ```
/// use puffin_codec::deletion_vector::{DeletionVector, Encoder, Source, encode_scratch_len};
///
/// # fn main() -> puffin_codec::Result<()> {
/// let mut scratch = [0; encode_scratch_len(2)];
/// let mut old = [0; 100];
/// let len = Encoder::new(&mut [Source::positions(&[1, 5, 9])?]).encode_into(&mut scratch, &mut old)?.len();
/// let old = DeletionVector::parse(&old[..len])?;
///
/// // A delete commit: what was deleted before, and what is deleted now.
/// let mut sources = [Source::vector(&old)?, Source::ranges(&[1000..4000])?];
/// let mut encoder = Encoder::new(&mut sources);
/// let mut blob = vec![0; encoder.encoded_len(&mut scratch)?];
/// let encoded = encoder.encode_into(&mut scratch, &mut blob)?;
/// assert_eq!((encoded.len(), encoded.cardinality()), (blob.len(), 3003));
/// assert!(DeletionVector::parse(&blob)?.contains_range(1000..4000));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Encoder<'s, 'a> {
    sources: &'s mut [Source<'a>],
    dense_keys: bool,
    /// Length and cardinality of the bitmap, once they have been found out.
    measured: Option<Encoded>,
}

impl<'s, 'a> Encoder<'s, 'a> {
    /// Takes what is to be united. No source at all makes the empty vector.
    #[must_use]
    pub const fn new(sources: &'s mut [Source<'a>]) -> Self {
        Self { sources, dense_keys: false, measured: None }
    }

    /// Writes an empty bucket for every key below the highest that has none, as Iceberg Java does: 12 bytes each.
    ///
    /// Vectors of fewer than 2^32 rows have one bucket, and are the same either way.
    #[must_use]
    pub fn dense_keys(self, dense_keys: bool) -> Self {
        Self { dense_keys, measured: None, ..self }
    }

    /// Returns how many sources there are: see [`encode_scratch_len`].
    #[must_use]
    pub const fn source_count(&self) -> usize {
        self.sources.len()
    }

    /// Returns the length of the blob, to the byte, and remembers it: [`encode_into`](Self::encode_into) will not have
    /// to find it out again.
    ///
    /// Takes a pass over the sources, and all the work of uniting them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ScratchTooSmall`] with the words needed; [`ErrorKind::VectorTooLong`] for a blob whose magic and
    /// bitmap have 2^32 bytes or more.
    pub fn encoded_len(&mut self, scratch: &mut [u64]) -> Result<usize> {
        let bitmap = self.measure(scratch)?;
        check_size(bitmap.len as u64)?;
        Ok(blob_len(bitmap.len))
    }

    /// Returns how many positions the union has. Takes the time of [`encoded_len`](Self::encoded_len).
    ///
    /// # Errors
    ///
    /// As [`encoded_len`](Self::encoded_len); of vectors that are too long only those that are so at a glance are
    /// refused.
    pub fn cardinality(&mut self, scratch: &mut [u64]) -> Result<u64> {
        Ok(self.measure(scratch)?.cardinality)
    }

    /// Returns a length that no blob of these sources exceeds: with so much memory
    /// [`encode_into`](Self::encode_into) takes one pass, without finding out the length first.
    ///
    /// Takes O(sources). Usually two to three times the length; with sources parsed as trusted, which may say anything of
    /// themselves, the largest number there is.
    #[must_use]
    pub fn max_encoded_len(&self) -> u64 {
        self.bound().saturating_add((MAGIC.len() + ENVELOPE_LEN) as u64)
    }

    /// A bound of the bitmap's length.
    fn bound(&self) -> u64 {
        let parts = self.sources.iter().map(Source::bound).fold(8, u64::saturating_add);
        let last = self.sources.iter().filter_map(Source::last).max();
        let empty = last.filter(|_| self.dense_keys).map_or(0, |last| (last >> 32).saturating_mul(12));
        parts.saturating_add(empty)
    }

    /// Writes a `deletion-vector-v1` blob to the front of `out`. A few bytes behind it may be written over.
    ///
    /// Takes one pass if `out` has [`max_encoded_len`](Self::max_encoded_len) bytes or
    /// [`encoded_len`](Self::encoded_len) has been asked before, else two.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the bytes needed, and what [`encoded_len`](Self::encoded_len) reports.
    /// Nothing is written then.
    pub fn encode_into(&mut self, scratch: &mut [u64], out: &mut [u8]) -> Result<Encoded> {
        let bound = self.bound();
        let room = out.len().saturating_sub(MAGIC.len() + ENVELOPE_LEN) as u64;
        let tight = bound > room || check_size(bound).is_err();
        if tight {
            let bitmap = self.measure(scratch)?.len;
            check_size(bitmap as u64)?;
            let needed = blob_len(bitmap);
            if needed > out.len() {
                return Err(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64));
            }
        }
        let missing = Error::new(ErrorKind::Internal, 0, out.len() as u64);
        let (head, rest) = out.split_first_chunk_mut::<8>().ok_or(missing)?;
        let bitmap = self.write(scratch, rest, tight)?;
        let size = MAGIC.len().saturating_add(bitmap.len);
        let field = u32::try_from(size).map_err(|_| missing)?;
        *head.first_chunk_mut().ok_or(missing)? = field.to_be_bytes();
        *head.last_chunk_mut().ok_or(missing)? = MAGIC;
        let (covered, rest) = out.get_mut(4..).and_then(|rest| rest.split_at_mut_checked(size)).ok_or(missing)?;
        *rest.first_chunk_mut().ok_or(missing)? = crc32(covered).to_be_bytes();
        Ok(Encoded { len: blob_len(bitmap.len), ..bitmap })
    }

    /// Returns the length of the bitmap alone: see [`encode_bitmap_into`](Self::encode_bitmap_into).
    ///
    /// # Errors
    ///
    /// As [`cardinality`](Self::cardinality).
    pub fn encoded_bitmap_len(&mut self, scratch: &mut [u64]) -> Result<usize> {
        self.measure(scratch).map(|bitmap| bitmap.len)
    }

    /// Writes the 64-bit bitmap alone, in the portable format, to the front of `out`: what the envelopes of all table
    /// formats hold.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the bytes needed, [`ErrorKind::ScratchTooSmall`] with the words needed.
    /// Nothing is written then.
    pub fn encode_bitmap_into(&mut self, scratch: &mut [u64], out: &mut [u8]) -> Result<Encoded> {
        let tight = self.bound() > out.len() as u64;
        if tight {
            let needed = self.measure(scratch)?.len;
            if needed > out.len() {
                return Err(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64));
            }
        }
        self.write(scratch, out, tight)
    }

    /// Finds out length and cardinality of the bitmap.
    fn measure(&mut self, scratch: &mut [u64]) -> Result<Encoded> {
        let sources = self.sources.len();
        if let Some(measured) = self.measured {
            return Scratch::take(scratch, sources).map(|_| measured);
        }
        let scratch = Scratch::take(scratch, sources)?;
        // A short range may stand for more containers than anybody can wait for.
        check_size(self.sources.iter().map(Source::least).max().unwrap_or(0))?;
        let mut union = Union::start(self.sources, scratch);
        let (mut len, mut cardinality, mut next_key) = (8_usize, 0_u64, 0_u32);
        while let Some(key) = union.bucket() {
            let mut bucket = Measured::default();
            loop {
                // A long range is measured bucket by bucket, not container by container.
                let full = union.pass_full(key);
                bucket.add_full(full);
                cardinality = cardinality.saturating_add(full << 16);
                let Some((_, container)) = union.next(key) else { break };
                let shape = container.shape();
                if shape.cardinality() > 0 {
                    bucket.add(shape);
                    cardinality = cardinality.saturating_add(u64::from(shape.cardinality()));
                }
            }
            if bucket.is_empty() {
                continue;
            }
            if self.dense_keys {
                let empty = usize::try_from(key.saturating_sub(next_key)).unwrap_or(usize::MAX);
                len = len.saturating_add(empty.saturating_mul(4 + EMPTY_BUCKET.len()));
            }
            next_key = key.saturating_add(1);
            len = len.saturating_add(4).saturating_add(bucket.encoded_len());
        }
        let measured = Encoded { len, cardinality };
        self.measured = Some(measured);
        Ok(measured)
    }

    /// Writes the bitmap into `out`, which is known to be long enough: to the byte, if it is `tight`.
    fn write(&mut self, scratch: &mut [u64], out: &mut [u8], tight: bool) -> Result<Encoded> {
        let sources = self.sources.len();
        let mut union = Union::start(self.sources, Scratch::take(scratch, sources)?);
        let missing = |at: usize| Error::new(ErrorKind::Internal, at, 0);
        let (mut end, mut cardinality, mut buckets, mut next_key) = (8_usize, 0_u64, 0_u64, 0_u32);
        while let Some(key) = union.bucket() {
            let few = if tight { None } else { union.few_bytes_a_container(key) };
            let containers = few.unwrap_or_else(|| union.count_containers(key));
            if containers == 0 {
                while union.next(key).is_some() {}
                continue;
            }
            if self.dense_keys {
                for empty in next_key..key {
                    let to = out.get_mut(end..).and_then(|rest| rest.first_chunk_mut::<12>()).ok_or(missing(end))?;
                    let (key, bitmap) = to.split_at_mut_checked(4).ok_or(missing(end))?;
                    key.copy_from_slice(&empty.to_le_bytes());
                    bitmap.copy_from_slice(&EMPTY_BUCKET);
                    end = end.saturating_add(to.len());
                    buckets = buckets.saturating_add(1);
                }
            }
            let (to, rest) = out.get_mut(end..).and_then(|rest| rest.split_first_chunk_mut()).ok_or(missing(end))?;
            *to = key.to_le_bytes();
            let mut bitmap = BitmapWriter::new(rest, containers, tight);
            while let Some((key, container)) = union.next(key) {
                let shape = container.shape();
                if shape.cardinality() > 0 {
                    bitmap.add(key, &container, shape)?;
                    cardinality = cardinality.saturating_add(u64::from(shape.cardinality()));
                }
            }
            end = end.saturating_add(4).saturating_add(bitmap.finish()?);
            (buckets, next_key) = (buckets.saturating_add(1), key.saturating_add(1));
        }
        *out.first_chunk_mut().ok_or(missing(0))? = buckets.to_le_bytes();
        Ok(Encoded { len: end, cardinality })
    }
}

/// Returns the length of a blob around a bitmap of so many bytes.
const fn blob_len(bitmap: usize) -> usize {
    bitmap.saturating_add(MAGIC.len() + ENVELOPE_LEN)
}

/// Refuses a bitmap that the size field cannot count.
fn check_size(bitmap: u64) -> Result<()> {
    let size = bitmap.saturating_add(MAGIC.len() as u64);
    match u32::try_from(size) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::at(ErrorKind::VectorTooLong, 0, size)),
    }
}

/// Scratch memory, cut into its parts.
struct Scratch<'m> {
    blocks: [&'m mut Block; 2],
    heads: &'m mut [u64],
}

impl<'m> Scratch<'m> {
    fn take(scratch: &'m mut [u64], sources: usize) -> Result<Self> {
        let needed = encode_scratch_len(sources);
        let short = Error::new(ErrorKind::ScratchTooSmall, 0, needed as u64);
        let scratch = scratch.get_mut(..needed).ok_or(short)?;
        let (blocks, heads) = scratch.split_at_mut_checked(2 * BLOCK_WORDS).ok_or(short)?;
        let (one, two) = blocks.as_mut_bytes().split_at_mut_checked(BITSET_LEN).ok_or(short)?;
        let block = |bytes: &'m mut [u8]| Block::mut_from_bytes(bytes).map_err(|_| short);
        Ok(Self { blocks: [block(one)?, block(two)?], heads })
    }
}

/// The containers of a union, in the order of their keys.
struct Union<'s, 'a, 'm> {
    sources: &'s mut [Source<'a>],
    heads: Heads<'m>,
    blocks: [&'m mut Block; 2],
}

impl<'s, 'a, 'm> Union<'s, 'a, 'm> {
    fn start(sources: &'s mut [Source<'a>], scratch: Scratch<'m>) -> Self {
        sources.iter_mut().for_each(Source::restart);
        let heads = Heads::new(scratch.heads, sources);
        Self { sources, heads, blocks: scratch.blocks }
    }

    /// Returns the key of the next bucket.
    fn bucket(&self) -> Option<u32> {
        self.heads.key().map(high_of)
    }

    /// Returns a bound of the containers that the bucket `bucket` has, if it is known and they are so small that it costs
    /// less to move them all, to where as many start as there turn out to be, than to count them.
    fn few_bytes_a_container(&self, bucket: u32) -> Option<usize> {
        let (mut count, mut bytes) = (0_usize, 0_usize);
        for place in self.sources.iter().map(Source::place) {
            if place.key().map(high_of) == Some(bucket) {
                let (containers, len) = place.rest_of_bucket()?;
                (count, bytes) = (count.saturating_add(containers), bytes.saturating_add(len));
            }
        }
        // A bucket has no more keys than this.
        let count = count.min(1 << 16);
        (bytes <= count.saturating_mul(WORTH_COUNTING)).then_some(count)
    }

    /// Counts the containers that the bucket `bucket`, which is the next one, has left, and stays before them.
    ///
    /// Takes O(sources + containers), and makes only those that may be empty.
    fn count_containers(&mut self, bucket: u32) -> usize {
        self.sources.iter_mut().for_each(Source::set_mark);
        let mut count = 0_usize;
        while self.heads.key().map(high_of) == Some(bucket) {
            let taken = self.heads.take();
            let [block, _] = &mut self.blocks;
            let any = (0..taken).any(|index| {
                self.sources.get(self.heads.taken(index)).is_some_and(|source| {
                    let place = source.place();
                    !place.may_be_empty() || place.container(block).cardinality() > 0
                })
            });
            count = count.saturating_add(usize::from(any));
            self.heads.put_back(self.sources);
        }
        self.sources.iter_mut().for_each(Source::rewind);
        self.heads.fill(self.sources);
        count
    }

    /// Passes full containers of the bucket `bucket` that only a range has. Returns how many there are.
    fn pass_full(&mut self, bucket: u32) -> u64 {
        match self.heads.key() {
            Some(key) if high_of(key) == bucket => self.heads.pass_full(self.sources, (u64::from(bucket) + 1) << 16),
            _ => 0,
        }
    }

    /// Returns the next container of the bucket `bucket`, with its key in there, and moves behind it.
    #[inline]
    fn next(&mut self, bucket: u32) -> Option<(u16, Container<'_>)> {
        let key = self.heads.key().filter(|key| high_of(*key) == bucket)?;
        let taken = self.heads.take();
        let [one, two] = &mut self.blocks;
        let place = |index: usize| self.sources.get(self.heads.taken(index)).map(Source::place);
        let stored = |index: usize| place(index).and_then(Place::stored);
        let container = match taken {
            1 => match stored(0) {
                Some(stored) => stored,
                None => place(0).map_or(Container::EMPTY, |only| only.container(one)),
            },
            2 => match (stored(0), stored(1)) {
                (Some(a), Some(b)) => union(one, &a, &b),
                // Which of the two is stored somewhere, if one is, and which has to be made.
                (Some(stored), None) => place(1).map_or(stored, |made| union(one, &stored, &made.container(two))),
                (None, Some(stored)) => place(0).map_or(stored, |made| union(one, &stored, &made.container(two))),
                (None, None) => add_up((0..2).filter_map(place), one, two),
            },
            _ => add_up((0..taken).filter_map(place), one, two),
        };
        self.heads.put_back(self.sources);
        Some((low16(low32(key)), container))
    }
}

/// Unites any number of containers as bits of `block`. `room` is for making them.
fn add_up<'b, 'p, 'a: 'p>(
    places: impl Iterator<Item = &'p Place<'a>>,
    block: &'b mut Block,
    room: &mut Block,
) -> Container<'b> {
    block.fill(Default::default());
    places.for_each(|place| place.add_to(block, room));
    bitset(block)
}

/// Returns the key of the bucket that a container with this key belongs to.
const fn high_of(key: u64) -> u32 {
    low32(key >> 16)
}
