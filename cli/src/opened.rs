//! Puffin files that are held open together.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::{BlobMetadata, DELETION_VECTOR_V1, FileMetadata, PuffinFile, property};
use puffin_codec::{Limits, table};

use crate::args::Kind;
use crate::input::Input;
use crate::output::{Failure, Located, at, printable};
use crate::select::kind_of;

/// The bytes of a Puffin file, and memory for its footer.
#[derive(Debug)]
pub(crate) struct Opened {
    input: Input,
    scratch: Vec<u8>,
}

/// A vector, and the data file that it is of.
pub(crate) type Named<'a> = (String, DeletionVector<'a>);

/// A file with its footer read.
#[derive(Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) path: PathBuf,
    pub(crate) file: PuffinFile<'a>,
    pub(crate) metadata: FileMetadata<'a>,
}

impl Opened {
    /// Opens a file that has to be Puffin.
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Self, Located> {
        let open = || {
            let input = Input::open(path).map_err(Failure::data)?;
            if kind_of(&input, None)? != Kind::Puffin {
                return Err(Failure::data("not a Puffin file"));
            }
            let len = PuffinFile::parse(&input)?.scratch_len(limits)?;
            Ok(Self { input, scratch: vec![0; len] })
        };
        open().map_err(at(path))
    }

    /// Reads the footer.
    pub(crate) fn contents(&mut self, limits: &Limits) -> Result<Contents<'_>, Located> {
        let path = self.input.path().to_owned();
        let fail = |error: puffin_codec::Error| at(&path)(error.into());
        let file = PuffinFile::parse(&self.input).map_err(fail)?;
        let metadata = file.metadata_with(&mut self.scratch, limits).map_err(fail)?;
        Ok(Contents { path, file, metadata })
    }
}

impl<'a> Contents<'a> {
    /// Returns the footer's entries; one that cannot be read is an error.
    pub(crate) fn blobs(&self) -> Result<Vec<BlobMetadata<'a>>, Located> {
        let numbered = self.metadata.blobs().enumerate();
        let read = numbered.map(|(number, blob)| blob.map_err(Failure::of_blob(number)));
        read.collect::<Result<_, _>>().map_err(at(&self.path))
    }

    /// Returns the stored bytes of a blob.
    pub(crate) fn stored(&self, blob: &BlobMetadata<'_>) -> Result<&'a [u8], Located> {
        let stored = self.file.blob(blob).map(|blob| blob.stored());
        stored.map_err(Failure::of_blob(blob.index())).map_err(at(&self.path))
    }

    /// Returns the vectors, with the data file of each, and the other blobs.
    pub(crate) fn vectors(&self) -> Result<(Vec<Named<'a>>, Vec<BlobMetadata<'a>>), Located> {
        let (mut vectors, mut others, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for blob in self.blobs()? {
            if blob.blob_type() != *DELETION_VECTOR_V1 {
                others.push(blob);
                continue;
            }
            let fail = |what: String| at(&self.path)(Failure::Data(format!("blob {}: {what}", blob.index())));
            let vector = table::read_vector(&self.file, &blob).map_err(|error| fail(error.to_string()))?;
            let data_file = blob.property(property::REFERENCED_DATA_FILE);
            let data_file = data_file.ok_or_else(|| fail("no referenced-data-file".to_owned()))?.to_string();
            if !seen.insert(data_file.clone()) {
                return Err(fail(format!("a second vector for {}", printable(&data_file))));
            }
            vectors.push((data_file, vector));
        }
        Ok((vectors, others))
    }
}
