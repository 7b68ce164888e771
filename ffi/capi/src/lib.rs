//! The C library: the functions of `puffin-codec-ffi`, and what happens on a panic.
//!
//! There is no panic to happen where nothing is written: the linker has removed this handler then, which
//! `ffi/check-symbols` sees.

#![cfg_attr(not(feature = "std"), no_std)]

pub use puffin_codec_ffi::*;

#[cfg(not(feature = "std"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(any(unix, windows))]
    {
        unsafe extern "C" {
            safe fn abort() -> !;
        }
        abort()
    }
    #[cfg(not(any(unix, windows)))]
    loop {
        core::hint::spin_loop();
    }
}
