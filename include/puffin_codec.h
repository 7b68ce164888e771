/*
 * puffin_codec.h: Apache Iceberg's Puffin files and deletion vectors, on the serialized bytes
 *
 * Everything works on memory of the caller's: nothing is allocated, nothing is freed, there are no callbacks and no
 * globals. Bytes are checked before they are believed: on any input, every call ends, in time and stack bounded by the
 * length of the input, with an answer or a precise error.
 *
 * A whole program: how many rows of a data file are deleted?
 *
 *   puffin_file file;
 *   puffin_footer footer;
 *   puffin_metadata metadata;
 *   puffin_blob blob;
 *   puffin_dv dv;
 *   puffin_error error;
 *   bool found = false;
 *   uint64_t deleted = 0;
 *   if (puffin_file_parse(bytes, len, &file, &error) != PUFFIN_STATUS_OK ||
 *       puffin_file_footer(&file, &footer, &error) != PUFFIN_STATUS_OK ||
 *       puffin_footer_metadata(&footer, NULL, 0, NULL, &metadata, &error) != PUFFIN_STATUS_OK ||
 *       puffin_metadata_find_vector(&metadata, path, strlen(path), &blob, &found, &error) != PUFFIN_STATUS_OK ||
 *       (found && (puffin_dv_read_blob(&file, &blob, &dv, &error) != PUFFIN_STATUS_OK ||
 *                  puffin_dv_cardinality(&dv, &deleted, &error) != PUFFIN_STATUS_OK))) {
 *     fprintf(stderr, "%s at byte %llu\n", puffin_status_message(error.status), (unsigned long long)error.offset);
 *   }
 *
 *
 * CONVENTIONS
 *
 * Names. puffin_<noun>_<verb>. Words are those of the Iceberg, Puffin and Roaring specifications.
 *
 * Answers. Nearly every function returns a puffin_status, PUFFIN_STATUS_OK being 0, and takes a puffin_error, last, which
 * may be NULL. It is written when the call fails, and only then. Functions that cannot fail return their answer.
 *
 * Outputs come through pointers, and are written when the call succeeds, unless a function says otherwise. When a call
 * fails, an object that was to be made is no object (and no longer the one it may have been); other outputs are as they
 * were, but for a length that says how much memory is needed.
 *
 * Memory that is too short for an answer gives PUFFIN_STATUS_BUFFER_TOO_SMALL, scratch that is too short gives
 * PUFFIN_STATUS_SCRATCH_TOO_SMALL. The size needed is in found of the error record, and in the function's length output, if
 * it has one. To learn a size, call with NULL and 0: the status is PUFFIN_STATUS_BUFFER_TOO_SMALL then, or PUFFIN_STATUS_OK if
 * nothing is needed.
 *
 * Questions that are put to an object, and steps of a place, fail for arguments that break the contract, and for nothing
 * else, unless a comment says so: what could be wrong with the bytes was found when the object was made.
 *
 * MEMORY
 *
 * Objects (puffin_file, puffin_dv, ...) are structs of fixed size, wherever the caller puts them: on the stack, in another
 * struct, in an array. What is in them before they are made does not matter; what is in them afterwards is private. They
 * need not be destroyed. They may be copied with = or memcpy, and the copy is as good as the original, except for
 * puffin_writer and puffin_verify, of which one copy only may be used. They start with a tag, by which a struct of zeros,
 * one whose making failed, and one of another type are seen: PUFFIN_STATUS_INVALID_ARGUMENT.
 *
 * Objects borrow the bytes that they were made from: those have to stay, unchanged, as long as the object is used, and so
 * have those of the objects that it was made from. The objects themselves are not borrowed.
 *
 * Pointers. NULL is allowed where a comment says so, and for memory of length 0; elsewhere it is
 * PUFFIN_STATUS_INVALID_ARGUMENT. So is a pointer that is not aligned for its type (bytes and text may have any address),
 * and a length over PTRDIFF_MAX bytes. found of the error record is then 0, and offset the number of the argument, from 0. For
 * values that contradict each other (a window that ends past 2^64, more than 2^32 rows for offsets, rows whose end is before
 * their start where they are moved) offset and found are two of them. Elsewhere a range whose end is not behind its start is
 * empty. A record that is not aligned is refused before anything else is looked at. What cannot
 * be seen is the caller's duty: memory has the length that is given, outputs overlap nothing else, and a pointer to an object
 * points to one of those structs.
 *
 * Structs with struct_size are filled in before the call, with sizeof of the struct. Zero in any other field is the
 * default. Later versions may add fields at the end; a program and a library of different age still understand each other, but
 * fields that a library does not know have to be zero.
 *
 * THREADS
 *
 * Functions that take an object as const may be called from any number of threads at once, on one object. Others, those
 * that move a place forward or write, need an object of their own (a copy will do for a place).
 *
 * CONTENTS, in the order of the functions
 *
 *   status and errors     puffin_status_*, puffin_error_*
 *   version               puffin_version, puffin_abi_version, puffin_features
 *   strings               puffin_str_*
 *   container             puffin_file_*, puffin_footer_*, puffin_metadata_*, puffin_properties_*
 *   blobs                 puffin_blobs_*, puffin_blob_*, puffin_lz4_*
 *   deletion vectors      puffin_dv_*, puffin_positions_*, puffin_index_*
 *   scans                 puffin_cursor_*, puffin_dv_*, puffin_ranges_*
 *   32-bit bitmaps        puffin_bitmap32_*, puffin_values_*
 *   set operations        puffin_operation_*, puffin_dv_union and others
 *   tables                puffin_dv_read_*, puffin_metadata_find_*, puffin_fetch_ranges
 *   verify                puffin_verify_*
 *   writing               puffin_source_*, puffin_encode*, puffin_writer_*; only with PUFFIN_FEATURE_WRITE
 */


#ifndef PUFFIN_CODEC_H
#define PUFFIN_CODEC_H

