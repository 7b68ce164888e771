//! `BlobMetadata`: one entry of the footer's `blobs`.

use core::{iter::FusedIterator, ops::Range};

use super::{
    MAGIC,
    blob::{Blob, Codec},
    entry_reader::{Entry, Front},
    field::FieldName,
    json::{Cursor, JsonStr, Value},
    metadata::{Origin, Properties},
};
use crate::error::{Error, ErrorKind, Result};

/// The footer's entry for one blob, checked.
///
/// Every required field is there and of its type, and the range lies between the head magic and the footer. What a
/// blob's type asks of its properties is not checked here.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::{Codec, PuffinFile};
///
/// const JSON: &str = concat!(
///     r#"{"blobs":[{"type":"greeting","fields":[1,2],"snapshot-id":7,"sequence-number":3,"#,
///     r#""offset":4,"length":5,"properties":{"language":"en"}}]}"#,
/// );
/// let mut bytes = b"PFA1helloPFA1".to_vec();
/// bytes.extend(JSON.as_bytes());
/// bytes.extend(u32::try_from(JSON.len()).unwrap().to_le_bytes());
/// bytes.extend(b"\0\0\0\0PFA1");
///
/// let file = PuffinFile::parse(&bytes)?;
/// let blob = file.metadata(&mut [])?.blob(0).unwrap()?;
/// assert_eq!(blob.blob_type(), "greeting");
/// assert_eq!(blob.fields().collect::<Vec<_>>(), [1, 2]);
/// assert_eq!((blob.snapshot_id(), blob.sequence_number()), (7, 3));
/// assert_eq!((blob.range(), blob.codec()), (4..9, Codec::None));
/// assert_eq!(blob.property("language").unwrap(), "en");
/// assert_eq!(file.blob(&blob)?.bytes()?, b"hello");
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BlobMetadata<'s> {
    index: usize,
    json: Value<'s>,
    /// Where the entry is in the slice that errors count from.
    error_offset: u64,
    blob_type: JsonStr<'s>,
    fields: Value<'s>,
    snapshot_id: i64,
    sequence_number: i64,
    offset: u64,
    length: u64,
    codec_name: Option<JsonStr<'s>>,
    codec: Codec,
    properties: Value<'s>,
}

impl<'s> BlobMetadata<'s> {
    /// Reads the entry before the cursor, whose text starts at `start` in the whole text. Also returns the cursor
    /// behind the entry. `front` is that of an earlier entry, and becomes that of this one.
    pub(super) fn parse(
        origin: &Origin<'s>,
        index: usize,
        cursor: Cursor<'s>,
        start: usize,
        front: &mut Front<'s>,
    ) -> Result<(Self, Cursor<'s>)> {
        let (entry, cursor) = Entry::read(origin, cursor, start, front)?;
        let missing = |field: FieldName| origin.error(ErrorKind::MissingField, entry.json.offset, field as u64);
        let blob_type = entry.blob_type.ok_or(missing(FieldName::Type))?;
        let fields = entry.fields.ok_or(missing(FieldName::Fields))?;
        let (snapshot_id, _) = entry.snapshot_id.ok_or(missing(FieldName::SnapshotId))?;
        let (sequence_number, _) = entry.sequence_number.ok_or(missing(FieldName::SequenceNumber))?;
        let (offset, offset_at) = entry.offset.ok_or(missing(FieldName::Offset))?;
        let (length, length_at) = entry.length.ok_or(missing(FieldName::Length))?;

        // Both inside `[4, footer]`. A negative number, sign-extended, is found beyond every file.
        let outside = |at: usize, found: i64| origin.error(ErrorKind::RangeOutOfBounds, at, found.cast_unsigned());
        let offset = u64::try_from(offset)
            .ok()
            .filter(|&offset| offset >= MAGIC.len() as u64)
            .ok_or(outside(offset_at, offset))?;
        let room = origin.footer_offset.checked_sub(offset).ok_or(outside(offset_at, offset.cast_signed()))?;
        let length = u64::try_from(length).ok().filter(|&length| length <= room).ok_or(outside(length_at, length))?;

        let blob = Self {
            index,
            json: entry.json,
            error_offset: origin.base.saturating_add(entry.json.offset as u64),
            blob_type,
            fields,
            snapshot_id,
            sequence_number,
            offset,
            length,
            codec_name: entry.codec_name,
            codec: Codec::from_name(entry.codec_name),
            properties: entry.properties,
        };
        Ok((blob, cursor))
    }

