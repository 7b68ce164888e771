//! The footer as a whole: its framing, its payload, and the metadata in it.

use super::{
    MAGIC,
    framing::{FOOTER_OVERHEAD, FooterLocation, check_magic},
    metadata::FileMetadata,
};
use crate::{
    compression::lz4,
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

/// A footer whose framing has been checked: both magics, flags, payload size.
///
/// It is all of a file that a remote reader needs to list the blobs. The payload has not been looked at;
/// [`metadata`](Self::metadata) does that.
///
/// # Examples
///
/// ```
/// use puffin_codec::puffin::FooterView;
///
/// // The footer of an empty file of 32 bytes, without the file's own head magic.
/// let footer = FooterView::parse(b"PFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1", 32)?;
///
/// assert_eq!(footer.location().offset(), 4);
/// assert_eq!(footer.metadata(&mut [])?.blob_count(), 0);
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FooterView<'a> {
    payload: &'a [u8],
    location: FooterLocation,
}

impl<'a> FooterView<'a> {
    /// Checks exactly the bytes of a footer, from its first magic to the end of a file of `file_len` bytes.
    ///
    /// O(1).
    ///
    /// # Errors
    ///
    /// * [`ErrorKind::InvalidArgument`] if the bytes and a head magic do not fit into the file; `found` counts them;
    /// * [`ErrorKind::Truncated`] if they are fewer than 16;
    /// * [`ErrorKind::BadMagic`], [`ErrorKind::UnknownFlags`], [`ErrorKind::BadFooterSize`] as for
    ///   [`FooterLocation::from_tail`];
    /// * [`ErrorKind::LengthMismatch`] if the payload size is not that of these bytes; `found` is the field.
    pub fn parse(footer: &'a [u8], file_len: u64) -> Result<Self> {
        let footer_len = footer.len() as u64;
        if footer.len() < FOOTER_OVERHEAD {
            return Err(Error::new(ErrorKind::Truncated, 0, footer_len));
        }
        if footer_len > file_len.saturating_sub(MAGIC.len() as u64) {
            return Err(Error::new(ErrorKind::InvalidArgument, 0, footer_len));
        }
        let location = FooterLocation::from_closing(footer, file_len)?;
        if location.len() != footer_len {
            let field = footer.len().saturating_sub(super::FOOTER_TAIL_LEN);
            return Err(Error::new(ErrorKind::LengthMismatch, field, u64::from(location.payload_len())));
        }
        check_magic(footer, 0)?;
        Self::new(footer, location)
    }

    /// Takes the bytes that a checked location has found.
    pub(super) fn new(footer: &'a [u8], location: FooterLocation) -> Result<Self> {
        let payload = MAGIC.len()..footer.len().saturating_sub(super::FOOTER_TAIL_LEN);
        let payload = footer.get(payload).ok_or(Error::new(ErrorKind::Internal, 0, 0))?;
        Ok(Self { payload, location })
    }

    /// Returns where the footer is in the file.
    #[must_use]
    pub const fn location(&self) -> FooterLocation {
        self.location
    }

    /// Returns the footer payload as stored: JSON, or one LZ4 frame of it.
    #[must_use]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Returns how many bytes of scratch memory [`metadata_with`](Self::metadata_with) needs: 0 for an uncompressed
    /// payload, else the decoded size that the LZ4 frame declares.
    ///
    /// O(1). The declared size is held against the stored size and [`Limits::max_decoded_len`] first (and 4 GiB), so it
    /// is safe to allocate.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::DecodedLenExceeded`], and what is wrong with the header of the frame. Offsets count from the start
    /// of the file.
    pub fn scratch_len(&self, limits: &Limits) -> Result<usize> {
        match self.location.is_compressed() {
            false => Ok(0),
            true => lz4::decoded_len(self.payload, &text_limits(limits)).map_err(|error| self.in_file(error)),
        }
    }

    /// Reads the metadata under the default [`Limits`]; see [`metadata_with`](Self::metadata_with).
    ///
    /// # Errors
    ///
    /// As for [`metadata_with`](Self::metadata_with).
    pub fn metadata<'s>(&self, scratch: &'s mut [u8]) -> Result<FileMetadata<'s>>
    where
        'a: 's,
    {
        self.metadata_with(scratch, &Limits::DEFAULT)
    }

    /// Reads the metadata: checks that the payload is one JSON object as the specification has it.
    ///
    /// An uncompressed payload is borrowed, and `scratch` left alone; a compressed one is decoded into `scratch`,
    /// which must have [`scratch_len`](Self::scratch_len) bytes. O(decoded payload), in two passes (UTF-8, then JSON);
    /// telling the names of an object apart adds at most half of [`Limits::json_members`] readings of each name, which
    /// takes names made for the purpose. No recursion; about 10 KiB of stack.
    ///
    /// # Errors
    ///
    /// Offsets count from the start of the file; those inside a compressed payload's text count from the start of the
    /// decoded text.
    ///
    /// * [`ErrorKind::ScratchTooSmall`] with the size needed, [`ErrorKind::DecodedLenExceeded`], and whatever is wrong
    ///   with the LZ4 frame;
    /// * [`ErrorKind::BadUtf8`], [`ErrorKind::BadJson`], [`ErrorKind::BadEscape`], [`ErrorKind::DuplicateName`],
    ///   [`ErrorKind::TrailingBytes`], anywhere in the text;
    /// * [`ErrorKind::JsonTooDeep`], [`ErrorKind::TooManyMembers`] over the limits;
    /// * [`ErrorKind::WrongType`] if the text is not an object, `blobs` not an array, `properties` not an object of
    ///   strings; [`ErrorKind::MissingField`] without `blobs`.
    ///
    /// What is wrong inside one entry of `blobs` is an error of that entry; see
    /// [`FileMetadata::blobs`](super::FileMetadata::blobs).
    pub fn metadata_with<'s>(&self, scratch: &'s mut [u8], limits: &Limits) -> Result<FileMetadata<'s>>
    where
        'a: 's,
    {
        let footer_offset = self.location.offset();
        if !self.location.is_compressed() {
            return FileMetadata::parse(self.payload, self.payload_offset(), footer_offset, limits);
        }
        let need = self.scratch_len(limits)?;
        if scratch.len() < need {
            return Err(Error::new(ErrorKind::ScratchTooSmall, 0, need as u64));
        }
        let text =
            lz4::decode_into(self.payload, scratch, &text_limits(limits)).map_err(|error| self.in_file(error))?;
        FileMetadata::parse(text, 0, footer_offset, limits)
    }

    /// Returns where the payload starts in the file.
    const fn payload_offset(&self) -> u64 {
        self.location.offset().saturating_add(MAGIC.len() as u64)
    }

    /// Returns an error about the stored payload as one about the file.
    fn in_file(&self, error: Error) -> Error {
        Error::at(error.kind(), self.payload_offset().saturating_add(error.offset()), error.found())
    }
}

/// Returns limits under which offsets in a decoded text fit 32 bits. Those in an uncompressed one do anyway.
fn text_limits(limits: &Limits) -> Limits {
    Limits { max_decoded_len: limits.max_decoded_len.min(u64::from(u32::MAX)), ..*limits }
}
