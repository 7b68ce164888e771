//! What must hold of the counts whatever the budgets say: a window with nothing deleted costs the same however long it
//! is, and a mask of it no more than writing the mask.

use crate::report::Measured;
use crate::sets::WINDOWS;

/// A long window may cost this factor of a short one: it begins and ends in different containers.
const SAME: f64 = 1.25;

/// Instructions for each further word of a mask: of filling, which takes 0.9, so that filling twice is too much. Offsets
/// are read from masks up to the end of the container that the window starts in, and no further: masks of the whole
/// window would take 38 a word.
const A_WORD: [(&str, f64); 3] = [("deleted-mask", 1.5), ("live-mask", 1.5), ("deleted-offsets", 3.0)];

/// Says what grows with the length of the window and must not.
pub(crate) fn check(measured: &[Measured]) -> Vec<String> {
    let mut failures = Vec::new();
    let (shortest, longest) = (WINDOWS[0], WINDOWS[WINDOWS.len() - 1]);
    for short in measured {
        let Some(question) = short.name.strip_suffix(&format!(" nothing in {shortest}")) else { continue };
        let name = format!("{question} nothing in {longest}");
        let Some(long) = measured.iter().find(|other| other.name == name && other.build == short.build) else {
            failures.push(format!("{}: there is no {name} to compare it with", short.name));
            continue;
        };
        let allowed = match A_WORD.iter().find(|(mask, _)| *mask == question) {
            Some((_, a_word)) => short.per_unit() + a_word * ((longest - shortest) / 64) as f64,
            None => short.per_unit() * SAME,
        };
        if long.per_unit() > allowed {
            let (was, is) = (short.per_unit(), long.per_unit());
            let found = format!("{was:.0} instructions for {shortest} rows, {is:.0} for {longest}");
            failures.push(format!("{question}, {}, nothing deleted: {found}; it grows with them", short.build));
        }
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(question: &str, short: u64, long: u64) -> Vec<Measured> {
        let of = |rows: usize, count| {
            Measured::parse(&format!("{question} nothing in {rows}\tportable\t2\twindow"), 2 * count).unwrap()
        };
        vec![of(WINDOWS[0], short), of(WINDOWS[2], long)]
    }

    #[test]
    fn what_grows_with_the_window_is_found() {
        assert!(check(&counts("count", 400, 500)).is_empty());
        assert_eq!(check(&counts("count", 400, 501)).len(), 1);
        let words = (WINDOWS[2] - WINDOWS[0]) as u64 / 64;
        assert!(check(&counts("deleted-mask", 400, 400 + words)).is_empty());
        assert_eq!(check(&counts("deleted-mask", 400, 400 + 2 * words)).len(), 1);
        assert!(check(&counts("live-mask", 400, 400 + words)).is_empty());
        assert_eq!(check(&counts("live-mask", 400, 400 + 2 * words)).len(), 1);
        assert_eq!(check(&counts("count", 1, 1)[..1]).len(), 1);
    }
}
