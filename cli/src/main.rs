//! `puffin`: what is in a Puffin file or a deletion vector, and is it sound?
//!
//! ```text
//! args ─▶ input (mapped bytes) ─▶ recognize / --as ─▶ select a vector ─▶ one module a sub-command ─▶ output
//! ```

mod args;
mod contains;
mod input;
mod inspect;
mod output;
mod positions;
mod recognize;
mod select;
mod stats;
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
    };
    outcome.into()
}
