use std::vec;
use std::vec::Vec;

use super::*;

/// A frame, written field by field.
struct Builder(Vec<u8>);

const RAW: u32 = 0;
const RLE: u32 = 1;
const COMPRESSED: u32 = 2;

impl Builder {
    /// `fields` are the window descriptor, dictionary id and content size that `descriptor` announces.
    fn header(descriptor: u8, fields: &[u8]) -> Self {
        Self([&MAGIC.to_le_bytes()[..], &[descriptor], fields].concat())
    }

    /// A frame of a single segment, with 1 byte of content size.
    fn single(content_size: u8) -> Self {
        Self::header(SINGLE_SEGMENT, &[content_size])
    }

    /// A frame with a window of 1 KiB and 4 bytes of content size.
    fn windowed(content_size: u32) -> Self {
        Self::header(0x80, &[&[0][..], &content_size.to_le_bytes()].concat())
    }

    fn block(mut self, block_type: u32, size: usize, stored: &[u8]) -> Self {
        let header = (u32::try_from(size).unwrap() << 3) | (block_type << 1);
        self.0.extend_from_slice(&header.to_le_bytes()[..3]);
        self.0.extend_from_slice(stored);
        self
    }

    fn raw(self, content: &[u8]) -> Self {
        self.block(RAW, content.len(), content)
    }

    fn compressed(self, stored: &[u8]) -> Self {
        self.block(COMPRESSED, stored.len(), stored)
    }

    /// Ends the frame with an empty raw block, the last one.
    fn end(self) -> Vec<u8> {
        [&self.0[..], &[1, 0, 0]].concat()
    }
}

fn len_fault(frame: &[u8]) -> (ErrorKind, u64, u64) {
    let error = decoded_len(frame, &Limits::default()).unwrap_err();
    (error.kind(), error.offset(), error.found())
}

#[test]
fn content_size_in_each_of_its_forms() {
    let limits = Limits::default();
    let len = |frame: Vec<u8>| decoded_len(&frame, &limits);
    let rle = |frame: Builder, size: usize| frame.block(RLE, size, b"x").end();
    assert_eq!(len(rle(Builder::single(255), 255)), Ok(255));
    assert_eq!(len(rle(Builder::header(0x60, &[44, 0]), 300)), Ok(300));
    assert_eq!(len(rle(Builder::header(0x60, &[0xFF, 0xFF]), 65_791)), Ok(65_791));
    assert_eq!(len(rle(Builder::header(0xA0, &[1, 0, 1, 0]), 65_537)), Ok(65_537));
    assert_eq!(len(rle(Builder::header(0xE0, &[9, 0, 0, 0, 0, 0, 0, 0]), 9)), Ok(9));
    assert_eq!(len(Builder::single(0).end()), Ok(0));
    assert_eq!(len(rle(Builder::header(0xC0, &[0, 9, 0, 0, 0, 0, 0, 0, 0]), 9)), Ok(9));
}

#[test]
fn window_descriptors() {
    assert_eq!(window_of(0), 1 << 10);
    assert_eq!(window_of(0b0000_1011), 2048 + 3 * 256);
    assert_eq!(window_of(0xFF), (1 << 41) + 7 * (1 << 38));
}

#[test]
fn header_faults() {
    for (frame, expected) in [
        (b"PFA1".to_vec(), (ErrorKind::BadMagic, 0, 0x3141_4650)),
        (b"\x5E\x2A\x4D\x18\0\0\0\0".to_vec(), (ErrorKind::UnsupportedFrame, 0, 0x184D_2A5E)),
        (Builder::header(0x28, &[0]).end(), (ErrorKind::BadFrame, 4, 0x28)),
        (Builder::header(0, &[0]).end(), (ErrorKind::UnsupportedFrame, 4, 0)),
        (Builder::header(0x21, &[77, 0]).end(), (ErrorKind::UnsupportedFrame, 5, 77)),
        (Builder::header(0x22, &[0, 1, 0]).end(), (ErrorKind::UnsupportedFrame, 5, 256)),
        (Builder::header(0x83, &[0, 0, 0, 0, 9, 0, 0, 0, 0]).end(), (ErrorKind::UnsupportedFrame, 6, 9 << 24)),
    ] {
        assert_eq!(len_fault(&frame), expected);
    }
    // A dictionary id of 0 is none, and the unused bit is ignored.
    for frame in [Builder::header(0x21, &[0, 0]), Builder::header(0x23, &[0; 5]), Builder::header(0x30, &[0])] {
        assert_eq!(decoded_len(&frame.end(), &Limits::default()), Ok(0));
    }
}

