//! One face for everything that holds positions, so that a check is written once.

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap32, Bitmap64, Positions32, Positions64};

/// The queries that bitmaps and vectors share, with every position as `u64`, at most [`TOP`](Self::TOP), and every
/// range inclusive.
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

macro_rules! position_set {
    ($set:ty, $position:ty, $cursor:path) => {
        impl PositionSet for $set {
            const TOP: u64 = <$position>::MAX as u64;

            fn contains(&self, position: u64) -> bool {
                <$set>::contains(self, narrow(position))
            }
            fn cardinality(&self) -> u64 {
                <$set>::cardinality(self)
            }
            fn is_empty(&self) -> bool {
                <$set>::is_empty(self)
            }
            fn min(&self) -> Option<u64> {
                <$set>::min(self).map(u64::from)
            }
            fn max(&self) -> Option<u64> {
                <$set>::max(self).map(u64::from)
            }
            fn rank(&self, position: u64) -> u64 {
                <$set>::rank(self, narrow(position))
            }
            fn select(&self, index: u64) -> Option<u64> {
                <$set>::select(self, index).map(u64::from)
            }
            fn count(&self, first: u64, last: u64) -> u64 {
                <$set>::count(self, narrow::<$position>(first)..=narrow(last))
            }
            fn contains_range(&self, first: u64, last: u64) -> bool {
                <$set>::contains_range(self, narrow::<$position>(first)..=narrow(last))
            }
            fn iter(&self) -> impl Cursor {
                $cursor(<$set>::iter(self))
            }
            fn iter_from(&self, position: u64) -> impl Cursor {
                $cursor(<$set>::iter_from(self, narrow(position)))
            }
            fn iter_rev(&self) -> impl Iterator<Item = u64> {
                <$set>::iter_rev(self).map(u64::from)
            }
        }
    };
}

position_set!(Bitmap32<'_>, u32, Widened);
position_set!(Bitmap64<'_>, u64, std::convert::identity);
position_set!(DeletionVector<'_>, u64, std::convert::identity);

/// A position as the type of the set.
fn narrow<T: TryFrom<u64>>(position: u64) -> T {
    T::try_from(position).ok().expect("a position that the set can hold")
}

impl Cursor for Positions64<'_> {
    fn peek(&mut self) -> Option<u64> {
        Self::peek(self)
    }
    fn advance_to(&mut self, position: u64) {
        Self::advance_to(self, position);
    }
}

/// An iterator of `u32` as one of `u64`; what the inner one specialises stays so.
struct Widened<'a>(Positions32<'a>);

impl Iterator for Widened<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0.next().map(u64::from)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
    fn nth(&mut self, n: usize) -> Option<u64> {
        self.0.nth(n).map(u64::from)
    }
    fn count(self) -> usize {
        self.0.count()
    }
    fn fold<B, F: FnMut(B, u64) -> B>(self, init: B, mut f: F) -> B {
        self.0.fold(init, |acc, value| f(acc, value.into()))
    }
}

impl Cursor for Widened<'_> {
    fn peek(&mut self) -> Option<u64> {
        self.0.peek().map(u64::from)
    }
    fn advance_to(&mut self, position: u64) {
        self.0.advance_to(narrow(position));
    }
}
