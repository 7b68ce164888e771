use super::*;
use crate::{
    limits::Limits,
    puffin::{Blob, Codec},
};

/// Runs `then` on blob 0 of a file that holds `stored` and nothing else.
fn with_blob<T>(stored: &[u8], codec: &str, then: impl FnOnce(Blob<'_>) -> T) -> T {
    let entry = Entry::new(4, stored.len() as u64).with("compression-codec", codec);
    let bytes = file(stored, &footer_json(&[entry.json()]));
    let file = PuffinFile::parse(&bytes).unwrap();
    then(file.blob(&file.metadata(&mut []).unwrap().blob(0).unwrap().unwrap()).unwrap())
}

#[test]
fn an_uncompressed_blob_is_borrowed_or_copied() {
    let limits = Limits { max_decoded_len: 0, ..Limits::default() };
    with_blob(b"abc", "null", |blob| {
        let mut buffer = [7; 4];
        assert_eq!((blob.bytes(), blob.stored()), (Ok(&b"abc"[..]), &b"abc"[..]));
        assert_eq!((blob.decoded_len(&limits), blob.codec()), (Ok(3), Codec::None));
        assert_eq!(blob.decode_into(&mut buffer[..2], &limits), Err(error(ErrorKind::BufferTooSmall, 0, 3)));
        assert_eq!(buffer, [7; 4]);
        assert_eq!(blob.decode_into(&mut buffer, &limits), Ok(&b"abc"[..]));
        assert_eq!(buffer, *b"abc\x07");
    });
}

#[test]
fn an_lz4_blob_is_decoded() {
    let limits = Limits::default();
    with_blob(&lz4_stored(b"hello"), "\"lz4\"", |blob| {
        let mut buffer = [0; 8];
        assert_eq!(blob.bytes().unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(blob.decoded_len(&limits), Ok(5));
        assert_eq!(blob.decode_into(&mut buffer, &limits), Ok(&b"hello"[..]));
        let short = blob.decode_into(&mut buffer[..4], &limits).unwrap_err();
        assert_eq!((short.kind(), short.found()), (ErrorKind::BufferTooSmall, 5));
    });
}

#[test]
fn an_unknown_codec_is_listed_and_not_decoded() {
    let limits = Limits::default();
    with_blob(b"abc", "\"snappy\"", |blob| {
        let unknown = error(ErrorKind::UnknownCodec, 0, 0);
        assert_eq!((blob.codec(), blob.stored()), (Codec::Unknown, &b"abc"[..]));
        assert_eq!((blob.bytes(), blob.decoded_len(&limits)), (Err(unknown), Err(unknown)));
        assert_eq!(blob.decode_into(&mut [0; 9], &limits), Err(unknown));
    });
}

#[cfg(not(feature = "zstd"))]
#[test]
fn zstd_needs_its_feature() {
    with_blob(b"abc", "\"zstd\"", |blob| {
        let limits = Limits::default();
        assert_eq!(blob.decode_into(&mut [0; 9], &limits).unwrap_err().kind(), ErrorKind::CodecNotBuilt);
    });
}

#[test]
fn an_entry_of_another_file_is_out_of_bounds() {
    let long = file(b"0123456789", &footer_json(&[Entry::new(6, 8).json()]));
    let blob = PuffinFile::parse(&long).unwrap().metadata(&mut []).unwrap().blob(0).unwrap().unwrap();
    let short = file(b"", r#"{"blobs":[]}"#);
    let refused = PuffinFile::parse(&short).unwrap().blob(&blob).unwrap_err();
    assert_eq!(refused, error(ErrorKind::RangeOutOfBounds, 6, 14));
}

#[test]
fn a_compressed_footer_is_decoded_into_scratch() {
    let json = footer_json(&[Entry::new(4, 1).json()]);
    let bytes = file_with(b"x", &lz4_stored(json.as_bytes()), COMPRESSED);
    let limits = Limits::default();
    let file = PuffinFile::parse(&bytes).unwrap();
    let need = file.scratch_len(&limits).unwrap();
    assert_eq!(need, json.len());
    let mut scratch = std::vec![0; need];
    let short = file.metadata(&mut scratch[1..]).unwrap_err();
    assert_eq!(short, error(ErrorKind::ScratchTooSmall, 0, need as u64));
    let metadata = file.metadata(&mut scratch).unwrap();
    assert_eq!((metadata.json(), metadata.blob_count()), (&json[..], 1));
    assert_eq!(file.blob(&metadata.blob(0).unwrap().unwrap()).unwrap().bytes(), Ok(&b"x"[..]));
}

#[test]
fn an_uncompressed_footer_leaves_the_scratch_alone() {
    let bytes = file(b"", r#"{"blobs":[]}"#);
    let mut scratch = [7; 64];
    let file = PuffinFile::parse(&bytes).unwrap();
    assert_eq!(file.scratch_len(&Limits::default()), Ok(0));
    assert!(file.metadata(&mut scratch).is_ok());
    assert_eq!(scratch, [7; 64]);
}

#[test]
fn faults_of_a_compressed_footer_count_from_the_text_or_the_file() {
    let refused = |payload: &[u8], limits: &Limits| {
        let bytes = file_with(b"abc", payload, COMPRESSED);
        PuffinFile::parse(&bytes).unwrap().metadata_with(&mut [0; 64], limits).unwrap_err()
    };
    let limits = Limits::default();
    assert_eq!(refused(&lz4_stored(b"{\"blobs\":[}"), &limits), error(ErrorKind::BadJson, 10, b'}'.into()));
    assert_eq!(refused(&lz4_stored(b"{\"blobs\":7}"), &limits), error(ErrorKind::WrongType, 9, b'7'.into()));
    assert_eq!(refused(&lz4_stored(b""), &limits), error(ErrorKind::BadJson, 0, 256));

    // The frame starts at byte 11 of the file.
    let mut frame = lz4_stored(b"{\"blobs\":[]}");
    frame[0] ^= 1;
    assert_eq!(refused(&frame, &limits).offset(), 11);
    let tight = Limits { max_decoded_len: 11, ..limits };
    let over = refused(&lz4_stored(b"{\"blobs\":[]}"), &tight);
    assert_eq!((over.kind(), over.found()), (ErrorKind::DecodedLenExceeded, 12));
    assert!(over.offset() >= 11);
    assert!(refused(b"", &limits).offset() >= 11);
}
