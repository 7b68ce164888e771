//! How the shared library is linked.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        let major = var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpuffin_codec.so.{major}");
        // Without std nothing asks for libc, which has memcpy.
        println!("cargo::rustc-cdylib-link-arg=-lc");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    }
}
