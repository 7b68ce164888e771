//! The headers of a 32-bit bitmap: cookie, run flags, descriptive header, offset header.
//!
//! A [`Header`] knows where every container lies without having looked at one: from the offset header when there is
//! one, else by walking the at most three containers before it.

use zerocopy::little_endian::{U16, U32, U64};

use crate::bytes::{Reader, slice_at};
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{
    ArrayContainer, BITSET_LEN, BitsetContainer, Container, MAX_ARRAY_CARDINALITY, RunContainer, high16, low16,
};

/// Cookie of a bitmap without run containers; a `u32` container count follows.
const COOKIE_NO_RUNS: u32 = 12346;
/// Low half of the cookie of a bitmap with run flags; the high half is the container count less one.
const COOKIE_RUNS: u16 = 12347;
/// From this many containers on, a bitmap with run flags has an offset header.
const MIN_OFFSETS: u32 = 4;
/// A bitmap has one container for each key of 16 bits at most.
const MAX_CONTAINERS: u32 = 65_536;

/// The parsed headers of one 32-bit bitmap, with the bytes they speak of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Header<'a> {
    /// From the cookie on; ends with the bitmap, or later while its length is not known.
    bytes: &'a [u8],
    /// (key, cardinality - 1) of each container.
    descriptors: &'a [[U16; 2]],
    /// One bit for each container, or nothing with the cookie that has none.
    run_flags: &'a [u8],
    /// Where each container starts, or nothing.
    offsets: &'a [U32],
    /// Where the first container starts.
    body: usize,
}

