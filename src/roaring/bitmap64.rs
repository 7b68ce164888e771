//! A 64-bit bitmap in the portable format: buckets of 32-bit bitmaps.

use core::fmt;
use core::ops::RangeBounds;

use crate::bytes::Reader;
use crate::checksum::Leading;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::header::Header;
use crate::roaring::{Bitmap32, Positions64, Positions64Rev, high32, inclusive_u64, join32, low32};

/// Stands for "not counted" in [`Bitmap64::cardinality`]: reached only by a bitmap that no memory could hold.
const NOT_COUNTED: u64 = u64::MAX;

/// Where the bitmap of the first bucket starts: after the count and its key.
const FIRST_AT: usize = 12;

/// Smallest bucket: a key and an empty bitmap.
const MIN_BUCKET_LEN: usize = 12;

/// A key has 32 bits, and keys are distinct.
const MAX_BUCKETS: u64 = 1 << 32;

/// A view of a serialized 64-bit Roaring bitmap: a set of `u64`.
///
/// The high 32 bits of a value are the key of its *bucket*. Nearly every deletion vector has one bucket, key 0, and
/// that one is found at once. The format has no directory, so any other is found by a walk over the headers of the
/// buckets before it, O(1) for each; [`index_into`](Self::index_into) makes a directory for callers who jump. [The
/// module](super) says what is validated when.
///
/// # Examples
///
/// ```
/// use puffin_codec::roaring::Bitmap64;
///
/// let bytes = [
///     1, 0, 0, 0, 0, 0, 0, 0,       // one bucket
///     3, 0, 0, 0,                   // key 3
///     0x3A, 0x30, 0, 0, 1, 0, 0, 0, // cookie 12346, one container
///     0, 0, 0, 0, 16, 0, 0, 0,      // key 0, cardinality 1, at byte 16 of the 32-bit bitmap
///     5, 0,
/// ];
/// let bitmap = Bitmap64::parse(&bytes)?;
/// assert_eq!(bitmap.iter().collect::<Vec<u64>>(), [3 * (1 << 32) + 5]);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Bitmap64<'a> {
    bytes: &'a [u8],
    bucket_count: u64,
    /// Key and bitmap of the first bucket; of an empty one if there is none.
    first: (u32, Bitmap32<'a>),
    /// Number of positions, or [`NOT_COUNTED`] if no full parse has counted them.
    cardinality: u64,
}

