//! Tests of what a writer refuses, and of every length of its memory.

use std::{format, string::String, vec, vec::Vec};

use super::*;
use crate::puffin::{Codec, DELETION_VECTOR_V1, PuffinFile, property};

const CREATED_BY: [(&str, &str); 1] = [("created-by", "me")];

/// A writer over a slice, with one blob of five bytes in it.
fn with_one<'b>(file: &'b mut [u8], buffer: &'b mut [u8]) -> Writer<'b, SliceSink<'b>> {
    let mut writer = Writer::new(SliceSink::new(file), buffer).unwrap();
    writer.add(NewBlob::new("first"), b"12345").unwrap();
    writer
}

/// Makes a call that must fail, sees that the writer is as it was, and returns what is wrong.
fn refused<T>(call: impl FnOnce(&mut Writer<'_, SliceSink<'_>>) -> Result<T>) -> (ErrorKind, u64, u64) {
    let (mut file, mut buffer) = ([0; 64], [0; 8000]);
    let mut writer = with_one(&mut file, &mut buffer);
    let before = (writer.text().to_vec(), writer.offset(), writer.blob_count(), writer.sink().written().to_vec());
    let error = call(&mut writer).err().unwrap();
    assert_eq!(
        before,
        (writer.text().to_vec(), writer.offset(), writer.blob_count(), writer.sink().written().to_vec())
    );
    writer.record_nothing();
    (error.kind(), error.offset(), error.found())
}

impl Writer<'_, SliceSink<'_>> {
    /// Sees that blobs can still be added.
    fn record_nothing(&mut self) {
        self.add(NewBlob::new("after"), b"").unwrap();
    }
}

fn vector() -> NewBlob<'static, [(&'static str, &'static str); 2]> {
    let properties = [(property::REFERENCED_DATA_FILE, "a"), (property::CARDINALITY, "1")];
    NewBlob::new(DELETION_VECTOR_V1).properties(properties)
}

#[test]
fn entries_that_a_reader_would_refuse() {
    let names = |count: usize| (0..count).map(|number| (number, number)).collect::<Vec<_>>();
    let many = refused(|writer| writer.add(NewBlob::new("t").properties(names(257)), b""));
    assert_eq!(many, (ErrorKind::TooManyMembers, 256, 256));
    let twice = refused(|writer| writer.add(NewBlob::new("t").properties([("a", ""), ("\n", "a"), ("\n", "")]), b""));
    assert_eq!(twice, (ErrorKind::DuplicateName, 2, 0));
    let twice = refused(|writer| writer.finish([("a", "a"), ("b", "a"), ("a", "")]).map(|_| ()));
    assert_eq!(twice, (ErrorKind::DuplicateName, 2, 0));
    let unknown = refused(|writer| writer.add(NewBlob::new("t").codec(Codec::Unknown), b""));
    assert_eq!(unknown, (ErrorKind::UnknownCodec, 0, 0));

    let (mut file, mut buffer) = ([0; 64], vec![0; 10_000]);
    let mut writer = with_one(&mut file, &mut buffer);
    writer.add(NewBlob::new("t").properties(names(256)), b"").unwrap();
}

#[test]
fn a_value_that_does_not_show_itself() {
    struct Shy;
    impl Display for Shy {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("half")?;
            Err(core::fmt::Error)
        }
    }
    let shy =
        refused(|writer| writer.add(NewBlob::new("t").properties([("a", &"b" as &dyn Display), ("c", &Shy)]), b""));
    assert_eq!(shy, (ErrorKind::InvalidArgument, 1, 0));
}

#[test]
fn vectors_that_the_specification_forbids() {
    for codec in [Codec::Lz4, Codec::Zstd] {
        assert_eq!(refused(|writer| writer.add(vector().codec(codec), b"")).0, ErrorKind::VectorCompressed);
    }
    let snapshot = refused(|writer| writer.add(vector().snapshot(7, -1), b""));
    assert_eq!(snapshot, (ErrorKind::SnapshotIdNotInherited, 0, 7));
    let sequence = refused(|writer| writer.add(vector().snapshot(-1, 0), b""));
    assert_eq!(sequence, (ErrorKind::SequenceNumberNotInherited, 0, 0));
    let missing = refused(|writer| writer.add(vector().properties([("cardinality", "1")]), b""));
    assert_eq!(missing, (ErrorKind::MissingProperty, 0, property::REFERENCED_DATA_FILE_NUMBER));
    let missing = refused(|writer| writer.add(vector().properties([("referenced-data-file", "1")]), b""));
    assert_eq!(missing, (ErrorKind::MissingProperty, 0, property::CARDINALITY_NUMBER));
    for text in ["", "-1", "1.0", "\\", "\u{1}", "9223372036854775808"] {
        let properties = [(property::CARDINALITY, text), (property::REFERENCED_DATA_FILE, "a")];
        let bad = refused(|writer| writer.add(vector().properties(properties), b""));
        assert_eq!(bad, (ErrorKind::BadProperty, 0, property::CARDINALITY_NUMBER), "{text:?}");
    }
    // Another type may have all of it.
    let (mut file, mut buffer) = ([0; 64], [0; 1000]);
    let mut writer = with_one(&mut file, &mut buffer);
    writer.add(NewBlob::new("t").snapshot(7, 0).codec(Codec::Lz4).properties([("cardinality", "x")]), b"").unwrap();
    writer.add(vector(), b"").unwrap();
}

