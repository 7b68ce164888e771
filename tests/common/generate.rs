//! Strategies for bitmaps of every shape: each kind of container at each of its boundaries, dense and sparse keys,
//! both header forms, empty buckets.

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;

use super::builder::{Body, Bytes, bitmap32, bitmap64};

/// A serialized bitmap and the positions it was built from, ascending.
pub(crate) type Built = (Bytes, Vec<u64>);

/// One container.
fn body() -> impl Strategy<Value = Body> {
    // An odd multiplier permutes the 65,536 values, so this takes exactly `count` of them, scattered or in a row.
    let scattered = |count: u32, multiplier: u16, start: u16| -> Vec<u16> {
        let taken = |value: &u16| u32::from(value.wrapping_mul(multiplier | 1).wrapping_add(start)) < count;
        (0..=u16::MAX).filter(taken).collect()
    };
    let multiplier = || prop_oneof![Just(1), any::<u16>()];
    let array_len = prop_oneof![select(vec![1, 2, 4095, 4096]), 1..=4096_u32];
    let bitset_len = prop_oneof![select(vec![4097, 65_535, 65_536]), 4097..=65_536_u32];
    prop_oneof![
        3 => btree_set(edge16(), 1..40).prop_map(|values| Body::Array(values.into_iter().collect())),
        2 => (array_len, multiplier(), any::<u16>()).prop_map(move |(n, m, s)| Body::Array(scattered(n, m, s))),
        2 => (bitset_len, multiplier(), any::<u16>()).prop_map(move |(n, m, s)| Body::Bitset(scattered(n, m, s))),
        3 => runs().prop_map(Body::Run),
    ]
}

/// Values of 16 bits, edges preferred.
fn edge16() -> impl Strategy<Value = u16> {
    prop_oneof![1 => select(vec![0, 1, 63, 64, 4095, 4096, 32_767, 32_768, 65_534, 65_535]), 4 => any::<u16>()]
}

/// Runs with gaps of any size between them, none included; often the last one ends at 65,535.
fn runs() -> impl Strategy<Value = Vec<(u16, u16)>> {
    let gap = prop_oneof![Just(0_u16), Just(1), 0..9000_u16];
    let length = prop_oneof![Just(0_u16), Just(1), 0..9000_u16, Just(65_535)];
    vec((gap, length), 1..30).prop_map(|steps| {
        let (mut runs, mut next) = (Vec::new(), 0_u32);
        for (gap, length) in steps {
            let first = next + u32::from(gap);
            let Ok(first) = u16::try_from(first) else { break };
            let last = first.saturating_add(length);
            runs.push((first, last));
            next = u32::from(last) + 1;
        }
        if runs.is_empty() { vec![(65_535, 65_535)] } else { runs }
    })
}

/// A 32-bit bitmap.
pub(crate) fn any_bitmap32() -> impl Strategy<Value = Built> {
    let sparse = btree_map(edge16(), body(), 0..6).prop_map(|parts| parts.into_iter().collect::<Vec<_>>());
    let dense = (edge16(), vec(body(), 1..6))
        .prop_map(|(first, bodies)| (first..=u16::MAX).zip(bodies).collect::<Vec<(u16, Body)>>());
    (prop_oneof![sparse, dense], any::<bool>()).prop_map(|(containers, run_form)| {
        let positions = containers.iter().flat_map(|(key, body)| {
            let high = u64::from(*key) << 16;
            body.values().into_iter().map(move |low| high | u64::from(low))
        });
        (bitmap32(&containers, run_form), positions.collect())
    })
}

/// A 64-bit bitmap with keys up to `top`: sparse, or dense with empty buckets in between.
pub(crate) fn any_bitmap64(top: u32) -> impl Strategy<Value = Built> {
    let key =
        prop_oneof![select(vec![0, 1, 2, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, u32::MAX]), 0..20_u32, any::<u32>()];
    let bucket = prop_oneof![4 => any_bitmap32(), 1 => Just((bitmap32(&[], false), Vec::new()))];
    let sparse = btree_map(key.prop_map(move |key| key.min(top)), bucket, 0..4);
    (sparse, any::<bool>()).prop_map(|(mut buckets, dense)| {
        let last = buckets.keys().next_back().copied().unwrap_or(0);
        if dense && last < 100 {
            for key in 0..last {
                buckets.entry(key).or_insert_with(|| (bitmap32(&[], false), Vec::new()));
            }
        }
        let positions = buckets.iter().flat_map(|(key, (_, lows))| {
            let high = u64::from(*key) << 32;
            lows.iter().map(move |low| high | low)
        });
        let positions = positions.collect();
        (bitmap64(buckets.into_iter().map(|(key, (bitmap, _))| (key, bitmap)).collect()), positions)
    })
}
