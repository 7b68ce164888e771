//! From blocks to content, with `ruzstd` as the decoder of single blocks.
//!
//! `ruzstd` decodes any number of frames, refuses large windows, skips skippable frames, and compares neither content
//! size nor checksum. So it is given less than a frame: a header made here, and then one block at a time, each a block
//! that [`Block::parse`] has measured.
//!
//! * The made-up header declares a single segment whose size is the window worth keeping, so that a window of
//!   terabytes over a small content asks for nothing. It has no checksum and no dictionary.
//! * Each block is marked as the last one. `ruzstd` then tells how many bytes it holds and hands out any part of them,
//!   so that a block which decodes to more than the block maximum size is seen (literals behind the last sequence are
//!   not counted otherwise), and so that no more than the window stays behind.
//! * The decoder is a fresh one: a used one reserves the window before it reads a block.
//!
//! Two faults of Huffman-coded literals stay unseen here: a single stream that does not end on its last bit, and four
//! streams that do not hold a quarter each. The literals are as many as declared all the same. The content checksum is
//! what tells, if the frame has one.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::io::Read;

use super::{Block, Frame, MAGIC, MAX_BLOCK};
use crate::error::{Error, ErrorKind, Result};

/// Frame header descriptor of the made-up header: content size in 8 bytes, single segment.
const DESCRIPTOR: u8 = 0b1110_0000;

/// Decodes the blocks of `frame` to `content`, which has exactly the declared size.
pub(super) fn decode(frame: &Frame<'_>, content: &mut [u8]) -> Result<()> {
    let internal = Error::new(ErrorKind::Internal, 0, 0);
    let need = content.len() as u64;
    let block_max = frame.header.block_max();
    // One block more than the content may hold: enough to see that there is too much.
    let window = frame.header.window.min(need.max(MAX_BLOCK));

    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(window);
    decoder.init(made_up_header(window).as_slice()).map_err(|_| internal)?;

    let mut blocks = frame.blocks;
    let mut written: usize = 0;
    let mut decoded: u64 = 0;
    loop {
        let block = Block::parse(&mut blocks, block_max)?;
        let malformed = Error::new(ErrorKind::BadFrame, block.offset, block.header.into());
        let header = (block.header | 1).to_le_bytes();
        let source = Source { header: header.get(..3).unwrap_or_default(), stored: block.stored };
        decoder.decode_blocks(source, BlockDecodingStrategy::UptoBlocks(1)).map_err(|_| malformed)?;

        let held = decoder.can_collect() as u64;
        let now = (written as u64).saturating_add(held);
        if now.saturating_sub(decoded) > block_max {
            return Err(malformed);
        }
        if now > need {
            return Err(Error::new(ErrorKind::FrameSizeMismatch, block.offset, now));
        }
        decoded = now;

        let keep = if block.is_last() { 0 } else { window };
        let spare = usize::try_from(held.saturating_sub(keep)).map_err(|_| internal)?;
        let end = written.saturating_add(spare);
        let output = content.get_mut(written..end).ok_or(internal)?;
        decoder.read_exact(output).map_err(|_| internal)?;
        written = end;
        if block.is_last() {
            break;
        }
    }
    if written != content.len() {
        return Err(Error::new(ErrorKind::FrameSizeMismatch, frame.blocks_end, decoded));
    }
    Ok(())
}

/// Returns the header of a single-segment frame of `window` bytes, without checksum and dictionary.
fn made_up_header(window: u64) -> [u8; 13] {
    let mut header = [0; 13];
    let fields = MAGIC.to_le_bytes().into_iter().chain([DESCRIPTOR]).chain(window.to_le_bytes());
    header.iter_mut().zip(fields).for_each(|(byte, field)| *byte = field);
    header
}

/// The header bytes of a block, then its stored content.
struct Source<'a> {
    header: &'a [u8],
    stored: &'a [u8],
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> core::result::Result<usize, ruzstd::io::Error> {
        if self.header.is_empty() { self.stored.read(buffer) } else { self.header.read(buffer) }
    }
}
