//! What was counted, and the table for people.

use crate::budget::Budgets;

/// A scenario with its count.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) build: String,
    pub(crate) instructions: u64,
    pub(crate) units: u64,
    pub(crate) unit: String,
}

impl Measured {
    /// A line that a scenario has printed.
    pub(crate) fn parse(line: &str, instructions: u64) -> Option<Self> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, build, units, unit] = cells[..] else { return None };
        let units = units.parse().ok().filter(|units| *units > 0)?;
        Some(Self { name: name.to_owned(), build: build.to_owned(), instructions, units, unit: unit.to_owned() })
    }

    /// Instructions a unit.
    pub(crate) fn per_unit(&self) -> f64 {
        self.instructions as f64 / self.units as f64
    }
}

/// Prints instructions a unit, and their difference from the budget: both builds of a scenario in one row.
pub(crate) fn print(measured: &[Measured], budgets: Option<&Budgets>) {
    println!("{:<32}{:>11}{:>9}{:>11}{:>9}", "instructions a unit", "portable", "", "simd", "");
    for pair in measured.chunks(2) {
        let mut row = format!("{:<32}", pair[0].name);
        for scenario in pair {
            let difference = budgets.and_then(|budgets| budgets.of(scenario)).map_or("new".to_owned(), |budget| {
                let percent = (scenario.instructions as f64 / budget as f64 - 1.0) * 100.0;
                if scenario.instructions == budget { "=".to_owned() } else { format!("{percent:+.1}%") }
            });
            row += &format!("{:>11.1}{difference:>9}", scenario.per_unit());
        }
        println!("{row}  a {}", pair[0].unit);
    }
}
