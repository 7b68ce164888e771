// Included twice, with `codec` and `BUILD` naming one build of the core.

use std::hint::black_box;

use codec::deletion_vector::{DeletionVector, Encoder, Source, encode_scratch_len};
use codec::scan::Cursor;

use crate::scenario::Scenario;
use crate::sets::{FAR, Set, WINDOWS};

/// Rows of a batch.
const BATCH: usize = 2048;

/// Every question to every set.
pub(crate) fn scenarios(sets: &[Set]) -> Vec<Scenario<'_>> {
    let far = sets.iter().filter(|set| set.name == "far");
    sets.iter().flat_map(of_a_set).chain(far.flat_map(of_nothing)).collect()
}

fn scenario<'s>(
    question: &str,
    set: &str,
    units: usize,
    unit: &'static str,
    ask: impl FnMut() -> u64 + 's,
) -> Scenario<'s> {
    Scenario::new(format!("{question} {set}"), BUILD, units as u64, unit, ask)
}

/// Calls `fill(first row, rows)` for each batch of the set.
fn batches(set: &Set, mut fill: impl FnMut(u64, usize) -> u64) -> u64 {
    let batch = |first: u64| fill(first, BATCH.min((set.rows - first) as usize));
    (0..set.rows).step_by(BATCH).map(batch).fold(0, u64::wrapping_add)
}

/// What engines do with a vector.
fn of_a_set(set: &Set) -> Vec<Scenario<'_>> {
    let vector = DeletionVector::parse(set.blob()).expect("the set is valid");
    let (name, probes, positions) = (set.name, set.probes.len(), set.cardinality as usize);
    let batch_count = set.rows.div_ceil(BATCH as u64) as usize;
    let ranges = vector.deleted_ranges(0..set.rows).count();
    let mut scenarios = vec![
        scenario("open", name, 1, "vector", || {
            let vector = DeletionVector::parse(black_box(set.blob())).expect("the set is valid");
            vector.contains(black_box(set.probes[0])).into()
        }),
        scenario("trusted", name, 1, "vector", || {
            let vector = DeletionVector::parse_trusted(black_box(set.blob())).expect("the set is valid");
            vector.contains(black_box(set.probes[0])).into()
        }),
        scenario("contains", name, probes, "probe", move || {
            let vector = black_box(&vector);
            set.probes.iter().map(|probe| u64::from(vector.contains(*probe))).sum()
        }),
        scenario("rank", name, probes, "probe", move || {
            let vector = black_box(&vector);
            set.probes.iter().map(|probe| vector.rank(*probe)).sum()
        }),
        scenario("select", name, probes, "probe", move || {
            let vector = black_box(&vector);
            set.probes.iter().map(|probe| vector.select(probe % set.cardinality).unwrap_or(0)).sum()
        }),
        scenario("deleted-ranges", name, ranges, "range", move || {
            let ranges = black_box(&vector).deleted_ranges(0..set.rows);
            ranges.fold(0, |sum, range| sum ^ range.start ^ range.end)
        }),
        scenario("next", name, positions, "position", move || {
            let mut sum = 0_u64;
            for position in black_box(&vector).iter() {
                sum = sum.wrapping_add(position);
            }
            sum
        }),
        scenario("fold", name, positions, "position", move || {
            black_box(&vector).iter().fold(0, u64::wrapping_add)
        }),
        scenario("positions", name, positions, "position", {
            let mut out = vec![0; 4096];
            move || {
                let mut positions = black_box(&vector).iter();
                let mut sum = 0;
                loop {
                    match positions.fill(&mut out) {
                        0 => return sum,
                        count => sum ^= black_box(&out)[count - 1],
                    }
                }
            }
        }),
    ];
    for (question, probes) in [("contains-many", &set.probes), ("contains-sorted", &set.sorted_probes)] {
        let mut out = vec![false; probes.len()];
        scenarios.push(scenario(question, name, probes.len(), "probe", move || {
            black_box(&vector).contains_many(probes, &mut out).expect("the output is long enough");
            black_box(&out)[0].into()
        }));
    }
    // Not by `next`, which is inlined where it is called from one place only.
    let mut list = vec![0; positions];
    vector.iter().fill(&mut list);
    let mut out = vec![0; 4 * set.blob().len() + 6 * list.len() + 256];
    scenarios.push(scenario("encode", name, positions, "position", move || {
        let mut scratch = [0; encode_scratch_len(1)];
        let mut sources = [Source::positions(black_box(&list)).expect("they ascend")];
        let encoded = Encoder::new(&mut sources).encode_bitmap_into(&mut scratch, &mut out);
        encoded.expect("the output is long enough").len() as u64
    }));
    let mut out = vec![0; 10 * set.blob().len() + 256];
    scenarios.push(scenario("union", name, 1, "vector", move || {
        let mut scratch = [0; encode_scratch_len(2)];
        // With itself, moved by one container: as many meet as do not.
        let moved = Source::rows(black_box(&vector).bitmap(), 0..set.rows, 1 << 16).expect("the rows are few");
        let mut sources = [Source::vector(black_box(&vector)).expect("keys are low"), moved];
        let encoded = Encoder::new(&mut sources).encode_bitmap_into(&mut scratch, &mut out);
        encoded.expect("the output is long enough").len() as u64
    }));
    scenarios.push(scenario("difference-ranges", name, 1, "vector", move || {
        let difference = black_box(&vector).difference(black_box(&vector));
        difference.ranges().count() as u64 + difference.cardinality()
    }));
    // Masks of 64 million rows would say nothing new: between two of them the cursor sits in a gap.
    if name != "far" {
        let mut words = [0_u64; BATCH / 64];
        scenarios.push(scenario("deleted-mask", name, batch_count, "batch", move || {
            let mut cursor = black_box(&vector).cursor();
            batches(set, |first, rows| {
                cursor.fill_deleted_mask(first, rows, &mut words).expect("the output is long enough");
                black_box(&words)[0]
            })
        }));
        let mut bytes = [0_u8; BATCH / 8];
        scenarios.push(scenario("live-mask-bytes", name, batch_count, "batch", move || {
            let mut cursor = black_box(&vector).cursor();
            batches(set, |first, rows| {
                cursor.fill_live_mask_bytes(first, rows, &mut bytes).expect("the output is long enough");
                black_box(&bytes)[0].into()
            })
        }));
        for (question, live) in [("live-offsets", true), ("deleted-offsets", false)] {
            let fill = if live { Cursor::fill_live_offsets } else { Cursor::fill_deleted_offsets };
            let mut offsets = vec![0; BATCH];
            scenarios.push(scenario(question, name, batch_count, "batch", move || {
                let mut cursor = black_box(&vector).cursor();
                batches(set, |first, rows| {
                    let count = fill(&mut cursor, first, rows, &mut offsets).expect("the output is long enough");
                    let last = black_box(&offsets)[..count].last();
                    last.map_or(0, |last| u64::from(*last)) + count as u64
                })
            }));
        }
    }
    scenarios
}

