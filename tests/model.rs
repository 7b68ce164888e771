//! Bitmaps and vectors against a sorted list of positions, over bytes built by hand: every kind of container at every
//! boundary, all queries.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    pub(crate) mod builder;
    pub(crate) mod envelope;
    pub(crate) mod generate;
    pub(crate) mod set;
}
#[path = "model/boundaries.rs"]
mod boundaries;
#[path = "model/faults.rs"]
mod faults;
#[path = "model/queries.rs"]
mod queries;

use proptest::prelude::*;
use puffin_codec::deletion_vector::{DeletionVector, MAX_KEY};
use puffin_codec::roaring::{Bitmap32, Bitmap64};

use common::envelope::vector;
use common::generate::{any_bitmap32, any_bitmap64};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn bitmaps_of_32_bits_answer_as_the_list((built, positions) in any_bitmap32(), seed: u64) {
        let bitmap = Bitmap32::parse(built.bytes()).unwrap();
        queries::check(&bitmap, &positions, seed);
        let longer = [built.bytes(), b"rest"].concat();
        let (prefix, used) = Bitmap32::parse_prefix(&longer).unwrap();
        prop_assert_eq!((prefix.bytes(), used), (built.bytes(), built.bytes().len()));
        queries::check(&Bitmap32::parse_trusted(built.bytes()).unwrap(), &positions, seed);
    }

    #[test]
    fn bitmaps_of_64_bits_answer_as_the_list((built, positions) in any_bitmap64(u32::MAX), seed: u64) {
        let bitmap = Bitmap64::parse(built.bytes()).unwrap();
        queries::check(&bitmap, &positions, seed);
        queries::check_ranges(&bitmap, &positions, seed);
        let longer = [built.bytes(), b"rest"].concat();
        let (prefix, used) = Bitmap64::parse_prefix(&longer).unwrap();
        prop_assert_eq!((prefix.bytes(), used), (built.bytes(), built.bytes().len()));
        queries::check(&Bitmap64::parse_trusted(built.bytes()).unwrap(), &positions, seed);
    }

    #[test]
    fn vectors_answer_as_the_list((built, positions) in any_bitmap64(MAX_KEY), seed: u64) {
        let blob = vector(built);
        queries::check(&DeletionVector::parse(blob.bytes()).unwrap(), &positions, seed);
        queries::check(&DeletionVector::parse_trusted(blob.bytes()).unwrap(), &positions, seed);
        let count = positions.len() as u64;
        prop_assert!(DeletionVector::parse_with_cardinality(blob.bytes(), count).is_ok());
        prop_assert!(DeletionVector::parse_with_cardinality(blob.bytes(), count + 1).is_err());
        let longer = [blob.bytes(), b"rest"].concat();
        prop_assert_eq!(DeletionVector::parse_prefix(&longer).unwrap().1, blob.bytes().len());
    }
}
