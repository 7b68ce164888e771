//! Strings as the text has them, compared and copied as they are meant.

use core::{
    cmp::Ordering,
    fmt::{self, Write},
    iter::FusedIterator,
    str,
};

use crate::error::{Error, ErrorKind, Result};

/// A string of a footer: the characters between the quotes, as written, known to be well-formed.
///
/// Most strings hold no escape and are borrowed as they are. Where a writer escaped something (`\/`, `\u0026`, half
/// of a path in `\uXXXX`), comparing and copying see through it: two strings are equal when the texts they stand for
/// are. `Display` shows that text; `Debug` shows the string as written.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::PuffinFile;
///
/// let bytes = b"PFA1PFA1{\"blobs\":[],\"properties\":{\"created-by\":\"a\\u0026b\"}}\x33\0\0\0\0\0\0\0PFA1";
/// let metadata = PuffinFile::parse(bytes)?.metadata(&mut [])?;
/// let created_by = metadata.property("created-by").unwrap();
///
/// assert_eq!(created_by, "a&b");
/// assert_eq!(created_by.to_string(), "a&b");
/// assert_eq!(created_by.raw(), "a\\u0026b");
/// assert_eq!(created_by.as_str(), None);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct JsonStr<'s> {
    raw: &'s str,
    escaped: bool,
}

impl<'s> JsonStr<'s> {
    /// Wraps the content of a string that has been checked; `escaped` says whether it holds a backslash.
    pub(in crate::puffin) const fn new(raw: &'s str, escaped: bool) -> Self {
        Self { raw, escaped }
    }

    /// Takes the content of a string as it is [written](Self::raw): for text that has been outside, as through the C ABI.
    ///
    /// O(length).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadEscape`]; [`ErrorKind::BadJson`] for a quote, a control character or an escape that ends early.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::{ErrorKind, puffin::JsonStr};
    ///
    /// assert_eq!(JsonStr::parse(r"a\u0026b")?, "a&b");
    /// let error = JsonStr::parse(r"a\q").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::BadEscape, 2));
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn parse(raw: &'s str) -> Result<Self> {
        Ok(Self { raw, escaped: super::check::content(raw)? })
    }

    /// Returns the content as written, escapes included, quotes not.
    #[must_use]
    pub const fn raw(&self) -> &'s str {
        self.raw
    }

    /// Returns the text if it is written without escapes, which makes it the same as [`raw`](Self::raw).
    #[must_use]
    pub const fn as_str(&self) -> Option<&'s str> {
        if self.escaped { None } else { Some(self.raw) }
    }

    /// Iterates over the characters of the text.
    #[must_use]
    pub fn chars(&self) -> Chars<'s> {
        Chars { rest: self.raw.chars() }
    }

    /// Reads decimal digits and nothing else, up to the largest signed 64-bit number.
    pub(crate) fn decimal(&self) -> Option<u64> {
        let mut value = None;
        for digit in self.chars() {
            let digit = u64::from(digit.to_digit(10)?);
            value = Some(value.unwrap_or(0_u64).checked_mul(10)?.checked_add(digit)?);
        }
        value.filter(|&value| i64::try_from(value).is_ok())
    }

    /// Returns the length of the text in bytes of UTF-8. It is at most that of [`raw`](Self::raw).
    ///
    /// O(1) without escapes, else O(length).
    #[must_use]
    pub fn unescaped_len(&self) -> usize {
        match self.as_str() {
            Some(plain) => plain.len(),
            None => self.chars().fold(0, |len, letter| len.saturating_add(letter.len_utf8())),
        }
    }

    /// Copies the text to the front of `dst` and returns it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`], with the size needed, if `dst` is shorter than
    /// [`unescaped_len`](Self::unescaped_len); `dst` is then untouched.
    ///
    /// # Examples
    ///
    /// ```
    /// # use puffin_codec::puffin::PuffinFile;
    /// let bytes = b"PFA1PFA1{\"blobs\":[],\"properties\":{\"k\":\"\\u00e9\"}}\x28\0\0\0\0\0\0\0PFA1";
    /// let metadata = PuffinFile::parse(bytes)?.metadata(&mut [])?;
    /// let value = metadata.property("k").unwrap();
    ///
    /// let mut buffer = [0; 8];
    /// assert_eq!(value.unescape_into(&mut buffer)?, "é");
    /// assert_eq!(value.unescape_into(&mut buffer[..1]).unwrap_err().found(), 2);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn unescape_into<'d>(&self, dst: &'d mut [u8]) -> Result<&'d str> {
        let need = self.unescaped_len();
        let dst = dst.get_mut(..need).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, need as u64))?;
        match self.as_str() {
            Some(plain) => dst.copy_from_slice(plain.as_bytes()),
            None => {
                let mut utf8 = [0; 4];
                let mut slots = dst.iter_mut();
                for letter in self.chars() {
                    for (&byte, slot) in letter.encode_utf8(&mut utf8).as_bytes().iter().zip(&mut slots) {
                        *slot = byte;
                    }
                }
            }
        }
        str::from_utf8(dst).map_err(|_| Error::new(ErrorKind::Internal, 0, 0))
    }
}

