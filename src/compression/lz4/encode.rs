//! Writing one frame.

use lz4_flex::block::{compress_into, get_maximum_output_size};

use super::{
    FLG_CONTENT_CHECKSUM, FLG_CONTENT_SIZE, FLG_INDEPENDENT_BLOCKS, FLG_VERSION_01, MAGIC, STORED_BLOCK, WINDOW,
};
use crate::checksum::xxh32;
use crate::error::{Error, ErrorKind, Result};

/// The content of one block. A match reaches no farther than that, so that larger blocks would find little more.
const BLOCK_LEN: usize = WINDOW;
/// BD for that block maximum size.
const BD: u8 = 0x40;
const FLG: u8 = FLG_VERSION_01 | FLG_INDEPENDENT_BLOCKS | FLG_CONTENT_SIZE | FLG_CONTENT_CHECKSUM;

const HEADER_LEN: usize = 15;
const BLOCK_SIZE_LEN: usize = 4;
/// End mark and content checksum.
const END_LEN: usize = 8;

/// Returns how many bytes of memory [`encode_into`] needs for `len` bytes of content.
///
/// The frame itself is at most `len`, 4 bytes for each 64 KiB begun, and 23 bytes; the rest, a tenth of the first 64
/// KiB and 20 bytes, is room for a block that turns out not to shrink.
///
/// # Examples
///
/// ```
/// use puffin_codec::compression::lz4;
///
/// assert_eq!(lz4::max_encoded_len(0), 15 + 8);
/// assert_eq!(lz4::max_encoded_len(100), 15 + 4 + 100 + (10 + 20) + 8);
/// ```
#[must_use]
pub const fn max_encoded_len(len: usize) -> usize {
    if len == 0 {
        return HEADER_LEN + END_LEN;
    }
    let largest = if len < BLOCK_LEN { len } else { BLOCK_LEN };
    let swelling = get_maximum_output_size(largest).saturating_sub(largest);
    len.saturating_add(len.div_ceil(BLOCK_LEN).saturating_mul(BLOCK_SIZE_LEN))
        .saturating_add(HEADER_LEN + END_LEN)
        .saturating_add(swelling)
}

/// Encodes `content` as one frame at the front of `dst`, and returns the length of the frame.
///
/// The frame has independent blocks of 64 KiB, each stored as it is if it would not shrink, the content size, which
/// Puffin asks for, and the content checksum: nothing else in a Puffin file guards a footer or a sketch. The bytes
/// behind the frame, up to [`max_encoded_len`], are unspecified afterwards.
///
/// The same content gives the same frame on machines of the same byte order. Runs in O(content); takes 20 KiB of stack
/// (12 KiB for less than 65,535 bytes), since the table of earlier sequences lies there.
///
/// # Errors
///
/// [`BufferTooSmall`](ErrorKind::BufferTooSmall) if `dst` is shorter than [`max_encoded_len`], and then `dst` is
/// untouched.
///
/// # Examples
///
/// ```
/// use puffin_codec::{Limits, compression::lz4};
///
/// let content = [b'p'; 1000];
/// let mut memory = [0; 1200];
/// let len = lz4::encode_into(&content, &mut memory)?;
/// assert!(len < 50);
///
/// let mut decoded = [0; 1000];
/// assert_eq!(lz4::decode_into(&memory[..len], &mut decoded, &Limits::default())?, content);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn encode_into(content: &[u8], dst: &mut [u8]) -> Result<usize> {
    let need = max_encoded_len(content.len());
    if dst.len() < need {
        return Err(Error::new(ErrorKind::BufferTooSmall, 0, need as u64));
    }
    let mut frame = Frame { dst, len: 0 };
    frame.put(&MAGIC.to_le_bytes())?;
    let [s0, s1, s2, s3, s4, s5, s6, s7] = (content.len() as u64).to_le_bytes();
    let descriptor = [FLG, BD, s0, s1, s2, s3, s4, s5, s6, s7];
    let [_, checksum, _, _] = xxh32(&descriptor).to_le_bytes();
    frame.put(&descriptor)?;
    frame.put(&[checksum])?;
    for block in content.chunks(BLOCK_LEN) {
        frame.block(block)?;
    }
    frame.put(&[0; 4])?;
    frame.put(&xxh32(content).to_le_bytes())?;
    Ok(frame.len)
}

