//! The table for people and the JSON for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::bounds::{self, Bound};
use crate::contest::Side;
use crate::harness::{Cell, Effort, Outcome, Spread};
use crate::owed::owed;
use crate::row::Row;

/// Bytes of heap that a contestant takes in one pass over a set.
#[derive(Debug)]
pub struct HeapUse {
    /// The question.
    pub row: Row,
    /// Name of the set.
    pub set: String,
    /// Library, type and call.
    pub name: String,
    /// On whose behalf.
    pub side: Side,
    /// Bytes.
    pub bytes: u64,
}

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Report {
    /// Timed rows.
    pub cells: Vec<Cell>,
    /// Heap rows.
    pub heap: Vec<HeapUse>,
}

impl Report {
    /// The floors that were not reached, each with what bounds the row on that set, if that was measured.
    #[must_use]
    pub fn shortfalls(&self) -> Vec<String> {
        let mut short = Vec::new();
        for cell in &self.cells {
            for (side, name) in [(Side::Portable, "portable"), (Side::Simd, "simd")] {
                let Some((ratio, floor)) = cell.ratio(side).zip(floor(cell, side)) else { continue };
                if ratio.median < floor {
                    let (row, set) = (cell.row.name(), &cell.set);
                    let bound = self.bound(cell, side).unwrap_or_default();
                    short.push(format!("{row} {set} {name}: {} of {} owed{bound}", times(ratio.median), times(floor)));
                }
            }
        }
        short
    }

    /// How far one build is from what no reader can beat.
    fn bound(&self, cell: &Cell, side: Side) -> Option<String> {
        let (bound, least) = self.largest_bound(cell)?;
        let (ours, peer) = (cell.of(side)?.nanos.median, cell.best_peer()?.nanos.median);
        let who = match bound {
            Bound::Crc => "no reader that checks the CRC",
            Bound::Read | Bound::Copy => "no reader of the whole blob",
            Bound::Positions | Bound::Batches => "no writer of this output",
            Bound::Probes => "no lookup",
        };
        let best = peer / least;
        let reach =
            if floor(cell, side).is_some_and(|floor| best < floor) { ", so the floor is out of reach" } else { "" };
        Some(format!(
            "; {} alone takes {} of {} ns: {who} can be faster than {} here{reach}",
            bound.name(),
            nanos(least),
            nanos(ours),
            times(best)
        ))
    }

    fn largest_bound(&self, cell: &Cell) -> Option<(Bound, f64)> {
        let bounds = self.cells.iter().find(|one| one.row == Row::Bounds && one.set == cell.set)?;
        bounds::largest(cell, bounds)
    }

    /// The table of ratios, one block a row.
    #[must_use]
    pub fn table(&self, everyone: bool) -> String {
        let mut out = String::new();
        for row in Row::ALL {
            let mut cells = self.cells.iter().filter(|cell| cell.row == row).peekable();
            if cells.peek().is_none() {
                continue;
            }
            if row == Row::Bounds {
                let _ = writeln!(out, "\nbounds, ns: parts of the work that no reader can leave out");
                cells.for_each(|cell| bound_lines(&mut out, cell));
                continue;
            }
            let _ = writeln!(out, "\n{} ({}), ns a {}", row.title(), row.name(), row.unit());
            let _ = writeln!(
                out,
                "  {:<20} {:>10} {:>10} {:>10}   {:<26} {:<26} {:<8} best peer",
                "set", "portable", "simd", "peer", "portable: times faster", "simd: times faster", "32-bit"
            );
            for cell in cells {
                line(&mut out, cell);
                if everyone {
                    for outcome in &cell.results {
                        let Spread { median, low, high } = outcome.nanos;
                        let spread = format!("{} to {}", nanos(low), nanos(high));
                        let _ = writeln!(out, "  {:<20} {:>10}   {spread:<20} {}", "", nanos(median), outcome.name);
                    }
                }
            }
        }
        self.heap_table(&mut out);
        out
    }

    fn heap_table(&self, out: &mut String) {
        if self.heap.is_empty() {
            return;
        }
        let _ = writeln!(out, "\nheap, bytes taken in one pass over the set (largest and smallest peer)");
        let _ = writeln!(out, "  {:<16} {:<20} {:>10} {:>12} {:>12}", "row", "set", "ours", "least peer", "most peer");
        let mut groups: Vec<(Row, &str)> = Vec::new();
        for one in &self.heap {
            if !groups.contains(&(one.row, one.set.as_str())) {
                groups.push((one.row, &one.set));
            }
        }
        for (row, set) in groups {
            let group = || self.heap.iter().filter(|one| one.row == row && one.set == set);
            let ours = group().filter(|one| matches!(one.side, Side::Portable | Side::Simd)).map(|one| one.bytes).max();
            let peers = || group().filter(|one| one.side == Side::Peer).map(|one| one.bytes);
            let (least, most) = (peers().min().unwrap_or(0), peers().max().unwrap_or(0));
            let _ = writeln!(out, "  {:<16} {set:<20} {:>10} {least:>12} {most:>12}", row.name(), ours.unwrap_or(0));
        }
    }

