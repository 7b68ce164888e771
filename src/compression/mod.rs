//! The two codecs a Puffin footer or blob may name, each as one self-contained frame.
//!
//! | codec | what Puffin asks for | module | tier |
//! |---|---|---|---|
//! | `lz4` | a single LZ4 frame, content size present | [`lz4`] | always there, allocates nothing |
//! | `zstd` | a single Zstandard frame, content size present | [`zstd`] | size always; content and encoding with the feature `zstd`, which allocates |
//!
//! Both modules have the same four functions. `decoded_len` says how much memory the content needs, from the frame's
//! own words and held against [`Limits`](crate::Limits); `decode_into` writes the content to caller memory and checks
//! everything the frame format lets a reader check. Neither trusts a declared size: it bounds the output, and content
//! of any other size is an error. `max_encoded_len` says how much memory encoding needs, and `encode_into` writes one
//! frame as Puffin asks for it, with content size and content checksum.
//!
//! Whatever fails, bytes of the output that the content would have taken are unspecified afterwards; the one promise
//! is that a buffer which is too short is left untouched.

pub mod lz4;
pub mod zstd;

/// Returns whether a frame that starts with `magic` is one to be skipped; LZ4 and Zstandard share the sixteen numbers.
fn is_skippable(magic: u32) -> bool {
    magic & 0xFFFF_FFF0 == 0x184D_2A50
}

/// Bytes that no compressor shrinks.
#[cfg(test)]
fn noise(len: usize) -> std::vec::Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..len).map(|_| step()).collect()
}
