//! Merging two ascending lists: of array values, and of runs.
//!
//! Which list the next element comes from is a coin toss, and a branch on it is mispredicted every other time. So there
//! is none: 17 ns a run became 5.4, and with vectors of eight a value takes 1 ns instead of 4.

use zerocopy::little_endian::{U16, U32};
use zerocopy::transmute;

use crate::roaring::combine::{Block, as_runs, as_values};
use crate::roaring::{Container, RunContainer, high16, low16};

/// Merges two arrays, which fit the block together. Returns how many values there are.
pub(super) fn merge_values(a: &[U16], b: &[U16], block: &mut Block) -> usize {
    let out = as_values(block);
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_endian = "little"))]
    if let Some(len) = vectors::merge(a, b, out) {
        return len;
    }
    merge(a, b, out)
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
            // Cut in two steps, so that both lengths are seen to be the same.
            if let Some(to) = out.get_mut(self.filled..).and_then(|out| out.get_mut(..rest.len())) {
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
fn pack_run(run: &[U16; 2]) -> u32 {
    let stored: U32 = transmute!(*run);
    stored.get().rotate_left(16)
}

#[inline(always)]
fn pack_value(value: &U16) -> u32 {
    u32::from(value.get()) << 16
}

/// Takes the runs of both in the order of their first values, and joins those that overlap or touch.
#[inline(always)]
fn merge_packed<'b, A, B>(
    a: &[A],
    b: &[B],
    pack_a: impl Fn(&A) -> u32,
    pack_b: impl Fn(&B) -> u32,
    block: &'b mut Block,
) -> Container<'b> {
    let lowest = a.first().map(&pack_a).into_iter().chain(b.first().map(&pack_b)).min();
    let Some(lowest) = lowest else { return Container::EMPTY };
    let mut joined = Joined::new(lowest, as_runs(block));
    let (mut i, mut taken) = (0_usize, 0_usize);
    // Of `taken` runs those that are not from `a` are from `b`.
    while let (Some(x), Some(y)) = (a.get(i), b.get(taken.wrapping_sub(i))) {
        let (x, y) = (pack_a(x), pack_b(y));
        joined.push(x.min(y));
        i = i.wrapping_add(usize::from(x <= y));
        taken = taken.wrapping_add(1);
    }
    let (a_rest, b_rest) = (a.get(i..), b.get(taken.wrapping_sub(i)..));
    a_rest.unwrap_or_default().iter().for_each(|run| joined.push(pack_a(run)));
    b_rest.unwrap_or_default().iter().for_each(|run| joined.push(pack_b(run)));
    joined.finish()
}

/// Runs being joined: first and last value of each, until they are all there.
struct Joined<'b> {
    runs: &'b mut [[U16; 2]],
    /// The run that may still grow, and its last value.
    open: usize,
    last: u32,
}

impl<'b> Joined<'b> {
    /// Starts before `run`, which is the first to come.
    #[inline(always)]
    fn new(run: u32, runs: &'b mut [[U16; 2]]) -> Self {
        if let Some([first, _]) = runs.first_mut() {
            *first = U16::new(high16(run));
        }
        Self { runs, open: 0, last: run >> 16 }
    }

    /// Adds a run that does not start before the one added last.
    #[inline(always)]
    fn push(&mut self, run: u32) {
        let first = run >> 16;
        // Noted behind the open run, where it is wanted if the two are apart.
        if let Some([to, _]) = self.runs.get_mut(self.open.wrapping_add(1)) {
            *to = U16::new(low16(first));
        }
        self.open = self.open.wrapping_add(usize::from(first > self.last.wrapping_add(1)));
        self.last = self.last.max(first.wrapping_add(run & 0xFFFF));
        if let Some([_, to]) = self.runs.get_mut(self.open) {
            *to = U16::new(low16(self.last));
        }
    }

    fn finish(self) -> Container<'b> {
        let runs = self.runs.get_mut(..=self.open).unwrap_or_default();
        let mut cardinality = 0_u32;
        for [first, last] in &mut *runs {
            let less_one = last.get().wrapping_sub(first.get());
            *last = U16::new(less_one);
            cardinality = cardinality.wrapping_add(u32::from(less_one)).wrapping_add(1);
        }
        Container::Run(RunContainer::new(runs, cardinality))
    }
}

/// Merging with vectors of eight values, which x86-64 and AArch64 always have.
///
/// Eight values and eight others are sorted by a network: the second ones reversed, then four times the lower and the
/// higher of each pair, interleaved. The lower eight of the result are next; the higher ones are held, and go on with
/// the eight values that start lowest in either list.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_endian = "little"))]
mod vectors {
    use core::hint::select_unpredictable;

    use fearless_simd::{Level, Simd, dispatch, i16x8, prelude::*};
    use zerocopy::little_endian::U16;
    use zerocopy::transmute;

    /// Values that each list has to have.
    const LANES: usize = 8;

    /// Values of both lists from which a call of the code for AVX2 is worth it.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    const WORTH: usize = 256;

    /// Merges two arrays, if they are long enough. `out` has room for both, less what they share.
    pub(super) fn merge(a: &[U16], b: &[U16], out: &mut [U16]) -> Option<usize> {
        if a.len().min(b.len()) < LANES {
            return None;
        }
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        if a.len().saturating_add(b.len()) >= WORTH
            && let Some(avx2) = Level::new().as_avx2()
        {
            return avx2.vectorize(
                #[inline(always)]
                || merge_with::<_, true>(avx2, a, b, out),
            );
        }
        dispatch!(Level::baseline(), simd => merge_with::<_, false>(simd, a, b, out))
    }

