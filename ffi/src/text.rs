//! Strings of a footer.

use core::ffi::c_char;

use puffin_codec::puffin::JsonStr;

use crate::raw;
use crate::status::{Answer, puffin_error, puffin_status};

/// Text that somebody else owns: len bytes of UTF-8 at ptr, without a NUL.
///
/// Strings that come out of a footer are as they are written there, between the quotes: with JSON escapes, if there are
/// any. puffin_str_unescape makes plain text of them, puffin_str_equals compares them with plain text. They live as long
/// as the memory that the footer was read from. ptr is NULL where a text is absent; an empty text has a ptr.
///
/// Strings that go in (names of data files, values of properties) are plain text, without escapes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_str {
    /// The first byte.
    pub ptr: *const c_char,
    /// The number of bytes.
    pub len: usize,
}

impl puffin_str {
    pub(crate) const ABSENT: Self = Self { ptr: core::ptr::null(), len: 0 };

    pub(crate) const fn plain(text: &str) -> Self {
        Self { ptr: text.as_ptr().cast(), len: text.len() }
    }
}

impl From<JsonStr<'_>> for puffin_str {
    fn from(text: JsonStr<'_>) -> Self {
        Self::plain(text.raw())
    }
}

impl From<Option<JsonStr<'_>>> for puffin_str {
    fn from(text: Option<JsonStr<'_>>) -> Self {
        text.map_or(Self::ABSENT, Self::from)
    }
}

/// Takes a string of a footer back.
unsafe fn json(argument: u64, text: puffin_str) -> Answer<JsonStr<'static>> {
    // SAFETY: as for `raw::text`.
    let text = unsafe { raw::text(argument, text.ptr, text.len) }?;
    Ok(JsonStr::parse(text)?)
}

/// Writes the plain text of a footer's string to out, without a NUL.
///
/// *len is the length of the plain text, which is never longer than the string; also when the status is
/// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched. out may be NULL if capacity is 0. O(length).
///
/// Fails with PUFFIN_STATUS_BAD_ESCAPE or PUFFIN_STATUS_BAD_JSON for text that is not from a footer.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_str_unescape(
    text: puffin_str,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let len = raw::place(3, len)?;
            let out = raw::output(1, out.cast::<u8>(), capacity)?;
            let text = json(0, text)?;
            let plain = raw::sized(text.unescape_into(out), &len)?;
            len.put(plain.len());
            Ok(())
        })
    }
}

/// Sets *equal to whether a footer's string, unescaped, is the plain text other. An absent string equals nothing.
/// O(length).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_str_equals(
    text: puffin_str,
    other: *const c_char,
    other_len: usize,
    equal: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let equal = raw::place(3, equal)?;
            let other = raw::text(1, other, other_len)?;
            let present = !text.ptr.is_null();
            equal.put(json(0, text)? == *other && present);
            Ok(())
        })
    }
}

/// A property: a name and a value.
///
/// Out of a footer, both are strings as they are written there. Into a new file, both are plain text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_property {
    /// The name.
    pub name: puffin_str,
    /// The value.
    pub value: puffin_str,
}

impl puffin_property {
    pub(crate) const ABSENT: Self = Self { name: puffin_str::ABSENT, value: puffin_str::ABSENT };
}
