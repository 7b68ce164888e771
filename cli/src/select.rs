//! From a file and a selector to the set of positions that is meant.

use std::ops::RangeBounds;

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::{BlobMetadata, DELETION_VECTOR_V1, FileMetadata, PuffinFile, property};
use puffin_codec::roaring::{Bitmap32, Bitmap64, ContainerKind};
use puffin_codec::{Limits, table};

use crate::args::{Kind, Selector};
use crate::output::{Failure, printable};
use crate::recognize::{Recognized, is_puffin, recognize};

/// How many vectors an error names before it only counts.
const NAMED: usize = 20;

/// A set of positions, whatever it is stored as.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Set<'a> {
    Vector(DeletionVector<'a>),
    Wide(Bitmap64<'a>),
    Narrow(Bitmap32<'a>),
}

/// A set, and which one of the file it is.
#[derive(Clone, Debug)]
pub(crate) struct Selected<'a> {
    pub(crate) set: Set<'a>,
    /// Number of the blob, if a footer was read.
    pub(crate) blob: Option<usize>,
    pub(crate) data_file: Option<String>,
    /// Stored length in bytes, envelope included.
    pub(crate) len: usize,
}

/// A vector that a file should hold, and that cannot be read.
#[derive(Clone, Debug)]
pub(crate) struct Unreadable {
    pub(crate) blob: usize,
    /// As far as the footer's entry can be read.
    pub(crate) data_file: Option<String>,
    pub(crate) error: puffin_codec::Error,
}

impl From<Unreadable> for Failure {
    fn from(vector: Unreadable) -> Self {
        Self::of_blob(vector.blob)(vector.error)
    }
}

impl<'a> Set<'a> {
    pub(crate) fn cardinality(&self) -> u64 {
        match self {
            Self::Vector(vector) => vector.cardinality(),
            Self::Wide(bitmap) => bitmap.cardinality(),
            Self::Narrow(bitmap) => bitmap.cardinality(),
        }
    }

    pub(crate) fn min(&self) -> Option<u64> {
        match self {
            Self::Vector(vector) => vector.min(),
            Self::Wide(bitmap) => bitmap.min(),
            Self::Narrow(bitmap) => bitmap.min().map(u64::from),
        }
    }

    pub(crate) fn max(&self) -> Option<u64> {
        match self {
            Self::Vector(vector) => vector.max(),
            Self::Wide(bitmap) => bitmap.max(),
            Self::Narrow(bitmap) => bitmap.max().map(u64::from),
        }
    }

    pub(crate) fn contains(&self, position: u64) -> bool {
        match self {
            Self::Vector(vector) => vector.contains(position),
            Self::Wide(bitmap) => bitmap.contains(position),
            Self::Narrow(bitmap) => u32::try_from(position).is_ok_and(|position| bitmap.contains(position)),
        }
    }

    pub(crate) fn count(&self, range: impl RangeBounds<u64>) -> u64 {
        match self {
            Self::Vector(vector) => vector.count(range),
            Self::Wide(bitmap) => bitmap.count(range),
            Self::Narrow(bitmap) => {
                let narrow = |value: &u64| u32::try_from(*value).unwrap_or(u32::MAX);
                bitmap.count((range.start_bound().map(narrow), range.end_bound().map(narrow)))
            }
        }
    }

    /// Calls `each` with the positions, ascending, until it fails.
    pub(crate) fn try_for_each<E>(&self, each: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::Vector(vector) => vector.iter().try_for_each(each),
            Self::Wide(bitmap) => bitmap.iter().try_for_each(each),
            Self::Narrow(bitmap) => bitmap.iter().map(u64::from).try_for_each(each),
        }
    }

    /// Calls `each` with every 32-bit bitmap: one for each bucket.
    pub(crate) fn for_each_bitmap(&self, mut each: impl FnMut(&Bitmap32<'a>)) {
        match self {
            Self::Vector(vector) => vector.bitmap().buckets().for_each(|(_, bitmap)| each(&bitmap)),
            Self::Wide(bitmap) => bitmap.buckets().for_each(|(_, bitmap)| each(&bitmap)),
            Self::Narrow(bitmap) => each(bitmap),
        }
    }

    /// Counts buckets, and containers by kind: array, bitset, run.
    pub(crate) fn form(&self) -> (u64, [u64; 3]) {
        let (mut buckets, mut kinds) = (0, [0; 3]);
        let [arrays, bitsets, runs] = &mut kinds;
        self.for_each_bitmap(|bitmap| {
            buckets += 1;
            for (_, container) in bitmap.containers() {
                *match container.kind() {
                    ContainerKind::Array => &mut *arrays,
                    ContainerKind::Bitset => &mut *bitsets,
                    ContainerKind::Run => &mut *runs,
                } += 1;
            }
        });
        (buckets, kinds)
    }
}

/// Calls `read` with a Puffin file and its footer's content.
pub(crate) fn with_metadata<T>(
    bytes: &[u8],
    limits: &Limits,
    read: impl FnOnce(&PuffinFile<'_>, &FileMetadata<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let file = PuffinFile::parse(bytes)?;
    let mut scratch = vec![0; file.scratch_len(limits)?];
    let metadata = file.metadata_with(&mut scratch, limits)?;
    read(&file, &metadata)
}

/// Takes what the caller said the bytes are; without a word from the caller, they have to be Puffin.
pub(crate) fn kind_of(bytes: &[u8], named: Option<Kind>) -> Result<Kind, Recognized> {
    match named {
        Some(kind) => Ok(kind),
        None if is_puffin(bytes) => Ok(Kind::Puffin),
        None => Err(recognize(bytes)),
    }
}

/// Parses bytes that are no container.
pub(crate) fn bare(bytes: &[u8], kind: Kind) -> Result<Selected<'_>, Failure> {
    let set = match kind {
        Kind::Puffin => return Err(Failure::Usage("a Puffin file is not one vector".to_owned())),
        Kind::Dv => Set::Vector(DeletionVector::parse(bytes)?),
        Kind::Roaring32 => Set::Narrow(Bitmap32::parse(bytes)?),
        Kind::Roaring64 => Set::Wide(Bitmap64::parse(bytes)?),
    };
    Ok(Selected { set, blob: None, data_file: None, len: bytes.len() })
}

/// Finds the one vector that is meant.
pub(crate) fn one<'a>(bytes: &'a [u8], selector: &Selector, limits: &Limits) -> Result<Selected<'a>, Failure> {
    if let Some(selected) = named(bytes, selector, limits)? {
        return Ok(selected);
    }
    with_metadata(bytes, limits, |_, metadata| {
        let mut vectors = vectors(metadata);
        match (vectors.next(), vectors.next()) {
            (None, _) => Err(Failure::data("the file holds no deletion vector")),
            (Some(only), None) => read(&PuffinFile::parse(bytes)?, only).map_err(Failure::from),
            (Some(_), Some(_)) => Err(Failure::Usage(ambiguous(metadata))),
        }
    })
}

