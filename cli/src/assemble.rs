//! A Puffin file put together from blobs that are at hand.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use puffin_codec::puffin::{
    BlobMetadata, Codec, DELETION_VECTOR_V1, EMPTY_FOOTER_LEN, FooterLocation, IoSink, MAGIC, NewBlob, properties_len,
    property,
};
use puffin_codec::table::{VectorWriter, vector_writer_scratch_len};

use crate::output::{Failure, Located, Out, at, name, printable};
use crate::target::Target;

/// What the footer is to say of a blob.
#[derive(Debug)]
pub(crate) enum Entry<'a> {
    /// What another footer says.
    Copy(BlobMetadata<'a>),
    New(NewEntry),
}

/// An entry of the caller's making.
#[derive(Debug)]
pub(crate) struct NewEntry {
    pub(crate) blob_type: String,
    pub(crate) fields: Vec<i32>,
    pub(crate) snapshot_id: i64,
    pub(crate) sequence_number: i64,
    pub(crate) codec: Codec,
    pub(crate) properties: Vec<(String, String)>,
}

/// A blob, and its bytes as they are to be stored.
#[derive(Debug)]
pub(crate) struct Blob<'a> {
    pub(crate) entry: Entry<'a>,
    pub(crate) stored: Cow<'a, [u8]>,
}

impl Blob<'_> {
    /// A deletion vector, with an entry as Iceberg Java writes it.
    pub(crate) fn vector(data_file: &str, vector: Vec<u8>, cardinality: u64) -> Self {
        let entry = NewEntry {
            blob_type: DELETION_VECTOR_V1.to_owned(),
            // The row position's reserved column.
            fields: vec![2_147_483_645],
            snapshot_id: -1,
            sequence_number: -1,
            codec: Codec::None,
            properties: vec![
                (property::REFERENCED_DATA_FILE.to_owned(), data_file.to_owned()),
                (property::CARDINALITY.to_owned(), cardinality.to_string()),
            ],
        };
        Self { entry: Entry::New(entry), stored: Cow::Owned(vector) }
    }
}

impl NewEntry {
    fn as_blob(&self) -> NewBlob<'_, impl IntoIterator<Item = (&str, &str)> + Clone> {
        let properties = self.properties.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let blob = NewBlob::new(&self.blob_type).fields(&self.fields).codec(self.codec);
        blob.snapshot(self.snapshot_id, self.sequence_number).properties(properties)
    }
}

/// Writes a file of these blobs, which come from `source`, and puts it in its place.
pub(crate) fn write<N: Display, V: Display>(
    mut target: Target,
    source: &Path,
    blobs: &[Blob<'_>],
    properties: impl IntoIterator<Item = (N, V), IntoIter: Clone>,
    lz4_footer: bool,
) -> Result<FooterLocation, Located> {
    let properties = properties.into_iter();
    // The exact length of the footer is known before a byte is written.
    let mut offset = MAGIC.len() as u64;
    let mut len = EMPTY_FOOTER_LEN + properties_len(properties.clone());
    for blob in blobs {
        let stored = blob.stored.len() as u64;
        len += match &blob.entry {
            Entry::Copy(entry) => NewBlob::copy_of(entry).entry_len(offset, stored),
            Entry::New(entry) => entry.as_blob().entry_len(offset, stored),
        };
        offset += stored;
    }
    let (mut buffer, mut scratch) = (vec![0; len], vec![0; vector_writer_scratch_len(blobs.len())]);
    let mut number = 0;
    let written = || {
        let mut writer = VectorWriter::new(IoSink(&mut target), &mut buffer, &mut scratch)?;
        for (index, blob) in blobs.iter().enumerate() {
            number = index;
            match &blob.entry {
                Entry::Copy(entry) => writer.add_blob(NewBlob::copy_of(entry), &blob.stored),
                Entry::New(entry) => writer.add_blob(entry.as_blob(), &blob.stored),
            }?;
        }
        if lz4_footer {
            let mut scratch = vec![0; writer.writer().finish_lz4_scratch_len(properties.clone())];
            return Ok(writer.finish_lz4(properties, &mut scratch)?.location());
        }
        Ok(writer.finish(properties)?.location())
    };
    let location = written().map_err(|error: std::io::Error| {
        // What is wrong with a blob is its source's fault, not the target's.
        match error.get_ref().and_then(|inner| inner.downcast_ref::<puffin_codec::Error>()) {
            Some(fault) => at(source)(Failure::of_blob(number)(*fault)),
            None => target.failed(error),
        }
    })?;
    target.flush().map_err(|error| target.failed(error))?;
    target.commit()?;
    Ok(location)
}

/// Prints what a manifest says of each vector, unless the file itself went to standard output.
pub(crate) fn report(blobs: &[Blob<'_>], out: &mut Out) -> Result<(), Located> {
    let mut offset = MAGIC.len() as u64;
    let written = blobs.iter().try_for_each(|blob| {
        let (start, length) = (offset, blob.stored.len() as u64);
        offset += length;
        let of = |wanted: &str| match &blob.entry {
            Entry::Copy(entry) => entry.property(wanted).map(|value| value.to_string()),
            Entry::New(entry) => {
                entry.properties.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
            }
        };
        match (of(property::CARDINALITY), of(property::REFERENCED_DATA_FILE)) {
            (Some(cardinality), Some(data_file)) => {
                writeln!(out, "{start}\t{length}\t{cardinality}\t{}", printable(&data_file))
            }
            _ => Ok(()),
        }
    });
    written.map_err(Failure::from).map_err(at(Path::new("")))
}

/// Says where a file has gone that holds no vector worth a line.
pub(crate) fn summary(path: &Path, blobs: &[Blob<'_>], location: FooterLocation) -> String {
    let plural = if blobs.len() == 1 { "" } else { "s" };
    format!("{}: {} bytes, {} blob{plural}, footer of {}", name(path), location.file_len(), blobs.len(), location.len())
}
