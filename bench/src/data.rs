//! The sets that the questions are asked of.
//!
//! | set | rows | deleted | containers | blob |
//! |---|---|---|---|---|
//! | tiny | 1,000 | 94, at random | 1 array | 228 B |
//! | sparse | 1 M | 1 %, at random | 16 arrays | 20 KB |
//! | dense | 10 M | every other row on average | 153 bitsets | 1.25 MB |
//! | ranges | 10 M | 2,900 runs of 1 to 999 | 153 of runs | 13 KB |
//! | mixed | 100 M | three kinds in random order | 1,526 | 5.5 MB |
//! | gaps | 100 M | a third of the containers, at random | about 500 arrays | 0.5 MB |
//!
//! Real data: one list of numbers a file, comma- or newline-separated; the files of one folder are one set.
//!
//! Every blob is written by the `roaring` crate, framed here, and kept at an odd address.

use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use roaring::{RoaringBitmap, RoaringTreemap};

use crate::random::Random;

/// Names of the generated sets.
pub const GENERATED: [&str; 6] = ["tiny", "sparse", "dense", "ranges", "mixed", "gaps"];

/// Rows of a window, such as a row group.
pub const WINDOW: u64 = 100_000;

/// Cuts `rows` into windows of `step`; the last may be shorter.
pub fn windows(rows: u64, step: u64) -> impl Iterator<Item = Range<u64>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let window = start..rows.min(start + step);
        start = window.end;
        (!window.is_empty()).then_some(window)
    })
}

/// Probes of a set, spread over its vectors.
const PROBES: usize = 16_384;

/// One serialized deletion vector, with what is asked of it.
#[derive(Debug)]
pub struct Vector {
    bytes: Vec<u8>,
    /// Where the blob starts: an odd address.
    at: usize,
    /// Rows of the data file.
    pub rows: u64,
    /// Deleted positions.
    pub cardinality: u64,
    /// Half of them deleted, half anywhere below `rows`, in random order.
    pub probes: Vec<u64>,
    /// The same, ascending.
    pub sorted_probes: Vec<u64>,
    single_bucket: bool,
}

/// Vectors that are asked together.
#[derive(Debug)]
pub struct Set {
    /// Name for the command line and the report.
    pub name: String,
    /// At least one.
    pub vectors: Vec<Vector>,
    /// As many others of the same kind: what the vectors are united with.
    pub partners: Vec<Vector>,
}

impl Vector {
    /// Serializes and frames a set of positions.
    fn new(deleted: &mut RoaringTreemap, rows: u64, probes: usize, random: &mut Random) -> Self {
        deleted.optimize();
        let mut covered: Vec<u8> = vec![0xD1, 0xD3, 0x39, 0x64];
        deleted.serialize_into(&mut covered).expect("a Vec takes every write");
        let size = u32::try_from(covered.len()).expect("the sets are small");
        let mut bytes: Vec<u8> = Vec::with_capacity(covered.len() + 16);
        let at = 1 - bytes.as_ptr().addr() % 2;
        bytes.resize(at, 0);
        bytes.extend(size.to_be_bytes());
        bytes.extend(&covered);
        bytes.extend(crc32fast::hash(&covered).to_be_bytes());
        let cardinality = deleted.len();
        let probes: Vec<u64> = (0..probes)
            .map(|_| {
                if random.below(2) == 0 {
                    deleted.select(random.below(cardinality)).unwrap_or(0)
                } else {
                    random.below(rows)
                }
            })
            .collect();
        let mut sorted_probes = probes.clone();
        sorted_probes.sort_unstable();
        let single_bucket = deleted.max().is_some_and(|max| max >> 32 == 0);
        Self { bytes, at, rows, cardinality, probes, sorted_probes, single_bucket }
    }

