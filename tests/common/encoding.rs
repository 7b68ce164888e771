//! A walk through the writing of vectors, which allocates nothing.

use std::hint::black_box;

use puffin_codec::deletion_vector::{DeletionVector, Encoder, Source};
use puffin_codec::roaring::Bitmap64;

/// Writes a bitmap beside positions and ranges, in parts and moved, and what it has and has not in common with itself.
///
/// Returns how many vectors were written.
pub(crate) fn encode_all(bitmap: &Bitmap64<'_>, scratch: &mut [u64], out: &mut [u8]) -> usize {
    let (some, few) = ([0_u64, 3, 3, 70_000, 1 << 40], [5..9_u64, 60_000..200_000]);
    let Ok(whole) = Source::bitmap(bitmap) else { return 0 };
    let operations = [bitmap.union(bitmap), bitmap.intersection(bitmap), bitmap.difference(bitmap)];
    black_box((bitmap.is_subset(bitmap), bitmap.is_disjoint(bitmap)));
    for operation in operations {
        black_box((operation.cardinality(), operation.is_empty()));
        black_box((operation.iter().take(200).count(), operation.ranges().take(200).count()));
    }
    let [union, intersection, difference] = operations.map(|operation| Source::operation(&operation).unwrap_or(whole));
    let moved = Source::rows(bitmap, 100..1 << 33, 7).unwrap_or(whole);
    let lists = [Source::positions(&some).unwrap_or(whole), Source::ranges(&few).unwrap_or(whole)];
    let mut sources = [whole, union, intersection, difference, moved, lists[0], lists[1]];
    let mut written = 0;
    for count in [1, 2, 7] {
        let mut encoder = Encoder::new(&mut sources[..count]);
        black_box((encoder.max_encoded_len(), encoder.encoded_len(scratch).is_ok()));
        let Ok(encoded) = encoder.encode_into(scratch, out) else { continue };
        // Whatever it is made from, what is written is valid.
        let vector = DeletionVector::parse(&out[..encoded.len()]);
        assert_eq!(vector.map(|vector| vector.cardinality()), Ok(encoded.cardinality()));
        written += 1;
    }
    written
}
