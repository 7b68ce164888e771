//! The headers of a 32-bit bitmap: cookie, run flags, descriptive header, offset header.
//!
//! A [`Header`] knows where every container lies without having looked at one: from the offset header when there is
//! one, else by walking the at most three containers before it.

use zerocopy::little_endian::{U16, U32, U64};

use crate::bytes::{Reader, read_at, slice_at};
use crate::checksum::Leading;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{
    ArrayContainer, BITSET_LEN, BitsetContainer, Container, MAX_ARRAY_CARDINALITY, RunContainer, high16, low16, run,
};

/// Cookie of a bitmap without run containers; a `u32` container count follows.
pub(crate) const COOKIE_NO_RUNS: u32 = 12346;
/// Low half of the cookie of a bitmap with run flags; the high half is the container count less one.
pub(crate) const COOKIE_RUNS: u16 = 12347;
/// From this many containers on, a bitmap with run flags has an offset header.
pub(crate) const MIN_OFFSETS: u32 = 4;
/// A bitmap has one container for each key of 16 bits at most.
const MAX_CONTAINERS: u32 = 65_536;

/// The parsed headers of one 32-bit bitmap, with the bytes they speak of.
///
/// A few numbers beside the bytes, from which every entry is found: a value that is copied into each iterator and
/// bitmap has to be small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    /// From the cookie on; ends with the bitmap, or later while its length is not known.
    bytes: &'a [u8],
    /// Number of containers: at most 65,536.
    count: u32,
    /// Where the descriptive header starts: after the cookie and the count or the run flags.
    descriptors_at: u16,
    /// Key of the first container.
    first_key: u16,
    /// Whether the cookie is the one with run flags.
    runs: bool,
    /// Whether there is an offset header.
    offsets: bool,
    /// Whether no key is missing between the first and the last, so that a key says where its container is.
    gapless: bool,
    /// Whether a full parse has accepted the content.
    validated: bool,
}

/// Size of an entry of the descriptive header, and of the offset header.
pub(crate) const ENTRY_LEN: usize = 4;
/// Where the run flags start.
pub(crate) const FLAGS_AT: usize = 4;

impl<'a> Header<'a> {
    /// The headers of a bitmap without a container, and without bytes.
    pub(crate) const EMPTY: Self = Self {
        bytes: &[],
        count: 0,
        descriptors_at: 0,
        first_key: 0,
        runs: false,
        offsets: false,
        gapless: true,
        validated: true,
    };

