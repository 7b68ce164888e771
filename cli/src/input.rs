//! A file's bytes, mapped into memory where that can be done, so that a large file costs nothing.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use memmap2::Mmap;

/// The bytes of one file, and the name to call it by.
#[derive(Debug)]
pub(crate) struct Input {
    path: PathBuf,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

/// Whether standard input has been read.
static STDIN_TAKEN: AtomicBool = AtomicBool::new(false);

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let bytes = if path == Path::new("-") {
            // A second reader would find nothing, and take that for an empty input.
            if STDIN_TAKEN.swap(true, Ordering::Relaxed) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "standard input is given twice"));
            }
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Bytes::Read(bytes)
        } else {
            Self::open_file(path)?
        };
        Ok(Self { path: path.to_owned(), bytes })
    }

    fn open_file(path: &Path) -> io::Result<Bytes> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        if metadata.is_file()
            && metadata.len() > 0
            && let Ok(map) = map(&file)
        {
            return Ok(Bytes::Mapped(map));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Bytes::Read(bytes))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Read(bytes) => bytes,
        }
    }
}

/// Maps a file for reading.
#[expect(unsafe_code, reason = "the only way to map a file")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and only ever seen as bytes, none of which the program relies on to stay the same:
    // every answer is computed from bounds-checked reads. A file that another process cuts short while it is mapped
    // ends this process with SIGBUS, as it does any program that maps files.
    unsafe { Mmap::map(file) }
}