/* Made of the doc comments of ffi/src by `BLESS=1 cargo test -p puffin-codec-ffi --test header`: change those. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Names of the Puffin specification: of blob types and of properties.
#define PUFFIN_TYPE_DELETION_VECTOR_V1 "deletion-vector-v1"
#define PUFFIN_TYPE_THETA_V1 "apache-datasketches-theta-v1"
#define PUFFIN_NAME_REFERENCED_DATA_FILE "referenced-data-file"
#define PUFFIN_NAME_CARDINALITY "cardinality"
#define PUFFIN_NAME_CREATED_BY "created-by"


// The version of this header: a change of the first number (before 1.0 of the second) may break callers.
#define PUFFIN_VERSION_MAJOR 0

// See PUFFIN_VERSION_MAJOR.
#define PUFFIN_VERSION_MINOR 1

// See PUFFIN_VERSION_MAJOR.
#define PUFFIN_VERSION_PATCH 0

// The number of the binary interface, which grows when a program has to be compiled again: when a struct grows, or a
// function changes. New functions, statuses and options do not change it.
#define PUFFIN_ABI_VERSION 1

// A bit of puffin_features: the functions that encode and write are there.
#define PUFFIN_FEATURE_WRITE 1

// A bit of puffin_features: the library looks at run time which instructions the processor has, and uses the widest.
// Without it, it uses those that it was compiled for.
#define PUFFIN_FEATURE_DETECTION 2

// Numbers of fields of a footer, which found of a PUFFIN_STATUS_MISSING_FIELD record holds. 1: type.
#define PUFFIN_FIELD_TYPE 1

// 2: fields.
#define PUFFIN_FIELD_FIELDS 2

// 3: snapshot-id.
#define PUFFIN_FIELD_SNAPSHOT_ID 3

// 4: sequence-number.
#define PUFFIN_FIELD_SEQUENCE_NUMBER 4

// 5: offset.
#define PUFFIN_FIELD_OFFSET 5

// 6: length.
#define PUFFIN_FIELD_LENGTH 6

// 7: compression-codec.
#define PUFFIN_FIELD_COMPRESSION_CODEC 7

// 8: properties, of a blob and of the file.
#define PUFFIN_FIELD_PROPERTIES 8

// 9: blobs, of the file.
#define PUFFIN_FIELD_BLOBS 9

// Numbers of properties, which found of an error record holds. 1: referenced-data-file of a deletion vector.
#define PUFFIN_PROPERTY_REFERENCED_DATA_FILE 1

// 2: cardinality of a deletion vector.
#define PUFFIN_PROPERTY_CARDINALITY 2

// The bytes of footer buffer that a file takes besides those of its blobs and properties.
#define PUFFIN_EMPTY_FOOTER_LEN 28

// What a call answers. Numbers are never reused and never moved; later versions may add some.
//
// The hundreds digit is the class: what a caller can do about it. 1: fetch more bytes, or report a cut file. 2: the
// input breaks its format, refuse it. 3: legal perhaps, but not read by this build. 4: a checksum differs. 5: more than
// the limits allow. 6: output or scratch memory is too small. 7: the call itself is wrong. 8: a defect in this library.
//
// The comments say what offset and found of the error record hold, where that is not plain.
enum puffin_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Success.
  PUFFIN_STATUS_OK = 0,
  // The input ends early. offset: where the missing bytes should start; found: how many are there.
  PUFFIN_STATUS_TRUNCATED = 101,
  // A magic number is not the one the format asks for. found: the four bytes, read little-endian.
  PUFFIN_STATUS_BAD_MAGIC = 201,
  // The footer payload size is negative or does not fit the file. found: the size, sign-extended.
  PUFFIN_STATUS_BAD_FOOTER_SIZE = 202,
  // A blob is not inside [4, footer start], or a range not inside its file. found: the offending number.
  PUFFIN_STATUS_RANGE_OUT_OF_BOUNDS = 203,
  // A length field disagrees with the bytes it counts. found: the field.
  PUFFIN_STATUS_LENGTH_MISMATCH = 204,
  // Bytes are left over where the format ends. found: how many.
  PUFFIN_STATUS_TRAILING_BYTES = 205,
  // A declared cardinality differs from the number of positions. found: the declared one.
  PUFFIN_STATUS_CARDINALITY_MISMATCH = 206,
  // The footer is not JSON. found: the byte there, or 256 at the end of the text.
  PUFFIN_STATUS_BAD_JSON = 211,
  // The footer is not UTF-8. found: the byte there.
  PUFFIN_STATUS_BAD_UTF8 = 212,
  // A string holds an unknown escape, or half of a surrogate pair. found: the byte or code unit.
  PUFFIN_STATUS_BAD_ESCAPE = 213,
  // One object holds a name twice. offset: the second.
  PUFFIN_STATUS_DUPLICATE_NAME = 214,
  // A required field is absent. offset: the object; found: the field's number, PUFFIN_FIELD_*.
  PUFFIN_STATUS_MISSING_FIELD = 215,
  // A field holds a value of another JSON type, or null. found: the value's first byte.
  PUFFIN_STATUS_WRONG_TYPE = 216,
  // A number is not an exact integer in the field's range. found: its first byte.
  PUFFIN_STATUS_BAD_INTEGER = 217,
  // A compressed frame breaks its format. found: the offending byte or word.
  PUFFIN_STATUS_BAD_FRAME = 221,
  // A frame decodes to another size than it declares. found: the size so far.
  PUFFIN_STATUS_FRAME_SIZE_MISMATCH = 222,
  // The first word of a 32-bit bitmap is neither cookie. found: the word.
  PUFFIN_STATUS_BAD_COOKIE = 231,
  // A count of containers or bitmaps is more than the format or the input can hold. found: the count.
  PUFFIN_STATUS_BAD_COUNT = 232,
  // Keys do not ascend strictly. found: the key.
  PUFFIN_STATUS_KEY_ORDER = 233,
  // A key is above what the format allows. found: the key. Where positions or ranges are to be written, offset is
  // the index of the one that is too large.
  PUFFIN_STATUS_KEY_OUT_OF_RANGE = 234,
  // An entry of the offset header is not where the container starts. found: the entry.
  PUFFIN_STATUS_OFFSET_MISMATCH = 235,
  // Values of an array container do not ascend strictly. found: the value.
  PUFFIN_STATUS_ARRAY_ORDER = 236,
  // Runs of a run container overlap or descend. found: the start of the later run.
  PUFFIN_STATUS_RUN_ORDER = 237,
  // A run goes beyond 65,535. found: its last value.
  PUFFIN_STATUS_RUN_OVERFLOW = 238,
  // A run container holds no run.
  PUFFIN_STATUS_NO_RUNS = 239,
  // The blob or footer entry is of another type than the call reads. offset: the entry in the footer.
  PUFFIN_STATUS_WRONG_BLOB_TYPE = 251,
  // No blob of the footer has the range of the manifest entry. found: the entry's offset.
  PUFFIN_STATUS_BLOB_NOT_FOUND = 252,
  // The footer binds the blob to another data file than the manifest does.
  PUFFIN_STATUS_DATA_FILE_MISMATCH = 253,
  // Two blobs of one file hold the vector of one data file. found: number of the second blob.
  PUFFIN_STATUS_DUPLICATE_VECTOR = 254,
  // A deletion vector has a compression codec.
  PUFFIN_STATUS_VECTOR_COMPRESSED = 255,
  // snapshot-id of a deletion vector is not -1. found: the value, sign-extended.
  PUFFIN_STATUS_SNAPSHOT_ID_NOT_INHERITED = 256,
  // sequence-number of a deletion vector is not -1. found: the value, sign-extended.
  PUFFIN_STATUS_SEQUENCE_NUMBER_NOT_INHERITED = 257,
  // A property that the blob type requires is absent. found: its number, PUFFIN_PROPERTY_*.
  PUFFIN_STATUS_MISSING_PROPERTY = 258,
  // A property is not in its prescribed form (decimal digits, say). found: its number, likewise.
  PUFFIN_STATUS_BAD_PROPERTY = 259,
  // A reserved footer flag is set. found: the four flag bytes, read little-endian.
  PUFFIN_STATUS_UNKNOWN_FLAGS = 301,
  // The compression codec is none of the specification's.
  PUFFIN_STATUS_UNKNOWN_CODEC = 302,
  // The codec is known, but not in this build (the C library decodes no zstd, which takes an allocator).
  PUFFIN_STATUS_CODEC_NOT_BUILT = 303,
  // A frame uses a feature that Puffin or this crate rules out (no content size, dictionary, skippable, legacy).
  PUFFIN_STATUS_UNSUPPORTED_FRAME = 304,
  // CRC-32 of a deletion vector. found: the stored one.
  PUFFIN_STATUS_CRC_MISMATCH = 401,
  // Header checksum of a frame. found: the stored one.
  PUFFIN_STATUS_HEADER_CHECKSUM_MISMATCH = 402,
  // Block checksum of a frame. found: the stored one.
  PUFFIN_STATUS_BLOCK_CHECKSUM_MISMATCH = 403,
  // Content checksum of a frame. found: the stored one.
  PUFFIN_STATUS_CONTENT_CHECKSUM_MISMATCH = 404,
  // JSON nested deeper than json_depth of puffin_limits. found: the limit.
  PUFFIN_STATUS_JSON_TOO_DEEP = 501,
  // More members in a JSON object than json_members of puffin_limits, or too many in the objects open at one point
  // of the text. found: the limit.
  PUFFIN_STATUS_TOO_MANY_MEMBERS = 502,
  // A frame declares more decoded bytes than its stored size or max_decoded_len of puffin_limits allows. found:
  // the declared size.
  PUFFIN_STATUS_DECODED_LEN_EXCEEDED = 503,
  // A deletion vector would be longer than its 32-bit size field can say. found: the size, or a lower bound of it.
  PUFFIN_STATUS_VECTOR_TOO_LONG = 504,
  // A footer payload would be longer than its size field can say: 2^31 - 1 bytes. found: the length.
  PUFFIN_STATUS_FOOTER_TOO_LONG = 505,
  // Output memory is too small. found: the size needed, in the unit of the call.
  PUFFIN_STATUS_BUFFER_TOO_SMALL = 601,
  // Scratch memory is too small. found: the size needed, in the unit of the call.
  PUFFIN_STATUS_SCRATCH_TOO_SMALL = 602,
  // An argument is out of its range, or two arguments disagree.
  PUFFIN_STATUS_INVALID_ARGUMENT = 701,
  // Positions or ranges to be written do not ascend. offset: the index of the one that is out of place; found: the
  // position, or where the range starts.
  PUFFIN_STATUS_INPUT_ORDER = 702,
  // A file would be longer than offsets in it can say: 2^63 - 1 bytes. found: the length of the part to add.
  PUFFIN_STATUS_FILE_TOO_LONG = 704,
  // The writer has written its footer, or its sink has failed: nothing can be added any more.
  PUFFIN_STATUS_WRITER_CLOSED = 705,
  // A state held to be impossible was reached.
  PUFFIN_STATUS_INTERNAL = 801,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum puffin_status puffin_status;
#else
typedef int32_t puffin_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the bytes of a blob are compressed.
enum puffin_compression
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Not at all.
  PUFFIN_COMPRESSION_NONE = 0,
  // One LZ4 frame with its content size.
  PUFFIN_COMPRESSION_LZ4 = 1,
  // One Zstandard frame. Such blobs can be listed and copied; decoding them is not in the C library.
  PUFFIN_COMPRESSION_ZSTD = 2,
  // Any other name. Such blobs can be listed and copied.
  PUFFIN_COMPRESSION_UNKNOWN = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum puffin_compression puffin_compression;
#else
typedef int32_t puffin_compression;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How bad a finding is.
enum puffin_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Legal, and worth knowing.
  PUFFIN_SEVERITY_NOTE = 1,
  // Legal or left open by the specification, but some readers fail on it or lose time or space by it.
  PUFFIN_SEVERITY_WARNING = 2,
  // A MUST of the specification is broken, or readers may answer differently.
  PUFFIN_SEVERITY_ERROR = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum puffin_severity puffin_severity;
#else
typedef int32_t puffin_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a call failed: a status, where the fault was seen, and what was there.
//
// Written only by calls that fail, and only where the caller passes one.
typedef struct puffin_error {
  // The status that the call returned.
  int32_t status;
  // Zero.
  uint32_t reserved;
  // Byte offset of the fault: from the start of the memory given to the call, or of the file, where the call is given
  // objects of a file. Faults in the text of a compressed footer count from the start of the decoded text. For
  // PUFFIN_STATUS_INVALID_ARGUMENT from a check of the arguments themselves, the number of the argument, from 0.
  uint64_t offset;
  // The value found there, or the size needed.
  uint64_t found;
} puffin_error;

// Text that somebody else owns: len bytes of UTF-8 at ptr, without a NUL.
//
// Strings that come out of a footer are as they are written there, between the quotes: with JSON escapes, if there are
// any. puffin_str_unescape makes plain text of them, puffin_str_equals compares them with plain text. They live as long
// as the memory that the footer was read from. ptr is NULL where a text is absent; an empty text has a ptr.
//
// Strings that go in (names of data files, values of properties) are plain text, without escapes.
typedef struct puffin_str {
  // The first byte.
  const char *ptr;
  // The number of bytes.
  size_t len;
} puffin_str;

// A Puffin file whose bytes are all in memory. Borrows them.
typedef struct puffin_file {
  uint64_t opaque[10];
} puffin_file;

// A footer: from its first magic to the end of the file. Borrows those bytes.
typedef struct puffin_footer {
  uint64_t opaque[8];
} puffin_footer;

// Where a footer lies and what its bytes are.
typedef struct puffin_footer_info {
  // sizeof(puffin_footer_info), to be filled in before the call.
  size_t struct_size;
  // Byte offset of the footer in the file.
  uint64_t offset;
  // Length of the footer in bytes: file-footer-size-in-bytes of a table's statistics file.
  uint64_t len;
  // Length of the file in bytes.
  uint64_t file_len;
  // The footer payload as stored, JSON or an LZ4 frame: first byte and length.
  const uint8_t *payload;
  // Length of the payload.
  size_t payload_len;
  // 1 if the payload is an LZ4 frame, else 0.
  uint32_t compressed;
  // Zero.
  uint32_t reserved;
} puffin_footer_info;

// What an input may cost. Zero, in any field, means the default; NULL, for the whole, means defaults.
typedef struct puffin_limits {
  // sizeof(puffin_limits).
  size_t struct_size;
  // Most bytes that one compressed footer or blob may decode to; default 256 MiB.
  uint64_t max_decoded_len;
  // Deepest nesting of a footer's JSON; default and maximum 128.
  uint32_t json_depth;
  // Most members of one JSON object; default 256, maximum 512.
  uint32_t json_members;
} puffin_limits;

// What a footer says, checked to be JSON, UTF-8, within the limits, and a file's metadata. Borrows the footer and, if
// that is compressed, the scratch memory that it was decoded into.
typedef struct puffin_metadata {
  uint64_t opaque[16];
} puffin_metadata;

// A place among the properties of a file or of a blob. Borrows what the metadata borrows.
typedef struct puffin_properties {
  uint64_t opaque[8];
} puffin_properties;

// A property: a name and a value.
//
// Out of a footer, both are strings as they are written there. Into a new file, both are plain text.
typedef struct puffin_property {
  // The name.
  struct puffin_str name;
  // The value.
  struct puffin_str value;
} puffin_property;

// A place among the entries of a footer. Borrows what the metadata borrows.
typedef struct puffin_blobs {
  uint64_t opaque[56];
} puffin_blobs;

// A footer entry: what a footer says of one blob. Borrows what the metadata borrows.
typedef struct puffin_blob {
  uint64_t opaque[32];
} puffin_blob;

// What a footer entry says. Names are those of the Puffin specification.
typedef struct puffin_blob_info {
  // sizeof(puffin_blob_info), to be filled in before the call.
  size_t struct_size;
  // offset: where the blob starts, in bytes from the start of the file.
  uint64_t offset;
  // length: bytes as stored.
  uint64_t length;
  // snapshot-id; -1 for a deletion vector.
  int64_t snapshot_id;
  // sequence-number; -1 for a deletion vector.
  int64_t sequence_number;
  // Number of the entry in the footer, from 0.
  size_t index;
  // Number of column ids: see puffin_blob_fields.
  size_t field_count;
  // type, such as deletion-vector-v1.
  struct puffin_str blob_type;
  // compression-codec; ptr is NULL if there is none.
  struct puffin_str codec_name;
  // The text of the entry.
  struct puffin_str json;
  // A puffin_compression.
  int32_t codec;
  // Zero.
  uint32_t reserved;
} puffin_blob_info;

// A deletion vector: the positions of deleted rows. Borrows its serialized bytes. Any number of threads may ask one
// vector at once.
typedef struct puffin_dv {
  uint64_t opaque[16];
} puffin_dv;

// A place among the positions of a vector or of a set operation, in ascending order. Borrows the vectors' bytes.
typedef struct puffin_positions {
  uint64_t opaque[56];
} puffin_positions;

// A place among the positions of a vector, in descending order. Borrows the vector's bytes.
typedef struct puffin_positions_rev {
  uint64_t opaque[104];
} puffin_positions_rev;

// A vector with a directory of its buckets in the caller's memory, for vectors of positions far above 2^32 that are
// asked at random. Borrows the vector's bytes and the directory.
typedef struct puffin_index {
  uint64_t opaque[16];
} puffin_index;

// A reader's place in a vector, for windows of rows that mostly follow each other: it finds the next window where it
// left the last one. Borrows the vector's bytes (and the directory of an index). For one thread at a time; a copy goes
// its own way.
typedef struct puffin_cursor {
  uint64_t opaque[48];
} puffin_cursor;

// A place among ranges of rows, in ascending order. Borrows the vectors' bytes.
typedef struct puffin_ranges {
  uint64_t opaque[56];
} puffin_ranges;

// The rows from start on, up to but without end.
typedef struct puffin_range {
  // The first row.
  uint64_t start;
  // The row behind the last one.
  uint64_t end;
} puffin_range;

// A bare 32-bit Roaring bitmap in the portable format. Borrows its serialized bytes.
typedef struct puffin_bitmap32 {
  uint64_t opaque[8];
} puffin_bitmap32;

// A place among the values of a 32-bit bitmap, in ascending order. Borrows the bitmap's bytes.
typedef struct puffin_values {
  uint64_t opaque[16];
} puffin_values;

// A union, an intersection or a difference of two vectors, which nothing is made of until it is asked. Borrows the
// vectors' bytes. Any number of threads may ask one at once.
typedef struct puffin_operation {
  uint64_t opaque[32];
} puffin_operation;

// What a manifest says of one deletion vector, in the manifest's own field names. Numbers are signed as in the
// manifest. A negative offset or size is refused by every call, a negative count by those that read the vector.
typedef struct puffin_manifest_entry {
  // Field 144: where the blob starts, in bytes from the start of the file.
  int64_t content_offset;
  // Field 145: length of the blob in bytes.
  int64_t content_size_in_bytes;
  // Field 103: number of deleted rows.
  int64_t record_count;
  // Field 143: location of the data file, plain text.
  struct puffin_str referenced_data_file;
} puffin_manifest_entry;

// A check of a whole file, and how far it has come. Borrows the file, its metadata, scratch and buffer. For one
// thread, and not to be copied.
typedef struct puffin_verify {
  uint64_t opaque[192];
} puffin_verify;

// One thing to say about a file.
typedef struct puffin_finding {
  // A puffin_severity.
  int32_t severity;
  // What was found: a status for what a reader would be told; 901 blob overlaps another (found: its number), 902 second
  // vector for one data file (found: number of the other), 911 bytes that belong to no blob (found: how many), 912
  // unknown blob type, 913 unknown codec, 914 unusual fields of a vector, 915 key 0x7FFFFFFF, 916 run cookie without
  // runs, 917 compressed content not decoded (found: the size needed), 921 buckets without positions, 922 containers not
  // in their smallest form, 923 no created-by.
  int32_t kind;
  // Number of the blob in the footer, from 0; SIZE_MAX for a finding about the file.
  size_t blob;
  // Where in the file; for faults in a compressed footer, where in its decoded text.
  uint64_t offset;
  // The value found.
  uint64_t found;
  // A short fragment that says what was found; static.
  struct puffin_str message;
} puffin_finding;

// A set of positions to be written: one of those that puffin_encode unites. Borrows what it is made from, and is
// checked when it is made: one that exists can be written.
typedef struct puffin_source {
  uint64_t opaque[96];
} puffin_source;

// How a vector is written. Zero, in any field, means the default; NULL, for the whole, means defaults.
typedef struct puffin_encode_options {
  // sizeof(puffin_encode_options).
  size_t struct_size;
  // Not 0: write an empty bucket for every key below the highest that has none, as Iceberg Java does: 12 bytes each.
  // Vectors of fewer than 2^32 rows have one bucket, and are the same either way.
  uint32_t dense_keys;
  // Not 0: write the 64-bit bitmap alone, without the envelope of deletion-vector-v1.
  uint32_t bare_bitmap;
} puffin_encode_options;

// A Puffin file being written: into memory, or piece by piece to wherever the caller puts the bytes. Borrows the
// file's memory, the footer buffer and scratch. For one thread, and not to be copied.
typedef struct puffin_writer {
  uint64_t opaque[32];
} puffin_writer;

// What the footer is to say of a new blob. Names are those of the Puffin specification; text is plain.
typedef struct puffin_new_blob {
  // sizeof(puffin_new_blob).
  size_t struct_size;
  // type, such as apache-datasketches-theta-v1.
  struct puffin_str blob_type;
  // fields: ids of the table columns that the blob was computed for; NULL and 0 for none.
  const int32_t *fields;
  // Number of column ids.
  size_t field_count;
  // snapshot-id; -1 for a deletion vector.
  int64_t snapshot_id;
  // sequence-number; -1 for a deletion vector.
  int64_t sequence_number;
  // properties, in the order in which they are written; NULL and 0 for none.
  const struct puffin_property *properties;
  // Number of properties.
  size_t property_count;
  // How the stored bytes are compressed already: PUFFIN_COMPRESSION_NONE, PUFFIN_COMPRESSION_LZ4 or PUFFIN_COMPRESSION_ZSTD.
  int32_t codec;
  // Zero.
  uint32_t reserved;
} puffin_new_blob;

// What the end of a file is.
typedef struct puffin_written {
  // The bytes of the footer, to be put behind the last blob by whoever writes piece by piece. In the footer buffer, or in
  // scratch if it is compressed.
  const uint8_t *footer;
  // Their number: file-footer-size-in-bytes of a table's statistics file.
  size_t footer_len;
  // Length of the file in bytes.
  uint64_t file_len;
} puffin_written;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ------------------------------------------------------------------------
 * STATUS AND ERRORS
 * ------------------------------------------------------------------------
 *
 * What an answer means, in words.
 */

