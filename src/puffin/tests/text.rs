use super::*;
use crate::limits::Limits;

/// Puts a value where any JSON may stand, and returns the error with its offset in the value.
fn value_error(value: &[u8]) -> Option<(ErrorKind, u64, u64)> {
    const BEFORE: &[u8] = br#"{"blobs":[],"x":"#;
    let error = metadata_error(&[BEFORE, value, b"}"].concat())?;
    Some((error.kind(), error.offset().wrapping_sub(BEFORE.len() as u64), error.found()))
}

#[test]
fn values_of_every_shape_are_skipped() {
    for value in [
        "0",
        "-0",
        "10.50",
        "-1e9",
        "1E+2",
        "0.0e-0",
        "true",
        "false",
        "null",
        "\"\"",
        "[]",
        "{}",
        " [ ] ",
        "\t{\r\n} ",
        "[[],[[]],{}]",
        r#"{"a":{"a":{"a":[1,{"b":2}]}},"b":3}"#,
        r#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#,
        "\"\u{7f}é😀\"",
        "\"{[,:]}\"",
    ] {
        assert_eq!(value_error(value.as_bytes()), None, "{value}");
    }
}

#[test]
fn each_fault_of_the_grammar_has_its_place() {
    use ErrorKind::{BadEscape, BadJson};
    for (value, kind, offset, found) in [
        ("", BadJson, 0, b'}'.into()),
        ("01", BadJson, 1, b'1'.into()),
        ("-", BadJson, 1, b'}'.into()),
        ("-a", BadJson, 1, b'a'.into()),
        ("+1", BadJson, 0, b'+'.into()),
        (".5", BadJson, 0, b'.'.into()),
        ("1.", BadJson, 2, b'}'.into()),
        ("1.e1", BadJson, 2, b'e'.into()),
        ("1e", BadJson, 2, b'}'.into()),
        ("1e+", BadJson, 3, b'}'.into()),
        ("0x10", BadJson, 1, b'x'.into()),
        ("NaN", BadJson, 0, b'N'.into()),
        ("tru", BadJson, 3, b'}'.into()),
        ("trues", BadJson, 4, b's'.into()),
        ("nulL", BadJson, 3, b'L'.into()),
        ("[1,]", BadJson, 3, b']'.into()),
        ("[,1]", BadJson, 1, b','.into()),
        ("[1 2]", BadJson, 3, b'2'.into()),
        ("[1}", BadJson, 2, b'}'.into()),
        ("{\"a\":1]", BadJson, 6, b']'.into()),
        ("{\"a\":1,}", BadJson, 7, b'}'.into()),
        ("{,}", BadJson, 1, b','.into()),
        ("{\"a\" 1}", BadJson, 5, b'1'.into()),
        ("{\"a\"}", BadJson, 4, b'}'.into()),
        ("{a:1}", BadJson, 1, b'a'.into()),
        ("{1:1}", BadJson, 1, b'1'.into()),
        ("'a'", BadJson, 0, b'\''.into()),
        ("/**/1", BadJson, 0, b'/'.into()),
        ("\u{feff}1", BadJson, 0, 0xef),
        ("\u{a0}1", BadJson, 0, 0xc2),
        ("\x0b1", BadJson, 0, 0x0b),
        ("\"a\nb\"", BadJson, 2, 0x0a),
        ("\"\0\"", BadJson, 1, 0),
        ("\"0123456789\x1f\"", BadJson, 11, 0x1f),
        ("\"\\\n\"", BadEscape, 2, 0x0a),
        (r#""\x""#, BadEscape, 2, b'x'.into()),
        (r#""\U0041""#, BadEscape, 2, b'U'.into()),
        (r#""\'""#, BadEscape, 2, b'\''.into()),
        (r#""\u12""#, BadEscape, 5, b'"'.into()),
        (r#""\u12g4""#, BadEscape, 5, b'g'.into()),
        (r#""\u+123""#, BadEscape, 3, b'+'.into()),
        (r#""a\ud800""#, BadEscape, 2, 0xd800),
        (r#""\uDBFFx""#, BadEscape, 1, 0xdbff),
        (r#""\ud800\n""#, BadEscape, 1, 0xd800),
        (r#""\ud800\ud800""#, BadEscape, 1, 0xd800),
        (r#""\ud800\u0041""#, BadEscape, 1, 0xd800),
        (r#""\ud800\u00""#, BadEscape, 11, b'"'.into()),
        (r#""\udc00""#, BadEscape, 1, 0xdc00),
        (r#""\ud83d\ude00\ude00""#, BadEscape, 13, 0xde00),
    ] {
        assert_eq!(value_error(value.as_bytes()), Some((kind, offset, found)), "{value}");
    }
}

#[test]
fn a_text_cut_anywhere_ends_too_early() {
    let json = r#" {"blobs":[], "x":[true,false,null,-1.5e+3,"a\u00e9\ud83d\ude00\n",{"k":{}}]}"#;
    assert_eq!(metadata_error(json.as_bytes()), None);
    for len in 0..json.len() {
        assert_eq!(metadata_error(&json.as_bytes()[..len]), Some(error(ErrorKind::BadJson, len as u64, 256)), "{len}");
    }
}

#[test]
fn only_whitespace_may_follow() {
    assert_eq!(metadata_error(b"{\"blobs\":[]} \t\r\n"), None);
    for (json, offset, left) in [
        (&b"{\"blobs\":[]}{}"[..], 12, 2),
        (b"{\"blobs\":[]} ,", 13, 1),
        (b"{\"blobs\":[]}\0\0\0", 12, 3),
        (b"{\"blobs\":[]}\x0c", 12, 1),
    ] {
        assert_eq!(metadata_error(json), Some(error(ErrorKind::TrailingBytes, offset, left)));
    }
}

#[test]
fn the_text_must_be_an_object() {
    for (json, kind, offset, found) in [
        ("[]", ErrorKind::WrongType, 0, b'['),
        (" null", ErrorKind::WrongType, 1, b'n'),
        ("\"\"", ErrorKind::WrongType, 0, b'"'),
        ("7", ErrorKind::WrongType, 0, b'7'),
        ("}", ErrorKind::BadJson, 0, b'}'),
        ("\u{feff}{}", ErrorKind::BadJson, 0, 0xef),
    ] {
        assert_eq!(metadata_error(json.as_bytes()), Some(error(kind, offset, found.into())), "{json}");
    }
    assert_eq!(metadata_error(b""), Some(error(ErrorKind::BadJson, 0, 256)));
    assert_eq!(metadata_error(b" \n"), Some(error(ErrorKind::BadJson, 2, 256)));
}

#[test]
fn the_text_must_be_utf8() {
    for (bytes, found) in [
        (&b"\xff"[..], 0xff),
        (b"\xc0\xaf", 0xc0),
        (b"\xed\xa0\x80", 0xed),
        (b"\xf4\x90\x80\x80", 0xf4),
        (b"\xe2\x82", 0xe2),
    ] {
        let json = [&b"{\"blobs\":[],\"x\":\""[..], bytes, b"\"}"].concat();
        assert_eq!(metadata_error(&json), Some(error(ErrorKind::BadUtf8, 17, found)));
    }
}

#[test]
fn a_name_may_stand_once_in_an_object() {
    use ErrorKind::DuplicateName;
    for (value, offset) in [
        (r#"{"a":1,"a":1}"#, 7),
        (r#"{"":1,"b":2,"":3}"#, 12),
        (r#"{"a":1,"\u0061":1}"#, 7),
        (r#"{"\u0061":1, "a":1}"#, 13),
        (r#"{"\/":1,"/":1}"#, 8),
        (r#"{"é":1,"\u00e9":1}"#, 8),
        (r#"{"\ud83d\ude00":1,"😀":1}"#, 18),
        (r#"{"a":{"a":1},"b":{"a":2},"a":3}"#, 25),
        (r#"[{"a":{"b":1,"b":2}}]"#, 13),
        (r#"[{"a":1,"b":2},{"a":1,"b":2,"a":3}]"#, 28),
        (r#"[{"a":1,"c":2},{"c":1},{"c":1,"c":2}]"#, 30),
        (r#"[{"a":1,"b":{"a":2}},{"a":1,"b":{"b":2},"a":3}]"#, 40),
    ] {
        assert_eq!(value_error(value.as_bytes()), Some((DuplicateName, offset, 0)), "{value}");
    }
    for value in [r#"{"a":1,"A":1,"a ":1,"a\u0000":1}"#, r#"[{"a":1},{"a":1},{"b":1,"a":2}]"#, r#"{"a":{"a":{"a":1}}}"#]
    {
        assert_eq!(value_error(value.as_bytes()), None, "{value}");
    }
    assert_eq!(metadata_error(br#"{"blobs":[],"\u0062lobs":[]}"#), Some(error(DuplicateName, 12, 0)));
}

#[test]
fn nesting_ends_at_the_limit() {
    let nested = |depth: usize| "[".repeat(depth - 1) + &"]".repeat(depth - 1);
    assert_eq!(value_error(nested(128).as_bytes()), None);
    assert_eq!(value_error(nested(129).as_bytes()), Some((ErrorKind::JsonTooDeep, 127, 128)));
    let objects = |depth: usize| "{\"a\":".repeat(depth - 1) + "0" + &"}".repeat(depth - 1);
    assert_eq!(value_error(objects(128).as_bytes()), None);
    assert_eq!(value_error(objects(129).as_bytes()), Some((ErrorKind::JsonTooDeep, 127 * 5, 128)));
    assert_eq!(value_error("[".repeat(1_000_000).as_bytes()), Some((ErrorKind::JsonTooDeep, 127, 128)));

    let limited = |json_depth: u8| {
        let bytes = file(b"", r#"{"blobs":[{}]}"#);
        let limits = Limits { json_depth, ..Limits::default() };
        PuffinFile::parse(&bytes).unwrap().metadata_with(&mut [], &limits).err()
    };
    assert_eq!(limited(0), Some(error(ErrorKind::JsonTooDeep, 8, 0)));
    assert_eq!(limited(2), Some(error(ErrorKind::JsonTooDeep, 18, 2)));
    assert_eq!((limited(3), limited(u8::MAX)), (None, None));
}

#[test]
fn what_an_earlier_object_held_is_not_taken_deeper_than_the_limit() {
    // The same object twice, inside 120 arrays, the second time one level deeper than its own arrays can afford.
    let object = r#"{"k":[[[[[[]]]]]],"l":1}"#;
    let within = |inner: &str| "[".repeat(120) + inner + &"]".repeat(120);
    assert_eq!(value_error(within(&format!("{object},{object}")).as_bytes()), None);
    let deeper = value_error(within(&format!("{object},[{object}]")).as_bytes());
    let offset = 120 + object.len() + r#",[{"k":[[[[["#.len();
    assert_eq!(deeper, Some((ErrorKind::JsonTooDeep, offset as u64, 128)));
}

#[test]
fn what_an_earlier_object_held_is_counted_again() {
    let json = r#"{"blobs":[],"x":{"q":1,"a":"1","b":"2"},"properties":{"a":"1","b":"2"}}"#;
    with_metadata(json, |metadata| assert_eq!(metadata.properties().count(), 2));
}

#[test]
fn members_end_at_the_limits() {
    let object = |members: usize| {
        let members: Vec<_> = (0..members).map(|index| format!("\"{index:03}\":0")).collect();
        format!("{{{}}}", members.join(","))
    };
    let offset = |index: usize| 1 + index as u64 * 8;
    assert_eq!(value_error(object(256).as_bytes()), None);
    assert_eq!(value_error(object(257).as_bytes()), Some((ErrorKind::TooManyMembers, offset(256), 256)));

    // Names of all objects that are open share 512 places; two are taken by "blobs" and "x".
    let nested = object(256).replace("\"255\":0", &format!("\"255\":{}", object(254)));
    assert_eq!(value_error(nested.as_bytes()), None);
    let nested = object(256).replace("\"255\":0", &format!("\"255\":{}", object(255)));
    let place = 1 + 255 * 8 + 6 + offset(254);
    assert_eq!(value_error(nested.as_bytes()), Some((ErrorKind::TooManyMembers, place, 512)));

    let limited = |json_members: u16, json: &str| {
        let bytes = file(b"", json);
        let limits = Limits { json_members, ..Limits::default() };
        PuffinFile::parse(&bytes).unwrap().metadata_with(&mut [], &limits).err()
    };
    let wide = format!("{{\"blobs\":[],\"x\":{}}}", object(510));
    assert_eq!((limited(512, &wide), limited(u16::MAX, &wide)), (None, None));
    assert_eq!(limited(1, &wide), Some(error(ErrorKind::TooManyMembers, 20, 1)));
    assert_eq!(limited(0, &wide), Some(error(ErrorKind::TooManyMembers, 9, 0)));
}

#[test]
fn the_outermost_members_have_their_types() {
    use ErrorKind::{MissingField, WrongType};
    for (json, kind, offset, found) in [
        (r#"{}"#, MissingField, 0, 9),
        (r#"  {"Blobs":[]}"#, MissingField, 2, 9),
        (r#"{"blobs":null}"#, WrongType, 9, b'n'.into()),
        (r#"{"blobs":{}}"#, WrongType, 9, b'{'.into()),
        (r#"{"blobs":[],"properties":null}"#, WrongType, 25, b'n'.into()),
        (r#"{"blobs":[],"properties": []}"#, WrongType, 26, b'['.into()),
        (r#"{"blobs":[],"properties":{"a":"b","c": 1}}"#, WrongType, 39, b'1'.into()),
        (r#"{"blobs":[],"properties":{"a":null}}"#, WrongType, 30, b'n'.into()),
        (r#"{"blobs":[],"properties":{"a":{}}}"#, WrongType, 30, b'{'.into()),
    ] {
        assert_eq!(metadata_error(json.as_bytes()), Some(error(kind, offset, found)), "{json}");
    }
}

#[test]
fn file_properties_are_read_in_order_and_by_name() {
    let json = r#"{"properties":{"a":"1","\u0062":"\u0032","":"","d":"x y"},"other":[{}],"\u0062lobs":[ ] }"#;
    with_metadata(json, |metadata| {
        let all: Vec<_> = metadata.properties().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(all, ["a=1", "b=2", "=", "d=x y"]);
        assert_eq!(metadata.properties().len(), 4);
        assert_eq!(metadata.property("b").unwrap(), "2");
        assert_eq!(metadata.property("").unwrap(), "");
        assert!(metadata.property("B").is_none());
        assert_eq!((metadata.blob_count(), metadata.json()), (0, json));
    });
    with_metadata(r#"{"blobs":[],"properties":{}}"#, |metadata| assert_eq!(metadata.properties().count(), 0));
    with_metadata(r#"{"blobs":[]}"#, |metadata| assert!(metadata.property("").is_none()));
}
