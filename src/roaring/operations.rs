//! Iteration over unions, intersections and differences, run by run.

use core::ops::Range;

use crate::roaring::{Bitmap64, Positions64};

/// Which positions of two sets are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Union,
    Intersection,
    Difference,
}

/// A union, an intersection or a difference of two sets, not worked out: iterate over it, or count it.
///
/// Made by [`Bitmap64::union`], [`Bitmap64::intersection`] and [`Bitmap64::difference`]; a
/// [`Source`](crate::deletion_vector::Source) writes one.
///
/// # Examples
///
/// ```
/// use puffin_codec::roaring::Bitmap64;
///
/// // One bucket, key 0; run cookie for one container, flag 1; one run: 5 to 14, and 8 to 20.
/// let earlier = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 5, 0, 9, 0];
/// let later = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 12, 0, 1, 0, 8, 0, 12, 0];
/// let (earlier, later) = (Bitmap64::parse(&earlier)?, Bitmap64::parse(&later)?);
///
/// let deleted = later.difference(&earlier);
/// assert!(deleted.iter().eq(15..21));
/// assert!(deleted.ranges().eq([15..21]));
/// assert_eq!(deleted.cardinality(), 6);
/// assert!(earlier.difference(&later).iter().eq([5, 6, 7]));
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetOperation<'a> {
    kind: Operation,
    a: Bitmap64<'a>,
    b: Bitmap64<'a>,
}

impl<'a> Bitmap64<'a> {
    /// Returns the positions that either set has. Takes O(1).
    #[must_use]
    pub const fn union(&self, other: &Self) -> SetOperation<'a> {
        SetOperation { kind: Operation::Union, a: *self, b: *other }
    }

    /// Returns the positions that both sets have. Takes O(1).
    #[must_use]
    pub const fn intersection(&self, other: &Self) -> SetOperation<'a> {
        SetOperation { kind: Operation::Intersection, a: *self, b: *other }
    }

    /// Returns the positions that this set has and the other has not. Takes O(1).
    #[must_use]
    pub const fn difference(&self, other: &Self) -> SetOperation<'a> {
        SetOperation { kind: Operation::Difference, a: *self, b: *other }
    }
}

impl<'a> SetOperation<'a> {
    /// Counts the positions, container by container. Takes O(stored size of both sets).
    #[must_use]
    pub fn cardinality(&self) -> u64 {
        match self.kind {
            Operation::Union => self.a.union_cardinality(&self.b),
            Operation::Intersection => self.a.intersection_cardinality(&self.b),
            Operation::Difference => self.a.difference_cardinality(&self.b),
        }
    }

    /// Tells whether there is no position. Stops at the first one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self.kind {
            Operation::Union => self.a.is_empty() && self.b.is_empty(),
            Operation::Intersection => self.a.is_disjoint(&self.b),
            Operation::Difference => self.a.is_subset(&self.b),
        }
    }

    /// Returns the positions, ascending.
    #[must_use]
    pub fn iter(&self) -> OperationPositions<'a> {
        OperationPositions { runs: Runs::new(self), next: 1, last: 0 }
    }

    /// Returns the positions as ranges, ascending, none of which touches another. Takes O(stored size of both sets) in
    /// all, however many positions a range has.
    ///
    /// The highest position of all, 2^64 - 1, ends no half-open range, and is left out; no deletion vector has it.
    #[must_use]
    pub fn ranges(&self) -> OperationRanges<'a> {
        OperationRanges { runs: Runs::new(self) }
    }

    /// Returns which positions of the two sets are wanted, and the sets.
    pub(crate) const fn parts(&self) -> (Operation, &Bitmap64<'a>, &Bitmap64<'a>) {
        (self.kind, &self.a, &self.b)
    }
}

impl<'a> IntoIterator for SetOperation<'a> {
    type Item = u64;
    type IntoIter = OperationPositions<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The runs of one set, of which the next has been taken out.
#[derive(Clone, Debug)]
struct Side<'a> {
    positions: Positions64<'a>,
    /// First and last position.
    run: Option<(u64, u64)>,
}

