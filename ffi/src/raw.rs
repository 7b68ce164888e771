//! Every access to the caller's memory, and the checks before it.
//!
//! The functions are unsafe for one reason: what a pointer may be used for is what the caller of the C function has
//! promised. What can be checked is checked here: NULL, alignment, lengths that no memory has, and the tag of an object.
//! Borrowed bytes get the lifetime `'static`, because nothing in Rust knows how long C keeps them; the header says how
//! long it has to.

use core::mem::offset_of;
use core::ops::Range;
use core::ptr::NonNull;

use crate::scans::puffin_range;
use crate::status::{Answer, Fault, puffin_error, puffin_status};

/// A value in an opaque struct of the caller's: a tag, and behind it the value.
///
/// # Safety
///
/// `Self` is an array of `u64`, long and aligned enough for `u64` and a `Value` behind it (see [`object`]), the tag is
/// that of no other type, and a copy of a `Value`'s bytes is a `Value`: it owns nothing and is never dropped.
pub(crate) unsafe trait Object: Sized {
    /// What the struct holds.
    type Value;
    /// What its first word is when it holds one.
    const TAG: u64;
}

/// Implements [`Object`], and checks at compile time that the value has room.
macro_rules! object {
    ($name:ident, $tag:literal, $value:ty) => {
        // SAFETY: the struct is an array of words, whose size and alignment are asserted; tags are compared by a test;
        // no value of this library owns anything.
        unsafe impl $crate::raw::Object for $name {
            type Value = $value;
            const TAG: u64 = $crate::raw::TAG_BASE | $tag;
        }
        const _: () = assert!(
            size_of::<$value>() + size_of::<u64>() <= size_of::<$name>()
                && align_of::<$value>() <= align_of::<u64>()
                && align_of::<$name>() == align_of::<u64>()
                && !core::mem::needs_drop::<$value>()
        );
    };
}
pub(crate) use object;

/// The high half of every tag: "pfc1", so that no object is taken for one of an incompatible version.
pub(crate) const TAG_BASE: u64 = 0x7066_6331_0000_0000;

/// Runs the body of a call, and writes the error record if it fails.
#[inline(always)]
pub(crate) unsafe fn call(error: *mut puffin_error, body: impl FnOnce() -> Answer) -> puffin_status {
    if !error.is_aligned() {
        return puffin_status::InvalidArgument;
    }
    match body() {
        Ok(()) => puffin_status::Ok,
        Err(fault) => {
            if let Some(error) = NonNull::new(error) {
                // SAFETY: it is aligned, and the caller says that an error record that is not NULL can be written.
                unsafe { error.write(fault.record()) };
            }
            fault.status()
        }
    }
}

/// Checks a pointer to `len` elements. NULL is for none of them only.
#[inline(always)]
fn check<T>(argument: u64, pointer: *const T, len: usize) -> Answer {
    // No memory is longer than this; and so no end of a slice overflows.
    let too_long = len > isize::MAX as usize / size_of::<T>().max(1);
    if too_long || !pointer.is_aligned() || pointer.is_null() && len > 0 {
        return Err(Fault::argument(argument));
    }
    Ok(())
}

/// Borrows `len` elements.
#[inline(always)]
pub(crate) unsafe fn input<T: Copy>(argument: u64, pointer: *const T, len: usize) -> Answer<&'static [T]> {
    check(argument, pointer, len)?;
    if pointer.is_null() {
        return Ok(&[]);
    }
    // SAFETY: it is aligned and not NULL, the length is one that memory can have, and the caller says that so many
    // elements can be read until the object or the call is done with them.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// Borrows text, which has to be UTF-8.
#[inline(always)]
pub(crate) unsafe fn text(argument: u64, pointer: *const core::ffi::c_char, len: usize) -> Answer<&'static str> {
    // SAFETY: as for `input`.
    let bytes = unsafe { input(argument, pointer.cast::<u8>(), len) }?;
    core::str::from_utf8(bytes).map_err(|_| Fault::argument(argument))
}

