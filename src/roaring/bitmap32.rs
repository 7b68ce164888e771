//! One 32-bit bitmap in the portable format.

use core::fmt;
use core::ops::RangeBounds;

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::header::Header;
use crate::roaring::{Container, Positions32, Positions32Rev, high16, inclusive, join16, low16};

/// Stands for "not counted" in [`Bitmap32::cardinality`]: no bitmap holds more than 2^32 values.
const NOT_COUNTED: u64 = u64::MAX;

/// A view of a serialized 32-bit Roaring bitmap: a set of `u32`.
///
/// The view is `Copy`, borrows the bytes and owns nothing. [The module](super) says what is validated when.
///
/// # Examples
///
/// ```
/// use puffin_codec::roaring::Bitmap32;
///
/// let bytes = [
///     0x3A, 0x30, 0, 0, 1, 0, 0, 0, // cookie 12346, one container
///     2, 0, 1, 0,                   // key 2, cardinality 2
///     16, 0, 0, 0,                  // it starts at byte 16
///     7, 0, 9, 0,                   // low halves 7 and 9
/// ];
/// let bitmap = Bitmap32::parse(&bytes)?;
/// assert_eq!(bitmap.cardinality(), 2);
/// assert!(bitmap.contains((2 << 16) + 9));
/// assert_eq!(bitmap.rank(131_079), 1); // one value up to and including 2 × 65,536 + 7
/// assert_eq!(bitmap.select(1), Some(131_081));
/// assert_eq!(bitmap.count(..131_080), 1);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Bitmap32<'a> {
    header: Header<'a>,
    /// Number of values, or [`NOT_COUNTED`].
    cardinality: u64,
}

