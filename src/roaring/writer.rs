//! Writing one 32-bit bitmap, container by container.

use crate::bytes::move_within;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::header::{COOKIE_NO_RUNS, COOKIE_RUNS, ENTRY_LEN, FLAGS_AT, MIN_OFFSETS};
use crate::roaring::shape::Shape;
use crate::roaring::{BITSET_LEN, Container, MAX_ARRAY_CARDINALITY, low16};

/// Where the parts of a bitmap of so many containers lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    count: usize,
    /// Whether the cookie is the one with run flags.
    runs: bool,
}

impl Layout {
    const fn descriptors_at(self) -> usize {
        if self.runs { FLAGS_AT.saturating_add(self.count.div_ceil(8)) } else { 8 }
    }

    const fn has_offsets(self) -> bool {
        !self.runs || self.count >= MIN_OFFSETS as usize
    }

    const fn offsets_at(self) -> usize {
        self.descriptors_at().saturating_add(self.count.saturating_mul(ENTRY_LEN))
    }

    /// Returns where the first container starts: the length of the headers.
    const fn body(self) -> usize {
        let entries = if self.has_offsets() { self.count.saturating_mul(ENTRY_LEN) } else { 0 };
        self.offsets_at().saturating_add(entries)
    }
}

/// The length of a bitmap whose containers are known by their shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    count: usize,
    runs: bool,
    bodies: usize,
}

impl Measured {
    /// Counts one more container.
    pub(crate) fn add(&mut self, shape: Shape) {
        self.count = self.count.saturating_add(1);
        self.runs |= shape.is_run();
        self.bodies = self.bodies.saturating_add(shape.encoded_len());
    }

    /// Counts so many containers more that are full.
    pub(crate) fn add_full(&mut self, count: u64) {
        if let Some(count) = usize::try_from(count).ok().filter(|count| *count > 0) {
            self.count = self.count.saturating_add(count);
            self.runs = true;
            self.bodies = self.bodies.saturating_add(Shape::FULL.encoded_len().saturating_mul(count));
        }
    }

    /// Tells whether no container has been counted.
    pub(crate) const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Returns the length in bytes.
    pub(crate) const fn encoded_len(self) -> usize {
        Layout { count: self.count, runs: self.runs }.body().saturating_add(self.bodies)
    }
}

/// Writes a bitmap to the front of a slice. Containers are added in ascending order of their keys.
///
/// Where containers start depends on how many there are, which is told beforehand, and on whether one of them is stored
/// as runs, which is seen on the way: then those already there are moved, once.
#[derive(Debug)]
pub(crate) struct BitmapWriter<'o> {
    out: &'o mut [u8],
    layout: Layout,
    /// Containers so far.
    added: usize,
    /// Where the next one goes.
    end: usize,
}

impl<'o> BitmapWriter<'o> {
    /// A bitmap of `count` containers. If `tight`, `out` may have no byte more than the bitmap needs.
    pub(crate) fn new(out: &'o mut [u8], count: usize, tight: bool) -> Self {
        let [plain, runs] = [false, true].map(|runs| Layout { count, runs });
        // Few containers have the shorter headers where there are runs. From the shorter ones all is moved backward.
        let layout = if tight && runs.body() < plain.body() { runs } else { plain };
        let mut writer = Self { out, layout, added: 0, end: layout.body() };
        writer.clear_flags();
        writer
    }

    fn clear_flags(&mut self) {
        if self.layout.runs
            && let Some(flags) = self.out.get_mut(FLAGS_AT..self.layout.descriptors_at())
        {
            flags.fill(0);
        }
    }

    /// Moves what is written to where `layout` has it.
    fn move_to(&mut self, layout: Layout) -> Result<()> {
        if layout == self.layout {
            return Ok(());
        }
        let (from, to) = (self.layout, layout);
        let descriptors = (from.descriptors_at(), to.descriptors_at(), self.added.saturating_mul(ENTRY_LEN));
        let bodies = (from.body(), to.body(), self.end.saturating_sub(from.body()));
        // Never onto what is still to be moved.
        let moves = if to.body() > from.body() { [bodies, descriptors] } else { [descriptors, bodies] };
        for (from, to, len) in moves {
            if !move_within(self.out, from, to, len) {
                return Err(Error::new(ErrorKind::Internal, to, len as u64));
            }
        }
        self.end = to.body().saturating_add(bodies.2);
        let flags_are_new = to.runs && !from.runs;
        self.layout = layout;
        if flags_are_new {
            self.clear_flags();
        }
        Ok(())
    }