// Returns the name of a status as it is written in this header, NUL-terminated; "unknown status" for any other
// number. Never NULL. The text is static.
const char *puffin_status_name(int32_t status);

// Returns a short fragment, in the words of the specification, that says what is wrong, NUL-terminated; "unknown
// status" for a number that is none. Never NULL. The text is static.
const char *puffin_status_message(int32_t status);

// Writes what an error record says, as one line of text without a NUL: "wrong magic at byte 0 (found 1397768525)".
//
// out may be NULL if capacity is 0. *len is the length of the text, also when the status is
// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched. 120 bytes are enough for every record. There is no error
// record about an error record.
puffin_status puffin_error_describe(const struct puffin_error *error,
                                    char *out,
                                    size_t capacity,
                                    size_t *len);

/* ------------------------------------------------------------------------
 * VERSION
 * ------------------------------------------------------------------------
 *
 * Which library this is. A program that loads it by itself compares the ABI number first.
 */

// Returns the version of the library that runs: major << 16 | minor << 8 | patch. Compare it with the macros to see
// whether header and library belong together.
uint32_t puffin_version(void);

// Returns the same as static text, NUL-terminated: "0.1.0".
const char *puffin_version_string(void);

// Returns the number of the binary interface of the library that runs; it has to equal PUFFIN_ABI_VERSION.
uint32_t puffin_abi_version(void);

