//! Differential tests of `puffin-codec` against libraries that do not build for every target: `croaring`, which needs a
//! C compiler, and `roaring`.
//!
//! The tests are in `tests/`; there is nothing to call here.
