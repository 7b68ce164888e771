//! Reading one entry of `blobs`, member by member.

use super::{
    field::FieldName,
    json::{Cursor, JsonStr, Value},
    metadata::{Origin, read_properties},
};
use crate::error::{Error, ErrorKind, Result};

/// The members of an entry, each of its type; which are required is not looked at yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry<'s> {
    /// The whole entry.
    pub(super) json: Value<'s>,
    pub(super) blob_type: Option<JsonStr<'s>>,
    pub(super) fields: Option<Value<'s>>,
    /// An integer, and where it stands in the whole text; so the next three.
    pub(super) snapshot_id: Option<(i64, usize)>,
    pub(super) sequence_number: Option<(i64, usize)>,
    pub(super) offset: Option<(i64, usize)>,
    pub(super) length: Option<(i64, usize)>,
    pub(super) codec_name: Option<JsonStr<'s>>,
    /// Empty if there are none.
    pub(super) properties: Value<'s>,
}

/// The front of an entry, up to the value of `offset`, and what it says.
///
/// The vectors of one file have it in common, down to the byte.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Front<'s> {
    text: &'s str,
    entry: Entry<'s>,
}

impl<'s> Entry<'s> {
    /// Reads the entry before the cursor, whose text starts at `start` in the whole text. Also returns the cursor
    /// behind the entry. `front` is that of an earlier entry, and becomes that of this one.
    #[inline]
    pub(super) fn read(
        origin: &Origin<'s>,
        cursor: Cursor<'s>,
        start: usize,
        front: &mut Front<'s>,
    ) -> Result<(Self, Cursor<'s>)> {
        let mut reader = Reader { origin, cursor, start };
        let (offset, first) = reader.peek();
        if first != b'{' {
            return Err(reader.wrong_type((offset, first)));
        }
        let mut entry;
        if !front.text.is_empty() && reader.cursor.text(front.text) {
            entry = front.entry;
            entry.offset = Some(reader.integer()?);
        } else {
            reader.cursor.bracket();
            entry = Self::default();
            reader.due(FieldName::Type, &mut entry)?;
            reader.due(FieldName::Fields, &mut entry)?;
            reader.due(FieldName::SnapshotId, &mut entry)?;
            reader.due(FieldName::SequenceNumber, &mut entry)?;
            if reader.cursor.plain_string(FieldName::Offset.as_str()) {
                reader.peek();
                *front = Front { text: reader.text_from(offset)?, entry };
                entry.offset = Some(reader.integer()?);
            }
        }
        reader.due(FieldName::Length, &mut entry)?;
        reader.due(FieldName::CompressionCodec, &mut entry)?;
        reader.due(FieldName::Properties, &mut entry)?;
        while let Some(name) = reader.cursor.string() {
            match FieldName::of_blob(name) {
                Some(field) => reader.value(field, &mut entry)?,
                None => {
                    reader.cursor.skip();
                }
            }
        }
        reader.cursor.bracket();
        entry.json = Value { text: reader.text_from(offset)?, offset, items: 0 };
        Ok((entry, reader.cursor))
    }
}

/// Reads the values of known fields, and says precisely what is wrong with one.
struct Reader<'r, 's> {
    origin: &'r Origin<'s>,
    cursor: Cursor<'s>,
    /// Where the cursor's text starts in the whole text.
    start: usize,
}

impl<'s> Reader<'_, 's> {
    /// Returns where the next value starts in the whole text, and its first byte.
    fn peek(&mut self) -> (usize, u8) {
        let first = self.cursor.peek().unwrap_or_default();
        (self.start.saturating_add(self.cursor.position()), first)
    }

    /// Reads the next member if its name is that of `field`, written plainly.
    ///
    /// Writers keep to the order of the specification, and comparing with the name that is due costs less than finding
    /// the end of whatever name is there.
    #[inline(always)]
    fn due(&mut self, field: FieldName, entry: &mut Entry<'s>) -> Result<()> {
        if self.cursor.plain_string(field.as_str()) { self.value(field, entry) } else { Ok(()) }
    }

    /// Reads the value of a known field.
    #[inline(always)]
    fn value(&mut self, field: FieldName, entry: &mut Entry<'s>) -> Result<()> {
        match field {
            FieldName::Type => entry.blob_type = Some(self.string()?),
            FieldName::Fields => entry.fields = Some(self.fields()?),
            FieldName::SnapshotId => entry.snapshot_id = Some(self.integer()?),
            FieldName::SequenceNumber => entry.sequence_number = Some(self.integer()?),
            FieldName::Offset => entry.offset = Some(self.integer()?),
            FieldName::Length => entry.length = Some(self.integer()?),
            FieldName::CompressionCodec => entry.codec_name = self.string_or_null()?,
            FieldName::Properties => entry.properties = self.properties()?,
            // Means nothing inside an entry.
            FieldName::Blobs => {
                self.cursor.skip();
            }
        }
        Ok(())
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
        let items = read_properties(&mut self.cursor, self.origin, self.start, first)?;
        Ok(Value { text: self.text_from(offset)?, offset, items })
    }
}
