//! Puffin files: the container of deletion vectors, sketches and other blobs.
//!
//! ```text
//!             offset       bytes  what
//!  file       0            4      magic "PFA1"
//!             4            ...    blobs, one after the other; gaps are allowed
//!  footer     f            4      magic "PFA1"
//!             f + 4        n      footer payload: JSON in UTF-8, or one LZ4 frame of it
//!             end - 12     4      n, the payload size as stored: a signed little-endian integer
//!             end - 8      4      flags: bit 0 of byte 0 says that the payload is compressed; all others are reserved
//!             end - 4      4      magic "PFA1"
//! ```
//!
//! This follows the [Puffin specification](https://iceberg.apache.org/puffin-spec/), sections "File structure", "Footer
//! structure" and "Footer Payload". The payload is one object, `FileMetadata`: a list `blobs` of `BlobMetadata` and
//! optional `properties`.
//!
//! # What is validated when
//!
//! | call | checks | cost |
//! |---|---|---|
//! | [`FooterLocation::from_tail`], [`FooterView::parse`] | closing magic, flags, payload size, the footer's first magic; the head magic if the tail is the whole file | O(1) |
//! | [`PuffinFile::parse`] | the same, with the head magic | O(1) |
//! | [`PuffinFile::metadata`], [`FooterView::metadata`] | the LZ4 frame; UTF-8; JSON: grammar, escapes, nesting, no name twice in any object; `blobs` is an array, `properties` an object of strings | O(footer) |
//! | [`FileMetadata::blobs`] | entry by entry: required fields, their types, exact integers, the range inside `[4, f]` | O(footer) for all |
//! | [`PuffinFile::blob`] | the range, against this file | O(1) |
//! | [`Blob::decode_into`] | the LZ4 or zstd frame | O(content) |
//!
//! Getters of a value that exists cannot fail. A fault of the JSON text refuses the footer, since another reader might
//! see another text; a fault of one entry refuses that entry only, since files hold blobs of many writers.
//!
//! # Integers, names, strings
//!
//! An integer is written as digits with an optional minus: `4.0`, `1e3`, `"4"`, `true` and `-0` are refused, and so is
//! what does not fit 64 bits (`fields`: 32 bits). `compression-codec: null` counts as absent; any other null in a known
//! field is refused. Fields with other names are skipped. Strings are borrowed as written and compared unescaped
//! ([`JsonStr`]).
//!
//! # Writing
//!
//! A [`Writer`] lays out a file over a [`Sink`]: a slice, a `std::io::Write`, or none at all. It gives the bytes that
//! Iceberg Java gives for the same blobs and properties.
//!
//! | call | does |
//! |---|---|
//! | [`NewBlob::new`], [`NewBlob::copy_of`] | says what the footer is to say of a blob |
//! | [`Codec::encode_into`] | compresses content to caller memory |
//! | [`Writer::add`] | checks the entry, writes the stored bytes, keeps the entry in the footer buffer |
//! | [`Writer::finish`], [`Writer::finish_lz4`] | writes the footer |
//!
//! # Examples
//!
//! ```
//! use puffin_codec::puffin::PuffinFile;
//!
//! // The smallest sensible file: 32 bytes, no blobs.
//! let file = PuffinFile::parse(b"PFA1PFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1")?;
//! assert_eq!(file.metadata(&mut [])?.blob_count(), 0);
//! # Ok::<(), puffin_codec::Error>(())
//! ```

mod blob;
mod entry;
mod entry_reader;
mod field;
mod file;
mod footer;
mod framing;
mod json;
mod metadata;
#[cfg(test)]
#[expect(clippy::string_slice, reason = "a test that cuts a character may panic")]
mod tests;
mod writer;

pub use blob::{Blob, Codec};
pub use entry::{BlobMetadata, Fields};
pub use field::FieldName;
pub use file::PuffinFile;
pub use footer::FooterView;
pub use framing::{FooterLocation, Tail};
pub use json::{Chars, JsonStr};
pub use metadata::{Blobs, FileMetadata, Properties};
#[cfg(feature = "std")]
pub use writer::IoSink;
pub(crate) use writer::Staged;
pub use writer::{
    Detached, EMPTY_FOOTER_LEN, NO_PROPERTIES, NewBlob, NoProperties, Sink, SliceSink, Writer, WrittenFooter,
    properties_len,
};

/// The four bytes that start a file, start its footer and end the file: `PFA1`.
pub const MAGIC: [u8; 4] = *b"PFA1";

/// Bytes behind the footer payload: its size, the flags and the closing magic.
///
/// They are all that is needed to know where the footer starts.
pub const FOOTER_TAIL_LEN: usize = 12;

/// Type of a blob that holds a row-level deletion vector.
pub const DELETION_VECTOR_V1: &str = "deletion-vector-v1";

/// Type of a blob that holds a compact theta sketch of Apache DataSketches.
pub const THETA_V1: &str = "apache-datasketches-theta-v1";

/// Names of the properties that the specification defines.
pub mod property {
    /// Number of [`REFERENCED_DATA_FILE`], as `found` of a
    /// [`MissingProperty`](crate::ErrorKind::MissingProperty) or [`BadProperty`](crate::ErrorKind::BadProperty) has it.
    pub const REFERENCED_DATA_FILE_NUMBER: u64 = 1;
    /// Number of [`CARDINALITY`], likewise.
    pub const CARDINALITY_NUMBER: u64 = 2;

    /// Returns the property with that number, or an empty name.
    #[must_use]
    pub const fn name(number: u64) -> &'static str {
        match number {
            REFERENCED_DATA_FILE_NUMBER => REFERENCED_DATA_FILE,
            CARDINALITY_NUMBER => CARDINALITY,
            _ => "",
        }
    }

    /// Of a deletion vector, required: location of the data file whose rows it deletes.
    pub const REFERENCED_DATA_FILE: &str = "referenced-data-file";
    /// Of a deletion vector, required: how many rows it deletes, in decimal digits.
    pub const CARDINALITY: &str = "cardinality";
    /// Of a theta sketch: estimate of the number of distinct values, in decimal digits.
    pub const NDV: &str = "ndv";
    /// Of a file: the application that wrote it.
    pub const CREATED_BY: &str = "created-by";
}
