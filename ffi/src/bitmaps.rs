//! Bare 32-bit bitmaps.

use puffin_codec::roaring::{Bitmap32, Positions32};

use crate::raw;
use crate::status::{puffin_error, puffin_status};

/// A bare 32-bit Roaring bitmap in the portable format. Borrows its serialized bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_bitmap32 {
    opaque: [u64; 8],
}
raw::object!(puffin_bitmap32, 13, Bitmap32<'static>);

/// A place among the values of a 32-bit bitmap, in ascending order. Borrows the bitmap's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_values {
    opaque: [u64; 16],
}
raw::object!(puffin_values, 14, Positions32<'static>);

/// Opens a bitmap that takes up the whole of the memory, and checks all of it. O(len).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_parse(
    data: *const u8,
    len: usize,
    bitmap: *mut puffin_bitmap32,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, bitmap)?;
            seat.put(Bitmap32::parse(raw::input(0, data, len)?)?);
            Ok(())
        })
    }
}

/// Opens the bitmap at the front of longer memory, checks all of it, and sets *used to its length. O(bitmap).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_parse_prefix(
    data: *const u8,
    len: usize,
    bitmap: *mut puffin_bitmap32,
    used: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (seat, place) = (raw::seat(2, bitmap)?, raw::place(3, used)?);
            let (bitmap, used) = Bitmap32::parse_prefix(raw::input(0, data, len)?)?;
            place.put(used);
            seat.put(bitmap);
            Ok(())
        })
    }
}

/// Opens a bitmap whose content has been checked before: see puffin_dv_parse_trusted. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_parse_trusted(
    data: *const u8,
    len: usize,
    bitmap: *mut puffin_bitmap32,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, bitmap)?;
            seat.put(Bitmap32::parse_trusted(raw::input(0, data, len)?)?);
            Ok(())
        })
    }
}

/// Sets *cardinality to the number of values. O(containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_cardinality(
    bitmap: *const puffin_bitmap32,
    cardinality: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, cardinality)?;
            place.put(raw::view(0, bitmap)?.cardinality());
            Ok(())
        })
    }
}

/// Sets *contains to whether a value is there. O(log containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_contains(
    bitmap: *const puffin_bitmap32,
    value: u32,
    contains: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, contains)?;
            place.put(raw::view(0, bitmap)?.contains(value));
            Ok(())
        })
    }
}

/// Sets *value to the lowest value and *found to true; of an empty bitmap, to 0 and false. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_min(
    bitmap: *const puffin_bitmap32,
    value: *mut u32,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, found) = (raw::place(1, value)?, raw::place(2, found)?);
            let value = raw::view(0, bitmap)?.min();
            place.put(value.unwrap_or(0));
            found.put(value.is_some());
            Ok(())
        })
    }
}

/// Sets *value to the highest value and *found to true; of an empty bitmap, to 0 and false. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_max(
    bitmap: *const puffin_bitmap32,
    value: *mut u32,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, found) = (raw::place(1, value)?, raw::place(2, found)?);
            let value = raw::view(0, bitmap)?.max();
            place.put(value.unwrap_or(0));
            found.put(value.is_some());
            Ok(())
        })
    }
}

/// Sets *rank to the number of values up to and including value. O(containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_rank(
    bitmap: *const puffin_bitmap32,
    value: u32,
    rank: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, rank)?;
            place.put(raw::view(0, bitmap)?.rank(value));
            Ok(())
        })
    }
}

/// Sets *value to the value that has n others below it, and *found to true; 0 and false if there are not so many.
/// O(containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_select(
    bitmap: *const puffin_bitmap32,
    n: u64,
    value: *mut u32,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, found) = (raw::place(2, value)?, raw::place(3, found)?);
            let value = raw::view(0, bitmap)?.select(n);
            place.put(value.unwrap_or(0));
            found.put(value.is_some());
            Ok(())
        })
    }
}

/// Starts at the first value that is not below from. O(log containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_bitmap32_values(
    bitmap: *const puffin_bitmap32,
    from: u32,
    values: *mut puffin_values,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, values)?;
            seat.put(raw::view(0, bitmap)?.iter_from(from));
            Ok(())
        })
    }
}

/// Writes the next values to out, as many as it has room for, and sets *count to how many: less than capacity only at
/// the end. O(capacity).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_values_fill(
    values: *mut puffin_values,
    out: *mut u32,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, count)?;
            let out = raw::output(1, out, capacity)?;
            place.put(raw::fill(out, raw::change(0, values)?));
            Ok(())
        })
    }
}

/// Moves forward to the first value that is not below value; never back. O(containers passed).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_values_seek(
    values: *mut puffin_values,
    value: u32,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            raw::change(0, values)?.advance_to(value);
            Ok(())
        })
    }
}
