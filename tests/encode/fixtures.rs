//! Vectors that other writers wrote, read and written again.

use std::path::{Path, PathBuf};

use puffin_codec::deletion_vector::{DeletionVector, Source};
use puffin_codec::puffin::{DELETION_VECTOR_V1, PuffinFile};
use puffin_codec::roaring::Bitmap64;

use crate::common::canonical::canonical_blob;
use crate::common::fixtures::fixtures;
use crate::encode;

/// The vectors in a file: itself, or the blobs of a Puffin file.
fn vectors(bytes: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    if DeletionVector::parse(bytes).is_ok() {
        found.push(bytes);
    } else if let Ok(file) = PuffinFile::parse(bytes) {
        let mut scratch = vec![0; 1 << 20];
        if let Ok(metadata) = file.metadata(&mut scratch) {
            let blobs = metadata.blobs().flatten().filter(|blob| blob.blob_type() == *DELETION_VECTOR_V1);
            found.extend(blobs.filter_map(|blob| file.blob(&blob).map(|blob| blob.stored()).ok()));
            found.retain(|blob| DeletionVector::parse(blob).is_ok());
        }
    }
    found
}

/// Files of the committed corpus, and of the larger one where there is one, by a writer whose folder starts with
/// `writer`.
fn files_by(writer: &str) -> Vec<(String, Vec<u8>)> {
    let marked = format!("corpus/{writer}");
    let mut files: Vec<_> = fixtures().into_iter().filter(|(name, _)| name.starts_with(&marked)).collect();
    if let Some(corpus) = std::env::var_os("PUFFIN_CORPUS") {
        let mut folders = vec![Path::new(&corpus).join("generated")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path: PathBuf = entry.unwrap().path();
                let name = path.strip_prefix(&corpus).unwrap().display().to_string();
                if path.is_dir() {
                    folders.push(path);
                } else if name.starts_with(&format!("generated/{writer}")) {
                    files.push((name, std::fs::read(&path).unwrap()));
                }
            }
        }
    }
    assert!(!files.is_empty(), "no files by {writer}");
    files
}

/// Re-encodes every vector of a writer. Returns how many there are, and the names of those whose bytes are others.
fn re_encode(writer: &str, dense_keys: bool) -> (usize, Vec<String>) {
    let (mut count, mut other) = (0, Vec::new());
    for (name, bytes) in files_by(writer) {
        for (number, blob) in vectors(&bytes).into_iter().enumerate() {
            let vector = DeletionVector::parse(blob).unwrap();
            let Ok(source) = Source::vector(&vector) else { continue };
            let again = encode(&mut [source], dense_keys);
            count += 1;
            if again != blob {
                assert!(again.len() <= blob.len(), "{name}: never longer");
                other.push(format!("{name} #{number}"));
            }
            let parsed = DeletionVector::parse(&again).unwrap();
            assert!(parsed.is_subset(&vector) && vector.is_subset(&parsed), "{name}");
            if vector.cardinality() < 2_000_000 {
                let positions: Vec<u64> = vector.iter().collect();
                assert!(encode(&mut [Source::positions(&positions).unwrap()], dense_keys) == again, "{name}");
                assert!(canonical_blob(&positions, dense_keys).bytes() == again, "{name}");
            }
        }
    }
    (count, other)
}

#[test]
fn what_iceberg_java_writes_comes_out_the_same() {
    for writer in ["iceberg-java-1.10.2", "spark-3.5.9-iceberg-1.10.2"] {
        let (count, other) = re_encode(writer, true);
        println!("{writer}: {count} vectors written again");
        assert!(count > 0);
        assert_eq!(other, Vec::<String>::new());
    }
}

#[test]
fn bitmaps_of_other_libraries_come_out_no_longer() {
    for (name, bytes) in fixtures() {
        let Ok(bitmap) = Bitmap64::parse(&bytes) else { continue };
        let Ok(source) = Source::bitmap(&bitmap) else { continue };
        let again = encode(&mut [source], false);
        assert!(again.len() - 12 <= bytes.len(), "{name}");
        let parsed = DeletionVector::parse(&again).unwrap();
        assert!(parsed.bitmap().is_subset(&bitmap) && bitmap.is_subset(parsed.bitmap()), "{name}");
    }
}
