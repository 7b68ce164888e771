//! What a vector is made from.

use core::ops::Range;

use crate::deletion_vector::encode::place::{Pair, Place};
use crate::deletion_vector::encode::positions::{Ascending, Positions, ascending};
use crate::deletion_vector::encode::ranges::Ranges;
use crate::deletion_vector::encode::rows::Rows;
use crate::deletion_vector::{DeletionVector, MAX_WRITTEN_KEY, MAX_WRITTEN_POSITION};
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{Bitmap64, Containers64, Operation, SetOperation, high32};

/// A set of positions to be written: one of those that an [`Encoder`](super::Encoder) unites.
///
/// A source borrows what it is made from, and keeps the place that the encoder has come to. It is checked when it is
/// made: one that exists can be written.
///
/// # Examples
///
/// ```
/// use puffin_codec::ErrorKind;
/// use puffin_codec::deletion_vector::Source;
///
/// assert!(Source::positions(&[3, 3, 7]).is_ok());
/// let error = Source::positions(&[3, 7, 5]).unwrap_err();
/// assert_eq!((error.kind(), error.offset(), error.found()), (ErrorKind::InputOrder, 2, 5));
/// assert!(Source::ranges(&[0..10, 10..20, 400..401]).is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    start: Place<'a>,
    now: Place<'a>,
    /// Where the bucket starts that is being written.
    mark: Place<'a>,
    /// No more bytes than this are needed for what the source adds to any union.
    bound: u64,
    /// More bytes than this are needed for any union with the source: known where it is made without a byte for each.
    least: u64,
    /// No position is above.
    last: Option<u64>,
}

impl<'a> Source<'a> {
    /// Takes positions in ascending order, of which some may be there twice. Takes O(positions).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InputOrder`] for a position below the one before it, and [`ErrorKind::KeyOutOfRange`] for one above
    /// [`MAX_WRITTEN_POSITION`]. The error's offset is the position's index.
    pub fn positions(positions: &'a [u64]) -> Result<Self> {
        let unique = match ascending(positions) {
            Ascending::Strictly => true,
            Ascending::WithRepeats => false,
            Ascending::Not => return Err(first_fault(positions)),
        };
        let bound = bound_of_positions(positions);
        Ok(Self::new(Place::Positions(Positions::new(positions, unique)), bound, positions.last().copied()))
    }

    /// Takes ranges whose starts ascend. They may be empty, touch and overlap. Takes O(ranges).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InputOrder`] for a range that starts below the one before it or ends below its start, and
    /// [`ErrorKind::KeyOutOfRange`] for one that goes beyond [`MAX_WRITTEN_POSITION`]. The error's offset is the
    /// range's index.
    pub fn ranges(ranges: &'a [Range<u64>]) -> Result<Self> {
        let mut before = 0;
        for (index, range) in ranges.iter().enumerate() {
            if range.start < before || range.end < range.start {
                return Err(Error::new(ErrorKind::InputOrder, index, range.start));
            }
            check_key(index, range.end.saturating_sub(1))?;
            before = range.start;
        }
        let spans =
            || ranges.iter().filter(|range| !range.is_empty()).map(|range| (range.start, range.end.saturating_sub(1)));
        let bound = spans().map(|(first, last)| bound_of_span(first, last, 6)).fold(0, u64::saturating_add);
        let last = spans().map(|(_, last)| last).max();
        let ranges = Ranges::new(ranges);
        // Descriptor and one run of each.
        let least = ranges.full_containers().saturating_mul(10);
        Ok(Self { least, ..Self::new(Place::Ranges(ranges), bound, last) })
    }

    /// Takes the positions of a vector. Takes O(buckets).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::KeyOutOfRange`] for a vector with a position above [`MAX_WRITTEN_POSITION`]: one that may be read and
    /// not written.
    pub fn vector(vector: &DeletionVector<'a>) -> Result<Self> {
        Self::bitmap(vector.bitmap())
    }

