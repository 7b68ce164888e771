//! What a call answers: status, error record, names and messages.

use core::ffi::{CStr, c_char};

use puffin_codec::{Error, ErrorKind};

use crate::raw;

/// What a call answers. Numbers are never reused and never moved; later versions may add some.
///
/// The hundreds digit is the class: what a caller can do about it. 1: fetch more bytes, or report a cut file. 2: the
/// input breaks its format, refuse it. 3: legal perhaps, but not read by this build. 4: a checksum differs. 5: more than
/// the limits allow. 6: output or scratch memory is too small. 7: the call itself is wrong. 8: a defect in this library.
///
/// The comments say what offset and found of the error record hold, where that is not plain.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum puffin_status {
    /// Success.
    Ok = 0,
    /// The input ends early. offset: where the missing bytes should start; found: how many are there.
    Truncated = 101,
    /// A magic number is not the one the format asks for. found: the four bytes, read little-endian.
    BadMagic = 201,
    /// The footer payload size is negative or does not fit the file. found: the size, sign-extended.
    BadFooterSize = 202,
    /// A blob is not inside [4, footer start], or a range not inside its file. found: the offending number.
    RangeOutOfBounds = 203,
    /// A length field disagrees with the bytes it counts. found: the field.
    LengthMismatch = 204,
    /// Bytes are left over where the format ends. found: how many.
    TrailingBytes = 205,
    /// A declared cardinality differs from the number of positions. found: the declared one.
    CardinalityMismatch = 206,
    /// The footer is not JSON. found: the byte there, or 256 at the end of the text.
    BadJson = 211,
    /// The footer is not UTF-8. found: the byte there.
    BadUtf8 = 212,
    /// A string holds an unknown escape, or half of a surrogate pair. found: the byte or code unit.
    BadEscape = 213,
    /// One object holds a name twice. offset: the second.
    DuplicateName = 214,
    /// A required field is absent. offset: the object; found: the field's number, PUFFIN_FIELD_*.
    MissingField = 215,
    /// A field holds a value of another JSON type, or null. found: the value's first byte.
    WrongType = 216,
    /// A number is not an exact integer in the field's range. found: its first byte.
    BadInteger = 217,
    /// A compressed frame breaks its format. found: the offending byte or word.
    BadFrame = 221,
    /// A frame decodes to another size than it declares. found: the size so far.
    FrameSizeMismatch = 222,
    /// The first word of a 32-bit bitmap is neither cookie. found: the word.
    BadCookie = 231,
    /// A count of containers or bitmaps is more than the format or the input can hold. found: the count.
    BadCount = 232,
    /// Keys do not ascend strictly. found: the key.
    KeyOrder = 233,
    /// A key is above what the format allows. found: the key. Where positions or ranges are to be written, offset is
    /// the index of the one that is too large.
    KeyOutOfRange = 234,
    /// An entry of the offset header is not where the container starts. found: the entry.
    OffsetMismatch = 235,
    /// Values of an array container do not ascend strictly. found: the value.
    ArrayOrder = 236,
    /// Runs of a run container overlap or descend. found: the start of the later run.
    RunOrder = 237,
    /// A run goes beyond 65,535. found: its last value.
    RunOverflow = 238,
    /// A run container holds no run.
    NoRuns = 239,
    /// The blob or footer entry is of another type than the call reads. offset: the entry in the footer.
    WrongBlobType = 251,
    /// No blob of the footer has the range of the manifest entry. found: the entry's offset.
    BlobNotFound = 252,
    /// The footer binds the blob to another data file than the manifest does.
    DataFileMismatch = 253,
    /// Two blobs of one file hold the vector of one data file. found: number of the second blob.
    DuplicateVector = 254,
    /// A deletion vector has a compression codec.
    VectorCompressed = 255,
    /// snapshot-id of a deletion vector is not -1. found: the value, sign-extended.
    SnapshotIdNotInherited = 256,
    /// sequence-number of a deletion vector is not -1. found: the value, sign-extended.
    SequenceNumberNotInherited = 257,
    /// A property that the blob type requires is absent. found: its number, PUFFIN_PROPERTY_*.
    MissingProperty = 258,
    /// A property is not in its prescribed form (decimal digits, say). found: its number, likewise.
    BadProperty = 259,
    /// A reserved footer flag is set. found: the four flag bytes, read little-endian.
    UnknownFlags = 301,
    /// The compression codec is none of the specification's.
    UnknownCodec = 302,
    /// The codec is known, but not in this build (the C library decodes no zstd, which takes an allocator).
    CodecNotBuilt = 303,
    /// A frame uses a feature that Puffin or this crate rules out (no content size, dictionary, skippable, legacy).
    UnsupportedFrame = 304,
    /// CRC-32 of a deletion vector. found: the stored one.
    CrcMismatch = 401,
    /// Header checksum of a frame. found: the stored one.
    HeaderChecksumMismatch = 402,
    /// Block checksum of a frame. found: the stored one.
    BlockChecksumMismatch = 403,
    /// Content checksum of a frame. found: the stored one.
    ContentChecksumMismatch = 404,
    /// JSON nested deeper than json_depth of puffin_limits. found: the limit.
    JsonTooDeep = 501,
    /// More members in a JSON object than json_members of puffin_limits, or too many in the objects open at one point
    /// of the text. found: the limit.
    TooManyMembers = 502,
    /// A frame declares more decoded bytes than its stored size or max_decoded_len of puffin_limits allows. found:
    /// the declared size.
    DecodedLenExceeded = 503,
    /// A deletion vector would be longer than its 32-bit size field can say. found: the size, or a lower bound of it.
    VectorTooLong = 504,
    /// A footer payload would be longer than its size field can say: 2^31 - 1 bytes. found: the length.
    FooterTooLong = 505,
    /// Output memory is too small. found: the size needed, in the unit of the call.
    BufferTooSmall = 601,
    /// Scratch memory is too small. found: the size needed, in the unit of the call.
    ScratchTooSmall = 602,
    /// An argument is out of its range, or two arguments disagree.
    InvalidArgument = 701,
    /// Positions or ranges to be written do not ascend. offset: the index of the one that is out of place; found: the
    /// position, or where the range starts.
    InputOrder = 702,
    /// A file would be longer than offsets in it can say: 2^63 - 1 bytes. found: the length of the part to add.
    FileTooLong = 704,
    /// The writer has written its footer, or its sink has failed: nothing can be added any more.
    WriterClosed = 705,
    /// A state held to be impossible was reached.
    Internal = 801,
}

