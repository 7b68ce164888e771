//! The C functions of puffin-codec, and what the generated header says about them.
//!
//! `include/puffin_codec.h` is made of the doc comments in here, in the order of the modules: they are written for C
//! programmers, and that header is the manual. The library that C programs link is made by `capi`.
//!
//! ```text
//!  raw         every use of a pointer from C, and the checks before it: nothing else dereferences one
//!  status      what a call answers
//!  version     what this library is
//!  text        strings of the footer
//!  container   files and footers
//!  blobs       footer entries and their content
//!  vectors     deletion vectors: opening, and questions of one position
//!  scans       deletion vectors: questions of many rows at once
//!  bitmaps     bare 32-bit bitmaps
//!  operations  unions, intersections and differences
//!  tables      vectors as a table's metadata knows them
//!  verify      everything there is to say about a file
//!  encode      (feature `write`) making vectors
//!  writer      (feature `write`) making files
//!  footer_lens (feature `write`) how much footer buffer they take
//! ```

#![no_std]
#![allow(non_camel_case_types, reason = "names are those of the C header")]
#![allow(rustdoc::broken_intra_doc_links, reason = "comments are those of the C header, where brackets are C's")]

#[cfg(test)]
extern crate std;

mod raw;

pub mod status;
pub mod version;

pub mod text;

pub mod container;

pub mod blobs;

pub mod vectors;

pub mod scans;

pub mod bitmaps;

pub mod operations;

pub mod tables;

pub mod verify;

#[cfg(feature = "write")]
pub mod encode;
#[cfg(feature = "write")]
pub mod writer;

#[cfg(feature = "write")]
pub mod footer_lens;
