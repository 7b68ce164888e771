//! Iteration from the front, from a position, and forward jumps.

use core::slice;

use zerocopy::little_endian::{U16, U64};

use crate::roaring::bitset::value;
use crate::roaring::header::Header;
use crate::roaring::run::bounds;
use crate::roaring::{
    Bitmap32, Bitmap64, BitsetContainer, Buckets, Container, high16, high32, join16, join32, low16, low32,
};

/// What is left of one container.
#[derive(Clone, Debug)]
enum Lows<'a> {
    Array(slice::Iter<'a, U16>),
    Bitset(Bits<'a>),
    Run(Runs<'a>),
}

/// What is left of a bitset: the bits of `word`, then the words from `index + 1` on.
#[derive(Clone, Debug)]
struct Bits<'a> {
    words: &'a [U64; 1024],
    index: usize,
    word: u64,
}

/// What is left of a run container: `next` to `last`, then `runs`.
#[derive(Clone, Debug)]
struct Runs<'a> {
    runs: slice::Iter<'a, [U16; 2]>,
    /// 65,536 once the last run is through.
    next: u32,
    last: u32,
}

impl<'a> Lows<'a> {
    fn new(container: &Container<'a>) -> Self {
        match container {
            Container::Array(array) => Self::Array(array.values().iter()),
            Container::Bitset(bitset) => {
                let words = bitset.words();
                Self::Bitset(Bits { words, index: 0, word: words.first().map_or(0, |word| word.get()) })
            }
            // An empty span before the first run: the first step loads the run.
            Container::Run(run) => Self::Run(Runs { runs: run.runs().iter(), next: 0, last: 0 }.load_first()),
        }
    }

    #[inline]
    fn next(&mut self) -> Option<u16> {
        match self {
            Self::Array(values) => values.next().map(|value| value.get()),
            Self::Bitset(bits) => bits.next(),
            Self::Run(runs) => runs.next(),
        }
    }

    fn peek(&mut self) -> Option<u16> {
        match self {
            Self::Array(values) => values.as_slice().first().map(|value| value.get()),
            Self::Bitset(bits) => bits.peek(),
            Self::Run(runs) => runs.peek(),
        }
    }

