//! Writing vectors into a Puffin file, one for each data file.

use core::fmt::Display;
use core::ops::Range;

use twox_hash::XxHash32;

use crate::deletion_vector::{DeletionVector, MAX_KEY};
use crate::error::{Error, ErrorKind, Result};
use crate::puffin::{DELETION_VECTOR_V1, NewBlob, Sink, SliceSink, Staged, Writer, WrittenFooter, property};
use crate::table::{ManifestEntry, ROW_POSITION_FIELD_ID};

/// Words of scratch for each vector: so that half of the slots stay free.
const WORDS_PER_VECTOR: usize = 2;

/// Writes a Puffin file of deletion vectors, of at most one for each data file; blobs of other types may be among them.
///
/// What is written is what a bound read accepts: every vector is parsed before it is added, and its entry is that of
/// Iceberg Java: `snapshot-id` and `sequence-number` -1, no codec, `referenced-data-file`, `cardinality`.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::{PuffinFile, SliceSink};
/// use puffin_codec::table::{VectorWriter, read_bound, vector_writer_scratch_len};
///
/// // A vector without positions: size, magic, no buckets, CRC-32.
/// let vector = [0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C];
/// let (mut memory, mut buffer, mut scratch) = ([0; 600], [0; 400], [0; vector_writer_scratch_len(1)]);
///
/// let mut writer = VectorWriter::new(SliceSink::new(&mut memory), &mut buffer, &mut scratch)?;
/// let entry = writer.add("s3://bucket/data/a.parquet", &vector)?;
/// writer.finish([("created-by", "me")])?;
/// assert_eq!((entry.content_offset, entry.content_size_in_bytes, entry.record_count), (4, 20, 0));
///
/// let file = PuffinFile::parse(writer.sink().written())?;
/// assert!(read_bound(&file, &file.metadata(&mut [])?, &entry)?.is_empty());
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Debug)]
pub struct VectorWriter<'b, S> {
    writer: Writer<'b, S>,
    data_files: DataFiles<'b>,
    fields: &'b [i32],
}

/// Returns how many words of scratch a [`VectorWriter`] needs for `vectors` vectors.
#[must_use]
pub const fn vector_writer_scratch_len(vectors: usize) -> usize {
    vectors.saturating_mul(WORDS_PER_VECTOR)
}

impl<'b, S: Sink> VectorWriter<'b, S> {
    /// Starts a file, as [`Writer::new`] does. `scratch` has [`vector_writer_scratch_len`] words for the vectors to
    /// come; what is in it does not matter.
    ///
    /// # Errors
    ///
    /// As [`Writer::new`].
    pub fn new(sink: S, buffer: &'b mut [u8], scratch: &'b mut [u64]) -> core::result::Result<Self, S::Error> {
        let writer = Writer::new(sink, buffer)?;
        Ok(Self { writer, data_files: DataFiles::new(scratch), fields: &[ROW_POSITION_FIELD_ID] })
    }

    /// Sets the `fields` of the vectors that [`add`](Self::add) adds from here on. Unless set, they are
    /// `[2147483645]`, the reserved id of the row position column, as Iceberg Java writes them; DuckDB writes `[]`.
    pub fn set_fields(&mut self, fields: &'b [i32]) {
        self.fields = fields;
    }

