//! `croaring` 2.8: `Bitmap64`, CRoaring's own 64-bit type, and views of serialized bytes.

use std::hint::black_box;

use croaring::{Bitmap64, Bitmap64View, Portable, RangeInclusive};

use super::raw::Raw64;
use crate::contest::{Contestant, Digest, Side::Peer};
use crate::data::{Set, Vector, WINDOW, windows};
use crate::hand::{self, Hand, Scratch};
use crate::masks;
use crate::row::Row;

fn read(vector: &Vector) -> Bitmap64 {
    Bitmap64::try_deserialize::<Portable>(black_box(vector.bitmap64())).expect("the set is valid")
}

fn read_all(set: &Set) -> Vec<(Bitmap64, &Vector)> {
    set.vectors.iter().map(|vector| (read(vector), vector)).collect()
}

fn read_raw(vector: &Vector) -> Raw64 {
    Raw64::read(black_box(vector.bitmap64())).expect("the set is valid")
}

fn view(vector: &Vector) -> Bitmap64View<'_> {
    // SAFETY: the bytes are a bitmap in this format, and stay.
    unsafe { Bitmap64View::deserialize::<Portable>(black_box(vector.bitmap64())) }.expect("the set is valid")
}

pub(super) fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    match row {
        Row::Open => vec![
            Contestant::new(Peer, "croaring Bitmap64: crc32fast, deserialize_safe, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        assert!(vector.crc_holds());
                        digest.bit(read_raw(vector).contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            }),
            Contestant::new(Peer, "croaring Bitmap64: crc32fast, try_deserialize (validates), contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        assert!(vector.crc_holds());
                        digest.bit(read(vector).contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            }),
        ],
        Row::Content | Row::Trusted => {
            vec![Contestant::new(Peer, "croaring Bitmap64: deserialize_safe, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        digest.bit(read_raw(vector).contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            })]
        }
        Row::TrustedView => vec![Contestant::new(Peer, "croaring Bitmap64View: portable, contains", move || {
            move |_| {
                let mut digest = Digest::new(false);
                for vector in &set.vectors {
                    digest.bit(view(vector).contains(black_box(vector.probes[0])));
                }
                digest.finish()
            }
        })],
        Row::Contains => vec![
            Contestant::new(Peer, "croaring Bitmap64: contains", move || {
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
            }),
            contains_bulk(set),
        ],
        Row::ContainsMany | Row::ContainsSorted => vec![contains_many(set, row == Row::ContainsSorted)],
        Row::Next => vec![Contestant::new(Peer, "croaring Bitmap64: iter().next()", move || {
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
        Row::Fold => vec![Contestant::new(Peer, "croaring Bitmap64: for_each()", move || {
            let opened = read_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (bitmap, _) in &opened {
                    let _ = black_box(bitmap).for_each(|position| -> std::ops::ControlFlow<()> {
                        digest.value(position);
                        std::ops::ControlFlow::Continue(())
                    });
                }
                digest.finish()
            }
        })],
        Row::Masks => vec![Contestant::new(Peer, "croaring Bitmap64: iter()", move || {
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
        Row::Positions => vec![Contestant::new(Peer, "croaring Bitmap64: cursor().read_many()", move || {
            let opened = read_all(set);
            let mut buffer = vec![0_u64; 4096];
            move |full| {
                let mut digest = Digest::new(full);
                for (bitmap, _) in &opened {
                    let mut cursor = black_box(bitmap).cursor();
                    loop {
                        let count = cursor.read_many(&mut buffer);
                        if count == 0 {
                            break;
                        }
                        digest.outputs(&buffer[..count]);
                    }
                }
                digest.finish()
            }
        })],
        Row::MasksFlat | Row::Encode | Row::Union | Row::Bounds => Vec::new(),
    }
}

/// With the hint: consecutive probes of one container skip the walk to it.
fn contains_bulk(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap64: contains_bulk", move || {
        let opened: Vec<_> = set.vectors.iter().map(|vector| (read_raw(vector), vector)).collect();
        move |_| {
            let mut digest = Digest::new(false);
            for (bitmap, vector) in &opened {
                black_box(bitmap).contains_bulk(&vector.probes, |hit| digest.bit(hit));
            }
            digest.finish()
        }
    })
}

/// The same, answers written out.
fn contains_many(set: &Set, sorted: bool) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap64: contains_bulk", move || {
        let opened: Vec<_> = set.vectors.iter().map(|vector| (read_raw(vector), vector)).collect();
        let mut out = Vec::new();
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let probes = vector.probes(sorted);
                out.resize(probes.len(), false);
                let mut answers = out.iter_mut();
                black_box(bitmap).contains_bulk(probes, |hit| {
                    if let Some(answer) = answers.next() {
                        *answer = hit;
                    }
                });
                digest.answers(&out);
            }
            digest.finish()
        }
    })
}

fn by_values(hand: Hand, set: &Set) -> Contestant<'_> {
    let name = format!("croaring Bitmap64: cursor().read_many() of 4,096{}", hand.suffix());
    Contestant::new(Peer, name, move || {
        let opened = read_all(set);
        let mut scratch = Scratch::default();
        let mut buffer = vec![0_u64; 4096];
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let mut cursor = black_box(bitmap).cursor();
                hand::by_values(
                    hand,
                    vector.rows,
                    &mut buffer,
                    |buffer| cursor.read_many(buffer),
                    &mut scratch,
                    &mut digest,
                );
            }
            digest.finish()
        }
    })
}

fn by_ranges(hand: Hand, set: &Set) -> Contestant<'_> {
    let name = format!("croaring Bitmap64: cursor().read_many_ranges() of 256{}", hand.suffix());
    Contestant::new(Peer, name, move || {
        let opened = read_all(set);
        let mut scratch = Scratch::default();
        let mut buffer = vec![RangeInclusive::<u64>::default(); 256];
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let mut cursor = black_box(bitmap).cursor();
                let (mut at, mut len) = (0, 0);
                let next = || {
                    if at == len {
                        (at, len) = (0, cursor.read_many_ranges(&mut buffer));
                    }
                    let range = buffer[..len].get(at)?;
                    at += 1;
                    Some((range.start, range.last))
                };
                hand::by_ranges(hand, vector.rows, next, &mut scratch, &mut digest);
            }
            digest.finish()
        }
    })
}

fn counts(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap64: range_cardinality()", move || {
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
