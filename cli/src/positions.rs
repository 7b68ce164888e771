//! `puffin positions`: every position of a vector.

use std::io::{IsTerminal, Write, stdout};

use indicatif::ProgressBar;
use puffin_codec::Limits;

use crate::args::PositionsArgs;
use crate::input::Input;
use crate::output::{Failure, Out, progress};
use crate::select::one;

/// From so many positions on, a bar shows how far it is.
const LONG: u64 = 20_000_000;
/// How often the bar is told.
const STEP: u64 = 1 << 20;

pub(crate) fn run(input: &Input, args: &PositionsArgs, limits: &Limits, out: &mut Out) -> Result<(), Failure> {
    let selected = one(input, &args.selector, limits)?;
    let mut left = args.limit.unwrap_or(u64::MAX).min(selected.set.cardinality());
    // A bar among positions on one terminal would spoil both.
    let bar = if stdout().is_terminal() { ProgressBar::hidden() } else { progress(left, LONG, "positions") };
    let mut text = itoa::Buffer::new();
    let written = selected.set.try_for_each(|position| {
        // `None` ends the iteration: the limit is reached.
        left = left.checked_sub(1).ok_or(None)?;
        let done = if args.raw {
            out.write_all(&position.to_le_bytes())
        } else {
            out.write_all(text.format(position).as_bytes()).and_then(|()| out.write_all(b"\n"))
        };
        if left % STEP == 0 {
            bar.inc(STEP);
        }
        done.map_err(Some)
    });
    bar.finish_and_clear();
    match written {
        Ok(()) | Err(None) => Ok(()),
        Err(Some(error)) => Err(error.into()),
    }
}
