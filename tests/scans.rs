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
    pub(crate) mod bulk;
    pub(crate) mod generate;
}

use proptest::prelude::*;
use proptest::sample::Index;
use puffin_codec::ErrorKind;
use puffin_codec::roaring::Bitmap64;

use common::bulk::{check_batches, check_ranges, check_window};
use common::generate::any_bitmap64;

/// A window that starts at, or near, a position of the list or an edge of the format.
fn window(positions: &[u64], pick: Index, shift: i64, rows: usize) -> (u64, usize) {
    let edges = [0, 1 << 16, 1 << 31, 1 << 32, (1 << 32) - 100, u64::MAX >> 1, u64::MAX - 70_000];
    let at = pick.index(positions.len() + edges.len());
    let anchor = positions.get(at).copied().unwrap_or_else(|| edges[at - positions.len()]);
    let first = anchor.saturating_add_signed(shift);
    let room = usize::try_from(u64::MAX - first).unwrap_or(usize::MAX);
    (first, rows.min(room))
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
        let mut index = vec![0; bitmap.index_len()];
        let indexed = bitmap.index_into(&mut index).unwrap();
        let (mut cursor, mut other, mut jumping) = (bitmap.cursor(), trusted.cursor(), indexed.cursor());
        for (pick, shift, rows) in asked {
            let (first, rows) = window(&positions, pick, shift, rows);
            check_window(&mut cursor, &positions, first, rows);
            check_window(&mut other, &positions, first, rows);
            check_window(&mut jumping, &positions, first, rows);
            for probe in [first, first.saturating_sub(1), first + rows as u64] {
                prop_assert_eq!(indexed.contains(probe), bitmap.contains(probe));
            }
            check_window(&mut bitmap.cursor(), &positions, first, rows);
            check_ranges(&bitmap, &positions, first..first + rows as u64);
        }
    }

    #[test]
    fn batches_front_to_back_see_every_position(
        (built, positions) in any_bitmap64(u32::MAX),
        rows in prop_oneof![Just(2048_usize), Just(64), 1..40_000_usize],
    ) {
        check_batches(&Bitmap64::parse(built.bytes()).unwrap(), &mut positions.iter().copied(), rows);
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

#[test]
fn answers_stay_inside_the_output_when_trusted_bytes_lie() {
    // Three bitsets that declare 5,000 values each and have 65,536: counting believes the header of the one in the
    // middle.
    let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 3, 0, 0, 0];
    bytes.extend((0..3_u8).flat_map(|key| [key, 0, 0x87, 0x13]));
    bytes.extend((0..3_u32).flat_map(|index| (32 + 8192 * index).to_le_bytes()));
    bytes.extend([0xFF; 3 * 8192]);
    let bitmap = Bitmap64::parse_trusted(&bytes).unwrap();
    let (first, rows) = (65_535, 65_538);
    assert_eq!(bitmap.count(first..first + rows as u64), 5002);
    let mut out = vec![7; 5002];
    let error = bitmap.cursor().fill_deleted_offsets(first, rows, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, rows as u64));
    assert!(out.iter().all(|&row| row == 7));
    assert_eq!(bitmap.cursor().fill_live_offsets(first, rows, &mut []), Ok(0));
    // An array that does not ascend: bits of values outside the window are no answers.
    let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 16, 0, 0, 0];
    bytes.extend([3, 0, 7, 0, 9, 0, 0, 0]);
    let bitmap = Bitmap64::parse_trusted(&bytes).unwrap();
    let mut mask = [7];
    bitmap.fill_deleted_mask(0, 1, &mut mask).unwrap();
    assert!(mask[0] <= 1);
    assert!(bitmap.cursor().fill_deleted_offsets(0, 1, &mut [0; 1]).unwrap() <= 1);
}

#[test]
fn ranges_end_with_their_window() {
    // Run cookie, three containers, each one run of all values: 0 to 196,607.
    let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 2, 0, 0b111];
    bytes.extend((0..3_u8).flat_map(|key| [key, 0, 0xFF, 0xFF]));
    bytes.extend((0..3).flat_map(|_| [1, 0, 0, 0, 0xFF, 0xFF]));
    let bitmap = Bitmap64::parse(&bytes).unwrap();
    for window in [0..1, 5..65_535, 5..65_536, 65_535..65_537, 70_000..131_072, 1..196_608, 0..300_000] {
        let end = window.end.min(196_608);
        assert!(bitmap.deleted_ranges(window.clone()).eq(std::iter::once(window.start..end)), "{window:?}");
        let live = Some(end..window.end).filter(|rest| !rest.is_empty());
        assert!(bitmap.live_ranges(window.clone()).eq(live), "{window:?}");
    }
}
