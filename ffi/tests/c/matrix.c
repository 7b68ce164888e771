/*
 * Breaks one argument of one function at a time: matrix SYMBOLS, where SYMBOLS lists the functions of the library.
 *
 * Every function has a row: a call that succeeds, in which each pointer says what kind it is. Then the call is made again
 * with that pointer NULL, misaligned, or, for objects, a struct of zeros or an object of another type; each has to be
 * refused with the number of the argument, and must leave no object behind.
 */
#include "puffin_codec.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is done to the pointer that is broken. */
typedef enum { SOUND, NULLED, MISALIGNED, ZEROED, FOREIGN, TOO_LONG } breakage;
static const char *const BREAKAGES[] = {"sound", "NULL", "misaligned", "zeroed", "foreign", "too long"};

/* What kind a pointer is, by what may be done to it. */
enum { CAN_NULL = 1, CAN_MISALIGN = 2, IS_OBJECT = 4, CAN_BE_LONG = 8 };

static breakage mode;
static int target;
/* Whether the mode applies to the target: it was met, and is of a kind that can be broken so. */
static bool applied;

/* The object that the call was to make, if any. */
static const void *made;

static uint64_t zeros[256];
/* An object of a type that no row wants in the place where it is put. */
static puffin_values foreign_values;
static puffin_footer foreign_footer;

static void *broken(int argument, int kind, const void *pointer) {
  if (argument != target || mode == SOUND) {
    return (void *)(uintptr_t)pointer;
  }
  if (mode == NULLED && kind & CAN_NULL) {
    applied = true;
    return NULL;
  }
  if (mode == MISALIGNED && kind & CAN_MISALIGN) {
    applied = true;
    return (void *)((uintptr_t)pointer + 1);
  }
  if (mode == ZEROED && kind & IS_OBJECT) {
    applied = true;
    return zeros;
  }
  if (mode == FOREIGN && kind & IS_OBJECT) {
    applied = true;
    /* Of the two, one is another type for sure. */
    return memcmp(pointer, &foreign_values, 8) == 0 ? (void *)&foreign_footer : (void *)&foreign_values;
  }
  return (void *)(uintptr_t)pointer;
}

/* The place of an object that the call is to make. */
static void *makes(int argument, void *pointer) {
  made = argument == target ? NULL : pointer;
  return broken(argument, CAN_NULL | CAN_MISALIGN, pointer);
}

/* The length of bytes: one that no memory has, if that is the breakage. */
static size_t length(int argument, size_t len) {
  if (argument == target && mode == TOO_LONG) {
    applied = true;
    return SIZE_MAX / 2 + 1;
  }
  return len;
}

#define OBJECT(n, p) broken(n, CAN_NULL | CAN_MISALIGN | IS_OBJECT, p) /* an object that is used */
#define MAKES(n, p) makes(n, p)                                        /* an object that is made */
#define PLACE(n, p) broken(n, CAN_NULL | CAN_MISALIGN, p)              /* an answer, or words */
#define WANTED(n, p) broken(n, CAN_MISALIGN, p)                        /* an answer that may be NULL, or options */
#define BYTES(n, p) broken(n, CAN_NULL, p)                             /* bytes or text */
#define LENGTH(n, len) length(n, len)

/* ---- what the rows use, made anew before each call ---- */

