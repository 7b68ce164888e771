//! `puffin verify`: every finding about every file.

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
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
use crate::output::{Failure, Out, Outcome, complain, name, progress, stdout};
use crate::select::kind_of;

/// From so many bytes on, a bar shows how far it is.
const LONG: u64 = 256 << 20;

pub(crate) fn run(args: &VerifyArgs, limits: &Limits) -> Outcome {
    let mut out = stdout();
    let mut outcome = Outcome::Success;
    let mut files = Vec::new();
    for path in &args.files {
        if path.is_dir() {
            for entry in WalkDir::new(path).sort_by_file_name() {
                match entry {
                    Ok(entry) if entry.file_type().is_file() && is_candidate(entry.path()) => {
                        files.push(entry.into_path());
                    }
                    Ok(_) => {}
                    Err(error) => {
                        let place = error.path().unwrap_or(path).to_owned();
                        outcome = outcome.max(complain(&place, &Failure::data(error)).unwrap_or(outcome));
                    }
                }
            }
        } else {
            files.push(path.clone());
        }
    }
    let total = files.iter().map(|path| size(path)).sum();
    let bar = progress(total, LONG, "bytes");
    for path in &files {
        let done = bar.suspend(|| one(path, args, limits, &mut out));
        bar.inc(size(path));
        match done {
            Ok(sound) => outcome = outcome.max(if sound { Outcome::Success } else { Outcome::BadData }),
            Err(Failure::Closed) => return outcome,
            Err(failure) => match complain(path, &failure) {
                Some(worse) => outcome = outcome.max(worse),
                None => return outcome,
            },
        }
    }
    bar.finish_and_clear();
    outcome
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
    /// What the file was read as, unless it is nothing that can be read.
    kind: Option<Kind>,
    lines: Vec<Line>,
    /// What kept the file from being looked at any further.
    stopped: Option<String>,
}

impl Report {
    /// The file is something else altogether.
    fn foreign(message: String) -> Self {
        let line = Line {
            severity: Severity::Error,
            name: ErrorKind::BadMagic.name().to_owned(),
            number: ErrorKind::BadMagic.number(),
            message: message.clone(),
            blob: None,
            offset: 0,
            found: 0,
        };
        Self { kind: None, lines: vec![line], stopped: Some(message) }
    }

    /// The file is of that kind, and broken.
    fn broken(kind: Kind, error: Error) -> Self {
        Self { kind: Some(kind), lines: vec![error.into()], stopped: Some(error.to_string()) }
    }

    fn of(kind: Kind, lines: Vec<Line>) -> Self {
        Self { kind: Some(kind), lines, stopped: None }
    }

    fn count(&self, severity: Severity) -> usize {
        self.lines.iter().filter(|line| line.severity == severity).count()
    }
}

/// One finding, or the error that kept the file from being looked at further.
struct Line {
    severity: Severity,
    name: String,
    number: u16,
    message: String,
    blob: Option<usize>,
    offset: u64,
    found: u64,
}

impl From<Finding> for Line {
    fn from(finding: Finding) -> Self {
        let kind = finding.kind();
        Self {
            severity: finding.severity(),
            name: match kind {
                FindingKind::Fault(kind) => kind.name().to_owned(),
                other => format!("{other:?}"),
            },
            number: kind.number(),
            message: finding.to_string(),
            blob: finding.blob(),
            offset: finding.offset(),
            found: finding.found(),
        }
    }
}

impl From<Error> for Line {
    fn from(error: Error) -> Self {
        Self {
            severity: Severity::Error,
            name: error.kind().name().to_owned(),
            number: error.kind().number(),
            message: error.to_string(),
            blob: None,
            offset: error.offset(),
            found: error.found(),
        }
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

/// Checks one file and prints what was found. Returns whether there was no error.
fn one(path: &Path, args: &VerifyArgs, limits: &Limits, out: &mut Out) -> Result<bool, Failure> {
    let input = Input::open(path)?;
    let report = look_at(&input, args.kind, limits);
    if args.json {
        serde_json::to_writer(&mut *out, &as_json(path, &input, &report)).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        as_text(path, &report, out)?;
    }
    out.flush()?;
    match report.stopped {
        Some(message) => Err(Failure::Data(message)),
        None => Ok(report.count(Severity::Error) == 0),
    }
}

fn look_at(input: &Input, named: Option<Kind>, limits: &Limits) -> Report {
    let kind = match kind_of(input, named) {
        Ok(kind) => kind,
        Err(what) => return Report::foreign(what.to_string()),
    };
    let parsed = match kind {
        Kind::Puffin => return puffin(input, limits).unwrap_or_else(|error| Report::broken(kind, error)),
        Kind::Dv => DeletionVector::parse(input).map(drop),
        Kind::Roaring32 => Bitmap32::parse(input).map(drop),
        Kind::Roaring64 => Bitmap64::parse(input).map(drop),
    };
    match parsed {
        Ok(()) => Report::of(kind, Vec::new()),
        Err(error) => Report::broken(kind, error),
    }
}

fn puffin(bytes: &[u8], limits: &Limits) -> Result<Report, Error> {
    let file = PuffinFile::parse(bytes)?;
    let mut scratch = vec![0; file.scratch_len(limits)?];
    let metadata = file.metadata_with(&mut scratch, limits)?;
    Ok(Report::of(Kind::Puffin, findings(&file, &metadata, limits)))
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

fn as_json(path: &Path, input: &Input, report: &Report) -> Value {
    let findings: Vec<Value> = report
        .lines
        .iter()
        .map(|line| {
            json!({
                "severity": severity(line.severity),
                "kind": line.name,
                "number": line.number,
                "message": line.message,
                "blob": line.blob,
                "offset": line.offset,
                "found": line.found,
            })
        })
        .collect();
    json!({
        "file": PathBuf::from(path).to_string_lossy(),
        "size": input.len(),
        "kind": report.kind.map(crate::inspect::describe),
        "ok": report.count(Severity::Error) == 0,
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "findings": findings,
    })
}
