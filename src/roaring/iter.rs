//! Iteration from the front, from a position, and forward jumps.

use core::cmp::Ordering;

use crate::roaring::header::Header;
use crate::roaring::lows::Lows;
use crate::roaring::{Bitmap32, Bitmap64, Container, Records, high16, high32, join16, join32, low16, low32};

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
}

impl<'a> Positions32<'a> {
    pub(crate) fn new(bitmap: &Bitmap32<'a>) -> Self {
        let header = *bitmap.header();
        let lows = Lows::new(&header.container(0));
        Self { header, next: 1, key: header.key(0).unwrap_or(0), lows }
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

    /// Takes as many values as fit into `out`, joined to the bucket `key`. Returns how many.
    fn fill(&mut self, key: u32, out: &mut [u64]) -> usize {
        let mut filled = 0_usize;
        loop {
            let rest = out.get_mut(filled..).unwrap_or_default();
            if rest.is_empty() {
                return filled;
            }
            let base = join32(key, join16(self.key, 0));
            filled = filled.saturating_add(self.lows.fill(base, rest));
            if filled < out.len() && !self.load() {
                return filled;
            }
        }
    }

    /// Takes the next value and those that follow it without a gap: first and last. A run that has reached `limit` is
    /// not followed into further containers.
    fn next_run(&mut self, limit: u32) -> Option<(u32, u32)> {
        let (first, last) = loop {
            if let Some(run) = self.lows.next_run() {
                break run;
            }
            if !self.load() {
                return None;
            }
        };
        let (first, mut last) = (join16(self.key, first), join16(self.key, last));
        while low16(last) == u16::MAX
            && last < limit
            && self.peek().is_some_and(|value| last.checked_add(1) == Some(value))
        {
            let (_, end) = self.lows.next_run()?;
            last = join16(self.key, end);
        }
        Some((first, last))
    }

    /// Moves forward to the first value that is at least `value`; never moves back.
    ///
    /// Takes O(log containers) and a search in one container.
    pub fn advance_to(&mut self, value: u32) {
        let key = high16(value);
        if self.key < key {
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
        hint(self.header.is_validated(), || self.left())
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

    #[inline]
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
    /// The buckets after the one in `lows`.
    later: Records<'a>,
    /// Key of the bucket in `lows`.
    key: u32,
    lows: Positions32<'a>,
    validated: bool,
}

impl<'a> Positions64<'a> {
    #[inline]
    pub(crate) fn new(bitmap: &Bitmap64<'a>) -> Self {
        let (key, first) = bitmap.first();
        Self { later: bitmap.later(), key: *key, lows: first.iter(), validated: bitmap.is_validated() }
    }

    /// Moves to the next bucket. Returns whether there is one.
    fn load(&mut self) -> bool {
        let Some((key, bitmap)) = self.later.next() else { return false };
        self.key = key;
        self.lows = bitmap.iter();
        true
    }

    /// Returns the next position without moving past it.
    pub fn peek(&mut self) -> Option<u64> {
        loop {
            if let Some(low) = self.lows.peek() {
                return Some(join32(self.key, low));
            }
            if !self.load() {
                return None;
            }
        }
    }

    /// Takes as many positions as fit into `out`, and writes them there. Returns how many; fewer than `out` holds only
    /// at the end. Elements behind those returned may be written over.
    ///
    /// Takes O(positions written + words passed), and is several times as fast as calling `next`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use puffin_codec::roaring::Bitmap64;
    /// // One bucket, key 0; run cookie for one container, flag 1; one run: 5 to 14.
    /// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 5, 0, 9, 0];
    /// let mut positions = Bitmap64::parse(&bytes)?.iter_from(8);
    /// let mut batch = [0; 4];
    /// assert_eq!((positions.fill(&mut batch), batch), (4, [8, 9, 10, 11]));
    /// assert_eq!((positions.fill(&mut batch), &batch[..3]), (3, [12, 13, 14].as_slice()));
    /// assert_eq!(positions.fill(&mut batch), 0);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn fill(&mut self, out: &mut [u64]) -> usize {
        let mut filled = 0_usize;
        loop {
            let rest = out.get_mut(filled..).unwrap_or_default();
            filled = filled.saturating_add(self.lows.fill(self.key, rest));
            if filled >= out.len() || !self.load() {
                return filled;
            }
        }
    }

    /// Takes the next position and those that follow it without a gap: first and last. A run that has reached `limit`
    /// is not followed into further containers.
    #[inline]
    pub(crate) fn next_run(&mut self, limit: u64) -> Option<(u64, u64)> {
        if let Some((first, last)) = self.lows.lows.next_lone_run() {
            let base = join32(self.key, join16(self.lows.key, 0));
            return Some((base | u64::from(first), base | u64::from(last)));
        }
        self.next_run_anywhere(limit)
    }

    /// [`next_run`](Self::next_run) of bitsets, of touching values, and at the end of a container.
    #[inline(never)]
    fn next_run_anywhere(&mut self, limit: u64) -> Option<(u64, u64)> {
        // In a bucket behind that of `limit`, 0 ends a run with its container.
        let low_limit = |key: u32| match key.cmp(&high32(limit)) {
            Ordering::Less => u32::MAX,
            Ordering::Equal => low32(limit),
            Ordering::Greater => 0,
        };
        let (first, last) = loop {
            if let Some(run) = self.lows.next_run(low_limit(self.key)) {
                break run;
            }
            if !self.load() {
                return None;
            }
        };
        let (first, mut last) = (join32(self.key, first), join32(self.key, last));
        while low32(last) == u32::MAX
            && last < limit
            && self.peek().is_some_and(|position| last.checked_add(1) == Some(position))
        {
            let (_, end) = self.lows.next_run(low_limit(self.key))?;
            last = join32(self.key, end);
        }
        Some((first, last))
    }

    /// Moves forward to the first position that is at least `position`; never moves back.
    ///
    /// Takes O(buckets passed) and the time of [`Positions32::advance_to`].
    pub fn advance_to(&mut self, position: u64) {
        let key = high32(position);
        while self.key < key {
            if !self.load() {
                self.lows = Bitmap32::empty().iter();
                return;
            }
        }
        if self.key == key {
            self.lows.advance_to(low32(position));
        }
    }

    /// Counts the positions left. Takes O(buckets + containers left).
    fn left(&self) -> u64 {
        self.later.fold(self.lows.left(), |sum, (_, bitmap)| sum.saturating_add(bitmap.cardinality()))
    }
}

impl Iterator for Positions64<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        loop {
            if let Some(low) = self.lows.next() {
                return Some(join32(self.key, low));
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

    fn nth(&mut self, n: usize) -> Option<u64> {
        let mut skip = self.lows.skip_values(n as u64);
        while skip > 0 {
            if !self.load() {
                return None;
            }
            skip = self.lows.skip_values(skip);
        }
        self.next()
    }

    #[inline]
    fn fold<B, F: FnMut(B, u64) -> B>(self, init: B, mut f: F) -> B {
        let key = self.key;
        let acc = self.lows.fold(init, |acc, low| f(acc, join32(key, low)));
        self.later.fold(acc, |acc, (key, bitmap)| bitmap.iter().fold(acc, |acc, low| f(acc, join32(key, low))))
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
