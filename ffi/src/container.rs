//! Files and footers.

use core::ffi::c_char;

use puffin_codec::Limits;
use puffin_codec::puffin::{FieldName, FileMetadata, FooterLocation, FooterView, Properties, PuffinFile, Tail};

use crate::raw;
use crate::status::{puffin_error, puffin_status};
use crate::text::{puffin_property, puffin_str};

/// A Puffin file whose bytes are all in memory. Borrows them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_file {
    opaque: [u64; 10],
}
raw::object!(puffin_file, 1, PuffinFile<'static>);

/// A footer: from its first magic to the end of the file. Borrows those bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_footer {
    opaque: [u64; 8],
}
raw::object!(puffin_footer, 2, FooterView<'static>);

/// What a footer says, checked to be JSON, UTF-8, within the limits, and a file's metadata. Borrows the footer and, if
/// that is compressed, the scratch memory that it was decoded into.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_metadata {
    opaque: [u64; 16],
}
raw::object!(puffin_metadata, 3, FileMetadata<'static>);

/// A place among the properties of a file or of a blob. Borrows what the metadata borrows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_properties {
    opaque: [u64; 8],
}
raw::object!(puffin_properties, 4, Properties<'static>);

/// What an input may cost. Zero, in any field, means the default; NULL, for the whole, means defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_limits {
    /// sizeof(puffin_limits).
    pub struct_size: usize,
    /// Most bytes that one compressed footer or blob may decode to; default 256 MiB.
    pub max_decoded_len: u64,
    /// Deepest nesting of a footer's JSON; default and maximum 128.
    pub json_depth: u32,
    /// Most members of one JSON object; default 256, maximum 512.
    pub json_members: u32,
}

// SAFETY: integers, of which the first is the size.
unsafe impl raw::Growing for puffin_limits {
    const DEFAULT: Self = Self { struct_size: size_of::<Self>(), max_decoded_len: 0, json_depth: 0, json_members: 0 };
}

/// Reads limits, or the defaults.
pub(crate) unsafe fn limits(argument: u64, limits: *const puffin_limits) -> crate::status::Answer<Limits> {
    // SAFETY: as for `raw::options`.
    let asked = unsafe { raw::options(argument, limits) }?;
    let mut limits = Limits::DEFAULT;
    if asked.max_decoded_len > 0 {
        limits.max_decoded_len = asked.max_decoded_len;
    }
    if asked.json_depth > 0 {
        limits.json_depth = u8::try_from(asked.json_depth).unwrap_or(Limits::MAX_JSON_DEPTH);
    }
    if asked.json_members > 0 {
        limits.json_members = u16::try_from(asked.json_members).unwrap_or(Limits::MAX_JSON_MEMBERS);
    }
    Ok(limits)
}

/// Numbers of fields of a footer, which found of a PUFFIN_STATUS_MISSING_FIELD record holds. 1: type.
pub const PUFFIN_FIELD_TYPE: u64 = 1;
/// 2: fields.
pub const PUFFIN_FIELD_FIELDS: u64 = 2;
/// 3: snapshot-id.
pub const PUFFIN_FIELD_SNAPSHOT_ID: u64 = 3;
/// 4: sequence-number.
pub const PUFFIN_FIELD_SEQUENCE_NUMBER: u64 = 4;
/// 5: offset.
pub const PUFFIN_FIELD_OFFSET: u64 = 5;
/// 6: length.
pub const PUFFIN_FIELD_LENGTH: u64 = 6;
/// 7: compression-codec.
pub const PUFFIN_FIELD_COMPRESSION_CODEC: u64 = 7;
/// 8: properties, of a blob and of the file.
pub const PUFFIN_FIELD_PROPERTIES: u64 = 8;
/// 9: blobs, of the file.
pub const PUFFIN_FIELD_BLOBS: u64 = 9;

const _: () = assert!(
    FieldName::Type as u64 == PUFFIN_FIELD_TYPE
        && FieldName::Fields as u64 == PUFFIN_FIELD_FIELDS
        && FieldName::SnapshotId as u64 == PUFFIN_FIELD_SNAPSHOT_ID
        && FieldName::SequenceNumber as u64 == PUFFIN_FIELD_SEQUENCE_NUMBER
        && FieldName::Offset as u64 == PUFFIN_FIELD_OFFSET
        && FieldName::Length as u64 == PUFFIN_FIELD_LENGTH
        && FieldName::CompressionCodec as u64 == PUFFIN_FIELD_COMPRESSION_CODEC
        && FieldName::Properties as u64 == PUFFIN_FIELD_PROPERTIES
        && FieldName::Blobs as u64 == PUFFIN_FIELD_BLOBS
);

/// Where a footer lies and what its bytes are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_footer_info {
    /// sizeof(puffin_footer_info), to be filled in before the call.
    pub struct_size: usize,
    /// Byte offset of the footer in the file.
    pub offset: u64,
    /// Length of the footer in bytes: file-footer-size-in-bytes of a table's statistics file.
    pub len: u64,
    /// Length of the file in bytes.
    pub file_len: u64,
    /// The footer payload as stored, JSON or an LZ4 frame: first byte and length.
    pub payload: *const u8,
    /// Length of the payload.
    pub payload_len: usize,
    /// 1 if the payload is an LZ4 frame, else 0.
    pub compressed: u32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: integers and a pointer that is not followed; the first field is the size.
unsafe impl raw::Growing for puffin_footer_info {
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>(),
        offset: 0,
        len: 0,
        file_len: 0,
        payload: core::ptr::null(),
        payload_len: 0,
        compressed: 0,
        reserved: 0,
    };
}

