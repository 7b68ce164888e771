//! The file that is written: beside its place first, so that nobody sees half of it, and what was there stays until all of
//! it is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::args::Output;
use crate::output::{Failure, Located, at};

/// A file on its way. Dropped before [`commit`](Self::commit) it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    force: bool,
    /// Nothing for standard output.
    beside: Option<PathBuf>,
    out: BufWriter<Sink>,
}

#[derive(Debug)]
enum Sink {
    File(File),
    Stdout(io::Stdout),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

impl Target {
    /// Starts a file.
    pub(crate) fn create(output: &Output) -> Result<Self, Located> {
        let given = output.output.as_path();
        if given == Path::new("-") {
            let out = BufWriter::new(Sink::Stdout(io::stdout()));
            return Ok(Self { path: given.to_owned(), force: false, beside: None, out });
        }
        let refuse = |what: &str| at(given)(Failure::data(what));
        // What a link points to is what is written.
        let path = if output.force { fs::canonicalize(given).unwrap_or(given.to_owned()) } else { given.to_owned() };
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => return Err(refuse("is a directory")),
            Ok(_) if !output.force => return Err(refuse("exists already; --force overwrites it")),
            // A device, a pipe, or a link to nothing must not become a file.
            Ok(found) if !found.is_file() => return Err(refuse("not a regular file; - is standard output")),
            _ => {}
        }
        path.file_name().ok_or_else(|| refuse("not the name of a file"))?;
        let (beside, file) = open_beside(&path).map_err(Failure::data).map_err(at(given))?;
        Ok(Self { path, force: output.force, beside: Some(beside), out: BufWriter::new(Sink::File(file)) })
    }

    /// Tells whether this is standard output, where nothing else must be printed.
    pub(crate) const fn is_stdout(&self) -> bool {
        self.beside.is_none()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Says that writing has failed.
    pub(crate) fn failed(&self, error: io::Error) -> Located {
        // A closed pipe is no error; a file is named.
        let failure = if self.is_stdout() { Failure::from(error) } else { Failure::data(error) };
        at(&self.path)(failure)
    }

    /// Puts the complete file in its place.
    pub(crate) fn commit(mut self) -> Result<(), Located> {
        self.put_in_place().map_err(|error| self.failed(error))
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        self.out.flush()?;
        let (Some(beside), Sink::File(file)) = (&self.beside, self.out.get_ref()) else { return Ok(()) };
        if let Ok(before) = fs::metadata(&self.path) {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        if !self.force {
            // A link to an existing name fails, where renaming would replace what came there in the meantime.
            match fs::hard_link(beside, &self.path) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                // No links on this file system.
                Err(_) => {}
            }
        }
        fs::rename(beside, &self.path)
    }
}

/// Opens a new file in the folder of `path`, under a name that nothing has: one left behind by a run that was killed may
/// have the number of this process.
fn open_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0_u32;
    loop {
        let beside = path.with_file_name(format!(".puffin-{}-{number}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // Gone already if it was renamed.
            let _ = fs::remove_file(beside);
        }
    }
}