// Returns which parts this library was built with, as a sum of PUFFIN_FEATURE_* bits.
uint32_t puffin_features(void);

/* ------------------------------------------------------------------------
 * STRINGS
 * ------------------------------------------------------------------------
 *
 * Text of a footer is handed out as it stands there, because it mostly needs no unescaping:
 *
 *   char path[4096];
 *   size_t len = 0;
 *   puffin_status status = puffin_str_unescape(value, path, sizeof path, &len, NULL);
 */

// Writes the plain text of a footer's string to out, without a NUL.
//
// *len is the length of the plain text, which is never longer than the string; also when the status is
// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched. out may be NULL if capacity is 0. O(length).
//
// Fails with PUFFIN_STATUS_BAD_ESCAPE or PUFFIN_STATUS_BAD_JSON for text that is not from a footer.
puffin_status puffin_str_unescape(struct puffin_str text,
                                  char *out,
                                  size_t capacity,
                                  size_t *len,
                                  struct puffin_error *error);

// Sets *equal to whether a footer's string, unescaped, is the plain text other. An absent string equals nothing.
// O(length).
puffin_status puffin_str_equals(struct puffin_str text,
                                const char *other,
                                size_t other_len,
                                bool *equal,
                                struct puffin_error *error);

/* ------------------------------------------------------------------------
 * CONTAINER
 * ------------------------------------------------------------------------
 *
 * A file in memory is opened with puffin_file_parse. A remote reader starts from the last bytes:
 *
 *   puffin_footer footer;
 *   uint64_t offset, len;
 *   status = puffin_footer_locate(tail, tail_len, file_len, &footer, &offset, &len, &error);
 *   while (status == PUFFIN_STATUS_OK && len > 0) {
 *     ...  // fetch len bytes from offset on: the end of the file again, longer
 *     status = puffin_footer_locate(longer, (size_t)len, file_len, &footer, &offset, &len, &error);
 *   }
 */

// Opens a Puffin file that is wholly in memory: checks magic and trailer, and finds the footer. O(1).
puffin_status puffin_file_parse(const uint8_t *data,
                                size_t len,
                                struct puffin_file *file,
                                struct puffin_error *error);

// Views the footer of a file. O(1).
puffin_status puffin_file_footer(const struct puffin_file *file,
                                 struct puffin_footer *footer,
                                 struct puffin_error *error);

// Finds the footer in the last bytes of a file, as a remote reader has them. O(1).
//
// tail holds the last tail_len bytes of a file of file_len bytes; a few KiB mostly hold the whole footer. If they do,
// *fetch_len is 0 and the footer is made. If not, the status is PUFFIN_STATUS_OK too, no footer is made, and *fetch_len
// bytes from *fetch_offset of the file on are what to fetch: the last bytes of the file again, more of them. The call with
// those makes the footer, or, if tail had less than 12 bytes, asks once more.
puffin_status puffin_footer_locate(const uint8_t *tail,
                                   size_t tail_len,
                                   uint64_t file_len,
                                   struct puffin_footer *footer,
                                   uint64_t *fetch_offset,
                                   uint64_t *fetch_len,
                                   struct puffin_error *error);

// Views a footer whose bytes are exactly known: from its first magic to the end of a file of file_len bytes. O(1).
puffin_status puffin_footer_parse(const uint8_t *data,
                                  size_t len,
                                  uint64_t file_len,
                                  struct puffin_footer *footer,
                                  struct puffin_error *error);

// Tells where a footer lies. The caller fills in info->struct_size first. O(1).
puffin_status puffin_footer_get_info(const struct puffin_footer *footer,
                                     struct puffin_footer_info *info,
                                     struct puffin_error *error);

// Sets *len to the bytes of scratch memory that puffin_footer_metadata needs: 0 for a footer that is not compressed.
// O(1).
puffin_status puffin_footer_scratch_len(const struct puffin_footer *footer,
                                        const struct puffin_limits *limits,
                                        size_t *len,
                                        struct puffin_error *error);

// Reads a footer: decodes it into scratch, if it is compressed, and checks all of its text. O(footer).
//
// The metadata borrows the footer's bytes and scratch, which may be NULL if scratch_len is 0. Faults of single blobs
// are reported when those are asked for. With too little scratch the status is PUFFIN_STATUS_SCRATCH_TOO_SMALL, and
// found of the error record is the size needed.
puffin_status puffin_footer_metadata(const struct puffin_footer *footer,
                                     uint8_t *scratch,
                                     size_t scratch_len,
                                     const struct puffin_limits *limits,
                                     struct puffin_metadata *metadata,
                                     struct puffin_error *error);

// Sets *count to the number of blobs that a footer lists. O(1).
puffin_status puffin_metadata_blob_count(const struct puffin_metadata *metadata,
                                         size_t *count,
                                         struct puffin_error *error);

// Sets *json to the whole text of a footer, decoded if it was compressed. O(1).
puffin_status puffin_metadata_json(const struct puffin_metadata *metadata,
                                   struct puffin_str *json,
                                   struct puffin_error *error);

// Sets *value to the file's property of that name, which is plain text; ptr is NULL if there is none. O(properties).
puffin_status puffin_metadata_property(const struct puffin_metadata *metadata,
                                       const char *name,
                                       size_t name_len,
                                       struct puffin_str *value,
                                       struct puffin_error *error);

// Starts to list the properties of a file, in the order of the footer. O(1).
puffin_status puffin_metadata_properties(const struct puffin_metadata *metadata,
                                         struct puffin_properties *properties,
                                         struct puffin_error *error);

// Gives the next property. At the end *more is false, and the property is absent. O(its length).
puffin_status puffin_properties_next(struct puffin_properties *properties,
                                     struct puffin_property *property,
                                     bool *more,
                                     struct puffin_error *error);

/* ------------------------------------------------------------------------
 * BLOBS
 * ------------------------------------------------------------------------
 *
 * What a footer lists, and the content of what is not a deletion vector:
 *
 *   puffin_blobs blobs;
 *   puffin_blob blob;
 *   bool more = true;
 *   puffin_metadata_blobs(&metadata, &blobs, NULL);
 *   while (puffin_blobs_next(&blobs, &blob, &more, &error) == PUFFIN_STATUS_OK && more) {
 *     puffin_blob_info info = {.struct_size = sizeof info};
 *     puffin_blob_get_info(&blob, &info, NULL);
 *     ...
 *   }
 */

// Starts to list the entries of a footer, in its order. O(1).
puffin_status puffin_metadata_blobs(const struct puffin_metadata *metadata,
                                    struct puffin_blobs *blobs,
                                    struct puffin_error *error);

// Gives the next entry. At the end *more is false, and no entry is made.
//
// A damaged entry fails with its fault, *more being true and no entry made; the next call goes on behind it. Whoever
// looks for the vector of a data file must not take a footer with a damaged entry for one without it. O(entry).
puffin_status puffin_blobs_next(struct puffin_blobs *blobs,
                                struct puffin_blob *blob,
                                bool *more,
                                struct puffin_error *error);

// Gives entry number index, from 0; PUFFIN_STATUS_INVALID_ARGUMENT if there are not so many. O(entries before it): to
// see all of them, puffin_blobs_next is the way.
puffin_status puffin_metadata_blob(const struct puffin_metadata *metadata,
                                   size_t index,
                                   struct puffin_blob *blob,
                                   struct puffin_error *error);

// Tells what an entry says. The caller fills in info->struct_size first. O(1).
puffin_status puffin_blob_get_info(const struct puffin_blob *blob,
                                   struct puffin_blob_info *info,
                                   struct puffin_error *error);

// Writes the column ids of an entry, fields, to out. *count is how many there are, also when the status is
// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched. out may be NULL if capacity is 0. O(fields).
puffin_status puffin_blob_fields(const struct puffin_blob *blob,
                                 int32_t *out,
                                 size_t capacity,
                                 size_t *count,
                                 struct puffin_error *error);

// Sets *value to the blob's property of that name, which is plain text; ptr is NULL if there is none. O(properties).
puffin_status puffin_blob_property(const struct puffin_blob *blob,
                                   const char *name,
                                   size_t name_len,
                                   struct puffin_str *value,
                                   struct puffin_error *error);

// Starts to list the properties of a blob, in the order of the footer: see puffin_properties_next. O(1).
puffin_status puffin_blob_properties(const struct puffin_blob *blob,
                                     struct puffin_properties *properties,
                                     struct puffin_error *error);

// Sets *stored and *stored_len to the bytes of a blob as they are stored in its file, which is in memory.
// PUFFIN_STATUS_RANGE_OUT_OF_BOUNDS if the entry is of another file. O(1).
puffin_status puffin_file_stored(const struct puffin_file *file,
                                 const struct puffin_blob *blob,
                                 const uint8_t **stored,
                                 size_t *stored_len,
                                 struct puffin_error *error);

// Sets *len to the size of a blob's content: stored_len if it is not compressed, else what its frame declares, which
// is held against the limits. stored are the bytes of the blob, of which only the first few are read. O(1).
puffin_status puffin_blob_decoded_len(const struct puffin_blob *blob,
                                      const uint8_t *stored,
                                      size_t stored_len,
                                      const struct puffin_limits *limits,
                                      size_t *len,
                                      struct puffin_error *error);

// Writes the content of a blob to out: decoded, or copied if it is not compressed. stored are its bytes. *len is the
// size of the content, also when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; out is
// unspecified after other failures. O(stored + content).
puffin_status puffin_blob_decode(const struct puffin_blob *blob,
                                 const uint8_t *stored,
                                 size_t stored_len,
                                 const struct puffin_limits *limits,
                                 uint8_t *out,
                                 size_t capacity,
                                 size_t *len,
                                 struct puffin_error *error);