/// A frame so far.
struct Frame<'d> {
    dst: &'d mut [u8],
    len: usize,
}

impl Frame<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        let room = self.dst.get_mut(self.len..).and_then(|rest| rest.get_mut(..bytes.len()));
        room.ok_or(Error::new(ErrorKind::Internal, self.len, 0))?.copy_from_slice(bytes);
        self.len = self.len.saturating_add(bytes.len());
        Ok(())
    }

    /// Adds a block: compressed where it will lie, if that makes it smaller.
    fn block(&mut self, content: &[u8]) -> Result<()> {
        let data = self.len.saturating_add(BLOCK_SIZE_LEN);
        let room = self.dst.get_mut(data..).unwrap_or_default();
        let internal = Error::new(ErrorKind::Internal, data, 0);
        let (stored_flag, len) = match compress_into(content, room) {
            Ok(len) if len < content.len() => (0, len),
            Ok(_) => {
                room.get_mut(..content.len()).ok_or(internal)?.copy_from_slice(content);
                (STORED_BLOCK, content.len())
            }
            Err(_) => return Err(internal),
        };
        let size = u32::try_from(len).map_err(|_| internal)?;
        self.put(&(size | stored_flag).to_le_bytes())?;
        self.len = self.len.saturating_add(len);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::super::{decode_into, decoded_len};
    use super::*;
    use crate::compression::noise;
    use crate::limits::Limits;

    fn encode(content: &[u8]) -> Vec<u8> {
        let mut memory = vec![0xA5; max_encoded_len(content.len())];
        let len = encode_into(content, &mut memory).unwrap();
        memory.truncate(len);
        memory
    }

    fn decode(frame: &[u8]) -> Vec<u8> {
        let limits = Limits::default();
        let mut memory = vec![0x5A; decoded_len(frame, &limits).unwrap()];
        decode_into(frame, &mut memory, &limits).unwrap().to_vec()
    }

    #[test]
    fn every_frame_reads_back() {
        let edges = [0, 1, 4, 12, 13, 100, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 200_000];
        for len in edges {
            let text: Vec<u8> = (0..len)
                .flat_map(|i: usize| std::format!("{},", i.wrapping_mul(i) % 1009).into_bytes())
                .take(len)
                .collect();
            for content in [vec![7; len], noise(len), text, [&noise(len / 2)[..], &vec![0; len - len / 2]].concat()] {
                assert_eq!(decode(&encode(&content)), content, "{len} bytes");
            }
        }
    }

    #[test]
    fn a_frame_is_not_longer_than_it_says() {
        for len in [0, 1, 15, 100, 65_535, 65_536, 70_000, 131_072, 140_000] {
            assert!(encode(&noise(len)).len() <= len + 23 + 4 * len.div_ceil(65_536), "{len} bytes");
            assert!(max_encoded_len(len) <= len + 4 * len.div_ceil(65_536) + 23 + 6_573);
        }
        assert_eq!(max_encoded_len(usize::MAX), usize::MAX);
        assert_eq!(encode(&vec![0; 1 << 20]).len(), 23 + 16 * (4 + 268));
    }

    #[test]
    fn a_short_buffer_is_left_alone_and_one_of_the_size_named_will_do() {
        for content in [&b""[..], b"puffin", &noise(300)] {
            let need = max_encoded_len(content.len());
            for len in 0..need {
                let mut memory = vec![7; len];
                let error = encode_into(content, &mut memory).unwrap_err();
                assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, need as u64));
                assert!(memory.iter().all(|&byte| byte == 7));
            }
            assert!(encode_into(content, &mut vec![7; need]).is_ok());
        }
    }

    /// Read by the `lz4` command (liblz4 1.9.4) as it stands here.
    #[test]
    fn the_layout_is_the_one_of_the_format() {
        assert_eq!(
            encode(b"puffin"),
            b"\x04\x22\x4D\x18\x6C\x40\x06\0\0\0\0\0\0\0\x89\x06\0\0\x80puffin\0\0\0\0\x53\xD2\x08\x52"
        );
        assert_eq!(
            encode(&[b'p'; 100]),
            b"\x04\x22\x4D\x18\x6C\x40\x64\0\0\0\0\0\0\0\xA7\x0C\0\0\0\x1Fp\x01\0\x4A\x60pppppp\0\0\0\0\xFE\x15\xDD\xB4"
        );
    }
}
