//! Writing one frame around the blocks that `ruzstd` makes.
//!
//! Frames of `ruzstd` have neither the content size, which Puffin asks for and the reader requires, nor a checksum. So
//! its header is replaced, and the checksum added behind its blocks.

use alloc::vec;
use alloc::vec::Vec;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::{CONTENT_CHECKSUM, MAGIC, MAX_BLOCK};
use crate::bytes::Reader;
use crate::checksum::xxh64_low;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;

/// The content of one raw block.
const RAW_LEN: usize = 128 << 10;
/// Window descriptor of 128 KiB: the exponent above 10.
const RAW_WINDOW: u8 = 7 << 3;
const _: () = assert!(RAW_LEN as u64 == MAX_BLOCK && super::window_of(RAW_WINDOW) == MAX_BLOCK);

const BLOCK_HEADER_LEN: usize = 3;
/// Magic, descriptor, window descriptor, 8 bytes of content size, content checksum.
const FRAME_LEN: usize = 4 + 1 + 1 + 8 + 4;

/// Returns the most bytes that [`encode_into`] writes for `len` bytes of content.
///
/// # Examples
///
/// ```
/// use puffin_codec::compression::zstd;
///
/// assert_eq!(zstd::max_encoded_len(1000), 1000 + 3 + 18);
/// ```
#[must_use]
pub const fn max_encoded_len(len: usize) -> usize {
    let blocks = (len / RAW_LEN).saturating_add(1);
    len.saturating_add(blocks.saturating_mul(BLOCK_HEADER_LEN)).saturating_add(FRAME_LEN)
}

/// Encodes `content` as one frame at the front of `dst`, and returns the length of the frame.
///
/// The frame has the content size, which Puffin asks for, a content checksum, and a window of 128 KiB. It compresses
/// about as well as the lowest level of the reference library, not as fast. Before it is handed out it is decoded and
/// compared; should that fail, the content is stored in raw blocks.
///
/// Runs in O(content), and allocates the frame, the content once more, and some 2 MiB; none of it is kept.
///
/// # Errors
///
/// [`BufferTooSmall`](ErrorKind::BufferTooSmall), with the length of the frame, if `dst` is shorter, and then `dst` is
/// untouched. [`max_encoded_len`] bytes are always enough.
///
/// # Examples
///
/// ```
/// use puffin_codec::{Limits, compression::zstd};
///
/// let content = [b'p'; 1000];
/// let mut memory = [0; 1100];
/// let len = zstd::encode_into(&content, &mut memory)?;
/// assert!(len < 50);
///
/// let mut decoded = [0; 1000];
/// assert_eq!(zstd::decode_into(&memory[..len], &mut decoded, &Limits::default())?, content);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn encode_into(content: &[u8], dst: &mut [u8]) -> Result<usize> {
    let frame = compressed(content)
        .filter(|frame| frame.len() <= max_encoded_len(content.len()) && decodes_to(frame, content))
        .unwrap_or_else(|| raw(content));
    let need = frame.len();
    dst.get_mut(..need).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, need as u64))?.copy_from_slice(&frame);
    Ok(need)
}

/// Returns the content compressed, or `None` if `ruzstd` writes another frame than is expected of it.
fn compressed(content: &[u8]) -> Option<Vec<u8>> {
    let made = compress_to_vec(content, CompressionLevel::Fastest);
    let mut reader = Reader::new(&made);
    let magic = reader.u32_le().ok()?;
    let descriptor = reader.u8().ok()?;
    let window = reader.u8().ok()?;
    if magic != MAGIC || descriptor & !CONTENT_CHECKSUM != 0 {
        return None;
    }
    // A checksum is there if another package asked for that feature.
    let checksum = if descriptor & CONTENT_CHECKSUM != 0 { 4 } else { 0 };
    let blocks = reader.rest().len().checked_sub(checksum).and_then(|len| reader.rest().get(..len))?;
    let mut frame = header(content.len(), window);
    frame.extend_from_slice(blocks);
    frame.extend_from_slice(&xxh64_low(content).to_le_bytes());
    Some(frame)
}

