//! A place in a bitmap that moves along with an engine's batches.

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{Bitmap64, IndexedBitmap64, high16, high32, join16, join32, low32};
use crate::scan::mask::check_window;
use crate::scan::seat::Seat;
use crate::scan::walk::Walk;
use crate::scan::words::{clear_tail, fill, words_for};

/// Answers batch after batch of `[first_row, first_row + rows)`, and remembers where it is.
///
/// Front to back, a batch finds its place at no cost: it starts where the one before ended. Any other `first_row` is
/// allowed; forward it is a search from here, backward a search from the start of the container, and over buckets a
/// walk, as [`Bitmap64`] says, or a search in the index of an [`IndexedBitmap64`].
///
/// # Examples
///
/// ```
/// use puffin_codec::roaring::Bitmap64;
///
/// // One bucket, key 0; run cookie for one container, flag 1; one run: 5 to 14.
/// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 5, 0, 9, 0];
/// let bitmap = Bitmap64::parse(&bytes)?;
/// let mut cursor = bitmap.cursor();
/// let mut mask = [0; 1];
/// cursor.fill_deleted_mask(0, 8, &mut mask)?;
/// assert_eq!(mask, [0b1110_0000]);
/// cursor.fill_live_mask(8, 10, &mut mask)?;
/// assert_eq!(mask, [0b11_1000_0000]); // rows 15, 16 and 17
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    walk: Walk<'a>,
    /// Number of the container after the seat, and the key of its bucket.
    next: usize,
    bucket_key: Option<u32>,
    seat: Seat<'a>,
}

impl<'a> Bitmap64<'a> {
    /// Returns a cursor at the first position. Takes O(1).
    #[must_use]
    pub fn cursor(&self) -> Cursor<'a> {
        Cursor::new(Walk::new(self))
    }
}

impl<'a> IndexedBitmap64<'a> {
    /// Returns a cursor at the first position that jumps to any bucket in O(log buckets). Takes O(1).
    #[must_use]
    pub fn cursor(&self) -> Cursor<'a> {
        Cursor::new(Walk::indexed(self))
    }
}

impl<'a> Cursor<'a> {
    const fn new(walk: Walk<'a>) -> Self {
        Self { walk, bucket_key: None, next: 0, seat: Seat::NOWHERE }
    }

    /// Writes the mask of deleted rows of `[first_row, first_row + rows)` into 64-bit words: row `first_row + i` is
    /// bit `i % 64` of word `i / 64`. Bits behind the last row, up to the end of its word, are 0.
    ///
    /// Fills the first `rows / 64` words of `out`, rounded up, and leaves the others alone. Takes O(words + containers
    /// and array values or runs inside the window): a window with nothing deleted costs no more than clearing it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the words needed (nothing is written), [`ErrorKind::InvalidArgument`] if the
    /// window ends past 2^64.
    #[inline]
    pub fn fill_deleted_mask(&mut self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.fill_mask::<false>(first_row, rows, out)
    }

    /// Writes the mask of live rows: the complement of [`fill_deleted_mask`](Self::fill_deleted_mask), with the bits
    /// behind the last row 0 all the same.
    ///
    /// # Errors
    ///
    /// As [`fill_deleted_mask`](Self::fill_deleted_mask).
    #[inline]
    pub fn fill_live_mask(&mut self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.fill_mask::<true>(first_row, rows, out)
    }

    /// Writes the mask of live or of deleted rows.
    #[inline]
    pub(super) fn fill_mask<const LIVE: bool>(&mut self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        let needed = words_for(rows);
        let out = out.get_mut(..needed).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64))?;
        check_window(first_row, rows)?;
        let Some(before) = rows.checked_sub(1) else { return Ok(()) };
        self.fill_rows::<LIVE>(first_row, first_row.saturating_add(before as u64), out);
        clear_tail(out, rows);
        Ok(())
    }

    /// Writes the mask of the rows from `first_row` to `last_row` into all of `out`. Bits behind the last row are
    /// anything.
    fn fill_rows<const LIVE: bool>(&mut self, first_row: u64, last_row: u64, out: &mut [u64]) {
        if !self.seat.covers(first_row, last_row) {
            self.sit(first_row);
        }
        if self.seat.covers(first_row, last_row) {
            self.seat.fill_mask::<LIVE>(first_row, last_row, out);
        } else {
            self.fill_across::<LIVE>(first_row, last_row, out);
        }
    }

    /// Writes the mask of rows that belong to several seats, starting with the one taken.
    #[inline(never)]
    fn fill_across<const LIVE: bool>(&mut self, first_row: u64, last_row: u64, out: &mut [u64]) {
        fill::<LIVE>(out);
        let mut row = first_row;
        loop {
            let end = self.seat.last().min(last_row);
            let bit = usize::try_from(row.saturating_sub(first_row)).unwrap_or(usize::MAX);
            self.seat.flip_mask::<LIVE>(row, end, out, bit);
            if end == last_row {
                return;
            }
            row = end.saturating_add(1);
            self.sit(row);
        }
    }

    /// Returns the last row of the stretch without a container that `row` lies in, if it lies in one.
    pub(super) fn quiet_until(&mut self, row: u64) -> Option<u64> {
        self.sit(row);
        self.seat.is_gap().then_some(self.seat.last())
    }

    /// Takes the seat of the container that `row` belongs to, or of the stretch without one.
    #[inline(never)]
    fn sit(&mut self, row: u64) {
        if self.seat.covers(row, row) {
            return;
        }
        let key = high32(row);
        let (start, end) = (join32(key, 0), join32(key, u32::MAX));
        if self.bucket_key != Some(key) {
            (self.bucket_key, self.next) = (Some(key), 0);
        }
        let Some(bucket) = self.walk.bucket(key) else {
            self.seat = Seat::gap(start, end);
            return;
        };
        let (header, wanted) = (bucket.header(), high16(low32(row)));
        // A container's first position, and the key of one that may not be there.
        let first = |key: u16| start | u64::from(join16(key, 0));
        let key_at = |index: Option<usize>| index.and_then(|index| header.key(index));
        // From front to back it is the next container, or the gap before it.
        let mut index = self.next;
        let mut before = key_at(index.checked_sub(1));
        let mut after = header.key(index);
        if before.is_some_and(|key| key >= wanted) || after.is_some_and(|key| key < wanted) {
            index = header.lower_bound(wanted);
            before = key_at(index.checked_sub(1));
            after = header.key(index);
        }
        self.next = index;
        if after == Some(wanted) {
            self.seat = Seat::new(first(wanted), &header.container(index));
            self.next = index.saturating_add(1);
            return;
        }
        let gap_start = before.map_or(start, |key| first(key).saturating_add(0x1_0000));
        let gap_end = after.map_or(end, |key| first(key).saturating_sub(1));
        // On trusted bytes keys may not ascend; the gap holds the place of a container all the same.
        self.seat = Seat::gap(gap_start.min(row), gap_end.max(row | 0xFFFF).min(end));
    }
}
