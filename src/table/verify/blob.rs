//! Findings about one blob: its footer entry, and its content.

use crate::deletion_vector::{DeletionVector, MAX_KEY};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::puffin::{BlobMetadata, Codec, DELETION_VECTOR_V1, PuffinFile, THETA_V1, property};
use crate::roaring::{BITSET_LEN, Bitmap32, Container, MAX_ARRAY_CARDINALITY};
use crate::table::ROW_POSITION_FIELD_ID;
use crate::table::lookup::{cardinality, check_codec};
use crate::table::verify::{Finding, FindingKind, Queue};

/// Pushes what there is to say about `blob`.
pub(super) fn check_blob(
    file: &PuffinFile<'_>,
    blob: &BlobMetadata<'_>,
    decoded: &mut [u8],
    limits: &Limits,
    queue: &mut Queue,
) {
    if blob.blob_type() == *DELETION_VECTOR_V1 {
        check_vector(file, blob, queue);
    } else {
        if blob.blob_type() != *THETA_V1 {
            queue.push(note(FindingKind::UnknownType, blob, 0));
        }
        check_payload(file, blob, decoded, limits, queue);
    }
}

fn note(kind: FindingKind, blob: &BlobMetadata<'_>, found: u64) -> Finding {
    Finding::new(kind, Some(blob.index()), blob.error(ErrorKind::Internal, 0).offset(), found)
}

/// Checks that a blob which is no vector decodes.
fn check_payload(
    file: &PuffinFile<'_>,
    blob: &BlobMetadata<'_>,
    decoded: &mut [u8],
    limits: &Limits,
    queue: &mut Queue,
) {
    let fault = |error: Error| Finding::fault(error.rebased(start(blob)), blob.index());
    let payload = match file.blob(blob) {
        Ok(payload) => payload,
        Err(error) => return queue.push(Finding::fault(error, blob.index())),
    };
    match payload.codec() {
        Codec::None => {}
        Codec::Unknown => queue.push(note(FindingKind::UnknownCodec, blob, 0)),
        Codec::Lz4 | Codec::Zstd => match payload.decoded_len(limits) {
            Err(error) => queue.push(fault(error)),
            Ok(needed) if needed > decoded.len() => queue.push(note(FindingKind::NotDecoded, blob, needed as u64)),
            Ok(needed) => match payload.decode_into(decoded, limits) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::CodecNotBuilt => {
                    queue.push(note(FindingKind::NotDecoded, blob, needed as u64));
                }
                Err(error) => queue.push(fault(error)),
            },
        },
    }
}

/// Checks what the specification asks of a vector's entry, then the vector.
fn check_vector(file: &PuffinFile<'_>, blob: &BlobMetadata<'_>, queue: &mut Queue) {
    let mut fault = |kind: ErrorKind, found: u64| queue.push(note(FindingKind::Fault(kind), blob, found));
    if blob.snapshot_id() != -1 {
        fault(ErrorKind::SnapshotIdNotInherited, blob.snapshot_id().cast_unsigned());
    }
    if blob.sequence_number() != -1 {
        fault(ErrorKind::SequenceNumberNotInherited, blob.sequence_number().cast_unsigned());
    }
    if blob.property(property::REFERENCED_DATA_FILE).is_none() {
        fault(ErrorKind::MissingProperty, property::REFERENCED_DATA_FILE_NUMBER);
    }
    let declared = match cardinality(blob) {
        Ok(None) => {
            fault(ErrorKind::MissingProperty, property::CARDINALITY_NUMBER);
            None
        }
        Ok(declared) => declared,
        Err(error) => {
            fault(error.kind(), error.found());
            None
        }
    };
    if !matches!(fields(blob), [None, None] | [Some(ROW_POSITION_FIELD_ID), None]) {
        queue.push(note(FindingKind::UnusualFields, blob, blob.fields().count() as u64));
    }
    if let Err(error) = check_codec(blob) {
        return queue.push(Finding::fault(error, blob.index()));
    }
    let parsed = file
        .blob(blob)
        .and_then(|payload| DeletionVector::parse(payload.stored()).map_err(|error| error.rebased(start(blob))));
    match parsed {
        Err(error) => queue.push(Finding::fault(error, blob.index())),
        Ok(vector) => {
            if let Some(declared) = declared.filter(|&declared| declared != vector.cardinality()) {
                queue.push(note(FindingKind::Fault(ErrorKind::CardinalityMismatch), blob, declared));
            }
            check_form(&vector, blob, queue);
        }
    }
}

/// Reports forms that are legal and still make some readers fail, or take more bytes than needed.
fn check_form(vector: &DeletionVector<'_>, blob: &BlobMetadata<'_>, queue: &mut Queue) {
    let (mut highest, mut hollow, mut runless, mut oversized) = (false, 0_u64, 0_u64, 0_u64);
    for (key, bitmap) in vector.bitmap().buckets() {
        highest |= key == MAX_KEY;
        hollow = hollow.saturating_add(u64::from(bitmap.is_empty()));
        runless = runless.saturating_add(u64::from(is_run_form_without_runs(&bitmap)));
        let large = bitmap.containers().filter(|(_, container)| smallest_len(container) < container.encoded_len());
        oversized = oversized.saturating_add(large.count() as u64);
    }
    let at = blob.offset();
    let counted = [
        (FindingKind::HighestKey, u64::from(highest)),
        (FindingKind::RunCookieWithoutRuns, runless),
        (FindingKind::DenseKeys, hollow),
        (FindingKind::NonOptimalContainers, oversized),
    ];
    for (kind, count) in counted.into_iter().filter(|&(_, count)| count > 0) {
        queue.push(Finding::new(kind, Some(blob.index()), at, count));
    }
}

/// Tells whether the cookie announces runs and there is none.
fn is_run_form_without_runs(bitmap: &Bitmap32<'_>) -> bool {
    bitmap.has_run_cookie() && !bitmap.containers().any(|(_, container)| matches!(container, Container::Run(_)))
}

/// Returns the size of the smallest form of a container.
fn smallest_len(container: &Container<'_>) -> usize {
    let cardinality = container.cardinality();
    let plain = if cardinality > MAX_ARRAY_CARDINALITY { BITSET_LEN } else { (cardinality as usize).saturating_mul(2) };
    let runs = container.run_count() as usize;
    plain.min(runs.saturating_mul(4).saturating_add(2))
}

/// Returns the first two of `fields`: enough to tell the two usual lists from all others.
fn fields(blob: &BlobMetadata<'_>) -> [Option<i32>; 2] {
    let mut fields = blob.fields();
    [fields.next(), fields.next()]
}

/// Returns where the blob starts.
fn start(blob: &BlobMetadata<'_>) -> usize {
    usize::try_from(blob.offset()).unwrap_or(usize::MAX)
}
