//! A walk through every entry point of the core, into memory that is there beforehand.
//!
//! It takes any bytes at all: what the library refuses ends that part of the walk. It allocates nothing, so that
//! allocations can be counted around it.

use std::hint::black_box;

use puffin_codec::compression::lz4;
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::puffin::property::{CREATED_BY, REFERENCED_DATA_FILE};
use puffin_codec::puffin::{
    BlobMetadata, Codec, FileMetadata, FooterLocation, FooterView, JsonStr, NewBlob, Properties, PuffinFile, SliceSink,
    Tail, Writer,
};
use puffin_codec::roaring::{Bitmap32, Bitmap64};
use puffin_codec::table::{self, ManifestEntry, VectorWriter, Verify, vector_writer_scratch_len};
use puffin_codec::{Limits, Result};

use super::set::{Cursor, PositionSet};

/// No frame of the walk decodes to more.
const MOST_DECODED: usize = 1 << 20;
/// No iterator of the walk is read further: bytes that lie may promise 2^64 positions.
const MOST_READ: usize = 200;

/// So many blobs of a file are looked up by number, path and range, each of which walks the footer.
const MOST_LOOKED_UP: usize = 8;

/// The caller's memory.
pub(crate) struct Memory {
    pub(crate) limits: Limits,
    pub(crate) footer: Vec<u8>,
    pub(crate) out: Vec<u8>,
    pub(crate) text: Vec<u8>,
    pub(crate) words: Vec<u64>,
}

impl Default for Memory {
    fn default() -> Self {
        let mut limits = Limits::default();
        limits.max_decoded_len = MOST_DECODED as u64;
        let bytes = || vec![0; MOST_DECODED];
        Self { limits, footer: bytes(), out: bytes(), text: bytes(), words: vec![0; 1 << 14] }
    }
}

/// What a walk got through.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) containers: u64,
    pub(crate) compressed_footers: u64,
    pub(crate) blobs: u64,
    pub(crate) decoded: u64,
    pub(crate) bound: u64,
    pub(crate) findings: u64,
    pub(crate) vectors: u64,
    pub(crate) bitmaps: u64,
    pub(crate) frames: u64,
    pub(crate) positions: u64,
    pub(crate) rewritten: u64,
}

/// Puts the bytes to every entry point.
pub(crate) fn everything(bytes: &[u8], memory: &mut Memory, seen: &mut Seen) {
    // An error is an answer; what matters is that there is one.
    let _: Result<()> = container(bytes, memory, seen);
    let _: Result<()> = tails(bytes, memory);
    black_box((DeletionVector::parse(bytes).is_ok(), Bitmap64::parse(bytes).is_ok(), Bitmap32::parse(bytes).is_ok()));
    if let Ok((vector, _)) = DeletionVector::parse_prefix(bytes) {
        seen.vectors += 1;
        queries(&vector, seen);
        black_box(DeletionVector::parse_with_cardinality(bytes, vector.cardinality()).is_ok());
    }
    if let Ok((bitmap, _)) = Bitmap64::parse_prefix(bytes) {
        queries64(&bitmap, seen);
    }
    if let Ok((bitmap, _)) = Bitmap32::parse_prefix(bytes) {
        queries32(&bitmap, seen);
    }
    trusted(bytes, seen);
    if let Ok(len) = lz4::decoded_len(bytes, &memory.limits)
        && let Some(out) = memory.out.get_mut(..len)
        && lz4::decode_into(bytes, out, &memory.limits).is_ok()
    {
        seen.frames += 1;
    }
    black_box(lz4::encode_into(bytes, &mut memory.out).is_ok());
}

/// Takes the bytes at their word.
fn trusted(bytes: &[u8], seen: &mut Seen) {
    if let Ok(vector) = DeletionVector::parse_trusted(bytes) {
        queries64(vector.bitmap(), seen);
    }
    if let Ok(bitmap) = Bitmap64::parse_trusted(bytes) {
        queries64(&bitmap, seen);
    }
    if let Ok(bitmap) = Bitmap32::parse_trusted(bytes) {
        queries32(&bitmap, seen);
    }
}

