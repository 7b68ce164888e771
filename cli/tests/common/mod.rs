//! What the tests of the command share.

#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the command to its end.
pub(crate) fn puffin(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puffin")).args(args).stdin(Stdio::null()).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file of the tests' data.
pub(crate) fn data(path: &str) -> String {
    format!("{}/../tests/data/{path}", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn corpus(path: &str) -> String {
    data(&format!("corpus/{path}"))
}

/// A folder of this test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Asserts one line `puffin: FILE: …` on standard error and the exit status.
pub(crate) fn assert_refused(output: &Output, status: i32, file: &str, what: &str) {
    let error = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{error}");
    assert!(error.starts_with(&format!("puffin: {file}: ")) && error.contains(what), "{error} / {what}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// Puts a Puffin file together: magic, blobs, magic, footer payload, its size, no flags, magic.
pub(crate) fn file_of(blobs: &[u8], footer: &str) -> Vec<u8> {
    let size = u32::try_from(footer.len()).unwrap().to_le_bytes();
    [b"PFA1", blobs, b"PFA1", footer.as_bytes(), &size, &[0; 4], b"PFA1"].concat()
}

/// A footer entry of a vector.
pub(crate) fn entry(offset: usize, length: usize, data_file: &str, more: &str) -> String {
    format!(
        concat!(
            r#"{{"type":"deletion-vector-v1","fields":[],"snapshot-id":-1,"sequence-number":-1,"offset":{},"#,
            r#""length":{},{}"properties":{{"referenced-data-file":"{}"}}}}"#
        ),
        offset, length, more, data_file
    )
}

/// A vector without positions.
pub(crate) const EMPTY: [u8; 20] = *b"\0\0\0\x0C\xD1\xD3\x39\x64\0\0\0\0\0\0\0\0\xBF\x18\x48\x0C";
