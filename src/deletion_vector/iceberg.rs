//! The envelope of Iceberg's `deletion-vector-v1` blob. [The module](super) shows its bytes.

use crate::bytes::Reader;
use crate::checksum::{Leading, crc32};
use crate::deletion_vector::DeletionVector;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::Bitmap64;

/// The four bytes before the bitmap.
pub const MAGIC: [u8; 4] = [0xD1, 0xD3, 0x39, 0x64];

/// Highest bucket key that may be read: positions are 64-bit with the sign bit clear.
///
/// Iceberg Java refuses this very key and stops one below, so nobody should write it.
pub const MAX_KEY: u32 = 0x7FFF_FFFF;

/// Highest bucket key that is written: what every reader takes.
pub const MAX_WRITTEN_KEY: u32 = MAX_KEY - 1;

/// Highest position that is written.
pub const MAX_WRITTEN_POSITION: u64 = ((MAX_WRITTEN_KEY as u64) << 32) | 0xFFFF_FFFF;

/// Highest position that may be read.
pub const MAX_POSITION: u64 = 0x7FFF_FFFF_FFFF_FFFF;

/// Length in bytes of the smallest blob, the empty vector.
pub const MIN_BLOB_LEN: usize = 20;

/// What the size field does not count: itself and the CRC.
pub(super) const ENVELOPE_LEN: usize = 8;

impl<'a> DeletionVector<'a> {
    /// Parses a `deletion-vector-v1` blob: exactly the bytes that a manifest entry or a footer points at.
    ///
    /// Checks size, magic and CRC, and all of the bitmap; what the bitmap holds is told only if the CRC is right. Takes
    /// O(bytes).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Truncated`] below 12 bytes, [`ErrorKind::LengthMismatch`] if the size field does not count `blob`,
    /// [`ErrorKind::BadMagic`], [`ErrorKind::CrcMismatch`], [`ErrorKind::KeyOutOfRange`] for a key above
    /// [`MAX_KEY`], and everything that [`Bitmap64::parse`] reports.
    pub fn parse(blob: &'a [u8]) -> Result<Self> {
        let envelope = Envelope::parse(blob)?;
        let bitmap = if envelope.covered.len() < LARGE {
            envelope.check_crc(crc32(envelope.covered))?;
            Bitmap64::parse_up_to(envelope.bitmap, MAX_KEY, &mut None)
        } else {
            // One pass over memory: the CRC goes through a piece of it, then the checks of the content do. Whatever
            // they say, a wrong CRC is the answer, as if all of it had been summed before.
            let mut leading = Some(Leading::new(envelope.covered));
            let bitmap = Bitmap64::parse_up_to(envelope.bitmap, MAX_KEY, &mut leading);
            envelope.check_crc(leading.map_or(0, Leading::finish))?;
            bitmap
        };
        bitmap.map(|bitmap| Self { bitmap }).map_err(|error| error.rebased(Envelope::BITMAP_AT))
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
    /// As [`parse`](Self::parse), with [`ErrorKind::Truncated`] if `bytes` end before the blob does and
    /// [`ErrorKind::LengthMismatch`] if the size field leaves no room for the magic.
    pub fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, usize)> {
        let mut reader = Reader::new(bytes);
        let size = reader.u32_be()?;
        if usize::try_from(size).is_ok_and(|size| size < MAGIC.len()) {
            return Err(Error::new(ErrorKind::LengthMismatch, 0, u64::from(size)));
        }
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

/// Bytes from which the CRC and the checks of the content take turns: more than the caches next to a core hold, so that
/// a second pass would read memory again.
const LARGE: usize = 128 * 1024;

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

    #[inline]
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

    fn check_crc(&self, crc: u32) -> Result<()> {
        if crc == self.crc {
            return Ok(());
        }
        Err(Error::new(ErrorKind::CrcMismatch, self.covered.len().saturating_add(4), u64::from(self.crc)))
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// A blob around `bitmap`, with size and CRC right.
    fn blob(bitmap: &[u8]) -> Vec<u8> {
        let covered: Vec<u8> = MAGIC.iter().chain(bitmap).copied().collect();
        let size = u32::try_from(covered.len()).unwrap();
        size.to_be_bytes().into_iter().chain(covered.iter().copied()).chain(crc32(&covered).to_be_bytes()).collect()
    }

    fn fault(bytes: &[u8]) -> (ErrorKind, u64, u64) {
        let error = DeletionVector::parse(bytes).unwrap_err();
        (error.kind(), error.offset(), error.found())
    }

    /// One bucket with this key that holds position 0 alone.
    fn bucket(key: u32) -> Vec<u8> {
        let mut bitmap = Vec::from([1, 0, 0, 0, 0, 0, 0, 0]);
        bitmap.extend(key.to_le_bytes());
        bitmap.extend([0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0]);
        bitmap
    }

    #[test]
    fn the_empty_vector_is_the_one_iceberg_java_writes() {
        let empty = [0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C];
        assert_eq!(blob(&[0; 8]), empty);
        let vector = DeletionVector::parse_with_cardinality(&empty, 0).unwrap();
        assert!(vector.is_empty() && vector.iter().next().is_none());
    }

    #[test]
    fn size_magic_and_crc_come_before_the_bitmap() {
        let good = blob(&bucket(0));
        assert!(DeletionVector::parse(&good).is_ok());
        assert_eq!(fault(&[]), (ErrorKind::Truncated, 0, 0));
        assert_eq!(fault(&good[..11]), (ErrorKind::Truncated, 4, 7));
        assert_eq!(fault(&good[..good.len() - 1]), (ErrorKind::LengthMismatch, 0, 34));
        let changed = |at: usize, to: u8| {
            let mut bytes = good.clone();
            bytes[at] = to;
            fault(&bytes)
        };
        assert_eq!(changed(3, 33), (ErrorKind::LengthMismatch, 0, 33));
        assert_eq!(changed(4, 0xD0), (ErrorKind::BadMagic, 4, 0x6439_D3D0));
        assert_eq!(changed(20, 0).0, ErrorKind::CrcMismatch);
        assert_eq!(changed(41, 0).1, 38);
    }

    #[test]
    fn a_large_blob_is_summed_all_the_same() {
        // Bucket 0 with 20 bitsets that hold the even values: 32,768 each.
        let mut bitmap = Vec::from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 20, 0, 0, 0]);
        bitmap.extend((0..20_u8).flat_map(|key| [key, 0, 0xFF, 0x7F]));
        bitmap.extend((0..20_u32).flat_map(|index| (168 + 8192 * index).to_le_bytes()));
        bitmap.extend([0x55; 20 * 8192]);
        let good = blob(&bitmap);
        assert!(good.len() > LARGE);
        assert_eq!(DeletionVector::parse(&good).unwrap().cardinality(), 20 * 32_768);
        let crc_at = good.len() as u64 - 4;
        for at in [8, 20, 29, 110, 180, 9000, 100_000, good.len() - 5] {
            // Whatever the change does to the content, without its CRC the blob is told to be damaged.
            let mut bytes = good.clone();
            bytes[at] ^= 2;
            assert_eq!((fault(&bytes).0, fault(&bytes).1), (ErrorKind::CrcMismatch, crc_at), "byte {at}");
        }
        let mut full = bitmap.clone();
        full[12 + 168 + 5 * 8192] = 0x57;
        assert_eq!(fault(&blob(&full)), (ErrorKind::CardinalityMismatch, 8 + 12 + 8 + 4 * 5 + 2, 32_768));
        full.truncate(100_000);
        full.resize(good.len(), 0);
        full.truncate(bitmap.len() - 1);
        assert_eq!(fault(&blob(&full)).0, ErrorKind::CardinalityMismatch);
        bitmap.push(0);
        assert_eq!(fault(&blob(&bitmap)), (ErrorKind::TrailingBytes, crc_at, 1));
    }

