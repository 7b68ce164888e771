//! Whole vectors through every bulk function, and what CRoaring says of the same rows: generated vectors, and every
//! vector in the committed files.

use std::collections::BTreeSet;

use croaring::{Bitmap, Bitmap64 as CBitmap64, Portable, RangeInclusive};
use proptest::prelude::*;
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::{DELETION_VECTOR_V1, PuffinFile};
use puffin_codec::roaring::{Bitmap32, Bitmap64};
use puffin_codec::scan::Cursor;
use puffin_codec::{Limits, table};

use crate::agreement::has_touching_runs;
use crate::common::fixtures::fixtures;
use crate::common::generate::any_bitmap64;

/// Rows of a batch.
const BATCH: usize = 2048;
/// Positions further apart than this are not looked at in one window.
const GAP: u64 = 1 << 17;
/// Most rows of a window: odd, so that the next one starts inside a word.
const MOST_ROWS: u64 = 1_000_003;
/// So many windows of a vector are asked at most, spread over it.
const MOST_WINDOWS: usize = 100;
/// Vectors with more positions are not read whole.
const MOST_POSITIONS: u64 = 8 << 20;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fill_of_a_generated_vector((built, positions) in any_bitmap64(u32::MAX), batch in 1..5000_usize) {
        compare(built.bytes(), &CBitmap64::of(&positions), batch);
    }
}

#[test]
fn every_fill_of_every_committed_vector() {
    let mut seen = BTreeSet::new();
    for (name, bytes) in fixtures() {
        for bitmap in bitmaps_of(&bytes) {
            let ours = Bitmap64::parse(&bitmap).unwrap();
            let theirs = CBitmap64::try_deserialize::<Portable>(&bitmap);
            let theirs = theirs.unwrap_or_else(|| {
                let touching = ours.buckets().any(|(_, bucket)| has_touching_runs(&bucket));
                assert!(touching, "{name}: CRoaring refuses it");
                ours.iter().collect()
            });
            if seen.insert(bitmap.clone()) {
                // Shown when a comparison fails.
                println!("{name}: {} positions", ours.cardinality());
                compare(&bitmap, &theirs, 4096);
            }
        }
    }
    assert!(seen.len() > 100, "{} vectors", seen.len());
}

/// The 64-bit bitmaps that some bytes are, or are a file of; one of 32 bits as a bucket with the key 0.
fn bitmaps_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    found.extend(DeletionVector::parse(bytes).map(|vector| vector.bitmap().bytes().to_vec()));
    found.extend(Bitmap64::parse(bytes).map(|bitmap| bitmap.bytes().to_vec()));
    found.extend(Bitmap32::parse(bytes).map(|bitmap| [&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bitmap.bytes()].concat()));
    let Ok(file) = PuffinFile::parse(bytes) else { return found };
    let mut scratch = vec![0; file.scratch_len(&Limits::default()).unwrap_or(0)];
    let Ok(metadata) = file.metadata(&mut scratch) else { return found };
    let vectors = metadata.blobs().flatten().filter(|blob| blob.blob_type() == DELETION_VECTOR_V1);
    let vectors = vectors.flat_map(|blob| table::read_vector(&file, &blob));
    found.extend(vectors.map(|vector| vector.bitmap().bytes().to_vec()));
    found
}

/// Asks both everything, from the front to the back.
fn compare(bytes: &[u8], theirs: &CBitmap64, batch: usize) {
    let ours = Bitmap64::parse(bytes).unwrap();
    assert_eq!(ours.cardinality(), theirs.cardinality());
    compare_ranges(&ours, theirs);
    compare_bitsets(&ours);
    if ours.cardinality() <= MOST_POSITIONS {
        compare_positions(&ours, theirs, batch);
    }
    let windows = windows(theirs);
    let mut cursor = ours.cursor();
    for &(first, last) in windows.iter().step_by(windows.len() / MOST_WINDOWS + 1) {
        let window = Window::new(theirs, first, last);
        window.compare_masks(&mut cursor);
        window.compare_offsets(&mut cursor);
        window.compare_live_ranges(&ours);
        window.compare_numbers(&ours, theirs);
        window.compare_probes(&ours, theirs);
    }
}

/// All ranges of consecutive positions, in the words of CRoaring: first and last.
fn ranges(theirs: &CBitmap64) -> Vec<(u64, u64)> {
    let (mut cursor, mut read) = (theirs.cursor(), Vec::new());
    let mut batch = [RangeInclusive::default(); 256];
    loop {
        let count = cursor.read_many_ranges(&mut batch);
        read.extend(batch[..count].iter().map(|range| (range.start, range.last)));
        if count == 0 {
            return read;
        }
    }
}

