//! Encoding and uniting, as each library does it best: into memory that is there already.

use std::hint::black_box;

use croaring::{Bitmap, Bitmap64, Portable};
use roaring::RoaringTreemap;

use super::raw::Raw64;
use crate::contest::{Contestant, Digest, Side::Peer};
use crate::data::{Set, Vector};
use crate::row::Row;
use crate::writing::positions_of;

pub(super) fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    match row {
        Row::Encode => encoders(set),
        Row::Union => unions(set),
        _ => Vec::new(),
    }
}

/// A contestant that makes a bitmap of each list, and serializes it.
fn encoder<'d, T>(
    set: &'d Set,
    name: &'static str,
    narrow: fn(u64) -> T,
    write: fn(&[T], &mut Vec<u8>),
) -> Contestant<'d>
where
    T: 'd,
{
    Contestant::new(Peer, name, move || {
        let inputs: Vec<Vec<T>> =
            positions_of(set).into_iter().map(|list| list.into_iter().map(narrow).collect()).collect();
        let mut out = Vec::new();
        move |full| {
            let mut digest = Digest::new(full);
            for input in &inputs {
                out.clear();
                write(black_box(input), &mut out);
                digest.outputs(&out);
            }
            digest.finish()
        }
    })
}

fn encoders(set: &Set) -> Vec<Contestant<'_>> {
    let mut all = vec![
        encoder(
            set,
            "roaring: from_sorted_iter, optimize, serialize_into",
            |position| position,
            |list, out| {
                let mut bitmap = RoaringTreemap::from_sorted_iter(list.iter().copied()).expect("they ascend");
                bitmap.optimize();
                bitmap.serialize_into(out).expect("a Vec takes every write");
            },
        ),
        encoder(
            set,
            "roaring: from_iter, optimize, serialize_into",
            |position| position,
            |list, out| {
                let mut bitmap = list.iter().copied().collect::<RoaringTreemap>();
                bitmap.optimize();
                bitmap.serialize_into(out).expect("a Vec takes every write");
            },
        ),
        encoder(
            set,
            "croaring Bitmap64: of, run_optimize, serialize_into_vec",
            |position| position,
            |list, out| {
                let mut bitmap = Bitmap64::of(list);
                bitmap.run_optimize();
                let _ = bitmap.serialize_into_vec::<Portable>(out);
            },
        ),
    ];
    if set.vectors.iter().all(|vector| vector.bitmap32().is_some()) {
        let narrow = |position| u32::try_from(position).expect("one bucket");
        all.push(encoder(set, "croaring Bitmap: of u32, run_optimize, framed", narrow, |list, out| {
            let mut bitmap = Bitmap::of(list);
            bitmap.run_optimize();
            frame(&bitmap, out);
        }));
    }
    all
}

/// Writes the 64-bit bitmap that has this one alone, under key 0.
fn frame(bitmap: &Bitmap, out: &mut Vec<u8>) {
    out.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let _ = bitmap.serialize_into_vec::<Portable>(out);
}

/// A contestant that reads each vector and its partner, and writes what both hold.
fn union<'d>(
    set: &'d Set,
    name: &'static str,
    write: impl Fn(&'d Vector, &'d Vector, &mut Vec<u8>) + Copy + 'd,
) -> Contestant<'d> {
    Contestant::new(Peer, name, move || {
        let mut out = Vec::new();
        move |full| {
            let mut digest = Digest::new(full);
            for (vector, partner) in set.vectors.iter().zip(&set.partners) {
                out.clear();
                write(black_box(vector), black_box(partner), &mut out);
                digest.outputs(&out);
            }
            digest.finish()
        }
    })
}

fn unions(set: &Set) -> Vec<Contestant<'_>> {
    let mut all = vec![
        union(set, "roaring: deserialize_unchecked_from, |=, optimize, serialize_into", |a, b, out| {
            let read = |vector: &Vector| RoaringTreemap::deserialize_unchecked_from(vector.bitmap64());
            let mut both = read(a).expect("the set is valid");
            both |= read(b).expect("the set is valid");
            both.optimize();
            both.serialize_into(out).expect("a Vec takes every write");
        }),
        union(set, "croaring Bitmap64: try_deserialize, or_inplace, run_optimize, serialize_into_vec", |a, b, out| {
            let read = |vector: &Vector| Bitmap64::try_deserialize::<Portable>(vector.bitmap64());
            let mut both = read(a).expect("the set is valid");
            both.or_inplace(&read(b).expect("the set is valid"));
            both.run_optimize();
            let _ = both.serialize_into_vec::<Portable>(out);
        }),
        union(set, "croaring Bitmap64: deserialize_safe, or_inplace, run_optimize, serialize", |a, b, out| {
            let read = |vector: &'_ Vector| Raw64::read(vector.bitmap64());
            read(a).expect("the set is valid").unite_into(&read(b).expect("the set is valid"), out);
        }),
    ];
    if set.vectors.iter().chain(&set.partners).all(|vector| vector.bitmap32().is_some()) {
        all.push(union(set, "croaring Bitmap: try_deserialize, or_inplace, run_optimize, framed", |a, b, out| {
            let read = |vector: &Vector| Bitmap::try_deserialize::<Portable>(vector.bitmap32()?);
            let mut both = read(a).expect("the set is valid");
            both.or_inplace(&read(b).expect("the set is valid"));
            both.run_optimize();
            frame(&both, out);
        }));
    }
    all
}
