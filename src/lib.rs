//! Puffin files and deletion vectors, read straight from the serialized bytes.
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
pub mod table;

pub use error::{Error, ErrorClass, ErrorKind, Result};
pub use limits::Limits;
