//! Deletion vectors: questions of many rows at once.

use core::ops::Range;

use puffin_codec::scan::{Cursor, DeletedRanges, LiveRanges};

use crate::operations::Spans;
use crate::raw;
use crate::status::{puffin_error, puffin_status};
use crate::vectors::{puffin_dv, puffin_index};

/// A reader's place in a vector, for windows of rows that mostly follow each other: it finds the next window where it
/// left the last one. Borrows the vector's bytes (and the directory of an index). For one thread at a time; a copy goes
/// its own way.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_cursor {
    opaque: [u64; 48],
}
raw::object!(puffin_cursor, 11, Cursor<'static>);

/// A place among ranges of rows, in ascending order. Borrows the vectors' bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_ranges {
    opaque: [u64; 56],
}
raw::object!(puffin_ranges, 12, Spans);

/// The rows from start on, up to but without end.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct puffin_range {
    /// The first row.
    pub start: u64,
    /// The row behind the last one.
    pub end: u64,
}

// SAFETY: integers.
unsafe impl raw::Plain for puffin_range {}

impl From<Range<u64>> for puffin_range {
    fn from(Range { start, end }: Range<u64>) -> Self {
        Self { start, end }
    }
}

/// Starts at the front of a vector. O(1).
///
/// An engine's scan: for each batch of rows a mask of those to keep, and nothing to do where the batch has no deleted
/// row.
///
/// ```c
/// puffin_cursor cursor;
/// uint64_t keep[2048 / 64];
/// (void)puffin_dv_cursor(&dv, &cursor, NULL);
/// for (uint64_t row = 0; row < row_count; row += 2048) {
///   size_t rows = row_count - row < 2048 ? (size_t)(row_count - row) : 2048;
///   if (puffin_cursor_live_mask(&cursor, row, rows, keep, 2048 / 64, NULL) != PUFFIN_STATUS_OK) break;
///   filter(row, rows, keep);
/// }
/// ```
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_cursor(
    dv: *const puffin_dv,
    cursor: *mut puffin_cursor,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, cursor)?;
            seat.put(raw::view(0, dv)?.cursor());
            Ok(())
        })
    }
}

/// Starts at the front of a vector that has a directory: the cursor then jumps among buckets, too. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_index_cursor(
    index: *const puffin_index,
    cursor: *mut puffin_cursor,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, cursor)?;
            seat.put(raw::view(0, index)?.cursor());
            Ok(())
        })
    }
}

/// Writes the mask of rows rows from first_row on: bit i % 64 of word i / 64 is set if row first_row + i is deleted.
/// Bits behind the last row are 0; of words, the first (rows + 63) / 64 are written, and no others; with fewer the
/// status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and found of the error record is the number needed. O(words + containers
/// touched).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_cursor_deleted_mask(
    cursor: *mut puffin_cursor,
    first_row: u64,
    rows: usize,
    words: *mut u64,
    word_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let words = raw::output(3, words, word_count)?;
            raw::change(0, cursor)?.fill_deleted_mask(first_row, rows, words)?;
            Ok(())
        })
    }
}

/// Writes the same mask as bytes, as Arrow lays out bits: bit i % 8 of byte i / 8. The bytes may have any address.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_cursor_deleted_mask_bytes(
    cursor: *mut puffin_cursor,
    first_row: u64,
    rows: usize,
    bytes: *mut u8,
    byte_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let bytes = raw::output(3, bytes, byte_count)?;
            raw::change(0, cursor)?.fill_deleted_mask_bytes(first_row, rows, bytes)?;
            Ok(())
        })
    }
}

/// Writes the mask of rows rows from first_row on: bit i % 64 of word i / 64 is set if row first_row + i is not
/// deleted. Bits behind the last row are 0; of words, the first (rows + 63) / 64 are written, and no others; with fewer
/// the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and found of the error record is the number needed. O(words +
/// containers touched).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_cursor_live_mask(
    cursor: *mut puffin_cursor,
    first_row: u64,
    rows: usize,
    words: *mut u64,
    word_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let words = raw::output(3, words, word_count)?;
            raw::change(0, cursor)?.fill_live_mask(first_row, rows, words)?;
            Ok(())
        })
    }
}

/// Writes the same mask as bytes, as Arrow lays out bits: bit i % 8 of byte i / 8. The bytes may have any address.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_cursor_live_mask_bytes(
    cursor: *mut puffin_cursor,
    first_row: u64,
    rows: usize,
    bytes: *mut u8,
    byte_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let bytes = raw::output(3, bytes, byte_count)?;
            raw::change(0, cursor)?.fill_live_mask_bytes(first_row, rows, bytes)?;
            Ok(())
        })
    }
}

