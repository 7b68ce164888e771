//! Vectors as a table's metadata knows them.

use core::ffi::c_char;

use puffin_codec::puffin::property;
use puffin_codec::table::{self, ManifestEntry};

use crate::blobs::puffin_blob;
use crate::container::{puffin_file, puffin_metadata};
use crate::raw;
use crate::status::{Answer, Fault, puffin_error, puffin_status};
use crate::text::puffin_str;
use crate::vectors::puffin_dv;

/// What a manifest says of one deletion vector, in the manifest's own field names. Numbers are signed as in the
/// manifest. A negative offset or size is refused by every call, a negative count by those that read the vector.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_manifest_entry {
    /// Field 144: where the blob starts, in bytes from the start of the file.
    pub content_offset: i64,
    /// Field 145: length of the blob in bytes.
    pub content_size_in_bytes: i64,
    /// Field 103: number of deleted rows.
    pub record_count: i64,
    /// Field 143: location of the data file, plain text.
    pub referenced_data_file: puffin_str,
}

/// Reads a manifest entry.
unsafe fn entry(argument: u64, entry: *const puffin_manifest_entry) -> Answer<ManifestEntry<'static>> {
    // SAFETY: as for `raw::read` and `raw::text`.
    unsafe {
        let entry = raw::read(argument, entry)?;
        let path = entry.referenced_data_file;
        Ok(ManifestEntry {
            content_offset: entry.content_offset,
            content_size_in_bytes: entry.content_size_in_bytes,
            record_count: entry.record_count,
            referenced_data_file: raw::text(argument, path.ptr, path.len)?,
        })
    }
}

/// Numbers of properties, which found of an error record holds. 1: referenced-data-file of a deletion vector.
pub const PUFFIN_PROPERTY_REFERENCED_DATA_FILE: u64 = 1;
/// 2: cardinality of a deletion vector.
pub const PUFFIN_PROPERTY_CARDINALITY: u64 = 2;

const _: () = assert!(
    property::REFERENCED_DATA_FILE_NUMBER == PUFFIN_PROPERTY_REFERENCED_DATA_FILE
        && property::CARDINALITY_NUMBER == PUFFIN_PROPERTY_CARDINALITY
);

/// Opens the vector at a range of a file that is wholly in memory, by what a manifest says alone; the container, if
/// there is one, is not looked at. Files labelled Puffin that are none read as well as Puffin files do. Checks
/// everything, and the number of positions against record_count unless that is NULL. Offsets of errors count from the
/// start of the file. O(blob).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_read_range(
    data: *const u8,
    len: usize,
    content_offset: i64,
    content_size_in_bytes: i64,
    record_count: *const i64,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(5, dv)?;
            let count = if record_count.is_null() { None } else { Some(raw::read(4, record_count)?) };
            let data = raw::input(0, data, len)?;
            seat.put(*table::read_range(data, content_offset, content_size_in_bytes, count)?.bitmap());
            Ok(())
        })
    }
}

/// Opens the vector of a manifest entry from a part of the file: the len bytes from data_offset of the file on.
/// Otherwise as puffin_dv_read_range.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_read_entry(
    data: *const u8,
    len: usize,
    data_offset: u64,
    entry: *const puffin_manifest_entry,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(4, dv)?;
            let entry = self::entry(3, entry)?;
            seat.put(*table::read_entry(raw::input(0, data, len)?, data_offset, &entry)?.bitmap());
            Ok(())
        })
    }
}

/// Opens the vector of a manifest entry, if the footer agrees: a blob of exactly that range, of type deletion-
/// vector-v1, uncompressed, for that data file, with that cardinality. The strictest way, and the safe one: a vector
/// that has been swapped for another valid one is found out. O(entries + blob).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_read_bound(
    file: *const puffin_file,
    metadata: *const puffin_metadata,
    entry: *const puffin_manifest_entry,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, dv)?;
            let entry = self::entry(2, entry)?;
            seat.put(*table::read_bound(raw::view(0, file)?, raw::view(1, metadata)?, &entry)?.bitmap());
            Ok(())
        })
    }
}

/// Finds the footer entry that a manifest entry is bound to, by the rules of puffin_dv_read_bound: for readers that
/// have the footer and fetch the blob themselves. O(entries).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_bound_blob(
    metadata: *const puffin_metadata,
    entry: *const puffin_manifest_entry,
    blob: *mut puffin_blob,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, blob)?;
            let entry = self::entry(1, entry)?;
            seat.put(table::bound_blob(raw::view(0, metadata)?, &entry)?);
            Ok(())
        })
    }
}

/// Finds the footer entry of the vector of a data file; *found is false if there is none.
/// PUFFIN_STATUS_DUPLICATE_VECTOR if there are two. If an entry is damaged, its fault is the answer: it may be the one.
/// O(footer).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_find_vector(
    metadata: *const puffin_metadata,
    data_file: *const c_char,
    data_file_len: usize,
    blob: *mut puffin_blob,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (seat, place) = (raw::seat(3, blob)?, raw::place(4, found)?);
            let data_file = raw::text(1, data_file, data_file_len)?;
            let blob = table::find_vector(raw::view(0, metadata)?, data_file)?;
            place.put(blob.is_some());
            if let Some(blob) = blob {
                seat.put(blob);
            }
            Ok(())
        })
    }
}

/// Finds the footer entry of a blob by its offset and length; *found is false if there is none. O(footer).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_find_range(
    metadata: *const puffin_metadata,
    offset: u64,
    length: u64,
    blob: *mut puffin_blob,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (seat, place) = (raw::seat(3, blob)?, raw::place(4, found)?);
            let blob = table::find_range(raw::view(0, metadata)?, offset, length)?;
            place.put(blob.is_some());
            if let Some(blob) = blob {
                seat.put(blob);
            }
            Ok(())
        })
    }
}

/// Opens the vector that a footer entry points at, in a file that is in memory, and holds it against the entry's
/// cardinality. Offsets of errors count from the start of the file. O(blob).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_read_blob(
    file: *const puffin_file,
    blob: *const puffin_blob,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, dv)?;
            seat.put(*table::read_vector(raw::view(0, file)?, raw::view(1, blob)?)?.bitmap());
            Ok(())
        })
    }
}

/// Writes the byte ranges of a file to fetch for some vectors: sorted, and joined where not more than max_gap bytes lie
/// between. *count is how many; room for one an entry is needed, else the status is PUFFIN_STATUS_BUFFER_TOO_SMALL,
/// *count the room needed and out untouched. O(n log n) for n entries.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_fetch_ranges(
    entries: *const puffin_manifest_entry,
    entry_count: usize,
    max_gap: u64,
    out: *mut crate::scans::puffin_range,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(5, count)?;
            let entries = raw::input(0, entries, entry_count)?;
            let out = raw::ranges_out(3, out, capacity)?;
            let Some(out) = out.get_mut(..entries.len()) else {
                place.put(entries.len());
                return Err(Fault::too_small(entries.len() as u64));
            };
            let range = |entry: &puffin_manifest_entry| {
                let &puffin_manifest_entry { content_offset, content_size_in_bytes, record_count, .. } = entry;
                ManifestEntry { content_offset, content_size_in_bytes, record_count, referenced_data_file: "" }.range()
            };
            for entry in entries {
                range(entry)?;
            }
            for (to, entry) in out.iter_mut().zip(entries) {
                *to = range(entry)?;
            }
            place.put(table::coalesce(out, max_gap));
            Ok(())
        })
    }
}
