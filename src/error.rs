//! The one error type of the crate.
//!
//! An [`Error`] is a [`kind`](Error::kind), the byte [`offset`](Error::offset) at which the fault was seen, and the
//! value [`found`](Error::found) there. It is `Copy`, holds no text and fits 24 bytes, so it crosses the C ABI
//! unchanged. Kinds are numbered for ever: a number is never reused and never moved.
//!
//! The hundreds digit of a number is its [`ErrorClass`]: what a caller can do about it.

use core::fmt;

/// Shorthand for results of this crate.
pub type Result<T> = core::result::Result<T, Error>;

/// What a caller can do about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The input ends before the thing it holds does: fetch more bytes, or report a cut file.
    Truncated = 1,
    /// The input breaks its format: refuse it.
    Malformed = 2,
    /// The input may be legal, but this build does not read it.
    Unsupported = 3,
    /// A checksum over the input does not match: fetch it again, or refuse it.
    Checksum = 4,
    /// The input asks for more than the caller's [`Limits`](crate::Limits) allow.
    LimitExceeded = 5,
    /// The caller's output or scratch memory is too small; [`Error::found`] is the size needed.
    BufferTooSmall = 6,
    /// The call itself is wrong, whatever the bytes are.
    InvalidArgument = 7,
    /// A state that the code holds to be impossible: a defect in this crate, please report it.
    Internal = 8,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// What is wrong, numbered and shared with the C ABI.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])* $name = $number,)*
        }

        impl ErrorKind {
            /// Every kind, in ascending order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the name of the variant, as written in Rust.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// Returns a short fragment, in the words of the specification, saying what is wrong.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

kinds! {
    /// The input ends early. `offset`: where the missing bytes should start; `found`: how many are there.
    Truncated = 101, "input ends early";

    /// A magic number is not the one the format asks for. `found`: the four bytes, read little-endian.
    BadMagic = 201, "wrong magic";
    /// The footer payload size is negative or does not fit the file. `found`: the size, sign-extended.
    BadFooterSize = 202, "footer payload size out of range";
    /// A blob is not inside `[4, footer start]`, or a range not inside its file. `found`: the offending number.
    RangeOutOfBounds = 203, "range outside the file";
    /// A length field disagrees with the bytes it counts. `found`: the field.
    LengthMismatch = 204, "length field differs from the bytes given";
    /// Bytes are left over where the format ends. `found`: how many.
    TrailingBytes = 205, "bytes after the end";
    /// A declared cardinality differs from the number of positions. `found`: the declared one.
    CardinalityMismatch = 206, "declared cardinality differs from the content";

    /// The footer is not JSON. `found`: the byte there, or 256 at the end of the text.
    BadJson = 211, "not JSON";
    /// The footer is not UTF-8. `found`: the byte there.
    BadUtf8 = 212, "not UTF-8";
    /// A string holds an unknown escape, or half of a surrogate pair. `found`: the byte or code unit.
    BadEscape = 213, "bad escape in a string";
    /// One object holds a name twice. `offset`: the second.
    DuplicateName = 214, "name repeated in one object";
    /// A required field is absent. `offset`: the object; `found`: the field's [`FieldName`](crate::puffin::FieldName)
    /// number.
    MissingField = 215, "required field missing";
    /// A field holds a value of another JSON type, or null. `found`: the value's first byte.
    WrongType = 216, "field of the wrong JSON type";
    /// A number is not an exact integer in the field's range. `found`: its first byte.
    BadInteger = 217, "not an exact integer in range";

    /// A compressed frame breaks its format. `found`: the offending byte or word.
    BadFrame = 221, "malformed compressed frame";
    /// A frame decodes to another size than it declares. `found`: the size so far.
    FrameSizeMismatch = 222, "frame decodes to another size";

    /// The first word of a 32-bit bitmap is neither cookie. `found`: the word.
    BadCookie = 231, "unknown Roaring cookie";
    /// A count of containers or bitmaps is more than the format or the input can hold. `found`: the count.
    BadCount = 232, "count out of range";
    /// Keys do not ascend strictly. `found`: the key.
    KeyOrder = 233, "keys do not ascend";
    /// A key is above what the format allows. `found`: the key. Where positions or ranges are to be written, `offset`
    /// is the index of the one that is too large.
    KeyOutOfRange = 234, "key out of range";
    /// An entry of the offset header is not where the container starts. `found`: the entry.
    OffsetMismatch = 235, "offset header differs from the layout";
    /// Values of an array container do not ascend strictly. `found`: the value.
    ArrayOrder = 236, "array values do not ascend";
    /// Runs of a run container overlap or descend. `found`: the start of the later run.
    RunOrder = 237, "runs overlap or descend";
    /// A run goes beyond 65,535. `found`: its last value.
    RunOverflow = 238, "run past 65535";
    /// A run container holds no run.
    NoRuns = 239, "run container without runs";

    /// The blob or footer entry is of another type than the call reads. `offset`: the entry in the footer.
    WrongBlobType = 251, "blob of another type";
    /// No blob of the footer has the range of the manifest entry. `found`: the entry's offset.
    BlobNotFound = 252, "no blob has that range";
    /// The footer binds the blob to another data file than the manifest does.
    DataFileMismatch = 253, "blob belongs to another data file";
    /// Two blobs of one file hold the vector of one data file. `found`: number of the second blob.
    DuplicateVector = 254, "two vectors for one data file";
    /// A deletion vector has a compression codec.
    VectorCompressed = 255, "deletion vector with a compression codec";
    /// `snapshot-id` of a deletion vector is not -1. `found`: the value, sign-extended.
    SnapshotIdNotInherited = 256, "snapshot-id of a deletion vector is not -1";
    /// `sequence-number` of a deletion vector is not -1. `found`: the value, sign-extended.
    SequenceNumberNotInherited = 257, "sequence-number of a deletion vector is not -1";
    /// A property that the blob type requires is absent. `found`: its number in [`property`](crate::puffin::property).
    MissingProperty = 258, "required property missing";
    /// A property is not in its prescribed form (decimal digits, say). `found`: its number, likewise.
    BadProperty = 259, "property not in its prescribed form";

    /// A reserved footer flag is set. `found`: the four flag bytes, read little-endian.
    UnknownFlags = 301, "reserved footer flag set";
    /// The compression codec is none of the specification's.
    UnknownCodec = 302, "unknown compression codec";
    /// The codec is known, but not in this build (feature `zstd`).
    CodecNotBuilt = 303, "codec not in this build";
    /// A frame uses a feature that Puffin or this crate rules out (no content size, dictionary, skippable, legacy).
    UnsupportedFrame = 304, "frame feature not allowed here";

    /// CRC-32 of a deletion vector. `found`: the stored one.
    CrcMismatch = 401, "CRC-32 differs";
    /// Header checksum of a frame. `found`: the stored one.
    HeaderChecksumMismatch = 402, "frame header checksum differs";
    /// Block checksum of a frame. `found`: the stored one.
    BlockChecksumMismatch = 403, "frame block checksum differs";
    /// Content checksum of a frame. `found`: the stored one.
    ContentChecksumMismatch = 404, "frame content checksum differs";

    /// JSON nested deeper than [`Limits::json_depth`](crate::Limits::json_depth). `found`: the limit.
    JsonTooDeep = 501, "JSON nested too deep";
    /// More members in a JSON object than [`Limits::json_members`](crate::Limits::json_members), or too many in the
    /// objects open at one point of the text. `found`: the limit.
    TooManyMembers = 502, "too many members in a JSON object";
    /// A frame declares more decoded bytes than its stored size or
    /// [`Limits::max_decoded_len`](crate::Limits::max_decoded_len) allows. `found`: the declared size.
    DecodedLenExceeded = 503, "decoded size over the limit";
    /// A deletion vector would be longer than its 32-bit size field can say. `found`: the size, or a lower bound of it.
    VectorTooLong = 504, "deletion vector too long for its size field";
    /// A footer payload would be longer than its size field can say: 2^31 - 1 bytes. `found`: the length.
    FooterTooLong = 505, "footer payload over 2^31 - 1 bytes";

    /// Output memory is too small. `found`: the size needed, in the unit of the call.
    BufferTooSmall = 601, "buffer too small";
    /// Scratch memory is too small. `found`: the size needed, in the unit of the call.
    ScratchTooSmall = 602, "scratch memory too small";

    /// An argument is out of its range, or two arguments disagree.
    InvalidArgument = 701, "invalid argument";
    /// Positions or ranges to be written do not ascend. `offset`: the index of the one that is out of place; `found`:
    /// the position, or where the range starts.
    InputOrder = 702, "input does not ascend";
    /// A file would be longer than offsets in it can say: 2^63 - 1 bytes. `found`: the length of the part to add.
    FileTooLong = 704, "file over 2^63 - 1 bytes";
    /// The writer has written its footer, or its sink has failed: nothing can be added any more.
    WriterClosed = 705, "writer is closed";

    /// A state held to be impossible was reached.
    Internal = 801, "internal error";
}

impl ErrorKind {
    /// Returns the number of this kind, the one the C ABI shows.
    #[must_use]
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Returns what a caller can do about an error of this kind.
    #[must_use]
    pub const fn class(self) -> ErrorClass {
        match self.number() / 100 {
            1 => ErrorClass::Truncated,
            2 => ErrorClass::Malformed,
            3 => ErrorClass::Unsupported,
            4 => ErrorClass::Checksum,
            5 => ErrorClass::LimitExceeded,
            6 => ErrorClass::BufferTooSmall,
            7 => ErrorClass::InvalidArgument,
            _ => ErrorClass::Internal,
        }
    }
}

/// What went wrong, where, and what was there instead.
///
/// # Examples
///
/// ```
/// use puffin_codec::{ErrorKind, roaring::Bitmap32};
///
/// let error = Bitmap32::parse(&[0x39, 0x30, 0, 0]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::BadCookie);
/// assert_eq!((error.offset(), error.found()), (0, 0x3039));
/// assert_eq!(error.to_string(), "unknown Roaring cookie at byte 0 (found 12345)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    offset: u64,
    found: u64,
}

