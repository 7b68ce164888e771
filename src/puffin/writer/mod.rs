//! Writing a Puffin file: magic, blobs of any type, footer.
//!
//! ```text
//!  file                                    footer buffer of the caller (28 bytes and more)
//!  +------------------+  new      ───▶     PFA1 {"blobs":[
//!  | PFA1             |
//!  +------------------+  add      ───▶     {"type":…,"offset":4,"length":…}
//!  | stored bytes     |
//!  +------------------+  add      ───▶     ,{"type":…}
//!  | stored bytes     |
//!  +------------------+  finish   ───▶     ],"properties":{…}} size flags PFA1
//!  | footer, at once  | ◀─────────────────────────────────────────────────────
//!  +------------------+
//! ```
//!
//! A [`Writer`] keeps the offset in the file and the text of the footer, and nothing else: the text grows in a buffer
//! of the caller's, the bytes of the file go to a [`Sink`] as they come. No allocation, no way back in the file.
//!
//! For the same blobs and properties the file is byte for byte the one that Iceberg Java writes: the order of fields,
//! `properties` and `compression-codec` left out when there are none, no spaces, escapes as Jackson has them.
//!
//! What is refused: what the specification forbids as far as the footer shows it (a `deletion-vector-v1` with a codec,
//! without a required property, or with a `snapshot-id` or `sequence-number` other than -1), and what a reader refuses
//! (a name twice or more than 256 names in one `properties`, a payload over 2³¹ - 1 bytes). Whether the stored bytes
//! are what type and codec say is the caller's word; [`table::VectorWriter`](crate::table::VectorWriter) looks at
//! vectors. A call that fails leaves the writer as it was, unless the sink failed.

mod new_blob;
mod sink;
#[cfg(test)]
mod tests;

use core::fmt::Display;
use core::ops::Range;

use self::new_blob::write_properties;
use super::{
    MAGIC,
    framing::{COMPRESSED, FOOTER_OVERHEAD, FooterLocation},
    json::Text,
};
use crate::{
    compression::lz4,
    error::{Error, ErrorKind, Result},
};

#[cfg(feature = "std")]
pub use sink::IoSink;
pub use {
    new_blob::{NO_PROPERTIES, NewBlob, NoProperties, properties_len},
    sink::{Detached, Sink, SliceSink},
};

/// Length of the footer of a file without blobs and properties: the shortest footer buffer.
pub const EMPTY_FOOTER_LEN: usize = OPENING.len() + CLOSING_LEN + FOOTER_OVERHEAD;

const OPENING: &[u8] = b"{\"blobs\":[";
const ARRAY_END: &[u8] = b"]";
const OBJECT_END: &[u8] = b"}";
/// Length of both, without properties between them.
const CLOSING_LEN: usize = ARRAY_END.len() + OBJECT_END.len();
/// Payload size, flags, closing magic.
const TAIL_LEN: usize = super::FOOTER_TAIL_LEN;

/// Writes one Puffin file.
///
/// # Examples
///
/// Into a slice, and then read back:
///
/// ```
/// use puffin_codec::puffin::{NewBlob, PuffinFile, SliceSink, Writer};
///
/// let (mut memory, mut buffer) = ([0; 400], [0; 300]);
/// let mut writer = Writer::new(SliceSink::new(&mut memory), &mut buffer)?;
/// assert_eq!(writer.add(NewBlob::new("greeting").fields(&[1]).snapshot(7, 3), b"hello")?, 4..9);
/// let footer = writer.finish([("created-by", "me")])?;
/// let footer_len = footer.location().len();
///
/// let bytes = writer.sink().written();
/// let file = PuffinFile::parse(bytes)?;
/// assert_eq!(file.footer().location().len(), footer_len);
/// assert_eq!(file.blob(&file.metadata(&mut [])?.blob(0).unwrap()?)?.bytes()?, b"hello");
/// # Ok::<(), puffin_codec::Error>(())
/// ```
///
/// By hand, wherever the bytes may go:
///
/// ```
/// use puffin_codec::puffin::{Detached, MAGIC, NewBlob, PuffinFile, Writer};
///
/// let mut buffer = [0; 300];
/// let mut file = MAGIC.to_vec();
/// let mut writer = Writer::new(Detached, &mut buffer)?;
/// writer.record(NewBlob::new("greeting"), 5)?;
/// file.extend(b"hello");
/// file.extend(writer.finish([("created-by", "me")])?.bytes());
/// assert_eq!(PuffinFile::parse(&file)?.metadata(&mut [])?.blob_count(), 1);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
///
/// Into a `std::io::Write`:
///
/// ```
/// # #[cfg(feature = "std")] {
/// use puffin_codec::puffin::{IoSink, NO_PROPERTIES, NewBlob, Writer};
///
/// let mut file = Vec::new();
/// let mut buffer = [0; 300];
/// let mut writer = Writer::new(IoSink(&mut file), &mut buffer)?;
/// writer.add(NewBlob::new("greeting"), b"hello")?;
/// writer.finish(NO_PROPERTIES)?;
/// assert!(file.starts_with(b"PFA1helloPFA1{"));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<'b, S> {
    sink: S,
    /// The footer from its first magic on.
    buffer: &'b mut [u8],
    /// How much of `buffer` is filled.
    len: usize,
    /// Where the next blob starts.
    offset: u64,
    blob_count: usize,
    closed: bool,
}