impl<'a> Side<'a> {
    fn new(bitmap: &Bitmap64<'a>) -> Self {
        let mut side = Self { positions: bitmap.iter(), run: None };
        side.advance();
        side
    }

    fn advance(&mut self) {
        self.run = self.positions.next_run(u64::MAX);
    }

    /// Moves to the first run that does not end before `position`, which may then start there.
    fn advance_to(&mut self, position: u64) {
        /// As far as a container: nearer there is nothing to be passed without a look at it.
        const FAR: u64 = 0x1_0000;
        while let Some((_, last)) = self.run
            && last < position
        {
            if position - last > FAR {
                self.positions.advance_to(position);
            }
            self.advance();
        }
    }
}

/// The runs of an operation.
#[derive(Clone, Debug)]
struct Runs<'a> {
    kind: Operation,
    a: Side<'a>,
    b: Side<'a>,
}

impl<'a> Runs<'a> {
    fn new(operation: &SetOperation<'a>) -> Self {
        Self { kind: operation.kind, a: Side::new(&operation.a), b: Side::new(&operation.b) }
    }

    /// Returns first and last position of the next run.
    fn next(&mut self) -> Option<(u64, u64)> {
        match self.kind {
            Operation::Union => self.next_of_union(),
            Operation::Intersection => self.next_of_intersection(),
            Operation::Difference => self.next_of_difference(),
        }
    }

    fn next_of_union(&mut self) -> Option<(u64, u64)> {
        let mut run: Option<(u64, u64)> = None;
        loop {
            let side = match (self.a.run, self.b.run) {
                (Some((a, _)), Some((b, _))) if b < a => &mut self.b,
                (None, Some(_)) => &mut self.b,
                _ => &mut self.a,
            };
            match (run, side.run) {
                (None, next) => run = Some(next?),
                (Some((first, last)), Some((start, end))) if start <= last.saturating_add(1) => {
                    run = Some((first, last.max(end)));
                }
                (run, _) => return run,
            }
            side.advance();
        }
    }

    fn next_of_intersection(&mut self) -> Option<(u64, u64)> {
        loop {
            let ((a_first, a_last), (b_first, b_last)) = (self.a.run?, self.b.run?);
            let (first, last) = (a_first.max(b_first), a_last.min(b_last));
            if first > last {
                if a_last < b_first {
                    self.a.advance_to(b_first)
                } else {
                    self.b.advance_to(a_first)
                }
                continue;
            }
            if a_last <= b_last {
                self.a.advance();
            }
            if b_last <= a_last {
                self.b.advance();
            }
            return Some((first, last));
        }
    }

    fn next_of_difference(&mut self) -> Option<(u64, u64)> {
        loop {
            let (first, last) = self.a.run?;
            self.b.advance_to(first);
            match self.b.run {
                Some((start, end)) if start <= last => {
                    // What is behind the other's run is left for later.
                    self.a.run = Some((end.saturating_add(1), last)).filter(|_| end < last);
                    if self.a.run.is_none() {
                        self.a.advance();
                    }
                    if let Some(before) = start.checked_sub(1).filter(|before| *before >= first) {
                        return Some((first, before));
                    }
                }
                _ => {
                    self.a.advance();
                    return Some((first, last));
                }
            }
        }
    }
}

/// Iterates over the positions of a [`SetOperation`], ascending.
#[derive(Clone, Debug)]
pub struct OperationPositions<'a> {
    runs: Runs<'a>,
    /// What is left of a run: nothing if `next` is above `last`.
    next: u64,
    last: u64,
}

impl Iterator for OperationPositions<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.next > self.last {
            (self.next, self.last) = self.runs.next()?;
        }
        let position = self.next;
        match position.checked_add(1) {
            Some(next) => self.next = next,
            // The highest position of all: nothing follows it.
            None => (self.next, self.last) = (1, 0),
        }
        Some(position)
    }
}

/// Iterates over the ranges of a [`SetOperation`], ascending.
#[derive(Clone, Debug)]
pub struct OperationRanges<'a> {
    runs: Runs<'a>,
}

impl Iterator for OperationRanges<'_> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        let (first, last) = self.runs.next()?;
        let range = first..last.saturating_add(1);
        (!range.is_empty()).then_some(range)
    }
}
