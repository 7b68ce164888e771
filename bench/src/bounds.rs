//! What no reader can beat: parts of the work that nobody can leave out, each done alone.
//!
//! Where a ratio is below its floor, the time of such a part says whether the floor can be reached at all on this
//! processor.

use std::hint::black_box;

use crate::contest::{Contestant, Digest, Side::Aside};
use crate::data::{Set, Vector};
use crate::harness::Cell;
use crate::masks;
use crate::row::Row;

/// A part of the work of some rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The CRC alone, by the code that peers' callers use.
    Crc,
    /// Reading the blob.
    Read,
    /// Reading it and writing it elsewhere.
    Copy,
    /// Writing positions, 4,096 at a time into the same memory.
    Positions,
    /// What the loop of the mask rows costs when it only clears the words.
    Batches,
    /// Reading a probe and writing an answer.
    Probes,
}

impl Bound {
    /// Every bound, in the order of the report.
    pub const ALL: [Self; 6] = [Self::Crc, Self::Read, Self::Copy, Self::Positions, Self::Batches, Self::Probes];

    /// The bounds of `row`, of which the largest counts.
    #[must_use]
    pub const fn of(row: Row) -> &'static [Self] {
        match row {
            Row::Open => &[Self::Crc],
            Row::Union => &[Self::Copy],
            Row::Content | Row::Next | Row::Fold => &[Self::Read],
            Row::Contains | Row::ContainsMany | Row::ContainsSorted => &[Self::Probes],
            Row::Masks | Row::MasksBulk | Row::MasksFlat | Row::MaskBytes | Row::LiveOffsets => {
                &[Self::Batches, Self::Read]
            }
            Row::Positions => &[Self::Positions, Self::Read],
            Row::Trusted | Row::TrustedView | Row::Ranges | Row::Counts | Row::Encode | Row::Bounds => &[],
        }
    }

    /// What is done.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crc => "crc32fast over the blob",
            Self::Read => "sum of the blob's words",
            Self::Copy => "memcpy of the blob",
            Self::Positions => "clearing 4,096 u64 over and over",
            Self::Batches => "clearing 32 words for each 2,048 rows",
            Self::Probes => "reading probes and writing answers",
        }
    }

    /// What one unit of it is.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Crc | Self::Read | Self::Copy => "vector",
            Self::Positions => "position",
            Self::Batches => "row",
            Self::Probes => "probe",
        }
    }

    /// Nanoseconds of one `unit` on the set of `bounds`, a cell of [`Row::Bounds`]: the lower quartile, since a machine
    /// that was busy then says nothing about what can be had.
    #[must_use]
    pub fn nanos(self, bounds: &Cell, unit: &str) -> Option<f64> {
        let outcome = bounds.results.iter().find(|outcome| outcome.name == self.name())?;
        Some(outcome.nanos.low * bounds.sizes.vectors as f64 / bounds.sizes.units(unit) as f64)
    }
}

/// The bound that counts for `cell` and its time for one unit of the row, in nanoseconds. `bounds` is measured on the
/// same set.
#[must_use]
pub fn largest(cell: &Cell, bounds: &Cell) -> Option<(Bound, f64)> {
    let all = Bound::of(cell.row).iter().filter_map(|bound| Some((*bound, bound.nanos(bounds, cell.row.unit())?)));
    all.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// Each bound, as a contestant of [`Row::Bounds`].
#[must_use]
pub fn contestants(set: &Set) -> Vec<Contestant<'_>> {
    let all = Bound::ALL.into_iter().map(|bound| {
        Contestant::new(Aside, bound.name(), move || {
            let blob = set.vectors.iter().map(|vector| vector.blob().len()).max().unwrap_or(0);
            let probes = set.vectors.iter().map(|vector| vector.probes.len()).max().unwrap_or(0);
            let mut memory = Memory { copy: vec![0; blob], positions: vec![0; 4096], answers: vec![false; probes] };
            move |_| {
                for vector in &set.vectors {
                    black_box(once(bound, black_box(vector), &mut memory));
                }
                0
            }
        })
    });
    all.collect()
}

struct Memory {
    copy: Vec<u8>,
    positions: Vec<u64>,
    answers: Vec<bool>,
}

fn once(bound: Bound, vector: &Vector, memory: &mut Memory) -> u64 {
    let mut digest = Digest::new(false);
    match bound {
        Bound::Crc => digest.bit(vector.crc_holds()),
        Bound::Read => {
            let (words, rest) = vector.blob().as_chunks();
            let sum = words.iter().fold(0_u64, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)));
            digest.value(rest.iter().fold(sum, |sum, byte| sum.wrapping_add(u64::from(*byte))));
        }
        Bound::Copy => {
            let copy = &mut memory.copy[..vector.blob().len()];
            copy.copy_from_slice(vector.blob());
            digest.outputs(copy);
        }
        Bound::Positions => {
            let mut left = vector.cardinality;
            while left > 0 {
                let count = left.min(4096);
                let out = &mut memory.positions[..count as usize];
                out.fill(0);
                digest.outputs(out);
                left -= count;
            }
        }
        Bound::Batches => masks::batches(vector.rows, masks::whole(&mut digest), |_, _, words| words.fill(0)),
        Bound::Probes => {
            let out = &mut memory.answers[..vector.probes.len()];
            out.iter_mut().zip(&vector.probes).for_each(|(answer, probe)| *answer = probe & 1 == 1);
            digest.answers(out);
        }
    }
    digest.finish()
}
