//! Puffin files and deletion vectors, read, merged and written straight on the serialized bytes.
//!
//! Engines that read Iceberg v3, Delta Lake, Paimon or Hudi tables apply *deletion vectors* on their hot path: sets of
//! row positions, serialized as Roaring bitmaps, often inside Puffin files. This crate answers questions about them
//! where they lie: without copying, without building a bitmap on the heap, and without trusting a byte.
//!
//! ```text
//!  bytes of a file                               bytes of a manifest's range
//!        │                                                  │
//!  ┌─────▼──────────────┐   ┌──────────────────┐            │
//!  │ puffin::PuffinFile │──▶│ FileMetadata     │            │
//!  │ puffin::FooterView │   │ BlobMetadata     │            │
//!  └────────────────────┘   └───────┬──────────┘            │
//!                                   │ offset, length        │
//!                     table::       ▼                       ▼
//!                     read_bound, vector_of        table::read_range
//!                                   └──────────┬────────────┘
//!                              ┌───────────────▼────────────────┐
//!                              │ deletion_vector::DeletionVector│
//!                              └───────────────┬────────────────┘
//!                              ┌───────────────▼────────────────┐
//!                              │ roaring::Bitmap64 ▶ Bitmap32   │  contains, rank, select,
//!                              │                   ▶ Container  │  count, iterate
//!                              └───────────────┬────────────────┘
//!                              ┌───────────────▼────────────────┐
//!                              │ scan::Cursor                   │  masks, selections, ranges
//!                              └────────────────────────────────┘
//!
//!  positions, ranges, vectors, parts of vectors: deletion_vector::Source
//!        │
//!  ┌─────▼───────────────────┐
//!  │ deletion_vector::Encoder│  one union, canonical bytes
//!  └─────┬───────────────────┘
//!        │ bytes of a vector    stored bytes of any blob, puffin::Codec::encode_into
//!        │                                      │
//!  ┌─────▼───────────────┐   ┌──────────────────▼──────────────────┐
//!  │ table::VectorWriter │──▶│ puffin::Writer over a puffin::Sink  │──▶ bytes of a file
//!  └─────────────────────┘   └─────────────────────────────────────┘
//! ```
//!
//! # Examples
//!
//! ```
//! use puffin_codec::{puffin::PuffinFile, table};
//!
//! # fn main() -> puffin_codec::Result<()> {
//! # let bytes = b"PFA1PFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1".as_slice();
//! let file = PuffinFile::parse(bytes)?;
//! let metadata = file.metadata(&mut [])?; // scratch is for compressed footers only
//! if let Some(vector) = table::vector_of(&file, &metadata, "s3://bucket/table/data/part-00000.parquet")? {
//!     println!("{} rows deleted, row 17 {}", vector.cardinality(), vector.contains(17));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The other way, into memory of the caller's:
//!
//! ```
//! use puffin_codec::puffin::SliceSink;
//! use puffin_codec::table::{VectorWriter, vector_writer_scratch_len};
//!
//! # fn main() -> puffin_codec::Result<()> {
//! # let vector = [0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C];
//! let (mut file, mut footer, mut scratch) = ([0; 600], [0; 400], [0; vector_writer_scratch_len(1)]);
//! let mut writer = VectorWriter::new(SliceSink::new(&mut file), &mut footer, &mut scratch)?;
//! let entry = writer.add("s3://bucket/table/data/part-00000.parquet", &vector)?;
//! writer.finish([("created-by", "me")])?;
//! println!("{} rows deleted, {} bytes at {}", entry.record_count, entry.content_size_in_bytes, entry.content_offset);
//! # Ok(())
//! # }
//! ```
//!
//! # Bytes in, values out
//!
//! Nothing here opens a file or allocates memory. A remote reader asks [`puffin::FooterLocation::from_tail`] which
//! bytes to fetch next; output goes to the caller's memory; and a value that exists is valid: after a `parse`, every
//! getter, query and iterator is infallible and bounded.
//!
//! # The validation ladder
//!
//! | call | checks | cost |
//! |---|---|---|
//! | [`puffin::FooterLocation::from_tail`] | closing magic, flags, payload size sign and range | O(1) |
//! | [`puffin::PuffinFile::parse`] | three magics, footer range | O(1) |
//! | [`puffin::PuffinFile::metadata`] | JSON well-formed (depth-bounded, no recursion), names unique, `blobs` and `properties` | O(footer) |
//! | [`puffin::FileMetadata::blobs`], each entry | required fields, exact integers, range inside `[4, footer start]` | O(entry) |
//! | [`deletion_vector::DeletionVector::parse`] | envelope length, magic, CRC, the bitmap, then the declared cardinality when given; a wrong CRC is the answer whatever the bitmap holds | O(bytes) |
//! | [`roaring::Bitmap32::parse`], [`roaring::Bitmap64::parse`] | cookie, counts, key order, offset header equal to the running layout, array order, run order and overflow, bitset popcount, declared cardinalities | O(bytes) |
//! | `parse_trusted` of each | lengths and the first header only: no CRC, no pass over containers or content | O(1) |
//! | queries and iteration | nothing | as documented |
//!
//! Writing has its own: [`puffin::Writer::add`] checks what a footer entry says, [`table::VectorWriter::add`] also
//! parses the vector and sees that its data file has no other.
//!
//! `parse_trusted` gives the same type; the caller vouches for the content. If the bytes lie, answers are unspecified,
//! yet every method stays bounded and free of panics.
//!
//! # Features
//!
//! | feature | brings | default |
//! |---|---|---|
//! | none | everything but the rows below: no `std`, no allocator | |
//! | `alloc` | encoding into a `Vec`, positions in any order | by `std` |
//! | `std` | `alloc`, `simd`, writing to a `std::io::Write`, and run-time detection: hot loops compiled a second time for AVX2 | yes |
//! | `simd` | an accelerated CRC-32 | by `std` |
//! | `zstd` | decoding and encoding zstd blobs (allocates) | no |
//! | `roaring` | conversion to and from `RoaringTreemap` of the `roaring` crate | no |
//!
//! Features only add; none weakens a check or changes an answer.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod bytes;
mod checksum;
pub mod compression;
pub mod deletion_vector;
mod error;
mod limits;
pub mod puffin;
pub mod roaring;
pub mod scan;
pub mod table;
mod wide;

pub use error::{Error, ErrorClass, ErrorKind, Result};
pub use limits::Limits;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
