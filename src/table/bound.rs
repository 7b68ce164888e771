//! Reading by manifest entry: the bare range, and the range bound to its footer entry.

use core::ops::Range;

use crate::deletion_vector::DeletionVector;
use crate::error::{Error, ErrorKind, Result};
use crate::puffin::{BlobMetadata, FileMetadata, PuffinFile, property};
use crate::table::lookup::{cardinality, check_codec, check_type, find_range};

/// What a manifest says of one deletion vector, in the manifest's own field names.
///
/// Numbers are signed as in the manifest. A negative offset or size is refused by every call, a negative count by those
/// that read the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManifestEntry<'m> {
    /// Field 144: where the blob starts, in bytes from the start of the file.
    pub content_offset: i64,
    /// Field 145: length of the blob in bytes.
    pub content_size_in_bytes: i64,
    /// Field 103: number of deleted rows.
    pub record_count: i64,
    /// Field 143: location of the data file.
    pub referenced_data_file: &'m str,
}

impl ManifestEntry<'_> {
    /// Returns the byte range of the blob in its file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::RangeOutOfBounds`] for negative numbers and for an end past 2^63 - 1.
    pub fn range(&self) -> Result<Range<u64>> {
        range(self.content_offset, self.content_size_in_bytes)
    }
}

fn range(offset: i64, size: i64) -> Result<Range<u64>> {
    let out_of_bounds = |found: i64| Error::at(ErrorKind::RangeOutOfBounds, 0, found.cast_unsigned());
    let start = u64::try_from(offset).map_err(|_| out_of_bounds(offset))?;
    u64::try_from(size).map_err(|_| out_of_bounds(size))?;
    let end = offset.checked_add(size).ok_or(out_of_bounds(size))?;
    Ok(start..end.cast_unsigned())
}

/// Reads a vector by its range alone: the whole file is in memory, and its container, if it has one, is not looked at.
///
/// Files labelled Puffin that are none (bare vectors, Delta `.bin` and Paimon index files under an Iceberg manifest)
/// read as well as Puffin files do. Takes O(blob). Offsets of errors count from the start of the file.
///
/// # Errors
///
/// [`ErrorKind::RangeOutOfBounds`] for a range not inside `file`, [`ErrorKind::CardinalityMismatch`] if `record_count`
/// is given and differs, and everything that [`DeletionVector::parse`] reports.
///
/// # Examples
///
/// ```
/// use puffin_codec::table;
///
/// let empty_vector = [0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C];
/// let vector = table::read_range(&empty_vector, 0, 20, Some(0))?;
/// assert!(vector.is_empty());
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn read_range(
    file: &[u8],
    content_offset: i64,
    content_size_in_bytes: i64,
    record_count: Option<i64>,
) -> Result<DeletionVector<'_>> {
    read(file, 0, range(content_offset, content_size_in_bytes)?, record_count)
}

/// Reads the vector of a manifest entry from `bytes`, which were fetched from `bytes_offset` of the file on.
///
/// Range and `record_count` are checked; that the range is `referenced_data_file`'s only a footer can say, see
/// [`read_bound`]. Takes O(blob). Offsets of errors count from the start of `bytes`.
///
/// # Errors
///
/// As [`read_range`].
pub fn read_entry<'a>(bytes: &'a [u8], bytes_offset: u64, entry: &ManifestEntry<'_>) -> Result<DeletionVector<'a>> {
    read(bytes, bytes_offset, entry.range()?, Some(entry.record_count))
}

fn read(bytes: &[u8], bytes_offset: u64, range: Range<u64>, record_count: Option<i64>) -> Result<DeletionVector<'_>> {
    let out_of_bounds = Error::at(ErrorKind::RangeOutOfBounds, range.start, range.end);
    let local = |at: u64| usize::try_from(at.checked_sub(bytes_offset)?).ok();
    let (start, end) = local(range.start).zip(local(range.end)).ok_or(out_of_bounds)?;
    let blob = bytes.get(start..end).ok_or(out_of_bounds)?;
    let vector = match record_count.map(u64::try_from) {
        None => DeletionVector::parse(blob),
        Some(Ok(count)) => DeletionVector::parse_with_cardinality(blob, count),
        Some(Err(_)) => {
            let found = record_count.unwrap_or_default().cast_unsigned();
            return Err(Error::new(ErrorKind::CardinalityMismatch, start, found));
        }
    };
    vector.map_err(|error| error.rebased(start))
}

/// Finds the footer entry of a manifest entry, and checks that both say the same.
///
/// For remote readers, who have the footer and then fetch the blob: see [`read_entry`]. Takes O(footer).
///
/// # Errors
///
/// [`ErrorKind::RangeOutOfBounds`] for negative numbers, [`ErrorKind::BlobNotFound`] if no blob has the range,
/// [`ErrorKind::WrongBlobType`], [`ErrorKind::VectorCompressed`], [`ErrorKind::MissingProperty`],
/// [`ErrorKind::DataFileMismatch`], [`ErrorKind::SnapshotIdNotInherited`],
/// [`ErrorKind::SequenceNumberNotInherited`], [`ErrorKind::BadProperty`], [`ErrorKind::CardinalityMismatch`], and
/// what [`find_range`] reports. Offsets are those of the footer entry.
pub fn bound_blob<'s>(metadata: &FileMetadata<'s>, entry: &ManifestEntry<'_>) -> Result<BlobMetadata<'s>> {
    let range = entry.range()?;
    let length = range.end.saturating_sub(range.start);
    let Some(blob) = find_range(metadata, range.start, length)? else {
        return Err(Error::at(ErrorKind::BlobNotFound, 0, range.start));
    };
    let fault = |kind: ErrorKind, found: u64| Err(blob.error(kind, found));
    check_type(&blob)?;
    check_codec(&blob)?;
    match blob.property(property::REFERENCED_DATA_FILE) {
        None => return fault(ErrorKind::MissingProperty, property::REFERENCED_DATA_FILE_NUMBER),
        Some(path) if path != *entry.referenced_data_file => {
            return fault(ErrorKind::DataFileMismatch, blob.index() as u64);
        }
        Some(_) => {}
    }
    if blob.snapshot_id() != -1 {
        return fault(ErrorKind::SnapshotIdNotInherited, blob.snapshot_id().cast_unsigned());
    }
    if blob.sequence_number() != -1 {
        return fault(ErrorKind::SequenceNumberNotInherited, blob.sequence_number().cast_unsigned());
    }
    match cardinality(&blob)? {
        None => fault(ErrorKind::MissingProperty, property::CARDINALITY_NUMBER),
        Some(declared) if u64::try_from(entry.record_count) != Ok(declared) => {
            fault(ErrorKind::CardinalityMismatch, declared)
        }
        Some(_) => Ok(blob),
    }
}

/// Reads the vector of a manifest entry from a whole file, once footer and manifest are found to say the same of it.
///
/// This catches what the bytes of a vector cannot show: that it is another data file's. Takes O(footer + blob).
///
/// # Errors
///
/// As [`bound_blob`], and everything that [`DeletionVector::parse_with_cardinality`] reports, with offsets from the
/// start of the file.
pub fn read_bound<'a>(
    file: &PuffinFile<'a>,
    metadata: &FileMetadata<'_>,
    entry: &ManifestEntry<'_>,
) -> Result<DeletionVector<'a>> {
    bound_blob(metadata, entry)?;
    read_entry(file.bytes(), 0, entry)
}