/// A Puffin file: framing, metadata, every blob, every lookup, and `verify` to its end.
fn container(bytes: &[u8], memory: &mut Memory, seen: &mut Seen) -> Result<()> {
    let file = PuffinFile::parse(bytes)?;
    black_box(file.scratch_len(&memory.limits)?);
    let metadata = file.metadata_with(&mut memory.footer, &memory.limits)?;
    seen.containers += 1;
    seen.compressed_footers += u64::from(file.footer().location().is_compressed());
    properties(metadata.properties(), &mut memory.text);
    for (number, blob) in metadata.blobs().enumerate() {
        let Ok(blob) = blob else { continue };
        seen.blobs += 1;
        string(blob.blob_type(), &mut memory.text);
        blob.compression_codec().into_iter().for_each(|codec| string(codec, &mut memory.text));
        properties(blob.properties(), &mut memory.text);
        black_box((
            blob.fields().map(i64::from).sum::<i64>(),
            blob.snapshot_id(),
            blob.sequence_number(),
            blob.range(),
        ));
        if let Ok(payload) = file.blob(&blob)
            && payload.codec() != Codec::Zstd
            && let Ok(len) = payload.decoded_len(&memory.limits)
            && let Some(out) = memory.out.get_mut(..len)
        {
            seen.decoded += u64::from(payload.decode_into(out, &memory.limits).is_ok());
        }
        if number < MOST_LOOKED_UP {
            black_box(metadata.blob(number).is_some());
            lookups(&file, &metadata, &blob, &mut memory.text, seen);
        }
    }
    black_box(metadata.property(CREATED_BY).is_some());
    let mut findings = Verify::new(&file, &metadata, &mut memory.words)?;
    // The zstd decoder is the one that allocates.
    if metadata.blobs().flatten().all(|blob| blob.codec() != Codec::Zstd) {
        findings = findings.with_buffer(&mut memory.out, &memory.limits);
    }
    seen.findings += findings.count() as u64;
    let Memory { out, text, words, .. } = memory;
    seen.rewritten += u64::from(rewrite(&file, &metadata, out, text, words).is_ok());
    Ok(())
}

/// Writes the file again: blob by blob, under a compressed footer.
fn rewrite(
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    out: &mut [u8],
    text: &mut [u8],
    words: &mut [u64],
) -> Result<()> {
    let (copy, scratch) = out.split_at_mut(MOST_DECODED / 2);
    let (plain, buffer) = text.split_at_mut(MOST_DECODED / 2);
    let words = words.get_mut(..vector_writer_scratch_len(metadata.blob_count())).unwrap_or_default();
    let mut writer = VectorWriter::new(SliceSink::new(copy), buffer, words)?;
    for blob in metadata.blobs() {
        let blob = blob?;
        let new = NewBlob::copy_of(&blob);
        black_box(new.entry_len(blob.offset(), blob.length()));
        writer.add_blob(new, file.blob(&blob)?.stored())?;
    }
    black_box(writer.finish_lz4(metadata.properties(), scratch)?.location());

    // Once more with other content under each type; vectors must not be compressed.
    let mut writer = Writer::new(SliceSink::new(plain), buffer)?;
    for blob in metadata.blobs() {
        let new = NewBlob::copy_of(&blob?).codec(Codec::Lz4).fields(&[1]).properties([("a", 1), ("b", 2)]);
        black_box(writer.add_encoded(new, metadata.json().as_bytes()).is_ok());
    }
    black_box(writer.finish(metadata.properties())?.location());
    Ok(())
}

/// The ways to a vector of a file.
fn lookups(
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    blob: &BlobMetadata<'_>,
    memory: &mut [u8],
    seen: &mut Seen,
) {
    if let Ok(vector) = table::read_vector(file, blob) {
        queries(&vector, seen);
    }
    black_box(table::find_range(metadata, blob.offset(), blob.length()).is_ok());
    let Some(Ok(path)) = blob.property(REFERENCED_DATA_FILE).map(|path| path.unescape_into(memory)) else { return };
    black_box(table::find_vector(metadata, path).is_ok());
    let Ok(Some(vector)) = table::vector_of(file, metadata, path) else { return };
    let entry = ManifestEntry {
        content_offset: blob.offset().try_into().unwrap_or(i64::MAX),
        content_size_in_bytes: blob.length().try_into().unwrap_or(i64::MAX),
        record_count: vector.cardinality().try_into().unwrap_or(i64::MAX),
        referenced_data_file: path,
    };
    seen.bound += u64::from(table::read_bound(file, metadata, &entry).is_ok());
    black_box(table::bound_blob(metadata, &entry).is_ok());
    black_box(table::read_range(file.bytes(), entry.content_offset, entry.content_size_in_bytes, None).is_ok());
}

/// The footer from the end of the file, and by itself.
fn tails(bytes: &[u8], memory: &mut Memory) -> Result<()> {
    let len = bytes.len() as u64;
    black_box(FooterView::parse(bytes, len).is_ok());
    for skip in [0, bytes.len() / 2, bytes.len().saturating_sub(12)] {
        let tail = bytes.get(skip..).unwrap_or_default();
        if let Tail::Footer(footer) = FooterLocation::from_tail(tail, len)? {
            black_box(footer.metadata_with(&mut memory.footer, &memory.limits)?.blob_count());
        }
    }
    Ok(())
}

fn properties(properties: Properties<'_>, memory: &mut [u8]) {
    for (name, value) in properties {
        string(name, memory);
        string(value, memory);
        black_box((name == value, name == "cardinality"));
    }
}

