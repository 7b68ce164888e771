//! What is written is what was meant, to our own reader and to `serde_json`.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use puffin_codec::puffin::{Codec, NewBlob, PuffinFile, SliceSink, Writer};
use serde_json::{Map, Value, json};

/// Texts with every class of character that JSON has a rule for.
fn text() -> impl Strategy<Value = String> {
    let special =
        select(vec!['"', '\\', '/', '\0', '\u{8}', '\t', '\n', '\u{c}', '\r', '\u{1f}', '\u{7f}', '\u{2028}']);
    let letter = prop_oneof![3 => special, 4 => proptest::char::range(' ', '~'), 1 => any::<char>()];
    vec(letter, 0..20).prop_map(|letters| letters.into_iter().collect())
}

type Meant = (String, Vec<i32>, (i64, i64), Codec, Vec<(String, String)>, Vec<u8>);

fn properties() -> impl Strategy<Value = Vec<(String, String)>> {
    btree_map(text(), text(), 0..5).prop_map(|map| map.into_iter().collect::<Vec<_>>()).prop_shuffle()
}

fn blob() -> impl Strategy<Value = Meant> {
    let codec = select(vec![Codec::None, Codec::Lz4]);
    (text(), vec(any::<i32>(), 0..4), any::<(i64, i64)>(), codec, properties(), vec(any::<u8>(), 0..60))
}

fn object(properties: &[(String, String)]) -> Map<String, Value> {
    properties.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn footers_mean_what_was_written(blobs in vec(blob(), 0..5), of_file in properties()) {
        let (mut memory, mut buffer, mut copy, mut other) = ([0; 20_000], [0; 20_000], [0; 20_000], [0; 20_000]);
        let mut writer = Writer::new(SliceSink::new(&mut memory), &mut buffer).unwrap();
        let mut meant = Vec::new();
        for (blob_type, fields, (snapshot, sequence), codec, properties, content) in &blobs {
            let new = NewBlob::new(blob_type).fields(fields).snapshot(*snapshot, *sequence).codec(*codec);
            let new = new.properties(properties.iter().map(|(name, value)| (name, value)));
            let range = writer.add_encoded(new, content).unwrap();
            let mut entry = json!({
                "type": blob_type, "fields": fields, "snapshot-id": snapshot, "sequence-number": sequence,
                "offset": range.start, "length": range.end - range.start,
            });
            let members = entry.as_object_mut().unwrap();
            codec.name().map(|name| members.insert("compression-codec".into(), name.into()));
            (!properties.is_empty()).then(|| members.insert("properties".into(), object(properties).into()));
            meant.push(entry);
        }
        let of_file_pairs = || of_file.iter().map(|(name, value)| (name, value));
        let location = writer.finish(of_file_pairs()).unwrap().location();
        let bytes = writer.sink().written();

        let file = PuffinFile::parse(bytes).unwrap();
        prop_assert_eq!(file.footer().location(), location);
        let metadata = file.metadata(&mut []).unwrap();
        let mut expected = json!({ "blobs": meant });
        if !of_file.is_empty() {
            expected["properties"] = object(&of_file).into();
        }
        prop_assert_eq!(serde_json::from_str::<Value>(metadata.json()).unwrap(), expected);
        prop_assert_eq!(metadata.properties().len(), of_file.len());
        for (blob, (blob_type, fields, ids, codec, properties, content)) in metadata.blobs().zip(&blobs) {
            let blob = blob.unwrap();
            prop_assert!(blob.blob_type() == blob_type.as_str() && blob.fields().eq(fields.iter().copied()));
            prop_assert_eq!(((blob.snapshot_id(), blob.sequence_number()), blob.codec()), (*ids, *codec));
            let read: Vec<_> = blob.properties().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            prop_assert_eq!(&read, properties);
            let decoded = &mut [0; 60];
            let stored = file.blob(&blob).unwrap();
            prop_assert_eq!(stored.decode_into(decoded, &puffin_codec::Limits::default()).unwrap(), &content[..]);
        }

        let mut writer = Writer::new(SliceSink::new(&mut copy), &mut other).unwrap();
        for blob in metadata.blobs().map(Result::unwrap) {
            writer.add(NewBlob::copy_of(&blob), file.blob(&blob).unwrap().stored()).unwrap();
        }
        writer.finish(metadata.properties()).unwrap();
        prop_assert_eq!(writer.sink().written(), bytes);
    }
}
