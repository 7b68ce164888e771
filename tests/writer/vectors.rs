//! Files of vectors: one for each data file, each as a bound read wants it.

use proptest::collection::vec;
use proptest::prelude::*;
use puffin_codec::ErrorKind;
use puffin_codec::puffin::{
    DELETION_VECTOR_V1, Detached, NO_PROPERTIES, NewBlob, PuffinFile, SliceSink, THETA_V1, property,
};
use puffin_codec::table::{ManifestEntry, VectorWriter, read_bound, vector_of, vector_writer_scratch_len};

use crate::common::builder::bitmap64;
use crate::common::envelope::vector;
use crate::common::generate::any_bitmap64;

const EMPTY: [u8; 20] = [0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C];

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_vector_is_found_again(bitmaps in vec(any_bitmap64(0x7FFF_FFFE), 1..4), theta in any::<bool>()) {
        let blobs: Vec<_> = bitmaps.into_iter().map(|(bitmap, positions)| (vector(bitmap), positions)).collect();
        let len = blobs.iter().map(|(blob, _)| blob.bytes().len() + 1000).sum::<usize>() + 1000;
        let (mut memory, mut buffer, mut scratch) = (vec![0; len], [0; 2000], vec![9; 2 * blobs.len()]);
        let names: Vec<_> = (0..blobs.len()).map(|number| format!("s3://b/\"{number}\".parquet")).collect();
        let mut writer = VectorWriter::new(SliceSink::new(&mut memory), &mut buffer, &mut scratch).unwrap();
        let mut entries = Vec::new();
        for (number, ((blob, positions), name)) in blobs.iter().zip(&names).enumerate() {
            if theta {
                writer.add_blob(NewBlob::new(THETA_V1).snapshot(1, 1), b"sketch").unwrap();
            }
            let entry = if number == 1 {
                writer.spare()[..blob.bytes().len()].copy_from_slice(blob.bytes());
                writer.commit(name, blob.bytes().len()).unwrap()
            } else {
                writer.add(name, blob.bytes()).unwrap()
            };
            prop_assert_eq!(entry.record_count, i64::try_from(positions.len()).unwrap());
            entries.push(entry);
        }
        writer.finish([("created-by", "a test")]).unwrap();

        let file = PuffinFile::parse(writer.sink().written()).unwrap();
        let metadata = file.metadata(&mut []).unwrap();
        for (entry, (_, positions)) in entries.iter().zip(&blobs) {
            prop_assert!(read_bound(&file, &metadata, entry).unwrap().iter().eq(positions.iter().copied()));
            let found = vector_of(&file, &metadata, entry.referenced_data_file).unwrap().unwrap();
            prop_assert_eq!(found.cardinality(), positions.len() as u64);
        }
    }
}

#[test]
fn one_vector_for_each_data_file() {
    for (count, words) in [(1, 2), (2, 4), (3, 6), (3, 7), (1000, 2000)] {
        assert_eq!(vector_writer_scratch_len(count), words / 2 * 2);
        let (mut buffer, mut scratch) = (vec![0; 300 * count + 300], vec![u64::MAX; words]);
        let mut writer = VectorWriter::new(Detached, &mut buffer, &mut scratch).unwrap();
        for number in 0..count {
            writer.add(&format!("data/{number}"), &EMPTY).unwrap();
            // The start of another location, and one that starts like another.
            for other in [0, number / 2, number] {
                let error = writer.add(&format!("data/{other}"), &EMPTY).unwrap_err();
                assert_eq!((error.kind(), error.found()), (ErrorKind::DuplicateVector, number as u64 + 1));
            }
        }
        let error = writer.add("data/", &EMPTY).unwrap_err();
        let need = vector_writer_scratch_len(count + 1) as u64;
        assert_eq!((error.kind(), error.found()), (ErrorKind::ScratchTooSmall, need));
        assert_eq!(writer.writer().blob_count(), count);

        let mut longer = vec![3; words + 2];
        assert_eq!(writer.replace_scratch(&mut []).unwrap_err().found(), vector_writer_scratch_len(count) as u64);
        writer.replace_scratch(&mut longer).unwrap();
        for number in 0..count {
            let error = writer.add(&format!("data/{number}"), &EMPTY).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DuplicateVector);
        }
        writer.add("data/", &EMPTY).unwrap();
        assert_eq!(writer.add("data/", &EMPTY).unwrap_err().kind(), ErrorKind::DuplicateVector);
    }
}

#[test]
fn a_vector_among_general_blobs_is_held_to_the_same() {
    let (mut buffer, mut scratch) = ([0; 2000], [0; 4]);
    let mut writer = VectorWriter::new(Detached, &mut buffer, &mut scratch).unwrap();
    let blob = |file, cardinality| {
        let properties = [(property::CARDINALITY, cardinality), (property::REFERENCED_DATA_FILE, file)];
        NewBlob::new(DELETION_VECTOR_V1).properties(properties)
    };
    writer.add("a", &EMPTY).unwrap();
    assert_eq!(writer.add_blob(blob("a", "0"), &EMPTY).unwrap_err().kind(), ErrorKind::DuplicateVector);
    assert_eq!(writer.add_blob(blob("b", "1"), &EMPTY).unwrap_err().kind(), ErrorKind::CardinalityMismatch);
    assert_eq!(writer.add_blob(blob("b", "0"), b"PFA1").unwrap_err().kind(), ErrorKind::Truncated);
    let compressed = blob("b", "0").codec(puffin_codec::puffin::Codec::Lz4);
    assert_eq!(writer.add_blob(compressed, &EMPTY).unwrap_err().kind(), ErrorKind::VectorCompressed);
    assert_eq!(writer.add_blob(blob("b", "0"), &EMPTY), Ok(24..44));
    assert_eq!(writer.add("b", &EMPTY).unwrap_err().kind(), ErrorKind::DuplicateVector);
    assert_eq!(writer.writer().blob_count(), 2);
}

#[test]
fn vectors_that_readers_would_refuse() {
    let (mut memory, mut buffer, mut scratch) = ([0; 800], [0; 1000], [0; 2]);
    let mut writer = VectorWriter::new(SliceSink::new(&mut memory), &mut buffer, &mut scratch).unwrap();
    let highest = vector(bitmap64(vec![(0x7FFF_FFFF, crate::common::builder::bitmap32(&[], false))]));
    assert_eq!(writer.add("a", highest.bytes()).unwrap_err().kind(), ErrorKind::KeyOutOfRange);
    let mut damaged = EMPTY;
    damaged[19] ^= 1;
    assert_eq!(writer.add("a", &damaged).unwrap_err().kind(), ErrorKind::CrcMismatch);
    writer.spare()[..20].copy_from_slice(&damaged);
    assert_eq!(writer.commit("a", 20).unwrap_err().kind(), ErrorKind::CrcMismatch);
    let error = writer.commit("a", 800).unwrap_err();
    assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, 804));
    assert_eq!((writer.sink().written(), writer.writer().blob_count()), (&b"PFA1"[..], 0));
    writer.set_fields(&[]);
    let entry = writer.add("a", &EMPTY).unwrap();
    let expected =
        ManifestEntry { content_offset: 4, content_size_in_bytes: 20, record_count: 0, referenced_data_file: "a" };
    assert_eq!(entry, expected);
    writer.finish(NO_PROPERTIES).unwrap();
    let file = PuffinFile::parse(writer.sink().written()).unwrap();
    assert_eq!(file.metadata(&mut []).unwrap().blob(0).unwrap().unwrap().fields().len(), 0);
}
