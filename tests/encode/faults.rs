//! What the encoder refuses, where it says the fault is, and that nothing is written then.

use puffin_codec::deletion_vector::{
    DeletionVector, Encoder, MAX_KEY, MAX_WRITTEN_KEY, MAX_WRITTEN_POSITION, Source, encode_scratch_len,
};
use puffin_codec::roaring::Bitmap64;
use puffin_codec::{Error, ErrorKind};

use crate::common::builder::{Body, bitmap32, bitmap64};
use crate::common::canonical::canonical_blob;
use crate::encode;

fn fault<T>(result: Result<T, Error>) -> (ErrorKind, u64, u64) {
    let error = result.err().expect("this must be refused");
    (error.kind(), error.offset(), error.found())
}

#[test]
fn disorder_is_told_with_its_index() {
    assert_eq!(fault(Source::positions(&[5, 4])), (ErrorKind::InputOrder, 1, 4));
    let mut long: Vec<u64> = (0..10_000).map(|index| index * 7).collect();
    long[7000] = 3;
    assert_eq!(fault(Source::positions(&long)), (ErrorKind::InputOrder, 7000, 3));
    // The first fault is told, whichever kind it is of; also one that wraps around.
    assert_eq!(fault(Source::positions(&[u64::MAX, 5])), (ErrorKind::KeyOutOfRange, 0, 0xFFFF_FFFF));
    assert_eq!(fault(Source::positions(&[1 << 40, u64::MAX, 5])), (ErrorKind::KeyOutOfRange, 1, 0xFFFF_FFFF));
    assert_eq!(fault(Source::positions(&[7, 1 << 63, 1 << 62])), (ErrorKind::KeyOutOfRange, 1, 0x8000_0000));
    assert_eq!(fault(Source::ranges(&[5..9, 4..20])), (ErrorKind::InputOrder, 1, 4));
    let reversed = [0..3, std::ops::Range { start: 9, end: 8 }];
    assert_eq!(fault(Source::ranges(&reversed)), (ErrorKind::InputOrder, 1, 9));
}

#[test]
fn no_key_is_written_that_a_reader_refuses() {
    let top = MAX_WRITTEN_POSITION;
    assert_eq!(top >> 32, u64::from(MAX_WRITTEN_KEY));
    assert!(encode(&mut [Source::positions(&[top]).unwrap()], false) == canonical_blob(&[top], false).bytes());
    assert_eq!(fault(Source::positions(&[0, top + 1])), (ErrorKind::KeyOutOfRange, 1, u64::from(MAX_KEY)));
    assert_eq!(fault(Source::ranges(&[0..1, top..top + 2])), (ErrorKind::KeyOutOfRange, 1, u64::from(MAX_KEY)));
    assert!(Source::ranges(&[0..1, top..top + 1]).is_ok());
    // A vector that may be read, and not written; an empty bucket there is no matter.
    let one = |body: &[(u16, Body)]| bitmap64(vec![(MAX_KEY, bitmap32(body, false))]);
    let (full, empty) = (one(&[(0, Body::Array(vec![3]))]), one(&[]));
    let full = Bitmap64::parse(full.bytes()).unwrap();
    assert_eq!(fault(Source::bitmap(&full)), (ErrorKind::KeyOutOfRange, 0, u64::from(MAX_KEY)));
    assert_eq!(fault(Source::operation(&full.union(&full))).0, ErrorKind::KeyOutOfRange);
    let empty = Bitmap64::parse(empty.bytes()).unwrap();
    assert_eq!(encode(&mut [Source::bitmap(&empty).unwrap()], true).len(), 20);
    // Moved rows.
    let blob = encode(&mut [Source::positions(&[10, 20]).unwrap()], false);
    let vector = DeletionVector::parse(&blob).unwrap();
    assert!(Source::rows(vector.bitmap(), 0..21, top - 20).is_ok());
    assert_eq!(fault(Source::rows(vector.bitmap(), 0..21, top - 19)).0, ErrorKind::KeyOutOfRange);
    assert_eq!(fault(Source::rows(vector.bitmap(), 0..21, u64::MAX)).0, ErrorKind::KeyOutOfRange);
    assert!(Source::rows(vector.bitmap(), 0..20, top - 10).is_ok());
    let reversed = std::ops::Range { start: 9, end: 8 };
    assert_eq!(fault(Source::rows(vector.bitmap(), reversed, 0)), (ErrorKind::InvalidArgument, 9, 8));
}

