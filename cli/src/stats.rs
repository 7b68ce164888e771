//! `puffin stats`: how vectors are made up.

use std::io::Write;

use puffin_codec::Limits;
use serde_json::{Value, json};

use crate::args::StatsArgs;
use crate::input::Input;
use crate::output::{Failure, Out, name, printable};
use crate::select::{Selected, Set, Unreadable, select};

/// Cells of the density strip.
const CELLS: u64 = 64;

pub(crate) fn run(input: &Input, args: &StatsArgs, limits: &Limits, out: &mut Out) -> Result<(), Failure> {
    let vectors = select(input, &args.selector, limits)?;
    if args.json {
        let vectors: Vec<_> = vectors.iter().map(as_json).collect();
        let stats = json!({ "file": input.path().to_string_lossy(), "vectors": vectors });
        serde_json::to_writer_pretty(&mut *out, &stats).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let plural = if vectors.len() == 1 { "" } else { "s" };
        writeln!(out, "{}: {} vector{plural}", name(input.path()), vectors.len())?;
        for vector in &vectors {
            as_text(vector, out)?;
        }
    }
    let faults = vectors.iter().filter_map(|vector| vector.as_ref().err());
    let faults: Vec<_> = faults.map(|vector| (vector.blob, vector.error.to_string())).collect();
    Failure::of_blobs(&faults).map_or(Ok(()), Err)
}

fn as_json(vector: &Result<Selected<'_>, Unreadable>) -> Value {
    let vector = match vector {
        Ok(vector) => vector,
        Err(vector) => {
            return json!({
                "blob": vector.blob,
                "referenced-data-file": vector.data_file,
                "error": vector.error.to_string(),
            });
        }
    };
    let (buckets, [arrays, bitsets, runs]) = vector.set.form();
    let cardinality = vector.set.cardinality();
    let density: Vec<u64> = slices(&vector.set).map(|(count, _)| count).collect();
    json!({
        "blob": vector.blob,
        "referenced-data-file": vector.data_file,
        "length": vector.len,
        "cardinality": cardinality,
        "min": vector.set.min(),
        "max": vector.set.max(),
        "buckets": buckets,
        "containers": { "array": arrays, "bitset": bitsets, "run": runs },
        "bytes-per-position": per_position(vector.len, cardinality),
        "density": density,
    })
}

fn as_text(vector: &Result<Selected<'_>, Unreadable>, out: &mut Out) -> Result<(), Failure> {
    let (blob, data_file) = match vector {
        Ok(vector) => (vector.blob, &vector.data_file),
        Err(vector) => (Some(vector.blob), &vector.data_file),
    };
    writeln!(out)?;
    match (blob.map(|blob| format!("blob {blob}")), data_file) {
        (Some(blob), Some(data_file)) => writeln!(out, "{blob:<11}  {}", printable(data_file))?,
        (Some(blob), None) => writeln!(out, "{blob}")?,
        (None, _) => {}
    }
    let vector = match vector {
        Ok(vector) => vector,
        Err(vector) => {
            writeln!(out, "error        {}", vector.error)?;
            return Ok(());
        }
    };
    let set = &vector.set;
    let (buckets, [arrays, bitsets, runs]) = set.form();
    let cardinality = set.cardinality();
    writeln!(out, "cardinality  {cardinality}")?;
    if let (Some(min), Some(max)) = (set.min(), set.max()) {
        writeln!(out, "min, max     {min}, {max}")?;
    }
    writeln!(out, "buckets      {buckets}")?;
    writeln!(out, "containers   {arrays} array, {bitsets} bitset, {runs} run")?;
    match per_position(vector.len, cardinality) {
        Some(share) => writeln!(out, "bytes        {} ({} per position)", vector.len, rounded(share))?,
        None => writeln!(out, "bytes        {}", vector.len)?,
    }
    if cardinality > 0 {
        writeln!(out, "density      |{}|", strip(set))?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a figure to read")]
fn per_position(len: usize, cardinality: u64) -> Option<f64> {
    (cardinality > 0).then(|| len as f64 / cardinality as f64)
}

/// A figure to about three significant digits.
fn rounded(share: f64) -> String {
    match share {
        0.0..0.01 => format!("{share:.2e}"),
        0.01..10.0 => format!("{share:.3}"),
        _ => format!("{share:.1}"),
    }
}

/// Counts the positions in each of 64 equal parts of `0..=max`, and the rows of each part; none for an empty set.
fn slices(set: &Set<'_>) -> impl Iterator<Item = (u64, u128)> {
    let rows = set.max().map(|max| u128::from(max) + 1);
    rows.into_iter().flat_map(move |rows| {
        let edge = move |cell: u64| u128::from(cell) * rows / u128::from(CELLS);
        (0..CELLS).map(move |cell| {
            let (start, end) = (edge(cell), edge(cell + 1));
            let bounds = (u64::try_from(start), u64::try_from(end.saturating_sub(1)));
            match bounds {
                (Ok(first), Ok(last)) if start < end => (set.count(first..=last), end - start),
                _ => (0, 0),
            }
        })
    })
}

/// Draws the share of positions in each part: blank for none, a full block for all.
fn strip(set: &Set<'_>) -> String {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let cells = slices(set).map(|(count, rows)| {
        // Something shows as something, and only everything shows as everything.
        let height = match u128::from(count) {
            0 => 0,
            count if count == rows => 8,
            count => (count * 8 / rows).max(1),
        };
        usize::try_from(height).ok().and_then(|height| BLOCKS.get(height)).copied().unwrap_or(' ')
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use puffin_codec::roaring::Bitmap32;

    use super::*;

    /// A bitmap of one run, `0..=last`.
    fn run(last: u8) -> [u8; 15] {
        [0x3B, 0x30, 0, 0, 1, 0, 0, last, 0, 1, 0, 0, 0, last, 0]
    }

    #[test]
    fn the_strip_has_a_cell_for_each_part() {
        let bytes = run(127);
        let set = Set::Narrow(Bitmap32::parse(&bytes).unwrap());
        assert_eq!(strip(&set), "█".repeat(64));
        assert!(slices(&set).all(|slice| slice == (2, 2)));
    }

    #[test]
    fn a_set_of_few_rows_leaves_cells_without_any() {
        let bytes = run(0);
        let set = Set::Narrow(Bitmap32::parse(&bytes).unwrap());
        assert_eq!(strip(&set), " ".repeat(63) + "█");
        assert_eq!(slices(&set).map(|(count, _)| count).sum::<u64>(), 1);
    }

    #[test]
    fn an_empty_set_has_no_cells() {
        let set = Set::Narrow(Bitmap32::parse(&[0x3A, 0x30, 0, 0, 0, 0, 0, 0]).unwrap());
        assert_eq!(slices(&set).count(), 0);
    }
}
