//! What the command does when some of what it meets is broken: it says so, and shows the rest.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

mod common;

use std::fs;

use serde_json::Value;

use common::{EMPTY, assert_refused, corpus, data, entry, file_of, folder, puffin, stderr, stdout, write};

/// The vector of two neighbours that Iceberg Java wrote, 44 bytes.
fn vector() -> Vec<u8> {
    fs::read(corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin")).unwrap()[4..48].to_vec()
}

/// Three vectors for `a`, `b` and `c`, the second with a wrong checksum.
fn one_broken_vector() -> Vec<u8> {
    let mut broken = vector();
    *broken.last_mut().unwrap() ^= 1;
    let footer =
        format!(r#"{{"blobs":[{},{},{}]}}"#, entry(4, 44, "a", ""), entry(48, 44, "b", ""), entry(92, 44, "c", ""));
    file_of(&[vector(), broken, vector()].concat(), &footer)
}

/// A vector, an entry that is none, and a vector.
fn one_odd_entry() -> Vec<u8> {
    let footer = format!(r#"{{"blobs":[{},{{"type":5}},{}]}}"#, entry(4, 44, "a", ""), entry(48, 44, "b", ""));
    file_of(&[vector(), vector()].concat(), &footer)
}

#[test]
fn a_broken_vector_does_not_hide_the_others() {
    let file = write(&folder("vector"), "f.puffin", &one_broken_vector());
    let output = puffin(&["stats", &file]);
    assert_refused(&output, 1, &file, "blob 1: CRC-32 differs at byte 88 (found 0x");
    assert_eq!(stdout(&output).matches("cardinality  2").count(), 2);
    assert!(stdout(&output).contains("blob 1       b\nerror        CRC-32 differs"), "{}", stdout(&output));

    let output = puffin(&["stats", "--json", &file]);
    assert_refused(&output, 1, &file, "blob 1: CRC-32 differs");
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let vectors = shown["vectors"].as_array().unwrap();
    assert_eq!((vectors.len(), &vectors[2]["cardinality"]), (3, &Value::from(2)));
    assert_eq!(vectors[1]["referenced-data-file"], "b");
    assert!(vectors[1]["error"].as_str().unwrap().starts_with("CRC-32 differs"));
    assert_eq!(vectors[0]["bytes-per-position"], 22.0);
    let density: u64 = vectors[0]["density"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(density, 2);

    let output = puffin(&["positions", &file]);
    assert_refused(&output, 2, &file, "3 vectors, choose one with --data-file or --blob: [0] a; [1] b; [2] c\n");
    assert!(puffin(&["positions", &file, "--blob", "2"]).status.success());
    assert_refused(&puffin(&["positions", &file, "--data-file", "b"]), 1, &file, "blob 1: CRC-32 differs");
}

#[test]
fn an_odd_entry_does_not_hide_the_others() {
    let file = write(&folder("entry"), "f.puffin", &one_odd_entry());
    let text = puffin(&["inspect", &file]);
    assert_refused(&text, 1, &file, "blob 1: field of the wrong JSON type at byte");
    assert!(stdout(&text).contains("error: field of the wrong JSON type") && stdout(&text).contains("-file = b"));
    let json = puffin(&["inspect", "--json", &file]);
    assert_eq!((json.status, stderr(&json)), (text.status, stderr(&text)));
    let shown: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(shown["blobs"][1]["type"], 5);
    assert_eq!(shown["file"]["blobs"][2]["decoded-length"], 44);
    assert!(shown["file"]["blobs"][1]["error"].is_string());

    let output = puffin(&["stats", &file]);
    assert_refused(&output, 1, &file, "blob 1: field of the wrong JSON type");
    assert_eq!(stdout(&output).matches("cardinality  2").count(), 2);
    let choose = "3 vectors, choose one with --data-file or --blob: [0] a; [1] (unreadable); [2] b\n";
    assert_refused(&puffin(&["contains", &file, "1"]), 2, &file, choose);
}

#[test]
fn two_vectors_of_one_data_file_are_an_error() {
    let footer = format!(r#"{{"blobs":[{},{}]}}"#, entry(4, 44, "a", ""), entry(48, 44, "a", ""));
    let bytes = file_of(&[vector(), vector()].concat(), &footer);
    let file = write(&folder("duplicate"), "f.puffin", &bytes);
    assert_refused(&puffin(&["positions", &file, "--data-file", "a"]), 1, &file, "two vectors for one data file");
    assert!(puffin(&["positions", &file, "--blob", "1"]).status.success());
}

#[test]
fn a_vector_with_a_codec_and_a_blob_that_is_no_vector_are_refused() {
    let lz4 = entry(4, 20, "a", r#""compression-codec":"lz4","#);
    let other = entry(4, 20, "a", "").replace("deletion-vector-v1", "mine");
    let bytes = file_of(&EMPTY, &format!(r#"{{"blobs":[{lz4},{other}]}}"#));
    let file = write(&folder("codec"), "f.puffin", &bytes);
    assert_refused(&puffin(&["positions", &file]), 1, &file, "blob 0: deletion vector with a compression codec");
    assert_refused(&puffin(&["positions", &file, "--blob", "1"]), 1, &file, "blob 1: blob of another type");
    assert_refused(
        &puffin(&["stats", &file, "--blob", "0"]),
        1,
        &file,
        "blob 0: deletion vector with a compression codec",
    );
}

#[test]
fn a_file_without_vectors_has_none() {
    let file = write(&folder("none"), "f.puffin", &file_of(b"", r#"{"blobs":[]}"#));
    assert_refused(&puffin(&["positions", &file]), 1, &file, "holds no deletion vector");
    let output = puffin(&["stats", &file]);
    assert!(output.status.success() && stdout(&output).ends_with(": 0 vectors\n"));
}

#[test]
fn an_empty_vector_is_a_vector() {
    let file =
        write(&folder("empty"), "f.puffin", &file_of(&EMPTY, &format!(r#"{{"blobs":[{}]}}"#, entry(4, 20, "a", ""))));
    let output = puffin(&["positions", &file]);
    assert!(output.status.success() && output.stdout.is_empty());
    let output = puffin(&["stats", &file]);
    assert!(
        stdout(&output)
            .ends_with("cardinality  0\nbuckets      0\ncontainers   0 array, 0 bitset, 0 run\nbytes        20\n")
    );
}

#[test]
fn nothing_decodes_to_more_than_is_allowed() {
    let blob = corpus("by-hand/puffin/ok-zstd-checksum.puffin");
    for command in ["inspect", "verify"] {
        let output = puffin(&[command, "--max-decoded", "3", &blob]);
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(stdout(&output).contains("limit"), "{}", stdout(&output));
    }
    let footer = corpus("liblz4-1.9.4/puffin/lz4-footer.puffin");
    assert!(puffin(&["inspect", &footer]).status.success());
    assert_refused(&puffin(&["inspect", "--max-decoded", "3", &footer]), 1, &footer, "limit");
}

#[test]
fn several_files_are_several_results() {
    let folder = folder("several");
    let good = corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin");
    let missing = folder.join("missing").to_str().unwrap().to_owned();
    let foreign = write(&folder, "foreign", b"PAR1");
    for command in ["inspect", "stats", "verify"] {
        let output = puffin(&[command, &missing, &foreign, &good, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{command}");
        let lines: Vec<String> = stderr(&output).lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 2, "{command}: {lines:?}");
        assert!(lines[0].starts_with(&format!("puffin: {missing}: ")) && lines[1].contains("a Parquet file"));
        let shown = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
        let shown: Vec<Value> = shown.map(Result::unwrap).collect();
        // `verify` has a report on each.
        assert_eq!(shown.len(), if command == "verify" { 3 } else { 1 });
        if command == "verify" {
            assert_eq!((&shown[0]["ok"], &shown[0]["size"]), (&Value::Bool(false), &Value::Null));
            assert_eq!((&shown[2]["ok"], &shown[2]["errors"]), (&Value::Bool(true), &Value::from(0)));
        }
    }
}

#[test]
fn directories_hold_what_is_named_or_marked_as_puffin() {
    let folder = folder("tree");
    let inner = folder.join("x/y");
    fs::create_dir_all(&inner).unwrap();
    let good = file_of(b"", r#"{"blobs":[]}"#);
    write(&inner, "no-suffix", &good);
    write(&inner, "text.txt", b"text");
    write(&inner, "t.parquet", b"PAR1");
    write(&folder, "a.stats", &good);
    write(&folder, "b.puffin", b"PAR1");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.stats", folder.join("c.puffin")).unwrap();
        std::os::unix::fs::symlink(".", folder.join("d")).unwrap();
    }
    let output = puffin(&["verify", "--json", folder.to_str().unwrap()]);
    let files: Vec<String> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned())
        .map(|file| file.strip_prefix(folder.to_str().unwrap()).unwrap().to_owned())
        .collect();
    let linked: &[&str] = if cfg!(unix) { &["/c.puffin"] } else { &[] };
    assert_eq!(files, [&["/a.stats", "/b.puffin"], linked, &["/x/y/no-suffix"]].concat());
    assert_eq!(output.status.code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin");
    for args in [
        &["inspect", &file][..],
        &["inspect", "--json", &file, &file],
        &["verify", &file, &file],
        &["verify", "--json", &data("corpus/iceberg-java-1.10.2/puffin-dv")],
        &["positions", &file],
        &["contains", &file, "0"],
        &["stats", &file],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_puffin")).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).starts_with("puffin: standard output: No space left"), "{args:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }
}
