//! Which form a container is stored in, and writing it so.
//!
//! The format leaves one choice to the writer: values may be stored as runs instead of as the array or bitset that
//! their number prescribes. Here they are where that is strictly smaller, the rule of the Java, C and Rust libraries;
//! so one set has one serialized form.

use zerocopy::little_endian::{U16, U64};
use zerocopy::{FromBytes, IntoBytes};

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::bitset::WORDS;
use crate::roaring::lows::Lows;
use crate::roaring::run::bounds;
use crate::roaring::{BITSET_LEN, Container, MAX_ARRAY_CARDINALITY};
use crate::wide::wide;

/// How many values a container holds, and in which form it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    cardinality: u32,
    /// Number of runs, if it is stored as runs.
    runs: Option<u16>,
}

/// Size of the count of a run container, and of one run.
const RUN_COUNT_LEN: usize = 2;
const RUN_LEN: usize = 4;

/// Returns the size of so many values as array or bitset, whichever their number prescribes.
const fn plain_len(cardinality: u32) -> usize {
    if cardinality > MAX_ARRAY_CARDINALITY { BITSET_LEN } else { cardinality as usize * 2 }
}

impl Shape {
    /// The shape of all 65,536 values: one run.
    pub(crate) const FULL: Self = Self { cardinality: 0x1_0000, runs: Some(1) };

    /// The shape of so many values in so many runs.
    pub(crate) fn new(cardinality: u32, runs: u32) -> Self {
        let worth = runs <= Self::most_runs(cardinality);
        Self { cardinality, runs: u16::try_from(runs).ok().filter(|_| worth) }
    }

    /// Returns the most runs with which so many values are stored as runs: 2,047 at most.
    pub(crate) const fn most_runs(cardinality: u32) -> u32 {
        // Sizes are even: 2 + 4 runs < plain.
        #[expect(clippy::cast_possible_truncation, reason = "at most 8,192")]
        {
            plain_len(cardinality).saturating_sub(RUN_COUNT_LEN + 1) as u32 / RUN_LEN as u32
        }
    }

    /// Returns how many values there are.
    pub(crate) const fn cardinality(self) -> u32 {
        self.cardinality
    }

    /// Tells whether the container is stored as runs.
    pub(crate) const fn is_run(self) -> bool {
        self.runs.is_some()
    }

    /// Returns the stored size in bytes.
    pub(crate) const fn encoded_len(self) -> usize {
        match self.runs {
            Some(runs) => runs as usize * RUN_LEN + RUN_COUNT_LEN,
            None => plain_len(self.cardinality),
        }
    }
}

/// Counts the runs of `values` as far as that matters: any number above `limit` stands for more than `limit`.
///
/// `starts(before, value)` tells whether a run starts at `value`, with `before` in front of it.
#[inline(always)]
pub(super) fn count_runs<T: Copy>(values: &[T], limit: u32, starts: impl Fn(T, T) -> bool) -> u32 {
    const BLOCK: usize = 256;
    let mut runs = u32::from(!values.is_empty());
    let later = values.get(1..).unwrap_or_default();
    for (before, block) in values.chunks(BLOCK).zip(later.chunks(BLOCK)) {
        // At most `BLOCK` of them: a narrow sum, in which the compiler takes many at once.
        let breaks = before.iter().zip(block).fold(0_u16, |sum, (a, b)| sum.wrapping_add(u16::from(starts(*a, *b))));
        runs = runs.wrapping_add(u32::from(breaks));
        if runs > limit {
            break;
        }
    }
    runs
}

/// Counts the runs of a bitset's bits, as [`count_runs`] does.
#[inline(always)]
pub(super) fn count_bit_runs(words: &[U64; WORDS], limit: u32) -> u32 {
    let (mut runs, mut carry) = (0_u32, 0);
    for block in words.chunks(32) {
        for word in block {
            let word = word.get();
            runs = runs.wrapping_add((word & !(word << 1 | carry)).count_ones());
            carry = word >> 63;
        }
        if runs > limit {
            break;
        }
    }
    runs
}

