//! CRC-32 (ISO-HDLC), XXH32 and XXH64.
//!
//! CRC-32 guards deletion vectors of every table format; it comes from `crc32fast` with the feature `simd`, and from
//! a 1 KiB table otherwise. XXH32 guards LZ4 frames, XXH64 zstd frames. They answer the same whatever the features are.

/// Returns the CRC-32 (ISO-HDLC, the one of zlib) of `bytes`.
#[inline]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc32::new();
    crc.update(bytes);
    crc.finish()
}

/// The CRC-32 of bytes that come piece by piece.
#[cfg(feature = "simd")]
struct Crc32(crc32fast::Hasher);

#[cfg(feature = "simd")]
impl Crc32 {
    fn new() -> Self {
        Self(crc32fast::Hasher::new())
    }

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self) -> u32 {
        self.0.finalize()
    }
}

/// The CRC-32 of bytes that come piece by piece.
#[cfg(not(feature = "simd"))]
struct Crc32(crc::Digest<'static, u32, crc::Table<1>>);

#[cfg(not(feature = "simd"))]
impl Crc32 {
    fn new() -> Self {
        Self(PORTABLE_CRC32.digest())
    }

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self) -> u32 {
        self.0.finalize()
    }
}

/// The portable form, and the oracle of the accelerated one.
#[cfg(any(not(feature = "simd"), test))]
static PORTABLE_CRC32: crc::Crc<u32, crc::Table<1>> = crc::Crc::<u32, crc::Table<1>>::new(&crc::CRC_32_ISO_HDLC);

/// A CRC-32 that stays a little ahead of a reader of the same bytes, so that they come from memory once.
///
/// The CRC goes first because it waits for memory less than the checks of content do: its loads run ahead of it.
pub(crate) struct Leading<'a> {
    /// Bytes not yet summed.
    left: &'a [u8],
    crc: Crc32,
}

impl<'a> Leading<'a> {
    /// Bytes summed at a time: few enough to be in the cache still when they are read, enough to make up for starting
    /// and ending a sum.
    const PIECE: usize = 16 * 1024;

    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes, crc: Crc32::new() }
    }

    /// Tells that all bytes but the last `behind` are about to be read.
    #[inline]
    pub(crate) fn reach(&mut self, behind: usize) {
        let wanted = self.left.len().saturating_sub(behind);
        if wanted > 0 {
            let len = wanted.max(Self::PIECE).min(self.left.len());
            let (piece, left) = self.left.split_at_checked(len).unwrap_or_default();
            self.crc.update(piece);
            self.left = left;
        }
    }

    /// Returns the CRC-32 of all bytes, read or not.
    pub(crate) fn finish(mut self) -> u32 {
        self.crc.update(self.left);
        self.crc.finish()
    }
}

/// Returns the XXH32 of `bytes` with seed 0, as the LZ4 frame format uses it.
pub(crate) fn xxh32(bytes: &[u8]) -> u32 {
    twox_hash::XxHash32::oneshot(0, bytes)
}

/// Returns the low half of the XXH64 of `bytes` with seed 0, as the Zstandard frame format uses it.
#[cfg(feature = "zstd")]
pub(crate) fn xxh64_low(bytes: &[u8]) -> u32 {
    let [a, b, c, d, ..] = twox_hash::XxHash64::oneshot(0, bytes).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_check_values() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(PORTABLE_CRC32.checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(xxh32(b""), 0x02CC_5D05);
        #[cfg(feature = "zstd")]
        assert_eq!(xxh64_low(b""), 0x51D8_E999);
    }

    #[test]
    fn accelerated_form_equals_the_portable_one() {
        let bytes: std::vec::Vec<u8> =
            (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
        for start in 0..40 {
            for len in [0, 1, 15, 16, 63, 64, 65, 255, 1000, 4900] {
                let part = &bytes[start..start + len];
                assert_eq!(crc32(part), PORTABLE_CRC32.checksum(part), "start {start} len {len}");
            }
        }
    }
}
