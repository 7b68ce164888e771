//! The envelope of Iceberg's `deletion-vector-v1` blob. [The module](super) shows its bytes.

use crate::bytes::Reader;
use crate::checksum::crc32;
use crate::deletion_vector::DeletionVector;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::Bitmap64;

/// The four bytes before the bitmap.
pub const MAGIC: [u8; 4] = [0xD1, 0xD3, 0x39, 0x64];

/// Highest bucket key that may be read: positions are 64-bit with the sign bit clear.
///
/// Iceberg Java refuses this very key and stops one below, so nobody should write it.
pub const MAX_KEY: u32 = 0x7FFF_FFFF;

/// Highest position that may be read.
pub const MAX_POSITION: u64 = 0x7FFF_FFFF_FFFF_FFFF;

/// Length in bytes of the smallest blob, the empty vector.
pub const MIN_BLOB_LEN: usize = 20;

/// What the size field does not count: itself and the CRC.
const ENVELOPE_LEN: usize = 8;

impl<'a> DeletionVector<'a> {
    /// Parses a `deletion-vector-v1` blob: exactly the bytes that a manifest entry or a footer points at.
    ///
    /// Size, magic and CRC are checked before the bitmap is looked at, and then all of the bitmap. Takes O(bytes).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Truncated`] below 12 bytes, [`ErrorKind::LengthMismatch`] if the size field does not count `blob`,
    /// [`ErrorKind::BadMagic`], [`ErrorKind::CrcMismatch`], [`ErrorKind::KeyOutOfRange`] for a key above
    /// [`MAX_KEY`], and everything that [`Bitmap64::parse`] reports.
    pub fn parse(blob: &'a [u8]) -> Result<Self> {
        let envelope = Envelope::parse(blob)?;
        envelope.check_crc()?;
        let bitmap =
            Bitmap64::parse_up_to(envelope.bitmap, MAX_KEY).map_err(|error| error.rebased(Envelope::BITMAP_AT))?;
        Ok(Self { bitmap })
    }

    /// Parses a blob as [`parse`](Self::parse) does, and compares its cardinality with the one declared elsewhere: the
    /// `record_count` of a manifest entry, or the `cardinality` property of the footer.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and [`ErrorKind::CardinalityMismatch`] with the declared cardinality.
    pub fn parse_with_cardinality(blob: &'a [u8], cardinality: u64) -> Result<Self> {
        let vector = Self::parse(blob)?;
        if vector.cardinality() == cardinality {
            return Ok(vector);
        }
        Err(Error::new(ErrorKind::CardinalityMismatch, Envelope::BITMAP_AT, cardinality))
    }

    /// Parses a blob at the start of `bytes`, and returns it with its length. The size field says how long it is.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), with [`ErrorKind::Truncated`] if `bytes` end before the blob does.
    pub fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, usize)> {
        let mut reader = Reader::new(bytes);
        let size = reader.u32_be()?;
        let len = usize::try_from(size).ok().and_then(|size| size.checked_add(ENVELOPE_LEN));
        let blob = len.and_then(|len| bytes.get(..len));
        let blob = blob.ok_or(Error::new(ErrorKind::Truncated, reader.position(), reader.rest().len() as u64))?;
        Ok((Self::parse(blob)?, blob.len()))
    }

    /// Views a blob whose content the caller vouches for: it checked the CRC when it cached the bytes, say.
    ///
    /// Takes O(1): no CRC, no pass over the bitmap. If the content is not valid, answers are unspecified; every call
    /// still ends, and never panics.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Truncated`], [`ErrorKind::LengthMismatch`], [`ErrorKind::BadMagic`], and everything that
    /// [`Bitmap64::parse_trusted`] reports.
    pub fn parse_trusted(blob: &'a [u8]) -> Result<Self> {
        let envelope = Envelope::parse(blob)?;
        let bitmap = Bitmap64::parse_trusted(envelope.bitmap).map_err(|error| error.rebased(Envelope::BITMAP_AT))?;
        Ok(Self { bitmap })
    }
}

/// The parts of a blob, cut by its size field.
struct Envelope<'a> {
    /// Magic and bitmap: what the CRC covers.
    covered: &'a [u8],
    bitmap: &'a [u8],
    crc: u32,
}

impl<'a> Envelope<'a> {
    /// Where the bitmap starts.
    const BITMAP_AT: usize = 8;

    fn parse(blob: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(blob);
        let size = reader.u32_be()?;
        let counted = reader.rest().len().checked_sub(4);
        let Some(counted) = counted.filter(|&counted| counted >= MAGIC.len()) else {
            return Err(Error::new(ErrorKind::Truncated, reader.position(), reader.rest().len() as u64));
        };
        if u64::from(size) != counted as u64 {
            return Err(Error::new(ErrorKind::LengthMismatch, 0, u64::from(size)));
        }
        let covered = reader.take(counted)?;
        let crc = reader.u32_be()?;
        let (magic, bitmap) = covered.split_at_checked(MAGIC.len()).unwrap_or_default();
        if magic != MAGIC {
            let found = Reader::new(magic).u32_le()?;
            return Err(Error::new(ErrorKind::BadMagic, 4, u64::from(found)));
        }
        Ok(Self { covered, bitmap, crc })
    }

    fn check_crc(&self) -> Result<()> {
        if crc32(self.covered) == self.crc {
            return Ok(());
        }
        Err(Error::new(ErrorKind::CrcMismatch, self.covered.len().saturating_add(4), u64::from(self.crc)))
    }
}
