//! Names of the objects that are open, to see a repeated one.

use super::{
    scan::{common_prefix, skip_string},
    string::JsonStr,
};
use crate::{
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

const CAPACITY: usize = Limits::MAX_JSON_MEMBERS as usize;
const DEPTH: usize = Limits::MAX_JSON_DEPTH as usize;

/// A stack of the names read so far in every object that is still open.
///
/// Names are compared by a fingerprint of their unescaped bytes, and only on equal fingerprints character by character.
/// So a name costs one comparison of words for each earlier name of its object; the worst a hostile text can reach,
/// with fingerprints made equal by design, is half of [`Limits::json_members`] readings of each name.
///
/// The objects of one array mostly have the same names in the same order. A closed object leaves its names above the
/// top of the stack, each marked with its owner. The next object *follows* that owner for as long as it has the same
/// names, as written: names that were distinct there are distinct here, so neither fingerprint nor comparison with
/// the others is needed. At the first other name the object takes the names so far over, and is on its own.
///
/// Mostly even the first few values are the same, as written. What was valid there is valid here, if it is not nested
/// deeper, and the pass goes on behind the last name before the first difference.
pub(super) struct Names {
    slots: [Slot; CAPACITY],
    /// How many names are open.
    len: usize,
    innermost: Object,
    /// The objects around the innermost, by depth.
    outer: [Object; DEPTH],
    members: usize,
}

/// How far an object is compared with the one it follows. It bounds what comparing in vain costs per object.
const COMPARED: usize = 256;

#[derive(Clone, Copy, Default)]
struct Slot {
    /// Where the name stood last, as its opening quote.
    start: u32,
    /// Which object it stood in, as the opening quote of that object's first name.
    origin: u32,
    /// Which object's names this one was distinct from, likewise.
    owner: u32,
    /// Length in the text, quotes included; 0 in a slot never filled, and for names of 64 KiB or more.
    len: u16,
    fingerprint: u8,
    /// Depth of the object it stood in.
    depth: u8,
}

const _: () = assert!(size_of::<Slot>() == 16);

#[derive(Clone, Copy, Default)]
struct Object {
    /// The object that it follows, or itself, as the opening quote of the first name.
    owner: u32,
    /// The opening quote of its own first name.
    origin: u32,
    /// Which slot its names start at.
    base: u16,
}

impl Names {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            slots: [Slot::default(); CAPACITY],
            len: 0,
            innermost: Object::default(),
            outer: [Object::default(); DEPTH],
            members: usize::from(limits.json_members).min(CAPACITY),
        }
    }

    /// Starts an object. `depth` counts the arrays and objects around it.
    pub(super) fn open(&mut self, depth: u8) {
        if let Some(outer) = self.outer.get_mut(usize::from(depth)) {
            *outer = self.innermost;
        }
        // At most CAPACITY, which fits.
        let base = u16::try_from(self.len).unwrap_or(u16::MAX);
        self.innermost = Object { owner: 0, origin: 0, base };
    }

    /// Ends the innermost object, which [`open`](Self::open) started at the same `depth`.
    pub(super) fn close(&mut self, depth: u8) {
        self.len = usize::from(self.innermost.base);
        self.innermost = self.outer.get(usize::from(depth)).copied().unwrap_or_default();
    }

    /// Adds the name whose opening quote is at `start`, if it is the next of the owner that the innermost object
    /// follows. Returns where it ends, quote included.
    ///
    /// With `leap`, an object's first name may bring more names with it, and the values between them: then this is the
    /// end of the last. `depth` is that of the object.
    #[inline]
    pub(super) fn follow(&mut self, text: &str, start: usize, depth: u8, leap: bool) -> Option<usize> {
        let first = self.len == usize::from(self.innermost.base);
        let slot = self.slots.get_mut(self.len)?;
        let there = *slot;
        if !first && (there.owner != self.innermost.owner || there.owner == self.innermost.origin) {
            return None;
        }
        let here = text.as_bytes().get(start..)?;
        let before = text.as_bytes().get(usize_of(there.start)..)?;
        if there.len == 0 || !here.starts_with(before.get(..usize::from(there.len))?) {
            return None;
        }
        let start_here = u32::try_from(start).ok()?;
        if first {
            self.innermost = Object { owner: there.owner, origin: start_here, ..self.innermost };
        }
        let origin = self.innermost.origin;
        *slot = Slot { start: start_here, origin, depth, ..there };
        self.len = self.len.saturating_add(1);
        let mut end = usize::from(there.len);
        if first && leap && there.depth >= depth {
            let same = common_prefix(here, before.get(..COMPARED).unwrap_or(before));
            while let Some(slot) = self.slots.get_mut(self.len) {
                let ahead = slot.start.saturating_sub(there.start);
                let next_end = usize_of(ahead).saturating_add(usize::from(slot.len));
                if slot.origin != there.origin || slot.len == 0 || next_end > same {
                    break;
                }
                *slot = Slot { start: start_here.saturating_add(ahead), origin, depth, ..*slot };
                self.len = self.len.saturating_add(1);
                end = next_end;
            }
        }
        Some(start.saturating_add(end))
    }

    /// Adds the name that stands at `start..end` in `text`, quotes included, to an object of that depth.
    pub(super) fn add(&mut self, text: &str, start: usize, end: usize, name: JsonStr<'_>, depth: u8) -> Result<()> {
        let base = usize::from(self.innermost.base);
        if self.len.saturating_sub(base) >= self.members {
            return Err(Error::new(ErrorKind::TooManyMembers, start, self.members as u64));
        }
        // Offsets are kept in 32 bits; a stored payload cannot be longer, a decoded one could.
        let start_here =
            u32::try_from(start).map_err(|_| Error::new(ErrorKind::DecodedLenExceeded, start, text.len() as u64))?;
        let names = self.slots.get_mut(base..self.len).unwrap_or_default();
        let fingerprint = fingerprint(name);
        if names.iter().any(|other| other.fingerprint == fingerprint && other.name(text) == name) {
            return Err(Error::new(ErrorKind::DuplicateName, start, 0));
        }
        if names.is_empty() {
            self.innermost.origin = start_here;
        }
        let origin = self.innermost.origin;
        if self.innermost.owner != origin {
            self.innermost.owner = origin;
            for name in names {
                name.owner = origin;
            }
        }
        let slot = self.slots.get_mut(self.len).ok_or(Error::new(ErrorKind::TooManyMembers, start, CAPACITY as u64))?;
        let len = u16::try_from(end.saturating_sub(start)).unwrap_or(0);
        *slot = Slot { start: start_here, origin, owner: origin, len, fingerprint, depth };
        self.len = self.len.saturating_add(1);
        Ok(())
    }
}

