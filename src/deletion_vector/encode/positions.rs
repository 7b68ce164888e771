//! Positions in ascending order, as a source.

use zerocopy::little_endian::{U16, U64};

use crate::deletion_vector::MAX_WRITTEN_POSITION;
use crate::roaring::combine::{Block, array, as_values, bitset};
use crate::roaring::shape::set_value;
use crate::roaring::{BitsetContainer, Container, MAX_ARRAY_CARDINALITY, low16, low32};
use crate::wide::wide;

/// How positions ascend.
pub(super) enum Ascending {
    Strictly,
    WithRepeats,
    Not,
}

/// Checks that positions ascend, and that all may be written.
pub(super) fn ascending(positions: &[u64]) -> Ascending {
    let too_large = positions.last().is_some_and(|last| *last > MAX_WRITTEN_POSITION);
    let [disordered, not_strict] = wide(
        size_of_val(positions),
        #[inline(always)]
        || {
            let later = positions.get(1..).unwrap_or_default();
            // The sign bits, of positions too: with them clear, a step forward is one whose sign bit is clear.
            let mut signs = [positions.last().copied().unwrap_or(0), 0];
            for (before, position) in positions.iter().zip(later) {
                let step = position.wrapping_sub(*before);
                signs = [signs[0] | step | before, signs[1] | step.wrapping_sub(1)];
            }
            signs.map(|sign| sign >> 63 == 1)
        },
    );
    match (too_large | disordered, not_strict) {
        (true, _) => Ascending::Not,
        (_, true) => Ascending::WithRepeats,
        _ => Ascending::Strictly,
    }
}

/// The positions not yet passed, which ascend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Positions<'a> {
    rest: &'a [u64],
    /// How many of them lie in the container of the first one.
    here: usize,
    /// Whether none is there twice.
    unique: bool,
}

impl<'a> Positions<'a> {
    pub(super) fn new(positions: &'a [u64], unique: bool) -> Self {
        Self { rest: positions, here: count_in_container(positions), unique }
    }

    #[inline]
    pub(super) fn key(&self) -> Option<u64> {
        self.rest.first().map(|position| position >> 16)
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        *self = Self::new(self.rest.get(self.here..).unwrap_or_default(), self.unique);
    }

    /// Makes the container of the positions here.
    pub(super) fn container<'b>(&self, block: &'b mut Block) -> Container<'b> {
        let here = self.rest.get(..self.here).unwrap_or_default();
        if here.len() > MAX_ARRAY_CARDINALITY as usize {
            set_all(block, here);
            return match u32::try_from(here.len()) {
                Ok(cardinality) if self.unique => Container::Bitset(BitsetContainer::new(block, cardinality)),
                _ => bitset(block),
            };
        }
        let len = if self.unique {
            wide(
                size_of_val(here),
                #[inline(always)]
                || narrow(here, as_values(block)),
            )
        } else {
            narrow_unique(here, as_values(block))
        };
        array(block, len)
    }

    /// Adds the positions here to the bits of a block.
    pub(super) fn add_to(&self, block: &mut Block) {
        set_values(block, self.rest.get(..self.here).unwrap_or_default());
    }
}

/// Counts the positions in the container of the first one: in the logarithm of their number.
fn count_in_container(positions: &[u64]) -> usize {
    let Some(first) = positions.first() else { return 0 };
    let last = first | 0xFFFF;
    // Those before `inside` are in the container; `step` is how much further the next look goes.
    let (mut inside, mut step) = (0_usize, 16_usize);
    while positions.get(inside.saturating_add(step)).is_some_and(|position| *position <= last) {
        inside = inside.saturating_add(step);
        step = step.saturating_mul(2);
    }
    let end = inside.saturating_add(step).min(positions.len());
    let window = positions.get(inside..end).unwrap_or_default();
    inside.saturating_add(window.partition_point(|position| *position <= last))
}

/// The place of a position in its container.
#[inline(always)]
const fn low(position: u64) -> u16 {
    low16(low32(position))
}

/// Writes the places of positions of which none is there twice.
#[inline(always)]
fn narrow(positions: &[u64], out: &mut [U16]) -> usize {
    for (to, position) in out.iter_mut().zip(positions) {
        *to = U16::new(low(*position));
    }
    positions.len()
}

/// Writes the places of positions, each once.
fn narrow_unique(positions: &[u64], out: &mut [U16]) -> usize {
    let (mut len, mut before) = (0_usize, None);
    for position in positions {
        if before.replace(position) != Some(position)
            && let Some(to) = out.get_mut(len)
        {
            *to = U16::new(low(*position));
            len = len.saturating_add(1);
        }
    }
    len
}

/// Makes `block` the bits of positions.
fn set_all(block: &mut Block, positions: &[u64]) {
    block.fill(U64::ZERO);
    set_values(block, positions);
}

/// Sets the bits of positions.
///
/// Neighbours share a word, and each would wait for the one before it to be written. So four places are filled in turn.
fn set_values(block: &mut Block, positions: &[u64]) {
    let quarter = positions.len() / 4;
    let (a, rest) = positions.split_at_checked(quarter).unwrap_or_default();
    let (b, rest) = rest.split_at_checked(quarter).unwrap_or_default();
    let (c, rest) = rest.split_at_checked(quarter).unwrap_or_default();
    let (d, rest) = rest.split_at_checked(quarter).unwrap_or_default();
    for ((a, b), (c, d)) in a.iter().zip(b).zip(c.iter().zip(d)) {
        for position in [a, b, c, d] {
            set_value(block, low(*position));
        }
    }
    rest.iter().for_each(|position| set_value(block, low(*position)));
}
