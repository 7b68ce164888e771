//! The structural pass: one look at every byte, after which the text is one valid JSON object.

use super::{Value, names::Names, scan::plain_end, string::JsonStr};
use crate::{
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

/// One member of the outermost object.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::puffin) struct Member<'s> {
    pub(in crate::puffin) name: JsonStr<'s>,
    pub(in crate::puffin) value: Value<'s>,
}

/// Checks that `text` is one JSON object with nothing but whitespace around it, and calls `member` for each member of
/// that object, in order.
///
/// Members come before the text behind them is checked: they mean nothing until the whole call succeeds.
///
/// O(length), without recursion: which of the open brackets are objects is a stack of bits. Telling names apart has a
/// constant factor that [`Names`] states.
pub(in crate::puffin) fn check<'s>(text: &'s str, limits: &Limits, mut member: impl FnMut(Member<'s>)) -> Result<()> {
    let bytes = text.as_bytes();
    let mut names = Names::new(limits);
    let mut nesting = Nesting { objects: 0, depth: 0, limit: limits.json_depth.min(Limits::MAX_JSON_DEPTH) };
    let mut outer = Member::default();

    let mut at = whitespace(bytes, 0);
    match bytes.get(at) {
        Some(b'{') => {}
        Some(&byte @ (b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')) => {
            return Err(Error::new(ErrorKind::WrongType, at, u64::from(byte)));
        }
        _ => return Err(unexpected(bytes, at)),
    }
    loop {
        // A value starts here, in an object its name.
        at = whitespace(bytes, at);
        if nesting.in_object() {
            at = name(text, at, &nesting, &mut names, &mut outer.name)?;
        }
        if nesting.depth == 1 {
            outer.value = Value { text: "", offset: at, items: 0 };
        }
        at = match bytes.get(at) {
            Some(b'"') => string_end(bytes, at.saturating_add(1))?.0.saturating_add(1),
            Some(b'-' | b'0'..=b'9') => number_end(bytes, at)?,
            Some(b'{') => {
                names.open(nesting.depth);
                nesting.open(true, at)?;
                let first = whitespace(bytes, at.saturating_add(1));
                if bytes.get(first) != Some(&b'}') {
                    at = first;
                    continue;
                }
                nesting.close();
                names.close(nesting.depth);
                first.saturating_add(1)
            }
            Some(b'[') => {
                nesting.open(false, at)?;
                let first = whitespace(bytes, at.saturating_add(1));
                if bytes.get(first) != Some(&b']') {
                    at = first;
                    continue;
                }
                nesting.close();
                first.saturating_add(1)
            }
            Some(b't') => literal_end(bytes, at, b"true")?,
            Some(b'f') => literal_end(bytes, at, b"false")?,
            Some(b'n') => literal_end(bytes, at, b"null")?,
            _ => return Err(unexpected(bytes, at)),
        };
        // A value ended here, and with it perhaps the arrays and objects it is the last of.
        loop {
            match nesting.depth {
                0 => return end_of_text(bytes, at),
                1 => {
                    outer.value.text =
                        text.get(outer.value.offset..at).ok_or(Error::new(ErrorKind::Internal, at, 0))?;
                    member(outer);
                }
                2 => outer.value.items = outer.value.items.saturating_add(1),
                _ => {}
            }
            at = whitespace(bytes, at);
            match (bytes.get(at), nesting.in_object()) {
                (Some(b','), _) => break,
                (Some(b'}'), true) => {
                    nesting.close();
                    names.close(nesting.depth);
                }
                (Some(b']'), false) => nesting.close(),
                _ => return Err(unexpected(bytes, at)),
            }
            at = at.saturating_add(1);
        }
        at = at.saturating_add(1);
    }
}

/// The open brackets, innermost in the lowest bit: 1 for an object, 0 for an array.
struct Nesting {
    objects: u128,
    depth: u8,
    limit: u8,
}

const _: () = assert!(Limits::MAX_JSON_DEPTH as u32 <= u128::BITS);

impl Nesting {
    fn open(&mut self, object: bool, at: usize) -> Result<()> {
        if self.depth >= self.limit {
            return Err(Error::new(ErrorKind::JsonTooDeep, at, u64::from(self.limit)));
        }
        self.depth = self.depth.saturating_add(1);
        self.objects = self.objects << 1 | u128::from(object);
        Ok(())
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.objects >>= 1;
    }

    fn in_object(&self) -> bool {
        self.objects & 1 != 0
    }
}

/// Reads a name and the colon behind it; returns where the value starts. `outer` receives a name of the outermost
/// object.
#[inline]
fn name<'s>(text: &'s str, at: usize, nesting: &Nesting, names: &mut Names, outer: &mut JsonStr<'s>) -> Result<usize> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'"') {
        return Err(unexpected(bytes, at));
    }
    // Depths 1 and 2 are counted, member by member.
    let end = match names.follow(text, at, nesting.depth, nesting.depth > 2) {
        // The outermost object, the first of all, has none to follow.
        Some(end) => end,
        None => {
            let start = at.saturating_add(1);
            let (quote, escaped) = string_end(bytes, start)?;
            let end = quote.saturating_add(1);
            let raw = text.get(start..quote).ok_or(Error::new(ErrorKind::Internal, start, 0))?;
            let name = JsonStr::new(raw, escaped);
            names.add(text, at, end, name, nesting.depth)?;
            if nesting.depth == 1 {
                *outer = name;
            }
            end
        }
    };
    let colon = whitespace(bytes, end);
    match bytes.get(colon) {
        Some(b':') => Ok(whitespace(bytes, colon.saturating_add(1))),
        _ => Err(unexpected(bytes, colon)),
    }
}