    /// Returns the number of the blob, counted from 0 in the order of the footer.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns the `type`, such as [`DELETION_VECTOR_V1`](super::DELETION_VECTOR_V1). Any text: a file may hold blobs
    /// of types that nobody here knows.
    #[must_use]
    pub const fn blob_type(&self) -> JsonStr<'s> {
        self.blob_type
    }

    /// Iterates over `fields`, the ids of the table columns that the blob was computed for, in their order.
    #[must_use]
    pub fn fields(&self) -> Fields<'s> {
        Fields { cursor: self.fields.enter(), left: self.fields.items }
    }

    /// Returns `snapshot-id`, the table snapshot that the blob was computed from.
    ///
    /// A deletion vector has -1, for "inherited when the file is committed".
    #[must_use]
    pub const fn snapshot_id(&self) -> i64 {
        self.snapshot_id
    }

    /// Returns `sequence-number` of the table snapshot that the blob was computed from.
    ///
    /// A deletion vector has -1, for "inherited when the file is committed".
    #[must_use]
    pub const fn sequence_number(&self) -> i64 {
        self.sequence_number
    }

    /// Returns where the blob starts, in bytes from the start of the file; at least 4.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns how many bytes the blob takes in the file, compressed if it has a codec. It may be 0.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Returns the bytes of the file that hold the blob. The range ends at or before the footer.
    #[must_use]
    pub const fn range(&self) -> Range<u64> {
        // The sum is at most the footer's offset: checked when the entry was read.
        self.offset..self.offset.saturating_add(self.length)
    }

    /// Returns `compression-codec` as written, or `None` if it is absent or null.
    #[must_use]
    pub const fn compression_codec(&self) -> Option<JsonStr<'s>> {
        self.codec_name
    }

    /// Returns which codec [`compression_codec`](Self::compression_codec) names.
    #[must_use]
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// Iterates over the properties of the blob, in the order of the footer.
    #[must_use]
    pub fn properties(&self) -> Properties<'s> {
        Properties::new(self.properties)
    }

    /// Returns the property of the blob with that name, such as
    /// [`REFERENCED_DATA_FILE`](super::property::REFERENCED_DATA_FILE).
    ///
    /// O(properties). Names are compared exactly, escapes seen through.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<JsonStr<'s>> {
        self.properties().named(name)
    }

    /// Returns whether the blob has a property with that name and that value.
    ///
    /// The same as comparing [`property`](Self::property) with `value`, and faster: it stops at the first difference.
    #[must_use]
    pub fn has_property(&self, name: &str, value: &str) -> bool {
        self.properties().has(name, value)
    }

    /// Returns the entry's own text: a JSON object.
    #[must_use]
    pub const fn json(&self) -> &'s str {
        self.json.text
    }

    /// Returns where [`json`](Self::json) starts in [`FileMetadata::json`](super::FileMetadata::json), in bytes.
    #[must_use]
    pub const fn json_offset(&self) -> usize {
        self.json.offset
    }

    /// Returns the error for something that is wrong with this entry as a whole.
    pub(crate) const fn error(&self, kind: ErrorKind, found: u64) -> Error {
        Error::at(kind, self.error_offset, found)
    }

    /// Takes the bytes that were fetched from [`range`](Self::range) as the blob, for readers that do not hold the
    /// whole file.
    ///
    /// O(1).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LengthMismatch`] if `stored` is not [`length`](Self::length) bytes long. `found` is the field.
    pub fn blob<'a>(&self, stored: &'a [u8]) -> Result<Blob<'a>> {
        if stored.len() as u64 != self.length {
            return Err(Error::new(ErrorKind::LengthMismatch, 0, self.length));
        }
        Ok(Blob::new(stored, self.codec))
    }
}

/// Column ids of a blob. Made by [`BlobMetadata::fields`].
#[derive(Clone, Debug)]
pub struct Fields<'s> {
    cursor: Cursor<'s>,
    left: usize,
}

impl Iterator for Fields<'_> {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        i32::try_from(self.cursor.integer()?).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Fields<'_> {}

impl FusedIterator for Fields<'_> {}
