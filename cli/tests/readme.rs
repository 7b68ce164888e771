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
