//! Unions, intersections and differences: counted, iterated over and written, against sorted lists.

use std::collections::BTreeSet;

use proptest::prelude::*;
use puffin_codec::deletion_vector::Source;
use puffin_codec::roaring::{Bitmap64, SetOperation};

use crate::common::canonical::canonical_blob;
use crate::common::generate::{Built, any_bitmap64};
use crate::{config, encode};

/// Two sets that share keys: the second one is the first with some positions less and some of another one more, or is
/// apart from it.
fn any_two() -> impl Strategy<Value = (Built, Built)> {
    let related = (any_bitmap64(2), any_bitmap64(2));
    let apart = (any_bitmap64(0x7FFF_FFFE), any_bitmap64(0x7FFF_FFFE));
    prop_oneof![4 => related, 1 => apart]
}

fn check(operation: &SetOperation<'_>, expected: &[u64]) {
    assert_eq!(operation.cardinality(), expected.len() as u64);
    assert_eq!(operation.is_empty(), expected.is_empty());
    assert!(operation.iter().eq(expected.iter().copied()));
    let ranges: Vec<_> = operation.ranges().collect();
    assert!(ranges.iter().all(|range| !range.is_empty()));
    assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "ranges ascend and do not touch");
    assert!(ranges.into_iter().flatten().eq(expected.iter().copied()));
    let blob = encode(&mut [Source::operation(operation).unwrap()], false);
    assert!(blob == canonical_blob(expected, false).bytes());
}

fn check_all(a: &Bitmap64<'_>, b: &Bitmap64<'_>) {
    let (x, y): (BTreeSet<u64>, BTreeSet<u64>) = (a.iter().collect(), b.iter().collect());
    let list = |positions: &mut dyn Iterator<Item = &u64>| positions.copied().collect::<Vec<u64>>();
    let (union, common) = (list(&mut x.union(&y)), list(&mut x.intersection(&y)));
    check(&a.union(b), &union);
    check(&a.intersection(b), &common);
    check(&a.difference(b), &list(&mut x.difference(&y)));
    check(&b.difference(a), &list(&mut y.difference(&x)));
    assert_eq!(a.union_cardinality(b), union.len() as u64);
    assert_eq!(a.intersection_cardinality(b), common.len() as u64);
    assert_eq!((a.is_subset(b), b.is_subset(a)), (x.is_subset(&y), y.is_subset(&x)));
    assert_eq!((a.is_disjoint(b), b.is_disjoint(a)), (x.is_disjoint(&y), x.is_disjoint(&y)));
    // An operation beside other sources.
    let mut sources = [Source::operation(&a.difference(b)).unwrap(), Source::bitmap(b).unwrap()];
    assert!(encode(&mut sources, false) == canonical_blob(&union, false).bytes());
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn operations_answer_as_sets_do(((a, _), (b, _)) in any_two()) {
        check_all(&Bitmap64::parse(a.bytes()).unwrap(), &Bitmap64::parse(b.bytes()).unwrap());
        check_all(&Bitmap64::parse_trusted(a.bytes()).unwrap(), &Bitmap64::parse(b.bytes()).unwrap());
    }

    #[test]
    fn a_set_and_its_parts((a, positions) in any_bitmap64(2), keep: u8, seed: u64) {
        // Every few positions, or all but these, are a subset, and what is left is disjoint from it.
        let part: Vec<u64> = positions.iter().copied().enumerate()
            .filter(|(index, position)| !(*index as u64 ^ position >> 5 ^ seed).is_multiple_of(2 + u64::from(keep)))
            .map(|(_, position)| position)
            .collect();
        let bytes = encode(&mut [Source::positions(&part).unwrap()], false);
        let part = Bitmap64::parse(&bytes[8..bytes.len() - 4]).unwrap();
        let all = Bitmap64::parse(a.bytes()).unwrap();
        prop_assert!(part.is_subset(&all));
        prop_assert_eq!(all.is_subset(&part), part.cardinality() == all.cardinality());
        check_all(&all, &part);
    }
}

#[test]
fn one_run_of_everything_is_never_walked_row_by_row() {
    let whole = encode(&mut [Source::ranges(std::slice::from_ref(&(0..1 << 33))).unwrap()], false);
    let almost = encode(&mut [Source::ranges(&[0..1 << 32, (1 << 32) + 1..1 << 33]).unwrap()], false);
    let [whole, almost] = [&whole, &almost].map(|blob| Bitmap64::parse(&blob[8..blob.len() - 4]).unwrap());
    assert_eq!(whole.difference(&almost).iter().collect::<Vec<_>>(), [1 << 32]);
    assert!(almost.difference(&whole).ranges().next().is_none());
    assert!(whole.union(&almost).ranges().eq(std::iter::once(0..1 << 33)));
    assert_eq!(whole.intersection(&almost).cardinality(), (1 << 33) - 1);
    assert!(almost.is_subset(&whole) && !whole.is_subset(&almost));
}
