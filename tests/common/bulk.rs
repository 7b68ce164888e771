//! Every bulk question of a window, and batches over a whole vector, against ascending positions.

use std::ops::Range;

use puffin_codec::ErrorKind;
use puffin_codec::roaring::Bitmap64;
use puffin_codec::scan::Cursor;

/// What lies behind an output and must stay.
const GUARD: u64 = 0xA5A5_5A5A_1234_5678;

/// The deleted positions of a window, by the list.
fn deleted(positions: &[u64], first: u64, rows: usize) -> &[u64] {
    let start = positions.partition_point(|&position| position < first);
    let in_window = |position: &&u64| **position - first < rows as u64;
    let len = positions[start..].iter().take_while(in_window).count();
    &positions[start..start + len]
}

/// Asks everything of one window, through a cursor that may come from anywhere.
pub(crate) fn check_window(cursor: &mut Cursor<'_>, positions: &[u64], first: u64, rows: usize) {
    let deleted = deleted(positions, first, rows);
    let words = rows.div_ceil(64);
    let mut expected = vec![0_u64; words];
    for position in deleted {
        let bit = usize::try_from(position - first).unwrap();
        expected[bit / 64] |= 1 << (bit % 64);
    }
    let live = |index: usize| {
        let inside = if rows - index * 64 >= 64 { u64::MAX } else { (1 << (rows % 64)) - 1 };
        !expected[index] & inside
    };
    let live: Vec<u64> = (0..words).map(live).collect();

    let mut out = vec![GUARD; words + 1];
    cursor.fill_deleted_mask(first, rows, &mut out).unwrap();
    assert_eq!(out[..words], expected, "deleted mask of {rows} rows from {first}");
    cursor.fill_live_mask(first, rows, &mut out).unwrap();
    assert_eq!(out[..words], live, "live mask of {rows} rows from {first}");
    assert_eq!(out[words], GUARD);

    let as_bytes = |words: &[u64]| -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).take(rows.div_ceil(8)).collect()
    };
    for odd in [0, 1, 3] {
        let mut bytes = vec![0xEE_u8; odd + rows.div_ceil(8) + 1];
        cursor.fill_deleted_mask_bytes(first, rows, &mut bytes[odd..]).unwrap();
        assert_eq!(bytes[odd..bytes.len() - 1], as_bytes(&expected));
        cursor.fill_live_mask_bytes(first, rows, &mut bytes[odd..]).unwrap();
        assert_eq!(bytes[odd..bytes.len() - 1], as_bytes(&live));
        assert_eq!((bytes.last(), bytes[..odd].iter().all(|&byte| byte == 0xEE)), (Some(&0xEE), true));
    }

    let offset = |position: u64| u32::try_from(position - first).unwrap();
    let dead: Vec<u32> = deleted.iter().map(|&position| offset(position)).collect();
    let alive: Vec<u32> = (0..u32::try_from(rows).unwrap()).filter(|row| dead.binary_search(row).is_err()).collect();
    for (expected, deleted) in [(&dead, true), (&alive, false)] {
        for len in [expected.len(), rows, rows + 9] {
            let mut out = vec![7_u32; len];
            let count = if deleted {
                cursor.fill_deleted_offsets(first, rows, &mut out).unwrap()
            } else {
                cursor.fill_live_offsets(first, rows, &mut out).unwrap()
            };
            assert_eq!(out[..count], expected[..], "offsets of {rows} rows from {first}, deleted {deleted}");
        }
        if let Some(short) = expected.len().checked_sub(1) {
            let mut out = vec![7_u32; short];
            let fill = if deleted { Cursor::fill_deleted_offsets } else { Cursor::fill_live_offsets };
            let error = fill(cursor, first, rows, &mut out).unwrap_err();
            assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, expected.len() as u64));
            assert!(out.iter().all(|&row| row == 7));
        }
    }
}

/// Joins ascending positions to ranges.
fn ranges(positions: &[u64]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for &position in positions {
        match ranges.last_mut().filter(|range| range.end == position) {
            Some(range) => range.end += 1,
            None => ranges.push(position..position + 1),
        }
    }
    ranges
}

/// Asks of a window what needs no cursor: ranges, counts, positions, probes.
pub(crate) fn check_ranges(bitmap: &Bitmap64<'_>, positions: &[u64], window: Range<u64>) {
    let rows = usize::try_from(window.end - window.start).unwrap();
    let inside = deleted(positions, window.start, rows);
    let deleted = ranges(inside);
    assert_eq!(bitmap.deleted_ranges(window.clone()).collect::<Vec<_>>(), deleted, "{window:?}");
    assert_eq!(bitmap.intersects(window.clone()), !deleted.is_empty(), "{window:?}");
    assert_eq!(bitmap.count(window.clone()), inside.len() as u64, "{window:?}");
    let mut live = Vec::new();
    let mut next = window.start;
    for range in &deleted {
        live.extend(Some(next..range.start).filter(|range| !range.is_empty()));
        next = range.end;
    }
    live.extend(Some(next..window.end).filter(|range| !range.is_empty()));
    assert_eq!(bitmap.live_ranges(window.clone()).collect::<Vec<_>>(), live, "{window:?}");

    let mut filled = vec![GUARD; inside.len()];
    assert_eq!(bitmap.iter_from(window.start).fill(&mut filled), inside.len(), "{window:?}");
    assert_eq!(filled, inside, "{window:?}");
    let edges = deleted.iter().flat_map(|range| [range.start.wrapping_sub(1), range.start, range.end - 1, range.end]);
    let probes: Vec<u64> = edges.filter(|probe| window.contains(probe)).collect();
    let mut answers = vec![false; probes.len()];
    bitmap.contains_many(&probes, &mut answers).unwrap();
    let expected: Vec<bool> = probes.iter().map(|probe| inside.binary_search(probe).is_ok()).collect();
    assert_eq!(answers, expected, "{window:?}");
}

/// Reads every position out of the masks that one cursor makes of batches of `rows`, front to back. Of a gap no more
/// than the first batches are asked.
pub(crate) fn check_batches(bitmap: &Bitmap64<'_>, positions: &mut dyn Iterator<Item = u64>, rows: usize) {
    const MOST_IDLE: u32 = 8;
    let mut cursor = bitmap.cursor();
    let mut mask = vec![0; rows.div_ceil(64)];
    let mut next = positions.next();
    let mut first = next.unwrap_or(0).saturating_sub(3 * rows as u64);
    let mut idle = 0;
    while let Some(wanted) = next {
        if idle > MOST_IDLE {
            first = first.max(wanted - wanted % 7);
        }
        let last = first.saturating_add(rows as u64 - 1);
        let len = usize::try_from(last - first).unwrap() + 1;
        cursor.fill_deleted_mask(first, len, &mut mask).unwrap();
        idle += 1;
        for (index, &word) in mask[..len.div_ceil(64)].iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let position = first + index as u64 * 64 + u64::from(bits.trailing_zeros());
                assert_eq!(Some(position), next, "mask of {len} rows from {first}");
                next = positions.next();
                bits &= bits - 1;
                idle = 0;
            }
        }
        assert!(next.is_none_or(|next| next > last), "mask of {len} rows from {first} has no {next:?}");
        first = last.saturating_add(1);
    }
}