/// Borrows `len` elements to write. Any bytes make an element of the types this is called with.
#[inline(always)]
pub(crate) unsafe fn output<T: Plain>(argument: u64, pointer: *mut T, len: usize) -> Answer<&'static mut [T]> {
    check(argument, pointer, len)?;
    if pointer.is_null() {
        return Ok(&mut []);
    }
    // SAFETY: as for `input`; and the caller says that nothing else uses the memory meanwhile.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, len) })
}

/// A type of which any bytes are a value.
///
/// # Safety
///
/// That is so.
pub(crate) unsafe trait Plain {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: integers.
unsafe impl Plain for u32 {}
// SAFETY: integers.
unsafe impl Plain for i32 {}
// SAFETY: integers.
unsafe impl Plain for u64 {}

/// Borrows `len` truth values to write, all of them false at first.
#[inline(always)]
pub(crate) unsafe fn flags(argument: u64, pointer: *mut bool, len: usize) -> Answer<&'static mut [bool]> {
    check(argument, pointer, len)?;
    if pointer.is_null() {
        return Ok(&mut []);
    }
    // SAFETY: as for `output`; a zero byte is false, so that every element is a value before there is a reference to it.
    unsafe {
        pointer.write_bytes(0, len);
        Ok(core::slice::from_raw_parts_mut(pointer, len))
    }
}

/// Where one answer goes.
pub(crate) struct Place<T>(NonNull<T>);

impl<T> Place<T> {
    /// Writes the answer.
    #[inline(always)]
    pub(crate) fn put(&self, value: T) {
        // SAFETY: `place` and `optional_place` check the pointer, and their callers answer for it.
        unsafe { self.0.write(value) };
    }
}

/// Takes the place of an answer.
#[inline(always)]
pub(crate) unsafe fn place<T>(argument: u64, pointer: *mut T) -> Answer<Place<T>> {
    check(argument, pointer, 1)?;
    NonNull::new(pointer).map(Place).ok_or(Fault::argument(argument))
}

/// Takes the place of an answer that the caller may not want.
#[cfg(feature = "write")]
#[inline(always)]
pub(crate) unsafe fn optional_place<T>(argument: u64, pointer: *mut T) -> Answer<Option<Place<T>>> {
    check(argument, pointer, 0)?;
    Ok(NonNull::new(pointer).map(Place))
}

/// Reads a struct of the caller's.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(argument: u64, pointer: *const T) -> Answer<T> {
    check(argument, pointer, 1)?;
    // SAFETY: it is aligned and not NULL, and the caller says that a `T` is there. Those that this is called with have
    // no invalid values.
    Ok(unsafe { pointer.read() })
}

/// A struct that starts with its size, and that later versions make longer. Zero means the default.
///
/// # Safety
///
/// `repr(C)`, its first field is `struct_size: usize`, and any bytes are a value.
pub(crate) unsafe trait Growing: Copy {
    /// All zero, but for `struct_size`.
    const DEFAULT: Self;
}

/// Reads options as far as this version knows them. NULL is the defaults. What is longer has to be zero there.
pub(crate) unsafe fn options<T: Growing>(argument: u64, pointer: *const T) -> Answer<T> {
    if pointer.is_null() {
        return Ok(T::DEFAULT);
    }
    check(argument, pointer, 1)?;
    // SAFETY: it is aligned and not NULL, and the caller says that options start with their size.
    let size = unsafe { pointer.cast::<usize>().read() };
    if size < size_of::<usize>() || size > 4096 {
        return Err(Fault::argument(argument));
    }
    let mut options = T::DEFAULT;
    // SAFETY: the caller says that the struct has so many bytes, of which no more are copied than a `T` has.
    let unknown = unsafe {
        let bytes = core::slice::from_raw_parts(pointer.cast::<u8>(), size);
        let known = size.min(size_of::<T>());
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), (&raw mut options).cast::<u8>(), known);
        bytes.get(known..).unwrap_or_default()
    };
    if unknown.iter().any(|byte| *byte != 0) {
        return Err(Fault::argument(argument));
    }
    Ok(options)
}