/// A blob that can be added: its entry is in the buffer, behind what counts.
#[derive(Debug)]
pub(crate) struct Staged {
    /// How much of the buffer is filled with it.
    len: usize,
    range: Range<u64>,
    vector: Option<StagedVector>,
}

/// What the entry of a deletion vector says.
#[derive(Clone, Debug)]
pub(crate) struct StagedVector {
    /// Where the location of the data file stands in [`Writer::buffer`], as written between quotes.
    pub(crate) data_file: Range<usize>,
    pub(crate) cardinality: u64,
}

impl Staged {
    pub(crate) const fn vector(&self) -> Option<&StagedVector> {
        self.vector.as_ref()
    }
}

impl<'b, S: Sink> Writer<'b, S> {
    /// Starts a file: gives `sink` the head magic. The footer grows in `buffer`.
    ///
    /// How much buffer a file takes is told by [`EMPTY_FOOTER_LEN`], [`NewBlob::entry_len`] and [`properties_len`]. A
    /// buffer that turns out to be too short can be [replaced](Self::replace_buffer).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] if `buffer` is shorter than [`EMPTY_FOOTER_LEN`]; what the sink says.
    pub fn new(mut sink: S, buffer: &'b mut [u8]) -> core::result::Result<Self, S::Error> {
        if buffer.len() < EMPTY_FOOTER_LEN {
            return Err(Error::new(ErrorKind::BufferTooSmall, 0, EMPTY_FOOTER_LEN as u64).into());
        }
        let offset = MAGIC.len() as u64;
        sink.reserve(offset)?;
        sink.write(&MAGIC)?;
        let mut text = Text::after(buffer, 0);
        text.put(&MAGIC);
        text.put(OPENING);
        let len = text.len();
        Ok(Self { sink, buffer, len, offset, blob_count: 0, closed: false })
    }

    /// Returns where the next blob starts in the file: how many bytes the sink has been given.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns how many blobs have been added.
    #[must_use]
    pub const fn blob_count(&self) -> usize {
        self.blob_count
    }

    /// Returns the sink.
    #[must_use]
    pub const fn sink(&self) -> &S {
        &self.sink
    }

