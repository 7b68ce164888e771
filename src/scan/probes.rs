//! Membership of many positions at once.

use crate::error::{Error, ErrorKind, Result};
use crate::roaring::{Bitmap32, Bitmap64, Container, RunContainer, bounds, high16, high32, low16, low32};
use crate::scan::walk::Walk;

impl Bitmap64<'_> {
    /// Writes for each of `positions` whether it is in the set: `out[i]` for `positions[i]`.
    ///
    /// Any order is allowed. Neighbours that fall into one container share the way to it, so sorted positions are
    /// answered fastest: going back to an earlier bucket is a walk from the first one. Elements of `out` behind the
    /// last position are left alone.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`] with the elements needed, if `out` is shorter than `positions`; nothing is
    /// written.
    pub fn contains_many(&self, positions: &[u64], out: &mut [bool]) -> Result<()> {
        let needed = positions.len();
        let mut out = out.get_mut(..needed).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, needed as u64))?;
        let mut left = positions;
        let (first_key, first_bucket) = self.first();
        let mut walk = None;
        while let ([first, later @ ..], [answer, unanswered @ ..]) = (left, out) {
            let (key, place) = (high32(*first), low32(*first));
            let bucket = if key == *first_key {
                Some(first_bucket)
            } else {
                walk.get_or_insert_with(|| Walk::new(self)).bucket(key)
            };
            if later.first().is_none_or(|next| next >> 16 != first >> 16) {
                // Alone in its container: faster asked of the bytes than of a view.
                *answer = bucket.is_some_and(|bucket| bucket.contains(place));
                (left, out) = (later, unanswered);
                continue;
            }
            let more = later.iter().take_while(|&next| next >> 16 == first >> 16).count();
            let header = bucket.map(Bitmap32::header);
            let found = header.and_then(|header| header.find(high16(place)).map(|index| header.container(index)));
            let container = found.unwrap_or(Container::EMPTY);
            // The first of them comes along with the others.
            let (group, after) = left.split_at_checked(more.saturating_add(1)).unwrap_or((left, &[]));
            *answer = container.contains(low16(place));
            let (answers, unanswered) = unanswered.split_at_mut_checked(more).unwrap_or_default();
            probe(&container, group.get(1..).unwrap_or_default(), answers);
            (left, out) = (after, unanswered);
        }
        Ok(())
    }
}

/// Answers for positions that fall into `container`.
fn probe(container: &Container<'_>, positions: &[u64], out: &mut [bool]) {
    let probes = positions.iter().map(|&position| low16(low32(position))).zip(out);
    match container {
        Container::Array(array) => array.contains_each(probes),
        Container::Bitset(bitset) => probes.for_each(|(low, answer)| *answer = bitset.contains(low)),
        Container::Run(run) if worth_walking(*run, positions) => {
            let mut runs = run.runs();
            for (low, answer) in probes {
                while let Some((run, later)) = runs.split_first()
                    && bounds(run).1 < low
                {
                    runs = later;
                }
                *answer = runs.first().is_some_and(|run| bounds(run).0 <= low);
            }
        }
        Container::Run(run) => probes.for_each(|(low, answer)| *answer = run.contains(low)),
    }
}

/// Tells whether probes are found sooner by walking over the runs once than by a search each.
fn worth_walking(run: RunContainer<'_>, positions: &[u64]) -> bool {
    let later = positions.get(1..).unwrap_or_default();
    run.runs().len() <= positions.len().saturating_mul(8) && positions.iter().zip(later).all(|(one, next)| one <= next)
}