impl<'a> Header<'a> {
    /// Parses the headers at the start of `bytes`. Takes O(1): entries are bounded, not looked at.
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
        let run_flags = if runs { reader.take(containers.div_ceil(8))? } else { &[] };
        let descriptors = reader.slice(containers)?;
        let offsets = if !runs || count >= MIN_OFFSETS { reader.slice(containers)? } else { &[] };
        Ok(Self { bytes, descriptors, run_flags, offsets, body: reader.position() })
    }

    /// Tells whether the cookie is the one with run flags.
    pub(crate) const fn has_run_cookie(&self) -> bool {
        !self.run_flags.is_empty()
    }

    /// Returns how many containers there are.
    pub(crate) const fn len(&self) -> usize {
        self.descriptors.len()
    }

    /// Returns the bytes from the cookie on.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Cuts the bytes to the length that turned out to be the bitmap's.
    #[inline]
    pub(crate) fn truncated(self, len: usize) -> Self {
        Self { bytes: self.bytes.get(..len).unwrap_or(self.bytes), ..self }
    }

    /// Returns the key of container `index`.
    pub(crate) fn key(&self, index: usize) -> Option<u16> {
        self.descriptors.get(index).map(|[key, _]| key.get())
    }

    /// Returns (key, cardinality) of the containers.
    pub(crate) fn descriptors(&self) -> impl ExactSizeIterator<Item = (u16, u32)> + use<'a> {
        self.descriptors.iter().map(|[key, less_one]| (key.get(), u32::from(less_one.get()) + 1))
    }

    /// Sums the declared cardinalities of the containers from `start` on, `end` excluded.
    pub(crate) fn cardinality(&self, start: usize, end: usize) -> u64 {
        let descriptors = self.descriptors.get(start..end).unwrap_or_default();
        // At most 65,536 of at most 65,535 each fit 32 bits, in which the compiler can sum in vectors.
        let less_one: u32 = descriptors.iter().map(|[_, less_one]| u32::from(less_one.get())).sum();
        u64::from(less_one) + descriptors.len() as u64
    }

    /// Returns the first index whose key is at least `key`, or the number of containers.
    ///
    /// Keys ascend strictly, so container `i` has a key of at least `first + i` and at most `last - (n - 1 - i)`: that
    /// leaves one candidate when no key is missing, and few when few are.
    pub(crate) fn lower_bound(&self, key: u16) -> usize {
        let (Some([first, _]), Some([last, _])) = (self.descriptors.first(), self.descriptors.last()) else { return 0 };
        let count = self.len();
        if key > last.get() {
            return count;
        }
        let Some(ahead) = key.checked_sub(first.get()) else { return 0 };
        let high = usize::from(ahead).min(count.saturating_sub(1));
        let behind = usize::from(last.get().saturating_sub(key));
        let low = count.saturating_sub(1).saturating_sub(behind).min(high);
        if low == high {
            return low;
        }
        let window = self.descriptors.get(low..high).unwrap_or_default();
        low.saturating_add(window.partition_point(|[other, _]| other.get() < key))
    }

    /// Returns the index of the container with this key.
    pub(crate) fn find(&self, key: u16) -> Option<usize> {
        let index = self.lower_bound(key);
        (self.key(index) == Some(key)).then_some(index)
    }

    /// Tells whether `value` is in the bitmap.
    pub(crate) fn contains(&self, value: u32) -> bool {
        let Some(index) = self.find(high16(value)) else { return false };
        let low = low16(value);
        match self.container_at(index, self.start(index)) {
            Some(Container::Array(array)) => array.contains(low),
            Some(Container::Bitset(bitset)) => bitset.contains(low),
            Some(Container::Run(run)) => run.contains(low),
            None => false,
        }
    }

    /// Tells whether container `index` has its run flag set.
    #[inline]
    fn is_run(&self, index: usize) -> bool {
        self.run_flags.get(index >> 3).is_some_and(|flags| flags >> (index & 7) & 1 == 1)
    }

    /// Views container `index`. On trusted bytes a container that does not fit is empty.
    #[inline]
    pub(crate) fn container(&self, index: usize) -> Container<'a> {
        self.container_at(index, self.start(index)).unwrap_or(Container::EMPTY)
    }

    /// Returns where container `index` starts.
    #[inline]
    fn start(&self, index: usize) -> usize {
        match self.offsets.get(index) {
            Some(offset) => usize::try_from(offset.get()).unwrap_or(usize::MAX),
            None => (0..index).fold(self.body, |at, before| self.end_of(before, at)),
        }
    }

    /// Returns where container `index` ends if it starts at `at`.
    fn end_of(&self, index: usize, at: usize) -> usize {
        at.saturating_add(self.container_at(index, at).map_or(0, |container| container.encoded_len()))
    }

    /// Returns where the last container ends, by the headers alone; never before the headers end.
    #[inline]
    pub(crate) fn encoded_len(&self) -> usize {
        let end = match self.len().checked_sub(1) {
            Some(last) => self.end_of(last, self.start(last)),
            None => self.body,
        };
        end.clamp(self.body, self.bytes.len().max(self.body))
    }

    /// Views container `index` if it starts at `at` and fits.
    ///
    /// Always inlined: returned through memory, the view is written in halves and read back whole, which costs more
    /// than making it.
    #[inline(always)]
    fn container_at(&self, index: usize, at: usize) -> Option<Container<'a>> {
        let [_, less_one] = self.descriptors.get(index)?;
        let cardinality = u32::from(less_one.get()) + 1;
        if self.is_run(index) {
            let [count] = slice_at::<U16>(self.bytes, at, 1)? else { return None };
            let runs = slice_at(self.bytes, at.checked_add(2)?, usize::from(count.get()))?;
            return Some(Container::Run(RunContainer::new(runs, cardinality)));
        }
        if cardinality <= MAX_ARRAY_CARDINALITY {
            let values = slice_at(self.bytes, at, usize::from(less_one.get()).saturating_add(1))?;
            return Some(Container::Array(ArrayContainer::new(values)));
        }
        let words = slice_at::<[U64; BITSET_LEN / 8]>(self.bytes, at, 1)?.first()?;
        Some(Container::Bitset(BitsetContainer::new(words, cardinality)))
    }

    /// Checks keys, offsets and every container. Returns the bitmap's length in bytes and its cardinality.
    pub(crate) fn validate(&self) -> Result<(usize, u64)> {
        self.validate_keys()?;
        let (mut at, mut cardinality) = (self.body, 0_u64);
        for index in 0..self.len() {
            let descriptor = self.descriptor_offset(index).saturating_add(2);
            if let Some(offset) = self.offsets.get(index)
                && u64::from(offset.get()) != at as u64
            {
                let entry = self.descriptor_offset(self.len()).saturating_add(index.saturating_mul(4));
                return Err(Error::new(ErrorKind::OffsetMismatch, entry, u64::from(offset.get())));
            }
            let Some(container) = self.container_at(index, at) else {
                let left = self.bytes.len().saturating_sub(at);
                return Err(Error::new(ErrorKind::Truncated, at, left as u64));
            };
            match container {
                Container::Array(array) => array.validate(at)?,
                Container::Bitset(bitset) => bitset.validate(descriptor)?,
                Container::Run(run) => run.validate(at, descriptor)?,
            }
            at = at.saturating_add(container.encoded_len());
            cardinality = cardinality.saturating_add(u64::from(container.cardinality()));
        }
        Ok((at, cardinality))
    }

    /// Checks that keys ascend strictly.
    fn validate_keys(&self) -> Result<()> {
        let later = self.descriptors.get(1..).unwrap_or_default();
        let mut pairs = self.descriptors.iter().zip(later);
        match pairs.position(|([before, _], [key, _])| before.get() >= key.get()) {
            None => Ok(()),
            Some(at) => {
                let index = at.saturating_add(1);
                let found = self.key(index).map_or(0, u64::from);
                Err(Error::new(ErrorKind::KeyOrder, self.descriptor_offset(index), found))
            }
        }
    }

    /// Returns where the descriptor of container `index` lies.
    fn descriptor_offset(&self, index: usize) -> usize {
        let headers = size_of_val(self.descriptors).saturating_add(size_of_val(self.offsets));
        self.body.saturating_sub(headers).saturating_add(index.saturating_mul(4))
    }
}