    /// Takes the positions of a bitmap. Takes O(buckets).
    ///
    /// # Errors
    ///
    /// As [`vector`](Self::vector).
    pub fn bitmap(bitmap: &Bitmap64<'a>) -> Result<Self> {
        let last = checked_last(bitmap)?;
        Ok(Self::new(Place::Bitmap(Containers64::new(bitmap)), bound_of_bitmap(bitmap), last))
    }

    /// Takes those positions of a bitmap that lie in `rows`, moved so that row `rows.start` becomes `first_row`: what
    /// is left of a vector when its data file is split, and what it becomes when data files are put one behind the
    /// other. Takes O(buckets + containers).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArgument`] if `rows` is reversed, [`ErrorKind::KeyOutOfRange`] if a position would be moved
    /// above [`MAX_WRITTEN_POSITION`].
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::deletion_vector::{DeletionVector, Encoder, Source, encode_scratch_len};
    ///
    /// # fn main() -> puffin_codec::Result<()> {
    /// let mut scratch = [0; encode_scratch_len(2)];
    /// let (mut first, mut second, mut both) = ([0; 128], [0; 128], [0; 128]);
    /// let len = Encoder::new(&mut [Source::positions(&[3, 90])?]).encode_into(&mut scratch, &mut first)?.len();
    /// let first = DeletionVector::parse(&first[..len])?;
    /// let len = Encoder::new(&mut [Source::positions(&[0, 7])?]).encode_into(&mut scratch, &mut second)?.len();
    /// let second = DeletionVector::parse(&second[..len])?;
    ///
    /// // Two files of 100 rows become one of 200.
    /// let mut sources = [Source::rows(first.bitmap(), 0..100, 0)?, Source::rows(second.bitmap(), 0..100, 100)?];
    /// let len = Encoder::new(&mut sources).encode_into(&mut scratch, &mut both)?.len();
    /// assert!(DeletionVector::parse(&both[..len])?.iter().eq([3, 90, 100, 107]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rows(bitmap: &Bitmap64<'a>, rows: Range<u64>, first_row: u64) -> Result<Self> {
        let (rows, last) = Rows::new(bitmap, rows, first_row)?;
        check_key(0, last.unwrap_or(0))?;
        // A container may be cut in two, and a run with it.
        let bound = bound_of_bitmap(bitmap).saturating_mul(5).div_ceil(2);
        Ok(Self::new(Place::Rows(rows), bound, last))
    }

    /// Takes the positions of a union, an intersection or a difference of two sets. Takes O(buckets).
    ///
    /// # Errors
    ///
    /// As [`vector`](Self::vector).
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::deletion_vector::{DeletionVector, Encoder, Source, encode_scratch_len};
    ///
    /// # fn main() -> puffin_codec::Result<()> {
    /// let mut scratch = [0; encode_scratch_len(1)];
    /// let (mut earlier, mut later, mut change) = ([0; 128], [0; 128], [0; 128]);
    /// let len = Encoder::new(&mut [Source::positions(&[3, 90])?]).encode_into(&mut scratch, &mut earlier)?.len();
    /// let earlier = DeletionVector::parse(&earlier[..len])?;
    /// let len = Encoder::new(&mut [Source::positions(&[3, 7, 90])?]).encode_into(&mut scratch, &mut later)?.len();
    /// let later = DeletionVector::parse(&later[..len])?;
    ///
    /// let mut sources = [Source::operation(&later.difference(&earlier))?];
    /// let len = Encoder::new(&mut sources).encode_into(&mut scratch, &mut change)?.len();
    /// assert!(DeletionVector::parse(&change[..len])?.iter().eq([7]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn operation(operation: &SetOperation<'a>) -> Result<Self> {
        let (kind, a, b) = operation.parts();
        let last = match kind {
            Operation::Union => checked_last(a)?.max(checked_last(b)?),
            Operation::Intersection | Operation::Difference => checked_last(a)?,
        };
        let bound = bound_of_bitmap(a).saturating_add(bound_of_bitmap(b));
        Ok(Self::new(Place::Pair(Pair::new(kind, a, b)), bound, last))
    }

    const fn new(place: Place<'a>, bound: u64, last: Option<u64>) -> Self {
        Self { start: place, now: place, mark: place, bound, least: 0, last }
    }

    pub(super) const fn bound(&self) -> u64 {
        self.bound
    }

    pub(super) const fn least(&self) -> u64 {
        self.least
    }

    pub(super) const fn last(&self) -> Option<u64> {
        self.last
    }

    /// Returns the place that has been come to.
    #[inline]
    pub(super) const fn place(&self) -> &Place<'a> {
        &self.now
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.now.advance();
    }

    /// Passes full containers of ranges whose keys are below `end`. Returns how many there are.
    pub(super) fn pass_full(&mut self, end: u64) -> u64 {
        self.now.pass_full(end)
    }

    /// Goes back to the first position.
    pub(super) fn restart(&mut self) {
        self.now = self.start;
    }

    /// Notes the place, for [`rewind`](Self::rewind).
    pub(super) fn set_mark(&mut self) {
        self.mark = self.now;
    }

    /// Goes back to the place noted last.
    pub(super) fn rewind(&mut self) {
        self.now = self.mark;
    }
}

