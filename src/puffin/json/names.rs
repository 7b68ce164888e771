//! Names of the objects that are open, to see a repeated one.

use super::{cursor::skip_string, string::JsonStr};
use crate::{
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

const CAPACITY: usize = Limits::MAX_JSON_MEMBERS as usize;
const DEPTH: usize = Limits::MAX_JSON_DEPTH as usize;

/// A stack of the names read so far in every object that is still open.
///
/// Names are compared by a fingerprint of their unescaped bytes, and only on equal fingerprints byte by byte. So a
/// name costs one comparison of words for each earlier name of its object; the worst a hostile text can reach, with
/// fingerprints made equal by design, is half of [`Limits::json_members`] readings of each name.
pub(super) struct Names {
    fingerprints: [u32; CAPACITY],
    /// Offset in the text of each name's first byte.
    starts: [usize; CAPACITY],
    /// How many names are open.
    len: usize,
    /// Where the names of the innermost object start.
    base: usize,
    /// `base` of the enclosing objects, by depth.
    bases: [usize; DEPTH],
    members: usize,
}

impl Names {
    pub(super) fn new(limits: &Limits) -> Self {
        let members = usize::from(limits.json_members).min(CAPACITY);
        Self { fingerprints: [0; CAPACITY], starts: [0; CAPACITY], len: 0, base: 0, bases: [0; DEPTH], members }
    }

    /// Starts an object. `depth` counts the arrays and objects around it.
    pub(super) fn open(&mut self, depth: u8) {
        if let Some(base) = self.bases.get_mut(usize::from(depth)) {
            *base = self.base;
        }
        self.base = self.len;
    }

    /// Ends the innermost object, which [`open`](Self::open) started at the same `depth`.
    pub(super) fn close(&mut self, depth: u8) {
        self.len = self.base;
        self.base = self.bases.get(usize::from(depth)).copied().unwrap_or_default();
    }

    /// Adds the name of the innermost object whose content starts at `start` in `text`.
    pub(super) fn add(&mut self, text: &str, start: usize, name: JsonStr<'_>) -> Result<()> {
        let quote = start.saturating_sub(1);
        if self.len.saturating_sub(self.base) >= self.members {
            return Err(Error::new(ErrorKind::TooManyMembers, quote, self.members as u64));
        }
        let fingerprint = fingerprint(name);
        let earlier = self.fingerprints.get(self.base..self.len).unwrap_or_default();
        for (&other, &other_start) in earlier.iter().zip(self.starts.get(self.base..self.len).unwrap_or_default()) {
            if other == fingerprint && name == name_at(text, other_start) {
                return Err(Error::new(ErrorKind::DuplicateName, quote, 0));
            }
        }
        match (self.fingerprints.get_mut(self.len), self.starts.get_mut(self.len)) {
            (Some(fingerprint_slot), Some(start_slot)) => {
                *fingerprint_slot = fingerprint;
                *start_slot = start;
            }
            _ => return Err(Error::new(ErrorKind::TooManyMembers, quote, CAPACITY as u64)),
        }
        self.len = self.len.saturating_add(1);
        Ok(())
    }
}

/// Returns the name whose content starts at `start`, one that [`Names::add`] was given before.
fn name_at(text: &str, start: usize) -> JsonStr<'_> {
    skip_string(text.as_bytes(), start)
        .and_then(|(end, escaped)| text.get(start..end).map(|raw| JsonStr::new(raw, escaped)))
        .unwrap_or_default()
}

/// Mixes the unescaped bytes of a name, eight at a time.
fn fingerprint(name: JsonStr<'_>) -> u32 {
    let mut state = Fingerprint::default();
    match name.as_str() {
        Some(plain) => {
            let (words, rest) = plain.as_bytes().as_chunks();
            for &word in words {
                state.word(u64::from_le_bytes(word));
            }
            let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            state.finish(last, plain.len())
        }
        None => {
            let (mut word, mut len) = (0, 0_usize);
            let mut utf8 = [0; 4];
            for letter in name.chars() {
                for &byte in letter.encode_utf8(&mut utf8).as_bytes() {
                    word |= u64::from(byte) << (len % 8 * 8);
                    len = len.saturating_add(1);
                    if len % 8 == 0 {
                        state.word(word);
                        word = 0;
                    }
                }
            }
            state.finish(word, len)
        }
    }
}

#[derive(Default)]
struct Fingerprint(u64);

impl Fingerprint {
    fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }

    fn finish(mut self, last: u64, len: usize) -> u32 {
        self.word(last);
        self.word(len as u64);
        (self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_of_the_unescaped_bytes() {
        for (plain, escaped) in [
            ("", ""),
            ("offset", r"\u006ff\u0066set"),
            ("12345678", r"1234567\u0038"),
            ("snapshot-id/é😀", r"snapshot-id\/\u00e9\ud83d\ude00"),
        ] {
            assert_eq!(fingerprint(JsonStr::new(plain, false)), fingerprint(JsonStr::new(escaped, true)), "{plain}");
        }
        assert_ne!(fingerprint(JsonStr::new("a", false)), fingerprint(JsonStr::new("a\0", false)));
    }

    #[test]
    fn names_of_a_closed_object_are_forgotten() {
        let text = r#"{"a":{"a":1},"b":{"a":2}}"#;
        let mut names = Names::new(&Limits::DEFAULT);
        let name = |start| JsonStr::new(text.get(start..start + 1).unwrap(), false);
        names.open(0);
        names.add(text, 2, name(2)).unwrap();
        names.open(1);
        names.add(text, 7, name(7)).unwrap();
        names.close(1);
        names.add(text, 14, name(14)).unwrap();
        let again = names.add(text, 19, name(19)).unwrap_err();
        assert_eq!((again.kind(), again.offset()), (ErrorKind::DuplicateName, 18));
    }
}
