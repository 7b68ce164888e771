//! SHA-256 as the tables write it: lower-case hexadecimal.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Digest of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Digest of positions, each as 8 bytes little-endian; also how many there are.
pub(crate) fn sha256_of_positions(positions: impl Iterator<Item = u64>) -> (String, u64) {
    let (mut digest, mut count, mut block) = (Sha256::new(), 0, Vec::with_capacity(8 * 1024));
    for position in positions {
        block.extend_from_slice(&position.to_le_bytes());
        count += 1;
        if block.len() == block.capacity() {
            digest.update(&block);
            block.clear();
        }
    }
    digest.update(&block);
    (hex(&digest.finalize()), count)
}

/// Lower-case hexadecimal digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
