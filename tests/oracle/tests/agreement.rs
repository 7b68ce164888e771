//! The same serialized bytes in `puffin-codec`, `roaring` and `croaring`: the same values for everything they accept,
//! and the same verdict but for differences that are listed and argued here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "../../common"]
mod common {
    pub(crate) mod builder;
    pub(crate) mod generate;
}

use croaring::{Bitmap, Portable, Treemap};
use proptest::prelude::*;
use proptest::sample::Index;
use puffin_codec::roaring::{Bitmap32, Bitmap64, Container};
use puffin_codec::{Error, ErrorKind};
use roaring::{RoaringBitmap, RoaringTreemap};

use common::generate::{any_bitmap32, any_bitmap64};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() }
}

/// Changes to make to some bytes: where, and to what.
fn changes() -> impl Strategy<Value = Vec<(Index, u8)>> {
    let value = prop_oneof![Just(0_u8), Just(1), Just(0xFF), any::<u8>()];
    proptest::collection::vec((any::<Index>(), value), 1..4)
}

/// Applies changes, half of them to the headers at the front, and cuts the bytes now and then.
fn change(bytes: &[u8], changes: &[(Index, u8)], cut: Option<Index>) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (number, (index, value)) in changes.iter().enumerate() {
        let reach = if number % 2 == 0 { bytes.len().min(64) } else { bytes.len() };
        bytes[index.index(reach)] = *value;
    }
    bytes.truncate(cut.map_or(bytes.len(), |cut| cut.index(bytes.len() + 1)));
    bytes
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn values_of_32_bits((built, positions) in any_bitmap32()) {
        let ours = Bitmap32::parse(built.bytes()).unwrap();
        compare32(&ours, built.bytes(), built.bytes().len())?;
        prop_assert!(ours.iter().map(u64::from).eq(positions));
    }

    #[test]
    fn values_of_64_bits((built, positions) in any_bitmap64(u32::MAX)) {
        let ours = Bitmap64::parse(built.bytes()).unwrap();
        compare64(&ours, built.bytes(), built.bytes().len())?;
        prop_assert!(ours.iter().eq(positions));
    }

    #[test]
    fn verdicts_of_32_bits((built, _) in any_bitmap32(), changes in changes(), cut in any::<Option<Index>>()) {
        let bytes = change(built.bytes(), &changes, cut);
        match Bitmap32::parse_prefix(&bytes) {
            Ok((ours, used)) => compare32(&ours, &bytes, used)?,
            Err(error) => {
                let stricter = only_we_refuse(error, &bytes);
                prop_assert!(stricter || RoaringBitmap::deserialize_from(&bytes[..]).is_err(), "roaring: {}", error);
                prop_assert!(stricter || Bitmap::try_deserialize::<Portable>(&bytes).is_none(), "croaring: {}", error);
            }
        }
    }

    #[test]
    fn verdicts_of_64_bits((built, _) in any_bitmap64(u32::MAX), changes in changes(), cut in any::<Option<Index>>()) {
        let bytes = change(built.bytes(), &changes, cut);
        match Bitmap64::parse_prefix(&bytes) {
            Ok((ours, used)) => compare64(&ours, &bytes, used)?,
            Err(error) => {
                // Buckets out of order, or twice, are no order at all to both: the last one wins.
                let stricter = only_we_refuse(error, &bytes) || error.kind() == ErrorKind::KeyOrder;
                prop_assert!(stricter || RoaringTreemap::deserialize_from(&bytes[..]).is_err(), "roaring: {}", error);
                prop_assert!(stricter || Treemap::try_deserialize::<Portable>(&bytes).is_none(), "croaring: {}", error);
            }
        }
    }
}

/// Whether the others are known to read what we refuse with this error.
fn only_we_refuse(error: Error, bytes: &[u8]) -> bool {
    match error.kind() {
        // They never look at the offset header; who does would read something else.
        ErrorKind::OffsetMismatch => true,
        // They ignore the cardinality that the header declares for a run container, and sum the runs.
        ErrorKind::CardinalityMismatch => true,
        _ => bytes.is_empty(),
    }
}

