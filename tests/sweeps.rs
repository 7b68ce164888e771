//! Every committed file cut at every length and changed at every byte, put to every entry point: an answer or an
//! error each time, never a panic; and where a CRC covers the byte, always an error.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    pub(crate) mod fixtures;
    pub(crate) mod set;
    pub(crate) mod walk;
}

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use puffin_codec::compression::zstd;
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::{DELETION_VECTOR_V1, PuffinFile};
use puffin_codec::table;

use common::fixtures::fixtures;
use common::walk::{Memory, Seen, everything};

/// Files up to this size are cut and changed everywhere; larger ones here and there, and at their ends, where headers
/// and footers stand.
const WHOLE: usize = 4096;

/// The places of a file to cut or change.
fn places(len: usize) -> impl Iterator<Item = usize> {
    let (step, end) = match len {
        0..=WHOLE => (1, 0),
        _ if len <= 0x1_0000 => (len / 40, 40),
        _ => (len / 12, 12),
    };
    (0..len).filter(move |&at| at % step == 0 || at < end || at + end >= len)
}

/// Other values for a byte: the ends of its range, its neighbours, and unless the file is large each bit flipped.
fn changes(byte: u8, len: usize) -> impl Iterator<Item = u8> {
    let flips = (0..if len <= WHOLE { 8 } else { 0 }).map(move |bit| byte ^ (1 << bit));
    flips.chain([0, 0xFF, byte.wrapping_add(1), byte.wrapping_sub(1)]).filter(move |&other| other != byte)
}

/// Runs a check over every fixture on all processors, and reports each panic with the file it came from.
fn over_fixtures(check: impl Fn(&[u8], &mut Memory) + Sync) {
    let (fixtures, next, failures) = (fixtures(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        let mut memory = Memory::default();
        while let Some((name, bytes)) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
            if catch_unwind(AssertUnwindSafe(|| check(bytes, &mut memory))).is_err() {
                failures.lock().unwrap().push(name.clone());
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "panics over {failures:?}");
}

/// Puts bytes to every entry point, zstd included.
fn put(bytes: &[u8], memory: &mut Memory) {
    everything(bytes, memory, &mut Seen::default());
    if let Ok(len) = zstd::decoded_len(bytes, &memory.limits)
        && let Some(out) = memory.out.get_mut(..len)
    {
        let decoded = zstd::decode_into(bytes, out, &memory.limits);
        assert!(decoded.is_err() || decoded.is_ok_and(|decoded| decoded.len() == len));
    }
}

#[test]
fn cut_anywhere() {
    over_fixtures(|bytes, memory| {
        places(bytes.len()).for_each(|len| put(&bytes[..len], memory));
        places(bytes.len()).for_each(|start| put(&bytes[start..], memory));
    });
}

#[test]
fn changed_anywhere() {
    over_fixtures(|bytes, memory| {
        let mut changed = bytes.to_vec();
        for at in places(bytes.len()) {
            for value in changes(bytes[at], bytes.len()) {
                changed[at] = value;
                put(&changed, memory);
            }
            changed[at] = bytes[at];
        }
    });
}

/// The vectors of the fixtures: bare ones, and those in containers with where they start.
fn vectors(bytes: &[u8], memory: &mut Memory) -> Vec<(usize, usize)> {
    if DeletionVector::parse(bytes).is_ok() {
        return vec![(0, bytes.len())];
    }
    let Ok(file) = PuffinFile::parse(bytes) else { return Vec::new() };
    let Ok(metadata) = file.metadata_with(&mut memory.footer, &memory.limits) else { return Vec::new() };
    let vectors = metadata.blobs().flatten().filter(|blob| blob.blob_type() == DELETION_VECTOR_V1);
    let readable = vectors.filter(|blob| table::read_vector(&file, blob).is_ok());
    readable.map(|blob| (usize::try_from(blob.offset()).unwrap(), usize::try_from(blob.length()).unwrap())).collect()
}

#[test]
fn a_vector_with_any_byte_changed_is_refused() {
    let found = AtomicUsize::new(0);
    over_fixtures(|bytes, memory| {
        for (start, len) in vectors(bytes, memory) {
            found.fetch_add(1, Ordering::Relaxed);
            let mut changed = bytes.to_vec();
            let (offset, size) = (i64::try_from(start).unwrap(), i64::try_from(len).unwrap());
            assert!(table::read_range(&changed, offset, size, None).is_ok());
            for at in places(len).map(|at| start + at) {
                for value in changes(bytes[at], bytes.len()) {
                    changed[at] = value;
                    assert!(table::read_range(&changed, offset, size, None).is_err(), "byte {at} := {value}");
                }
                changed[at] = bytes[at];
            }
            for cut in places(len) {
                assert!(DeletionVector::parse(&bytes[start..start + cut]).is_err(), "cut at {cut}");
            }
        }
    });
    assert!(found.into_inner() > 100);
}
