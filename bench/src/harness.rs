//! Turns, clocks and medians.
//!
//! In each round every contestant of a row takes one sample, one after the other, so that a slow minute of the machine
//! is slow for all. A sample repeats the operation until it takes about a millisecond; the numbers kept are medians
//! and quartiles over the rounds. Every repetition's answer is compared with the first contestant's.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::contest::{Contestant, Op, Side};
use crate::data::{Set, Sizes};
use crate::row::Row;
use crate::{bounds, heap, ours, peers};

/// How long and how often to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Most rounds of a row.
    pub rounds: usize,
    /// Fewest rounds, however long they take.
    pub min_rounds: usize,
    /// Length of a sample.
    pub sample: Duration,
    /// No further round once a row has taken this long.
    pub budget: Duration,
    /// Time of this thread, which other processes do not lengthen, instead of time of day.
    pub cpu_clock: bool,
    /// Whether every bit of the output is compared for those too who take no part in the rounds, and after the rounds.
    pub thorough: bool,
}

/// Median and quartiles.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Half of the samples are below.
    pub median: f64,
    /// A quarter is below.
    pub low: f64,
    /// A quarter is above.
    pub high: f64,
}

impl Spread {
    fn of(samples: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = samples.collect();
        sorted.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let last = sorted.len().saturating_sub(1);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of few rounds")]
            let index = (part * last as f64).round() as usize;
            sorted.get(index).copied().unwrap_or(f64::NAN)
        };
        Self { median: at(0.5), low: at(0.25), high: at(0.75) }
    }
}

/// What one contestant did.
#[derive(Debug)]
pub struct Outcome {
    /// Library, type and call.
    pub name: String,
    /// On whose behalf.
    pub side: Side,
    /// Nanoseconds a unit.
    pub nanos: Spread,
    samples: Vec<f64>,
}

impl Outcome {
    /// Tells whether this is CRoaring's 32-bit type, which reads only vectors whose positions are all below 2^32.
    #[must_use]
    pub fn is_32_bit(&self) -> bool {
        is_32_bit(&self.name)
    }
}

/// One row on one set.
#[derive(Debug)]
pub struct Cell {
    /// The question.
    pub row: Row,
    /// Name of the set.
    pub set: String,
    /// Rounds taken.
    pub rounds: usize,
    /// How much there is in the set.
    pub sizes: Sizes,
    /// Everyone who took part.
    pub results: Vec<Outcome>,
}

impl Cell {
    /// The result of one build of this crate.
    #[must_use]
    pub fn of(&self, side: Side) -> Option<&Outcome> {
        self.results.iter().find(|result| result.side == side)
    }

    /// The peer with the lowest median among those that read any vector, or among all of them where only others answer.
    #[must_use]
    pub fn best_peer(&self) -> Option<&Outcome> {
        self.fastest(|name| !is_32_bit(name)).or_else(|| self.best_32_bit_peer())
    }

    /// The peer with the lowest median among those that read only vectors whose positions are all below 2^32.
    #[must_use]
    pub fn best_32_bit_peer(&self) -> Option<&Outcome> {
        self.fastest(is_32_bit)
    }

    fn fastest(&self, fits: impl Fn(&str) -> bool) -> Option<&Outcome> {
        let peers = self.results.iter().filter(|result| result.side == Side::Peer && fits(&result.name));
        peers.min_by(|a, b| a.nanos.median.total_cmp(&b.nanos.median))
    }

    /// How many times faster than the best peer: above 1, we are. The median and quartiles of the rounds' own ratios.
    #[must_use]
    pub fn ratio(&self, side: Side) -> Option<Spread> {
        self.ratio_to(self.best_peer()?, side)
    }

    /// How many times faster than `peer`.
    #[must_use]
    pub fn ratio_to(&self, peer: &Outcome, side: Side) -> Option<Spread> {
        let ours = self.of(side)?;
        Some(Spread::of(peer.samples.iter().zip(&ours.samples).map(|(peer, ours)| peer / ours)))
    }
}

/// Tells whether a peer of this name is CRoaring's 32-bit type.
fn is_32_bit(name: &str) -> bool {
    name.starts_with("croaring Bitmap:") || name.starts_with("croaring BitmapView:")
}

/// Everyone who answers `row`.
fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    if row == Row::Bounds {
        return bounds::contestants(set);
    }
    let mut all = ours::portable::contestants(row, set);
    all.extend(ours::simd::contestants(row, set));
    if all.is_empty() {
        return Vec::new();
    }
    all.extend(peers::contestants(row, set));
    all
}

