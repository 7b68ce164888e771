//! The context keys that put a sequence of questions to one bitmap.

use puffin_codec::roaring::Bitmap64;
use puffin_codec::scan;
use serde_json::Value;

use crate::common::bulk::{check_ranges, check_window};
use crate::common::digest::sha256_of_positions;
use crate::common::facts::{Object, integer, same};
use crate::common::set::{Cursor, PositionSet};
use crate::common::whole::Bulk;

/// Longest mask that is built here, in rows.
const MOST_ROWS: u64 = 1 << 24;

/// Puts the questions that the context has under `take`, `seek`, `windows` and `expand_rows`.
pub(crate) fn check<S: Bulk>(set: &S, context: &Object, facts: &mut Object) -> Result<(), String> {
    let mut cursor = set.iter();
    if let Some(count) = context.get("take") {
        take(set, &mut cursor, integer(count)?, facts)?;
    }
    for pair in list(context.get("seek"), "seek")? {
        seek::<S>(&mut cursor, pair)?;
    }
    let bytes = set.as_bitmap64();
    let bitmap = Bitmap64::parse(&bytes).map_err(|error| format!("as a 64-bit bitmap: {error}"))?;
    let mut scan = bitmap.cursor();
    for triple in list(context.get("windows"), "windows")? {
        let (from, to, positions) = window(set, triple)?;
        scan_window(&bitmap, &mut scan, from, to, &positions);
    }
    if let Some(rows) = context.get("expand_rows") {
        let rows = integer(rows)?;
        expand(set, rows)?;
        let positions: Vec<_> = set.iter().take_while(|&position| i128::from(position) < rows).collect();
        scan_window(&bitmap, &mut scan, 0, rows, &positions);
    }
    Ok(())
}

/// Reads `count` positions from the front. A list or digest among the facts may be of these positions alone.
fn take(set: &impl PositionSet, cursor: &mut impl Cursor, count: i128, facts: &mut Object) -> Result<(), String> {
    let count = usize::try_from(count).map_err(|_| format!("take {count} is out of range"))?;
    let taken: Vec<u64> = cursor.by_ref().take(count).collect();
    same("positions taken", taken.len() as u64, set.cardinality().min(count as u64))?;
    for (index, &position) in taken.iter().enumerate().step_by(taken.len() / 100 + 1) {
        same("position taken", Some(position), set.select(index as u64))?;
    }
    let of_taken = |fact: &Value| match fact {
        Value::Array(list) => list.iter().map(Value::as_u64).eq(taken.iter().copied().map(Some)),
        Value::String(digest) => *digest == sha256_of_positions(taken.iter().copied()).0,
        _ => false,
    };
    for key in ["positions", "positions_sha256"] {
        if facts.get(key).is_some_and(of_taken) {
            facts.remove(key);
        }
    }
    Ok(())
}

/// Moves the iterator on to the first of the pair and looks whether the second is there.
fn seek<S: PositionSet>(cursor: &mut impl Cursor, pair: &Value) -> Result<(), String> {
    let [from, expected] = tuple(pair, "a seek pair")?;
    let expected = if expected.is_null() { None } else { Some(integer(expected)?) };
    match within::<S>(integer(from)?) {
        Some(from) => cursor.advance_to(from),
        None => while cursor.next().is_some() {},
    }
    same(&format!("position from {from}"), cursor.peek().map(i128::from), expected)
}

/// Reads the positions of a half-open window, and counts them. Returns the window and its positions.
fn window<S: PositionSet>(set: &S, triple: &Value) -> Result<(i128, i128, Vec<u64>), String> {
    let [from, to, expected] = tuple(triple, "a window")?;
    let expected = expected.as_array().ok_or("a window without its positions")?;
    let expected = expected.iter().map(integer).collect::<Result<Vec<_>, _>>()?;
    let positions = expected.iter().map(|&position| u64::try_from(position)).collect::<Result<Vec<_>, _>>();
    let positions = positions.map_err(|_| "a window with a position that is none")?;
    let (what, from, to) = (format!("window {from}..{to}"), integer(from)?, integer(to)?);
    let Some(first) = within::<S>(from) else {
        same(&what, Vec::new(), expected)?;
        return Ok((from, to, positions));
    };
    let read: Vec<_> = set.iter_from(first).map(i128::from).take_while(|&position| position < to).collect();
    let wanted = expected.len() as u64;
    same(&what, read, expected)?;
    if let Some(last) = u64::try_from(to - 1).ok().filter(|&last| last >= first) {
        let last = last.min(S::TOP);
        same(&format!("count in {what}"), set.count(first, last), wanted)?;
        same(&format!("{what} is full"), set.contains_range(first, last), wanted == last - first + 1)?;
    }
    Ok((from, to, positions))
}

/// Asks every bulk function for a half-open window, through the cursor that comes from the window before and through
/// a new one.
fn scan_window(bitmap: &Bitmap64<'_>, cursor: &mut scan::Cursor<'_>, from: i128, to: i128, positions: &[u64]) {
    let Ok(first) = u64::try_from(from.max(0)) else { return };
    let end = u64::try_from(to.max(first.into())).unwrap_or(u64::MAX);
    let rows = usize::try_from((end - first).min(MOST_ROWS)).unwrap_or(0);
    check_window(cursor, positions, first, rows);
    check_window(&mut bitmap.cursor(), positions, first, rows);
    check_ranges(bitmap, positions, first..end);
}

/// Builds the mask of the first rows from the iterator and compares it with `contains` row by row.
fn expand<S: PositionSet>(set: &S, rows: i128) -> Result<(), String> {
    // Behind the highest position there is nothing to see, however long the mask: a count says so.
    let end = set.max().map_or(0, |max| i128::from(max) + 66);
    if let Some(from) = u64::try_from(end).ok().filter(|&from| end < rows && from <= S::TOP) {
        same("positions behind the highest", set.count(from, S::TOP), 0)?;
    }
    let rows = usize::try_from(rows.min(end).clamp(0, MOST_ROWS.into())).map_err(|error| error.to_string())?;
    let mut mask = vec![false; rows];
    for position in set.iter() {
        match usize::try_from(position).ok().and_then(|row| mask.get_mut(row)) {
            Some(bit) => *bit = true,
            None => break,
        }
    }
    let wrong = mask.iter().enumerate().find(|&(row, &bit)| set.contains(row as u64) != bit);
    same("first row of the mask that differs", wrong, None)
}

/// A position of the table as one of this type: below zero is zero, above the top is none.
fn within<S: PositionSet>(position: i128) -> Option<u64> {
    u64::try_from(position.max(0)).ok().filter(|&position| position <= S::TOP)
}

fn list<'v>(value: Option<&'v Value>, what: &str) -> Result<&'v [Value], String> {
    match value {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(format!("{what} is not a list")),
    }
}

fn tuple<'v, const N: usize>(value: &'v Value, what: &str) -> Result<[&'v Value; N], String> {
    let list = value.as_array().ok_or_else(|| format!("{what} is not a list"))?;
    list.iter().collect::<Vec<_>>().try_into().map_err(|_| format!("{what} has not {N} members"))
}
