//! Everything there is to say about a file.

use puffin_codec::table::{Finding, FindingKind, Severity, Verify, verify_scratch_len};

use crate::container::{limits, puffin_file, puffin_limits, puffin_metadata};
use crate::raw;
use crate::status::{puffin_error, puffin_status};
use crate::text::puffin_str;

/// A check of a whole file, and how far it has come. Borrows the file, its metadata, scratch and buffer. For one
/// thread, and not to be copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_verify {
    opaque: [u64; 192],
}
raw::object!(puffin_verify, 16, Verify<'static, 'static, 'static>);

/// How bad a finding is.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum puffin_severity {
    /// Legal, and worth knowing.
    Note = 1,
    /// Legal or left open by the specification, but some readers fail on it or lose time or space by it.
    Warning = 2,
    /// A MUST of the specification is broken, or readers may answer differently.
    Error = 3,
}

/// One thing to say about a file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_finding {
    /// A puffin_severity.
    pub severity: i32,
    /// What was found: a status for what a reader would be told; 901 blob overlaps another (found: its number), 902 second
    /// vector for one data file (found: number of the other), 911 bytes that belong to no blob (found: how many), 912
    /// unknown blob type, 913 unknown codec, 914 unusual fields of a vector, 915 key 0x7FFFFFFF, 916 run cookie without
    /// runs, 917 compressed content not decoded (found: the size needed), 921 buckets without positions, 922 containers not
    /// in their smallest form, 923 no created-by.
    pub kind: i32,
    /// Number of the blob in the footer, from 0; SIZE_MAX for a finding about the file.
    pub blob: usize,
    /// Where in the file; for faults in a compressed footer, where in its decoded text.
    pub offset: u64,
    /// The value found.
    pub found: u64,
    /// A short fragment that says what was found; static.
    pub message: puffin_str,
}

impl From<Finding> for puffin_finding {
    fn from(finding: Finding) -> Self {
        let kind: FindingKind = finding.kind();
        let severity = match finding.severity() {
            Severity::Note => puffin_severity::Note,
            Severity::Warning => puffin_severity::Warning,
            Severity::Error => puffin_severity::Error,
        };
        Self {
            severity: severity as i32,
            kind: i32::from(kind.number()),
            blob: finding.blob().unwrap_or(usize::MAX),
            offset: finding.offset(),
            found: finding.found(),
            message: puffin_str::plain(kind.message()),
        }
    }
}

/// Returns the 64-bit words of scratch that puffin_verify_start needs for a file of so many blobs. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn puffin_verify_scratch_len(blob_count: usize) -> usize {
    verify_scratch_len(blob_count)
}

/// Starts to check a file whose metadata has been read. Compressed blobs are decoded into buffer, as far as they fit it
/// and the limits; without one, NULL and 0, only their headers are checked. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_verify_start(
    file: *const puffin_file,
    metadata: *const puffin_metadata,
    scratch: *mut u64,
    words: usize,
    buffer: *mut u8,
    buffer_len: usize,
    limits: *const puffin_limits,
    verify: *mut puffin_verify,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(7, verify)?;
            let limits = self::limits(6, limits)?;
            let (scratch, buffer) = (raw::output(2, scratch, words)?, raw::output(4, buffer, buffer_len)?);
            let verify = Verify::new(raw::view(0, file)?, raw::view(1, metadata)?, scratch)?;
            seat.put(if buffer.is_empty() { verify } else { verify.with_buffer(buffer, &limits) });
            Ok(())
        })
    }
}

/// Gives the next finding: blob by blob in the order of the footer, then those about the layout. At the end *more is
/// false, and finding is untouched. A file without a finding of severity PUFFIN_SEVERITY_ERROR conforms to the
/// specification as far as its bytes can show. O(file + n log n) over all calls, for n blobs.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_verify_next(
    verify: *mut puffin_verify,
    finding: *mut puffin_finding,
    more: *mut bool,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, more) = (raw::place(1, finding)?, raw::place(2, more)?);
            let finding = raw::change(0, verify)?.next();
            more.put(finding.is_some());
            if let Some(finding) = finding {
                place.put(finding.into());
            }
            Ok(())
        })
    }
}
