use super::*;
use crate::puffin::{BlobMetadata, Codec, DELETION_VECTOR_V1, FieldName, property::REFERENCED_DATA_FILE};

const BLOBS: &[u8] = b"0123456789";

/// Reads blob 0 of a file with ten bytes of blobs; an error's offset counts from the start of the entry.
fn read<T>(entry: &str, then: impl FnOnce(BlobMetadata<'_>) -> T) -> Result<T, Error> {
    let bytes = file(BLOBS, &footer_json(&[entry.into()]));
    let metadata = PuffinFile::parse(&bytes).unwrap().metadata(&mut []).unwrap();
    let base = text_offset(BLOBS) + "{\"blobs\":[".len() as u64;
    let result = metadata.blob(0).unwrap();
    result.map(then).map_err(|error| Error::at(error.kind(), error.offset() - base, error.found()))
}

fn entry_error(entry: &Entry) -> Error {
    read(&entry.json(), |blob| panic!("{blob:?}")).unwrap_err()
}

/// Where the value of a member starts in the entry.
fn value_at(entry: &Entry, name: &str) -> u64 {
    let member = format!("\"{name}\":");
    (entry.json().find(&member).unwrap() + member.len()) as u64
}

#[test]
fn every_field_is_read() {
    let entry = Entry::new(4, 10)
        .with("type", "\"deletion-vector-v1\"")
        .with("fields", "[2147483645, -2147483648]")
        .with("snapshot-id", "-9223372036854775808")
        .with("sequence-number", "9223372036854775807")
        .with("compression-codec", "\"lz4\"")
        .with("properties", r#"{"referenced-data-file":"s3:\/\/a","x":""}"#);
    read(&entry.json(), |blob| {
        assert_eq!((blob.index(), blob.blob_type() == DELETION_VECTOR_V1), (0, true));
        assert_eq!(blob.fields().collect::<Vec<_>>(), [2_147_483_645, i32::MIN]);
        assert_eq!((blob.snapshot_id(), blob.sequence_number()), (i64::MIN, i64::MAX));
        assert_eq!((blob.offset(), blob.length(), blob.range()), (4, 10, 4..14));
        assert_eq!((blob.codec(), blob.compression_codec().unwrap() == "lz4"), (Codec::Lz4, true));
        assert_eq!(blob.property(REFERENCED_DATA_FILE).unwrap(), "s3://a");
        assert!(blob.has_property(REFERENCED_DATA_FILE, "s3://a") && blob.has_property("x", ""));
        assert!(!blob.has_property(REFERENCED_DATA_FILE, r"s3:\/\/a") && !blob.has_property("y", ""));
        assert_eq!((blob.properties().len(), blob.fields().len()), (2, 2));
        assert_eq!((blob.json(), blob.json_offset()), (&entry.json()[..], 10));
    })
    .unwrap();
}

#[test]
fn order_whitespace_escapes_and_unknown_members_do_not_matter() {
    let entry = r#" { "length" : 1 ,"x":[{"offset":"no"}],"\u006fffset":5,"properties":{ },"sequence-number":0,"y":{},
        "snapshot-id":0,"compression-codec": null ,"fields":[ ],"blobs":7,"type":"" } "#;
    read(entry, |blob| {
        assert_eq!((blob.range(), blob.codec(), blob.compression_codec().is_none()), (5..6, Codec::None, true));
        assert_eq!((blob.fields().count(), blob.properties().count()), (0, 0));
        assert_eq!(blob.json(), entry.trim());
    })
    .unwrap();
}

#[test]
fn codecs_are_told_apart_exactly() {
    for (value, codec) in [
        ("\"lz4\"", Codec::Lz4),
        ("\"zstd\"", Codec::Zstd),
        (r#""\u007astd""#, Codec::Zstd),
        ("\"\"", Codec::Unknown),
        ("\"none\"", Codec::Unknown),
        ("\"ZSTD\"", Codec::Unknown),
        ("\"lz4 \"", Codec::Unknown),
        ("null", Codec::None),
    ] {
        let entry = Entry::new(4, 0).with("compression-codec", value);
        assert_eq!(read(&entry.json(), |blob| blob.codec()), Ok(codec), "{value}");
    }
}

#[test]
fn a_missing_field_is_named_by_its_number() {
    for (number, name) in (1..).zip(["type", "fields", "snapshot-id", "sequence-number", "offset", "length"]) {
        let missing = entry_error(&Entry::new(4, 0).without(name));
        assert_eq!(missing, error(ErrorKind::MissingField, 0, number), "{name}");
        assert_eq!(FieldName::ALL[usize::try_from(number).unwrap() - 1].as_str(), name);
    }
    let missing = read("{}", |_| ()).unwrap_err();
    assert_eq!(missing, error(ErrorKind::MissingField, 0, FieldName::Type as u64));
}

#[test]
fn a_field_of_the_wrong_type_is_placed_at_its_value() {
    for name in
        ["type", "fields", "snapshot-id", "sequence-number", "offset", "length", "compression-codec", "properties"]
    {
        for value in ["null", "true", "false", "\"4\"", "7", "[]", "{}"] {
            let fits = match name {
                "type" => value.starts_with('"'),
                "compression-codec" => value.starts_with('"') || value == "null",
                "fields" => value == "[]",
                "properties" => value == "{}",
                _ => value == "7",
            };
            let entry = Entry::new(4, 0).with(name, value);
            let expected = error(ErrorKind::WrongType, value_at(&entry, name), value.as_bytes()[0].into());
            assert_eq!(read(&entry.json(), |_| ()).err(), (!fits).then_some(expected), "{name}: {value}");
        }
    }
    let entry = Entry::new(4, 0).with("fields", "[1, \"2\"]");
    assert_eq!(entry_error(&entry), error(ErrorKind::WrongType, value_at(&entry, "fields") + 4, b'"'.into()));
    let entry = Entry::new(4, 0).with("properties", r#"{"a":"b","c":4}"#);
    assert_eq!(entry_error(&entry), error(ErrorKind::WrongType, value_at(&entry, "properties") + 13, b'4'.into()));
}

#[test]
fn an_integer_is_exact_and_in_range() {
    for name in ["snapshot-id", "sequence-number", "offset", "length"] {
        for value in ["4.0", "4e0", "4E0", "-0", "9223372036854775808", "-9223372036854775809", "1e400"] {
            let entry = Entry::new(4, 0).with(name, value);
            let expected = error(ErrorKind::BadInteger, value_at(&entry, name), value.as_bytes()[0].into());
            assert_eq!(entry_error(&entry), expected, "{name}: {value}");
        }
    }
    for (value, at) in [("[2147483648]", 1), ("[1,-2147483649]", 3), ("[1.0]", 1), ("[0,-0]", 3)] {
        let entry = Entry::new(4, 0).with("fields", value);
        let place = value_at(&entry, "fields") + at;
        assert_eq!(entry_error(&entry).kind(), ErrorKind::BadInteger, "{value}");
        assert_eq!(entry_error(&entry).offset(), place, "{value}");
    }
}

#[test]
fn a_range_lies_between_the_head_magic_and_the_footer() {
    for (offset, length) in [(4, 10), (4, 0), (14, 0), (13, 1)] {
        assert_eq!(read(&Entry::new(offset, length).json(), |blob| blob.range()), Ok(offset..offset + length));
    }
    let max = i64::MAX;
    for (offset, length, fault) in [
        (4, 11, "length"),
        (14, 1, "length"),
        (15, 0, "offset"),
        (3, 1, "offset"),
        (0, 0, "offset"),
        (-1, 1, "offset"),
        (i64::MIN, 1, "offset"),
        (4, -1, "length"),
        (4, i64::MIN, "length"),
        (4, max, "length"),
        (max, max, "offset"),
        (max, 1, "offset"),
    ] {
        let entry = Entry::new(4, 0).with("offset", &format!("{offset}")).with("length", &format!("{length}"));
        let found = if fault == "offset" { offset } else { length };
        let expected = error(ErrorKind::RangeOutOfBounds, value_at(&entry, fault), found.cast_unsigned());
        assert_eq!(entry_error(&entry), expected, "{offset}, {length}");
    }
}

#[test]
fn an_entry_must_be_an_object() {
    for entry in ["7", "null", "[]", "\"\"", "true"] {
        let refused = read(entry, |_| ()).unwrap_err();
        assert_eq!(refused, error(ErrorKind::WrongType, 0, entry.as_bytes()[0].into()));
    }
}

#[test]
fn odd_entries_leave_the_others_readable() {
    let good = |offset| Entry::new(offset, 1).json();
    let entries = [
        good(4),
        "7".into(),
        good(5),
        Entry::new(6, 1).with("type", "[{\"]\":\"}\"}]").json(),
        good(7),
        Entry::new(8, 1).with("properties", "{\"a\":{\"b\":[]}}").json(),
        Entry::new(99, 1).json(),
        good(9),
        "null".into(),
    ];
    let bytes = file(BLOBS, &footer_json(&entries));
    let metadata = PuffinFile::parse(&bytes).unwrap().metadata(&mut []).unwrap();
    let expected = [Some(4), None, Some(5), None, Some(7), None, None, Some(9), None];
    let read: Vec<_> = metadata.blobs().map(|blob| blob.ok().map(|blob| blob.offset())).collect();
    assert_eq!((metadata.blob_count(), &read[..]), (9, &expected[..]));
    for (index, offset) in expected.into_iter().enumerate() {
        let blob = metadata.blob(index).unwrap();
        assert_eq!(blob.as_ref().ok().map(|blob| (blob.index(), blob.offset())), offset.map(|offset| (index, offset)));
        assert_eq!(blob.err(), metadata.blobs().nth(index).unwrap().err());
    }
    assert!(metadata.blob(9).is_none() && metadata.blob(usize::MAX).is_none());
}

#[test]
fn entries_with_a_common_front_keep_their_own_values() {
    let entries = [
        Entry::new(4, 1),
        Entry::new(5, 2),
        Entry::new(6, 1).with("snapshot-id", "-2"),
        Entry::new(7, 1).with("fields", "[1,2]"),
        Entry::new(8, 1),
        Entry::new(9, 1).with("offset", "true"),
        Entry::new(10, 1).with("type", "\"u\""),
        Entry::new(11, 1).with("type", "\"u\"").without("length"),
    ];
    let bytes = file(BLOBS, &footer_json(&entries.each_ref().map(Entry::json)));
    let metadata = PuffinFile::parse(&bytes).unwrap().metadata(&mut []).unwrap();
    for (index, blob) in metadata.blobs().enumerate() {
        // By itself an entry has no earlier one to share anything with.
        let alone = metadata.blob(index).unwrap();
        assert_eq!(blob.is_ok(), ![5, 7].contains(&index));
        match (blob, alone) {
            (Ok(blob), Ok(alone)) => {
                assert_eq!(blob.json(), entries[index].json());
                assert_eq!((blob.range(), blob.snapshot_id()), (alone.range(), alone.snapshot_id()));
                assert_eq!(blob.blob_type(), alone.blob_type());
                assert!(blob.fields().eq(alone.fields()));
            }
            (blob, alone) => assert_eq!(blob.err(), alone.err()),
        }
    }
}

#[test]
fn iterators_know_their_length() {
    let entry = Entry::new(4, 0).with("fields", "[1,2,3]").with("properties", r#"{"a":"b","c":"d"}"#).json();
    let json = footer_json(&[entry.clone(), "0".into(), entry]);
    let bytes = file(BLOBS, &json);
    let metadata = PuffinFile::parse(&bytes).unwrap().metadata(&mut []).unwrap();
    let mut blobs = metadata.blobs();
    for left in (0..3).rev() {
        assert_eq!(blobs.len(), left + 1);
        assert!(blobs.next().is_some());
        assert_eq!((blobs.len(), blobs.clone().count()), (left, left));
    }
    assert!(blobs.next().is_none() && blobs.nth(7).is_none() && blobs.next().is_none());
    let mut skipped = metadata.blobs();
    assert_eq!(skipped.nth(2).unwrap().unwrap().index(), 2);
    assert_eq!(skipped.len(), 0);

    let blob = metadata.blob(2).unwrap().unwrap();
    let (mut fields, mut properties) = (blob.fields(), blob.properties());
    assert_eq!((fields.len(), properties.len()), (3, 2));
    assert_eq!((fields.by_ref().count(), properties.by_ref().count()), (3, 2));
    assert_eq!((fields.next(), properties.next()), (None, None));
}

#[test]
fn a_property_is_compared_without_reading_it_all() {
    let long = "s3://lake/warehouse/db/table/data/00000-0-part.parquet";
    for (written, meant) in [
        (long.into(), long.into()),
        (long.replace('/', "\\/"), long.into()),
        (long.replace("00000", "0000\\u0030"), long.into()),
        (format!("{long}\\\\"), format!("{long}\\")),
        ("\\\"".into(), "\"".into()),
        ("\\u0000".into(), "\0".into()),
        ("caf\\u00e9/\\ud83d\\ude00".into(), "café/😀".into()),
        (String::new(), String::new()),
    ] {
        let entry = Entry::new(4, 0).with("properties", &format!(r#"{{"k\u0065y":"{written}"}}"#));
        read(&entry.json(), |blob| {
            assert!(blob.has_property("key", &meant), "{written}");
            let others =
                [format!("{meant}x"), format!("x{meant}"), format!("{meant}\""), meant.replace("part", "Part")];
            for other in others.iter().filter(|other| **other != meant) {
                assert!(!blob.has_property("key", other), "{written} is not {other}");
            }
            assert_eq!(blob.property(&format!("key\":\"{written}")).map(|_| ()), None, "a name is no piece of text");
            assert_eq!(blob.property("k\\u0065y").map(|_| ()), None);
            assert_eq!(blob.has_property("key", &written), written == meant);
            assert!(!blob.has_property("keys", &meant));
        })
        .unwrap();
    }
}
