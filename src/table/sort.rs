//! Sorting in place.

/// Sorts `items`, without keeping the order of equal ones. Takes O(n log n) calls of `is_less`, whatever it answers.
///
/// A heap sort. That of `core` panics when it sees that an order is none, and so a library with it cannot be shown to
/// have no panic.
pub(super) fn sort<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for root in (0..items.len() / 2).rev() {
        sift_down(items, root, &is_less);
    }
    for end in (1..items.len()).rev() {
        swap(items, 0, end);
        sift_down(items.get_mut(..end).unwrap_or_default(), 0, &is_less);
    }
}

/// Moves the item at `root` down to where no item below it is larger.
fn sift_down<T>(items: &mut [T], root: usize, is_less: &impl Fn(&T, &T) -> bool) {
    let mut at = root;
    loop {
        let left = at.saturating_mul(2).saturating_add(1);
        let below = |a: usize, b: usize| items.get(a).zip(items.get(b)).is_some_and(|(a, b)| is_less(a, b));
        let larger = if below(left, left.saturating_add(1)) { left.saturating_add(1) } else { left };
        if !below(at, larger) {
            return;
        }
        swap(items, at, larger);
        at = larger;
    }
}

fn swap<T>(items: &mut [T], a: usize, b: usize) {
    if let Ok([a, b]) = items.get_disjoint_mut([a, b]) {
        core::mem::swap(a, b);
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn sorts_as_core_does() {
        let mut state = 7_u64;
        for len in (0..40).chain([100, 1000]) {
            let random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 60, state >> 58 & 3)
            };
            let mut ours: Vec<_> = core::iter::repeat_with(random).take(len).collect();
            let mut expected = ours.clone();
            expected.sort_unstable();
            sort(&mut ours, |a, b| a < b);
            assert_eq!(ours, expected);
        }
        // An order that is none ends, too.
        sort(&mut [1; 1000], |_, _| true);
    }
}
