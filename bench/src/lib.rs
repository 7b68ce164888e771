//! puffin-codec beside the libraries that people use today: one process, the same serialized bytes, the same questions.
//!
//! ```text
//! data ── sets of serialized vectors ──┐
//! row ─── the questions ───────────────┼──▶ contestants ──▶ harness ──▶ report, json, svg
//! ours, peers ── who answers, and how ─┘                       │
//!                                                    owed ─────┘
//! ```
//!
//! A [`row::Row`] is a question, a [`data::Set`] what it is asked of, and a [`contest::Contestant`] one way to answer
//! it. The [`harness`] lets the contestants of a row take turns, compares their answers, and keeps medians. `README.md`
//! says why each peer is asked the way it is.

pub mod bounds;
pub mod capi;
pub mod contest;
pub mod data;
pub mod hand;
pub mod harness;
pub mod heap;
pub mod masks;
pub mod ours;
pub mod owed;
pub mod peers;
mod random;
pub mod report;
pub mod row;
pub mod svg;
pub mod writing;