    /// The framed blob.
    #[must_use]
    pub fn blob(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// The serialized 64-bit bitmap inside.
    #[must_use]
    pub fn bitmap64(&self) -> &[u8] {
        let blob = self.blob();
        &blob[8..blob.len() - 4]
    }

    /// The serialized 32-bit bitmap inside, if there is one bucket and its key is 0.
    #[must_use]
    pub fn bitmap32(&self) -> Option<&[u8]> {
        self.single_bucket.then(|| &self.bitmap64()[12..])
    }

    /// The probes in random order or ascending.
    #[must_use]
    pub fn probes(&self, sorted: bool) -> &[u64] {
        if sorted { &self.sorted_probes } else { &self.probes }
    }

    /// Checks the CRC the way a caller of a peer does.
    #[must_use]
    pub fn crc_holds(&self) -> bool {
        let blob = std::hint::black_box(self.blob());
        let (covered, crc) = blob[4..].split_at(blob.len() - 8);
        crc32fast::hash(covered).to_be_bytes() == crc
    }
}

impl Set {
    /// Makes the generated set of this name; always the same bytes.
    #[must_use]
    pub fn generate(name: &str) -> Option<Self> {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (rows, make): (u64, fn(&mut Random) -> RoaringBitmap) = match name {
            "tiny" => (1000, tiny),
            "sparse" => (1_000_000, sparse),
            "dense" => (10_000_000, dense),
            "ranges" => (10_000_000, ranges),
            "mixed" => (100_000_000, mixed),
            "gaps" => (100_000_000, gaps),
            _ => return None,
        };
        let low = make(&mut random);
        let other = make(&mut Random(0x2545_F491_4F6C_DD1D));
        let mut vector =
            |low, probes| Vector::new(&mut RoaringTreemap::from_bitmaps([(0, low)]), rows, probes, &mut random);
        let vectors = vec![vector(low, PROBES)];
        Some(Self { name: name.to_owned(), vectors, partners: vec![vector(other, 0)] })
    }

    /// Reads real data: each folder below `dir` that holds lists, and `dir` itself.
    ///
    /// # Errors
    ///
    /// What reading the files reports, and [`io::ErrorKind::InvalidData`] for a file that is not a list of numbers.
    pub fn read_all(dir: &Path) -> io::Result<Vec<Self>> {
        let mut folders = vec![dir.to_owned()];
        let mut sets = Vec::new();
        while let Some(folder) = folders.pop() {
            let mut lists = Vec::new();
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "txt" || extension == "csv") {
                    lists.push(path);
                }
            }
            lists.sort();
            if lists.is_empty() {
                continue;
            }
            let name = folder.file_name().map_or_else(|| "data".to_owned(), |name| name.to_string_lossy().into_owned());
            let mut random = Random(0x9E37_79B9_7F4A_7C15);
            let probes = (PROBES / lists.len()).max(64);
            let (mut vectors, mut partners) = (Vec::new(), Vec::new());
            for list in lists {
                let mut deleted = read_list(&list)?;
                let Some(max) = deleted.max() else { continue };
                vectors.push(Vector::new(&mut deleted, max + 1, probes, &mut random));
                partners.push(Vector::new(&mut deleted, max + 1, 0, &mut random));
            }
            if !vectors.is_empty() {
                // Each list is united with the one after it.
                partners.rotate_left(1);
                sets.push(Self { name, vectors, partners });
            }
        }
        sets.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(sets)
    }

    /// How much of everything the set has.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        let sum = |of: fn(&Vector) -> u64| self.vectors.iter().map(of).sum();
        Sizes {
            vectors: self.vectors.len() as u64,
            bytes: sum(|vector| vector.blob().len() as u64),
            rows: sum(|vector| vector.rows),
            cardinality: sum(|vector| vector.cardinality),
            windows: sum(|vector| vector.rows.div_ceil(WINDOW)),
            probes: sum(|vector| vector.probes.len() as u64),
        }
    }
}

/// How much of everything a set has, over all its vectors.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Vectors.
    pub vectors: u64,
    /// Bytes of their blobs.
    pub bytes: u64,
    /// Rows of their data files.
    pub rows: u64,
    /// Deleted positions.
    pub cardinality: u64,
    /// Windows of [`WINDOW`] rows.
    pub windows: u64,
    /// Probes.
    pub probes: u64,
}

