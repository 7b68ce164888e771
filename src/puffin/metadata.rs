//! `FileMetadata`: what the footer's JSON object says about the file, and the list of its blobs.

use core::iter::FusedIterator;

use super::{
    entry::BlobMetadata,
    entry_reader::Front,
    field::FieldName,
    json::{Cursor, JsonStr, Member, Value, check, is_plain},
};
use crate::{
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

/// The `FileMetadata` object of a footer.
///
/// Its text is known to be one well-formed JSON object, in UTF-8, with no name twice in any object; `blobs` is an array
/// and `properties`, if there, an object of strings. Members with other names are skipped, whatever they hold.
///
/// The blobs are read one by one as they are asked for: an entry that breaks the specification is an error of that
/// entry, and the others stay readable.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::PuffinFile;
///
/// let bytes = b"PFA1PFA1{\"blobs\":[],\"properties\":{\"created-by\":\"by hand\"}}\x32\0\0\0\0\0\0\0PFA1";
/// let metadata = PuffinFile::parse(bytes)?.metadata(&mut [])?;
///
/// assert_eq!(metadata.blob_count(), 0);
/// assert_eq!(metadata.property("created-by").unwrap(), "by hand");
/// assert!(metadata.property("Created-By").is_none());
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FileMetadata<'s> {
    origin: Origin<'s>,
    blobs: Value<'s>,
    properties: Value<'s>,
}

/// The text that entries are parts of, and the file around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin<'s> {
    pub(super) text: &'s str,
    /// Added to an offset in the text to get the offset of an error: where the text starts in the file, or 0.
    pub(super) base: u64,
    /// Where the footer starts in the file, and with it the room for blobs ends.
    pub(super) footer_offset: u64,
}

impl Origin<'_> {
    /// Returns the error for what stands at `offset` in the text.
    pub(super) fn error(&self, kind: ErrorKind, offset: usize, found: u64) -> Error {
        Error::at(kind, self.base.saturating_add(offset as u64), found)
    }
}

impl<'s> FileMetadata<'s> {
    /// Checks the text of a footer.
    pub(super) fn parse(payload: &'s [u8], base: u64, footer_offset: u64, limits: &Limits) -> Result<Self> {
        let text = core::str::from_utf8(payload).map_err(|error| {
            let offset = error.valid_up_to();
            let byte = payload.get(offset).map_or(0, |&byte| u64::from(byte));
            Error::at(ErrorKind::BadUtf8, base.saturating_add(offset as u64), byte)
        })?;
        let origin = Origin { text, base, footer_offset };
        let (mut blobs, mut properties) = (None, None);
        check(text, limits, |Member { name, value }| {
            if name == FieldName::Blobs.as_str() {
                blobs = Some(value);
            } else if name == FieldName::Properties.as_str() {
                properties = Some(value);
            }
        })
        .map_err(|error| Error::at(error.kind(), base.saturating_add(error.offset()), error.found()))?;

        let object = text.bytes().take_while(|&byte| byte != b'{').count();
        let blobs = blobs.ok_or(origin.error(ErrorKind::MissingField, object, FieldName::Blobs as u64))?;
        if blobs.first() != b'[' {
            return Err(origin.error(ErrorKind::WrongType, blobs.offset, u64::from(blobs.first())));
        }
        let properties = properties.unwrap_or_default();
        if !properties.text.is_empty() {
            let mut cursor = properties.enter();
            read_properties(&mut cursor, &origin, properties.offset, properties.first())?;
        }
        Ok(Self { origin, blobs, properties })
    }

    /// Returns the whole JSON text, after decompression.
    #[must_use]
    pub const fn json(&self) -> &'s str {
        self.origin.text
    }

    /// Returns where the content of `string` starts in [`json`](Self::json), and its length as written, if it is a part
    /// of that text. Both numbers together are a [`JsonStr`] that fits scratch memory.
    pub(crate) fn span_of(&self, string: &JsonStr<'_>) -> Option<(usize, usize)> {
        let start = string.raw().as_ptr().addr().checked_sub(self.origin.text.as_ptr().addr())?;
        let len = string.raw().len();
        self.string_at(start, len).is_some_and(|other| other == *string).then_some((start, len))
    }

    /// Returns the string that [`span_of`](Self::span_of) gave these numbers for.
    pub(crate) fn string_at(&self, start: usize, len: usize) -> Option<JsonStr<'s>> {
        let raw = self.origin.text.get(start..start.checked_add(len)?)?;
        Some(JsonStr::new(raw, raw.contains('\\')))
    }

    /// Returns the offset of an error at `offset` of the text.
    pub(crate) const fn error_offset(&self, offset: u64) -> u64 {
        self.origin.base.saturating_add(offset)
    }

    /// Returns how many entries `blobs` has, odd ones included.
    #[must_use]
    pub const fn blob_count(&self) -> usize {
        self.blobs.items
    }

    /// Iterates over the blobs in the order of the footer, which need not be the order of their offsets.
    ///
    /// A full round is O(footer). After an error the next entry follows. An entry fails with
    /// [`ErrorKind::WrongType`], [`ErrorKind::BadInteger`], [`ErrorKind::MissingField`] or
    /// [`ErrorKind::RangeOutOfBounds`]; offsets count as those of
    /// [`FooterView::metadata_with`](super::FooterView::metadata_with).
    ///
    /// # Examples
    ///
    /// The second of three entries lacks everything:
    ///
    /// ```
    /// use puffin_codec::{ErrorKind, puffin::PuffinFile};
    ///
    /// const ENTRY: &str = r#"{"type":"t","fields":[],"snapshot-id":1,"sequence-number":1,"offset":4,"length":0}"#;
    /// let json = format!(r#"{{"blobs":[{ENTRY},{{}},{ENTRY}]}}"#);
    /// let mut bytes = b"PFA1PFA1".to_vec();
    /// bytes.extend(json.as_bytes());
    /// bytes.extend(u32::try_from(json.len()).unwrap().to_le_bytes());
    /// bytes.extend(b"\0\0\0\0PFA1");
    ///
    /// let metadata = PuffinFile::parse(&bytes)?.metadata(&mut [])?;
    /// let kinds: Vec<_> = metadata.blobs().map(|blob| blob.map_err(|error| error.kind()).err()).collect();
    /// assert_eq!(kinds, [None, Some(ErrorKind::MissingField), None]);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    #[must_use]
    pub fn blobs(&self) -> Blobs<'s> {
        Blobs {
            origin: self.origin,
            cursor: self.blobs.enter(),
            start: self.blobs.offset,
            front: Front::default(),
            index: 0,
            left: self.blobs.items,
        }
    }

    /// Returns blob number `index`, counted from 0 in the order of the footer, or `None` past the last.
    ///
    /// O(footer): the entries before it are skipped, not read. Use [`blobs`](Self::blobs) to visit several.
    #[must_use]
    pub fn blob(&self, index: usize) -> Option<Result<BlobMetadata<'s>>> {
        self.blobs().nth(index)
    }

    /// Iterates over the properties of the file, in the order of the footer.
    #[must_use]
    pub fn properties(&self) -> Properties<'s> {
        Properties::new(self.properties)
    }

    /// Returns the property of the file with that name.
    ///
    /// O(properties). Names are compared exactly, escapes seen through.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<JsonStr<'s>> {
        self.properties().named(name)
    }
}