impl Slot {
    fn name<'s>(&self, text: &'s str) -> JsonStr<'s> {
        let start = usize_of(self.start).saturating_add(1);
        match skip_string(text.as_bytes(), start) {
            Some((end, escaped)) => JsonStr::new(text.get(start..end).unwrap_or_default(), escaped),
            None => JsonStr::default(),
        }
    }
}

/// An offset in the text, which is in memory.
fn usize_of(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Mixes the unescaped bytes of a name, eight at a time.
fn fingerprint(name: JsonStr<'_>) -> u8 {
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

    fn finish(mut self, last: u64, len: usize) -> u8 {
        self.word(last);
        self.word(len as u64);
        (self.0 >> 56) as u8
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

    /// Adds the names of one object, each a letter of `letters`; returns how many were followed.
    fn object(names: &mut Names, text: &str, letters: core::ops::Range<usize>) -> Result<usize> {
        let mut followed = 0;
        for start in letters.map(|index| index * 3) {
            match names.follow(text, start, 1, false) {
                Some(end) => {
                    assert_eq!(end, start + 3);
                    followed += 1;
                }
                None => names.add(
                    text,
                    start,
                    start + 3,
                    JsonStr::new(text.get(start + 1..start + 2).unwrap(), false),
                    1,
                )?,
            }
        }
        Ok(followed)
    }

    #[test]
    fn names_of_a_closed_object_are_forgotten_and_followed() {
        let text = r#""a""b""a""b""c""a""a""#;
        let mut names = Names::new(&Limits::DEFAULT);
        names.open(0);
        assert_eq!(object(&mut names, text, 0..2), Ok(0));
        names.close(0);
        names.open(0);
        assert_eq!(object(&mut names, text, 2..5), Ok(2));
        let again = object(&mut names, text, 5..6).unwrap_err();
        assert_eq!((again.kind(), again.offset()), (ErrorKind::DuplicateName, 15));
    }

    #[test]
    fn a_leap_stays_inside_the_text_of_one_object() {
        // The second object leaves the place of b in the first; the third must not look for it behind its own a.
        let text = r#"{"a":1,"b":2},{"a":1},{"a":1,"b":2},{"a":1,"b":3}]}    "#;
        let mut names = Names::new(&Limits::DEFAULT);
        let mut ends = std::vec::Vec::new();
        for starts in [&[1, 7][..], &[15], &[23, 29], &[37]] {
            names.open(2);
            for &start in starts {
                ends.push(names.follow(text, start, 3, true));
                if ends.last() == Some(&None) {
                    let name = JsonStr::new(text.get(start + 1..start + 2).unwrap(), false);
                    names.add(text, start, start + 3, name, 3).unwrap();
                }
            }
            names.close(2);
        }
        // The last brings both of its names at once.
        assert_eq!(ends, [None, None, Some(18), Some(26), Some(32), Some(46)]);
    }

    #[test]
    fn only_names_of_one_object_are_followed() {
        // {a, c}, {c}, then {c, c}: the second c must not be taken for the one that came after a.
        let text = r#""a""c""c""c""c""#;
        let mut names = Names::new(&Limits::DEFAULT);
        for (letters, followed) in [(0..2, 0), (2..3, 0)] {
            names.open(0);
            assert_eq!(object(&mut names, text, letters), Ok(followed));
            names.close(0);
        }
        names.open(0);
        assert_eq!(object(&mut names, text, 3..5).unwrap_err().kind(), ErrorKind::DuplicateName);

        // {a, b: {a}}, then {a, b, a}: nor for the one that was nested.
        let text = r#""a""b""a""a""b""a""#;
        let mut names = Names::new(&Limits::DEFAULT);
        names.open(0);
        object(&mut names, text, 0..2).unwrap();
        names.open(1);
        object(&mut names, text, 2..3).unwrap();
        names.close(1);
        names.close(0);
        names.open(0);
        assert_eq!(object(&mut names, text, 3..6).unwrap_err().kind(), ErrorKind::DuplicateName);
    }
}