    /// Adds a container in the form `shape`, which is its own.
    pub(crate) fn add(&mut self, key: u16, container: &Container<'_>, shape: Shape) -> Result<()> {
        let index = self.added;
        if index >= self.layout.count {
            return Err(Error::new(ErrorKind::Internal, 0, index as u64));
        }
        if shape.is_run() {
            self.move_to(Layout { runs: true, ..self.layout })?;
            let flags = self.out.get_mut(FLAGS_AT.saturating_add(index >> 3));
            *flags.ok_or(Error::new(ErrorKind::Internal, 0, 0))? |= 1 << (index & 7);
        }
        let (start, end) = (self.end, self.end.saturating_add(shape.encoded_len()));
        let missing = Error::new(ErrorKind::Internal, start, end as u64);
        container.encode_into(shape, self.out.get_mut(start..end).ok_or(missing)?)?;
        let less_one = low16(shape.cardinality().wrapping_sub(1));
        let [k0, k1] = key.to_le_bytes();
        let [c0, c1] = less_one.to_le_bytes();
        self.put(self.layout.descriptors_at(), index, [k0, k1, c0, c1])?;
        (self.added, self.end) = (index.saturating_add(1), end);
        Ok(())
    }

    /// Writes entry `index` of the descriptive header or of the offset header.
    fn put(&mut self, header: usize, index: usize, entry: [u8; ENTRY_LEN]) -> Result<()> {
        let at = header.saturating_add(index.saturating_mul(ENTRY_LEN));
        let to = self.out.get_mut(at..).and_then(|rest| rest.first_chunk_mut());
        *to.ok_or(Error::new(ErrorKind::Internal, at, 0))? = entry;
        Ok(())
    }

    /// Writes cookie and offset header. Returns the length of the bitmap.
    pub(crate) fn finish(mut self) -> Result<usize> {
        let flags = self.out.get(FLAGS_AT..self.layout.descriptors_at()).unwrap_or_default();
        let runs = self.layout.runs && flags.iter().any(|flags| *flags != 0);
        self.move_to(Layout { count: self.added, runs })?;
        let layout = self.layout;
        #[expect(clippy::cast_possible_truncation, reason = "keys have 16 bits: at most 65,536 containers")]
        let count = layout.count as u32;
        if runs {
            self.put(0, 0, (u32::from(COOKIE_RUNS) | count.wrapping_sub(1) << 16).to_le_bytes())?;
        } else {
            self.put(0, 0, COOKIE_NO_RUNS.to_le_bytes())?;
            self.put(0, 1, count.to_le_bytes())?;
        }
        if layout.has_offsets() {
            let mut at = layout.body();
            for index in 0..layout.count {
                let offset = u32::try_from(at).map_err(|_| Error::new(ErrorKind::Internal, at, 0))?;
                self.put(layout.offsets_at(), index, offset.to_le_bytes())?;
                at = at.saturating_add(self.stored_len(index, at));
            }
        }
        Ok(self.end)
    }

    /// Returns the length of container `index`, which starts at `at`.
    fn stored_len(&self, index: usize, at: usize) -> usize {
        let flags = self.out.get(FLAGS_AT.saturating_add(index >> 3)).copied().unwrap_or(0);
        if self.layout.runs && flags >> (index & 7) & 1 == 1 {
            return self.u16_at(at).saturating_mul(4).saturating_add(2);
        }
        let entry = self.layout.descriptors_at().saturating_add(index.saturating_mul(ENTRY_LEN));
        let less_one = self.u16_at(entry.saturating_add(2));
        if less_one >= MAX_ARRAY_CARDINALITY as usize {
            BITSET_LEN
        } else {
            less_one.saturating_add(1).saturating_mul(2)
        }
    }

    fn u16_at(&self, at: usize) -> usize {
        let bytes = self.out.get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| usize::from(u16::from_le_bytes(*bytes)))
    }
}
