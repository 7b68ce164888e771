//! `puffin`: what is in a Puffin file or a deletion vector, and is it sound?
//!
//! ```text
//! args ─▶ input (mapped bytes) ─▶ recognize / --as ─▶ select a vector ─▶ one module a sub-command ─▶ output
//!      └▶ lists of positions ──────────────────────────▶ assemble a file ─▶ target: written beside, renamed
//! ```

mod args;
mod assemble;
mod contains;
mod create;
mod diff;
mod extract;
mod input;
mod inspect;
mod lists;
mod merge;
mod opened;
mod output;
mod positions;
mod recognize;
mod rewrite;
mod select;
mod stats;
mod target;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let limits = cli.limits();
    let outcome = match &cli.command {
        Command::Inspect(args) => output::each_file(&args.files, |input, out| inspect::run(input, args, &limits, out)),
        Command::Verify(args) => verify::run(args, &limits),
        Command::Positions(args) => {
            output::one_file(&args.file, |input, out| positions::run(input, args, &limits, out))
        }
        Command::Contains(args) => output::one_file(&args.file, |input, out| contains::run(input, args, &limits, out)),
        Command::Stats(args) => output::each_file(&args.files, |input, out| stats::run(input, args, &limits, out)),
        Command::Create(args) => output::all_files(|out| create::run(args, out)),
        Command::Merge(args) => output::all_files(|out| merge::run(args, &limits, out)),
        Command::Diff(args) => output::all_files(|out| diff::run(args, &limits, out)),
        Command::Extract(args) => output::all_files(|out| extract::run(args, &limits, out)),
        Command::Rewrite(args) => output::all_files(|out| rewrite::run(args, &limits, out)),
    };
    outcome.into()
}
