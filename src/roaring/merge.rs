//! Merging two ascending lists: of array values, and of runs.
//!
//! Which list the next element comes from is a coin toss, and a branch on it is mispredicted every other time. So there
//! is none: 17 ns a run became 7.6, and with vectors of eight a value takes 0.9 ns instead of 4.

use core::hint::select_unpredictable;

use zerocopy::little_endian::U16;

use crate::roaring::combine::{Block, as_runs, as_values};
use crate::roaring::run::bounds;
use crate::roaring::{Container, RunContainer, high16, low16};

/// Values from which two places of the lists are merged in turn.
const LONG: usize = 64;

/// Merges two arrays, which fit the block together. Returns how many values there are.
pub(super) fn merge_values(a: &[U16], b: &[U16], block: &mut Block) -> usize {
    let out = as_values(block);
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if let Some(len) = vectors::merge(a, b, out) {
        return len;
    }
    if a.len().min(b.len()) < LONG { merge(a, b, out) } else { merge_halves(a, b, out) }
}

/// Merges two arrays at two places at once: the steps at one need not wait for those at the other.
fn merge_halves(a: &[U16], b: &[U16], out: &mut [U16]) -> usize {
    let (a_low, a_high) = a.split_at_checked(a.len() / 2).unwrap_or_default();
    let middle = a_high.first().map_or(0, |value| value.get());
    let split = b.partition_point(|value| value.get() < middle);
    let (b_low, b_high) = b.split_at_checked(split).unwrap_or_default();
    let start = a_low.len().saturating_add(b_low.len());
    let Some((out_low, out_high)) = out.split_at_mut_checked(start) else { return 0 };
    let (mut low, mut high) = (Merge::new(a_low, b_low), Merge::new(a_high, b_high));
    // So many steps at a time as no list can end in.
    loop {
        let sure = low.sure().min(high.sure());
        if sure < 4 {
            break;
        }
        for _ in 0..sure {
            low.step(out_low);
            high.step(out_high);
        }
    }
    let (low_len, high_len) = (low.finish(out_low), high.finish(out_high));
    if low_len < start {
        out.copy_within(start..start.saturating_add(high_len), low_len);
    }
    low_len.saturating_add(high_len)
}

/// Merges two arrays value by value.
fn merge(a: &[U16], b: &[U16], out: &mut [U16]) -> usize {
    let mut merge = Merge::new(a, b);
    while merge.step(out) {}
    merge.finish(out)
}

/// How far two arrays have been merged.
struct Merge<'v> {
    a: &'v [U16],
    b: &'v [U16],
    i: usize,
    j: usize,
    filled: usize,
}

impl<'v> Merge<'v> {
    const fn new(a: &'v [U16], b: &'v [U16]) -> Self {
        Self { a, b, i: 0, j: 0, filled: 0 }
    }

    /// Returns how many steps there are at least until one of the arrays ends.
    fn sure(&self) -> usize {
        self.a.len().saturating_sub(self.i).min(self.b.len().saturating_sub(self.j))
    }

    /// Writes the next value. Returns whether there was one in both arrays.
    #[inline(always)]
    fn step(&mut self, out: &mut [U16]) -> bool {
        let (Some(x), Some(y), Some(to)) = (self.a.get(self.i), self.b.get(self.j), out.get_mut(self.filled)) else {
            return false;
        };
        let (x, y) = (x.get(), y.get());
        *to = U16::new(x.min(y));
        self.i = self.i.wrapping_add(usize::from(x <= y));
        self.j = self.j.wrapping_add(usize::from(y <= x));
        self.filled = self.filled.wrapping_add(1);
        true
    }

    /// Writes what is left. Returns how many values there are in all.
    fn finish(mut self, out: &mut [U16]) -> usize {
        while self.step(out) {}
        for rest in [self.a.get(self.i..), self.b.get(self.j..)].into_iter().flatten() {
            if let Some(to) = out.get_mut(self.filled..self.filled.saturating_add(rest.len())) {
                to.copy_from_slice(rest);
                self.filled = self.filled.saturating_add(rest.len());
            }
        }
        self.filled
    }
}

/// The values of an array or of runs as runs, which need not be maximal.
#[derive(Clone, Copy)]
pub(super) enum Runs<'a> {
    Values(&'a [U16]),
    Runs(&'a [[U16; 2]]),
}

impl<'a> Runs<'a> {
    /// The runs of a container, unless it is a bitset.
    pub(super) fn of(container: &Container<'a>) -> Option<Self> {
        match container {
            Container::Array(array) => Some(Self::Values(array.values())),
            Container::Run(run) => Some(Self::Runs(run.runs())),
            Container::Bitset(_) => None,
        }
    }

    /// Returns how many there are.
    pub(super) const fn count(self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Runs(runs) => runs.len(),
        }
    }
}

