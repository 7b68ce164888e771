//! What a table says about a set of positions, and whether it is so.

use serde_json::{Map, Value};

use super::digest::sha256_of_positions;
use super::set::{Cursor, PositionSet};

/// A JSON object; a check takes the keys it knows, so that what is left over is unknown.
pub(crate) type Object = Map<String, Value>;

/// Sets with more positions are never iterated whole.
const MOST_ITERATED: u64 = 64 << 20;
/// Sets with more positions are not collected.
const MOST_COLLECTED: u64 = 2 << 20;

/// Parses a cell; an empty one is an empty object.
pub(crate) fn object(text: &str) -> Result<Object, String> {
    if text.is_empty() {
        return Ok(Object::new());
    }
    serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))
}

/// An exact integer of 64 bits, signed or unsigned.
pub(crate) fn integer(value: &Value) -> Result<i128, String> {
    let signed = value.as_i64().map(i128::from);
    signed.or_else(|| value.as_u64().map(i128::from)).ok_or_else(|| format!("{value} is not a 64-bit integer"))
}

/// `Ok` when equal, or else both values in words.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, truth: T) -> Result<(), String> {
    if ours == truth { Ok(()) } else { Err(format!("{what}: ours is {ours:?}, the truth {truth:?}")) }
}

/// Fails when an object has a key that is not in the list.
pub(crate) fn all_known(what: &str, object: &Object, known: &[&str]) -> Result<(), String> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown {what}: {key:?}")),
        None => Ok(()),
    }
}

/// Takes `cardinality`, `min`, `max`, `positions` and `positions_sha256` and compares each with the set.
pub(crate) fn take_set_facts(facts: &mut Object, set: &impl PositionSet) -> Result<(), String> {
    if let Some(truth) = facts.remove("cardinality") {
        same("cardinality", i128::from(set.cardinality()), integer(&truth)?)?;
    }
    for (key, ours) in [("min", set.min()), ("max", set.max())] {
        if let Some(truth) = facts.remove(key) {
            let truth = if truth.is_null() { None } else { Some(integer(&truth)?) };
            same(key, ours.map(i128::from), truth)?;
        }
    }
    if let Some(truth) = facts.remove("positions") {
        let truth = truth.as_array().ok_or("positions is not a list")?;
        let truth = truth.iter().map(integer).collect::<Result<Vec<_>, _>>()?;
        let ours: Vec<_> = set.iter().take(truth.len() + 1).map(i128::from).collect();
        same("positions", ours, truth)?;
    }
    if let Some(truth) = facts.remove("positions_sha256") {
        if set.cardinality() > MOST_ITERATED {
            return Err(format!("a digest over {} positions is beyond this runner", set.cardinality()));
        }
        let (digest, count) = sha256_of_positions(set.iter());
        same("positions iterated", count, set.cardinality())?;
        same("positions_sha256", Some(digest.as_str()), truth.as_str())?;
    }
    Ok(())
}

/// Asks every query in several ways and fails when two answers contradict each other.
pub(crate) fn check_consistency<S: PositionSet>(set: &S) -> Result<(), String> {
    let cardinality = set.cardinality();
    same("is_empty", set.is_empty(), cardinality == 0)?;
    same("select past the end", set.select(cardinality), None)?;
    same("first selected", set.select(0), set.min())?;
    same("count of everything", set.count(0, S::TOP), cardinality)?;
    same("first iterated", set.iter().next(), set.min())?;
    same("last iterated", set.iter_rev().next(), set.max())?;
    let Some((min, max)) = set.min().zip(set.max()) else {
        return same("positions of an empty set", (set.iter().count(), set.iter_rev().count()), (0, 0));
    };
    same("last selected", set.select(cardinality - 1), Some(max))?;
    same("rank of the ends", (set.rank(min), set.rank(max)), (1, cardinality))?;
    if cardinality <= MOST_COLLECTED {
        let all: Vec<u64> = set.iter().collect();
        same("positions iterated", all.len() as u64, cardinality)?;
        same("ascending", all.windows(2).all(|pair| pair[0] < pair[1]), true)?;
        same("iterated backwards", set.iter_rev().eq(all.iter().rev().copied()), true)?;
        same("size hint", set.iter().size_hint().1.is_none_or(|most| most as u64 >= cardinality), true)?;
    }
    let step = (cardinality / 97).max(1);
    let mut cursor = set.iter();
    for index in (0..cardinality).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        check_at(set, index, &mut cursor).map_err(|error| format!("position number {index}: {error}"))?;
    }
    Ok(())
}

/// Checks the answers around one position; `cursor` moves on to it.
fn check_at<S: PositionSet>(set: &S, index: u64, cursor: &mut impl Cursor) -> Result<(), String> {
    let position = set.select(index).ok_or("select gives none")?;
    let next = set.select(index + 1);
    same("contains", set.contains(position), true)?;
    same("rank", set.rank(position), index + 1)?;
    same(
        "iter_from",
        set.iter_from(position).take(2).collect::<Vec<_>>(),
        [Some(position), next].into_iter().flatten().collect(),
    )?;
    cursor.advance_to(position);
    same("advance_to", cursor.peek(), Some(position))?;
    same("count of one", set.count(position, position), 1)?;
    same("contains_range of one", set.contains_range(position, position), true)?;
    if position < S::TOP {
        let touches = next == Some(position + 1);
        same("contains the neighbour", set.contains(position + 1), touches)?;
        same("rank of the neighbour", set.rank(position + 1), index + 1 + u64::from(touches))?;
        same("iter_from the neighbour", set.iter_from(position + 1).next(), next)?;
        same("contains_range of two", set.contains_range(position, position + 1), touches)?;
    }
    if let Some(below) = position.checked_sub(1) {
        let touches = index > 0 && set.select(index - 1) == Some(below);
        same("contains the neighbour below", set.contains(below), touches)?;
        same("rank below", set.rank(below), index)?;
        same("iter_from below", set.iter_from(below).next(), Some(if touches { below } else { position }))?;
    }
    let far = index + (set.cardinality() - index) / 2;
    let last = set.select(far).ok_or("select gives none")?;
    same("count of a range", set.count(position, last), far - index + 1)?;
    same("contains_range", set.contains_range(position, last), last - position == far - index)
}
