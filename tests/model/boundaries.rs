//! The boundaries of the format, one by one, on bitmaps that read like the specification's diagram.

use puffin_codec::deletion_vector::{DeletionVector, MAX_POSITION};
use puffin_codec::roaring::{Bitmap32, Bitmap64, ContainerKind};

use crate::common::builder::{Body, Bytes, bitmap32, bitmap64};
use crate::common::envelope::vector;
use crate::queries;

/// `count` values in a row, from the end of the container backwards.
fn last(count: u32) -> Vec<u16> {
    (0..=u16::MAX).rev().take(usize::try_from(count).unwrap()).rev().collect()
}

/// Builds, parses, asks everything, and tells the kinds of the containers.
fn kinds(containers: &[(u16, Body)], run_form: bool) -> Vec<ContainerKind> {
    let built = bitmap32(containers, run_form);
    let bitmap = Bitmap32::parse(built.bytes()).unwrap();
    let position = |key: u16, low: u16| u64::from(key) << 16 | u64::from(low);
    let positions: Vec<u64> = containers
        .iter()
        .flat_map(|(key, body)| body.values().into_iter().map(|low| position(*key, low)).collect::<Vec<_>>())
        .collect();
    queries::check(&bitmap, &positions, 12_345);
    for (number, (key, container)) in bitmap.containers().enumerate() {
        assert_eq!(key, containers[number].0);
        assert_eq!(container.cardinality() as usize, containers[number].1.values().len());
    }
    bitmap.containers().map(|(_, container)| container.kind()).collect()
}

#[test]
fn a_container_of_4096_values_is_an_array_and_one_of_4097_a_bitset() {
    use ContainerKind::{Array, Bitset};
    assert_eq!(kinds(&[(0, Body::Array(last(1))), (1, Body::Array(last(4095)))], false), [Array, Array]);
    assert_eq!(kinds(&[(7, Body::Array(last(4096))), (65_535, Body::Bitset(last(4097)))], false), [Array, Bitset]);
    assert_eq!(kinds(&[(0, Body::Bitset(last(65_535))), (1, Body::Bitset(last(65_536)))], true), [Bitset, Bitset]);
}

#[test]
fn runs_may_touch_and_may_fill_the_container() {
    let all = [ContainerKind::Run; 4];
    let bodies = [
        vec![(0, 65_535)],
        vec![(0, 9), (10, 10), (11, 40_000), (65_535, 65_535)],
        vec![(1, 1), (3, 3), (65_000, 65_535)],
        vec![(0, 32_767), (32_768, 65_535)],
    ];
    let containers: Vec<_> = [0, 1, 2, 65_535].into_iter().zip(bodies.map(Body::Run)).collect();
    assert_eq!(kinds(&containers, true), all);
    assert_eq!(kinds(&containers[..3], true), all[..3], "fewer than four have no offset header");
}

#[test]
fn the_run_form_needs_no_run() {
    let containers: Vec<_> = (0..9).map(|key| (key * 5, Body::Array(vec![key, 65_535]))).collect();
    assert_eq!(kinds(&containers, true), [ContainerKind::Array; 9]);
    assert_eq!(kinds(&containers[..2], true), [ContainerKind::Array; 2]);
}

#[test]
fn a_bitmap_has_up_to_65536_containers() {
    let containers: Vec<_> = (0..=u16::MAX).map(|key| (key, Body::Array(vec![key]))).collect();
    assert_eq!(kinds(&containers, false).len(), 65_536);
    assert_eq!(kinds(&containers, true).len(), 65_536);
    assert_eq!(kinds(&[], false), []);
}

/// A bucket that holds one position.
fn one(low: u32) -> Bytes {
    let [high, low] = [u16::try_from(low >> 16).unwrap(), u16::try_from(low & 0xFFFF).unwrap()];
    bitmap32(&[(high, Body::Array(vec![low]))], false)
}

#[test]
fn positions_reach_from_zero_to_the_highest_key() {
    let edges = [0, (1 << 31) - 1, 1 << 31, u64::from(u32::MAX)];
    for edge in edges {
        let built = bitmap64(vec![(0, one(u32::try_from(edge).unwrap()))]);
        queries::check(&Bitmap64::parse(built.bytes()).unwrap(), &[edge], edge);
    }
    let buckets = vec![(0, one(u32::MAX)), (1, one(0)), (0x7FFF_FFFF, one(u32::MAX)), (u32::MAX, one(u32::MAX))];
    let built = bitmap64(buckets.clone());
    let positions = [(1 << 32) - 1, 1 << 32, MAX_POSITION, u64::MAX];
    let bitmap = Bitmap64::parse(built.bytes()).unwrap();
    queries::check(&bitmap, &positions, 1);
    queries::check_ranges(&bitmap, &positions, 1);
    let blob = vector(bitmap64(buckets[..3].to_vec()));
    queries::check(&DeletionVector::parse(blob.bytes()).unwrap(), &positions[..3], 1);
}

#[test]
fn empty_buckets_hold_their_place() {
    let empty = || bitmap32(&[], false);
    let built = bitmap64(vec![(0, empty()), (1, empty()), (2, one(7)), (3, empty()), (9, one(8)), (10, empty())]);
    let bitmap = Bitmap64::parse(built.bytes()).unwrap();
    queries::check(&bitmap, &[(2 << 32) + 7, (9 << 32) + 8], 3);
    assert_eq!(bitmap.bucket_count(), 6);
    let blob = vector(bitmap64(vec![(0, empty()), (5, empty())]));
    queries::check(&DeletionVector::parse(blob.bytes()).unwrap(), &[], 4);
    let blob = vector(bitmap64(vec![]));
    assert_eq!(blob.bytes().len(), 20);
    queries::check(&DeletionVector::parse(blob.bytes()).unwrap(), &[], 5);
}

#[test]
fn whole_buckets_are_counted_and_never_walked() {
    let full: Vec<_> = (0..=u16::MAX).map(|key| (key, Body::Run(vec![(0, u16::MAX)]))).collect();
    let bucket = bitmap32(&full, true);
    let built = bitmap64((0..3).map(|key| (key, bucket.clone())).collect());
    let bitmap = Bitmap64::parse(built.bytes()).unwrap();
    assert_eq!(bitmap.cardinality(), 3 << 32);
    assert_eq!((bitmap.min(), bitmap.max()), (Some(0), Some((3 << 32) - 1)));
    for place in [0, 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (3 << 32) - 1] {
        assert_eq!((bitmap.select(place), bitmap.rank(place)), (Some(place), place + 1));
        assert_eq!(bitmap.iter_from(place).next(), Some(place));
    }
    assert!(bitmap.contains_range(..3 << 32) && !bitmap.contains_range(..=3 << 32));
    assert_eq!(bitmap.count(5..(2 << 32) + 9), (2 << 32) + 4);
    assert_eq!(bitmap.iter_rev().next(), Some((3 << 32) - 1));
    let mut cursor = bitmap.iter();
    cursor.advance_to((2 << 32) - 3);
    assert!(cursor.take(5).eq((2 << 32) - 3..(2 << 32) + 2));
}
