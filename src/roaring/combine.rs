//! Unions, intersections and differences of two containers, in the memory of one.
//!
//! A [`Block`] has the size of a bitset, and so room for any container: 4,096 array values, 2,048 runs or 65,536 bits.
//! Results take the form that is nearest at hand; [`Container::shape`] then says how they are stored.

use core::ops::RangeInclusive;

use zerocopy::little_endian::{U16, U64};
use zerocopy::{FromBytes, IntoBytes};

use crate::roaring::bitset::{WORDS, popcount};
use crate::roaring::merge::{Runs, merge_runs, merge_values};
use crate::roaring::run::bounds;
use crate::roaring::shape::{set_run, set_value};
use crate::roaring::{ArrayContainer, BITSET_LEN, BitsetContainer, Container, MAX_ARRAY_CARDINALITY, RunContainer};
use crate::wide::wide;

/// Memory for one container.
pub(crate) type Block = [U64; WORDS];

/// Most values that a block holds as an array.
const MAX_VALUES: usize = MAX_ARRAY_CARDINALITY as usize;
/// Most runs that a block holds.
pub(crate) const MAX_RUNS: usize = BITSET_LEN / 4;

/// The block as room for array values.
pub(crate) fn as_values(block: &mut Block) -> &mut [U16] {
    <[U16]>::mut_from_bytes(block.as_mut_bytes()).unwrap_or_default()
}

/// The block as room for runs.
pub(super) fn as_runs(block: &mut Block) -> &mut [[U16; 2]] {
    <[[U16; 2]]>::mut_from_bytes(block.as_mut_bytes()).unwrap_or_default()
}

/// The first `len` values of a block as a container.
pub(crate) fn array(block: &mut Block, len: usize) -> Container<'_> {
    Container::Array(ArrayContainer::new(as_values(block).get(..len).unwrap_or_default()))
}

/// The bits of a block as a container.
pub(crate) fn bitset(block: &Block) -> Container<'_> {
    let cardinality = wide(
        BITSET_LEN,
        #[inline(always)]
        || popcount(block),
    );
    Container::Bitset(BitsetContainer::new(block, cardinality))
}

/// Adds the values of `container` to the bits of `block`.
pub(crate) fn add(block: &mut Block, container: &Container<'_>) {
    match container {
        Container::Array(array) => array.values().iter().for_each(|low| set_value(block, low.get())),
        Container::Bitset(bitset) => each_word(block, bitset.words(), |a, b| a | b),
        Container::Run(run) => run.runs().iter().map(bounds).for_each(|(first, last)| set_run(block, first, last)),
    }
}

/// Adds those values of `container` that lie in `values` to the bits of `block`, moved so that the first of `values`
/// would become `target`. None is moved beyond 65,535.
pub(crate) fn add_moved(block: &mut Block, container: &Container<'_>, values: RangeInclusive<u16>, target: u16) {
    let (from, to) = (*values.start(), (*values.end()).min((*values.start()).saturating_add(u16::MAX - target)));
    let moved = |low: u16| low.wrapping_sub(from).wrapping_add(target);
    match container {
        Container::Array(array) => {
            let inside = array.values().iter().map(|low| low.get()).filter(|low| (from..=to).contains(low));
            inside.for_each(|low| set_value(block, moved(low)));
        }
        Container::Bitset(bitset) => add_bits(block, bitset.words(), from, to, target),
        Container::Run(run) => {
            for (first, last) in run.reaching(from).iter().map(bounds).take_while(|(first, _)| *first <= to) {
                set_run(block, moved(first.max(from)), moved(last.min(to)));
            }
        }
    }
}

