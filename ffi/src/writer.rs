//! Making files.

use core::ffi::c_char;
use core::ops::Range;

use puffin_codec::puffin::{Codec, Detached, EMPTY_FOOTER_LEN, NewBlob, SliceSink, WrittenFooter};
use puffin_codec::table::{ManifestEntry, VectorWriter, vector_writer_scratch_len};

use crate::blobs::{puffin_blob, puffin_compression};
use crate::raw;
use crate::status::{Answer, Fault, puffin_error, puffin_status};
use crate::tables::puffin_manifest_entry;
use crate::text::{puffin_property, puffin_str};

/// A Puffin file being written: into memory, or piece by piece to wherever the caller puts the bytes. Borrows the
/// file's memory, the footer buffer and scratch. For one thread, and not to be copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct puffin_writer {
    opaque: [u64; 32],
}
raw::object!(puffin_writer, 18, Writing);

/// A file being written, and which memory it has borrowed: other memory that takes its place must not overlap it.
#[derive(Debug)]
pub struct Writing {
    output: Output,
    buffer: Range<usize>,
    scratch: Range<usize>,
}

/// The addresses of memory.
fn addresses<T>(memory: &[T]) -> Range<usize> {
    let Range { start, end } = memory.as_ptr_range();
    start.addr()..end.addr()
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// What a `puffin_writer` writes to.
#[derive(Debug)]
pub enum Output {
    /// Memory for the whole file.
    Memory(VectorWriter<'static, SliceSink<'static>>),
    /// Nothing: the caller puts each piece where it belongs.
    Pieces(VectorWriter<'static, Detached>),
}

/// Runs the same call on either kind of writer.
macro_rules! either {
    ($output:expr, $writer:ident => $call:expr) => {
        match $output {
            Output::Memory($writer) => $call,
            Output::Pieces($writer) => $call,
        }
    };
}

/// What the footer is to say of a new blob. Names are those of the Puffin specification; text is plain.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_new_blob {
    /// sizeof(puffin_new_blob).
    pub struct_size: usize,
    /// type, such as apache-datasketches-theta-v1.
    pub blob_type: puffin_str,
    /// fields: ids of the table columns that the blob was computed for; NULL and 0 for none.
    pub fields: *const i32,
    /// Number of column ids.
    pub field_count: usize,
    /// snapshot-id; -1 for a deletion vector.
    pub snapshot_id: i64,
    /// sequence-number; -1 for a deletion vector.
    pub sequence_number: i64,
    /// properties, in the order in which they are written; NULL and 0 for none.
    pub properties: *const puffin_property,
    /// Number of properties.
    pub property_count: usize,
    /// How the stored bytes are compressed already: PUFFIN_COMPRESSION_NONE, PUFFIN_COMPRESSION_LZ4 or PUFFIN_COMPRESSION_ZSTD.
    pub codec: i32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: integers and pointers, which may be NULL; the first field is the size.
unsafe impl raw::Growing for puffin_new_blob {
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>(),
        blob_type: puffin_str::ABSENT,
        fields: core::ptr::null(),
        field_count: 0,
        snapshot_id: 0,
        sequence_number: 0,
        properties: core::ptr::null(),
        property_count: 0,
        codec: 0,
        reserved: 0,
    };
}

/// What the end of a file is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct puffin_written {
    /// The bytes of the footer, to be put behind the last blob by whoever writes piece by piece. In the footer buffer, or in
    /// scratch if it is compressed.
    pub footer: *const u8,
    /// Their number: file-footer-size-in-bytes of a table's statistics file.
    pub footer_len: usize,
    /// Length of the file in bytes.
    pub file_len: u64,
}

/// Properties that have been checked to be text.
#[derive(Clone, Copy)]
pub(crate) struct Checked(&'static [puffin_property]);

/// Borrows properties, and checks that they are UTF-8.
pub(crate) unsafe fn properties(argument: u64, list: *const puffin_property, count: usize) -> Answer<Checked> {
    // SAFETY: as for `raw::input` and `raw::text`.
    unsafe {
        let list = raw::input(argument, list, count)?;
        for puffin_property { name, value } in list {
            raw::text(argument, name.ptr, name.len)?;
            raw::text(argument, value.ptr, value.len)?;
        }
        Ok(Checked(list))
    }
}

impl Checked {
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
        let plain = |text: &puffin_str| {
            // SAFETY: `properties` has borrowed the same text before.
            unsafe { raw::text(0, text.ptr, text.len) }.unwrap_or_default()
        };
        self.0.iter().map(move |property| (plain(&property.name), plain(&property.value)))
    }
}

