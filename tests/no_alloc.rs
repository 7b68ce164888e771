//! The core allocates nothing: a counting allocator around a walk through every entry point.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]
#![allow(unsafe_code, reason = "a global allocator is unsafe to write")]

#[path = "common"]
mod common {
    pub(crate) mod encoding;
    pub(crate) mod fixtures;
    pub(crate) mod set;
    pub(crate) mod walk;
}

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::encoding::encode_all;
use common::fixtures::fixtures;
use common::walk::{Memory, Seen, everything};
use puffin_codec::deletion_vector::{DeletionVector, encode_scratch_len};
use puffin_codec::roaring::Bitmap64;

thread_local! {
    /// Allocations of this thread; those of the test harness's other threads are no concern here.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a count of what it is asked for.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often the heap is asked for memory during a call.
fn allocations(call: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    call();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(1)))), 1);
    assert_eq!(allocations(|| {}), 0);
}

#[test]
fn the_whole_core_path_allocates_nothing() {
    let mut memory = Memory::default();
    let mut seen = Seen::default();
    for (name, bytes) in fixtures() {
        let count = allocations(|| everything(&bytes, &mut memory, &mut seen));
        assert_eq!(count, 0, "allocations over {name}");
    }
    println!("{seen:?}");
    let Seen { containers, compressed_footers, blobs, decoded, bound, findings, vectors, bitmaps, frames, .. } = seen;
    let parts = [containers, compressed_footers, blobs, decoded, bound, findings, vectors, bitmaps, frames];
    let parts = parts.into_iter().chain([seen.positions, seen.rewritten]);
    assert!(parts.into_iter().all(|count| count > 0), "a part was not walked through: {seen:?}");
}

#[test]
fn encoding_allocates_nothing() {
    let (mut scratch, mut out, mut written) = (vec![0; encode_scratch_len(7)], vec![0; 1 << 24], 0);
    for (name, bytes) in fixtures() {
        let vector = DeletionVector::parse(&bytes).map(|vector| *vector.bitmap());
        for bitmap in [vector, Bitmap64::parse(&bytes), Bitmap64::parse_trusted(&bytes)].into_iter().flatten() {
            let count = allocations(|| written += encode_all(&bitmap, &mut scratch, &mut out));
            assert_eq!(count, 0, "allocations over {name}");
        }
    }
    println!("{written} vectors written");
    assert!(written > 500);
}