/// Why a call failed: a status, where the fault was seen, and what was there.
///
/// Written only by calls that fail, and only where the caller passes one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct puffin_error {
    /// The status that the call returned.
    pub status: i32,
    /// Zero.
    pub reserved: u32,
    /// Byte offset of the fault: from the start of the memory given to the call, or of the file, where the call is given
    /// objects of a file. Faults in the text of a compressed footer count from the start of the decoded text. For
    /// PUFFIN_STATUS_INVALID_ARGUMENT from a check of the arguments themselves, the number of the argument, from 0.
    pub offset: u64,
    /// The value found there, or the size needed.
    pub found: u64,
}

/// A failure on its way to the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    status: puffin_status,
    offset: u64,
    found: u64,
}

pub(crate) type Answer<T = ()> = Result<T, Fault>;

impl Fault {
    /// Argument number `number`, from 0, breaks the contract.
    pub(crate) const fn argument(number: u64) -> Self {
        Self { status: puffin_status::InvalidArgument, offset: number, found: 0 }
    }

    /// Output memory is too short for what needs so much.
    pub(crate) const fn too_small(needed: u64) -> Self {
        Self { status: puffin_status::BufferTooSmall, offset: 0, found: needed }
    }

    /// Scratch memory is too short for what needs so much.
    #[cfg(feature = "write")]
    pub(crate) const fn scratch_too_small(needed: u64) -> Self {
        Self { status: puffin_status::ScratchTooSmall, offset: 0, found: needed }
    }

    /// Returns the size needed, if memory was too short.
    pub(crate) const fn size_needed(&self) -> Option<u64> {
        match self.status {
            puffin_status::BufferTooSmall | puffin_status::ScratchTooSmall => Some(self.found),
            _ => None,
        }
    }

    pub(crate) const fn status(&self) -> puffin_status {
        self.status
    }

    pub(crate) const fn record(&self) -> puffin_error {
        puffin_error { status: self.status as i32, reserved: 0, offset: self.offset, found: self.found }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { status: status_of(error.kind()), offset: error.offset(), found: error.found() }
    }
}

/// The three things that are said of each status.
macro_rules! statuses {
    ($($name:ident $constant:literal $message:literal;)*) => {
        const fn status_of(kind: ErrorKind) -> puffin_status {
            match kind {
                $(ErrorKind::$name => puffin_status::$name,)*
                // A test sees that there is no other.
                _ => puffin_status::Internal,
            }
        }

        const fn describe(status: i32) -> Option<(&'static CStr, &'static CStr)> {
            match status {
                0 => Some((c"PUFFIN_STATUS_OK", c"success")),
                $(status if status == puffin_status::$name as i32 => Some(($constant, $message)),)*
                _ => None,
            }
        }
    };
}

