//! A plot of the ratios: one panel a row, bars on a logarithmic scale, readable on light and dark pages.

use std::fmt::Write;

use crate::contest::Side;
use crate::harness::Cell;
use crate::report::{floor, times};
use crate::row::Row;

const WIDTH: f64 = 760.0;
/// Where bars begin to be drawn, right of the names of the sets.
const LEFT: f64 = 150.0;
/// Where they end, left of their labels.
const RIGHT: f64 = 690.0;
const BAR: f64 = 9.0;
const SET: f64 = 26.0;
const HEAD: f64 = 38.0;

const STYLE: &str = "\
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
  .row { font-weight: 600; font-size: 13px }
  .small { font-size: 10px; fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .one { stroke: #59636e; stroke-width: 1.5 }
  .owed { stroke: #bc4c00; stroke-width: 2 }
  .portable { fill: #8250df }
  .simd { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .one { stroke: #9198a1 }
    .owed { stroke: #f0883e }
    .portable { fill: #ab7df8 }
    .simd { fill: #4493f8 }
  }
";

/// Draws the cells that have a peer.
#[must_use]
pub fn plot(cells: &[Cell]) -> String {
    let drawn: Vec<&Cell> = cells.iter().filter(|cell| cell.best_peer().is_some()).collect();
    let scale = Scale::over(&drawn);
    let mut body = String::new();
    let mut y = 54.0;
    for row in Row::ALL {
        let cells: Vec<&Cell> = drawn.iter().copied().filter(|cell| cell.row == row).collect();
        if cells.is_empty() {
            continue;
        }
        let height = SET * cells.len() as f64;
        let _ = writeln!(body, "<text class=\"row\" x=\"12\" y=\"{:.1}\">{}</text>", y + 18.0, escaped(row.title()));
        y += HEAD;
        scale.grid(&mut body, y, height);
        for cell in cells {
            draw(&mut body, cell, &scale, y);
            y += SET;
        }
        y += 8.0;
    }
    let mut out = String::new();
    let height = y + 12.0;
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"puffin-codec, times faster than the best peer\">"
    );
    let _ = writeln!(out, "<style>\n{STYLE}</style>");
    let _ = writeln!(
        out,
        "<text x=\"12\" y=\"24\">Times faster than the best of roaring and CRoaring, logarithmic</text>\n\
         <rect class=\"portable\" x=\"12\" y=\"36\" width=\"10\" height=\"10\"/><text class=\"small\" x=\"26\" y=\"45\">portable code</text>\n\
         <rect class=\"simd\" x=\"110\" y=\"36\" width=\"10\" height=\"10\"/><text class=\"small\" x=\"124\" y=\"45\">with simd</text>\n\
         <line class=\"owed\" x1=\"192\" x2=\"192\" y1=\"35\" y2=\"47\"/><text class=\"small\" x=\"200\" y=\"45\">floor of the design</text>"
    );
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

/// The logarithmic axis.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Whole decades around all ratios and floors, 1 among them.
    fn over(cells: &[&Cell]) -> Self {
        let sides = [Side::Portable, Side::Simd];
        let values = cells.iter().flat_map(|cell| {
            let ratios = sides.into_iter().filter_map(|side| cell.ratio(side).map(|ratio| ratio.median));
            ratios.chain(sides.into_iter().filter_map(|side| floor(cell, side)))
        });
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            low = low.min(value.log10().floor());
            high = high.max(value.log10().ceil());
        }
        Self { low, high }
    }

    fn x(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        LEFT + part.clamp(0.0, 1.0) * (RIGHT - LEFT)
    }

    fn grid(&self, out: &mut String, y: f64, height: f64) {
        let mut power = self.low;
        while power <= self.high {
            let value = 10_f64.powf(power);
            let (x, class) = (self.x(value), if power == 0.0 { "one" } else { "grid" });
            let bottom = y + height;
            let _ =
                writeln!(out, "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y:.1}\" y2=\"{bottom:.1}\"/>");
            let label = if power < 0.0 { format!("{value}") } else { format!("{value:.0}") };
            let top = y - 3.0;
            let _ = writeln!(
                out,
                "<text class=\"small\" x=\"{x:.1}\" y=\"{top:.1}\" text-anchor=\"middle\">{label}</text>"
            );
            power += 1.0;
        }
    }
}

fn draw(out: &mut String, cell: &Cell, scale: &Scale, y: f64) {
    let name_y = y + 15.0;
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{name_y:.1}\" text-anchor=\"end\">{}</text>",
        LEFT - 8.0,
        escaped(&cell.set)
    );
    for (side, class, top) in [(Side::Portable, "portable", y + 3.0), (Side::Simd, "simd", y + 13.0)] {
        let Some(ratio) = cell.ratio(side) else { continue };
        let (one, end) = (scale.x(1.0), scale.x(ratio.median));
        let owed = floor(cell, side).map_or(0.0, |floor| scale.x(floor));
        let (from, width) = (one.min(end), (one - end).abs().max(1.0));
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BAR}\"/>\
             <text class=\"small\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            one.max(end).max(owed) + 5.0,
            top + 8.0,
            times(ratio.median)
        );
        if owed > 0.0 {
            let (x, bottom) = (owed, top + BAR);
            let _ =
                writeln!(out, "<line class=\"owed\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>");
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
