//! How much footer buffer a new file takes.

use core::ffi::c_char;
use core::fmt::Display;

use puffin_codec::puffin::{DELETION_VECTOR_V1, NewBlob, properties_len, property};

use crate::raw;
use crate::status::{puffin_error, puffin_status};
use crate::text::puffin_property;
use crate::writer::{self, puffin_new_blob};

/// Sets *len to the bytes of footer buffer that a blob takes at that offset and of that length; larger numbers give a
/// bound. O(properties).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_entry_len(
    blob: *const puffin_new_blob,
    offset: u64,
    length: u64,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, len)?;
            place.put(writer::described(0, blob)?.entry_len(offset, length));
            Ok(())
        })
    }
}

/// Sets *len to a bound of the bytes of footer buffer that the vector of a data file takes, with its usual fields.
/// O(data_file).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_vector_len(
    data_file: *const c_char,
    data_file_len: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, len)?;
            let data_file: &dyn Display = &raw::text(0, data_file, data_file_len)?;
            let most: &dyn Display = &i64::MAX;
            let properties = [(property::REFERENCED_DATA_FILE, data_file), (property::CARDINALITY, most)];
            let blob = NewBlob::new(DELETION_VECTOR_V1).fields(&[i32::MAX]).properties(properties);
            place.put(blob.entry_len(u64::MAX >> 1, u64::MAX >> 1));
            Ok(())
        })
    }
}

/// Sets *len to the bytes of footer buffer that the properties of a file take. O(properties).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_properties_len(
    properties: *const puffin_property,
    property_count: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, len)?;
            place.put(properties_len(writer::properties(0, properties, property_count)?.iter()));
            Ok(())
        })
    }
}
