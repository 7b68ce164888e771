//! Iteration over unions, intersections and differences, run by run.

use core::ops::Range;

use crate::roaring::lows::Lows;
use crate::roaring::{Bitmap64, Container, Containers64};

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

/// The runs of one container, of which the next has been taken out.
#[derive(Clone, Debug)]
struct Side<'a> {
    lows: Lows<'a>,
    /// First and last value.
    run: Option<(u32, u32)>,
}

impl<'a> Side<'a> {
    fn new(container: &Container<'a>) -> Self {
        let mut side = Self { lows: Lows::new(container), run: None };
        side.advance();
        side
    }

    fn advance(&mut self) {
        self.run = self.lows.next_run().map(|(first, last)| (u32::from(first), u32::from(last)));
    }

    /// Moves to the first run that does not end before `low`.
    fn advance_to(&mut self, low: u32) {
        while self.run.is_some_and(|(_, last)| last < low) {
            self.advance();
        }
    }
}

/// The runs of an operation on two containers with the same key.
#[derive(Clone, Debug)]
struct ContainerRuns<'a> {
    kind: Operation,
    a: Side<'a>,
    b: Side<'a>,
}

impl ContainerRuns<'_> {
    /// Returns first and last value of the next run.
    fn next(&mut self) -> Option<(u32, u32)> {
        match self.kind {
            Operation::Union => self.next_of_union(),
            Operation::Intersection => self.next_of_intersection(),
            Operation::Difference => self.next_of_difference(),
        }
    }

    fn next_of_union(&mut self) -> Option<(u32, u32)> {
        let mut run: Option<(u32, u32)> = None;
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

    fn next_of_intersection(&mut self) -> Option<(u32, u32)> {
        loop {
            let ((a_first, a_last), (b_first, b_last)) = (self.a.run?, self.b.run?);
            let (first, last) = (a_first.max(b_first), a_last.min(b_last));
            if a_last <= b_last {
                self.a.advance();
            }
            if b_last <= a_last {
                self.b.advance();
            }
            if first <= last {
                return Some((first, last));
            }
        }
    }

    fn next_of_difference(&mut self) -> Option<(u32, u32)> {
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

/// The runs of an operation, container after container.
#[derive(Clone, Debug)]
struct Runs<'a> {
    kind: Operation,
    a: Containers64<'a>,
    b: Containers64<'a>,
    /// First position of the container that `here` is about.
    base: u64,
    here: Option<ContainerRuns<'a>>,
    /// The run that has been taken out last, and may go on in the next container.
    open: Option<(u64, u64)>,
}

impl<'a> Runs<'a> {
    fn new(operation: &SetOperation<'a>) -> Self {
        let (a, b) = (Containers64::new(&operation.a), Containers64::new(&operation.b));
        Self { kind: operation.kind, a, b, base: 0, here: None, open: None }
    }

    /// Returns first and last position of the next run.
    fn next(&mut self) -> Option<(u64, u64)> {
        loop {
            match (self.next_piece(), self.open) {
                (Some((first, last)), Some((start, end))) if end.checked_add(1) == Some(first) => {
                    self.open = Some((start, last));
                }
                (next, None) => self.open = Some(next?),
                (next, Some(run)) => {
                    self.open = next;
                    return Some(run);
                }
            }
        }
    }

    /// Returns first and last position of the next run, which ends where its container does.
    fn next_piece(&mut self) -> Option<(u64, u64)> {
        loop {
            if let Some((first, last)) = self.here.as_mut().and_then(ContainerRuns::next) {
                return Some((self.base | u64::from(first), self.base | u64::from(last)));
            }
            self.load()?;
        }
    }

    /// Moves to the next containers that may have a run. `None` at the end.
    fn load(&mut self) -> Option<()> {
        loop {
            let (x, y) = (self.a.key(), self.b.key());
            let key = match (x, y) {
                (Some(x), Some(y)) => x.min(y),
                (x, y) => x.or(y)?,
            };
            // What only one set has is passed unless it is wanted.
            let unwanted = match self.kind {
                Operation::Union => false,
                Operation::Intersection => x != y,
                Operation::Difference => x != Some(key),
            };
            if unwanted {
                match (x, y) {
                    (Some(x), Some(y)) if x < y => self.a.advance_to(y),
                    (Some(x), Some(_)) => self.b.advance_to(x),
                    _ => return None,
                }
                continue;
            }
            let at = |place: &mut Containers64<'a>| {
                (place.key() == Some(key)).then(|| {
                    let container = place.container();
                    place.advance();
                    container
                })
            };
            let (a, b) = (at(&mut self.a).unwrap_or(Container::EMPTY), at(&mut self.b).unwrap_or(Container::EMPTY));
            // Of two snapshots most containers are the same.
            let kind = match self.kind {
                Operation::Difference if a.same_bytes(&b) => continue,
                kind => kind,
            };
            self.base = key << 16;
            self.here = Some(ContainerRuns { kind, a: Side::new(&a), b: Side::new(&b) });
            return Some(());
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