static uint8_t file_bytes[4096], blob_bytes[256], frame[256], out_bytes[4096], buffer[2048], lz4_scratch[4096];
static char text[64];
static size_t file_len, blob_len, frame_len;
static uint64_t words[16384], more_words[4096], positions_in[3] = {5, 6, 9}, position;
static uint32_t values_out[256];
static int32_t fields_in[2] = {1, 2}, fields_out[8];
static bool flags_out[8], flag;
static size_t size, count;
static int64_t record_count = 3;
static uint32_t value;
static puffin_error error, described = {PUFFIN_STATUS_BAD_MAGIC, 0, 7, 9};
static puffin_file file;
static puffin_footer footer;
static puffin_metadata metadata;
static puffin_blobs blobs;
static puffin_blob blob, vector_blob;
static puffin_properties properties;
static puffin_property property;
static puffin_str string, name = {"created-by", 10};
static puffin_footer_info footer_info = {.struct_size = sizeof footer_info};
static puffin_blob_info blob_info = {.struct_size = sizeof blob_info};
static puffin_limits limits = {.struct_size = sizeof limits};
static puffin_dv dv;
static puffin_index index_of;
static puffin_cursor cursor;
static puffin_positions positions;
static puffin_positions_rev back;
static puffin_ranges ranges;
static puffin_range range, ranges_in[2] = {{1, 4}, {8, 9}}, ranges_out[4];
static puffin_bitmap32 bitmap32;
static puffin_values values;
static puffin_operation operation;
static puffin_manifest_entry entry;
static puffin_verify verify;
static puffin_finding finding;
static puffin_source source;
static puffin_encode_options encode_options = {.struct_size = sizeof encode_options};
static puffin_writer writer;
static puffin_written written;
static puffin_property property_in = {{"created-by", 10}, {"me", 2}};
static puffin_new_blob new_blob = {.struct_size = sizeof new_blob};
static uint8_t *spare;
static const uint8_t *borrowed;
static const char *const DATA_FILE = "s3://a";
static const uint8_t BITMAP32[] = {0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 7, 0};
static const char *path = "referenced-data-file";

static void must(puffin_status status, const char *call) {
  if (status != PUFFIN_STATUS_OK) {
    die("%s: %s", call, puffin_status_name(status));
  }
}
#define MUST(call) must(call, #call)

/* Puts a vector into blob_bytes and a file with it and a compressed blob into file_bytes. */
static void write_fixture(void) {
  size_t len = puffin_encode_scratch_len(1);
  MUST(puffin_source_positions(positions_in, 3, &source, NULL));
  MUST(puffin_encode(&source, 1, NULL, words, len, blob_bytes, sizeof blob_bytes, &blob_len, NULL, NULL));
  MUST(puffin_lz4_encode((const uint8_t *)"hello, hello, hello, hello", 26, frame, sizeof frame, &frame_len, NULL));
  new_blob.blob_type.ptr = "greeting";
  new_blob.blob_type.len = 8;
  new_blob.fields = fields_in;
  new_blob.field_count = 2;
  new_blob.properties = &property_in;
  new_blob.property_count = 1;
  new_blob.codec = PUFFIN_COMPRESSION_LZ4;
  MUST(puffin_writer_start(file_bytes, sizeof file_bytes, buffer, sizeof buffer, more_words, 8, &writer, NULL));
  MUST(puffin_writer_add_vector(&writer, DATA_FILE, 6, blob_bytes, blob_len, &entry, NULL));
  MUST(puffin_writer_add_blob(&writer, &new_blob, frame, frame_len, NULL, NULL));
  MUST(puffin_writer_finish(&writer, &property_in, 1, &written, NULL));
  file_len = (size_t)written.file_len;
}

static void set_up(void) {
  size_t len = 0;
  bool found = false;
  footer_info.struct_size = sizeof footer_info;
  blob_info.struct_size = sizeof blob_info;
  MUST(puffin_file_parse(file_bytes, file_len, &file, NULL));
  MUST(puffin_file_footer(&file, &footer, NULL));
  foreign_footer = footer;
  MUST(puffin_footer_metadata(&footer, NULL, 0, NULL, &metadata, NULL));
  MUST(puffin_metadata_blobs(&metadata, &blobs, NULL));
  MUST(puffin_metadata_find_vector(&metadata, DATA_FILE, 6, &vector_blob, &found, NULL));
  MUST(puffin_metadata_blob(&metadata, 1, &blob, NULL));
  MUST(puffin_metadata_properties(&metadata, &properties, NULL));
  MUST(puffin_metadata_property(&metadata, name.ptr, name.len, &string, NULL));
  MUST(puffin_dv_parse(blob_bytes, blob_len, &dv, NULL));
  MUST(puffin_dv_index_len(&dv, &len, NULL));
  MUST(puffin_dv_index_into(&dv, words, len, &index_of, NULL));
  MUST(puffin_dv_cursor(&dv, &cursor, NULL));
  MUST(puffin_dv_positions(&dv, 0, &positions, NULL));
  MUST(puffin_dv_positions_rev(&dv, &back, NULL));
  MUST(puffin_dv_deleted_ranges(&dv, 0, 100, &ranges, NULL));
  MUST(puffin_bitmap32_parse(BITMAP32, sizeof BITMAP32, &bitmap32, NULL));
  MUST(puffin_bitmap32_values(&bitmap32, 0, &values, NULL));
  foreign_values = values;
  MUST(puffin_dv_union(&dv, &dv, &operation, NULL));
  MUST(puffin_verify_start(&file, &metadata, more_words, 6, NULL, 0, NULL, &verify, NULL));
  MUST(puffin_source_positions(positions_in, 3, &source, NULL));
  MUST(puffin_writer_start(out_bytes, sizeof out_bytes, buffer, sizeof buffer, more_words + 100, 8, &writer, NULL));
  MUST(puffin_writer_spare(&writer, &spare, &len, NULL));
  memcpy(spare, blob_bytes, blob_len);
  ranges_out[0] = range;
}

