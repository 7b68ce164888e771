//! Properties over generated and mutated inputs, with `serde_json` as the second opinion.

use std::string::ToString;

use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;
use crate::{
    limits::Limits,
    puffin::{
        FooterLocation, Tail,
        json::{Cursor, Member, check},
    },
};

/// One of a few texts.
fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    proptest::sample::select(texts).prop_map(String::from)
}

fn space() -> impl Strategy<Value = String> + Clone {
    one_of(&["", "", "", " ", "\n", "\t\r "])
}

fn string() -> impl Strategy<Value = String> {
    let escape = one_of(&[
        r#"\""#,
        r"\\",
        r"\/",
        r"\b",
        r"\f",
        r"\n",
        r"\r",
        r"\t",
        r"\u0061",
        r"\u00e9",
        r"\ud83d\ude00",
        r"\u0000",
    ]);
    let itself = any::<char>().prop_map(|c| String::from(if c < ' ' || c == '"' || c == '\\' { '_' } else { c }));
    let letter = prop_oneof![3 => "[a-z]", 1 => escape, 1 => itself];
    proptest::collection::vec(letter, 0..12).prop_map(|letters| format!("\"{}\"", letters.concat()))
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let member =
        (string(), space(), space(), value).prop_map(|(name, a, b, value)| format!("{a}{name}{b}:{b}{value}{a}"));
    (space(), proptest::collection::vec(member, 0..6))
        .prop_map(|(space, members)| format!("{{{space}{}}}", members.join(",")))
}

fn array(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (space(), proptest::collection::vec(value, 0..6))
        .prop_map(|(space, items)| format!("[{space}{}{space}]", items.join(&format!("{space},"))))
}

/// JSON texts of objects, with whitespace and escapes strewn in.
fn object_text() -> impl Strategy<Value = String> {
    let number = r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?";
    let leaf = prop_oneof![string(), number, one_of(&["true", "false", "null"])];
    let value = leaf.prop_recursive(5, 40, 6, |inner| prop_oneof![array(inner.clone()), object(inner)]);
    (space(), object(value), space()).prop_map(|(a, object, b)| format!("{a}{object}{b}"))
}

/// Says whether any object of a text that `serde_json` reads has a name twice.
fn has_duplicates(text: &str) -> bool {
    struct Unique;
    impl<'de> serde::de::DeserializeSeed<'de> for Unique {
        type Value = bool;
        fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
            deserializer.deserialize_any(self)
        }
    }
    impl<'de> serde::de::Visitor<'de> for Unique {
        type Value = bool;
        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("any JSON")
        }
        fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
            Ok(false)
        }
        fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
            Ok(false)
        }
        fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
            Ok(false)
        }
        fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
            Ok(false)
        }
        fn visit_str<E>(self, _: &str) -> Result<bool, E> {
            Ok(false)
        }
        fn visit_unit<E>(self) -> Result<bool, E> {
            Ok(false)
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
            let mut found = false;
            while let Some(inside) = items.next_element_seed(Self)? {
                found |= inside;
            }
            Ok(found)
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut members: A) -> Result<bool, A::Error> {
            let (mut found, mut names) = (false, std::collections::HashSet::new());
            while let Some(name) = members.next_key::<String>()? {
                found |= !names.insert(name) | members.next_value_seed(Self)?;
            }
            Ok(found)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde::de::DeserializeSeed::deserialize(Unique, &mut deserializer).unwrap()
}

fn accepts(text: &str) -> Result<(), Error> {
    check(text, &Limits::DEFAULT, |_| ())
}

/// What `serde_json` says of a text: not an object, an object, an object with a name twice.
fn agrees_with_serde(text: &str) -> Result<(), TestCaseError> {
    let ours = accepts(text).map_err(Error::kind);
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        // `IgnoredAny` does not look at surrogates or ranges of numbers: both say what the grammar says.
        Err(_) => prop_assert!(ours.is_err(), "{text}"),
        Ok(_) if !text.trim_start().starts_with('{') => prop_assert_eq!(ours, Err(ErrorKind::WrongType), "{}", text),
        Ok(_) => match serde_json::from_str::<Json>(text) {
            Ok(_) if has_duplicates(text) => prop_assert_eq!(ours, Err(ErrorKind::DuplicateName), "{}", text),
            Ok(_) => prop_assert_eq!(ours, Ok(()), "{}", text),
            // The first fault of a text may be any of several; out of range is none to us.
            Err(error) => prop_assert!(
                match ours {
                    Ok(()) => error.to_string().contains("number out of range"),
                    Err(kind) => matches!(kind, ErrorKind::BadEscape | ErrorKind::DuplicateName),
                },
                "{ours:?}: {text}"
            ),
        },
    }
    Ok(())
}

/// Reads any value through the cursor, as `serde_json` would.
fn read(cursor: &mut Cursor<'_>) -> Json {
    match cursor.peek().unwrap() {
        b'"' => cursor.string().unwrap().to_string().into(),
        b'[' => {
            cursor.bracket();
            let mut items = Vec::new();
            while cursor.peek() != Some(b']') {
                items.push(read(cursor));
            }
            cursor.bracket();
            items.into()
        }
        b'{' => {
            cursor.bracket();
            let mut members = serde_json::Map::new();
            while let Some(name) = cursor.string() {
                members.insert(name.to_string(), read(cursor));
            }
            cursor.bracket();
            members.into()
        }
        _ => serde_json::from_str(cursor.skip().unwrap()).unwrap(),
    }
}