// Sets *len to the content size that an LZ4 frame declares, which is held against the limits. O(1).
puffin_status puffin_lz4_decoded_len(const uint8_t *frame,
                                     size_t frame_len,
                                     const struct puffin_limits *limits,
                                     size_t *len,
                                     struct puffin_error *error);

// Decodes one LZ4 frame as Puffin allows it: with its content size, without a dictionary, nothing behind it. Otherwise
// as puffin_blob_decode.
puffin_status puffin_lz4_decode(const uint8_t *frame,
                                size_t frame_len,
                                const struct puffin_limits *limits,
                                uint8_t *out,
                                size_t capacity,
                                size_t *len,
                                struct puffin_error *error);

/* ------------------------------------------------------------------------
 * DELETION VECTORS
 * ------------------------------------------------------------------------
 *
 * A vector is opened once, which checks everything about it; what is asked afterwards cannot fail, but for arguments
 * that break the contract. Where a manifest is at hand, the chapter on tables has the ways to open it.
 */

// Opens a deletion-vector-v1 blob. Checks magic, length, CRC-32, and the whole content, so that every answer of the
// vector is right, and none can fail. O(len).
//
//   puffin_dv dv;
//   puffin_error error;
//   bool deleted = false;
//   if (puffin_dv_parse(blob, blob_len, &dv, &error) == PUFFIN_STATUS_OK) {
//     (void)puffin_dv_contains(&dv, 42, &deleted, NULL);
//   }
puffin_status puffin_dv_parse(const uint8_t *data,
                              size_t len,
                              struct puffin_dv *dv,
                              struct puffin_error *error);

// Opens a blob as puffin_dv_parse does, and holds it against the number of positions that a manifest (record_count) or
// a footer (cardinality) declares. O(len).
puffin_status puffin_dv_parse_with_cardinality(const uint8_t *data,
                                               size_t len,
                                               uint64_t cardinality,
                                               struct puffin_dv *dv,
                                               struct puffin_error *error);

// Opens the blob at the front of longer memory, as puffin_dv_parse does, and sets *used to its length. O(blob).
puffin_status puffin_dv_parse_prefix(const uint8_t *data,
                                     size_t len,
                                     struct puffin_dv *dv,
                                     size_t *used,
                                     struct puffin_error *error);

// Opens a blob whose content has been checked before, by whoever wrote it into a cache, say: only what takes O(1) is
// checked. If the content is not what it was, answers may be wrong; nothing worse happens.
puffin_status puffin_dv_parse_trusted(const uint8_t *data,
                                      size_t len,
                                      struct puffin_dv *dv,
                                      struct puffin_error *error);

// Opens a bare 64-bit Roaring bitmap in the portable format, without the envelope of a blob, and checks all of it. Its
// positions may go up to 2^64 - 1. O(len).
puffin_status puffin_dv_parse_bitmap(const uint8_t *data,
                                     size_t len,
                                     struct puffin_dv *dv,
                                     struct puffin_error *error);

// Opens the bare bitmap at the front of longer memory, as puffin_dv_parse_bitmap does, and sets *used to its length.
// O(bitmap).
puffin_status puffin_dv_parse_bitmap_prefix(const uint8_t *data,
                                            size_t len,
                                            struct puffin_dv *dv,
                                            size_t *used,
                                            struct puffin_error *error);

// Opens a bare bitmap as puffin_dv_parse_trusted opens a blob.
puffin_status puffin_dv_parse_bitmap_trusted(const uint8_t *data,
                                             size_t len,
                                             struct puffin_dv *dv,
                                             struct puffin_error *error);

// Sets *data and *len to the bytes of a vector's bitmap, without the envelope: what puffin_dv_parse_bitmap takes.
// O(1).
puffin_status puffin_dv_bitmap(const struct puffin_dv *dv,
                               const uint8_t **data,
                               size_t *len,
                               struct puffin_error *error);

// Sets *cardinality to the number of positions. O(1), or O(containers) for one that was opened as trusted.
puffin_status puffin_dv_cardinality(const struct puffin_dv *dv,
                                    uint64_t *cardinality,
                                    struct puffin_error *error);

// Sets *contains to whether a row is deleted. O(log containers); many rows are asked faster with
// puffin_dv_contains_many or with masks.
puffin_status puffin_dv_contains(const struct puffin_dv *dv,
                                 uint64_t position,
                                 bool *contains,
                                 struct puffin_error *error);

// Sets *position to the lowest position and *found to true; of an empty vector, to 0 and false. O(buckets).
puffin_status puffin_dv_min(const struct puffin_dv *dv,
                            uint64_t *position,
                            bool *found,
                            struct puffin_error *error);

// Sets *position to the highest position and *found to true; of an empty vector, to 0 and false. O(buckets).
puffin_status puffin_dv_max(const struct puffin_dv *dv,
                            uint64_t *position,
                            bool *found,
                            struct puffin_error *error);

// Sets *rank to the number of positions up to and including position. O(containers).
puffin_status puffin_dv_rank(const struct puffin_dv *dv,
                             uint64_t position,
                             uint64_t *rank,
                             struct puffin_error *error);

// Sets *position to the position that has n others below it, and *found to true; 0 and false if there are not so many.
// O(containers).
puffin_status puffin_dv_select(const struct puffin_dv *dv,
                               uint64_t n,
                               uint64_t *position,
                               bool *found,
                               struct puffin_error *error);

// Starts at the first position that is not below from. O(buckets before it).
//
//   puffin_positions positions;
//   uint64_t batch[1024];
//   size_t count = 0;
//   (void)puffin_dv_positions(&dv, 0, &positions, NULL);
//   do {
//     if (puffin_positions_fill(&positions, batch, 1024, &count, NULL) != PUFFIN_STATUS_OK) break;
//     consume(batch, count);
//   } while (count == 1024);
puffin_status puffin_dv_positions(const struct puffin_dv *dv,
                                  uint64_t from,
                                  struct puffin_positions *positions,
                                  struct puffin_error *error);

// Writes the next positions to out, as many as it has room for, and sets *count to how many: less than capacity only
// at the end. Elements behind them may be written over. O(capacity), about a nanosecond a position.
puffin_status puffin_positions_fill(struct puffin_positions *positions,
                                    uint64_t *out,
                                    size_t capacity,
                                    size_t *count,
                                    struct puffin_error *error);

// Moves forward to the first position that is not below position; never back. O(containers passed). Only for the
// positions of a vector: PUFFIN_STATUS_INVALID_ARGUMENT for those of a set operation.
puffin_status puffin_positions_seek(struct puffin_positions *positions,
                                    uint64_t position,
                                    struct puffin_error *error);

// Starts behind the last position, to go down from there. O(buckets).
puffin_status puffin_dv_positions_rev(const struct puffin_dv *dv,
                                      struct puffin_positions_rev *positions,
                                      struct puffin_error *error);

// Writes the next positions in descending order to out, as many as it has room for, and sets *count to how many: less
// than capacity only at the end. O(capacity), and a logarithm of the number of buckets for each of those.
puffin_status puffin_positions_rev_fill(struct puffin_positions_rev *positions,
                                        uint64_t *out,
                                        size_t capacity,
                                        size_t *count,
                                        struct puffin_error *error);

// Sets *words to the 64-bit words that puffin_dv_index_into needs: one for each bucket after the first. O(1).
puffin_status puffin_dv_index_len(const struct puffin_dv *dv, size_t *words, struct puffin_error *error);

// Writes a directory of a vector's buckets to memory, which the result borrows besides the vector's bytes. O(buckets).
// With too few words the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and found of the error record is the number needed.
puffin_status puffin_dv_index_into(const struct puffin_dv *dv,
                                   uint64_t *memory,
                                   size_t words,
                                   struct puffin_index *index,
                                   struct puffin_error *error);

// Sets *contains to whether a row is deleted. O(log buckets + log containers), wherever the position is.
puffin_status puffin_index_contains(const struct puffin_index *index,
                                    uint64_t position,
                                    bool *contains,
                                    struct puffin_error *error);

/* ------------------------------------------------------------------------
 * SCANS
 * ------------------------------------------------------------------------
 *
 * What an engine asks: not row by row, but batch by batch, page by page.
 */

// Starts at the front of a vector. O(1).
//
// An engine's scan: for each batch of rows a mask of those to keep, and nothing to do where the batch has no deleted
// row.
//
//   puffin_cursor cursor;
//   uint64_t keep[2048 / 64];
//   (void)puffin_dv_cursor(&dv, &cursor, NULL);
//   for (uint64_t row = 0; row < row_count; row += 2048) {
//     size_t rows = row_count - row < 2048 ? (size_t)(row_count - row) : 2048;
//     if (puffin_cursor_live_mask(&cursor, row, rows, keep, 2048 / 64, NULL) != PUFFIN_STATUS_OK) break;
//     filter(row, rows, keep);
//   }
puffin_status puffin_dv_cursor(const struct puffin_dv *dv,
                               struct puffin_cursor *cursor,
                               struct puffin_error *error);

// Starts at the front of a vector that has a directory: the cursor then jumps among buckets, too. O(1).
puffin_status puffin_index_cursor(const struct puffin_index *index,
                                  struct puffin_cursor *cursor,
                                  struct puffin_error *error);

// Writes the mask of rows rows from first_row on: bit i % 64 of word i / 64 is set if row first_row + i is deleted.
// Bits behind the last row are 0; of words, the first (rows + 63) / 64 are written, and no others; with fewer the
// status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and found of the error record is the number needed. O(words + containers
// touched).
puffin_status puffin_cursor_deleted_mask(struct puffin_cursor *cursor,
                                         uint64_t first_row,
                                         size_t rows,
                                         uint64_t *words,
                                         size_t word_count,
                                         struct puffin_error *error);

