//! Every query, asked around every edge, against the sorted list.

use std::fmt::Debug;
use std::ops::{Bound, RangeBounds};

use puffin_codec::roaring::Bitmap64;

use crate::common::set::{Cursor, PositionSet};

/// Asks everything. `positions` ascend; `seed` picks some of the places to look at.
pub(crate) fn check<S: PositionSet>(set: &S, positions: &[u64], seed: u64) {
    let count = positions.len() as u64;
    assert_eq!((set.cardinality(), set.is_empty()), (count, positions.is_empty()));
    assert_eq!((set.min(), set.max()), (positions.first().copied(), positions.last().copied()));
    assert!(set.iter().eq(positions.iter().copied()), "iter");
    assert!(set.iter_rev().eq(positions.iter().rev().copied()), "iter_rev");
    let mut folded = Vec::with_capacity(positions.len());
    set.iter().for_each(|position| folded.push(position));
    assert!(folded == positions, "fold");

    let probes = probes::<S>(positions, seed);
    for &probe in &probes {
        let index = positions.partition_point(|&position| position < probe);
        let found = positions.get(index) == Some(&probe);
        assert_eq!(set.contains(probe), found, "contains {probe}");
        assert_eq!(set.rank(probe), index as u64 + u64::from(found), "rank of {probe}");
        let from = set.iter_from(probe);
        assert!(from.take(70).eq(positions[index..].iter().take(70).copied()), "iter_from {probe}");
        check_rest(set.iter_from(probe), &positions[index..], seed);
    }
    for pair in probes.windows(2).chain(probes.windows(7)) {
        let (first, last) = (pair[0], pair[pair.len() - 1]);
        let inside = within(positions, first, last);
        assert_eq!(set.count(first, last), inside, "count of {first}..={last}");
        assert_eq!(set.contains_range(first, last), inside == last - first + 1, "contains_range {first}..={last}");
    }
    for index in [0, 1, count / 3, count / 2, count.saturating_sub(1), count, count + 1, u64::MAX] {
        let expected = usize::try_from(index).ok().and_then(|index| positions.get(index).copied());
        assert_eq!(set.select(index), expected, "select {index}");
    }
    walk(set, positions, &probes);
}

/// Places worth a look: the edges of the type, of containers and of the set, some members, and their neighbours.
/// Ascending.
fn probes<S: PositionSet>(positions: &[u64], seed: u64) -> Vec<u64> {
    let mut probes = vec![0, 65_535, 65_536, 1 << 31, u64::from(u32::MAX), S::TOP, S::TOP / 2, seed.min(S::TOP)];
    if S::TOP > 1 << 32 {
        probes.extend([1 << 32, (1 << 32) + 65_536, i64::MAX as u64]);
    }
    let step = positions.len() / 12 + 1;
    probes.extend(positions.iter().skip(usize::try_from(seed % step as u64).unwrap()).step_by(step));
    probes.extend(positions.first().into_iter().chain(positions.last()));
    let edges: Vec<u64> = probes.iter().step_by(2).map(|probe| probe & !0xFFFF).collect();
    probes.extend(edges);
    let near: Vec<u64> = probes.iter().flat_map(|&p| [p.saturating_sub(1), p.saturating_add(1)]).collect();
    probes.extend(near.into_iter().filter(|&probe| probe <= S::TOP));
    probes.sort_unstable();
    probes.dedup();
    probes
}

/// How many positions are in an inclusive range.
fn within(positions: &[u64], first: u64, last: u64) -> u64 {
    let below = |bound: u64| positions.partition_point(|&position| position < bound) as u64;
    let through = positions.partition_point(|&position| position <= last) as u64;
    through - below(first)
}

/// The ways to use up a started iterator: counted, hinted, skipped.
fn check_rest(mut rest: impl Cursor, positions: &[u64], seed: u64) {
    let (least, most) = rest.size_hint();
    assert!(least <= positions.len() && most.is_none_or(|most| most >= positions.len()), "size hint");
    let skip = usize::try_from(seed % (positions.len() as u64 + 2)).unwrap();
    assert_eq!(rest.nth(skip), positions.get(skip).copied(), "nth {skip}");
    let after = positions.get(skip + 1..).unwrap_or_default();
    assert_eq!(rest.peek(), after.first().copied(), "peek after nth");
    assert_eq!(rest.count(), after.len(), "count after nth");
}

/// One iterator sent from probe to probe, now and then back, taking a step at each.
fn walk(set: &impl PositionSet, positions: &[u64], probes: &[u64]) {
    let (mut cursor, mut floor) = (set.iter(), 0);
    for (number, &probe) in probes.iter().enumerate() {
        for target in [probe, probe / 2] {
            cursor.advance_to(target);
            floor = floor.max(positions.partition_point(|&position| position < target));
            assert_eq!(cursor.peek(), positions.get(floor).copied(), "advance_to {target}");
        }
        if number % 3 == 0 {
            assert_eq!(cursor.next(), positions.get(floor).copied(), "next after advance_to {probe}");
            floor = (floor + 1).min(positions.len());
        }
    }
}

/// Ranges of every form.
pub(crate) fn check_ranges(set: &Bitmap64<'_>, positions: &[u64], seed: u64) {
    let probes = probes::<Bitmap64<'_>>(positions, seed);
    for pair in probes.windows(5) {
        let (first, last) = (pair[0], pair[4]);
        check_range(set, positions, first..last);
        check_range(set, positions, first..=last);
        check_range(set, positions, ..last);
        check_range(set, positions, ..=last);
        check_range(set, positions, first..);
        check_range(set, positions, last..first);
        check_range(set, positions, first..first);
    }
    check_range(set, positions, ..);
}

fn check_range(set: &Bitmap64<'_>, positions: &[u64], range: impl RangeBounds<u64> + Clone + Debug) {
    let first = match range.start_bound() {
        Bound::Included(&first) => u128::from(first),
        _ => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => u128::from(last) + 1,
        Bound::Excluded(&end) => u128::from(end),
        Bound::Unbounded => 1 << 64,
    };
    let below = |bound: u128| positions.partition_point(|&position| u128::from(position) < bound);
    let inside = below(end).saturating_sub(below(first)) as u64;
    assert_eq!(set.count(range.clone()), inside, "count of {range:?}");
    // No position of an empty range is missing.
    let full = u128::from(inside) == end.saturating_sub(first);
    assert_eq!(set.contains_range(range.clone()), full, "contains_range {range:?}");
}
