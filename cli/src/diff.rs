//! `puffin diff`: which rows were deleted between two files, and which came back.

use std::collections::HashMap;
use std::io::Write;

use puffin_codec::Limits;
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::Bitmap64;

use crate::args::DiffArgs;
use crate::opened::Opened;
use crate::output::{Failure, Located, Out, at, printable};

/// The serialized set of no position.
const EMPTY: [u8; 8] = [0; 8];

pub(crate) fn run(args: &DiffArgs, limits: &Limits, out: &mut Out) -> Result<(), Located> {
    let (mut earlier, mut later) = (Opened::open(&args.earlier, limits)?, Opened::open(&args.later, limits)?);
    let (earlier, later) = (earlier.contents(limits)?, later.contents(limits)?);
    let (earlier, later) = (earlier.vectors()?.0, later.vectors()?.0);
    let none = Bitmap64::parse(&EMPTY).map_err(Failure::from).map_err(at(&args.earlier))?;
    let before: HashMap<&str, &DeletionVector<'_>> =
        earlier.iter().map(|(data_file, vector)| (data_file.as_str(), vector)).collect();
    let after: HashMap<&str, ()> = later.iter().map(|(data_file, _)| (data_file.as_str(), ())).collect();
    // Data files in the order of the later file, then those that only the earlier one has.
    let changed = later.iter().map(|(data_file, vector)| {
        (data_file, before.get(data_file.as_str()).map_or(&none, |vector| vector.bitmap()), vector.bitmap())
    });
    let gone = earlier.iter().filter(|(data_file, _)| !after.contains_key(data_file.as_str()));
    let gone = gone.map(|(data_file, vector)| (data_file, vector.bitmap(), &none));
    for (data_file, old, new) in changed.chain(gone) {
        show(&printable(data_file), old, new, args.count, out).map_err(Failure::from).map_err(at(&args.later))?;
    }
    Ok(())
}

fn show(data_file: &str, old: &Bitmap64<'_>, new: &Bitmap64<'_>, count: bool, out: &mut Out) -> std::io::Result<()> {
    let changes = [("deleted", new.difference(old)), ("restored", old.difference(new))];
    if count {
        let [deleted, restored] = changes.map(|(_, rows)| rows.cardinality());
        return writeln!(out, "{deleted}\t{restored}\t{data_file}");
    }
    let mut number = itoa::Buffer::new();
    for (what, rows) in changes {
        for position in rows.iter() {
            writeln!(out, "{what}\t{}\t{data_file}", number.format(position))?;
        }
    }
    Ok(())
}
