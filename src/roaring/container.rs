//! One container of a 32-bit bitmap, whichever form it has.

use crate::roaring::{ArrayContainer, BITSET_LEN, BitsetContainer, RunContainer, bounds};

/// The three forms in which a container is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerKind {
    /// Sorted `u16` values, at most 4,096 of them.
    Array,
    /// 65,536 bits.
    Bitset,
    /// Runs of consecutive values.
    Run,
}

/// A view of one container: a set of 16-bit values. Its key, the high 16 bits, is kept by the bitmap.
///
/// # Examples
///
/// ```
/// use puffin_codec::roaring::{Bitmap32, ContainerKind};
///
/// // Run cookie for one container, flag 1, key 0, cardinality 10, one run: 5 to 14.
/// let bytes = [0x3B, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 5, 0, 9, 0];
/// let bitmap = Bitmap32::parse(&bytes)?;
/// let (key, container) = bitmap.containers().next().unwrap();
/// assert_eq!((key, container.kind(), container.cardinality()), (0, ContainerKind::Run, 10));
/// assert!(container.contains(14) && !container.contains(15));
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Container<'a> {
    /// Sorted values.
    Array(ArrayContainer<'a>),
    /// Bits.
    Bitset(BitsetContainer<'a>),
    /// Runs.
    Run(RunContainer<'a>),
}

impl Container<'_> {
    /// What trusted bytes get in place of a container that is not there.
    pub(crate) const EMPTY: Self = Self::Array(ArrayContainer::new(&[]));

    /// Returns the form in which the container is stored.
    #[must_use]
    pub const fn kind(&self) -> ContainerKind {
        match self {
            Self::Array(_) => ContainerKind::Array,
            Self::Bitset(_) => ContainerKind::Bitset,
            Self::Run(_) => ContainerKind::Run,
        }
    }

    /// Returns the stored size in bytes.
    #[must_use]
    pub const fn encoded_len(&self) -> usize {
        match self {
            Self::Array(array) => size_of_val(array.values()),
            Self::Bitset(_) => BITSET_LEN,
            Self::Run(run) => size_of_val(run.runs()).saturating_add(2),
        }
    }

    /// Returns how many values there are: 1 to 65,536.
    #[must_use]
    pub const fn cardinality(&self) -> u32 {
        match self {
            Self::Array(array) => array.cardinality(),
            Self::Bitset(bitset) => bitset.cardinality(),
            Self::Run(run) => run.cardinality(),
        }
    }

    /// Tells whether `low` is in the container.
    #[must_use]
    pub fn contains(&self, low: u16) -> bool {
        match self {
            Self::Array(array) => array.contains(low),
            Self::Bitset(bitset) => bitset.contains(low),
            Self::Run(run) => run.contains(low),
        }
    }

    /// Returns the smallest value.
    #[must_use]
    pub fn min(&self) -> Option<u16> {
        match self {
            Self::Array(array) => array.min(),
            Self::Bitset(bitset) => bitset.min(),
            Self::Run(run) => run.min(),
        }
    }

    /// Returns the largest value.
    #[must_use]
    pub fn max(&self) -> Option<u16> {
        match self {
            Self::Array(array) => array.max(),
            Self::Bitset(bitset) => bitset.max(),
            Self::Run(run) => run.max(),
        }
    }

    /// Returns the smallest value that is at least `low`.
    pub(crate) fn next_from(&self, low: u16) -> Option<u16> {
        let next = match self {
            Self::Array(array) => {
                let values = array.values();
                values.get(values.partition_point(|value| value.get() < low)).map(|value| value.get())
            }
            Self::Bitset(bitset) => bitset.next_from(low),
            Self::Run(run) => run.reaching(low).first().map(|run| bounds(run).0.max(low)),
        };
        // Trusted values may not ascend.
        next.filter(|next| *next >= low)
    }

    /// Counts the values that are at most `low`.
    #[must_use]
    pub fn rank(&self, low: u16) -> u32 {
        match self {
            Self::Array(array) => array.rank(low),
            Self::Bitset(bitset) => bitset.rank(low),
            Self::Run(run) => run.rank(low),
        }
    }

    /// Returns the value with `n` smaller ones before it.
    #[must_use]
    pub fn select(&self, n: u32) -> Option<u16> {
        match self {
            Self::Array(array) => array.select(n),
            Self::Bitset(bitset) => bitset.select(n),
            Self::Run(run) => run.select(n),
        }
    }

    /// Counts the values from `first` to `last`, both included.
    #[must_use]
    pub fn count(&self, first: u16, last: u16) -> u32 {
        match self {
            Self::Array(array) => array.count(first, last),
            Self::Bitset(bitset) => bitset.count(first, last),
            Self::Run(run) => run.count(first, last),
        }
    }

    /// Tells whether every value from `first` to `last`, both included, is in the container.
    #[must_use]
    pub fn contains_range(&self, first: u16, last: u16) -> bool {
        match self {
            Self::Array(array) => array.contains_range(first, last),
            Self::Bitset(bitset) => bitset.contains_range(first, last),
            Self::Run(run) => run.contains_range(first, last),
        }
    }

    /// Counts the runs of consecutive values: how many a run container of the same values would store.
    ///
    /// A run container that stores adjacent runs counts them as stored. Takes O(encoded length).
    #[must_use]
    pub fn run_count(&self) -> u32 {
        match self {
            Self::Array(array) => array.run_count(),
            Self::Bitset(bitset) => bitset.run_count(),
            Self::Run(run) => run.run_count(),
        }
    }
}