statuses! {
    Truncated c"PUFFIN_STATUS_TRUNCATED" c"input ends early";
    BadMagic c"PUFFIN_STATUS_BAD_MAGIC" c"wrong magic";
    BadFooterSize c"PUFFIN_STATUS_BAD_FOOTER_SIZE" c"footer payload size out of range";
    RangeOutOfBounds c"PUFFIN_STATUS_RANGE_OUT_OF_BOUNDS" c"range outside the file";
    LengthMismatch c"PUFFIN_STATUS_LENGTH_MISMATCH" c"length field differs from the bytes given";
    TrailingBytes c"PUFFIN_STATUS_TRAILING_BYTES" c"bytes after the end";
    CardinalityMismatch c"PUFFIN_STATUS_CARDINALITY_MISMATCH" c"declared cardinality differs from the content";
    BadJson c"PUFFIN_STATUS_BAD_JSON" c"not JSON";
    BadUtf8 c"PUFFIN_STATUS_BAD_UTF8" c"not UTF-8";
    BadEscape c"PUFFIN_STATUS_BAD_ESCAPE" c"bad escape in a string";
    DuplicateName c"PUFFIN_STATUS_DUPLICATE_NAME" c"name repeated in one object";
    MissingField c"PUFFIN_STATUS_MISSING_FIELD" c"required field missing";
    WrongType c"PUFFIN_STATUS_WRONG_TYPE" c"field of the wrong JSON type";
    BadInteger c"PUFFIN_STATUS_BAD_INTEGER" c"not an exact integer in range";
    BadFrame c"PUFFIN_STATUS_BAD_FRAME" c"malformed compressed frame";
    FrameSizeMismatch c"PUFFIN_STATUS_FRAME_SIZE_MISMATCH" c"frame decodes to another size";
    BadCookie c"PUFFIN_STATUS_BAD_COOKIE" c"unknown Roaring cookie";
    BadCount c"PUFFIN_STATUS_BAD_COUNT" c"count out of range";
    KeyOrder c"PUFFIN_STATUS_KEY_ORDER" c"keys do not ascend";
    KeyOutOfRange c"PUFFIN_STATUS_KEY_OUT_OF_RANGE" c"key out of range";
    OffsetMismatch c"PUFFIN_STATUS_OFFSET_MISMATCH" c"offset header differs from the layout";
    ArrayOrder c"PUFFIN_STATUS_ARRAY_ORDER" c"array values do not ascend";
    RunOrder c"PUFFIN_STATUS_RUN_ORDER" c"runs overlap or descend";
    RunOverflow c"PUFFIN_STATUS_RUN_OVERFLOW" c"run past 65535";
    NoRuns c"PUFFIN_STATUS_NO_RUNS" c"run container without runs";
    WrongBlobType c"PUFFIN_STATUS_WRONG_BLOB_TYPE" c"blob of another type";
    BlobNotFound c"PUFFIN_STATUS_BLOB_NOT_FOUND" c"no blob has that range";
    DataFileMismatch c"PUFFIN_STATUS_DATA_FILE_MISMATCH" c"blob belongs to another data file";
    DuplicateVector c"PUFFIN_STATUS_DUPLICATE_VECTOR" c"two vectors for one data file";
    VectorCompressed c"PUFFIN_STATUS_VECTOR_COMPRESSED" c"deletion vector with a compression codec";
    SnapshotIdNotInherited c"PUFFIN_STATUS_SNAPSHOT_ID_NOT_INHERITED" c"snapshot-id of a deletion vector is not -1";
    SequenceNumberNotInherited c"PUFFIN_STATUS_SEQUENCE_NUMBER_NOT_INHERITED" c"sequence-number of a deletion vector is not -1";
    MissingProperty c"PUFFIN_STATUS_MISSING_PROPERTY" c"required property missing";
    BadProperty c"PUFFIN_STATUS_BAD_PROPERTY" c"property not in its prescribed form";
    UnknownFlags c"PUFFIN_STATUS_UNKNOWN_FLAGS" c"reserved footer flag set";
    UnknownCodec c"PUFFIN_STATUS_UNKNOWN_CODEC" c"unknown compression codec";
    CodecNotBuilt c"PUFFIN_STATUS_CODEC_NOT_BUILT" c"codec not in this build";
    UnsupportedFrame c"PUFFIN_STATUS_UNSUPPORTED_FRAME" c"frame feature not allowed here";
    CrcMismatch c"PUFFIN_STATUS_CRC_MISMATCH" c"CRC-32 differs";
    HeaderChecksumMismatch c"PUFFIN_STATUS_HEADER_CHECKSUM_MISMATCH" c"frame header checksum differs";
    BlockChecksumMismatch c"PUFFIN_STATUS_BLOCK_CHECKSUM_MISMATCH" c"frame block checksum differs";
    ContentChecksumMismatch c"PUFFIN_STATUS_CONTENT_CHECKSUM_MISMATCH" c"frame content checksum differs";
    JsonTooDeep c"PUFFIN_STATUS_JSON_TOO_DEEP" c"JSON nested too deep";
    TooManyMembers c"PUFFIN_STATUS_TOO_MANY_MEMBERS" c"too many members in a JSON object";
    DecodedLenExceeded c"PUFFIN_STATUS_DECODED_LEN_EXCEEDED" c"decoded size over the limit";
    VectorTooLong c"PUFFIN_STATUS_VECTOR_TOO_LONG" c"deletion vector too long for its size field";
    FooterTooLong c"PUFFIN_STATUS_FOOTER_TOO_LONG" c"footer payload over 2^31 - 1 bytes";
    BufferTooSmall c"PUFFIN_STATUS_BUFFER_TOO_SMALL" c"buffer too small";
    ScratchTooSmall c"PUFFIN_STATUS_SCRATCH_TOO_SMALL" c"scratch memory too small";
    InvalidArgument c"PUFFIN_STATUS_INVALID_ARGUMENT" c"invalid argument";
    InputOrder c"PUFFIN_STATUS_INPUT_ORDER" c"input does not ascend";
    FileTooLong c"PUFFIN_STATUS_FILE_TOO_LONG" c"file over 2^63 - 1 bytes";
    WriterClosed c"PUFFIN_STATUS_WRITER_CLOSED" c"writer is closed";
    Internal c"PUFFIN_STATUS_INTERNAL" c"internal error";
}