/* ---- the rows ---- */

#define ROW(function, call) \
  static puffin_status row_##function(void) { return function call; }
#include "rows.h"
#undef ROW

typedef struct {
  const char *name;
  puffin_status (*call)(void);
} named_row;

static const named_row ROWS[] = {
#define ROW(function, call) {#function, row_##function},
#include "rows.h"
#undef ROW
};
/* Functions that take no pointer and cannot fail: called for what they answer. */
static const char *const PLAIN[] = {
    "puffin_status_name",         "puffin_status_message", "puffin_version",            "puffin_version_string",
    "puffin_abi_version",         "puffin_features",       "puffin_verify_scratch_len", "puffin_encode_scratch_len",
    "puffin_lz4_max_encoded_len", "puffin_writer_scratch_len"};

static size_t failures;
static void fail(const char *function, const char *reason, puffin_status status) {
  printf("FAIL %s, argument %d %s: %s (%s)\n", function, target, BREAKAGES[mode], reason, puffin_status_name(status));
  failures++;
}

static size_t run(const named_row *row) {
  size_t calls = 0;
  mode = SOUND;
  target = -1;
  set_up();
  puffin_status sound = row->call();
  if (sound != PUFFIN_STATUS_OK) {
    fail(row->name, "the sound call fails", sound);
  }
  for (target = 0; target < 12; target++) {
    for (mode = NULLED; mode <= TOO_LONG; mode = (breakage)(mode + 1)) {
      set_up();
      memset(&error, 0xEE, sizeof error);
      applied = false;
      made = NULL;
      puffin_status status = row->call();
      if (!applied) {
        if (status != PUFFIN_STATUS_OK) {
          fail(row->name, "the unbroken call fails", status);
        }
        continue;
      }
      calls++;
      if (status != PUFFIN_STATUS_INVALID_ARGUMENT) {
        fail(row->name, "not refused", status);
      }
      /* What was there before has gone, unless the place itself was broken. */
      uint64_t tag = 0;
      if (made != NULL) {
        memcpy(&tag, made, sizeof tag);
      }
      if (tag != 0) {
        fail(row->name, "an object is left", status);
      }
      bool has_record = strcmp(row->name, "puffin_error_describe") != 0;
      if (has_record && (error.status != status || error.offset != (uint64_t)target || error.found != 0)) {
        fail(row->name, "another record", (puffin_status)error.status);
      }
    }
  }
  return calls;
}

/* The record itself: may be NULL, must be aligned. */
static void check_record(void) {
  bool answer = false;
  mode = SOUND;
  set_up();
  puffin_error *odd = (puffin_error *)((uintptr_t)words + 1);
  puffin_status status = puffin_dv_contains(&dv, 5, &answer, odd);
  if (status != PUFFIN_STATUS_INVALID_ARGUMENT || answer) {
    fail("puffin_dv_contains", "a misaligned record", status);
  }
  status = puffin_dv_contains(NULL, 5, &answer, NULL);
  if (status != PUFFIN_STATUS_INVALID_ARGUMENT) {
    fail("puffin_dv_contains", "no record", status);
  }
}

