//! Serialized Roaring bitmaps, read where they lie.
//!
//! ```text
//! Bitmap64                              Bitmap32 (portable format)
//! +-----------------+                   +--------------------------------------------------+
//! | u64 LE count    |                   | cookie   12346, then u32 n                       |
//! +-----------------+                   |       or 12347 | (n-1) << 16, then ceil(n/8)     |
//! | u32 LE key      |  \                |          bytes of run flags                      |
//! +-----------------+   | count         +--------------------------------------------------+
//! | Bitmap32        |   | buckets       | descriptive header   n × (u16 key, u16 card - 1) |
//! +-----------------+  /                +--------------------------------------------------+
//! | …               |                   | offset header        n × u32, absent when cookie |
//! +-----------------+                   |                      is 12347 and n < 4          |
//!                                       +--------------------------------------------------+
//!                                       | containers, one after the other, without padding |
//!                                       +--------------------------------------------------+
//! ```
//!
//! A container holds the low 16 bits of up to 65,536 values. Its form follows from the headers alone: a run flag
//! makes it a [run container](RunContainer) (`u16` count, then `(start, length - 1)` pairs); otherwise up to 4,096
//! values are an [array](ArrayContainer) of `u16`, and more are a [bitset](BitsetContainer) of 8,192 bytes.
//! Everything is little-endian and nothing is aligned.
//!
//! Sources: RoaringFormatSpec, "General layout", "Cookie header" to "Container storage", and "Extension for 64-bit
//! implementations".
//!
//! # What is validated, and when
//!
//! [`Bitmap32::parse`] and [`Bitmap64::parse`] check everything in one linear pass: cookies, counts, key order at both
//! levels, the offset header against the running layout, array order, run order and overflow, popcounts and run sums
//! against the declared cardinalities, and that no byte is left over. Every later call relies on that and cannot fail.
//! `parse_trusted` looks at the first header only; then answers are those of the bytes, right or wrong, while every
//! call stays within its bounds of work and memory.
//!
//! What the format allows and few writers do is accepted: adjacent runs, runs where an array would be smaller, the run
//! cookie without a run, empty buckets, spare run-flag bits. `COMPATIBILITY.md` lists each with its test.

mod array;
mod bitmap32;
mod bitmap64;
mod bitset;
pub(crate) mod combine;
mod compare;
mod container;
mod containers64;
mod header;
mod indexed;
mod iter;
mod iter_rev;
mod lows;
mod merge;
mod operations;
mod places;
mod run;
pub(crate) mod shape;
#[cfg(test)]
mod tests;
mod writer;

pub use array::ArrayContainer;
pub use bitmap32::{Bitmap32, Containers};
pub(crate) use bitmap64::Records;
pub use bitmap64::{Bitmap64, Buckets};
pub use bitset::BitsetContainer;
pub use container::{Container, ContainerKind};
pub(crate) use containers64::Containers64;
pub use indexed::IndexedBitmap64;
pub use iter::{Positions32, Positions64};
pub use iter_rev::{Positions32Rev, Positions64Rev};
pub(crate) use operations::Operation;
pub use operations::{OperationPositions, OperationRanges, SetOperation};
pub(crate) use places::{FEW, ROOM, find, spread_32};
pub use run::RunContainer;
pub(crate) use run::bounds;
pub(crate) use writer::{BitmapWriter, Measured};

use core::ops::{Bound, RangeBounds};

/// Most values of an array container; one more makes a bitset.
pub const MAX_ARRAY_CARDINALITY: u32 = 4096;

/// Size in bytes of a bitset container.
pub const BITSET_LEN: usize = 8192;

/// Turns any range into inclusive bounds, or `None` if it is empty. `max` is the largest value there is.
pub(crate) fn inclusive(start: Bound<u64>, end: Bound<u64>, max: u64) -> Option<(u64, u64)> {
    let first = match start {
        Bound::Included(value) => value,
        Bound::Excluded(value) => value.checked_add(1)?,
        Bound::Unbounded => 0,
    };
    let last = match end {
        Bound::Included(value) => value,
        Bound::Excluded(value) => value.checked_sub(1)?,
        Bound::Unbounded => max,
    };
    (first <= last).then_some((first, last))
}

/// [`inclusive`] for a range of 64-bit positions.
pub(crate) fn inclusive_u64(range: &impl RangeBounds<u64>) -> Option<(u64, u64)> {
    inclusive(range.start_bound().cloned(), range.end_bound().cloned(), u64::MAX)
}

/// Low 16 bits of a value: its place inside a container.
pub(crate) const fn low16(value: u32) -> u16 {
    (value & 0xFFFF) as u16
}

/// High 16 bits of a value: the key of its container.
pub(crate) const fn high16(value: u32) -> u16 {
    low16(value >> 16)
}

/// Low 32 bits of a position: its place inside a bucket.
pub(crate) const fn low32(position: u64) -> u32 {
    (position & 0xFFFF_FFFF) as u32
}

/// High 32 bits of a position: the key of its bucket.
pub(crate) const fn high32(position: u64) -> u32 {
    low32(position >> 32)
}

/// Joins a container's key and a place inside the container.
pub(crate) const fn join16(key: u16, low: u16) -> u32 {
    ((key as u32) << 16) | low as u32
}

/// Joins a bucket's key and a place inside the bucket.
pub(crate) const fn join32(key: u32, low: u32) -> u64 {
    ((key as u64) << 32) | low as u64
}
