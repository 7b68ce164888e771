//! Finding the end of a string eight bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = ONES << 7;

/// Returns the offset, at or after `from`, of the first byte that a string cannot hold as it is: a quote, a
/// backslash or a control character. Without one, returns the length of `bytes`.
#[inline]
pub(super) fn plain_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    let mut rest = bytes.get(from..).unwrap_or_default();
    while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
        let marks = special(u64::from_le_bytes(*chunk));
        if marks != 0 {
            return at.saturating_add(marks.trailing_zeros() as usize / 8);
        }
        at = at.saturating_add(8);
        rest = after;
    }
    let plain = rest.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\').unwrap_or(rest.len());
    at.saturating_add(plain)
}

/// Returns where the closing quote of the string is whose content starts at `at`, and whether it holds an escape. The
/// string has been checked; in another one, `None` stands for its end.
#[inline]
pub(super) fn skip_string(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let mut at = plain_end(bytes, at);
    let mut escaped = false;
    while *bytes.get(at)? != b'"' {
        // A backslash and the byte behind it; the digits of \uXXXX are plain.
        at = plain_end(bytes, at.saturating_add(2));
        escaped = true;
    }
    Some((at, escaped))
}

/// Returns how many bytes `a` and `b` have in common at the front, in whole words and the part of the one that differs.
#[inline]
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0_usize;
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if difference != 0 {
            return len.saturating_add(difference.trailing_zeros() as usize / 8);
        }
        len = len.saturating_add(8);
    }
    len
}

/// Returns how many bytes, in whole words, `string` and `text` have in common at the front, and a string can hold as
/// they are.
#[inline]
pub(super) fn plain_common_prefix(string: &[u8], text: &[u8]) -> usize {
    let words = string.as_chunks::<8>().0.iter().zip(text.as_chunks::<8>().0);
    words
        .take_while(|&(string, text)| string == text && special(u64::from_le_bytes(*string)) == 0)
        .count()
        .saturating_mul(8)
}

/// Returns a word whose lowest set bit is the high bit of the first byte of `word` (in little-endian order) that is
/// below 0x20, a quote or a backslash; 0 if there is none.
///
/// `x - 1` sets the high bit of a byte that is zero, and `& !x` clears it where `x` had it already. A borrow reaches
/// only bytes above a true match, so the lowest mark is exact.
#[inline]
const fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGH_BITS
}

/// Tells whether a string can be written as it means: without a quote, a backslash or a control character.
pub(in crate::puffin) fn is_plain(text: &str) -> bool {
    plain_end(text.as_bytes(), 0) == text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_judged_as_a_byte_loop_does() {
        for byte in 0..=u8::MAX {
            let stops = byte < 0x20 || byte == b'"' || byte == b'\\';
            for len in 1..20 {
                for at in 0..len {
                    for filler in [b' ', 0x7f, 0x80, 0xff, b'#', b'!', b']'] {
                        let mut bytes = [filler; 20];
                        bytes[at] = byte;
                        let expected = if stops { at } else { len };
                        assert_eq!(plain_end(&bytes[..len], 0), expected, "{byte:#x} at {at} of {len}");
                        assert_eq!(plain_end(&bytes[..len], at), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn common_prefixes_end_at_the_first_difference() {
        for len in 0..40 {
            let a = [b'x'; 40];
            let mut b = a;
            b[len] = b'y';
            assert_eq!(common_prefix(&a, &b), len);
            assert_eq!(plain_common_prefix(&a, &b), len / 8 * 8);
            b[len] = b'"';
            assert_eq!(plain_common_prefix(&b, &b), len / 8 * 8);
        }
        assert_eq!(common_prefix(b"0123456789", b"0123456789"), 8);
        assert_eq!((common_prefix(b"", b"a"), plain_common_prefix(b"a", b"")), (0, 0));
    }

    #[test]
    fn the_first_of_several_wins_and_a_start_past_the_end_is_the_end() {
        assert_eq!(plain_end(b"0123456\x1f\"\\......", 0), 7);
        assert_eq!(plain_end(b"\x21\x20\"\x00\x00\x00\x00\x00", 0), 2);
        assert_eq!(plain_end(b"abc", 3), 3);
    }
}
