//! Layout by layout: what each rule of the format accepts, and where a breach of it is reported.

use std::vec::Vec;

use super::*;
use crate::error::{ErrorKind, Result};

/// Builds serialized bitmaps field by field, so that a test reads like the format's diagram.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16(mut self, value: u16) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    fn u16s(self, values: impl IntoIterator<Item = u16>) -> Self {
        values.into_iter().fold(self, Self::u16)
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    fn fault32(&self) -> (ErrorKind, u64, u64) {
        fault(Bitmap32::parse(&self.0))
    }

    fn fault64(&self) -> (ErrorKind, u64, u64) {
        fault(Bitmap64::parse(&self.0))
    }
}

fn fault<T: core::fmt::Debug>(result: Result<T>) -> (ErrorKind, u64, u64) {
    let error = result.unwrap_err();
    (error.kind(), error.offset(), error.found())
}

fn array(values: &[u16]) -> Bytes {
    let less_one = u16::try_from(values.len() - 1).unwrap();
    let header = Bytes::default().u32(12346).u32(1).u16(0).u16(less_one).u32(16);
    header.u16s(values.iter().copied())
}

fn runs(cardinality: u32, pairs: &[(u16, u16)]) -> Bytes {
    let header = Bytes::default().u32(12347).u8(1).u16(0).u16(low16(cardinality - 1));
    header.u16(u16::try_from(pairs.len()).unwrap()).u16s(pairs.iter().flat_map(|&(start, length)| [start, length]))
}

#[test]
fn empty_bitmaps_have_one_form_in_32_and_one_in_64_bits() {
    let empty = Bytes::default().u32(12346).u32(0);
    let bitmap = Bitmap32::parse(&empty.0).unwrap();
    assert!(bitmap.is_empty() && bitmap.iter().next().is_none() && bitmap.iter_rev().next().is_none());
    assert_eq!((bitmap.min(), bitmap.max(), bitmap.select(0), bitmap.rank(u32::MAX)), (None, None, None, 0));
    assert!(bitmap.contains_range(5..5) && !bitmap.contains_range(5..6));

    let none = Bytes::default().u64(0);
    let bitmap = Bitmap64::parse(&none.0).unwrap();
    assert!(bitmap.is_empty() && bitmap.min().is_none() && bitmap.iter().next().is_none() && !bitmap.contains(0));
    let hollow = Bytes::default().u64(2).u32(0).bytes(&empty.0).u32(7).bytes(&empty.0);
    let bitmap = Bitmap64::parse(&hollow.0).unwrap();
    assert_eq!((bitmap.bucket_count(), bitmap.is_empty(), bitmap.max()), (2, true, None));
}

#[test]
fn cookie_and_counts() {
    assert_eq!(Bytes::default().u16(12346).u8(0).fault32(), (ErrorKind::Truncated, 0, 3));
    assert_eq!(Bytes::default().u32(0x0001_303A).fault32(), (ErrorKind::BadCookie, 0, 0x0001_303A));
    assert_eq!(Bytes::default().u32(12346).u32(65_537).fault32(), (ErrorKind::BadCount, 4, 65_537));
    assert_eq!(Bytes::default().u32(12346).u32(u32::MAX).fault32(), (ErrorKind::BadCount, 4, 0xFFFF_FFFF));
    assert_eq!(Bytes::default().u32(12346).u32(65_536).fault32(), (ErrorKind::Truncated, 8, 0));
    assert_eq!(Bytes::default().u32(0xFFFF_303B).fault32(), (ErrorKind::Truncated, 4, 0));
    assert_eq!(Bytes::default().u64(1).fault64(), (ErrorKind::Truncated, 8, 0));
    assert_eq!(Bytes::default().u64(1 << 32).u64(0).fault64(), (ErrorKind::Truncated, 8, 8));
    assert_eq!(Bytes::default().u64((1 << 32) + 1).fault64(), (ErrorKind::BadCount, 0, (1 << 32) + 1));
    assert_eq!(Bytes::default().u64(1 << 63).u64(0).u64(0).fault64(), (ErrorKind::BadCount, 0, 1 << 63));
    assert_eq!(Bytes::default().u32(1).fault64(), (ErrorKind::Truncated, 0, 4));
}