/// Returns the name of a status as it is written in this header, NUL-terminated; "unknown status" for any other
/// number. Never NULL. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn puffin_status_name(status: i32) -> *const c_char {
    describe(status).map_or(c"unknown status", |(name, _)| name).as_ptr()
}

/// Returns a short fragment, in the words of the specification, that says what is wrong, NUL-terminated; "unknown
/// status" for a number that is none. Never NULL. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn puffin_status_message(status: i32) -> *const c_char {
    describe(status).map_or(c"unknown status", |(_, message)| message).as_ptr()
}

/// Writes what an error record says, as one line of text without a NUL: "wrong magic at byte 0 (found 1397768525)".
///
/// out may be NULL if capacity is 0. *len is the length of the text, also when the status is
/// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched. 120 bytes are enough for every record. There is no error
/// record about an error record.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_error_describe(
    error: *const puffin_error,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(core::ptr::null_mut(), || {
            let len = raw::place(3, len)?;
            let error = raw::read(0, error)?;
            let out = raw::output(1, out.cast::<u8>(), capacity)?;
            let (mut text, mut filled) = ([0_u8; 160], 0_usize);
            let mut put = |part: &[u8]| {
                for byte in part {
                    if let Some(to) = text.get_mut(filled) {
                        *to = *byte;
                        filled = filled.saturating_add(1);
                    }
                }
            };
            put(describe(error.status).map_or(c"unknown status", |(_, message)| message).to_bytes());
            let mut digits = [0; 20];
            if error.status / 100 == 6 {
                put(b" (needs ");
                put(decimal(error.found, &mut digits));
            } else {
                put(if error.status / 100 == 7 && error.found == 0 { b" (number " } else { b" at byte " });
                put(decimal(error.offset, &mut digits));
                if error.status / 100 != 7 || error.found != 0 {
                    put(b" (found ");
                    put(decimal(error.found, &mut digits));
                }
            }
            put(b")");
            let text = text.get(..filled).unwrap_or_default();
            raw::deliver(text, out, len)
        })
    }
}

/// Writes a number in decimal digits.
fn decimal(number: u64, digits: &mut [u8; 20]) -> &[u8] {
    let (mut rest, mut start) = (number, digits.len());
    for digit in digits.iter_mut().rev() {
        let value = u8::try_from(rest % 10).unwrap_or(0);
        *digit = b'0' | value;
        (rest, start) = (rest / 10, start.saturating_sub(1));
        if rest == 0 {
            break;
        }
    }
    digits.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;

    #[test]
    fn every_kind_has_its_status() {
        for kind in ErrorKind::ALL {
            let status = status_of(*kind) as i32;
            assert_eq!(status, i32::from(kind.number()), "{}", kind.name());
            let (name, message) = describe(status).unwrap();
            assert_eq!(message.to_str().unwrap(), kind.message());
            let words = kind.name().chars().fold(String::from("PUFFIN_STATUS"), |mut name, letter| {
                if letter.is_uppercase() {
                    name.push('_');
                }
                name.push(letter.to_ascii_uppercase());
                name
            });
            assert_eq!(name.to_str().unwrap(), words);
        }
        assert_eq!(describe(999), None);
    }
}
