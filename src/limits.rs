//! What a caller allows an input to cost, and the deviations it tolerates.
//!
//! The defaults are strict. Every tolerated deviation is one field here, one fixture, and one line of
//! `COMPATIBILITY.md`. Limits only bound work and memory; none of them makes a check weaker.

/// Bounds on the work and memory that one input may ask for.
///
/// # Examples
///
/// ```
/// use puffin_codec::Limits;
///
/// let mut limits = Limits::default();
/// limits.max_decoded_len = 1 << 20; // no frame may decode to more than 1 MiB
/// assert_eq!(limits.json_depth, 128);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Deepest nesting of arrays and objects in a footer; the outermost object is 1. Default and maximum: 128.
    pub json_depth: u8,
    /// Most members of one JSON object. Default: 256; values above 512 act as 512.
    pub json_members: u16,
    /// Most bytes that one LZ4 or zstd frame may decode to. Default: 256 MiB.
    pub max_decoded_len: u64,
}

impl Limits {
    /// The deepest JSON nesting that any limit allows.
    pub const MAX_JSON_DEPTH: u8 = 128;
    /// The most members of one JSON object that any limit allows.
    pub const MAX_JSON_MEMBERS: u16 = 512;

    /// The defaults, as a constant.
    pub const DEFAULT: Self = Self { json_depth: Self::MAX_JSON_DEPTH, json_members: 256, max_decoded_len: 256 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
