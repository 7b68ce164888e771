//! A plot of the ratios: one panel a row, bars on a logarithmic scale from 1, readable on light and dark pages.

use std::fmt::Write;

use crate::contest::Side;
use crate::harness::Cell;
use crate::report::floor;
use crate::row::Row;

const COLUMNS: usize = 3;
const MARGIN: f64 = 14.0;
const GAP: f64 = 22.0;
/// Width of a panel.
const WIDTH: f64 = 264.0;
/// Height of title, explanation and axis.
const HEAD: f64 = 46.0;
/// Height of a set: two bars and a gap.
const SET: f64 = 17.0;
const BAR: f64 = 6.0;
/// Width of the ratios in figures, right of the bars.
const FIGURES: f64 = 70.0;
/// Title and legend.
const TOP: f64 = 80.0;

const STYLE: &str = "\
  .page { fill: #ffffff }
  text { font: 11px ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328 }
  .head { font-size: 14px; font-weight: 600 }
  .row { font-size: 12px; font-weight: 600 }
  .small { font-size: 9.5px; fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .one { stroke: #59636e; stroke-width: 1.5 }
  .owed { stroke: #d1242f; stroke-width: 2 }
  .simd { fill: #0969da }
  .portable { fill: #9a78e0 }
  .figure { font-size: 10px }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .grid { stroke: #2f353d }
    .one { stroke: #9198a1 }
    .owed { stroke: #ff7b72 }
    .simd { fill: #4493f8 }
    .portable { fill: #a88bf0 }
  }
";

/// Draws the cells that have a peer that reads any vector.
#[must_use]
pub fn plot(cells: &[Cell]) -> String {
    let drawn = |row: Row| -> Vec<&Cell> {
        let of_row = cells.iter().filter(|cell| cell.row == row);
        of_row.filter(|cell| cell.best_peer().is_some_and(|peer| !peer.is_32_bit())).collect()
    };
    let rows: Vec<(Row, Vec<&Cell>)> = Row::ALL.into_iter().map(|row| (row, drawn(row))).collect();
    let panels: Vec<_> = rows.iter().filter(|(_, cells)| !cells.is_empty()).collect();
    let longest = panels.iter().flat_map(|(_, cells)| cells).map(|cell| cell.set.chars().count()).max().unwrap_or(0);
    let names = (longest as f64 * 6.2 + 8.0).min(120.0);
    let mut body = String::new();
    let mut y = TOP;
    for line in panels.chunks(COLUMNS) {
        let most = line.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
        for (column, (row, cells)) in line.iter().enumerate() {
            let x = MARGIN + column as f64 * (WIDTH + GAP);
            let _ = writeln!(body, "<g transform=\"translate({x:.1} {y:.1})\">");
            panel(&mut body, *row, cells, names);
            body.push_str("</g>\n");
        }
        y += HEAD + SET * most as f64 + 16.0;
    }
    let width = 2.0 * MARGIN + COLUMNS as f64 * WIDTH + (COLUMNS - 1) as f64 * GAP;
    let label = "Times faster than the fastest of roaring and CRoaring that reads any vector";
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {y:.0}\" width=\"{width:.0}\" \
         height=\"{y:.0}\" role=\"img\" aria-label=\"{label}\">\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width:.0}\" height=\"{y:.0}\" rx=\"8\"/>\n\
         <text class=\"head\" x=\"{MARGIN}\" y=\"24\">{label}</text>"
    );
    legend(&mut out);
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

fn legend(out: &mut String) {
    let x = MARGIN;
    let _ = writeln!(
        out,
        "<rect class=\"simd\" x=\"{x}\" y=\"37\" width=\"16\" height=\"{BAR}\"/>\
         <text class=\"small\" x=\"{:.0}\" y=\"44\">with simd (first figure)</text>\n\
         <rect class=\"portable\" x=\"{:.0}\" y=\"37\" width=\"16\" height=\"{BAR}\"/>\
         <text class=\"small\" x=\"{:.0}\" y=\"44\">portable code (second)</text>\n\
         <line class=\"owed\" x1=\"{:.0}\" x2=\"{:.0}\" y1=\"35\" y2=\"45\"/>\
         <text class=\"small\" x=\"{:.0}\" y=\"44\">floor of the design</text>\n\
         <text class=\"small\" x=\"{x}\" y=\"60\">Bars to the left of 1 are slower. Each axis is logarithmic and has a \
         scale of its own.</text>",
        x + 21.0,
        x + 156.0,
        x + 177.0,
        x + 312.0,
        x + 312.0,
        x + 319.0,
    );
}

/// Draws one panel with its upper left corner at the origin.
fn panel(out: &mut String, row: Row, cells: &[&Cell], names: f64) {
    let scale = Scale::over(cells, names, WIDTH - FIGURES);
    let _ = writeln!(
        out,
        "<text class=\"row\" y=\"12\">{}</text>\n<text class=\"small\" y=\"25\">{}</text>",
        row.name(),
        escaped(row.title())
    );
    scale.grid(out, HEAD, SET * cells.len() as f64);
    for (index, cell) in cells.iter().enumerate() {
        set(out, cell, &scale, HEAD + SET * index as f64 + 2.0);
    }
}

/// Draws one set's two bars, their floors and figures.
fn set(out: &mut String, cell: &Cell, scale: &Scale, y: f64) {
    let base = y + 10.0;
    let _ = writeln!(out, "<text x=\"0\" y=\"{base:.1}\">{}</text>", escaped(&cell.set));
    for (side, class, top, right) in
        [(Side::Simd, "simd", y, WIDTH - 33.0), (Side::Portable, "portable", y + BAR + 1.0, WIDTH)]
    {
        let Some(ratio) = cell.ratio(side) else { continue };
        let (one, end) = (scale.x(1.0), scale.x(ratio.median));
        let (from, width) = (one.min(end), (one - end).abs().max(1.0));
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BAR}\"/>\
             <text class=\"figure\" x=\"{right:.1}\" y=\"{base:.1}\" text-anchor=\"end\">{}</text>",
            figure(ratio.median)
        );
        if let Some(floor) = floor(cell, side) {
            let (x, from, to) = (scale.x(floor), top - 1.0, top + BAR + 1.0);
            let _ = writeln!(out, "<line class=\"owed\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{from:.1}\" y2=\"{to:.1}\"/>");
        }
    }
}

/// The logarithmic axis of a panel.
struct Scale {
    /// Logarithms of the ratios at both ends.
    low: f64,
    high: f64,
    /// Where the ends are.
    left: f64,
    right: f64,
}

impl Scale {
    /// From the smallest to the largest of all ratios and floors, 1 among them, and a little more.
    fn over(cells: &[&Cell], left: f64, right: f64) -> Self {
        let sides = [Side::Portable, Side::Simd];
        let values = cells.iter().flat_map(|cell| {
            let ratios = sides.into_iter().filter_map(|side| cell.ratio(side).map(|ratio| ratio.median));
            ratios.chain(sides.into_iter().filter_map(|side| floor(cell, side)))
        });
        let (mut low, mut high) = (0.0_f64, 2_f64.log10());
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            low = low.min(value.log10());
            high = high.max(value.log10());
        }
        let room = (high - low) * 0.04;
        Self { low: low - room, high: high + room, left, right }
    }

    fn x(&self, value: f64) -> f64 {
        self.at(value.log10())
    }

    fn at(&self, log: f64) -> f64 {
        let part = (log - self.low) / (self.high - self.low);
        self.left + part.clamp(0.0, 1.0) * (self.right - self.left)
    }

    /// Lines at 1, 2 and 5 of each power of ten where there is room, or at powers of ten.
    fn grid(&self, out: &mut String, y: f64, height: f64) {
        let steps: &[f64] = if self.high - self.low < 1.7 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let bottom = y + height;
        let mut power = self.low.floor();
        while power <= self.high {
            for step in steps {
                let value = step * 10_f64.powf(power);
                let log = value.log10();
                if log < self.low || log > self.high {
                    continue;
                }
                let (x, class) = (self.at(log), if log.abs() < 1e-9 { "one" } else { "grid" });
                let _ = writeln!(
                    out,
                    "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y:.1}\" y2=\"{bottom:.1}\"/>\
                     <text class=\"small\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    y - 4.0,
                    tick(value)
                );
            }
            power += 1.0;
        }
    }
}

/// A ratio in three digits or so.
fn figure(value: f64) -> String {
    match value {
        value if value < 9.95 => format!("{value:.2}"),
        value if value < 99.5 => format!("{value:.1}"),
        value if value < 999.5 => format!("{value:.0}"),
        value if value < 9950.0 => format!("{:.1}k", value / 1e3),
        value => format!("{:.0}k", value / 1e3),
    }
}

fn tick(value: f64) -> String {
    if value < 999.5 { format!("{}", (value * 1e6).round() / 1e6) } else { format!("{:.0}k", value / 1e3) }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
