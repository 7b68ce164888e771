//! Zstandard frames, as blobs of Puffin files hold them.
//!
//! ```text
//! size      field
//! 4         magic                   28 B5 2F FD
//! 1         frame header descriptor bits 7-6 size of the content size, 5 single segment, 4 unused, 3 reserved,
//!                                   2 content checksum, 1-0 size of the dictionary id (0, 1, 2, 4)
//! 0 or 1    window descriptor       bits 7-3 exponent, 2-0 mantissa; absent in a single segment
//! 0 to 4    dictionary id
//! 0 to 8    frame content size      0 or 1 byte (single segment), 2 bytes (the size minus 256), 4 or 8
//!
//! 3         block header            bit 0 last block, bits 2-1 type, bits 23-3 size  ┐ repeated, up to the
//! n         block content           raw: size; RLE: 1 byte; compressed: size         ┘ last block
//!
//! 0 or 4    content checksum        low half of the XXH64 of the decoded content
//! ```
//!
//! Every integer is little-endian. This is [RFC 8878], section 3.1.1.
//!
//! Puffin asks for a single frame with the content size present. So these legal frames are refused as
//! [`UnsupportedFrame`](ErrorKind::UnsupportedFrame): one without a content size, one with a dictionary id, and
//! skippable frames (`0x184D2A50` to `0x184D2A5F`). A dictionary id of 0 is read as none: the RFC gives it the meaning
//! of an absent field. The unused bit is ignored, as the RFC asks.
//!
//! | call | checks | cost |
//! |---|---|---|
//! | [`decoded_len`] | header, declared size against [`Limits`] and against what the blocks can hold, the headers of every block and its size, nothing after the frame | O(blocks) |
#![cfg_attr(
    feature = "zstd",
    doc = "| [`decode_into`] | the same, then every block, exact content size, content checksum | O(frame + content) |\n\n[`encode_into`] writes a frame with content size and content checksum."
)]
//!
//! Reading the size needs no feature. Decoding is there with the feature `zstd` and allocates: at most three times the
//! content or the window, whichever is smaller, plus less than 2 MiB; tiny content needs some 10 KiB. A window that is
//! declared larger than the content costs nothing. A match may reach back a window from the start of its block, where
//! the RFC counts from the match itself.
//!
//! Damage to Huffman-coded literals may go unnoticed in a frame without content checksum, as with any decoder: the
//! content is then of the declared size, and wrong.
//!
//! [RFC 8878]: https://www.rfc-editor.org/rfc/rfc8878

mod block;
#[cfg(feature = "zstd")]
mod content;
#[cfg(feature = "zstd")]
mod encode;
#[cfg(test)]
mod tests;

use self::block::Block;
use super::is_skippable;
use crate::bytes::Reader;
#[cfg(feature = "zstd")]
use crate::checksum::xxh64_low;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;

#[cfg(feature = "zstd")]
pub use encode::{encode_into, max_encoded_len};

const MAGIC: u32 = 0xFD2F_B528;

const SINGLE_SEGMENT: u8 = 0b0010_0000;
const RESERVED: u8 = 0b0000_1000;
const CONTENT_CHECKSUM: u8 = 0b0000_0100;

/// The most that a block may hold, stored or decoded, whatever the window is.
const MAX_BLOCK: u64 = 128 << 10;

/// The frame header, checked.
struct Header {
    content_len: usize,
    /// Offset of the field that declares `content_len`.
    content_size_offset: usize,
    /// How far back a match may reach.
    window: u64,
    content_checksum: bool,
}