#[test]
fn short_memory_is_told_and_left_alone() {
    let positions: Vec<u64> = (0..3000).map(|index| index * 1000).collect();
    let mut sources = [Source::positions(&positions).unwrap(), Source::ranges(&[5..90_000, 1 << 33..1 << 34]).unwrap()];
    let blob = encode(&mut sources, false);
    let mut scratch = vec![0; encode_scratch_len(2)];
    let needed = scratch.len() as u64;
    let mut out = vec![0xA5; blob.len()];
    let mut short = scratch.clone();
    short.pop();
    for dense in [false, true] {
        let mut encoder = Encoder::new(&mut sources).dense_keys(dense);
        assert_eq!(fault(encoder.encode_into(&mut short, &mut out)), (ErrorKind::ScratchTooSmall, 0, needed));
        assert_eq!(fault(encoder.encoded_len(&mut short)), (ErrorKind::ScratchTooSmall, 0, needed));
        assert_eq!(fault(encoder.encode_bitmap_into(&mut [], &mut out)), (ErrorKind::ScratchTooSmall, 0, needed));
        let exact = encoder.encoded_len(&mut scratch).unwrap() as u64;
        for len in [0, 1, 7, 8, 12, 20, 100, blob.len() - 1] {
            let short = &mut out[..len];
            assert_eq!(fault(encoder.encode_into(&mut scratch, short)), (ErrorKind::BufferTooSmall, 0, exact));
            let short = &mut out[..len.min(blob.len() - 13)];
            let bare = fault(encoder.encode_bitmap_into(&mut scratch, short));
            assert_eq!(bare, (ErrorKind::BufferTooSmall, 0, exact - 12));
        }
        assert!(out.iter().all(|byte| *byte == 0xA5), "nothing is written");
    }
    assert!(Encoder::new(&mut sources).encode_into(&mut scratch, &mut out).is_ok());
    assert!(out == blob);
}

#[test]
fn a_vector_that_the_size_field_cannot_count_is_refused_at_once() {
    let mut scratch = vec![0; encode_scratch_len(1)];
    // One key each in 2^30 buckets, dense: 12 GB of empty buckets, of which none is written.
    let mut sources = [Source::positions(&[0, 1 << 62]).unwrap()];
    let mut encoder = Encoder::new(&mut sources).dense_keys(true);
    assert_eq!(fault(encoder.encoded_len(&mut scratch)).0, ErrorKind::VectorTooLong);
    let mut out = [0xA5; 1000];
    assert_eq!(fault(encoder.encode_into(&mut scratch, &mut out)).0, ErrorKind::VectorTooLong);
    assert!(out == [0xA5; 1000]);
    assert_eq!(Encoder::new(&mut sources).encoded_len(&mut scratch), Ok(8 + 8 + 2 * 22 + 4));
    // 2^47 full containers.
    let everything = [0..1 << 20, 0..MAX_WRITTEN_POSITION + 1, 77..1 << 50];
    let mut sources = [Source::ranges(&everything).unwrap()];
    let mut encoder = Encoder::new(&mut sources);
    assert_eq!(fault(encoder.encoded_len(&mut scratch)).0, ErrorKind::VectorTooLong);
    assert_eq!(fault(encoder.encode_into(&mut scratch, &mut out)).0, ErrorKind::VectorTooLong);
}

#[test]
fn every_changed_byte_of_a_written_vector_is_seen() {
    let positions: Vec<u64> = (0..900).map(|index| index * 61).chain(1 << 33..(1 << 33) + 300).collect();
    let blob = encode(&mut [Source::positions(&positions).unwrap()], false);
    let mut changed = blob.clone();
    for at in 0..blob.len() {
        for flip in 1..=255 {
            changed[at] = blob[at] ^ flip;
            assert!(DeletionVector::parse(&changed).is_err(), "byte {at} flipped by {flip}");
        }
        changed[at] = blob[at];
    }
}

