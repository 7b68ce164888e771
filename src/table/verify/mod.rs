//! Everything there is to say about a Puffin file, as an iterator of findings.
//!
//! Reading a file stops at the first fault that matters to the reader; [`Verify`] goes on, and also reports what no
//! reader minds: breaches of the specification that leave the bytes readable, ranges that overlap, bytes that no blob
//! owns, and habits of writers that other readers stumble over.

mod blob;
mod layout;

use core::fmt;

use crate::error::{Error, ErrorKind, Found, Result};
use crate::limits::Limits;
use crate::puffin::{Blobs, FieldName, FileMetadata, PuffinFile, property};

use blob::check_blob;
use layout::{Layout, WORDS_PER_BLOB};

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Severity {
    /// Legal, and worth knowing.
    Note = 1,
    /// Legal or left open by the specification, but some readers fail on it or lose time or space by it.
    Warning = 2,
    /// A MUST of the specification is broken, or readers may answer differently.
    Error = 3,
}

/// What a [`Finding`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// What a reader of that blob or entry would be told.
    Fault(ErrorKind),
    /// The blob's bytes overlap another's. `found`: number of the other blob.
    Overlap,
    /// Another blob holds the vector of the same data file. `found`: number of the other blob.
    DuplicateVector,
    /// Bytes between blobs, or before the footer, belong to no blob. `found`: how many.
    Gap,
    /// The blob is of a type that the specification does not name.
    UnknownType,
    /// The blob has a codec that the specification does not name.
    UnknownCodec,
    /// `fields` of a vector is neither empty nor the row position's id, 2147483645.
    UnusualFields,
    /// A vector has a key of 0x7FFFFFFF, which Iceberg Java refuses.
    HighestKey,
    /// A 32-bit bitmap has the run cookie and no run: Java-family readers lose their place after it. `found`: how many.
    RunCookieWithoutRuns,
    /// The content of a compressed blob was not decoded: no buffer, or one too short. `found`: the size needed.
    NotDecoded,
    /// A vector stores buckets without positions, as Iceberg Java does for missing keys. `found`: how many.
    DenseKeys,
    /// Containers of a vector would be smaller in another form. `found`: how many.
    NonOptimalContainers,
    /// The file does not say who wrote it: no `created-by`.
    NoCreatedBy,
}

impl FindingKind {
    /// Returns the number of this kind: that of the [`ErrorKind`], or one from 901 on.
    #[must_use]
    pub const fn number(self) -> u16 {
        match self {
            Self::Fault(kind) => kind.number(),
            Self::Overlap => 901,
            Self::DuplicateVector => 902,
            Self::Gap => 911,
            Self::UnknownType => 912,
            Self::UnknownCodec => 913,
            Self::UnusualFields => 914,
            Self::HighestKey => 915,
            Self::RunCookieWithoutRuns => 916,
            Self::NotDecoded => 917,
            Self::DenseKeys => 921,
            Self::NonOptimalContainers => 922,
            Self::NoCreatedBy => 923,
        }
    }

    /// Returns a short fragment that says what was found.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Fault(kind) => kind.message(),
            Self::Overlap => "blob overlaps another",
            Self::DuplicateVector => "second vector for one data file",
            Self::Gap => "bytes that belong to no blob",
            Self::UnknownType => "unknown blob type",
            Self::UnknownCodec => "unknown compression codec",
            Self::UnusualFields => "unusual fields of a vector",
            Self::HighestKey => "key 0x7FFFFFFF, which Iceberg Java refuses",
            Self::RunCookieWithoutRuns => "run cookie without runs, which Java readers misread",
            Self::NotDecoded => "compressed content not decoded",
            Self::DenseKeys => "buckets without positions",
            Self::NonOptimalContainers => "containers not in their smallest form",
            Self::NoCreatedBy => "no created-by property",
        }
    }

    /// Returns how bad this is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self.number() {
            ..=909 => Severity::Error,
            910..=919 => Severity::Warning,
            _ => Severity::Note,
        }
    }
}

/// One thing to say about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    kind: FindingKind,
    blob: Option<usize>,
    offset: u64,
    found: u64,
}

impl Finding {
    const fn new(kind: FindingKind, blob: Option<usize>, offset: u64, found: u64) -> Self {
        Self { kind, blob, offset, found }
    }

    const fn fault(error: Error, blob: usize) -> Self {
        Self::new(FindingKind::Fault(error.kind()), Some(blob), error.offset(), error.found())
    }

    /// Returns how bad it is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// Returns what was found.
    #[must_use]
    pub const fn kind(&self) -> FindingKind {
        self.kind
    }

    /// Returns the number of the blob, in footer order from 0, unless it is about the file.
    #[must_use]
    pub const fn blob(&self) -> Option<usize> {
        self.blob
    }

