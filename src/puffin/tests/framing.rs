use super::*;
use crate::puffin::{FooterLocation, FooterView};

const EMPTY: &str = r#"{"blobs":[]}"#;

fn parse_error(bytes: &[u8]) -> Error {
    PuffinFile::parse(bytes).unwrap_err()
}

#[test]
fn the_smallest_file_has_32_bytes() {
    let bytes = file(b"", EMPTY);
    assert_eq!(bytes.len(), 32);
    let file = PuffinFile::parse(&bytes).unwrap();
    let location = file.footer().location();
    assert_eq!((location.offset(), location.len(), location.payload_len()), (4, 28, 12));
    assert_eq!((location.file_len(), location.is_compressed()), (32, false));
    assert_eq!((file.bytes(), file.footer().payload()), (&bytes[..], EMPTY.as_bytes()));
}

#[test]
fn each_magic_is_checked_where_it_stands() {
    let bytes = file(b"abc", EMPTY);
    for (at, name) in [(0, "head"), (7, "footer"), (bytes.len() - 4, "end")] {
        for index in at..at + 4 {
            let mut bad = bytes.clone();
            bad[index] ^= 0x20;
            let found = u32::from_le_bytes(bad[at..at + 4].try_into().unwrap());
            assert_eq!(parse_error(&bad), error(ErrorKind::BadMagic, at as u64, u64::from(found)), "{name}");
        }
    }
}

#[test]
fn files_under_twenty_bytes_are_cut() {
    let bytes = file_with(b"", b"", NOT_COMPRESSED);
    assert_eq!(bytes.len(), 20);
    assert!(PuffinFile::parse(&bytes).is_ok());
    for len in 0..20 {
        assert_eq!(parse_error(&bytes[..len]), error(ErrorKind::Truncated, 0, len as u64));
    }
}

#[test]
fn every_reserved_flag_is_refused() {
    for bit in 1..32 {
        let bytes = file_with(b"", EMPTY.as_bytes(), 1 << bit | COMPRESSED);
        assert_eq!(parse_error(&bytes), error(ErrorKind::UnknownFlags, 24, 1 << bit | 1));
    }
    assert!(PuffinFile::parse(&file_with(b"", b"", COMPRESSED)).unwrap().footer().location().is_compressed());
}

#[test]
fn a_payload_size_must_leave_room_for_the_magics() {
    let bytes = file(b"", EMPTY);
    for size in [13, 32, i32::MAX, -1, i32::MIN] {
        let mut bad = bytes.clone();
        bad[20..24].copy_from_slice(&size.to_le_bytes());
        assert_eq!(parse_error(&bad), error(ErrorKind::BadFooterSize, 20, i64::from(size).cast_unsigned()));
    }
    for size in 0_u32..12 {
        let mut bad = bytes.clone();
        bad[20..24].copy_from_slice(&size.to_le_bytes());
        let at = u64::from(16 - size);
        assert_eq!((parse_error(&bad).kind(), parse_error(&bad).offset()), (ErrorKind::BadMagic, at));
    }
}

#[test]
fn a_byte_after_the_end_moves_the_magic_away() {
    let bytes = [&file(b"", EMPTY)[..], b"\n"].concat();
    assert_eq!(parse_error(&bytes).kind(), ErrorKind::BadMagic);
    assert_eq!(parse_error(&bytes).offset(), 29);
}

#[test]
fn a_footer_alone_must_be_exact() {
    let bytes = file(b"abcd", EMPTY);
    let footer = &bytes[8..];
    let view = FooterView::parse(footer, 36).unwrap();
    assert_eq!(view, PuffinFile::parse(&bytes).unwrap().footer());

    let refused = |footer: &[u8], file_len| FooterView::parse(footer, file_len).unwrap_err();
    assert_eq!(refused(&footer[..15], 36), error(ErrorKind::Truncated, 0, 15));
    assert_eq!(refused(footer, 31), error(ErrorKind::InvalidArgument, 0, 28));
    assert_eq!(refused(footer, 0), error(ErrorKind::InvalidArgument, 0, 28));
    assert_eq!(refused(&bytes[7..], 36), error(ErrorKind::LengthMismatch, 17, 12));
    assert_eq!(refused(&bytes[9..], 36), error(ErrorKind::LengthMismatch, 15, 12));
    let mut bad = footer.to_vec();
    bad[0] = b'p';
    assert_eq!(refused(&bad, 36), error(ErrorKind::BadMagic, 0, 0x3141_4670));
    bad[20] = 2;
    assert_eq!(refused(&bad, 36), error(ErrorKind::UnknownFlags, 20, 2));
}

#[test]
fn the_largest_payload_size_and_file_length_do_not_overflow() {
    let tail = [&i32::MAX.to_le_bytes()[..], &[0; 4], b"PFA1"].concat();
    for file_len in [u64::MAX, (1 << 31) - 1 + 20] {
        let crate::puffin::Tail::Fetch(range) = FooterLocation::from_tail(&tail, file_len).unwrap() else { panic!() };
        assert_eq!(range, file_len - ((1 << 31) - 1 + 16)..file_len);
    }
    let short = FooterLocation::from_tail(&tail, (1 << 31) - 2 + 20).unwrap_err();
    assert_eq!(short, error(ErrorKind::BadFooterSize, 0, 0x7fff_ffff));
}