#[test]
fn keys_ascend_at_both_levels() {
    let two = |a: u16, b: u16| Bytes::default().u32(12346).u32(2).u16(a).u16(0).u16(b).u16(0).u32(24).u32(26).u32(0);
    assert_eq!(two(4, 4).fault32(), (ErrorKind::KeyOrder, 12, 4));
    assert_eq!(two(4, 3).fault32(), (ErrorKind::KeyOrder, 12, 3));
    assert_eq!(Bitmap32::parse(&two(4, 5).0).unwrap().iter().collect::<Vec<_>>(), [4 << 16, 5 << 16]);

    let one = array(&[1]).0;
    let two = |a: u32, b: u32| Bytes::default().u64(2).u32(a).bytes(&one).u32(b).bytes(&one);
    assert_eq!(two(0, 0).fault64(), (ErrorKind::KeyOrder, 30, 0));
    assert_eq!(two(u32::MAX, 1).fault64(), (ErrorKind::KeyOrder, 30, 1));
    let bytes = two(1, u32::MAX).0;
    assert_eq!(Bitmap64::parse(&bytes).unwrap().max(), Some(0xFFFF_FFFF_0000_0001));
    assert_eq!(
        fault(Bitmap64::parse_up_to(&bytes, 0x7FFF_FFFF, &mut None)),
        (ErrorKind::KeyOutOfRange, 30, 0xFFFF_FFFF)
    );
}

#[test]
fn offsets_equal_the_layout() {
    let with = |offset: u32| Bytes::default().u32(12346).u32(1).u16(0).u16(0).u32(offset).u16(9);
    assert!(Bitmap32::parse(&with(16).0).is_ok());
    for wrong in [0, 15, 17, u32::MAX] {
        assert_eq!(with(wrong).fault32(), (ErrorKind::OffsetMismatch, 12, u64::from(wrong)));
    }
    // Four containers under the run cookie have offsets, three have none.
    let four = Bytes::default().u32(12347 | 3 << 16).u8(0).u16s([0, 0, 1, 0, 2, 0, 3, 0]);
    let four = four.u32(37).u32(39).u32(41).u32(44).u16s([5; 4]);
    assert_eq!(four.fault32(), (ErrorKind::OffsetMismatch, 33, 44));
    let three = Bytes::default().u32(12347 | 2 << 16).u8(0).u16s([0, 0, 1, 0, 2, 0]).u16s([5; 3]);
    assert_eq!(Bitmap32::parse(&three.0).unwrap().iter().collect::<Vec<_>>(), [5, 65_541, 131_077]);
}

#[test]
fn arrays_ascend() {
    assert_eq!(array(&[1, 5, 5]).fault32(), (ErrorKind::ArrayOrder, 20, 5));
    assert_eq!(array(&[1, 5, 9, 2, 1]).fault32(), (ErrorKind::ArrayOrder, 22, 2));
    assert_eq!(array(&[1, 2]).u8(0).fault32(), (ErrorKind::TrailingBytes, 20, 1));
    let cut = array(&[1, 2, 3]).0;
    assert_eq!(fault(Bitmap32::parse(&cut[..cut.len() - 1])), (ErrorKind::Truncated, 16, 5));
}

