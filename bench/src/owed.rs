//! The ratios that the project's design owes: floors, each column for itself.

use crate::row::Row;

/// What is owed for one row and set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Owed {
    /// By the crate without features.
    pub portable: Option<f64>,
    /// By the crate with `simd`.
    pub simd: Option<f64>,
}

/// Returns the floors of `row` on the set of this name.
#[must_use]
pub fn owed(row: Row, set: &str) -> Owed {
    let both = |floor| (Some(floor), Some(floor));
    let (portable, simd) = match (row, set) {
        (_, "gaps") => (None, None),
        (Row::Open, "tiny") => both(2.0),
        (Row::Open, "sparse") => both(4.0),
        (Row::Open, "dense") => (Some(0.8), Some(1.5)),
        (Row::Open, "ranges") => both(5.0),
        (Row::Open, "mixed") => both(3.0),
        (Row::Trusted, "tiny") => both(2.5),
        (Row::Trusted, "sparse") => both(70.0),
        (Row::Trusted, "ranges") => both(300.0),
        (Row::Trusted, "dense" | "mixed") => both(1000.0),
        (Row::Contains, "tiny") => both(1.0),
        (Row::Contains, "ranges") => both(1.5),
        (Row::Contains, "sparse" | "dense" | "mixed") => both(2.5),
        (Row::ContainsMany | Row::ContainsSorted, _) => (None, Some(2.0)),
        (Row::Masks, "tiny") => both(6.0),
        (Row::Masks, "sparse") => both(5.0),
        (Row::Masks, "dense") => both(250.0),
        (Row::Masks, "ranges") => both(150.0),
        (Row::Masks, "mixed") => both(90.0),
        (Row::MasksBulk, _) => (Some(0.8), Some(1.0)),
        (Row::Positions, "dense") => (Some(2.0), Some(4.0)),
        (Row::Positions, _) => (Some(1.0), Some(1.5)),
        (Row::Encode, "sparse") => (Some(8.0), Some(12.0)),
        (Row::Encode, _) => both(3.0),
        (Row::Union, "ranges") => both(4.0),
        (Row::Union, "dense") => (Some(1.8), Some(5.0)),
        (Row::Union, _) => (Some(1.8), Some(3.0)),
        _ => (None, None),
    };
    Owed { portable, simd }
}
