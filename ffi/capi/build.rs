//! How the shared library is linked.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        let number = |part: &str| var(format!("CARGO_PKG_VERSION_{part}")).unwrap_or_default();
        // Before 1.0 a minor version may break what a program was linked with.
        let soname = match number("MAJOR").as_str() {
            "0" => format!("0.{}", number("MINOR")),
            major => major.to_owned(),
        };
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpuffin_codec.so.{soname}");
        // Without std nothing asks for libc, which has memcpy.
        println!("cargo::rustc-cdylib-link-arg=-lc");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    }
}
