//! Where the footer is: magics, flags, payload size. Nothing here reads the payload.

use core::ops::Range;

use super::{FOOTER_TAIL_LEN, MAGIC, footer::FooterView};
use crate::{
    bytes::Reader,
    error::{Error, ErrorKind, Result},
};

/// Bytes of a footer besides its payload: the magic before it and the tail behind it.
pub(super) const FOOTER_OVERHEAD: usize = MAGIC.len() + FOOTER_TAIL_LEN;

/// The smallest file that the framing allows: a head magic and a footer without payload.
const MIN_FILE_LEN: u64 = (MAGIC.len() + FOOTER_OVERHEAD) as u64;

/// Flag bit 0 of byte 0: the footer payload is compressed.
pub(super) const COMPRESSED: u32 = 1;

/// Where the footer of a file is, and how its payload is stored.
///
/// # Examples
///
/// A remote reader of an empty file of 32 bytes, who guesses that the last 16 bytes will do:
///
/// ```
/// use puffin_codec::puffin::{FooterLocation, Tail};
///
/// let file = b"PFA1PFA1{\"blobs\":[]}\x0c\0\0\0\0\0\0\0PFA1";
/// let guess = FooterLocation::from_tail(&file[16..], 32)?;
/// assert_eq!(guess, Tail::Fetch(4..32));
///
/// let Tail::Footer(footer) = FooterLocation::from_tail(&file[4..], 32)? else { panic!() };
/// assert_eq!((footer.location().offset(), footer.location().len()), (4, 28));
/// assert_eq!(footer.payload(), b"{\"blobs\":[]}");
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FooterLocation {
    file_len: u64,
    payload_len: u32,
    compressed: bool,
}

/// What the last bytes of a file are good for. Made by [`FooterLocation::from_tail`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail<'a> {
    /// They hold the whole footer.
    Footer(FooterView<'a>),
    /// They do not: fetch these bytes of the file, and pass them as the next tail.
    ///
    /// The range ends where the file ends. Whoever still has the tail need only fetch what is before it.
    Fetch(Range<u64>),
}

impl FooterLocation {
    /// Finds the footer from the last bytes of a file of `file_len` bytes, or says which bytes to fetch for that.
    ///
    /// `tail` may have any length up to that of the file. Fewer than [`FOOTER_TAIL_LEN`] bytes lead to a fetch of that
    /// many; after at most two fetches the footer is there. A first read of 8 KiB or more usually saves both. If
    /// `tail` is the whole file, the head magic is checked as well.
    ///
    /// O(1).
    ///
    /// # Errors
    ///
    /// * [`ErrorKind::InvalidArgument`] if `tail` is longer than the file; `found` is its length;
    /// * [`ErrorKind::Truncated`] if the file is too short for any footer (20 bytes);
    /// * [`ErrorKind::BadMagic`] at the head (of a whole file), at the end, or before the payload;
    /// * [`ErrorKind::UnknownFlags`] if a reserved flag is set;
    /// * [`ErrorKind::BadFooterSize`] if the payload size is negative or more than the file can hold.
    pub fn from_tail(tail: &[u8], file_len: u64) -> Result<Tail<'_>> {
        let tail_len = tail.len() as u64;
        if tail_len > file_len {
            return Err(Error::new(ErrorKind::InvalidArgument, 0, tail_len));
        }
        if file_len < MIN_FILE_LEN {
            return Err(Error::new(ErrorKind::Truncated, 0, file_len));
        }
        if tail_len == file_len {
            check_magic(tail, 0)?;
        }
        if tail.len() < FOOTER_TAIL_LEN {
            return Ok(Tail::Fetch(file_len.saturating_sub(FOOTER_TAIL_LEN as u64)..file_len));
        }
        let location = Self::from_closing(tail, file_len)?;
        match usize::try_from(location.len()).ok().and_then(|len| tail.len().checked_sub(len)) {
            Some(start) => {
                check_magic(tail, start)?;
                FooterView::new(tail.get(start..).unwrap_or_default(), location).map(Tail::Footer)
            }
            None => Ok(Tail::Fetch(location.offset()..file_len)),
        }
    }

    /// Reads the last [`FOOTER_TAIL_LEN`] bytes of `tail`.
    pub(super) fn from_closing(tail: &[u8], file_len: u64) -> Result<Self> {
        let start = tail.len().saturating_sub(FOOTER_TAIL_LEN);
        let mut reader = Reader::new(tail);
        reader.take(start)?;
        let size = reader.u32_le()?.cast_signed();
        let flags = reader.u32_le()?;
        check_magic(tail, reader.position())?;
        if flags & !COMPRESSED != 0 {
            return Err(Error::new(ErrorKind::UnknownFlags, start.saturating_add(4), u64::from(flags)));
        }
        match u32::try_from(size) {
            Ok(payload_len) if u64::from(payload_len) <= file_len.saturating_sub(MIN_FILE_LEN) => {
                Ok(Self { file_len, payload_len, compressed: flags & COMPRESSED != 0 })
            }
            _ => Err(Error::new(ErrorKind::BadFooterSize, start, i64::from(size).cast_unsigned())),
        }
    }

    /// Returns where the footer's first magic is, in bytes from the start of the file; at least 4.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.file_len.saturating_sub(self.len())
    }

    /// Returns the length of the whole footer, both magics included, in bytes: the payload and 16 more.
    ///
    /// This is what `file-footer-size-in-bytes` of a table's statistics file counts.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a footer is never empty")]
    pub const fn len(&self) -> u64 {
        self.payload_len as u64 + FOOTER_OVERHEAD as u64
    }

    /// Returns the length of the footer payload as stored, in bytes; at most 2³¹ - 1.
    #[must_use]
    pub const fn payload_len(&self) -> u32 {
        self.payload_len
    }

    /// Returns whether the footer payload is one LZ4 frame.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        self.compressed
    }

    /// Returns the length of the file, in bytes.
    #[must_use]
    pub const fn file_len(&self) -> u64 {
        self.file_len
    }
}

/// Fails unless the magic stands at `at`.
pub(super) fn check_magic(bytes: &[u8], at: usize) -> Result<()> {
    let mut reader = Reader::new(bytes);
    reader.take(at)?;
    match reader.array()? {
        MAGIC => Ok(()),
        other => Err(Error::new(ErrorKind::BadMagic, at, u64::from(u32::from_le_bytes(other)))),
    }
}
