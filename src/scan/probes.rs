//! Membership of many positions at once.

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{Bitmap64, Container, high16, high32, low16, low32};

impl Bitmap64<'_> {
    /// Writes for each of `positions` whether it is in the set: `out[i]` for `positions[i]`.
    ///
    /// Any order is allowed. Neighbours that fall into one container share the way to it, so sorted positions are
    /// answered fastest. Elements of `out` behind the last position are left alone.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the elements needed, if `out` is shorter than `positions`; nothing is written.
    pub fn contains_many(&self, positions: &[u64], out: &mut [bool]) -> Result<()> {
        let needed = positions.len();
        let out = out.get_mut(..needed).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64))?;
        let mut bucket = (0, self.bucket(0));
        let mut seat = (u64::MAX, Container::EMPTY);
        for (&position, answer) in positions.iter().zip(out) {
            if seat.0 != position >> 16 {
                let key = high32(position);
                if bucket.0 != key {
                    bucket = (key, self.bucket(key));
                }
                let found = bucket.1.and_then(|bitmap| {
                    let header = bitmap.header();
                    header.find(high16(low32(position))).map(|index| header.container(index))
                });
                seat = (position >> 16, found.unwrap_or(Container::EMPTY));
            }
            *answer = seat.1.contains(low16(low32(position)));
        }
        Ok(())
    }
}
