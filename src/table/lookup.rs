//! Finding a blob in the footer, and reading the vector it points at.

use crate::deletion_vector::DeletionVector;
use crate::error::{ErrorKind, Result};
use crate::puffin::{BlobMetadata, DELETION_VECTOR_V1, FileMetadata, PuffinFile, property};

/// Finds the entry of the deletion vector of `data_file`, compared with `referenced-data-file` after unescaping.
///
/// Takes O(footer). `Ok(None)` says that every entry was readable and none is the one.
///
/// # Errors
///
/// [`ErrorKind::DuplicateVector`] if two entries match: which of them applies only a manifest can say. If none
/// matches and an entry is unreadable, that entry's error: it might have been the one.
pub fn find_vector<'s>(metadata: &FileMetadata<'s>, data_file: &str) -> Result<Option<BlobMetadata<'s>>> {
    find(metadata, ErrorKind::DuplicateVector, |blob| {
        blob.blob_type() == *DELETION_VECTOR_V1 && blob.has_property(property::REFERENCED_DATA_FILE, data_file)
    })
}

/// Finds the entry of the blob at exactly `offset`, of exactly `length` bytes as stored.
///
/// Takes O(footer). `Ok(None)` says that every entry was readable and none is the one.
///
/// # Errors
///
/// [`ErrorKind::DuplicateVector`] if two entries have that range. If none has, and an entry is unreadable, that
/// entry's error.
pub fn find_range<'s>(metadata: &FileMetadata<'s>, offset: u64, length: u64) -> Result<Option<BlobMetadata<'s>>> {
    find(metadata, ErrorKind::DuplicateVector, |blob| blob.offset() == offset && blob.length() == length)
}

fn find<'s>(
    metadata: &FileMetadata<'s>,
    twice: ErrorKind,
    wanted: impl Fn(&BlobMetadata<'s>) -> bool,
) -> Result<Option<BlobMetadata<'s>>> {
    let (mut found, mut unreadable) = (None, None);
    for blob in metadata.blobs() {
        match blob {
            Ok(blob) if wanted(&blob) => {
                if found.is_some() {
                    return Err(blob.error(twice, blob.index() as u64));
                }
                found = Some(blob);
            }
            Ok(_) => {}
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    match (found, unreadable) {
        (None, Some(error)) => Err(error),
        (found, _) => Ok(found),
    }
}

/// Reads the vector of `data_file` from a whole file; `Ok(None)` if the file has none.
///
/// Takes O(footer + blob).
///
/// # Errors
///
/// As [`find_vector`] and [`read_vector`].
///
/// # Examples
///
/// ```
/// use puffin_codec::{puffin::PuffinFile, table};
///
/// // A file without blobs: magic, footer of magic, payload, payload size, flags, magic.
/// let file = b"PFA1PFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1";
/// let file = PuffinFile::parse(file)?;
/// let metadata = file.metadata(&mut [])?;
/// assert!(table::vector_of(&file, &metadata, "s3://bucket/data/a.parquet")?.is_none());
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn vector_of<'a>(
    file: &PuffinFile<'a>,
    metadata: &FileMetadata<'_>,
    data_file: &str,
) -> Result<Option<DeletionVector<'a>>> {
    match find_vector(metadata, data_file)? {
        Some(blob) => read_vector(file, &blob).map(Some),
        None => Ok(None),
    }
}

/// Reads the vector that a footer entry points at, and compares it with the entry's `cardinality`, if there is one.
///
/// Takes O(blob). Offsets of errors count from the start of the file.
///
/// # Errors
///
/// [`ErrorKind::WrongBlobType`], [`ErrorKind::VectorCompressed`], [`ErrorKind::BadProperty`],
/// [`ErrorKind::RangeOutOfBounds`] if the entry is of another file, [`ErrorKind::CardinalityMismatch`], and everything
/// that [`DeletionVector::parse`] reports.
pub fn read_vector<'a>(file: &PuffinFile<'a>, blob: &BlobMetadata<'_>) -> Result<DeletionVector<'a>> {
    check_type(blob)?;
    check_codec(blob)?;
    let declared = cardinality(blob)?;
    let stored = file.blob(blob)?.stored();
    let vector = match declared {
        Some(declared) => DeletionVector::parse_with_cardinality(stored, declared),
        None => DeletionVector::parse(stored),
    };
    vector.map_err(|error| error.rebased(usize::try_from(blob.offset()).unwrap_or(usize::MAX)))
}

/// Refuses a blob of another type.
pub(super) fn check_type(blob: &BlobMetadata<'_>) -> Result<()> {
    if blob.blob_type() == *DELETION_VECTOR_V1 {
        return Ok(());
    }
    Err(blob.error(ErrorKind::WrongBlobType, blob.index() as u64))
}

/// Refuses a vector with a codec: the specification wants them uncompressed, and the codec omitted.
pub(super) fn check_codec(blob: &BlobMetadata<'_>) -> Result<()> {
    if blob.compression_codec().is_none() {
        return Ok(());
    }
    Err(blob.error(ErrorKind::VectorCompressed, blob.index() as u64))
}

/// Returns the `cardinality` property, if there is one.
pub(super) fn cardinality(blob: &BlobMetadata<'_>) -> Result<Option<u64>> {
    let Some(text) = blob.property(property::CARDINALITY) else { return Ok(None) };
    match text.decimal() {
        Some(value) => Ok(Some(value)),
        None => Err(blob.error(ErrorKind::BadProperty, property::CARDINALITY_NUMBER)),
    }
}
