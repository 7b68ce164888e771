//! Frames of ours in liblz4 and libzstd.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::io::Read;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use puffin_codec::Limits;
use puffin_codec::compression::{lz4, zstd};

/// Pieces that compress in each way there is: noise, runs, text, and copies of what came before.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        vec(any::<u8>(), 0..3000),
        (any::<u8>(), 0..70_000_usize).prop_map(|(byte, len)| vec![byte; len]),
        vec(select(b"aaaabbc ".to_vec()), 0..20_000),
        (0..3000_usize, any::<u32>()).prop_map(|(count, step)| {
            (0..count).flat_map(|i| format!("\"offset\":{},", i * (step as usize % 99)).into_bytes()).collect()
        }),
    ];
    (vec(piece, 0..8), 1..4_usize).prop_map(|(pieces, times)| pieces.concat().repeat(times))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lz4_frames(content in content()) {
        let mut memory = vec![0; lz4::max_encoded_len(content.len())];
        let len = lz4::encode_into(&content, &mut memory).unwrap();
        let mut decoded = Vec::new();
        let mut decoder = ::lz4::Decoder::new(&memory[..len]).unwrap();
        decoder.read_to_end(&mut decoded).unwrap();
        let (rest, finished) = decoder.finish();
        finished.unwrap();
        prop_assert!(rest.is_empty() && decoded == content);
    }

    #[test]
    fn zstd_frames(content in content()) {
        let mut memory = vec![0; zstd::max_encoded_len(content.len())];
        let len = zstd::encode_into(&content, &mut memory).unwrap();
        prop_assert_eq!(::zstd::zstd_safe::get_frame_content_size(&memory[..len]).unwrap(), Some(content.len() as u64));
        prop_assert!(::zstd::bulk::decompress(&memory[..len], content.len()).unwrap() == content);

        // And the other way.
        for level in [1, 19] {
            let frame = ::zstd::bulk::compress(&content, level).unwrap();
            let mut decoded = vec![0; content.len()];
            prop_assert_eq!(zstd::decode_into(&frame, &mut decoded, &Limits::default()).unwrap(), &content[..]);
        }
    }
}
