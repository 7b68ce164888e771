//! Where an encoder is in each of its sources.

use zerocopy::little_endian::{U16, U64};

use crate::deletion_vector::encode::positions::Positions;
use crate::deletion_vector::encode::ranges::Ranges;
use crate::deletion_vector::encode::rows::Rows;
use crate::roaring::combine::{Block, add, bitset, difference, intersection, union};
use crate::roaring::{Bitmap64, Container, Containers64, Operation};

/// A place among the containers that a source has or makes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    Positions(Positions<'a>),
    Ranges(Ranges<'a>),
    Bitmap(Containers64<'a>),
    Rows(Rows<'a>),
    Pair(Pair<'a>),
}

impl<'a> Place<'a> {
    /// Returns the key of the container here, or `None` at the end.
    #[inline]
    pub(super) fn key(&self) -> Option<u64> {
        match self {
            Self::Positions(positions) => positions.key(),
            Self::Ranges(ranges) => ranges.key(),
            Self::Bitmap(bitmap) => bitmap.key(),
            Self::Rows(rows) => rows.key(),
            Self::Pair(pair) => pair.key(),
        }
    }

    /// Moves to the next container.
    #[inline]
    pub(super) fn advance(&mut self) {
        match self {
            Self::Positions(positions) => positions.advance(),
            Self::Ranges(ranges) => ranges.advance(),
            Self::Bitmap(bitmap) => bitmap.advance(),
            Self::Rows(rows) => rows.advance(),
            Self::Pair(pair) => pair.advance(),
        }
    }

    /// Passes full containers of ranges whose keys are below `end`. Returns how many there are.
    pub(super) fn pass_full(&mut self, end: u64) -> u64 {
        match self {
            Self::Ranges(ranges) => ranges.pass_full(end),
            _ => 0,
        }
    }

    /// Returns the container here if it is stored somewhere, and known to be valid.
    #[inline]
    pub(super) fn stored(&self) -> Option<Container<'a>> {
        match self {
            Self::Bitmap(bitmap) if bitmap.is_validated() => Some(bitmap.container()),
            Self::Rows(rows) => rows.whole(),
            Self::Pair(pair) => pair.stored(),
            _ => None,
        }
    }

    /// Makes the container here. On trusted bytes that are not valid it may be empty, and so may that of a pair.
    pub(super) fn container<'b>(&self, block: &'b mut Block) -> Container<'b> {
        match self {
            Self::Positions(positions) => positions.container(block),
            Self::Ranges(ranges) => ranges.container(block),
            // Through bits, which are a valid set whatever the content is.
            Self::Bitmap(bitmap) => {
                block.fill(U64::ZERO);
                add(block, &bitmap.container());
                bitset(block)
            }
            Self::Rows(rows) => rows.container(block),
            Self::Pair(pair) => pair.container(block),
        }
    }

    /// Adds the container here to the bits of `block`. `room` is for making it.
    pub(super) fn add_to(&self, block: &mut Block, room: &mut Block) {
        match self {
            Self::Positions(positions) => positions.add_to(block),
            Self::Ranges(ranges) => ranges.add_to(block),
            Self::Bitmap(bitmap) => add(block, &bitmap.container()),
            Self::Rows(rows) => rows.add_to(block),
            Self::Pair(pair) => add(block, &pair.container(room)),
        }
    }

    /// Returns how many containers the bucket here has left, and how many bytes, if that is known at once and none of
    /// them is empty.
    pub(super) fn rest_of_bucket(&self) -> Option<(usize, usize)> {
        match self {
            Self::Bitmap(bitmap) if bitmap.is_validated() => Some(bitmap.rest_of_bucket()),
            _ => None,
        }
    }

    /// Tells whether the container here may turn out to be empty.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Self::Positions(_) | Self::Ranges(_) => false,
            Self::Rows(rows) => rows.may_be_empty(),
            Self::Bitmap(bitmap) => !bitmap.is_validated(),
            Self::Pair(pair) => pair.stored().is_none(),
        }
    }
}

/// Two bitmaps, and which of their positions are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    operation: Operation,
    a: Containers64<'a>,
    /// Unless for a union, never behind `a`: at its key, or beyond.
    b: Containers64<'a>,
}

impl<'a> Pair<'a> {
    pub(super) fn new(operation: Operation, a: &Bitmap64<'a>, b: &Bitmap64<'a>) -> Self {
        let mut pair = Self { operation, a: Containers64::new(a), b: Containers64::new(b) };
        pair.settle();
        pair
    }

    /// Moves to the next key that the result may have.
    fn settle(&mut self) {
        while let Some(key) = self.a.key()
            && self.operation != Operation::Union
        {
            self.b.advance_to(key);
            match self.b.key() {
                Some(other) if self.operation == Operation::Intersection && other != key => self.a.advance_to(other),
                _ => return,
            }
        }
    }

    #[inline]
    fn key(&self) -> Option<u64> {
        match (self.operation, self.a.key(), self.b.key()) {
            (Operation::Union, Some(a), Some(b)) => Some(a.min(b)),
            (Operation::Union, a, b) => a.or(b),
            (Operation::Difference, a, _) => a,
            // At the end of either there is nothing in common.
            (Operation::Intersection, a, b) => a.and(b).and(a),
        }
    }

    fn advance(&mut self) {
        let key = self.key();
        if self.operation == Operation::Union && self.b.key() == key {
            self.b.advance();
        }
        if self.a.key() == key {
            self.a.advance();
        }
        self.settle();
    }

    /// The containers that the two bitmaps have here.
    fn containers(&self) -> (Option<Container<'a>>, Option<Container<'a>>) {
        let key = self.key();
        let at = |place: &Containers64<'a>| (place.key() == key).then(|| place.container());
        (at(&self.a), at(&self.b))
    }

    /// Returns the container here if it is one of the bitmaps' as it is, and known to be valid.
    fn stored(&self) -> Option<Container<'a>> {
        match self.containers() {
            (Some(a), None) if self.a.is_validated() => Some(a),
            (None, Some(b)) if self.b.is_validated() => Some(b),
            _ => None,
        }
    }

    fn container<'b>(&self, block: &'b mut Block) -> Container<'b> {
        let (a, b) = self.containers();
        let (a, b) = (a.unwrap_or(Container::EMPTY), b.unwrap_or(Container::EMPTY));
        let is_validated = self.a.is_validated() && self.b.is_validated();
        match self.operation {
            Operation::Union if is_validated => union(block, &a, &b),
            // Through bits, which are a valid set whatever the content is.
            Operation::Union => {
                block.fill(U64::ZERO);
                add(block, &a);
                add(block, &b);
                bitset(block)
            }
            operation => {
                let result = match operation {
                    Operation::Intersection => intersection(block, &a, &b),
                    _ => difference(block, &a, &b),
                };
                match result {
                    // Trusted values that do not ascend make no container.
                    Container::Array(array) if !is_validated && !ascends(array.values()) => Container::EMPTY,
                    result => result,
                }
            }
        }
    }
}

fn ascends(values: &[U16]) -> bool {
    values.is_sorted_by(|a, b| a.get() < b.get())
}