    /// Returns where in the file; for faults in a compressed footer, where in its decoded text.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the value found; [`FindingKind`] and [`ErrorKind`] say which.
    #[must_use]
    pub const fn found(&self) -> u64 {
        self.found
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.kind.message();
        match self.kind {
            FindingKind::Fault(ErrorKind::MissingProperty | ErrorKind::BadProperty) => {
                write!(f, "{message}: {} at byte {}", property::name(self.found), self.offset)
            }
            FindingKind::Fault(ErrorKind::MissingField) => {
                let field = FieldName::ALL.iter().find(|&&field| field as u64 == self.found);
                write!(f, "{message}: {} at byte {}", field.map_or("", |field| field.as_str()), self.offset)
            }
            FindingKind::Fault(kind) => {
                write!(f, "{message} at byte {} (found {})", self.offset, Found(kind, self.found))
            }
            FindingKind::Overlap | FindingKind::DuplicateVector => {
                write!(f, "{message} (blob {}) at byte {}", self.found, self.offset)
            }
            FindingKind::NoCreatedBy | FindingKind::UnknownType | FindingKind::UnknownCodec => f.write_str(message),
            _ => write!(f, "{message} at byte {} ({})", self.offset, self.found),
        }
    }
}

/// Findings that wait to be handed out: those of one blob, or of one step over the layout.
#[derive(Clone, Copy, Debug)]
struct Queue {
    findings: [Option<Finding>; Self::CAPACITY],
    len: usize,
    next: usize,
}

impl Queue {
    /// Checks of one blob that can each find something; [`blob::check_blob`] has fewer.
    const CAPACITY: usize = 16;

    const EMPTY: Self = Self { findings: [None; Self::CAPACITY], len: 0, next: 0 };

    fn push(&mut self, finding: Finding) {
        if let Some(slot) = self.findings.get_mut(self.len) {
            *slot = Some(finding);
            self.len = self.len.saturating_add(1);
        }
    }

    fn pop(&mut self) -> Option<Finding> {
        let finding = self.findings.get(self.next..self.len)?.first().copied().flatten();
        self.next = self.next.saturating_add(1);
        if finding.is_none() {
            *self = Self::EMPTY;
        }
        finding
    }
}

/// Returns the scratch that [`Verify::new`] needs for so many blobs, in 64-bit words.
#[must_use]
pub const fn verify_scratch_len(blob_count: usize) -> usize {
    blob_count.saturating_mul(WORDS_PER_BLOB)
}

/// Iterates over every finding about a file, blob by blob in footer order, then over those about their layout.
///
/// A file without a finding of [`Severity::Error`] conforms to the specification as far as its bytes can show. Takes
/// O(file + n log n) for n blobs, allocates nothing, and ends by itself.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::PuffinFile;
/// use puffin_codec::table::{FindingKind, Severity, Verify};
///
/// let file = PuffinFile::parse(b"PFA1ownerPFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1")?;
/// let metadata = file.metadata(&mut [])?;
/// let findings: Vec<_> = Verify::new(&file, &metadata, &mut [])?.collect();
/// assert_eq!(findings[0].kind(), FindingKind::NoCreatedBy);
/// assert_eq!((findings[1].kind(), findings[1].offset(), findings[1].found()), (FindingKind::Gap, 4, 5));
/// assert!(findings.iter().all(|finding| finding.severity() < Severity::Error));
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Debug)]
pub struct Verify<'a, 's, 'b> {
    file: PuffinFile<'a>,
    limits: Limits,
    decoded: &'b mut [u8],
    queue: Queue,
    /// Number of the next blob to look at.
    blobs: Blobs<'s>,
    next: usize,
    layout: Layout<'s, 'b>,
}

impl<'a, 's, 'b> Verify<'a, 's, 'b> {
    /// Starts to verify `file`, whose metadata `metadata` is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ScratchTooSmall`] if `scratch` has fewer words than [`verify_scratch_len`] asks for.
    pub fn new(file: &PuffinFile<'a>, metadata: &FileMetadata<'s>, scratch: &'b mut [u64]) -> Result<Self> {
        let needed = verify_scratch_len(metadata.blob_count());
        let Some(scratch) = scratch.get_mut(..needed) else {
            return Err(Error::new(ErrorKind::ScratchTooSmall, 0, needed as u64));
        };
        let mut queue = Queue::EMPTY;
        if metadata.property(property::CREATED_BY).is_none() {
            let footer = file.footer().location().offset();
            queue.push(Finding::new(FindingKind::NoCreatedBy, None, footer, 0));
        }
        Ok(Self {
            file: *file,
            limits: Limits::DEFAULT,
            decoded: &mut [],
            queue,
            blobs: metadata.blobs(),
            next: 0,
            layout: Layout::new(*metadata, file.footer().location().offset(), scratch),
        })
    }

    /// Decodes compressed blobs into `buffer` to check them whole, as far as they fit and `limits` allow.
    ///
    /// Without a buffer only the frame's header is checked, and [`FindingKind::NotDecoded`] says so.
    #[must_use]
    pub fn with_buffer(mut self, buffer: &'b mut [u8], limits: &Limits) -> Self {
        self.decoded = buffer;
        self.limits = *limits;
        self
    }
}

impl Iterator for Verify<'_, '_, '_> {
    type Item = Finding;

    fn next(&mut self) -> Option<Finding> {
        loop {
            if let Some(finding) = self.queue.pop() {
                return Some(finding);
            }
            if let Some(blob) = self.blobs.next() {
                let number = self.next;
                self.next = self.next.saturating_add(1);
                match blob {
                    Err(error) => self.queue.push(Finding::fault(error, number)),
                    Ok(blob) => {
                        self.layout.add(&blob);
                        check_blob(&self.file, &blob, self.decoded, &self.limits, &mut self.queue);
                    }
                }
            } else if !self.layout.step(&mut self.queue) {
                return None;
            }
        }
    }
}

impl core::iter::FusedIterator for Verify<'_, '_, '_> {}