impl<'a> Bitmap32<'a> {
    /// Parses a bitmap that takes up the whole of `bytes`, and checks all of it in one linear pass.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Truncated`], [`ErrorKind::BadCookie`], [`ErrorKind::BadCount`], [`ErrorKind::KeyOrder`],
    /// [`ErrorKind::OffsetMismatch`], [`ErrorKind::ArrayOrder`], [`ErrorKind::RunOrder`], [`ErrorKind::RunOverflow`],
    /// [`ErrorKind::NoRuns`], [`ErrorKind::CardinalityMismatch`], and [`ErrorKind::TrailingBytes`] if `bytes` go on
    /// after the bitmap.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let (bitmap, used) = Self::parse_prefix(bytes)?;
        match bytes.len().saturating_sub(used) {
            0 => Ok(bitmap),
            left => Err(Error::new(ErrorKind::TrailingBytes, used, left as u64)),
        }
    }

    /// Parses a bitmap at the start of `bytes`, and returns it with the number of bytes it takes up.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), less [`ErrorKind::TrailingBytes`].
    pub fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, usize)> {
        let header = Header::parse(bytes)?;
        let (used, cardinality) = header.validate(&mut None)?;
        Ok((Self::validated(header, used, cardinality), used))
    }

    /// The bitmap of headers that a full check has found to end after `used` bytes, with so many values.
    #[inline]
    pub(crate) fn validated(header: Header<'a>, used: usize, cardinality: u64) -> Self {
        Self { header: header.truncated(used, true), cardinality }
    }

    /// Views a bitmap that takes up the whole of `bytes`, whose content the caller vouches for. Takes O(1).
    ///
    /// If the content is not valid, answers are unspecified; every call still ends, and never panics.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Truncated`], [`ErrorKind::BadCookie`] or [`ErrorKind::BadCount`] if the headers do not fit.
    #[inline]
    pub fn parse_trusted(bytes: &'a [u8]) -> Result<Self> {
        Ok(Self { header: Header::parse(bytes)?, cardinality: NOT_COUNTED })
    }

    /// Views a bitmap at the start of `bytes` by its headers alone, and returns it with its length.
    ///
    /// `validated` says that an earlier full parse has accepted these very bytes.
    #[inline]
    pub(crate) fn view_prefix(bytes: &'a [u8], validated: bool) -> Result<(Self, usize)> {
        let header = Header::parse(bytes)?;
        let used = header.encoded_len();
        Ok((Self { header: header.truncated(used, validated), cardinality: NOT_COUNTED }, used))
    }

    /// The bitmap that stands in where there is none.
    pub(crate) const fn empty() -> Self {
        Self { header: Header::EMPTY, cardinality: 0 }
    }

    /// Returns the serialized bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.header.bytes()
    }

    pub(crate) const fn header(&self) -> &Header<'a> {
        &self.header
    }

    /// Returns how many values there are. Takes O(1) after a full parse, else O(containers).
    #[must_use]
    pub fn cardinality(&self) -> u64 {
        match self.cardinality {
            NOT_COUNTED => self.header.cardinality(0, self.container_count()),
            counted => counted,
        }
    }

    /// Tells whether the cookie announces run containers, whether or not there is one.
    #[must_use]
    pub const fn has_run_cookie(&self) -> bool {
        self.header.has_run_cookie()
    }

    /// Tells whether there is no value. Takes O(1).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.container_count() == 0
    }

    /// Returns how many containers there are: at most 65,536.
    #[must_use]
    pub const fn container_count(&self) -> usize {
        self.header.len()
    }

    /// Returns the containers with their keys, in ascending order of keys.
    #[must_use]
    pub const fn containers(&self) -> Containers<'a> {
        Containers { header: self.header, next: 0 }
    }

    /// Returns container `index` with its key, counted from 0. Takes O(1).
    #[must_use]
    pub fn container(&self, index: usize) -> Option<(u16, Container<'a>)> {
        Some((self.header.key(index)?, self.header.container(index)))
    }

    /// Tells whether `value` is in the set.
    ///
    /// Finding the container takes O(1) when no key is missing between the first and the last, else O(log keys);
    /// [the container](Container) adds O(1) for a bitset, O(log) for an array or runs.
    #[must_use]
    #[inline]
    pub fn contains(&self, value: u32) -> bool {
        self.header.contains(value)
    }

    /// Returns the smallest value.
    #[must_use]
    pub fn min(&self) -> Option<u32> {
        let (key, container) = self.container(0)?;
        container.min().map(|low| join16(key, low))
    }

    /// Returns the largest value.
    #[must_use]
    pub fn max(&self) -> Option<u32> {
        let (key, container) = self.container(self.container_count().checked_sub(1)?)?;
        container.max().map(|low| join16(key, low))
    }

    /// Counts the values that are at most `value`. Takes O(containers before it).
    #[must_use]
    pub fn rank(&self, value: u32) -> u64 {
        self.count(..=value)
    }

    /// Returns the value with `n` smaller ones before it. Takes O(containers).
    #[must_use]
    pub fn select(&self, n: u64) -> Option<u32> {
        let mut before = n;
        for (index, cardinality) in self.header.cardinalities().enumerate() {
            match before.checked_sub(u64::from(cardinality)) {
                Some(left) => before = left,
                None => {
                    let low = self.header.container(index).select(u32::try_from(before).ok()?)?;
                    return self.header.key(index).map(|key| join16(key, low));
                }
            }
        }
        None
    }

    /// Counts the values in `range`. Takes O(containers inside it).
    #[must_use]
    pub fn count(&self, range: impl RangeBounds<u32>) -> u64 {
        let Some((first, last)) = bounds(&range) else { return 0 };
        let (start, end) = (self.header.lower_bound(high16(first)), self.header.lower_bound(high16(last)));
        // `start` and `end` may be cut by the range; those in between are inside it whole.
        let part = |index: usize, from: u16, to: u16| u64::from(self.header.container(index).count(from, to));
        let first_hit = self.header.key(start) == Some(high16(first));
        let last_hit = self.header.key(end) == Some(high16(last));
        if start == end {
            return match (first_hit, last_hit) {
                (true, _) => part(start, low16(first), low16(last)),
                (false, true) => part(end, 0, low16(last)),
                (false, false) => 0,
            };
        }
        let head = if first_hit { part(start, low16(first), u16::MAX) } else { 0 };
        let tail = if last_hit { part(end, 0, low16(last)) } else { 0 };
        let whole_from = start.saturating_add(usize::from(first_hit));
        head.saturating_add(self.header.cardinality(whole_from, end)).saturating_add(tail)
    }

    /// Tells whether every value of `range` is in the set; an empty range is. Takes O(containers inside it).
    #[must_use]
    pub fn contains_range(&self, range: impl RangeBounds<u32>) -> bool {
        let Some((first, last)) = bounds(&range) else { return true };
        let start = self.header.lower_bound(high16(first));
        (high16(first)..=high16(last)).zip(start..).all(|(key, index)| {
            let from = if key == high16(first) { low16(first) } else { 0 };
            let to = if key == high16(last) { low16(last) } else { u16::MAX };
            self.header.key(index) == Some(key) && self.header.container(index).contains_range(from, to)
        })
    }

    /// Returns the values, ascending.
    #[must_use]
    pub fn iter(&self) -> Positions32<'a> {
        Positions32::new(self)
    }

    /// Returns the values from `value` on, ascending. Takes the time of [`contains`](Self::contains) to start.
    #[must_use]
    pub fn iter_from(&self, value: u32) -> Positions32<'a> {
        let mut positions = self.iter();
        positions.advance_to(value);
        positions
    }

    /// Returns the values, descending.
    #[must_use]
    pub fn iter_rev(&self) -> Positions32Rev<'a> {
        Positions32Rev::new(self)
    }
}

/// Turns a range of `u32` into inclusive bounds, or `None` if it is empty.
fn bounds(range: &impl RangeBounds<u32>) -> Option<(u32, u32)> {
    let wide = |value: &u32| u64::from(*value);
    let (first, last) = inclusive(range.start_bound().map(wide), range.end_bound().map(wide), u64::from(u32::MAX))?;
    Some((u32::try_from(first).ok()?, u32::try_from(last).ok()?))
}

impl fmt::Debug for Bitmap32<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bitmap32")
            .field("len", &self.bytes().len())
            .field("containers", &self.container_count())
            .field("cardinality", &self.cardinality())
            .finish()
    }
}

impl<'a> IntoIterator for Bitmap32<'a> {
    type Item = u32;
    type IntoIter = Positions32<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Iterates over the containers of a [`Bitmap32`] with their keys.
#[derive(Clone, Copy, Debug)]
pub struct Containers<'a> {
    header: Header<'a>,
    next: usize,
}

impl<'a> Iterator for Containers<'a> {
    type Item = (u16, Container<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.header.key(self.next)?;
        let container = self.header.container(self.next);
        self.next = self.next.saturating_add(1);
        Some((key, container))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.header.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Containers<'_> {}