    #[test]
    fn keys_leave_the_sign_bit_clear() {
        let highest = blob(&bucket(MAX_KEY));
        assert_eq!(DeletionVector::parse(&highest).unwrap().max(), Some(0x7FFF_FFFF_0000_0000));
        assert_eq!(fault(&blob(&bucket(MAX_KEY + 1))), (ErrorKind::KeyOutOfRange, 16, 0x8000_0000));
    }

    #[test]
    fn every_byte_counts() {
        let mut long = bucket(0);
        long.extend([0, 0]);
        assert_eq!(fault(&blob(&long)), (ErrorKind::TrailingBytes, 38, 2));
        let good = blob(&bucket(0));
        let mut longer = good.clone();
        longer.extend([1, 2, 3]);
        assert_eq!(DeletionVector::parse_prefix(&longer).map(|(vector, used)| (vector.max(), used)), Ok((Some(0), 42)));
        let error = DeletionVector::parse_prefix(&good[..41]).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.found()), (ErrorKind::Truncated, 4, 37));
        let error = DeletionVector::parse_prefix(&[0; 100]).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.found()), (ErrorKind::LengthMismatch, 0, 0));
        let error = DeletionVector::parse_with_cardinality(&good, 2).unwrap_err();
        assert_eq!((error.kind(), error.found()), (ErrorKind::CardinalityMismatch, 2));
    }

    #[test]
    fn a_trusted_blob_is_framed_but_not_summed() {
        let mut bytes = blob(&bucket(0));
        bytes[41] ^= 1;
        assert!(DeletionVector::parse(&bytes).is_err());
        let vector = DeletionVector::parse_trusted(&bytes).unwrap();
        assert!(vector.contains(0) && vector.cardinality() == 1);
        assert_eq!(DeletionVector::parse_trusted(&bytes[..41]).unwrap_err().kind(), ErrorKind::LengthMismatch);
    }
}
