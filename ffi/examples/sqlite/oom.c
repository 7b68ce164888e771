/*
 * Lets every allocation of a statement fail, one after the other: oom LIBRARY, in the folder of the test files.
 *
 * Each time the answer has to be SQLITE_NOMEM, or what it is with enough memory (SQLite does without some of its own),
 * and when the connection is closed no byte may be left.
 */

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#define SPARK "'corpus/spark-3.5.9-iceberg-1.10.2/warehouse/db/plain/data/00000-20-79ec4c5e-bc72-4eca-9d23-ab673d21be0c-00001-deletes.puffin'"
#define ROWS "'warehouse/db/plain/data/00000-12-a54cd7cb-872e-4195-91f4-b42f58a4837c-00001.parquet'"
#define LZ4 "'corpus/liblz4-1.9.4/puffin/lz4-footer-linked.puffin'"

static const char *const statements[] = {
    "SELECT * FROM puffin_blobs(" SPARK ")",
    "SELECT json_group_array(properties), file FROM puffin_blobs(" LZ4 ")",
    "SELECT sum(position), max(rowid), file, data_file FROM puffin_positions(" SPARK ", " ROWS ") WHERE position >= 3 AND position < 400",
    "SELECT b.blob, sum(position) FROM puffin_blobs(" SPARK ") b JOIN puffin_positions(" SPARK ", b.referenced_data_file) GROUP BY 1",
    "SELECT position, data_file FROM puffin_positions(" SPARK ", " ROWS ") WHERE position IN (0, 7, 40)",
    "SELECT puffin_is_deleted(" SPARK ", " ROWS ", position) FROM puffin_positions(" LZ4 ", 's3://b/t/data/00000.parquet')",
    "SELECT puffin_is_deleted(" SPARK ", referenced_data_file, 7) FROM puffin_blobs(" SPARK ")",
    "SELECT puffin_is_deleted(b.file, " ROWS ", 7) FROM puffin_blobs(" SPARK ") b, (SELECT 1 UNION SELECT 2)",
    "SELECT * FROM puffin_blobs('no-such-file.puffin')",
    "SELECT * FROM puffin_blobs('corpus/by-hand/puffin/bad-missing-type.puffin')",
    "SELECT * FROM puffin_positions('damaged.puffin', (SELECT referenced_data_file FROM puffin_blobs('damaged.puffin')))",
    "SELECT puffin_is_deleted('damaged.puffin', (SELECT referenced_data_file FROM puffin_blobs('damaged.puffin')), 1)",
    "SELECT * FROM puffin_positions(" SPARK ")",
};

static sqlite3_mem_methods real;
static long until = -1;  // allocations to come before the one that fails; -1: none fails
static long total;       // of the failures
static int failed;

static int fails(void) {
  if (until < 0 || until-- > 0) return 0;
  failed = 1;
  total++;
  return 1;
}

static void *failing_malloc(int size) { return fails() ? NULL : real.xMalloc(size); }

static void *failing_realloc(void *memory, int size) { return fails() ? NULL : real.xRealloc(memory, size); }

// Runs a statement on a connection of its own. text takes the rows, or what is wrong.
static int run(const char *library, const char *sql, long fail_at, char *text, size_t capacity) {
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  size_t len = 0;
  failed = 0;
  text[0] = 0;
  int code = sqlite3_open(":memory:", &db);
  if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
  if (sql[0] == 0) until = fail_at;  // loading is what is to fail
  if (code == SQLITE_OK) code = sqlite3_load_extension(db, library, NULL, NULL);
  until = fail_at;
  if (sql[0] == 0 || code != SQLITE_OK) {
    until = -1;
    (void)sqlite3_close(db);
    return code;
  }
  code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(statement);
    for (int i = 0; code == SQLITE_ROW && i < sqlite3_column_count(statement); i++) {
      const char *value = (const char *)sqlite3_column_text(statement, i);
      int put = snprintf(text + len, capacity - len, "%s|", value == NULL ? "" : value);
      if (put > 0 && (size_t)put < capacity - len) len += (size_t)put;
    }
  }
  until = -1;
  if (code != SQLITE_DONE) (void)snprintf(text, capacity, "%s", sqlite3_errmsg(db));
  (void)sqlite3_finalize(statement);
  (void)sqlite3_close(db);
  return code;
}

int main(int argc, char **argv) {
  static char expected[1 << 16], got[1 << 16];
  if (argc != 2) return 2;
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK) return 1;
  sqlite3_mem_methods failing = real;
  failing.xMalloc = failing_malloc;
  failing.xRealloc = failing_realloc;
  if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK) return 1;
  int wrong = 0;
  int loaded = run(argv[1], "", -1, expected, sizeof expected);
  if (loaded != SQLITE_OK) return 1;
  sqlite3_int64 before = sqlite3_memory_used();
  for (long n = 0;; n++) {
    int code = run(argv[1], "", n, got, sizeof got);
    if (sqlite3_memory_used() != before) wrong++, printf("loading, allocation %ld: memory is left\n", n);
    if (!failed) break;
    if (code != SQLITE_OK && code != SQLITE_NOMEM && code != SQLITE_ERROR) {
      wrong++, printf("loading, allocation %ld: %d\n", n, code);
    }
  }
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
    int right = run(argv[1], statements[i], -1, expected, sizeof expected);
    for (long n = 0;; n++) {
      int code = run(argv[1], statements[i], n, got, sizeof got);
      if (sqlite3_memory_used() != before) {
        wrong++, printf("%s\n  allocation %ld: %lld bytes are left\n", statements[i], n,
                        (long long)(sqlite3_memory_used() - before));
        before = sqlite3_memory_used();
      }
      // A message that SQLite has no memory to pass on becomes the one that goes with the code.
      int same = strcmp(expected, got) == 0 || (right != SQLITE_DONE && strcmp(sqlite3_errstr(right), got) == 0);
      if (code != SQLITE_NOMEM && (code != right || !same)) {
        wrong++, printf("%s\n  allocation %ld: %d %s\n", statements[i], n, code, got);
      }
      if (!failed) break;
    }
  }
  printf("%ld allocations failed in %zu statements\n", total, sizeof statements / sizeof *statements);
  return wrong > 0 || total < 100;
}