const _: () = assert!(size_of::<Error>() <= 24);

impl Error {
    /// Creates an error. `offset` is in bytes from the start of the slice given to the failing call.
    #[must_use]
    pub(crate) const fn new(kind: ErrorKind, offset: usize, found: u64) -> Self {
        Self::at(kind, offset as u64, found)
    }

    /// Like [`new`](Self::new), for offsets into a file of which only a part is in memory.
    #[must_use]
    pub(crate) const fn at(kind: ErrorKind, offset: u64, found: u64) -> Self {
        Self { kind, offset, found }
    }

    /// Returns the same error seen from an enclosing slice in which the inner one starts at `base`.
    #[must_use]
    pub(crate) const fn rebased(self, base: usize) -> Self {
        Self { offset: self.offset.saturating_add(base as u64), ..self }
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.kind
    }

    /// Returns what a caller can do about it.
    #[must_use]
    pub const fn class(self) -> ErrorClass {
        self.kind.class()
    }

    /// Returns the byte offset of the fault, counted from the start of the slice given to the failing call.
    ///
    /// Faults inside the text of a compressed footer count from the start of the decoded text.
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the value found there; each [`ErrorKind`] says which.
    #[must_use]
    pub const fn found(self) -> u64 {
        self.found
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.kind.message();
        match self.kind.class() {
            ErrorClass::BufferTooSmall => write!(f, "{message} (needs {})", self.found),
            _ => write!(f, "{message} at byte {} (found {})", self.offset, Found(self.kind, self.found)),
        }
    }
}

