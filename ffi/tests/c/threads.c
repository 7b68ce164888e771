/*
 * Eight threads ask one vector, one set operation and one file's metadata at once, each with places of its own: for a
 * build with -fsanitize=thread, and to see that all get the same answers.
 */
#include "puffin_codec.h"
#include "table.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROWS = 300000, BATCH = 2048 };

static puffin_dv dv;
static puffin_index index_of;
static puffin_operation operation;
static puffin_metadata metadata;

typedef struct {
  uint64_t live, deleted, positions, common, contained;
  size_t blobs;
  bool good;
} answers;

#define MUST(call)                         \
  if ((call) != PUFFIN_STATUS_OK) {        \
    return NULL;                           \
  }

static void *ask(void *out) {
  answers *a = out;
  puffin_cursor cursor;
  puffin_positions positions;
  puffin_blobs blobs;
  puffin_blob blob;
  uint64_t mask[BATCH / 64], batch[512];
  size_t count = 0;
  bool yes = false;
  MUST(puffin_dv_cursor(&dv, &cursor, NULL));
  for (uint64_t row = 0; row < ROWS; row += BATCH) {
    MUST(puffin_cursor_live_mask(&cursor, row, BATCH, mask, BATCH / 64, NULL));
    for (size_t i = 0; i < BATCH / 64; i++) {
      for (uint64_t bits = mask[i]; bits != 0; bits &= bits - 1) {
        a->live++;
      }
    }
    MUST(puffin_dv_contains(&dv, row, &yes, NULL));
    a->contained += yes;
    MUST(puffin_index_contains(&index_of, row + 1, &yes, NULL));
    a->contained += yes;
  }
  MUST(puffin_dv_count(&dv, 0, ROWS, &a->deleted, NULL));
  MUST(puffin_dv_positions(&dv, 0, &positions, NULL));
  do {
    MUST(puffin_positions_fill(&positions, batch, 512, &count, NULL));
    a->positions += count;
  } while (count == 512);
  MUST(puffin_operation_cardinality(&operation, &a->common, NULL));
  MUST(puffin_metadata_blobs(&metadata, &blobs, NULL));
  for (bool more = true;;) {
    MUST(puffin_blobs_next(&blobs, &blob, &more, NULL));
    if (!more) {
      break;
    }
    a->blobs++;
  }
  a->good = true;
  return NULL;
}

int main(void) {
  /* Every third row, and a run of some. */
  static uint64_t rows[ROWS / 3], scratch[8192], index_words[8];
  static uint8_t out[200000], buffer[2048];
  puffin_range run = {200000, 260000};
  puffin_source sources[2];
  puffin_writer writer;
  puffin_written written;
  puffin_file file;
  puffin_footer footer;
  puffin_blob blob;
  uint8_t *spare = NULL;
  size_t len = 0;
  uint64_t cardinality = 0;
  bool found = false;
  for (size_t i = 0; i < ROWS / 3; i++) {
    rows[i] = 3 * i;
  }
  bool good =
      puffin_source_positions(rows, ROWS / 3, &sources[0], NULL) == PUFFIN_STATUS_OK &&
      puffin_source_ranges(&run, 1, &sources[1], NULL) == PUFFIN_STATUS_OK &&
      puffin_writer_start(out, sizeof out, buffer, sizeof buffer, scratch + 8000, 4, &writer, NULL) == PUFFIN_STATUS_OK &&
      puffin_writer_spare(&writer, &spare, &len, NULL) == PUFFIN_STATUS_OK &&
      puffin_encode(sources, 2, NULL, scratch, 8000, spare, len, &len, &cardinality, NULL) == PUFFIN_STATUS_OK &&
      puffin_writer_commit_vector(&writer, "a", 1, len, NULL, NULL) == PUFFIN_STATUS_OK &&
      puffin_writer_finish(&writer, NULL, 0, &written, NULL) == PUFFIN_STATUS_OK &&
      puffin_file_parse(out, (size_t)written.file_len, &file, NULL) == PUFFIN_STATUS_OK &&
      puffin_file_footer(&file, &footer, NULL) == PUFFIN_STATUS_OK &&
      puffin_footer_metadata(&footer, NULL, 0, NULL, &metadata, NULL) == PUFFIN_STATUS_OK &&
      puffin_metadata_find_vector(&metadata, "a", 1, &blob, &found, NULL) == PUFFIN_STATUS_OK && found &&
      puffin_dv_read_blob(&file, &blob, &dv, NULL) == PUFFIN_STATUS_OK &&
      puffin_dv_index_into(&dv, index_words, 8, &index_of, NULL) == PUFFIN_STATUS_OK &&
      puffin_dv_intersection(&dv, &dv, &operation, NULL) == PUFFIN_STATUS_OK;
  if (!good) {
    die("the vector cannot be made");
  }
  pthread_t threads[THREADS];
  answers all[THREADS];
  memset(all, 0, sizeof all);
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, ask, &all[i]) != 0) {
      die("no thread");
    }
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    uint64_t rounded = (ROWS + BATCH - 1) / BATCH * BATCH;
    good = good && all[i].good && memcmp(&all[i], &all[0], sizeof *all) == 0 && all[i].positions == cardinality &&
           all[i].deleted == cardinality && all[i].common == cardinality && all[i].live == rounded - cardinality &&
           all[i].blobs == 1;
  }
  printf("threads: %d\npositions: %llu\n%s\n", THREADS, (unsigned long long)cardinality, good ? "agree" : "FAIL: differ");
  return good ? 0 : 1;
}
