//! Deletion vectors: opening them, and questions of one position.

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap64, IndexedBitmap64, Positions64, Positions64Rev};

use crate::operations::Walk;
use crate::raw;
use crate::status::{Fault, puffin_error, puffin_status};

/// A deletion vector: the positions of deleted rows. Borrows its serialized bytes. Any number of threads may ask one
/// vector at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_dv {
    opaque: [u64; 16],
}
raw::object!(puffin_dv, 7, Bitmap64<'static>);

/// A vector with a directory of its buckets in the caller's memory, for vectors of positions far above 2^32 that are
/// asked at random. Borrows the vector's bytes and the directory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_index {
    opaque: [u64; 16],
}
raw::object!(puffin_index, 8, IndexedBitmap64<'static>);

/// A place among the positions of a vector or of a set operation, in ascending order. Borrows the vectors' bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_positions {
    opaque: [u64; 56],
}
raw::object!(puffin_positions, 9, Walk);

/// A place among the positions of a vector, in descending order. Borrows the vector's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_positions_rev {
    opaque: [u64; 104],
}
raw::object!(puffin_positions_rev, 10, Positions64Rev<'static>);

/// Opens a deletion-vector-v1 blob. Checks magic, length, CRC-32, and the whole content, so that every answer of the
/// vector is right, and none can fail. O(len).
///
/// ```c
/// puffin_dv dv;
/// puffin_error error;
/// bool deleted = false;
/// if (puffin_dv_parse(blob, blob_len, &dv, &error) == PUFFIN_STATUS_OK) {
///   (void)puffin_dv_contains(&dv, 42, &deleted, NULL);
/// }
/// ```
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse(
    data: *const u8,
    len: usize,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, dv)?;
            seat.put(*DeletionVector::parse(raw::input(0, data, len)?)?.bitmap());
            Ok(())
        })
    }
}

/// Opens a blob as puffin_dv_parse does, and holds it against the number of positions that a manifest (record_count) or
/// a footer (cardinality) declares. O(len).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse_with_cardinality(
    data: *const u8,
    len: usize,
    cardinality: u64,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, dv)?;
            seat.put(*DeletionVector::parse_with_cardinality(raw::input(0, data, len)?, cardinality)?.bitmap());
            Ok(())
        })
    }
}

/// Opens the blob at the front of longer memory, as puffin_dv_parse does, and sets *used to its length. O(blob).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse_prefix(
    data: *const u8,
    len: usize,
    dv: *mut puffin_dv,
    used: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (seat, place) = (raw::seat(2, dv)?, raw::place(3, used)?);
            let (vector, used) = DeletionVector::parse_prefix(raw::input(0, data, len)?)?;
            place.put(used);
            seat.put(*vector.bitmap());
            Ok(())
        })
    }
}

/// Opens a blob whose content has been checked before, by whoever wrote it into a cache, say: only what takes O(1) is
/// checked. If the content is not what it was, answers may be wrong; nothing worse happens.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse_trusted(
    data: *const u8,
    len: usize,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, dv)?;
            seat.put(*DeletionVector::parse_trusted(raw::input(0, data, len)?)?.bitmap());
            Ok(())
        })
    }
}

/// Opens a bare 64-bit Roaring bitmap in the portable format, without the envelope of a blob, and checks all of it. Its
/// positions may go up to 2^64 - 1. O(len).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse_bitmap(
    data: *const u8,
    len: usize,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, dv)?;
            seat.put(Bitmap64::parse(raw::input(0, data, len)?)?);
            Ok(())
        })
    }
}

/// Opens the bare bitmap at the front of longer memory, as puffin_dv_parse_bitmap does, and sets *used to its length.
/// O(bitmap).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse_bitmap_prefix(
    data: *const u8,
    len: usize,
    dv: *mut puffin_dv,
    used: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (seat, place) = (raw::seat(2, dv)?, raw::place(3, used)?);
            let (bitmap, used) = Bitmap64::parse_prefix(raw::input(0, data, len)?)?;
            place.put(used);
            seat.put(bitmap);
            Ok(())
        })
    }
}

/// Opens a bare bitmap as puffin_dv_parse_trusted opens a blob.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_parse_bitmap_trusted(
    data: *const u8,
    len: usize,
    dv: *mut puffin_dv,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, dv)?;
            seat.put(Bitmap64::parse_trusted(raw::input(0, data, len)?)?);
            Ok(())
        })
    }
}

/// Sets *data and *len to the bytes of a vector's bitmap, without the envelope: what puffin_dv_parse_bitmap takes.
/// O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_bitmap(
    dv: *const puffin_dv,
    data: *mut *const u8,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, len) = (raw::place(1, data)?, raw::place(2, len)?);
            let bytes = raw::view(0, dv)?.bytes();
            place.put(bytes.as_ptr());
            len.put(bytes.len());
            Ok(())
        })
    }
}

/// Sets *cardinality to the number of positions. O(1), or O(containers) for one that was opened as trusted.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_cardinality(
    dv: *const puffin_dv,
    cardinality: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, cardinality)?;
            place.put(raw::view(0, dv)?.cardinality());
            Ok(())
        })
    }
}