    /// Takes values for the network: as signed ones, in the order of the unsigned, which SSE2 can compare.
    #[inline(always)]
    fn load<S: Simd>(simd: S, values: &[U16; LANES]) -> i16x8<S> {
        // Bytes of the machine's own order, which is little-endian here.
        let values: [i16; LANES] = transmute!(*values);
        i16x8::simd_from(simd, values) ^ i16::MIN
    }

    /// The network, between two steps. If `SQUEEZE`, repeats are taken out by a shuffle, else one by one.
    struct Network<'o, S: Simd, const SQUEEZE: bool> {
        /// The values written last, repeats included. Only the last one matters.
        before: i16x8<S>,
        held: i16x8<S>,
        out: &'o mut [U16],
        filled: usize,
    }

    impl<S: Simd, const SQUEEZE: bool> Network<'_, S, SQUEEZE> {
        /// Takes the next eight values, and writes the lowest eight.
        #[inline(always)]
        fn step(&mut self, next: i16x8<S>) {
            let (mut low, mut high) = (self.held, next.reverse());
            for _ in 0..4 {
                let (lower, higher) = (low.min(high), low.max(high));
                (low, high) = (lower.zip_low(higher), lower.zip_high(higher));
            }
            self.put(low);
            self.held = high;
        }

        /// Writes those of eight values that do not equal the one before.
        #[inline(always)]
        fn put(&mut self, values: i16x8<S>) {
            let repeats = values.simd_eq(self.before.slide::<7>(values));
            self.before = values;
            let bits = repeats.to_bitmask() & 0xFF;
            let values = values ^ i16::MIN;
            let (kept, whole): ([i16; LANES], bool) =
                if SQUEEZE { (values.compress(!repeats).into(), true) } else { (values.into(), bits == 0) };
            match self.out.get_mut(self.filled..).and_then(|room| room.first_chunk_mut::<LANES>()) {
                Some(room) if whole => {
                    *room = transmute!(kept);
                    self.filled = self.filled.wrapping_add(LANES).wrapping_sub(bits.count_ones() as usize);
                }
                _ => {
                    let values: [i16; LANES] = values.into();
                    self.filled =
                        self.filled.wrapping_add(put_each(&transmute!(values), bits, self.out.get_mut(self.filled..)));
                }
            }
        }
    }

    /// Writes those of eight values whose bit is not set in `repeats`, as far as there is room. Returns how many.
    #[inline(never)]
    fn put_each(values: &[U16; LANES], repeats: u64, out: Option<&mut [U16]>) -> usize {
        let (out, mut filled) = (out.unwrap_or_default(), 0_usize);
        for (lane, value) in values.iter().enumerate() {
            if let Some(to) = out.get_mut(filled) {
                *to = *value;
            }
            filled = filled.wrapping_add(usize::from(repeats >> lane & 1 == 0));
        }
        filled
    }

    /// The values behind the last eight of a list, the last one repeated.
    fn tail(rest: &[U16]) -> Option<[U16; LANES]> {
        let mut tail = [*rest.last()?; LANES];
        tail.get_mut(..rest.len())?.copy_from_slice(rest);
        Some(tail)
    }

    #[inline(always)]
    fn merge_with<S: Simd, const SQUEEZE: bool>(simd: S, a: &[U16], b: &[U16], out: &mut [U16]) -> Option<usize> {
        let ((a_chunks, a_rest), (b_chunks, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
        let (x, y) = (a_chunks.first()?, b_chunks.first()?);
        // At first no value equals the one before.
        let before = load(simd, &[U16::new(!x[0].get().min(y[0].get())); LANES]);
        let mut network = Network::<S, SQUEEZE> { before, held: load(simd, x), out, filled: 0 };
        network.step(load(simd, y));
        let (mut i, mut j) = (1_usize, 1_usize);
        while let (Some(x), Some(y)) = (a_chunks.get(i), b_chunks.get(j)) {
            let from_a = x[0] <= y[0];
            network.step(load(simd, select_unpredictable(from_a, x, y)));
            i = i.wrapping_add(usize::from(from_a));
            j = j.wrapping_add(usize::from(!from_a));
        }
        // One list has less than eight values left.
        let (a_tail, b_tail) = (tail(a_rest), tail(b_rest));
        let mut rests = [(a_chunks.get(i..)?, a_tail.as_ref()), (b_chunks.get(j..)?, b_tail.as_ref())];
        let next =
            |(chunks, tail): (&'_ [[U16; LANES]], Option<&'_ [U16; LANES]>)| chunks.first().copied().or(tail.copied());
        loop {
            let [x, y] = rests.map(next);
            let index = match (x, y) {
                (Some(x), Some(y)) => usize::from(x[0] > y[0]),
                (None, None) => break,
                (x, _) => usize::from(x.is_none()),
            };
            let (Some(chunk), Some(rest)) = (x.filter(|_| index == 0).or(y), rests.get_mut(index)) else { break };
            network.step(load(simd, &chunk));
            *rest = match rest.0 {
                [_, later @ ..] => (later, rest.1),
                [] => (&[], None),
            };
        }
        let held = network.held;
        network.put(held);
        Some(network.filled)
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
                }
            }
        }
    }
}