#[test]
fn trusted_bytes_that_lie_still_make_a_valid_vector() {
    let bodies =
        [Body::Array(vec![1, 5, 9]), Body::Bitset((0..5000).map(|low| low * 3).collect()), Body::Run(vec![(4, 90)])];
    let keys = [3, 4, 9_u16];
    let built = bitmap64(vec![
        (0, bitmap32(&keys.into_iter().zip(bodies).collect::<Vec<_>>(), false)),
        (7, bitmap32(&[(0, Body::Array((0..4000).collect()))], false)),
    ]);
    let good = built.bytes();
    let other = encode(&mut [Source::ranges(&[200_000..330_000, 400_000..400_001]).unwrap()], false);
    let other = DeletionVector::parse(&other).unwrap();
    let mut state = 7_u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % bound as u64).unwrap()
    };
    for _ in 0..3000 {
        let mut bytes = good.to_vec();
        for _ in 0..=random(3) {
            let at = if random(2) == 0 { random(bytes.len().min(80)) } else { random(bytes.len()) };
            bytes[at] = u8::try_from(random(256)).unwrap();
        }
        let Ok(liar) = Bitmap64::parse_trusted(&bytes) else { continue };
        let sources = [
            Source::bitmap(&liar),
            Source::rows(&liar, 100..400_000, 77),
            Source::operation(&liar.union(other.bitmap())),
            Source::operation(&liar.intersection(other.bitmap())),
            Source::operation(&other.bitmap().difference(&liar)),
            Source::operation(&liar.difference(other.bitmap())),
        ];
        for source in sources.into_iter().flatten() {
            let mut scratch = vec![0; encode_scratch_len(2)];
            let mut sources = [source, Source::vector(&other).unwrap()];
            for count in [1, 2] {
                let sources = &mut sources[..count];
                let mut blob = vec![0; 1 << 17];
                let encoded = match Encoder::new(sources).encode_into(&mut scratch, &mut blob) {
                    Ok(encoded) => encoded,
                    // Containers may share bytes, so that there is more than there seems to be.
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::BufferTooSmall);
                        continue;
                    }
                };
                let vector = DeletionVector::parse(&blob[..encoded.len()]).expect("whatever is written is valid");
                assert_eq!(vector.cardinality(), encoded.cardinality());
            }
        }
    }
}

#[test]
fn long_ranges_are_measured_bucket_by_bucket() {
    let mut scratch = vec![0; encode_scratch_len(42)];
    let ranges: Vec<_> =
        (0..40).map(|number| [number << 46..(number << 46) + (1 << 44) + 5, 1 << 62..1 << 62]).collect();
    let mut sources: Vec<_> = ranges.iter().map(|ranges| Source::ranges(ranges).unwrap()).collect();
    sources.push(Source::positions(&[7, 1 << 39, (1 << 44) - 1]).unwrap());
    // 2^28 containers each: one at a time they would take a quarter of an hour.
    let measured = Encoder::new(&mut sources).encoded_len(&mut scratch);
    assert_eq!(fault(measured).0, ErrorKind::VectorTooLong);
    let few = [0..1 << 32, 1 << 32..(1 << 33) + (5 << 16) + 9];
    let blob = encode(&mut [Source::ranges(&few).unwrap(), Source::positions(&[1 << 32, 1 << 34]).unwrap()], false);
    assert_eq!(DeletionVector::parse(&blob).unwrap().cardinality(), (1 << 33) + (5 << 16) + 10);
}

#[test]
fn counts_that_lie_move_nothing_too_far() {
    // A full bitset that says it holds 5,000 values.
    let mut built = bitmap64(vec![(0, bitmap32(&[(0, Body::Bitset((0..=u16::MAX).collect()))], false))]);
    built.set("bitmap 0.cardinality 0", 4999_u16.to_le_bytes());
    let liar = Bitmap64::parse_trusted(built.bytes()).unwrap();
    let mut sources = [Source::rows(&liar, 0..65_536, MAX_WRITTEN_POSITION - 10_000).unwrap()];
    let mut scratch = vec![0; encode_scratch_len(1)];
    let mut blob = vec![0; 1 << 15];
    let len = Encoder::new(&mut sources).encode_into(&mut scratch, &mut blob).unwrap().len();
    assert_eq!(DeletionVector::parse(&blob[..len]).unwrap().max(), Some(MAX_WRITTEN_POSITION));
}