/// A place for a struct that starts with its size, of which no more is written than the caller knows.
pub(crate) struct SizedPlace<T> {
    pointer: NonNull<T>,
    size: usize,
}

impl<T: Growing> SizedPlace<T> {
    /// Writes what the caller's version of the struct has room for, and leaves its size as it is.
    pub(crate) fn put(&self, value: &T) {
        let len = self.size.min(size_of::<T>()).saturating_sub(size_of::<usize>());
        // SAFETY: `sized_place` checks the pointer; the caller says that the struct has `size` bytes.
        unsafe {
            let from = core::ptr::from_ref(value).cast::<u8>().add(size_of::<usize>());
            let to = self.pointer.as_ptr().cast::<u8>().add(size_of::<usize>());
            core::ptr::copy_nonoverlapping(from, to, len);
        }
    }
}

/// Takes the place of a struct that starts with its size, which the caller has filled in.
pub(crate) unsafe fn sized_place<T: Growing>(argument: u64, pointer: *mut T) -> Answer<SizedPlace<T>> {
    // SAFETY: as for `place`.
    let Place(place) = unsafe { place(argument, pointer) }?;
    // SAFETY: it is aligned and not NULL, and the caller says that the size is there.
    let size = unsafe { place.cast::<usize>().read() };
    if size < size_of::<usize>() {
        return Err(Fault::argument(argument));
    }
    Ok(SizedPlace { pointer: place, size })
}

/// Borrows the value of an object.
#[inline(always)]
pub(crate) unsafe fn view<O: Object>(argument: u64, object: *const O) -> Answer<&'static O::Value> {
    // SAFETY: as for `tagged`.
    let value = unsafe { tagged(argument, object) }?;
    // SAFETY: its tag says that a value is there.
    Ok(unsafe { &*value })
}

/// Borrows the value of an object to change it.
#[inline(always)]
pub(crate) unsafe fn change<O: Object>(argument: u64, object: *mut O) -> Answer<&'static mut O::Value> {
    // SAFETY: as for `tagged`.
    let value = unsafe { tagged(argument, object) }?;
    // SAFETY: its tag says that a value is there; the caller says that nothing else uses the object meanwhile.
    Ok(unsafe { &mut *value.cast_mut() })
}

/// Finds the value of an object behind its tag.
#[inline(always)]
unsafe fn tagged<O: Object>(argument: u64, object: *const O) -> Answer<*const O::Value> {
    check(argument, object, 1)?;
    let words = object.cast::<u64>();
    // SAFETY: it is aligned and not NULL, and the caller says that an object is there, which starts with a word.
    if unsafe { words.read() } != O::TAG {
        return Err(Fault::argument(argument));
    }
    // SAFETY: the object is longer than a word, as `object` asserts.
    Ok(unsafe { words.add(1) }.cast())
}

/// The struct that an object is to be made in, which holds none yet.
pub(crate) struct Seat<O: Object>(NonNull<O>);

impl<O: Object> Seat<O> {
    /// Makes the object.
    #[inline(always)]
    pub(crate) fn put(self, value: O::Value) {
        let words = self.0.as_ptr().cast::<u64>();
        // SAFETY: `seat` checks the pointer, and its caller answers for it; `object` asserts that the value has room.
        unsafe {
            words.add(1).cast::<O::Value>().write(value);
            words.write(O::TAG);
        }
    }
}

/// Takes the struct that an object is to be made in, and makes sure that it holds none until that is done.
#[inline(always)]
pub(crate) unsafe fn seat<O: Object>(argument: u64, object: *mut O) -> Answer<Seat<O>> {
    // SAFETY: as for `place`.
    let Place(object) = unsafe { place(argument, object) }?;
    // SAFETY: it is aligned and not NULL, and the caller says that it can be written.
    unsafe { object.cast::<u64>().write(0) };
    Ok(Seat(object))
}

