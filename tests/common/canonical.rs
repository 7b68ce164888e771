//! A naive writer of the one canonical form of a set: what the encoder has to equal, byte for byte.

use std::collections::BTreeMap;

use super::builder::{Body, Bytes, bitmap32, bitmap64};
use super::envelope::vector;

/// The smallest container: runs only where they are strictly smaller.
fn body(lows: Vec<u16>) -> Body {
    let runs: Vec<(u16, u16)> =
        lows.chunk_by(|a, b| u32::from(*a) + 1 == u32::from(*b)).map(|run| (run[0], run[run.len() - 1])).collect();
    let plain = if lows.len() > 4096 { 8192 } else { 2 * lows.len() };
    if 2 + 4 * runs.len() < plain {
        Body::Run(runs)
    } else if lows.len() > 4096 {
        Body::Bitset(lows)
    } else {
        Body::Array(lows)
    }
}

/// The bitmap of ascending positions.
pub(crate) fn canonical_bitmap(positions: &[u64], dense_keys: bool) -> Bytes {
    let mut buckets: BTreeMap<u32, Bytes> = BTreeMap::new();
    for bucket in positions.chunk_by(|a, b| a >> 32 == b >> 32) {
        let containers: Vec<(u16, Body)> = bucket
            .chunk_by(|a, b| a >> 16 == b >> 16)
            .map(|chunk| {
                let lows = chunk.iter().map(|position| u16::try_from(position & 0xFFFF).unwrap()).collect();
                (u16::try_from(chunk[0] >> 16 & 0xFFFF).unwrap(), body(lows))
            })
            .collect();
        let run_form = containers.iter().any(|(_, body)| matches!(body, Body::Run(_)));
        buckets.insert(u32::try_from(bucket[0] >> 32).unwrap(), bitmap32(&containers, run_form));
    }
    if dense_keys && let Some(last) = buckets.keys().next_back().copied() {
        for key in 0..last {
            buckets.entry(key).or_insert_with(|| bitmap32(&[], false));
        }
    }
    bitmap64(buckets.into_iter().collect())
}

/// The blob of ascending positions.
pub(crate) fn canonical_blob(positions: &[u64], dense_keys: bool) -> Bytes {
    vector(canonical_bitmap(positions, dense_keys))
}