    /// Adds the vector of `data_file`, and returns what a manifest has to say of it.
    ///
    /// The bytes of `vector` are parsed in full first. Takes O(entry + `vector`) and, to see that the data file is a
    /// new one, one look into a hash table: locations themselves are compared, and only those with equal hashes.
    ///
    /// # Errors
    ///
    /// * everything that [`DeletionVector::parse`] reports;
    /// * [`ErrorKind::KeyOutOfRange`] for key 0x7FFF_FFFF, which Iceberg Java refuses;
    /// * [`ErrorKind::DuplicateVector`] if the file has a vector of `data_file`; `found` is the number of the new blob;
    /// * [`ErrorKind::ScratchTooSmall`], with the size needed, if the scratch has no room for one more vector;
    /// * those of [`Writer::add`].
    pub fn add<'m>(&mut self, data_file: &'m str, vector: &[u8]) -> core::result::Result<ManifestEntry<'m>, S::Error> {
        let record_count = check_vector(vector)?;
        let blob = vector_blob(self.fields, &data_file, &record_count);
        let staged = self.writer.stage(blob, vector.len() as u64)?;
        let slot = self.data_files.find(&self.writer, &staged)?;
        let range = self.writer.write(staged, vector)?;
        self.data_files.fill(slot);
        Ok(entry(data_file, &range, record_count)?)
    }

    /// Adds a blob of any type, as [`Writer::add`] does. A vector is checked as [`add`](Self::add) checks it, and its
    /// `cardinality` compared with its bytes.
    ///
    /// # Errors
    ///
    /// As [`Writer::add`]; for a vector also as [`add`](Self::add), and [`ErrorKind::CardinalityMismatch`].
    pub fn add_blob<N: Display, V: Display>(
        &mut self,
        blob: NewBlob<'_, impl IntoIterator<Item = (N, V)>>,
        stored: &[u8],
    ) -> core::result::Result<Range<u64>, S::Error> {
        let staged = self.writer.stage(blob, stored.len() as u64)?;
        let slot = match staged.vector() {
            None => None,
            Some(vector) => {
                if check_vector(stored)? != vector.cardinality {
                    return Err(Error::new(ErrorKind::CardinalityMismatch, 0, vector.cardinality).into());
                }
                self.data_files.find(&self.writer, &staged)?
            }
        };
        let range = self.writer.write(staged, stored)?;
        self.data_files.fill(slot);
        Ok(range)
    }

    /// Ends the file; see [`Writer::finish`].
    ///
    /// # Errors
    ///
    /// As [`Writer::finish`].
    pub fn finish<N: Display, V: Display>(
        &mut self,
        properties: impl IntoIterator<Item = (N, V)>,
    ) -> core::result::Result<WrittenFooter<'_>, S::Error> {
        self.writer.finish(properties)
    }

    /// Ends the file with a compressed footer; see [`Writer::finish_lz4`].
    ///
    /// # Errors
    ///
    /// As [`Writer::finish_lz4`].
    pub fn finish_lz4<'s, N: Display, V: Display>(
        &mut self,
        properties: impl IntoIterator<Item = (N, V)>,
        scratch: &'s mut [u8],
    ) -> core::result::Result<WrittenFooter<'s>, S::Error> {
        self.writer.finish_lz4(properties, scratch)
    }

    /// Moves the footer to another buffer; see [`Writer::replace_buffer`].
    ///
    /// # Errors
    ///
    /// As [`Writer::replace_buffer`].
    pub fn replace_buffer(&mut self, buffer: &'b mut [u8]) -> Result<&'b mut [u8]> {
        self.writer.replace_buffer(buffer)
    }

    /// Moves the table of data files to other scratch, longer mostly.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ScratchTooSmall`], with the size needed, if the data files so far do not fit.
    pub fn replace_scratch(&mut self, scratch: &'b mut [u64]) -> Result<()> {
        let need = vector_writer_scratch_len(self.data_files.len);
        if scratch.len() < need {
            return Err(Error::new(ErrorKind::ScratchTooSmall, 0, need as u64));
        }
        let mut data_files = DataFiles::new(scratch);
        for slot in self.data_files.slots.iter().copied().filter(|&slot| slot != FREE) {
            data_files.insert(slot);
        }
        self.data_files = data_files;
        Ok(())
    }

    /// Returns the writer of the file, to look at.
    #[must_use]
    pub const fn writer(&self) -> &Writer<'b, S> {
        &self.writer
    }

    /// Returns the sink.
    #[must_use]
    pub const fn sink(&self) -> &S {
        self.writer.sink()
    }

    /// Gives the sink back; see [`Writer::into_sink`].
    #[must_use]
    pub fn into_sink(self) -> S {
        self.writer.into_sink()
    }
}

impl VectorWriter<'_, SliceSink<'_>> {
    /// Returns the memory behind what is written, to encode a vector where it will lie.
    #[must_use]
    pub fn spare(&mut self) -> &mut [u8] {
        self.writer.spare()
    }

    /// Adds the vector of `data_file` that is the first `length` bytes of [`spare`](Self::spare).
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add); [`ErrorKind::BufferTooSmall`] if the slice is too short for `length`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use puffin_codec::puffin::SliceSink;
    /// # use puffin_codec::table::{VectorWriter, vector_writer_scratch_len};
    /// let vector = [0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C];
    /// let (mut memory, mut buffer, mut scratch) = ([0; 600], [0; 400], [0; vector_writer_scratch_len(1)]);
    /// let mut writer = VectorWriter::new(SliceSink::new(&mut memory), &mut buffer, &mut scratch)?;
    /// writer.spare()[..20].copy_from_slice(&vector); // an encoder would write here
    /// let entry = writer.commit("s3://bucket/data/a.parquet", 20)?;
    /// assert_eq!((entry.content_offset, entry.content_size_in_bytes), (4, 20));
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn commit<'m>(&mut self, data_file: &'m str, length: usize) -> Result<ManifestEntry<'m>> {
        let offset = self.writer.offset();
        let too_short = Error::at(ErrorKind::BufferTooSmall, offset, offset.saturating_add(length as u64));
        let record_count = check_vector(self.writer.spare().get(..length).ok_or(too_short)?)?;
        let blob = vector_blob(self.fields, &data_file, &record_count);
        let staged = self.writer.stage(blob, length as u64)?;
        let slot = self.data_files.find(&self.writer, &staged)?;
        let range = self.writer.commit_spare(staged)?;
        self.data_files.fill(slot);
        entry(data_file, &range, record_count)
    }
}

