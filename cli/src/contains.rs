//! `puffin contains`: is a position in a vector?

use std::io::Write;

use puffin_codec::Limits;

use crate::args::ContainsArgs;
use crate::input::Input;
use crate::output::{Failure, Out};
use crate::select::one;

pub(crate) fn run(input: &Input, args: &ContainsArgs, limits: &Limits, out: &mut Out) -> Result<(), Failure> {
    let selected = one(input, &args.selector, limits)?;
    for &position in &args.positions {
        writeln!(out, "{position}\t{}", selected.set.contains(position))?;
    }
    Ok(())
}
