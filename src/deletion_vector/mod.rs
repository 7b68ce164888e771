//! Deletion vectors: the deleted row positions of one data file.
//!
//! ```text
//! deletion-vector-v1 (Iceberg)
//! +--------------------+  0
//! | u32 BE size        |     of magic and vector: blob length - 8
//! +--------------------+  4
//! | D1 D3 39 64        |     magic            \
//! +--------------------+  8                    | covered by size and CRC
//! | 64-bit bitmap      |     portable Roaring /
//! +--------------------+  4 + size
//! | u32 BE CRC-32      |     of magic and vector
//! +--------------------+  8 + size
//! ```
//!
//! Sources: Puffin specification, "deletion-vector-v1 blob type"; Iceberg table specification, "Deletion Vectors".
//! The bitmap itself is [`crate::roaring`]'s.
//!
//! # What is validated, and when
//!
//! [`DeletionVector::parse`] checks size, magic and CRC, the whole bitmap, that its keys leave the sign bit of a
//! position clear, and that it uses every byte. A wrong CRC is the answer whatever the bitmap holds; that of a large
//! blob is summed piece by piece, each right before the bitmap there is looked at, so that the bytes come from memory
//! once. [`DeletionVector::parse_trusted`] checks size, magic and the first header, in O(1).

mod encode;
mod iceberg;
#[cfg(feature = "roaring")]
mod treemap;

use core::ops::{Range, RangeBounds};

use crate::error::Result;
use crate::roaring::{Bitmap64, Positions64, Positions64Rev, SetOperation};
use crate::scan::{Cursor, DeletedRanges, LiveRanges};

#[cfg(feature = "alloc")]
pub use encode::encode_positions;
pub use encode::{Encoded, Encoder, Source, encode_scratch_len};
pub use iceberg::{MAGIC, MAX_KEY, MAX_POSITION, MAX_WRITTEN_KEY, MAX_WRITTEN_POSITION, MIN_BLOB_LEN};
#[cfg(feature = "roaring")]
pub use treemap::encode_treemap;

/// The deleted positions of one data file, answered from the serialized bytes.
///
/// The value is `Copy`, borrows the bytes and owns nothing; no method allocates, fails or panics. Positions are
/// 0-based row numbers of the data file. Nothing says that they are below its number of rows: compare
/// [`max`](Self::max) with that.
///
/// # Examples
///
/// ```
/// use puffin_codec::deletion_vector::DeletionVector;
///
/// let blob = [
///     0, 0, 0, 36, 0xD1, 0xD3, 0x39, 0x64, // size, magic
///     1, 0, 0, 0, 0, 0, 0, 0,              // one bucket
///     0, 0, 0, 0,                          // key 0
///     0x3A, 0x30, 0, 0, 1, 0, 0, 0,        // cookie 12346, one container
///     0, 0, 1, 0, 16, 0, 0, 0,             // key 0, cardinality 2, at byte 16 of the 32-bit bitmap
///     0, 0, 9, 0,                          // 0 and 9
///     0x2A, 0x67, 0x18, 0x46,              // CRC-32
/// ];
/// let vector = DeletionVector::parse(&blob)?;
/// assert_eq!(vector.cardinality(), 2);
/// assert!(vector.contains(9) && !vector.contains(8));
/// assert_eq!((vector.min(), vector.max()), (Some(0), Some(9)));
/// assert_eq!(vector.count(1..10), 1);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DeletionVector<'a> {
    bitmap: Bitmap64<'a>,
}