    /// Drops the values below `low`.
    fn advance_to(&mut self, low: u16) {
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
    fn skip(&mut self, n: u64) -> u64 {
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

    /// Counts the values left. Takes O(container).
    fn left(&self) -> u64 {
        match self {
            Self::Array(values) => values.len() as u64,
            Self::Bitset(bits) => bits.left(),
            Self::Run(runs) => runs.left(),
        }
    }

    fn fold<B>(self, init: B, mut f: impl FnMut(B, u16) -> B) -> B {
        match self {
            Self::Array(values) => values.fold(init, |acc, value| f(acc, value.get())),
            Self::Bitset(mut bits) => {
                let mut acc = init;
                while let Some(low) = bits.next() {
                    acc = f(acc, low);
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

/// Iterates over the values of a [`Bitmap32`], ascending.
///
/// After a full parse [`size_hint`](Iterator::size_hint) is exact; it takes O(containers left), so ask once.
/// `nth` skips whole containers, `count` adds up headers, `fold` and what builds on it run one tight loop a container.
#[derive(Clone, Debug)]
pub struct Positions32<'a> {
    header: Header<'a>,
    /// Index of the container after the one in `lows`.
    next: usize,
    key: u16,
    lows: Lows<'a>,
    validated: bool,
}

impl<'a> Positions32<'a> {
    pub(crate) fn new(bitmap: &Bitmap32<'a>) -> Self {
        let lows = Lows::new(&Container::EMPTY);
        Self { header: *bitmap.header(), next: 0, key: 0, lows, validated: bitmap.is_validated() }
    }

    /// Moves to the next container. Returns whether there is one.
    fn load(&mut self) -> bool {
        let Some(key) = self.header.key(self.next) else { return false };
        self.lows = Lows::new(&self.header.container(self.next));
        self.key = key;
        self.next = self.next.saturating_add(1);
        true
    }

    /// Returns the next value without moving past it.
    pub fn peek(&mut self) -> Option<u32> {
        loop {
            if let Some(low) = self.lows.peek() {
                return Some(join16(self.key, low));
            }
            if !self.load() {
                return None;
            }
        }
    }

    /// Moves forward to the first value that is at least `value`; never moves back.
    ///
    /// Takes O(log containers) and a search in one container.
    pub fn advance_to(&mut self, value: u32) {
        let key = high16(value);
        let started = self.next > 0;
        if !started || self.key < key {
            let index = self.header.lower_bound(key).max(self.next);
            self.next = index;
            if !self.load() {
                self.lows = Lows::new(&Container::EMPTY);
                return;
            }
        }
        if self.key == key {
            self.lows.advance_to(low16(value));
        }
    }

    /// Drops up to `n` values, and returns how many of `n` were not there to drop. Passes whole containers by their
    /// headers alone.
    fn skip_values(&mut self, n: u64) -> u64 {
        let mut left = self.lows.skip(n);
        while left > 0 {
            let whole = self.header.cardinality(self.next, self.next.saturating_add(1));
            if whole == 0 {
                break;
            }
            if whole <= left {
                left = left.saturating_sub(whole);
                self.next = self.next.saturating_add(1);
                self.lows = Lows::new(&Container::EMPTY);
            } else if self.load() {
                left = self.lows.skip(left);
            }
        }
        left
    }

    /// Counts the values left. Takes O(containers left).
    pub(crate) fn left(&self) -> u64 {
        self.lows.left().saturating_add(self.header.cardinality(self.next, self.header.len()))
    }
}

impl Iterator for Positions32<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(low) = self.lows.next() {
                return Some(join16(self.key, low));
            }
            if !self.load() {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        hint(self.validated, || self.left())
    }

    fn count(self) -> usize {
        usize::try_from(self.left()).unwrap_or(usize::MAX)
    }

    fn nth(&mut self, n: usize) -> Option<u32> {
        match self.skip_values(n as u64) {
            0 => self.next(),
            _ => None,
        }
    }

    fn fold<B, F: FnMut(B, u32) -> B>(mut self, init: B, mut f: F) -> B {
        let mut acc = init;
        loop {
            let key = self.key;
            let lows = core::mem::replace(&mut self.lows, Lows::new(&Container::EMPTY));
            acc = lows.fold(acc, |acc, low| f(acc, join16(key, low)));
            if !self.load() {
                return acc;
            }
        }
    }
}

impl core::iter::FusedIterator for Positions32<'_> {}

/// Iterates over the positions of a [`Bitmap64`], ascending.
///
/// After a full parse [`size_hint`](Iterator::size_hint) is exact; it takes O(buckets + containers left), so ask once.
#[derive(Clone, Debug)]
pub struct Positions64<'a> {
    buckets: Buckets<'a>,
    /// Key of the bucket in `lows`, once one is there.
    key: Option<u32>,
    lows: Positions32<'a>,
    validated: bool,
}

impl<'a> Positions64<'a> {
    pub(crate) fn new(bitmap: &Bitmap64<'a>) -> Self {
        let lows = Positions32::new(&Bitmap32::empty());
        Self { buckets: bitmap.buckets(), key: None, lows, validated: bitmap.is_validated() }
    }

    /// Moves to the next bucket. Returns its key, if there is one.
    fn load(&mut self) -> Option<u32> {
        let (key, bitmap) = self.buckets.next()?;
        self.key = Some(key);
        self.lows = bitmap.iter();
        Some(key)
    }

    /// Returns the next position without moving past it.
    pub fn peek(&mut self) -> Option<u64> {
        loop {
            if let Some(low) = self.lows.peek() {
                return Some(join32(self.key.unwrap_or(0), low));
            }
            self.load()?;
        }
    }

    /// Moves forward to the first position that is at least `position`; never moves back.
    ///
    /// Takes O(buckets passed) and the time of [`Positions32::advance_to`].
    pub fn advance_to(&mut self, position: u64) {
        let key = high32(position);
        while self.key.is_none_or(|current| current < key) {
            if self.load().is_none() {
                self.lows = Positions32::new(&Bitmap32::empty());
                return;
            }
        }
        if self.key == Some(key) {
            self.lows.advance_to(low32(position));
        }
    }

    /// Counts the positions left. Takes O(buckets + containers left).
    fn left(&self) -> u64 {
        self.buckets.fold(self.lows.left(), |sum, (_, bitmap)| sum.saturating_add(bitmap.cardinality()))
    }
}

impl Iterator for Positions64<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        loop {
            if let Some(low) = self.lows.next() {
                return Some(join32(self.key.unwrap_or(0), low));
            }
            self.load()?;
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        hint(self.validated, || self.left())
    }

    fn count(self) -> usize {
        usize::try_from(self.left()).unwrap_or(usize::MAX)
    }

    fn nth(&mut self, n: usize) -> Option<u64> {
        let mut skip = self.lows.skip_values(n as u64);
        while skip > 0 {
            self.load()?;
            skip = self.lows.skip_values(skip);
        }
        self.next()
    }

    fn fold<B, F: FnMut(B, u64) -> B>(self, init: B, mut f: F) -> B {
        let key = self.key.unwrap_or(0);
        let acc = self.lows.fold(init, |acc, low| f(acc, join32(key, low)));
        self.buckets.fold(acc, |acc, (key, bitmap)| bitmap.iter().fold(acc, |acc, low| f(acc, join32(key, low))))
    }
}

impl core::iter::FusedIterator for Positions64<'_> {}

/// Exact bounds after a full parse; else no promise at all.
pub(crate) fn hint(validated: bool, left: impl Fn() -> u64) -> (usize, Option<usize>) {
    if !validated {
        return (0, None);
    }
    let left = usize::try_from(left());
    (left.unwrap_or(usize::MAX), left.ok())
}
