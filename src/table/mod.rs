//! Where a Puffin file's container and its contents meet: which blob is whose vector.
//!
//! ```text
//! manifest entry (delete file)              Puffin footer                       blob
//! +--------------------------+              +----------------------------+      +----------------------+
//! | referenced_data_file     | == same ==   | properties                 |      | deletion-vector-v1   |
//! |                          |              |   referenced-data-file     |      |                      |
//! | record_count             | == same ==   |   cardinality              | ==== | cardinality          |
//! | content_offset           | == same ==   | offset                     | ---> | first byte           |
//! | content_size_in_bytes    | == same ==   | length                     |      | length               |
//! +--------------------------+              | type, snapshot-id -1, …    |      +----------------------+
//!                                           +----------------------------+
//! ```
//!
//! Sources: Iceberg table specification, "Deletion Vectors" and fields 143 to 145 of "Manifests"; Puffin specification,
//! "deletion-vector-v1 blob type".
//!
//! There are three ways to a vector, from the most to the least that is checked:
//!
//! | call | needs | catches |
//! |---|---|---|
//! | [`read_bound`] | footer and manifest entry | a vector swapped for another of equal cardinality, a stale range |
//! | [`vector_of`] | footer and data file | two vectors for one data file, a wrong `cardinality` |
//! | [`read_entry`], [`read_range`] | manifest entry, no container at all | a damaged vector, a wrong `record_count` |
//!
//! A file may hold stale vectors, blobs of other types and blobs of unknown types; none of these disturbs a read.
//! [`Verify`] lists everything there is to say about a file.
//!
//! [`VectorWriter`] goes the other way: it writes a file of vectors, which it parses first, at most one for each data
//! file, and says what a manifest has to say of each.

mod bound;
mod lookup;
mod plan;
mod sort;
#[cfg(test)]
mod tests;
mod verify;
mod write;

pub use bound::{ManifestEntry, bound_blob, read_bound, read_entry, read_range};
pub use lookup::{find_range, find_vector, read_vector, vector_of};
pub use plan::{coalesce, fetch_ranges};
pub use verify::{Finding, FindingKind, Severity, Verify, verify_scratch_len};
pub use write::{VectorWriter, vector_writer_scratch_len};

/// `fields` of a vector as Iceberg Java writes it: the reserved id of the row position column.
const ROW_POSITION_FIELD_ID: i32 = 2_147_483_645;
