// Included twice, with `codec`, `SIDE` and `NAME` naming one build of the core.

use std::hint::black_box;

use crate::contest::{Contestant, Digest};
use crate::data::{Set, Vector, WINDOW, windows};
use crate::masks::{self, BATCH, WORDS};
use crate::row::Row;
use crate::writing::positions_of;
use codec::deletion_vector::{DeletionVector, Encoder, Source, encode_scratch_len};
use codec::roaring::Bitmap64;

fn open(vector: &Vector) -> DeletionVector<'_> {
    DeletionVector::parse(vector.blob()).expect("the set is valid")
}

/// From blob bytes to the first answer, by this build alone.
fn open_alone<'d>(set: &'d Set, side: Side, name: &'static str) -> Contestant<'d> {
    Contestant::new(side, name, move || {
        move |_| {
            let mut digest = Digest::new(false);
            for vector in &set.vectors {
                let parsed = DeletionVector::parse(black_box(vector.blob())).expect("the set is valid");
                digest.bit(parsed.contains(black_box(vector.probes[0])));
            }
            digest.finish()
        }
    })
}

/// Opens the vectors that are then asked.
fn open_all(set: &Set) -> Vec<(DeletionVector<'_>, &Vector)> {
    set.vectors.iter().map(|vector| (open(vector), vector)).collect()
}

/// Into memory that is surely long enough, in one pass; and into memory of the exact length, which is found out first.
fn encoders(set: &Set) -> Vec<Contestant<'_>> {
    let aside = match SIDE {
        Side::Portable => "puffin-codec, portable: encoded_bitmap_len first",
        _ => "puffin-codec, simd: encoded_bitmap_len first",
    };
    let encoder = |side: Side, name: &'static str, exact: bool| {
        Contestant::new(side, name, move || {
            let mut scratch = vec![0; encode_scratch_len(1)];
            let inputs = positions_of(set);
            let mut out = vec![0; inputs.iter().map(|positions| positions.len() * 6 + 256).max().unwrap_or(0)];
            move |full| {
                let mut digest = Digest::new(full);
                for positions in &inputs {
                    let mut sources = [Source::positions(black_box(positions)).expect("they ascend")];
                    let mut encoder = Encoder::new(&mut sources);
                    let len = if exact { encoder.encoded_bitmap_len(&mut scratch).expect("it fits") } else { out.len() };
                    let encoded = encoder.encode_bitmap_into(&mut scratch, &mut out[..len]).expect("it fits");
                    digest.outputs(&out[..encoded.len()]);
                }
                digest.finish()
            }
        })
    };
    vec![encoder(SIDE, NAME, false), encoder(Side::Aside, aside, true)]
}

