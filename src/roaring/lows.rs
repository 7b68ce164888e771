//! What is left of one container while an iterator walks through it.

use core::slice;

use zerocopy::little_endian::{U16, U64};

use crate::roaring::bitset::value;
use crate::roaring::places::{FEW, ROOM, find, spread_64};
use crate::roaring::run::bounds;
use crate::roaring::{BitsetContainer, Container, low16, low32};
use crate::wide::wide;

/// What is left of one container.
#[derive(Clone, Debug)]
pub(super) enum Lows<'a> {
    Array(slice::Iter<'a, U16>),
    Bitset(Bits<'a>),
    Run(Runs<'a>),
}

/// What is left of a bitset: the bits of `word`, then the words from `index + 1` on.
#[derive(Clone, Debug)]
pub(super) struct Bits<'a> {
    words: &'a [U64; 1024],
    index: usize,
    word: u64,
    /// Whether words have few bits on average.
    few: bool,
}

/// What is left of a run container: `next` to `last`, then `runs`.
#[derive(Clone, Debug)]
pub(super) struct Runs<'a> {
    runs: slice::Iter<'a, [U16; 2]>,
    /// 65,536 once the last run is through.
    next: u32,
    last: u32,
}

impl<'a> Lows<'a> {
    pub(super) fn new(container: &Container<'a>) -> Self {
        match container {
            Container::Array(array) => Self::Array(array.values().iter()),
            Container::Bitset(bitset) => {
                let words = bitset.words();
                let few = bitset.cardinality() <= FEW * 1024;
                Self::Bitset(Bits { words, index: 0, word: words.first().map_or(0, |word| word.get()), few })
            }
            // An empty span before the first run: the first step loads the run.
            Container::Run(run) => Self::Run(Runs { runs: run.runs().iter(), next: 0, last: 0 }.load_first()),
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<u16> {
        match self {
            Self::Array(values) => values.next().map(|value| value.get()),
            Self::Bitset(bits) => bits.next(),
            Self::Run(runs) => runs.next(),
        }
    }

    pub(super) fn peek(&mut self) -> Option<u16> {
        match self {
            Self::Array(values) => values.as_slice().first().map(|value| value.get()),
            Self::Bitset(bits) => bits.peek(),
            Self::Run(runs) => runs.peek(),
        }
    }

    /// [`next_run`](Self::next_run) where one look is enough: the next value, or stored run, is followed by another one
    /// of this container that does not touch it. Else takes nothing.
    #[inline(always)]
    pub(super) fn next_lone_run(&mut self) -> Option<(u16, u16)> {
        match self {
            Self::Array(values) => {
                let [first, rest @ ..] = values.as_slice() else { return None };
                let (first, next) = (first.get(), rest.first()?.get());
                if u32::from(next) <= u32::from(first) + 1 {
                    return None;
                }
                *values = rest.iter();
                Some((first, first))
            }
            Self::Bitset(_) => None,
            Self::Run(runs) => {
                let (first, last) = (runs.next, runs.last);
                let [start, _] = runs.runs.as_slice().first()?;
                if first > last || u32::from(start.get()) <= last.saturating_add(1) {
                    return None;
                }
                runs.load(last.saturating_add(1));
                Some((low16(first), low16(last)))
            }
        }
    }

    /// Takes the next value and those that follow it without a gap: first and last.
    #[inline]
    pub(super) fn next_run(&mut self) -> Option<(u16, u16)> {
        match self {
            Self::Array(values) => {
                let rest = values.as_slice();
                let first = rest.first()?.get();
                let mut last = first;
                let mut later = rest.get(1..).unwrap_or_default();
                while let [next, after @ ..] = later
                    && u32::from(next.get()) == u32::from(last) + 1
                {
                    (last, later) = (next.get(), after);
                }
                *values = later.iter();
                Some((first, last))
            }
            Self::Bitset(bits) => bits.next_run(),
            Self::Run(runs) => runs.next_run(),
        }
    }

    /// Drops the values below `low`.
    pub(super) fn advance_to(&mut self, low: u16) {
        match self {
            Self::Array(values) => {
                let rest = values.as_slice();
                let skip = rest.partition_point(|value| value.get() < low);
                *values = rest.get(skip..).unwrap_or_default().iter();
            }
            Self::Bitset(bits) => bits.advance_to(low),
            Self::Run(runs) => runs.advance_to(low),
        }
    }

    /// Drops up to `n` values, and returns how many of `n` were not there to drop.
    pub(super) fn skip(&mut self, n: u64) -> u64 {
        match self {
            Self::Array(values) => {
                let rest = values.as_slice();
                let skip = usize::try_from(n).unwrap_or(usize::MAX).min(rest.len());
                *values = rest.get(skip..).unwrap_or_default().iter();
                n.saturating_sub(skip as u64)
            }
            Self::Bitset(bits) => bits.skip(n),
            Self::Run(runs) => runs.skip(n),
        }
    }

    /// Takes as many values as fit into `out`, joined to `base`. Returns how many.
    pub(super) fn fill(&mut self, base: u64, out: &mut [u64]) -> usize {
        match self {
            Self::Array(values) => {
                let rest = values.as_slice();
                let len = rest.len().min(out.len());
                let (now, later) = rest.split_at_checked(len).unwrap_or_default();
                wide(
                    len.saturating_mul(8),
                    #[inline(always)]
                    || widen(base, now, out),
                );
                *values = later.iter();
                len
            }
            Self::Bitset(bits) => wide(
                size_of_val(out),
                #[inline(always)]
                || bits.fill(base, out),
            ),
            Self::Run(runs) => wide(
                size_of_val(out),
                #[inline(always)]
                || runs.fill(base, out),
            ),
        }
    }

    /// Counts the values left. Takes O(container).
    pub(super) fn left(&self) -> u64 {
        match self {
            Self::Array(values) => values.len() as u64,
            Self::Bitset(bits) => bits.left(),
            Self::Run(runs) => runs.left(),
        }
    }

    #[inline]
    pub(super) fn fold<B>(self, init: B, mut f: impl FnMut(B, u16) -> B) -> B {
        match self {
            Self::Array(values) => values.fold(init, |acc, value| f(acc, value.get())),
            Self::Bitset(mut bits) => {
                let (mut acc, mut room) = (init, [0; ROOM]);
                while bits.peek().is_some() {
                    let count = bits.spread(u64::from(value(bits.index, 0)), &mut room);
                    acc = room.iter().take(count).fold(acc, |acc, &place| f(acc, low16(low32(place))));
                }
                acc
            }
            Self::Run(mut runs) => {
                let mut acc = init;
                while runs.peek().is_some() {
                    acc = (runs.next..=runs.last).fold(acc, |acc, low| f(acc, low16(low)));
                    runs.next = runs.last.saturating_add(1);
                }
                acc
            }
        }
    }
}

/// Writes `values`, joined to `base`, as far as `out` goes.
#[inline(always)]
fn widen(base: u64, values: &[U16], out: &mut [u64]) {
    for (to, value) in out.iter_mut().zip(values) {
        *to = base | u64::from(value.get());
    }
}

impl Bits<'_> {
    #[inline]
    fn next(&mut self) -> Option<u16> {
        let low = self.peek()?;
        self.word &= self.word.wrapping_sub(1);
        Some(low)
    }

    /// Moves to the next word with a bit, and returns the place of that bit.
    #[inline]
    fn peek(&mut self) -> Option<u16> {
        while self.word == 0 {
            let next = self.index.saturating_add(1);
            self.word = self.words.get(next)?.get();
            self.index = next;
        }
        Some(value(self.index, self.word.trailing_zeros()))
    }

    fn advance_to(&mut self, low: u16) {
        let target = usize::from(low >> 6);
        if target > self.index {
            self.index = target;
            self.word = self.words.get(target).map_or(0, |word| word.get());
        }
        if target == self.index {
            self.word &= u64::MAX << (low & 63);
        }
    }

    /// Takes the places of the bits of the current word, counted from `base`. Returns how many there are.
    #[inline(always)]
    fn spread(&mut self, base: u64, room: &mut [u64; ROOM]) -> usize {
        let word = core::mem::take(&mut self.word);
        if self.few {
            return find(word, room, |bit| base.wrapping_add(u64::from(bit)));
        }
        spread_64(word, base, room)
    }

    #[inline(always)]
    fn fill(&mut self, base: u64, out: &mut [u64]) -> usize {
        let mut filled = 0_usize;
        while self.peek().is_some() {
            let place = base | u64::from(value(self.index, 0));
            let rest = out.get_mut(filled..).unwrap_or_default();
            if let Some(room) = rest.first_chunk_mut() {
                filled = filled.saturating_add(self.spread(place, room));
            } else {
                for to in rest {
                    if self.word == 0 {
                        break;
                    }
                    *to = place.wrapping_add(u64::from(self.word.trailing_zeros()));
                    self.word &= self.word.wrapping_sub(1);
                    filled = filled.saturating_add(1);
                }
                if self.word != 0 {
                    break;
                }
            }
        }
        filled
    }

    fn next_run(&mut self) -> Option<(u16, u16)> {
        let first = self.peek()?;
        // Fill the zeros below the run, so that the run ends where the ones do.
        let mut ones = (self.word | self.word.wrapping_sub(1)).trailing_ones();
        while ones == 64 {
            let next = self.index.saturating_add(1);
            let Some(word) = self.words.get(next) else {
                self.word = 0;
                return Some((first, u16::MAX));
            };
            (self.index, self.word) = (next, word.get());
            ones = self.word.trailing_ones();
        }
        self.word &= u64::MAX << ones;
        // `ones` may be 0: then the run ended with the word before.
        Some((first, value(self.index, ones).wrapping_sub(1)))
    }

    fn skip(&mut self, n: u64) -> u64 {
        let mut left = n;
        while left > 0 && self.peek().is_some() {
            let ones = u64::from(self.word.count_ones());
            if left < ones {
                for _ in 0..left {
                    self.word &= self.word.wrapping_sub(1);
                }
                return 0;
            }
            self.word = 0;
            left = left.saturating_sub(ones);
        }
        left
    }

    fn left(&self) -> u64 {
        let rest = self.index.saturating_add(1);
        let first = u16::try_from(rest << 6).ok();
        let later = first.map_or(0, |first| BitsetContainer::new(self.words, 0).count(first, u16::MAX));
        u64::from(self.word.count_ones()) + u64::from(later)
    }
}

impl Runs<'_> {
    /// Loads the first run, or marks the end.
    fn load_first(mut self) -> Self {
        self.load(0);
        self
    }