/// Writes a selection: the offsets from first_row of the deleted rows among rows rows, ascending. *count is how many
/// there are, also when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; with room for all rows
/// that cannot be. Elements behind those may be written over. rows is at most 2^32. O(rows / 64 + offsets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_cursor_deleted_offsets(
    cursor: *mut puffin_cursor,
    first_row: u64,
    rows: usize,
    out: *mut u32,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(5, count)?;
            let out = raw::output(3, out, capacity)?;
            place.put(raw::sized(raw::change(0, cursor)?.fill_deleted_offsets(first_row, rows, out), &place)?);
            Ok(())
        })
    }
}

/// Writes a selection: the offsets from first_row of the live rows among rows rows, ascending. *count is how many there
/// are, also when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; with room for all rows that
/// cannot be. Elements behind those may be written over. rows is at most 2^32. O(rows / 64 + offsets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_cursor_live_offsets(
    cursor: *mut puffin_cursor,
    first_row: u64,
    rows: usize,
    out: *mut u32,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(5, count)?;
            let out = raw::output(3, out, capacity)?;
            place.put(raw::sized(raw::change(0, cursor)?.fill_live_offsets(first_row, rows, out), &place)?);
            Ok(())
        })
    }
}

/// Writes the mask of deleted rows of one window, as puffin_cursor_deleted_mask does, without a cursor. O(words + log
/// containers + containers touched).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_deleted_mask(
    dv: *const puffin_dv,
    first_row: u64,
    rows: usize,
    words: *mut u64,
    word_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let words = raw::output(3, words, word_count)?;
            raw::view(0, dv)?.fill_deleted_mask(first_row, rows, words)?;
            Ok(())
        })
    }
}

/// Writes the mask of live rows of one window, as puffin_cursor_live_mask does, without a cursor. O(words + log
/// containers + containers touched).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_live_mask(
    dv: *const puffin_dv,
    first_row: u64,
    rows: usize,
    words: *mut u64,
    word_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let words = raw::output(3, words, word_count)?;
            raw::view(0, dv)?.fill_live_mask(first_row, rows, words)?;
            Ok(())
        })
    }
}

/// Sets out[i] to whether positions[i] is deleted, for count positions in any order; ascending ones are fastest.
/// O(count), times at most a logarithm of the number of containers.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_contains_many(
    dv: *const puffin_dv,
    positions: *const u64,
    count: usize,
    out: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let positions = raw::input(1, positions, count)?;
            let dv = raw::view(0, dv)?;
            dv.contains_many(positions, raw::flags(3, out, count)?)?;
            Ok(())
        })
    }
}

/// Sets *intersects to whether any of the rows from start on, up to but without end, is deleted: whether a batch, a
/// page or a row group can be read as it is. O(log containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_intersects(
    dv: *const puffin_dv,
    start: u64,
    end: u64,
    intersects: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, intersects)?;
            place.put(raw::view(0, dv)?.intersects(start..end));
            Ok(())
        })
    }
}

/// Sets *contains to whether all of the rows from start on, up to but without end, are deleted; true if there is none.
/// O(log containers + containers touched).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_contains_range(
    dv: *const puffin_dv,
    start: u64,
    end: u64,
    contains: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, contains)?;
            place.put(raw::view(0, dv)?.contains_range(start..end));
            Ok(())
        })
    }
}

/// Sets *count to how many of the rows from start on, up to but without end, are deleted. O(containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_count(
    dv: *const puffin_dv,
    start: u64,
    end: u64,
    count: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, count)?;
            place.put(raw::view(0, dv)?.count(start..end));
            Ok(())
        })
    }
}

/// Starts to list the maximal ranges of deleted rows among those from start on, up to but without end. O(log
/// containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_deleted_ranges(
    dv: *const puffin_dv,
    start: u64,
    end: u64,
    ranges: *mut puffin_ranges,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, ranges)?;
            let ranges: DeletedRanges<'static> = raw::view(0, dv)?.deleted_ranges(start..end);
            seat.put(Spans::Deleted(ranges));
            Ok(())
        })
    }
}

/// Starts to list the maximal ranges of live rows among those from start on, up to but without end. O(log containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_live_ranges(
    dv: *const puffin_dv,
    start: u64,
    end: u64,
    ranges: *mut puffin_ranges,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, ranges)?;
            let ranges: LiveRanges<'static> = raw::view(0, dv)?.live_ranges(start..end);
            seat.put(Spans::Live(ranges));
            Ok(())
        })
    }
}

/// Writes the next ranges to out, as many as it has room for, and sets *count to how many: less than capacity only at
/// the end. They are ascending and neither empty nor touching. O(containers passed + ranges).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_ranges_fill(
    ranges: *mut puffin_ranges,
    out: *mut puffin_range,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, count)?;
            let out = raw::output(1, out, capacity)?;
            let ranges = raw::change(0, ranges)?;
            place.put(raw::fill(out, core::iter::from_fn(|| ranges.next())));
            Ok(())
        })
    }
}