/// Measures `row` on `set`. `None` if this crate does not answer it.
///
/// # Panics
///
/// If two contestants disagree.
#[must_use]
pub fn measure(row: Row, set: &Set, effort: &Effort) -> Option<Cell> {
    let contestants = contestants(row, set);
    let mut ops: Vec<Op<'_>> = contestants.iter().map(|contestant| (contestant.make)()).collect();
    let disagree = |index: usize| -> ! {
        panic!("{} and {} disagree on {} {}", contestants[index].name, contestants[0].name, row.name(), set.name)
    };
    let expected = ops.first_mut()?(false);
    let compare_all = |ops: &mut [Op<'_>], takes_part: &dyn Fn(usize) -> bool| {
        let asked = ops.iter_mut().enumerate().filter(|(index, _)| takes_part(*index));
        let answers: Vec<(usize, u64)> = asked.map(|(index, op)| (index, op(true))).collect();
        if let Some((index, _)) = answers.iter().find(|(_, answer)| *answer != answers[0].1) {
            disagree(*index);
        }
    };
    // The first round, in which everyone takes part.
    let mut paces = Vec::new();
    for (index, op) in ops.iter_mut().enumerate() {
        paces.push(pace(op, expected, effort).unwrap_or_else(|| disagree(index)));
    }
    let mut samples: Vec<Vec<f64>> = paces.iter().map(|pace| vec![pace.nanos]).collect();
    let takes_part = contenders(&contestants, &paces);
    compare_all(&mut ops, &|index| effort.thorough || takes_part[index]);
    let started = Instant::now();
    for round in 1..effort.rounds {
        if round >= effort.min_rounds && started.elapsed() >= effort.budget {
            break;
        }
        for (index, op) in ops.iter_mut().enumerate().filter(|(index, _)| takes_part[*index]) {
            if paces[index].warm_up {
                black_box(op(false));
            }
            let (time, agree) = sample(op, paces[index].repetitions, expected, effort.cpu_clock);
            if !agree {
                disagree(index);
            }
            samples[index].push(time.as_secs_f64() * 1e9 / f64::from(paces[index].repetitions));
        }
    }
    if effort.thorough {
        compare_all(&mut ops, &|index| takes_part[index]);
    }
    let sizes = set.sizes();
    let units = sizes.units(row.unit());
    let rounds = samples.first()?.len();
    let results = contestants.into_iter().zip(samples).map(|(contestant, samples)| {
        let samples: Vec<f64> = samples.iter().map(|nanos| nanos / units as f64).collect();
        let nanos = Spread::of(samples.iter().copied());
        Outcome { name: contestant.name, side: contestant.side, nanos, samples }
    });
    Some(Cell { row, set: set.name.clone(), rounds, sizes, results: results.collect() })
}

/// How a contestant's samples are taken.
struct Pace {
    /// Operations of a sample.
    repetitions: u32,
    /// Whether one operation comes before the sample, untimed: what lies in the caches is then the contestant's own,
    /// not that of the one before. Of no use where one operation runs through more than the caches hold.
    warm_up: bool,
    /// Nanoseconds of one operation in that sample.
    nanos: f64,
}

/// A peer that takes this many times as long as the fastest of its kind in the first round is not the best peer. The
/// other rounds are without it.
const HOPELESS: f64 = 2.0;

/// Tells of each contestant whether it takes part in the rounds.
fn contenders(contestants: &[Contestant<'_>], paces: &[Pace]) -> Vec<bool> {
    let kind = |one: &Contestant<'_>| (one.side == Side::Peer).then(|| is_32_bit(&one.name));
    let fastest = |of: Option<bool>| {
        let same = contestants.iter().zip(paces).filter(|(one, _)| kind(one) == of);
        same.map(|(_, pace)| pace.nanos).fold(f64::INFINITY, f64::min)
    };
    let fast = |one, pace: &Pace| kind(one).is_none() || pace.nanos < HOPELESS * fastest(kind(one));
    contestants.iter().zip(paces).map(|(one, pace)| fast(one, pace)).collect()
}

/// Finds how often to repeat an operation for a sample of the wanted length. `None` if an answer is not the expected
/// one.
fn pace(op: &mut Op<'_>, expected: u64, effort: &Effort) -> Option<Pace> {
    let mut repetitions = 1_u32;
    loop {
        let (time, agrees) = sample(op, repetitions, expected, effort.cpu_clock);
        if !agrees {
            return None;
        }
        if time >= effort.sample || repetitions >= 1 << 24 {
            let nanos = time.as_secs_f64() * 1e9 / f64::from(repetitions);
            return Some(Pace { repetitions, warm_up: time < Duration::from_millis(10), nanos });
        }
        let factor = effort.sample.as_secs_f64() / time.as_secs_f64().max(1e-9);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 2 and 64")]
        let factor = (factor * 1.1).clamp(2.0, 64.0) as u32;
        repetitions = repetitions.saturating_mul(factor).min(1 << 24);
    }
}

/// Times `repetitions` of an operation, and tells whether each gave the expected answer.
fn sample(op: &mut Op<'_>, repetitions: u32, expected: u64, cpu_clock: bool) -> (Duration, bool) {
    let mut wrong = 0;
    let start = now(cpu_clock);
    for _ in 0..repetitions {
        wrong |= black_box(op(false)) ^ expected;
    }
    (now(cpu_clock).saturating_sub(start), wrong == 0)
}

/// Time of this thread, or time of day where that is not known.
#[cfg(unix)]
pub(crate) fn now(cpu_clock: bool) -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let clock = if cpu_clock { ClockId::ThreadCPUTime } else { ClockId::Monotonic };
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}

#[cfg(not(unix))]
pub(crate) fn now(_cpu_clock: bool) -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// Bytes taken from the heap by one pass of each contestant over a set, with the work before it (`make`) left out.
#[must_use]
pub fn heap(row: Row, set: &Set) -> Vec<(String, Side, u64)> {
    let measured = contestants(row, set).into_iter().map(|contestant| {
        let mut op = (contestant.make)();
        let bytes = heap::bytes_taken(|| {
            black_box(op(false));
        });
        (contestant.name, contestant.side, bytes)
    });
    measured.collect()
}
