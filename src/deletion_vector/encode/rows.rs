//! A window of a bitmap, moved, as a source.

use core::ops::Range;

use zerocopy::little_endian::U64;

use crate::deletion_vector::MAX_WRITTEN_POSITION;
use crate::error::{Error, ErrorKind, Result};
use crate::roaring::combine::{Block, add, add_moved, bitset};
use crate::roaring::{Bitmap64, Container, Containers64, low16, low32};

/// The positions of a bitmap that lie in a window, each moved by the same distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    /// At the container of `next`.
    place: Containers64<'a>,
    /// The next position of the bitmap, before it is moved.
    next: Option<u64>,
    /// The last one of the window.
    last: u64,
    /// What is added to a position, modulo 2^64.
    distance: u64,
}

impl<'a> Rows<'a> {
    /// Returns the source, and its last position, moved.
    pub(super) fn new(bitmap: &Bitmap64<'a>, rows: Range<u64>, first_row: u64) -> Result<(Self, Option<u64>)> {
        if rows.end < rows.start {
            return Err(Error::at(ErrorKind::InvalidArgument, rows.start, rows.end));
        }
        let distance = first_row.wrapping_sub(rows.start);
        // Trusted counts may lie: then positions that would be moved too far are left out.
        let highest = MAX_WRITTEN_POSITION.saturating_sub(first_row).saturating_add(rows.start);
        let end = rows.end.saturating_sub(1).min(highest);
        let mut all = Self { place: Containers64::new(bitmap), next: None, last: end, distance };
        if !rows.is_empty() {
            all.move_to(rows.start);
        }
        let count = bitmap.count(..rows.end);
        let last = count.checked_sub(1).and_then(|n| bitmap.select(n)).filter(|last| *last >= rows.start);
        let moved = match last.map(|last| (last - rows.start).checked_add(first_row)) {
            // Beyond 2^64: no better than the highest position.
            Some(None) => Some(u64::MAX),
            moved => moved.flatten(),
        };
        Ok((all, moved))
    }

    /// Makes the first position from `position` on the next one.
    fn move_to(&mut self, position: u64) {
        self.place.advance_to(position >> 16);
        self.next = None;
        while let Some(key) = self.place.key() {
            let from = if key == position >> 16 { low16(low32(position)) } else { 0 };
            if let Some(low) = self.place.container().next_from(from) {
                self.next = Some(key << 16 | u64::from(low)).filter(|next| *next <= self.last);
                return;
            }
            self.place.advance();
        }
    }

    /// Tells whether a container here may turn out to be empty.
    pub(super) const fn may_be_empty(&self) -> bool {
        !self.place.is_validated()
    }

    #[inline]
    pub(super) fn key(&self) -> Option<u64> {
        self.next.map(|next| next.wrapping_add(self.distance) >> 16)
    }

    /// Returns the first and last position of the bitmap that become one container, cut to the window.
    fn here(&self) -> Option<(u64, u64)> {
        let next = self.next?;
        let moved = next.wrapping_add(self.distance);
        // As many positions from `next` on as from there to the end of the container.
        let last = next.saturating_add(0xFFFF - (moved & 0xFFFF));
        Some((next, last.min(self.last)))
    }

    pub(super) fn advance(&mut self) {
        match self.here().map(|(_, last)| last.checked_add(1)) {
            Some(Some(next)) if next <= self.last => self.move_to(next),
            _ => self.next = None,
        }
    }

    /// Returns the container here, if it is a container of the bitmap as it is.
    pub(super) fn whole(&self) -> Option<Container<'a>> {
        let (_, last) = self.here()?;
        let key = self.place.key()?;
        let container = self.place.container();
        // Nothing before `next` lies in the window.
        let first_inside = self.next? & 0xFFFF == u64::from(container.min()?);
        (self.place.is_validated() && self.distance & 0xFFFF == 0 && last == key << 16 | 0xFFFF && first_inside)
            .then_some(container)
    }

    /// Makes the container of the positions here.
    pub(super) fn container<'b>(&self, block: &'b mut Block) -> Container<'b> {
        block.fill(U64::ZERO);
        self.add_to(block);
        bitset(block)
    }

    /// Adds the positions here to the bits of a block.
    pub(super) fn add_to(&self, block: &mut Block) {
        let Some((first, last)) = self.here() else { return };
        if let Some(container) = self.whole() {
            return add(block, &container);
        }
        // They lie in one container of the bitmap, or in two.
        let mut place = self.place;
        while let Some(key) = place.key().filter(|key| *key <= last >> 16) {
            let from = if key == first >> 16 { low16(low32(first)) } else { 0 };
            let to = if key == last >> 16 { low16(low32(last)) } else { u16::MAX };
            let target = (key << 16 | u64::from(from)).wrapping_add(self.distance);
            add_moved(block, &place.container(), from..=to, low16(low32(target)));
            place.advance();
        }
    }
}
