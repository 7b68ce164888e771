//! What a call through C costs: the same questions, asked in Rust and by the C functions, taking turns.

use std::fmt::Write;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec_ffi::scans::{puffin_cursor, puffin_cursor_live_mask, puffin_dv_cursor};
use puffin_codec_ffi::status::puffin_status;
use puffin_codec_ffi::vectors::{puffin_dv, puffin_dv_contains, puffin_dv_parse};

use crate::data::{Set, Vector, windows};
use crate::harness::now;
use crate::masks::BATCH;

/// What a `contains` through C may cost more, in nanoseconds, and a batch's mask, as a part.
const OWED: (f64, f64) = (3.0, 0.02);

/// Times both ways of asking, one after the other, and returns the medians in nanoseconds a unit and of their
/// difference.
fn pair(rounds: usize, units: usize, mut rust: impl FnMut() -> u64, mut c: impl FnMut() -> u64) -> [f64; 3] {
    assert_eq!(rust(), c(), "Rust and C answer alike");
    let timed = |op: &mut dyn FnMut() -> u64| {
        let start = now(cfg!(unix));
        black_box(op());
        (now(cfg!(unix)) - start).as_nanos() as f64 / units as f64
    };
    let mut samples: Vec<[f64; 3]> = (0..rounds)
        .map(|_| {
            let (rust, c) = (timed(&mut rust), timed(&mut c));
            [rust, c, c - rust]
        })
        .collect();
    [0, 1, 2].map(|column| {
        samples.sort_by(|a, b| a[column].total_cmp(&b[column]));
        samples[rounds / 2][column]
    })
}

/// Opens a vector through C.
fn open(vector: &Vector) -> puffin_dv {
    let mut dv = MaybeUninit::uninit();
    // SAFETY: the blob outlives the set's measuring, and there is room for the vector.
    let status = unsafe { puffin_dv_parse(vector.blob().as_ptr(), vector.blob().len(), dv.as_mut_ptr(), null_mut()) };
    assert_eq!(status, puffin_status::Ok);
    // SAFETY: it has been made.
    unsafe { dv.assume_init() }
}

fn contains(vector: &Vector, rounds: usize) -> [f64; 3] {
    let parsed = DeletionVector::parse(vector.blob()).expect("the set is valid");
    let dv = open(vector);
    // The vector may be another one each time, on both sides: in Rust, nothing of it is kept in registers.
    let rust = || vector.probes.iter().map(|probe| u64::from(black_box(&parsed).contains(*probe))).sum();
    let c = || {
        let ask = |probe: &u64| {
            let mut there = false;
            // SAFETY: the vector has been made, and there is room for the answer.
            let _ = unsafe { puffin_dv_contains(black_box(&dv), *probe, &raw mut there, null_mut()) };
            u64::from(there)
        };
        vector.probes.iter().map(ask).sum()
    };
    pair(rounds, vector.probes.len(), rust, c)
}

/// Live masks of windows of `step` rows, front to back.
fn masks(vector: &Vector, step: u64, rounds: usize) -> [f64; 3] {
    let parsed = DeletionVector::parse(vector.blob()).expect("the set is valid");
    let dv = open(vector);
    let len = usize::try_from(step / 64).expect("a window is short");
    let digest = |sum: u64, words: &[u64]| sum.rotate_left(1) ^ black_box(words)[(sum & 31) as usize];
    let (mut ours, mut theirs) = (vec![0; len], vec![0; len]);
    let rust = || {
        let (mut cursor, mut sum) = (black_box(&parsed).cursor(), 0);
        for window in windows(vector.rows, step) {
            let rows = (window.end - window.start) as usize;
            black_box(&mut cursor).fill_live_mask(window.start, rows, &mut ours).expect("there is room");
            sum = digest(sum, &ours);
        }
        sum
    };
    let c = || {
        let mut cursor = MaybeUninit::<puffin_cursor>::uninit();
        // SAFETY: the vector has been made, and there is room for the cursor.
        let _ = unsafe { puffin_dv_cursor(black_box(&dv), cursor.as_mut_ptr(), null_mut()) };
        let mut sum = 0;
        for window in windows(vector.rows, step) {
            let (rows, to) = ((window.end - window.start) as usize, theirs.as_mut_ptr());
            // SAFETY: the cursor has been made, and there is room for the words.
            let _ = unsafe { puffin_cursor_live_mask(cursor.as_mut_ptr(), window.start, rows, to, len, null_mut()) };
            sum = digest(sum, &theirs);
        }
        sum
    };
    let count = windows(vector.rows, step).count();
    pair(passes(count, rounds), count, rust, c)
}

/// Enough passes for a vector that takes a microsecond, few for one that takes a millisecond.
fn passes(units: usize, rounds: usize) -> usize {
    (2_000_000 / units.max(1)).clamp(rounds, 2001) | 1
}

/// Measures the first vector of each set, and returns a table of what C costs more.
#[must_use]
pub fn table(sets: &[Set], rounds: usize) -> String {
    let mut out = format!(
        "what a call through C costs, ns (owed: contains {} ns more, masks {} % more)\n  {:<14}",
        OWED.0,
        OWED.1 * 100.0,
        "set",
    );
    for question in ["contains", "mask of 2,048 rows", "mask of 65,536 rows"] {
        let _ = write!(out, "{question:>22}: Rust        C    more      ");
    }
    for set in sets {
        let Some(vector) = set.vectors.first() else { continue };
        let contains = contains(vector, passes(vector.probes.len(), rounds));
        let _ = write!(out, "\n  {:<14}", set.name);
        cell(&mut out, contains, contains[2] <= OWED.0, "ns");
        for step in [BATCH, 1 << 16] {
            let [rust, c, more] = masks(vector, step, rounds);
            cell(&mut out, [rust, c, more / rust * 100.0], more <= rust * OWED.1, "%");
        }
    }
    out.push('\n');
    out
}

fn cell(out: &mut String, [rust, c, more]: [f64; 3], good: bool, unit: &str) {
    let _ = write!(out, "{rust:>28.1} {c:>8.1} {more:>7.1} {unit:<2} {}", if good { "ok   " } else { "SHORT" });
}
