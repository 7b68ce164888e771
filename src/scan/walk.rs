//! The buckets of a bitmap, walked over from front to back.

use core::cmp::Ordering;

use crate::roaring::{Bitmap32, Bitmap64, IndexedBitmap64, Records};

/// A place among the buckets of a bitmap.
///
/// Forward it walks on from where it is, so that going through keys in ascending order takes one walk in all; backward
/// it starts anew. With an index it does not walk.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a> {
    bitmap: Bitmap64<'a>,
    /// The buckets after the current one.
    later: Records<'a>,
    /// The current bucket: the one with this key, or none if the bitmap has none with it.
    key: u32,
    bucket: Option<Bitmap32<'a>>,
    /// The bucket after `key` that `later` has been asked for already.
    ahead: Option<(u32, Bitmap32<'a>)>,
    /// The index that finds buckets without a walk, if there is one.
    places: Option<&'a [u64]>,
}

impl<'a> Walk<'a> {
    /// A walk that has come to the first bucket.
    pub(super) fn new(bitmap: &Bitmap64<'a>) -> Self {
        let (key, first) = *bitmap.first();
        Self { bitmap: *bitmap, later: bitmap.later(), key, bucket: Some(first), ahead: None, places: None }
    }

    /// A walk at the first bucket that jumps to any other.
    pub(super) fn indexed(indexed: &IndexedBitmap64<'a>) -> Self {
        Self { places: Some(indexed.places()), ..Self::new(indexed.bitmap()) }
    }

    /// Returns the bucket with this key. Takes O(1) for the current one, else O(buckets passed), or O(log buckets) with
    /// an index.
    #[inline]
    pub(super) fn bucket(&mut self, key: u32) -> Option<&Bitmap32<'a>> {
        if key != self.key {
            self.move_to(key);
        }
        self.bucket.as_ref()
    }

    /// Makes the bucket `key`, which is not the current one, the current one.
    #[inline(never)]
    fn move_to(&mut self, key: u32) {
        if let Some(places) = self.places {
            (self.key, self.bucket) = (key, IndexedBitmap64::new(&self.bitmap, places).bucket(key));
            return;
        }
        if key < self.key {
            *self = Self::new(&self.bitmap);
            match key.cmp(&self.key) {
                Ordering::Equal => return,
                // Even the first bucket is further on.
                Ordering::Less => self.ahead = self.bucket.map(|bucket| (self.key, bucket)),
                Ordering::Greater => {}
            }
        }
        (self.key, self.bucket) = (key, None);
        while let Some((other, bucket)) = self.ahead.take().or_else(|| self.later.next()) {
            match other.cmp(&key) {
                Ordering::Less => {}
                Ordering::Equal => {
                    self.bucket = Some(bucket);
                    return;
                }
                Ordering::Greater => {
                    self.ahead = Some((other, bucket));
                    return;
                }
            }
        }
    }
}
