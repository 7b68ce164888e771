//! Names of fields, and their numbers.

use super::json::JsonStr;

/// A field that the Puffin specification names in a footer.
///
/// The number of a field is what [`Error::found`](crate::Error::found) of a
/// [`MissingField`](crate::ErrorKind::MissingField) holds.
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
    #[inline]
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

    /// Finds the field of a blob with that name.
    pub(super) fn of_blob(name: JsonStr<'_>) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_from_one_and_names_are_found_again() {
        for (index, &field) in FieldName::ALL.iter().enumerate() {
            assert_eq!(field as u64, index as u64 + 1);
            let found = FieldName::of_blob(JsonStr::new(field.as_str(), false));
            assert_eq!(found, (field != FieldName::Blobs).then_some(field));
        }
        assert_eq!(FieldName::of_blob(JsonStr::new(r"\u0074ype", true)), Some(FieldName::Type));
        assert_eq!(FieldName::of_blob(JsonStr::new(r"\u0062lobs", true)), None);
        assert_eq!(FieldName::of_blob(JsonStr::new("Type", false)), None);
    }
}