/// Tells whether a frame is read as that content.
fn decodes_to(frame: &[u8], content: &[u8]) -> bool {
    let mut memory = vec![0; content.len()];
    let limits = Limits { max_decoded_len: u64::MAX, ..Limits::DEFAULT };
    super::decode_into(frame, &mut memory, &limits).is_ok_and(|decoded| decoded == content)
}

/// Returns the content in blocks that are not compressed.
fn raw(content: &[u8]) -> Vec<u8> {
    let mut frame = header(content.len(), RAW_WINDOW);
    let (blocks, last) = content.as_chunks::<RAW_LEN>();
    let blocks = blocks.iter().map(|block| (block.as_slice(), 0)).chain([(last, 1_u32)]);
    for (block, is_last) in blocks {
        // At most 128 KiB, which fits the 21 bits.
        let size = u32::try_from(block.len()).unwrap_or_default();
        let [low, middle, high, _] = (size << 3 | is_last).to_le_bytes();
        frame.extend_from_slice(&[low, middle, high]);
        frame.extend_from_slice(block);
    }
    frame.extend_from_slice(&xxh64_low(content).to_le_bytes());
    frame
}

/// Returns a frame header with window descriptor, content checksum, and the content size in 4 bytes, or 8.
fn header(content_len: usize, window: u8) -> Vec<u8> {
    let mut header = Vec::with_capacity(content_len / 2 + FRAME_LEN);
    header.extend_from_slice(&MAGIC.to_le_bytes());
    match u32::try_from(content_len) {
        Ok(size) => {
            header.extend_from_slice(&[2 << 6 | CONTENT_CHECKSUM, window]);
            header.extend_from_slice(&size.to_le_bytes());
        }
        Err(_) => {
            header.extend_from_slice(&[3 << 6 | CONTENT_CHECKSUM, window]);
            header.extend_from_slice(&(content_len as u64).to_le_bytes());
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;
    use crate::compression::noise;

    #[test]
    fn every_frame_reads_back() {
        for len in [0, 1, 4, 100, 1024, 1025, 65_536, 131_071, 131_072, 131_073, 262_144, 300_000] {
            let text: Vec<u8> =
                (0..len).flat_map(|i: usize| format!("{},", i.wrapping_mul(i) % 1009).into_bytes()).take(len).collect();
            let mixed = [&noise(len / 2)[..], &text[len / 2..]].concat();
            for content in [vec![7; len], noise(len), text, mixed] {
                let mut memory = vec![0; max_encoded_len(len)];
                let written = encode_into(&content, &mut memory).unwrap();
                assert!(decodes_to(&memory[..written], &content), "{len} bytes");
                assert!(decodes_to(&raw(&content), &content), "{len} bytes, raw");
                assert!(raw(&content).len() <= max_encoded_len(len));
            }
        }
    }

    #[test]
    fn text_shrinks() {
        let text: Vec<u8> =
            (0..20_000).flat_map(|i: usize| format!("{},", i.wrapping_mul(i) % 1009).into_bytes()).collect();
        let mut memory = vec![0; max_encoded_len(text.len())];
        assert!(encode_into(&text, &mut memory).unwrap() < text.len() / 3);
    }

    #[test]
    fn a_short_buffer_is_left_alone_and_one_of_the_size_named_will_do() {
        for content in [&b""[..], b"puffin", &[b'p'; 3000]] {
            let need = encode_into(content, &mut [0; 4000]).unwrap();
            for len in 0..need {
                let mut memory = vec![7; len];
                let error = encode_into(content, &mut memory).unwrap_err();
                assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, need as u64));
                assert!(memory.iter().all(|&byte| byte == 7));
            }
            assert_eq!(encode_into(content, &mut vec![7; need]), Ok(need));
        }
    }
}