// Writes the same mask as bytes, as Arrow lays out bits: bit i % 8 of byte i / 8. The bytes may have any address.
puffin_status puffin_cursor_deleted_mask_bytes(struct puffin_cursor *cursor,
                                               uint64_t first_row,
                                               size_t rows,
                                               uint8_t *bytes,
                                               size_t byte_count,
                                               struct puffin_error *error);

// Writes the mask of rows rows from first_row on: bit i % 64 of word i / 64 is set if row first_row + i is not
// deleted. Bits behind the last row are 0; of words, the first (rows + 63) / 64 are written, and no others; with fewer
// the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and found of the error record is the number needed. O(words +
// containers touched).
puffin_status puffin_cursor_live_mask(struct puffin_cursor *cursor,
                                      uint64_t first_row,
                                      size_t rows,
                                      uint64_t *words,
                                      size_t word_count,
                                      struct puffin_error *error);

// Writes the same mask as bytes, as Arrow lays out bits: bit i % 8 of byte i / 8. The bytes may have any address.
puffin_status puffin_cursor_live_mask_bytes(struct puffin_cursor *cursor,
                                            uint64_t first_row,
                                            size_t rows,
                                            uint8_t *bytes,
                                            size_t byte_count,
                                            struct puffin_error *error);

// Writes a selection: the offsets from first_row of the deleted rows among rows rows, ascending. *count is how many
// there are, also when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; with room for all rows
// that cannot be. Elements behind those may be written over. rows is at most 2^32. O(rows / 64 + offsets).
puffin_status puffin_cursor_deleted_offsets(struct puffin_cursor *cursor,
                                            uint64_t first_row,
                                            size_t rows,
                                            uint32_t *out,
                                            size_t capacity,
                                            size_t *count,
                                            struct puffin_error *error);

// Writes a selection: the offsets from first_row of the live rows among rows rows, ascending. *count is how many there
// are, also when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; with room for all rows that
// cannot be. Elements behind those may be written over. rows is at most 2^32. O(rows / 64 + offsets).
puffin_status puffin_cursor_live_offsets(struct puffin_cursor *cursor,
                                         uint64_t first_row,
                                         size_t rows,
                                         uint32_t *out,
                                         size_t capacity,
                                         size_t *count,
                                         struct puffin_error *error);

// Writes the mask of deleted rows of one window, as puffin_cursor_deleted_mask does, without a cursor. O(words + log
// containers + containers touched).
puffin_status puffin_dv_deleted_mask(const struct puffin_dv *dv,
                                     uint64_t first_row,
                                     size_t rows,
                                     uint64_t *words,
                                     size_t word_count,
                                     struct puffin_error *error);

// Writes the mask of live rows of one window, as puffin_cursor_live_mask does, without a cursor. O(words + log
// containers + containers touched).
puffin_status puffin_dv_live_mask(const struct puffin_dv *dv,
                                  uint64_t first_row,
                                  size_t rows,
                                  uint64_t *words,
                                  size_t word_count,
                                  struct puffin_error *error);

// Sets out[i] to whether positions[i] is deleted, for count positions in any order; ascending ones are fastest.
// O(count), times at most a logarithm of the number of containers.
puffin_status puffin_dv_contains_many(const struct puffin_dv *dv,
                                      const uint64_t *positions,
                                      size_t count,
                                      bool *out,
                                      struct puffin_error *error);

// Sets *intersects to whether any of the rows from start on, up to but without end, is deleted: whether a batch, a
// page or a row group can be read as it is. O(log containers).
puffin_status puffin_dv_intersects(const struct puffin_dv *dv,
                                   uint64_t start,
                                   uint64_t end,
                                   bool *intersects,
                                   struct puffin_error *error);

// Sets *contains to whether all of the rows from start on, up to but without end, are deleted; true if there is none.
// O(log containers + containers touched).
puffin_status puffin_dv_contains_range(const struct puffin_dv *dv,
                                       uint64_t start,
                                       uint64_t end,
                                       bool *contains,
                                       struct puffin_error *error);

// Sets *count to how many of the rows from start on, up to but without end, are deleted. O(containers).
puffin_status puffin_dv_count(const struct puffin_dv *dv,
                              uint64_t start,
                              uint64_t end,
                              uint64_t *count,
                              struct puffin_error *error);

// Starts to list the maximal ranges of deleted rows among those from start on, up to but without end. O(log
// containers).
puffin_status puffin_dv_deleted_ranges(const struct puffin_dv *dv,
                                       uint64_t start,
                                       uint64_t end,
                                       struct puffin_ranges *ranges,
                                       struct puffin_error *error);

// Starts to list the maximal ranges of live rows among those from start on, up to but without end. O(log containers).
puffin_status puffin_dv_live_ranges(const struct puffin_dv *dv,
                                    uint64_t start,
                                    uint64_t end,
                                    struct puffin_ranges *ranges,
                                    struct puffin_error *error);

// Writes the next ranges to out, as many as it has room for, and sets *count to how many: less than capacity only at
// the end. They are ascending and neither empty nor touching. O(containers passed + ranges).
puffin_status puffin_ranges_fill(struct puffin_ranges *ranges,
                                 struct puffin_range *out,
                                 size_t capacity,
                                 size_t *count,
                                 struct puffin_error *error);

/* ------------------------------------------------------------------------
 * 32-BIT BITMAPS
 * ------------------------------------------------------------------------
 *
 * Bare bitmaps of 32-bit values, as other formats have them.
 */

// Opens a bitmap that takes up the whole of the memory, and checks all of it. O(len).
puffin_status puffin_bitmap32_parse(const uint8_t *data,
                                    size_t len,
                                    struct puffin_bitmap32 *bitmap,
                                    struct puffin_error *error);

// Opens the bitmap at the front of longer memory, checks all of it, and sets *used to its length. O(bitmap).
puffin_status puffin_bitmap32_parse_prefix(const uint8_t *data,
                                           size_t len,
                                           struct puffin_bitmap32 *bitmap,
                                           size_t *used,
                                           struct puffin_error *error);

// Opens a bitmap whose content has been checked before: see puffin_dv_parse_trusted. O(1).
puffin_status puffin_bitmap32_parse_trusted(const uint8_t *data,
                                            size_t len,
                                            struct puffin_bitmap32 *bitmap,
                                            struct puffin_error *error);

// Sets *cardinality to the number of values. O(containers).
puffin_status puffin_bitmap32_cardinality(const struct puffin_bitmap32 *bitmap,
                                          uint64_t *cardinality,
                                          struct puffin_error *error);

// Sets *contains to whether a value is there. O(log containers).
puffin_status puffin_bitmap32_contains(const struct puffin_bitmap32 *bitmap,
                                       uint32_t value,
                                       bool *contains,
                                       struct puffin_error *error);

// Sets *value to the lowest value and *found to true; of an empty bitmap, to 0 and false. O(1).
puffin_status puffin_bitmap32_min(const struct puffin_bitmap32 *bitmap,
                                  uint32_t *value,
                                  bool *found,
                                  struct puffin_error *error);

// Sets *value to the highest value and *found to true; of an empty bitmap, to 0 and false. O(1).
puffin_status puffin_bitmap32_max(const struct puffin_bitmap32 *bitmap,
                                  uint32_t *value,
                                  bool *found,
                                  struct puffin_error *error);

// Sets *rank to the number of values up to and including value. O(containers).
puffin_status puffin_bitmap32_rank(const struct puffin_bitmap32 *bitmap,
                                   uint32_t value,
                                   uint64_t *rank,
                                   struct puffin_error *error);

// Sets *value to the value that has n others below it, and *found to true; 0 and false if there are not so many.
// O(containers).
puffin_status puffin_bitmap32_select(const struct puffin_bitmap32 *bitmap,
                                     uint64_t n,
                                     uint32_t *value,
                                     bool *found,
                                     struct puffin_error *error);

// Starts at the first value that is not below from. O(log containers).
puffin_status puffin_bitmap32_values(const struct puffin_bitmap32 *bitmap,
                                     uint32_t from,
                                     struct puffin_values *values,
                                     struct puffin_error *error);

// Writes the next values to out, as many as it has room for, and sets *count to how many: less than capacity only at
// the end. O(capacity).
puffin_status puffin_values_fill(struct puffin_values *values,
                                 uint32_t *out,
                                 size_t capacity,
                                 size_t *count,
                                 struct puffin_error *error);

// Moves forward to the first value that is not below value; never back. O(containers passed).
puffin_status puffin_values_seek(struct puffin_values *values, uint32_t value, struct puffin_error *error);

/* ------------------------------------------------------------------------
 * SET OPERATIONS
 * ------------------------------------------------------------------------
 *
 * Between two vectors, without making a third. The rows that were deleted between two snapshots:
 *
 *   puffin_operation newly;
 *   uint64_t count = 0;
 *   puffin_dv_difference(&later, &earlier, &newly, NULL);
 *   puffin_operation_cardinality(&newly, &count, NULL);
 *
 * The chapter on writing makes a vector of it.
 */

// Makes the set of rows deleted by a, by b or by both. O(1); a and b may be the same.
puffin_status puffin_dv_union(const struct puffin_dv *a,
                              const struct puffin_dv *b,
                              struct puffin_operation *operation,
                              struct puffin_error *error);

// Makes the set of rows deleted by both. O(1); a and b may be the same.
puffin_status puffin_dv_intersection(const struct puffin_dv *a,
                                     const struct puffin_dv *b,
                                     struct puffin_operation *operation,
                                     struct puffin_error *error);

// Makes the set of rows deleted by a and not by b: what a later vector has deleted that an earlier one had not. O(1);
// a and b may be the same.
puffin_status puffin_dv_difference(const struct puffin_dv *a,
                                   const struct puffin_dv *b,
                                   struct puffin_operation *operation,
                                   struct puffin_error *error);

// Sets *cardinality to the number of positions, without making the set. O(stored size of both).
puffin_status puffin_operation_cardinality(const struct puffin_operation *operation,
                                           uint64_t *cardinality,
                                           struct puffin_error *error);

