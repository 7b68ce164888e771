//! `puffin verify`: every finding about every file.

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::{FileMetadata, MAGIC, PuffinFile};
use puffin_codec::roaring::{Bitmap32, Bitmap64};
use puffin_codec::table::{Finding, FindingKind, Severity, Verify, verify_scratch_len};
use puffin_codec::{Error, ErrorKind, Limits};
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::args::{Kind, VerifyArgs};
use crate::input::Input;
use crate::output::{Failure, Out, Outcome, name, progress, settle, stdout};
use crate::select::kind_of;

/// From so many bytes on, a bar shows how far it is.
const LONG: u64 = 256 << 20;

pub(crate) fn run(args: &VerifyArgs, limits: &Limits) -> Outcome {
    let mut out = stdout();
    let found: Vec<Found> = args.files.iter().flat_map(|path| expand(path)).collect();
    let total = found.iter().map(|found| found.as_ref().map_or(0, |path| size(path))).sum();
    let bar = progress(total, LONG, "bytes");
    let mut outcome = Outcome::Success;
    for found in &found {
        let (path, report) = match found {
            Ok(path) => (path, examine(path, args.kind, limits)),
            Err((path, error)) => (path, Report::unreadable(error.clone())),
        };
        // The bar gives way to lines on the same terminal.
        let settled = bar.suspend(|| {
            let done = print(path, &report, args.json, &mut out).and_then(|()| report.end());
            settle(path, done, &mut out)
        });
        match settled {
            ControlFlow::Continue(ended) => outcome = outcome.max(ended).max(report.outcome()),
            ControlFlow::Break(ended) => return outcome.max(ended),
        }
        bar.inc(size(path));
    }
    bar.finish_and_clear();
    outcome
}

/// A file to check, or a place that cannot be looked into, and why.
type Found = Result<PathBuf, (PathBuf, String)>;

