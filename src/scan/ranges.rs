//! Ranges of deleted rows and of live rows.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::roaring::{Bitmap64, Positions64};

impl<'a> Bitmap64<'a> {
    /// Returns the deleted rows of `rows` as ranges: ascending, never empty, and never touching one another.
    ///
    /// Takes the time of [`iter_from`](Self::iter_from) to start, then O(1) for each run of an array or run container
    /// and O(words) for a bitset.
    ///
    /// # Examples
    ///
    /// ```
    /// # use puffin_codec::roaring::Bitmap64;
    /// // One bucket, key 0; run cookie for one container, flag 1; one run: 5 to 14.
    /// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 5, 0, 9, 0];
    /// let bitmap = Bitmap64::parse(&bytes)?;
    /// assert_eq!(bitmap.deleted_ranges(0..12).collect::<Vec<_>>(), [5..12]);
    /// assert_eq!(bitmap.live_ranges(0..20).collect::<Vec<_>>(), [0..5, 15..20]);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    #[must_use]
    pub fn deleted_ranges(&self, rows: Range<u64>) -> DeletedRanges<'a> {
        let positions = if rows.is_empty() { Self::empty().iter() } else { self.iter_from(rows.start) };
        DeletedRanges { positions, end: rows.end }
    }

    /// Returns the live rows of `rows` as ranges: ascending, never empty, and never touching one another. It is what a
    /// Parquet row selection wants.
    ///
    /// Takes the time of [`deleted_ranges`](Self::deleted_ranges).
    #[must_use]
    pub fn live_ranges(&self, rows: Range<u64>) -> LiveRanges<'a> {
        LiveRanges { next: rows.start, end: rows.end, deleted: self.deleted_ranges(rows) }
    }

    /// Tells whether a row of `rows` is deleted: if not, the whole row group or page needs no mask.
    ///
    /// Takes the time of [`iter_from`](Self::iter_from), whatever the length of `rows`. Whether all are deleted tells
    /// [`contains_range`](Self::contains_range); how many, [`count`](Self::count).
    #[must_use]
    pub fn intersects(&self, rows: Range<u64>) -> bool {
        !rows.is_empty() && self.iter_from(rows.start).next().is_some_and(|position| position < rows.end)
    }
}

/// Ranges of deleted rows. Made by [`Bitmap64::deleted_ranges`].
#[derive(Clone, Debug)]
pub struct DeletedRanges<'a> {
    positions: Positions64<'a>,
    end: u64,
}

impl Iterator for DeletedRanges<'_> {
    type Item = Range<u64>;

    #[inline]
    fn next(&mut self) -> Option<Range<u64>> {
        let Some((first, last)) = self.positions.next_run(self.end).filter(|&(first, _)| first < self.end) else {
            // For good: nothing starts before row 0.
            self.end = 0;
            return None;
        };
        Some(first..last.saturating_add(1).min(self.end))
    }
}

impl FusedIterator for DeletedRanges<'_> {}

/// Ranges of live rows. Made by [`Bitmap64::live_ranges`].
#[derive(Clone, Debug)]
pub struct LiveRanges<'a> {
    deleted: DeletedRanges<'a>,
    /// First row after those handed out and the deleted ones behind them.
    next: u64,
    end: u64,
}

impl Iterator for LiveRanges<'_> {
    type Item = Range<u64>;

    #[inline]
    fn next(&mut self) -> Option<Range<u64>> {
        while self.next < self.end {
            let start = self.next;
            let gone = self.deleted.next().unwrap_or(self.end..self.end);
            self.next = gone.end.max(start);
            if start < gone.start {
                return Some(start..gone.start);
            }
        }
        None
    }
}

impl FusedIterator for LiveRanges<'_> {}
