//! Who takes part in a row, and how answers are compared.

use std::hint::black_box;

/// One pass over a set. `true` asks for a checksum of every bit of the answers, `false` for a cheap one.
pub type Op<'d> = Box<dyn FnMut(bool) -> u64 + 'd>;

/// On whose behalf a contestant takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// This crate without features.
    Portable,
    /// This crate with `std` and `simd`.
    Simd,
    /// A peer, on the same bytes.
    Peer,
    /// Shown, not compared: other bytes or another job.
    Aside,
}

/// One way to answer a row.
pub struct Contestant<'d> {
    /// Library, type and call.
    pub name: String,
    /// On whose behalf.
    pub side: Side,
    /// Does what is not timed, such as opening a bitmap that is then asked, and returns what is.
    pub make: Box<dyn Fn() -> Op<'d> + 'd>,
}

impl<'d> Contestant<'d> {
    /// A contestant whose `make` returns the timed operation.
    pub fn new<F>(side: Side, name: impl Into<String>, make: impl Fn() -> F + 'd) -> Self
    where
        F: FnMut(bool) -> u64 + 'd,
    {
        Self { name: name.into(), side, make: Box::new(move || Box::new(make())) }
    }
}

/// Collects the answers of one pass.
///
/// The cheap form looks at one word of each output, another one each time, and forces all of it to be in memory.
/// Contestants must deliver the same outputs in the same order.
#[derive(Debug)]
pub struct Digest {
    full: bool,
    batches: usize,
    value: u64,
}

impl Digest {
    /// Starts a pass.
    #[must_use]
    pub const fn new(full: bool) -> Self {
        Self { full, batches: 0, value: 0 }
    }

    /// Takes a batch of words, bytes, offsets or positions.
    #[inline]
    pub fn outputs<T: Copy + Into<u64>>(&mut self, outputs: &[T]) {
        let outputs = black_box(outputs);
        if self.full {
            for output in outputs {
                self.mix((*output).into());
            }
        } else if let Some(output) = outputs.get(self.batches & 31).or(outputs.last()) {
            self.mix((*output).into());
        }
        self.mix(outputs.len() as u64);
        self.batches = self.batches.wrapping_add(1);
    }

    /// Takes the answers to a batch of probes.
    #[inline]
    pub fn answers(&mut self, answers: &[bool]) {
        let answers = black_box(answers);
        let step = if self.full { 1 } else { 509 };
        for answer in answers.iter().step_by(step) {
            self.bit(*answer);
        }
    }

    /// Takes one yes or no.
    #[inline]
    pub const fn bit(&mut self, bit: bool) {
        self.value = self.value.rotate_left(1).wrapping_add(bit as u64);
    }

    /// Takes one value.
    #[inline]
    pub const fn value(&mut self, value: u64) {
        self.value = self.value.wrapping_add(value);
    }

    /// Takes one range. Order does not matter, since what it costs must not hide what finding the range costs.
    #[inline]
    pub const fn range(&mut self, start: u64, end: u64) {
        self.value(start.rotate_left(32) ^ end);
    }

    /// Takes one value where order matters.
    #[inline]
    pub const fn mix(&mut self, word: u64) {
        self.value = self.value.rotate_left(5) ^ word;
    }

    /// Ends the pass.
    #[must_use]
    pub const fn finish(&self) -> u64 {
        self.value
    }
}