impl<'a> Bitmap64<'a> {
    /// Parses a bitmap that takes up the whole of `bytes`, and checks all of it in one linear pass.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadCount`] above 2^32 buckets, [`ErrorKind::Truncated`] if `bytes` cannot hold those declared,
    /// [`ErrorKind::KeyOrder`], everything that [`Bitmap32::parse`] reports, and [`ErrorKind::TrailingBytes`] if
    /// `bytes` go on after the bitmap.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_up_to(bytes, u32::MAX, &mut None)
    }

    /// Parses a bitmap at the start of `bytes`, and returns it with the number of bytes it takes up.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), less [`ErrorKind::TrailingBytes`].
    pub fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, usize)> {
        Self::parse_prefix_up_to(bytes, u32::MAX, &mut None)
    }

    /// [`parse`](Self::parse) that also refuses keys above `max_key`, with [`ErrorKind::KeyOutOfRange`].
    ///
    /// `leading`, whose bytes end where these do, is told how far it goes.
    #[inline(always)]
    pub(crate) fn parse_up_to(bytes: &'a [u8], max_key: u32, leading: &mut Option<Leading<'_>>) -> Result<Self> {
        let (bitmap, used) = Self::parse_prefix_up_to(bytes, max_key, leading)?;
        match bytes.len().saturating_sub(used) {
            0 => Ok(bitmap),
            left => Err(Error::new(ErrorKind::TrailingBytes, used, left as u64)),
        }
    }

    /// Always inlined: every layer that hands a bitmap on through memory costs as much as a small array.
    #[inline(always)]
    fn parse_prefix_up_to(bytes: &'a [u8], max_key: u32, leading: &mut Option<Leading<'_>>) -> Result<(Self, usize)> {
        let mut reader = Reader::new(bytes);
        let bucket_count = read_count(&mut reader)?;
        let mut first = (0, Bitmap32::empty());
        let mut before: Option<u32> = None;
        let mut cardinality = 0_u64;
        for _ in 0..bucket_count {
            let at = reader.position();
            let key = reader.u32_le()?;
            if before.is_some_and(|before| before >= key) {
                return Err(Error::new(ErrorKind::KeyOrder, at, u64::from(key)));
            }
            if key > max_key {
                return Err(Error::new(ErrorKind::KeyOutOfRange, at, u64::from(key)));
            }
            let body = reader.position();
            let header = Header::parse(reader.rest()).map_err(|error| error.rebased(body))?;
            let (used, values) = header.validate(leading).map_err(|error| error.rebased(body))?;
            reader.take(used)?;
            cardinality = cardinality.saturating_add(values);
            if before.is_none() {
                first = (key, Bitmap32::validated(header, used, values));
            }
            before = Some(key);
        }
        let used = reader.position();
        let bytes = bytes.get(..used).unwrap_or_default();
        Ok((Self { bytes, bucket_count, first, cardinality }, used))
    }

    /// Views a bitmap that takes up the whole of `bytes`, whose content the caller vouches for. Takes O(1).
    ///
    /// If the content is not valid, answers are unspecified; every call still ends, and never panics.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Truncated`], [`ErrorKind::BadCount`] or [`ErrorKind::BadCookie`] if the bucket count, or the
    /// headers of the first bucket, do not fit.
    #[inline]
    pub fn parse_trusted(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let bucket_count = read_count(&mut reader)?;
        let mut first = (0, Bitmap32::empty());
        if bucket_count > 0 {
            let key = reader.u32_le()?;
            let body = reader.position();
            // A bucket that is alone ends where the bytes do: its last container need not be looked at.
            let (bitmap, used) = if bucket_count == 1 {
                Bitmap32::parse_trusted(reader.rest()).map(|bitmap| (bitmap, bitmap.bytes().len()))
            } else {
                Bitmap32::view_prefix(reader.rest(), false)
            }
            .map_err(|error| error.rebased(body))?;
            // What the headers promise may not be there.
            reader.take(used)?;
            first = (key, bitmap);
        }
        Ok(Self { bytes, bucket_count, first, cardinality: NOT_COUNTED })
    }

    /// The bitmap that stands in where there is none.
    pub(crate) fn empty() -> Self {
        let first = (0, Bitmap32::empty());
        Self { bytes: &[], bucket_count: 0, first, cardinality: 0 }
    }

    /// Returns the serialized bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Tells whether a full parse has accepted the content.
    pub(crate) const fn is_validated(&self) -> bool {
        self.cardinality != NOT_COUNTED
    }

    /// Returns how many buckets there are, empty ones included.
    #[must_use]
    pub const fn bucket_count(&self) -> u64 {
        self.bucket_count
    }

    /// Returns the buckets with their keys, in ascending order of keys, empty ones included.
    #[must_use]
    pub fn buckets(&self) -> Buckets<'a> {
        Buckets { first: (self.bucket_count > 0).then_some(self.first), later: self.later() }
    }

    /// Returns the first bucket, or an empty one with key 0 if there is none.
    pub(crate) const fn first(&self) -> &(u32, Bitmap32<'a>) {
        &self.first
    }

    /// Returns the buckets after the first one.
    #[inline]
    pub(crate) fn later(&self) -> Records<'a> {
        let start = FIRST_AT.saturating_add(self.first.1.bytes().len());
        Records {
            bytes: self.bytes.get(start..).unwrap_or_default(),
            left: self.bucket_count.saturating_sub(1),
            validated: self.is_validated(),
        }
    }

    /// Returns the bitmap of the bucket with this key. Takes O(1) for the first bucket, else O(buckets before it).
    #[must_use]
    pub fn bucket(&self, key: u32) -> Option<Bitmap32<'a>> {
        if key == self.first.0 {
            return (self.bucket_count > 0).then_some(self.first.1);
        }
        if self.bucket_count <= 1 {
            return None;
        }
        self.buckets().find(|(other, _)| *other >= key).filter(|(other, _)| *other == key).map(|(_, bitmap)| bitmap)
    }

    /// Returns how many positions there are. Takes O(1) after a full parse, else O(buckets + containers).
    #[must_use]
    pub fn cardinality(&self) -> u64 {
        match self.cardinality {
            NOT_COUNTED => self.buckets().fold(0, |sum, (_, bitmap)| sum.saturating_add(bitmap.cardinality())),
            counted => counted,
        }
    }

    /// Tells whether there is no position. Takes O(1) after a full parse, else O(empty buckets at the start).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self.cardinality {
            NOT_COUNTED => self.buckets().all(|(_, bitmap)| bitmap.is_empty()),
            counted => counted == 0,
        }
    }

    /// Tells whether `position` is in the set. Takes the time of [`bucket`](Self::bucket) and [`Bitmap32::contains`].
    #[must_use]
    #[inline]
    pub fn contains(&self, position: u64) -> bool {
        // The first bucket by reference: copying a `Bitmap32` out costs as much as the search in it.
        if high32(position) == self.first.0 {
            return self.first.1.contains(low32(position));
        }
        self.later_contains(position)
    }

    /// [`contains`](Self::contains) of a position outside the first bucket. Apart, so that the common case is short.
    #[inline(never)]
    fn later_contains(&self, position: u64) -> bool {
        self.bucket(high32(position)).is_some_and(|bitmap| bitmap.contains(low32(position)))
    }

    /// Returns the smallest position. Takes O(empty buckets at the start).
    #[must_use]
    pub fn min(&self) -> Option<u64> {
        self.buckets().find_map(|(key, bitmap)| bitmap.min().map(|low| join32(key, low)))
    }

    /// Returns the largest position. Takes O(buckets).
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        let (key, bitmap) = self.buckets().filter(|(_, bitmap)| !bitmap.is_empty()).last()?;
        bitmap.max().map(|low| join32(key, low))
    }

    /// Counts the positions that are at most `position`. Takes O(buckets + containers before it).
    #[must_use]
    pub fn rank(&self, position: u64) -> u64 {
        self.count(..=position)
    }

    /// Returns the position with `n` smaller ones before it. Takes O(buckets + containers before it).
    #[must_use]
    pub fn select(&self, n: u64) -> Option<u64> {
        let (key, first) = &self.first;
        let mut before = n;
        match before.checked_sub(first.cardinality()) {
            Some(left) => before = left,
            None => return first.select(before).map(|low| join32(*key, low)),
        }
        for (key, bitmap) in self.later() {
            match before.checked_sub(bitmap.cardinality()) {
                Some(left) => before = left,
                None => return bitmap.select(before).map(|low| join32(key, low)),
            }
        }
        None
    }

    /// Counts the positions in `range`. Takes O(buckets before its end + containers inside it).
    #[must_use]
    pub fn count(&self, range: impl RangeBounds<u64>) -> u64 {
        let Some((first, last)) = inclusive_u64(&range) else { return 0 };
        let part = |key: u32, bitmap: &Bitmap32<'a>| {
            if key < high32(first) || key > high32(last) {
                return 0;
            }
            let (from, to) = part(key, first, last);
            bitmap.count(from..=to)
        };
        let (key, bitmap) = &self.first;
        let later = self.later().take_while(|(key, _)| *key <= high32(last));
        later.fold(part(*key, bitmap), |total, (key, bitmap)| total.saturating_add(part(key, &bitmap)))
    }

    /// Tells whether every position of `range` is in the set; an empty range is. Takes the time of
    /// [`count`](Self::count).
    #[must_use]
    pub fn contains_range(&self, range: impl RangeBounds<u64>) -> bool {
        let Some((first, last)) = inclusive_u64(&range) else { return true };
        let mut wanted = high32(first);
        for (key, bitmap) in self.buckets() {
            if key < wanted {
                continue;
            }
            let (from, to) = part(key, first, last);
            if key != wanted || !bitmap.contains_range(from..=to) {
                return false;
            }
            match wanted.checked_add(1) {
                Some(next) if wanted < high32(last) => wanted = next,
                _ => return true,
            }
        }
        false
    }

    /// Returns the positions, ascending.
    #[must_use]
    pub fn iter(&self) -> Positions64<'a> {
        Positions64::new(self)
    }

    /// Returns the positions from `position` on, ascending. Takes the time of [`contains`](Self::contains) to start.
    #[must_use]
    pub fn iter_from(&self, position: u64) -> Positions64<'a> {
        let mut positions = self.iter();
        positions.advance_to(position);
        positions
    }

    /// Returns the positions, descending. Takes O(buckets) to start.
    #[must_use]
    pub fn iter_rev(&self) -> Positions64Rev<'a> {
        Positions64Rev::new(self)
    }
}

