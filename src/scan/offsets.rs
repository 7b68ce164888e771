//! Selections: offsets of live or of deleted rows, as vectors of `u32`.

use crate::error::{Error, ErrorKind, Result};
use crate::scan::Cursor;
use crate::scan::mask::{CHUNK_ROWS, CHUNK_WORDS, check_window};
use crate::scan::words::words_for;

impl Cursor<'_> {
    /// Writes the offsets of the live rows of `[first_row, first_row + rows)`, counted from `first_row`, ascending.
    /// Returns how many there are.
    ///
    /// An `out` of `rows` elements is always enough; with a shorter one the rows are counted first. Takes
    /// O(rows + array values or runs inside the window).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the elements needed (nothing is written), [`ErrorKind::InvalidArgument`] if the
    /// window ends past 2^64 or has more than 2^32 rows.
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

    fn fill_offsets(&mut self, first_row: u64, rows: usize, out: &mut [u32], deleted: bool) -> Result<usize> {
        check_window(first_row, rows)?;
        let Some(before) = rows.checked_sub(1) else { return Ok(0) };
        if u32::try_from(before).is_err() {
            return Err(Error::at(ErrorKind::InvalidArgument, first_row, rows as u64));
        }
        if out.len() < rows {
            let last_row = first_row.saturating_add(before as u64);
            let dead = self.bitmap().count(first_row..=last_row);
            let needed = if deleted { dead } else { (rows as u64).saturating_sub(dead) };
            if (out.len() as u64) < needed {
                return Err(Error::new(ErrorKind::BufferTooSmall, 0, needed));
            }
        }
        let mut words = [0; CHUNK_WORDS];
        let (mut done, mut filled) = (0_usize, 0_usize);
        while done < rows {
            let now = rows.saturating_sub(done).min(CHUNK_ROWS);
            let row = first_row.saturating_add(done as u64);
            if deleted {
                self.fill_deleted_mask(row, now, &mut words)?;
            } else {
                self.fill_live_mask(row, now, &mut words)?;
            }
            for (index, &word) in words.iter().take(words_for(now)).enumerate() {
                let base = u32::try_from(done.saturating_add(index << 6)).unwrap_or(u32::MAX);
                let rest = out.get_mut(filled..).unwrap_or_default();
                filled = filled.saturating_add(spread(word, base, rest));
            }
            done = done.saturating_add(now);
        }
        Ok(filled)
    }
}

/// Writes the places of the bits of `word`, counted from `base`. Returns how many there are.
///
/// Every place is written, set or not, and the next overwrites it if it was not: with no branch on the bits, only the
/// length of the loop depends on them.
fn spread(word: u64, base: u32, out: &mut [u32]) -> usize {
    let ones = word.count_ones() as usize;
    if let Some(all) = out.first_chunk_mut::<64>() {
        if word == u64::MAX {
            let mut place = base;
            for to in all.iter_mut() {
                *to = place;
                place = place.wrapping_add(1);
            }
            return ones;
        }
        // Eight at a time: the bits that `trailing_zeros` no longer finds leave 64, and are overwritten or not counted.
        let mut rest = word;
        for eight in all.chunks_exact_mut(8).take(ones.div_ceil(8)) {
            for to in eight {
                *to = base.wrapping_add(rest.trailing_zeros());
                rest &= rest.wrapping_sub(1);
            }
        }
        return ones;
    }
    let mut rest = word;
    for to in out.iter_mut().take(ones) {
        *to = base.wrapping_add(rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
    }
    ones
}
