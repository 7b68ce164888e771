//! What a caller of a peer makes of bulk reads by hand: masks, masks as bytes, offsets of live rows, ranges of live
//! rows.
//!
//! As in [`masks`], each loop is written as well as we can. There are two ways to live rows, and which is faster
//! depends on the data: through a mask, or from one deleted value or range to the next.

use crate::contest::Digest;
use crate::data::{WINDOW, windows};
use crate::masks::{self, BATCH, WORDS};
use crate::row::Row;

/// One product, made one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// Masks of deleted rows, as words.
    Mask,
    /// Masks of live rows, as bytes.
    Bytes,
    /// Offsets of live rows, from a mask.
    OffsetsOfMask,
    /// Offsets of live rows, from one deleted value or range to the next.
    OffsetsBetween,
    /// Ranges of live rows of each window.
    Ranges,
}

impl Hand {
    /// The ways to answer `row` from values.
    #[must_use]
    pub const fn of_values(row: Row) -> &'static [Self] {
        match row {
            Row::MasksBulk => &[Self::Mask],
            Row::MaskBytes => &[Self::Bytes],
            Row::LiveOffsets => &[Self::OffsetsOfMask, Self::OffsetsBetween],
            Row::Ranges => &[Self::Ranges],
            _ => &[],
        }
    }

    /// The ways to answer `row` from ranges. Where those are long, offsets need no mask; where they are short, ranges
    /// are the slow way to the mask.
    #[must_use]
    pub const fn of_ranges(row: Row) -> &'static [Self] {
        match row {
            Row::LiveOffsets => &[Self::OffsetsBetween],
            _ => Self::of_values(row),
        }
    }

    /// What follows the read in a contestant's name.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Mask | Self::Ranges => "",
            Self::Bytes => ", mask, to bytes",
            Self::OffsetsOfMask => ", mask, bits to offsets",
            Self::OffsetsBetween => ", offsets in between",
        }
    }
}

/// Memory of the caller: made once, used by every pass.
#[derive(Debug)]
pub struct Scratch {
    /// A batch's offsets, and room for a word's that are written blindly.
    offsets: Vec<u32>,
    bytes: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { offsets: vec![0; WORDS * 64 + 64], bytes: vec![0; WORDS * 8] }
    }
}

/// Makes it from bulk reads of values. `read` fills the buffer and returns how many; 0 at the end.
pub fn by_values<T: Copy + Into<u64>>(
    hand: Hand,
    rows: u64,
    buffer: &mut [T],
    read: impl FnMut(&mut [T]) -> usize,
    scratch: &mut Scratch,
    digest: &mut Digest,
) {
    let Scratch { offsets, bytes } = scratch;
    match hand {
        Hand::Mask => masks::by_values(rows, buffer, read, masks::whole(digest)),
        Hand::Bytes => masks::by_values(rows, buffer, read, |rows, words| live_bytes(rows, words, bytes, digest)),
        Hand::OffsetsOfMask => {
            masks::by_values(rows, buffer, read, |rows, words| live_offsets(rows, words, offsets, digest));
        }
        Hand::OffsetsBetween => {
            between_values(rows, BATCH, buffer, read, &mut Offsets { out: offsets, filled: 0, digest });
        }
        Hand::Ranges => between_values(rows, WINDOW, buffer, read, &mut Ranges { digest }),
    }
}

/// Makes it from bulk reads of ranges. `next` returns the next range, both ends included.
pub fn by_ranges(
    hand: Hand,
    rows: u64,
    next: impl FnMut() -> Option<(u64, u64)>,
    scratch: &mut Scratch,
    digest: &mut Digest,
) {
    let Scratch { offsets, bytes } = scratch;
    match hand {
        Hand::Mask => masks::by_ranges(rows, next, masks::whole(digest)),
        Hand::Bytes => masks::by_ranges(rows, next, |rows, words| live_bytes(rows, words, bytes, digest)),
        Hand::OffsetsOfMask => {
            masks::by_ranges(rows, next, |rows, words| live_offsets(rows, words, offsets, digest));
        }
        Hand::OffsetsBetween => between_ranges(rows, BATCH, next, &mut Offsets { out: offsets, filled: 0, digest }),
        Hand::Ranges => between_ranges(rows, WINDOW, next, &mut Ranges { digest }),
    }
}