#[test]
fn the_declared_size_is_bounded_before_anything_is_decoded() {
    let frame = |size: u64| Builder::header(0xE0, &size.to_le_bytes()).block(RLE, 100, b"x").end();
    for size in [(256 << 20) + 1, 1 << 62, u64::MAX] {
        assert_eq!(len_fault(&frame(size)), (ErrorKind::DecodedLenExceeded, 5, size));
    }
    let tight = Limits { max_decoded_len: 99, ..Limits::default() };
    assert_eq!(decoded_len(&frame(100), &tight), Err(Error::new(ErrorKind::DecodedLenExceeded, 5, 100)));
    // What the blocks can hold: raw and RLE blocks say it, a compressed one has at most 128 KiB.
    assert_eq!(len_fault(&frame(101)), (ErrorKind::FrameSizeMismatch, 20, 100));
    assert_eq!(len_fault(&Builder::windowed(99).block(RLE, 100, b"x").end()), (ErrorKind::FrameSizeMismatch, 10, 100));
    let compressed =
        |size: u32| Builder::header(0xA0, &size.to_le_bytes()).compressed(b"\x08a\x01\x54\0\0\0\x01").end();
    assert_eq!(decoded_len(&compressed(131_072), &Limits::default()), Ok(131_072));
    assert_eq!(len_fault(&compressed(131_073)), (ErrorKind::DecodedLenExceeded, 5, 131_073));
    assert_eq!(len_fault(&compressed(3)), (ErrorKind::BadFrame, 9, 0x44));
}

#[test]
fn block_faults() {
    for (frame, expected) in [
        (Builder::single(4).block(3, 4, b"abcd").end(), (ErrorKind::BadFrame, 6, 0x26)),
        (Builder::single(4).raw(b"abcde").end(), (ErrorKind::BadFrame, 6, 0x28)),
        (Builder::windowed(2000).block(RLE, 1025, b"x").end(), (ErrorKind::BadFrame, 10, (1025 << 3) | 2)),
        (Builder::header(0xA0, &[0, 0, 8, 0]).block(RLE, 131_073, b"x").end(), (ErrorKind::BadFrame, 9, 0x10_000A)),
        (Builder::single(4).raw(b"ab").raw(b"cd").0, (ErrorKind::Truncated, 16, 0)),
        (Builder::single(4).block(RAW, 4, b"abc").0, (ErrorKind::Truncated, 9, 3)),
        (Builder::header(0x24, &[0]).end(), (ErrorKind::Truncated, 9, 0)),
        ([Builder::single(0).end(), Builder::single(0).end()].concat(), (ErrorKind::TrailingBytes, 9, 9)),
    ] {
        assert_eq!(len_fault(&frame), expected);
    }
}

#[test]
fn section_headers_bound_a_compressed_block() {
    let fault_of = |stored: &[u8]| {
        decoded_len(&Builder::windowed(50).compressed(stored).end(), &Limits::default()).map_err(Error::kind)
    };
    let bounds_of = |stored: &[u8]| {
        let frame = Builder(vec![]).compressed(stored).0;
        Block::parse(&mut Reader::new(&frame), 1024).map(|block| (block.least, block.most)).map_err(Error::kind)
    };
    // Literals only: raw with each size format, then RLE, then Huffman with each size format.
    assert_eq!(bounds_of(b"\x18abc\0"), Ok((3, 3)));
    assert_eq!(bounds_of(b"\x10ab\x80\0"), Ok((2, 2)));
    assert_eq!(bounds_of(b"\x34\0abc\0"), Ok((3, 3)));
    assert_eq!(bounds_of(b"\x3C\0\0abc\0"), Ok((3, 3)));
    assert_eq!(bounds_of(b"\x05\x40x\0"), Ok((1024, 1024)));
    assert_eq!(bounds_of(b"\x42\xC1\0huf\0"), Ok((20, 20)));
    assert_eq!(bounds_of(b"\x4B\x01\x0C\0huf\0"), Ok((20, 20)));
    assert_eq!(bounds_of(b"\x4F\x01\xC0\0\0huf\0"), Ok((20, 20)));
    // With sequences, in each form of their number.
    assert_eq!(bounds_of(b"\x18abc\x02\xFC"), Ok((9, 1024)));
    assert_eq!(bounds_of(b"\0\x81\0\0"), Ok((768, 1024)));
    assert_eq!(bounds_of(b"\0\xFF\0\0\0"), Err(ErrorKind::BadFrame));
    for stored in [
        &b""[..],
        b"\0",              // no number of sequences
        b"\x18ab",          // three literals, two there
        b"\x0C\0",          // half a header
        b"\x42\xC1\0hu",    // three bytes of Huffman, two there
        b"\0\0\0",          // a byte too many
        b"\0\x80",          // half a number
        b"\x18abc\x01",     // no compression modes
        b"\x18abc\x01\x01", // reserved bits
        b"\x15\x40x\0",     // 1,025 literals for a window of 1,024 bytes
    ] {
        assert_eq!(fault_of(stored), Err(ErrorKind::BadFrame), "{stored:?}");
    }
    assert_eq!(fault_of(&[&b"\x34\x03"[..], &[0; 51], b"\0"].concat()), Err(ErrorKind::FrameSizeMismatch));
}