#[test]
fn runs_ascend_inside_65536() {
    let accepted = runs(6, &[(1, 1), (3, 1), (5, 1)]);
    assert_eq!(Bitmap32::parse(&accepted.0).unwrap().iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(runs(1, &[]).fault32(), (ErrorKind::NoRuns, 9, 0));
    assert_eq!(runs(4, &[(1, 1), (2, 1)]).fault32(), (ErrorKind::RunOrder, 15, 2));
    assert_eq!(runs(4, &[(9, 1), (2, 1)]).fault32(), (ErrorKind::RunOrder, 15, 2));
    assert_eq!(runs(4, &[(65_535, 1)]).fault32(), (ErrorKind::RunOverflow, 11, 65_536));
    assert_eq!(runs(9, &[(5, 9)]).fault32(), (ErrorKind::CardinalityMismatch, 7, 9));
    let full = Bitmap32::parse(&runs(65_536, &[(0, 65_535)]).0).unwrap().cardinality();
    assert_eq!(full, 65_536);
}

#[test]
fn bitsets_hold_what_they_declare() {
    let bitset = |cardinality: u32, words: [u64; 1024]| {
        let header = Bytes::default().u32(12346).u32(1).u16(0).u16(low16(cardinality - 1)).u32(16);
        words.into_iter().fold(header, Bytes::u64)
    };
    let mut words = [0; 1024];
    words[..65].fill(u64::MAX);
    assert_eq!(Bitmap32::parse(&bitset(4160, words).0).unwrap().max(), Some(4159));
    assert_eq!(bitset(4161, words).fault32(), (ErrorKind::CardinalityMismatch, 10, 4161));
    let mut short = bitset(4160, words);
    short.0.pop();
    assert_eq!(short.fault32(), (ErrorKind::Truncated, 16, 8191));
}

#[test]
fn errors_inside_a_bucket_count_from_the_start_of_the_input() {
    let bytes = Bytes::default().u64(1).u32(0).bytes(&array(&[7, 7]).0);
    assert_eq!(bytes.fault64(), (ErrorKind::ArrayOrder, 30, 7));
    let bytes = Bytes::default().u64(1).u32(0).bytes(&array(&[7]).0).u16(0);
    assert_eq!(bytes.fault64(), (ErrorKind::TrailingBytes, 30, 2));
    assert_eq!(Bitmap64::parse_prefix(&bytes.0).map(|(bitmap, used)| (bitmap.max(), used)), Ok((Some(7), 30)));
}

#[test]
fn an_iterator_peeks_and_never_moves_back() {
    let one = array(&[3, 9]).0;
    let bytes = Bytes::default().u64(2).u32(0).bytes(&one).u32(2).bytes(&one).0;
    let bitmap = Bitmap64::parse(&bytes).unwrap();
    let mut positions = bitmap.iter();
    positions.advance_to(4);
    assert_eq!((positions.peek(), positions.peek()), (Some(9), Some(9)));
    positions.advance_to(0);
    assert_eq!((positions.peek(), positions.size_hint()), (Some(9), (3, Some(3))));
    positions.advance_to(1 << 32);
    assert_eq!(positions.next(), Some((2 << 32) + 3));
    positions.advance_to(u64::MAX);
    assert_eq!((positions.peek(), positions.next(), positions.size_hint()), (None, None, (0, Some(0))));
    assert_eq!(bitmap.iter().nth(3), Some((2 << 32) + 9));
    assert_eq!(bitmap.iter().nth(4), None);
}

#[test]
fn walking_back_over_many_buckets_takes_few_steps() {
    let one = array(&[1]).0;
    let count = 20_000_u32;
    let bytes = (0..count).fold(Bytes::default().u64(u64::from(count)), |bytes, key| bytes.u32(key).bytes(&one)).0;
    let bitmap = Bitmap64::parse(&bytes).unwrap();
    let expected = (0..count).rev().map(|key| join32(key, 1));
    assert!(bitmap.iter_rev().eq(expected));
}

#[test]
fn trusted_bytes_that_lie_get_bounded_answers() {
    // Offsets, run sums and orders are all wrong, and no question minds.
    let lies = Bytes::default().u32(12347 | 3 << 16).u8(0b0010).u16s([9, 1, 9, 7, 3, 0, 1, 0xFFFF]);
    let lies = lies.u32(37).u32(37).u32(u32::MAX).u32(0).u16s([2, 65_000, 60_000, 100, 7, 5]).0;
    assert!(Bitmap32::parse(&lies).is_err());
    let bitmap = Bitmap32::parse_trusted(&lies).unwrap();
    assert!(bitmap.iter().count() < 1 << 20 && bitmap.iter().map(u64::from).sum::<u64>() < 1 << 40);
    assert_eq!(bitmap.iter().size_hint().0, 0);
    for value in [0, 9 << 16, u32::MAX] {
        let _ = (bitmap.contains(value), bitmap.rank(value), bitmap.iter_from(value).count());
        let _ = (bitmap.select(u64::from(value)), bitmap.count(value..), bitmap.contains_range(value..));
    }
    assert!(bitmap.iter_rev().count() < 1 << 20);
}

#[test]
fn trusted_containers_that_share_a_body_cost_no_more_than_their_values() {
    // Every offset points at one body of 60,000 runs, all of them (0, 0).
    let count = 40_000_u32;
    let header = Bytes::default().u32(12347 | (count - 1) << 16);
    let flags = (0..count / 8).fold(header, |bytes, _| bytes.u8(0xFF));
    let keys = (0..count).fold(flags, |bytes, key| bytes.u16(low16(key)).u16(0));
    let body = u32::try_from(keys.0.len()).unwrap() + count * 4;
    let offsets = (0..count).fold(keys, |bytes, _| bytes.u32(body));
    let lies = (0..60_000).fold(offsets.u16(60_000), |bytes, _| bytes.u32(0)).0;
    assert!(Bitmap32::parse(&lies).is_err());
    let bitmap = Bitmap32::parse_trusted(&lies).unwrap();
    assert_eq!(bitmap.iter().map(u64::from).fold(0, |sum, _| sum + 1), u64::from(count));
    assert_eq!(bitmap.iter_rev().map(u64::from).fold(0, |sum, _| sum + 1), u64::from(count));
}

#[test]
fn an_index_finds_every_bucket_and_no_other() {
    let bucket = |key: u32| {
        let mut record = key.to_le_bytes().to_vec();
        record.extend([0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 7, 0]);
        record
    };
    let keys = [1, 2, 9, 1000, u32::MAX];
    let mut bytes = 5_u64.to_le_bytes().to_vec();
    bytes.extend(keys.iter().flat_map(|key| bucket(*key)));
    let bitmap = Bitmap64::parse(&bytes).unwrap();
    let mut index = [9; 5];
    let error = bitmap.index_into(&mut index[..3]).unwrap_err();
    assert_eq!((error.kind(), error.found(), index), (ErrorKind::BufferTooSmall, 4, [9; 5]));
    let indexed = bitmap.index_into(&mut index).unwrap();
    for key in [0, 1, 2, 3, 8, 9, 10, 999, 1000, 1001, u32::MAX - 1, u32::MAX] {
        assert_eq!(indexed.bucket(key).is_some(), keys.contains(&key), "{key}");
        assert_eq!(indexed.contains((u64::from(key) << 32) + 7), keys.contains(&key), "{key}");
    }
    // Trusted bytes that end in the third bucket: the first two are all there is.
    let trusted = Bitmap64::parse_trusted(&bytes[..8 + 2 * 22 + 12]).unwrap_err();
    assert_eq!(trusted.kind(), ErrorKind::Truncated);
    bytes.truncate(8 + 2 * 22 + 12);
    bytes[0] = 4;
    let trusted = Bitmap64::parse_trusted(&bytes).unwrap();
    let mut index = [0; 3];
    let indexed = trusted.index_into(&mut index).unwrap();
    assert!(indexed.bucket(1).is_some() && indexed.bucket(2).is_some() && indexed.bucket(9).is_none());
    let empty = Bitmap64::parse(&[0; 8]).unwrap();
    assert_eq!((empty.index_len(), empty.index_into(&mut []).map(|indexed| indexed.contains(0))), (0, Ok(false)));
}
