//! How a caller of a peer makes masks: by iterating, by bulk reads of values or ranges, or from a flat bitset.
//!
//! Each of these is written as well as we can, since it is what this crate is measured against. Buffers belong to the
//! caller, so that a pass over a small set does not pay for clearing them.

use crate::contest::Digest;
use crate::data::windows;

/// Rows of a batch.
pub const BATCH: u64 = 2048;
/// Words of a batch's mask.
pub const WORDS: usize = 32;

/// Calls `fill(first row, end, words)` for each batch of `rows`, and then `take(rows of the batch, words)`.
#[inline]
pub fn batches(
    rows: u64,
    mut take: impl FnMut(usize, &[u64; WORDS]),
    mut fill: impl FnMut(u64, u64, &mut [u64; WORDS]),
) {
    let mut words = [0_u64; WORDS];
    for batch in windows(rows, BATCH) {
        fill(batch.start, batch.end, &mut words);
        take((batch.end - batch.start) as usize, &words);
    }
}

/// Hands the words of each batch to `digest` as they are.
#[inline]
pub fn whole(digest: &mut Digest) -> impl FnMut(usize, &[u64; WORDS]) {
    |rows, words| digest.outputs(&words[..rows.div_ceil(64)])
}

/// Masks from an iterator over all positions.
#[inline]
pub fn by_iterator(rows: u64, mut positions: impl Iterator<Item = u64>, take: impl FnMut(usize, &[u64; WORDS])) {
    let mut next = positions.next();
    batches(rows, take, |first, end, words| {
        words.fill(0);
        while let Some(position) = next.filter(|position| *position < end) {
            let offset = position - first;
            words[(offset >> 6) as usize & (WORDS - 1)] |= 1 << (offset & 63);
            next = positions.next();
        }
    });
}

/// Masks from bulk reads of values. `read` fills the buffer and returns how many; 0 at the end.
#[inline]
pub fn by_values<T: Copy + Into<u64>>(
    rows: u64,
    buffer: &mut [T],
    mut read: impl FnMut(&mut [T]) -> usize,
    take: impl FnMut(usize, &[u64; WORDS]),
) {
    let (mut at, mut len) = (0, read(buffer));
    batches(rows, take, |first, end, words| {
        words.fill(0);
        while at < len {
            let left = &buffer[at..len];
            let mut used = 0;
            for value in left {
                let position: u64 = (*value).into();
                if position >= end {
                    break;
                }
                let offset = position - first;
                words[(offset >> 6) as usize & (WORDS - 1)] |= 1 << (offset & 63);
                used += 1;
            }
            at += used;
            if at < len {
                return;
            }
            (at, len) = (0, read(buffer));
        }
    });
}

/// Masks from bulk reads of ranges. `next` returns the next range, both ends included.
#[inline]
pub fn by_ranges(rows: u64, mut next: impl FnMut() -> Option<(u64, u64)>, take: impl FnMut(usize, &[u64; WORDS])) {
    let mut range = next();
    batches(rows, take, |first, end, words| {
        words.fill(0);
        while let Some((start, last)) = range {
            if start >= end {
                return;
            }
            set(words, start.max(first) - first, last.min(end - 1) - first);
            if last >= end {
                return;
            }
            range = next();
        }
    });
}

/// Masks copied from a flat bitset that may end early.
#[inline]
pub fn by_flat(rows: u64, flat: &[u64], take: impl FnMut(usize, &[u64; WORDS])) {
    batches(rows, take, |first, _, words| {
        let from = flat.len().min((first >> 6) as usize);
        let part = &flat[from..flat.len().min(from + WORDS)];
        match <&[u64; WORDS]>::try_from(part) {
            Ok(whole) => *words = *whole,
            Err(_) => {
                words[..part.len()].copy_from_slice(part);
                words[part.len()..].fill(0);
            }
        }
    });
}

/// Sets the bits from `start` to `last`, both included.
#[inline]
fn set(words: &mut [u64; WORDS], start: u64, last: u64) {
    let (from, to) = ((start >> 6) as usize & (WORDS - 1), (last >> 6) as usize & (WORDS - 1));
    let (head, tail) = (u64::MAX << (start & 63), u64::MAX >> (63 - (last & 63)));
    if from == to {
        words[from] |= head & tail;
        return;
    }
    words[from] |= head;
    if from < to {
        words[from + 1..to].fill(u64::MAX);
    }
    words[to] |= tail;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_same_masks() {
        let ranges = [(3_u64, 3), (60, 70), (127, 128), (2040, 2050), (4000, 8191), (8193, 8193)];
        let values: Vec<u64> = ranges.iter().flat_map(|(start, last)| *start..=*last).collect();
        for rows in [8194, 8200, 9000, 20_000] {
            let mut masks = [const { Vec::new() }; 4];
            let [by_iter, by_value, by_range, flatly] = &mut masks;
            by_iterator(rows, values.iter().copied(), |rows, words| by_iter.push((rows, *words)));
            let mut left = values.chunks(37);
            let read = |buffer: &mut [u64]| {
                left.next().map_or(0, |chunk| {
                    buffer[..chunk.len()].copy_from_slice(chunk);
                    chunk.len()
                })
            };
            by_values(rows, &mut [0; 37], read, |rows, words| by_value.push((rows, *words)));
            let mut left = ranges.iter().copied();
            by_ranges(rows, || left.next(), |rows, words| by_range.push((rows, *words)));
            let mut flat = vec![0_u64; 129];
            values.iter().for_each(|value| flat[(value >> 6) as usize] |= 1 << (value & 63));
            by_flat(rows, &flat, |rows, words| flatly.push((rows, *words)));
            assert!(masks.iter().all(|made| *made == masks[0]));
        }
    }
}
