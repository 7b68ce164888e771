//! Masks as bytes, and the one-shot forms of every mask.

use zerocopy::FromBytes;

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::Bitmap64;
use crate::scan::Cursor;

/// Words of a mask that are made at a time where they end up as something else.
pub(super) const CHUNK_WORDS: usize = 32;
/// Rows of such a chunk.
pub(super) const CHUNK_ROWS: usize = CHUNK_WORDS * 64;

impl Cursor<'_> {
    /// Writes the mask of deleted rows into bytes, as Arrow bitmaps are laid out: row `first_row + i` is bit `i % 8` of
    /// byte `i / 8`. Bits behind the last row, up to the end of its byte, are 0.
    ///
    /// Fills the first `rows / 8` bytes of `out`, rounded up, which may start at any address. Takes the time of
    /// [`fill_deleted_mask`](Self::fill_deleted_mask).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the bytes needed (nothing is written), [`ErrorKind::InvalidArgument`] if the
    /// window ends past 2^64.
    pub fn fill_deleted_mask_bytes(&mut self, first_row: u64, rows: usize, out: &mut [u8]) -> Result<()> {
        self.fill_bytes::<false>(first_row, rows, out)
    }

    /// Writes the mask of live rows into bytes, with the bits behind the last row 0 all the same.
    ///
    /// # Errors
    ///
    /// As [`fill_deleted_mask_bytes`](Self::fill_deleted_mask_bytes).
    pub fn fill_live_mask_bytes(&mut self, first_row: u64, rows: usize, out: &mut [u8]) -> Result<()> {
        self.fill_bytes::<true>(first_row, rows, out)
    }

    fn fill_bytes<const LIVE: bool>(&mut self, first_row: u64, rows: usize, out: &mut [u8]) -> Result<()> {
        let needed = rows.div_ceil(8);
        let out = out.get_mut(..needed).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64))?;
        check_window(first_row, rows)?;
        let (inner, rest) = (rows / 64 * 64, rows % 64);
        let (whole, tail) = out.split_at_mut_checked(inner / 8).unwrap_or_default();
        if let Some(words) = as_words(whole) {
            self.fill_mask::<LIVE>(first_row, inner, words)?;
        } else {
            let mut words = [0; CHUNK_WORDS];
            let mut row = first_row;
            for bytes in whole.chunks_mut(CHUNK_WORDS * 8) {
                let rows = bytes.len().saturating_mul(8);
                self.fill_mask::<LIVE>(row, rows, &mut words)?;
                for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
                    *to = word.to_le_bytes();
                }
                row = row.saturating_add(rows as u64);
            }
        }
        if rest > 0 {
            let mut word = [0];
            self.fill_mask::<LIVE>(first_row.saturating_add(inner as u64), rest, &mut word)?;
            tail.iter_mut().zip(word.map(u64::to_le_bytes).as_flattened()).for_each(|(to, byte)| *to = *byte);
        }
        Ok(())
    }
}

/// Views bytes as the words of a mask, if they are that already: little-endian and aligned, as every Arrow buffer is on
/// most machines. `bytes` has whole words only.
fn as_words(bytes: &mut [u8]) -> Option<&mut [u64]> {
    if cfg!(target_endian = "little") { <[u64]>::mut_from_bytes(bytes).ok() } else { None }
}

/// Refuses a window that ends past the last 64-bit row.
#[inline]
pub(super) fn check_window(first_row: u64, rows: usize) -> Result<()> {
    match rows.checked_sub(1).map(|before| first_row.checked_add(before as u64)) {
        Some(None) => Err(Error::at(ErrorKind::InvalidArgument, first_row, rows as u64)),
        _ => Ok(()),
    }
}

impl Bitmap64<'_> {
    /// Writes the mask of deleted rows of `[first_row, first_row + rows)` into words: see
    /// [`Cursor::fill_deleted_mask`].
    ///
    /// # Errors
    ///
    /// As [`Cursor::fill_deleted_mask`].
    pub fn fill_deleted_mask(&self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.cursor().fill_deleted_mask(first_row, rows, out)
    }

    /// Writes the mask of live rows of `[first_row, first_row + rows)` into words: see [`Cursor::fill_live_mask`].
    ///
    /// # Errors
    ///
    /// As [`Cursor::fill_live_mask`].
    pub fn fill_live_mask(&self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.cursor().fill_live_mask(first_row, rows, out)
    }

    /// Writes the mask of deleted rows into bytes: see [`Cursor::fill_deleted_mask_bytes`].
    ///
    /// # Errors
    ///
    /// As [`Cursor::fill_deleted_mask_bytes`].
    pub fn fill_deleted_mask_bytes(&self, first_row: u64, rows: usize, out: &mut [u8]) -> Result<()> {
        self.cursor().fill_deleted_mask_bytes(first_row, rows, out)
    }

    /// Writes the mask of live rows into bytes: see [`Cursor::fill_live_mask_bytes`].
    ///
    /// # Errors
    ///
    /// As [`Cursor::fill_live_mask_bytes`].
    pub fn fill_live_mask_bytes(&self, first_row: u64, rows: usize, out: &mut [u8]) -> Result<()> {
        self.cursor().fill_live_mask_bytes(first_row, rows, out)
    }
}