/// Adds the bits `from` to `to` of `source`, the first of them as bit `target`.
fn add_bits(block: &mut Block, source: &Block, from: u16, to: u16, target: u16) {
    let word = |index: usize| source.get(index).map_or(0, |word| word.get());
    // The 64 bits of the source from `at` on; some may lie before it or behind it.
    let bits_at = |at: i32| {
        let (index, bit) = (usize::try_from(at >> 6), at & 63);
        let low = index.map_or(0, word) >> bit;
        let next = usize::try_from((at >> 6) + 1).map_or(0, word);
        if bit == 0 { low } else { low | next << (64 - bit) }
    };
    let last = target.saturating_add(to.saturating_sub(from));
    let (first_word, last_word) = (usize::from(target >> 6), usize::from(last >> 6));
    let mut at = i32::from(from) - i32::from(target & 63);
    for (index, word) in (first_word..=last_word).zip(block.get_mut(first_word..=last_word).unwrap_or_default()) {
        let head = if index == first_word { u64::MAX << (target & 63) } else { u64::MAX };
        let tail = if index == last_word { u64::MAX >> (63 - (last & 63)) } else { u64::MAX };
        word.set(word.get() | bits_at(at) & head & tail);
        at += 64;
    }
}

/// Replaces each word of `block` by what `f` makes of it and of its counterpart.
#[inline(always)]
fn each_word(block: &mut Block, other: &Block, f: impl Fn(u64, u64) -> u64) {
    wide(
        BITSET_LEN,
        #[inline(always)]
        || {
            for (word, other) in block.iter_mut().zip(other) {
                word.set(f(word.get(), other.get()));
            }
        },
    );
}

/// Makes `block` the bits of `container`.
fn load(block: &mut Block, container: &Container<'_>) {
    if let Container::Bitset(bitset) = container {
        *block = *bitset.words();
    } else {
        block.fill(U64::ZERO);
        add(block, container);
    }
}

/// Returns the values that are in `a` or in `b`.
pub(crate) fn union<'b>(block: &'b mut Block, a: &Container<'_>, b: &Container<'_>) -> Container<'b> {
    match (a, b) {
        (Container::Array(a), Container::Array(b)) if a.values().len() + b.values().len() <= MAX_VALUES => {
            let len = merge_values(a.values(), b.values(), block);
            return array(block, len);
        }
        (Container::Bitset(a), Container::Bitset(b)) => return union_of_bits(block, a.words(), b.words()),
        _ => {}
    }
    if let (Some(runs), Some(others)) = (Runs::of(a), Runs::of(b))
        && runs.count() + others.count() <= MAX_RUNS
    {
        return merge_runs(runs, others, block);
    }
    // A bitset is the one to copy.
    let (a, b) = if matches!(b, Container::Bitset(_)) { (b, a) } else { (a, b) };
    load(block, a);
    add(block, b);
    bitset(block)
}

fn union_of_bits<'b>(block: &'b mut Block, a: &Block, b: &Block) -> Container<'b> {
    let cardinality = wide(
        BITSET_LEN,
        #[inline(always)]
        || {
            for (word, (a, b)) in block.iter_mut().zip(a.iter().zip(b)) {
                word.set(a.get() | b.get());
            }
            popcount(block)
        },
    );
    Container::Bitset(BitsetContainer::new(block, cardinality))
}

/// Runs that are put into a block one after the other.
pub(crate) struct RunList<'b> {
    runs: &'b mut [[U16; 2]],
    len: usize,
    cardinality: u32,
}

impl<'b> RunList<'b> {
    pub(crate) fn new(block: &'b mut Block) -> Self {
        Self { runs: as_runs(block), len: 0, cardinality: 0 }
    }

    /// Adds a run behind those that are there, of which the last does not touch it; [`MAX_RUNS`] in all.
    #[inline(always)]
    pub(crate) fn push(&mut self, first: u16, last: u16) {
        if let Some(to) = self.runs.get_mut(self.len) {
            *to = [U16::new(first), U16::new(last.wrapping_sub(first))];
            self.len = self.len.wrapping_add(1);
            self.cardinality = self.cardinality.wrapping_add(u32::from(last.wrapping_sub(first)) + 1);
        }
    }

    /// Returns the runs as a container.
    pub(crate) fn finish(self) -> Container<'b> {
        let runs: &'b [[U16; 2]] = self.runs;
        Container::Run(RunContainer::new(runs.get(..self.len).unwrap_or_default(), self.cardinality))
    }
}