/// Returns where the closing quote of the string is whose content starts at `at`, and whether it holds an escape.
#[inline]
fn string_end(bytes: &[u8], at: usize) -> Result<(usize, bool)> {
    let mut at = plain_end(bytes, at);
    let mut escaped = false;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok((at, escaped)),
            Some(b'\\') => at = plain_end(bytes, escape_end(bytes, at)?),
            _ => return Err(unexpected(bytes, at)),
        }
        escaped = true;
    }
}

/// Checks `text` as the content of a string, without its quotes, and returns whether it holds an escape.
pub(super) fn content(text: &str) -> Result<bool> {
    let bytes = text.as_bytes();
    let (mut at, mut escaped) = (plain_end(bytes, 0), false);
    while at < bytes.len() {
        match bytes.get(at) {
            Some(b'\\') => at = plain_end(bytes, escape_end(bytes, at)?),
            _ => return Err(unexpected(bytes, at)),
        }
        escaped = true;
    }
    Ok(escaped)
}

/// Returns the end of the escape whose backslash is at `at`; of both escapes, if it is a surrogate pair.
fn escape_end(bytes: &[u8], at: usize) -> Result<usize> {
    let letter = at.saturating_add(1);
    match bytes.get(letter) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(letter.saturating_add(1)),
        Some(b'u') => {
            let unit = code_unit(bytes, letter.saturating_add(1))?;
            let end = letter.saturating_add(5);
            match unit {
                0xd800..0xdc00 if low_half(bytes, end)? => Ok(end.saturating_add(6)),
                0xd800..0xe000 => Err(Error::new(ErrorKind::BadEscape, at, u64::from(unit))),
                _ => Ok(end),
            }
        }
        Some(&byte) => Err(Error::new(ErrorKind::BadEscape, letter, u64::from(byte))),
        None => Err(unexpected(bytes, letter)),
    }
}

/// Returns whether the second half of a surrogate pair is at `at`.
fn low_half(bytes: &[u8], at: usize) -> Result<bool> {
    for (at, wanted) in (at..).zip(*b"\\u") {
        match bytes.get(at) {
            Some(&byte) if byte == wanted => {}
            Some(_) => return Ok(false),
            None => return Err(unexpected(bytes, at)),
        }
    }
    Ok(matches!(code_unit(bytes, at.saturating_add(2))?, 0xdc00..0xe000))
}

/// Reads the four hexadecimal digits at `at`.
fn code_unit(bytes: &[u8], at: usize) -> Result<u32> {
    (at..at.saturating_add(4)).try_fold(0, |unit, at| match bytes.get(at) {
        Some(&byte) => match char::from(byte).to_digit(16) {
            Some(digit) => Ok(unit << 4 | digit),
            None => Err(Error::new(ErrorKind::BadEscape, at, u64::from(byte))),
        },
        None => Err(unexpected(bytes, at)),
    })
}

/// Returns the end of the number at `at`: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
fn number_end(bytes: &[u8], at: usize) -> Result<usize> {
    let mut at = if bytes.get(at) == Some(&b'-') { at.saturating_add(1) } else { at };
    at = match bytes.get(at) {
        Some(b'0') => at.saturating_add(1),
        _ => digits_end(bytes, at)?,
    };
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at.saturating_add(1))?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at = at.saturating_add(1);
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at = at.saturating_add(1);
        }
        at = digits_end(bytes, at)?;
    }
    Ok(at)
}

/// Returns the end of the digits at `at`, of which there must be one.
fn digits_end(bytes: &[u8], at: usize) -> Result<usize> {
    let mut end = at;
    while let Some(b'0'..=b'9') = bytes.get(end) {
        end = end.saturating_add(1);
    }
    if end == at { Err(unexpected(bytes, at)) } else { Ok(end) }
}

fn literal_end(bytes: &[u8], at: usize, literal: &[u8]) -> Result<usize> {
    let given = bytes.get(at..).unwrap_or_default();
    match given.iter().zip(literal).take_while(|(given, wanted)| given == wanted).count() {
        same if same == literal.len() => Ok(at.saturating_add(same)),
        same => Err(unexpected(bytes, at.saturating_add(same))),
    }
}

fn whitespace(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at = at.saturating_add(1);
    }
    at
}

fn end_of_text(bytes: &[u8], at: usize) -> Result<()> {
    let end = whitespace(bytes, at);
    match bytes.len().saturating_sub(end) {
        0 => Ok(()),
        left => Err(Error::new(ErrorKind::TrailingBytes, end, left as u64)),
    }
}

/// What stands at `at` has no place there: a byte, or 256 for the end of the text.
fn unexpected(bytes: &[u8], at: usize) -> Error {
    Error::new(ErrorKind::BadJson, at.min(bytes.len()), bytes.get(at).map_or(256, |&byte| u64::from(byte)))
}
