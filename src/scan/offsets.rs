//! Selections: offsets of live or of deleted rows, as vectors of `u32`.

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{FEW, ROOM, find, spread_32};
use crate::scan::Cursor;
use crate::scan::mask::{CHUNK_ROWS, CHUNK_WORDS, check_window};
use crate::scan::words::words_for;
use crate::wide::wide;

impl Cursor<'_> {
    /// Writes the offsets of the live rows of `[first_row, first_row + rows)`, counted from `first_row`, ascending.
    /// Returns how many there are.
    ///
    /// An `out` of `rows` elements is always enough; with a shorter one the rows are counted first. Takes
    /// O(rows + array values or runs inside the window); of deleted rows, a stretch without containers takes O(1). Never returns more than `out` holds, on trusted bytes either.
    /// Elements behind those returned may be written over.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the elements needed (nothing is written), [`ErrorKind::InvalidArgument`] if
    /// the window ends past 2^64 or has more than 2^32 rows.
    pub fn fill_live_offsets(&mut self, first_row: u64, rows: usize, out: &mut [u32]) -> Result<usize> {
        self.fill_offsets(first_row, rows, out, false)
    }

    /// Writes the offsets of the deleted rows of `[first_row, first_row + rows)`: see
    /// [`fill_live_offsets`](Self::fill_live_offsets).
    ///
    /// # Errors
    ///
    /// As [`fill_live_offsets`](Self::fill_live_offsets).
    pub fn fill_deleted_offsets(&mut self, first_row: u64, rows: usize, out: &mut [u32]) -> Result<usize> {
        self.fill_offsets(first_row, rows, out, true)
    }

    /// Counts the deleted rows of a window by their masks, so that the cursor keeps its place.
    fn count_masks(&mut self, first_row: u64, rows: usize) -> Result<u64> {
        let mut words = [0; CHUNK_WORDS];
        let (mut done, mut dead) = (self.skip_quiet(first_row, 0), 0_u64);
        while done < rows {
            let now = rows.saturating_sub(done).min(CHUNK_ROWS);
            self.fill_deleted_mask(first_row.saturating_add(done as u64), now, &mut words)?;
            let made = words.get(..words_for(now)).unwrap_or_default();
            dead = dead.saturating_add(made.iter().map(|word| u64::from(word.count_ones())).sum());
            done = self.skip_quiet(first_row, done.saturating_add(now));
        }
        Ok(dead)
    }

    /// Returns how many rows of a window are done with once those are passed, from `done` on, that lie where nothing is
    /// deleted: a stretch without containers costs one look, however long it is.
    fn skip_quiet(&mut self, first_row: u64, done: usize) -> usize {
        let row = first_row.saturating_add(done as u64);
        match self.quiet_until(row) {
            Some(last) => usize::try_from(last.saturating_sub(first_row)).unwrap_or(usize::MAX).saturating_add(1),
            None => done,
        }
    }

    fn fill_offsets(&mut self, first_row: u64, rows: usize, out: &mut [u32], deleted: bool) -> Result<usize> {
        check_window(first_row, rows)?;
        let Some(before) = rows.checked_sub(1) else { return Ok(0) };
        if u32::try_from(before).is_err() {
            return Err(Error::at(ErrorKind::InvalidArgument, first_row, rows as u64));
        }
        if out.len() < rows {
            let dead = self.count_masks(first_row, rows)?;
            let needed = if deleted { dead } else { (rows as u64).saturating_sub(dead) };
            if (out.len() as u64) < needed {
                return Err(Error::new(ErrorKind::BufferTooSmall, 0, needed));
            }
        }
        let mut words = [0; CHUNK_WORDS];
        let (mut done, mut filled) = (0_usize, 0_usize);
        loop {
            if deleted {
                done = self.skip_quiet(first_row, done);
            }
            if done >= rows {
                return Ok(filled);
            }
            let now = rows.saturating_sub(done).min(CHUNK_ROWS);
            let row = first_row.saturating_add(done as u64);
            if deleted {
                self.fill_deleted_mask(row, now, &mut words)?;
            } else {
                self.fill_live_mask(row, now, &mut words)?;
            }
            let words = words.get(..words_for(now)).unwrap_or_default();
            let base = u32::try_from(done).unwrap_or(u32::MAX);
            let rest = out.get_mut(filled..).unwrap_or_default();
            filled = filled.saturating_add(wide(
                now.saturating_mul(4),
                #[inline(always)]
                || write_places(words, base, rest),
            ));
            done = done.saturating_add(now);
        }
    }
}

/// Writes the places of the bits of `words`, counted from `base`, as far as `out` goes. Returns how many.
#[inline(always)]
fn write_places(words: &[u64], base: u32, out: &mut [u32]) -> usize {
    let (mut filled, mut base) = (0_usize, base);
    for &word in words {
        let rest = out.get_mut(filled..).unwrap_or_default();
        let ones = if let Some(room) = rest.first_chunk_mut::<ROOM>() {
            match word.count_ones() {
                64 => {
                    // Not a range: the last place of a word may be the last there is.
                    let mut place = base;
                    for to in room.iter_mut().take(64) {
                        *to = place;
                        place = place.wrapping_add(1);
                    }
                    64
                }
                ..=FEW => find(word, room, |bit| base.wrapping_add(bit)),
                _ => spread_32(word, base, room),
            }
        } else {
            // Near the end of the output there is no room to write blindly; on trusted bytes there may be none for all.
            let (mut left, mut written) = (word, 0_usize);
            for to in rest.iter_mut().take(word.count_ones() as usize) {
                *to = base.wrapping_add(left.trailing_zeros());
                left &= left.wrapping_sub(1);
                written = written.saturating_add(1);
            }
            written
        };
        filled = filled.saturating_add(ones);
        base = base.wrapping_add(64);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_offsets_of_all_are_written() {
        let mut out = [7; 100];
        assert_eq!(write_places(&[u64::MAX], u32::MAX - 63, &mut out), 64);
        assert!(out[..64].iter().copied().eq(u32::MAX - 63..=u32::MAX));
        assert_eq!(write_places(&[u64::MAX], u32::MAX - 63, &mut out[..64]), 64);
        assert_eq!((out[63], write_places(&[u64::MAX], 0, &mut out[..3])), (u32::MAX, 3));
    }
}
