//! The command as a person meets it: what it prints, where, and how it exits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

mod common;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use common::{assert_refused, corpus, data, file_of, folder, puffin, stderr, stdout, write};

/// Every vector file of the index with a digest: (path, arguments that select the vector, digest).
fn vectors() -> Vec<(String, Vec<String>, String)> {
    let index = fs::read_to_string(corpus("INDEX.tsv")).unwrap();
    let mut found = Vec::new();
    for row in index.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let (path, kind, verdict, truth) = (columns[0], columns[3], columns[5], columns[7]);
        if verdict != "valid" && !verdict.starts_with("bare") {
            continue;
        }
        let text = truth.strip_prefix('@').map(|path| fs::read_to_string(corpus(path)).unwrap());
        let truth: Value = serde_json::from_str(text.as_deref().unwrap_or(truth)).unwrap();
        let digest = |facts: &Value| facts["positions_sha256"].as_str().unwrap().to_owned();
        // Some truths only say what each reader made of the file.
        let truth = if truth["iceberg-java-reads"].is_object() { truth["iceberg-java-reads"].clone() } else { truth };
        match kind {
            "dv-blob" => found.push((path.to_owned(), vec!["--as".into(), "dv".into()], digest(&truth))),
            "roaring32" | "roaring64" => {
                found.push((path.to_owned(), vec!["--as".into(), kind.into()], digest(&truth)));
            }
            "puffin" => {
                for (number, blob) in truth["blobs"].as_array().into_iter().flatten().enumerate() {
                    if blob["dv"].is_object() {
                        let by_number = vec!["--blob".into(), number.to_string()];
                        found.push((path.to_owned(), by_number, digest(&blob["dv"])));
                        let range = vec![
                            "--offset".into(),
                            blob["offset"].to_string(),
                            "--length".into(),
                            blob["length"].to_string(),
                        ];
                        found.push((path.to_owned(), range, digest(&blob["dv"])));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn raw_positions_have_the_digest_that_the_writers_library_gives() {
    let vectors = vectors();
    assert!(vectors.len() > 100);
    for (path, selector, digest) in vectors {
        let file = corpus(&path);
        let mut args = vec!["positions", "--raw", &file];
        args.extend(selector.iter().map(String::as_str));
        let output = puffin(&args);
        assert!(output.status.success(), "{path}: {}", stderr(&output));
        let found: String = Sha256::digest(&output.stdout).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, digest, "{path} {selector:?}");
    }
}

#[test]
fn text_and_raw_positions_agree_and_stop_at_the_limit() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/clustered-1M.puffin");
    let raw = puffin(&["positions", "--raw", &file]).stdout;
    let expected: String =
        raw.chunks_exact(8).map(|bytes| format!("{}\n", u64::from_le_bytes(bytes.try_into().unwrap()))).collect();
    assert_eq!(stdout(&puffin(&["positions", &file])), expected);
    let three = stdout(&puffin(&["positions", "--limit", "3", &file]));
    assert_eq!(three.lines().count(), 3);
    assert!(expected.starts_with(&three));
    assert_eq!(puffin(&["positions", "--raw", "--limit", "0", &file]).stdout, b"");
}

#[test]
fn json_carries_every_footer_field_unchanged() {
    let folder = folder("json");
    let footer = concat!(
        r#"{"blobs":[{"type":"mine","fields":[7,-1],"snapshot-id":9223372036854775807,"sequence-number":9007199254740993,"#,
        r#""offset":4,"length":3,"properties":{"a\/b":"é\u0026"},"extra":[1.50,{"x":null}]}],"#,
        r#""file":"kept","other":[1e400,1E5,-0,-0.0,1.50,123456789012345678901234567890],"properties":{}}"#,
    );
    let file = write(&folder, "odd.puffin", &file_of(b"abc", footer));
    let output = puffin(&["inspect", "--json", &file]);
    assert!(output.status.success(), "{}", stderr(&output));
    let shown: BTreeMap<String, &RawValue> = serde_json::from_slice(&output.stdout).unwrap();
    let facts: Value = serde_json::from_str(shown["_file"].get()).unwrap();
    assert_eq!((facts["footer-offset"].as_u64(), facts["blobs"][0]["decoded-length"].as_u64()), (Some(7), Some(3)));
    // To the byte, and in its order.
    assert!(stdout(&output).contains(footer.trim_matches(['{', '}'])));
    assert_eq!(shown.len(), 5);
}

#[test]
fn json_of_footers_that_json_libraries_stumble_over() {
    let folder = folder("stumbling");
    let deep = format!("{{\"blobs\":[],\"x\":{}{}}}", "[".repeat(127), "]".repeat(127));
    let private = r#"{"$serde_json::private::Number":"7","blobs":[],"x":{"$serde_json::private::RawValue":"7"}}"#;
    for (name, footer) in [("deep", deep.as_str()), ("private", private), ("empty", "{\"blobs\":[]} \n")] {
        let output = puffin(&["inspect", "--json", &write(&folder, name, &file_of(b"", footer))]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let members = footer.trim().strip_prefix('{').unwrap().strip_suffix('}').unwrap();
        assert!(stdout(&output).contains(members), "{name}: {}", stdout(&output));
    }
}

#[test]
fn json_is_the_truth_for_every_file_of_the_corpus() {
    let index = fs::read_to_string(corpus("INDEX.tsv")).unwrap();
    let mut count = 0;
    for row in index.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        if (columns[3], columns[5]) != ("puffin", "valid") {
            continue;
        }
        let text = columns[7].strip_prefix('@').map(|path| fs::read_to_string(corpus(path)).unwrap());
        let truth: Value = serde_json::from_str(text.as_deref().unwrap_or(columns[7])).unwrap();
        let Some(truths) = truth["blobs"].as_array() else { continue };
        let output = puffin(&["inspect", "--json", &corpus(columns[0])]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        let blobs = shown["blobs"].as_array().unwrap();
        assert_eq!(blobs.len(), truths.len());
        for ((blob, truth), facts) in blobs.iter().zip(truths).zip(shown["file"]["blobs"].as_array().unwrap()) {
            for field in ["type", "fields", "snapshot-id", "sequence-number", "offset", "length", "compression-codec"] {
                assert_eq!(blob[field], truth[field.replace('-', "_")], "{} {field}", columns[0]);
            }
            let none = Value::Object(serde_json::Map::new());
            assert_eq!(blob.get("properties").unwrap_or(&none), &truth["properties"]);
            assert_eq!(facts["decoded-length"], truth["data_len"], "{}", columns[0]);
        }
        count += 1;
    }
    assert!(count > 40);
}

#[test]
fn several_vectors_want_a_selector() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/three-data-files.puffin");
    let shown: Value = serde_json::from_slice(&puffin(&["inspect", "--json", &file]).stdout).unwrap();
    let path =
        |number: usize| shown["blobs"][number]["properties"]["referenced-data-file"].as_str().unwrap().to_owned();
    for args in [&["positions", &file][..], &["contains", &file, "1"]] {
        let output = puffin(args);
        assert_refused(&output, 2, &file, "3 vectors");
        assert!((0..3).all(|number| stderr(&output).contains(&path(number))));
    }
    let by_number = puffin(&["positions", &file, "--blob", "1"]);
    let by_path = puffin(&["positions", &file, "--data-file", &path(1)]);
    assert!(by_number.status.success() && !by_number.stdout.is_empty());
    assert_eq!(by_number.stdout, by_path.stdout);
    assert_refused(&puffin(&["positions", &file, "--data-file", "nowhere"]), 1, &file, "no deletion vector for");
    assert_refused(&puffin(&["positions", &file, "--blob", "3"]), 1, &file, "no blob 3");
    assert_eq!(stdout(&puffin(&["stats", &file])).matches("cardinality").count(), 3);
}

#[test]
fn wrong_usage_exits_with_2() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin");
    for args in [
        &["positions", &file, "--blob", "0", "--data-file", "x"][..],
        &["positions", &file, "--offset", "4"],
        &["positions", &file, "--length", "4"],
        &["positions", &file, "--as", "parquet"],
        &["contains", &file],
        &["contains", &file, "-1"],
        &["contains", &file, "x"],
        &["contains", &file, "18446744073709551616"],
        &["positions"],
        &["frobnicate"],
        &[],
    ] {
        let output = puffin(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    assert_refused(&puffin(&["positions", &file, "--as", "dv", "--blob", "0"]), 2, &file, "for Puffin files");
    assert!(puffin(&["--version"]).status.success());
    assert!(stdout(&puffin(&["verify", "--help"])).contains("Directories"));
    for command in ["inspect", "verify", "positions", "contains", "stats"] {
        assert!(stdout(&puffin(&[command, "-h"])).contains(&format!("Examples:\n  puffin {command} ")), "{command}");
    }
}

#[test]
fn contains_answers_for_each_position() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin");
    let positions: Vec<String> = stdout(&puffin(&["positions", &file])).lines().map(str::to_owned).collect();
    let output = puffin(&["contains", &file, &positions[0], "18446744073709551615", &positions[1]]);
    assert_eq!(
        stdout(&output),
        format!("{}\ttrue\n18446744073709551615\tfalse\n{}\ttrue\n", positions[0], positions[1])
    );
    assert!(output.status.success());
}

#[test]
fn bare_ranges_are_checked_against_the_file() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin");
    for (offset, length, what) in [
        ("-1", "20", "outside the file"),
        ("4", "-1", "outside the file"),
        ("4", "9223372036854775807", "outside the file"),
        ("9223372036854775807", "20", "outside the file"),
        ("4", "0", "ends early"),
        ("4", "21", "length field"),
        ("0", "64", ""),
    ] {
        let args = ["positions", &file, "--offset", offset, "--length", length];
        assert_refused(&puffin(&args), 1, &file, what);
        let as_bitmap = [&args[..], &["--as", "roaring64"]].concat();
        assert_refused(&puffin(&as_bitmap), 1, &file, "");
    }
}

#[test]
fn files_that_are_not_puffin_are_named_for_what_they_are() {
    let folder = folder("foreign");
    for (name, bytes, what) in [
        ("empty", &b""[..], "is empty"),
        ("parquet", b"PAR1....PAR1", "a Parquet file"),
        ("avro", b"Obj\x01....", "an Avro file"),
        ("ags1", b"AGS1....", "AES-GCM"),
        ("json", b"{\"blobs\":[]}", "JSON"),
        ("orc", b"ORC....", "an ORC file"),
        ("gzip", b"\x1F\x8B\x08", "a gzip file"),
        ("zstd", b"\x28\xB5\x2F\xFD", "a Zstandard frame"),
        ("lz4", b"\x04\x22\x4D\x18", "an LZ4 frame"),
        ("roaring32", b"\x3A\x30\0\0\0\0\0\0", "--as roaring32"),
        ("roaring64", b"\0\0\0\0\0\0\0\0", "--as roaring64"),
        ("theta", b"\x01\x03\x03\0\0\x1E\0\0", "a compact theta sketch"),
        ("paimon", b"\x01\0\0\0\x18\x5E\x43\xF2\xD0", "Paimon deletion vector index file, version 1"),
        ("delta.bin", b"\x01\0\0\0\x24\xD1\xD3\x39\x64....", "Delta Lake"),
    ] {
        let file = write(&folder, name, bytes);
        for command in ["inspect", "verify", "positions", "stats"] {
            assert_refused(&puffin(&[command, &file]), 1, &file, what);
        }
    }
    let bare = corpus("duckdb-1.5.1/db/large/data/729285a9-1ea7-4d2e-9697-f0d012c58bd7-deletes.puffin");
    assert_refused(&puffin(&["inspect", &bare]), 1, &bare, "bare deletion vector (read it with --as dv)");
    assert!(stdout(&puffin(&["inspect", &bare, "--as", "dv"])).contains("cardinality  250742"));
    assert!(puffin(&["verify", &bare, "--as", "dv"]).status.success());
    assert_refused(&puffin(&["verify", &bare, "--as", "puffin"]), 1, &bare, "wrong magic");
    assert_refused(&puffin(&["inspect", "/nonexistent/x"]), 1, "/nonexistent/x", "No such file");
}

#[test]
fn verify_goes_on_over_files_and_folders() {
    let good = corpus("iceberg-java-1.10.2/puffin-dv");
    let output = puffin(&["verify", &good]);
    assert!(output.status.success(), "{}", stdout(&output));
    assert_eq!(stdout(&output).lines().filter(|line| line.ends_with(": ok") || line.contains(": ok (")).count(), 31);

    let bad = corpus("by-hand/puffin/odd-snapshot-positive-for-dv.puffin");
    let foreign = data("README.md");
    let output = puffin(&["verify", &foreign, &bad, &good]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains(&format!("{bad}: error: blob 0: snapshot-id of a deletion vector is not -1")));
    assert_eq!(stdout(&output).matches(": ok").count(), 31);

    let output = puffin(&["verify", "--json", &bad, &good]);
    assert_eq!(output.status.code(), Some(1));
    let reports: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 32);
    assert_eq!((reports[0]["ok"].clone(), reports[1]["ok"].clone()), (Value::Bool(false), Value::Bool(true)));
    let kinds: Vec<&str> =
        reports[0]["findings"].as_array().unwrap().iter().map(|finding| finding["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"SnapshotIdNotInherited"), "{kinds:?}");
}

#[test]
fn verify_decodes_compressed_blobs() {
    let folder = folder("compressed");
    let file = corpus("by-hand/puffin/ok-zstd-checksum.puffin");
    assert!(puffin(&["verify", &file]).status.success());
    let mut bytes = fs::read(&file).unwrap();
    let shown: Value = serde_json::from_slice(&puffin(&["inspect", "--json", &file]).stdout).unwrap();
    let blob = &shown["blobs"][0];
    let end = usize::try_from(blob["offset"].as_u64().unwrap() + blob["length"].as_u64().unwrap()).unwrap();
    bytes[end - 1] ^= 1;
    let broken = write(&folder, "broken.puffin", &bytes);
    let output = puffin(&["verify", &broken]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("content checksum differs"), "{}", stdout(&output));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let file = corpus("iceberg-java-1.10.2/puffin-dv/full-two-containers.puffin");
    let mut child = Command::new(env!("CARGO_BIN_EXE_puffin"))
        .args(["positions", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn standard_input_and_pipes_are_files_too() {
    let bytes = fs::read(corpus("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin")).unwrap();
    for name in if cfg!(target_os = "linux") { &["-", "/dev/stdin"][..] } else { &["-"] } {
        let mut child = Command::new(env!("CARGO_BIN_EXE_puffin"))
            .args(["contains", name, "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && stdout(&output).starts_with("0\t"), "{name}");
    }
}

#[test]
fn a_file_of_10_gigabytes_costs_nothing() {
    let folder = folder("sparse");
    let path = folder.join("sparse.puffin");
    let footer = b"PFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1";
    let mut file = File::create(&path).unwrap();
    file.write_all(b"PFA1").unwrap();
    file.seek(SeekFrom::Start(10 << 30)).unwrap();
    file.write_all(footer).unwrap();
    drop(file);
    let name = path.to_str().unwrap();
    let start = Instant::now();
    let output = puffin(&["inspect", name]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(stdout(&output).contains("10737418268 bytes, 0 blobs"), "{}{}", stdout(&output), stderr(&output));
    let output = puffin(&["verify", name]);
    assert!(stdout(&output).contains("bytes that belong to no blob at byte 4 (10737418236)"), "{}", stdout(&output));
    fs::remove_file(path).unwrap();
}

#[test]
fn names_cannot_upset_the_terminal() {
    let folder = folder("control");
    let footer = concat!(
        r#"{"blobs":[{"type":"t\u001b[31m","fields":[],"snapshot-id":1,"sequence-number":1,"offset":4,"length":0}],"#,
        r#""properties":{"created-by":"\u001b]0;x\u0007"}}"#,
    );
    let file = write(&folder, "esc\u{1b}[0m.puffin", &file_of(b"", footer));
    for command in ["inspect", "verify", "stats", "positions"] {
        let output = puffin(&[command, &file]);
        let shown = [output.stdout, output.stderr].concat();
        assert!(!shown.contains(&0x1B) && !shown.is_empty(), "{command}");
    }
}

/// Runs the command without anybody listening; the exit status, or nothing if it dies or takes half a minute.
fn status_in_time(args: &[&str]) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puffin"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

#[test]
fn no_case_makes_any_command_crash() {
    let cases = data("cases");
    let mut files: Vec<PathBuf> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.extend(fs::read_dir(corpus("by-hand/puffin")).unwrap().map(|entry| entry.unwrap().path()));
    files.extend(fs::read_dir(corpus("by-hand/dv-blob")).unwrap().map(|entry| entry.unwrap().path()));
    assert!(files.len() > 300);
    for file in files {
        let name = file.to_str().unwrap();
        for args in [
            &["inspect", name][..],
            &["inspect", "--json", name],
            &["verify", name],
            &["verify", "--json", name, "--as", "dv"],
            &["positions", "--limit", "5", name],
            &["stats", name],
            &["stats", "--json", name],
            &["contains", name, "7", "--blob", "0"],
            &["positions", "--limit", "5", name, "--as", "roaring64"],
            &["contains", name, "7", "--as", "roaring32"],
        ] {
            assert!(matches!(status_in_time(args), Some(0..=2)), "{args:?}");
        }
    }
}