    /// Parses the headers at the start of `bytes`. Takes O(1): entries are bounded, and two keys looked at.
    #[inline]
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let cookie = reader.u32_le()?;
        let runs = low16(cookie) == COOKIE_RUNS;
        let (count, count_at) = if runs {
            ((cookie >> 16) + 1, 2)
        } else if cookie == COOKIE_NO_RUNS {
            (reader.u32_le()?, 4)
        } else {
            return Err(Error::new(ErrorKind::BadCookie, 0, u64::from(cookie)));
        };
        let containers = match usize::try_from(count) {
            Ok(containers) if count <= MAX_CONTAINERS => containers,
            _ => return Err(Error::new(ErrorKind::BadCount, count_at, u64::from(count))),
        };
        if runs {
            reader.take(containers.div_ceil(8))?;
        }
        let descriptors_at = u16::try_from(reader.position()).unwrap_or(u16::MAX);
        let descriptors: &[[U16; 2]] = reader.slice(containers)?;
        let offsets = !runs || count >= MIN_OFFSETS;
        if offsets {
            reader.slice::<U32>(containers)?;
        }
        let (mut first_key, mut gapless) = (0, true);
        if let (Some([first, _]), Some([last, _])) = (descriptors.first(), descriptors.last()) {
            first_key = first.get();
            gapless = u32::from(last.get().wrapping_sub(first_key)) == count - 1;
        }
        Ok(Self { bytes, count, descriptors_at, first_key, runs, offsets, gapless, validated: false })
    }

    /// Tells whether the cookie is the one with run flags.
    pub(crate) const fn has_run_cookie(&self) -> bool {
        self.runs
    }

    /// Returns how many containers there are.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns the bytes from the cookie on.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Tells whether a full parse has accepted the content.
    pub(crate) const fn is_validated(&self) -> bool {
        self.validated
    }

    /// Cuts the bytes to the length that turned out to be the bitmap's, and notes whether its content is valid.
    #[inline]
    pub(crate) fn truncated(self, len: usize, validated: bool) -> Self {
        Self { bytes: self.bytes.get(..len).unwrap_or(self.bytes), validated, ..self }
    }

    /// Returns where entry `index` of the descriptive header lies; those of the offset header count on.
    #[inline]
    fn entry_at(&self, index: usize) -> usize {
        // At most 131,072 entries of 4 bytes: nothing wraps.
        usize::from(self.descriptors_at).wrapping_add(index.wrapping_mul(ENTRY_LEN))
    }

    /// Returns where the first container starts.
    #[inline]
    fn body(&self) -> usize {
        self.entry_at(if self.offsets { self.len().wrapping_mul(2) } else { self.len() })
    }

    /// Returns entry `index` of the descriptive header: key and cardinality - 1.
    #[inline]
    fn descriptor(&self, index: usize) -> Option<[U16; 2]> {
        if index >= self.len() {
            return None;
        }
        read_at(self.bytes, self.entry_at(index))
    }

    /// Returns entry `index` of the offset header, if there is one.
    #[inline]
    fn offset(&self, index: usize) -> Option<u32> {
        if !self.offsets || index >= self.len() {
            return None;
        }
        read_at::<U32>(self.bytes, self.entry_at(self.len().wrapping_add(index))).map(U32::get)
    }

    /// Returns the descriptive header.
    fn descriptors(&self) -> &'a [[U16; 2]] {
        slice_at(self.bytes, usize::from(self.descriptors_at), self.len()).unwrap_or_default()
    }

    /// Returns the key of container `index`.
    #[inline]
    pub(crate) fn key(&self, index: usize) -> Option<u16> {
        self.descriptor(index).map(|[key, _]| key.get())
    }

    /// Returns the cardinalities of the containers.
    pub(crate) fn cardinalities(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.descriptors().iter().map(|[_, less_one]| u32::from(less_one.get()) + 1)
    }

    /// Sums the declared cardinalities of the containers from `start` on, `end` excluded.
    pub(crate) fn cardinality(&self, start: usize, end: usize) -> u64 {
        let descriptors = self.descriptors().get(start..end).unwrap_or_default();
        // At most 65,536 of at most 65,535 each fit 32 bits, in which the compiler can sum in vectors.
        let less_one: u32 = descriptors.iter().map(|[_, less_one]| u32::from(less_one.get())).sum();
        u64::from(less_one) + descriptors.len() as u64
    }

    /// Returns the first index whose key is at least `key`, or the number of containers.
    ///
    /// Keys ascend strictly, so container `i` has a key of at least `first + i` and at most `last - (n - 1 - i)`: that
    /// leaves one candidate when no key is missing, and few when few are.
    pub(crate) fn lower_bound(&self, key: u16) -> usize {
        let count = self.len();
        let Some(ahead) = key.checked_sub(self.first_key) else { return 0 };
        if self.gapless {
            return usize::from(ahead).min(count);
        }
        let descriptors = self.descriptors();
        let Some([last, _]) = descriptors.last() else { return 0 };
        let Some(behind) = last.get().checked_sub(key) else { return count };
        let high = usize::from(ahead).min(count.saturating_sub(1));
        let low = count.saturating_sub(1).saturating_sub(usize::from(behind)).min(high);
        let window = descriptors.get(low..high).unwrap_or_default();
        low.saturating_add(window.partition_point(|[other, _]| other.get() < key))
    }

    /// Returns the index of the container with this key: at once when no key is missing.
    #[inline]
    pub(crate) fn find(&self, key: u16) -> Option<usize> {
        if self.gapless { self.at_distance(key) } else { self.search(key) }
    }

    /// [`find`](Self::find) where no key is missing.
    #[inline(always)]
    fn at_distance(&self, key: u16) -> Option<usize> {
        let index = usize::from(key.wrapping_sub(self.first_key));
        (index < self.len()).then_some(index)
    }

    /// [`find`](Self::find) where keys are missing.
    fn search(&self, key: u16) -> Option<usize> {
        let index = self.lower_bound(key);
        (self.key(index) == Some(key)).then_some(index)
    }

    /// Tells whether `value` is in the bitmap.
    ///
    /// Asks the bytes without viewing the container first: of a bitset, one is enough. The less common ways are
    /// functions of their own, so that none of them makes the common one save registers.
    #[inline]
    pub(crate) fn contains(&self, value: u32) -> bool {
        if !self.gapless || self.runs {
            return self.contains_anywhere(value);
        }
        self.at_distance(high16(value)).is_some_and(|index| self.contains_plain(index, low16(value)))
    }

    /// [`contains`](Self::contains) where keys are missing or containers may be runs.
    #[inline(never)]
    fn contains_anywhere(&self, value: u32) -> bool {
        let Some(index) = self.find(high16(value)) else { return false };
        if self.is_run(index) {
            return self.runs_at(self.start(index)).is_some_and(|runs| run::holds(runs, low16(value)));
        }
        self.contains_plain(index, low16(value))
    }

    /// Tells whether `low` is in container `index`, which is an array or a bitset.
    #[inline(always)]
    fn contains_plain(&self, index: usize, low: u16) -> bool {
        let Some([_, less_one]) = self.descriptor(index) else { return false };
        let at = self.start(index);
        if u32::from(less_one.get()) >= MAX_ARRAY_CARDINALITY {
            // Only an offset that no full parse has seen can wrap.
            let byte = self.bytes.get(at.wrapping_add(usize::from(low >> 3)));
            return byte.is_some_and(|byte| byte >> (low & 7) & 1 == 1);
        }
        let values = slice_at(self.bytes, at, usize::from(less_one.get()).saturating_add(1));
        values.is_some_and(|values| ArrayContainer::new(values).contains(low))
    }

    /// Tells whether container `index` has its run flag set.
    #[inline]
    fn is_run(&self, index: usize) -> bool {
        let flags = || self.bytes.get(FLAGS_AT.wrapping_add(index >> 3));
        self.runs && flags().is_some_and(|flags| flags >> (index & 7) & 1 == 1)
    }

    /// Views container `index`. On trusted bytes a container that does not fit is empty.
    #[inline]
    pub(crate) fn container(&self, index: usize) -> Container<'a> {
        self.container_at(index, self.start(index)).unwrap_or(Container::EMPTY)
    }

    /// Returns where container `index` starts.
    #[inline]
    fn start(&self, index: usize) -> usize {
        match self.offset(index) {
            Some(offset) => usize::try_from(offset).unwrap_or(usize::MAX),
            None => self.walk_to(index),
        }
    }

    /// Returns where container `index` starts, without the offset header: at most three containers are before it.
    #[inline(never)]
    fn walk_to(&self, index: usize) -> usize {
        (0..index).fold(self.body(), |at, before| self.end_of(before, at))
    }

    /// Returns where container `index` ends if it starts at `at`.
    fn end_of(&self, index: usize, at: usize) -> usize {
        at.saturating_add(self.container_at(index, at).map_or(0, |container| container.encoded_len()))
    }

    /// Returns where the last container ends, by the headers alone; never before the headers end.
    #[inline]
    pub(crate) fn encoded_len(&self) -> usize {
        let body = self.body();
        let end = match self.len().checked_sub(1) {
            Some(last) => self.end_of(last, self.start(last)),
            None => body,
        };
        end.clamp(body, self.bytes.len().max(body))
    }

    /// Returns the runs of the run container that starts at `at`, if it fits.
    #[inline(always)]
    fn runs_at(&self, at: usize) -> Option<&'a [[U16; 2]]> {
        let count = read_at::<U16>(self.bytes, at)?;
        slice_at(self.bytes, at.checked_add(2)?, usize::from(count.get()))
    }

    /// Views container `index` if it starts at `at` and fits.
    ///
    /// Always inlined: returned through memory, the view is written in halves and read back whole, which costs more
    /// than making it.
    #[inline(always)]
    fn container_at(&self, index: usize, at: usize) -> Option<Container<'a>> {
        let [_, less_one] = self.descriptor(index)?;
        let cardinality = u32::from(less_one.get()) + 1;
        if self.is_run(index) {
            return self.runs_at(at).map(|runs| Container::Run(RunContainer::new(runs, cardinality)));
        }
        if cardinality <= MAX_ARRAY_CARDINALITY {
            let values = slice_at(self.bytes, at, usize::from(less_one.get()).saturating_add(1))?;
            return Some(Container::Array(ArrayContainer::new(values)));
        }
        let words = slice_at::<[U64; BITSET_LEN / 8]>(self.bytes, at, 1)?.first()?;
        Some(Container::Bitset(BitsetContainer::new(words, cardinality)))
    }

    /// Checks keys, offsets and every container. Returns the bitmap's length in bytes and its cardinality.
    ///
    /// `leading` is told how far that goes; its bytes end where those of this bitmap do.
    pub(crate) fn validate(&self, leading: &mut Option<Leading<'_>>) -> Result<(usize, u64)> {
        self.validate_keys()?;
        let (mut at, mut cardinality) = (self.body(), 0_u64);
        for index in 0..self.len() {
            let descriptor = self.entry_at(index).saturating_add(2);
            if let Some(offset) = self.offset(index)
                && u64::from(offset) != at as u64
            {
                let entry = self.entry_at(self.len().saturating_add(index));
                return Err(Error::new(ErrorKind::OffsetMismatch, entry, u64::from(offset)));
            }
            let Some(container) = self.container_at(index, at) else {
                let left = self.bytes.len().saturating_sub(at);
                return Err(Error::new(ErrorKind::Truncated, at, left as u64));
            };
            let end = at.saturating_add(container.encoded_len());
            if let Some(leading) = leading {
                leading.reach(self.bytes.len().saturating_sub(end));
            }
            match container {
                Container::Array(array) => array.validate(at)?,
                Container::Bitset(bitset) => bitset.validate(descriptor)?,
                Container::Run(run) => run.validate(at, descriptor)?,
            }
            at = end;
            cardinality = cardinality.saturating_add(u64::from(container.cardinality()));
        }
        Ok((at, cardinality))
    }

    /// Checks that keys ascend strictly.
    fn validate_keys(&self) -> Result<()> {
        let descriptors = self.descriptors();
        let later = descriptors.get(1..).unwrap_or_default();
        // No early exit: the compiler turns this loop into vector compares.
        let ordered = |([before, _], [key, _]): (&[U16; 2], &[U16; 2])| before.get() < key.get();
        let disordered = descriptors.iter().zip(later).fold(false, |bad, pair| bad | !ordered(pair));
        if !disordered {
            return Ok(());
        }
        let index = descriptors.iter().zip(later).position(|pair| !ordered(pair)).unwrap_or(0).saturating_add(1);
        let found = self.key(index).map_or(0, u64::from);
        Err(Error::new(ErrorKind::KeyOrder, self.entry_at(index), found))
    }
}