/// Lists the files that a path stands for: itself, or what there is of Puffin in a directory, sorted by name.
fn expand(path: &Path) -> Vec<Found> {
    if !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let entries = WalkDir::new(path).sort_by_file_name().into_iter().filter_map(|entry| match entry {
        // A link to a file counts; one to a directory is not followed.
        Ok(entry) => (entry.path().is_file() && is_candidate(entry.path())).then(|| Ok(entry.into_path())),
        Err(error) => {
            let place = error.path().unwrap_or(path).to_owned();
            Some(Err((place, error.io_error().map_or_else(|| "a loop of links".to_owned(), ToString::to_string))))
        }
    });
    entries.collect()
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// Tells whether a file of a directory means to be Puffin: by its name, or by the magic at either end.
fn is_candidate(path: &Path) -> bool {
    if path.extension().is_some_and(|extension| extension == "puffin" || extension == "stats") {
        return true;
    }
    let magic_at = |file: &mut File, place: SeekFrom| {
        let mut magic = [0; MAGIC.len()];
        file.seek(place).is_ok() && file.read_exact(&mut magic).is_ok() && magic == MAGIC
    };
    File::open(path)
        .is_ok_and(|mut file| magic_at(&mut file, SeekFrom::Start(0)) || magic_at(&mut file, SeekFrom::End(-4)))
}

/// What there is to say about one file.
struct Report {
    /// Bytes of the file, if it could be read.
    size: Option<usize>,
    /// What the file was read as, unless it is nothing that can be read.
    kind: Option<Kind>,
    lines: Vec<Line>,
    /// What kept the file from being looked at any further.
    stopped: Option<String>,
}

impl Report {
    /// The file cannot be read at all.
    fn unreadable(message: String) -> Self {
        Self { size: None, kind: None, lines: vec![Line::message(None, message.clone())], stopped: Some(message) }
    }

    /// The file is something else altogether.
    fn foreign(size: usize, message: String) -> Self {
        let lines = vec![Line::message(Some(ErrorKind::BadMagic), message.clone())];
        Self { size: Some(size), kind: None, lines, stopped: Some(message) }
    }

    /// The file is of that kind, and broken.
    fn broken(size: usize, kind: Kind, error: Error) -> Self {
        Self { size: Some(size), kind: Some(kind), lines: vec![error.into()], stopped: Some(error.to_string()) }
    }

    fn of(size: usize, kind: Kind, lines: Vec<Line>) -> Self {
        Self { size: Some(size), kind: Some(kind), lines, stopped: None }
    }

    /// Fails if there is something to say on standard error.
    fn end(&self) -> Result<(), Failure> {
        self.stopped.as_ref().map_or(Ok(()), |message| Err(Failure::data(message)))
    }

    fn outcome(&self) -> Outcome {
        if self.count(Severity::Error) == 0 { Outcome::Success } else { Outcome::BadData }
    }

    fn count(&self, severity: Severity) -> usize {
        self.lines.iter().filter(|line| line.severity == severity).count()
    }
}

/// One finding, or the error that kept the file from being looked at further.
struct Line {
    severity: Severity,
    /// Name and number of the kind; there is none if the file could not be read.
    kind: Option<(String, u16)>,
    message: String,
    blob: Option<usize>,
    /// Where, and the value found there.
    place: Option<(u64, u64)>,
}

impl Line {
    /// An error without a place in the file.
    fn message(kind: Option<ErrorKind>, message: String) -> Self {
        let kind = kind.map(|kind| (kind.name().to_owned(), kind.number()));
        Self { severity: Severity::Error, kind, message, blob: None, place: None }
    }
}

impl From<Finding> for Line {
    fn from(finding: Finding) -> Self {
        let name = match finding.kind() {
            FindingKind::Fault(kind) => kind.name().to_owned(),
            other => format!("{other:?}"),
        };
        Self {
            severity: finding.severity(),
            kind: Some((name, finding.kind().number())),
            message: finding.to_string(),
            blob: finding.blob(),
            place: Some((finding.offset(), finding.found())),
        }
    }
}

impl From<Error> for Line {
    fn from(error: Error) -> Self {
        Self { place: Some((error.offset(), error.found())), ..Self::message(Some(error.kind()), error.to_string()) }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", severity(self.severity))?;
        if let Some(blob) = self.blob {
            write!(f, "blob {blob}: ")?;
        }
        f.write_str(&self.message)
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn examine(path: &Path, named: Option<Kind>, limits: &Limits) -> Report {
    let input = match Input::open(path) {
        Ok(input) => input,
        Err(error) => return Report::unreadable(error.to_string()),
    };
    let kind = match kind_of(&input, named) {
        Ok(kind) => kind,
        Err(what) => return Report::foreign(input.len(), what.to_string()),
    };
    let found = match kind {
        Kind::Puffin => puffin(&input, limits),
        Kind::Dv => DeletionVector::parse(&input).map(|_| Vec::new()),
        Kind::Roaring32 => Bitmap32::parse(&input).map(|_| Vec::new()),
        Kind::Roaring64 => Bitmap64::parse(&input).map(|_| Vec::new()),
    };
    match found {
        Ok(lines) => Report::of(input.len(), kind, lines),
        Err(error) => Report::broken(input.len(), kind, error),
    }
}

fn puffin(bytes: &[u8], limits: &Limits) -> Result<Vec<Line>, Error> {
    let file = PuffinFile::parse(bytes)?;
    let mut scratch = vec![0; file.scratch_len(limits)?];
    let metadata = file.metadata_with(&mut scratch, limits)?;
    Ok(findings(&file, &metadata, limits))
}

fn findings(file: &PuffinFile<'_>, metadata: &FileMetadata<'_>, limits: &Limits) -> Vec<Line> {
    // Room for the largest blob that decodes within the limits; the frame's header has been held against them.
    let compressed = metadata.blobs().flatten().filter(|blob| blob.compression_codec().is_some());
    let decoded = compressed.filter_map(|blob| file.blob(&blob).and_then(|blob| blob.decoded_len(limits)).ok());
    let mut buffer = vec![0; decoded.max().unwrap_or(0)];
    let mut scratch = vec![0; verify_scratch_len(metadata.blob_count())];
    match Verify::new(file, metadata, &mut scratch) {
        Ok(verify) => verify.with_buffer(&mut buffer, limits).map(Line::from).collect(),
        Err(error) => vec![error.into()],
    }
}

fn print(path: &Path, report: &Report, json: bool, out: &mut Out) -> Result<(), Failure> {
    if json {
        serde_json::to_writer(&mut *out, &as_json(path, report)).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    as_text(path, report, out)
}

fn as_text(path: &Path, report: &Report, out: &mut Out) -> Result<(), Failure> {
    let shown = name(path);
    for line in &report.lines {
        writeln!(out, "{shown}: {line}")?;
    }
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(severity, word)| (report.count(severity), word))
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    let verdict = if report.count(Severity::Error) == 0 { "ok" } else { "bad" };
    if counts.is_empty() {
        writeln!(out, "{shown}: {verdict}")?;
    } else {
        writeln!(out, "{shown}: {verdict} ({})", counts.join(", "))?;
    }
    Ok(())
}

fn as_json(path: &Path, report: &Report) -> Value {
    let findings: Vec<Value> = report
        .lines
        .iter()
        .map(|line| {
            json!({
                "severity": severity(line.severity),
                "kind": line.kind.as_ref().map(|(name, _)| name),
                "number": line.kind.as_ref().map(|&(_, number)| number),
                "message": line.message,
                "blob": line.blob,
                "offset": line.place.map(|(offset, _)| offset),
                "found": line.place.map(|(_, found)| found),
            })
        })
        .collect();
    json!({
        "file": path.to_string_lossy(),
        "size": report.size,
        "kind": report.kind.map(crate::inspect::describe),
        "ok": report.count(Severity::Error) == 0,
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "findings": findings,
    })
}