/// Reads an object of strings behind its opening brace `first`, up to and including the closing one; returns how many
/// members it has.
///
/// `start` is where the cursor's text starts in the whole text.
pub(super) fn read_properties(cursor: &mut Cursor<'_>, origin: &Origin<'_>, start: usize, first: u8) -> Result<usize> {
    if first != b'{' {
        let offset = start.saturating_add(cursor.position()).saturating_sub(1);
        return Err(origin.error(ErrorKind::WrongType, offset, u64::from(first)));
    }
    let mut members = 0_usize;
    while cursor.string().is_some() {
        let byte = cursor.peek().unwrap_or_default();
        let offset = start.saturating_add(cursor.position());
        cursor.string().ok_or(origin.error(ErrorKind::WrongType, offset, u64::from(byte)))?;
        members = members.saturating_add(1);
    }
    cursor.bracket();
    Ok(members)
}

/// Blobs of a footer. Made by [`FileMetadata::blobs`].
///
/// An error concerns one entry and does not end the iteration. [`nth`](Iterator::nth) skips entries without reading
/// them.
#[derive(Clone, Debug)]
pub struct Blobs<'s> {
    origin: Origin<'s>,
    /// In the text of the array, which starts at `start` in the whole text.
    cursor: Cursor<'s>,
    start: usize,
    front: Front<'s>,
    index: usize,
    left: usize,
}

impl<'s> Iterator for Blobs<'s> {
    type Item = Result<BlobMetadata<'s>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let index = self.index;
        self.index = index.saturating_add(1);
        self.cursor.peek()?;
        match BlobMetadata::parse(&self.origin, index, self.cursor, self.start, &mut self.front) {
            Ok((blob, behind)) => {
                self.cursor = behind;
                Some(Ok(blob))
            }
            Err(error) => {
                self.cursor.skip();
                Some(Err(error))
            }
        }
    }

    fn nth(&mut self, count: usize) -> Option<Self::Item> {
        for _ in 0..count.min(self.left) {
            self.cursor.skip()?;
            self.index = self.index.saturating_add(1);
            self.left = self.left.saturating_sub(1);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn count(self) -> usize {
        self.left
    }
}

impl ExactSizeIterator for Blobs<'_> {}

impl FusedIterator for Blobs<'_> {}

/// Names and values of a `properties` object. Made by [`FileMetadata::properties`] and [`BlobMetadata::properties`].
#[derive(Clone, Debug)]
pub struct Properties<'s> {
    cursor: Cursor<'s>,
    left: usize,
}

impl<'s> Properties<'s> {
    /// Iterates over an object that [`read_properties`] has accepted, or over nothing if the text is empty.
    pub(super) fn new(object: Value<'s>) -> Self {
        Self { cursor: object.enter(), left: object.items }
    }
}

impl<'s> Properties<'s> {
    /// Returns whether there is a property with that name and that value.
    pub(super) fn has(mut self, name: &str, value: &str) -> bool {
        let plain = is_plain(name);
        while self.left > 0 {
            self.left = self.left.saturating_sub(1);
            let found = plain && self.cursor.plain_string(name);
            if found || self.cursor.string().is_some_and(|other| other == name) {
                return self.cursor.string_is(value);
            }
            self.cursor.string();
        }
        false
    }

    /// Returns the value of the property with that name.
    pub(super) fn named(mut self, name: &str) -> Option<JsonStr<'s>> {
        let plain = is_plain(name);
        loop {
            self.left = self.left.checked_sub(1)?;
            if plain && self.cursor.plain_string(name) {
                return self.cursor.string();
            }
            let (other, value) = (self.cursor.string()?, self.cursor.string()?);
            if other == name {
                return Some(value);
            }
        }
    }
}

impl<'s> Iterator for Properties<'s> {
    type Item = (JsonStr<'s>, JsonStr<'s>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some((self.cursor.string()?, self.cursor.string()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Properties<'_> {}

impl FusedIterator for Properties<'_> {}
