//! Every command shown in the README prints what the README says.
//!
//! With `BLESS=1` in the environment the README is rewritten with what the commands print.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Runs a line `$ puffin …` in the root of the repository; returns both outputs, standard error last.
fn run(root: &Path, line: &str) -> String {
    let args = line.strip_prefix("$ puffin ").expect("a console block starts with a puffin command");
    let output = Command::new(env!("CARGO_BIN_EXE_puffin"))
        .args(args.split_whitespace())
        .current_dir(root)
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn the_commands_of_the_readme_print_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let path = root.join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (mut rewritten, mut rest, mut count) = (String::new(), readme.as_str(), 0);
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```").unwrap();
        let command = block.lines().next().unwrap();
        let printed = run(root, command);
        let trimmed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        rewritten += &format!("{before}```console\n{command}\n{}\n```", trimmed.join("\n"));
        rest = after;
        count += 1;
    }
    rewritten += rest;
    assert!(count >= 5);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &rewritten).unwrap();
    }
    assert_eq!(readme, rewritten, "run with BLESS=1 to rewrite the README");
}

#[test]
fn the_writing_commands_of_the_readme_run_as_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let block = blocks.into_iter().find(|block| block.starts_with("puffin create")).expect("there is such a block");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rows.txt"), "7\n3\n").unwrap();
    fs::write(folder.join("more.txt"), "1\n").unwrap();
    fs::write(folder.join("rows.u64"), 9_u64.to_le_bytes()).unwrap();
    let corpus = root.join("tests/data/corpus");
    fs::copy(corpus.join("iceberg-java-1.10.2/puffin-dv/two-adjacent.puffin"), folder.join("old.puffin")).unwrap();
    let stats = fs::read_to_string(corpus.join("INDEX.tsv")).unwrap();
    let stats = stats.lines().map(|row| row.split('\t').next().unwrap()).find(|path| path.ends_with(".stats")).unwrap();
    fs::copy(corpus.join(stats), folder.join("table.stats")).unwrap();
    for line in block.lines() {
        let args = line.split('#').next().unwrap().split_whitespace().skip(1);
        let output = Command::new(env!("CARGO_BIN_EXE_puffin")).args(args).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
