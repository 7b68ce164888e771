//! `NewBlob`: what the footer is to say of a blob, and how that is written.

use core::fmt::{self, Display};
use core::ops::Range;

use crate::{
    error::{Error, ErrorKind, Result},
    limits::Limits,
    puffin::{
        BlobMetadata, Codec, DELETION_VECTOR_V1, FieldName, Fields, JsonStr, Properties,
        json::{Text, has_name},
        property,
    },
};

/// No properties, in a form that `properties` arguments take.
pub type NoProperties = [(&'static str, &'static str); 0];

/// A list without properties, for the `properties` of [`Writer::finish`](super::Writer::finish).
pub const NO_PROPERTIES: NoProperties = [];

/// Most members of one object: what a reader allows by default.
const MAX_PROPERTIES: usize = Limits::DEFAULT.json_members as usize;

/// What the footer is to say of a new blob: everything but where it lies.
///
/// Names and values of properties are anything that shows itself as text (`&str`, numbers, `format_args!`,
/// [`JsonStr`]), and come from anything that can be iterated: an array, a map, the [`Properties`] of a file that was
/// read. Their order is kept. Nothing is checked before the blob is added.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::{NewBlob, THETA_V1};
///
/// let sketch = NewBlob::new(THETA_V1).fields(&[3]).snapshot(7, 2).properties([("ndv", 12)]);
/// let json = r#"{"type":"apache-datasketches-theta-v1","fields":[3],"snapshot-id":7,"sequence-number":2,"#.to_owned()
///     + r#""offset":4,"length":100,"properties":{"ndv":"12"}},"#;
/// assert_eq!(sketch.entry_len(4, 100), json.len());
/// ```
#[derive(Clone, Debug)]
pub struct NewBlob<'a, P = NoProperties> {
    blob_type: Name<'a>,
    fields: FieldIds<'a>,
    snapshot_id: i64,
    sequence_number: i64,
    codec: Codec,
    codec_name: Option<Name<'a>>,
    properties: P,
}

