//! Footer entries and their content.

use core::ffi::c_char;

use puffin_codec::compression::lz4;
use puffin_codec::puffin::{BlobMetadata, Blobs, Codec, Properties};

use crate::container::{limits, puffin_file, puffin_limits, puffin_metadata, puffin_properties};
use crate::raw;
use crate::status::{Fault, puffin_error, puffin_status};
use crate::text::puffin_str;

/// A footer entry: what a footer says of one blob. Borrows what the metadata borrows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_blob {
    opaque: [u64; 32],
}
raw::object!(puffin_blob, 5, BlobMetadata<'static>);

/// A place among the entries of a footer. Borrows what the metadata borrows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_blobs {
    opaque: [u64; 56],
}
raw::object!(puffin_blobs, 6, Blobs<'static>);

/// How the bytes of a blob are compressed.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum puffin_compression {
    /// Not at all.
    None = 0,
    /// One LZ4 frame with its content size.
    Lz4 = 1,
    /// One Zstandard frame. Such blobs can be listed and copied; decoding them is not in the C library.
    Zstd = 2,
    /// Any other name. Such blobs can be listed and copied.
    Unknown = 3,
}

impl From<Codec> for puffin_compression {
    fn from(codec: Codec) -> Self {
        match codec {
            Codec::None => Self::None,
            Codec::Lz4 => Self::Lz4,
            Codec::Zstd => Self::Zstd,
            _ => Self::Unknown,
        }
    }
}

/// What a footer entry says. Names are those of the Puffin specification.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_blob_info {
    /// sizeof(puffin_blob_info), to be filled in before the call.
    pub struct_size: usize,
    /// offset: where the blob starts, in bytes from the start of the file.
    pub offset: u64,
    /// length: bytes as stored.
    pub length: u64,
    /// snapshot-id; -1 for a deletion vector.
    pub snapshot_id: i64,
    /// sequence-number; -1 for a deletion vector.
    pub sequence_number: i64,
    /// Number of the entry in the footer, from 0.
    pub index: usize,
    /// Number of column ids: see puffin_blob_fields.
    pub field_count: usize,
    /// type, such as deletion-vector-v1.
    pub blob_type: puffin_str,
    /// compression-codec; ptr is NULL if there is none.
    pub codec_name: puffin_str,
    /// The text of the entry.
    pub json: puffin_str,
    /// A puffin_compression.
    pub codec: i32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: integers and pointers that are not followed; the first field is the size.
unsafe impl raw::Growing for puffin_blob_info {
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>(),
        offset: 0,
        length: 0,
        snapshot_id: 0,
        sequence_number: 0,
        index: 0,
        field_count: 0,
        blob_type: puffin_str::ABSENT,
        codec_name: puffin_str::ABSENT,
        json: puffin_str::ABSENT,
        codec: 0,
        reserved: 0,
    };
}

/// Starts to list the entries of a footer, in its order. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_blobs(
    metadata: *const puffin_metadata,
    blobs: *mut puffin_blobs,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, blobs)?;
            seat.put(raw::view(0, metadata)?.blobs());
            Ok(())
        })
    }
}

/// Gives the next entry. At the end *more is false, and no entry is made.
///
/// A damaged entry fails with its fault, *more being true and no entry made; the next call goes on behind it. Whoever
/// looks for the vector of a data file must not take a footer with a damaged entry for one without it. O(entry).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blobs_next(
    blobs: *mut puffin_blobs,
    blob: *mut puffin_blob,
    more: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (seat, more) = (raw::seat(1, blob)?, raw::place(2, more)?);
            let next = raw::change(0, blobs)?.next();
            more.put(next.is_some());
            if let Some(blob) = next {
                seat.put(blob?);
            }
            Ok(())
        })
    }
}

/// Gives entry number index, from 0; PUFFIN_STATUS_INVALID_ARGUMENT if there are not so many. O(entries before it): to
/// see all of them, puffin_blobs_next is the way.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_blob(
    metadata: *const puffin_metadata,
    index: usize,
    blob: *mut puffin_blob,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, blob)?;
            seat.put(raw::view(0, metadata)?.blob(index).ok_or(Fault::argument(1))??);
            Ok(())
        })
    }
}

/// Tells what an entry says. The caller fills in info->struct_size first. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blob_get_info(
    blob: *const puffin_blob,
    info: *mut puffin_blob_info,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::sized_place(1, info)?;
            let blob = raw::view(0, blob)?;
            place.put(&puffin_blob_info {
                offset: blob.offset(),
                length: blob.length(),
                snapshot_id: blob.snapshot_id(),
                sequence_number: blob.sequence_number(),
                index: blob.index(),
                field_count: blob.fields().len(),
                blob_type: blob.blob_type().into(),
                codec_name: blob.compression_codec().into(),
                json: puffin_str::plain(blob.json()),
                codec: puffin_compression::from(blob.codec()) as i32,
                ..raw::Growing::DEFAULT
            });
            Ok(())
        })
    }
}

