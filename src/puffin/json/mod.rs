//! The JSON text of a footer, without a heap and without recursion (RFC 8259).
//!
//! ```text
//!  bytes ── core::str::from_utf8 ──▶ text ── check ──▶ valid text ── Cursor ──▶ names, strings, integers, spans
//!           BadUtf8                          BadJson, BadEscape,                 (only skips, checks nothing)
//!                                            DuplicateName, JsonTooDeep,
//!                                            TooManyMembers, TrailingBytes
//! ```
//!
//! Two passes share the work. [`check`](check()) reads every byte and refuses whatever is not one JSON object: grammar,
//! control characters, escapes, halves of surrogate pairs, names repeated in any object, nesting. After it, a
//! [`Cursor`] may rely on the text and only looks for where things end. Strings stay as written; [`JsonStr`] compares
//! and copies them unescaped.
//!
//! The entries of a footer are much alike, and both passes live on that: where an entry starts like the one before, a
//! comparison of bytes takes the place of reading them ([`names::Names`] for the first pass).
//!
//! In the other direction, [`Text`] writes names, strings and integers to caller memory.
//!
//! Nothing here knows what a footer means, and offsets count from the start of the text.

mod check;
mod cursor;
mod names;
mod scan;
mod string;
mod write;

pub(super) use check::{Member, check};
pub(super) use cursor::{Cursor, Value};
pub(super) use scan::is_plain;
pub use string::{Chars, JsonStr};
pub(super) use write::{Text, has_name};
