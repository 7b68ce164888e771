//! What a file is, by its bytes, where nobody said.
//!
//! This is for messages only: a command never reads a file as something it was not told to read it as, because formats
//! here differ by a few bytes and some inputs are legal in two of them.

use std::fmt;

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::MAGIC;
use puffin_codec::roaring::{Bitmap32, Bitmap64};

/// What a file seems to be, and how to read it if it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recognized {
    what: &'static str,
    hint: Option<&'static str>,
}

const fn seems(what: &'static str) -> Recognized {
    Recognized { what, hint: None }
}

const fn readable(what: &'static str, hint: &'static str) -> Recognized {
    Recognized { what, hint: Some(hint) }
}

impl fmt::Display for Recognized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a Puffin file: {}", self.what)?;
        self.hint.map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}

/// How much of a file is looked at to tell text.
const SAMPLE: usize = 4096;

/// Tells whether the file carries Puffin's magic at either end, or ends within it: damaged or not, it means to be one.
pub(crate) fn is_puffin(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.ends_with(&MAGIC) || (!bytes.is_empty() && MAGIC.starts_with(bytes))
}

/// Says what a file that is not Puffin seems to be.
pub(crate) fn recognize(bytes: &[u8]) -> Recognized {
    if bytes.is_empty() {
        return seems("the file is empty");
    }
    framed(bytes).or_else(|| by_magic(bytes)).or_else(|| by_content(bytes)).unwrap_or(seems("unknown content"))
}

/// Deletion vectors in an envelope of their own.
fn framed(bytes: &[u8]) -> Option<Recognized> {
    const DV: Recognized = readable("a bare deletion vector", "read it with --as dv");
    if DeletionVector::parse(bytes).is_ok() {
        return Some(DV);
    }
    match bytes {
        [1] => Some(seems("a Paimon deletion vector index without vectors, or a single byte 1")),
        [1, _, _, _, _, 0xD1, 0xD3, 0x39, 0x64, ..] => Some(readable(
            "a Delta Lake deletion vector file, or a Paimon index file",
            "a single vector can be read with --offset and --length, which is 8 more than Delta's sizeInBytes",
        )),
        [1, _, _, _, _, 0xD0, 0xD3, 0x39, 0x64, ..] => {
            Some(seems("a Delta Lake deletion vector file in the native format"))
        }
        [1, _, _, _, _, 0x5E, 0x43, 0xF2, 0xD0, ..] => Some(seems("a Paimon deletion vector index file, version 1")),
        [_, _, _, _, 0xD1, 0xD3, 0x39, 0x64, ..] => {
            Some(readable("a damaged bare deletion vector, or several of them", "--as dv says what is wrong"))
        }
        [_, _, _, _, 0x5E, 0x43, 0xF2, 0xD0, ..] => {
            Some(seems("a deletion vector of Paimon, version 1, cut from its file"))
        }
        [0xD1, 0xD3, 0x39, 0x64, ..] | [0xD0, 0xD3, 0x39, 0x64, ..] => {
            Some(seems("a deletion vector without its envelope, as Delta Lake stores it inline"))
        }
        _ => None,
    }
}