/// Windows with nothing deleted: one between each deleted row of the set and the next.
fn of_nothing(set: &Set) -> Vec<Scenario<'_>> {
    let vector = DeletionVector::parse(set.blob()).expect("the set is valid");
    let starts = move || (0..set.rows).step_by(FAR as usize).map(|deleted| deleted + 1000);
    let count = starts().count();
    let of_rows = |rows: usize| {
        let name = format!("nothing in {rows}");
        let windows = move || starts().map(move |first| first..first + rows as u64);
        let (mut words, mut more_words) = (vec![0; rows.div_ceil(64)], vec![0; rows.div_ceil(64)]);
        [
            scenario("intersects", &name, count, "window", move || {
                windows().map(|window| u64::from(black_box(&vector).intersects(window))).sum()
            }),
            scenario("count", &name, count, "window", move || {
                windows().map(|window| black_box(&vector).count(window)).sum()
            }),
            scenario("live-ranges", &name, count, "window", move || {
                windows().map(|window| black_box(&vector).live_ranges(window).count() as u64).sum()
            }),
            scenario("deleted-offsets", &name, count, "window", move || {
                let mut cursor = black_box(&vector).cursor();
                let offsets = |first| cursor.fill_deleted_offsets(first, rows, &mut []).expect("there are none");
                starts().map(offsets).sum::<usize>() as u64
            }),
            scenario("deleted-mask", &name, count, "window", move || {
                let mut cursor = black_box(&vector).cursor();
                let mask = |first| {
                    cursor.fill_deleted_mask(first, rows, &mut words).expect("the output is long enough");
                    black_box(&words)[0]
                };
                starts().map(mask).fold(0, u64::wrapping_add)
            }),
            scenario("live-mask", &name, count, "window", move || {
                let mut cursor = black_box(&vector).cursor();
                let mask = |first| {
                    cursor.fill_live_mask(first, rows, &mut more_words).expect("the output is long enough");
                    black_box(&more_words)[0]
                };
                starts().map(mask).fold(0, u64::wrapping_add)
            }),
        ]
    };
    WINDOWS.into_iter().flat_map(of_rows).collect()
}
