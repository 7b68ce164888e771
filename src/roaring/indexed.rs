//! A 64-bit bitmap with the places of its buckets, for callers who jump among many of them.

use zerocopy::little_endian::U32;

use crate::bytes::read_at;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{Bitmap32, Bitmap64, Records, high32, low32};

/// A [`Bitmap64`] whose buckets are found in O(log buckets), by an index in the caller's memory.
///
/// Worth it for a bitmap of many buckets that is asked here and there. With the one bucket of nearly every deletion
/// vector nothing has to be searched, and positions in ascending order need no index either:
/// [`Cursor`](crate::scan::Cursor) and [`Bitmap64::contains_many`] walk from one bucket to the next.
///
/// # Examples
///
/// ```
/// use puffin_codec::roaring::Bitmap64;
///
/// let mut bytes = vec![3, 0, 0, 0, 0, 0, 0, 0]; // three buckets: keys 0, 2 and 5, with value 7 each
/// for key in [0, 2, 5] {
///     bytes.extend([key, 0, 0, 0, 0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 7, 0]);
/// }
/// let bitmap = Bitmap64::parse(&bytes)?;
/// let mut index = [0; 2];
/// assert_eq!(bitmap.index_len(), 2);
/// let indexed = bitmap.index_into(&mut index)?;
/// assert!(indexed.contains((5 << 32) + 7) && !indexed.contains((4 << 32) + 7));
/// assert_eq!(indexed.bucket(2).map(|bucket| bucket.cardinality()), Some(1));
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IndexedBitmap64<'a> {
    bitmap: Bitmap64<'a>,
    /// Where the record of each bucket after the first one starts.
    places: &'a [u64],
}

impl<'a> Bitmap64<'a> {
    /// Returns how many elements [`index_into`](Self::index_into) wants: one for each bucket after the first one.
    #[must_use]
    pub fn index_len(&self) -> usize {
        usize::try_from(self.bucket_count().saturating_sub(1)).unwrap_or(usize::MAX)
    }

    /// Writes the places of the buckets into `index`, and returns the bitmap with them. Takes O(buckets).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the elements needed, if `index` is shorter than
    /// [`index_len`](Self::index_len); nothing is written.
    pub fn index_into<'i>(&self, index: &'i mut [u64]) -> Result<IndexedBitmap64<'i>>
    where
        'a: 'i,
    {
        let needed = self.index_len();
        let index = index.get_mut(..needed).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64))?;
        let mut later = self.later();
        // On trusted bytes there may be fewer buckets than the count says.
        let mut found = 0_usize;
        for place in index.iter_mut() {
            *place = self.bytes().len().saturating_sub(later.bytes().len()) as u64;
            if later.next().is_none() {
                break;
            }
            found = found.saturating_add(1);
        }
        let index: &[u64] = index;
        Ok(IndexedBitmap64::new(self, index.get(..found).unwrap_or_default()))
    }
}

impl<'a> IndexedBitmap64<'a> {
    /// The bitmap with the places that [`Bitmap64::index_into`] found.
    pub(crate) const fn new(bitmap: &Bitmap64<'a>, places: &'a [u64]) -> Self {
        Self { bitmap: *bitmap, places }
    }

    pub(crate) const fn places(&self) -> &'a [u64] {
        self.places
    }

    /// Returns the bitmap, which answers everything else.
    #[must_use]
    pub const fn bitmap(&self) -> &Bitmap64<'a> {
        &self.bitmap
    }

    /// Returns the bitmap of the bucket with this key. Takes O(1) for the first bucket, else O(log buckets).
    #[must_use]
    pub fn bucket(&self, key: u32) -> Option<Bitmap32<'a>> {
        let (first_key, first) = self.bitmap.first();
        if key == *first_key {
            return (self.bitmap.bucket_count() > 0).then_some(*first);
        }
        let bytes = self.bitmap.bytes();
        let start = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        let key_at = |place: u64| read_at::<U32>(bytes, start(place)).map_or(u32::MAX, U32::get);
        let place = *self.places.get(self.places.partition_point(|place| key_at(*place) < key))?;
        let ((found, bitmap), _) = Records::split(bytes.get(start(place)..)?, self.bitmap.is_validated())?;
        (found == key).then_some(bitmap)
    }

    /// Tells whether `position` is in the set. Takes the time of [`bucket`](Self::bucket) and [`Bitmap32::contains`].
    #[must_use]
    pub fn contains(&self, position: u64) -> bool {
        self.bucket(high32(position)).is_some_and(|bitmap| bitmap.contains(low32(position)))
    }
}
