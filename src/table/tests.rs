//! Files built by hand, so that each finding and each refusal has its smallest cause.

use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::error::ErrorKind;
use crate::puffin::{FileMetadata, PuffinFile};

/// The vector {0, 9} as Delta Lake's own fixtures have it.
const VECTOR: [u8; 44] = [
    0, 0, 0, 36, 0xD1, 0xD3, 0x39, 0x64, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
    16, 0, 0, 0, 0, 0, 9, 0, 0x2A, 0x67, 0x18, 0x46,
];

/// One blob to be: its bytes, and what its entry says instead of the truth.
struct TestBlob {
    bytes: Vec<u8>,
    entry: String,
}

/// An entry of a vector; `offset` and `length` are put in later.
fn vector(data_file: &str) -> TestBlob {
    let entry = format!(
        r#"{{"type":"deletion-vector-v1","fields":[],"snapshot-id":-1,"sequence-number":-1,"offset":@,"length":#,"properties":{{"referenced-data-file":"{data_file}","cardinality":"2"}}}}"#
    );
    TestBlob { bytes: VECTOR.to_vec(), entry }
}

impl TestBlob {
    fn with(mut self, from: &str, to: &str) -> Self {
        assert!(self.entry.contains(from), "{from}");
        self.entry = self.entry.replace(from, to);
        self
    }

    fn holding(mut self, bytes: &[u8]) -> Self {
        self.bytes = bytes.to_vec();
        self
    }
}

/// Lays the blobs one after the other and writes the footer.
fn file(blobs: impl IntoIterator<Item = TestBlob>) -> Vec<u8> {
    let (mut bytes, mut entries) = (b"PFA1".to_vec(), Vec::new());
    for blob in blobs {
        let entry = blob.entry.replace('@', &format!("{}", bytes.len()));
        entries.push(entry.replace('#', &format!("{}", blob.bytes.len())));
        bytes.extend(blob.bytes);
    }
    let json = format!(r#"{{"blobs":[{}],"properties":{{"created-by":"by hand"}}}}"#, entries.join(","));
    bytes.extend(b"PFA1");
    bytes.extend(json.as_bytes());
    bytes.extend(u32::try_from(json.len()).unwrap().to_le_bytes());
    bytes.extend(b"\0\0\0\0PFA1");
    bytes
}

fn read<T>(bytes: &[u8], ask: impl FnOnce(&PuffinFile<'_>, &FileMetadata<'_>) -> T) -> T {
    let file = PuffinFile::parse(bytes).unwrap();
    ask(&file, &file.metadata(&mut []).unwrap())
}

/// (kind, blob, found) of every finding.
fn findings(bytes: &[u8]) -> Vec<(FindingKind, Option<usize>, u64)> {
    read(bytes, |file, metadata| {
        let mut scratch = vec![0; verify_scratch_len(metadata.blob_count())];
        let found = Verify::new(file, metadata, &mut scratch).unwrap();
        found.map(|finding| (finding.kind(), finding.blob(), finding.found())).collect()
    })
}

fn fault(kind: ErrorKind) -> FindingKind {
    FindingKind::Fault(kind)
}

const ENTRY: ManifestEntry<'_> =
    ManifestEntry { content_offset: 48, content_size_in_bytes: 44, record_count: 2, referenced_data_file: "b" };

#[test]
fn a_vector_is_found_by_its_data_file() {
    let bytes = file([vector("a"), vector("b\\u002fc"), vector("d").with("deletion-vector-v1", "other")]);
    read(&bytes, |file, metadata| {
        let found = vector_of(file, metadata, "b/c").unwrap().unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), [0, 9]);
        assert_eq!(find_vector(metadata, "b/c").unwrap().unwrap().index(), 1);
        assert!(vector_of(file, metadata, "d").unwrap().is_none());
        assert_eq!(find_range(metadata, 48, 44).unwrap().unwrap().index(), 1);
        assert!(find_range(metadata, 48, 43).unwrap().is_none());
    });
}

#[test]
fn two_vectors_for_one_data_file_are_an_error_of_that_file_alone() {
    let bytes = file([vector("a"), vector("b"), vector("\\u0061")]);
    read(&bytes, |file, metadata| {
        let error = vector_of(file, metadata, "a").unwrap_err();
        assert_eq!((error.kind(), error.found()), (ErrorKind::DuplicateVector, 2));
        assert!(vector_of(file, metadata, "b").unwrap().is_some());
    });
    assert_eq!(findings(&bytes), [(FindingKind::DuplicateVector, Some(2), 0)]);
}

#[test]
fn absence_is_not_concluded_from_an_unreadable_entry() {
    let bytes = file([vector("a").with("\"type\"", "\"tape\""), vector("b")]);
    read(&bytes, |file, metadata| {
        assert!(vector_of(file, metadata, "b").unwrap().is_some());
        assert_eq!(vector_of(file, metadata, "c").unwrap_err().kind(), ErrorKind::MissingField);
    });
    assert_eq!(findings(&bytes)[0], (fault(ErrorKind::MissingField), Some(0), 1));
}