/// A text that the caller gives, or one of a footer that was read.
#[derive(Clone, Copy, Debug)]
enum Name<'a> {
    Plain(&'a str),
    Read(JsonStr<'a>),
}

/// Column ids that the caller gives, or those of a footer that was read.
#[derive(Clone, Debug)]
enum FieldIds<'a> {
    List(&'a [i32]),
    Read(Fields<'a>),
}

impl<'a> NewBlob<'a> {
    /// Describes a blob of that type, such as [`THETA_V1`](crate::puffin::THETA_V1), without fields, codec and
    /// properties; `snapshot-id` and `sequence-number` are -1, for "inherited when the file is committed".
    #[must_use]
    pub const fn new(blob_type: &'a str) -> Self {
        Self {
            blob_type: Name::Plain(blob_type),
            fields: FieldIds::List(&[]),
            snapshot_id: -1,
            sequence_number: -1,
            codec: Codec::None,
            codec_name: None,
            properties: NO_PROPERTIES,
        }
    }
}

impl<'a> NewBlob<'a, Properties<'a>> {
    /// Describes a blob as the footer of another file does, a codec that is unknown here included.
    ///
    /// To be added with its stored bytes as they are.
    ///
    /// # Examples
    ///
    /// Copies every blob of a file, whatever it is:
    ///
    /// ```
    /// use puffin_codec::puffin::{NewBlob, PuffinFile, SliceSink, Writer};
    ///
    /// # let mut memory = [0; 300];
    /// # let mut footer = [0; 300];
    /// # let mut writer = Writer::new(SliceSink::new(&mut memory), &mut footer)?;
    /// # writer.add(NewBlob::new("greeting").properties([("language", "en")]), b"hello")?;
    /// # writer.finish([("created-by", "by hand")])?;
    /// # let bytes = writer.sink().written();
    /// let file = PuffinFile::parse(bytes)?;
    /// let metadata = file.metadata(&mut [])?;
    ///
    /// let (mut copy, mut buffer) = ([0; 300], [0; 300]);
    /// let mut writer = Writer::new(SliceSink::new(&mut copy), &mut buffer)?;
    /// for blob in metadata.blobs() {
    ///     let blob = blob?;
    ///     writer.add(NewBlob::copy_of(&blob), file.blob(&blob)?.stored())?;
    /// }
    /// writer.finish(metadata.properties())?;
    /// assert_eq!(writer.sink().written(), bytes);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    #[must_use]
    pub fn copy_of(blob: &BlobMetadata<'a>) -> Self {
        Self {
            blob_type: Name::Read(blob.blob_type()),
            fields: FieldIds::Read(blob.fields()),
            snapshot_id: blob.snapshot_id(),
            sequence_number: blob.sequence_number(),
            codec: blob.codec(),
            codec_name: blob.compression_codec().map(Name::Read),
            properties: blob.properties(),
        }
    }
}

impl<'a, P> NewBlob<'a, P> {
    /// Sets `fields`, the ids of the table columns that the blob was computed for.
    #[must_use]
    pub fn fields(self, fields: &'a [i32]) -> Self {
        Self { fields: FieldIds::List(fields), ..self }
    }

    /// Sets `snapshot-id` and `sequence-number` of the table snapshot that the blob was computed from.
    #[must_use]
    pub fn snapshot(self, snapshot_id: i64, sequence_number: i64) -> Self {
        Self { snapshot_id, sequence_number, ..self }
    }

    /// Sets `compression-codec`: how the stored bytes are compressed. [`Codec::None`] leaves the field out.
    #[must_use]
    pub fn codec(self, codec: Codec) -> Self {
        Self { codec, codec_name: codec.name().map(Name::Plain), ..self }
    }

    /// Sets `properties`, which replace those there are.
    #[must_use]
    pub fn properties<Q>(self, properties: Q) -> NewBlob<'a, Q> {
        let Self { blob_type, fields, snapshot_id, sequence_number, codec, codec_name, properties: _ } = self;
        NewBlob { blob_type, fields, snapshot_id, sequence_number, codec, codec_name, properties }
    }

    /// Returns how many bytes of the footer buffer the blob takes, a comma included that the first one does not have.
    ///
    /// `offset` and `length` are written in decimal; where they are not known, larger ones give a bound.
    /// [`EMPTY_FOOTER_LEN`](super::EMPTY_FOOTER_LEN), this for every blob, and [`properties_len`] for the properties
    /// of the file add up to a buffer that is enough.
    pub fn entry_len<N: Display, V: Display>(&self, offset: u64, length: u64) -> usize
    where
        P: Clone + IntoIterator<Item = (N, V)>,
    {
        let mut text = Text::after(&mut [], 1);
        // An error would be that of adding the blob.
        let _ = self.clone().write(&mut text, offset, length);
        text.len()
    }

    pub(super) const fn has_codec(&self) -> Codec {
        self.codec
    }

    pub(super) fn is_vector(&self) -> bool {
        match self.blob_type {
            Name::Plain(name) => name == DELETION_VECTOR_V1,
            Name::Read(name) => name == DELETION_VECTOR_V1,
        }
    }

    /// Refuses what the specification forbids, as far as it can be seen before the properties are.
    pub(super) fn check(&self) -> Result<()> {
        let fault = |kind, found| Err(Error::new(kind, 0, found));
        if self.codec == Codec::Unknown && self.codec_name.is_none() {
            return fault(ErrorKind::UnknownCodec, 0);
        }
        if self.is_vector() {
            if self.codec_name.is_some() {
                return fault(ErrorKind::VectorCompressed, 0);
            }
            if self.snapshot_id != -1 {
                return fault(ErrorKind::SnapshotIdNotInherited, self.snapshot_id.cast_unsigned());
            }
            if self.sequence_number != -1 {
                return fault(ErrorKind::SequenceNumberNotInherited, self.sequence_number.cast_unsigned());
            }
        }
        Ok(())
    }

    /// Adds the entry to the text, fields in the order of Iceberg Java, and says where it wrote what a vector needs.
    pub(super) fn write<N: Display, V: Display>(
        self,
        text: &mut Text<'_>,
        offset: u64,
        length: u64,
    ) -> Result<VectorProperties>
    where
        P: IntoIterator<Item = (N, V)>,
    {
        let integer = |text: &mut Text<'_>, field: FieldName, value: i64| {
            text.put(b",\"");
            text.put(field.as_str().as_bytes());
            text.put(b"\":");
            text.integer(value);
        };
        text.put(b"{\"type\":");
        text.string(&self.blob_type).map_err(not_shown)?;
        text.put(b",\"fields\":[");
        let mut write_ids = |ids: &mut dyn Iterator<Item = i32>| {
            for (index, id) in ids.enumerate() {
                if index > 0 {
                    text.put(b",");
                }
                text.integer(id.into());
            }
        };
        match self.fields {
            FieldIds::List(ids) => write_ids(&mut ids.iter().copied()),
            FieldIds::Read(mut ids) => write_ids(&mut ids),
        }
        text.put(b"]");
        integer(text, FieldName::SnapshotId, self.snapshot_id);
        integer(text, FieldName::SequenceNumber, self.sequence_number);
        integer(text, FieldName::Offset, i64::try_from(offset).unwrap_or(i64::MAX));
        integer(text, FieldName::Length, i64::try_from(length).unwrap_or(i64::MAX));
        if let Some(name) = self.codec_name {
            text.put(b",\"compression-codec\":");
            text.string(&name).map_err(not_shown)?;
        }
        let mut found = VectorProperties::default();
        write_properties(text, self.properties, |name, value| match name {
            name if name == property::REFERENCED_DATA_FILE.as_bytes() => found.data_file = Some(value),
            name if name == property::CARDINALITY.as_bytes() => found.cardinality = Some(value),
            _ => {}
        })?;
        text.put(b"}");
        Ok(found)
    }
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(name) => f.write_str(name),
            Self::Read(name) => name.fmt(f),
        }
    }
}

