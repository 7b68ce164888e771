//! Ranges of positions, as a source.

use core::ops::Range;

use zerocopy::little_endian::U64;

use crate::roaring::combine::{Block, MAX_RUNS, RunList, bitset};
use crate::roaring::shape::set_run;
use crate::roaring::{Container, low16, low32};

/// The ranges not yet passed, of which those that overlap or touch are one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges<'a> {
    /// First and last position of the range that has been come to, less what has been passed of it.
    open: Option<(u64, u64)>,
    /// The ranges after it. Their starts ascend.
    rest: &'a [Range<u64>],
}

impl<'a> Ranges<'a> {
    pub(super) fn new(ranges: &'a [Range<u64>]) -> Self {
        let mut ranges = Self { open: None, rest: ranges };
        ranges.load();
        ranges
    }

    /// Moves to the next range, with all that belong to it.
    fn load(&mut self) {
        self.open = None;
        while let [range, rest @ ..] = self.rest {
            match self.open {
                _ if range.is_empty() => {}
                Some((_, last)) if range.start > last.saturating_add(1) => return,
                Some((first, last)) => self.open = Some((first, last.max(range.end.saturating_sub(1)))),
                None => self.open = Some((range.start, range.end.saturating_sub(1))),
            }
            self.rest = rest;
        }
    }

    /// Counts the containers that are full. Takes O(ranges).
    pub(super) fn full_containers(mut self) -> u64 {
        let mut count = 0_u64;
        while let Some((first, last)) = self.open {
            let (start, end) = (first.div_ceil(1 << 16), last.saturating_add(1) >> 16);
            count = count.saturating_add(end.saturating_sub(start));
            self.load();
        }
        count
    }

    #[inline]
    pub(super) fn key(&self) -> Option<u64> {
        self.open.map(|(first, _)| first >> 16)
    }

    /// Passes the full containers from the next one on whose keys are below `end`. Returns how many there are.
    pub(super) fn pass_full(&mut self, end: u64) -> u64 {
        let Some((first, last)) = self.open.filter(|(first, _)| first & 0xFFFF == 0) else { return 0 };
        let full = (last.saturating_add(1) >> 16).min(end).saturating_sub(first >> 16);
        if full > 0 {
            let next = first.saturating_add(full << 16);
            if next > last { self.load() } else { self.open = Some((next, last)) }
        }
        full
    }

    /// Takes the part of the next range that lies in the container `key`.
    #[inline]
    fn take(&mut self, key: u64) -> Option<(u16, u16)> {
        let (first, last) = self.open.filter(|(first, _)| first >> 16 == key)?;
        let end = last.min(first | 0xFFFF);
        if end < last {
            self.open = Some((end.saturating_add(1), last));
        } else {
            self.load();
        }
        Some((low16(low32(first)), low16(low32(end))))
    }

    /// Moves to the next container.
    pub(super) fn advance(&mut self) {
        if let Some(key) = self.key() {
            while self.take(key).is_some() {}
        }
    }

    /// The parts that lie in this container.
    fn parts(mut self) -> impl Iterator<Item = (u16, u16)> {
        let key = self.key();
        core::iter::from_fn(move || self.take(key?))
    }

    /// Makes the container of the ranges here.
    pub(super) fn container<'b>(&self, block: &'b mut Block) -> Container<'b> {
        if self.parts().nth(MAX_RUNS).is_none() {
            let mut runs = RunList::new(block);
            self.parts().for_each(|(first, last)| runs.push(first, last));
            return runs.finish();
        }
        block.fill(U64::ZERO);
        self.add_to(block);
        bitset(block)
    }

    /// Adds the ranges here to the bits of a block.
    pub(super) fn add_to(&self, block: &mut Block) {
        self.parts().for_each(|(first, last)| set_run(block, first, last));
    }
}
