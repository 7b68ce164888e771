use std::vec;
use std::vec::Vec;

use super::*;

const INDEPENDENT: u8 = FLG_VERSION_01 | FLG_CONTENT_SIZE | FLG_INDEPENDENT_BLOCKS;
const LINKED: u8 = FLG_VERSION_01 | FLG_CONTENT_SIZE;
const SUMS: u8 = FLG_BLOCK_CHECKSUMS | FLG_CONTENT_CHECKSUM;
const BD_64K: u8 = 0x40;
/// Offset of the first block.
const BLOCKS: u64 = 15;

/// A frame, written field by field.
struct Frame(Vec<u8>);

impl Frame {
    fn header(flg: u8, bd: u8, content_size: u64) -> Self {
        let mut descriptor = vec![flg, bd];
        descriptor.extend((flg & FLG_CONTENT_SIZE != 0).then_some(content_size.to_le_bytes()).iter().flatten());
        descriptor.extend((flg & FLG_DICTIONARY_ID != 0).then_some([0; 4]).iter().flatten());
        let checksum = xxh32(&descriptor).to_le_bytes()[1];
        Self([&MAGIC.to_le_bytes()[..], &descriptor, &[checksum]].concat())
    }

    fn block(self, stored_flag: u32, data: &[u8]) -> Self {
        let word = u32::try_from(data.len()).unwrap() | stored_flag;
        let checksum = (self.0[4] & FLG_BLOCK_CHECKSUMS != 0).then_some(xxh32(data).to_le_bytes());
        self.bytes(&word.to_le_bytes()).bytes(data).bytes(checksum.as_slice().as_flattened())
    }

    fn stored(self, data: &[u8]) -> Self {
        self.block(STORED_BLOCK, data)
    }

    fn compressed(self, data: &[u8]) -> Self {
        self.block(0, data)
    }

