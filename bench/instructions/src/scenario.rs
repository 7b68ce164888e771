//! One question, and how often it is asked.

use std::hint::black_box;

/// A question to one build of the core. What it asks is made beforehand.
pub(crate) struct Scenario<'s> {
    /// What is asked, and of which set.
    pub(crate) name: String,
    build: &'static str,
    /// What the instructions are divided by for people.
    units: u64,
    unit: &'static str,
    /// Asks, and returns a number that depends on the answers.
    ask: Box<dyn FnMut() -> u64 + 's>,
}

impl<'s> Scenario<'s> {
    pub(crate) fn new(
        name: String,
        build: &'static str,
        units: u64,
        unit: &'static str,
        ask: impl FnMut() -> u64 + 's,
    ) -> Self {
        Self { name, build, units, unit, ask: Box::new(ask) }
    }

    /// Prints what is counted, and asks: once for whatever is done only once, such as finding out about the CPU, and
    /// once more inside [`puffin_codec_counted`]. Returns the answer.
    pub(crate) fn run(&mut self) -> Result<u64, String> {
        println!("{}\t{}\t{}\t{}", self.name, self.build, self.units, self.unit);
        let answer = (self.ask)();
        let counted = puffin_codec_counted(&mut *self.ask);
        if counted == answer { Ok(answer) } else { Err(format!("{}: two answers to one question", self.name)) }
    }
}

/// Name of the function that Callgrind counts in.
pub(crate) const COUNTED: &str = "puffin_codec_counted";

/// Where Callgrind counts. It knows this function by its name, which must not depend on how the compiler mangles names;
/// patterns of names do not work in every Valgrind.
// SAFETY: nothing else in the program has this name.
#[unsafe(no_mangle)]
#[inline(never)]
fn puffin_codec_counted(ask: &mut dyn FnMut() -> u64) -> u64 {
    // Not the last thing that happens here, or else it would be a jump, and the function left before it was counted.
    black_box(ask())
}
