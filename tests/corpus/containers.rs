//! Puffin files of the corpus.

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::property::{CARDINALITY, REFERENCED_DATA_FILE};
use puffin_codec::puffin::{BlobMetadata, DELETION_VECTOR_V1, FileMetadata, Properties, PuffinFile};
use puffin_codec::table::{self, Finding, FindingKind, ManifestEntry, Severity, Verify};
use puffin_codec::{Error, ErrorKind, Limits};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::bitmaps::{compare_vector, refused};
use crate::common::digest::sha256;
use crate::common::facts::{Object, all_known, check_consistency, same};
use crate::common::open::{Scratch, check_ways_to_open, text};

/// Reads all there is in a file that need not be valid.
pub(crate) fn read(bytes: &[u8]) -> Outcome {
    let mut scratch = Scratch::default();
    let read = scratch.open(bytes).and_then(|(file, metadata)| {
        read_blobs(&file, &metadata)?;
        errors(&file, &metadata)
    });
    match read {
        Ok(errors) => match errors.first() {
            None => Outcome::Read,
            Some(finding) => Outcome::Refused(format!("verify: {}", finding.kind().message())),
        },
        Err(error) => refused(error),
    }
}

/// Decodes every blob; vectors as vectors.
fn read_blobs(file: &PuffinFile<'_>, metadata: &FileMetadata<'_>) -> Result<(), Error> {
    for blob in metadata.blobs() {
        let blob = blob?;
        if blob.blob_type() == DELETION_VECTOR_V1 {
            let vector = table::read_vector(file, &blob)?;
            check_consistency(&vector).unwrap();
        } else {
            payload(file, &blob)?;
        }
    }
    Ok(())
}

/// The findings of severity error.
fn errors(file: &PuffinFile<'_>, metadata: &FileMetadata<'_>) -> Result<Vec<Finding>, Error> {
    let mut memory = vec![0; table::verify_scratch_len(metadata.blob_count())];
    let findings = Verify::new(file, metadata, &mut memory)?;
    Ok(findings.filter(|finding| finding.severity() == Severity::Error).collect())
}

/// The decoded bytes of a blob.
fn payload(file: &PuffinFile<'_>, blob: &BlobMetadata<'_>) -> Result<Vec<u8>, Error> {
    let blob = file.blob(blob)?;
    let mut out = vec![0; blob.decoded_len(&Limits::default())?];
    let len = blob.decode_into(&mut out, &Limits::default())?.len();
    assert_eq!(len, out.len(), "decoded_len is exact");
    Ok(out)
}

/// Opens a valid file and takes the truth that holds.
pub(crate) fn compare(bytes: &[u8], truth: &mut Object, foreign: bool) -> Result<Outcome, String> {
    let mut scratch = Scratch::default();
    let (file, metadata) = match scratch.open(bytes) {
        Ok(opened) => opened,
        Err(error) => return Ok(refused(error)),
    };
    check_ways_to_open(bytes, &metadata)?;
    if let Err(error) = read_blobs(&file, &metadata) {
        return Ok(refused(error));
    }
    let mut errors = errors(&file, &metadata).map_err(|error| error.to_string())?;
    if !foreign {
        // To a reader properties are optional; that the specification asks a vector to have two is for `verify` to say.
        errors.retain(|finding| finding.kind() != FindingKind::Fault(ErrorKind::MissingProperty));
        same("findings of severity error", errors, Vec::new())?;
    }
    if let Some(properties) = truth.remove("properties") {
        same("properties", properties_of(metadata.properties())?, properties)?;
    }
    if let Some(blobs) = truth.remove("blobs") {
        let blobs = blobs.as_array().ok_or("blobs is not a list")?;
        same("blobs", metadata.blob_count(), blobs.len())?;
        for (number, (ours, truth)) in metadata.blobs().zip(blobs).enumerate() {
            let ours = ours.map_err(|error| error.to_string())?;
            let truth = truth.as_object().ok_or("a blob is not an object")?;
            compare_blob(&file, &metadata, &ours, truth.clone(), foreign)
                .map_err(|error| format!("blob {number}: {error}"))?;
        }
    }
    Ok(Outcome::Read)
}