impl Header {
    /// Reads the header and leaves `reader` at the first block.
    fn parse(reader: &mut Reader<'_>, limits: &Limits) -> Result<Self> {
        let magic = reader.u32_le()?;
        if magic != MAGIC {
            let kind = if is_skippable(magic) { ErrorKind::UnsupportedFrame } else { ErrorKind::BadMagic };
            return Err(Error::new(kind, 0, magic.into()));
        }

        let descriptor_offset = reader.position();
        let descriptor = reader.u8()?;
        let single_segment = descriptor & SINGLE_SEGMENT != 0;
        if descriptor & RESERVED != 0 {
            return Err(Error::new(ErrorKind::BadFrame, descriptor_offset, descriptor.into()));
        }
        let declared_window = if single_segment { None } else { Some(window_of(reader.u8()?)) };

        let dictionary_offset = reader.position();
        let dictionary: u32 = match descriptor & 0b11 {
            0 => 0,
            1 => reader.u8()?.into(),
            2 => reader.u16_le()?.into(),
            _ => reader.u32_le()?,
        };
        if dictionary != 0 {
            return Err(Error::new(ErrorKind::UnsupportedFrame, dictionary_offset, dictionary.into()));
        }

        let content_size_offset = reader.position();
        let declared: u64 = match (descriptor >> 6, single_segment) {
            (0, false) => return Err(Error::new(ErrorKind::UnsupportedFrame, descriptor_offset, descriptor.into())),
            (0, true) => reader.u8()?.into(),
            (1, _) => u64::from(reader.u16_le()?).saturating_add(256),
            (2, _) => reader.u32_le()?.into(),
            _ => reader.u64_le()?,
        };
        let content_len = usize::try_from(declared)
            .ok()
            .filter(|_| declared <= limits.max_decoded_len)
            .ok_or(Error::new(ErrorKind::DecodedLenExceeded, content_size_offset, declared))?;

        Ok(Self {
            content_len,
            content_size_offset,
            window: declared_window.unwrap_or(declared),
            content_checksum: descriptor & CONTENT_CHECKSUM != 0,
        })
    }

    /// Returns the block maximum size, which holds for blocks as stored and as decoded.
    fn block_max(&self) -> u64 {
        self.window.min(MAX_BLOCK)
    }
}

/// Returns the window size that a window descriptor stands for: 1 KiB to 3.75 TiB.
const fn window_of(descriptor: u8) -> u64 {
    let base = 1_u64 << (10 + (descriptor >> 3));
    let mantissa = (descriptor & 0b111) as u64;
    base.saturating_add((base >> 3).saturating_mul(mantissa))
}

/// A frame whose header and block headers are checked, and which ends where its slice does.
struct Frame<'a> {
    header: Header,
    /// At the first block.
    #[cfg_attr(not(feature = "zstd"), expect(dead_code))]
    blocks: Reader<'a>,
    /// Offset behind the last block.
    #[cfg_attr(not(feature = "zstd"), expect(dead_code))]
    blocks_end: usize,
    #[cfg_attr(not(feature = "zstd"), expect(dead_code))]
    content_checksum: Option<u32>,
}

impl<'a> Frame<'a> {
    /// Reads the header and walks from block to block, without decoding any.
    ///
    /// Each block bounds what it decodes to, from below and from above. That is enough to catch most declared sizes
    /// that the blocks do not add up to before memory is asked for.
    fn parse(frame: &'a [u8], limits: &Limits) -> Result<Self> {
        let mut reader = Reader::new(frame);
        let header = Header::parse(&mut reader, limits)?;
        let blocks = reader;
        let declared = header.content_len as u64;

        let (mut least, mut most) = (0_u64, 0_u64);
        loop {
            let block = Block::parse(&mut reader, header.block_max())?;
            least = least.saturating_add(block.least);
            most = most.saturating_add(block.most);
            if least > declared {
                return Err(Error::new(ErrorKind::FrameSizeMismatch, block.offset, least));
            }
            if block.is_last() {
                break;
            }
        }
        let blocks_end = reader.position();
        let content_checksum = if header.content_checksum { Some(reader.u32_le()?) } else { None };
        reader.finish()?;
        if most < declared {
            return Err(if most == least {
                Error::new(ErrorKind::FrameSizeMismatch, blocks_end, most)
            } else {
                Error::new(ErrorKind::DecodedLenExceeded, header.content_size_offset, declared)
            });
        }
        Ok(Self { header, blocks, blocks_end, content_checksum })
    }
}

