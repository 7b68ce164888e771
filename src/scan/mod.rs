//! Bulk questions: what an engine asks of a deletion vector, batch by batch.
//!
//! ```text
//!  rows of a batch        first_row ──────────────────────────────▶ first_row + rows
//!  deleted                .  .  X  X  .  .  .  X  .  .
//!
//!  fill_deleted_mask      0  0  1  1  0  0  0  1  0  0      bits, lowest first
//!  fill_live_mask         1  1  0  0  1  1  1  0  1  1
//!  fill_deleted_offsets   2 3 7                             u32, from first_row
//!  fill_live_offsets      0 1 4 5 6 8 9
//!  deleted_ranges         2..4, 7..8                        u64, positions
//!  live_ranges            0..2, 4..7, 8..10
//! ```
//!
//! All of it goes into the caller's memory, straight from the serialized containers: bitsets move word by word, runs
//! are filled, array values are scattered. A [`Cursor`] keeps its place from batch to batch. Masks are also methods of
//! [`Bitmap64`](crate::roaring::Bitmap64) and, as words, of
//! [`DeletionVector`](crate::deletion_vector::DeletionVector), which make one for a single question.
//!
//! Nothing here fails on content. Short output and windows past the last 64-bit row are errors, and then nothing is
//! written.

mod cursor;
mod mask;
mod offsets;
mod probes;
mod ranges;
mod seat;
mod walk;
mod words;

pub use cursor::Cursor;
pub use ranges::{DeletedRanges, LiveRanges};
