/*
 * The examples of puffin_codec.h and of the README, as they stand there, compiled and run: a test sees that they are the
 * same. manual FILE: a Puffin file with a vector, written by somebody else.
 */
#include "puffin_codec.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                     \
  if (!(condition)) {                                        \
    die("%s:%d: not so: %s", __FILE__, __LINE__, #condition); \
  }

static uint64_t rows_kept, positions_read;

static void filter(uint64_t row, size_t rows, const uint64_t *keep) {
  (void)row;
  for (size_t i = 0; i < rows; i++) {
    rows_kept += keep[i / 64] >> (i % 64) & 1;
  }
}

static void consume(const uint64_t *batch, size_t count) {
  (void)batch;
  positions_read += count;
}

/* A whole program. */
static uint64_t count_deleted(const uint8_t *bytes, size_t len, const char *path) {
  puffin_file file;
  puffin_footer footer;
  puffin_metadata metadata;
  puffin_blob blob;
  puffin_dv dv;
  puffin_error error;
  bool found = false;
  uint64_t deleted = 0;
  if (puffin_file_parse(bytes, len, &file, &error) != PUFFIN_STATUS_OK ||
      puffin_file_footer(&file, &footer, &error) != PUFFIN_STATUS_OK ||
      puffin_footer_metadata(&footer, NULL, 0, NULL, &metadata, &error) != PUFFIN_STATUS_OK ||
      puffin_metadata_find_vector(&metadata, path, strlen(path), &blob, &found, &error) != PUFFIN_STATUS_OK ||
      (found && (puffin_dv_read_blob(&file, &blob, &dv, &error) != PUFFIN_STATUS_OK ||
                 puffin_dv_cardinality(&dv, &deleted, &error) != PUFFIN_STATUS_OK))) {
    fprintf(stderr, "%s at byte %llu\n", puffin_status_message(error.status), (unsigned long long)error.offset);
  }
  CHECK(found);
  return deleted;
}

static char *data_file(puffin_str value) {
  char path[4096];
  size_t len = 0;
  puffin_status status = puffin_str_unescape(value, path, sizeof path, &len, NULL);
  CHECK(status == PUFFIN_STATUS_OK);
  char *copy = must_alloc(len + 1);
  memcpy(copy, path, len);
  return copy;
}

static void locate(const uint8_t *file, size_t file_len) {
  const uint8_t *tail = file + file_len - 3, *longer = NULL;
  size_t tail_len = 3;
  puffin_error error;
  puffin_status status;
  puffin_footer footer;
  uint64_t offset, len;
  status = puffin_footer_locate(tail, tail_len, file_len, &footer, &offset, &len, &error);
  while (status == PUFFIN_STATUS_OK && len > 0) {
    longer = file + offset;
    status = puffin_footer_locate(longer, (size_t)len, file_len, &footer, &offset, &len, &error);
  }
  CHECK(longer != NULL && status == PUFFIN_STATUS_OK && len == 0);
}

/* Lists the blobs; gives the data file of the first. */
static char *list(puffin_metadata metadata) {
  puffin_error error;
  char *first = NULL;
  size_t count = 0, declared = 0;
  puffin_blobs blobs;
  puffin_blob blob;
  bool more = true;
  puffin_metadata_blobs(&metadata, &blobs, NULL);
  while (puffin_blobs_next(&blobs, &blob, &more, &error) == PUFFIN_STATUS_OK && more) {
    puffin_blob_info info = {.struct_size = sizeof info};
    puffin_blob_get_info(&blob, &info, NULL);
    CHECK(info.index == count++ && info.blob_type.len == 18);
    puffin_str path = {NULL, 0};
    if (first == NULL && puffin_blob_property(&blob, "referenced-data-file", 20, &path, NULL) == PUFFIN_STATUS_OK) {
      first = data_file(path);
    }
  }
  CHECK(!more && puffin_metadata_blob_count(&metadata, &declared, NULL) == PUFFIN_STATUS_OK && declared == count);
  return first;
}

static void ask(const uint8_t *blob, size_t blob_len) {
  puffin_dv dv;
  puffin_error error;
  bool deleted = false;
  if (puffin_dv_parse(blob, blob_len, &dv, &error) == PUFFIN_STATUS_OK) {
    (void)puffin_dv_contains(&dv, 42, &deleted, NULL);
  }
  CHECK(deleted);
}

static void read_all(puffin_dv dv) {
  puffin_positions positions;
  uint64_t batch[1024];
  size_t count = 0;
  (void)puffin_dv_positions(&dv, 0, &positions, NULL);
  do {
    if (puffin_positions_fill(&positions, batch, 1024, &count, NULL) != PUFFIN_STATUS_OK) break;
    consume(batch, count);
  } while (count == 1024);
}

static void scan(puffin_dv dv, uint64_t row_count) {
  puffin_cursor cursor;
  uint64_t keep[2048 / 64];
  (void)puffin_dv_cursor(&dv, &cursor, NULL);
  for (uint64_t row = 0; row < row_count; row += 2048) {
    size_t rows = row_count - row < 2048 ? (size_t)(row_count - row) : 2048;
    if (puffin_cursor_live_mask(&cursor, row, rows, keep, 2048 / 64, NULL) != PUFFIN_STATUS_OK) break;
    filter(row, rows, keep);
  }
}

static void readme(const uint8_t *bytes, size_t len, uint64_t offset, puffin_manifest_entry manifest_entry,
                   uint64_t row_count) {
  puffin_dv dv;
  puffin_cursor cursor;
  puffin_error error;
  uint64_t keep[2048 / 64];
  if (puffin_dv_read_entry(bytes, len, offset, &manifest_entry, &dv, &error) == PUFFIN_STATUS_OK &&
      puffin_dv_cursor(&dv, &cursor, &error) == PUFFIN_STATUS_OK) {
    for (uint64_t row = 0; row < row_count; row += 2048) {
      size_t rows = row_count - row < 2048 ? (size_t)(row_count - row) : 2048;
      puffin_cursor_live_mask(&cursor, row, rows, keep, 2048 / 64, NULL);
      filter(row, rows, keep);
    }
  }
}

static uint64_t change(puffin_dv earlier, puffin_dv later) {
  puffin_operation newly;
  uint64_t count = 0;
  puffin_dv_difference(&later, &earlier, &newly, NULL);
  puffin_operation_cardinality(&newly, &count, NULL);
  return count;
}

static puffin_dv read_range(const uint8_t *file, size_t file_len, int64_t content_offset, int64_t content_size_in_bytes,
                            int64_t record_count) {
  puffin_error error;
  puffin_status status;
  puffin_dv dv;
  status = puffin_dv_read_range(file, file_len, content_offset, content_size_in_bytes, &record_count, &dv, &error);
  CHECK(status == PUFFIN_STATUS_OK);
  return dv;
}

static void verify_all(puffin_file file, puffin_metadata metadata) {
  uint64_t scratch[300];
  size_t words = 300;
  puffin_error error;
  puffin_status status;
  puffin_verify verify;
  puffin_finding finding;
  bool more = true;
  status = puffin_verify_start(&file, &metadata, scratch, words, NULL, 0, NULL, &verify, &error);
  while (status == PUFFIN_STATUS_OK && puffin_verify_next(&verify, &finding, &more, NULL) == PUFFIN_STATUS_OK && more) {
    printf("%.*s\n", (int)finding.message.len, finding.message.ptr);
  }
  CHECK(status == PUFFIN_STATUS_OK && !more);
}

/* Writes a file with what was deleted before, and what is deleted now. */
static void commit(puffin_dv old, const char *path) {
  const uint64_t rows[] = {42, 1000000};
  size_t row_count = 2, blob_len, path_len = strlen(path);
  uint8_t blob[100000];
  puffin_error error;
  {
    uint8_t out[sizeof blob];
    // A delete commit: what was deleted before, and what is deleted now.
    puffin_source sources[2];
    uint64_t scratch[2048 + 200];  // puffin_encode_scratch_len(2) words at least
    size_t len = 0;
    (void)puffin_source_vector(&old, &sources[0], NULL);
    (void)puffin_source_positions(rows, row_count, &sources[1], NULL);
    puffin_status status =
        puffin_encode(sources, 2, NULL, scratch, 2248, out, sizeof out, &len, NULL, NULL);
    CHECK(status == PUFFIN_STATUS_OK && puffin_encode_scratch_len(2) <= 2248);
    memcpy(blob, out, len);
    blob_len = len;
  }
  ask(blob, blob_len);
  uint8_t out[sizeof blob + 1000], buffer[1000];
  puffin_writer writer;
  puffin_manifest_entry entry;
  puffin_written written;
  uint64_t scratch[2];  // puffin_writer_scratch_len(1)
  puffin_writer_start(out, sizeof out, buffer, sizeof buffer, scratch, 2, &writer, &error);
  puffin_writer_add_vector(&writer, path, path_len, blob, blob_len, &entry, &error);
  puffin_writer_finish(&writer, NULL, 0, &written, &error);
  puffin_dv both =
      read_range(out, (size_t)written.file_len, entry.content_offset, entry.content_size_in_bytes, entry.record_count);
  uint64_t before = 0, newly = change(old, both);
  bool known = false;
  CHECK(puffin_dv_cardinality(&old, &before, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_dv_contains(&old, 42, &known, NULL) == PUFFIN_STATUS_OK);
  CHECK(newly == (known ? 1U : 2U) && entry.record_count == (int64_t)(before + newly));
  CHECK(puffin_writer_scratch_len(1) == 2 && count_deleted(out, (size_t)written.file_len, path) == before + newly);
  rows_kept = 0;
  readme(out, (size_t)written.file_len, 0, entry, 1000001);
  uint64_t inside = 0;
  CHECK(puffin_dv_count(&both, 0, 1000001, &inside, NULL) == PUFFIN_STATUS_OK && inside > 0);
  CHECK(rows_kept == 1000001 - inside);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    die("usage: manual FILE");
  }
  table here = {.folder = argv[1]};
  char *slash = strrchr(argv[1], '/');
  CHECK(slash != NULL);
  *slash = '\0';
  bytes file_bytes = table_read(&here, slash + 1);
  puffin_file file;
  puffin_footer footer;
  puffin_metadata metadata;
  puffin_blob blob;
  puffin_dv dv;
  uint64_t last = 0;
  bool found = false;
  CHECK(puffin_file_parse(file_bytes.data, file_bytes.len, &file, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_file_footer(&file, &footer, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_footer_metadata(&footer, NULL, 0, NULL, &metadata, NULL) == PUFFIN_STATUS_OK);
  char *path = list(metadata);
  CHECK(path != NULL);
  uint64_t deleted = count_deleted(file_bytes.data, file_bytes.len, path);
  locate(file_bytes.data, file_bytes.len);
  verify_all(file, metadata);
  CHECK(puffin_metadata_blob(&metadata, 0, &blob, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_dv_read_blob(&file, &blob, &dv, NULL) == PUFFIN_STATUS_OK);
  read_all(dv);
  CHECK(puffin_dv_max(&dv, &last, &found, NULL) == PUFFIN_STATUS_OK && found);
  uint64_t row_count = last < 1000000 ? last + 1 : 1000000, inside = 0;
  scan(dv, row_count);
  CHECK(puffin_dv_count(&dv, 0, row_count, &inside, NULL) == PUFFIN_STATUS_OK);
  CHECK(positions_read == deleted && rows_kept == row_count - inside);
  commit(dv, path);
  free(path);
  bytes_free(&file_bytes);
  printf("manual: %llu positions\n", (unsigned long long)deleted);
  return 0;
}
