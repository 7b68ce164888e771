//! The committed budgets, and what exceeds them.
//!
//! ```text
//! # rustc 1.95.0 (59807616e 2026-04-14)        what the counts depend on
//! # libc glibc 2.36
//! # cpu x86_64 ssse3 … avx2
//! scenario        build     instructions  units  unit      columns, separated by tabs
//! open tiny       portable  1234          1      vector
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::host::Host;
use crate::report::Measured;

/// A count may exceed its budget by this factor.
///
/// The same program always needs the same number: this is not for noise, of which there is none, but for a change that
/// costs a compare a batch and is worth it.
const TOLERANCE: f64 = 1.03;

/// The factor where another compiler, or another C library, has made the code: it unrolls and inlines otherwise, but a
/// function that does its work twice is still found.
const OTHER_TOOLS: f64 = 1.25;

const COLUMNS: &str = "scenario\tbuild\tinstructions\tunits\tunit";

/// The budgets of a file.
pub(crate) struct Budgets {
    host: Host,
    /// Instructions by scenario and build.
    instructions: BTreeMap<(String, String), u64>,
}

impl Budgets {
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Self::parse(&text).ok_or_else(|| format!("{} is not a table of budgets; write it with --bless", file.display()))
    }

    fn parse(text: &str) -> Option<Self> {
        let header = |name: &str| {
            let line = text.lines().filter_map(|line| line.strip_prefix("# "));
            line.filter_map(|line| line.strip_prefix(name)).next().map(|value| value.trim().to_owned())
        };
        let host = Host { rustc: header("rustc ")?, libc: header("libc ")?, cpu: header("cpu ")? };
        let mut rows = text.lines().skip_while(|line| line.starts_with('#'));
        rows.next().filter(|columns| *columns == COLUMNS)?;
        let instructions = rows.map(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            let [name, build, instructions, ..] = cells[..] else { return None };
            let instructions = instructions.parse().ok().filter(|instructions| *instructions > 0)?;
            Some(((name.to_owned(), build.to_owned()), instructions))
        });
        Some(Self { host, instructions: instructions.collect::<Option<_>>()? })
    }

    /// The budget of a scenario.
    pub(crate) fn of(&self, measured: &Measured) -> Option<u64> {
        self.instructions.get(&(measured.name.clone(), measured.build.clone())).copied()
    }

    /// Says what cannot be compared here, and returns what is not as it must be.
    pub(crate) fn compare(&self, host: &Host, measured: &[Measured]) -> Vec<String> {
        let (was, is) = (&self.host, host);
        if was.arch() != is.arch() {
            println!("The budgets are of {}, this is {}: nothing is compared.", was.arch(), is.arch());
            return Vec::new();
        }
        let same_tools = was.rustc == is.rustc && was.libc == is.libc;
        let tolerance = if same_tools { TOLERANCE } else { OTHER_TOOLS };
        if !same_tools {
            println!("The budgets are of {} and {}, this is {} and {}:", was.rustc, was.libc, is.rustc, is.libc);
            println!(
                "only what exceeds its budget by a factor of {OTHER_TOOLS} is found. Bless them with these tools."
            );
        }
        let same_cpu = was.cpu == is.cpu;
        if !same_cpu {
            println!(
                "The budgets are of another CPU, so those of the build simd, which looks at it, are not compared:"
            );
            println!("  then {}\n  now  {}", was.cpu, is.cpu);
        }
        let (mut failures, mut compared, mut more, mut less) = (Vec::new(), 0, 0, 0);
        for scenario in measured {
            let (name, build, count) = (&scenario.name, &scenario.build, scenario.instructions);
            let Some(budget) = self.of(scenario) else {
                failures.push(format!("{name}, {build}: has no budget; bless it"));
                continue;
            };
            if build == "simd" && !same_cpu {
                continue;
            }
            compared += 1;
            let factor = count as f64 / budget as f64;
            if factor > tolerance {
                more += 1;
                let found = format!("{count} instructions, {factor:.2} times its budget of {budget}");
                failures.push(format!("{name}, {build}: {found}"));
            }
            less += u32::from(factor < 1.0 / tolerance);
        }
        let gone = self.instructions.keys().filter(|(name, build)| {
            !measured.iter().any(|scenario| scenario.name == *name && scenario.build == *build)
        });
        failures
            .extend(gone.map(|(name, build)| format!("{name}, {build}: a budget without a scenario; bless it away")));
        println!("{compared} of {} compared; more than {tolerance} times its budget: {more}", measured.len());
        if less > 0 {
            println!("{less} need far less than their budgets; bless them, so that it stays so");
        }
        failures
    }
}

/// A file of budgets.
pub(crate) fn text(host: &Host, measured: &[Measured]) -> String {
    let mut text = format!("# rustc {}\n# libc {}\n# cpu {}\n{COLUMNS}\n", host.rustc, host.libc, host.cpu);
    for row in measured {
        let (name, build, unit) = (&row.name, &row.build, &row.unit);
        let _ = writeln!(text, "{name}\t{build}\t{}\t{}\t{unit}", row.instructions, row.units);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Host {
        Host { rustc: "1.95.0".into(), libc: "glibc 2.36".into(), cpu: "x86_64 avx2".into() }
    }

    fn measured(portable: u64, simd: u64) -> Vec<Measured> {
        let parse = |build: &str, count| Measured::parse(&format!("open tiny\t{build}\t1\tvector"), count).unwrap();
        vec![parse("portable", portable), parse("simd", simd)]
    }

    fn compare(host: &Host, measured: &[Measured]) -> Vec<String> {
        let budgets = Budgets::parse(&text(&self::host(), &self::measured(1000, 500))).unwrap();
        budgets.compare(host, measured)
    }

    #[test]
    fn more_than_a_budget_is_found() {
        assert!(compare(&host(), &measured(1000, 500)).is_empty());
        assert!(compare(&host(), &measured(1030, 10)).is_empty());
        let failures = compare(&host(), &measured(1031, 1000));
        assert_eq!(failures.len(), 2);
        assert_eq!(failures[0], "open tiny, portable: 1031 instructions, 1.03 times its budget of 1000");
    }

    #[test]
    fn every_scenario_has_a_budget_and_every_budget_a_scenario() {
        assert_eq!(
            compare(&host(), &measured(1000, 500)[..1]),
            ["open tiny, simd: a budget without a scenario; bless it away"]
        );
        let new = Measured { name: "new".into(), ..measured(7, 7).remove(0) };
        let all: Vec<_> = measured(1000, 500).into_iter().chain([new]).collect();
        assert_eq!(compare(&host(), &all), ["new, portable: has no budget; bless it"]);
    }

    #[test]
    fn other_tools_are_given_more_and_another_cpu_is_not_asked() {
        let tools = Host { rustc: "1.96.0".into(), ..host() };
        assert!(compare(&tools, &measured(1250, 625)).is_empty());
        assert_eq!(compare(&tools, &measured(1251, 626)).len(), 2);
        let cpu = Host { cpu: "x86_64".into(), ..host() };
        assert!(compare(&cpu, &measured(1000, 5000)).is_empty());
        assert_eq!(compare(&cpu, &measured(1031, 5000)).len(), 1);
        let arch = Host { cpu: "aarch64 neon".into(), ..host() };
        assert!(compare(&arch, &measured(9999, 9999)).is_empty());
    }
}
