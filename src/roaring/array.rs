//! The array container: up to 4,096 values, each a `u16`, strictly ascending.
//!
//! ```text
//! +--------+--------+-----+
//! | u16 LE | u16 LE | …   |   as many as the descriptive header says
//! +--------+--------+-----+
//! ```

use zerocopy::little_endian::U16;

use crate::error::{Error, ErrorKind, Result};

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
        let later = self.values.get(1..).unwrap_or_default();
        // No early exit: the compiler turns this loop into vector compares.
        let disordered = self.values.iter().zip(later).fold(false, |bad, (a, b)| bad | (a.get() >= b.get()));
        if !disordered {
            return Ok(());
        }
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
        let later = self.values.get(1..).unwrap_or_default();
        let breaks = self.values.iter().zip(later).filter(|(a, b)| u32::from(a.get()) + 1 != u32::from(b.get()));
        u32::try_from(breaks.count()).unwrap_or(u32::MAX).saturating_add(u32::from(!self.values.is_empty()))
    }

    /// Tells whether `low` is in the container. Takes O(log cardinality).
    #[must_use]
    pub fn contains(self, low: u16) -> bool {
        self.values.binary_search_by(|value| value.get().cmp(&low)).is_ok()
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
