//! Writing vectors, against a naive writer of canonical bytes: any mix of sources, at every boundary of containers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    #[allow(dead_code, reason = "fields are changed by other tests")]
    pub(crate) mod builder;
    pub(crate) mod canonical;
    pub(crate) mod envelope;
    pub(crate) mod fixtures;
    pub(crate) mod generate;
}
#[path = "encode/faults.rs"]
mod faults;
#[path = "encode/fixtures.rs"]
mod fixtures;
#[path = "encode/sets.rs"]
mod sets;

use proptest::prelude::*;
use puffin_codec::deletion_vector::{DeletionVector, Encoder, MAX_WRITTEN_KEY, Source, encode_scratch_len};
use puffin_codec::roaring::Bitmap64;

use common::canonical::{canonical_bitmap, canonical_blob};
use common::generate::{Built, any_bitmap64};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }
}

/// Writes the union of `sources` in every way there is, and checks that all give the same. Returns the blob.
pub(crate) fn encode(sources: &mut [Source<'_>], dense_keys: bool) -> Vec<u8> {
    // What scratch and output hold before must not matter.
    let mut scratch = vec![0x5A5A_5A5A_5A5A_5A5A; encode_scratch_len(sources.len())];
    let mut encoder = Encoder::new(sources).dense_keys(dense_keys);
    // No bound is known of what was parsed as trusted.
    let bound = encoder.max_encoded_len().min(2 * encoder.encoded_len(&mut scratch).unwrap() as u64);
    let roomy = usize::try_from(bound).unwrap();
    let mut encoder = Encoder::new(sources).dense_keys(dense_keys);
    let mut blob = vec![0xA5; roomy];
    let encoded = encoder.encode_into(&mut scratch, &mut blob).unwrap();
    blob.truncate(encoded.len());
    // Into slices of the exact length: not knowing it, knowing it, and the bitmap alone.
    let mut exact = vec![0; encoded.len()];
    assert_eq!(Encoder::new(sources).dense_keys(dense_keys).encode_into(&mut scratch, &mut exact), Ok(encoded));
    assert!(exact == blob);
    let mut encoder = Encoder::new(sources).dense_keys(dense_keys);
    assert_eq!(encoder.encoded_len(&mut scratch), Ok(encoded.len()));
    assert_eq!(encoder.cardinality(&mut scratch), Ok(encoded.cardinality()));
    exact.fill(0);
    assert_eq!(encoder.encode_into(&mut scratch, &mut exact), Ok(encoded));
    assert!(exact == blob);
    let mut bare = vec![0; encoder.encoded_bitmap_len(&mut scratch).unwrap()];
    assert_eq!(encoder.encode_bitmap_into(&mut scratch, &mut bare).map(|bare| bare.len()), Ok(encoded.len() - 12));
    assert!(bare == blob[8..blob.len() - 4]);
    let vector = DeletionVector::parse_with_cardinality(&blob, encoded.cardinality()).unwrap();
    assert!(vector.bitmap().buckets().all(|(key, bucket)| dense_keys && key < MAX_WRITTEN_KEY || !bucket.is_empty()));
    blob
}

/// How a set is handed to the encoder.
#[derive(Clone, Copy, Debug)]
enum Form {
    Positions,
    Repeated,
    Ranges,
    Bitmap,
    Trusted,
    Rows,
}

fn any_source() -> impl Strategy<Value = (Built, Form)> {
    use Form::{Bitmap, Positions, Ranges, Repeated, Rows, Trusted};
    (
        any_bitmap64(MAX_WRITTEN_KEY),
        prop::sample::select(vec![Positions, Repeated, Ranges, Bitmap, Bitmap, Trusted, Rows]),
    )
}

/// Calls `f` with the source.
fn ranges_of(positions: &[u64]) -> Vec<core::ops::Range<u64>> {
    let mut ranges: Vec<core::ops::Range<u64>> = Vec::new();
    for (index, run) in positions.chunk_by(|a, b| a + 1 == *b).enumerate() {
        let (first, end) = (run[0], run[run.len() - 1] + 1);
        ranges.push(first..end);
        // Some that are empty, touch or lie inside others.
        if index % 3 == 0 {
            ranges.push(first..first + (end - first) / 2);
            ranges.push(end..end);
        }
    }
    ranges
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn unions_of_anything_are_canonical(sets in prop::collection::vec(any_source(), 0..5), dense in prop::bool::weighted(0.3)) {
        let repeated: Vec<Vec<u64>> = sets.iter()
            .map(|((_, positions), _)| positions.iter().flat_map(|&p| std::iter::repeat_n(p, 1 + usize::from(p % 3 == 0))).collect())
            .collect();
        let ranges: Vec<_> = sets.iter().map(|((_, positions), _)| ranges_of(positions)).collect();
        let mut sources: Vec<Source<'_>> = sets.iter().enumerate().map(|(index, ((built, positions), form))| match form {
            Form::Positions => Source::positions(positions),
            Form::Repeated => Source::positions(&repeated[index]),
            Form::Ranges => Source::ranges(&ranges[index]),
            Form::Bitmap => Source::bitmap(&Bitmap64::parse(built.bytes()).unwrap()),
            Form::Trusted => Source::bitmap(&Bitmap64::parse_trusted(built.bytes()).unwrap()),
            Form::Rows => Source::rows(&Bitmap64::parse(built.bytes()).unwrap(), 0..1 << 63, 0),
        }.unwrap()).collect();
        let mut expected: Vec<u64> = sets.iter().flat_map(|((_, positions), _)| positions.iter().copied()).collect();
        expected.sort_unstable();
        expected.dedup();
        // Dense keys are for sets that do not go far.
        let dense = dense && expected.last().is_none_or(|last| last >> 32 < 1000);
        let blob = encode(&mut sources, dense);
        prop_assert!(blob == canonical_blob(&expected, dense).bytes());
        let vector = DeletionVector::parse(&blob).unwrap();
        prop_assert!(vector.iter().eq(expected.iter().copied()));
    }

    #[test]
    fn neighbours_meet_in_one_container(sets in prop::collection::vec((any_bitmap64(0), any_bitmap64(0)), 1..3)) {
        // The same keys in every source: containers of every kind with each other.
        let all: Vec<&Built> = sets.iter().flat_map(|(a, b)| [a, b]).collect();
        let low = |(_, positions): &Built| -> Vec<u64> {
            let mut positions: Vec<u64> = positions.iter().map(|position| position & 0x1_FFFF).collect();
            positions.sort_unstable();
            positions.dedup();
            positions
        };
        let lows: Vec<Vec<u64>> = all.iter().map(|built| low(built)).collect();
        let bitmaps: Vec<_> = lows.iter().map(|positions| canonical_bitmap(positions, false)).collect();
        let mut sources: Vec<Source<'_>> =
            bitmaps.iter().map(|bitmap| Source::bitmap(&Bitmap64::parse(bitmap.bytes()).unwrap()).unwrap()).collect();
        let mut expected: Vec<u64> = lows.concat();
        expected.sort_unstable();
        expected.dedup();
        let blob = encode(&mut sources, false);
        prop_assert!(blob == canonical_blob(&expected, false).bytes());
    }

    #[test]
    fn rows_are_cut_and_moved((built, positions) in any_bitmap64(2), cut: (u64, u64), to: u64, aligned: bool) {
        let bitmap = Bitmap64::parse(built.bytes()).unwrap();
        let edge = |seed: u64| match positions.len() {
            0 => seed % (3 << 32),
            len => positions[usize::try_from(seed % len as u64).unwrap()].saturating_add(seed >> 60).saturating_sub(2),
        };
        let (start, end) = (edge(cut.0).min(edge(cut.1)), edge(cut.0).max(edge(cut.1)));
        let to = if aligned { (start & 0xFFFF) + ((to % 5) << 16) } else { to % (4 << 32) };
        let expected: Vec<u64> =
            positions.iter().filter(|position| (start..end).contains(position)).map(|position| position - start + to).collect();
        let blob = encode(&mut [Source::rows(&bitmap, start..end, to).unwrap()], false);
        prop_assert!(blob == canonical_blob(&expected, false).bytes());
        // Beside another source, too.
        let others: Vec<u64> = expected.iter().map(|position| position ^ 1).collect();
        let mut others = others; others.sort_unstable();
        let mut both = [&expected[..], &others].concat();
        both.sort_unstable();
        both.dedup();
        let blob = encode(&mut [Source::rows(&bitmap, start..end, to).unwrap(), Source::positions(&others).unwrap()], false);
        prop_assert!(blob == canonical_blob(&both, false).bytes());
    }
}
