//! Writing JSON text to caller memory, byte for byte as Jackson does for Iceberg Java.
//!
//! | in a string | written |
//! |---|---|
//! | `"` and `\` | `\"` and `\\` |
//! | U+0008, U+0009, U+000A, U+000C, U+000D | `\b`, `\t`, `\n`, `\f`, `\r` |
//! | any other character below U+0020 | `\u00XX`, with upper-case digits |
//! | everything else, `/`, U+007F and U+2028 included | as it is, in UTF-8 |
//!
//! So every text has one way to be written, and two strings written here are the same text exactly if their bytes are.

use core::fmt::{self, Display, Write};

use super::scan::{plain_end, skip_string};

/// Text that is written as far as it fits, and counted as far as it goes.
pub(in crate::puffin) struct Text<'t> {
    out: &'t mut [u8],
    len: usize,
}

impl<'t> Text<'t> {
    /// Goes on behind the first `len` bytes of `out`.
    pub(in crate::puffin) fn after(out: &'t mut [u8], len: usize) -> Self {
        Self { out, len }
    }

    /// Returns how long the text is, whether or not all of it fits.
    pub(in crate::puffin) fn len(&self) -> usize {
        self.len
    }

    /// Returns the text, or `None` if it does not fit.
    pub(in crate::puffin) fn written(&self) -> Option<&[u8]> {
        self.out.get(..self.len)
    }

    /// Adds bytes as they are.
    pub(in crate::puffin) fn put(&mut self, bytes: &[u8]) {
        // Cut in two steps, so that both lengths are seen to be the same.
        if let Some(room) = self.out.get_mut(self.len..).and_then(|rest| rest.get_mut(..bytes.len())) {
            room.copy_from_slice(bytes);
        }
        self.len = self.len.saturating_add(bytes.len());
    }

    /// Adds an integer in decimal digits.
    pub(in crate::puffin) fn integer(&mut self, value: i64) {
        // A minus and 19 digits.
        let mut digits = [0; 20];
        let mut left = value.unsigned_abs();
        let mut first = digits.len();
        for (at, digit) in digits.iter_mut().enumerate().rev() {
            // Below 10, which fits.
            *digit = b'0'.saturating_add(u8::try_from(left % 10).unwrap_or_default());
            first = at;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        if value < 0 {
            self.put(b"-");
        }
        self.put(digits.get(first..).unwrap_or_default());
    }

    /// Adds a string: quotes around the value as it shows itself. Fails only if showing the value does.
    pub(in crate::puffin) fn string(&mut self, value: &(impl Display + ?Sized)) -> fmt::Result {
        self.put(b"\"");
        write!(Escaped(self), "{value}")?;
        self.put(b"\"");
        Ok(())
    }
}

/// The content of a string.
struct Escaped<'e, 't>(&'e mut Text<'t>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        loop {
            let (plain, special) = rest.split_at_checked(plain_end(rest, 0)).unwrap_or((rest, &[]));
            self.0.put(plain);
            let Some((&byte, behind)) = special.split_first() else { return Ok(()) };
            match byte {
                b'"' => self.0.put(b"\\\""),
                b'\\' => self.0.put(b"\\\\"),
                0x08 => self.0.put(b"\\b"),
                b'\t' => self.0.put(b"\\t"),
                b'\n' => self.0.put(b"\\n"),
                0x0C => self.0.put(b"\\f"),
                b'\r' => self.0.put(b"\\r"),
                _ => self.0.put(&[b'\\', b'u', b'0', b'0', upper_hex(byte >> 4), upper_hex(byte)]),
            }
            rest = behind;
        }
    }
}

/// Returns the digit of the low four bits.
fn upper_hex(byte: u8) -> u8 {
    let digit = byte & 0xF;
    if digit < 10 { b'0'.saturating_add(digit) } else { b'A'.saturating_sub(10).saturating_add(digit) }
}

/// Tells whether an object of strings that was written here, from behind its opening brace to the end of `members`,
/// has a member of that name, as written.
pub(in crate::puffin) fn has_name(members: &[u8], name: &[u8]) -> bool {
    let mut at = 1_usize;
    while let Some((name_end, _)) = skip_string(members, at) {
        if members.get(at..name_end) == Some(name) {
            return true;
        }
        // Behind `":"`, then behind `","`.
        let Some((value_end, _)) = skip_string(members, name_end.saturating_add(3)) else { break };
        at = value_end.saturating_add(3);
    }
    false
}

#[cfg(test)]
mod tests {
    use std::{format, string::String};

    use super::*;

    fn written(value: &str) -> String {
        let mut memory = [0; 64];
        let mut text = Text::after(&mut memory, 0);
        text.string(value).unwrap();
        String::from_utf8(text.written().unwrap().to_vec()).unwrap()
    }

    #[test]
    fn each_character_is_written_as_jackson_does() {
        for code in 0..0x800_u32 {
            let letter = char::from_u32(code).unwrap();
            let expected = match letter {
                '"' => "\\\"".into(),
                '\\' => "\\\\".into(),
                '\u{8}' => "\\b".into(),
                '\t' => "\\t".into(),
                '\n' => "\\n".into(),
                '\u{c}' => "\\f".into(),
                '\r' => "\\r".into(),
                '\0'..' ' => format!("\\u{code:04X}"),
                _ => String::from(letter),
            };
            assert_eq!(written(&format!("a{letter}b")), format!("\"a{expected}b\""));
        }
        assert_eq!(written("/\u{7f}\u{2028}\u{ffff}😀"), "\"/\u{7f}\u{2028}\u{ffff}😀\"");
        assert_eq!(written("\u{1f}\u{0}\n\n"), r#""\u001F\u0000\n\n""#);
    }

    #[test]
    fn integers() {
        for value in [0, 1, -1, 9, 10, -10, 12_345, i64::MAX, i64::MIN] {
            let mut memory = [0; 20];
            let mut text = Text::after(&mut memory, 0);
            text.integer(value);
            assert_eq!(text.written().unwrap(), format!("{value}").as_bytes());
        }
    }

    #[test]
    fn what_does_not_fit_is_counted_and_nothing_is_written_outside() {
        let mut memory = [b'.'; 8];
        let mut text = Text::after(&mut memory[..6], 2);
        text.put(b"ab");
        text.string("\u{1}").unwrap();
        assert_eq!((text.len(), text.written()), (12, None));
        assert_eq!(&memory[..5], b"..ab\"");
        assert_eq!(&memory[6..], b"..");
    }

    #[test]
    fn names_are_found_among_members() {
        let members = br#""a":"b","c\"":"\\","":"x""#;
        for (name, expected) in [(&b"a"[..], true), (b"c\\\"", true), (b"", true), (b"b", false), (b"x", false)] {
            assert_eq!(has_name(members, name), expected, "{name:?}");
        }
        assert!(!has_name(b"", b""));
    }
}
