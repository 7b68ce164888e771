//! LZ4 frames, as footers and blobs of Puffin files hold them.
//!
//! ```text
//! offset  size  field
//!      0     4  magic                 04 22 4D 18
//!      4     1  FLG                   bits 7-6 version (01), 5 independent blocks, 4 block checksums,
//!                                     3 content size, 2 content checksum, 1 reserved, 0 dictionary id
//!      5     1  BD                    bit 7 reserved, 6-4 block maximum size (4: 64 KiB, 5: 256 KiB,
//!                                     6: 1 MiB, 7: 4 MiB), 3-0 reserved
//!      6     8  content size          u64
//!     14     1  header checksum       second byte of the XXH32 of FLG, BD and content size
//!
//!            4  block size            u32; bit 31 set: the data is stored, not compressed    ┐
//!            n  block data                                                                   │ repeated
//!            4  block checksum        u32, XXH32 of the data as stored; only with FLG bit 4  ┘
//!
//!            4  end mark              00 00 00 00
//!            4  content checksum      u32, XXH32 of the decoded content; only with FLG bit 2
//! ```
//!
//! Every integer is little-endian. This is the [LZ4 frame format] 1.6; blocks follow the [LZ4 block format].
//!
//! Puffin asks for a single frame with the content size present. So these legal frames are refused as
//! [`UnsupportedFrame`](ErrorKind::UnsupportedFrame): one without a content size, one with a dictionary id (whatever
//! the id), skippable frames (`0x184D2A50` to `0x184D2A5F`) and frames of the legacy format (`0x184C2102`). Linked
//! blocks are read. Blocks that end in fewer literals than an encoder must leave there are read too, as the reference
//! decoder does.
//!
//! | call | checks | cost |
//! |---|---|---|
//! | [`decoded_len`] | magic, FLG, BD, header checksum, declared size against the frame's length and [`Limits`] | O(1) |
//! | [`decode_into`] | the same, then block sizes, block checksums, every sequence, end mark, exact content size, content checksum, nothing after the frame | O(frame + content) |
//!
//! [`encode_into`] writes a frame of independent blocks of 64 KiB with content size and content checksum.
//!
//! [LZ4 frame format]: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
//! [LZ4 block format]: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

mod encode;
#[cfg(test)]
mod tests;

use lz4_flex::block::{DecompressError, decompress_into, decompress_into_with_dict};

use super::is_skippable;
use crate::bytes::Reader;
use crate::checksum::xxh32;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;

pub use encode::{encode_into, max_encoded_len};

const MAGIC: u32 = 0x184D_2204;
const LEGACY_MAGIC: u32 = 0x184C_2102;

const FLG_VERSION: u8 = 0b1100_0000;
const FLG_VERSION_01: u8 = 0b0100_0000;
const FLG_INDEPENDENT_BLOCKS: u8 = 0b0010_0000;
const FLG_BLOCK_CHECKSUMS: u8 = 0b0001_0000;
const FLG_CONTENT_SIZE: u8 = 0b0000_1000;
const FLG_CONTENT_CHECKSUM: u8 = 0b0000_0100;
const FLG_RESERVED: u8 = 0b0000_0010;
const FLG_DICTIONARY_ID: u8 = 0b0000_0001;
const BD_RESERVED: u8 = 0b1000_1111;

const STORED_BLOCK: u32 = 1 << 31;
/// How far back a match may reach: the window of linked blocks.
const WINDOW: usize = 64 << 10;
/// The most content that one stored byte can stand for: a length byte of 255.
const MAX_RATIO: u64 = 255;

/// The frame header, checked.
struct Header {
    content_len: usize,
    block_max: usize,
    independent_blocks: bool,
    block_checksums: bool,
    content_checksum: bool,
}