    /// Gives the sink back. Without [`finish`](Self::finish) before, what it got is no Puffin file.
    #[must_use]
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Moves the footer to another buffer, a longer one mostly, and returns the one it was in.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`], with the size needed, if the footer so far does not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::{ErrorKind, puffin::{Detached, NewBlob, Writer}};
    ///
    /// let (mut short, mut long) = ([0; 60], [0; 600]);
    /// let mut writer = Writer::new(Detached, &mut short)?;
    /// let error = writer.record(NewBlob::new("greeting"), 5).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::BufferTooSmall);
    /// assert!(error.found() <= 600);
    /// writer.replace_buffer(&mut long)?;
    /// writer.record(NewBlob::new("greeting"), 5)?;
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn replace_buffer(&mut self, buffer: &'b mut [u8]) -> Result<&'b mut [u8]> {
        let need = self.len.saturating_add(CLOSING_LEN + TAIL_LEN);
        if buffer.len() < need {
            return Err(Error::new(ErrorKind::BufferTooSmall, 0, need as u64));
        }
        Text::after(buffer, 0).put(self.text());
        Ok(core::mem::replace(&mut self.buffer, buffer))
    }

    /// Adds a blob: its stored bytes to the sink, its entry to the footer. Returns its place in the file.
    ///
    /// `stored` is compressed already, if `blob` has a codec; see [`Codec::encode_into`](super::Codec::encode_into).
    /// Takes O(entry + `stored`), and O(n²) looks at the names of n properties, of which there are at most 256.
    ///
    /// # Errors
    ///
    /// * [`ErrorKind::BufferTooSmall`] if the footer buffer is too short for the entry and the end of a footer without
    ///   properties; `found` is the length that is needed;
    /// * [`ErrorKind::DuplicateName`], [`ErrorKind::TooManyMembers`] for properties, [`ErrorKind::InvalidArgument`] if
    ///   one fails to show itself; the offset is the number of the property;
    /// * [`ErrorKind::UnknownCodec`] for [`Codec::Unknown`](super::Codec::Unknown) without a name;
    /// * for a deletion vector, [`ErrorKind::VectorCompressed`], [`ErrorKind::SnapshotIdNotInherited`],
    ///   [`ErrorKind::SequenceNumberNotInherited`], [`ErrorKind::MissingProperty`], [`ErrorKind::BadProperty`];
    /// * [`ErrorKind::FooterTooLong`], [`ErrorKind::FileTooLong`], [`ErrorKind::WriterClosed`];
    /// * what the sink says.
    pub fn add<N: Display, V: Display>(
        &mut self,
        blob: NewBlob<'_, impl IntoIterator<Item = (N, V)>>,
        stored: &[u8],
    ) -> core::result::Result<Range<u64>, S::Error> {
        let staged = self.stage(blob, stored.len() as u64)?;
        self.write(staged, stored)
    }

    /// Writes the entry behind the text, where it does not count yet, and checks everything about it.
    pub(crate) fn stage<N: Display, V: Display>(
        &mut self,
        blob: NewBlob<'_, impl IntoIterator<Item = (N, V)>>,
        length: u64,
    ) -> Result<Staged> {
        self.check_open()?;
        blob.check()?;
        let end = file_end(self.offset, length)?;
        let is_vector = blob.is_vector();
        let mut text = Text::after(self.buffer, self.len);
        if self.blob_count > 0 {
            text.put(b",");
        }
        let found = blob.write(&mut text, self.offset, length)?;
        let len = text.len();
        check_payload(len.saturating_sub(MAGIC.len()).saturating_add(CLOSING_LEN))?;
        check_room(self.buffer, len.saturating_add(CLOSING_LEN + TAIL_LEN))?;
        let vector = match is_vector {
            true => {
                let (data_file, cardinality) = found.check(self.buffer)?;
                Some(StagedVector { data_file, cardinality })
            }
            false => None,
        };
        Ok(Staged { len, range: self.offset..end, vector })
    }

    /// Gives the sink the bytes of a staged blob, and counts it.
    pub(crate) fn write(&mut self, staged: Staged, stored: &[u8]) -> core::result::Result<Range<u64>, S::Error> {
        self.sink.reserve(staged.range.end)?;
        self.closed = true;
        self.sink.write(stored)?;
        self.closed = false;
        Ok(self.count(staged))
    }

    /// Counts a staged blob whose bytes are in the file.
    fn count(&mut self, staged: Staged) -> Range<u64> {
        self.len = staged.len;
        self.offset = staged.range.end;
        self.blob_count = self.blob_count.saturating_add(1);
        staged.range
    }

    /// Ends the file with its footer, which is also returned. Nothing can be added afterwards.
    ///
    /// `properties` are those of the file: [`CREATED_BY`](super::property::CREATED_BY), say, or [`NO_PROPERTIES`].
    /// Takes O(footer).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] if the footer buffer is too short for the properties, and the others of
    /// [`add`](Self::add) that are about properties and lengths; what the sink says.
    pub fn finish<N: Display, V: Display>(
        &mut self,
        properties: impl IntoIterator<Item = (N, V)>,
    ) -> core::result::Result<WrittenFooter<'_>, S::Error> {
        let text_len = self.close_text(properties)?;
        let footer_len = text_len.saturating_add(TAIL_LEN);
        check_room(self.buffer, footer_len)?;
        write_tail(self.buffer, text_len, 0);
        Self::write_footer(&mut self.sink, self.offset, &mut self.closed, self.buffer.get(..footer_len))
    }

    /// Ends the file as [`finish`](Self::finish) does, with the footer payload as one LZ4 frame.
    ///
    /// The footer is put together in `scratch`, of which [`finish_lz4_scratch_len`](Self::finish_lz4_scratch_len) says
    /// how much is needed. No other writer in the field compresses footers, and not every reader reads them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ScratchTooSmall`], with the length that is needed, and those of [`finish`](Self::finish).
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::puffin::{Detached, NO_PROPERTIES, NewBlob, Writer};
    ///
    /// let (mut buffer, mut scratch) = ([0; 2000], [0; 2000]);
    /// let mut writer = Writer::new(Detached, &mut buffer)?;
    /// for _ in 0..10 {
    ///     writer.record(NewBlob::new("greeting"), 5)?;
    /// }
    /// assert!(writer.finish_lz4_scratch_len(NO_PROPERTIES) <= 2000);
    /// let footer = writer.finish_lz4(NO_PROPERTIES, &mut scratch)?;
    /// assert!(footer.location().is_compressed() && footer.location().len() < 400);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn finish_lz4<'s, N: Display, V: Display>(
        &mut self,
        properties: impl IntoIterator<Item = (N, V)>,
        scratch: &'s mut [u8],
    ) -> core::result::Result<WrittenFooter<'s>, S::Error> {
        let text_len = self.close_text(properties)?;
        check_room(self.buffer, text_len)?;
        let internal = Error::new(ErrorKind::Internal, 0, 0);
        let text = self.buffer.get(MAGIC.len()..text_len).ok_or(internal)?;
        let need = lz4_scratch_len(text.len());
        if scratch.len() < need {
            return Err(Error::new(ErrorKind::ScratchTooSmall, 0, need as u64).into());
        }
        let frame_len = lz4::encode_into(text, scratch.get_mut(MAGIC.len()..).unwrap_or_default())?;
        check_payload(frame_len)?;
        let end = MAGIC.len().saturating_add(frame_len);
        Text::after(scratch, 0).put(&MAGIC);
        write_tail(scratch, end, COMPRESSED);
        let scratch: &'s [u8] = scratch;
        let footer = scratch.get(..end.saturating_add(TAIL_LEN));
        Self::write_footer(&mut self.sink, self.offset, &mut self.closed, footer)
    }

    /// Returns how many bytes of scratch [`finish_lz4`](Self::finish_lz4) needs with those properties.
    #[must_use]
    pub fn finish_lz4_scratch_len<N: Display, V: Display>(
        &self,
        properties: impl IntoIterator<Item = (N, V)>,
    ) -> usize {
        let text_len = self.len.saturating_add(CLOSING_LEN).saturating_add(properties_len(properties));
        lz4_scratch_len(text_len.saturating_sub(MAGIC.len()))
    }

    /// Writes the end of the text behind it, where it does not count yet. Returns where it ends in the buffer.
    fn close_text<N: Display, V: Display>(&mut self, properties: impl IntoIterator<Item = (N, V)>) -> Result<usize> {
        self.check_open()?;
        let mut text = Text::after(self.buffer, self.len);
        text.put(ARRAY_END);
        write_properties(&mut text, properties, |_, _| {})?;
        text.put(OBJECT_END);
        let len = text.len();
        check_payload(len.saturating_sub(MAGIC.len()))?;
        Ok(len)
    }

    /// Gives the sink the footer. This and failing are the ends of a writer.
    fn write_footer<'f>(
        sink: &mut S,
        offset: u64,
        closed: &mut bool,
        footer: Option<&'f [u8]>,
    ) -> core::result::Result<WrittenFooter<'f>, S::Error> {
        let bytes = footer.ok_or(Error::new(ErrorKind::Internal, 0, 0))?;
        let file_len = file_end(offset, bytes.len() as u64)?;
        let location = FooterLocation::from_closing(bytes, file_len)?;
        sink.reserve(file_len)?;
        *closed = true;
        sink.write(bytes)?;
        Ok(WrittenFooter { bytes, location })
    }

    /// Returns the footer so far, from its first magic on.
    pub(crate) fn text(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// Returns the buffer, with the entry that is staged behind what counts.
    pub(crate) const fn buffer(&self) -> &[u8] {
        self.buffer
    }

    fn check_open(&self) -> Result<()> {
        if self.closed { Err(Error::new(ErrorKind::WriterClosed, 0, 0)) } else { Ok(()) }
    }
}