/// Merges the runs of two containers, which fit the block together.
pub(super) fn merge_runs<'b>(a: Runs<'_>, b: Runs<'_>, block: &'b mut Block) -> Container<'b> {
    use self::Runs::{Runs, Values};
    match (a, b) {
        (Values(a), Values(b)) => merge_packed(a, b, pack_value, pack_value, block),
        (Values(values), Runs(runs)) | (Runs(runs), Values(values)) => {
            merge_packed(values, runs, pack_value, pack_run, block)
        }
        (Runs(a), Runs(b)) => merge_packed(a, b, pack_run, pack_run, block),
    }
}

/// A run as one number, in the order of first values: those above, and what the length is more than one below.
#[inline(always)]
fn pack_run([start, less_one]: &[U16; 2]) -> u32 {
    u32::from(start.get()) << 16 | u32::from(less_one.get())
}

#[inline(always)]
fn pack_value(value: &U16) -> u32 {
    u32::from(value.get()) << 16
}

/// Puts all runs in order, then joins those that overlap or touch: two loops, each with less to wait for than one.
#[inline(always)]
fn merge_packed<'b, A, B>(
    a: &[A],
    b: &[B],
    pack_a: impl Fn(&A) -> u32,
    pack_b: impl Fn(&B) -> u32,
    block: &'b mut Block,
) -> Container<'b> {
    let count = a.len().saturating_add(b.len());
    let out = as_runs(block).get_mut(..count).unwrap_or_default();
    let (mut i, mut filled) = (0_usize, 0_usize);
    // Of `filled` runs those that are not from `a` are from `b`.
    while let (Some(x), Some(y), Some(to)) = (a.get(i), b.get(filled.wrapping_sub(i)), out.get_mut(filled)) {
        let (x, y) = (pack_a(x), pack_b(y));
        let run = x.min(y);
        *to = [U16::new(high16(run)), U16::new(low16(run))];
        i = i.wrapping_add(usize::from(x <= y));
        filled = filled.wrapping_add(1);
    }
    let a_rest = a.get(i..).unwrap_or_default().iter().map(pack_a);
    let b_rest = b.get(filled.wrapping_sub(i)..).unwrap_or_default().iter().map(pack_b);
    for (to, run) in out.get_mut(filled..).unwrap_or_default().iter_mut().zip(a_rest.chain(b_rest)) {
        *to = [U16::new(high16(run)), U16::new(low16(run))];
    }
    join(block, count)
}

/// Joins those of the first `count` runs of the block, which are in the order of their first values, that overlap or
/// touch.
fn join(block: &mut Block, count: usize) -> Container<'_> {
    let runs = as_runs(block);
    let Some([first, _]) = runs.first().filter(|_| count > 0) else { return Container::EMPTY };
    // The run that may still grow is number `open`.
    let (mut open, mut start, mut end) = (0_usize, u32::from(first.get()), u32::from(first.get()));
    for index in 0..count {
        let Some(run) = runs.get(index) else { break };
        let (first, last) = bounds(run);
        let apart = u32::from(first) > end.wrapping_add(1);
        open = open.wrapping_add(usize::from(apart));
        start = select_unpredictable(apart, u32::from(first), start);
        end = end.max(u32::from(last));
        if let Some(to) = runs.get_mut(open) {
            *to = [U16::new(low16(start)), U16::new(low16(end.wrapping_sub(start)))];
        }
    }
    let joined = as_runs(block).get(..=open).unwrap_or_default();
    let less_one: u32 = joined.iter().map(|[_, less_one]| u32::from(less_one.get())).sum();
    Container::Run(RunContainer::new(joined, less_one.wrapping_add(RunContainer::new(joined, 0).run_count())))
}

