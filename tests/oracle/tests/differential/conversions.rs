//! The feature `roaring`: from the serialized bytes to `RoaringTreemap` and back.

use croaring::{Bitmap64 as CBitmap64, Portable};
use proptest::prelude::*;
use puffin_codec::ErrorKind;
use puffin_codec::deletion_vector::{DeletionVector, MAX_KEY, encode_treemap};
use puffin_codec::roaring::{Bitmap32, Bitmap64};
use roaring::{RoaringBitmap, RoaringTreemap};

use crate::common::envelope::vector;
use crate::common::generate::{any_bitmap32, any_bitmap64};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_bitmap_becomes_a_roaring_bitmap((built, positions) in any_bitmap32()) {
        let converted = RoaringBitmap::from(&Bitmap32::parse(built.bytes()).unwrap());
        prop_assert!(converted.iter().map(u64::from).eq(positions));
    }

    #[test]
    fn a_bitmap_becomes_a_treemap((built, positions) in any_bitmap64(u32::MAX)) {
        let converted = RoaringTreemap::from(&Bitmap64::parse(built.bytes()).unwrap());
        prop_assert!(converted == RoaringTreemap::from_sorted_iter(positions).unwrap());
    }

    #[test]
    fn a_vector_goes_to_a_treemap_and_back((built, positions) in any_bitmap64(MAX_KEY - 1)) {
        let blob = vector(built);
        let treemap = RoaringTreemap::from(&DeletionVector::parse(blob.bytes()).unwrap());
        let encoded = encode_treemap(&treemap).unwrap();
        prop_assert!(DeletionVector::parse(&encoded).unwrap().iter().eq(positions.iter().copied()));

        // The form is CRoaring's after `run_optimize`, without empty buckets.
        let mut c: CBitmap64 = positions.into_iter().collect();
        c.run_optimize();
        prop_assert!(c.serialize::<Portable>() == encoded[8..encoded.len() - 4]);
    }
}

#[test]
fn the_highest_key_is_not_written() {
    let highest = u64::from(MAX_KEY) << 32;
    assert!(encode_treemap(&RoaringTreemap::from_iter([highest - 1])).is_ok());
    let error = encode_treemap(&RoaringTreemap::from_iter([1, highest])).unwrap_err();
    assert_eq!((error.kind(), error.found()), (ErrorKind::KeyOutOfRange, u64::from(MAX_KEY)));
}

#[test]
fn the_empty_treemap_is_twenty_bytes() {
    let blob = encode_treemap(&RoaringTreemap::new()).unwrap();
    assert_eq!(blob.len(), 20);
    assert!(DeletionVector::parse(&blob).unwrap().is_empty());
}