/// `zstandard.ZstdCompressor(level=19, write_checksum=True, write_content_size=True).compress(content)` of Python's
/// `zstandard` (library 1.5.7): Huffman literals in one block, FSE sequences, content checksum.
const GOLDEN: &[u8] =
    b"\x28\xB5\x2F\xFD\x64\xD2\x00\x8D\x06\x00\x56\x57\x2A\x09\xB0\xEB\x24\x49\x42\xCC\x4A\x32\x0F\x27\x00\x26\
    \x00\x27\x00\x23\x93\x78\xD5\xAE\xC5\x00\x75\xC9\x2E\xB2\x59\x7A\x2A\x26\xB3\x27\x38\x29\x97\xC8\x2D\x07\
    \xE8\x95\xB9\x78\x53\x9E\x9B\xAC\x0F\xD8\xB4\xB8\xAC\x2E\x3B\x04\xBD\x94\x01\xE8\x92\x2E\x93\x69\x0F\xD4\
    \x71\x4A\x5C\xE4\x95\x1B\x60\x6E\xED\x92\x49\x3E\x25\xB3\x76\xD1\x25\x0E\xC0\x6B\x77\x75\x26\xF5\x99\x98\
    \x4C\x9E\x64\x9F\xE8\xCC\xF6\x22\xB9\x44\x36\x57\x39\xC9\x9E\xE1\x4C\x92\xAB\xD7\x8A\xE4\xA2\x99\x95\xA7\
    \x18\x93\x74\x49\xDD\x92\x5C\xA4\x29\xF7\x5C\x6F\xDA\x5C\x16\x97\x7A\x11\x67\xF9\x94\x4C\xDA\x25\xBD\x6D\
    \x5D\x8C\x29\xF5\xDC\x75\x5A\x5D\x16\x97\x36\x5C\xF2\xB2\x69\xF7\x00\xC5\x94\xB9\x38\x57\xA2\x72\x89\x1D\
    \x0E\x08\x10\x6C\x1F\xF0\x29\x2E\xDF\xC7\x41\xBE\xAF\x67\x2B\x46\xFB\xB5\xAD\x2A\xDA\xC4\x63\x15\xA3\xF9\
    \xA2\xF0\x51\xB4\xDE\x1E\x73\x05\x89\x06\x29\xE9\x05\xE3\xF9";

#[test]
fn every_cut_is_truncated() {
    for len in 0..GOLDEN.len() {
        let (kind, offset, found) = len_fault(&GOLDEN[..len]);
        assert_eq!((kind, offset + found), (ErrorKind::Truncated, len as u64));
    }
}

#[cfg(feature = "zstd")]
mod decoding {
    use super::*;

    /// Decodes to memory of exactly the declared size, which holds bytes that must not show up.
    fn decode(frame: &[u8]) -> Result<Vec<u8>> {
        let limits = Limits::default();
        let mut memory = vec![0xA5; decoded_len(frame, &limits)?];
        decode_into(frame, &mut memory, &limits).map(<[u8]>::to_vec)
    }

    fn fault(frame: &[u8]) -> (ErrorKind, u64, u64) {
        let error = decode(frame).unwrap_err();
        (error.kind(), error.offset(), error.found())
    }

    /// A compressed block: `literals` times 'x', then one sequence without literals, all of its codes as RLE. The match
    /// has 34 bytes (code 31); its offset is written as 2^10 + (`offset` + 3 - 2^10) (code 10).
    fn copy(literals: u8, offset: u16) -> Vec<u8> {
        assert!((1021..=2044).contains(&offset) && literals < 32);
        // The ten bits of the offset, below a mark that ends the stream.
        let bits = (offset + 3) & 0x3FF | 0x400;
        [&[(literals << 3) | 1, b'x', 1, 0b01_01_01_00, 0, 10, 31][..], &bits.to_le_bytes()].concat()
    }

