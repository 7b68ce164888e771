//! Counts the instructions that the core needs for fixed questions, with Valgrind's Callgrind, and compares them with
//! the budgets in `bench/instructions.tsv`. `.ci/instructions` runs it; `bench/README.md` explains it.
//!
//! ```text
//! sets ── fixed bytes ──▶ ways, once for each build ──▶ scenario: the function that Callgrind counts in
//!                                                                         │
//! instructions.tsv ──▶ budget, growth, report ◀── callgrind: runs this program, reads its counts
//!                          host: what else the counts depend on
//! ```

mod budget;
#[path = "../../../tests/common/builder.rs"]
#[allow(dead_code, reason = "nothing built here is changed afterwards")]
mod builder;
mod callgrind;
#[path = "../../../tests/common/envelope.rs"]
mod envelope;
mod growth;
mod host;
#[path = "../../src/random.rs"]
mod random;
mod report;
mod scenario;
mod sets;

/// This crate without features.
mod portable {
    use puffin_codec_portable as codec;

    const BUILD: &str = "portable";

    include!("ways.rs");
}

/// This crate with `std` and `simd`.
mod simd {
    use puffin_codec as codec;

    const BUILD: &str = "simd";

    include!("ways.rs");
}

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use budget::Budgets;
use host::Host;
use report::Measured;

/// The argument with which this program runs itself under Callgrind.
const ASK: &str = "ask";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [ASK] => ask(),
        [file] => check(Path::new(file)),
        ["--bless", file] => bless(Path::new(file)),
        _ => Err("usage: instructions [--bless] FILE".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("instructions: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Runs every scenario, and prints what each is, in the order in which they are counted.
fn ask() -> Result<(), String> {
    println!("{}", host::cpu());
    let sets = sets::all();
    let (portable, simd) = (portable::scenarios(&sets), simd::scenarios(&sets));
    for (mut portable, mut simd) in portable.into_iter().zip(simd) {
        let answer = portable.run()?;
        if simd.run()? != answer {
            return Err(format!("{}: the builds disagree", simd.name));
        }
    }
    Ok(())
}

/// Counts everything.
fn measure() -> Result<(Host, Vec<Measured>), String> {
    let (printed, counts) = callgrind::count(ASK)?;
    let (cpu, scenarios) = printed.split_once('\n').ok_or("nothing was asked")?;
    let scenarios: Vec<_> = scenarios.lines().collect();
    if scenarios.len() != counts.len() {
        return Err(format!("{} scenarios, but {} counts", scenarios.len(), counts.len()));
    }
    let measured = scenarios.into_iter().zip(counts).map(|(line, instructions)| Measured::parse(line, instructions));
    Ok((Host::new(cpu)?, measured.collect::<Option<_>>().ok_or("a scenario without its units")?))
}

fn bless(file: &Path) -> Result<(), String> {
    let (host, measured) = measure()?;
    let before = Budgets::read(file).ok();
    report::print(&measured, before.as_ref());
    fs::write(file, budget::text(&host, &measured)).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("\nwrote {}: {} budgets", file.display(), measured.len());
    // No budget can allow these.
    match growth::check(&measured)[..] {
        [] => Ok(()),
        ref failures => Err(failures.join("\n  ")),
    }
}

fn check(file: &Path) -> Result<(), String> {
    let budgets = Budgets::read(file)?;
    let (host, measured) = measure()?;
    report::print(&measured, Some(&budgets));
    println!();
    let mut failures = budgets.compare(&host, &measured);
    failures.extend(growth::check(&measured));
    if failures.is_empty() {
        return Ok(());
    }
    let failures: Vec<String> = failures.iter().map(|failure| format!("\n  {failure}")).collect();
    Err(format!("{} not as they must be:{}", failures.len(), failures.concat()))
}