/// A value found, as a reader expects to see it: flags and checksums in hexadecimal, magic as it is in the file, signed
/// numbers signed, and all others in decimal.
pub(crate) struct Found(pub(crate) ErrorKind, pub(crate) u64);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(kind, found) = *self;
        match kind {
            ErrorKind::BadMagic => {
                let [a, b, c, d, ..] = found.to_le_bytes();
                write!(f, "{a:02X} {b:02X} {c:02X} {d:02X}")
            }
            ErrorKind::BadJson if found == 256 => f.write_str("the end"),
            ErrorKind::UnknownFlags
            | ErrorKind::CrcMismatch
            | ErrorKind::HeaderChecksumMismatch
            | ErrorKind::BlockChecksumMismatch
            | ErrorKind::ContentChecksumMismatch => write!(f, "{found:#010x}"),
            ErrorKind::BadFooterSize
            | ErrorKind::RangeOutOfBounds
            | ErrorKind::SnapshotIdNotInherited
            | ErrorKind::SequenceNumberNotInherited => write!(f, "{}", found.cast_signed()),
            ErrorKind::BadJson
            | ErrorKind::BadUtf8
            | ErrorKind::BadEscape
            | ErrorKind::WrongType
            | ErrorKind::BadInteger => match u8::try_from(found) {
                Ok(byte) if byte.is_ascii_graphic() => write!(f, "'{}'", char::from(byte)),
                _ => write!(f, "{found:#04x}"),
            },
            _ => write!(f, "{found}"),
        }
    }
}

impl core::error::Error for Error {}

/// As [`InvalidInput`](std::io::ErrorKind::InvalidInput), with the error inside.
#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        Self::new(std::io::ErrorKind::InvalidInput, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_a_reader_expects_them() {
        let shown = |kind, found| std::format!("{}", Error::new(kind, 7, found));
        assert_eq!(shown(ErrorKind::BadMagic, 0x3241_4650), "wrong magic at byte 7 (found 50 46 41 32)");
        assert_eq!(shown(ErrorKind::BadFooterSize, u64::MAX), "footer payload size out of range at byte 7 (found -1)");
        assert_eq!(shown(ErrorKind::UnknownFlags, 2), "reserved footer flag set at byte 7 (found 0x00000002)");
        assert_eq!(shown(ErrorKind::WrongType, 0x5B), "field of the wrong JSON type at byte 7 (found '[')");
        assert_eq!(shown(ErrorKind::BadJson, 256), "not JSON at byte 7 (found the end)");
        assert_eq!(shown(ErrorKind::BufferTooSmall, 9), "buffer too small (needs 9)");
    }

    #[test]
    fn numbers_ascend_and_name_their_class() {
        let numbers: std::vec::Vec<u16> = ErrorKind::ALL.iter().map(|kind| kind.number()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
        for kind in ErrorKind::ALL {
            assert_eq!(kind.class() as u16, kind.number() / 100, "{}", kind.name());
            assert!(!kind.message().is_empty() && kind.message().len() < 60);
        }
    }
}