    fn golden_content() -> Vec<u8> {
        (0..120).flat_map(|i| std::format!("{},", i * i * 7919 % 1000).into_bytes()).collect()
    }

    #[test]
    fn reads_what_the_reference_encoder_writes() {
        assert_eq!(decode(GOLDEN).unwrap(), golden_content());
    }

    #[test]
    fn a_flipped_bit_is_noticed_or_harmless() {
        for at in 0..GOLDEN.len() {
            for bit in 0..8 {
                let mut frame = GOLDEN.to_vec();
                frame[at] ^= 1 << bit;
                if let Ok(content) = decode(&frame) {
                    assert_eq!(content, golden_content(), "byte {at} bit {bit}");
                }
            }
        }
    }

    #[test]
    fn writes_the_content_and_nothing_else() {
        let mut memory = [7; 500];
        let short = decode_into(GOLDEN, &mut memory[..465], &Limits::default()).unwrap_err();
        assert_eq!((short.kind(), short.found()), (ErrorKind::BufferTooSmall, 466));
        assert_eq!(memory, [7; 500]);
        assert_eq!(decode_into(GOLDEN, &mut memory, &Limits::default()).unwrap(), golden_content());
        assert_eq!(memory[466..], [7; 34]);
    }

    #[test]
    fn blocks_of_each_type_share_one_history() {
        let first: Vec<u8> = (0..1024_u32).map(|i| i.to_le_bytes()[usize::from(i % 5 == 0)]).collect();
        let frame = |offset| {
            Builder::windowed(1024 + 34 + 1000 + 36)
                .raw(&first)
                .compressed(&copy(0, 1024))
                .block(RLE, 1000, b"r")
                .compressed(&copy(2, offset))
                .end()
        };
        let expected = [&first[..], &first[..34], &[b'r'; 1000], &first[10..34], &[b'r'; 10], b"xx"].concat();
        assert_eq!(decode(&frame(1024)).unwrap(), expected);
        // Earlier content is there, but out of the window.
        assert_eq!(fault(&frame(1025)), (ErrorKind::BadFrame, 10 + 1027 + 12 + 4, (9 << 3) | 4));
    }

    #[test]
    fn matches_stay_inside_the_content() {
        let content = [b'a'; 1024];
        let frame = |offset| Builder::windowed(1024 + 34).raw(&content).compressed(&copy(0, offset)).end();
        assert_eq!(decode(&frame(1024)).unwrap(), [b'a'; 1058]);
        assert_eq!(fault(&frame(1025)), (ErrorKind::BadFrame, 10 + 1027, (9 << 3) | 4));
    }

    #[test]
    fn the_blocks_hold_exactly_the_declared_content() {
        let frame = |size| Builder::windowed(size).raw(&[b'a'; 1024]).compressed(&copy(0, 1024)).end();
        assert_eq!(decode(&frame(1058)).unwrap().len(), 1058);
        assert_eq!(fault(&frame(1057)), (ErrorKind::FrameSizeMismatch, 10 + 1027, 1058));
        assert_eq!(fault(&frame(1059)), (ErrorKind::FrameSizeMismatch, 10 + 1027 + 12 + 3, 1058));
    }

    #[test]
    fn a_block_keeps_to_the_block_maximum_size() {
        // 1,000 literals and a match of 34 bytes, in a window of 1,024 bytes.
        let block = [&b"\x85\x3Ex"[..], &copy(0, 1021)[2..]].concat();
        let frame = Builder::windowed(2048).raw(&[b'a'; 1024]).compressed(&block).end();
        assert_eq!(fault(&frame), (ErrorKind::BadFrame, 10 + 1027, (10 << 3) | 4));
    }

    #[test]
    fn a_large_window_over_a_small_content_costs_nothing() {
        for window in [0, 0x88, 0xA0, 0xFF] {
            let frame = Builder::header(0x80, &[window, 100, 0, 0, 0]).block(RLE, 100, b"w").end();
            assert_eq!(decode(&frame).unwrap(), [b'w'; 100]);
        }
    }

    #[test]
    fn content_checksum() {
        let sum = xxh64_low(b"abcd").to_le_bytes();
        let frame = [&Builder::header(0x24, &[4]).raw(b"abcd").end()[..], &sum].concat();
        assert_eq!(decode(&frame).unwrap(), b"abcd");
        let mut damaged = frame;
        damaged[9] = b'A';
        assert_eq!(fault(&damaged), (ErrorKind::ContentChecksumMismatch, 16, xxh64_low(b"abcd").into()));
    }
}