proptest! {
    #[test]
    fn generated_texts_are_judged_as_serde_json_does(text in object_text()) {
        agrees_with_serde(&text)?;
    }

    #[test]
    fn mutated_texts_are_judged_as_serde_json_does(
        text in object_text(),
        at in any::<prop::sample::Index>(),
        insert in proptest::sample::select(std::vec![
            "", "\"", "\\", "\\u", "\\ud800", "\\udc00", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", " ", "\u{1}", "é",
            "true", "null", "1", "\"a\":1,", "\u{feff}",
        ]),
        cut in 0_usize..3,
    ) {
        let mut letters: Vec<char> = text.chars().collect();
        let at = at.index(letters.len());
        let end = (at + cut).min(letters.len());
        letters.splice(at..end, insert.chars());
        let mutated: String = letters.into_iter().collect();
        agrees_with_serde(&mutated)?;
        agrees_with_serde(&format!("{{\"y\":[{text},{mutated},{text},{mutated},{mutated}]}}"))?;
    }

    #[test]
    fn repeated_objects_are_judged_as_serde_json_does(
        text in object_text(),
        names in proptest::collection::vec(proptest::collection::vec(("[abcd]", 0..9_u8), 0..5), 0..12),
    ) {
        let objects: Vec<_> = names.iter().map(|names| {
            let members: Vec<_> = names.iter().map(|(name, value)| match value {
                0 => format!("\"{name}\":{{\"{name}\":[]}}"),
                1 => format!("\"{name}\":12"),
                _ => format!("\"{name}\":0"),
            }).collect();
            format!("{{{}}}", members.join(","))
        }).collect();
        agrees_with_serde(&format!("{{\"x\":[{}],\"y\":[{text},{text}]}}", objects.join(",")))?;
        let mut entries = objects;
        entries.retain(|entry| !has_duplicates(entry));
        let repeated = [&entries[..], &entries, &entries].concat();
        let text = footer_json(&repeated);
        let mut count = None;
        check(&text, &Limits::DEFAULT, |member| count = Some(member.value.items)).unwrap();
        prop_assert_eq!(count, Some(repeated.len()), "{}", text);
    }

    #[test]
    fn what_is_accepted_reads_as_serde_json_reads_it(text in object_text()) {
        let mut members = serde_json::Map::new();
        let mut counts = Vec::new();
        let checked = check(&text, &Limits::DEFAULT, |Member { name, value }| {
            if let Ok(json) = serde_json::from_str::<Json>(value.text) {
                assert_eq!(&text[value.offset..value.offset + value.text.len()], value.text);
                counts.push(match &json {
                    Json::Array(items) => (items.len(), value.items),
                    Json::Object(members) => (members.len(), value.items),
                    _ => (0, value.items),
                });
                members.insert(name.to_string(), json);
            }
        });
        if let (Ok(()), Ok(theirs)) = (checked, serde_json::from_str::<Json>(&text)) {
            prop_assert_eq!(&Json::Object(members), &theirs);
            prop_assert!(counts.iter().all(|(theirs, ours)| theirs == ours), "{:?}", counts);
            let start = text.len() - text.trim_start().len();
            prop_assert_eq!(read(&mut crate::puffin::json::Value { text: &text[start..], offset: 0, items: 0 }.start()), theirs);
        }
    }

    #[test]
    fn strings_unescape_as_serde_json_unescapes_them(value in any::<String>(), all in any::<bool>()) {
        // The second writer escapes everything.
        let written = match all {
            false => serde_json::to_string(&value).unwrap(),
            true => format!("\"{}\"", value.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>()),
        };
        let text = format!("{{\"blobs\":[],\"properties\":{{\"k\":{written}}}}}");
        let bytes = file(b"", &text);
        let string = PuffinFile::parse(&bytes).unwrap().metadata(&mut []).unwrap().property("k").unwrap();
        prop_assert_eq!(string, &value[..]);
        prop_assert_eq!(string.to_string(), &value[..]);
        prop_assert_eq!(string.unescaped_len(), value.len());
        let mut buffer = std::vec![0; value.len()];
        prop_assert_eq!(string.unescape_into(&mut buffer).unwrap(), &value[..]);
        prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), value);
    }

    #[test]
    fn any_tail_of_any_file_gives_the_footer_of_the_whole(
        blobs in proptest::collection::vec(any::<u8>(), 0..64),
        payload in proptest::collection::vec(any::<u8>(), 0..64),
        first in any::<prop::sample::Index>(),
    ) {
        let bytes = file_with(&blobs, &payload, NOT_COMPRESSED);
        let whole = PuffinFile::parse(&bytes).unwrap().footer();
        let mut start = first.index(bytes.len() + 1);
        for _ in 0..3 {
            match FooterLocation::from_tail(&bytes[start..], bytes.len() as u64).unwrap() {
                Tail::Fetch(range) => start = usize::try_from(range.start).unwrap(),
                Tail::Footer(footer) => {
                    prop_assert_eq!(footer, whole);
                    return Ok(());
                }
            }
        }
        prop_assert!(false, "three fetches");
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80), flags in 0_u32..2) {
        let _ = PuffinFile::parse(&bytes);
        let bytes = file_with(b"", &bytes, flags);
        if let Ok(metadata) = PuffinFile::parse(&bytes).unwrap().metadata(&mut [0; 256]) {
            metadata.blobs().for_each(drop);
        }
    }
}