/// Refuses a position that must not be written.
fn check_key(index: usize, position: u64) -> Result<()> {
    if position <= MAX_WRITTEN_POSITION {
        return Ok(());
    }
    Err(Error::new(ErrorKind::KeyOutOfRange, index, u64::from(high32(position))))
}

/// Finds what is wrong with positions of which something is.
#[cold]
fn first_fault(positions: &[u64]) -> Error {
    let mut before = 0;
    for (index, &position) in positions.iter().enumerate() {
        if position < before {
            return Error::new(ErrorKind::InputOrder, index, position);
        }
        if let Err(error) = check_key(index, position) {
            return error;
        }
        before = position;
    }
    Error::new(ErrorKind::Internal, 0, 0)
}

/// Returns a bound of the bytes for containers in which the positions from `first` to `last` lie: `body` for each, and
/// what headers say of it and of its bucket.
const fn bound_of_span(first: u64, last: u64, body: u64) -> u64 {
    let containers = (last >> 16).saturating_sub(first >> 16).saturating_add(1);
    let buckets = (last >> 32).saturating_sub(first >> 32).saturating_add(1);
    // Key and cookie of a bucket; descriptor, offset and run flag of a container.
    containers.saturating_mul(body.saturating_add(9)).saturating_add(buckets.saturating_mul(12))
}

/// Returns a bound of the bytes that positions add to a union: four each, if they end up as runs.
fn bound_of_positions(positions: &[u64]) -> u64 {
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else { return 0 };
    let count = positions.len() as u64;
    let alone = count.saturating_mul(bound_of_span(0, 0, 0));
    count.saturating_mul(4).saturating_add(bound_of_span(*first, *last, 2).min(alone))
}

/// Returns a bound of the bytes that a bitmap adds to a union: values that were two bytes in an array are four as a
/// run. Headers have their part of it.
const fn bound_of_bitmap(bitmap: &Bitmap64<'_>) -> u64 {
    if bitmap.is_validated() { (bitmap.bytes().len() as u64).saturating_mul(2) } else { u64::MAX }
}

/// Returns the last position of a bitmap, if it may be written.
fn checked_last(bitmap: &Bitmap64<'_>) -> Result<Option<u64>> {
    let mut last = None;
    for (key, _) in bitmap.buckets().filter(|(_, bucket)| !bucket.is_empty()) {
        if key > MAX_WRITTEN_KEY {
            return Err(Error::new(ErrorKind::KeyOutOfRange, 0, u64::from(key)));
        }
        last = Some(u64::from(key) << 32 | 0xFFFF_FFFF);
    }
    Ok(last)
}