    /// Everything, for programs. Times are nanoseconds a unit.
    #[must_use]
    pub fn json(&self, effort: &Effort) -> Value {
        let spread = |spread: Spread| json!({ "median": spread.median, "low": spread.low, "high": spread.high });
        let cells = self.cells.iter().map(|cell| {
            let ours = |side: Side| {
                let ratio_32 = cell.best_32_bit_peer().and_then(|peer| cell.ratio_to(peer, side));
                json!({
                    "ratio": cell.ratio(side).map(spread),
                    "ratio_to_32_bit_peers": ratio_32.map(spread),
                    "owed": floor(cell, side),
                    "pass": cell.ratio(side).zip(floor(cell, side)).map(|(ratio, floor)| ratio.median >= floor),
                })
            };
            let contestants = cell.results.iter().map(
                |outcome| json!({ "name": outcome.name, "side": side(outcome.side), "nanos": spread(outcome.nanos) }),
            );
            json!({
                "row": cell.row.name(),
                "set": cell.set,
                "unit": cell.row.unit(),
                "rounds": cell.rounds,
                "bytes": cell.sizes.bytes,
                "best_peer": cell.best_peer().map(|peer| &peer.name),
                "bound": self.largest_bound(cell).map(|(bound, nanos)| json!({ "name": bound.name(), "nanos": nanos })),
                "portable": ours(Side::Portable),
                "simd": ours(Side::Simd),
                "contestants": contestants.collect::<Vec<_>>(),
            })
        });
        let heap = self.heap.iter().map(|one| {
            let (row, side) = (one.row.name(), side(one.side));
            json!({ "row": row, "set": one.set, "name": one.name, "side": side, "bytes": one.bytes })
        });
        json!({
            "clock": if effort.cpu_clock { "thread" } else { "wall" },
            "sample_ms": effort.sample.as_secs_f64() * 1e3,
            "cells": cells.collect::<Vec<_>>(),
            "heap": heap.collect::<Vec<_>>(),
        })
    }
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::Portable => "portable",
        Side::Simd => "simd",
        Side::Peer => "peer",
        Side::Aside => "aside",
    }
}

/// What is owed on a cell by one build.
#[must_use]
pub fn floor(cell: &Cell, side: Side) -> Option<f64> {
    let owed = owed(cell.row, &cell.set);
    if side == Side::Portable { owed.portable } else { owed.simd }
}

fn line(out: &mut String, cell: &Cell) {
    let time = |outcome: Option<&Outcome>| outcome.map_or_else(|| "-".to_owned(), |one| nanos(one.nanos.median));
    let peer = cell.best_peer();
    let narrow = cell.best_32_bit_peer().and_then(|peer| cell.ratio_to(peer, Side::Simd));
    let _ = writeln!(
        out,
        "  {:<20} {:>10} {:>10} {:>10}   {:<26} {:<26} {:<8} {}",
        cell.set,
        time(cell.of(Side::Portable)),
        time(cell.of(Side::Simd)),
        time(peer),
        verdict(cell, Side::Portable),
        verdict(cell, Side::Simd),
        narrow.map_or_else(|| "-".to_owned(), |ratio| times(ratio.median)),
        peer.map_or("none", |peer| &peer.name),
    );
}

/// Ratio, its quartiles, and how it compares with what is owed.
fn verdict(cell: &Cell, side: Side) -> String {
    let Some(ratio) = cell.ratio(side) else { return "-".to_owned() };
    let mark = match floor(cell, side) {
        None => String::new(),
        Some(floor) if ratio.median >= floor => format!(" ok {}", times(floor)),
        Some(floor) => format!(" SHORT {}", times(floor)),
    };
    format!("{} ({}-{}){mark}", times(ratio.median), digits(ratio.low), digits(ratio.high))
}

fn bound_lines(out: &mut String, cell: &Cell) {
    for bound in Bound::ALL {
        let unit = bound.unit();
        let Some(time) = bound.nanos(cell, unit) else { continue };
        let rate = if unit == "vector" {
            format!("{:.1} GB/s", cell.sizes.bytes as f64 / cell.sizes.vectors as f64 / time)
        } else {
            String::new()
        };
        let _ = writeln!(out, "  {:<20} {:>10} a {unit:<9} {rate:>10}   {}", cell.set, nanos(time), bound.name());
    }
}

/// Nanoseconds for people.
#[must_use]
pub fn nanos(value: f64) -> String {
    match value {
        value if value < 0.1 => format!("{value:.4}"),
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 10_000.0 => format!("{value:.0}"),
        value if value < 10_000_000.0 => format!("{:.1}k", value / 1e3),
        value => format!("{:.1}M", value / 1e6),
    }
}

/// A ratio for people.
#[must_use]
pub fn times(value: f64) -> String {
    format!("{}x", digits(value))
}

fn digits(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}
