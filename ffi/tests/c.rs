//! The case table and the matrix of broken arguments, in C, against the C library: `ffi/test --quick`.

#![allow(clippy::panic, reason = "a test stops at the first fault")]

use std::path::Path;
use std::process::Command;

#[test]
fn the_c_library_answers_in_c() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
    // A target folder of its own: this test runs inside of Cargo.
    let output = Command::new(&script).arg("--quick").env_remove("CARGO_TARGET_DIR").output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", script.display()));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    print!("{}", text(&output.stdout));
    assert!(output.status.success(), "{} --quick: {}", script.display(), text(&output.stderr));
}
