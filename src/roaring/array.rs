//! The array container: up to 4,096 values, each a `u16`, strictly ascending.
//!
//! ```text
//! +--------+--------+-----+
//! | u16 LE | u16 LE | …   |   as many as the descriptive header says
//! +--------+--------+-----+
//! ```

use core::hint;

use zerocopy::little_endian::U16;

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::shape::count_runs;
use crate::wide::wide;

/// Values that one probe of [`ArrayContainer::contains`] looks at, at least.
const WINDOW: usize = 64;

/// Values that [`search`] compares at once.
const BLOCK: usize = 32;

/// A view of an array container.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArrayContainer<'a> {
    values: &'a [U16],
}

impl<'a> ArrayContainer<'a> {
    pub(crate) const fn new(values: &'a [U16]) -> Self {
        Self { values }
    }

    /// Checks that values ascend strictly. `offset` is where the container starts, for the error.
    pub(crate) fn validate(self, offset: usize) -> Result<()> {
        if wide(
            size_of_val(self.values),
            #[inline(always)]
            || ascends(self.values),
        ) {
            return Ok(());
        }
        let later = self.values.get(1..).unwrap_or_default();
        let at = self.values.iter().zip(later).position(|(a, b)| a.get() >= b.get()).unwrap_or(0).saturating_add(1);
        let found = self.values.get(at).map_or(0, |value| u64::from(value.get()));
        Err(Error::new(ErrorKind::ArrayOrder, offset.saturating_add(at.saturating_mul(2)), found))
    }

    /// Returns the values, ascending.
    #[must_use]
    pub const fn values(self) -> &'a [U16] {
        self.values
    }

    /// Returns how many values there are.
    #[must_use]
    pub const fn cardinality(self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "an array holds at most 65,536 values")]
        {
            self.values.len() as u32
        }
    }

    /// Counts the runs of consecutive values.
    pub(crate) fn run_count(self) -> u32 {
        count_runs(self.values, u32::MAX, |a, b| b.get() != a.get().wrapping_add(1))
    }

    /// Tells whether `low` is in the container. Takes O(log cardinality), and O(1) where values are spread evenly.
    #[must_use]
    pub fn contains(self, low: u16) -> bool {
        // If the values were spread evenly, `low` would be here; a window around it that holds `low` between its ends
        // proves that nothing else needs to be looked at.
        let guess = usize::from(low).wrapping_mul(self.values.len()) >> 16;
        if self.values.len() > 16 * WINDOW {
            if let Some(window) = self.window::<{ 2 * WINDOW }>(guess, low) {
                let upper = window.get(WINDOW).is_some_and(|middle| middle.get() <= low);
                let half =
                    window.get(hint::select_unpredictable(upper, WINDOW, 0)..).and_then(|half| half.first_chunk());
                return half.is_some_and(|half: &[U16; WINDOW]| holds(half, low));
            }
        } else if self.values.len() > 2 * WINDOW
            && let Some(window) = self.window::<WINDOW>(guess, low)
        {
            return holds(window, low);
        }
        search(self.values, low)
    }

    /// Answers [`contains`](Self::contains) for each of `probes`.
    pub(crate) fn contains_each<'o>(self, probes: impl Iterator<Item = (u16, &'o mut bool)>) {
        if self.values.len() <= 2 * WINDOW {
            probes.for_each(|(low, answer)| *answer = search(self.values, low));
        } else {
            probes.for_each(|(low, answer)| *answer = self.contains(low));
        }
    }

    /// Returns the `N` values around index `guess`, if `low` is between the first and the last of them.
    #[inline]
    fn window<const N: usize>(self, guess: usize, low: u16) -> Option<&'a [U16; N]> {
        let start = guess.saturating_sub(N / 2).min(self.values.len().saturating_sub(N));
        let window: &[U16; N] = self.values.get(start..)?.first_chunk()?;
        let (first, last) = (window.first()?, window.last()?);
        ((first.get() <= low) & (low <= last.get())).then_some(window)
    }

    /// Returns the smallest value.
    #[must_use]
    pub fn min(self) -> Option<u16> {
        self.values.first().map(|value| value.get())
    }

    /// Returns the largest value.
    #[must_use]
    pub fn max(self) -> Option<u16> {
        self.values.last().map(|value| value.get())
    }

    /// Counts the values that are at most `low`. Takes O(log cardinality).
    #[must_use]
    pub fn rank(self, low: u16) -> u32 {
        Self::new(self.values.get(..self.lower_than(u32::from(low) + 1)).unwrap_or_default()).cardinality()
    }

    /// Returns the value with `n` smaller ones before it. Takes O(1).
    #[must_use]
    pub fn select(self, n: u32) -> Option<u16> {
        self.values.get(usize::try_from(n).ok()?).map(|value| value.get())
    }

    /// Counts the values from `first` to `last`, both included. Takes O(log cardinality).
    #[must_use]
    pub fn count(self, first: u16, last: u16) -> u32 {
        let (start, end) = (self.lower_than(u32::from(first)), self.lower_than(u32::from(last) + 1));
        Self::new(self.values.get(start..end).unwrap_or_default()).cardinality()
    }

    /// Tells whether every value from `first` to `last`, both included, is in the container.
    #[must_use]
    pub fn contains_range(self, first: u16, last: u16) -> bool {
        let Some(span) = last.checked_sub(first) else { return true };
        let start = self.lower_than(u32::from(first));
        let at = |index: usize| self.values.get(index).map(|value| value.get());
        at(start) == Some(first) && at(start.saturating_add(usize::from(span))) == Some(last)
    }

    /// Returns how many values are below `bound`, which may be 65,536.
    fn lower_than(self, bound: u32) -> usize {
        self.values.partition_point(|value| u32::from(value.get()) < bound)
    }
}

/// Tells whether values ascend strictly.
///
/// No early exit: the compiler turns this loop into vector compares.
#[inline(always)]
fn ascends(values: &[U16]) -> bool {
    let mut disordered = false;
    for (value, next) in values.iter().zip(values.get(1..).unwrap_or_default()) {
        disordered |= value.get() >= next.get();
    }
    !disordered
}

/// Tells whether `low` is among `values`.
#[inline]
fn search(values: &[U16], low: u16) -> bool {
    match block_of(values, low) {
        Some(block) => holds(block, low),
        None => values.iter().fold(false, |hit, value| hit | (value.get() == low)),
    }
}

/// Returns the block of `values` that holds `low` if they do, found by halving without a branch; `None` if they are
/// fewer than a block.
#[inline]
fn block_of(values: &[U16], low: u16) -> Option<&[U16; BLOCK]> {
    let last = values.len().checked_sub(BLOCK)?;
    let (mut start, mut count) = (0_usize, values.len());
    while count > BLOCK {
        let half = count / 2;
        let middle = start.wrapping_add(half);
        let value = values.get(middle).map_or(u16::MAX, |value| value.get());
        start = hint::select_unpredictable(value <= low, middle, start);
        count = count.wrapping_sub(half);
    }
    values.get(start.min(last)..).and_then(|rest| rest.first_chunk())
}

/// Compares a whole block, in a form that the compiler turns into vector compares.
#[inline]
fn holds<const N: usize>(block: &[U16; N], low: u16) -> bool {
    let mut hits = [0_u16; 8];
    for eight in block.as_chunks::<8>().0 {
        for (hit, value) in hits.iter_mut().zip(eight) {
            *hit |= if value.get() == low { u16::MAX } else { 0 };
        }
    }
    hits.iter().fold(0, |all, hit| all | hit) != 0
}
