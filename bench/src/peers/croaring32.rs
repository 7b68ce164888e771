//! `croaring` 2.8: `Bitmap`, CRoaring's 32-bit type, and views of serialized bytes.
//!
//! It reads the one 32-bit bitmap inside a vector whose positions are below 2^32, past the twelve bytes of count and
//! key. A reader of any vector cannot rely on that, but many vectors are so, and the 32-bit calls are CRoaring's
//! fastest.

use std::hint::black_box;
use std::ops::ControlFlow;

use croaring::bitmap::Deserializer;
use croaring::{Bitmap, BitmapView, Frozen, Portable, RangeInclusive};

use super::raw::Raw32;
use crate::contest::{
    Contestant, Digest,
    Side::{Aside, Peer},
};
use crate::data::{Set, Vector, WINDOW, windows};
use crate::hand::{self, Hand, Scratch};
use crate::masks;
use crate::row::Row;

fn bytes(vector: &Vector) -> &[u8] {
    black_box(vector.bitmap32().expect("the set has one bucket"))
}

/// Without any check: the caller has checked the CRC, or trusts the bytes.
fn read(vector: &Vector) -> Bitmap {
    // SAFETY: the bytes are a valid bitmap.
    unsafe { Portable::try_deserialize_unchecked(bytes(vector)) }
}

fn read_all(set: &Set) -> Vec<(Bitmap, &Vector)> {
    set.vectors.iter().map(|vector| (read(vector), vector)).collect()
}

fn view(vector: &Vector) -> BitmapView<'_> {
    // SAFETY: the bytes are a valid bitmap, and stay.
    unsafe { BitmapView::deserialize::<Portable>(bytes(vector)) }
}

/// Positions are below 2^32 in these sets, probes too.
fn low(position: u64) -> u32 {
    (position & 0xFFFF_FFFF) as u32
}

pub(super) fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    if set.vectors.iter().any(|vector| vector.bitmap32().is_none()) {
        return Vec::new();
    }
    match row {
        Row::Open => {
            vec![Contestant::new(Peer, "croaring Bitmap: crc32fast, deserialize_unchecked, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        assert!(vector.crc_holds());
                        digest.bit(read(vector).contains(low(black_box(vector.probes[0]))));
                    }
                    digest.finish()
                }
            })]
        }
        Row::Content | Row::Trusted => {
            vec![Contestant::new(Peer, "croaring Bitmap: deserialize_unchecked, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        digest.bit(read(vector).contains(low(black_box(vector.probes[0]))));
                    }
                    digest.finish()
                }
            })]
        }
        Row::TrustedView => vec![
            Contestant::new(Peer, "croaring BitmapView: portable, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        digest.bit(view(vector).contains(low(black_box(vector.probes[0]))));
                    }
                    digest.finish()
                }
            }),
            frozen(set),
        ],
        Row::Contains => vec![
            Contestant::new(Peer, "croaring Bitmap: contains", move || {
                let opened = read_all(set);
                move |_| {
                    let mut digest = Digest::new(false);
                    for (bitmap, vector) in &opened {
                        let bitmap = black_box(bitmap);
                        for probe in &vector.probes {
                            digest.bit(bitmap.contains(low(*probe)));
                        }
                    }
                    digest.finish()
                }
            }),
            Contestant::new(Peer, "croaring BitmapView: contains", move || {
                let opened: Vec<_> = set.vectors.iter().map(|vector| (view(vector), vector)).collect();
                move |_| {
                    let mut digest = Digest::new(false);
                    for (bitmap, vector) in &opened {
                        let bitmap: &Bitmap = black_box(bitmap);
                        for probe in &vector.probes {
                            digest.bit(bitmap.contains(low(*probe)));
                        }
                    }
                    digest.finish()
                }
            }),
            contains_bulk(set),
        ],
        Row::ContainsMany | Row::ContainsSorted => vec![contains_many(set, row == Row::ContainsSorted)],
        Row::Next => vec![Contestant::new(Peer, "croaring Bitmap: iter().next()", move || {
            let opened = read_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (bitmap, _) in &opened {
                    for position in black_box(bitmap).iter() {
                        digest.value(u64::from(position));
                    }
                }
                digest.finish()
            }
        })],
        Row::Fold => vec![Contestant::new(Peer, "croaring Bitmap: for_each()", move || {
            let opened = read_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (bitmap, _) in &opened {
                    let _ = black_box(bitmap).for_each(|position| -> ControlFlow<()> {
                        digest.value(u64::from(position));
                        ControlFlow::Continue(())
                    });
                }
                digest.finish()
            }
        })],
        Row::Masks => vec![Contestant::new(Peer, "croaring Bitmap: iter()", move || {
            let opened = read_all(set);
            move |full| {
                let mut digest = Digest::new(full);
                for (bitmap, vector) in &opened {
                    masks::by_iterator(vector.rows, black_box(bitmap).iter().map(u64::from), masks::whole(&mut digest));
                }
                digest.finish()
            }
        })],
        Row::MasksBulk | Row::LiveOffsets | Row::MaskBytes | Row::Ranges => {
            let values = Hand::of_values(row).iter().map(|hand| by_values(*hand, set));
            values.chain(Hand::of_ranges(row).iter().map(|hand| by_ranges(*hand, set))).collect()
        }
        Row::Counts => vec![counts(set)],
        Row::MasksFlat => vec![masks_by_flat(set)],
        Row::Positions => vec![positions(set)],
        Row::Encode | Row::Union | Row::Bounds => Vec::new(),
    }
}

