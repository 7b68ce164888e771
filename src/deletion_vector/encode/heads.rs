//! The sources of a union in the order of their next containers.

use crate::deletion_vector::encode::Source;

/// Words of scratch for one source.
pub(super) const WORDS_PER_SOURCE: usize = 2;

/// A binary heap over the next key of each source, in scratch memory: the lowest key is in front.
pub(super) struct Heads<'h> {
    /// Key and source; the heap is the first `len` of them.
    entries: &'h mut [[u64; WORDS_PER_SOURCE]],
    len: usize,
    /// How many entries behind the heap are those taken from it.
    taken: usize,
}

impl<'h> Heads<'h> {
    /// Takes the sources that are not at their end. `memory` has room for all.
    pub(super) fn new(memory: &'h mut [u64], sources: &[Source<'_>]) -> Self {
        let entries = memory.as_chunks_mut().0;
        let mut heads = Self { entries, len: 0, taken: 0 };
        heads.fill(sources);
        heads
    }

    /// Starts over, with the sources as they are now. Takes O(sources).
    pub(super) fn fill(&mut self, sources: &[Source<'_>]) {
        (self.len, self.taken) = (0, 0);
        for (index, source) in sources.iter().enumerate() {
            if let Some(key) = source.place().key() {
                self.push([key, index as u64]);
            }
        }
    }

    /// Returns the lowest key.
    #[inline]
    pub(super) fn key(&self) -> Option<u64> {
        self.entries.first().filter(|_| self.len > 0).map(|[key, _]| *key)
    }

    /// Passes the full containers of a range, where it is the only source that has them, below the key `end`. Returns how
    /// many there are.
    pub(super) fn pass_full(&mut self, sources: &mut [Source<'_>], end: u64) -> u64 {
        let [Some([_, index]), left, right] = [0, 1, 2].map(|at| self.entries.get(at).filter(|_| at < self.len)) else {
            return 0;
        };
        // The second lowest key is right below the lowest one.
        let others = [left, right].into_iter().flatten().map(|[key, _]| *key).min();
        let end = others.map_or(end, |key| key.min(end));
        let index = *index;
        let Some(source) = usize::try_from(index).ok().and_then(|index| sources.get_mut(index)) else { return 0 };
        let full = source.pass_full(end);
        if full > 0 {
            match source.place().key() {
                Some(key) => {
                    if let Some(front) = self.entries.first_mut() {
                        *front = [key, index];
                    }
                }
                None => {
                    self.len = self.len.wrapping_sub(1);
                    self.swap(0, self.len);
                }
            }
            self.sift_down();
        }
        full
    }

    /// Takes all sources whose next key is the lowest. Returns how many. Takes O(log sources) for each.
    #[inline]
    pub(super) fn take(&mut self) -> usize {
        self.taken = 0;
        let Some(lowest) = self.key() else { return 0 };
        while self.key() == Some(lowest) {
            self.len = self.len.wrapping_sub(1);
            self.swap(0, self.len);
            self.sift_down();
            self.taken = self.taken.wrapping_add(1);
        }
        self.taken
    }

    /// Returns the source that was taken as number `index`.
    #[inline]
    pub(super) fn taken(&self, index: usize) -> usize {
        let entry = self.entries.get(self.len.wrapping_add(index));
        entry.and_then(|[_, source]| usize::try_from(*source).ok()).unwrap_or(usize::MAX)
    }

    /// Moves the sources that were taken to their next containers, and puts them back.
    #[inline]
    pub(super) fn put_back(&mut self, sources: &mut [Source<'_>]) {
        let start = self.len;
        for entry in start..start.wrapping_add(self.taken) {
            let Some(&[_, index]) = self.entries.get(entry) else { return };
            let Some(source) = usize::try_from(index).ok().and_then(|index| sources.get_mut(index)) else { return };
            source.advance();
            if let Some(key) = source.place().key() {
                // Grows onto entries that have been dealt with.
                self.push([key, index]);
            }
        }
        self.taken = 0;
    }

    #[inline]
    fn push(&mut self, entry: [u64; WORDS_PER_SOURCE]) {
        let mut at = self.len;
        let Some(to) = self.entries.get_mut(at) else { return };
        *to = entry;
        self.len = at.wrapping_add(1);
        while let Some(parent) = at.checked_sub(1).map(|before| before / 2)
            && self.is_below(at, parent)
        {
            self.swap(at, parent);
            at = parent;
        }
    }

    #[inline]
    fn sift_down(&mut self) {
        let mut at = 0_usize;
        loop {
            let left = at.wrapping_mul(2).wrapping_add(1);
            let right = left.wrapping_add(1);
            if left >= self.len {
                return;
            }
            let lower = if right < self.len && self.is_below(right, left) { right } else { left };
            if !self.is_below(lower, at) {
                return;
            }
            self.swap(at, lower);
            at = lower;
        }
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        if let Ok([a, b]) = self.entries.get_disjoint_mut([a, b]) {
            core::mem::swap(a, b);
        }
    }

    #[inline]
    fn is_below(&self, a: usize, b: usize) -> bool {
        let key = |index: usize| self.entries.get(index).map(|[key, _]| *key);
        key(a) < key(b)
    }
}
