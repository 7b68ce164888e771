//! Making vectors.

use puffin_codec::ErrorKind;
use puffin_codec::compression::lz4;
use puffin_codec::deletion_vector::{self, Encoded, Encoder, Source};

use crate::operations::puffin_operation;
use crate::raw;
use crate::scans::puffin_range;
use crate::status::{Answer, Fault, puffin_error, puffin_status};
use crate::vectors::puffin_dv;

/// A set of positions to be written: one of those that puffin_encode unites. Borrows what it is made from, and is
/// checked when it is made: one that exists can be written.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_source {
    opaque: [u64; 96],
}
raw::object!(puffin_source, 17, Source<'static>);

/// How a vector is written. Zero, in any field, means the default; NULL, for the whole, means defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_encode_options {
    /// sizeof(puffin_encode_options).
    pub struct_size: usize,
    /// Not 0: write an empty bucket for every key below the highest that has none, as Iceberg Java does: 12 bytes each.
    /// Vectors of fewer than 2^32 rows have one bucket, and are the same either way.
    pub dense_keys: u32,
    /// Not 0: write the 64-bit bitmap alone, without the envelope of deletion-vector-v1.
    pub bare_bitmap: u32,
}

// SAFETY: integers, of which the first is the size.
unsafe impl raw::Growing for puffin_encode_options {
    const DEFAULT: Self = Self { struct_size: size_of::<Self>(), dense_keys: 0, bare_bitmap: 0 };
}

/// Returns the 64-bit words of scratch that encoding so many sources needs: 16 KiB, and less than 800 bytes a source.
/// O(1).
#[unsafe(no_mangle)]
pub extern "C" fn puffin_encode_scratch_len(sources: usize) -> usize {
    sources.saturating_mul(SOURCE_WORDS).saturating_add(deletion_vector::encode_scratch_len(sources))
}

/// Words that a source takes in scratch, where it is copied to.
const SOURCE_WORDS: usize = size_of::<Source<'static>>().div_ceil(size_of::<u64>());

/// Takes positions in ascending order, of which some may be there twice. Up to 0x7FFFFFFE_FFFFFFFF, the highest that
/// all readers accept. A fault is PUFFIN_STATUS_INPUT_ORDER or PUFFIN_STATUS_KEY_OUT_OF_RANGE, offset of the error
/// record the index of the position. O(count).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_source_positions(
    positions: *const u64,
    count: usize,
    source: *mut puffin_source,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, source)?;
            seat.put(Source::positions(raw::input(0, positions, count)?)?);
            Ok(())
        })
    }
}

/// Takes ranges whose starts ascend. They may be empty, touch and overlap. Faults as of puffin_source_positions.
/// O(count).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_source_ranges(
    ranges: *const puffin_range,
    count: usize,
    source: *mut puffin_source,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, source)?;
            seat.put(Source::ranges(raw::ranges_in(0, ranges, count)?)?);
            Ok(())
        })
    }
}

/// Takes the positions of a vector. PUFFIN_STATUS_KEY_OUT_OF_RANGE for one that may be read and not written.
/// O(buckets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_source_vector(
    dv: *const puffin_dv,
    source: *mut puffin_source,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, source)?;
            seat.put(Source::bitmap(raw::view(0, dv)?)?);
            Ok(())
        })
    }
}

/// Takes those positions of a vector that lie in the rows from start on, up to but without end, moved so that row start
/// becomes first_row: what is left of a vector when its data file is split, and what it becomes when data files are put
/// one behind the other. O(buckets + containers).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_source_rows(
    dv: *const puffin_dv,
    start: u64,
    end: u64,
    first_row: u64,
    source: *mut puffin_source,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(4, source)?;
            seat.put(Source::rows(raw::view(0, dv)?, start..end, first_row)?);
            Ok(())
        })
    }
}

/// Takes the positions of a union, an intersection or a difference. O(buckets).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_source_operation(
    operation: *const puffin_operation,
    source: *mut puffin_source,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, source)?;
            seat.put(Source::operation(raw::view(0, operation)?)?);
            Ok(())
        })
    }
}

/// The memory of one call that encodes.
struct Memory {
    sources: &'static mut [Source<'static>],
    scratch: &'static mut [u64],
    options: puffin_encode_options,
}

/// Copies the sources to the front of scratch, one behind the other, as an encoder wants them.
unsafe fn take(
    sources: *const puffin_source,
    source_count: usize,
    options: *const puffin_encode_options,
    scratch: *mut u64,
    words: usize,
) -> Answer<Memory> {
    // SAFETY: as for `raw::options`, `raw::output` and `raw::gather`.
    unsafe {
        let options = raw::options(2, options)?;
        let needed = puffin_encode_scratch_len(source_count);
        let scratch = raw::output(3, scratch, words)?;
        let scratch = scratch.get_mut(..needed).ok_or(Fault::scratch_too_small(needed as u64))?;
        let (front, scratch) =
            scratch.split_at_mut_checked(source_count.saturating_mul(SOURCE_WORDS)).ok_or(Fault::argument(1))?;
        Ok(Memory { sources: raw::gather(0, sources, source_count, front)?, scratch, options })
    }
}