/// Reads the bucket count, and checks that so many buckets can be there.
#[inline]
fn read_count(reader: &mut Reader<'_>) -> Result<u64> {
    let count = reader.u64_le()?;
    if count > MAX_BUCKETS {
        return Err(Error::new(ErrorKind::BadCount, 0, count));
    }
    let left = reader.rest().len();
    if count > (left / MIN_BUCKET_LEN) as u64 {
        return Err(Error::new(ErrorKind::Truncated, reader.position(), left as u64));
    }
    Ok(count)
}

/// Cuts the positions from `first` to `last` to the bucket `key`, which is not outside them.
fn part(key: u32, first: u64, last: u64) -> (u32, u32) {
    let from = if key == high32(first) { low32(first) } else { 0 };
    let to = if key == high32(last) { low32(last) } else { u32::MAX };
    (from, to)
}

impl fmt::Debug for Bitmap64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bitmap64")
            .field("len", &self.bytes.len())
            .field("buckets", &self.bucket_count)
            .field("cardinality", &self.cardinality())
            .finish()
    }
}

impl<'a> IntoIterator for Bitmap64<'a> {
    type Item = u64;
    type IntoIter = Positions64<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Iterates over the buckets of a [`Bitmap64`] with their keys.
///
/// On trusted bytes that are not valid it ends where no further bucket fits.
#[derive(Clone, Copy, Debug)]
pub struct Buckets<'a> {
    first: Option<(u32, Bitmap32<'a>)>,
    later: Records<'a>,
}

/// The buckets after the first one, found record by record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    left: u64,
    validated: bool,
}

impl<'a> Records<'a> {
    /// Returns the records not yet iterated over.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the bucket at the start of `record`, and what comes after it.
    pub(crate) fn split(record: &'a [u8], validated: bool) -> Option<((u32, Bitmap32<'a>), &'a [u8])> {
        let mut reader = Reader::new(record);
        let key = reader.u32_le().ok()?;
        let (bitmap, used) = Bitmap32::view_prefix(reader.rest(), validated).ok()?;
        reader.take(used).ok()?;
        Some(((key, bitmap), reader.rest()))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = (u32, Bitmap32<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let Some((bucket, rest)) = Self::split(self.bytes, self.validated) else {
            self.left = 0;
            return None;
        };
        self.bytes = rest;
        Some(bucket)
    }
}

impl<'a> Iterator for Buckets<'a> {
    type Item = (u32, Bitmap32<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.first.take().or_else(|| self.later.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.later.left.saturating_add(u64::from(self.first.is_some()));
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        (if self.later.validated { left } else { left.min(usize::from(self.first.is_some())) }, Some(left))
    }
}
