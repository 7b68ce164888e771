//! This crate, twice: without features and with the default ones. Both are asked by the same source file.

/// This crate without features.
pub mod portable {
    use crate::contest::Side;
    use puffin_codec_portable as codec;

    const SIDE: Side = Side::Portable;
    const NAME: &str = "puffin-codec, portable";

    include!("ways.rs");
}

/// This crate with `std` and `simd`.
pub mod simd {
    use crate::contest::Side;
    use puffin_codec as codec;

    const SIDE: Side = Side::Simd;
    const NAME: &str = "puffin-codec, simd";

    include!("ways.rs");
}
