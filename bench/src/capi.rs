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
use crate::masks::{BATCH, WORDS};

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
    let rust = || {
        let parsed = black_box(&parsed);
        vector.probes.iter().map(|probe| u64::from(parsed.contains(*probe))).sum()
    };
    let c = || {
        let dv = black_box(&dv);
        let ask = |probe: &u64| {
            let mut there = false;
            // SAFETY: the vector has been made, and there is room for the answer.
            let _ = unsafe { puffin_dv_contains(dv, *probe, &raw mut there, null_mut()) };
            u64::from(there)
        };
        vector.probes.iter().map(ask).sum()
    };
    pair(rounds, vector.probes.len(), rust, c)
}

fn masks(vector: &Vector, rounds: usize) -> [f64; 3] {
    let parsed = DeletionVector::parse(vector.blob()).expect("the set is valid");
    let dv = open(vector);
    let batches = windows(vector.rows, BATCH).count();
    let digest = |sum: u64, words: &[u64; WORDS]| sum.rotate_left(1) ^ black_box(words)[(sum & 31) as usize];
    let rust = || {
        let mut cursor = black_box(&parsed).cursor();
        let (mut words, mut sum) = ([0; WORDS], 0);
        for batch in windows(vector.rows, BATCH) {
            let rows = (batch.end - batch.start) as usize;
            cursor.fill_live_mask(batch.start, rows, &mut words).expect("there is room");
            sum = digest(sum, &words);
        }
        sum
    };
    let c = || {
        let mut cursor = MaybeUninit::<puffin_cursor>::uninit();
        // SAFETY: the vector has been made, and there is room for the cursor.
        let _ = unsafe { puffin_dv_cursor(black_box(&dv), cursor.as_mut_ptr(), null_mut()) };
        let (mut words, mut sum) = ([0; WORDS], 0);
        for batch in windows(vector.rows, BATCH) {
            let rows = (batch.end - batch.start) as usize;
            let to = words.as_mut_ptr();
            // SAFETY: the cursor has been made, and there is room for the words.
            let _ = unsafe { puffin_cursor_live_mask(cursor.as_mut_ptr(), batch.start, rows, to, WORDS, null_mut()) };
            sum = digest(sum, &words);
        }
        sum
    };
    pair(rounds, batches, rust, c)
}

/// Measures the first vector of each set, and returns a table of what C costs more.
#[must_use]
pub fn table(sets: &[Set], rounds: usize) -> String {
    let mut out = String::from(
        "what a call through C costs, ns: contains (owed: 3 ns more), the live mask of 2,048 rows (owed: 2 % more)\n  \
         set            contains: Rust      C   more            mask: Rust        C   more\n",
    );
    for set in sets {
        let Some(vector) = set.vectors.first() else { continue };
        // Enough passes for a vector that takes a microsecond, few for one that takes a millisecond.
        let most = |units: usize| (2_000_000 / units.max(1)).clamp(rounds, 2001) | 1;
        let [rust, c, more] = contains(vector, most(vector.probes.len()));
        let batches = usize::try_from(vector.rows / BATCH).unwrap_or(usize::MAX);
        let [mask_rust, mask_c, mask_more] = masks(vector, most(batches));
        let verdict = |good: bool| if good { "ok" } else { "SHORT" };
        let part = mask_more / mask_rust;
        let _ = writeln!(
            out,
            "  {:<14} {rust:>14.1} {c:>6.1} {more:>6.1} {:<5} {mask_rust:>15.1} {mask_c:>8.1} {:>5.1}% {}",
            set.name,
            verdict(more <= OWED.0),
            part * 100.0,
            verdict(part <= OWED.1),
        );
    }
    out
}