/// Returns the size in bytes of the content that `frame` declares, in O(blocks): a dozen bytes are read of each block.
///
/// `frame` is the whole frame: its blocks bound what it can decode to.
///
/// # Errors
///
/// [`Truncated`](ErrorKind::Truncated) if the frame is cut, [`BadMagic`](ErrorKind::BadMagic),
/// [`BadFrame`](ErrorKind::BadFrame) for the reserved bit, the reserved block type, a block over the block maximum
/// size, or one whose sections do not fit, [`UnsupportedFrame`](ErrorKind::UnsupportedFrame) for what the
/// [module](self) refuses, [`DecodedLenExceeded`](ErrorKind::DecodedLenExceeded) if the size is above
/// [`Limits::max_decoded_len`] or above what the blocks can decode to,
/// [`FrameSizeMismatch`](ErrorKind::FrameSizeMismatch) if the headers of the blocks alone already disagree with it, and
/// [`TrailingBytes`](ErrorKind::TrailingBytes) if anything follows, another frame included.
///
/// # Examples
///
/// ```
/// use puffin_codec::{Limits, compression::zstd};
///
/// // Single segment, content size in 1 byte: 6. One block: the last one, raw, 6 bytes (0x31 is 6 << 3 | 1).
/// let frame = b"\x28\xB5\x2F\xFD\x20\x06\x31\0\0puffin";
/// assert_eq!(zstd::decoded_len(frame, &Limits::default())?, 6);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn decoded_len(frame: &[u8], limits: &Limits) -> Result<usize> {
    Frame::parse(frame, limits).map(|frame| frame.header.content_len)
}

/// Decodes `frame` to the front of `dst` and returns what it wrote: exactly the declared content.
///
/// `dst` may be longer than the content; what lies behind is left alone. Runs in O(`frame` + content). What it
/// allocates meanwhile is bounded as the [module](self) says, and none of it is kept.
///
/// # Errors
///
/// Those of [`decoded_len`]; [`BufferTooSmall`](ErrorKind::BufferTooSmall) if `dst` is shorter than the content, and
/// then `dst` is untouched; [`BadFrame`](ErrorKind::BadFrame) at the header of a compressed block that is malformed or
/// decodes to more than the block maximum size; [`FrameSizeMismatch`](ErrorKind::FrameSizeMismatch) if the blocks hold
/// more or less than the declared content; [`ContentChecksumMismatch`](ErrorKind::ContentChecksumMismatch).
///
/// # Examples
///
/// ```
/// use puffin_codec::{Limits, compression::zstd};
///
/// // One RLE block (type 1) of 6 bytes: 0x33 is 6 << 3 | 1 << 1 | 1.
/// let frame = b"\x28\xB5\x2F\xFD\x20\x06\x33\0\0p";
/// let mut memory = [0; 8];
/// assert_eq!(zstd::decode_into(frame, &mut memory, &Limits::default())?, b"pppppp");
/// assert_eq!(memory, *b"pppppp\0\0");
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[cfg(feature = "zstd")]
pub fn decode_into<'d>(frame: &[u8], dst: &'d mut [u8], limits: &Limits) -> Result<&'d [u8]> {
    let frame = Frame::parse(frame, limits)?;
    let need = frame.header.content_len;
    let content = dst.get_mut(..need).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, need as u64))?;
    content::decode(&frame, content)?;
    match frame.content_checksum.filter(|&checksum| checksum != xxh64_low(content)) {
        Some(checksum) => Err(Error::new(ErrorKind::ContentChecksumMismatch, frame.blocks_end, checksum.into())),
        None => Ok(content),
    }
}
