//! One container, and how far a front-to-back scan has come in it.

use crate::roaring::{Container, low16};
use crate::scan::words::{or_bits, set_bits};

/// A container with the place of its first element that a scan has not passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat<'a> {
    pub(super) container: Container<'a>,
    /// Index of the first value, or run, that is not wholly below `low`. Unused for bitsets.
    at: usize,
    low: u16,
}

impl<'a> Seat<'a> {
    pub(super) const fn new(container: Container<'a>) -> Self {
        Self { container, at: 0, low: 0 }
    }

    /// Moves to `low`: at no cost where the last window ended, else by a search on that side of it.
    fn move_to(&mut self, low: u16) {
        if low == self.low {
            return;
        }
        let (from, until) = if low > self.low { (self.at, usize::MAX) } else { (0, self.at) };
        self.at = match &self.container {
            Container::Array(array) => partition(array.values(), from, until, |value| value.get() < low),
            Container::Bitset(_) => 0,
            Container::Run(run) => {
                partition(run.runs(), from, until, |[start, length]| start.get().saturating_add(length.get()) < low)
            }
        };
        self.low = low;
    }

    /// Sets the bits of the values from `first` to `last` in `out`, where `first` is bit `bit`.
    pub(super) fn or_mask(&mut self, first: u16, last: u16, out: &mut [u64], bit: usize) {
        self.move_to(first);
        let place = |low: u16| bit.saturating_add(usize::from(low.saturating_sub(first)));
        match &self.container {
            Container::Array(array) => {
                let values = array.values().get(self.at..).unwrap_or_default();
                let mut passed = 0_usize;
                for value in values {
                    let low = value.get();
                    if low > last {
                        break;
                    }
                    let place = place(low);
                    if let Some(word) = out.get_mut(place >> 6) {
                        *word |= 1 << (place & 63);
                    }
                    passed = passed.saturating_add(1);
                }
                self.at = self.at.saturating_add(passed);
            }
            Container::Bitset(bitset) => {
                or_bits(out, bit, bitset.words(), usize::from(first), usize::from(last.saturating_sub(first)) + 1);
            }
            Container::Run(run) => {
                let runs = run.runs().get(self.at..).unwrap_or_default();
                let mut passed = 0_usize;
                for [start, length] in runs {
                    let (start, end) = (start.get(), start.get().saturating_add(length.get()));
                    if start > last {
                        break;
                    }
                    set_bits(out, place(start), place(end.min(last)).saturating_add(1));
                    if end > last {
                        break;
                    }
                    passed = passed.saturating_add(1);
                }
                self.at = self.at.saturating_add(passed);
            }
        }
        // 65,536 wraps to 0, and the next window of this container, if there is one, starts anew.
        let next = u32::from(last) + 1;
        if next > 0xFFFF {
            (self.at, self.low) = (0, 0);
        } else {
            self.low = low16(next);
        }
    }
}

/// [`slice::partition_point`] of the elements from `from` on, `until` excluded.
fn partition<T>(elements: &[T], from: usize, until: usize, below: impl Fn(&T) -> bool) -> usize {
    let until = until.min(elements.len());
    let window = elements.get(from.min(until)..until).unwrap_or_default();
    from.min(until).saturating_add(window.partition_point(below))
}