impl<'a> DeletionVector<'a> {
    /// Returns the set of positions, with everything that [`Bitmap64`] answers.
    #[must_use]
    pub const fn bitmap(&self) -> &Bitmap64<'a> {
        &self.bitmap
    }

    /// Tells whether the row at `position` is deleted. Takes the time of [`Bitmap64::contains`].
    #[must_use]
    #[inline]
    pub fn contains(&self, position: u64) -> bool {
        self.bitmap.contains(position)
    }

    /// Returns how many rows are deleted. Takes O(1) after a full parse.
    #[must_use]
    pub fn cardinality(&self) -> u64 {
        self.bitmap.cardinality()
    }

    /// Tells whether no row is deleted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bitmap.is_empty()
    }

    /// Returns the first deleted position.
    #[must_use]
    pub fn min(&self) -> Option<u64> {
        self.bitmap.min()
    }

    /// Returns the last deleted position. Takes O(buckets).
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        self.bitmap.max()
    }

    /// Counts the deleted positions that are at most `position`.
    #[must_use]
    pub fn rank(&self, position: u64) -> u64 {
        self.bitmap.rank(position)
    }

    /// Returns the deleted position with `n` smaller ones before it.
    #[must_use]
    pub fn select(&self, n: u64) -> Option<u64> {
        self.bitmap.select(n)
    }

    /// Counts the deleted positions in `range`: of a row group, say. Takes O(buckets + containers inside it).
    #[must_use]
    pub fn count(&self, range: impl RangeBounds<u64>) -> u64 {
        self.bitmap.count(range)
    }

    /// Tells whether every row of `range` is deleted; of an empty range they are.
    #[must_use]
    pub fn contains_range(&self, range: impl RangeBounds<u64>) -> bool {
        self.bitmap.contains_range(range)
    }

    /// Returns the deleted positions, ascending.
    #[must_use]
    pub fn iter(&self) -> Positions64<'a> {
        self.bitmap.iter()
    }

    /// Returns the deleted positions from `position` on, ascending.
    #[must_use]
    pub fn iter_from(&self, position: u64) -> Positions64<'a> {
        self.bitmap.iter_from(position)
    }

    /// Returns the deleted positions, descending. Takes O(buckets) to start.
    #[must_use]
    pub fn iter_rev(&self) -> Positions64Rev<'a> {
        self.bitmap.iter_rev()
    }
}

/// Bulk questions; [`crate::scan`] draws what each of them gives.
impl<'a> DeletionVector<'a> {
    /// Returns a cursor, for batches one after the other. Takes O(1).
    #[must_use]
    pub fn cursor(&self) -> Cursor<'a> {
        self.bitmap.cursor()
    }

    /// Writes the mask of deleted rows of `[first_row, first_row + rows)` into words: see
    /// [`Cursor::fill_deleted_mask`].
    ///
    /// # Errors
    ///
    /// As [`Cursor::fill_deleted_mask`].
    pub fn fill_deleted_mask(&self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.bitmap.fill_deleted_mask(first_row, rows, out)
    }

    /// Writes the mask of live rows of `[first_row, first_row + rows)` into words: see [`Cursor::fill_live_mask`].
    ///
    /// # Errors
    ///
    /// As [`Cursor::fill_live_mask`].
    pub fn fill_live_mask(&self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.bitmap.fill_live_mask(first_row, rows, out)
    }

    /// Returns the deleted rows of `rows` as ranges: see [`Bitmap64::deleted_ranges`].
    #[must_use]
    pub fn deleted_ranges(&self, rows: Range<u64>) -> DeletedRanges<'a> {
        self.bitmap.deleted_ranges(rows)
    }

    /// Returns the live rows of `rows` as ranges: see [`Bitmap64::live_ranges`].
    #[must_use]
    pub fn live_ranges(&self, rows: Range<u64>) -> LiveRanges<'a> {
        self.bitmap.live_ranges(rows)
    }

    /// Tells whether a row of `rows` is deleted: see [`Bitmap64::intersects`].
    #[must_use]
    pub fn intersects(&self, rows: Range<u64>) -> bool {
        self.bitmap.intersects(rows)
    }

    /// Writes for each of `positions` whether that row is deleted: see [`Bitmap64::contains_many`].
    ///
    /// # Errors
    ///
    /// As [`Bitmap64::contains_many`].
    pub fn contains_many(&self, positions: &[u64], out: &mut [bool]) -> Result<()> {
        self.bitmap.contains_many(positions, out)
    }
}

/// Questions to two vectors of one data file: of two snapshots, say.
impl<'a> DeletionVector<'a> {
    /// Returns the rows that either vector deletes: see [`SetOperation`].
    #[must_use]
    pub const fn union(&self, other: &Self) -> SetOperation<'a> {
        self.bitmap.union(&other.bitmap)
    }

    /// Returns the rows that both vectors delete: see [`SetOperation`].
    #[must_use]
    pub const fn intersection(&self, other: &Self) -> SetOperation<'a> {
        self.bitmap.intersection(&other.bitmap)
    }

    /// Returns the rows that this vector deletes and the other one does not: see [`SetOperation`].
    #[must_use]
    pub const fn difference(&self, other: &Self) -> SetOperation<'a> {
        self.bitmap.difference(&other.bitmap)
    }

    /// Tells whether the other vector deletes every row that this one does: see [`Bitmap64::is_subset`].
    ///
    /// A new vector of a data file has to: rows do not come back.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.bitmap.is_subset(&other.bitmap)
    }

    /// Tells whether no row is deleted by both vectors: see [`Bitmap64::is_disjoint`].
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.bitmap.is_disjoint(&other.bitmap)
    }
}

impl<'a> IntoIterator for DeletionVector<'a> {
    type Item = u64;
    type IntoIter = Positions64<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
