//! Iteration from the back.
//!
//! Containers are found from either end at no cost. Buckets are not: the format has no way back from a bucket to the
//! one before. [`Positions64Rev`] therefore keeps a ladder of places, each halving the distance to the next one, and
//! climbs down it: O(buckets × log buckets) in all, in constant memory.

use zerocopy::little_endian::{U16, U64};

use crate::roaring::bitset::value;
use crate::roaring::header::Header;
use crate::roaring::iter::hint;
use crate::roaring::run::bounds;
use crate::roaring::{Bitmap32, Bitmap64, Container, Records, join16, join32, low16};

/// What is left of one container, read backwards.
#[derive(Clone, Debug)]
enum LowsRev<'a> {
    Array(&'a [U16]),
    /// The words before the current one, and its bits that are left.
    Bitset(&'a [U64], u64),
    /// The runs before the current one; of that, `first` to `end - 1` are left.
    Run {
        runs: &'a [[U16; 2]],
        first: u32,
        end: u32,
    },
}

impl<'a> LowsRev<'a> {
    fn new(container: &Container<'a>) -> Self {
        match container {
            Container::Array(array) => Self::Array(array.values()),
            Container::Bitset(bitset) => Self::Bitset(bitset.words(), 0),
            Container::Run(run) => Self::Run { runs: run.runs(), first: 0x1_0000, end: 0x1_0000 },
        }
    }

    fn next(&mut self) -> Option<u16> {
        match self {
            Self::Array(values) => {
                let (last, before) = values.split_last()?;
                *values = before;
                Some(last.get())
            }
            Self::Bitset(words, word) => {
                while *word == 0 {
                    let (last, before) = words.split_last()?;
                    (*words, *word) = (before, last.get());
                    if *word != 0 {
                        break;
                    }
                }
                let bit = 63_u32.saturating_sub(word.leading_zeros());
                *word &= !(1 << bit);
                Some(value(words.len(), bit))
            }
            Self::Run { runs, first, end } => {
                if first >= end {
                    let (last, before) = runs.split_last()?;
                    let (start, stop) = bounds(last);
                    // Never above what came before, so that values descend on any bytes; a run that lies above (trusted
                    // bytes only) is the last.
                    *end = (u32::from(stop) + 1).min(*first);
                    *first = u32::from(start).min(*first);
                    *runs = if first < end { before } else { &[] };
                    if first >= end {
                        return None;
                    }
                }
                *end = end.saturating_sub(1);
                Some(low16(*end))
            }
        }
    }
}

/// Iterates over the values of a [`Bitmap32`], descending.
#[derive(Clone, Debug)]
pub struct Positions32Rev<'a> {
    header: Header<'a>,
    /// How many containers are before the one in `lows`.
    before: usize,
    key: u16,
    lows: LowsRev<'a>,
    left: u64,
}

impl<'a> Positions32Rev<'a> {
    pub(crate) fn new(bitmap: &Bitmap32<'a>) -> Self {
        Self {
            header: *bitmap.header(),
            before: bitmap.container_count(),
            key: 0,
            lows: LowsRev::new(&Container::EMPTY),
            left: bitmap.cardinality(),
        }
    }
}

impl Iterator for Positions32Rev<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(low) = self.lows.next() {
                self.left = self.left.saturating_sub(1);
                return Some(join16(self.key, low));
            }
            self.before = self.before.checked_sub(1)?;
            self.key = self.header.key(self.before)?;
            self.lows = LowsRev::new(&self.header.container(self.before));
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        hint(self.header.is_validated(), || self.left)
    }
}

impl core::iter::FusedIterator for Positions32Rev<'_> {}

/// Places on the ladder: each at least halves the distance, and a count of buckets has 32 bits at most.
const LADDER: usize = 34;

/// Iterates over the positions of a [`Bitmap64`], descending.
#[derive(Clone, Debug)]
pub struct Positions64Rev<'a> {
    /// The first bucket, handed out last.
    first: Option<(u32, Bitmap32<'a>)>,
    /// The records after the first bucket.
    records: &'a [u8],
    /// How many buckets of `records` are before the one in `lows`.
    before: u64,
    /// (bucket number, offset) in `records`, ascending; the first `rungs` count.
    ladder: [(u64, usize); LADDER],
    rungs: usize,
    key: u32,
    lows: Positions32Rev<'a>,
    left: u64,
    validated: bool,
}

impl<'a> Positions64Rev<'a> {
    pub(crate) fn new(bitmap: &Bitmap64<'a>) -> Self {
        let first = bitmap.buckets().next();
        let later = bitmap.later();
        let records = later.bytes();
        // Counted, not declared: on trusted bytes there may be fewer than the count says.
        let before = later.count() as u64;
        Self {
            first,
            records,
            before,
            ladder: [(0, 0); LADDER],
            rungs: 1,
            key: 0,
            lows: Bitmap32::empty().iter_rev(),
            left: if bitmap.is_validated() { bitmap.cardinality() } else { 0 },
            validated: bitmap.is_validated(),
        }
    }

    /// Returns the last bucket not handed out yet.
    fn load(&mut self) -> Option<(u32, Bitmap32<'a>)> {
        let Some(wanted) = self.before.checked_sub(1) else { return self.first.take() };
        self.before = wanted;
        let (mut number, mut offset) = loop {
            let top = self.rungs.saturating_sub(1);
            let rung = *self.ladder.get(top)?;
            if rung.0 <= wanted {
                break rung;
            }
            self.rungs = top;
        };
        let mut halfway = number.saturating_add(wanted.saturating_sub(number).div_ceil(2));
        loop {
            let record = self.records.get(offset..)?;
            let (bucket, rest) = Records::split(record, self.validated)?;
            if number == wanted {
                return Some(bucket);
            }
            offset = self.records.len().saturating_sub(rest.len());
            number = number.saturating_add(1);
            if number == halfway {
                if let Some(rung) = self.ladder.get_mut(self.rungs) {
                    *rung = (number, offset);
                    self.rungs = self.rungs.saturating_add(1);
                }
                halfway = number.saturating_add(wanted.saturating_sub(number).div_ceil(2));
            }
        }
    }
}

impl Iterator for Positions64Rev<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            if let Some(low) = self.lows.next() {
                self.left = self.left.saturating_sub(1);
                return Some(join32(self.key, low));
            }
            let (key, bitmap) = self.load()?;
            self.key = key;
            self.lows = bitmap.iter_rev();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        hint(self.validated, || self.left)
    }
}

impl core::iter::FusedIterator for Positions64Rev<'_> {}