fn string(string: JsonStr<'_>, memory: &mut [u8]) {
    let need = string.unescaped_len();
    black_box(string.chars().count());
    black_box((string.raw(), string.as_str()));
    black_box(string.unescape_into(memory).map(str::len) == Ok(need));
}

fn queries64(bitmap: &Bitmap64<'_>, seen: &mut Seen) {
    seen.bitmaps += 1;
    queries(bitmap, seen);
    scans(bitmap);
    for (key, bucket) in bitmap.buckets().take(MOST_READ) {
        black_box((key, bucket.cardinality()));
    }
}

/// Every bulk question, batch after batch and at the far end, on a stack of outputs.
fn scans(bitmap: &Bitmap64<'_>) {
    const ROWS: usize = 2048;
    let (mut words, mut bytes, mut offsets) = ([0; ROWS / 64], [0; ROWS / 8], [0; ROWS]);
    let (mut positions, mut probes) = ([0; 100], [false; 100]);
    let mut cursor = bitmap.cursor();
    let start = bitmap.min().unwrap_or(0);
    let last = bitmap.max().unwrap_or(0);
    let places = [start, start.saturating_add(ROWS as u64), last.saturating_sub(77), 1 << 32, 5, u64::MAX];
    for first_row in places.map(|place| place.min(u64::MAX - 5000)) {
        let filled = [
            cursor.fill_deleted_mask(first_row, ROWS, &mut words).is_ok(),
            cursor.fill_live_mask(first_row, ROWS - 1, &mut words).is_ok(),
            cursor.fill_deleted_mask_bytes(first_row, ROWS - 9, &mut bytes).is_ok(),
            cursor.fill_live_mask_bytes(first_row, ROWS, &mut bytes).is_ok(),
            cursor.fill_deleted_offsets(first_row, ROWS, &mut offsets).is_ok(),
            cursor.fill_live_offsets(first_row, ROWS, &mut offsets).is_ok(),
        ];
        assert_eq!(filled, [true; 6]);
        assert!(cursor.fill_live_mask(first_row, ROWS + 1, &mut words).is_err());
        let rows = first_row..first_row + ROWS as u64;
        black_box((bitmap.deleted_ranges(rows.clone()).count(), bitmap.live_ranges(rows.clone()).count()));
        black_box(bitmap.intersects(rows));
        let filled = bitmap.iter_from(first_row).fill(&mut positions);
        black_box((filled, bitmap.contains_many(&positions, &mut probes).is_ok()));
    }
    let mut index = [0; 64];
    if let Ok(indexed) = bitmap.index_into(&mut index) {
        let mut cursor = indexed.cursor();
        for first_row in places.into_iter().rev().map(|place| place.min(u64::MAX - 5000)) {
            assert!(cursor.fill_live_mask(first_row, ROWS, &mut words).is_ok());
            black_box(indexed.contains(first_row));
        }
    }
}

fn queries32(bitmap: &Bitmap32<'_>, seen: &mut Seen) {
    seen.bitmaps += 1;
    queries(bitmap, seen);
    for (key, container) in bitmap.containers().take(MOST_READ) {
        black_box((key, container.kind(), container.cardinality(), container.encoded_len()));
        black_box((container.min(), container.max(), container.rank(9), container.select(9), container.count(1, 70)));
    }
}

/// Every query and every way to iterate, from several places.
fn queries<S: PositionSet>(set: &S, seen: &mut Seen) {
    let cardinality = set.cardinality();
    let middle = set.select(cardinality / 2).unwrap_or(0);
    black_box((set.is_empty(), set.select(0), set.select(cardinality.wrapping_sub(1)), set.select(u64::MAX)));
    let places = [0, 1, set.min().unwrap_or(7), middle, set.max().unwrap_or(9), S::TOP / 2, S::TOP];
    for (number, &place) in places.iter().enumerate() {
        black_box((set.contains(place), set.rank(place)));
        let other = places[places.len() - 1 - number];
        black_box((set.count(place, other), set.contains_range(place, other)));
        let mut from = set.iter_from(place);
        black_box((from.size_hint(), from.peek(), from.nth(3), from.by_ref().take(5).count()));
        from.advance_to(other);
        black_box((from.peek(), from.next(), from.nth(1 << 20), from.count()));
    }
    let mut cursor = set.iter();
    places.iter().for_each(|&place| cursor.advance_to(place));
    seen.positions += set.iter().take(MOST_READ).count() as u64;
    seen.positions += set.iter_rev().take(MOST_READ).count() as u64;
    if cardinality <= 1 << 13 {
        black_box((set.iter().fold(0, u64::wrapping_add), set.iter().last(), set.iter_rev().last()));
    }
}
