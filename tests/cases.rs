//! Runs a table of cases: `CASES.tsv` of `tests/data/cases`, or of the folder that `PUFFIN_CASES` names.
//!
//! Every row of a surface that is built must give its answer; a row that names something unknown fails. See
//! `tests/data/cases/README.md` for the columns.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

#[path = "common"]
mod common {
    pub(crate) mod bulk;
    pub(crate) mod digest;
    pub(crate) mod facts;
    pub(crate) mod open;
    pub(crate) mod set;
    pub(crate) mod table;
    pub(crate) mod whole;
}
#[path = "cases/hints.rs"]
mod hints;
#[path = "cases/sequence.rs"]
mod sequence;
#[path = "cases/surfaces.rs"]
mod surfaces;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::facts::{Object, all_known, object};
use common::table::{Folder, Row};
use surfaces::{Fault, Refusal};

/// Surfaces of the table that this version of the crate does not have, with the context keys that they know.
const NOT_BUILT: &[(&str, &[&str])] = &[
    ("delta-file", &["offset", "size_in_bytes", "length"]),
    ("delta-inline", &["offset", "size_in_bytes", "length"]),
    ("delta-path", &["offset", "size_in_bytes", "length"]),
    ("paimon-index", &["offset", "size_in_bytes", "length"]),
    ("hudi-positions", &[]),
    ("hudi-poslist", &[]),
    ("theta", &[]),
    ("cabi", &["call", "each", "data", "len", "out", "out_cap", "build"]),
];
/// Surfaces that scripts run.
const ELSEWHERE: &[(&str, &[&str])] = &[("build", &["target", "features"])];

/// Counts of one run.
#[derive(Default)]
struct Tally {
    run: BTreeMap<String, usize>,
    not_built: usize,
    elsewhere: usize,
    hints: (usize, usize),
    failures: Vec<String>,
    /// Rows that were refused, and the numbers of their errors.
    refusals: Vec<(String, u16)>,
}

#[test]
fn every_case_gets_its_answer() {
    let foreign = std::env::var_os("PUFFIN_CASES").is_some();
    let folder = Folder::from_env("PUFFIN_CASES", "cases");
    let mut tally = Tally::default();
    for row in folder.table("CASES.tsv").rows() {
        let (id, surface) = (row.get("id"), row.get("surface"));
        if let Some(known) = keys(ELSEWHERE, surface) {
            tally.elsewhere += 1;
            tally.failures.extend(unknown_context(row, known));
        } else if let Some(known) = keys(NOT_BUILT, surface) {
            tally.not_built += 1;
            tally.failures.extend(unknown_context(row, known));
        } else {
            *tally.run.entry(surface.to_owned()).or_default() += 1;
            let answer = catch_unwind(AssertUnwindSafe(|| run(&folder, row)));
            match answer.unwrap_or_else(|_| Err("panicked".to_owned())) {
                Ok(None) => {}
                Ok(Some(refusal)) => {
                    tally.refusals.push((id.to_owned(), refusal.number()));
                    let disagrees = note_hint(&mut tally, row, &refusal);
                    tally.failures.extend(disagrees.filter(|_| !foreign));
                }
                Err(reason) => tally.failures.push(format!("{id} ({surface}, {}): {reason}", row.get("file"))),
            }
        }
    }
    report(&tally);
    // For those who ask the same through C.
    if let Some(path) = std::env::var_os("PUFFIN_REFUSALS") {
        let lines = tally.refusals.iter().map(|(id, number)| format!("{id} {number}\n"));
        std::fs::write(path, lines.collect::<String>()).unwrap();
    }
    assert!(tally.failures.is_empty(), "{} cases failed:\n{}", tally.failures.len(), tally.failures.join("\n"));
    assert!(foreign || tally.run.values().sum::<usize>() > 0, "no row was run");
}

/// The context keys of a surface in a list.
fn keys(surfaces: &[(&str, &'static [&'static str])], surface: &str) -> Option<&'static [&'static str]> {
    surfaces.iter().find(|(name, _)| *name == surface).map(|(_, keys)| *keys)
}

/// What is wrong with the context of a row that is not run.
fn unknown_context(row: Row<'_>, known: &[&str]) -> Option<String> {
    let context = object(row.get("context")).and_then(|context| all_known("context", &context, known));
    context.err().map(|reason| format!("{} ({}): {reason}", row.get("id"), row.get("surface")))
}

/// Runs one row. `Some` is the error that a refused input got.
fn run(folder: &Folder, row: Row<'_>) -> Result<Option<Refusal>, String> {
    let bytes = if row.get("file") == "-" { Vec::new() } else { folder.read(row.get("file"))? };
    row.check_file(&bytes)?;
    let context = object(row.get("context"))?;
    let mut facts = object(row.get("facts"))?;
    let (surface, expectation) = (row.get("surface"), row.get("expectation"));
    if expectation == "either" {
        facts = match facts.remove("if_accepted") {
            Some(facts) => facts.as_object().cloned().ok_or("if_accepted is not an object")?,
            None => Object::new(),
        };
    }
    let [known_context, known_facts] = surfaces::known(surface).ok_or("unknown surface")?;
    all_known("context", &context, &known_context)?;
    if expectation != "reject" {
        all_known("facts", &facts, &known_facts)?;
    }
    match (expectation, surfaces::ask(surface, &bytes, &context, &mut facts)) {
        (_, Err(Fault::Wrong(reason))) => Err(reason),
        ("accept" | "either", Ok(())) => all_known("unchecked facts", &facts, &[]).map(|()| None),
        // A precise refusal is one of the two answers; which kind it should be is for the hint to say.
        ("reject" | "either", Err(Fault::Refused(refusal))) => Ok(Some(refusal)),
        ("reject", Ok(())) => Err("accepted".to_owned()),
        ("accept", Err(Fault::Refused(refusal))) => Err(format!("refused: {refusal}")),
        (other, _) => Err(format!("unknown expectation {other:?}")),
    }
}

/// Compares the error with the class that the table hints at, and tells of a difference.
fn note_hint(tally: &mut Tally, row: Row<'_>, refusal: &Refusal) -> Option<String> {
    let (hint, id) = (row.get("error_class"), row.get("id"));
    if hint.is_empty() {
        return None;
    }
    tally.hints.1 += 1;
    match hints::agrees(hint, refusal) {
        Ok(true) => {
            tally.hints.0 += 1;
            return None;
        }
        Ok(false) => println!("{id}: the table says {hint}, we say {refusal}"),
        Err(reason) => println!("{id}: {reason}"),
    }
    Some(format!("{id} ({}): refused, but as {refusal}, not as {hint}", row.get("surface")))
}

fn report(tally: &Tally) {
    for (surface, count) in &tally.run {
        println!("{surface}: {count}");
    }
    println!("run: {}", tally.run.values().sum::<usize>());
    println!("not built: {}", tally.not_built);
    println!("elsewhere: {}", tally.elsewhere);
    println!("error classes that agree: {} of {}", tally.hints.0, tally.hints.1);
}
