//! Where the bytes of a new file go.

use crate::error::{Error, ErrorKind, Result};

/// What takes the bytes of a file, from the first to the last, in order.
///
/// Three are here: [`Detached`], [`SliceSink`] and, with the feature `std`, `IoSink`. Others (a flash page, a multipart
/// upload) are a few lines. The same calls of a [`Writer`](super::Writer) give the same bytes over each of them.
pub trait Sink {
    /// Why a call of the writer fails: for a reason of the sink's, or of the writer's.
    type Error: From<Error>;

    /// Fails if the sink knows that it cannot take bytes up to offset `end` of the file.
    ///
    /// Asked before anything changes, so that a failure leaves the writer as it was.
    ///
    /// # Errors
    ///
    /// Whatever the sink says.
    fn reserve(&mut self, end: u64) -> core::result::Result<(), Self::Error>;

    /// Takes the next bytes of the file, all of them.
    ///
    /// # Errors
    ///
    /// Whatever the sink says. The file is then lost: the writer is closed.
    fn write(&mut self, bytes: &[u8]) -> core::result::Result<(), Self::Error>;
}

/// Takes nothing: whoever calls the writer puts the bytes where they belong.
///
/// That is the head [`MAGIC`](crate::puffin::MAGIC), then the stored bytes of each blob as it is added, then
/// [`WrittenFooter::bytes`](super::WrittenFooter::bytes).
#[derive(Clone, Copy, Debug, Default)]
pub struct Detached;

impl Sink for Detached {
    type Error = Error;

    fn reserve(&mut self, _end: u64) -> Result<()> {
        Ok(())
    }

    fn write(&mut self, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
}

/// Fills a slice from the front.
#[derive(Debug)]
pub struct SliceSink<'f> {
    file: &'f mut [u8],
    len: usize,
}

impl<'f> SliceSink<'f> {
    /// Takes memory for a whole file.
    ///
    /// A call of the writer that finds it too short fails with [`ErrorKind::BufferTooSmall`]; `found` is the length
    /// that the call needs, and `offset` how much is written, which is 0 where a footer buffer is what is too short.
    #[must_use]
    pub const fn new(file: &'f mut [u8]) -> Self {
        Self { file, len: 0 }
    }

    /// Returns the bytes written so far; after the footer, the file.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.file.get(..self.len).unwrap_or_default()
    }

    /// Returns the memory behind them.
    pub(super) fn spare(&mut self) -> &mut [u8] {
        self.file.get_mut(self.len..).unwrap_or_default()
    }

    /// Takes the first `len` bytes of the spare memory as written. They are there: the caller has looked.
    pub(super) fn advance(&mut self, len: usize) {
        self.len = self.len.saturating_add(len);
    }
}

impl Sink for SliceSink<'_> {
    type Error = Error;

    fn reserve(&mut self, end: u64) -> Result<()> {
        if end > self.file.len() as u64 {
            return Err(Error::new(ErrorKind::BufferTooSmall, self.len, end));
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let end = self.len.saturating_add(bytes.len());
        let room = self.file.get_mut(self.len..).and_then(|rest| rest.get_mut(..bytes.len()));
        let room = room.ok_or(Error::new(ErrorKind::BufferTooSmall, self.len, end as u64))?;
        room.copy_from_slice(bytes);
        self.len = end;
        Ok(())
    }
}

/// Passes the bytes to a [`std::io::Write`].
///
/// An error of the writer itself comes as [`InvalidInput`](std::io::ErrorKind::InvalidInput) with the
/// [`Error`] inside. Nothing is flushed.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
pub struct IoSink<W>(pub W);

#[cfg(feature = "std")]
impl<W: std::io::Write> Sink for IoSink<W> {
    type Error = std::io::Error;

    fn reserve(&mut self, _end: u64) -> std::io::Result<()> {
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.write_all(bytes)
    }
}
