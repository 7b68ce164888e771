//! Tables of test inputs: tab-separated rows under a header line, and the files they name.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A folder with a table in it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder named by the environment variable, or else the committed one.
    pub(crate) fn from_env(variable: &str, committed: &str) -> Self {
        match std::env::var_os(variable) {
            Some(folder) => Self(folder.into()),
            None => Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(committed)),
        }
    }

    /// Reads a file; one whose name ends in `.gz` is gunzipped.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.0.join(name);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !name.ends_with(".gz") {
            return Ok(bytes);
        }
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..])
            .read_to_end(&mut plain)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(plain)
    }

    /// Reads a table of this folder.
    pub(crate) fn table(&self, name: &str) -> Table {
        let bytes = self.read(name).unwrap();
        let text = String::from_utf8(bytes).expect("a table is UTF-8");
        let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let columns = lines.next().expect("a table has a header line");
        let rows: Vec<_> = lines.filter(|cells| cells.iter().any(|cell| !cell.is_empty())).collect();
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), columns.len(), "{name}: row {} has another number of cells", number + 1);
        }
        Table { columns, rows }
    }
}

/// Rows under named columns.
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The rows, in the order of the file.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    columns: &'t [String],
    cells: &'t [String],
}

impl<'t> Row<'t> {
    /// The cell under a column, which must exist.
    pub(crate) fn get(&self, column: &str) -> &'t str {
        let index = self.columns.iter().position(|name| name == column);
        &self.cells[index.unwrap_or_else(|| panic!("the table has no column {column}"))]
    }

    /// Checks a file against the columns `bytes` and `sha256`, where they are filled in.
    pub(crate) fn check_file(&self, bytes: &[u8]) -> Result<(), String> {
        let (len, digest) = (self.get("bytes"), self.get("sha256"));
        if !len.is_empty() && len.parse() != Ok(bytes.len()) {
            return Err(format!("the file has {} bytes, the table says {len}", bytes.len()));
        }
        if !digest.is_empty() && super::digest::sha256(bytes) != digest {
            return Err(format!("the file's SHA-256 is not {digest}"));
        }
        Ok(())
    }
}