// Sets *is_empty to whether there is no position. Stops at the first one.
puffin_status puffin_operation_is_empty(const struct puffin_operation *operation,
                                        bool *is_empty,
                                        struct puffin_error *error);

// Starts to list the positions: see puffin_positions_fill. O(1).
puffin_status puffin_operation_positions(const struct puffin_operation *operation,
                                         struct puffin_positions *positions,
                                         struct puffin_error *error);

// Starts to list the maximal ranges: see puffin_ranges_fill. O(1).
puffin_status puffin_operation_ranges(const struct puffin_operation *operation,
                                      struct puffin_ranges *ranges,
                                      struct puffin_error *error);

// Sets *answer to whether every row deleted by a is deleted by b. O(stored size of both) at most.
puffin_status puffin_dv_is_subset(const struct puffin_dv *a,
                                  const struct puffin_dv *b,
                                  bool *answer,
                                  struct puffin_error *error);

// Sets *answer to whether no row is deleted by both. O(stored size of both) at most.
puffin_status puffin_dv_is_disjoint(const struct puffin_dv *a,
                                    const struct puffin_dv *b,
                                    bool *answer,
                                    struct puffin_error *error);

/* ------------------------------------------------------------------------
 * TABLES
 * ------------------------------------------------------------------------
 *
 * Vectors as manifests know them. With the range of a manifest entry alone, no footer is read:
 *
 *   puffin_dv dv;
 *   status = puffin_dv_read_range(file, file_len, content_offset, content_size_in_bytes, &record_count, &dv, &error);
 */

// Opens the vector at a range of a file that is wholly in memory, by what a manifest says alone; the container, if
// there is one, is not looked at. Files labelled Puffin that are none read as well as Puffin files do. Checks
// everything, and the number of positions against record_count unless that is NULL. Offsets of errors count from the
// start of the file. O(blob).
puffin_status puffin_dv_read_range(const uint8_t *data,
                                   size_t len,
                                   int64_t content_offset,
                                   int64_t content_size_in_bytes,
                                   const int64_t *record_count,
                                   struct puffin_dv *dv,
                                   struct puffin_error *error);

// Opens the vector of a manifest entry from a part of the file: the len bytes from data_offset of the file on.
// Otherwise as puffin_dv_read_range.
puffin_status puffin_dv_read_entry(const uint8_t *data,
                                   size_t len,
                                   uint64_t data_offset,
                                   const struct puffin_manifest_entry *entry,
                                   struct puffin_dv *dv,
                                   struct puffin_error *error);

// Opens the vector of a manifest entry, if the footer agrees: a blob of exactly that range, of type deletion-
// vector-v1, uncompressed, for that data file, with that cardinality. The strictest way, and the safe one: a vector
// that has been swapped for another valid one is found out. O(entries + blob).
puffin_status puffin_dv_read_bound(const struct puffin_file *file,
                                   const struct puffin_metadata *metadata,
                                   const struct puffin_manifest_entry *entry,
                                   struct puffin_dv *dv,
                                   struct puffin_error *error);

// Finds the footer entry that a manifest entry is bound to, by the rules of puffin_dv_read_bound: for readers that
// have the footer and fetch the blob themselves. O(entries).
puffin_status puffin_metadata_bound_blob(const struct puffin_metadata *metadata,
                                         const struct puffin_manifest_entry *entry,
                                         struct puffin_blob *blob,
                                         struct puffin_error *error);

// Finds the footer entry of the vector of a data file; *found is false if there is none.
// PUFFIN_STATUS_DUPLICATE_VECTOR if there are two. If an entry is damaged, its fault is the answer: it may be the one.
// O(footer).
puffin_status puffin_metadata_find_vector(const struct puffin_metadata *metadata,
                                          const char *data_file,
                                          size_t data_file_len,
                                          struct puffin_blob *blob,
                                          bool *found,
                                          struct puffin_error *error);

// Finds the footer entry of a blob by its offset and length; *found is false if there is none. O(footer).
puffin_status puffin_metadata_find_range(const struct puffin_metadata *metadata,
                                         uint64_t offset,
                                         uint64_t length,
                                         struct puffin_blob *blob,
                                         bool *found,
                                         struct puffin_error *error);

// Opens the vector that a footer entry points at, in a file that is in memory, and holds it against the entry's
// cardinality. Offsets of errors count from the start of the file. O(blob).
puffin_status puffin_dv_read_blob(const struct puffin_file *file,
                                  const struct puffin_blob *blob,
                                  struct puffin_dv *dv,
                                  struct puffin_error *error);

// Writes the byte ranges of a file to fetch for some vectors: sorted, and joined where not more than max_gap bytes lie
// between. *count is how many; room for one an entry is needed, else the status is PUFFIN_STATUS_BUFFER_TOO_SMALL,
// *count the room needed and out untouched. O(n log n) for n entries.
puffin_status puffin_fetch_ranges(const struct puffin_manifest_entry *entries,
                                  size_t entry_count,
                                  uint64_t max_gap,
                                  struct puffin_range *out,
                                  size_t capacity,
                                  size_t *count,
                                  struct puffin_error *error);

/* ------------------------------------------------------------------------
 * VERIFY
 * ------------------------------------------------------------------------
 *
 * Everything there is to say about a file, for those who write or repair files; a reader does not need it:
 *
 *   puffin_verify verify;
 *   puffin_finding finding;
 *   bool more = true;
 *   status = puffin_verify_start(&file, &metadata, scratch, words, NULL, 0, NULL, &verify, &error);
 *   while (status == PUFFIN_STATUS_OK && puffin_verify_next(&verify, &finding, &more, NULL) == PUFFIN_STATUS_OK && more) {
 *     printf("%.*s\n", (int)finding.message.len, finding.message.ptr);
 *   }
 */

// Returns the 64-bit words of scratch that puffin_verify_start needs for a file of so many blobs. O(1).
size_t puffin_verify_scratch_len(size_t blob_count);

// Starts to check a file whose metadata has been read. Compressed blobs are decoded into buffer, as far as they fit it
// and the limits; without one, NULL and 0, only their headers are checked. O(1).
puffin_status puffin_verify_start(const struct puffin_file *file,
                                  const struct puffin_metadata *metadata,
                                  uint64_t *scratch,
                                  size_t words,
                                  uint8_t *buffer,
                                  size_t buffer_len,
                                  const struct puffin_limits *limits,
                                  struct puffin_verify *verify,
                                  struct puffin_error *error);

// Gives the next finding: blob by blob in the order of the footer, then those about the layout. At the end *more is
// false, and finding is untouched. A file without a finding of severity PUFFIN_SEVERITY_ERROR conforms to the
// specification as far as its bytes can show. O(file + n log n) over all calls, for n blobs.
puffin_status puffin_verify_next(struct puffin_verify *verify,
                                 struct puffin_finding *finding,
                                 bool *more,
                                 struct puffin_error *error);

/* ------------------------------------------------------------------------
 * WRITING VECTORS
 * ------------------------------------------------------------------------
 *
 * A vector is the union of sources: positions, ranges, older vectors, windows of them, set operations.
 */

// Returns the 64-bit words of scratch that encoding so many sources needs: 16 KiB, and less than 800 bytes a source.
// O(1).
size_t puffin_encode_scratch_len(size_t sources);

// Takes positions in ascending order, of which some may be there twice. Up to 0x7FFFFFFE_FFFFFFFF, the highest that
// all readers accept. A fault is PUFFIN_STATUS_INPUT_ORDER or PUFFIN_STATUS_KEY_OUT_OF_RANGE, offset of the error
// record the index of the position. O(count).
puffin_status puffin_source_positions(const uint64_t *positions,
                                      size_t count,
                                      struct puffin_source *source,
                                      struct puffin_error *error);

// Takes ranges whose starts ascend. They may be empty, touch and overlap. Faults as of puffin_source_positions.
// O(count).
puffin_status puffin_source_ranges(const struct puffin_range *ranges,
                                   size_t count,
                                   struct puffin_source *source,
                                   struct puffin_error *error);

// Takes the positions of a vector. PUFFIN_STATUS_KEY_OUT_OF_RANGE for one that may be read and not written.
// O(buckets).
puffin_status puffin_source_vector(const struct puffin_dv *dv,
                                   struct puffin_source *source,
                                   struct puffin_error *error);

// Takes those positions of a vector that lie in the rows from start on, up to but without end, moved so that row start
// becomes first_row: what is left of a vector when its data file is split, and what it becomes when data files are put
// one behind the other. O(buckets + containers).
puffin_status puffin_source_rows(const struct puffin_dv *dv,
                                 uint64_t start,
                                 uint64_t end,
                                 uint64_t first_row,
                                 struct puffin_source *source,
                                 struct puffin_error *error);

// Takes the positions of a union, an intersection or a difference. O(buckets).
puffin_status puffin_source_operation(const struct puffin_operation *operation,
                                      struct puffin_source *source,
                                      struct puffin_error *error);

// Sets *len to a length that no vector of these sources exceeds: with so much memory puffin_encode takes one pass
// instead of two. UINT64_MAX if a source was opened as trusted. O(count).
puffin_status puffin_encode_max_len(const struct puffin_source *sources,
                                    size_t source_count,
                                    const struct puffin_encode_options *options,
                                    uint64_t *scratch,
                                    size_t words,
                                    uint64_t *len,
                                    struct puffin_error *error);

// Sets *len to the length of the vector, to the byte, and *cardinality, unless that is NULL, to its number of
// positions. O(stored size of the sources), and a logarithm of their number for each container.
puffin_status puffin_encode_len(const struct puffin_source *sources,
                                size_t source_count,
                                const struct puffin_encode_options *options,
                                uint64_t *scratch,
                                size_t words,
                                size_t *len,
                                uint64_t *cardinality,
                                struct puffin_error *error);