    /// Loads the next run, cut to values from `floor` on so that values ascend on any bytes. A run that lies below
    /// (trusted bytes only) is the last: no container takes more steps than it has values.
    fn load(&mut self, floor: u32) -> bool {
        if let Some(run) = self.runs.next() {
            let (first, last) = bounds(run);
            if u32::from(last) >= floor {
                (self.next, self.last) = (u32::from(first).max(floor), u32::from(last));
                return true;
            }
        }
        self.runs = [].iter();
        (self.next, self.last) = (0x1_0000, 0xFFFF);
        false
    }

    #[inline]
    fn next(&mut self) -> Option<u16> {
        let low = self.peek()?;
        self.next = self.next.saturating_add(1);
        Some(low)
    }

    #[inline]
    fn peek(&mut self) -> Option<u16> {
        if self.next > self.last && !self.load(self.next) {
            return None;
        }
        Some(low16(self.next))
    }

    fn advance_to(&mut self, low: u16) {
        let low = u32::from(low);
        if self.last < low && self.next <= 0xFFFF {
            let rest = self.runs.as_slice();
            let skip = rest.partition_point(|run| u32::from(bounds(run).1) < low);
            self.runs = rest.get(skip..).unwrap_or_default().iter();
            self.load(low.max(self.next));
        }
        self.next = self.next.max(low);
    }

