//! `croaring` 2.8: `Treemap`, a Rust map of CRoaring's 32-bit bitmaps.
//!
//! Its deserializer always validates. Bulk reads are those of the bitmaps inside, which `croaring32` asks.

use std::hint::black_box;

use croaring::{Portable, Treemap};

use crate::contest::{Contestant, Digest, Side::Peer};
use crate::data::{Set, Vector};
use crate::masks;
use crate::row::Row;

fn read(vector: &Vector) -> Treemap {
    Treemap::try_deserialize::<Portable>(black_box(vector.bitmap64())).expect("the set is valid")
}

fn read_all(set: &Set) -> Vec<(Treemap, &Vector)> {
    set.vectors.iter().map(|vector| (read(vector), vector)).collect()
}

pub(super) fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    let contestant = match row {
        Row::Open => Contestant::new(Peer, "croaring Treemap: crc32fast, try_deserialize, contains", move || {
            move |_| {
                let mut digest = Digest::new(false);
                for vector in &set.vectors {
                    assert!(vector.crc_holds());
                    digest.bit(read(vector).contains(black_box(vector.probes[0])));
                }
                digest.finish()
            }
        }),
        Row::Content | Row::Trusted => {
            Contestant::new(Peer, "croaring Treemap: try_deserialize, contains", move || {
                move |_| {
                    let mut digest = Digest::new(false);
                    for vector in &set.vectors {
                        digest.bit(read(vector).contains(black_box(vector.probes[0])));
                    }
                    digest.finish()
                }
            })
        }
        Row::Contains => Contestant::new(Peer, "croaring Treemap: contains", move || {
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
        Row::Next => Contestant::new(Peer, "croaring Treemap: iter().next()", move || {
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
        }),
        Row::Masks => Contestant::new(Peer, "croaring Treemap: iter()", move || {
            let opened = read_all(set);
            move |full| {
                let mut digest = Digest::new(full);
                for (bitmap, vector) in &opened {
                    masks::by_iterator(vector.rows, black_box(bitmap).iter(), masks::whole(&mut digest));
                }
                digest.finish()
            }
        }),
        _ => return Vec::new(),
    };
    vec![contestant]
}
