//! Reading a text that [`check`](super::check()) has accepted.

use super::{
    scan::{plain_common_prefix, skip_string},
    string::JsonStr,
};

/// One value of a checked text.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::puffin) struct Value<'s> {
    /// The value as written, without whitespace around it.
    pub(in crate::puffin) text: &'s str,
    /// Where it starts in the whole text.
    pub(in crate::puffin) offset: usize,
    /// How many values are directly in it, if it is an array or an object.
    pub(in crate::puffin) items: usize,
}

impl<'s> Value<'s> {
    /// Returns the first byte, which tells the type.
    pub(in crate::puffin) fn first(&self) -> u8 {
        self.text.as_bytes().first().copied().unwrap_or_default()
    }

    /// Returns a cursor before the value itself.
    #[cfg(test)]
    pub(in crate::puffin) fn start(&self) -> Cursor<'s> {
        Cursor { text: self.text, at: 0 }
    }

    /// Returns a cursor before the first item of the array or object.
    pub(in crate::puffin) fn enter(&self) -> Cursor<'s> {
        Cursor { text: self.text, at: 1 }
    }
}

/// A place in a checked text.
///
/// It skips and splits, and checks nothing again: commas and colons count as whitespace. On a text that was not
/// checked it would give wrong answers, and still end.
#[derive(Clone, Copy, Debug)]
pub(in crate::puffin) struct Cursor<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Cursor<'s> {
    /// Returns how far the cursor is from the start of the text it was made from.
    pub(in crate::puffin) const fn position(&self) -> usize {
        self.at
    }

    /// Moves to the next value, name or closing bracket, and returns its first byte, which is not consumed.
    #[inline]
    pub(in crate::puffin) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at)? {
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => self.at = self.at.saturating_add(1),
                &byte => return Some(byte),
            }
        }
    }

    /// Consumes one byte: an opening or closing bracket that [`peek`](Self::peek) has shown.
    pub(in crate::puffin) fn bracket(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Reads the string that comes next; `None` if something else does, and then stays before it.
    #[inline]
    pub(in crate::puffin) fn string(&mut self) -> Option<JsonStr<'s>> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at.saturating_add(1);
        let (end, escaped) = skip_string(self.text.as_bytes(), start)?;
        self.at = end.saturating_add(1);
        self.text.get(start..end).map(|raw| JsonStr::new(raw, escaped))
    }

    /// Consumes `text` if it comes next; says whether it does.
    #[inline]
    pub(in crate::puffin) fn text(&mut self, text: &str) -> bool {
        let found = self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(text.as_bytes()));
        if found {
            self.at = self.at.saturating_add(text.len());
        }
        found
    }

    /// Returns whether the string that comes next means `text`. The cursor stays.
    #[inline]
    pub(in crate::puffin) fn string_is(&mut self, text: &str) -> bool {
        let mut string = *self;
        string.peek();
        let written = self.text.as_bytes().get(string.at.saturating_add(1)..).unwrap_or_default();
        let meant = text.as_bytes();
        let mut at = plain_common_prefix(written, meant);
        loop {
            match (written.get(at), meant.get(at)) {
                (Some(b'"'), end) => return end.is_none(),
                (Some(b'\\'), _) => return string.string().is_some_and(|string| string == text),
                (Some(written), Some(meant)) if written == meant => at = at.saturating_add(1),
                _ => return false,
            }
        }
    }

    /// Consumes the string that comes next if it is `plain`, written without escapes; says whether it is.
    ///
    /// `plain` holds nothing that a string cannot hold as it is: see [`is_plain`](super::is_plain).
    #[inline]
    pub(in crate::puffin) fn plain_string(&mut self, plain: &str) -> bool {
        self.peek();
        let found = self.text.as_bytes().get(self.at..).and_then(|rest| {
            rest.strip_prefix(b"\"")?.strip_prefix(plain.as_bytes())?.starts_with(b"\"").then_some(())
        });
        if found.is_some() {
            self.at = self.at.saturating_add(plain.len()).saturating_add(2);
        }
        found.is_some()
    }

    /// Reads the integer that comes next: no fraction, no exponent, not `-0`, and in the range of i64.
    ///
    /// `None` if something else comes next; the cursor is then anywhere inside it.
    pub(in crate::puffin) fn integer(&mut self) -> Option<i64> {
        let negative = self.peek()? == b'-';
        let rest = self.text.as_bytes().get(self.at.saturating_add(usize::from(negative))..)?;
        let (mut magnitude, mut digits) = (0_i64, 0_usize);
        for digit in rest.iter().map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            magnitude = magnitude.wrapping_mul(10).wrapping_add(i64::from(digit));
            digits = digits.saturating_add(1);
        }
        let start = self.at;
        self.at = start.saturating_add(usize::from(negative)).saturating_add(digits);
        match (rest.get(digits), digits) {
            (Some(b'.' | b'e' | b'E'), _) => None,
            _ if negative && magnitude == 0 => None,
            // No wrap so far.
            (_, 1..=18) => Some(if negative { magnitude.wrapping_neg() } else { magnitude }),
            _ => self.text.get(start..self.at)?.parse().ok(),
        }
    }

    /// Skips the value that comes next and returns it as written. `None` at a closing bracket or the end.
    ///
    /// O(length of the value); no recursion, since only the number of open brackets matters.
    pub(in crate::puffin) fn skip(&mut self) -> Option<&'s str> {
        let bytes = self.text.as_bytes();
        if matches!(self.peek()?, b']' | b'}') {
            return None;
        }
        let start = self.at;
        let mut open = 0_usize;
        loop {
            match bytes.get(self.at)? {
                b'"' => self.at = skip_string(bytes, self.at.saturating_add(1))?.0,
                b'{' | b'[' => open = open.saturating_add(1),
                b'}' | b']' => open = open.saturating_sub(1),
                _ if open == 0 => {
                    let scalar = bytes.get(self.at..)?;
                    let len = scalar.iter().position(|byte| b" \t\n\r,]}".contains(byte)).unwrap_or(scalar.len());
                    self.at = self.at.saturating_add(len);
                    break;
                }
                _ => {}
            }
            self.at = self.at.saturating_add(1);
            if open == 0 {
                break;
            }
        }
        self.text.get(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_start(text: &str) -> Cursor<'_> {
        Cursor { text, at: 0 }
    }

    #[test]
    fn skips_values_of_every_shape() {
        let text = r#" [ 1 , -2.5e3,"a\"]\\", {"k":[[],{}], "}":"{"} ,true,null,"",[ ] ]"#;
        let mut cursor = at_start(text);
        assert_eq!(cursor.peek(), Some(b'['));
        cursor.bracket();
        let mut read = std::vec::Vec::new();
        while let Some(value) = cursor.skip() {
            read.push(value);
        }
        let nested = r#"{"k":[[],{}], "}":"{"}"#;
        assert_eq!(read, ["1", "-2.5e3", r#""a\"]\\""#, nested, "true", "null", "\"\"", "[ ]"]);
        assert_eq!((cursor.peek(), cursor.position()), (Some(b']'), text.len() - 1));
    }

    #[test]
    fn integers_are_exact_or_nothing() {
        for (text, value) in [
            ("0", Some(0)),
            ("-1", Some(-1)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("-9223372036854775809", None),
            ("18446744073709551616", None),
            ("99999999999999999999999", None),
            ("-0", None),
            ("4.0", None),
            ("1e3", None),
            ("1E3", None),
            ("\"4\"", None),
            ("true", None),
            ("", None),
        ] {
            assert_eq!(at_start(text).integer(), value, "{text}");
        }
    }

    #[test]
    fn an_unchecked_text_still_ends() {
        for text in ["[", "{\"a", "\"\\", "[[[[", "\"", "]", "", ",,,:", "\u{1}\"\u{1}"] {
            let mut cursor = at_start(text);
            while cursor.skip().is_some() {}
            assert!(cursor.position() <= text.len() + 2);
        }
    }
}
