//! CRC-32 (ISO-HDLC), XXH32 and XXH64.
//!
//! CRC-32 guards deletion vectors of every table format; it comes from `crc32fast` with the feature `simd`, and from
//! a 1 KiB table otherwise. XXH32 guards LZ4 frames, XXH64 zstd frames. They answer the same whatever the features are.

/// Returns the CRC-32 (ISO-HDLC, the one of zlib) of `bytes`.
#[cfg(feature = "simd")]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Returns the CRC-32 (ISO-HDLC, the one of zlib) of `bytes`.
#[cfg(not(feature = "simd"))]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    portable_crc32(bytes)
}

/// The portable form, and the oracle of the accelerated one.
#[cfg(any(not(feature = "simd"), test))]
fn portable_crc32(bytes: &[u8]) -> u32 {
    static CRC32: crc::Crc<u32, crc::Table<1>> = crc::Crc::<u32, crc::Table<1>>::new(&crc::CRC_32_ISO_HDLC);
    CRC32.checksum(bytes)
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
        assert_eq!(portable_crc32(b"123456789"), 0xCBF4_3926);
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
                assert_eq!(crc32(part), portable_crc32(part), "start {start} len {len}");
            }
        }
    }
}
