/* Tables of test inputs: tab-separated rows under a header line, JSON in two of the columns, and the files they name. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* Exactly any signed or unsigned number of 64 bits. */
__extension__ typedef __int128 wide;

enum { MOST_COLUMNS = 32 };

typedef struct {
  char *text; /* owns the cells */
  const char *cells[MOST_COLUMNS];
} row;

typedef struct {
  char *folder;
  char *header;
  const char *columns[MOST_COLUMNS];
  size_t column_count;
  row *rows;
  size_t row_count;
} table;

typedef struct {
  uint8_t *data;
  size_t len;
} bytes;

/* Each of these ends the program with a message when the table or a file cannot be read. */
table table_open(const char *folder, const char *name);
void table_close(table *t);
const char *cell(const table *t, const row *r, const char *column);
json_object *cell_json(const table *t, const row *r, const char *column);
/* A file of the folder, gunzipped if its name ends in .gz, in memory of exactly its size. */
bytes table_read(const table *t, const char *name);
void bytes_free(bytes *b);

/* Whether the value is an integer of 64 bits, signed or unsigned. */
bool json_integer(json_object *value, wide *out);

/* SHA-256, as lower-case hexadecimal digits. */
typedef struct sha256 sha256;
sha256 *sha256_start(void);
void sha256_add(sha256 *s, const uint8_t *data, size_t len);
void sha256_add_u64(sha256 *s, uint64_t value);
void sha256_end(sha256 *s, char hex[65]);

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *must_alloc(size_t len);

#endif
