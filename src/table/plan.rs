//! Which bytes to fetch.

use core::ops::Range;

use crate::error::{Error, ErrorKind, Result};
use crate::table::ManifestEntry;
use crate::table::sort::sort;

/// Sorts `ranges` and merges those that overlap, touch, or lie at most `max_gap` bytes apart.
///
/// Returns how many are left, at the front of the slice, ascending. Empty and reversed ranges are dropped. Works in
/// place, in O(n log n).
///
/// # Examples
///
/// ```
/// use puffin_codec::table::coalesce;
///
/// let mut ranges = [900..950, 4..50, 60..100, 50..60];
/// let left = coalesce(&mut ranges, 16);
/// assert_eq!(ranges[..left], [4..100, 900..950]);
/// ```
pub fn coalesce(ranges: &mut [Range<u64>], max_gap: u64) -> usize {
    sort(ranges, |a, b| (a.start, a.end) < (b.start, b.end));
    let (mut left, mut open) = (0_usize, None::<Range<u64>>);
    for index in 0..ranges.len() {
        let Some(range) = ranges.get(index).filter(|range| !range.is_empty()).cloned() else { continue };
        match &mut open {
            Some(open) if range.start <= open.end.saturating_add(max_gap) => open.end = open.end.max(range.end),
            _ => left = flush(ranges, left, open.replace(range)),
        }
    }
    flush(ranges, left, open)
}

/// Puts a finished range after the first `left`, where its place has been read already.
fn flush(ranges: &mut [Range<u64>], left: usize, finished: Option<Range<u64>>) -> usize {
    match (finished, ranges.get_mut(left)) {
        (Some(finished), Some(slot)) => {
            *slot = finished;
            left.saturating_add(1)
        }
        _ => left,
    }
}

/// Fills `out` with the byte ranges to fetch for the vectors of `entries`, all in one file.
///
/// Neighbours at most `max_gap` bytes apart share a range: one request for a few wasted bytes. Returns how many ranges
/// there are. Afterwards each vector is read by [`read_entry`](crate::table::read_entry) from the range that holds it.
///
/// # Errors
///
/// [`ErrorKind::BufferTooSmall`] if `out` is shorter than `entries` (nothing is written), and
/// [`ErrorKind::RangeOutOfBounds`] with the offending number.
///
/// # Examples
///
/// ```
/// use puffin_codec::table::{ManifestEntry, fetch_ranges};
///
/// let entry = |content_offset, content_size_in_bytes| ManifestEntry {
///     content_offset,
///     content_size_in_bytes,
///     record_count: 3,
///     referenced_data_file: "a.parquet",
/// };
/// let mut out = [0..0, 0..0, 0..0];
/// let count = fetch_ranges(&[entry(5000, 40), entry(4, 46), entry(90, 40)], 64, &mut out)?;
/// assert_eq!(out[..count], [4..130, 5000..5040]);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn fetch_ranges(entries: &[ManifestEntry<'_>], max_gap: u64, out: &mut [Range<u64>]) -> Result<usize> {
    let Some(out) = out.get_mut(..entries.len()) else {
        return Err(Error::new(ErrorKind::BufferTooSmall, 0, entries.len() as u64));
    };
    for entry in entries {
        entry.range()?;
    }
    for (slot, entry) in out.iter_mut().zip(entries) {
        *slot = entry.range()?;
    }
    Ok(coalesce(out, max_gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_by_gap_and_drops_what_is_empty() {
        let reversed = Range { start: 20, end: 19 };
        let mut ranges = [7..7, 0..4, 10..20, 5..8, reversed, 12..13];
        let left = coalesce(&mut ranges, 0);
        assert_eq!(ranges[..left], [0..4, 5..8, 10..20]);
        let left = coalesce(&mut ranges[..left], 1);
        assert_eq!(ranges[..left], [0..8, 10..20]);
        assert_eq!((coalesce(&mut ranges[..left], u64::MAX), ranges[0].clone()), (1, 0..20));
        assert_eq!(coalesce(&mut [], 9), 0);
        let mut ranges = [u64::MAX - 1..u64::MAX, 3..u64::MAX];
        assert_eq!((coalesce(&mut ranges, u64::MAX), ranges[0].clone()), (1, 3..u64::MAX));
    }

    #[test]
    fn refuses_what_no_file_has() {
        let entry = |content_offset, content_size_in_bytes| ManifestEntry {
            content_offset,
            content_size_in_bytes,
            record_count: 0,
            referenced_data_file: "",
        };
        let mut out = [1..2, 3..4];
        let fault = |entries: &[ManifestEntry<'_>], out: &mut [Range<u64>]| {
            let error = fetch_ranges(entries, 0, out).unwrap_err();
            (error.kind(), error.found())
        };
        assert_eq!(fault(&[entry(4, 1), entry(-1, 1)], &mut out), (ErrorKind::RangeOutOfBounds, u64::MAX));
        assert_eq!(fault(&[entry(4, -2)], &mut out), (ErrorKind::RangeOutOfBounds, u64::MAX - 1));
        assert_eq!(fault(&[entry(i64::MAX, 1)], &mut out), (ErrorKind::RangeOutOfBounds, 1));
        assert_eq!(fault(&[entry(4, 1); 3], &mut out), (ErrorKind::BufferTooSmall, 3));
        assert_eq!(out, [1..2, 3..4]);
    }
}
