//! Encoding for callers who have a heap.

use alloc::vec;
use alloc::vec::Vec;

use crate::deletion_vector::{Encoder, Source, encode_scratch_len};
use crate::error::Result;

impl Encoder<'_, '_> {
    /// Writes a `deletion-vector-v1` blob into a vector of exactly its length.
    ///
    /// # Errors
    ///
    /// As [`encoded_len`](Self::encoded_len).
    pub fn encode_to_vec(&mut self) -> Result<Vec<u8>> {
        let mut scratch = vec![0; encode_scratch_len(self.source_count())];
        let mut blob = vec![0; self.encoded_len(&mut scratch)?];
        let _ = self.encode_into(&mut scratch, &mut blob)?;
        Ok(blob)
    }
}

/// Writes positions in any order, some of them perhaps there twice, as a `deletion-vector-v1` blob.
///
/// Sorts them if they need it.
///
/// # Errors
///
/// [`ErrorKind::KeyOutOfRange`](crate::ErrorKind::KeyOutOfRange) for a position above
/// [`MAX_WRITTEN_POSITION`](super::super::MAX_WRITTEN_POSITION); its `offset` counts the positions in ascending order.
///
/// # Examples
///
/// ```
/// use puffin_codec::deletion_vector::{DeletionVector, encode_positions};
///
/// let blob = encode_positions([9, 1 << 40, 0, 9])?;
/// assert!(DeletionVector::parse(&blob)?.iter().eq([0, 9, 1 << 40]));
/// # Ok::<(), puffin_codec::Error>(())
/// ```
pub fn encode_positions(positions: impl IntoIterator<Item = u64>) -> Result<Vec<u8>> {
    let mut positions: Vec<u64> = positions.into_iter().collect();
    if !positions.is_sorted() {
        positions.sort_unstable();
    }
    Encoder::new(&mut [Source::positions(&positions)?]).encode_to_vec()
}
