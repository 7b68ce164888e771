//! The run container: runs of consecutive values.
//!
//! ```text
//! +------------+-----------+---------------+-----+
//! | u16 LE n   | u16 start | u16 length-1  | …   |   n pairs, ascending, not overlapping
//! +------------+-----------+---------------+-----+
//! ```

use zerocopy::little_endian::U16;

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::low16;
use crate::wide::wide;

/// A view of a run container.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunContainer<'a> {
    runs: &'a [[U16; 2]],
    cardinality: u32,
}

/// First and last value of a stored run; a run that would pass 65,535 (trusted bytes only) ends there.
pub(crate) fn bounds(run: &[U16; 2]) -> (u16, u16) {
    let [start, length] = run;
    (start.get(), start.get().saturating_add(length.get()))
}

/// Tells whether `low` is in one of `runs`, by their bounds alone.
pub(crate) fn holds(runs: &[[U16; 2]], low: u16) -> bool {
    // The last run that starts at or below `low`, if there is one.
    let before = runs.partition_point(|[start, _]| start.get() <= low).checked_sub(1);
    before.and_then(|index| runs.get(index)).is_some_and(|run| low <= bounds(run).1)
}

impl<'a> RunContainer<'a> {
    pub(crate) const fn new(runs: &'a [[U16; 2]], cardinality: u32) -> Self {
        Self { runs, cardinality }
    }

    /// Checks order, overflow and the declared cardinality. `offset` is where the container starts and `descriptor`
    /// where the header declares its cardinality, for the error.
    pub(crate) fn validate(self, offset: usize, descriptor: usize) -> Result<()> {
        if self.runs.is_empty() {
            return Err(Error::new(ErrorKind::NoRuns, offset, 0));
        }
        let (sound, total) = wide(
            size_of_val(self.runs),
            #[inline(always)]
            || self.check(),
        );
        if !sound {
            return Err(self.first_fault(offset));
        }
        if total != self.cardinality {
            return Err(Error::new(ErrorKind::CardinalityMismatch, descriptor, u64::from(self.cardinality)));
        }
        Ok(())
    }

    /// Tells whether runs are in order and in bounds, and counts their values.
    ///
    /// Each run is compared with the next one, so that the compiler can take several at once.
    #[inline(always)]
    fn check(self) -> (bool, u32) {
        let Some((last, runs)) = self.runs.split_last() else { return (true, 0) };
        let later = self.runs.get(1..).unwrap_or_default();
        let end = |[start, length]: &[U16; 2]| u32::from(start.get()) + u32::from(length.get());
        // A run may start right where the one before it ends (adjacent runs).
        let (mut bad, mut total) = (end(last) >> 16, u32::from(last[1].get()));
        for (run, next) in runs.iter().zip(later) {
            bad |= end(run) >> 16 | u32::from(u32::from(next[0].get()) <= end(run));
            // At most 65,535 runs of at most 65,535 each.
            total = total.wrapping_add(u32::from(run[1].get()));
        }
        (bad == 0, total.wrapping_add(self.run_count()))
    }

    /// Finds the first run that is out of place.
    #[cold]
    fn first_fault(self, offset: usize) -> Error {
        let mut next = 0_u32;
        for (index, [start, length]) in self.runs.iter().enumerate() {
            let at = offset.saturating_add(2).saturating_add(index.saturating_mul(4));
            let (start, length) = (u32::from(start.get()), u32::from(length.get()));
            if start < next {
                return Error::new(ErrorKind::RunOrder, at, u64::from(start));
            }
            if start + length > 0xFFFF {
                return Error::new(ErrorKind::RunOverflow, at, u64::from(start + length));
            }
            next = start + length + 1;
        }
        Error::new(ErrorKind::Internal, offset, 0)
    }

    /// Returns the runs as stored: (start, length - 1).
    #[must_use]
    pub const fn runs(self) -> &'a [[U16; 2]] {
        self.runs
    }

    /// Returns how many values there are, as the header declares and a full parse has checked.
    #[must_use]
    pub const fn cardinality(self) -> u32 {
        self.cardinality
    }

    /// Counts the stored runs.
    pub(crate) const fn run_count(self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the count is a u16 on the wire")]
        {
            self.runs.len() as u32
        }
    }

    /// Tells whether `low` is in the container. Takes O(log runs).
    #[must_use]
    pub fn contains(self, low: u16) -> bool {
        holds(self.runs, low)
    }

    /// Returns the smallest value.
    #[must_use]
    pub fn min(self) -> Option<u16> {
        self.runs.first().map(|run| bounds(run).0)
    }

    /// Returns the largest value.
    #[must_use]
    pub fn max(self) -> Option<u16> {
        self.runs.last().map(|run| bounds(run).1)
    }

    /// Counts the values that are at most `low`. Takes O(runs).
    #[must_use]
    pub fn rank(self, low: u16) -> u32 {
        self.count(0, low)
    }

    /// Returns the value with `n` smaller ones before it. Takes O(runs).
    #[must_use]
    pub fn select(self, n: u32) -> Option<u16> {
        let mut before = n;
        for run in self.runs {
            let (first, last) = bounds(run);
            let span = u32::from(last - first);
            if before <= span {
                return Some(first.saturating_add(low16(before)));
            }
            before -= span + 1;
        }
        None
    }

    /// Counts the values from `first` to `last`, both included. Takes O(runs).
    #[must_use]
    pub fn count(self, first: u16, last: u16) -> u32 {
        if first > last {
            return 0;
        }
        let mut total = 0_u32;
        for run in self.reaching(first) {
            let (start, end) = bounds(run);
            if start > last {
                break;
            }
            total = total.saturating_add(u32::from(end.min(last).saturating_sub(start.max(first))) + 1);
        }
        total
    }

    /// Tells whether every value from `first` to `last`, both included, is in the container. Takes O(log runs), and
    /// one step for each run that starts right where the one before it ends.
    #[must_use]
    pub fn contains_range(self, first: u16, last: u16) -> bool {
        if first > last {
            return true;
        }
        let mut wanted = first;
        for run in self.reaching(first) {
            let (start, end) = bounds(run);
            if start > wanted {
                return false;
            }
            if end >= last {
                return true;
            }
            wanted = end.saturating_add(1);
        }
        false
    }

    /// Returns the runs whose last value is at least `low`.
    pub(crate) fn reaching(self, low: u16) -> &'a [[U16; 2]] {
        let start = self.runs.partition_point(|run| bounds(run).1 < low);
        self.runs.get(start..).unwrap_or_default()
    }
}