/// A new blob, as the writer takes it.
pub(crate) unsafe fn described(
    argument: u64,
    blob: *const puffin_new_blob,
) -> Answer<NewBlob<'static, impl Iterator<Item = (&'static str, &'static str)> + Clone>> {
    // SAFETY: as for `raw::options`, `raw::text`, `raw::input` and `properties`.
    unsafe {
        if blob.is_null() {
            return Err(Fault::argument(argument));
        }
        let asked = raw::options(argument, blob)?;
        let codec = match asked.codec {
            code if code == puffin_compression::None as i32 => Codec::None,
            code if code == puffin_compression::Lz4 as i32 => Codec::Lz4,
            code if code == puffin_compression::Zstd as i32 => Codec::Zstd,
            _ => return Err(Fault::argument(argument)),
        };
        if asked.reserved != 0 {
            return Err(Fault::argument(argument));
        }
        Ok(NewBlob::new(raw::text(argument, asked.blob_type.ptr, asked.blob_type.len)?)
            .fields(raw::input(argument, asked.fields, asked.field_count)?)
            .snapshot(asked.snapshot_id, asked.sequence_number)
            .codec(codec)
            .properties(properties(argument, asked.properties, asked.property_count)?.iter()))
    }
}

/// Says what a manifest has to say of a vector.
fn manifest_entry(entry: &ManifestEntry<'static>) -> puffin_manifest_entry {
    puffin_manifest_entry {
        content_offset: entry.content_offset,
        content_size_in_bytes: entry.content_size_in_bytes,
        record_count: entry.record_count,
        referenced_data_file: puffin_str::plain(entry.referenced_data_file),
    }
}

/// The bytes of footer buffer that a file takes besides those of its blobs and properties.
pub const PUFFIN_EMPTY_FOOTER_LEN: usize = 28;
const _: () = assert!(PUFFIN_EMPTY_FOOTER_LEN == EMPTY_FOOTER_LEN);

/// Returns the 64-bit words of scratch that a writer needs for so many vectors. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn puffin_writer_scratch_len(vectors: usize) -> usize {
    vector_writer_scratch_len(vectors)
}

/// Starts a file. The footer grows in buffer: PUFFIN_EMPTY_FOOTER_LEN, puffin_writer_entry_len or
/// puffin_writer_vector_len for every blob, and puffin_writer_properties_len add up to what is needed. scratch, as
/// puffin_writer_scratch_len says, is for deletion vectors; without any, NULL and 0.
///
/// With memory for the file, that is filled from the front. Without, file NULL and capacity 0, the caller puts the
/// pieces where they belong: the four bytes "PFA1", the stored bytes of each blob as it is added, and the footer that
/// puffin_writer_finish gives. The same calls make the same bytes either way.
///
/// When a call that adds or finishes answers PUFFIN_STATUS_BUFFER_TOO_SMALL, nothing has changed, and found of the error
/// record is the length needed. If offset is 0, it is the footer buffer that is too short: puffin_writer_replace_buffer, and
/// the call again. Else it is the memory for the file, of which offset bytes are written: the file has to be begun anew, in
/// more memory. PUFFIN_STATUS_SCRATCH_TOO_SMALL is about scratch: puffin_writer_replace_scratch.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_start(
    file: *mut u8,
    capacity: usize,
    buffer: *mut u8,
    buffer_len: usize,
    scratch: *mut u64,
    words: usize,
    writer: *mut puffin_writer,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let seat = raw::seat(6, writer)?;
            let memory = raw::output(0, file, capacity)?;
            let (buffer, scratch) = (raw::output(2, buffer, buffer_len)?, raw::output(4, scratch, words)?);
            let borrowed = (addresses(buffer), addresses(scratch));
            let output = if file.is_null() {
                Output::Pieces(VectorWriter::new(Detached, buffer, scratch)?)
            } else {
                Output::Memory(VectorWriter::new(SliceSink::new(memory), buffer, scratch)?)
            };
            seat.put(Writing { output, buffer: borrowed.0, scratch: borrowed.1 });
            Ok(())
        })
    }
}

