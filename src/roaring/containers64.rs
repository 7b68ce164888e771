//! The containers of a 64-bit bitmap, one after the other across its buckets.

use crate::roaring::header::Header;
use crate::roaring::{Bitmap64, Container, Records, low16, low32};

/// A place among the containers of a [`Bitmap64`].
///
/// The key of a container there is the high 48 bits of its positions. Keys ascend on any bytes: on trusted ones the
/// walk ends where they would not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Containers64<'a> {
    /// The buckets after the current one.
    later: Records<'a>,
    bucket_key: u32,
    header: Header<'a>,
    index: usize,
    key: Option<u64>,
    validated: bool,
}

impl<'a> Containers64<'a> {
    pub(crate) fn new(bitmap: &Bitmap64<'a>) -> Self {
        let (bucket_key, first) = bitmap.first();
        let (header, validated) = (*first.header(), bitmap.is_validated());
        let mut place = Self { later: bitmap.later(), bucket_key: *bucket_key, header, index: 0, key: None, validated };
        place.settle();
        place
    }

    /// Returns the key of the container here, or `None` at the end.
    #[inline]
    pub(crate) const fn key(&self) -> Option<u64> {
        self.key
    }

    /// Tells whether a full parse has accepted the content.
    pub(crate) const fn is_validated(&self) -> bool {
        self.validated
    }

    /// Views the container here.
    #[inline]
    pub(crate) fn container(&self) -> Container<'a> {
        self.header.container(self.index)
    }

    /// Returns how many containers the bucket has from here on, and no less than their size in bytes.
    pub(crate) const fn rest_of_bucket(&self) -> (usize, usize) {
        (self.header.len().saturating_sub(self.index), self.header.bytes().len())
    }

    /// Moves to the next container.
    #[inline]
    pub(crate) fn advance(&mut self) {
        if self.key.is_some() {
            self.index = self.index.saturating_add(1);
            self.settle();
        }
    }

    /// Moves forward to the first container whose key is at least `key`. Takes O(buckets passed), and a search.
    pub(crate) fn advance_to(&mut self, key: u64) {
        while let Some(here) = self.key
            && here < key
        {
            if here >> 16 == key >> 16 {
                let index = self.header.lower_bound(low16(low32(key)));
                self.index = index.max(self.index.saturating_add(1));
            } else {
                self.index = self.header.len();
            }
            self.settle();
        }
    }

    /// Reads the key of container `index`, or of the first one of a later bucket if there is no such container.
    #[inline]
    fn settle(&mut self) {
        let before = self.key;
        let key = loop {
            if let Some(low) = self.header.key(self.index) {
                break Some(u64::from(self.bucket_key) << 16 | u64::from(low));
            }
            let Some((key, bitmap)) = self.later.next() else { break None };
            (self.bucket_key, self.header, self.index) = (key, *bitmap.header(), 0);
        };
        self.key = key.filter(|key| before.is_none_or(|before| before < *key));
    }
}
