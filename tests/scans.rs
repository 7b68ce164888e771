//! Every bulk question against a sorted list of positions: vectors of every shape × windows × output lengths.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    #[allow(dead_code, reason = "these tests change no built field")]
    pub(crate) mod builder;
    pub(crate) mod generate;
}

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::Index;
use puffin_codec::ErrorKind;
use puffin_codec::roaring::Bitmap64;
use puffin_codec::scan::Cursor;

use common::generate::any_bitmap64;

/// What lies behind an output and must stay.
const GUARD: u64 = 0xA5A5_5A5A_1234_5678;

/// The deleted positions of a window, by the list.
fn deleted(positions: &[u64], first: u64, rows: usize) -> &[u64] {
    let start = positions.partition_point(|&position| position < first);
    let in_window = |position: &&u64| **position - first < rows as u64;
    let len = positions[start..].iter().take_while(in_window).count();
    &positions[start..start + len]
}

/// A window that starts at, or near, a position of the list or an edge of the format.
fn window(positions: &[u64], pick: Index, shift: i64, rows: usize) -> (u64, usize) {
    let edges = [0, 1 << 16, 1 << 31, 1 << 32, (1 << 32) - 100, u64::MAX >> 1, u64::MAX - 70_000];
    let at = pick.index(positions.len() + edges.len());
    let anchor = positions.get(at).copied().unwrap_or_else(|| edges[at - positions.len()]);
    let first = anchor.saturating_add_signed(shift);
    let room = usize::try_from(u64::MAX - first).unwrap_or(usize::MAX);
    (first, rows.min(room))
}

