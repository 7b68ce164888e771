#include "table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/sha2.h>
#include <zlib.h>

void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

void *must_alloc(size_t len) {
  /* One byte at least: NULL is what a failure gives. */
  void *memory = calloc(len > 0 ? len : 1, 1);
  if (memory == NULL) {
    die("out of memory: %zu bytes", len);
  }
  return memory;
}

static bool ends_with(const char *text, const char *end) {
  size_t text_len = strlen(text), end_len = strlen(end);
  return text_len >= end_len && strcmp(text + text_len - end_len, end) == 0;
}

static char *path_of(const char *folder, const char *name) {
  size_t len = strlen(folder) + strlen(name) + 2;
  char *path = must_alloc(len);
  snprintf(path, len, "%s/%s", folder, name);
  return path;
}

/* gzread reads files that are not compressed as they are: so only names say which are. */
static bytes read_whole(const char *path, bool gunzip) {
  gzFile gz = gunzip ? gzopen(path, "rb") : NULL;
  FILE *plain = gunzip ? NULL : fopen(path, "rb");
  if (gz == NULL && plain == NULL) {
    die("%s: %s", path, strerror(errno));
  }
  bytes whole = {NULL, 0};
  size_t room = 0;
  for (;;) {
    if (whole.len == room) {
      room = room < 4096 ? 4096 : room * 2;
      whole.data = realloc(whole.data, room);
      if (whole.data == NULL) {
        die("%s: out of memory", path);
      }
    }
    size_t want = room - whole.len;
    if (want > 1U << 20) {
      want = 1U << 20;
    }
    long got = gunzip ? gzread(gz, whole.data + whole.len, (unsigned)want)
                      : (long)fread(whole.data + whole.len, 1, want, plain);
    if (got < 0 || (!gunzip && ferror(plain))) {
      die("%s: cannot be read", path);
    }
    if (got == 0) {
      break;
    }
    whole.len += (size_t)got;
  }
  if (gunzip) {
    gzclose(gz);
  } else {
    fclose(plain);
  }
  /* Exactly as long as its content, so that a sanitizer sees the first byte read too far. */
  bytes exact = {must_alloc(whole.len), whole.len};
  if (whole.len > 0) {
    memcpy(exact.data, whole.data, whole.len);
  }
  free(whole.data);
  return exact;
}

bytes table_read(const table *t, const char *name) {
  char *path = path_of(t->folder, name);
  bytes content = read_whole(path, ends_with(name, ".gz"));
  free(path);
  return content;
}

void bytes_free(bytes *b) {
  free(b->data);
  b->data = NULL;
  b->len = 0;
}

static size_t split(char *line, const char **cells) {
  size_t count = 0;
  for (char *at = line; at != NULL;) {
    char *end = strchr(at, '\t');
    if (count == MOST_COLUMNS) {
      die("a row has more than %d cells", (int)MOST_COLUMNS);
    }
    cells[count++] = at;
    if (end != NULL) {
      *end++ = '\0';
    }
    at = end;
  }
  return count;
}

static char *copy_of(const char *text, size_t len) {
  char *copy = must_alloc(len + 1);
  memcpy(copy, text, len);
  return copy;
}

table table_open(const char *folder, const char *name) {
  table t = {0};
  t.folder = copy_of(folder, strlen(folder));
  bytes content = table_read(&t, name);
  char *text = copy_of((const char *)content.data, content.len);
  bytes_free(&content);
  size_t room = 0;
  for (char *line = text; line != NULL && *line != '\0';) {
    char *end = strchr(line, '\n');
    size_t len = end != NULL ? (size_t)(end - line) : strlen(line);
    if (len > 0 && line[len - 1] == '\r') {
      len--;
    }
    char *copy = copy_of(line, len);
    if (t.header == NULL) {
      t.header = copy;
      t.column_count = split(copy, t.columns);
    } else if (strspn(copy, "\t") == strlen(copy)) {
      free(copy);
    } else {
      if (t.row_count == room) {
        room = room < 64 ? 64 : room * 2;
        t.rows = realloc(t.rows, room * sizeof *t.rows);
        if (t.rows == NULL) {
          die("out of memory");
        }
      }
      row *r = &t.rows[t.row_count++];
      r->text = copy;
      if (split(copy, r->cells) != t.column_count) {
        die("%s: row %zu has another number of cells", name, t.row_count);
      }
    }
    line = end != NULL ? end + 1 : NULL;
  }
  free(text);
  return t;
}

void table_close(table *t) {
  for (size_t i = 0; i < t->row_count; i++) {
    free(t->rows[i].text);
  }
  free(t->rows);
  free(t->header);
  free(t->folder);
  memset(t, 0, sizeof *t);
}

const char *cell(const table *t, const row *r, const char *column) {
  for (size_t i = 0; i < t->column_count; i++) {
    if (strcmp(t->columns[i], column) == 0) {
      return r->cells[i];
    }
  }
  die("the table has no column %s", column);
}

json_object *cell_json(const table *t, const row *r, const char *column) {
  const char *text = cell(t, r, column);
  if (*text == '\0') {
    return json_object_new_object();
  }
  json_object *object = json_tokener_parse(text);
  if (object == NULL || !json_object_is_type(object, json_type_object)) {
    die("%s: column %s is not a JSON object", cell(t, r, "id"), column);
  }
  return object;
}

bool json_integer(json_object *value, wide *out) {
  if (!json_object_is_type(value, json_type_int)) {
    return false;
  }
  const char *text = json_object_to_json_string(value);
  char *end = NULL;
  errno = 0;
  if (*text == '-') {
    *out = strtoll(text, &end, 10);
  } else {
    *out = strtoull(text, &end, 10);
  }
  return errno == 0 && *end == '\0';
}

struct sha256 {
  struct sha256_ctx context;
};

sha256 *sha256_start(void) {
  sha256 *s = must_alloc(sizeof *s);
  sha256_init(&s->context);
  return s;
}

void sha256_add(sha256 *s, const uint8_t *data, size_t len) { sha256_update(&s->context, len, data); }

void sha256_add_u64(sha256 *s, uint64_t value) {
  uint8_t little[8];
  for (int i = 0; i < 8; i++) {
    little[i] = (uint8_t)(value >> (8 * i));
  }
  sha256_add(s, little, sizeof little);
}

void sha256_end(sha256 *s, char hex[65]) {
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&s->context, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; i++) {
    snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  }
  free(s);
}
