//! What we write, in the eyes of the others: the same set, valid, and no longer than what they write themselves.

use croaring::{Bitmap64 as CBitmap64, Portable};
use proptest::prelude::*;
use puffin_codec::deletion_vector::{Encoder, MAX_WRITTEN_KEY, Source, encode_scratch_len};
use puffin_codec::roaring::Bitmap64;
use roaring::RoaringTreemap;

use crate::common::generate::{Built, any_bitmap64};

/// Encodes the union of sources: the bitmap alone.
fn encode(sources: &mut [Source<'_>], dense_keys: bool) -> Vec<u8> {
    let mut scratch = vec![0; encode_scratch_len(sources.len())];
    let mut encoder = Encoder::new(sources).dense_keys(dense_keys);
    let mut bytes = vec![0; encoder.encoded_bitmap_len(&mut scratch).unwrap()];
    assert_eq!(encoder.encode_bitmap_into(&mut scratch, &mut bytes).unwrap().len(), bytes.len());
    bytes
}

/// Reads bytes that we wrote with both libraries, which check them, and compares with what these make of `positions`.
fn compare(bytes: &[u8], positions: &[u64], dense_keys: bool) -> Result<(), TestCaseError> {
    let (mut rust, mut c) =
        (RoaringTreemap::from_sorted_iter(positions.iter().copied()).unwrap(), CBitmap64::of(positions));
    let read = RoaringTreemap::deserialize_from(bytes).unwrap();
    prop_assert!(read == rust, "roaring reads the same set");
    let read = CBitmap64::try_deserialize::<Portable>(bytes).expect("CRoaring's validator accepts it");
    prop_assert!(read == c, "CRoaring reads the same set");
    rust.optimize();
    c.run_optimize();
    let mut theirs = Vec::new();
    rust.serialize_into(&mut theirs).unwrap();
    if !dense_keys {
        prop_assert_eq!(bytes.len(), theirs.len());
        prop_assert!(bytes.len() <= c.serialize::<Portable>().len());
        prop_assert!(bytes == theirs, "roaring writes the same bytes");
    }
    Ok(())
}

fn union(sets: &[&[u64]]) -> Vec<u64> {
    let mut all = sets.concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn any_sets() -> impl Strategy<Value = Vec<Built>> {
    prop_oneof![
        prop::collection::vec(any_bitmap64(1), 1..4),
        prop::collection::vec(any_bitmap64(MAX_WRITTEN_KEY), 1..4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_are_read_back((_, positions) in any_bitmap64(MAX_WRITTEN_KEY)) {
        let bytes = encode(&mut [Source::positions(&positions).unwrap()], false);
        compare(&bytes, &positions, false)?;
    }

    #[test]
    fn unions_are_read_back(sets in any_sets()) {
        let bitmaps: Vec<_> = sets.iter().map(|(built, _)| Bitmap64::parse(built.bytes()).unwrap()).collect();
        let mut sources: Vec<_> = bitmaps.iter().map(|bitmap| Source::bitmap(bitmap).unwrap()).collect();
        let positions = union(&sets.iter().map(|(_, positions)| &positions[..]).collect::<Vec<_>>());
        compare(&encode(&mut sources, false), &positions, false)?;
        if positions.last().is_none_or(|last| last >> 32 < 100) {
            compare(&encode(&mut sources, true), &positions, true)?;
        }
    }

    #[test]
    fn differences_and_intersections_are_read_back((a, x) in any_bitmap64(1), (b, y) in any_bitmap64(1)) {
        let treemap = |positions: &[u64]| RoaringTreemap::from_sorted_iter(positions.iter().copied()).unwrap();
        let (x, y) = (treemap(&x), treemap(&y));
        let (a, b) = (Bitmap64::parse(a.bytes()).unwrap(), Bitmap64::parse(b.bytes()).unwrap());
        for (ours, theirs) in [(a.difference(&b), &x - &y), (a.intersection(&b), &x & &y), (a.union(&b), &x | &y)] {
            let positions: Vec<u64> = theirs.iter().collect();
            compare(&encode(&mut [Source::operation(&ours).unwrap()], false), &positions, false)?;
            prop_assert_eq!(ours.cardinality(), theirs.len());
            prop_assert!(ours.iter().eq(positions));
        }
        prop_assert_eq!(a.is_subset(&b), x.is_subset(&y));
        prop_assert_eq!(a.is_disjoint(&b), x.is_disjoint(&y));
    }
}