fn compare_blob(
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    blob: &BlobMetadata<'_>,
    mut truth: Object,
    foreign: bool,
) -> Result<(), String> {
    let payload = payload(file, blob).map_err(|error| error.to_string())?;
    let ours = json!({
        "type": text(blob.blob_type())?,
        "fields": blob.fields().collect::<Vec<i32>>(),
        "snapshot_id": blob.snapshot_id(),
        "sequence_number": blob.sequence_number(),
        "offset": blob.offset(),
        "length": blob.length(),
        "compression_codec": blob.compression_codec().map(text).transpose()?,
        "properties": properties_of(blob.properties())?,
        "data_len": payload.len(),
        "data_sha256": sha256(&payload),
    });
    for (key, ours) in ours.as_object().into_iter().flatten() {
        match truth.remove(key) {
            // A codec that is absent is null here; of another corpus, what the truth does not say is not compared.
            None if foreign && key != "compression_codec" => {}
            truth => same(key, ours, &truth.unwrap_or_default())?,
        }
    }
    if let Some(Value::Object(mut dv)) = truth.remove("dv") {
        let vector = table::read_vector(file, blob).map_err(|error| error.to_string())?;
        compare_vector(&vector, &payload, &mut dv)?;
        dv.remove("java_foreach_visits");
        unknown("truth of a vector", &dv, foreign)?;
        if can_be_bound(metadata, blob) {
            compare_lookups(file, metadata, blob, &vector)?;
        }
    }
    // The sketch inside is for the reader of sketches; its bytes were compared above.
    truth.remove("theta");
    unknown("truth of a blob", &truth, foreign)
}

/// Refuses truth that nothing has been compared with; prints it, of another corpus.
fn unknown(what: &str, left: &Object, foreign: bool) -> Result<(), String> {
    match all_known(what, left, &[]) {
        Err(reason) if foreign => {
            println!("{reason}");
            Ok(())
        }
        checked => checked,
    }
}

/// Whether a manifest entry can name this vector and no other: it has what the specification asks of a vector, and no
/// stale vector of the same data file is left in the file.
fn can_be_bound(metadata: &FileMetadata<'_>, blob: &BlobMetadata<'_>) -> bool {
    let Some(path) = blob.property(REFERENCED_DATA_FILE) else { return false };
    let same_file = |other: &BlobMetadata<'_>| other.property(REFERENCED_DATA_FILE) == Some(path);
    blob.property(CARDINALITY).is_some()
        && (blob.snapshot_id(), blob.sequence_number()) == (-1, -1)
        && metadata.blobs().flatten().filter(same_file).count() == 1
}

/// Finds the vector in every way that a table has, and sees that it is the same one.
fn compare_lookups(
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    blob: &BlobMetadata<'_>,
    vector: &DeletionVector<'_>,
) -> Result<(), String> {
    let path = text(blob.property(REFERENCED_DATA_FILE).ok_or("no referenced-data-file")?)?;
    let entry = ManifestEntry {
        content_offset: blob.offset().try_into().unwrap(),
        content_size_in_bytes: blob.length().try_into().unwrap(),
        record_count: vector.cardinality().try_into().unwrap(),
        referenced_data_file: &path,
    };
    let (offset, length, count) = (entry.content_offset, entry.content_size_in_bytes, entry.record_count);
    let place = |found: Result<Option<BlobMetadata<'_>>, Error>| found.map(|found| found.map(|blob| blob.index()));
    same("find_vector", place(table::find_vector(metadata, &path)), Ok(Some(blob.index())))?;
    same("find_range", place(table::find_range(metadata, blob.offset(), blob.length())), Ok(Some(blob.index())))?;
    same("bound_blob", place(table::bound_blob(metadata, &entry).map(Some)), Ok(Some(blob.index())))?;
    let bytes = Ok(vector.bitmap().bytes());
    let bytes_of =
        |found: Result<DeletionVector<'_>, Error>| found.map(|vector| vector.bitmap().bytes().as_ptr_range());
    let bytes = bytes.map(<[u8]>::as_ptr_range);
    same(
        "vector_of",
        table::vector_of(file, metadata, &path).map(|found| bytes_of(Ok(found.unwrap())).unwrap()),
        bytes.clone(),
    )?;
    same("read_bound", bytes_of(table::read_bound(file, metadata, &entry)), bytes.clone())?;
    same("read_range", bytes_of(table::read_range(file.bytes(), offset, length, Some(count))), bytes)?;
    for wrong in [
        ManifestEntry { content_offset: offset + 1, ..entry },
        ManifestEntry { content_size_in_bytes: length + 1, ..entry },
        ManifestEntry { record_count: count + 1, ..entry },
        ManifestEntry { referenced_data_file: "no such file", ..entry },
    ] {
        same("read_bound of a wrong entry", table::read_bound(file, metadata, &wrong).is_err(), true)?;
    }
    Ok(())
}

/// Properties as a JSON object.
fn properties_of(properties: Properties<'_>) -> Result<Value, String> {
    let mut object = Map::new();
    for (name, value) in properties {
        let earlier = object.insert(text(name)?, Value::String(text(value)?));
        same("a name comes twice", earlier.is_some(), false)?;
    }
    Ok(Value::Object(object))
}
