//! Unions, intersections and differences of two vectors.

use core::ops::Range;

use puffin_codec::roaring::{OperationPositions, OperationRanges, Positions64, SetOperation};
use puffin_codec::scan::{DeletedRanges, LiveRanges};

use crate::raw;
use crate::scans::puffin_ranges;
use crate::status::{puffin_error, puffin_status};
use crate::vectors::{puffin_dv, puffin_positions};

/// A union, an intersection or a difference of two vectors, which nothing is made of until it is asked. Borrows the
/// vectors' bytes. Any number of threads may ask one at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_operation {
    opaque: [u64; 32],
}
raw::object!(puffin_operation, 15, SetOperation<'static>);

/// What a `puffin_positions` walks over.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "it lies in a struct of one size")]
pub enum Walk {
    /// A vector.
    Vector(Positions64<'static>),
    /// A set operation.
    Operation(OperationPositions<'static>),
}

impl Walk {
    pub(crate) fn fill(&mut self, out: &mut [u64]) -> usize {
        match self {
            Self::Vector(positions) => positions.fill(out),
            Self::Operation(positions) => raw::fill(out, positions),
        }
    }
}

/// What a `puffin_ranges` walks over.
#[derive(Clone)]
pub enum Spans {
    /// Deleted rows of a vector.
    Deleted(DeletedRanges<'static>),
    /// The rows that a vector leaves.
    Live(LiveRanges<'static>),
    /// A set operation.
    Operation(OperationRanges<'static>),
}

impl Spans {
    pub(crate) fn next(&mut self) -> Option<Range<u64>> {
        match self {
            Self::Deleted(ranges) => ranges.next(),
            Self::Live(ranges) => ranges.next(),
            Self::Operation(ranges) => ranges.next(),
        }
    }
}

/// Makes the set of rows deleted by a, by b or by both. O(1); a and b may be the same.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_union(
    a: *const puffin_dv,
    b: *const puffin_dv,
    operation: *mut puffin_operation,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, operation)?;
            seat.put(raw::view(0, a)?.union(raw::view(1, b)?));
            Ok(())
        })
    }
}

/// Makes the set of rows deleted by both. O(1); a and b may be the same.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_intersection(
    a: *const puffin_dv,
    b: *const puffin_dv,
    operation: *mut puffin_operation,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, operation)?;
            seat.put(raw::view(0, a)?.intersection(raw::view(1, b)?));
            Ok(())
        })
    }
}

/// Makes the set of rows deleted by a and not by b: what a later vector has deleted that an earlier one had not. O(1);
/// a and b may be the same.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_difference(
    a: *const puffin_dv,
    b: *const puffin_dv,
    operation: *mut puffin_operation,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(2, operation)?;
            seat.put(raw::view(0, a)?.difference(raw::view(1, b)?));
            Ok(())
        })
    }
}

/// Sets *cardinality to the number of positions, without making the set. O(stored size of both).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_operation_cardinality(
    operation: *const puffin_operation,
    cardinality: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, cardinality)?;
            place.put(raw::view(0, operation)?.cardinality());
            Ok(())
        })
    }
}

/// Sets *is_empty to whether there is no position. Stops at the first one.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_operation_is_empty(
    operation: *const puffin_operation,
    is_empty: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(1, is_empty)?;
            place.put(raw::view(0, operation)?.is_empty());
            Ok(())
        })
    }
}

/// Starts to list the positions: see puffin_positions_fill. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_operation_positions(
    operation: *const puffin_operation,
    positions: *mut puffin_positions,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, positions)?;
            seat.put(Walk::Operation(raw::view(0, operation)?.iter()));
            Ok(())
        })
    }
}

/// Starts to list the maximal ranges: see puffin_ranges_fill. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_operation_ranges(
    operation: *const puffin_operation,
    ranges: *mut puffin_ranges,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(1, ranges)?;
            seat.put(Spans::Operation(raw::view(0, operation)?.ranges()));
            Ok(())
        })
    }
}

/// Sets *answer to whether every row deleted by a is deleted by b. O(stored size of both) at most.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_is_subset(
    a: *const puffin_dv,
    b: *const puffin_dv,
    answer: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, answer)?;
            place.put(raw::view(0, a)?.is_subset(raw::view(1, b)?));
            Ok(())
        })
    }
}

/// Sets *answer to whether no row is deleted by both. O(stored size of both) at most.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_dv_is_disjoint(
    a: *const puffin_dv,
    b: *const puffin_dv,
    answer: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(2, answer)?;
            place.put(raw::view(0, a)?.is_disjoint(raw::view(1, b)?));
            Ok(())
        })
    }
}