/* A failed making leaves no object, not even the one that was there. */
static void check_failed_objects(void) {
  bool answer = false;
  set_up();
  uint8_t byte = 0;
  puffin_status status = puffin_dv_parse(&byte, 1, &dv, NULL);
  if (status == PUFFIN_STATUS_OK || puffin_dv_contains(&dv, 5, &answer, NULL) != PUFFIN_STATUS_INVALID_ARGUMENT) {
    fail("puffin_dv_parse", "a vector is left", status);
  }
  set_up();
  status = puffin_file_parse(&byte, 1, &file, NULL);
  if (status == PUFFIN_STATUS_OK || puffin_file_footer(&file, &footer, NULL) != PUFFIN_STATUS_INVALID_ARGUMENT) {
    fail("puffin_file_parse", "a file is left", status);
  }
}

/* Memory that takes the place of other memory must not overlap it; where it does not, nothing is forgotten. */
static void check_replaced(void) {
  static uint64_t small[2], large[64];
  static uint8_t footer_buffer[600];
  puffin_error record;
  mode = SOUND;
  MUST(puffin_writer_start(out_bytes, 120, footer_buffer, 200, large, 2, &writer, NULL));
  MUST(puffin_writer_add_vector(&writer, "a", 1, blob_bytes, blob_len, NULL, NULL));
  puffin_status status = puffin_writer_add_vector(&writer, "b", 1, blob_bytes, blob_len, NULL, &record);
  if (status != PUFFIN_STATUS_BUFFER_TOO_SMALL || record.offset != 0 || record.found <= 200) {
    fail("puffin_writer_add_vector", "a short footer buffer", status);
  }
  status = puffin_writer_replace_buffer(&writer, footer_buffer + 100, 500, NULL);
  if (status != PUFFIN_STATUS_INVALID_ARGUMENT) {
    fail("puffin_writer_replace_buffer", "overlapping memory", status);
  }
  MUST(puffin_writer_replace_buffer(&writer, buffer, sizeof buffer, NULL));
  status = puffin_writer_add_vector(&writer, "b", 1, blob_bytes, blob_len, NULL, &record);
  if (status != PUFFIN_STATUS_SCRATCH_TOO_SMALL || record.found != 4) {
    fail("puffin_writer_add_vector", "short scratch", status);
  }
  status = puffin_writer_replace_scratch(&writer, large, 64, NULL);
  if (status != PUFFIN_STATUS_INVALID_ARGUMENT) {
    fail("puffin_writer_replace_scratch", "overlapping memory", status);
  }
  status = puffin_writer_replace_scratch(&writer, small, 1, &record);
  if (status != PUFFIN_STATUS_SCRATCH_TOO_SMALL || record.found != 2) {
    fail("puffin_writer_replace_scratch", "too short", status);
  }
  MUST(puffin_writer_replace_scratch(&writer, words, 64, NULL));
  status = puffin_writer_add_vector(&writer, "a", 1, blob_bytes, blob_len, NULL, &record);
  if (status != PUFFIN_STATUS_DUPLICATE_VECTOR) {
    fail("puffin_writer_add_vector", "a second vector for a data file", status);
  }
  MUST(puffin_writer_add_vector(&writer, "b", 1, blob_bytes, blob_len, NULL, NULL));
  status = puffin_writer_finish(&writer, NULL, 0, &written, &record);
  if (status != PUFFIN_STATUS_BUFFER_TOO_SMALL || record.offset != 4 + 2 * blob_len || record.found <= 120) {
    fail("puffin_writer_finish", "a short file", status);
  }
}

/* The need that a short output is told, where the length output has it and where the record has it. */
static void check_needs(void) {
  puffin_manifest_entry entries[3] = {{4, 9, 1, {NULL, 0}}, {40, 9, 1, {NULL, 0}}, {20, 9, 1, {NULL, 0}}};
  puffin_error record;
  set_up();
  puffin_status status = puffin_blob_fields(&blob, fields_out, 1, &count, &record);
  if (status != PUFFIN_STATUS_BUFFER_TOO_SMALL || count != 2 || record.found != 2) {
    fail("puffin_blob_fields", "another need", status);
  }
  status = puffin_fetch_ranges(entries, 3, 0, ranges_out, 2, &count, &record);
  if (status != PUFFIN_STATUS_BUFFER_TOO_SMALL || count != 3 || record.found != 3) {
    fail("puffin_fetch_ranges", "another need", status);
  }
  size_t need = puffin_encode_scratch_len(1);
  status = puffin_encode_max_len(&source, 1, NULL, words, need - 1, &position, &record);
  if (status != PUFFIN_STATUS_SCRATCH_TOO_SMALL || record.found != need) {
    fail("puffin_encode_max_len", "another need", status);
  }
  status = puffin_verify_start(&file, &metadata, more_words, 5, NULL, 0, NULL, &verify, &record);
  if (status != PUFFIN_STATUS_SCRATCH_TOO_SMALL || record.found != 6) {
    fail("puffin_verify_start", "another need", status);
  }
  new_blob.reserved = 1;
  status = puffin_writer_entry_len(&new_blob, 4, 9, &size, NULL);
  new_blob.reserved = 0;
  if (status != PUFFIN_STATUS_INVALID_ARGUMENT) {
    fail("puffin_writer_entry_len", "a field that is not known", status);
  }
}