#[test]
fn the_bound_read_wants_footer_and_manifest_to_agree() {
    let bound = |bytes: &[u8], entry: ManifestEntry<'_>| {
        read(bytes, |file, metadata| read_bound(file, metadata, &entry).map(|vector| vector.cardinality()))
    };
    let refused =
        |blob: TestBlob, entry: ManifestEntry<'_>| bound(&file([vector("a"), blob]), entry).unwrap_err().kind();
    assert_eq!(bound(&file([vector("a"), vector("b")]), ENTRY), Ok(2));
    for (entry, kind) in [
        (ManifestEntry { content_offset: 4, ..ENTRY }, ErrorKind::DataFileMismatch),
        (ManifestEntry { content_offset: 47, ..ENTRY }, ErrorKind::BlobNotFound),
        (ManifestEntry { content_offset: -1, ..ENTRY }, ErrorKind::RangeOutOfBounds),
        (ManifestEntry { content_size_in_bytes: 43, ..ENTRY }, ErrorKind::BlobNotFound),
        (ManifestEntry { content_size_in_bytes: i64::MIN, ..ENTRY }, ErrorKind::RangeOutOfBounds),
        (ManifestEntry { record_count: 1, ..ENTRY }, ErrorKind::CardinalityMismatch),
        (ManifestEntry { record_count: -2, ..ENTRY }, ErrorKind::CardinalityMismatch),
        (ManifestEntry { referenced_data_file: "a", ..ENTRY }, ErrorKind::DataFileMismatch),
        (ManifestEntry { referenced_data_file: "", ..ENTRY }, ErrorKind::DataFileMismatch),
    ] {
        assert_eq!(refused(vector("b"), entry), kind, "{entry:?}");
    }
    for (from, to, kind) in [
        ("deletion-vector-v1", "deletion-vector-v2", ErrorKind::WrongBlobType),
        ("\"fields\"", "\"compression-codec\":\"lz4\",\"fields\"", ErrorKind::VectorCompressed),
        ("\"snapshot-id\":-1", "\"snapshot-id\":0", ErrorKind::SnapshotIdNotInherited),
        ("\"sequence-number\":-1", "\"sequence-number\":7", ErrorKind::SequenceNumberNotInherited),
        ("referenced-data-file", "referenced_data_file", ErrorKind::MissingProperty),
        ("cardinality", "Cardinality", ErrorKind::MissingProperty),
        ("\"2\"", "\"3\"", ErrorKind::CardinalityMismatch),
        ("\"2\"", "\"+2\"", ErrorKind::BadProperty),
        ("\"2\"", "\"\"", ErrorKind::BadProperty),
        ("\"2\"", "\"2 \"", ErrorKind::BadProperty),
        ("\"2\"", "\"9223372036854775808\"", ErrorKind::BadProperty),
        ("\"2\"", "\"99999999999999999999999\"", ErrorKind::BadProperty),
    ] {
        assert_eq!(refused(vector("b").with(from, to), ENTRY), kind, "{from} {to}");
    }
    let wrong = [&VECTOR[..43], &[0x47]].concat();
    assert_eq!(refused(vector("b").holding(&wrong), ENTRY), ErrorKind::CrcMismatch);
    let twice = file([vector("b").with("\"offset\":@", "\"offset\":48"), vector("b")]);
    assert_eq!(bound(&twice, ENTRY).unwrap_err().kind(), ErrorKind::DuplicateVector);
}

#[test]
fn a_fetched_range_reads_without_a_container() {
    let bytes = file([vector("a"), vector("b")]);
    let fetched = &bytes[40..95];
    assert_eq!(read_entry(fetched, 40, &ENTRY).unwrap().max(), Some(9));
    for offset in [0, 39, 49, u64::MAX] {
        assert!(read_entry(fetched, offset, &ENTRY).is_err(), "{offset}");
    }
    let error = read_range(&bytes, 48, 45, None).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.found()), (ErrorKind::LengthMismatch, 48, 36));
    assert_eq!(read_range(&bytes, 48, 44, Some(3)).unwrap_err().kind(), ErrorKind::CardinalityMismatch);
    assert_eq!(read_range(&bytes, 48, 4400, None).unwrap_err().kind(), ErrorKind::RangeOutOfBounds);
    assert_eq!(read_range(&bytes, 48, 0, None).unwrap_err().kind(), ErrorKind::Truncated);
}

#[test]
fn a_clean_file_has_no_finding() {
    assert_eq!(findings(&file([vector("a"), vector("b")])), []);
    assert_eq!(findings(&file([])), []);
}

