//! One face for everything that holds positions, so that a check is written once.

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap32, Bitmap64};

/// The queries that bitmaps and vectors share, with every position as `u64` and every range inclusive.
pub(crate) trait PositionSet: Copy {
    /// The highest position that the type can hold.
    const TOP: u64;

    fn contains(&self, position: u64) -> bool;
    fn cardinality(&self) -> u64;
    fn is_empty(&self) -> bool;
    fn min(&self) -> Option<u64>;
    fn max(&self) -> Option<u64>;
    fn rank(&self, position: u64) -> u64;
    fn select(&self, index: u64) -> Option<u64>;
    fn count(&self, first: u64, last: u64) -> u64;
    fn contains_range(&self, first: u64, last: u64) -> bool;
    fn iter(&self) -> impl Cursor;
    fn iter_from(&self, position: u64) -> impl Cursor;
    fn iter_rev(&self) -> impl Iterator<Item = u64>;
}

/// An ascending iterator that can look at its next position and skip ahead.
pub(crate) trait Cursor: Iterator<Item = u64> {
    fn peek(&mut self) -> Option<u64>;
    /// Skips to the first position that is `position` or higher; never moves back.
    fn advance_to(&mut self, position: u64);
}

macro_rules! sets_of_u64 {
    ($($set:ty, $iter:ty;)*) => {$(
        impl PositionSet for $set {
            const TOP: u64 = u64::MAX;

            fn contains(&self, position: u64) -> bool {
                <$set>::contains(self, position)
            }
            fn cardinality(&self) -> u64 {
                <$set>::cardinality(self)
            }
            fn is_empty(&self) -> bool {
                <$set>::is_empty(self)
            }
            fn min(&self) -> Option<u64> {
                <$set>::min(self)
            }
            fn max(&self) -> Option<u64> {
                <$set>::max(self)
            }
            fn rank(&self, position: u64) -> u64 {
                <$set>::rank(self, position)
            }
            fn select(&self, index: u64) -> Option<u64> {
                <$set>::select(self, index)
            }
            fn count(&self, first: u64, last: u64) -> u64 {
                <$set>::count(self, first..=last)
            }
            fn contains_range(&self, first: u64, last: u64) -> bool {
                <$set>::contains_range(self, first..=last)
            }
            fn iter(&self) -> impl Cursor {
                <$set>::iter(self)
            }
            fn iter_from(&self, position: u64) -> impl Cursor {
                <$set>::iter_from(self, position)
            }
            fn iter_rev(&self) -> impl Iterator<Item = u64> {
                <$set>::iter_rev(self)
            }
        }
    )*};
}

sets_of_u64! {
    Bitmap64<'_>, puffin_codec::roaring::Iter64<'_>;
    DeletionVector<'_>, puffin_codec::roaring::Iter64<'_>;
}

impl Cursor for puffin_codec::roaring::Iter64<'_> {
    fn peek(&mut self) -> Option<u64> {
        Self::peek(self)
    }
    fn advance_to(&mut self, position: u64) {
        Self::advance_to(self, position);
    }
}
