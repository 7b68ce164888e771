//! One fault at a time in valid bytes: the error names the kind, the field and what was found there.

use puffin_codec::ErrorKind::{self, *};
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap32, Bitmap64};

use crate::common::builder::{Body, Bytes, bitmap32, bitmap64};
use crate::common::envelope::vector;

/// Containers of each kind, with an offset header.
fn mixed() -> Bytes {
    let bodies = [
        Body::Array(vec![1, 5, 9]),
        Body::Bitset((0..5000).collect()),
        Body::Run(vec![(0, 9), (20, 29), (65_000, 65_535)]),
        Body::Array(vec![7]),
    ];
    bitmap32(&[2, 3, 4, 9].into_iter().zip(bodies).collect::<Vec<_>>(), true)
}

#[test]
fn faults_of_a_32_bit_bitmap() {
    // Field, its new bytes, the kind of error, the field that the error points at, how far into it, what was found.
    type Fault<'a> = (&'a str, &'a [u8], ErrorKind, &'a str, usize, u64);
    let faults: &[Fault<'_>] = &[
        ("cookie", &[0x39, 0x30], BadCookie, "cookie", 0, 0x0003_3039),
        ("key 1", &[2, 0], KeyOrder, "key 1", 0, 2),
        ("key 3", &[4, 0], KeyOrder, "key 3", 0, 4),
        ("offset 2", &[0, 0, 0, 0], OffsetMismatch, "offset 2", 0, 0),
        ("container 0.values", &[1, 0, 1, 0, 9, 0], ArrayOrder, "container 0.values", 2, 1),
        ("container 0.values", &[1, 0, 5, 0, 4, 0], ArrayOrder, "container 0.values", 4, 4),
        ("cardinality 1", &[0x88, 0x13], CardinalityMismatch, "cardinality 1", 0, 5001),
        ("cardinality 2", &[0, 0], CardinalityMismatch, "cardinality 2", 0, 1),
        ("container 2.runs", &[0, 0], NoRuns, "container 2.runs", 0, 0),
        ("container 2.start 1", &[9, 0], RunOrder, "container 2.start 1", 0, 9),
        ("container 2.length 2", &[0x18, 2], RunOverflow, "container 2.start 2", 0, 65_536),
    ];
    for &(field, value, kind, place, into, found) in faults {
        let mut built = mixed();
        assert!(Bitmap32::parse(built.bytes()).is_ok());
        built.set(field, value);
        let error = Bitmap32::parse(built.bytes()).unwrap_err();
        let expected = (kind, (built.place(place).start + into) as u64, found);
        assert_eq!((error.kind(), error.offset(), error.found()), expected, "{field} := {value:?}");
        assert_eq!(Bitmap32::parse_prefix(built.bytes()).unwrap_err(), error);
    }
}

#[test]
fn a_cut_or_longer_bitmap() {
    let built = mixed();
    let whole = built.bytes();
    for len in 0..whole.len() {
        let error = Bitmap32::parse(&whole[..len]).unwrap_err();
        assert!(error.kind() == Truncated && error.offset() <= len as u64, "cut at {len}: {error}");
    }
    let longer = [whole, &[0; 3]].concat();
    let error = Bitmap32::parse(&longer).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.found()), (TrailingBytes, whole.len() as u64, 3));
    let many = [0x3A, 0x30, 0, 0, 1, 0, 1, 0];
    let error = Bitmap32::parse(&many).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.found()), (BadCount, 4, 65_537));
}

#[test]
fn faults_of_a_64_bit_bitmap_and_of_a_vector() {
    let buckets = || bitmap64(vec![(0, mixed()), (1, mixed())]);
    let mut built = buckets();
    built.set("key 1", [0; 4]);
    let error = Bitmap64::parse(built.bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (KeyOrder, built.place("key 1").start as u64));

    let mut built = buckets();
    built.set("bitmap 1.key 1", [2, 0]);
    let error = Bitmap64::parse(built.bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (KeyOrder, built.place("bitmap 1.key 1").start as u64));

    let mut built = buckets();
    built.set("bitmaps", u64::MAX.to_le_bytes());
    let error = Bitmap64::parse(built.bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.found()), (BadCount, 0, u64::MAX));

    // Inside a vector, with the CRC made right again, the same faults show at their place in the blob.
    let blob = vector(built);
    let error = DeletionVector::parse(blob.bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (BadCount, blob.place("vector.bitmaps").start as u64));
    let high = vector(bitmap64(vec![(0x8000_0000, mixed())]));
    let error = DeletionVector::parse(high.bytes()).unwrap_err();
    let place = high.place("vector.key 0").start as u64;
    assert_eq!((error.kind(), error.offset(), error.found()), (KeyOutOfRange, place, 0x8000_0000));
}

#[test]
fn faults_of_the_envelope() {
    let faults: &[(&str, &[u8], ErrorKind, &str)] = &[
        ("size", &[0, 0, 0, 0], LengthMismatch, "size"),
        ("size", &[255, 255, 255, 255], LengthMismatch, "size"),
        ("magic", &[0xD1, 0xD3, 0x39, 0x65], BadMagic, "magic"),
        ("crc", &[0, 0, 0, 0], CrcMismatch, "crc"),
        ("vector.bitmaps", &[0; 8], CrcMismatch, "crc"),
    ];
    for &(field, value, kind, place) in faults {
        let mut blob = vector(bitmap64(vec![(0, mixed())]));
        blob.set(field, value);
        let error = DeletionVector::parse(blob.bytes()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, blob.place(place).start as u64), "{field} := {value:?}");
    }
    let blob = vector(bitmap64(vec![(0, mixed())]));
    let error = DeletionVector::parse_with_cardinality(blob.bytes(), 3).unwrap_err();
    assert_eq!((error.kind(), error.found()), (CardinalityMismatch, 3));
}
