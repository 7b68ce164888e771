//! The command runs, agrees with itself, and writes what it says.

use std::process::Command;
use std::{env, fs};

use serde_json::Value;

#[test]
fn one_round_on_tiny_writes_json_and_svg() {
    let dir = env::temp_dir().join(format!("puffin-codec-bench-{}", std::process::id()));
    fs::create_dir_all(dir.join("lists/real")).unwrap();
    fs::write(dir.join("lists/real/a.txt"), "1,2,3,70000\n").unwrap();
    fs::write(dir.join("lists/real/b.txt"), "5\n6\n900000\n").unwrap();
    let (json, svg) = (dir.join("out.json"), dir.join("out.svg"));
    let output = Command::new(env!("CARGO_BIN_EXE_compare"))
        .args(["--quick", "--rounds", "1", "--sets", "tiny", "--data"])
        .arg(dir.join("lists"))
        .arg("--json")
        .arg(&json)
        .arg("--svg")
        .arg(&svg)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("open, fully verified") && table.contains("tiny") && table.contains("real"), "{table}");

    let report: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let cells = report["cells"].as_array().unwrap();
    let open = cells.iter().find(|cell| cell["row"] == "open" && cell["set"] == "tiny").unwrap();
    assert!(open["simd"]["ratio"]["median"].as_f64().unwrap() > 0.0);
    assert_eq!((open["simd"]["owed"].as_f64(), open["rounds"].as_u64()), (Some(2.0), Some(1)));
    assert!(open["bound"]["name"] == "crc32fast over the blob" && open["bound"]["nanos"].as_f64() > Some(0.0));
    let trusted = cells.iter().find(|cell| cell["row"] == "trusted" && cell["set"] == "tiny").unwrap();
    assert!(trusted["bound"].is_null());
    let heap = report["heap"].as_array().unwrap();
    let ours = heap.iter().filter(|one| one["side"] == "simd" || one["side"] == "portable");
    assert!(ours.map(|one| one["bytes"].as_u64()).all(|bytes| bytes == Some(0)));
    assert!(heap.iter().any(|one| one["side"] == "peer" && one["bytes"].as_u64() > Some(100)));

    let svg = fs::read_to_string(&svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("prefers-color-scheme: dark"));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn unknown_rows_and_sets_are_named() {
    for (flag, value) in [("--rows", "nothing"), ("--sets", "nothing")] {
        let output = Command::new(env!("CARGO_BIN_EXE_compare")).args([flag, value]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && message.contains("\"nothing\"; there are"), "{message}");
    }
}