#[test]
fn broken_musts_of_a_vector_are_errors_all_at_once() {
    let blob = vector("a")
        .with("\"snapshot-id\":-1", "\"snapshot-id\":5")
        .with("\"sequence-number\":-1", "\"sequence-number\":0");
    let blob = blob.with("referenced-data-file", "x").with("\"2\"", "\"two\"").with("[]", "[1,2]");
    let found = findings(&file([blob]));
    let expected = [
        (fault(ErrorKind::SnapshotIdNotInherited), Some(0), 5),
        (fault(ErrorKind::SequenceNumberNotInherited), Some(0), 0),
        (fault(ErrorKind::MissingProperty), Some(0), 1),
        (fault(ErrorKind::BadProperty), Some(0), 2),
        (FindingKind::UnusualFields, Some(0), 2),
    ];
    assert_eq!(found, expected);

    let blob = vector("a").with("\"fields\":[]", "\"compression-codec\":\"zstd\",\"fields\":[2147483645]");
    assert_eq!(findings(&file([blob])), [(fault(ErrorKind::VectorCompressed), Some(0), 0)]);
    let blob = vector("a").with("\"2\"", "\"1\"");
    assert_eq!(findings(&file([blob])), [(fault(ErrorKind::CardinalityMismatch), Some(0), 1)]);
    let cut = vector("a").holding(&VECTOR[..40]);
    assert_eq!(findings(&file([cut])), [(fault(ErrorKind::LengthMismatch), Some(0), 36)]);
}

#[test]
fn overlaps_and_gaps_are_seen_whatever_the_order_of_entries() {
    let swapped =
        file([vector("a").with("\"offset\":@", "\"offset\":48"), vector("b").with("\"offset\":@", "\"offset\":4")]);
    assert_eq!(findings(&swapped), []);
    let early = findings(&file([vector("a").with("\"offset\":@", "\"offset\":3")]));
    assert_eq!(early, [(fault(ErrorKind::RangeOutOfBounds), Some(0), 3), (FindingKind::Gap, None, 44)]);

    let overlapping = findings(&file([vector("a"), vector("b").with("\"offset\":@", "\"offset\":20")]));
    assert!(overlapping.contains(&(FindingKind::Overlap, Some(1), 0)), "{overlapping:?}");
    assert!(overlapping.contains(&(FindingKind::Gap, None, 28)), "{overlapping:?}");
    // A long blob overlaps every later one that starts inside it.
    let long = vector("a").with("\"length\":#", "\"length\":132");
    let found = findings(&file([long, vector("b"), vector("c")]));
    let overlaps = found.iter().filter(|(kind, ..)| *kind == FindingKind::Overlap).count();
    assert_eq!(overlaps, 2, "{found:?}");
}

#[test]
fn foreign_blobs_are_listed_and_compressed_ones_decoded_into_a_buffer() {
    let other = vector("a").with("deletion-vector-v1", "mine").with("[]", "[],\"compression-codec\":\"gzip\"");
    let found = findings(&file([other]));
    assert_eq!(found, [(FindingKind::UnknownType, Some(0), 0), (FindingKind::UnknownCodec, Some(0), 0)]);
}

#[test]
fn legal_forms_that_trouble_other_readers_are_told() {
    let blob = |bitmap: &[u8]| {
        let covered: Vec<u8> = crate::deletion_vector::MAGIC.iter().chain(bitmap).copied().collect();
        let size = u32::try_from(covered.len()).unwrap().to_be_bytes();
        [&size[..], &covered, &crate::checksum::crc32(&covered).to_be_bytes()].concat()
    };
    // Key 0 empty; key 0x7FFFFFFF in the run cookie's form, with the array {1, 2, 3, 4} where a run is smaller.
    let bitmap = [
        &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 0, 0, 0, 0][..],
        &[0xFF, 0xFF, 0xFF, 0x7F, 0x3B, 0x30, 0, 0, 0, 0, 0, 3, 0, 1, 0, 2, 0, 3, 0, 4, 0],
    ]
    .concat();
    let found = findings(&file([vector("a").holding(&blob(&bitmap)).with("\"2\"", "\"4\"")]));
    let expected = [
        (FindingKind::HighestKey, Some(0), 1),
        (FindingKind::RunCookieWithoutRuns, Some(0), 1),
        (FindingKind::DenseKeys, Some(0), 1),
        (FindingKind::NonOptimalContainers, Some(0), 1),
    ];
    assert_eq!(found, expected);
    assert!(expected[..2].iter().all(|(kind, ..)| kind.severity() == Severity::Warning));
    assert!(expected[2..].iter().all(|(kind, ..)| kind.severity() == Severity::Note));
}

#[test]
fn short_scratch_is_refused_with_the_length_needed() {
    let bytes = file([vector("a"), vector("b")]);
    read(&bytes, |file, metadata| {
        let error = Verify::new(file, metadata, &mut [0; 5]).unwrap_err();
        assert_eq!((error.kind(), error.found()), (ErrorKind::ScratchTooSmall, 6));
    });
}