/// Not on the same bytes: the frozen format is CRoaring's memory laid out as it likes it, and must be aligned.
fn frozen(set: &Set) -> Contestant<'_> {
    Contestant::new(Aside, "croaring BitmapView: frozen (own format, aligned), contains", move || {
        let buffers: Vec<(Vec<u8>, usize, &Vector)> = set
            .vectors
            .iter()
            .map(|vector| {
                let mut buffer = Vec::new();
                let len = read(vector).serialize_into_vec::<Frozen>(&mut buffer).len();
                let start = buffer.len() - len;
                (buffer, start, vector)
            })
            .collect();
        move |_| {
            let mut digest = Digest::new(false);
            for (buffer, start, vector) in &buffers {
                // SAFETY: the bytes were written in this format and aligned for it a moment ago.
                let view = unsafe { BitmapView::deserialize::<Frozen>(black_box(&buffer[*start..])) };
                digest.bit(view.contains(low(black_box(vector.probes[0]))));
            }
            digest.finish()
        }
    })
}

/// With the hint: consecutive probes of one container skip the search for it.
fn contains_bulk(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap: contains_bulk", move || {
        let opened: Vec<_> =
            set.vectors.iter().map(|vector| (Raw32::read(bytes(vector)).expect("the set is valid"), vector)).collect();
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
    Contestant::new(Peer, "croaring Bitmap: contains_bulk", move || {
        let opened: Vec<_> =
            set.vectors.iter().map(|vector| (Raw32::read(bytes(vector)).expect("the set is valid"), vector)).collect();
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
    let name = format!("croaring Bitmap: cursor().read_many() of 4,096{}", hand.suffix());
    Contestant::new(Peer, name, move || {
        let opened = read_all(set);
        let mut scratch = Scratch::default();
        let mut buffer = vec![0_u32; 4096];
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
    let name = format!("croaring Bitmap: cursor().read_many_ranges() of 256{}", hand.suffix());
    Contestant::new(Peer, name, move || {
        let opened = read_all(set);
        let mut scratch = Scratch::default();
        let mut buffer = vec![RangeInclusive::<u32>::default(); 256];
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
                    Some((u64::from(range.start), u64::from(range.last)))
                };
                hand::by_ranges(hand, vector.rows, next, &mut scratch, &mut digest);
            }
            digest.finish()
        }
    })
}

/// Takes rows / 8 bytes of heap, and answers nothing until the whole bitmap is expanded.
fn masks_by_flat(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap: to_bitset(), copied out", move || {
        let opened = read_all(set);
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, vector) in &opened {
                let flat = black_box(bitmap).to_bitset().expect("there is memory");
                masks::by_flat(vector.rows, flat.as_slice(), masks::whole(&mut digest));
            }
            digest.finish()
        }
    })
}

fn positions(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap: cursor().read_many(), widened", move || {
        let opened = read_all(set);
        let (mut narrow, mut wide) = (vec![0_u32; 4096], vec![0_u64; 4096]);
        move |full| {
            let mut digest = Digest::new(full);
            for (bitmap, _) in &opened {
                let mut cursor = black_box(bitmap).cursor();
                loop {
                    let count = cursor.read_many(&mut narrow);
                    if count == 0 {
                        break;
                    }
                    let out = &mut wide[..count];
                    for (to, from) in out.iter_mut().zip(&narrow) {
                        *to = u64::from(*from);
                    }
                    digest.outputs(out);
                }
            }
            digest.finish()
        }
    })
}

fn counts(set: &Set) -> Contestant<'_> {
    Contestant::new(Peer, "croaring Bitmap: range_cardinality()", move || {
        let opened = read_all(set);
        move |_| {
            let mut digest = Digest::new(false);
            for (bitmap, vector) in &opened {
                let bitmap = black_box(bitmap);
                for window in windows(vector.rows, WINDOW) {
                    digest.mix(bitmap.range_cardinality(low(window.start)..=low(window.end - 1)));
                }
            }
            digest.finish()
        }
    })
}