/// Asks everything of one window, through a cursor that may come from anywhere.
fn check_window(cursor: &mut Cursor<'_>, positions: &[u64], first: u64, rows: usize) {
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

fn check_ranges(bitmap: &Bitmap64<'_>, positions: &[u64], window: Range<u64>) {
    let rows = usize::try_from(window.end - window.start).unwrap();
    let deleted = ranges(deleted(positions, window.start, rows));
    assert_eq!(bitmap.deleted_ranges(window.clone()).collect::<Vec<_>>(), deleted, "{window:?}");
    assert_eq!(bitmap.intersects(window.clone()), !deleted.is_empty());
    let mut live = Vec::new();
    let mut next = window.start;
    for range in &deleted {
        live.extend(Some(next..range.start).filter(|range| !range.is_empty()));
        next = range.end;
    }
    live.extend(Some(next..window.end).filter(|range| !range.is_empty()));
    assert_eq!(bitmap.live_ranges(window.clone()).collect::<Vec<_>>(), live, "{window:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_global_rejects: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_anywhere(
        (built, positions) in any_bitmap64(u32::MAX),
        asked in prop::collection::vec((any::<Index>(), -300..300_i64, 0..5000_usize), 1..12),
    ) {
        let bitmap = Bitmap64::parse(built.bytes()).unwrap();
        let trusted = Bitmap64::parse_trusted(built.bytes()).unwrap();
        let (mut cursor, mut other) = (bitmap.cursor(), trusted.cursor());
        for (pick, shift, rows) in asked {
            let (first, rows) = window(&positions, pick, shift, rows);
            check_window(&mut cursor, &positions, first, rows);
            check_window(&mut other, &positions, first, rows);
            check_window(&mut bitmap.cursor(), &positions, first, rows);
            check_ranges(&bitmap, &positions, first..first + rows as u64);
        }
    }

    #[test]
    fn batches_front_to_back_see_every_position(
        (built, positions) in any_bitmap64(2),
        rows in prop_oneof![Just(2048_usize), Just(64), 1..40_000_usize],
    ) {
        let bitmap = Bitmap64::parse(built.bytes()).unwrap();
        let mut cursor = bitmap.cursor();
        let mut mask = vec![0; rows.div_ceil(64)];
        let mut seen = Vec::new();
        // Batches without a position between two that have one are asked too, but not billions of them.
        let mut first = positions.first().map_or(0, |first| first.saturating_sub(3 * rows as u64));
        let mut idle = 0;
        // One batch takes a bit loop over all its words here, so the smallest batches get the shorter vectors.
        prop_assume!(rows > 1000 || positions.last().copied().unwrap_or(0) < 200_000);
        while seen.len() < positions.len() {
            cursor.fill_deleted_mask(first, rows, &mut mask).unwrap();
            let before = seen.len();
            for (index, word) in mask.iter().enumerate() {
                let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
                seen.extend(bits.map(|bit| first + index as u64 * 64 + bit));
            }
            first += rows as u64;
            idle = if seen.len() == before { idle + 1 } else { 0 };
            if let Some(&next) = positions.get(seen.len()).filter(|_| idle > 8) {
                first = first.max(next - next % 7);
            }
        }
        prop_assert_eq!(seen, positions);
    }

    #[test]
    fn positions_in_batches((built, positions) in any_bitmap64(u32::MAX), len in 1..5000_usize, from: Index) {
        let bitmap = Bitmap64::parse(built.bytes()).unwrap();
        let start = positions.get(from.index(positions.len() + 1)).copied().unwrap_or(0);
        let rest = &positions[positions.partition_point(|&position| position < start)..];
        let (mut iter, mut seen, mut batch) = (bitmap.iter_from(start), Vec::new(), vec![0; len]);
        loop {
            let count = iter.fill(&mut batch);
            seen.extend_from_slice(&batch[..count]);
            if count < len {
                break;
            }
        }
        prop_assert_eq!(seen, rest);
        prop_assert_eq!((iter.next(), iter.fill(&mut batch)), (None, 0));
        prop_assert_eq!(bitmap.iter().fill(&mut []), 0);
    }

    #[test]
    fn probes_in_any_order(
        (built, positions) in any_bitmap64(u32::MAX),
        picks in prop::collection::vec((any::<Index>(), -2..3_i64), 0..300),
        sorted: bool,
    ) {
        let bitmap = Bitmap64::parse(built.bytes()).unwrap();
        let mut probes: Vec<u64> = picks.iter().map(|&(pick, shift)| window(&positions, pick, shift, 0).0).collect();
        if sorted {
            probes.sort_unstable();
        }
        let mut out = vec![true; probes.len() + 1];
        bitmap.contains_many(&probes, &mut out).unwrap();
        let expected: Vec<bool> = probes.iter().map(|probe| positions.binary_search(probe).is_ok()).collect();
        prop_assert_eq!(&out[..probes.len()], &expected[..]);
        prop_assert!(out[probes.len()]);
    }
}

#[test]
fn short_outputs_and_windows_past_the_last_row_are_errors() {
    let bitmap = Bitmap64::parse(&[0; 8]).unwrap();
    let mut cursor = bitmap.cursor();
    let fault = |result: puffin_codec::Result<()>| result.map_err(|error| (error.kind(), error.found())).unwrap_err();
    assert_eq!(fault(cursor.fill_deleted_mask(0, 65, &mut [9])), (ErrorKind::BufferTooSmall, 2));
    assert_eq!(fault(cursor.fill_live_mask_bytes(0, 9, &mut [9])), (ErrorKind::BufferTooSmall, 2));
    assert_eq!(fault(bitmap.contains_many(&[1, 2, 3], &mut [true])), (ErrorKind::BufferTooSmall, 3));
    let mut out = [9; 2];
    assert_eq!(fault(cursor.fill_deleted_mask(u64::MAX - 9, 11, &mut out)).0, ErrorKind::InvalidArgument);
    assert_eq!(fault(cursor.fill_live_mask(u64::MAX, 2, &mut out)).0, ErrorKind::InvalidArgument);
    assert_eq!(fault(cursor.fill_live_offsets(u64::MAX, 2, &mut [0; 2]).map(|_| ())).0, ErrorKind::InvalidArgument);
    assert_eq!(out, [9; 2]);
    cursor.fill_live_mask(u64::MAX, 1, &mut out).unwrap();
    assert_eq!(out, [1, 9]);
    cursor.fill_deleted_mask(u64::MAX, 0, &mut []).unwrap();
    assert_eq!(cursor.fill_live_offsets(5, 0, &mut []), Ok(0));
}

#[test]
fn the_last_positions_of_all_are_read_in_batches() {
    // One bucket, the highest key; run cookie for one container, the highest key; one run: the last ten values.
    let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x3B, 0x30, 0, 0, 1, 0xFF, 0xFF, 9, 0];
    bytes.extend([1, 0, 0xF6, 0xFF, 9, 0]);
    let bitmap = Bitmap64::parse(&bytes).unwrap();
    let mut batch = [0; 16];
    assert_eq!(bitmap.iter().fill(&mut batch), 10);
    assert!(batch[..10].iter().copied().eq(u64::MAX - 9..=u64::MAX));
    let mut positions = bitmap.iter();
    assert_eq!((positions.fill(&mut batch[..10]), positions.next()), (10, None));
    assert!(bitmap.deleted_ranges(0..u64::MAX).eq(std::iter::once(u64::MAX - 9..u64::MAX)));
    let mut mask = [0];
    bitmap.fill_deleted_mask(u64::MAX - 10, 11, &mut mask).unwrap();
    assert_eq!(mask, [0b111_1111_1110]);
    assert_eq!(bitmap.cursor().fill_deleted_offsets(u64::MAX - 10, 11, &mut [0; 11]), Ok(10));
}