impl Writer<'_, Detached> {
    /// Adds the entry of a blob of `length` stored bytes, which the caller puts at the place that is returned.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn record<N: Display, V: Display>(
        &mut self,
        blob: NewBlob<'_, impl IntoIterator<Item = (N, V)>>,
        length: u64,
    ) -> Result<Range<u64>> {
        let staged = self.stage(blob, length)?;
        Ok(self.count(staged))
    }
}

impl Writer<'_, SliceSink<'_>> {
    /// Returns the memory behind what is written, to make a blob where it will lie. [`commit`](Self::commit) adds it.
    #[must_use]
    pub fn spare(&mut self) -> &mut [u8] {
        self.sink.spare()
    }

    /// Adds a blob whose stored bytes are the first `length` of [`spare`](Self::spare).
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add); [`ErrorKind::BufferTooSmall`] if the slice is too short for `length`.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::puffin::{NewBlob, SliceSink, Writer};
    ///
    /// let (mut memory, mut buffer) = ([0; 400], [0; 300]);
    /// let mut writer = Writer::new(SliceSink::new(&mut memory), &mut buffer)?;
    /// writer.spare()[..5].copy_from_slice(b"hello");
    /// assert_eq!(writer.commit(NewBlob::new("greeting"), 5)?, 4..9);
    /// assert_eq!(writer.sink().written(), b"PFA1hello");
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn commit<N: Display, V: Display>(
        &mut self,
        blob: NewBlob<'_, impl IntoIterator<Item = (N, V)>>,
        length: usize,
    ) -> Result<Range<u64>> {
        let staged = self.stage(blob, length as u64)?;
        self.commit_spare(staged)
    }

    /// Counts a staged blob whose bytes are in the spare memory.
    pub(crate) fn commit_spare(&mut self, staged: Staged) -> Result<Range<u64>> {
        self.sink.reserve(staged.range.end)?;
        let length = staged.range.end.saturating_sub(staged.range.start);
        self.sink.advance(usize::try_from(length).map_err(|_| Error::new(ErrorKind::Internal, 0, length))?);
        Ok(self.count(staged))
    }

    /// Compresses `content` as the codec of `blob` says, where it will lie, and adds it.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add); [`ErrorKind::BufferTooSmall`] if the slice is too short, with the length that is enough
    /// for the codec's [`max_encoded_len`](super::Codec::max_encoded_len); [`ErrorKind::CodecNotBuilt`] for zstd
    /// without the feature `zstd`.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::puffin::{Codec, NewBlob, SliceSink, Writer};
    ///
    /// let (mut memory, mut buffer) = ([0; 1200], [0; 300]);
    /// let mut writer = Writer::new(SliceSink::new(&mut memory), &mut buffer)?;
    /// let range = writer.add_encoded(NewBlob::new("greeting").codec(Codec::Lz4), &[b'!'; 1000])?;
    /// assert!(range.end < 60);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn add_encoded<N: Display, V: Display>(
        &mut self,
        blob: NewBlob<'_, impl IntoIterator<Item = (N, V)>>,
        content: &[u8],
    ) -> Result<Range<u64>> {
        self.check_open()?;
        blob.check()?;
        let offset = self.offset;
        let length = blob.has_codec().encode_into(content, self.spare()).map_err(|error| match error.kind() {
            ErrorKind::BufferTooSmall => Error::at(error.kind(), offset, offset.saturating_add(error.found())),
            _ => error,
        })?;
        self.commit(blob, length)
    }
}

