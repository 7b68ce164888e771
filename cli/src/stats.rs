//! `puffin stats`: how vectors are made up.

use std::io::Write;

use puffin_codec::Limits;
use serde_json::json;

use crate::args::StatsArgs;
use crate::input::Input;
use crate::output::{Failure, Out, name, printable};
use crate::select::{Selected, Set, select};

/// Cells of the density strip.
const CELLS: u64 = 64;

pub(crate) fn run(input: &Input, args: &StatsArgs, limits: &Limits, out: &mut Out) -> Result<(), Failure> {
    let vectors = select(input, &args.selector, limits)?;
    if args.json {
        let vectors: Vec<_> = vectors.iter().map(as_json).collect();
        let stats = json!({ "file": input.path().to_string_lossy(), "vectors": vectors });
        serde_json::to_writer_pretty(&mut *out, &stats).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "{}: {} vector{}", name(input.path()), vectors.len(), if vectors.len() == 1 { "" } else { "s" })?;
    for vector in &vectors {
        as_text(vector, out)?;
    }
    Ok(())
}

fn as_json(vector: &Selected<'_>) -> serde_json::Value {
    let (buckets, [arrays, bitsets, runs]) = vector.set.form();
    json!({
        "blob": vector.blob,
        "referenced-data-file": vector.data_file,
        "length": vector.len,
        "cardinality": vector.set.cardinality(),
        "min": vector.set.min(),
        "max": vector.set.max(),
        "buckets": buckets,
        "containers": { "array": arrays, "bitset": bitsets, "run": runs },
    })
}

fn as_text(vector: &Selected<'_>, out: &mut Out) -> Result<(), Failure> {
    let set = &vector.set;
    let (buckets, [arrays, bitsets, runs]) = set.form();
    writeln!(out)?;
    match (vector.blob, &vector.data_file) {
        (Some(blob), Some(data_file)) => writeln!(out, "blob {blob}       {}", printable(data_file))?,
        (Some(blob), None) => writeln!(out, "blob {blob}")?,
        (None, _) => {}
    }
    let cardinality = set.cardinality();
    writeln!(out, "cardinality  {cardinality}")?;
    if let (Some(min), Some(max)) = (set.min(), set.max()) {
        writeln!(out, "min, max     {min}, {max}")?;
    }
    writeln!(out, "buckets      {buckets}")?;
    writeln!(out, "containers   {arrays} array, {bitsets} bitset, {runs} run")?;
    match per_position(vector.len, cardinality) {
        Some(share) => writeln!(out, "bytes        {} ({share} per position)", vector.len)?,
        None => writeln!(out, "bytes        {}", vector.len)?,
    }
    if let Some(max) = set.max() {
        writeln!(out, "density      |{}|", strip(set, max))?;
    }
    Ok(())
}

/// Bytes per position, to three significant digits.
#[expect(clippy::cast_precision_loss, reason = "a figure to read")]
fn per_position(len: usize, cardinality: u64) -> Option<String> {
    let share = (cardinality > 0).then(|| len as f64 / cardinality as f64)?;
    Some(match share {
        0.0..0.01 => format!("{share:.2e}"),
        0.01..10.0 => format!("{share:.3}"),
        _ => format!("{share:.1}"),
    })
}

/// Draws the share of positions in each of 64 equal parts of `0..=max`: blank for none, a full block for all.
fn strip(set: &Set<'_>, max: u64) -> String {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let rows = u128::from(max) + 1;
    let edge = |cell: u64| u128::from(cell) * rows / u128::from(CELLS);
    let cells = (0..CELLS).map(|cell| {
        let (start, end) = (edge(cell), edge(cell + 1));
        let bounds = (u64::try_from(start).ok(), end.checked_sub(1).and_then(|last| u64::try_from(last).ok()));
        let (Some(first), Some(last)) = bounds else { return BLOCKS[0] };
        if first > last {
            return BLOCKS[0];
        }
        let count = u128::from(set.count(first..=last));
        // Something shows as something, and only everything shows as everything.
        let height = match count {
            0 => 0,
            _ if count == end - start => 8,
            _ => (count * 8 / (end - start)).max(1),
        };
        usize::try_from(height).ok().and_then(|height| BLOCKS.get(height)).copied().unwrap_or(' ')
    });
    cells.collect()
}