/// Inverts a mask and lays it out as Arrow does.
#[inline]
fn live_bytes(rows: usize, words: &[u64; WORDS], out: &mut [u8], digest: &mut Digest) {
    for (to, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
        *to = (!word).to_le_bytes();
    }
    let out = &mut out[..rows.div_ceil(8)];
    if let Some(last) = out.last_mut().filter(|_| !rows.is_multiple_of(8)) {
        *last &= u8::MAX >> (8 - rows % 8);
    }
    digest.outputs(out);
}

/// Turns the live bits of a mask of deleted rows into offsets: all 64 of a word with none deleted, else eight at a time
/// and blindly, since a branch after each bit would be guessed wrong.
#[inline]
fn live_offsets(rows: usize, words: &[u64; WORDS], out: &mut [u32], digest: &mut Digest) {
    let mut filled = 0;
    let mut base = 0_u32;
    for (word, left) in words.iter().zip((1..=rows).rev().step_by(64)) {
        let mut live = !word & (u64::MAX >> (64 - left.min(64)));
        let room = &mut out[filled..filled + 64];
        if live == u64::MAX {
            room.iter_mut().zip(base..).for_each(|(to, offset)| *to = offset);
            filled += 64;
        } else {
            let count = live.count_ones() as usize;
            for eight in room.as_chunks_mut::<8>().0.iter_mut().take(count.div_ceil(8)) {
                for to in eight {
                    *to = base + live.trailing_zeros();
                    live &= live.wrapping_sub(1);
                }
            }
            filled += count;
        }
        base += 64;
    }
    digest.outputs(&out[..filled]);
}

/// Takes the live rows of one window after the other.
trait Live {
    /// Takes live rows, not empty, of the window that starts at `first`.
    fn stretch(&mut self, first: u64, start: u64, end: u64);
    /// Takes the end of the window.
    fn end(&mut self);
}

struct Offsets<'a> {
    out: &'a mut [u32],
    filled: usize,
    digest: &'a mut Digest,
}

impl Live for Offsets<'_> {
    /// Writes 16 at a time, blindly: most stretches are short.
    #[inline]
    fn stretch(&mut self, first: u64, start: u64, end: u64) {
        let count = (end - start) as usize;
        let room = &mut self.out[self.filled..self.filled + count.next_multiple_of(16)];
        let mut offset = (start - first) as u32;
        for sixteen in room.as_chunks_mut::<16>().0 {
            sixteen.iter_mut().zip(offset..).for_each(|(to, offset)| *to = offset);
            offset += 16;
        }
        self.filled += count;
    }

    #[inline]
    fn end(&mut self) {
        self.digest.outputs(&self.out[..self.filled]);
        self.filled = 0;
    }
}

struct Ranges<'a> {
    digest: &'a mut Digest,
}

impl Live for Ranges<'_> {
    #[inline]
    fn stretch(&mut self, _: u64, start: u64, end: u64) {
        self.digest.range(start, end);
    }

    #[inline]
    fn end(&mut self) {}
}

/// Hands out the live rows between the values.
#[inline]
fn between_values<T: Copy + Into<u64>>(
    rows: u64,
    step: u64,
    buffer: &mut [T],
    mut read: impl FnMut(&mut [T]) -> usize,
    live: &mut impl Live,
) {
    let (mut at, mut len) = (0, read(buffer));
    for window in windows(rows, step) {
        let mut row = window.start;
        while at < len {
            let mut used = 0;
            for value in &buffer[at..len] {
                let position: u64 = (*value).into();
                if position >= window.end {
                    break;
                }
                if row < position {
                    live.stretch(window.start, row, position);
                }
                row = position + 1;
                used += 1;
            }
            at += used;
            if at < len {
                break;
            }
            (at, len) = (0, read(buffer));
        }
        if row < window.end {
            live.stretch(window.start, row, window.end);
        }
        live.end();
    }
}