    fn end(self, content: &[u8]) -> Vec<u8> {
        let checksum = (self.0[4] & FLG_CONTENT_CHECKSUM != 0).then_some(xxh32(content).to_le_bytes());
        self.bytes(&[0; 4]).bytes(checksum.as_slice().as_flattened()).0
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

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

/// `lz4.frame.compress(content, compression_level=9, block_linked=True, block_checksum=True,
/// content_checksum=True, store_size=True)` of Python's `lz4` (library 1.9.4).
const GOLDEN: &[u8] = b"\x04\x22\x4D\x18\x7C\x40\x54\0\0\0\0\0\0\0\x2E\x50\0\0\0\xF1\x170,1,4,9,16,25,36,49,64,81,0,\
    21,44,69,9\x1D\0\xA056,89,24,6\x1D\0\xA141,84,29,7\x1D\0\0\x06\0\x809,84,41,\x54\x29\xD4\x49\0\0\0\0\xEE\xB9\x9D\
    \x57";

fn golden_content() -> Vec<u8> {
    (0..30).flat_map(|i| std::format!("{},", i * i % 100).into_bytes()).collect()
}

#[test]
fn reads_what_the_reference_encoder_writes() {
    assert_eq!(decode(GOLDEN).unwrap(), golden_content());
}

#[test]
fn every_cut_is_truncated_and_every_flipped_bit_is_noticed() {
    for len in 0..GOLDEN.len() {
        let error = decode(&GOLDEN[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Truncated, "cut to {len}");
        assert!(error.offset() + error.found() == len as u64, "cut to {len}: {error:?}");
    }
    for at in 0..GOLDEN.len() {
        for bit in 0..8 {
            let mut frame = GOLDEN.to_vec();
            frame[at] ^= 1 << bit;
            assert!(decode(&frame).is_err(), "byte {at} bit {bit}");
        }
    }
}

#[test]
fn header_faults() {
    let frame = |flg, bd| Frame::header(flg, bd, 0).end(&[]);
    let no_size = || Frame::header(FLG_VERSION_01, BD_64K, 0);
    let no_version = INDEPENDENT ^ FLG_VERSION_01;
    for (bytes, expected) in [
        (b"PFA1".to_vec(), (ErrorKind::BadMagic, 0, 0x3141_4650)),
        (b"\x5F\x2A\x4D\x18\0\0\0\0".to_vec(), (ErrorKind::UnsupportedFrame, 0, 0x184D_2A5F)),
        (b"\x02\x21\x4C\x18\0\0\0\0".to_vec(), (ErrorKind::UnsupportedFrame, 0, 0x184C_2102)),
        (frame(no_version, BD_64K), (ErrorKind::BadFrame, 4, no_version.into())),
        (frame(INDEPENDENT | 0x80, BD_64K), (ErrorKind::BadFrame, 4, 0xE8)),
        (frame(INDEPENDENT | FLG_RESERVED, BD_64K), (ErrorKind::BadFrame, 4, 0x6A)),
        (frame(INDEPENDENT, 0x30), (ErrorKind::BadFrame, 5, 0x30)),
        (frame(INDEPENDENT, 0x41), (ErrorKind::BadFrame, 5, 0x41)),
        (frame(INDEPENDENT, 0xC0), (ErrorKind::BadFrame, 5, 0xC0)),
        (no_size().stored(b"x").end(b"x"), (ErrorKind::UnsupportedFrame, 4, 0x40)),
        (no_size().0, (ErrorKind::UnsupportedFrame, 4, 0x40)),
        (no_size().end(b""), (ErrorKind::UnsupportedFrame, 4, 0x40)),
        (frame(INDEPENDENT | FLG_DICTIONARY_ID, BD_64K), (ErrorKind::UnsupportedFrame, 4, 0x69)),
    ] {
        assert_eq!(fault(&bytes), expected);
    }
    let mut damaged = frame(INDEPENDENT, BD_64K);
    damaged[14] ^= 1;
    assert_eq!(fault(&damaged), (ErrorKind::HeaderChecksumMismatch, 14, damaged[14].into()));
    for bd in [0x40, 0x50, 0x60, 0x70] {
        assert_eq!(decode(&frame(INDEPENDENT, bd)), Ok(vec![]));
    }
}

#[test]
fn the_declared_size_is_bounded_before_anything_is_decoded() {
    let limits = Limits::default();
    let frame = |size| Frame::header(INDEPENDENT, 0x70, size).end(&[]);
    let len = frame(0).len() as u64;
    assert_eq!(decoded_len(&frame(255 * len), &limits), Ok(usize::try_from(255 * len).unwrap()));
    for size in [255 * len + 1, 1 << 62, u64::MAX] {
        assert_eq!(fault(&frame(size)), (ErrorKind::DecodedLenExceeded, 6, size));
    }
    let tight = Limits { max_decoded_len: 83, ..limits };
    assert_eq!(decoded_len(GOLDEN, &tight), Err(Error::new(ErrorKind::DecodedLenExceeded, 6, 84)));
    assert_eq!(decoded_len(GOLDEN, &Limits { max_decoded_len: 84, ..limits }), Ok(84));
}

#[test]
fn writes_the_content_and_nothing_else() {
    let mut memory = [7; 100];
    let short = decode_into(GOLDEN, &mut memory[..83], &Limits::default()).unwrap_err();
    assert_eq!((short.kind(), short.found()), (ErrorKind::BufferTooSmall, 84));
    assert_eq!(memory, [7; 100]);
    assert_eq!(decode_into(GOLDEN, &mut memory, &Limits::default()).unwrap(), golden_content());
    assert_eq!(memory[84..], [7; 16]);
}

#[test]
fn the_blocks_hold_exactly_the_declared_content() {
    let two = |size| Frame::header(LINKED, BD_64K, size).stored(b"abcd").compressed(b"\x40efgh").end(&[]);
    assert_eq!(decode(&two(8)).unwrap(), b"abcdefgh");
    assert_eq!(fault(&two(9)), (ErrorKind::FrameSizeMismatch, BLOCKS + 17, 8));
    assert_eq!(fault(&two(7)), (ErrorKind::FrameSizeMismatch, BLOCKS + 8, 8));
    assert_eq!(fault(&two(3)), (ErrorKind::FrameSizeMismatch, BLOCKS, 4));
    let mut more = two(8);
    more.extend(two(8));
    assert_eq!(fault(&more), (ErrorKind::TrailingBytes, BLOCKS + 21, 36));
}

#[test]
fn a_block_keeps_to_the_block_maximum_size() {
    let max = vec![1; 64 << 10];
    let full = Frame::header(INDEPENDENT, BD_64K, 2 << 16).stored(&max).stored(&max).end(&[]);
    assert_eq!(decode(&full).unwrap().len(), 2 << 16);
    let over = Frame::header(INDEPENDENT, BD_64K, 1 << 17).stored(&[&max[..], b"x"].concat());
    assert_eq!(fault(&over.end(&[])), (ErrorKind::BadFrame, BLOCKS, 0x8001_0001));
    // One literal, a match of 19 + 257 × 255 + 1 bytes, no literals: 65,556 bytes in all.
    let bomb = [&b"\x1Fx\x01\0"[..], &[255; 257], b"\x01\0"].concat();
    let word = bomb.len() as u64;
    let frame = Frame::header(INDEPENDENT, BD_64K, 65_556).compressed(&bomb).end(&[]);
    assert_eq!(fault(&frame), (ErrorKind::BadFrame, BLOCKS, word));
    let frame = Frame::header(INDEPENDENT, 0x50, 65_556).compressed(&bomb).end(&[]);
    assert_eq!(decode(&frame).unwrap(), [b'x'; 65_556]);
}

#[test]
fn malformed_sequences() {
    for data in [
        &b"\x50abc"[..],       // five literals, three there
        b"\xF0\xFF",           // length goes on
        b"\x10a\x01",          // half an offset
        b"\x10a\0\0\x10b",     // offset 0
        b"\x10a\x02\0\x10b",   // before the start
        b"\x10a\xFF\xFF\x10b", // far before the start
        b"\0\x01\0\x10b",      // a match first
        b"\x1Fa\x01\0",        // no length
        b"\x10a\x01\0",        // ends in a match
    ] {
        let frame = Frame::header(LINKED, BD_64K, 6).compressed(data).end(&[]);
        assert_eq!(fault(&frame), (ErrorKind::BadFrame, BLOCKS, data.len() as u64), "{data:?}");
    }
}

#[test]
fn checksums() {
    let frame = Frame::header(INDEPENDENT | SUMS, BD_64K, 4).stored(b"abcd").end(b"abcd");
    assert_eq!(decode(&frame).unwrap(), b"abcd");
    let mut block = frame.clone();
    block[19] ^= 1;
    assert_eq!(fault(&block), (ErrorKind::BlockChecksumMismatch, BLOCKS + 8, xxh32(b"abcd").into()));
    let mut content = frame;
    *content.last_mut().unwrap() ^= 0x80;
    let stored = u64::from(xxh32(b"abcd") ^ 0x8000_0000);
    assert_eq!(fault(&content), (ErrorKind::ContentChecksumMismatch, BLOCKS + 16, stored));
}

#[test]
fn linked_blocks_see_64_kib_and_independent_ones_nothing() {
    let first: Vec<u8> = (0..65_536_u32).map(|i| i.to_le_bytes()[usize::from(i % 3 == 0)]).collect();
    // No literals, a match of 6 bytes, 1 literal.
    let copy = |offset: u16| [&[0x02][..], &offset.to_le_bytes(), b"\x10!"].concat();
    let frame = |flg, offset| Frame::header(flg, BD_64K, 65_543).stored(&first).compressed(&copy(offset)).end(&[]);
    for offset in [3_u16, 6, 100, 65_535] {
        let expected: Vec<u8> = first[65_536 - usize::from(offset)..].iter().copied().cycle().take(6).collect();
        assert_eq!(decode(&frame(LINKED, offset)).unwrap()[65_536..65_542], expected, "offset {offset}");
        assert_eq!(fault(&frame(INDEPENDENT, offset)), (ErrorKind::BadFrame, BLOCKS + 65_540, 5));
    }
}

/// Writes sequences at random and, beside them, what they mean.
#[test]
fn agrees_with_a_naive_model() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % bound
    };
    let length = |block: &mut Vec<u8>, mut rest: usize| {
        while rest >= 255 {
            block.push(255);
            rest -= 255;
        }
        block.push(u8::try_from(rest).unwrap());
    };
    for round in 0..300 {
        let linked = round % 2 == 0;
        let mut content: Vec<u8> = Vec::new();
        let mut blocks = Vec::new();
        for _ in 0..=below(4) {
            let start = if linked { 0 } else { content.len() };
            let mut block = Vec::new();
            for _ in 0..below(40) {
                let literals = if content.len() == start { 1 + below(20) } else { below(20) };
                let copied = 4 + if below(8) == 0 { below(600) } else { below(30) };
                block.push(u8::try_from((literals.min(15) << 4) | (copied - 4).min(15)).unwrap());
                if literals >= 15 {
                    length(&mut block, literals - 15);
                }
                let bytes: Vec<u8> = (0..literals).map(|_| u8::try_from(below(256)).unwrap()).collect();
                block.extend_from_slice(&bytes);
                content.extend_from_slice(&bytes);
                let offset = 1 + below(content.len() - start);
                block.extend(u16::try_from(offset).unwrap().to_le_bytes());
                if copied >= 19 {
                    length(&mut block, copied - 19);
                }
                for _ in 0..copied {
                    content.push(content[content.len() - offset]);
                }
            }
            block.extend(b"\x30end");
            content.extend(b"end");
            blocks.push(block);
        }
        let flg = SUMS | if linked { LINKED } else { INDEPENDENT };
        let header = Frame::header(flg, BD_64K, content.len() as u64);
        let frame = blocks.iter().fold(header, |frame, block| frame.compressed(block)).end(&content);
        assert_eq!(decode(&frame).unwrap(), content, "round {round}");
    }
}
