use super::*;
use crate::puffin::{FooterLocation, Tail};

/// Follows the advice of `from_tail` from the last `first` bytes on; returns the rounds it took.
fn fetch(bytes: &[u8], first: usize) -> usize {
    let file_len = bytes.len() as u64;
    let mut tail = &bytes[bytes.len() - first..];
    let mut round = 0;
    loop {
        match FooterLocation::from_tail(tail, file_len).unwrap() {
            Tail::Footer(footer) => {
                assert_eq!(footer, PuffinFile::parse(bytes).unwrap().footer());
                return round;
            }
            Tail::Fetch(range) => {
                assert_eq!(range.end, file_len);
                let start = usize::try_from(range.start).unwrap();
                assert!(start < bytes.len() - tail.len(), "a fetch brings something new");
                tail = &bytes[start..];
            }
        }
        round += 1;
    }
}

#[test]
fn every_tail_leads_to_the_footer() {
    let entries = [Entry::new(4, 3).json(), Entry::new(7, 2).json()];
    for bytes in [file(b"abcde", &footer_json(&entries)), file(b"", r#"{"blobs":[]}"#), file(b"", "")] {
        let footer_len = usize::try_from(PuffinFile::parse(&bytes).unwrap().footer().location().len()).unwrap();
        for first in 0..=bytes.len() {
            let rounds = match first {
                _ if first >= footer_len => 0,
                0..12 => 1 + usize::from(footer_len > 12),
                _ => 1,
            };
            assert_eq!(fetch(&bytes, first), rounds, "tail of {first}");
        }
    }
}

#[test]
fn the_head_magic_is_checked_only_when_it_is_given() {
    let mut bytes = file(b"abc", r#"{"blobs":[]}"#);
    bytes[0] = b'X';
    let len = bytes.len() as u64;
    assert!(matches!(FooterLocation::from_tail(&bytes[1..], len), Ok(Tail::Footer(_))));
    let whole = FooterLocation::from_tail(&bytes, len).unwrap_err();
    assert_eq!(whole, error(ErrorKind::BadMagic, 0, 0x3141_4658));
}

#[test]
fn lengths_that_cannot_be_are_refused() {
    let bytes = file(b"", r#"{"blobs":[]}"#);
    for file_len in 0..32 {
        let refused = FooterLocation::from_tail(&bytes, file_len).unwrap_err();
        assert_eq!(refused, error(ErrorKind::InvalidArgument, 0, 32));
    }
    for file_len in 0..20 {
        let refused = FooterLocation::from_tail(&[], file_len).unwrap_err();
        assert_eq!(refused, error(ErrorKind::Truncated, 0, file_len));
    }
    assert_eq!(FooterLocation::from_tail(&[], u64::MAX), Ok(Tail::Fetch(u64::MAX - 12..u64::MAX)));
}

#[test]
fn faults_of_a_tail_are_placed_in_the_tail() {
    let bytes = file(b"abc", r#"{"blobs":[]}"#);
    let len = bytes.len() as u64;
    let mut bad = bytes.clone();
    bad[7] = 0;
    assert_eq!(FooterLocation::from_tail(&bad[5..], len), Err(error(ErrorKind::BadMagic, 2, 0x3141_4600)));
    let mut bad = bytes;
    bad[27] = 4;
    assert_eq!(FooterLocation::from_tail(&bad[20..], len), Err(error(ErrorKind::UnknownFlags, 7, 4)));
}

#[test]
fn blobs_of_a_fetched_footer_take_fetched_bytes() {
    let bytes = file(b"abcde", &footer_json(&[Entry::new(5, 3).json()]));
    let footer = FooterLocation::from_tail(&bytes[9..], bytes.len() as u64).unwrap();
    let Tail::Footer(footer) = footer else { panic!() };
    let blob = footer.metadata(&mut []).unwrap().blob(0).unwrap().unwrap();
    assert_eq!(blob.range(), 5..8);
    assert_eq!(blob.blob(&bytes[5..8]).unwrap().bytes(), Ok(&b"bcd"[..]));
    assert_eq!(blob.blob(&bytes[5..9]).unwrap_err(), error(ErrorKind::LengthMismatch, 0, 3));
}
