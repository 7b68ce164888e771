//! One block of a Zstandard frame, and what its headers say about the content.
//!
//! ```text
//! size      field
//! 3         block header             bit 0 last block, bits 2-1 type (0 raw, 1 RLE, 2 compressed), bits 23-3 size
//!
//!           of a compressed block:
//! 1 to 5    literals section header  bits 1-0 type (0 raw, 1 RLE, 2 and 3 Huffman), bits 3-2 size format,
//!                                    then the number of literals and, for Huffman, their stored size
//! n         literals
//! 1 to 3    number of sequences
//! 0 or 1    compression modes        bits 1-0 reserved; absent without sequences
//! n         sequences
//! ```
//!
//! This is [RFC 8878], sections 3.1.1.2 and 3.1.1.3. Nothing is decoded here, but the headers bound what the block
//! decodes to: every literal is one byte of content, and every sequence copies at least three more.
//!
//! [RFC 8878]: https://www.rfc-editor.org/rfc/rfc8878

use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, Result};

/// The fewest bytes that a sequence copies.
const MIN_MATCH: u64 = 3;
const MODES_RESERVED: u8 = 0b11;

/// One block, as stored.
pub(super) struct Block<'a> {
    /// Offset of the block header in the frame.
    pub(super) offset: usize,
    /// The block header, read little-endian.
    pub(super) header: u32,
    /// The block content as stored. Only a decoder looks into it.
    #[cfg_attr(not(feature = "zstd"), expect(dead_code))]
    pub(super) stored: &'a [u8],
    /// The fewest bytes that the block can decode to.
    pub(super) least: u64,
    /// The most bytes that the block can decode to.
    pub(super) most: u64,
}

impl<'a> Block<'a> {
    /// Reads the block that starts where `reader` is, and leaves `reader` behind it.
    ///
    /// `block_max` is the block maximum size, which holds for the size field of a block of any type, and for what it
    /// decodes to.
    pub(super) fn parse(reader: &mut Reader<'a>, block_max: u64) -> Result<Self> {
        let offset = reader.position();
        let [low, middle, high] = reader.array()?;
        let header = u32::from_le_bytes([low, middle, high, 0]);
        let malformed = Error::new(ErrorKind::BadFrame, offset, header.into());
        let size = u64::from(header >> 3);
        let len = usize::try_from(size).map_err(|_| malformed)?;
        if size > block_max {
            return Err(malformed);
        }
        let (stored, least, most) = match (header >> 1) & 0b11 {
            0 => (reader.take(len)?, size, size),
            1 => (reader.take(1)?, size, size),
            2 => {
                let stored = reader.take(len)?;
                let (literals, sequences) = sections_of(stored).ok_or(malformed)?;
                let least = literals.saturating_add(sequences.saturating_mul(MIN_MATCH));
                (stored, least, if sequences == 0 { literals } else { block_max })
            }
            _ => return Err(malformed),
        };
        if least > block_max {
            return Err(malformed);
        }
        Ok(Self { offset, header, stored, least, most })
    }

    pub(super) fn is_last(&self) -> bool {
        self.header & 1 != 0
    }
}

/// Returns the numbers of literals and of sequences that the section headers of a compressed block declare, or `None`
/// if the sections do not fit the block or reserved bits are set.
fn sections_of(stored: &[u8]) -> Option<(u64, u64)> {
    let mut reader = Reader::new(stored);
    let first = reader.u8().ok()?;
    let huffman = first & 0b10 != 0;
    let (more, bits) = match (huffman, (first >> 2) & 0b11) {
        (false, 0 | 2) => (0, 5),
        (false, 1) => (1, 12),
        (false, _) => (2, 20),
        (true, 0 | 1) => (2, 10),
        (true, 2) => (3, 14),
        (true, _) => (4, 18),
    };
    let more = reader.take(more).ok()?.iter().rev().fold(0_u64, |high, &byte| (high << 8) | u64::from(byte));
    let header = (more << 8) | u64::from(first);
    let mask = (1_u64 << bits) - 1;
    // The size format of the shortest header has one bit only.
    let literals = if bits == 5 { header >> 3 } else { (header >> 4) & mask };
    let literals_len = match (huffman, first & 0b01) {
        (true, _) => (header >> (4 + bits)) & mask,
        (false, 0) => literals,
        (false, _) => 1,
    };
    reader.take(usize::try_from(literals_len).ok()?).ok()?;

    let sequences = match reader.u8().ok()? {
        255 => u64::from(reader.u16_le().ok()?).saturating_add(0x7F00),
        high @ 128.. => (u64::from(high & 0x7F) << 8) | u64::from(reader.u8().ok()?),
        few => few.into(),
    };
    let valid = if sequences == 0 { reader.rest().is_empty() } else { reader.u8().ok()? & MODES_RESERVED == 0 };
    valid.then_some((literals, sequences))
}
