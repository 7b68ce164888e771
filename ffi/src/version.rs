//! What this library is.

use core::ffi::c_char;

/// The version of this header: a change of the first number (before 1.0 of the second) may break callers.
pub const PUFFIN_VERSION_MAJOR: u32 = 0;
/// See PUFFIN_VERSION_MAJOR.
pub const PUFFIN_VERSION_MINOR: u32 = 1;
/// See PUFFIN_VERSION_MAJOR.
pub const PUFFIN_VERSION_PATCH: u32 = 0;

/// The number of the binary interface, which grows when a program has to be compiled again: when a struct grows, or a
/// function changes. New functions, statuses and options do not change it.
pub const PUFFIN_ABI_VERSION: u32 = 1;

/// A bit of puffin_features: the functions that encode and write are there.
pub const PUFFIN_FEATURE_WRITE: u32 = 1;

/// A bit of puffin_features: the library looks at run time which instructions the processor has, and uses the widest.
/// Without it, it uses those that it was compiled for.
pub const PUFFIN_FEATURE_DETECTION: u32 = 2;

const _: () = {
    const fn number(text: &str) -> u32 {
        let (bytes, mut index, mut value) = (text.as_bytes(), 0, 0);
        while index < bytes.len() {
            value = value * 10 + (bytes[index] - b'0') as u32;
            index += 1;
        }
        value
    }
    assert!(
        number(env!("CARGO_PKG_VERSION_MAJOR")) == PUFFIN_VERSION_MAJOR
            && number(env!("CARGO_PKG_VERSION_MINOR")) == PUFFIN_VERSION_MINOR
            && number(env!("CARGO_PKG_VERSION_PATCH")) == PUFFIN_VERSION_PATCH
    );
};

/// Returns the version of the library that runs: major << 16 | minor << 8 | patch. Compare it with the macros to see
/// whether header and library belong together.
#[unsafe(no_mangle)]
pub extern "C" fn puffin_version() -> u32 {
    PUFFIN_VERSION_MAJOR << 16 | PUFFIN_VERSION_MINOR << 8 | PUFFIN_VERSION_PATCH
}

/// Returns the same as static text, NUL-terminated: "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn puffin_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the number of the binary interface of the library that runs; it has to equal PUFFIN_ABI_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn puffin_abi_version() -> u32 {
    PUFFIN_ABI_VERSION
}

/// Returns which parts this library was built with, as a sum of PUFFIN_FEATURE_* bits.
#[unsafe(no_mangle)]
pub extern "C" fn puffin_features() -> u32 {
    let write = if cfg!(feature = "write") { PUFFIN_FEATURE_WRITE } else { 0 };
    write | if cfg!(feature = "std") { PUFFIN_FEATURE_DETECTION } else { 0 }
}
