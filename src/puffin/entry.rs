//! `BlobMetadata`: one entry of the footer's `blobs`.

use core::{iter::FusedIterator, ops::Range};

use super::{
    blob::{Blob, Codec},
    json::{Cursor, JsonStr, Value},
    metadata::{Origin, Properties, read_properties},
};
use crate::error::{Error, ErrorKind, Result};

/// A field that the Puffin specification names in a footer.
///
/// The number of a field is what [`Error::found`] of a [`MissingField`](ErrorKind::MissingField) holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u64)]
#[non_exhaustive]
pub enum FieldName {
    /// `type`, a string; required.
    Type = 1,
    /// `fields`, an array of 32-bit integers; required.
    Fields = 2,
    /// `snapshot-id`, a 64-bit integer; required.
    SnapshotId = 3,
    /// `sequence-number`, a 64-bit integer; required.
    SequenceNumber = 4,
    /// `offset`, a 64-bit integer; required.
    Offset = 5,
    /// `length`, a 64-bit integer; required.
    Length = 6,
    /// `compression-codec`, a string.
    CompressionCodec = 7,
    /// `properties`, an object of strings; of a blob and of the file.
    Properties = 8,
    /// `blobs`, an array; required, of the file.
    Blobs = 9,
}

impl FieldName {
    /// Every field, in ascending order of its number.
    pub const ALL: &'static [Self] = &[
        Self::Type,
        Self::Fields,
        Self::SnapshotId,
        Self::SequenceNumber,
        Self::Offset,
        Self::Length,
        Self::CompressionCodec,
        Self::Properties,
        Self::Blobs,
    ];

    /// Returns the name as the specification spells it.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::puffin::FieldName;
    ///
    /// assert_eq!(FieldName::SnapshotId.as_str(), "snapshot-id");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Fields => "fields",
            Self::SnapshotId => "snapshot-id",
            Self::SequenceNumber => "sequence-number",
            Self::Offset => "offset",
            Self::Length => "length",
            Self::CompressionCodec => "compression-codec",
            Self::Properties => "properties",
            Self::Blobs => "blobs",
        }
    }

    /// Returns the fields with higher numbers.
    fn later(self) -> &'static [Self] {
        usize::try_from(self as u64).ok().and_then(|number| Self::ALL.get(number..)).unwrap_or_default()
    }

    /// Finds the field of a blob with that name.
    fn of_blob(name: JsonStr<'_>) -> Option<Self> {
        match name.as_str() {
            Some("type") => Some(Self::Type),
            Some("fields") => Some(Self::Fields),
            Some("snapshot-id") => Some(Self::SnapshotId),
            Some("sequence-number") => Some(Self::SequenceNumber),
            Some("offset") => Some(Self::Offset),
            Some("length") => Some(Self::Length),
            Some("compression-codec") => Some(Self::CompressionCodec),
            Some("properties") => Some(Self::Properties),
            Some(_) => None,
            None => Self::ALL.iter().copied().find(|&field| field != Self::Blobs && name == field.as_str()),
        }
    }
}

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
    json: &'s str,
    json_offset: usize,
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
    /// Reads the entry before the cursor, whose text starts at `start` in the whole text.
    ///
    /// The cursor ends behind the entry, or anywhere in it after an error.
    pub(super) fn parse(origin: &Origin<'s>, index: usize, cursor: &mut Cursor<'s>, start: usize) -> Result<Self> {
        let mut reader = EntryReader { origin, cursor, start };
        let (json_offset, first) = reader.peek();
        if first != b'{' {
            return Err(origin.error(ErrorKind::WrongType, json_offset, u64::from(first)));
        }
        reader.cursor.bracket();

        let (mut blob_type, mut fields, mut codec_name, mut properties) = (None, None, None, Value::default());
        let (mut snapshot_id, mut sequence_number, mut offset, mut length) = (None, None, None, None);
        let mut expected = FieldName::ALL;
        while let Some(field) = reader.field(&mut expected) {
            match field {
                Some(FieldName::Type) => blob_type = Some(reader.string()?),
                Some(FieldName::Fields) => fields = Some(reader.fields()?),
                Some(FieldName::SnapshotId) => snapshot_id = Some(reader.integer()?.0),
                Some(FieldName::SequenceNumber) => sequence_number = Some(reader.integer()?.0),
                Some(FieldName::Offset) => offset = Some(reader.integer()?),
                Some(FieldName::Length) => length = Some(reader.integer()?),
                Some(FieldName::CompressionCodec) => codec_name = reader.string_or_null()?,
                Some(FieldName::Properties) => properties = reader.properties()?,
                Some(FieldName::Blobs) | None => {
                    reader.cursor.skip();
                }
            }
        }
        reader.cursor.bracket();
        let json = reader.text_from(json_offset)?;

        let missing = |field: FieldName| origin.error(ErrorKind::MissingField, json_offset, field as u64);
        let blob_type = blob_type.ok_or(missing(FieldName::Type))?;
        let fields = fields.ok_or(missing(FieldName::Fields))?;
        let snapshot_id = snapshot_id.ok_or(missing(FieldName::SnapshotId))?;
        let sequence_number = sequence_number.ok_or(missing(FieldName::SequenceNumber))?;
        let (offset, offset_at) = offset.ok_or(missing(FieldName::Offset))?;
        let (length, length_at) = length.ok_or(missing(FieldName::Length))?;

        // Both inside `[4, footer]`; sign extension makes a negative number larger than any file.
        let outside = |at: usize, found: i64| origin.error(ErrorKind::RangeOutOfBounds, at, found.cast_unsigned());
        let room = match u64::try_from(offset) {
            Ok(offset) if offset >= super::MAGIC.len() as u64 => origin.footer_offset.checked_sub(offset),
            _ => None,
        };
        let room = room.ok_or(outside(offset_at, offset))?;
        let length = u64::try_from(length).ok().filter(|&length| length <= room).ok_or(outside(length_at, length))?;

        Ok(Self {
            index,
            json,
            json_offset,
            error_offset: origin.base.saturating_add(json_offset as u64),
            blob_type,
            fields,
            snapshot_id,
            sequence_number,
            offset: offset.cast_unsigned(),
            length,
            codec_name,
            codec: Codec::from_name(codec_name),
            properties,
        })
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
        self.properties().find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Returns the entry's own text: a JSON object.
    #[must_use]
    pub const fn json(&self) -> &'s str {
        self.json
    }

    /// Returns where [`json`](Self::json) starts in [`FileMetadata::json`](super::FileMetadata::json), in bytes.
    #[must_use]
    pub const fn json_offset(&self) -> usize {
        self.json_offset
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

/// Reads the values of known fields, and says precisely what is wrong with one.
struct EntryReader<'r, 's> {
    origin: &'r Origin<'s>,
    cursor: &'r mut Cursor<'s>,
    /// Where the cursor's text starts in the whole text.
    start: usize,
}

impl<'s> EntryReader<'_, 's> {
    /// Returns where the next value starts in the whole text, and its first byte.
    fn peek(&mut self) -> (usize, u8) {
        let first = self.cursor.peek().unwrap_or_default();
        (self.start.saturating_add(self.cursor.position()), first)
    }

    /// Reads the name of the next member: a field, `Some(None)` for an unknown one, `None` at the end of the object.
    ///
    /// Writers keep to the order of the specification and leave out at most one optional field, so the next two of
    /// `expected` are tried first; that spares finding the end of the name.
    #[inline]
    fn field(&mut self, expected: &mut &'static [FieldName]) -> Option<Option<FieldName>> {
        let field = match *expected {
            [field, ..] if self.cursor.plain_string(field.as_str()) => Some(*field),
            [_, field, ..] if self.cursor.plain_string(field.as_str()) => Some(*field),
            _ => FieldName::of_blob(self.cursor.string()?),
        };
        if let Some(field) = field {
            *expected = field.later();
        }
        Some(field)
    }

    /// Returns the whole text from `offset` up to the cursor.
    fn text_from(&self, offset: usize) -> Result<&'s str> {
        let end = self.start.saturating_add(self.cursor.position());
        self.origin.text.get(offset..end).ok_or(self.origin.error(ErrorKind::Internal, offset, 0))
    }

    fn wrong_type(&self, (at, first): (usize, u8)) -> Error {
        self.origin.error(ErrorKind::WrongType, at, u64::from(first))
    }

    fn string(&mut self) -> Result<JsonStr<'s>> {
        let here = self.peek();
        self.cursor.string().ok_or(self.wrong_type(here))
    }

    fn string_or_null(&mut self) -> Result<Option<JsonStr<'s>>> {
        match self.peek() {
            (_, b'n') => {
                self.cursor.skip();
                Ok(None)
            }
            _ => self.string().map(Some),
        }
    }

    /// Returns an integer and where it stands.
    fn integer(&mut self) -> Result<(i64, usize)> {
        let here @ (at, first) = self.peek();
        if !matches!(first, b'-' | b'0'..=b'9') {
            return Err(self.wrong_type(here));
        }
        match self.cursor.integer() {
            Some(integer) => Ok((integer, at)),
            None => Err(self.origin.error(ErrorKind::BadInteger, at, u64::from(first))),
        }
    }

    /// Reads an array of 32-bit integers.
    fn fields(&mut self) -> Result<Value<'s>> {
        let here @ (offset, first) = self.peek();
        if first != b'[' {
            return Err(self.wrong_type(here));
        }
        self.cursor.bracket();
        let mut items = 0_usize;
        loop {
            let (at, first) = self.peek();
            if first == b']' {
                break;
            }
            if i32::try_from(self.integer()?.0).is_err() {
                return Err(self.origin.error(ErrorKind::BadInteger, at, u64::from(first)));
            }
            items = items.saturating_add(1);
        }
        self.cursor.bracket();
        Ok(Value { text: self.text_from(offset)?, offset, items })
    }

    /// Reads an object of strings.
    fn properties(&mut self) -> Result<Value<'s>> {
        let (offset, first) = self.peek();
        self.cursor.bracket();
        let items = read_properties(self.cursor, self.origin, self.start, first)?;
        Ok(Value { text: self.text_from(offset)?, offset, items })
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