impl Container<'_> {
    /// Returns the form in which these values are stored. Takes O(stored size).
    #[inline]
    pub(crate) fn shape(&self) -> Shape {
        let cardinality = self.cardinality();
        let limit = Shape::most_runs(cardinality);
        let runs = match self {
            Self::Array(array) => wide(
                self.encoded_len(),
                #[inline(always)]
                || count_runs(array.values(), limit, |a, b| b.get() != a.get().wrapping_add(1)),
            ),
            Self::Bitset(bitset) => wide(
                self.encoded_len(),
                #[inline(always)]
                || count_bit_runs(bitset.words(), limit),
            ),
            Self::Run(run) => count_runs(run.runs(), u32::MAX, |[first, less_one], [next, _]| {
                next.get() != first.get().wrapping_add(less_one.get()).wrapping_add(1)
            }),
        };
        Shape::new(cardinality, runs)
    }

    /// Writes these values in the form `shape`, which is theirs, into all of `out`, which is as long as it says.
    pub(crate) fn encode_into(&self, shape: Shape, out: &mut [u8]) -> Result<()> {
        let mut lows = Lows::new(self);
        let written = match (self, shape.runs) {
            (Self::Array(array), None) => copy(array.values().as_bytes(), out),
            (Self::Bitset(bitset), None) if shape.cardinality > MAX_ARRAY_CARDINALITY => {
                copy(bitset.words().as_bytes(), out)
            }
            (Self::Run(run), None) if shape.cardinality > MAX_ARRAY_CARDINALITY => {
                <[U64; WORDS]>::mut_from_bytes(out).ok().map(|words| {
                    words.fill(U64::ZERO);
                    run.runs().iter().map(bounds).for_each(|(first, last)| set_run(words, first, last));
                })
            }
            (Self::Bitset(_) | Self::Run(_), None) => write_values(core::iter::from_fn(|| lows.next()), out),
            (Self::Run(run), Some(count)) if run.runs().len() == usize::from(count) => {
                split_count(count, out).and_then(|runs| copy(run.runs().as_bytes(), runs))
            }
            (_, Some(count)) => write_runs(core::iter::from_fn(|| lows.next_run()), count, out),
        };
        written.ok_or(Error::new(ErrorKind::Internal, 0, 0))
    }
}

/// Copies bytes to where as many are wanted.
#[inline]
fn copy(from: &[u8], to: &mut [u8]) -> Option<()> {
    (from.len() == to.len()).then(|| to.copy_from_slice(from))
}

/// Writes the count of a run container, and returns the room for its runs.
#[inline]
fn split_count(count: u16, out: &mut [u8]) -> Option<&mut [u8]> {
    let (field, runs) = out.split_first_chunk_mut()?;
    *field = count.to_le_bytes();
    Some(runs)
}

/// Writes a run container of `count` runs.
#[inline(always)]
fn write_runs(runs: impl Iterator<Item = (u16, u16)>, count: u16, out: &mut [u8]) -> Option<()> {
    let room = <[[U16; 2]]>::mut_from_bytes(split_count(count, out)?).ok()?;
    let mut written = 0_usize;
    for (to, (first, last)) in room.iter_mut().zip(runs) {
        *to = [U16::new(first), U16::new(last.wrapping_sub(first))];
        written = written.wrapping_add(1);
    }
    (written == room.len()).then_some(())
}

/// Writes an array container.
#[inline(always)]
fn write_values(values: impl Iterator<Item = u16>, out: &mut [u8]) -> Option<()> {
    let room = <[U16]>::mut_from_bytes(out).ok()?;
    let mut written = 0_usize;
    for (to, low) in room.iter_mut().zip(values) {
        *to = U16::new(low);
        written = written.wrapping_add(1);
    }
    (written == room.len()).then_some(())
}

/// Sets the bits from `first` to `last`, both included.
#[inline]
pub(crate) fn set_run(words: &mut [U64; WORDS], first: u16, last: u16) {
    let (head, tail) = (u64::MAX << (first & 63), u64::MAX >> (63 - (last & 63)));
    let set = |word: &mut U64, mask: u64| word.set(word.get() | mask);
    match words.get_mut(usize::from(first >> 6)..=usize::from(last >> 6)) {
        None | Some([]) => {}
        Some([only]) => set(only, head & tail),
        Some([first, between @ .., last]) => {
            set(first, head);
            between.fill(U64::new(u64::MAX));
            set(last, tail);
        }
    }
}

/// Sets the bit of `low`.
#[inline(always)]
pub(crate) fn set_value(words: &mut [U64; WORDS], low: u16) {
    if let Some(word) = words.get_mut(usize::from(low >> 6)) {
        word.set(word.get() | 1 << (low & 63));
    }
}