/// The footer of a file that was written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenFooter<'f> {
    bytes: &'f [u8],
    location: FooterLocation,
}

impl<'f> WrittenFooter<'f> {
    /// Returns the bytes of the footer, from its first magic to the end of the file.
    #[must_use]
    pub const fn bytes(&self) -> &'f [u8] {
        self.bytes
    }

    /// Returns where the footer is, which also says how long the file is ([`FooterLocation::file_len`]) and how long
    /// the footer ([`FooterLocation::len`], the `file-footer-size-in-bytes` of a table's statistics file).
    #[must_use]
    pub const fn location(&self) -> FooterLocation {
        self.location
    }
}

/// Returns where a part of the file ends, if an offset can say it.
fn file_end(offset: u64, length: u64) -> Result<u64> {
    offset.checked_add(length).filter(|&end| i64::try_from(end).is_ok()).ok_or(Error::new(
        ErrorKind::FileTooLong,
        0,
        length,
    ))
}

/// Refuses a payload that its size field cannot count.
fn check_payload(len: usize) -> Result<()> {
    match i32::try_from(len) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::new(ErrorKind::FooterTooLong, 0, len as u64)),
    }
}

fn check_room(buffer: &[u8], need: usize) -> Result<()> {
    if buffer.len() < need {
        return Err(Error::new(ErrorKind::BufferTooSmall, 0, need as u64));
    }
    Ok(())
}

/// Writes payload size, flags and magic behind a payload that ends at `end`.
fn write_tail(footer: &mut [u8], end: usize, flags: u32) {
    // Checked to fit when the payload was.
    let payload_len = u32::try_from(end.saturating_sub(MAGIC.len())).unwrap_or(u32::MAX);
    let mut tail = Text::after(footer, end);
    tail.put(&payload_len.to_le_bytes());
    tail.put(&flags.to_le_bytes());
    tail.put(&MAGIC);
}

/// Returns the scratch that a text takes: magic, frame, tail.
fn lz4_scratch_len(text_len: usize) -> usize {
    lz4::max_encoded_len(text_len).saturating_add(FOOTER_OVERHEAD)
}