/// Finds the vectors that are meant: without a selector, all of the file's, those that cannot be read among them.
pub(crate) fn select<'a>(
    bytes: &'a [u8],
    selector: &Selector,
    limits: &Limits,
) -> Result<Vec<Result<Selected<'a>, Unreadable>>, Failure> {
    if let Some(selected) = named(bytes, selector, limits)? {
        return Ok(vec![Ok(selected)]);
    }
    with_metadata(bytes, limits, |_, metadata| {
        let file = PuffinFile::parse(bytes)?;
        Ok(vectors(metadata).map(|vector| read(&file, vector)).collect())
    })
}

/// Says which vectors there are to choose from, unread.
fn ambiguous(metadata: &FileMetadata<'_>) -> String {
    let count = vectors(metadata).count();
    let mut message = format!("{count} vectors, choose one with --data-file or --blob:");
    for vector in vectors(metadata).take(NAMED) {
        let (number, what) = match vector {
            Ok(blob) => (blob.index(), data_file(&blob).unwrap_or_else(|| "(no data file)".to_owned())),
            Err(unreadable) => (unreadable.blob, "(unreadable)".to_owned()),
        };
        message += &format!(" [{number}] {};", printable(&what));
    }
    match count.saturating_sub(NAMED) {
        0 => message.trim_end_matches(';').to_owned(),
        more => message + &format!(" and {more} more"),
    }
}

