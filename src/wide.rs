//! The same code, compiled a second time for wide vectors.
//!
//! With the feature `std` on x86-64, [`wide`] runs its argument as compiled for AVX2 and BMI where the machine has them.
//! Nothing else differs: there is one source for both, and the plain form is the oracle of the wide one. Detection and
//! dispatch are `fearless_simd`'s, so that this crate needs no `unsafe`.

/// Runs `f`, compiled for the widest vectors that the machine has.
///
/// Everything that `f` calls has to be inlined into it, or it stays as compiled for the target. Costs a few nanoseconds,
/// so `f` should have a kilobyte to read or write.
#[inline(always)]
pub(crate) fn wide<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if let Some(avx2) = fearless_simd::Level::new().as_avx2() {
        return fearless_simd::Simd::vectorize(avx2, f);
    }
    f()
}
