/*
 * Scans a data file whose deleted rows a manifest points at: scan FILE CONTENT_OFFSET CONTENT_SIZE RECORD_COUNT ROWS
 *
 * The data file has ROWS rows and one column, in which each row holds its own number. Only the range of the Puffin file that
 * the manifest entry names is read. What is printed: rows kept, rows deleted, batches without a deleted row, and the sum of
 * the column over the rows kept, modulo 2^64.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <puffin_codec.h>

enum { BATCH = 2048, WORDS = BATCH / 64 };

static int64_t number(const char *text) {
  char *end = NULL;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno != 0 || *text == '\0' || *end != '\0' || value < 0) {
    fprintf(stderr, "not a number of rows or bytes: %s\n", text);
    exit(2);
  }
  return value;
}

static int fault(const char *path, const puffin_error *error) {
  fprintf(stderr, "%s: %s: %s at byte %" PRIu64 "\n", path, puffin_status_name(error->status),
          puffin_status_message(error->status), error->offset);
  return 1;
}

/* Reads a range of a file; *len is how much of it there is, less than size where the file ends early. */
static uint8_t *read_range(const char *path, int64_t offset, int64_t size, size_t *len) {
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  int descriptor = open(path, O_RDONLY);
  if (data == NULL || descriptor < 0) {
    perror(path);
    exit(1);
  }
  *len = 0;
  while (*len < (size_t)size) {
    ssize_t got = pread(descriptor, data + *len, (size_t)size - *len, (off_t)(offset + (int64_t)*len));
    if (got < 0 && errno != EINTR) {
      perror(path);
      exit(1);
    }
    if (got == 0) {
      break;
    }
    *len += got > 0 ? (size_t)got : 0;
  }
  close(descriptor);
  return data;
}

/* The column, as a reader of Parquet would fill it. */
static void read_column(uint64_t first_row, size_t rows, int64_t *column) {
  for (size_t i = 0; i < rows; i++) {
    column[i] = (int64_t)(first_row + i);
  }
}

struct totals {
  uint64_t kept;
  uint64_t clean_batches;
  uint64_t sum;
};

static int scan(const puffin_dv *dv, uint64_t row_count, struct totals *sums, puffin_error *error) {
  puffin_cursor cursor;
  int status = puffin_dv_cursor(dv, &cursor, error);
  for (uint64_t row = 0; status == PUFFIN_STATUS_OK && row < row_count; row += BATCH) {
    size_t rows = row_count - row < BATCH ? (size_t)(row_count - row) : BATCH;
    int64_t column[BATCH];
    uint64_t keep[WORDS];
    bool any = false;
    read_column(row, rows, column);
    status = puffin_dv_intersects(dv, row, row + rows, &any, error);
    if (status == PUFFIN_STATUS_OK && !any) {
      for (size_t i = 0; i < rows; i++) {
        sums->sum += (uint64_t)column[i];
      }
      sums->kept += rows;
      sums->clean_batches++;
    } else if (status == PUFFIN_STATUS_OK) {
      status = puffin_cursor_live_mask(&cursor, row, rows, keep, WORDS, error);
      for (size_t i = 0; status == PUFFIN_STATUS_OK && i < rows; i++) {
        /* Without a branch: all ones for a row that is kept, zero for a deleted one. */
        uint64_t bit = keep[i / 64] >> (i % 64) & 1;
        sums->sum += (uint64_t)column[i] & (0 - bit);
        sums->kept += bit;
      }
    }
  }
  return status;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: scan FILE CONTENT_OFFSET CONTENT_SIZE RECORD_COUNT ROWS\n");
    return 2;
  }
  puffin_manifest_entry entry = {
      .content_offset = number(argv[2]), .content_size_in_bytes = number(argv[3]), .record_count = number(argv[4])};
  uint64_t row_count = (uint64_t)number(argv[5]);

  size_t len = 0;
  uint8_t *data = read_range(argv[1], entry.content_offset, entry.content_size_in_bytes, &len);
  puffin_dv dv;
  puffin_error error;
  struct totals sums = {0, 0, 0};
  int status = puffin_dv_read_entry(data, len, (uint64_t)entry.content_offset, &entry, &dv, &error);
  if (status == PUFFIN_STATUS_OK) {
    status = scan(&dv, row_count, &sums, &error);
  }
  free(data);
  if (status != PUFFIN_STATUS_OK) {
    return fault(argv[1], &error);
  }
  printf("kept %" PRIu64 "\ndeleted %" PRIu64 "\nclean batches %" PRIu64 "\nsum %" PRIu64 "\n", sums.kept,
         row_count - sums.kept, sums.clean_batches, sums.sum);
  return 0;
}