/// The properties of a vector, in the order of Iceberg Java.
type VectorProperties<'p> = [(&'static str, &'p dyn Display); 2];

fn vector_blob<'p>(
    fields: &'p [i32],
    data_file: &'p dyn Display,
    cardinality: &'p dyn Display,
) -> NewBlob<'p, VectorProperties<'p>> {
    let properties = [(property::REFERENCED_DATA_FILE, data_file), (property::CARDINALITY, cardinality)];
    NewBlob::new(DELETION_VECTOR_V1).fields(fields).properties(properties)
}

/// Parses a vector and holds it against what writers may write. Returns its cardinality.
fn check_vector(bytes: &[u8]) -> Result<u64> {
    let vector = DeletionVector::parse(bytes)?;
    if vector.bitmap().buckets().any(|(key, _)| key == MAX_KEY) {
        return Err(Error::new(ErrorKind::KeyOutOfRange, 0, MAX_KEY.into()));
    }
    Ok(vector.cardinality())
}

fn entry<'m>(data_file: &'m str, range: &Range<u64>, record_count: u64) -> Result<ManifestEntry<'m>> {
    // The end of the range fits, and a vector has fewer than 2^63 positions.
    let signed = |value: u64| i64::try_from(value).map_err(|_| Error::new(ErrorKind::Internal, 0, value));
    Ok(ManifestEntry {
        content_offset: signed(range.start)?,
        content_size_in_bytes: signed(range.end.saturating_sub(range.start))?,
        record_count: signed(record_count)?,
        referenced_data_file: data_file,
    })
}

/// The data files that have a vector: a hash table with linear probing. A slot is a hash and, in the low half, where
/// the location stands in the footer, which is never at 0.
#[derive(Debug)]
struct DataFiles<'b> {
    slots: &'b mut [u64],
    len: usize,
}

const FREE: u64 = 0;

/// A free slot for a data file, and what belongs there.
type Slot = Option<(usize, u64)>;

impl<'b> DataFiles<'b> {
    fn new(slots: &'b mut [u64]) -> Self {
        slots.fill(FREE);
        Self { slots, len: 0 }
    }

    /// Finds a slot for the data file of a staged vector, unless it has one already.
    ///
    /// Locations are compared as written, quote behind them included: one text is written in one way only.
    fn find<S: Sink>(&self, writer: &Writer<'_, S>, staged: &Staged) -> Result<Slot> {
        let Some(vector) = staged.vector() else { return Ok(None) };
        let internal = Error::new(ErrorKind::Internal, 0, 0);
        let footer = writer.buffer();
        let quoted = vector.data_file.start..vector.data_file.end.saturating_add(1);
        let location = footer.get(quoted).ok_or(internal)?;
        let start = u32::try_from(vector.data_file.start).map_err(|_| internal)?;
        let hash = XxHash32::oneshot(0, location);
        let word = u64::from(hash) << 32 | u64::from(start);

        let mut at = self.home(word);
        for _ in 0..self.slots.len() {
            let Some(&slot) = self.slots.get(at) else { break };
            if slot == FREE {
                let need = vector_writer_scratch_len(self.len.saturating_add(1));
                if self.slots.len() < need {
                    return Err(Error::new(ErrorKind::ScratchTooSmall, 0, need as u64));
                }
                return Ok(Some((at, word)));
            }
            if slot >> 32 == word >> 32 {
                let other = usize::try_from(slot & u64::from(u32::MAX)).map_err(|_| internal)?;
                if footer.get(other..).is_some_and(|other| other.starts_with(location)) {
                    return Err(Error::new(ErrorKind::DuplicateVector, 0, writer.blob_count() as u64));
                }
            }
            at = self.after(at);
        }
        Err(Error::new(ErrorKind::ScratchTooSmall, 0, vector_writer_scratch_len(self.len.saturating_add(1)) as u64))
    }

    /// Takes the slot that was found.
    fn fill(&mut self, slot: Slot) {
        if let Some((at, word)) = slot
            && let Some(slot) = self.slots.get_mut(at)
        {
            *slot = word;
            self.len = self.len.saturating_add(1);
        }
    }

    /// Adds a word that is none of those there are.
    fn insert(&mut self, word: u64) {
        let mut at = self.home(word);
        for _ in 0..self.slots.len() {
            if self.slots.get(at) == Some(&FREE) {
                return self.fill(Some((at, word)));
            }
            at = self.after(at);
        }
    }

    /// Returns the slot where the search for a word starts: the hash, scaled to the number of slots.
    fn home(&self, word: u64) -> usize {
        let scaled = (u128::from(word >> 32) * self.slots.len() as u128) >> 32;
        usize::try_from(scaled).unwrap_or_default()
    }

    fn after(&self, at: usize) -> usize {
        let next = at.saturating_add(1);
        if next < self.slots.len() { next } else { 0 }
    }
}
