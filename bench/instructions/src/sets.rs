//! The vectors that the questions are asked of: always the same bytes.
//!
//! | set | rows | containers |
//! |---|---|---|
//! | tiny | 1,000 | 1 array of 94 |
//! | sparse | 1 M | 16 arrays, 1 % deleted |
//! | dense | 1 M | 16 bitsets, half deleted |
//! | ranges | 1 M | 16 of 18 runs |
//! | mixed | 3 M | 48, the three kinds in random order |
//! | gaps | 12.6 M | a third of 192, arrays |
//! | far | 64 M | 32 arrays of one value, 2 M rows apart |
//!
//! They are like those of `compare`, and smaller: counts do not need long runs. No library writes them, so that no new
//! version of one changes what is counted.

use crate::builder::{Body, bitmap32, bitmap64};
use crate::envelope::vector;
use crate::random::Random;

/// Probes of a set.
const PROBES: usize = 1024;

/// Rows from one deleted row of the set `far` to the next.
pub(crate) const FAR: u64 = 32 << 16;

/// Rows of the windows between two of those, in which nothing is deleted.
pub(crate) const WINDOWS: [usize; 3] = [2048, 65_536, 1_048_576];

/// A serialized deletion vector, with what is asked of it.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) rows: u64,
    pub(crate) cardinality: u64,
    /// Half of them deleted, half anywhere, in random order.
    pub(crate) probes: Vec<u64>,
    pub(crate) sorted_probes: Vec<u64>,
    /// One byte, then the framed blob: at an odd address, as in a file.
    bytes: Vec<u8>,
}

impl Set {
    fn new(name: &'static str, rows: u64, containers: &[(u16, Body)], random: &mut Random) -> Self {
        let blob = vector(bitmap64(vec![(0, bitmap32(containers, false))]));
        let of_container = |(key, body): &(u16, Body)| {
            let base = u64::from(*key) << 16;
            body.values().into_iter().map(move |low| base | u64::from(low))
        };
        let positions: Vec<u64> = containers.iter().flat_map(of_container).collect();
        let mut probe = |number: usize| match number % 2 {
            0 => positions[usize::try_from(random.below(positions.len() as u64)).unwrap()],
            _ => random.below(rows),
        };
        let probes: Vec<u64> = (0..PROBES).map(&mut probe).collect();
        let mut sorted_probes = probes.clone();
        sorted_probes.sort_unstable();
        let bytes = [&[0], blob.bytes()].concat();
        Self { name, rows, cardinality: positions.len() as u64, probes, sorted_probes, bytes }
    }

    /// The framed blob.
    pub(crate) fn blob(&self) -> &[u8] {
        &self.bytes[1..]
    }
}

/// Makes every set.
pub(crate) fn all() -> Vec<Set> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let random = &mut random;
    let tiny = [(0, array(random, 94, 1000))];
    let sparse: Vec<_> = (0..16).map(|key| (key, array(random, 655, 1 << 16))).collect();
    let dense: Vec<_> = (0..16).map(|key| (key, bitset(random))).collect();
    let ranges: Vec<_> = (0..16).map(|key| (key, runs(random, 18))).collect();
    let any = |random: &mut Random| match random.below(3) {
        0 => array(random, 700, 1 << 16),
        1 => bitset(random),
        _ => runs(random, 30),
    };
    let mixed: Vec<_> = (0..48).map(|key| (key, any(random))).collect();
    let keys: Vec<u16> = (0..192).filter(|_| random.below(3) == 0).collect();
    let gaps: Vec<_> = keys.into_iter().map(|key| (key, array(random, 500, 1 << 16))).collect();
    let far: Vec<_> = (0..32).map(|number| (number * 32, Body::Array(vec![7]))).collect();
    vec![
        Set::new("tiny", 1000, &tiny, random),
        Set::new("sparse", 16 << 16, &sparse, random),
        Set::new("dense", 16 << 16, &dense, random),
        Set::new("ranges", 16 << 16, &ranges, random),
        Set::new("mixed", 48 << 16, &mixed, random),
        Set::new("gaps", 192 << 16, &gaps, random),
        Set::new("far", 32 * FAR, &far, random),
    ]
}

/// `count` distinct values below `span`.
fn array(random: &mut Random, count: usize, span: u64) -> Body {
    let mut values = std::collections::BTreeSet::new();
    while values.len() < count {
        values.insert(low(random, span));
    }
    Body::Array(values.into_iter().collect())
}

/// Every other value on average.
fn bitset(random: &mut Random) -> Body {
    Body::Bitset((0..=u16::MAX).filter(|_| random.next() >> 63 == 1).collect())
}

/// `count` runs, one somewhere in each slot of equal size.
fn runs(random: &mut Random, count: u64) -> Body {
    let slot = (1 << 16) / count;
    let run = |number: u64| {
        let start = number * slot + random.below(slot / 2);
        let last = start + random.below(slot / 3);
        (u16::try_from(start).unwrap(), u16::try_from(last).unwrap())
    };
    Body::Run((0..count).map(run).collect())
}

/// A value of a container, below `bound`.
fn low(random: &mut Random, bound: u64) -> u16 {
    u16::try_from(random.below(bound)).unwrap()
}
