//! Counts bytes taken from the heap.
//!
//! The allocator adds one load and one branch to each allocation while it does not count. CRoaring takes its memory
//! from `malloc` until [`count_croaring`] makes it use the same allocator; that is done after the timed rows, since
//! the way through Rust is a little longer.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The system's allocator with a counter.
#[derive(Debug)]
pub struct Counting;

static COUNTS: AtomicBool = AtomicBool::new(false);
static BYTES: AtomicU64 = AtomicU64::new(0);

fn count(size: usize) {
    if COUNTS.load(Ordering::Relaxed) {
        BYTES.fetch_add(size as u64, Ordering::Relaxed);
    }
}

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Makes CRoaring allocate through Rust from now on.
///
/// # Safety
///
/// Nothing that CRoaring has allocated may be alive.
pub unsafe fn count_croaring() {
    // SAFETY: the caller keeps the contract.
    unsafe { croaring::configure_rust_alloc() }
}

/// Runs `work` and returns how many bytes it took from the heap, given back or not. For one thread at a time.
pub fn bytes_taken(work: impl FnOnce()) -> u64 {
    BYTES.store(0, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
    work();
    COUNTS.store(false, Ordering::Relaxed);
    BYTES.load(Ordering::Relaxed)
}
