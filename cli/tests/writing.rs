//! The sub-commands that write files: what they write, and what they leave alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use common::{assert_refused, corpus, folder, puffin, stderr, stdout, write};

/// Every Puffin file of the committed corpus by a writer whose folder starts so.
fn files_by(writer: &str) -> Vec<String> {
    let index = fs::read_to_string(corpus("INDEX.tsv")).unwrap();
    let rows = index.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[3] == "puffin" && row[5] == "valid" && row[0].starts_with(writer));
    let files: Vec<String> = rows.map(|row| corpus(row[0])).collect();
    assert!(!files.is_empty(), "no files by {writer}");
    files
}

/// The footer of a file, in the order in which it is written.
fn footer(file: &str) -> Value {
    let output = puffin(&["inspect", "--json", file]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut footer: Value = serde_json::from_slice(&output.stdout).unwrap();
    footer.as_object_mut().unwrap().shift_remove("file");
    footer
}

fn ok(args: &[&str]) -> String {
    let output = puffin(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// The positions of each vector of a file.
fn positions(file: &str) -> BTreeMap<String, BTreeSet<u64>> {
    let of = |data_file: &str| -> BTreeSet<u64> {
        let lines = ok(&["positions", "--data-file", data_file, file]);
        lines.lines().map(|line| line.parse().unwrap()).collect()
    };
    let footer = footer(file);
    let names = footer["blobs"].as_array().unwrap().iter();
    let names = names.filter_map(|blob| blob["properties"]["referenced-data-file"].as_str());
    names.map(|name| (name.to_owned(), of(name))).collect()
}

fn list(folder: &Path, name: &str, positions: impl IntoIterator<Item = u64>) -> String {
    let lines: Vec<String> = positions.into_iter().map(|position| format!("{position}\n")).collect();
    write(folder, name, lines.concat().as_bytes())
}

#[test]
fn what_iceberg_java_wrote_is_created_again_from_positions() {
    let folder = folder("from-positions");
    let mut count = 0;
    for file in [files_by("iceberg-java"), files_by("spark-3.5.9")].concat() {
        let footer = footer(&file);
        let blobs = footer["blobs"].as_array().unwrap();
        if blobs.is_empty() || blobs.iter().any(|blob| blob["type"] != "deletion-vector-v1") {
            continue;
        }
        let out = folder.join("out.puffin").to_str().unwrap().to_owned();
        let mut args = vec!["create".to_owned(), "--force".into(), "--dense".into(), "-o".into(), out.clone()];
        for (name, value) in footer["properties"].as_object().into_iter().flatten() {
            args.extend(["--property".to_owned(), format!("{name}={}", value.as_str().unwrap())]);
        }
        for (number, blob) in blobs.iter().enumerate() {
            let raw = puffin(&["positions", "--raw", "--blob", &number.to_string(), &file]).stdout;
            let path = write(&folder, &format!("{number}.u64"), &raw);
            args.push(format!("{}={path}", blob["properties"]["referenced-data-file"].as_str().unwrap()));
        }
        ok(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(fs::read(&out).unwrap() == fs::read(&file).unwrap(), "{file}");
        count += 1;
    }
    println!("{count} files created again");
    assert!(count >= 10);
}

#[test]
fn any_file_is_created_again_from_a_description() {
    let folder = folder("from-description");
    let mut count = 0;
    for file in [files_by("iceberg-java"), files_by("spark-3.5.9"), files_by("duckdb-1.5.5")].concat() {
        let mut footer = footer(&file);
        for (number, blob) in footer["blobs"].as_array_mut().unwrap().iter_mut().enumerate() {
            let name = format!("{number}.blob");
            let path = folder.join(&name).to_str().unwrap().to_owned();
            ok(&["extract", "--stored", "--force", "--blob", &number.to_string(), &file, "-o", &path]);
            blob["stored"] = Value::from(name);
        }
        let description = write(&folder, "footer.json", footer.to_string().as_bytes());
        let out = folder.join("out.puffin").to_str().unwrap().to_owned();
        ok(&["create", "--force", "-o", &out, "--description", &description]);
        assert!(fs::read(&out).unwrap() == fs::read(&file).unwrap(), "{file}");
        count += 1;
    }
    println!("{count} files created again");
    assert!(count >= 20);
}

#[test]
fn a_description_compresses_and_encodes() {
    let folder = folder("description");
    let text = b"a text that repeats, a text that repeats, a text that repeats";
    write(&folder, "sketch", text);
    list(&folder, "rows", [9, 3, 3, 1 << 33]);
    let json = r#"{"blobs":[
        {"type":"note","fields":[1,-2],"snapshot-id":5,"sequence-number":7,"compression-codec":"lz4","data":"sketch"},
        {"type":"note","compression-codec":"zstd","properties":{"z":"1","a":"2"},"data":"sketch"},
        {"type":"deletion-vector-v1","properties":{"referenced-data-file":"a\"b"},"positions":"rows"}],
        "properties":{"b":"é","a":"\u0007"}}"#;
    let description = write(&folder, "f.json", json.as_bytes());
    let out = folder.join("out.puffin").to_str().unwrap().to_owned();
    let printed = ok(&["create", "-o", &out, "--description", &description, "--lz4-footer", "--property", "a=x"]);
    assert!(printed.ends_with("\t3\ta\"b\n"), "{printed}");
    let footer = footer(&out);
    assert_eq!(footer["properties"].to_string(), r#"{"b":"é","a":"x"}"#);
    assert_eq!(footer["blobs"][0]["fields"].to_string(), "[1,-2]");
    assert_eq!(footer["blobs"][1]["properties"].to_string(), r#"{"z":"1","a":"2"}"#);
    for blob in ["0", "1"] {
        let path = folder.join("decoded").to_str().unwrap().to_owned();
        ok(&["extract", "--force", "--blob", blob, "-o", &path, &out]);
        assert_eq!(fs::read(&path).unwrap(), text);
    }
    assert_eq!(positions(&out)["a\"b"], BTreeSet::from([3, 9, 1 << 33]));
    ok(&["verify", &out]);
}

#[test]
fn merge_is_the_union_for_each_data_file() {
    let folder = folder("merge");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (a, b, out) = (path("a.puffin"), path("b.puffin"), path("out.puffin"));
    let (evens, run) = (list(&folder, "evens", (0..9000).step_by(2)), list(&folder, "run", 4000..200_000));
    let few = list(&folder, "few", [7, 1 << 40]);
    ok(&["create", "-o", &a, &format!("x={evens}"), &format!("y={few}")]);
    ok(&["create", "-o", &b, &format!("x={run}"), "--property", "k=v"]);
    let theta = files_by("spark-3.5.9").into_iter().find(|file| file.ends_with(".stats")).unwrap();
    ok(&["merge", &a, &b, &theta, &theta, &format!("z={few}"), &format!("y={run}"), "-o", &out, "--property", "n=1"]);
    let merged = positions(&out);
    assert_eq!(merged.keys().collect::<Vec<_>>(), ["x", "y", "z"]);
    assert_eq!(merged["x"], (0..9000).step_by(2).chain(4000..200_000).collect());
    assert_eq!(merged["y"], [7, 1 << 40].into_iter().chain(4000..200_000).collect());
    // What is no vector is carried over, once.
    let others = footer(&theta)["blobs"].as_array().unwrap().len();
    assert_eq!(footer(&out)["blobs"].as_array().unwrap().len(), 3 + others);
    assert_eq!(footer(&out)["properties"].to_string(), r#"{"n":"1"}"#);
    ok(&["verify", &out]);
    // Differences one way and the other.
    let differences = ok(&["diff", &a, &out]);
    let expected: usize = [merged["x"].len() - 4500, merged["y"].len() - 2, 2].iter().sum();
    assert_eq!(differences.lines().filter(|line| line.starts_with("deleted\t")).count(), expected);
    assert!(!differences.contains("restored"));
    assert_eq!(
        ok(&["diff", "--count", &out, &a]),
        format!("0\t{}\tx\n0\t{}\ty\n0\t2\tz\n", merged["x"].len() - 4500, merged["y"].len() - 2)
    );
    assert_eq!(ok(&["diff", &a, &a]), "");
}

#[test]
fn a_run_of_all_rows_is_never_expanded() {
    let folder = folder("all-rows");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let file = corpus("iceberg-java-1.10.2/puffin-dv/run-around-2pow31.puffin");
    let (one, out) = (list(&folder, "one", [1]), path("out.puffin"));
    ok(&["merge", &file, &format!("data/run-around-2pow31.parquet={one}"), "-o", &out]);
    assert!(ok(&["diff", "--count", &file, &out]).starts_with("1\t0\t"));
}

#[test]
fn rewrite_drops_keeps_and_changes_form() {
    let folder = folder("rewrite");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let file = corpus("iceberg-java-1.10.2/puffin-dv/three-data-files.puffin");
    let bytes = fs::read(&file).unwrap();
    let (out, back) = (path("out.puffin"), path("back.puffin"));
    ok(&["rewrite", &file, "-o", &out]);
    assert!(fs::read(&out).unwrap() == bytes, "nothing asked, nothing changed");
    ok(&["rewrite", "--force", "--lz4-footer", &file, "-o", &out]);
    assert!(ok(&["inspect", &out]).contains("LZ4"));
    ok(&["rewrite", &out, "-o", &back]);
    assert!(ok(&["inspect", &back]).contains("LZ4"), "the footer stays as it was");
    ok(&["rewrite", "--force", "--plain-footer", &out, "-o", &back]);
    assert!(fs::read(&back).unwrap() == bytes);

    let before = footer(&file);
    let blob = &before["blobs"][1];
    let data_file = blob["properties"]["referenced-data-file"].as_str().unwrap();
    let printed = ok(&["rewrite", "--force", "--keep", data_file, &file, "-o", &out]);
    assert!(printed.ends_with("; 2 dropped\n"), "{printed}");
    assert_eq!(
        positions(&out).into_iter().collect::<Vec<_>>(),
        [(data_file.to_owned(), positions(&file)[data_file].clone())]
    );
    let range = format!("{}:{}", blob["offset"], blob["length"]);
    ok(&["rewrite", "--force", "--keep-range", &range, &file, "-o", &back]);
    assert!(fs::read(&back).unwrap() == fs::read(&out).unwrap());
    assert_eq!(footer(&out)["properties"], before["properties"]);

    let rows = list(&folder, "rows", [5, 3 << 32]);
    ok(&["create", "--force", "-o", &out, &format!("x={rows}")]);
    ok(&["rewrite", "--force", "--dense", &out, "-o", &back]);
    assert!(ok(&["stats", &back]).contains("buckets      4"));
    ok(&["rewrite", "--force", "--sparse", &back, "-o", &path("sparse.puffin")]);
    assert!(fs::read(path("sparse.puffin")).unwrap() == fs::read(&out).unwrap());

    assert_refused(&puffin(&["rewrite", "--keep", "nowhere", &file, "-o", &path("n")]), 1, &file, "nowhere");
    assert_refused(&puffin(&["rewrite", "--keep-range", "4:5", &file, "-o", &path("n")]), 1, &file, "no blob at 4");
}

#[test]
fn an_existing_file_is_left_alone_and_nothing_is_left_behind() {
    let folder = folder("beside");
    let out = write(&folder, "out.puffin", b"precious");
    let (good, bad) = (list(&folder, "good", [1]), write(&folder, "bad", b"1\n2\nthree\n"));
    let names = || {
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    assert_refused(&puffin(&["create", "-o", &out, &format!("x={good}")]), 1, &out, "exists already");
    assert_refused(&puffin(&["create", "--force", "-o", &out, &format!("x={bad}")]), 1, &bad, "line 3: not a position");
    assert_eq!((fs::read(&out).unwrap(), names()), (b"precious".to_vec(), before.clone()));
    ok(&["create", "--force", "-o", &out, &format!("x={good}")]);
    assert_eq!((positions(&out)["x"].clone(), names()), (BTreeSet::from([1]), before));
    let nowhere = folder.join("no/such/out.puffin").to_str().unwrap().to_owned();
    assert_refused(&puffin(&["create", "-o", &nowhere, &format!("x={good}")]), 1, &nowhere, "No such file");
    let directory = folder.to_str().unwrap();
    assert_refused(&puffin(&["create", "--force", "-o", directory, &format!("x={good}")]), 1, directory, "directory");
}

#[test]
fn bad_lists_are_told_with_their_lines() {
    let folder = folder("lists");
    let out = folder.join("out.puffin").to_str().unwrap().to_owned();
    let refused = |name: &str, bytes: &[u8], what: &str| {
        let path = write(&folder, name, bytes);
        assert_refused(&puffin(&["create", "-o", &out, &format!("x={path}")]), 1, &path, what);
    };
    refused("a", b"1\n\n-5\n", "line 3: not a position: \"-5\"");
    refused("b", b"1.0\n", "line 1: not a position");
    refused("c", b"9223372032559808512\n", "above 9223372032559808511");
    refused("d", b"99999999999999999999999\n", "above 9223372032559808511");
    refused("e", b"1\n\xFF\n", "bad UTF-8 at byte 2");
    refused("f.u64", &[0; 12], "12 bytes");
    refused("g.u64", &u64::MAX.to_le_bytes(), "position 0");
    refused("h", b"1 2\n", "line 1");
    assert!(!Path::new(&out).exists());
    let usage = puffin(&["create", "-o", &out, "no-list"]);
    assert_refused(&usage, 2, "no-list", "DATA_FILE=POSITIONS");
    // Empty lists make empty vectors; line ends and blanks do not matter; names may hold an `=`.
    let (empty, spaced) = (write(&folder, "empty", b""), write(&folder, "spaced", b" 3 \r\n\r\n2\r\n2"));
    let printed = ok(&["create", "-o", &out, &format!("e={empty}"), &format!("day=1/a={spaced}")]);
    assert_eq!(printed, "4\t20\t0\te\n24\t44\t2\tday=1/a\n");
}

#[test]
fn standard_input_and_output() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_puffin"))
        .args(["create", "-o", "-", "x=-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"5\n1\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let folder = folder("stdout");
    let path = write(&folder, "out.puffin", &output.stdout);
    assert!(output.status.success());
    assert_eq!(positions(&path)["x"], BTreeSet::from([1, 5]));
}

#[test]
fn extract_needs_to_know_which() {
    let folder = folder("extract");
    let out = folder.join("out").to_str().unwrap().to_owned();
    let file = corpus("iceberg-java-1.10.2/puffin-dv/three-data-files.puffin");
    assert_refused(&puffin(&["extract", &file, "-o", &out]), 2, &file, "3 blobs, choose one");
    assert_refused(&puffin(&["extract", "--blob", "3", &file, "-o", &out]), 1, &file, "no blob 3");
    assert_refused(&puffin(&["extract", "--data-file", "q", &file, "-o", &out]), 1, &file, "no deletion vector");
    assert_refused(
        &puffin(&["extract", "--offset", "4", "--length", "999999", &file, "-o", &out]),
        1,
        &file,
        "outside",
    );
    ok(&["extract", "--offset", "0", "--length", "4", &file, "-o", &out]);
    assert_eq!(fs::read(&out).unwrap(), b"PFA1");
}

#[test]
fn what_is_no_regular_file_is_not_replaced() {
    let folder = folder("special");
    let list = list(&folder, "list", [1]);
    let argument = format!("x={list}");
    assert_refused(&puffin(&["create", "--force", "-o", "/dev/null", &argument]), 1, "/dev/null", "not a regular file");
    #[cfg(unix)]
    {
        let link = folder.join("link").to_str().unwrap().to_owned();
        std::os::unix::fs::symlink(folder.join("nothing"), &link).unwrap();
        assert_refused(&puffin(&["create", "--force", "-o", &link, &argument]), 1, &link, "not a regular file");
        let (real, link) = (write(&folder, "real", b"old"), folder.join("good-link"));
        std::os::unix::fs::symlink(&real, &link).unwrap();
        ok(&["create", "--force", "-o", link.to_str().unwrap(), &argument]);
        assert!(link.is_symlink() && fs::read(&real).unwrap().starts_with(b"PFA1"));
    }
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder("twice");
    let out = folder.join("out.puffin").to_str().unwrap().to_owned();
    let refused = puffin(&["create", "-o", &out, "d=-", "e=-"]);
    assert_refused(&refused, 1, "-", "standard input is given twice");
    assert!(!Path::new(&out).exists());
}