/// Writes items to the front of memory of the caller's, as many as there is room for. Returns how many.
pub(crate) fn fill<T>(out: &mut [T], items: impl IntoIterator<Item: Into<T>>) -> usize {
    let mut filled = 0_usize;
    // Memory first: an item that there is no room for is not taken.
    for (to, item) in out.iter_mut().zip(items) {
        *to = item.into();
        filled = filled.saturating_add(1);
    }
    filled
}

/// Copies an answer into memory of the caller's, and says how long it is, also if it does not fit.
pub(crate) fn deliver<T: Copy>(answer: &[T], out: &mut [T], len: Place<usize>) -> Answer {
    len.put(answer.len());
    let out = out.get_mut(..answer.len()).ok_or(Fault::too_small(answer.len() as u64))?;
    out.copy_from_slice(answer);
    Ok(())
}

/// Notes the size needed when memory was too short, and passes the answer on.
#[inline(always)]
pub(crate) fn sized<T>(answer: Result<T, puffin_codec::Error>, len: &Place<usize>) -> Answer<T> {
    answer.map_err(|error| {
        let fault = Fault::from(error);
        if let Some(needed) = fault.size_needed() {
            len.put(usize::try_from(needed).unwrap_or(usize::MAX));
        }
        fault
    })
}

/// A range in C is one of Rust: checked here, because Rust does not promise it.
const _: () = assert!(
    size_of::<Range<u64>>() == size_of::<puffin_range>()
        && align_of::<Range<u64>>() == align_of::<puffin_range>()
        && offset_of!(Range<u64>, start) == offset_of!(puffin_range, start)
        && offset_of!(Range<u64>, end) == offset_of!(puffin_range, end)
);

// SAFETY: two integers.
unsafe impl Plain for Range<u64> {}

/// Borrows `len` ranges to write.
pub(crate) unsafe fn ranges_out(
    argument: u64,
    pointer: *mut puffin_range,
    len: usize,
) -> Answer<&'static mut [Range<u64>]> {
    // SAFETY: as for `output`; the layouts are the same.
    unsafe { output(argument, pointer.cast::<Range<u64>>(), len) }
}

/// Borrows `len` ranges.
#[cfg(feature = "write")]
pub(crate) unsafe fn ranges_in(
    argument: u64,
    pointer: *const puffin_range,
    len: usize,
) -> Answer<&'static [Range<u64>]> {
    check(argument, pointer, len)?;
    if pointer.is_null() {
        return Ok(&[]);
    }
    // SAFETY: as for `input`; the layouts are the same.
    Ok(unsafe { core::slice::from_raw_parts(pointer.cast::<Range<u64>>(), len) })
}

/// Copies the values of `count` objects to `memory`, one behind the other.
#[cfg(feature = "write")]
pub(crate) unsafe fn gather<O: Object>(
    argument: u64,
    objects: *const O,
    count: usize,
    memory: &'static mut [u64],
) -> Answer<&'static mut [O::Value]>
where
    O::Value: Copy,
{
    check(argument, objects, count)?;
    if count.checked_mul(size_of::<O::Value>()).is_none_or(|needed| needed > size_of_val(memory)) {
        return Err(Fault::argument(argument));
    }
    let values = memory.as_mut_ptr().cast::<O::Value>();
    for index in 0..count {
        // SAFETY: the caller says that `count` objects are there; `memory` is aligned for a value, as `object` asserts,
        // and has room for as many.
        unsafe {
            let value = view(argument, objects.add(index))?;
            values.add(index).write(*value);
        }
    }
    // SAFETY: as many values have just been written, to memory that is borrowed for good.
    Ok(unsafe { core::slice::from_raw_parts_mut(values, count) })
}