/// Merging with vectors of eight values.
///
/// Eight values and eight others are sorted by a network: the second ones reversed, then four times the lower and the
/// higher of each pair, interleaved. The lower eight of the result are next; the higher ones go on with the eight
/// values that start lowest in either list.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod vectors {
    use fearless_simd::{Level, Simd, prelude::*, u16x8};
    use zerocopy::little_endian::U16;
    use zerocopy::transmute;

    /// Values that each list has to have, for a call of the wide code to be worth it.
    const WORTH: usize = 32;

    /// Merges two arrays, if they are long enough and the machine has the vectors.
    pub(super) fn merge(a: &[U16], b: &[U16], out: &mut [U16]) -> Option<usize> {
        if a.len().min(b.len()) < WORTH {
            return None;
        }
        let avx2 = Level::new().as_avx2()?;
        avx2.vectorize(
            #[inline(always)]
            || merge_with(avx2, a, b, out),
        )
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, values: &[U16; 8]) -> u16x8<S> {
        // Bytes of the machine's own order: this is for x86-64.
        let values: [u16; 8] = transmute!(*values);
        u16x8::simd_from(simd, values)
    }

    #[inline(always)]
    fn merge_with<S: Simd>(simd: S, a: &[U16], b: &[U16], out: &mut [U16]) -> Option<usize> {
        let (a_chunks, b_chunks) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
        let (first, mut low, mut high) = {
            let (a, b) = (a_chunks.first()?, b_chunks.first()?);
            (a.first()?.get().min(b.first()?.get()), load(simd, a), load(simd, b))
        };
        let (mut i, mut j, mut filled) = (1_usize, 1_usize, 0_usize);
        // The values before `low`: only the last one matters, and at first it equals none.
        let mut before = u16x8::splat(simd, !first);
        loop {
            high = high.reverse();
            for _ in 0..4 {
                let (lower, higher) = (low.min(high), low.max(high));
                (low, high) = (lower.zip_low(higher), lower.zip_high(higher));
            }
            filled = filled.wrapping_add(put(before, low, out.get_mut(filled..)?)?);
            before = low;
            let (Some(x), Some(y)) = (a_chunks.get(i), b_chunks.get(j)) else { break };
            let from_a = x[0] <= y[0];
            low = load(simd, if from_a { x } else { y });
            i = i.wrapping_add(usize::from(from_a));
            j = j.wrapping_add(usize::from(!from_a));
        }
        let last: [u16; 8] = before.into();
        let held: [u16; 8] = high.into();
        let (a, b) = (a.get(i.wrapping_mul(8)..)?, b.get(j.wrapping_mul(8)..)?);
        Some(filled.wrapping_add(finish(last[7], &held.map(U16::new), a, b, out.get_mut(filled..)?)))
    }

    /// Writes those of `values` that do not equal the one before. Returns how many.
    #[inline(always)]
    fn put<S: Simd>(before: u16x8<S>, values: u16x8<S>, out: &mut [U16]) -> Option<usize> {
        let new = values.simd_ne(before.slide::<7>(values));
        let kept: [u16; 8] = values.compress(new).into();
        *out.first_chunk_mut::<8>()? = transmute!(kept);
        Some((new.to_bitmask() & 0xFF).count_ones() as usize)
    }

    /// Merges what is left: the values `held` by the network, and less than eight of one list. `last` has been written.
    fn finish(last: u16, held: &[U16], a: &[U16], b: &[U16], out: &mut [U16]) -> usize {
        let (mut last, mut filled) = (last, 0_usize);
        let mut rests = [held, a, b];
        loop {
            let lowest = rests.iter().filter_map(|rest| rest.first()).min_by_key(|value| value.get()).copied();
            let (Some(lowest), Some(to)) = (lowest, out.get_mut(filled)) else { return filled };
            for rest in &mut rests {
                if let [first, later @ ..] = rest
                    && *first == lowest
                {
                    *rest = later;
                }
            }
            if lowest.get() != last {
                *to = lowest;
                filled = filled.wrapping_add(1);
                last = lowest.get();
            }
            // One list alone is copied.
            if let [[], [], rest] | [[], rest, []] = rests
                && rest.first().is_some_and(|first| first.get() != last)
            {
                if let Some(to) = out.get_mut(filled..filled.wrapping_add(rest.len())) {
                    to.copy_from_slice(rest);
                }
                return filled.wrapping_add(rest.len());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Ascending values with gaps of up to `gap`, some of which both lists have.
    fn list(seed: u32, count: usize, gap: u32) -> Vec<U16> {
        let (mut state, mut next) = (seed, 0_u32);
        let values = core::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            next += 1 + (state >> 16) % gap;
            u16::try_from(next).ok()
        });
        values.take(count).map_while(|value| value.map(U16::new)).collect()
    }

    #[test]
    fn every_way_merges_alike() {
        for (seed, gap) in (0..).zip([1, 2, 3, 9, 40, 700]) {
            for len in [0, 1, 7, 8, 9, 31, 32, 33, 64, 100, 513, 2048] {
                for other in [0, 1, 8, 32, 35, 64, 70, 900, 2048] {
                    let (a, b) = (list(seed, len, gap), list(seed + 77, other, gap));
                    let mut expected: Vec<u16> = a.iter().chain(&b).map(|value| value.get()).collect();
                    expected.sort_unstable();
                    expected.dedup();
                    let mut block = [zerocopy::little_endian::U64::ZERO; 1024];
                    let filled = merge_values(&a, &b, &mut block);
                    let merged = as_values(&mut block)[..filled].iter().map(|value| value.get());
                    assert!(merged.eq(expected.iter().copied()), "{len} and {other} values, gaps of {gap}");
                    let mut out = [U16::ZERO; 4096];
                    let filled = merge(&a, &b, &mut out);
                    assert!(out[..filled].iter().map(|value| value.get()).eq(expected.iter().copied()));
                    let filled = merge_halves(&a, &b, &mut out);
                    assert!(out[..filled].iter().map(|value| value.get()).eq(expected));
                }
            }
        }
    }
}
