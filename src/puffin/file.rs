//! A whole file in memory.

use super::{
    blob::Blob,
    entry::BlobMetadata,
    footer::FooterView,
    framing::{FooterLocation, Tail},
    metadata::FileMetadata,
};
use crate::{
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

/// A Puffin file whose framing has been checked: three magics, flags, payload size.
///
/// # Examples
///
/// The smallest sensible file, 32 bytes:
///
/// ```
/// use puffin_codec::puffin::PuffinFile;
///
/// let bytes = [
///     0x50, 0x46, 0x41, 0x31, // magic of the file: "PFA1"
///     0x50, 0x46, 0x41, 0x31, // magic of the footer
///     0x7b, 0x22, 0x62, 0x6c, 0x6f, 0x62, 0x73, 0x22, 0x3a, 0x5b, 0x5d, 0x7d, // {"blobs":[]}
///     0x0c, 0x00, 0x00, 0x00, // payload size: 12
///     0x00, 0x00, 0x00, 0x00, // flags: not compressed
///     0x50, 0x46, 0x41, 0x31, // magic
/// ];
/// let file = PuffinFile::parse(&bytes)?;
/// let metadata = file.metadata(&mut [])?;
///
/// assert_eq!(metadata.json(), r#"{"blobs":[]}"#);
/// assert_eq!(metadata.blob_count(), 0);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuffinFile<'a> {
    bytes: &'a [u8],
    footer: FooterView<'a>,
}

impl<'a> PuffinFile<'a> {
    /// Checks the framing of exactly the bytes of a file.
    ///
    /// O(1): neither the footer's payload nor any blob is read.
    ///
    /// # Errors
    ///
    /// * [`ErrorKind::Truncated`] under 20 bytes;
    /// * [`ErrorKind::BadMagic`] at the head, at the end, or before the footer payload, in this order;
    /// * [`ErrorKind::UnknownFlags`] if a reserved flag is set;
    /// * [`ErrorKind::BadFooterSize`] if the payload size is negative or more than the file can hold.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        match FooterLocation::from_tail(bytes, bytes.len() as u64)? {
            Tail::Footer(footer) => Ok(Self { bytes, footer }),
            Tail::Fetch(_) => Err(Error::new(ErrorKind::Internal, 0, 0)),
        }
    }

    /// Returns the bytes of the whole file.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the footer.
    #[must_use]
    pub const fn footer(&self) -> FooterView<'a> {
        self.footer
    }

    /// Returns how many bytes of scratch memory reading the metadata needs; see [`FooterView::scratch_len`].
    ///
    /// # Errors
    ///
    /// As for [`FooterView::scratch_len`].
    pub fn scratch_len(&self, limits: &Limits) -> Result<usize> {
        self.footer.scratch_len(limits)
    }

    /// Reads the metadata under the default [`Limits`]; see [`FooterView::metadata_with`].
    ///
    /// # Errors
    ///
    /// As for [`FooterView::metadata_with`].
    pub fn metadata<'s>(&self, scratch: &'s mut [u8]) -> Result<FileMetadata<'s>>
    where
        'a: 's,
    {
        self.footer.metadata(scratch)
    }

    /// Reads the metadata; see [`FooterView::metadata_with`].
    ///
    /// # Errors
    ///
    /// As for [`FooterView::metadata_with`].
    pub fn metadata_with<'s>(&self, scratch: &'s mut [u8], limits: &Limits) -> Result<FileMetadata<'s>>
    where
        'a: 's,
    {
        self.footer.metadata_with(scratch, limits)
    }

    /// Returns the bytes of a blob, of which `metadata` must be an entry of this file's footer.
    ///
    /// O(1).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::RangeOutOfBounds`] if the range reaches into the footer: the entry is of another file. `offset` is
    /// the start of the range, `found` its end.
    pub fn blob(&self, metadata: &BlobMetadata<'_>) -> Result<Blob<'a>> {
        let range = metadata.range();
        let outside = Error::at(ErrorKind::RangeOutOfBounds, range.start, range.end);
        if range.end > self.footer.location().offset() {
            return Err(outside);
        }
        match (usize::try_from(range.start), usize::try_from(range.end)) {
            (Ok(start), Ok(end)) => self.bytes.get(start..end).ok_or(outside).and_then(|stored| metadata.blob(stored)),
            _ => Err(outside),
        }
    }
}