/// Windows that hold every position, and some rows on both sides: first and last row. Only the front and the back of
/// what is much longer than a window.
fn windows(theirs: &CBitmap64) -> Vec<(u64, u64)> {
    let mut islands: Vec<(u64, u64)> = Vec::new();
    for (first, last) in ranges(theirs) {
        match islands.last_mut().filter(|island| first - island.1 <= GAP) {
            Some(island) => island.1 = last,
            None => islands.push((first, last)),
        }
    }
    let mut windows = Vec::new();
    for (first, last) in islands {
        let (first, last) = (first.saturating_sub(70), last.saturating_add(70));
        let pieces = (last - first) / MOST_ROWS + 1;
        let near_an_end = |number: &u64| *number < 8 || number + 4 >= pieces;
        let starts = (0..pieces).filter(near_an_end).map(|number| first + number * MOST_ROWS);
        windows.extend(starts.map(|start| (start, last.min(start.saturating_add(MOST_ROWS - 1)))));
    }
    windows
}

/// The ranges of a whole vector, first and last.
fn compare_ranges(ours: &Bitmap64<'_>, theirs: &CBitmap64) {
    // No half-open range has the highest position of all.
    let theirs = ranges(theirs).into_iter().map(|(first, last)| first..last.saturating_add(1));
    let theirs: Vec<_> = theirs.filter(|range| !range.is_empty()).collect();
    assert!(ours.deleted_ranges(0..u64::MAX).eq(theirs.iter().cloned()), "deleted ranges");
    let starts = [0].into_iter().chain(theirs.iter().map(|range| range.end));
    let ends = theirs.iter().map(|range| range.start).chain([u64::MAX]);
    let between = starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty());
    assert!(ours.live_ranges(0..u64::MAX).eq(between), "live ranges");
}

/// The mask of each bucket, and the flat bitset that CRoaring makes of it.
fn compare_bitsets(ours: &Bitmap64<'_>) {
    const MOST_BITS: u32 = 1 << 26;
    let mut cursor = ours.cursor();
    for (key, bucket) in ours.buckets().filter(|(_, bucket)| bucket.max() < Some(MOST_BITS)).take(MOST_WINDOWS) {
        let Some(flat) = Bitmap::try_deserialize::<Portable>(bucket.bytes()) else { continue };
        let flat = flat.to_bitset().unwrap();
        let mut mask = vec![u64::MAX; flat.as_slice().len()];
        cursor.fill_deleted_mask(u64::from(key) << 32, mask.len() * 64, &mut mask).unwrap();
        assert!(mask == flat.as_slice(), "mask of bucket {key}");
    }
}

/// All positions in batches of one length, and all at once.
fn compare_positions(ours: &Bitmap64<'_>, theirs: &CBitmap64, batch: usize) {
    let (mut a, mut b) = (vec![0; batch], vec![0; batch]);
    let (mut our_reader, mut their_reader) = (ours.iter(), theirs.iter());
    loop {
        let count = our_reader.fill(&mut a);
        assert_eq!(their_reader.next_many(&mut b), count, "positions filled");
        assert_eq!(a[..count], b[..count], "positions");
        if count < batch {
            break;
        }
    }
    let mut all = vec![0; usize::try_from(ours.cardinality()).unwrap() + 1];
    let count = ours.iter().fill(&mut all);
    assert!(all[..count] == theirs.to_vec(), "all positions at once");
}

/// Some rows, and what CRoaring says of them.
struct Window {
    first: u64,
    last: u64,
    rows: usize,
    deleted: Vec<u64>,
    live: CBitmap64,
}

impl Window {
    fn new(theirs: &CBitmap64, first: u64, last: u64) -> Self {
        let all = CBitmap64::from_range(first..=last);
        let (deleted, live) = (all.and(theirs).to_vec(), all.andnot(theirs));
        Self { first, last, rows: usize::try_from(last - first).unwrap() + 1, deleted, live }
    }

    /// Places of some rows, counted from the first.
    fn offsets(&self, rows: &[u64]) -> Vec<u32> {
        rows.iter().map(|row| u32::try_from(row - self.first).unwrap()).collect()
    }

    fn mask(&self, rows: &[u64]) -> Vec<u64> {
        let mut mask = vec![0; self.rows.div_ceil(64)];
        for offset in self.offsets(rows) {
            mask[offset as usize / 64] |= 1 << (offset % 64);
        }
        mask
    }