/// Returns the values that are in `a` and in `b`.
pub(crate) fn intersection<'b>(block: &'b mut Block, a: &Container<'_>, b: &Container<'_>) -> Container<'b> {
    match (a, b) {
        (Container::Array(a), Container::Array(b)) => common_values(block, a.values(), b.values()),
        (Container::Array(array), other) | (other, Container::Array(array)) => {
            keep(block, array.values(), |low| other.contains(low))
        }
        (Container::Bitset(bits), Container::Run(run)) | (Container::Run(run), Container::Bitset(bits)) => {
            *block = *bits.words();
            clear_gaps(block, run);
            bitset(block)
        }
        (Container::Run(a), Container::Run(b)) => {
            load(block, &Container::Run(*a));
            clear_gaps(block, b);
            bitset(block)
        }
        (Container::Bitset(a), Container::Bitset(b)) => {
            *block = *a.words();
            each_word(block, b.words(), |a, b| a & b);
            bitset(block)
        }
    }
}

/// Returns the values that are in `a` and not in `b`.
pub(crate) fn difference<'b>(block: &'b mut Block, a: &Container<'_>, b: &Container<'_>) -> Container<'b> {
    if let Container::Array(array) = a {
        return keep(block, array.values(), |low| !b.contains(low));
    }
    load(block, a);
    match b {
        Container::Array(array) => array.values().iter().for_each(|low| clear_value(block, low.get())),
        Container::Bitset(bits) => each_word(block, bits.words(), |a, b| a & !b),
        Container::Run(run) => run.runs().iter().map(bounds).for_each(|(first, last)| clear_run(block, first, last)),
    }
    bitset(block)
}

/// Keeps those of `values` that are `wanted`.
fn keep<'b>(block: &'b mut Block, values: &[U16], wanted: impl Fn(u16) -> bool) -> Container<'b> {
    let (mut len, out) = (0_usize, as_values(block));
    for low in values {
        if let Some(to) = out.get_mut(len) {
            *to = *low;
            len = len.wrapping_add(usize::from(wanted(low.get())));
        }
    }
    array(block, len)
}

/// Returns the values that are in both arrays.
fn common_values<'b>(block: &'b mut Block, a: &[U16], b: &[U16]) -> Container<'b> {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if few.len() < many.len() / 32 {
        let many = ArrayContainer::new(many);
        return keep(block, few, |low| many.contains(low));
    }
    let (mut i, mut j, mut len, out) = (0_usize, 0_usize, 0_usize, as_values(block));
    while let (Some(x), Some(y), Some(to)) = (a.get(i), b.get(j), out.get_mut(len)) {
        let (x, y) = (x.get(), y.get());
        *to = U16::new(x);
        len = len.wrapping_add(usize::from(x == y));
        i = i.wrapping_add(usize::from(x <= y));
        j = j.wrapping_add(usize::from(y <= x));
    }
    array(block, len)
}

fn clear_value(block: &mut Block, low: u16) {
    if let Some(word) = block.get_mut(usize::from(low >> 6)) {
        word.set(word.get() & !(1 << (low & 63)));
    }
}

fn clear_run(block: &mut Block, first: u16, last: u16) {
    let (head, tail) = (u64::MAX << (first & 63), u64::MAX >> (63 - (last & 63)));
    let clear = |word: &mut U64, mask: u64| word.set(word.get() & !mask);
    match block.get_mut(usize::from(first >> 6)..=usize::from(last >> 6)) {
        None | Some([]) => {}
        Some([only]) => clear(only, head & tail),
        Some([first, between @ .., last]) => {
            clear(first, head);
            between.fill(U64::ZERO);
            clear(last, tail);
        }
    }
}

/// Clears the bits that are in none of the runs.
fn clear_gaps(block: &mut Block, run: &RunContainer<'_>) {
    let mut next = 0_u16;
    for (first, last) in run.runs().iter().map(bounds) {
        if let Some(before) = first.checked_sub(1).filter(|before| *before >= next) {
            clear_run(block, next, before);
        }
        match last.checked_add(1) {
            Some(after) => next = after.max(next),
            None => return,
        }
    }
    clear_run(block, next, u16::MAX);
}
