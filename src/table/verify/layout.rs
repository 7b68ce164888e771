//! Findings about how blobs lie in a file: overlaps, gaps, and two vectors for one data file.
//!
//! Uniqueness without a heap: three words of scratch for each blob, sorted in place, once by range and once by data
//! file.

use crate::puffin::{BlobMetadata, DELETION_VECTOR_V1, FileMetadata, JsonStr, property};
use crate::table::sort::sort;
use crate::table::verify::{Finding, FindingKind, Queue};

/// Scratch for each blob: three words, read as the step at hand needs them.
pub(super) const WORDS_PER_BLOB: usize = 3;

/// Length of the magic at the head: the first place where a blob may be.
const FIRST_BLOB: u64 = 4;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Blobs are still being added.
    Adding,
    /// Blob by blob in order of offset: `end` is where the ones before end, `owner` the one that ends there.
    Ranges {
        next: usize,
        end: u64,
        owner: u64,
    },
    /// Vector by vector in order of data file.
    DataFiles {
        next: usize,
    },
    Done,
}

/// Collects blobs, then reports on them one step at a time.
#[derive(Debug)]
pub(super) struct Layout<'s, 'b> {
    metadata: FileMetadata<'s>,
    footer_offset: u64,
    entries: &'b mut [[u64; WORDS_PER_BLOB]],
    len: usize,
    step: Step,
}

impl<'s, 'b> Layout<'s, 'b> {
    /// `scratch` holds [`WORDS_PER_BLOB`] words for each blob of `metadata`.
    pub(super) fn new(metadata: FileMetadata<'s>, footer_offset: u64, scratch: &'b mut [u64]) -> Self {
        let (entries, _) = scratch.as_chunks_mut();
        Self { metadata, footer_offset, entries, len: 0, step: Step::Adding }
    }

    /// Takes note of the range of a blob.
    pub(super) fn add(&mut self, blob: &BlobMetadata<'_>) {
        self.push([blob.offset(), blob.length(), blob.index() as u64]);
    }

    fn push(&mut self, entry: [u64; WORDS_PER_BLOB]) {
        if let Some(slot) = self.entries.get_mut(self.len) {
            *slot = entry;
            self.len = self.len.saturating_add(1);
        }
    }

    /// Makes one step, which may push findings. Returns whether there was one to make.
    pub(super) fn step(&mut self, queue: &mut Queue) -> bool {
        match self.step {
            Step::Adding => {
                sort(self.added(), |a, b| a < b);
                self.step = Step::Ranges { next: 0, end: FIRST_BLOB, owner: 0 };
            }
            Step::Ranges { next, end, owner } => match self.added().get(next).copied() {
                Some([offset, length, index]) => {
                    gap(end, offset, queue);
                    if offset < end && length > 0 {
                        let finding = Finding::new(FindingKind::Overlap, number(index), offset, owner);
                        queue.push(finding);
                    }
                    let blob_end = offset.saturating_add(length);
                    let (end, owner) = if blob_end > end { (blob_end, index) } else { (end, owner) };
                    self.step = Step::Ranges { next: next.saturating_add(1), end, owner };
                }
                None => {
                    gap(end, self.footer_offset, queue);
                    self.collect_data_files();
                    self.step = Step::DataFiles { next: 1 };
                }
            },
            Step::DataFiles { next } => {
                let pair = (self.added().get(next.saturating_sub(1)).copied(), self.added().get(next).copied());
                let (Some(before), Some(entry)) = pair else {
                    self.step = Step::Done;
                    return true;
                };
                if self.data_file(before) == self.data_file(entry) {
                    let [at, _, index] = entry;
                    let [_, _, other] = before;
                    let at = self.metadata.error_offset(at);
                    queue.push(Finding::new(FindingKind::DuplicateVector, number(index), at, other));
                }
                self.step = Step::DataFiles { next: next.saturating_add(1) };
            }
            Step::Done => return false,
        }
        true
    }

    fn added(&mut self) -> &mut [[u64; WORDS_PER_BLOB]] {
        self.entries.get_mut(..self.len).unwrap_or_default()
    }

    /// Replaces the ranges by where the data file of each vector stands in the footer, sorted by data file.
    fn collect_data_files(&mut self) {
        self.len = 0;
        let metadata = self.metadata;
        let vectors = metadata.blobs().flatten().filter(|blob| blob.blob_type() == *DELETION_VECTOR_V1);
        for blob in vectors {
            if let Some((start, len)) =
                blob.property(property::REFERENCED_DATA_FILE).and_then(|path| metadata.span_of(&path))
            {
                self.push([start as u64, len as u64, blob.index() as u64]);
            }
        }
        let path = |entry: &[u64; WORDS_PER_BLOB]| data_file(&metadata, *entry);
        sort(self.added(), |a, b| path(a).cmp(&path(b)).then_with(|| a.cmp(b)).is_lt());
    }

    fn data_file(&self, entry: [u64; WORDS_PER_BLOB]) -> Option<JsonStr<'s>> {
        data_file(&self.metadata, entry)
    }
}

/// Returns the string whose place [`Layout::collect_data_files`] noted.
fn data_file<'s>(metadata: &FileMetadata<'s>, [start, len, _]: [u64; WORDS_PER_BLOB]) -> Option<JsonStr<'s>> {
    metadata.string_at(usize::try_from(start).ok()?, usize::try_from(len).ok()?)
}

/// Reports bytes between the end of one thing and the start of the next.
fn gap(end: u64, start: u64, queue: &mut Queue) {
    if start > end {
        queue.push(Finding::new(FindingKind::Gap, None, end, start.saturating_sub(end)));
    }
}

fn number(index: u64) -> Option<usize> {
    usize::try_from(index).ok()
}