/// Opens a Puffin file that is wholly in memory: checks magic and trailer, and finds the footer. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_file_parse(
    data: *const u8,
    len: usize,
    file: *mut puffin_file,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, file)?;
            seat.put(PuffinFile::parse(raw::input(0, data, len)?)?);
            Ok(())
        })
    }
}

/// Views the footer of a file. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_file_footer(
    file: *const puffin_file,
    footer: *mut puffin_footer,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, footer)?;
            seat.put(raw::view(0, file)?.footer());
            Ok(())
        })
    }
}

/// Finds the footer in the last bytes of a file, as a remote reader has them. O(1).
///
/// tail holds the last tail_len bytes of a file of file_len bytes; a few KiB mostly hold the whole footer. If they do,
/// *fetch_len is 0 and the footer is made. If not, the status is PUFFIN_STATUS_OK too, no footer is made, and *fetch_len
/// bytes from *fetch_offset of the file on are what to fetch: the last bytes of the file again, more of them. The call with
/// those makes the footer, or, if tail had less than 12 bytes, asks once more.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_footer_locate(
    tail: *const u8,
    tail_len: usize,
    file_len: u64,
    footer: *mut puffin_footer,
    fetch_offset: *mut u64,
    fetch_len: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, footer)?;
            let (offset, len) = (raw::place(4, fetch_offset)?, raw::place(5, fetch_len)?);
            match FooterLocation::from_tail(raw::input(0, tail, tail_len)?, file_len)? {
                Tail::Footer(footer) => {
                    seat.put(footer);
                    offset.put(0);
                    len.put(0);
                }
                Tail::Fetch(range) => {
                    offset.put(range.start);
                    len.put(range.end.saturating_sub(range.start));
                }
            }
            Ok(())
        })
    }
}

/// Views a footer whose bytes are exactly known: from its first magic to the end of a file of file_len bytes. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_footer_parse(
    data: *const u8,
    len: usize,
    file_len: u64,
    footer: *mut puffin_footer,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(3, footer)?;
            seat.put(FooterView::parse(raw::input(0, data, len)?, file_len)?);
            Ok(())
        })
    }
}

/// Tells where a footer lies. The caller fills in info->struct_size first. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_footer_get_info(
    footer: *const puffin_footer,
    info: *mut puffin_footer_info,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::sized_place(1, info)?;
            let footer = raw::view(0, footer)?;
            let (location, payload) = (footer.location(), footer.payload());
            place.put(&puffin_footer_info {
                offset: location.offset(),
                len: location.len(),
                file_len: location.file_len(),
                payload: payload.as_ptr(),
                payload_len: payload.len(),
                compressed: location.is_compressed().into(),
                ..raw::Growing::DEFAULT
            });
            Ok(())
        })
    }
}

/// Sets *len to the bytes of scratch memory that puffin_footer_metadata needs: 0 for a footer that is not compressed.
/// O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_footer_scratch_len(
    footer: *const puffin_footer,
    limits: *const puffin_limits,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, len)?;
            let limits = self::limits(1, limits)?;
            place.put(raw::view(0, footer)?.scratch_len(&limits)?);
            Ok(())
        })
    }
}

/// Reads a footer: decodes it into scratch, if it is compressed, and checks all of its text. O(footer).
///
/// The metadata borrows the footer's bytes and scratch, which may be NULL if scratch_len is 0. Faults of single blobs
/// are reported when those are asked for. With too little scratch the status is PUFFIN_STATUS_SCRATCH_TOO_SMALL, and
/// found of the error record is the size needed.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_footer_metadata(
    footer: *const puffin_footer,
    scratch: *mut u8,
    scratch_len: usize,
    limits: *const puffin_limits,
    metadata: *mut puffin_metadata,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(4, metadata)?;
            let limits = self::limits(3, limits)?;
            let scratch = raw::output(1, scratch, scratch_len)?;
            seat.put(raw::view(0, footer)?.metadata_with(scratch, &limits)?);
            Ok(())
        })
    }
}

/// Sets *count to the number of blobs that a footer lists. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_blob_count(
    metadata: *const puffin_metadata,
    count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, count)?;
            place.put(raw::view(0, metadata)?.blob_count());
            Ok(())
        })
    }
}

/// Sets *json to the whole text of a footer, decoded if it was compressed. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_json(
    metadata: *const puffin_metadata,
    json: *mut puffin_str,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, json)?;
            place.put(puffin_str::plain(raw::view(0, metadata)?.json()));
            Ok(())
        })
    }
}

/// Sets *value to the file's property of that name, which is plain text; ptr is NULL if there is none. O(properties).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_property(
    metadata: *const puffin_metadata,
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
            place.put(raw::view(0, metadata)?.property(name).into());
            Ok(())
        })
    }
}

/// Starts to list the properties of a file, in the order of the footer. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_metadata_properties(
    metadata: *const puffin_metadata,
    properties: *mut puffin_properties,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, properties)?;
            seat.put(raw::view(0, metadata)?.properties());
            Ok(())
        })
    }
}

/// Gives the next property. At the end *more is false, and the property is absent. O(its length).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_properties_next(
    properties: *mut puffin_properties,
    property: *mut puffin_property,
    more: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, more) = (raw::place(1, property)?, raw::place(2, more)?);
            let next = raw::change(0, properties)?.next();
            more.put(next.is_some());
            place.put(next.map_or(puffin_property::ABSENT, |(name, value)| puffin_property {
                name: name.into(),
                value: value.into(),
            }));
            Ok(())
        })
    }
}