impl Sizes {
    /// How many units of work there are: see [`Row::unit`](crate::row::Row::unit).
    #[must_use]
    pub fn units(self, unit: &str) -> u64 {
        match unit {
            "probe" => self.probes,
            "position" => self.cardinality,
            "row" => self.rows,
            "window" => self.windows,
            _ => self.vectors,
        }
    }
}

fn read_list(path: &Path) -> io::Result<RoaringTreemap> {
    let text = fs::read_to_string(path)?;
    let numbers = text.split([',', '\n', '\r', ' ']).filter(|number| !number.is_empty());
    numbers
        .map(|number| number.parse::<u64>())
        .collect::<Result<_, _>>()
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display())))
}

fn below32(random: &mut Random, bound: u32) -> u32 {
    u32::try_from(random.below(u64::from(bound))).unwrap_or(0)
}

fn tiny(random: &mut Random) -> RoaringBitmap {
    at_random(random, 0, 1000, 94)
}

fn sparse(random: &mut Random) -> RoaringBitmap {
    at_random(random, 0, 1_000_000, 10_000)
}

/// `count` distinct values from `first` to `first + span - 1`.
fn at_random(random: &mut Random, first: u32, span: u32, count: u64) -> RoaringBitmap {
    let mut values = RoaringBitmap::new();
    while values.len() < count {
        values.insert(first + below32(random, span));
    }
    values
}

fn dense(random: &mut Random) -> RoaringBitmap {
    let bits: Vec<u8> = (0..10_000_000 / 64 + 1).flat_map(|_| random.next().to_le_bytes()).collect();
    RoaringBitmap::from_lsb0_bytes(0, &bits[..10_000_000 / 8])
}

fn ranges(random: &mut Random) -> RoaringBitmap {
    let mut values = RoaringBitmap::new();
    for slot in 0..2900_u32 {
        let start = slot * 3448 + below32(random, 2448);
        let length = 1 + below32(random, 999);
        values.insert_range(start..start + length);
    }
    values
}

fn mixed(random: &mut Random) -> RoaringBitmap {
    let mut values = RoaringBitmap::new();
    for key in 0..100_000_000_u32.div_ceil(65_536) {
        let first = key << 16;
        let span = (100_000_000 - first).min(65_536);
        match random.below(100) {
            0..38 => {
                // One bit in four, two or three of four.
                let kind = random.below(3);
                let bits: Vec<u8> = (0..span / 64)
                    .flat_map(|_| {
                        let (a, b) = (random.next(), random.next());
                        [a & b, a, a | b][usize::try_from(kind).unwrap_or(0)].to_le_bytes()
                    })
                    .collect();
                values |= RoaringBitmap::from_lsb0_bytes(first, &bits);
            }
            38..69 => {
                let count = 1 + random.below(1400);
                values |= at_random(random, first, span, count.min(u64::from(span) / 2));
            }
            _ => {
                let count = 1 + below32(random, 60);
                let slot = span / count;
                for run in 0..count {
                    let start = first + run * slot + below32(random, slot / 2);
                    values.insert_range(start..start + 1 + below32(random, slot / 2));
                }
            }
        }
    }
    values
}

fn gaps(random: &mut Random) -> RoaringBitmap {
    let mut values = RoaringBitmap::new();
    for key in 0..100_000_000_u32 >> 16 {
        if random.below(3) == 0 {
            let count = 1 + random.below(1000);
            values |= at_random(random, key << 16, 65_536, count);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_sizes_that_the_readme_says() {
        for (name, low, high) in [("tiny", 228, 228), ("sparse", 19_000, 21_000), ("ranges", 12_500, 13_500)] {
            let set = Set::generate(name).unwrap();
            assert!((low..=high).contains(&set.sizes().bytes), "{name}: {:?}", set.sizes());
            let vector = &set.vectors[0];
            assert!(vector.crc_holds() && vector.blob().as_ptr().addr() % 2 == 1);
            assert!(vector.bitmap32().is_some_and(|bytes| bytes.as_ptr().addr() % 2 == 1));
        }
    }
}