impl Memory {
    fn encoder(&mut self) -> (Encoder<'_, 'static>, &mut [u64]) {
        (Encoder::new(self.sources).dense_keys(self.options.dense_keys != 0), self.scratch)
    }
}

/// Sets *len to a length that no vector of these sources exceeds: with so much memory puffin_encode takes one pass
/// instead of two. UINT64_MAX if a source was opened as trusted. O(count).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_encode_max_len(
    sources: *const puffin_source,
    source_count: usize,
    options: *const puffin_encode_options,
    scratch: *mut u64,
    words: usize,
    len: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(5, len)?;
            let mut memory = take(sources, source_count, options, scratch, words)?;
            place.put(memory.encoder().0.max_encoded_len());
            Ok(())
        })
    }
}

/// Sets *len to the length of the vector, to the byte, and *cardinality, unless that is NULL, to its number of
/// positions. O(stored size of the sources), and a logarithm of their number for each container.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_encode_len(
    sources: *const puffin_source,
    source_count: usize,
    options: *const puffin_encode_options,
    scratch: *mut u64,
    words: usize,
    len: *mut usize,
    cardinality: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, cardinality) = (raw::place(5, len)?, raw::optional_place(6, cardinality)?);
            let mut memory = take(sources, source_count, options, scratch, words)?;
            let bare = memory.options.bare_bitmap != 0;
            let (mut encoder, scratch) = memory.encoder();
            let len = if bare { encoder.encoded_bitmap_len(scratch)? } else { encoder.encoded_len(scratch)? };
            place.put(len);
            if let Some(cardinality) = cardinality {
                cardinality.put(encoder.cardinality(scratch)?);
            }
            Ok(())
        })
    }
}

/// Writes the union of the sources to out, as a deletion-vector-v1 blob. *len is its length, also when the status is
/// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; *cardinality, unless that is NULL, is its number of
/// positions.
///
/// One set has one form, whatever it was made from: containers in their smallest form, no empty one, no key above
/// 0x7FFFFFFE. No source at all makes the empty vector. A few bytes of out behind the vector may be written over.
/// scratch is as puffin_encode_scratch_len says; what is in it does not matter. O(stored size of the sources), and a
/// logarithm of their number for each container; twice that if out is shorter than puffin_encode_max_len.
///
/// ```c
/// // A delete commit: what was deleted before, and what is deleted now.
/// puffin_source sources[2];
/// uint64_t scratch[2048 + 200];  // puffin_encode_scratch_len(2) words at least
/// size_t len = 0;
/// (void)puffin_source_vector(&old, &sources[0], NULL);
/// (void)puffin_source_positions(rows, row_count, &sources[1], NULL);
/// puffin_status status =
///     puffin_encode(sources, 2, NULL, scratch, 2248, out, sizeof out, &len, NULL, NULL);
/// ```
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_encode(
    sources: *const puffin_source,
    source_count: usize,
    options: *const puffin_encode_options,
    scratch: *mut u64,
    words: usize,
    out: *mut u8,
    capacity: usize,
    len: *mut usize,
    cardinality: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, cardinality) = (raw::place(7, len)?, raw::optional_place(8, cardinality)?);
            let out = raw::output(5, out, capacity)?;
            let mut memory = take(sources, source_count, options, scratch, words)?;
            let bare = memory.options.bare_bitmap != 0;
            let (mut encoder, scratch) = memory.encoder();
            let answer =
                if bare { encoder.encode_bitmap_into(scratch, out) } else { encoder.encode_into(scratch, out) };
            let encoded: Encoded = match answer {
                Err(error) if error.kind() == ErrorKind::BufferTooSmall => raw::sized(Err(error), &place)?,
                answer => answer?,
            };
            place.put(encoded.len());
            if let Some(cardinality) = cardinality {
                cardinality.put(encoded.cardinality());
            }
            Ok(())
        })
    }
}

/// Returns how much memory puffin_lz4_encode may need for so much content. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn puffin_lz4_max_encoded_len(len: usize) -> usize {
    lz4::max_encoded_len(len)
}

/// Writes content to out as one LZ4 frame with its content size, as Puffin wants it. *len is the length of the frame;
/// when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL it is a length that is enough, and out is untouched. Bytes behind
/// the frame, up to puffin_lz4_max_encoded_len, are unspecified afterwards. O(content).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_lz4_encode(
    content: *const u8,
    content_len: usize,
    out: *mut u8,
    capacity: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(4, len)?;
            let content = raw::input(0, content, content_len)?;
            let out = raw::output(2, out, capacity)?;
            place.put(raw::sized(lz4::encode_into(content, out), &place)?);
            Ok(())
        })
    }
}