/// Sets *contains to whether a row is deleted. O(log containers); many rows are asked faster with
/// puffin_dv_contains_many or with masks.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_contains(
    dv: *const puffin_dv,
    position: u64,
    contains: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, contains)?;
            place.put(raw::view(0, dv)?.contains(position));
            Ok(())
        })
    }
}

/// Sets *position to the lowest position and *found to true; of an empty vector, to 0 and false. O(buckets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_min(
    dv: *const puffin_dv,
    position: *mut u64,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, found) = (raw::place(1, position)?, raw::place(2, found)?);
            let position = raw::view(0, dv)?.min();
            place.put(position.unwrap_or(0));
            found.put(position.is_some());
            Ok(())
        })
    }
}

/// Sets *position to the highest position and *found to true; of an empty vector, to 0 and false. O(buckets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_max(
    dv: *const puffin_dv,
    position: *mut u64,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, found) = (raw::place(1, position)?, raw::place(2, found)?);
            let position = raw::view(0, dv)?.max();
            place.put(position.unwrap_or(0));
            found.put(position.is_some());
            Ok(())
        })
    }
}

/// Sets *rank to the number of positions up to and including position. O(containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_rank(
    dv: *const puffin_dv,
    position: u64,
    rank: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, rank)?;
            place.put(raw::view(0, dv)?.rank(position));
            Ok(())
        })
    }
}

/// Sets *position to the position that has n others below it, and *found to true; 0 and false if there are not so many.
/// O(containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_select(
    dv: *const puffin_dv,
    n: u64,
    position: *mut u64,
    found: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, found) = (raw::place(2, position)?, raw::place(3, found)?);
            let position = raw::view(0, dv)?.select(n);
            place.put(position.unwrap_or(0));
            found.put(position.is_some());
            Ok(())
        })
    }
}

/// Starts at the first position that is not below from. O(buckets before it).
///
/// ```c
/// puffin_positions positions;
/// uint64_t batch[1024];
/// size_t count = 0;
/// (void)puffin_dv_positions(&dv, 0, &positions, NULL);
/// do {
///   if (puffin_positions_fill(&positions, batch, 1024, &count, NULL) != PUFFIN_STATUS_OK) break;
///   consume(batch, count);
/// } while (count == 1024);
/// ```
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_positions(
    dv: *const puffin_dv,
    from: u64,
    positions: *mut puffin_positions,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, positions)?;
            let bitmap = raw::view(0, dv)?;
            seat.put(Walk::Vector(if from == 0 { bitmap.iter() } else { bitmap.iter_from(from) }));
            Ok(())
        })
    }
}

/// Writes the next positions to out, as many as it has room for, and sets *count to how many: less than capacity only
/// at the end. Elements behind them may be written over. O(capacity), about a nanosecond a position.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_positions_fill(
    positions: *mut puffin_positions,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, count)?;
            let out = raw::output(1, out, capacity)?;
            place.put(raw::change(0, positions)?.fill(out));
            Ok(())
        })
    }
}

/// Moves forward to the first position that is not below position; never back. O(containers passed). Only for the
/// positions of a vector: PUFFIN_STATUS_INVALID_ARGUMENT for those of a set operation.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_positions_seek(
    positions: *mut puffin_positions,
    position: u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            match raw::change(0, positions)? {
                Walk::Vector(positions) => Positions64::advance_to(positions, position),
                Walk::Operation(_) => return Err(Fault::argument(0)),
            }
            Ok(())
        })
    }
}

/// Starts behind the last position, to go down from there. O(buckets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_positions_rev(
    dv: *const puffin_dv,
    positions: *mut puffin_positions_rev,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, positions)?;
            seat.put(raw::view(0, dv)?.iter_rev());
            Ok(())
        })
    }
}

/// Writes the next positions in descending order to out, as many as it has room for, and sets *count to how many: less
/// than capacity only at the end. O(capacity), and a logarithm of the number of buckets for each of those.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_positions_rev_fill(
    positions: *mut puffin_positions_rev,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, count)?;
            let out = raw::output(1, out, capacity)?;
            place.put(raw::fill(out, raw::change(0, positions)?));
            Ok(())
        })
    }
}

/// Sets *words to the 64-bit words that puffin_dv_index_into needs: one for each bucket after the first. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_index_len(
    dv: *const puffin_dv,
    words: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, words)?;
            place.put(raw::view(0, dv)?.index_len());
            Ok(())
        })
    }
}

/// Writes a directory of a vector's buckets to memory, which the result borrows besides the vector's bytes. O(buckets).
/// With too few words the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and found of the error record is the number needed.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_index_into(
    dv: *const puffin_dv,
    memory: *mut u64,
    words: usize,
    index: *mut puffin_index,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, index)?;
            let memory = raw::output(1, memory, words)?;
            seat.put(raw::view(0, dv)?.index_into(memory)?);
            Ok(())
        })
    }
}

/// Sets *contains to whether a row is deleted. O(log buckets + log containers), wherever the position is.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_index_contains(
    index: *const puffin_index,
    position: u64,
    contains: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, contains)?;
            place.put(raw::view(0, index)?.contains(position));
            Ok(())
        })
    }
}
