//! Files of the corpus, read and written again.

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::{
    DELETION_VECTOR_V1, Detached, FileMetadata, MAGIC, NewBlob, PuffinFile, SliceSink, Writer, property,
};
use puffin_codec::table::{VectorWriter, vector_writer_scratch_len};

use crate::common::table::Folder;

/// Copies blob by blob, over every sink, and returns the file.
fn copy(file: &PuffinFile<'_>, metadata: &FileMetadata<'_>) -> Result<Vec<u8>, String> {
    let len = file.bytes().len() + metadata.json().len() + 10_000;
    let (mut memory, mut buffer) = (vec![0xA5; len], vec![0; len]);
    let mut writer = Writer::new(SliceSink::new(&mut memory), &mut buffer).map_err(|error| error.to_string())?;
    let (mut by_hand, mut other) = (MAGIC.to_vec(), vec![0; len]);
    let mut detached = Writer::new(Detached, &mut other).map_err(|error| error.to_string())?;
    for blob in metadata.blobs() {
        let blob = blob.map_err(|error| error.to_string())?;
        let stored = file.blob(&blob).map_err(|error| error.to_string())?.stored();
        writer.add(NewBlob::copy_of(&blob), stored).map_err(|error| error.to_string())?;
        detached.record(NewBlob::copy_of(&blob), stored.len() as u64).map_err(|error| error.to_string())?;
        by_hand.extend(stored);
    }
    writer.finish(metadata.properties()).map_err(|error| error.to_string())?;
    by_hand.extend(detached.finish(metadata.properties()).unwrap().bytes());
    let copied = writer.sink().written();
    assert_eq!(by_hand, copied, "the slice and no sink at all");
    #[cfg(feature = "std")]
    {
        use puffin_codec::puffin::IoSink;
        let mut streamed = Vec::new();
        let mut writer = Writer::new(IoSink(&mut streamed), &mut other).unwrap();
        for blob in metadata.blobs().map(Result::unwrap) {
            writer.add(NewBlob::copy_of(&blob), file.blob(&blob).unwrap().stored()).unwrap();
        }
        writer.finish(metadata.properties()).unwrap();
        assert_eq!(streamed, copied, "the slice and std::io::Write");
    }
    Ok(copied.to_vec())
}

/// Writes the vectors of a file again from their positions' bytes and the names of their data files alone.
fn vectors_again(file: &PuffinFile<'_>, metadata: &FileMetadata<'_>) -> Vec<u8> {
    let len = file.bytes().len() + 10_000;
    let (mut memory, mut buffer) = (vec![0; len], vec![0; len]);
    let mut scratch = vec![7; vector_writer_scratch_len(metadata.blob_count())];
    let mut writer = VectorWriter::new(SliceSink::new(&mut memory), &mut buffer, &mut scratch).unwrap();
    for blob in metadata.blobs().map(Result::unwrap) {
        let data_file = blob.property(property::REFERENCED_DATA_FILE).unwrap().to_string();
        let stored = file.blob(&blob).unwrap().stored();
        writer.spare()[..stored.len()].copy_from_slice(stored);
        let entry = writer.commit(&data_file, stored.len()).unwrap();
        assert_eq!(entry.range().unwrap(), blob.range());
        assert_eq!(entry.record_count.unsigned_abs(), DeletionVector::parse(stored).unwrap().cardinality());
    }
    writer.finish(metadata.properties()).unwrap();
    writer.sink().written().to_vec()
}

#[test]
fn files_of_iceberg_java_come_out_byte_for_byte() {
    let folder = Folder::from_env("PUFFIN_CORPUS", "corpus");
    let (mut same, mut vectors, mut failures) = (0, 0, Vec::new());
    for row in folder.table("INDEX.tsv").rows() {
        let path = row.get("path");
        if row.get("kind") != "puffin" || row.get("verdict") != "valid" || path.contains("fetched/") {
            continue;
        }
        let bytes = folder.read(path).unwrap();
        let file = PuffinFile::parse(&bytes).unwrap();
        let mut scratch = vec![0; file.scratch_len(&puffin_codec::Limits::default()).unwrap()];
        let metadata = file.metadata(&mut scratch).unwrap();
        let copied = copy(&file, &metadata).and_then(|copied| {
            if copied == bytes { Ok(()) } else { Err(format!("another file:\n{}", metadata.json())) }
        });
        let java = path.contains("iceberg-java-") || path.contains("spark-");
        match copied {
            Ok(()) if java => same += 1,
            Ok(()) => println!("{path}: not Java's, and the same"),
            Err(reason) if java => failures.push(format!("{path}: {reason}")),
            Err(reason) => println!("{path}: not Java's, {reason}"),
        }
        let all_vectors = metadata.blobs().all(|blob| blob.unwrap().blob_type() == DELETION_VECTOR_V1);
        if java && all_vectors && metadata.blob_count() > 0 {
            assert!(vectors_again(&file, &metadata) == bytes, "{path}: another file of vectors");
            vectors += 1;
        }
    }
    println!("{same} files of Iceberg Java are the same, {vectors} of them made of vectors and names alone");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(same >= 10 && vectors >= 10);
}
