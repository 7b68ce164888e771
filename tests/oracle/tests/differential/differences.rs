//! Where the others judge otherwise, one by one. `COMPATIBILITY.md` has our reasons.

use croaring::{Bitmap, Bitmap64 as CBitmap64, Portable};
use puffin_codec::ErrorKind::{self, *};
use puffin_codec::roaring::{Bitmap32, Bitmap64};
use roaring::{RoaringBitmap, RoaringTreemap};

use crate::common::builder::{Body, Bytes, bitmap32, bitmap64};

/// Our error, and whether `roaring` and `croaring` accept.
fn verdicts32(bytes: &[u8]) -> (Option<ErrorKind>, bool, bool) {
    let ours = Bitmap32::parse(bytes).err().map(|error| error.kind());
    (ours, RoaringBitmap::deserialize_from(bytes).is_ok(), Bitmap::try_deserialize::<Portable>(bytes).is_some())
}

fn verdicts64(bytes: &[u8]) -> (Option<ErrorKind>, bool, bool) {
    let ours = Bitmap64::parse(bytes).err().map(|error| error.kind());
    (ours, RoaringTreemap::deserialize_from(bytes).is_ok(), CBitmap64::try_deserialize::<Portable>(bytes).is_some())
}

fn run_form() -> Bytes {
    let bodies = [
        Body::Run(vec![(1, 5), (8, 9)]),
        Body::Array(vec![3]),
        Body::Array(vec![4]),
        Body::Bitset((0..5000).collect()),
    ];
    bitmap32(&(0..).zip(bodies).collect::<Vec<_>>(), true)
}

#[test]
fn what_only_we_refuse() {
    let mut built = run_form();
    assert_eq!(verdicts32(built.bytes()), (None, true, true));
    built.set("offset 1", [0; 4]);
    assert_eq!(verdicts32(built.bytes()), (Some(OffsetMismatch), true, true), "the others walk past the offset header");

    let mut built = run_form();
    built.set("cardinality 0", [9, 0]);
    assert_eq!(verdicts32(built.bytes()), (Some(CardinalityMismatch), true, true), "the others sum the runs");

    let longer = [run_form().bytes(), &[0]].concat();
    assert_eq!(verdicts32(&longer), (Some(TrailingBytes), true, true), "the others read from the front");

    let one = || bitmap32(&[(0, Body::Array(vec![1]))], false);
    let twice = bitmap64(vec![(4, one()), (4, one())]);
    assert_eq!(verdicts64(twice.bytes()), (Some(KeyOrder), true, false), "to roaring the last of two buckets wins");
}

#[test]
fn what_only_we_accept() {
    let touching = bitmap32(&[(0, Body::Run(vec![(1, 5), (6, 9)]))], true);
    assert_eq!(verdicts32(touching.bytes()), (None, false, false), "the format does not ask for runs to be joined");
}

#[test]
fn what_all_accept_though_few_write_it() {
    let no_run = bitmap32(&[(0, Body::Array(vec![1, 2])), (1, Body::Array(vec![3]))], true);
    assert_eq!(verdicts32(no_run.bytes()), (None, true, true));
    let long_runs = bitmap32(&[(0, Body::Run(vec![(1, 1), (3, 3), (5, 5)]))], true);
    assert_eq!(verdicts32(long_runs.bytes()), (None, true, true));
    let mut spare = run_form();
    spare.set("run flags", [0xF1]);
    assert_eq!(verdicts32(spare.bytes()), (None, true, true), "spare flags say nothing");
    let empty = bitmap64(vec![(0, bitmap32(&[], false)), (3, run_form()), (9, bitmap32(&[], false))]);
    assert_eq!(verdicts64(empty.bytes()), (None, true, true));
}

#[test]
fn what_all_refuse() {
    let mut wrong = run_form();
    wrong.set("cardinality 3", [0, 0x20]);
    assert_eq!(verdicts32(wrong.bytes()), (Some(CardinalityMismatch), false, false), "popcount of a bitset");
    let mut wrong = run_form();
    wrong.set("key 2", [1, 0]);
    assert_eq!(verdicts32(wrong.bytes()), (Some(KeyOrder), false, false));
    let mut wrong = run_form();
    wrong.set("container 0.start 1", [5, 0]);
    assert_eq!(verdicts32(wrong.bytes()), (Some(RunOrder), false, false));
    let place = run_form().place("container 1.values").start;
    assert_eq!(verdicts32(&run_form().bytes()[..place]), (Some(Truncated), false, false));
}