impl Header {
    /// Reads the header, whose length depends on FLG, and leaves `reader` at the first block.
    ///
    /// The checksum comes before all that relies on the bytes it covers, so that a damaged header is reported as
    /// damaged and not as, say, one with a dictionary.
    fn parse(reader: &mut Reader<'_>, frame: &[u8], limits: &Limits) -> Result<Self> {
        let magic = reader.u32_le()?;
        if magic != MAGIC {
            let legal = magic == LEGACY_MAGIC || is_skippable(magic);
            let kind = if legal { ErrorKind::UnsupportedFrame } else { ErrorKind::BadMagic };
            return Err(Error::new(kind, 0, magic.into()));
        }

        let flg_offset = reader.position();
        let flg = reader.u8()?;
        let at_flg = |kind| Error::new(kind, flg_offset, flg.into());
        if flg & FLG_VERSION != FLG_VERSION_01 {
            return Err(at_flg(ErrorKind::BadFrame));
        }
        let bd_offset = reader.position();
        let bd = reader.u8()?;
        let content_size_offset = reader.position();
        let content_size = if flg & FLG_CONTENT_SIZE != 0 { Some(reader.u64_le()?) } else { None };
        if flg & FLG_DICTIONARY_ID != 0 {
            reader.u32_le()?;
        }

        let checksum_offset = reader.position();
        let checksum = reader.u8()?;
        let covered = frame.get(flg_offset..checksum_offset).unwrap_or_default();
        let [_, expected, _, _] = xxh32(covered).to_le_bytes();
        if checksum != expected {
            return Err(Error::new(ErrorKind::HeaderChecksumMismatch, checksum_offset, checksum.into()));
        }

        if flg & FLG_RESERVED != 0 {
            return Err(at_flg(ErrorKind::BadFrame));
        }
        let block_max = match (bd & BD_RESERVED, bd >> 4) {
            (0, 4) => 64 << 10,
            (0, 5) => 256 << 10,
            (0, 6) => 1 << 20,
            (0, 7) => 4 << 20,
            _ => return Err(Error::new(ErrorKind::BadFrame, bd_offset, bd.into())),
        };
        if flg & FLG_DICTIONARY_ID != 0 {
            return Err(at_flg(ErrorKind::UnsupportedFrame));
        }
        let declared = content_size.ok_or(at_flg(ErrorKind::UnsupportedFrame))?;

        let backed = (frame.len() as u64).saturating_mul(MAX_RATIO);
        let content_len = usize::try_from(declared)
            .ok()
            .filter(|_| declared <= backed.min(limits.max_decoded_len))
            .ok_or(Error::new(ErrorKind::DecodedLenExceeded, content_size_offset, declared))?;

        Ok(Self {
            content_len,
            block_max,
            independent_blocks: flg & FLG_INDEPENDENT_BLOCKS != 0,
            block_checksums: flg & FLG_BLOCK_CHECKSUMS != 0,
            content_checksum: flg & FLG_CONTENT_CHECKSUM != 0,
        })
    }
}

/// Returns the size in bytes of the content that `frame` declares, in O(1).
///
/// `frame` is the whole frame: its length bounds what it can decode to.
///
/// # Errors
///
/// [`Truncated`](ErrorKind::Truncated) if the header is cut, [`BadMagic`](ErrorKind::BadMagic),
/// [`BadFrame`](ErrorKind::BadFrame) for another version, a reserved bit or an unknown block maximum size,
/// [`HeaderChecksumMismatch`](ErrorKind::HeaderChecksumMismatch), [`UnsupportedFrame`](ErrorKind::UnsupportedFrame) for
/// what the [module](self) refuses, and [`DecodedLenExceeded`](ErrorKind::DecodedLenExceeded) if the size is above
/// [`Limits::max_decoded_len`] or above 255 times the length of `frame`.
///
/// # Examples
///
/// ```
/// use puffin_codec::{Limits, compression::lz4};
///
/// // Version 01, independent blocks, content size; blocks of up to 64 KiB; 6 bytes; header checksum 0x59.
/// let frame = b"\x04\x22\x4D\x18\x68\x40\x06\0\0\0\0\0\0\0\x59\x06\0\0\x80puffin\0\0\0\0";
/// assert_eq!(lz4::decoded_len(frame, &Limits::default())?, 6);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn decoded_len(frame: &[u8], limits: &Limits) -> Result<usize> {
    Header::parse(&mut Reader::new(frame), frame, limits).map(|header| header.content_len)
}

