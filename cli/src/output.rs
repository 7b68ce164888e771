//! Where results and complaints go.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Input;
use crate::recognize::Recognized;

/// Standard output, buffered.
pub(crate) type Out = BufWriter<StdoutLock<'static>>;

/// Why a command stops with a file.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The data is bad, or cannot be read.
    Data(String),
    /// The command line does not fit the file.
    Usage(String),
    /// Results cannot be written: the disk is full, say.
    Output(io::Error),
    /// Nobody reads on: a pipe was closed, which is no error.
    Closed,
}

impl Failure {
    pub(crate) fn data(what: impl fmt::Display) -> Self {
        Self::Data(what.to_string())
    }

    /// Says of which part of the file an error is.
    pub(crate) fn of_blob(number: usize) -> impl Fn(puffin_codec::Error) -> Self {
        move |error| Self::Data(format!("blob {number}: {error}"))
    }

    /// One line for the blobs that could not be read, each with its number; `None` if there are none.
    pub(crate) fn of_blobs(faults: &[(usize, String)]) -> Option<Self> {
        let ((number, error), others) = faults.split_first()?;
        let numbers: Vec<String> = others.iter().map(|(number, _)| number.to_string()).collect();
        Some(Self::Data(match others.len() {
            0 => format!("blob {number}: {error}"),
            _ => format!("blob {number}: {error}; also blob {}", numbers.join(", ")),
        }))
    }
}

impl From<puffin_codec::Error> for Failure {
    fn from(error: puffin_codec::Error) -> Self {
        Self::data(error)
    }
}

impl From<Recognized> for Failure {
    fn from(what: Recognized) -> Self {
        Self::data(what)
    }
}

/// An error of writing results; errors of reading are [`Failure::data`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Output(error),
        }
    }
}

/// What went wrong, and with which file.
pub(crate) type Located = (PathBuf, Failure);

/// Says with which file something went wrong.
pub(crate) fn at(path: &Path) -> impl Fn(Failure) -> Located {
    move |failure| (path.to_owned(), failure)
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Success,
    BadData,
    Usage,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::BadData => Self::from(1),
            Outcome::Usage => Self::from(2),
        }
    }
}

/// Opens standard output.
pub(crate) fn stdout() -> Out {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Runs a command on one file.
pub(crate) fn one_file(path: &Path, run: impl FnMut(&Input, &mut Out) -> Result<(), Failure>) -> Outcome {
    each_file(std::slice::from_ref(&path.to_owned()), run)
}

/// Runs a command on one file after the other; a bad one does not stop it.
pub(crate) fn each_file(paths: &[PathBuf], mut run: impl FnMut(&Input, &mut Out) -> Result<(), Failure>) -> Outcome {
    let mut out = stdout();
    let mut outcome = Outcome::Success;
    for path in paths {
        let done = Input::open(path).map_err(Failure::data).and_then(|input| run(&input, &mut out));
        match settle(path, done, &mut out) {
            ControlFlow::Continue(ended) => outcome = outcome.max(ended),
            ControlFlow::Break(ended) => return outcome.max(ended),
        }
    }
    outcome
}

/// Runs a command that needs all its files.
pub(crate) fn all_files(run: impl FnOnce(&mut Out) -> Result<(), Located>) -> Outcome {
    let mut out = stdout();
    let (path, done) = match run(&mut out) {
        Ok(()) => (PathBuf::new(), Ok(())),
        Err((path, failure)) => (path, Err(failure)),
    };
    match settle(&path, done, &mut out) {
        ControlFlow::Continue(outcome) | ControlFlow::Break(outcome) => outcome,
    }
}

/// Ends the work on one file: its results leave the buffer, and what went wrong follows on one line of standard error.
/// Breaks if no more results can be written.
pub(crate) fn settle(path: &Path, done: Result<(), Failure>, out: &mut Out) -> ControlFlow<Outcome, Outcome> {
    let done = match out.flush() {
        Ok(()) => done,
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ControlFlow::Continue(Outcome::Success),
        Err(Failure::Data(message)) => {
            complain(&name(path), &message);
            ControlFlow::Continue(Outcome::BadData)
        }
        Err(Failure::Usage(message)) => {
            complain(&name(path), &message);
            ControlFlow::Continue(Outcome::Usage)
        }
        Err(Failure::Output(error)) => {
            complain("standard output", &error.to_string());
            ControlFlow::Break(Outcome::BadData)
        }
        Err(Failure::Closed) => ControlFlow::Break(Outcome::Success),
    }
}

fn complain(whom: &str, message: &str) {
    let line = format!("puffin: {whom}: {message}\n");
    // With standard error closed there is nobody to tell.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// A path as text that cannot upset a terminal.
pub(crate) fn name(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Text with control characters, and those that turn the direction of writing, shown as escapes.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(letter.escape_unicode());
            }
            _ if letter.is_control() => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// A bar on standard error, if that is a terminal and the work is long.
pub(crate) fn progress(total: u64, long: u64, unit: &str) -> ProgressBar {
    if total < long || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:32}} {{human_pos}}/{{human_len}} {unit} {{eta}}"));
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
    bar.enable_steady_tick(Duration::from_millis(250));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_as_escapes() {
        assert_eq!(printable("s3://b/\u{1b}[31mé\n\u{202e}.parquet"), "s3://b/\\u{1b}[31mé\\n\\u{202e}.parquet");
    }
}
