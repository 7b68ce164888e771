//! What the rows about writing start from.

use roaring::RoaringTreemap;

use crate::data::Set;

/// The positions of each vector, ascending.
#[must_use]
pub fn positions_of(set: &Set) -> Vec<Vec<u64>> {
    let read = |bytes| RoaringTreemap::deserialize_from(bytes).expect("the set is valid");
    set.vectors.iter().map(|vector| read(vector.bitmap64()).iter().collect()).collect()
}
