//! Questions to two containers and to two bitmaps that take no memory: how much they share, and whether.

use zerocopy::IntoBytes;

use crate::roaring::combine::Block;
use crate::roaring::run::bounds;
use crate::roaring::{ArrayContainer, BITSET_LEN, Bitmap64, Container, Containers64, RunContainer};
use crate::wide::wide;

/// How many times longer an array is than another, from which it is searched for the values of the other.
const MUCH_LONGER: usize = 32;

/// Counts the values that both containers have. Takes O(stored size of both), times a logarithm at worst.
fn common(a: &Container<'_>, b: &Container<'_>) -> u32 {
    match (a, b) {
        _ if a.same_bytes(b) => a.cardinality(),
        (Container::Array(a), Container::Array(b)) => common_values(*a, *b),
        (Container::Bitset(a), Container::Bitset(b)) => common_bits(a.words(), b.words()),
        (Container::Run(a), Container::Run(b)) => common_runs(*a, *b),
        (Container::Array(array), other) | (other, Container::Array(array)) => {
            array.values().iter().map(|low| u32::from(other.contains(low.get()))).sum()
        }
        (Container::Run(run), other) | (other, Container::Run(run)) => {
            run.runs().iter().map(bounds).map(|(first, last)| other.count(first, last)).fold(0, u32::saturating_add)
        }
    }
}

fn common_values(a: ArrayContainer<'_>, b: ArrayContainer<'_>) -> u32 {
    let (few, many) = if a.values().len() <= b.values().len() { (a, b) } else { (b, a) };
    if few.values().len() < many.values().len() / MUCH_LONGER {
        return few.values().iter().map(|low| u32::from(many.contains(low.get()))).sum();
    }
    let (mut i, mut j, mut count) = (0_usize, 0_usize, 0_u32);
    while let (Some(x), Some(y)) = (few.values().get(i), many.values().get(j)) {
        let (x, y) = (x.get(), y.get());
        count = count.wrapping_add(u32::from(x == y));
        i = i.wrapping_add(usize::from(x <= y));
        j = j.wrapping_add(usize::from(y <= x));
    }
    count
}

fn common_bits(a: &Block, b: &Block) -> u32 {
    wide(
        BITSET_LEN,
        #[inline(always)]
        || a.iter().zip(b).map(|(a, b)| (a.get() & b.get()).count_ones()).sum(),
    )
}

fn common_runs(a: RunContainer<'_>, b: RunContainer<'_>) -> u32 {
    let (mut i, mut j, mut count) = (0_usize, 0_usize, 0_u32);
    while let (Some(x), Some(y)) = (a.runs().get(i), b.runs().get(j)) {
        let ((x_first, x_last), (y_first, y_last)) = (bounds(x), bounds(y));
        let (first, last) = (x_first.max(y_first), x_last.min(y_last));
        count = count.saturating_add((u32::from(last) + 1).saturating_sub(u32::from(first)));
        i = i.wrapping_add(usize::from(x_last <= y_last));
        j = j.wrapping_add(usize::from(y_last <= x_last));
    }
    count
}

/// Tells whether both containers have a value: stops at the first one.
fn meet(a: &Container<'_>, b: &Container<'_>) -> bool {
    let reaches = |other: &Container<'_>, first: u16, last: u16| other.next_from(first).is_some_and(|low| low <= last);
    match (a, b) {
        (Container::Array(a), Container::Array(b)) => {
            let (few, many) = if a.values().len() <= b.values().len() { (a, b) } else { (b, a) };
            few.values().iter().any(|low| many.contains(low.get()))
        }
        (Container::Array(array), other) | (other, Container::Array(array)) => {
            array.values().iter().any(|low| other.contains(low.get()))
        }
        (Container::Run(run), other) | (other, Container::Run(run)) => {
            run.runs().iter().map(bounds).any(|(first, last)| reaches(other, first, last))
        }
        (Container::Bitset(a), Container::Bitset(b)) => {
            a.words().iter().zip(b.words()).any(|(a, b)| a.get() & b.get() != 0)
        }
    }
}