/// Formats that start with a magic number.
fn by_magic(bytes: &[u8]) -> Option<Recognized> {
    Some(match bytes {
        [b'A', b'G', b'S', b'1', ..] => readable(
            "an AES-GCM-encrypted stream (AGS1)",
            "decrypt it first: offsets in manifests are of the plain file",
        ),
        [b'P', b'A', b'R', b'1', ..] => seems("a Parquet file"),
        [b'P', b'A', b'R', b'E', ..] => seems("an encrypted Parquet file"),
        [b'O', b'b', b'j', 1, ..] => seems("an Avro file"),
        [b'O', b'R', b'C', ..] => seems("an ORC file"),
        [b'P', b'U', b'F', b'1', ..] => seems("a file of an early Velox writer, whose magic PUF1 is wrong"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => seems("an Arrow IPC file"),
        [0x1F, 0x8B, ..] => readable("a gzip file", "gunzip it first"),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => readable("a Zstandard frame", "decompress it first"),
        [0x04, 0x22, 0x4D, 0x18, ..] => readable("an LZ4 frame", "decompress it first"),
        [0x02, 0x21, 0x4C, 0x18, ..] => readable("an LZ4 frame of the legacy format", "decompress it first"),
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => seems("a skippable frame of LZ4 or Zstandard"),
        [b'P', b'K', 3, 4, ..] => seems("a zip file"),
        [0xEF, 0xBF, 0xBD, ..] => seems("a file that was damaged by being treated as text"),
        _ => return None,
    })
}

/// Formats that only a look at the whole can tell.
fn by_content(bytes: &[u8]) -> Option<Recognized> {
    // The 64-bit form comes first: its bucket count may have the value of a 32-bit cookie.
    if Bitmap64::parse(bytes).is_ok() {
        return Some(readable("a 64-bit Roaring bitmap", "read it with --as roaring64"));
    }
    if Bitmap32::parse(bytes).is_ok() {
        return Some(readable("a 32-bit Roaring bitmap", "read it with --as roaring32"));
    }
    if is_legacy64(bytes) {
        return Some(readable(
            "a 64-bit Roaring bitmap in Java's legacy form",
            "its own library has to write it in the portable form first",
        ));
    }
    if let [pre_longs, 1..=4, 3, ..] = bytes
        && matches!(pre_longs & 0x3F, 1..=3)
        && bytes.len() >= 8
    {
        return Some(seems("a compact theta sketch"));
    }
    if is_json(bytes) {
        return Some(seems("JSON text"));
    }
    if is_base64_of_count(bytes) {
        return Some(seems("Base64 text, as Hudi writes record positions"));
    }
    let text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    sample(bytes).iter().all(text).then_some(seems("a text file"))
}

fn sample(bytes: &[u8]) -> &[u8] {
    bytes.get(..SAMPLE).unwrap_or(bytes)
}

/// Tells whether this is what `Roaring64NavigableMap` of Java writes unless told otherwise: a byte for signed keys, a
/// big-endian i32 count, and for each bucket a big-endian i32 key and a 32-bit bitmap.
fn is_legacy64(bytes: &[u8]) -> bool {
    let [0 | 1, count @ ..] = bytes else { return false };
    let Some((count, mut rest)) = count.split_first_chunk() else { return false };
    // Each bucket has bytes of its own, so that their number, not the count, bounds the work.
    for _ in 0..u32::from_be_bytes(*count) {
        let bucket = rest.get(4..).and_then(|bucket| {
            let (_, len) = Bitmap32::parse_prefix(bucket).ok()?;
            bucket.get(len..)
        });
        let Some(after) = bucket else { return false };
        rest = after;
    }
    rest.is_empty()
}

/// Tells whether the text is Base64 of a little-endian u64 below 256 and more, as of a 64-bit bitmap with few buckets.
fn is_base64_of_count(bytes: &[u8]) -> bool {
    let [_, b'A' | b'Q' | b'g' | b'w', zeros @ ..] = bytes else { return false };
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r' | b'\n');
    zeros.starts_with(b"AAAAAAAA") && sample(bytes).iter().all(letter)
}

/// Tells whether the text starts as a JSON object or array does; a table of TOML, say, does not.
fn is_json(bytes: &[u8]) -> bool {
    let mut significant = sample(bytes).iter().filter(|byte| !byte.is_ascii_whitespace());
    matches!(
        (significant.next(), significant.next()),
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b'[' | b'"' | b']' | b'-' | b'0'..=b'9'))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        for (bytes, what) in [
            (&b""[..], "empty"),
            (b"\0\0\0\x0C\xD1\xD3\x39\x64\0\0\0\0\0\0\0\0\xBF\x18\x48\x0C", "bare deletion vector"),
            (b"\0\0\0\x0C\xD1\xD3\x39\x64\0\0\0\0\0\0\0\0\xBF\x18\x48\x0D", "damaged bare"),
            (b"\x01\0\0\0\x24\xD1\xD3\x39\x64", "Delta Lake"),
            (b"\x01\0\0\0\x24\xD0\xD3\x39\x64", "native"),
            (b"\x01\0\0\0\x18\x5E\x43\xF2\xD0", "Paimon"),
            (b"\x01", "Paimon"),
            (b"AGS1....", "AES-GCM"),
            (b"PAR1", "Parquet"),
            (b"Obj\x01", "Avro"),
            (b"ORC", "ORC"),
            (b"\x1F\x8B\x08", "gzip"),
            (b"\x28\xB5\x2F\xFD", "Zstandard"),
            (b"\x04\x22\x4D\x18", "an LZ4 frame ("),
            (b"\x02\x21\x4C\x18", "legacy format"),
            (b"\x50\x2A\x4D\x18\0\0\0\0", "skippable"),
            (b"ARROW1\0\0", "Arrow"),
            (b"\xD1\xD3\x39\x64\0\0\0\0\0\0\0\0", "without its envelope"),
            (b"\0\0\0\x18\x5E\x43\xF2\xD0\0", "cut from its file"),
            (b"PARE", "encrypted Parquet"),
            (b"PUF1", "Velox"),
            (b"PK\x03\x04", "zip"),
            (b"\xEF\xBF\xBD", "treated as text"),
            (b"\x3A\x30\0\0\0\0\0\0", "32-bit Roaring"),
            (b"\0\0\0\0\0\0\0\0", "64-bit Roaring"),
            (b"\0\0\0\0\0", "legacy form"),
            (b"\x01\0\0\0\x01\0\0\0\x07\x3A\x30\0\0\x01\0\0\0\x05\0\0\0\x10\0\0\0\x09\0", "legacy form"),
            (b"\x01\0\0\0\x02\0\0\0\x07\x3A\x30\0\0\0\0\0\0", "unknown"),
            (b"AQAAAAAAAAAAAAAAOjAAAAEAAAAAAAAAEAAAAAUA", "Hudi"),
            (b"\x01\x03\x03\0\0\x1E\0\0", "theta"),
            (b" {\"a\":1}", "JSON"),
            (b"[package]\nname", "text file"),
            (b"1\n2\n3\n", "text file"),
            (b"\x00\x01\x02", "unknown"),
        ] {
            let shown = recognize(bytes).to_string();
            assert!(shown.contains(what), "{shown}: {what}");
        }
        assert!([&b"PFA1..."[..], b"...PFA1", b"P", b"PFA"].into_iter().all(is_puffin));
        assert!(![&b""[..], b"PFA2", b"FA1"].into_iter().any(is_puffin));
    }
}
