//! Where an encoder is in each of its sources.

use zerocopy::little_endian::U64;

use crate::deletion_vector::encode::positions::Positions;
use crate::deletion_vector::encode::ranges::Ranges;
use crate::deletion_vector::encode::rows::Rows;
use crate::roaring::combine::{Block, add, bitset, difference, intersection};
use crate::roaring::{Bitmap64, Container, Containers64};

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

    /// Tells whether the container here may turn out to be empty.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Self::Positions(_) | Self::Ranges(_) | Self::Rows(_) => false,
            Self::Bitmap(bitmap) => !bitmap.is_validated(),
            Self::Pair(pair) => pair.stored().is_none(),
        }
    }
}

/// What is asked of two bitmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Difference,
    Intersection,
}

/// Two bitmaps, and what is asked of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    operation: Operation,
    a: Containers64<'a>,
    /// Never behind `a`: at its key, or beyond.
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
        while let Some(key) = self.a.key() {
            self.b.advance_to(key);
            match (self.operation, self.b.key()) {
                (Operation::Difference, _) => return,
                (Operation::Intersection, Some(other)) if other == key => return,
                (Operation::Intersection, Some(other)) => self.a.advance_to(other),
                (Operation::Intersection, None) => return,
            }
        }
    }

    #[inline]
    fn key(&self) -> Option<u64> {
        match self.operation {
            Operation::Difference => self.a.key(),
            // At the end of either there is nothing in common.
            Operation::Intersection => self.a.key().filter(|_| self.b.key().is_some()),
        }
    }

    fn advance(&mut self) {
        self.a.advance();
        self.settle();
    }

    /// Returns the container here if it is one of `a` as it is, and known to be valid.
    fn stored(&self) -> Option<Container<'a>> {
        let alone = self.operation == Operation::Difference && self.b.key() != self.a.key();
        (alone && self.a.is_validated()).then(|| self.a.container())
    }

    fn container<'b>(&self, block: &'b mut Block) -> Container<'b> {
        let a = self.a.container();
        let b = if self.b.key() == self.a.key() { self.b.container() } else { Container::EMPTY };
        let result = match self.operation {
            Operation::Intersection => intersection(block, &a, &b),
            Operation::Difference => difference(block, &a, &b),
        };
        match result {
            // Trusted values that do not ascend make no container.
            Container::Array(array)
                if !self.is_validated() && !array.values().is_sorted_by(|a, b| a.get() < b.get()) =>
            {
                Container::EMPTY
            }
            result => result,
        }
    }

    const fn is_validated(&self) -> bool {
        self.a.is_validated() && self.b.is_validated()
    }
}