/// Tells whether `b` has every value of `a`: stops at the first one that it has not.
fn is_within(a: &Container<'_>, b: &Container<'_>) -> bool {
    match (a, b) {
        (Container::Array(array), _) => array.values().iter().all(|low| b.contains(low.get())),
        (Container::Run(run), _) => run.runs().iter().map(bounds).all(|(first, last)| b.contains_range(first, last)),
        (Container::Bitset(a), Container::Bitset(b)) => {
            a.words().iter().zip(b.words()).all(|(a, b)| a.get() & !b.get() == 0)
        }
        (Container::Bitset(bits), _) => common(a, b) == bits.cardinality(),
    }
}

impl Container<'_> {
    /// Tells whether both containers are stored alike, and so hold the same values.
    pub(super) fn same_bytes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(a), Self::Array(b)) => a.values().as_bytes() == b.values().as_bytes(),
            (Self::Bitset(a), Self::Bitset(b)) => a.words().as_bytes() == b.words().as_bytes(),
            (Self::Run(a), Self::Run(b)) => a.runs().as_bytes() == b.runs().as_bytes(),
            _ => false,
        }
    }
}

/// The containers that two bitmaps both have a key for.
fn pairs<'a>(a: &Bitmap64<'a>, b: &Bitmap64<'a>) -> impl Iterator<Item = (Container<'a>, Container<'a>)> {
    let (mut a, mut b) = (Containers64::new(a), Containers64::new(b));
    core::iter::from_fn(move || {
        loop {
            let (x, y) = (a.key()?, b.key()?);
            if x == y {
                let pair = (a.container(), b.container());
                a.advance();
                b.advance();
                return Some(pair);
            }
            if x < y { a.advance_to(y) } else { b.advance_to(x) }
        }
    })
}

/// Questions to two sets. Each takes O(stored size of both) at worst, passes containers that only one has by their
/// keys, and takes no memory.
impl<'a> Bitmap64<'a> {
    /// Counts the positions that both sets have.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::roaring::Bitmap64;
    ///
    /// // One bucket, key 0; run cookie for one container, flag 1; one run: 5 to 14, and 8 to 20.
    /// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 5, 0, 9, 0];
    /// let other = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0, 0, 1, 0, 0, 12, 0, 1, 0, 8, 0, 12, 0];
    /// let (a, b) = (Bitmap64::parse(&bytes)?, Bitmap64::parse(&other)?);
    /// assert_eq!(a.intersection_cardinality(&b), 7); // 8 to 14
    /// assert_eq!(a.union_cardinality(&b), 16); // 5 to 20
    /// assert_eq!(a.difference_cardinality(&b), 3); // 5, 6 and 7
    /// assert!(!a.is_subset(&b) && !a.is_disjoint(&b));
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    #[must_use]
    pub fn intersection_cardinality(&self, other: &Self) -> u64 {
        pairs(self, other).map(|(a, b)| u64::from(common(&a, &b))).fold(0, u64::saturating_add)
    }

    /// Counts the positions that either set has.
    #[must_use]
    pub fn union_cardinality(&self, other: &Self) -> u64 {
        self.cardinality().saturating_add(other.difference_cardinality(self))
    }

    /// Counts the positions that this set has and the other has not: the rows deleted since, say, where the other is an
    /// earlier vector of the same data file.
    #[must_use]
    pub fn difference_cardinality(&self, other: &Self) -> u64 {
        self.cardinality().saturating_sub(self.intersection_cardinality(other))
    }

    /// Tells whether the other set has every position of this one. Stops at the first one that it has not.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        let (mut a, mut b) = (Containers64::new(self), Containers64::new(other));
        while let Some(key) = a.key() {
            b.advance_to(key);
            if b.key() != Some(key) || !is_within(&a.container(), &b.container()) {
                return false;
            }
            a.advance();
        }
        true
    }

    /// Tells whether no position is in both sets. Stops at the first one that is.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !pairs(self, other).any(|(a, b)| meet(&a, &b))
    }
}