/// Decodes `frame` to the front of `dst` and returns what it wrote: exactly the declared content.
///
/// `dst` may be longer than the content; what lies behind is left alone. Runs in O(`frame` + content) and allocates
/// nothing.
///
/// # Errors
///
/// Those of [`decoded_len`]; [`BufferTooSmall`](ErrorKind::BufferTooSmall) if `dst` is shorter than the content, and
/// then `dst` is untouched; [`Truncated`](ErrorKind::Truncated) if the frame is cut; [`BadFrame`](ErrorKind::BadFrame)
/// at the size field of a block that is over the block maximum size, stored or decoded, or that is not a sequence of
/// literals and matches reaching back to content of this frame; [`FrameSizeMismatch`](ErrorKind::FrameSizeMismatch) if
/// the blocks hold more or less than the declared content;
/// [`BlockChecksumMismatch`](ErrorKind::BlockChecksumMismatch),
/// [`ContentChecksumMismatch`](ErrorKind::ContentChecksumMismatch); [`TrailingBytes`](ErrorKind::TrailingBytes) if
/// anything follows, another frame included.
///
/// # Examples
///
/// ```
/// use puffin_codec::{ErrorKind, Limits, compression::lz4};
///
/// let frame = b"\x04\x22\x4D\x18\x68\x40\x06\0\0\0\0\0\0\0\x59\x06\0\0\x80puffin\0\0\0\0";
/// let mut memory = [0; 8];
/// assert_eq!(lz4::decode_into(frame, &mut memory, &Limits::default())?, b"puffin");
///
/// let error = lz4::decode_into(frame, &mut memory[..5], &Limits::default()).unwrap_err();
/// assert_eq!((error.kind(), error.found()), (ErrorKind::BufferTooSmall, 6));
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn decode_into<'d>(frame: &[u8], dst: &'d mut [u8], limits: &Limits) -> Result<&'d [u8]> {
    let mut reader = Reader::new(frame);
    let header = Header::parse(&mut reader, frame, limits)?;
    let need = header.content_len;
    let content = dst.get_mut(..need).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, need as u64))?;

    let mut done: usize = 0;
    loop {
        let block_offset = reader.position();
        let word = reader.u32_le()?;
        if word == 0 {
            if done != need {
                return Err(Error::new(ErrorKind::FrameSizeMismatch, block_offset, done as u64));
            }
            break;
        }
        let malformed = Error::new(ErrorKind::BadFrame, block_offset, word.into());
        let size = usize::try_from(word & !STORED_BLOCK).map_err(|_| malformed)?;
        if size > header.block_max {
            return Err(malformed);
        }
        let data = reader.take(size)?;
        if header.block_checksums {
            let checksum_offset = reader.position();
            let checksum = reader.u32_le()?;
            if checksum != xxh32(data) {
                return Err(Error::new(ErrorKind::BlockChecksumMismatch, checksum_offset, checksum.into()));
            }
        }

        let (before, rest) = content.split_at_mut_checked(done).ok_or(Error::new(ErrorKind::Internal, 0, 0))?;
        let overflow =
            |len: usize| Error::new(ErrorKind::FrameSizeMismatch, block_offset, (done.saturating_add(len)) as u64);
        let written = if word & STORED_BLOCK != 0 {
            rest.get_mut(..data.len()).ok_or(overflow(size))?.copy_from_slice(data);
            size
        } else {
            let window = if header.independent_blocks { &[] } else { window_of(before) };
            let room = rest.len().min(header.block_max);
            let output = rest.get_mut(..room).unwrap_or_default();
            decode_block(data, output, window).map_err(|fault| match fault {
                DecompressError::OutputTooSmall { expected, .. } if expected <= header.block_max => overflow(expected),
                _ => malformed,
            })?
        };
        done = done.saturating_add(written);
    }

    let checksum_offset = reader.position();
    let checksum = if header.content_checksum { Some(reader.u32_le()?) } else { None };
    reader.finish()?;
    if let Some(checksum) = checksum.filter(|&checksum| checksum != xxh32(content)) {
        return Err(Error::new(ErrorKind::ContentChecksumMismatch, checksum_offset, checksum.into()));
    }
    Ok(content)
}

/// Returns the part of the earlier content that a linked block may copy from.
fn window_of(before: &[u8]) -> &[u8] {
    before.get(before.len().saturating_sub(WINDOW)..).unwrap_or_default()
}

/// Decodes one compressed block to the front of `output` and returns how many bytes it gave.
///
/// `lz4_flex` writes inside `output` only (in strides, so bytes behind the result may change), and refuses a match
/// that starts before `window` or has offset 0. Its length counters do not overflow: a block has at most 4 MiB, so a
/// length stays below 2^30, also where `usize` has 32 bits.
fn decode_block(data: &[u8], output: &mut [u8], window: &[u8]) -> core::result::Result<usize, DecompressError> {
    if window.is_empty() { decompress_into(data, output) } else { decompress_into_with_dict(data, output, window) }
}