#[test]
fn lengths_that_no_field_can_hold() {
    let mut buffer = [0; 1000];
    let mut writer = Writer::new(Detached, &mut buffer).unwrap();
    for length in [u64::MAX, u64::MAX - 4, 1 << 63, (1 << 63) - 4] {
        let error = writer.record(NewBlob::new("t"), length).unwrap_err();
        assert_eq!((error.kind(), error.found()), (ErrorKind::FileTooLong, length));
    }
    assert_eq!(writer.record(NewBlob::new("t"), (1 << 63) - 5), Ok(4..(1 << 63) - 1));
    let error = writer.finish(NO_PROPERTIES).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLong);
    let length = i32::MAX.unsigned_abs() as usize;
    assert_eq!(check_payload(length), Ok(()));
    let error = check_payload(length + 1).unwrap_err();
    assert_eq!((error.kind(), error.found()), (ErrorKind::FooterTooLong, 1 << 31));
}

#[test]
fn a_writer_that_has_finished_or_whose_sink_has_failed_is_closed() {
    struct Failing(usize);
    impl Sink for Failing {
        type Error = Error;
        fn reserve(&mut self, _end: u64) -> Result<()> {
            Ok(())
        }
        fn write(&mut self, _bytes: &[u8]) -> Result<()> {
            self.0 = self.0.checked_sub(1).ok_or(Error::new(ErrorKind::Internal, 0, 77))?;
            Ok(())
        }
    }
    for writes in 1..4 {
        let mut buffer = [0; 1000];
        let mut writer = Writer::new(Failing(writes), &mut buffer).unwrap();
        let mut results = (0..5).map(|_| writer.add(NewBlob::new("t"), b"x").map_err(Error::found)).collect::<Vec<_>>();
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), writes - 1);
        assert_eq!(results.remove(writes - 1), Err(77));
        assert_eq!(writer.add(NewBlob::new("t"), b"").unwrap_err().kind(), ErrorKind::WriterClosed);
        assert_eq!(writer.finish(NO_PROPERTIES).unwrap_err().kind(), ErrorKind::WriterClosed);
    }
    let mut buffer = [0; 1000];
    let mut writer = Writer::new(Detached, &mut buffer).unwrap();
    writer.finish(NO_PROPERTIES).unwrap();
    assert_eq!(writer.record(NewBlob::new("t"), 0).unwrap_err().kind(), ErrorKind::WriterClosed);
    assert_eq!(writer.finish_lz4(NO_PROPERTIES, &mut []).unwrap_err().kind(), ErrorKind::WriterClosed);
}

/// Writes the same file in each way, into memory of exact lengths.
fn build(file_len: usize, buffer_len: usize) -> Result<(Vec<u8>, usize)> {
    let (mut file, mut buffer) = (vec![0xA5; file_len], vec![0; buffer_len]);
    let mut writer = Writer::new(SliceSink::new(&mut file), &mut buffer)?;
    writer.add(NewBlob::new("a\u{1}").fields(&[1, -2]).snapshot(3, 4), b"12345")?;
    writer.add(vector(), b"67")?;
    let footer_len = writer.finish(CREATED_BY)?.bytes().len();
    Ok((writer.sink().written().to_vec(), footer_len))
}

#[test]
fn every_length_of_the_memory() {
    let (file, footer_len) = build(1000, 1000).unwrap();
    let footer = file.get(11..).unwrap();
    assert_eq!(footer.len(), footer_len);
    assert_eq!(
        core::str::from_utf8(footer.get(4..footer_len - 12).unwrap()).unwrap(),
        String::from(
            r#"{"blobs":[{"type":"a\u0001","fields":[1,-2],"snapshot-id":3,"sequence-number":4,"offset":4,"length":5},"#
        ) + r#"{"type":"deletion-vector-v1","fields":[],"snapshot-id":-1,"sequence-number":-1,"offset":9,"length":2,"#
            + r#""properties":{"referenced-data-file":"a","cardinality":"1"}}],"properties":{"created-by":"me"}}"#
    );
    let entries = NewBlob::new("a\u{1}").fields(&[1, -2]).snapshot(3, 4).entry_len(4, 5) + vector().entry_len(9, 2);
    assert_eq!(EMPTY_FOOTER_LEN + entries - 1 + properties_len(CREATED_BY), footer_len);

    // Each length that is named leads to the next call, and the last one to success.
    for (full_file, full_buffer) in [(file.len(), 0), (0, footer_len)] {
        let mut need = 0;
        loop {
            let len = |full: usize| if full == 0 { need } else { full };
            let Err(error) = build(len(full_file), len(full_buffer)) else { break };
            assert_eq!(error.kind(), ErrorKind::BufferTooSmall);
            let named = usize::try_from(error.found()).unwrap();
            assert!(need < named);
            for short in need..named {
                let len = |full: usize| if full == 0 { short } else { full };
                assert_eq!(build(len(full_file), len(full_buffer)), Err(error), "{short} of {named}");
            }
            need = named;
        }
        assert_eq!(need, if full_file == 0 { file.len() } else { footer_len });
    }
}