/// Adds the deletion vector of a data file, and tells, unless entry is NULL, what a manifest has to say of it; the
/// entry borrows data_file. The blob is checked in full first, and that the file has no other vector of that data file.
/// Nothing changes when that fails. O(blob).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_add_vector(
    writer: *mut puffin_writer,
    data_file: *const c_char,
    data_file_len: usize,
    blob: *const u8,
    blob_len: usize,
    entry: *mut puffin_manifest_entry,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::optional_place(5, entry)?;
            let data_file = raw::text(1, data_file, data_file_len)?;
            let blob = raw::input(3, blob, blob_len)?;
            let entry = either!(&mut raw::change(0, writer)?.output, writer => writer.add(data_file, blob))?;
            if let Some(place) = place {
                place.put(manifest_entry(&entry));
            }
            Ok(())
        })
    }
}

/// Sets *spare and *spare_len to the memory of the file behind what is written, to encode a vector where it will lie:
/// puffin_writer_commit_vector then adds it. NULL and 0 if there is none, as for a file that is written piece by
/// piece. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_spare(
    writer: *mut puffin_writer,
    spare: *mut *mut u8,
    spare_len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, len) = (raw::place(1, spare)?, raw::place(2, spare_len)?);
            let spare = match &mut raw::change(0, writer)?.output {
                Output::Memory(writer) => writer.spare(),
                Output::Pieces(_) => &mut [],
            };
            len.put(spare.len());
            place.put(if spare.is_empty() { core::ptr::null_mut() } else { spare.as_mut_ptr() });
            Ok(())
        })
    }
}

/// Adds the vector that is the first len bytes of what puffin_writer_spare gives; otherwise as
/// puffin_writer_add_vector. Only for a file in memory.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_commit_vector(
    writer: *mut puffin_writer,
    data_file: *const c_char,
    data_file_len: usize,
    len: usize,
    entry: *mut puffin_manifest_entry,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::optional_place(4, entry)?;
            let data_file = raw::text(1, data_file, data_file_len)?;
            let entry = match &mut raw::change(0, writer)?.output {
                Output::Memory(writer) => writer.commit(data_file, len)?,
                Output::Pieces(_) => return Err(Fault::argument(0)),
            };
            if let Some(place) = place {
                place.put(manifest_entry(&entry));
            }
            Ok(())
        })
    }
}

/// Sets fields of the vectors that are added from here on. Unless set, they are [2147483645], the id of the row
/// position column, as Iceberg Java writes them; DuckDB writes none. Borrows the ids for as long as the writer. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_set_fields(
    writer: *mut puffin_writer,
    fields: *const i32,
    field_count: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let fields = raw::input(1, fields, field_count)?;
            either!(&mut raw::change(0, writer)?.output, writer => writer.set_fields(fields));
            Ok(())
        })
    }
}

/// Adds a blob of any type, its bytes as they are stored: compressed already, if it has a codec. *offset, unless that
/// is NULL, is where in the file it starts. A deletion vector is checked as puffin_writer_add_vector does. O(stored +
/// properties^2).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_add_blob(
    writer: *mut puffin_writer,
    blob: *const puffin_new_blob,
    stored: *const u8,
    stored_len: usize,
    offset: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::optional_place(4, offset)?;
            let blob = described(1, blob)?;
            let stored = raw::input(2, stored, stored_len)?;
            let range: Range<u64> =
                either!(&mut raw::change(0, writer)?.output, writer => writer.add_blob(blob, stored))?;
            if let Some(place) = place {
                place.put(range.start);
            }
            Ok(())
        })
    }
}

/// Adds a blob of another file as its entry describes it, whatever its type and codec. stored are its bytes as they
/// are. Otherwise as puffin_writer_add_blob.
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_copy_blob(
    writer: *mut puffin_writer,
    blob: *const puffin_blob,
    stored: *const u8,
    stored_len: usize,
    offset: *mut u64,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::optional_place(4, offset)?;
            let blob = NewBlob::copy_of(raw::view(1, blob)?);
            let stored = raw::input(2, stored, stored_len)?;
            let range: Range<u64> =
                either!(&mut raw::change(0, writer)?.output, writer => writer.add_blob(blob, stored))?;
            if let Some(place) = place {
                place.put(range.start);
            }
            Ok(())
        })
    }
}