/// Where the properties that a vector must have stand in the text: their values, without quotes.
#[derive(Debug, Default)]
pub(super) struct VectorProperties {
    data_file: Option<Range<usize>>,
    cardinality: Option<Range<usize>>,
}

impl VectorProperties {
    /// Returns where the data file's location stands, and the number of positions.
    pub(super) fn check(self, text: &[u8]) -> Result<(Range<usize>, u64)> {
        let missing = |number| Error::new(ErrorKind::MissingProperty, 0, number);
        let data_file = self.data_file.ok_or(missing(property::REFERENCED_DATA_FILE_NUMBER))?;
        let cardinality = self.cardinality.ok_or(missing(property::CARDINALITY_NUMBER))?;
        let digits = text.get(cardinality).and_then(|digits| core::str::from_utf8(digits).ok());
        let cardinality = digits.and_then(|digits| JsonStr::new(digits, true).decimal()).ok_or(Error::new(
            ErrorKind::BadProperty,
            0,
            property::CARDINALITY_NUMBER,
        ))?;
        Ok((data_file, cardinality))
    }
}

/// Returns how many bytes the `properties` of a file take in the footer buffer; 0 without any.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::properties_len;
///
/// assert_eq!(properties_len([("created-by", "me")]), r#","properties":{"created-by":"me"}"#.len());
/// ```
pub fn properties_len<N: Display, V: Display>(properties: impl IntoIterator<Item = (N, V)>) -> usize {
    let mut text = Text::after(&mut [], 0);
    // An error would be that of finishing the file.
    let _ = write_properties(&mut text, properties, |_, _| {});
    text.len()
}

/// Adds `properties` as one more member of an object, or nothing if there are none. `note` gets each name as written,
/// and where its value stands.
///
/// Offsets of errors are the numbers of properties.
pub(super) fn write_properties<N: Display, V: Display>(
    text: &mut Text<'_>,
    properties: impl IntoIterator<Item = (N, V)>,
    mut note: impl FnMut(&[u8], Range<usize>),
) -> Result<()> {
    let mut members = None;
    for (index, (name, value)) in properties.into_iter().enumerate() {
        if index >= MAX_PROPERTIES {
            return Err(Error::new(ErrorKind::TooManyMembers, index, MAX_PROPERTIES as u64));
        }
        let fault = |kind| Error::new(kind, index, 0);
        text.put(if index == 0 { b",\"properties\":{" } else { b"," });
        let name_at = text.len();
        let members = *members.get_or_insert(name_at);
        text.string(&name).map_err(|_| fault(ErrorKind::InvalidArgument))?;
        text.put(b":");
        let value_at = text.len();
        text.string(&value).map_err(|_| fault(ErrorKind::InvalidArgument))?;

        // What does not fit is refused for that.
        let Some(written) = text.written() else { continue };
        let name = written.get(name_at.saturating_add(1)..value_at.saturating_sub(2)).unwrap_or_default();
        if has_name(written.get(members..name_at).unwrap_or_default(), name) {
            return Err(fault(ErrorKind::DuplicateName));
        }
        note(name, value_at.saturating_add(1)..text.len().saturating_sub(1));
    }
    if members.is_some() {
        text.put(b"}");
    }
    Ok(())
}

fn not_shown(_: fmt::Error) -> Error {
    Error::new(ErrorKind::InvalidArgument, 0, 0)
}