/// How this build answers `row`, if it can.
#[must_use]
pub fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    let contestant = match row {
        // The build without features has the smallest CRC there is. What its own code costs shows beside the CRC of
        // peers.
        Row::Open if SIDE == Side::Portable => {
            return vec![
                Contestant::new(SIDE, "puffin-codec, portable: crc32fast, Bitmap64::parse", move || {
                    move |_| {
                        let mut digest = Digest::new(false);
                        for vector in &set.vectors {
                            assert!(vector.crc_holds());
                            let parsed = Bitmap64::parse(black_box(vector.bitmap64())).expect("the set is valid");
                            digest.bit(parsed.contains(black_box(vector.probes[0])));
                        }
                        digest.finish()
                    }
                }),
                open_alone(set, Side::Aside, "puffin-codec without features: DeletionVector::parse"),
            ];
        }
        Row::Open => open_alone(set, SIDE, NAME),
        Row::Content => Contestant::new(SIDE, NAME, move || {
            move |_| {
                let mut digest = Digest::new(false);
                for vector in &set.vectors {
                    let parsed = Bitmap64::parse(black_box(vector.bitmap64())).expect("the set is valid");
                    digest.bit(parsed.contains(black_box(vector.probes[0])));
                }
                digest.finish()
            }
        }),
        Row::Trusted | Row::TrustedView => Contestant::new(SIDE, NAME, move || {
            move |_| {
                let mut digest = Digest::new(false);
                for vector in &set.vectors {
                    let parsed = DeletionVector::parse_trusted(black_box(vector.blob())).expect("the set is valid");
                    digest.bit(parsed.contains(black_box(vector.probes[0])));
                }
                digest.finish()
            }
        }),
        Row::Contains => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (parsed, vector) in &opened {
                    let parsed = black_box(parsed);
                    for probe in &vector.probes {
                        digest.bit(parsed.contains(*probe));
                    }
                }
                digest.finish()
            }
        }),
        Row::Next => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (parsed, _) in &opened {
                    for position in black_box(parsed).iter() {
                        digest.value(position);
                    }
                }
                digest.finish()
            }
        }),
        Row::Fold => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (parsed, _) in &opened {
                    black_box(parsed).iter().for_each(|position| digest.value(position));
                }
                digest.finish()
            }
        }),
        Row::ContainsMany | Row::ContainsSorted => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            let mut out = Vec::new();
            move |full| {
                let mut digest = Digest::new(full);
                for (parsed, vector) in &opened {
                    let probes = vector.probes(row == Row::ContainsSorted);
                    out.resize(probes.len(), false);
                    black_box(parsed).contains_many(probes, &mut out).expect("the output is long enough");
                    digest.answers(&out);
                }
                digest.finish()
            }
        }),
        Row::Masks | Row::MasksBulk | Row::MasksFlat => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            move |full| {
                let mut digest = Digest::new(full);
                for (parsed, vector) in &opened {
                    let mut cursor = black_box(parsed).cursor();
                    masks::batches(vector.rows, masks::whole(&mut digest), |first, end, words| {
                        cursor.fill_deleted_mask(first, (end - first) as usize, words).expect("the window fits");
                    });
                }
                digest.finish()
            }
        }),
        Row::Positions => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            let mut out = vec![0_u64; 4096];
            move |full| {
                let mut digest = Digest::new(full);
                for (parsed, _) in &opened {
                    let mut positions = black_box(parsed).iter();
                    loop {
                        match positions.fill(&mut out) {
                            0 => break,
                            count => digest.outputs(&out[..count]),
                        }
                    }
                }
                digest.finish()
            }
        }),
        Row::LiveOffsets => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            let mut out = vec![0_u32; WORDS * 64];
            move |full| {
                let mut digest = Digest::new(full);
                for (parsed, vector) in &opened {
                    let mut cursor = black_box(parsed).cursor();
                    for batch in windows(vector.rows, BATCH) {
                        let rows = (batch.end - batch.start) as usize;
                        let count = cursor.fill_live_offsets(batch.start, rows, &mut out).expect("the window fits");
                        digest.outputs(&out[..count]);
                    }
                }
                digest.finish()
            }
        }),
        Row::MaskBytes => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            let mut out = vec![0_u8; WORDS * 8];
            move |full| {
                let mut digest = Digest::new(full);
                for (parsed, vector) in &opened {
                    let mut cursor = black_box(parsed).cursor();
                    for batch in windows(vector.rows, BATCH) {
                        let rows = (batch.end - batch.start) as usize;
                        cursor.fill_live_mask_bytes(batch.start, rows, &mut out).expect("the window fits");
                        digest.outputs(&out[..rows.div_ceil(8)]);
                    }
                }
                digest.finish()
            }
        }),
        Row::Ranges => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (parsed, vector) in &opened {
                    let parsed = black_box(parsed);
                    for window in windows(vector.rows, WINDOW) {
                        for range in parsed.live_ranges(window) {
                            digest.range(range.start, range.end);
                        }
                    }
                }
                digest.finish()
            }
        }),
        Row::Counts => Contestant::new(SIDE, NAME, move || {
            let opened = open_all(set);
            move |_| {
                let mut digest = Digest::new(false);
                for (parsed, vector) in &opened {
                    let parsed = black_box(parsed);
                    for window in windows(vector.rows, WINDOW) {
                        digest.mix(parsed.count(window));
                    }
                }
                digest.finish()
            }
        }),
        Row::Encode => return encoders(set),
        Row::Union => Contestant::new(SIDE, NAME, move || {
            let mut scratch = vec![0; encode_scratch_len(2)];
            let mut out = vec![0; 2 * set.vectors.iter().chain(&set.partners).map(|vector| vector.blob().len() + 8).sum::<usize>()];
            move |full| {
                let mut digest = Digest::new(full);
                for (vector, partner) in set.vectors.iter().zip(&set.partners) {
                    let [a, b] = [vector, partner].map(|vector| {
                        let bitmap = Bitmap64::parse(black_box(vector.bitmap64())).expect("the set is valid");
                        Source::bitmap(&bitmap).expect("keys are low")
                    });
                    let encoded = Encoder::new(&mut [a, b]).encode_bitmap_into(&mut scratch, &mut out);
                    digest.outputs(&out[..encoded.expect("the output is long enough").len()]);
                }
                digest.finish()
            }
        }),
        Row::Bounds => return Vec::new(),
    };
    vec![contestant]
}