    #[inline(always)]
    fn fill(&mut self, base: u64, out: &mut [u64]) -> usize {
        let mut filled = 0_usize;
        while filled < out.len() && self.peek().is_some() {
            let room = out.get_mut(filled..).unwrap_or_default();
            let span = (self.last - self.next) as usize + 1;
            let len = span.min(room.len());
            let first = base.wrapping_add(u64::from(self.next));
            // Not `first..`, which steps once more than it yields: the last position may be the last there is.
            let mut next = first;
            for to in room.iter_mut().take(len) {
                *to = next;
                next = next.wrapping_add(1);
            }
            self.next = self.next.saturating_add(u32::try_from(len).unwrap_or(u32::MAX));
            filled = filled.saturating_add(len);
        }
        filled
    }

    fn next_run(&mut self) -> Option<(u16, u16)> {
        let first = self.peek()?;
        let mut last = self.last;
        self.next = last.saturating_add(1);
        // Runs may touch.
        while self.peek().is_some_and(|low| u32::from(low) == last.saturating_add(1)) {
            last = self.last;
            self.next = last.saturating_add(1);
        }
        Some((first, low16(last)))
    }

    fn skip(&mut self, n: u64) -> u64 {
        let mut left = n;
        while left > 0 && self.peek().is_some() {
            let span = u64::from(self.last - self.next) + 1;
            let step = left.min(span);
            self.next = self.next.saturating_add(u32::try_from(step).unwrap_or(u32::MAX));
            left = left.saturating_sub(step);
        }
        left
    }

    fn left(&self) -> u64 {
        let current = u64::from(self.last.saturating_add(1).saturating_sub(self.next));
        let later =
            self.runs.as_slice().iter().map(bounds).map(|(first, last)| u64::from(last - first) + 1).sum::<u64>();
        current.saturating_add(later)
    }
}
