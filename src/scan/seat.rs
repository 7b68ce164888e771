//! One container, or a stretch without one, and how far a front-to-back scan has come in it.

use zerocopy::little_endian::{U16, U64};

use crate::roaring::{Container, bounds, low16, low32};
use crate::scan::words::{copy_bits, fill, flip_bits, flip_copied};

/// What there is between the first and the last position of a [`Seat`].
#[derive(Clone, Copy, Debug)]
enum Content<'a> {
    Nothing,
    Array(&'a [U16]),
    Bitset(&'a [U64; 1024]),
    Runs(&'a [[U16; 2]]),
}

/// The positions from `first` to `last`: those of one container, or a stretch where no position is deleted.
///
/// A window inside them is answered without asking a header. The place of the first value, or run, that a scan has not
/// passed is kept, so that the next window starts there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat<'a> {
    first: u64,
    last: u64,
    content: Content<'a>,
    /// Index of the first value, or run, that is not wholly below `low`. Unused for bitsets.
    at: usize,
    /// Where the last window ended: 65,536 at the end of a container.
    low: u32,
}

impl<'a> Seat<'a> {
    /// A seat that covers no window: not even the one of the last position of all.
    pub(super) const NOWHERE: Self = Self { first: u64::MAX, last: 0, content: Content::Nothing, at: 0, low: 0 };

    /// The seat of a container whose first position would be `first`.
    pub(super) fn new(first: u64, container: &Container<'a>) -> Self {
        let content = match container {
            Container::Array(array) => Content::Array(array.values()),
            Container::Bitset(bitset) => Content::Bitset(bitset.words()),
            Container::Run(run) => Content::Runs(run.runs()),
        };
        Self { first, last: first | 0xFFFF, content, at: 0, low: 0 }
    }

    /// The seat of a stretch where nothing is deleted.
    pub(super) const fn gap(first: u64, last: u64) -> Self {
        Self { first, last, content: Content::Nothing, at: 0, low: 0 }
    }

    /// Tells whether the positions from `first` to `last` all belong to this seat.
    #[inline]
    pub(super) const fn covers(&self, first: u64, last: u64) -> bool {
        self.first <= first && last <= self.last
    }

    /// Tells whether nothing is deleted here.
    pub(super) const fn is_gap(&self) -> bool {
        matches!(self.content, Content::Nothing)
    }

    /// Returns the last position that belongs to this seat.
    pub(super) const fn last(&self) -> u64 {
        self.last
    }

    /// Writes the mask of the positions from `first` to `last`, which this seat covers, into all of `out`. Bits behind
    /// the last position are anything.
    #[inline(always)]
    pub(super) fn fill_mask<const LIVE: bool>(&mut self, first: u64, last: u64, out: &mut [u64]) {
        if let Content::Bitset(words) = self.content {
            copy_bits::<LIVE>(out, words, usize::from(place(first)));
        } else {
            fill::<LIVE>(out);
            self.flip::<LIVE>(first, last, out, 0);
        }
    }

    /// Inverts the bits of the positions from `first` to `last`, which this seat covers, that are in the set. In `out`,
    /// where the ground is laid, `first` is bit `bit`.
    pub(super) fn flip_mask<const LIVE: bool>(&mut self, first: u64, last: u64, out: &mut [u64], bit: usize) {
        if let Content::Bitset(words) = self.content {
            let from = usize::from(place(first));
            flip_copied(out, bit, words, from, usize::from(place(last)).saturating_sub(from).saturating_add(1));
        } else {
            self.flip::<LIVE>(first, last, out, bit);
        }
    }

    /// [`flip_mask`](Self::flip_mask) of an array, of runs, or of nothing.
    #[inline(always)]
    fn flip<const LIVE: bool>(&mut self, first: u64, last: u64, out: &mut [u64], bit: usize) {
        let (from, to) = (place(first), place(last));
        let passed = match self.content {
            Content::Nothing | Content::Bitset(_) => return,
            Content::Array(values) => {
                let at = self.start(from, values, |value| value.get() < from);
                at.saturating_add(flip_values(values.get(at..).unwrap_or_default(), from, to, out, bit))
            }
            Content::Runs(runs) => {
                let at = self.start(from, runs, |run| bounds(run).1 < from);
                at.saturating_add(flip_runs::<LIVE>(runs.get(at..).unwrap_or_default(), from, to, out, bit))
            }
        };
        (self.at, self.low) = (passed, u32::from(to) + 1);
    }

    /// Returns the index of the first element that is not below `from`: known where the last window ended, else
    /// searched on that side of it.
    #[inline]
    fn start<T>(&self, from: u16, elements: &[T], below: impl Fn(&T) -> bool) -> usize {
        if u32::from(from) == self.low {
            return self.at;
        }
        let passed = if u32::from(from) > self.low { self.at } else { 0 };
        let rest = elements.get(passed..).unwrap_or_default();
        passed.saturating_add(rest.partition_point(below))
    }
}

/// Returns the place of a position inside its container.
const fn place(position: u64) -> u16 {
    low16(low32(position))
}

/// Inverts the bits of the values from `from` to `to`. Returns how many there are.
///
/// Four at a time, so that there are fewer branches to mispredict; what ends a window is a branch that always is.
#[inline(always)]
fn flip_values(values: &[U16], from: u16, to: u16, out: &mut [u64], bit: usize) -> usize {
    let span = to.wrapping_sub(from);
    // Values ascend from `from` on; on trusted bytes that do not, a place may be any.
    let place = |value: &U16| value.get().wrapping_sub(from);
    let mut flip = |place: u16| {
        let bit = bit.wrapping_add(usize::from(place));
        if let Some(word) = out.get_mut(bit >> 6) {
            *word ^= 1 << (bit & 63);
        }
    };
    let mut passed = 0_usize;
    for four in values.as_chunks::<4>().0 {
        let places = four.each_ref().map(place);
        let [.., last] = places;
        if last > span {
            break;
        }
        places.into_iter().for_each(&mut flip);
        passed = passed.wrapping_add(4);
    }
    for value in values.get(passed..).unwrap_or_default() {
        let place = place(value);
        if place > span {
            break;
        }
        flip(place);
        passed = passed.wrapping_add(1);
    }
    passed
}

/// Inverts the bits of the runs, cut to the places from `from` to `to`. Returns how many runs end before `to`, or
/// there.
#[inline(always)]
fn flip_runs<const LIVE: bool>(runs: &[[U16; 2]], from: u16, to: u16, out: &mut [u64], bit: usize) -> usize {
    let place = |low: u16| bit.wrapping_add(usize::from(low.wrapping_sub(from)));
    let mut passed = 0_usize;
    for run in runs {
        let (start, end) = bounds(run);
        if start > to {
            break;
        }
        flip_bits::<LIVE>(out, place(start.max(from)), place(end.min(to)));
        if end > to {
            break;
        }
        passed = passed.wrapping_add(1);
    }
    passed
}