/// Hands out the live rows between the ranges.
#[inline]
fn between_ranges(rows: u64, step: u64, mut next: impl FnMut() -> Option<(u64, u64)>, live: &mut impl Live) {
    let mut range = next();
    for window in windows(rows, step) {
        let mut row = window.start;
        while let Some((start, last)) = range {
            if start >= window.end {
                break;
            }
            if row < start {
                live.stretch(window.start, row, start);
            }
            row = window.end.min(last + 1);
            if last >= window.end {
                break;
            }
            range = next();
        }
        if row < window.end {
            live.stretch(window.start, row, window.end);
        }
        live.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_same() {
        let ranges = [(3_u64, 3), (60, 70), (127, 128), (2040, 2050), (4000, 8191), (8193, 8193), (99_990, 100_010)];
        let values: Vec<u64> = ranges.iter().flat_map(|(start, last)| *start..=*last).collect();
        for rows in [100_011, 100_020, 100_100, 200_000, 200_001] {
            let live: Vec<u64> = (0..rows).filter(|row| values.binary_search(row).is_err()).collect();
            for hand in [Hand::Mask, Hand::Bytes, Hand::OffsetsOfMask, Hand::OffsetsBetween, Hand::Ranges] {
                let mut scratch = Scratch::default();
                let mut digests = [const { Digest::new(true) }; 3];
                let mut left = values.chunks(37);
                let read = |buffer: &mut [u64]| {
                    left.next().map_or(0, |chunk| {
                        buffer[..chunk.len()].copy_from_slice(chunk);
                        chunk.len()
                    })
                };
                by_values(hand, rows, &mut [0; 37], read, &mut scratch, &mut digests[0]);
                let mut left = ranges.iter().copied();
                by_ranges(hand, rows, || left.next(), &mut scratch, &mut digests[1]);
                naive(hand, rows, &live, &mut digests[2]);
                assert_eq!(digests[0].finish(), digests[2].finish(), "{hand:?} of values, {rows} rows");
                assert_eq!(digests[1].finish(), digests[2].finish(), "{hand:?} of ranges, {rows} rows");
            }
        }
    }

    /// The same from a list of live rows, row by row.
    fn naive(hand: Hand, rows: u64, live: &[u64], digest: &mut Digest) {
        let lives = |row: u64| live.binary_search(&row).is_ok();
        let step = if hand == Hand::Ranges { WINDOW } else { BATCH };
        for window in windows(rows, step) {
            match hand {
                Hand::Mask => {
                    let mut words = vec![0_u64; (window.end - window.start).div_ceil(64) as usize];
                    for row in window.clone().filter(|row| !lives(*row)) {
                        words[(row - window.start) as usize / 64] |= 1 << (row % 64);
                    }
                    digest.outputs(&words);
                }
                Hand::Bytes => {
                    let mut bytes = vec![0_u8; (window.end - window.start).div_ceil(8) as usize];
                    for row in window.clone().filter(|row| lives(*row)) {
                        bytes[(row - window.start) as usize / 8] |= 1 << (row % 8);
                    }
                    digest.outputs(&bytes);
                }
                Hand::OffsetsOfMask | Hand::OffsetsBetween => {
                    let rows = window.clone().filter(|row| lives(*row));
                    digest.outputs(&rows.map(|row| (row - window.start) as u32).collect::<Vec<_>>());
                }
                Hand::Ranges => {
                    let mut row = window.start;
                    while let Some(start) = (row..window.end).find(|row| lives(*row)) {
                        row = (start..window.end).find(|row| !lives(*row)).unwrap_or(window.end);
                        digest.range(start, row);
                    }
                }
            }
        }
    }
}
