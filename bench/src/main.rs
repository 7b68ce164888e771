//! Puts puffin-codec beside `roaring` and CRoaring and prints by how much it is faster or slower.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, io};

use clap::Parser;
use puffin_codec_bench::capi;
use puffin_codec_bench::data::{GENERATED, Set, Sizes};
use puffin_codec_bench::harness::{self, Effort};
use puffin_codec_bench::heap::{Counting, count_croaring};
use puffin_codec_bench::report::{HeapUse, Report};
use puffin_codec_bench::row::Row;
use puffin_codec_bench::svg;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Compare puffin-codec with roaring and CRoaring: same process, same bytes, same questions.
#[derive(Debug, Parser)]
struct Args {
    /// Finish in less than a minute, with wider spread.
    #[arg(long)]
    quick: bool,
    /// Rows to measure, comma-separated; all by default. `heap` is one more.
    #[arg(long, value_delimiter = ',')]
    rows: Vec<String>,
    /// Generated sets to measure, comma-separated; all by default, `none` for none.
    #[arg(long, value_delimiter = ',')]
    sets: Vec<String>,
    /// Folder of real data: text files of numbers, one list a file; the lists of one folder are one set.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Most rounds of a row.
    #[arg(long)]
    rounds: Option<usize>,
    /// Measure time of day instead of the time of this thread.
    #[arg(long)]
    wall: bool,
    /// Measure what a call through C costs, and nothing else.
    #[arg(long)]
    capi: bool,
    /// Print every contestant.
    #[arg(long)]
    all: bool,
    /// Write everything as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Write a plot of the ratios.
    #[arg(long)]
    svg: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> io::Result<()> {
    let (rows, with_heap) = wanted_rows(&args.rows)?;
    let rounds = args.rounds.unwrap_or(if args.quick { 9 } else { 31 }).max(1);
    let effort = Effort {
        rounds,
        min_rounds: rounds.min(3),
        sample: Duration::from_micros(if args.quick { 300 } else { 1000 }),
        budget: Duration::from_millis(if args.quick { 100 } else { 6000 }),
        cpu_clock: cfg!(unix) && !args.wall,
        thorough: !args.quick,
    };
    let mut report = Report::default();
    let sets = wanted_sets(args)?;
    if args.capi {
        print!("{}", capi::table(&sets, rounds));
        return Ok(());
    }
    for set in &sets {
        let Sizes { vectors, bytes, rows: all, cardinality, .. } = set.sizes();
        eprintln!("{}: {vectors} vector(s), {bytes} bytes, {cardinality} of {all} rows", set.name);
        report.cells.extend(rows.iter().filter_map(|row| harness::measure(*row, set, &effort)));
    }
    if with_heap {
        // SAFETY: every contestant, and with it all that CRoaring had allocated, went with its row.
        unsafe { count_croaring() };
        let heap_rows =
            [Row::Open, Row::Trusted, Row::TrustedView, Row::Contains, Row::Fold, Row::Masks, Row::Positions];
        for set in &sets {
            for row in heap_rows {
                let uses = harness::heap(row, set).into_iter();
                let set = &set.name;
                report.heap.extend(uses.map(|(name, side, bytes)| HeapUse {
                    row,
                    set: set.clone(),
                    name,
                    side,
                    bytes,
                }));
            }
        }
    }
    print!("{}", report.table(args.all));
    let short = report.shortfalls();
    println!("\n{} below what is owed{}", short.len(), if short.is_empty() { "" } else { ":" });
    short.iter().for_each(|one| println!("  {one}"));
    if let Some(path) = &args.json {
        fs::write(path, format!("{:#}\n", report.json(&effort)))?;
    }
    if let Some(path) = &args.svg {
        fs::write(path, svg::plot(&report.cells))?;
    }
    Ok(())
}

fn wanted_rows(names: &[String]) -> io::Result<(Vec<Row>, bool)> {
    if names.is_empty() {
        return Ok((Row::ALL.to_vec(), true));
    }
    let timed = names.iter().filter(|name| *name != "heap");
    let rows = timed.map(|name| {
        Row::ALL.into_iter().find(|row| row.name() == name).ok_or_else(|| {
            let all = Row::ALL.map(Row::name).join(", ");
            io::Error::new(io::ErrorKind::InvalidInput, format!("no row {name:?}; there are {all}, heap"))
        })
    });
    Ok((rows.collect::<io::Result<_>>()?, names.iter().any(|name| name == "heap")))
}

fn wanted_sets(args: &Args) -> io::Result<Vec<Set>> {
    let mut sets = Vec::new();
    if args.sets.is_empty() {
        sets.extend(GENERATED.iter().filter_map(|name| Set::generate(name)));
    }
    for name in args.sets.iter().filter(|name| *name != "none") {
        sets.push(Set::generate(name).ok_or_else(|| {
            let all = GENERATED.join(", ");
            io::Error::new(io::ErrorKind::InvalidInput, format!("no set {name:?}; there are {all}"))
        })?);
    }
    if let Some(dir) = &args.data {
        sets.extend(Set::read_all(dir)?);
    }
    Ok(sets)
}