// Writes the union of the sources to out, as a deletion-vector-v1 blob. *len is its length, also when the status is
// PUFFIN_STATUS_BUFFER_TOO_SMALL, and then out is untouched; *cardinality, unless that is NULL, is its number of
// positions.
//
// One set has one form, whatever it was made from: containers in their smallest form, no empty one, no key above
// 0x7FFFFFFE. No source at all makes the empty vector. A few bytes of out behind the vector may be written over.
// scratch is as puffin_encode_scratch_len says; what is in it does not matter. O(stored size of the sources), and a
// logarithm of their number for each container; twice that if out is shorter than puffin_encode_max_len.
//
//   // A delete commit: what was deleted before, and what is deleted now.
//   puffin_source sources[2];
//   uint64_t scratch[2048 + 200];  // puffin_encode_scratch_len(2) words at least
//   size_t len = 0;
//   (void)puffin_source_vector(&old, &sources[0], NULL);
//   (void)puffin_source_positions(rows, row_count, &sources[1], NULL);
//   puffin_status status =
//       puffin_encode(sources, 2, NULL, scratch, 2248, out, sizeof out, &len, NULL, NULL);
puffin_status puffin_encode(const struct puffin_source *sources,
                            size_t source_count,
                            const struct puffin_encode_options *options,
                            uint64_t *scratch,
                            size_t words,
                            uint8_t *out,
                            size_t capacity,
                            size_t *len,
                            uint64_t *cardinality,
                            struct puffin_error *error);

/* ------------------------------------------------------------------------
 * WRITING COMPRESSED CONTENT
 * ------------------------------------------------------------------------
 *
 * For blobs that may be compressed, which deletion vectors may not.
 */

// Returns how much memory puffin_lz4_encode may need for so much content. O(1).
size_t puffin_lz4_max_encoded_len(size_t len);

// Writes content to out as one LZ4 frame with its content size, as Puffin wants it. *len is the length of the frame;
// when the status is PUFFIN_STATUS_BUFFER_TOO_SMALL it is a length that is enough, and out is untouched. Bytes behind
// the frame, up to puffin_lz4_max_encoded_len, are unspecified afterwards. O(content).
puffin_status puffin_lz4_encode(const uint8_t *content,
                                size_t content_len,
                                uint8_t *out,
                                size_t capacity,
                                size_t *len,
                                struct puffin_error *error);

/* ------------------------------------------------------------------------
 * WRITING FILES
 * ------------------------------------------------------------------------
 *
 * A file with one vector, in memory:
 *
 *   puffin_writer writer;
 *   puffin_manifest_entry entry;
 *   puffin_written written;
 *   uint64_t scratch[2];  // puffin_writer_scratch_len(1)
 *   puffin_writer_start(out, sizeof out, buffer, sizeof buffer, scratch, 2, &writer, &error);
 *   puffin_writer_add_vector(&writer, path, path_len, blob, blob_len, &entry, &error);
 *   puffin_writer_finish(&writer, NULL, 0, &written, &error);
 *   ...  // out has written.file_len bytes; entry is what goes into the manifest
 */

// Returns the 64-bit words of scratch that a writer needs for so many vectors. O(1).
size_t puffin_writer_scratch_len(size_t vectors);

// Starts a file. The footer grows in buffer: PUFFIN_EMPTY_FOOTER_LEN, puffin_writer_entry_len or
// puffin_writer_vector_len for every blob, and puffin_writer_properties_len add up to what is needed. scratch, as
// puffin_writer_scratch_len says, is for deletion vectors; without any, NULL and 0.
//
// With memory for the file, that is filled from the front. Without, file NULL and capacity 0, the caller puts the
// pieces where they belong: the four bytes "PFA1", the stored bytes of each blob as it is added, and the footer that
// puffin_writer_finish gives. The same calls make the same bytes either way.
//
// When a call that adds or finishes answers PUFFIN_STATUS_BUFFER_TOO_SMALL, nothing has changed, and found of the error
// record is the length needed. If offset is 0, it is the footer buffer that is too short: puffin_writer_replace_buffer, and
// the call again. Else it is the memory for the file, of which offset bytes are written: the file has to be begun anew, in
// more memory. PUFFIN_STATUS_SCRATCH_TOO_SMALL is about scratch: puffin_writer_replace_scratch.
puffin_status puffin_writer_start(uint8_t *file,
                                  size_t capacity,
                                  uint8_t *buffer,
                                  size_t buffer_len,
                                  uint64_t *scratch,
                                  size_t words,
                                  struct puffin_writer *writer,
                                  struct puffin_error *error);

// Adds the deletion vector of a data file, and tells, unless entry is NULL, what a manifest has to say of it; the
// entry borrows data_file. The blob is checked in full first, and that the file has no other vector of that data file.
// Nothing changes when that fails. O(blob).
puffin_status puffin_writer_add_vector(struct puffin_writer *writer,
                                       const char *data_file,
                                       size_t data_file_len,
                                       const uint8_t *blob,
                                       size_t blob_len,
                                       struct puffin_manifest_entry *entry,
                                       struct puffin_error *error);

// Sets *spare and *spare_len to the memory of the file behind what is written, to encode a vector where it will lie:
// puffin_writer_commit_vector then adds it. NULL and 0 if there is none, as for a file that is written piece by
// piece. O(1).
puffin_status puffin_writer_spare(struct puffin_writer *writer,
                                  uint8_t **spare,
                                  size_t *spare_len,
                                  struct puffin_error *error);

// Adds the vector that is the first len bytes of what puffin_writer_spare gives; otherwise as
// puffin_writer_add_vector. Only for a file in memory.
puffin_status puffin_writer_commit_vector(struct puffin_writer *writer,
                                          const char *data_file,
                                          size_t data_file_len,
                                          size_t len,
                                          struct puffin_manifest_entry *entry,
                                          struct puffin_error *error);

// Sets fields of the vectors that are added from here on. Unless set, they are [2147483645], the id of the row
// position column, as Iceberg Java writes them; DuckDB writes none. Borrows the ids for as long as the writer. O(1).
puffin_status puffin_writer_set_fields(struct puffin_writer *writer,
                                       const int32_t *fields,
                                       size_t field_count,
                                       struct puffin_error *error);

// Adds a blob of any type, its bytes as they are stored: compressed already, if it has a codec. *offset, unless that
// is NULL, is where in the file it starts. A deletion vector is checked as puffin_writer_add_vector does. O(stored +
// properties^2).
puffin_status puffin_writer_add_blob(struct puffin_writer *writer,
                                     const struct puffin_new_blob *blob,
                                     const uint8_t *stored,
                                     size_t stored_len,
                                     uint64_t *offset,
                                     struct puffin_error *error);

// Adds a blob of another file as its entry describes it, whatever its type and codec. stored are its bytes as they
// are. Otherwise as puffin_writer_add_blob.
puffin_status puffin_writer_copy_blob(struct puffin_writer *writer,
                                      const struct puffin_blob *blob,
                                      const uint8_t *stored,
                                      size_t stored_len,
                                      uint64_t *offset,
                                      struct puffin_error *error);

// Sets *offset to where the next blob will start, and *blob_count, unless that is NULL, to how many there are. O(1).
puffin_status puffin_writer_offset(const struct puffin_writer *writer,
                                   uint64_t *offset,
                                   size_t *blob_count,
                                   struct puffin_error *error);

// Moves the footer to another buffer, a longer one mostly. Both have to be there during the call, and must not overlap:
// PUFFIN_STATUS_INVALID_ARGUMENT. Afterwards the one before is no longer borrowed. O(footer so far).
puffin_status puffin_writer_replace_buffer(struct puffin_writer *writer,
                                           uint8_t *buffer,
                                           size_t buffer_len,
                                           struct puffin_error *error);

// Moves the list of data files to other scratch, longer mostly. Both have to be there during the call, and must not
// overlap: PUFFIN_STATUS_INVALID_ARGUMENT. Afterwards that before is no longer borrowed. O(vectors).
puffin_status puffin_writer_replace_scratch(struct puffin_writer *writer,
                                            uint64_t *scratch,
                                            size_t words,
                                            struct puffin_error *error);

// Ends the file with its footer: properties are those of the file, created-by mostly. Nothing can be added afterwards.
// Fields in the order of Iceberg Java, so that the same blobs and properties make the same file. O(footer).
puffin_status puffin_writer_finish(struct puffin_writer *writer,
                                   const struct puffin_property *properties,
                                   size_t property_count,
                                   struct puffin_written *footer,
                                   struct puffin_error *error);

// Sets *len to the bytes of scratch that puffin_writer_finish_lz4 needs with those properties. O(properties).
puffin_status puffin_writer_lz4_scratch_len(const struct puffin_writer *writer,
                                            const struct puffin_property *properties,
                                            size_t property_count,
                                            size_t *len,
                                            struct puffin_error *error);

// Ends the file as puffin_writer_finish does, with the footer payload as one LZ4 frame, which is made in scratch. No
// other writer in the field compresses footers, and not every reader reads them. O(footer).
puffin_status puffin_writer_finish_lz4(struct puffin_writer *writer,
                                       const struct puffin_property *properties,
                                       size_t property_count,
                                       uint8_t *scratch,
                                       size_t scratch_len,
                                       struct puffin_written *footer,
                                       struct puffin_error *error);

// Sets *len to the bytes of footer buffer that a blob takes at that offset and of that length; larger numbers give a
// bound. O(properties).
puffin_status puffin_writer_entry_len(const struct puffin_new_blob *blob,
                                      uint64_t offset,
                                      uint64_t length,
                                      size_t *len,
                                      struct puffin_error *error);

// Sets *len to a bound of the bytes of footer buffer that the vector of a data file takes, with its usual fields.
// O(data_file).
puffin_status puffin_writer_vector_len(const char *data_file,
                                       size_t data_file_len,
                                       size_t *len,
                                       struct puffin_error *error);

// Sets *len to the bytes of footer buffer that the properties of a file take. O(properties).
puffin_status puffin_writer_properties_len(const struct puffin_property *properties,
                                           size_t property_count,
                                           size_t *len,
                                           struct puffin_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PUFFIN_CODEC_H */