    /// Masks of the whole window and of its batches, as words and as bytes at an odd address.
    fn compare_masks(&self, cursor: &mut Cursor<'_>) {
        type Fill<'a, T> = fn(&mut Cursor<'a>, u64, usize, &mut [T]) -> puffin_codec::Result<()>;
        let of_deleted: (Fill<'_, u64>, Fill<'_, u8>) = (Cursor::fill_deleted_mask, Cursor::fill_deleted_mask_bytes);
        let of_live: (Fill<'_, u64>, Fill<'_, u8>) = (Cursor::fill_live_mask, Cursor::fill_live_mask_bytes);
        for ((words, bytes), theirs) in [(of_deleted, &self.deleted), (of_live, &self.live.to_vec())] {
            let expected = self.mask(theirs);
            let mut mask = vec![u64::MAX; expected.len()];
            words(cursor, self.first, self.rows, &mut mask).unwrap();
            assert!(mask == expected, "mask of {}..={}", self.first, self.last);

            let mut batch = [u64::MAX; BATCH / 64];
            for (number, expected) in expected.chunks(BATCH / 64).enumerate() {
                let done = number * BATCH;
                let rows = BATCH.min(self.rows - done);
                words(cursor, self.first + done as u64, rows, &mut batch).unwrap();
                assert!(batch[..expected.len()] == *expected, "batch {number} of {}..={}", self.first, self.last);
            }

            let mut mask = vec![0xA5; self.rows.div_ceil(8) + 1];
            bytes(cursor, self.first, self.rows, &mut mask[1..]).unwrap();
            let expected = expected.iter().flat_map(|word| word.to_le_bytes()).take(mask.len() - 1);
            assert!(mask[1..].iter().copied().eq(expected), "mask bytes of {}..={}", self.first, self.last);
        }
    }

    /// Selections into an output of the exact length.
    fn compare_offsets(&self, cursor: &mut Cursor<'_>) {
        let expected = self.offsets(&self.deleted);
        let mut offsets = vec![0; expected.len()];
        assert_eq!(cursor.fill_deleted_offsets(self.first, self.rows, &mut offsets), Ok(expected.len()));
        assert!(offsets == expected, "deleted offsets of {}..={}", self.first, self.last);
        let expected = self.offsets(&self.live.to_vec());
        let mut offsets = vec![0; expected.len()];
        assert_eq!(cursor.fill_live_offsets(self.first, self.rows, &mut offsets), Ok(expected.len()));
        assert!(offsets == expected, "live offsets of {}..={}", self.first, self.last);
    }

    fn compare_live_ranges(&self, ours: &Bitmap64<'_>) {
        let Some(end) = self.last.checked_add(1) else { return };
        let expected = ranges(&self.live).into_iter().map(|(first, last)| first..last + 1);
        assert!(ours.live_ranges(self.first..end).eq(expected), "live ranges of {}..={}", self.first, self.last);
    }

    fn compare_numbers(&self, ours: &Bitmap64<'_>, theirs: &CBitmap64) {
        let middle = self.first + (self.last - self.first) / 3;
        for (first, last) in [(self.first, self.last), (self.first, middle), (middle, self.last), (middle, middle)] {
            let count = theirs.range_cardinality(first..=last);
            assert_eq!(ours.count(first..=last), count, "count of {first}..={last}");
            // By the count: CRoaring 5.2.2 says yes where the range's last container is missing and another one
            // follows.
            assert_eq!(ours.contains_range(first..=last), count == last - first + 1, "{first}..={last} full");
            if let Some(end) = last.checked_add(1) {
                assert_eq!(ours.intersects(first..end), count > 0, "{first}..={last} intersects");
                assert_eq!(theirs.intersect_with_range(first..end), count > 0);
            }
            let rank = theirs.rank(last);
            assert_eq!(ours.rank(last), rank, "rank of {last}");
            for index in [rank.saturating_sub(1), rank, rank.saturating_sub(count)] {
                assert_eq!(ours.select(index), theirs.select(index), "select {index}");
            }
        }
    }

    /// Positions, their neighbours, and rows anywhere, ascending and not.
    fn compare_probes(&self, ours: &Bitmap64<'_>, theirs: &CBitmap64) {
        let some = self.deleted.iter().step_by(self.deleted.len() / 300 + 1);
        let near = some.flat_map(|&row| [row.saturating_sub(1), row, row.saturating_add(1), row ^ (1 << 16)]);
        let mut probes: Vec<u64> = near.chain([self.first, self.last, 0, u64::MAX]).collect();
        for _ in 0..2 {
            let mut answers = vec![false; probes.len()];
            ours.contains_many(&probes, &mut answers).unwrap();
            for (&probe, &answer) in probes.iter().zip(&answers) {
                assert_eq!(answer, theirs.contains(probe), "contains {probe}");
            }
            probes.sort_unstable();
        }
    }
}
