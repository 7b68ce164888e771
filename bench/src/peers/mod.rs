//! The libraries that people use today, each asked the fastest way that its interface offers.

mod croaring32;
mod croaring64;
mod raw;
mod roaring;
mod treemap;
mod writing;

use crate::contest::Contestant;
use crate::data::Set;
use crate::row::Row;

/// Every way in which a peer answers `row`.
#[must_use]
pub fn contestants(row: Row, set: &Set) -> Vec<Contestant<'_>> {
    let mut all = self::roaring::contestants(row, set);
    all.extend(treemap::contestants(row, set));
    all.extend(croaring64::contestants(row, set));
    all.extend(croaring32::contestants(row, set));
    all.extend(writing::contestants(row, set));
    all
}