/// Sets *offset to where the next blob will start, and *blob_count, unless that is NULL, to how many there are. O(1).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_offset(
    writer: *const puffin_writer,
    offset: *mut u64,
    blob_count: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let (place, count) = (raw::place(1, offset)?, raw::optional_place(2, blob_count)?);
            let (offset, blob_count) = either!(&raw::view(0, writer)?.output, writer => {
                (writer.writer().offset(), writer.writer().blob_count())
            });
            place.put(offset);
            if let Some(count) = count {
                count.put(blob_count);
            }
            Ok(())
        })
    }
}

/// Moves the footer to another buffer, a longer one mostly. Both have to be there during the call, and must not overlap:
/// PUFFIN_STATUS_INVALID_ARGUMENT. Afterwards the one before is no longer borrowed. O(footer so far).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_replace_buffer(
    writer: *mut puffin_writer,
    buffer: *mut u8,
    buffer_len: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let writing = raw::change(0, writer)?;
            let buffer = raw::output(1, buffer, buffer_len)?;
            let borrowed = addresses(buffer);
            if overlap(&borrowed, &writing.buffer) {
                return Err(Fault::argument(1));
            }
            either!(&mut writing.output, writer => writer.replace_buffer(buffer))?;
            writing.buffer = borrowed;
            Ok(())
        })
    }
}

/// Moves the list of data files to other scratch, longer mostly. Both have to be there during the call, and must not
/// overlap: PUFFIN_STATUS_INVALID_ARGUMENT. Afterwards that before is no longer borrowed. O(vectors).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_replace_scratch(
    writer: *mut puffin_writer,
    scratch: *mut u64,
    words: usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let writing = raw::change(0, writer)?;
            let scratch = raw::output(1, scratch, words)?;
            let borrowed = addresses(scratch);
            if overlap(&borrowed, &writing.scratch) {
                return Err(Fault::argument(1));
            }
            either!(&mut writing.output, writer => writer.replace_scratch(scratch))?;
            writing.scratch = borrowed;
            Ok(())
        })
    }
}

/// Says what a footer is.
fn written(footer: &WrittenFooter<'_>) -> puffin_written {
    let bytes = footer.bytes();
    puffin_written { footer: bytes.as_ptr(), footer_len: bytes.len(), file_len: footer.location().file_len() }
}

/// Ends the file with its footer: properties are those of the file, created-by mostly. Nothing can be added afterwards.
/// Fields in the order of Iceberg Java, so that the same blobs and properties make the same file. O(footer).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_finish(
    writer: *mut puffin_writer,
    properties: *const puffin_property,
    property_count: usize,
    footer: *mut puffin_written,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, footer)?;
            let properties = self::properties(1, properties, property_count)?;
            place.put(
                either!(&mut raw::change(0, writer)?.output, writer => written(&writer.finish(properties.iter())?)),
            );
            Ok(())
        })
    }
}

/// Sets *len to the bytes of scratch that puffin_writer_finish_lz4 needs with those properties. O(properties).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_lz4_scratch_len(
    writer: *const puffin_writer,
    properties: *const puffin_property,
    property_count: usize,
    len: *mut usize,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(3, len)?;
            let properties = self::properties(1, properties, property_count)?;
            place.put(
                either!(&raw::view(0, writer)?.output, writer => writer.writer().finish_lz4_scratch_len(properties.iter())),
            );
            Ok(())
        })
    }
}

/// Ends the file as puffin_writer_finish does, with the footer payload as one LZ4 frame, which is made in scratch. No
/// other writer in the field compresses footers, and not every reader reads them. O(footer).
///
/// # Safety
///
/// As in the chapter on memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puffin_writer_finish_lz4(
    writer: *mut puffin_writer,
    properties: *const puffin_property,
    property_count: usize,
    scratch: *mut u8,
    scratch_len: usize,
    footer: *mut puffin_written,
    error: *mut puffin_error,
) -> puffin_status {
    // SAFETY: the caller keeps the contract of the header.
    unsafe {
        raw::call(error, || {
            let place = raw::place(5, footer)?;
            let properties = self::properties(1, properties, property_count)?;
            let scratch = raw::output(3, scratch, scratch_len)?;
            place.put(
                either!(&mut raw::change(0, writer)?.output, writer => written(&writer.finish_lz4(properties.iter(), scratch)?)),
            );
            Ok(())
        })
    }
}