/// Whether a bitmap has runs that touch. The format allows them; the others take it that a writer would have joined
/// them.
fn has_touching_runs(bitmap: &Bitmap32<'_>) -> bool {
    bitmap.containers().any(|(_, container)| match container {
        Container::Run(run) => run.runs().windows(2).any(|pair| {
            let [start, length] = pair[0].map(|half| u32::from(half.get()));
            start + length + 1 == u32::from(pair[1][0].get())
        }),
        _ => false,
    })
}

/// Compares with what the others read from bytes that we accept.
fn compare32(ours: &Bitmap32<'_>, bytes: &[u8], used: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(ours.bytes().len(), used);
    let mut rest = bytes;
    let rust = RoaringBitmap::deserialize_from(&mut rest);
    let c = Bitmap::try_deserialize::<Portable>(bytes);
    if has_touching_runs(ours) {
        prop_assert!(rust.is_err() && c.is_none(), "touching runs: the others have come to accept them");
        return Ok(());
    }
    let (rust, c) = (rust.unwrap(), c.unwrap());
    prop_assert_eq!(bytes.len() - rest.len(), used);
    prop_assert!(rust.iter().eq(ours.iter()) && c.iter().eq(ours.iter()), "values");
    prop_assert!(rust.iter().rev().eq(ours.iter_rev()), "values backwards");
    prop_assert_eq!((rust.len(), c.cardinality()), (ours.cardinality(), ours.cardinality()));
    prop_assert_eq!((rust.min(), c.maximum()), (ours.min(), ours.max()));
    for value in probes(ours.iter().map(u64::from)) {
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        prop_assert_eq!((rust.contains(value), c.contains(value)), (ours.contains(value), ours.contains(value)));
        prop_assert_eq!((rust.rank(value), c.rank(value)), (ours.rank(value), ours.rank(value)));
        let (place, low) = (ours.rank(value), value / 2);
        let index = u32::try_from(place).unwrap_or(u32::MAX);
        prop_assert_eq!((rust.select(index), c.select(index)), (ours.select(place), ours.select(place)));
        prop_assert_eq!(rust.range_cardinality(low..value), ours.count(low..value));
        prop_assert_eq!(c.range_cardinality(low..=value), ours.count(low..=value));
        prop_assert_eq!(rust.contains_range(low..=value), ours.contains_range(low..=value));
    }
    Ok(())
}

/// The same for 64 bits.
fn compare64(ours: &Bitmap64<'_>, bytes: &[u8], used: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(ours.bytes().len(), used);
    let rust = RoaringTreemap::deserialize_from(bytes);
    let c = Treemap::try_deserialize::<Portable>(bytes);
    if ours.buckets().any(|(_, bitmap)| has_touching_runs(&bitmap)) {
        prop_assert!(rust.is_err() && c.is_none(), "touching runs: the others have come to accept them");
        return Ok(());
    }
    let (rust, c) = (rust.unwrap(), c.unwrap());
    prop_assert!(rust.iter().eq(ours.iter()) && c.iter().eq(ours.iter()), "values");
    prop_assert_eq!((rust.len(), c.cardinality()), (ours.cardinality(), ours.cardinality()));
    prop_assert_eq!((rust.min(), rust.max()), (ours.min(), ours.max()));
    for position in probes(ours.iter()) {
        let held = ours.contains(position);
        prop_assert_eq!((rust.contains(position), c.contains(position)), (held, held));
        let rank = ours.rank(position);
        prop_assert_eq!((rust.rank(position), c.rank(position)), (rank, rank));
        prop_assert_eq!((rust.select(rank), c.select(rank)), (ours.select(rank), ours.select(rank)));
    }
    Ok(())
}

/// Some members, their neighbours, and the edges.
fn probes(positions: impl Iterator<Item = u64> + Clone) -> Vec<u64> {
    let step = positions.clone().count() / 20 + 1;
    let near = |position: u64| [position.saturating_sub(1), position, position.saturating_add(1)];
    let edges = [0, 65_535, 65_536, 1 << 31, u64::from(u32::MAX), 1 << 32, i64::MAX as u64, u64::MAX];
    positions.step_by(step).flat_map(near).chain(edges).collect()
}
