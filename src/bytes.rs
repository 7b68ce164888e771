//! Checked access to bytes: the only place with offset arithmetic on input.
//!
//! [`Reader`] walks a slice from the front and never leaves it. Multi-byte values are copied out, so a value may
//! start at any address. Typed slices (`&[U16]`, `&[U64]`) come from `zerocopy`'s alignment-free integers.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::error::{Error, ErrorKind, Result};

/// Reads values one after the other from the front of a slice.
///
/// Every method either consumes exactly what it returns, or fails with [`ErrorKind::Truncated`] and consumes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Returns how many bytes have been consumed.
    #[inline]
    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    /// Returns what has not been consumed yet.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// Consumes `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = self.rest();
        let taken = rest.get(..len).ok_or(Error::new(ErrorKind::Truncated, self.position, rest.len() as u64))?;
        self.position = self.position.saturating_add(len);
        Ok(taken)
    }

    /// Consumes `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| Error::new(ErrorKind::Internal, self.position, 0))
    }

    /// Consumes `count` elements of a type that has no alignment and no invalid bytes.
    #[inline]
    pub(crate) fn slice<T>(&mut self, count: usize) -> Result<&'a [T]>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let rest = self.rest();
        let (elements, _) = <[T]>::ref_from_prefix_with_elems(rest, count)
            .map_err(|_| Error::new(ErrorKind::Truncated, self.position, rest.len() as u64))?;
        self.position = self.position.saturating_add(size_of_val(elements));
        Ok(elements)
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.array().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u16_le(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32_le(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32_be(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u64_le(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Fails with [`ErrorKind::TrailingBytes`] unless everything has been consumed.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.rest().len() {
            0 => Ok(()),
            left => Err(Error::new(ErrorKind::TrailingBytes, self.position, left as u64)),
        }
    }
}

/// Copies out the value at `offset`, or `None` if it is not all inside `bytes`.
#[inline]
pub(crate) fn read_at<T>(bytes: &[u8], offset: usize) -> Option<T>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    // An end that wraps around is below the start; where the compiler sees that it cannot, one compare is left.
    T::read_from_bytes(bytes.get(offset..offset.wrapping_add(size_of::<T>()))?).ok()
}

/// Views `count` elements at `offset`, or `None` if they are not all inside `bytes`.
#[inline]
pub(crate) fn slice_at<T>(bytes: &[u8], offset: usize, count: usize) -> Option<&[T]>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    <[T]>::ref_from_prefix_with_elems(bytes.get(offset..)?, count).ok().map(|(elements, _)| elements)
}

/// Moves `count` elements from `from` to `to`, which may overlap. Returns whether both are inside `items`; if not,
/// nothing is moved.
#[inline]
pub(crate) fn move_within<T: Copy>(items: &mut [T], from: usize, to: usize, count: usize) -> bool {
    // What `copy_within` asks for, in its own terms, so that its panics are seen to be out of reach.
    let Some(from_end) = from.checked_add(count).filter(|end| *end <= items.len()) else { return false };
    let fits = items.len().checked_sub(from_end.wrapping_sub(from)).is_some_and(|room| to <= room);
    if fits {
        items.copy_within(from..from_end, to);
    }
    fits
}

#[cfg(test)]
mod tests {
    use zerocopy::little_endian::U16;

    use super::*;

    #[test]
    fn reads_in_order_and_consumes_nothing_on_failure() {
        let bytes = [1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 9];
        let mut reader = Reader::new(&bytes);
        assert_eq!((reader.u8(), reader.u16_le(), reader.u32_le()), (Ok(1), Ok(2), Ok(3)));
        assert_eq!(reader.u64_le(), Err(Error::new(ErrorKind::Truncated, 7, 5)));
        assert_eq!((reader.position(), reader.u32_be()), (7, Ok(0x0400_0000)));
        assert_eq!(reader.finish(), Err(Error::new(ErrorKind::TrailingBytes, 11, 1)));
        assert_eq!((reader.take(1), reader.finish()), (Ok(&[9_u8][..]), Ok(())));
    }

    #[test]
    fn typed_slices_need_no_alignment_and_never_overrun() {
        let bytes = [0, 1, 0, 2, 0, 7];
        for offset in [1, 2] {
            assert_eq!(slice_at::<U16>(&bytes, offset, 2).map(<[U16]>::len), Some(2));
        }
        assert!(slice_at::<U16>(&bytes, 3, 2).is_none());
        assert!(slice_at::<U16>(&bytes, 9, 0).is_none());
        assert!(slice_at::<U16>(&bytes, 0, usize::MAX).is_none());
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.slice::<U16>(usize::MAX).unwrap_err().kind(), ErrorKind::Truncated);
        assert_eq!(reader.slice::<U16>(3).map(<[U16]>::len), Ok(3));
    }

    #[test]
    fn elements_move_only_inside_their_slice() {
        let mut items = [1, 2, 3, 4, 5];
        assert!(move_within(&mut items, 0, 2, 3));
        assert_eq!(items, [1, 2, 1, 2, 3]);
        for (from, to, count) in [(3, 0, 3), (0, 3, 3), (usize::MAX, 0, 1), (0, usize::MAX, 1), (1, 0, usize::MAX)] {
            assert!(!move_within(&mut items, from, to, count), "{from} {to} {count}");
        }
        assert_eq!(items, [1, 2, 1, 2, 3]);
    }
}
