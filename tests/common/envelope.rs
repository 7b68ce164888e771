//! The Iceberg envelope around a serialized bitmap.

use super::builder::Bytes;

/// A `deletion-vector-v1` blob around a 64-bit bitmap.
pub(crate) fn vector(bitmap: Bytes) -> Bytes {
    let covered = [&[0xD1, 0xD3, 0x39, 0x64][..], bitmap.bytes()].concat();
    let mut crc = flate2::Crc::new();
    crc.update(&covered);
    let mut out = Bytes::default();
    out.field("size", u32::try_from(covered.len()).unwrap().to_be_bytes());
    out.field("magic", &covered[..4]);
    out.nest("vector", bitmap);
    out.field("crc", crc.sum().to_be_bytes());
    out
}
