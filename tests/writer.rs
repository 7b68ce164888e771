//! Writing: files of other writers made again byte for byte, and footers that another reader of JSON understands.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    #[allow(dead_code, reason = "no part of a bitmap is damaged here")]
    pub(crate) mod builder;
    #[allow(dead_code, reason = "whole files are compared")]
    pub(crate) mod digest;
    pub(crate) mod envelope;
    #[allow(dead_code, reason = "bitmaps of 64 bits are enough here")]
    pub(crate) mod generate;
    #[allow(dead_code, reason = "tests/corpus.rs checks the files against the index")]
    pub(crate) mod table;
}
#[path = "writer/golden.rs"]
mod golden;
#[path = "writer/meaning.rs"]
mod meaning;
#[path = "writer/vectors.rs"]
mod vectors;
