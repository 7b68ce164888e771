//! A place in a bitmap that moves along with an engine's batches.

use core::cmp::Ordering;

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{Bitmap32, Bitmap64, Buckets, high16, high32, join32, low16, low32};
use crate::scan::mask::check_window;
use crate::scan::seat::Seat;
use crate::scan::words::{invert, words_for};

/// Answers batch after batch of `[first_row, first_row + rows)`, and remembers where it is.
///
/// Front to back, a batch finds its place at no cost: it starts where the one before ended. Any other `first_row` is
/// allowed; forward it is a search from here, backward a search from the start of the container, and over buckets a
/// walk, as [`Bitmap64`] says.
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
    bitmap: Bitmap64<'a>,
    /// The buckets after the current one.
    rest: Buckets<'a>,
    /// The current bucket: the one with this key, or none if the bitmap has none with it.
    key: u32,
    bucket: Option<Bitmap32<'a>>,
    /// The bucket after `key` that `rest` has been asked for already.
    ahead: Option<(u32, Bitmap32<'a>)>,
    /// Container number of `seat`, and its key.
    index: usize,
    seat_key: u16,
    /// The lowest key that `index` is the place of: one more than the key before it.
    floor: u32,
    seat: Option<Seat<'a>>,
}

/// A [`Cursor::floor`] above every key: the seat has to be looked for.
const NOWHERE: u32 = u32::MAX;

impl<'a> Bitmap64<'a> {
    /// Returns a cursor at the first position. Takes O(1).
    #[must_use]
    pub fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self)
    }
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bitmap: &Bitmap64<'a>) -> Self {
        let mut rest = bitmap.buckets();
        let first = rest.next();
        let (key, bucket) = match first {
            Some((key, bucket)) => (key, Some(bucket)),
            None => (0, None),
        };
        Self { bitmap: *bitmap, rest, key, bucket, ahead: None, index: 0, floor: NOWHERE, seat_key: 0, seat: None }
    }

    pub(super) const fn bitmap(&self) -> &Bitmap64<'a> {
        &self.bitmap
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
    pub fn fill_deleted_mask(&mut self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        let needed = words_for(rows);
        let out = out.get_mut(..needed).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64))?;
        check_window(first_row, rows)?;
        out.fill(0);
        if let Some(before) = rows.checked_sub(1) {
            self.or_window(first_row, first_row.saturating_add(before as u64), out);
        }
        Ok(())
    }

    /// Writes the mask of live rows: the complement of [`fill_deleted_mask`](Self::fill_deleted_mask), with the bits
    /// behind the last row 0 all the same.
    ///
    /// # Errors
    ///
    /// As [`fill_deleted_mask`](Self::fill_deleted_mask).
    pub fn fill_live_mask(&mut self, first_row: u64, rows: usize, out: &mut [u64]) -> Result<()> {
        self.fill_deleted_mask(first_row, rows, out)?;
        invert(out.get_mut(..words_for(rows)).unwrap_or_default(), rows);
        Ok(())
    }

    /// Sets the bits of the deleted rows of `[first_row, last_row]` in `out`, whose bit 0 is `first_row`.
    fn or_window(&mut self, first_row: u64, last_row: u64, out: &mut [u64]) {
        let mut row = first_row;
        loop {
            let key = high32(row);
            let end = if key == high32(last_row) { last_row } else { join32(key, u32::MAX) };
            let bit = usize::try_from(row.saturating_sub(first_row)).unwrap_or(usize::MAX);
            if self.move_to_bucket(key) {
                self.or_bucket(low32(row), low32(end), out, bit);
            }
            if end == last_row {
                return;
            }
            row = end.saturating_add(1);
        }
    }

    /// Makes the bucket `key` the current one. Returns whether there is one.
    fn move_to_bucket(&mut self, key: u32) -> bool {
        if key == self.key {
            return self.bucket.is_some();
        }
        if key < self.key {
            *self = Self::new(&self.bitmap);
            match key.cmp(&self.key) {
                Ordering::Equal => return self.bucket.is_some(),
                // Even the first bucket is further on.
                Ordering::Less => self.ahead = self.bucket.map(|bucket| (self.key, bucket)),
                Ordering::Greater => {}
            }
        }
        (self.seat, self.floor) = (None, NOWHERE);
        self.bucket = None;
        self.key = key;
        loop {
            let next = self.ahead.take().or_else(|| self.rest.next());
            match next {
                Some((other, bucket)) if other == key => {
                    self.bucket = Some(bucket);
                    return true;
                }
                Some((other, bucket)) if other > key => {
                    self.ahead = Some((other, bucket));
                    return false;
                }
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// Sets the bits of the values from `first` to `last` of the current bucket.
    fn or_bucket(&mut self, first: u32, last: u32, out: &mut [u64], bit: usize) {
        let (first_key, last_key) = (high16(first), high16(last));
        if !self.sits_well(first_key) {
            self.index = self.bucket.as_ref().map_or(0, |bucket| bucket.header().lower_bound(first_key));
            self.take_seat();
        }
        while let Some(seat) = &mut self.seat {
            if self.seat_key > last_key {
                return;
            }
            let from = if self.seat_key == first_key { low16(first) } else { 0 };
            let to = if self.seat_key == last_key { low16(last) } else { u16::MAX };
            let ahead = (usize::from(self.seat_key.saturating_sub(first_key)) << 16)
                .saturating_add(usize::from(from))
                .saturating_sub(usize::from(low16(first)));
            seat.or_mask(from, to, out, bit.saturating_add(ahead));
            if self.seat_key == last_key {
                return;
            }
            self.index = self.index.saturating_add(1);
            self.take_seat();
        }
    }

    /// Tells whether the seat is the first container whose key is at least `key`.
    ///
    /// So it is for every key of a gap: windows without a container cost two compares.
    fn sits_well(&self, key: u16) -> bool {
        self.floor <= u32::from(key) && (self.seat.is_none() || key <= self.seat_key)
    }

    /// Sits down at container `index` of the current bucket, if there is one.
    fn take_seat(&mut self) {
        // By reference: a copy of the bucket costs more than a whole empty window.
        let Some(bucket) = &self.bucket else { return };
        let header = bucket.header();
        let before = self.index.checked_sub(1).and_then(|before| header.key(before));
        self.floor = before.map_or(0, |key| u32::from(key) + 1);
        self.seat = match header.key(self.index) {
            None => None,
            Some(key) => {
                self.seat_key = key;
                Some(Seat::new(header.container(self.index)))
            }
        };
    }
}
