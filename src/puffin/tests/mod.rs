//! Tests of the container, on files built part by part.

mod blobs;
mod entries;
mod framing;
mod properties;
mod remote;
mod text;

use std::{format, string::String, vec::Vec};

use super::{FileMetadata, PuffinFile};
use crate::{
    checksum::xxh32,
    error::{Error, ErrorKind},
};

const NOT_COMPRESSED: u32 = 0;
const COMPRESSED: u32 = 1;

/// Lays out a file: head magic, blobs, footer.
fn file_with(blobs: &[u8], payload: &[u8], flags: u32) -> Vec<u8> {
    let size = u32::try_from(payload.len()).unwrap();
    [b"PFA1", blobs, b"PFA1", payload, &size.to_le_bytes(), &flags.to_le_bytes(), b"PFA1"].concat()
}

fn file(blobs: &[u8], json: &str) -> Vec<u8> {
    file_with(blobs, json.as_bytes(), NOT_COMPRESSED)
}

/// Wraps bytes in an LZ4 frame with content size and one block that is stored, not compressed.
fn lz4_stored(content: &[u8]) -> Vec<u8> {
    let size = content.len() as u64;
    let descriptor = [&[0x68, 0x40][..], &size.to_le_bytes()].concat();
    let check = xxh32(&descriptor).to_le_bytes()[1];
    let block = (u32::try_from(content.len()).unwrap() | 1 << 31).to_le_bytes();
    let block = if content.is_empty() { Vec::new() } else { [&block[..], content].concat() };
    [&0x184d_2204_u32.to_le_bytes()[..], &descriptor, &[check], &block, &[0; 4]].concat()
}

/// Where the text of `file(blobs, …)` starts.
fn text_offset(blobs: &[u8]) -> u64 {
    blobs.len() as u64 + 8
}

/// A well-formed entry, whose members a test replaces or leaves out.
struct Entry(Vec<(&'static str, String)>);

impl Entry {
    fn new(offset: u64, length: u64) -> Self {
        Self(
            [
                ("type", "\"t\""),
                ("fields", "[1]"),
                ("snapshot-id", "2"),
                ("sequence-number", "3"),
                ("offset", &format!("{offset}")),
                ("length", &format!("{length}")),
            ]
            .map(|(name, value)| (name, value.into()))
            .into(),
        )
    }

    /// Replaces a member, or adds it at the end.
    fn with(mut self, name: &'static str, value: &str) -> Self {
        match self.0.iter_mut().find(|member| member.0 == name) {
            Some(member) => member.1 = value.into(),
            None => self.0.push((name, value.into())),
        }
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.0.retain(|member| member.0 != name);
        self
    }

    fn json(&self) -> String {
        let members: Vec<_> = self.0.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    }
}

fn footer_json(entries: &[String]) -> String {
    format!("{{\"blobs\":[{}]}}", entries.join(","))
}

/// Reads the metadata of a file with that text and no blobs; an error's offset counts from the start of the text.
fn metadata_error(json: &[u8]) -> Option<Error> {
    let bytes = file_with(b"", json, NOT_COMPRESSED);
    let error = PuffinFile::parse(&bytes).unwrap().metadata(&mut []).err()?;
    Some(Error::at(error.kind(), error.offset() - text_offset(b""), error.found()))
}

fn error(kind: ErrorKind, offset: u64, found: u64) -> Error {
    Error::at(kind, offset, found)
}

fn with_metadata<T>(json: &str, then: impl FnOnce(FileMetadata<'_>) -> T) -> T {
    let bytes = file(b"", json);
    then(PuffinFile::parse(&bytes).unwrap().metadata(&mut []).unwrap())
}
