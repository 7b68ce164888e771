//! The same code, compiled a second time for wide vectors.
//!
//! With the feature `std` on x86-64, [`wide`] runs its argument as compiled for AVX2 and BMI where the machine has
//! them. Nothing else differs: there is one source for both, and the plain form is the oracle of the wide one.
//! Detection and dispatch are `fearless_simd`'s, so that this crate needs no `unsafe`.

/// Bytes from which [`wide`] is worth the call that it takes: some 20 ns.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
const WORTH: usize = 1024;

/// Runs `f`, which has `len` bytes to read or write, compiled for the widest vectors that the machine has.
///
/// Everything that `f` calls has to be inlined into it, or it stays as compiled for the target.
#[inline(always)]
pub(crate) fn wide<R>(len: usize, f: impl FnOnce() -> R) -> R {
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    let _ = len;
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if len >= WORTH
        && let Some(avx2) = fearless_simd::Level::new().as_avx2()
    {
        return fearless_simd::Simd::vectorize(avx2, f);
    }
    f()
}
