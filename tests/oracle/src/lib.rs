//! Differential tests of `puffin-codec` against libraries that do not build for every target: `croaring`, liblz4 and
//! libzstd, which need a C compiler, and `roaring`.
//!
//! The tests are in `tests/`; there is nothing to call here.
