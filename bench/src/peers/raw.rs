//! Calls of CRoaring's C interface that `croaring` does not pass on: deserializing 64-bit bitmaps without a validating
//! pass, and `contains` with a hint.

use croaring_sys as sys;

/// An owned 64-bit bitmap of CRoaring.
pub(super) struct Raw64(*mut sys::roaring64_bitmap_t);

impl Raw64 {
    /// Deserializes with checks of lengths and key order only: the fastest way that CRoaring has.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        // SAFETY: pointer and length are those of a slice.
        let raw = unsafe { sys::roaring64_bitmap_portable_deserialize_safe(bytes.as_ptr().cast(), bytes.len()) };
        (!raw.is_null()).then_some(Self(raw))
    }

    #[inline]
    pub(super) fn contains(&self, position: u64) -> bool {
        // SAFETY: the bitmap lives as long as `self`.
        unsafe { sys::roaring64_bitmap_contains(self.0, position) }
    }

    /// Answers the probes with `roaring64_bitmap_contains_bulk`, which remembers the container of the probe before.
    #[inline]
    pub(super) fn contains_bulk(&self, probes: &[u64], mut answer: impl FnMut(bool)) {
        // SAFETY: an all-zero context is what CRoaring's manual asks for.
        let mut context: sys::roaring64_bulk_context_t = unsafe { std::mem::zeroed() };
        for probe in probes {
            // SAFETY: the bitmap lives as long as `self`, is not modified, and the context is for it alone.
            answer(unsafe { sys::roaring64_bitmap_contains_bulk(self.0, &raw mut context, *probe) });
        }
    }
}

impl Raw64 {
    /// Adds the positions of another bitmap, makes runs where they are smaller, and appends the portable form to `out`.
    pub(super) fn unite_into(self, other: &Self, out: &mut Vec<u8>) {
        // SAFETY: both live as long as the call, and are two; the bitmap is owned, and the memory as long as asked.
        unsafe {
            sys::roaring64_bitmap_or_inplace(self.0, other.0);
            sys::roaring64_bitmap_run_optimize(self.0);
            let len = sys::roaring64_bitmap_portable_size_in_bytes(self.0);
            out.reserve(len);
            let written =
                sys::roaring64_bitmap_portable_serialize(self.0, out.spare_capacity_mut().as_mut_ptr().cast());
            out.set_len(out.len() + written);
        }
    }
}

impl Drop for Raw64 {
    fn drop(&mut self) {
        // SAFETY: the bitmap is owned and not used again.
        unsafe { sys::roaring64_bitmap_free(self.0) }
    }
}

/// An owned 32-bit bitmap of CRoaring.
pub(super) struct Raw32(*mut sys::roaring_bitmap_t);

impl Raw32 {
    /// Deserializes with checks of lengths only.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        // SAFETY: pointer and length are those of a slice.
        let raw = unsafe { sys::roaring_bitmap_portable_deserialize_safe(bytes.as_ptr().cast(), bytes.len()) };
        (!raw.is_null()).then_some(Self(raw))
    }

    /// Answers the probes with `roaring_bitmap_contains_bulk`, which remembers the container of the probe before.
    #[inline]
    pub(super) fn contains_bulk(&self, probes: &[u64], mut answer: impl FnMut(bool)) {
        // SAFETY: an all-zero context is what CRoaring's manual asks for.
        let mut context: sys::roaring_bulk_context_t = unsafe { std::mem::zeroed() };
        for probe in probes {
            let Ok(low) = u32::try_from(*probe) else {
                answer(false);
                continue;
            };
            // SAFETY: the bitmap lives as long as `self`, is not modified, and the context is for it alone.
            answer(unsafe { sys::roaring_bitmap_contains_bulk(self.0, &raw mut context, low) });
        }
    }
}

impl Drop for Raw32 {
    fn drop(&mut self) {
        // SAFETY: the bitmap is owned and not used again.
        unsafe { sys::roaring_bitmap_free(self.0) }
    }
}
