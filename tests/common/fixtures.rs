//! All committed input files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Every input file under `tests/data`, gunzipped where need be, each content once, with its path.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
    // Tests that are a package of their own lie below the one that has the data.
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = packages.map(|package| package.join("tests/data")).find(|root| root.is_dir()).unwrap();
    let mut paths = Vec::new();
    ["cases", "corpus"].iter().for_each(|folder| list(&root.join(folder), &mut paths));
    paths.sort();
    let mut contents = BTreeMap::new();
    for path in paths {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let mut bytes = fs::read(&path).unwrap();
        if name.ends_with(".gz") {
            let stored = std::mem::take(&mut bytes);
            flate2::read::MultiGzDecoder::new(&stored[..]).read_to_end(&mut bytes).unwrap();
        }
        contents.entry(bytes).or_insert(name);
    }
    let mut fixtures: Vec<_> = contents.into_iter().map(|(bytes, name)| (name, bytes)).collect();
    fixtures.sort();
    assert!(!fixtures.is_empty(), "no fixtures in {}", root.display());
    fixtures
}

/// Adds the files below a folder, without tables and texts about them.
fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = path.extension().is_some_and(|ending| ["tsv", "md", "json"].iter().any(|about| ending == *about));
        if path.is_dir() {
            list(&path, paths);
        } else if !about {
            paths.push(path);
        }
    }
}