/// Finds the vector that the caller names, or the only one of a file that is no container; `None` if that leaves all
/// the vectors of a Puffin file.
fn named<'a>(bytes: &'a [u8], selector: &Selector, limits: &Limits) -> Result<Option<Selected<'a>>, Failure> {
    if let (Some(offset), Some(length)) = (selector.offset, selector.length) {
        return range(bytes, offset, length, selector.kind).map(Some);
    }
    let kind = kind_of(bytes, selector.kind)?;
    if kind != Kind::Puffin {
        if selector.data_file.is_some() || selector.blob.is_some() {
            return Err(Failure::Usage("--data-file and --blob are for Puffin files".to_owned()));
        }
        return bare(bytes, kind).map(Some);
    }
    if selector.data_file.is_none() && selector.blob.is_none() {
        return Ok(None);
    }
    with_metadata(bytes, limits, |_, metadata| {
        let blob = if let Some(data_file) = &selector.data_file {
            let found = table::find_vector(metadata, data_file)?;
            found.ok_or_else(|| Failure::Data(format!("no deletion vector for data file {}", printable(data_file))))?
        } else {
            let number = selector.blob.unwrap_or_default();
            let found = metadata.blob(number);
            let none = || Failure::Data(format!("no blob {number}: the file has {}", metadata.blob_count()));
            found.ok_or_else(none)?.map_err(Failure::of_blob(number))?
        };
        // The file borrows `bytes`, so that the vector outlives the footer's scratch.
        read(&PuffinFile::parse(bytes)?, Ok(blob)).map(Some).map_err(Failure::from)
    })
}

/// Lists the vectors of a file by its footer. An entry that cannot be read might be one, so it is not passed over.
fn vectors<'s>(metadata: &FileMetadata<'s>) -> impl Iterator<Item = Result<BlobMetadata<'s>, Unreadable>> {
    metadata.blobs().enumerate().filter_map(|(number, blob)| match blob {
        Ok(blob) => (blob.blob_type() == *DELETION_VECTOR_V1).then_some(Ok(blob)),
        Err(error) => Some(Err(Unreadable { blob: number, data_file: None, error })),
    })
}

fn read<'a>(file: &PuffinFile<'a>, blob: Result<BlobMetadata<'_>, Unreadable>) -> Result<Selected<'a>, Unreadable> {
    let blob = blob?;
    let (number, data_file) = (blob.index(), data_file(&blob));
    match table::read_vector(file, &blob) {
        Ok(vector) => Ok(Selected {
            set: Set::Vector(vector),
            blob: Some(number),
            data_file,
            len: usize::try_from(blob.length()).unwrap_or(usize::MAX),
        }),
        Err(error) => Err(Unreadable { blob: number, data_file, error }),
    }
}

fn data_file(blob: &BlobMetadata<'_>) -> Option<String> {
    blob.property(property::REFERENCED_DATA_FILE).map(|path| path.to_string())
}

/// Reads a bare range: a deletion vector unless the caller says otherwise.
fn range(bytes: &[u8], offset: i64, length: i64, kind: Option<Kind>) -> Result<Selected<'_>, Failure> {
    if kind == Some(Kind::Puffin) {
        return Err(Failure::Usage("--offset and --length name a bare range, not a Puffin file".to_owned()));
    }
    let kind = kind.unwrap_or(Kind::Dv);
    if kind == Kind::Dv {
        let vector = table::read_range(bytes, offset, length, None)?;
        let len = usize::try_from(length).unwrap_or(usize::MAX);
        return Ok(Selected { set: Set::Vector(vector), blob: None, data_file: None, len });
    }
    let start = usize::try_from(offset).ok();
    let end = start.zip(usize::try_from(length).ok()).and_then(|(start, length)| start.checked_add(length));
    let part = start.zip(end).and_then(|(start, end)| bytes.get(start..end));
    let out_of_bounds =
        || Failure::Data(format!("range {offset} + {length} outside the file of {} bytes", bytes.len()));
    bare(part.ok_or_else(out_of_bounds)?, kind)
}
