//! The same serialized bytes in `puffin-codec`, `roaring` and `croaring`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "../../common"]
mod common {
    pub(crate) mod builder;
    pub(crate) mod envelope;
    pub(crate) mod fixtures;
    pub(crate) mod generate;
}
#[path = "differential/agreement.rs"]
mod agreement;
#[path = "differential/bulk.rs"]
mod bulk;
#[path = "differential/conversions.rs"]
mod conversions;
#[path = "differential/differences.rs"]
mod differences;
#[path = "differential/writing.rs"]
mod writing;
