//! Reads a corpus of files that other people's software wrote, and compares with what that software says is in them:
//! `INDEX.tsv` of `tests/data/corpus`, or of the folder that `PUFFIN_CORPUS` names.
//!
//! Valid files must give their truth, malformed ones must be refused, unusual ones must not do harm.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    #[allow(dead_code, reason = "no window is asked here by itself")]
    pub(crate) mod bulk;
    pub(crate) mod digest;
    pub(crate) mod facts;
    pub(crate) mod open;
    pub(crate) mod set;
    pub(crate) mod table;
    pub(crate) mod whole;
}
#[path = "corpus/bitmaps.rs"]
mod bitmaps;
#[path = "corpus/containers.rs"]
mod containers;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::facts::{Object, all_known, object};
use common::table::{Folder, Row};

/// Kinds that this version of the crate does not read.
const NOT_BUILT: &[&str] = &["theta", "delta-dv-file", "paimon-dv-index", "hudi-record-positions", "roaring64-legacy"];
/// Kinds that are not for this crate: inputs of other programs.
const NOT_OURS: &[&str] = &["int-list", "table-file", "table-archive"];
/// Truth keys that say what some reader does with the file, which is not always right.
const READERS: &[&str] = &["iceberg-java-", "pyiceberg-", "iceberg-rust-", "croaring", "java_foreach_visits", "note"];

/// What the library makes of a file.
pub(crate) enum Outcome {
    /// Read in full.
    Read,
    /// Refused, in the words of the error or finding.
    Refused(String),
}

/// What the index says about a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Valid,
    Unusual,
    Malformed,
}

#[test]
fn every_file_gives_its_truth() {
    // Files of another corpus are held to what is asked of every corpus; ours also to what we know of it.
    let foreign = std::env::var_os("PUFFIN_CORPUS").is_some();
    let folder = Folder::from_env("PUFFIN_CORPUS", "corpus");
    let (mut read, mut not_built, mut not_ours) = (BTreeMap::new(), BTreeMap::new(), 0);
    let mut failures = Vec::new();
    for row in folder.table("INDEX.tsv").rows() {
        let (path, kind) = (row.get("path"), row.get("kind"));
        if NOT_OURS.contains(&kind) {
            not_ours += 1;
        } else if NOT_BUILT.contains(&kind) {
            *not_built.entry(kind.to_owned()).or_insert(0) += 1;
        } else {
            let outcome = catch_unwind(AssertUnwindSafe(|| run(&folder, row, foreign)));
            match outcome.unwrap_or_else(|_| Err("panicked".to_owned())) {
                Ok(verdict) => *read.entry((kind.to_owned(), verdict)).or_insert(0) += 1,
                Err(reason) => failures.push(format!("{path} ({kind}): {reason}")),
            }
        }
    }
    for ((kind, verdict), count) in &read {
        println!("{kind}, {verdict:?}: {count}");
    }
    for (kind, count) in &not_built {
        println!("not built: {count} {kind}");
    }
    println!("not for this crate: {not_ours}");
    assert!(failures.is_empty(), "{} files failed:\n{}", failures.len(), failures.join("\n"));
    assert!(foreign || !read.is_empty(), "no file was read");
}

/// Reads one file and holds the outcome against its verdict.
fn run(folder: &Folder, row: Row<'_>, foreign: bool) -> Result<Verdict, String> {
    let bytes = folder.read(row.get("path"))?;
    row.check_file(&bytes)?;
    let verdict = match row.get("verdict") {
        "valid" => Verdict::Valid,
        text if text.starts_with("bare DV blob") => Verdict::Valid,
        text if text.starts_with("unusual") => Verdict::Unusual,
        text if text.starts_with("malformed") => Verdict::Malformed,
        text => return Err(format!("unknown verdict {text:?}")),
    };
    let mut truth = truth(folder, row)?;
    let outcome = match (row.get("kind"), verdict) {
        ("puffin", Verdict::Valid) if row.get("verdict").starts_with("bare DV blob") => {
            bitmaps::compare("dv-blob", &bytes, &mut truth)?
        }
        ("puffin", Verdict::Valid) => containers::compare(&bytes, &mut truth, foreign)?,
        ("puffin", _) => containers::read(&bytes),
        (kind, Verdict::Valid) => bitmaps::compare(kind, &bytes, &mut truth)?,
        (kind, _) => bitmaps::read(kind, &bytes)?,
    };
    match (verdict, outcome) {
        (Verdict::Valid, Outcome::Read) => {
            truth.retain(|key, _| !READERS.iter().any(|reader| key.starts_with(reader)));
            match all_known("truth", &truth, &[]) {
                Err(reason) if foreign => println!("{}: {reason}", row.get("path")),
                checked => checked?,
            }
        }
        (Verdict::Valid, Outcome::Refused(reason)) => return Err(format!("valid, but refused: {reason}")),
        // What is malformed to one reader may be among the deviations that we list as tolerated.
        (Verdict::Malformed, Outcome::Read) if foreign => println!("{}: malformed, read", row.get("path")),
        (Verdict::Malformed, Outcome::Read) => return Err("malformed, but read".to_owned()),
        (Verdict::Malformed, Outcome::Refused(_)) => {}
        (Verdict::Unusual, Outcome::Read) => println!("{}: unusual, read", row.get("path")),
        (Verdict::Unusual, Outcome::Refused(reason)) => println!("{}: unusual, refused: {reason}", row.get("path")),
    }
    Ok(verdict)
}

/// The truth of a row, which may be in a file of its own.
fn truth(folder: &Folder, row: Row<'_>) -> Result<Object, String> {
    match row.get("truth").strip_prefix('@') {
        Some(path) => object(std::str::from_utf8(&folder.read(path)?).map_err(|error| error.to_string())?),
        None => object(row.get("truth")),
    }
}
