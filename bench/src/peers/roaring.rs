//! `roaring` 0.12: `RoaringTreemap`, and the `RoaringBitmap`s in it where only those have the bulk call.

use std::hint::black_box;

use roaring::RoaringTreemap;

use crate::contest::{Contestant, Digest, Side::Peer};
use crate::data::{Set, Vector, WINDOW, windows};
use crate::hand::{self, Hand, Scratch};
use crate::masks;
use crate::row::Row;

/// Without checks of content: the caller has checked the CRC, or trusts the bytes.
fn read(vector: &Vector) -> RoaringTreemap {
    RoaringTreemap::deserialize_unchecked_from(black_box(vector.bitmap64())).expect("the set is valid")
}

fn read_all(set: &Set) -> Vec<(RoaringTreemap, &Vector)> {
    set.vectors.iter().map(|vector| (read(vector), vector)).collect()
}

pub(super) fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    match row {
        Row::Open => vec![
            Contestant::new(Peer, "roaring: crc32fast, deserialize_unchecked_from, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        assert!(vector.crc_holds());
                        digest.bit(read(vector).contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            }),
            Contestant::new(Peer, "roaring: crc32fast, deserialize_from, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        assert!(vector.crc_holds());
                        let bytes = black_box(vector.bitmap64());
                        let bitmap = RoaringTreemap::deserialize_from(bytes).expect("the set is valid");
                        digest.bit(bitmap.contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            }),
        ],
        Row::Content | Row::Trusted => {
            vec![Contestant::new(Peer, "roaring: deserialize_unchecked_from, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        digest.bit(read(vector).contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            })]
        }
        Row::Contains => vec![Contestant::new(Peer, "roaring: contains", move || {
            let opened = read_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (bitmap, vector) in &opened {
                    let bitmap = black_box(bitmap);
                    for probe in &vector.probes {
                        digest.bit(bitmap.contains(*probe));
                    }
                }
                digest.finish()
            }
        })],
        Row::ContainsMany | Row::ContainsSorted => vec![contains_many(set, row == Row::ContainsSorted)],
        Row::Next => vec![Contestant::new(Peer, "roaring: iter().next()", move || {
            let opened = read_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (bitmap, _) in &opened {
                    for position in black_box(bitmap).iter() {
                        digest.value(position);
                    }
                }
                digest.finish()
            }
        })],
        Row::Fold => vec![Contestant::new(Peer, "roaring: iter().for_each()", move || {
            let opened = read_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (bitmap, _) in &opened {
                    black_box(bitmap).iter().for_each(|position| digest.value(position));
                }
                digest.finish()
            }
        })],
        Row::Masks => vec![Contestant::new(Peer, "roaring: iter()", move || {
            let opened = read_all(set);
            move |full| {
                let mut digest = Digest::new(full);
                for (bitmap, vector) in &opened {
                    masks::by_iterator(vector.rows, black_box(bitmap).iter(), masks::whole(&mut digest));
                }
                digest.finish()
            }
        })],
        Row::MasksBulk | Row::LiveOffsets | Row::MaskBytes | Row::Ranges => {
            let values = Hand::of_values(row).iter().map(|hand| by_values(*hand, set));
            values.chain(Hand::of_ranges(row).iter().map(|hand| by_ranges(*hand, set))).collect()
        }
        Row::Counts => vec![counts(set)],
        Row::Positions => vec![positions(set)],
        Row::TrustedView | Row::MasksFlat | Row::Encode | Row::Union | Row::Bounds => Vec::new(),
    }
}

/// There is no call for many probes.
fn contains_many(set: &Set, sorted: bool) -> Contestant<'_> {
    Contestant::new(Peer, "roaring: contains", move || {
        let opened = read_all(set);
        let mut out = Vec::new();
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let (bitmap, probes) = (black_box(bitmap), vector.probes(sorted));
                out.resize(probes.len(), false);
                for (answer, probe) in out.iter_mut().zip(probes) {
                    *answer = bitmap.contains(*probe);
                }
                digest.answers(&out);
            }
            digest.finish()
        }
    })
}

/// `next_many` exists for 32-bit bitmaps only; a set has one of them, which the treemap lends.
fn by_values(hand: Hand, set: &Set) -> Contestant<'_> {
    let name = format!("roaring: bitmaps(), next_many() of 4,096{}", hand.suffix());
    Contestant::new(Peer, name, move || {
        let opened = read_all(set);
        let mut scratch = Scratch::default();
        let mut buffer = vec![0_u32; 4096];
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let (_, low) = black_box(bitmap).bitmaps().next().expect("the set has values");
                let mut values = low.iter();
                let read = |buffer: &mut [u32]| values.next_many(buffer).len();
                hand::by_values(hand, vector.rows, &mut buffer, read, &mut scratch, &mut digest);
            }
            digest.finish()
        }
    })
}

fn by_ranges(hand: Hand, set: &Set) -> Contestant<'_> {
    let name = format!("roaring: bitmaps(), next_range(){}", hand.suffix());
    Contestant::new(Peer, name, move || {
        let opened = read_all(set);
        let mut scratch = Scratch::default();
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let (_, low) = black_box(bitmap).bitmaps().next().expect("the set has values");
                let mut ranges = low.iter();
                let next = || ranges.next_range().map(|range| (u64::from(*range.start()), u64::from(*range.end())));
                hand::by_ranges(hand, vector.rows, next, &mut scratch, &mut digest);
            }
            digest.finish()
        }
    })
}

/// `next_many`, widened: the treemap itself has single values only.
fn positions(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "roaring: bitmaps(), next_many(), widened", move || {
        let opened = read_all(set);
        let (mut narrow, mut wide) = (vec![0_u32; 4096], vec![0_u64; 4096]);
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, _) in &opened {
                for (key, low) in black_box(bitmap).bitmaps() {
                    let mut values = low.iter();
                    loop {
                        let read = values.next_many(&mut narrow);
                        if read.is_empty() {
                            break;
                        }
                        let out = &mut wide[..read.len()];
                        for (to, from) in out.iter_mut().zip(read) {
                            *to = u64::from(key) << 32 | u64::from(*from);
                        }
                        digest.outputs(out);
                    }
                }
            }
            digest.finish()
        }
    })
}

fn counts(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "roaring: range_cardinality()", move || {
        let opened = read_all(set);
        move |_| {
            let mut digest = Digest::new(false);
            for (bitmap, vector) in &opened {
                let bitmap = black_box(bitmap);
                for window in windows(vector.rows, WINDOW) {
                    digest.mix(bitmap.range_cardinality(window));
                }
            }
            digest.finish()
        }
    })
}
