//! Whole vectors, read through the bulk functions.

use std::borrow::Cow;

use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap32, Bitmap64};

use super::bulk::check_batches;
use super::facts::same;
use super::set::PositionSet;

/// Rows of a batch: an engine's, and one that ends inside words.
const BATCHES: [usize; 2] = [2048, 1001];
/// A vector is read whole if it has at most so many positions, or its last one is below [`MOST_ROWS`].
const MOST_POSITIONS: u64 = 200_000;
const MOST_ROWS: u64 = 20_000_000;

/// A set whose positions the bulk functions can be asked for, which a 64-bit bitmap has.
pub(crate) trait Bulk: PositionSet {
    /// A serialized 64-bit bitmap of the same positions.
    fn as_bitmap64(&self) -> Cow<'_, [u8]>;
}

impl Bulk for Bitmap64<'_> {
    fn as_bitmap64(&self) -> Cow<'_, [u8]> {
        self.bytes().into()
    }
}

impl Bulk for DeletionVector<'_> {
    fn as_bitmap64(&self) -> Cow<'_, [u8]> {
        self.bitmap().bytes().into()
    }
}

impl Bulk for Bitmap32<'_> {
    /// One bucket, key 0.
    fn as_bitmap64(&self) -> Cow<'_, [u8]> {
        [&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], self.bytes()].concat().into()
    }
}

/// Derives the positions again from masks, bulk reads and ranges, and compares with the iterator.
pub(crate) fn check_whole(set: &impl Bulk) -> Result<(), String> {
    if set.cardinality() > MOST_POSITIONS && set.max() >= Some(MOST_ROWS) {
        return Ok(());
    }
    let bytes = set.as_bitmap64();
    let bitmap = Bitmap64::parse(&bytes).map_err(|error| format!("as a 64-bit bitmap: {error}"))?;
    for rows in BATCHES {
        check_batches(&bitmap, &mut set.iter(), rows);
    }
    check_reads(&bitmap, set.iter())?;
    check_runs(&bitmap, set.iter())
}

/// Reads every position in bulk, and asks for each batch again whether it is there.
fn check_reads(bitmap: &Bitmap64<'_>, mut positions: impl Iterator<Item = u64>) -> Result<(), String> {
    // Not a divisor of anything in the format.
    let (mut batch, mut answers) = ([0; 1009], [false; 1009]);
    let mut reader = bitmap.iter();
    loop {
        let count = reader.fill(&mut batch);
        for &position in &batch[..count] {
            same("position read in bulk", Some(position), positions.next())?;
        }
        bitmap.contains_many(&batch[..count], &mut answers).map_err(|error| error.to_string())?;
        same("every position read is there", answers[..count].iter().all(|&there| there), true)?;
        if count < batch.len() {
            return same("position after those read in bulk", None, positions.next());
        }
        answers.fill(false);
    }
}

/// Reads every position out of the ranges of deleted rows, and sees that the ranges of live rows are what is between.
fn check_runs(bitmap: &Bitmap64<'_>, mut positions: impl Iterator<Item = u64>) -> Result<(), String> {
    let mut live = bitmap.live_ranges(0..u64::MAX);
    let mut next = 0;
    for range in bitmap.deleted_ranges(0..u64::MAX) {
        same("the range is empty", range.is_empty(), false)?;
        same("the range touches the one before", range.start == next && next > 0, false)?;
        if range.start > 0 {
            same("range of live rows", live.next(), Some(next..range.start))?;
        }
        for position in range.clone() {
            same("position in a range", Some(position), positions.next())?;
        }
        next = range.end;
    }
    same("last range of live rows", live.next(), Some(next..u64::MAX).filter(|range| !range.is_empty()))?;
    same("range after the last", live.next(), None)?;
    // No half-open range of `u64` has the highest position of all.
    let highest = bitmap.contains(u64::MAX).then_some(u64::MAX);
    same("position after the last range", highest, positions.next())
}