/// Writes the column ids of an entry, fields, to out. *count is how many there are, also when the status is
/// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched. out may be NULL if capacity is 0. O(fields).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blob_fields(
    blob: *const puffin_blob,
    out: *mut i32,
    capacity: usize,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, count)?;
            let out = raw::output(1, out, capacity)?;
            let fields = raw::view(0, blob)?.fields();
            place.put(fields.len());
            let out = out.get_mut(..fields.len()).ok_or(Fault::too_small(fields.len() as u64))?;
            for (to, field) in out.iter_mut().zip(fields) {
                *to = field;
            }
            Ok(())
        })
    }
}

/// Sets *value to the blob's property of that name, which is plain text; ptr is NULL if there is none. O(properties).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blob_property(
    blob: *const puffin_blob,
    name: *const c_char,
    name_len: usize,
    value: *mut puffin_str,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, value)?;
            let name = raw::text(1, name, name_len)?;
            place.put(raw::view(0, blob)?.property(name).into());
            Ok(())
        })
    }
}

/// Starts to list the properties of a blob, in the order of the footer: see puffin_properties_next. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blob_properties(
    blob: *const puffin_blob,
    properties: *mut puffin_properties,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, properties)?;
            seat.put(Properties::clone(&raw::view(0, blob)?.properties()));
            Ok(())
        })
    }
}

/// Sets *stored and *stored_len to the bytes of a blob as they are stored in its file, which is in memory.
/// PUFFIN_STATUS_RANGE_OUT_OF_BOUNDS if the entry is of another file. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_file_stored(
    file: *const puffin_file,
    blob: *const puffin_blob,
    stored: *mut *const u8,
    stored_len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, len) = (raw::place(2, stored)?, raw::place(3, stored_len)?);
            let bytes = raw::view(0, file)?.blob(raw::view(1, blob)?)?.stored();
            place.put(bytes.as_ptr());
            len.put(bytes.len());
            Ok(())
        })
    }
}

/// Sets *len to the size of a blob's content: stored_len if it is not compressed, else what its frame declares, which
/// is held against the limits. stored are the bytes of the blob, of which only the first few are read. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blob_decoded_len(
    blob: *const puffin_blob,
    stored: *const u8,
    stored_len: usize,
    limits: *const puffin_limits,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(4, len)?;
            let limits = self::limits(3, limits)?;
            let stored = raw::input(1, stored, stored_len)?;
            place.put(raw::view(0, blob)?.blob(stored)?.decoded_len(&limits)?);
            Ok(())
        })
    }
}

/// Writes the content of a blob to out: decoded, or copied if it is not compressed. stored are its bytes. *len is the
/// size of the content, also when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; out is
/// unspecified after other failures. O(stored + content).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_blob_decode(
    blob: *const puffin_blob,
    stored: *const u8,
    stored_len: usize,
    limits: *const puffin_limits,
    out: *mut u8,
    capacity: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(6, len)?;
            let limits = self::limits(3, limits)?;
            let stored = raw::input(1, stored, stored_len)?;
            let out = raw::output(4, out, capacity)?;
            let content = raw::sized(raw::view(0, blob)?.blob(stored)?.decode_into(out, &limits), &place)?;
            place.put(content.len());
            Ok(())
        })
    }
}

/// Sets *len to the content size that an LZ4 frame declares, which is held against the limits. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_lz4_decoded_len(
    frame: *const u8,
    frame_len: usize,
    limits: *const puffin_limits,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, len)?;
            let limits = self::limits(2, limits)?;
            place.put(lz4::decoded_len(raw::input(0, frame, frame_len)?, &limits)?);
            Ok(())
        })
    }
}

/// Decodes one LZ4 frame as Puffin allows it: with its content size, without a dictionary, nothing behind it. Otherwise
/// as puffin_blob_decode.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_lz4_decode(
    frame: *const u8,
    frame_len: usize,
    limits: *const puffin_limits,
    out: *mut u8,
    capacity: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(5, len)?;
            let limits = self::limits(2, limits)?;
            let frame = raw::input(0, frame, frame_len)?;
            let out = raw::output(3, out, capacity)?;
            place.put(raw::sized(lz4::decode_into(frame, out, &limits), &place)?.len());
            Ok(())
        })
    }
}
