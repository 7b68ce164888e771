//! Lists of positions, as files.

use std::path::{Path, PathBuf};

use puffin_codec::deletion_vector::MAX_WRITTEN_POSITION;

use crate::input::Input;
use crate::output::{Failure, Located, at, printable};

/// The deleted rows of one data file, as the command line names them.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) data_file: String,
    /// Ascending; some perhaps twice.
    pub(crate) positions: Vec<u64>,
}

/// Splits `DATA_FILE=POSITIONS`, at the last `=` with a file, or `-`, behind it; `None` without an `=`.
pub(crate) fn split(argument: &str) -> Option<(&str, PathBuf)> {
    let cuts = || argument.rmatch_indices('=').map(|(at, _)| at);
    let part =
        |at: usize| (argument.get(..at).unwrap_or_default(), PathBuf::from(argument.get(at + 1..).unwrap_or("")));
    let found = cuts().map(part).find(|(_, path)| path == Path::new("-") || path.is_file());
    found.or_else(|| cuts().next().map(part))
}

impl List {
    /// Reads the list that an argument names.
    pub(crate) fn of_argument(argument: &str) -> Result<Self, Located> {
        let usage = |what: &str| at(Path::new(argument))(Failure::Usage(what.to_owned()));
        let (data_file, path) = split(argument).ok_or_else(|| usage("not DATA_FILE=POSITIONS"))?;
        if data_file.is_empty() {
            return Err(usage("no data file in front of ="));
        }
        Ok(Self { data_file: data_file.to_owned(), positions: read(&path)? })
    }
}

/// Reads the positions of a file, in any order, and sorts them.
pub(crate) fn read(path: &Path) -> Result<Vec<u64>, Located> {
    let input = Input::open(path).map_err(Failure::data).map_err(at(path))?;
    let raw = path.extension().is_some_and(|extension| extension == "u64");
    let positions = if raw { from_words(&input) } else { from_lines(&input) };
    let mut positions = positions.map_err(|what| at(path)(Failure::Data(what)))?;
    if !positions.is_sorted() {
        positions.sort_unstable();
    }
    Ok(positions)
}

fn from_words(bytes: &[u8]) -> Result<Vec<u64>, String> {
    let (words, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(format!("{} bytes are no whole number of 8-byte positions", bytes.len()));
    }
    let numbered = words.iter().map(|word| u64::from_le_bytes(*word)).enumerate();
    numbered.map(|(index, position)| check(position).map_err(|what| format!("position {index}: {what}"))).collect()
}

fn from_lines(bytes: &[u8]) -> Result<Vec<u64>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        format!("not text: bad UTF-8 at byte {} (.u64 in the name means 8-byte positions)", error.valid_up_to())
    })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let line = line.trim();
            let digits = line.bytes().all(|byte| byte.is_ascii_digit());
            let position = line.parse().ok().filter(|_| digits);
            let position = position.ok_or_else(|| match digits {
                true if line.len() > 40 => format!("a number of {} digits is no position", line.len()),
                true => format!("position {line} is above {MAX_WRITTEN_POSITION}, the highest that is written"),
                false => format!("not a position: {:?}", printable(&line.chars().take(40).collect::<String>())),
            });
            position.and_then(check).map_err(|what| format!("line {}: {what}", index + 1))
        })
        .collect()
}

/// Refuses a position that must not be written.
fn check(position: u64) -> Result<u64, String> {
    if position <= MAX_WRITTEN_POSITION {
        return Ok(position);
    }
    Err(format!("position {position} is above {MAX_WRITTEN_POSITION}, the highest that is written"))
}