/* Structs of other versions: shorter ones, longer ones with zeros, and with something that is not known. */
static void check_sizes(void) {
  union {
    puffin_limits limits;
    uint64_t words[20];
  } longer;
  size_t len = 0;
  set_up();
  memset(&longer, 0, sizeof longer);
  struct {
    size_t size;
    uint64_t last;
    bool good;
  } tries[] = {{sizeof(size_t), 0, true}, {sizeof longer, 0, true}, {sizeof longer, 1, false},
               {0, 0, false},             {SIZE_MAX, 0, false}};
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    longer.limits.struct_size = tries[i].size;
    longer.words[19] = tries[i].last;
    puffin_status status = puffin_footer_scratch_len(&footer, &longer.limits, &len, NULL);
    if ((status == PUFFIN_STATUS_OK) != tries[i].good) {
      fail("puffin_footer_scratch_len", "a struct of another size", status);
    }
  }
  puffin_footer_info info = {.struct_size = offsetof(puffin_footer_info, len), .len = 77};
  puffin_status status = puffin_footer_get_info(&footer, &info, NULL);
  if (status != PUFFIN_STATUS_OK || info.len != 77 || info.offset == 0) {
    fail("puffin_footer_get_info", "a shorter struct", status);
  }
}

static bool has_row(const char *function) {
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, function) == 0) {
      return true;
    }
  }
  for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
    if (strcmp(PLAIN[i], function) == 0) {
      return true;
    }
  }
  return false;
}

static void check_plain(void) {
  bool good = strcmp(puffin_status_name(101), "PUFFIN_STATUS_TRUNCATED") == 0 &&
              strcmp(puffin_status_name(-5), "unknown status") == 0 && *puffin_status_message(201) != '\0' &&
              puffin_version() == (PUFFIN_VERSION_MAJOR << 16 | PUFFIN_VERSION_MINOR << 8 | PUFFIN_VERSION_PATCH) &&
              strcmp(puffin_version_string(), "0.1.0") == 0 && puffin_abi_version() == PUFFIN_ABI_VERSION &&
              (puffin_features() & ~(uint32_t)PUFFIN_FEATURE_DETECTION) == PUFFIN_FEATURE_WRITE && puffin_verify_scratch_len(2) == 6 &&
              puffin_encode_scratch_len(0) == 2048 && puffin_lz4_max_encoded_len(0) > 0 &&
              puffin_writer_scratch_len(3) == 6 && puffin_encode_scratch_len(SIZE_MAX) == SIZE_MAX;
  if (!good) {
    fail("a function without pointers", "answers otherwise", PUFFIN_STATUS_OK);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    die("usage: matrix SYMBOLS");
  }
  FILE *list = fopen(argv[1], "r");
  if (list == NULL) {
    die("%s cannot be read", argv[1]);
  }
  char line[128];
  size_t functions = 0, calls = 0;
  while (fgets(line, sizeof line, list) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    functions++;
    if (!has_row(line)) {
      printf("FAIL %s has no row\n", line);
      failures++;
    }
  }
  fclose(list);
  write_fixture();
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    calls += run(&ROWS[i]);
  }
  check_record();
  check_failed_objects();
  check_sizes();
  check_needs();
  check_replaced();
  check_plain();
  printf("functions: %zu\nbroken calls: %zu\nfailed: %zu\n", functions, calls, failures);
  return failures > 0 || functions == 0;
}