#[test]
fn a_compressed_footer_is_read_back() {
    for count in [0, 1, 3, 2000] {
        let (mut file, mut buffer, mut scratch) = (vec![0; 400_000], vec![0; 400_000], vec![0; 500_000]);
        let mut writer = Writer::new(SliceSink::new(&mut file), &mut buffer).unwrap();
        for number in 0..count {
            writer.add(NewBlob::new("t").properties([("number", number)]), b"xyz").unwrap();
        }
        let need = writer.finish_lz4_scratch_len(CREATED_BY);
        for short in [0, 1, 20, need - 1] {
            let error = writer.finish_lz4(CREATED_BY, scratch.get_mut(..short).unwrap()).unwrap_err();
            assert_eq!((error.kind(), error.found()), (ErrorKind::ScratchTooSmall, need as u64));
        }
        let location = writer.finish_lz4(CREATED_BY, scratch.get_mut(..need).unwrap()).unwrap().location();
        assert!(location.is_compressed());
        let bytes = writer.sink().written();
        let file = PuffinFile::parse(bytes).unwrap();
        assert_eq!(file.footer().location(), location);
        let mut text = vec![0; file.scratch_len(&crate::Limits::default()).unwrap()];
        let metadata = file.metadata(&mut text).unwrap();
        assert_eq!(metadata.blob_count(), count);
        assert_eq!(metadata.property("created-by").unwrap(), "me");
        for (number, blob) in metadata.blobs().enumerate() {
            assert!(blob.unwrap().has_property("number", &format!("{number}")));
        }
    }
}

#[test]
fn blobs_are_made_where_they_will_lie() {
    let content = [b'!'; 500];
    let (mut file, mut buffer) = (vec![0; 4000], [0; 1000]);
    let mut writer = Writer::new(SliceSink::new(&mut file), &mut buffer).unwrap();
    writer.add_encoded(NewBlob::new("none"), &content).unwrap();
    writer.add_encoded(NewBlob::new("lz4").codec(Codec::Lz4), &content).unwrap();
    #[cfg(feature = "zstd")]
    writer.add_encoded(NewBlob::new("zstd").codec(Codec::Zstd), &content).unwrap();
    #[cfg(not(feature = "zstd"))]
    assert_eq!(
        writer.add_encoded(NewBlob::new("zstd").codec(Codec::Zstd), &content).unwrap_err().kind(),
        ErrorKind::CodecNotBuilt
    );
    let error = writer.add_encoded(NewBlob::new("lz4").codec(Codec::Lz4), &[0; 5000]).unwrap_err();
    let need = writer.offset() + crate::compression::lz4::max_encoded_len(5000) as u64;
    assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, need));
    let error = writer.commit(NewBlob::new("t"), 4000).unwrap_err();
    assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, writer.offset() + 4000));
    // The file, not the footer buffer, is what is too short.
    assert_eq!(error.offset(), writer.offset());
    writer.finish(NO_PROPERTIES).unwrap();

    let file = PuffinFile::parse(writer.sink().written()).unwrap();
    for blob in file.metadata(&mut []).unwrap().blobs() {
        let mut decoded = [0; 500];
        let blob = file.blob(&blob.unwrap()).unwrap();
        assert_eq!(blob.decode_into(&mut decoded, &crate::Limits::default()).unwrap(), content);
    }
}

#[cfg(feature = "std")]
#[test]
fn a_std_write_tells_whose_fault_it_is() {
    use std::io::{ErrorKind as Io, Write};
    let (mut file, mut buffer) = ([0; 6], [0; 1000]);
    let mut writer = Writer::new(IoSink(&mut file[..]), &mut buffer).unwrap();
    let ours = writer.add(vector().snapshot(7, -1), b"").unwrap_err();
    assert_eq!(ours.kind(), Io::InvalidInput);
    assert_eq!(ours.downcast::<Error>().unwrap().kind(), ErrorKind::SnapshotIdNotInherited);
    assert_eq!(writer.add(NewBlob::new("t"), b"123").unwrap_err().kind(), Io::WriteZero);
    let closed = writer.add(NewBlob::new("t"), b"").unwrap_err().downcast::<Error>().unwrap();
    assert_eq!(closed.kind(), ErrorKind::WriterClosed);
    writer.into_sink().0.flush().unwrap();
    assert_eq!(&file[..4], b"PFA1");
}