impl PartialEq<str> for JsonStr<'_> {
    fn eq(&self, other: &str) -> bool {
        if !self.escaped {
            return self.raw == other;
        }
        // Unescaping never lengthens, so a longer text is another one without a look at the escapes.
        other.len() <= self.raw.len() && self.chars().eq(other.chars())
    }
}

impl PartialEq<&str> for JsonStr<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq for JsonStr<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_str(), other.as_str()) {
            (_, Some(plain)) => self == plain,
            (Some(plain), None) => other == plain,
            (None, None) => self.raw == other.raw || self.chars().eq(other.chars()),
        }
    }
}

impl Eq for JsonStr<'_> {}

impl Ord for JsonStr<'_> {
    /// Orders by the texts that the strings stand for.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.as_str(), other.as_str()) {
            (Some(plain), Some(other)) => plain.cmp(other),
            _ => self.chars().cmp(other.chars()),
        }
    }
}

impl PartialOrd for JsonStr<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for JsonStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(plain) => f.write_str(plain),
            None => self.chars().try_for_each(|letter| f.write_char(letter)),
        }
    }
}

impl fmt::Debug for JsonStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.raw)
    }
}

/// Characters of a [`JsonStr`], unescaped. Made by [`JsonStr::chars`].
#[derive(Clone, Debug)]
pub struct Chars<'s> {
    rest: str::Chars<'s>,
}

impl Chars<'_> {
    /// Reads what follows a backslash. The string has been checked, so every half of a pair has its other half.
    fn escape(&mut self) -> Option<char> {
        Some(match self.rest.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let unit = self.code_unit()?;
                let scalar = match unit {
                    0xd800..0xdc00 => {
                        let low = self.rest.nth(1).and_then(|_| self.code_unit())?;
                        0x1_0000 + ((unit & 0x3ff) << 10 | low & 0x3ff)
                    }
                    _ => unit,
                };
                char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            itself => itself,
        })
    }

    /// Reads four hexadecimal digits.
    fn code_unit(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |unit, _| Some(unit << 4 | self.rest.next()?.to_digit(16)?))
    }
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self.rest.next()? {
            '\\' => self.escape(),
            itself => Some(itself),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The longest way to write one character is a surrogate pair: twelve bytes.
        let bytes = self.rest.as_str().len();
        (bytes.div_ceil(12), Some(bytes))
    }
}

impl FusedIterator for Chars<'_> {}

#[cfg(test)]
mod tests {
    use std::{format, string::String};

    use super::*;

    fn plain(raw: &str) -> JsonStr<'_> {
        JsonStr::new(raw, false)
    }

    fn escaped(raw: &str) -> JsonStr<'_> {
        JsonStr::new(raw, true)
    }

    #[test]
    fn every_escape_stands_for_its_character() {
        let all = escaped(r#"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\uDE00\u0000é"#);
        let text = "\"\\/\u{8}\u{c}\n\r\tAé€😀\0é";
        assert_eq!(all.chars().collect::<String>(), text);
        assert_eq!(all, text);
        assert_eq!(format!("{all}"), text);
        assert_eq!(all.unescaped_len(), text.len());
        let mut buffer = [b'x'; 64];
        assert_eq!(all.unescape_into(&mut buffer), Ok(text));
        assert_eq!(buffer[text.len()], b'x');
    }

    #[test]
    fn equality_sees_through_escapes_both_ways() {
        assert_eq!(escaped(r"a\/b"), "a/b");
        assert_eq!(escaped(r"a\/b"), plain("a/b"));
        assert_eq!(plain("a/b"), escaped(r"\u0061/b"));
        assert_eq!(escaped(r"a\/b"), escaped(r"\u0061/b"));
        assert_ne!(escaped(r"a\/b"), r"a\/b");
        assert_ne!(escaped(r"a\/b"), "a/");
        assert_ne!(escaped(r"a\/b"), "a/bc");
        assert_ne!(escaped(r"a\\n"), escaped(r"a\n"));
        assert_ne!(plain("a"), "");
        assert!(escaped(r"\u0062") > plain("a") && escaped(r"\u0062") < escaped(r"\u0063") && plain("b") < plain("ba"));
        assert_eq!(plain(""), "");
    }

    #[test]
    fn a_short_buffer_is_left_alone() {
        for string in [plain("abc"), escaped(r"a\u0062c")] {
            let mut buffer = [7; 2];
            assert_eq!(string.unescape_into(&mut buffer), Err(Error::new(ErrorKind::BufferTooSmall, 0, 3)));
            assert_eq!(buffer, [7; 2]);
        }
        assert_eq!(plain("").unescape_into(&mut []), Ok(""));
    }

    #[test]
    fn hints_bound_the_count_and_debug_shows_the_writing() {
        for string in [plain("é😀"), escaped(r"\ud83d\ude00\n"), plain("")] {
            let (low, high) = string.chars().size_hint();
            let count = string.chars().count();
            assert!(low <= count && count <= high.unwrap(), "{string:?}");
        }
        assert_eq!(format!("{:?}", escaped(r"a\u0000")), r#""a\u0000""#);
    }
}
