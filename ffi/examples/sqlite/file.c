// Reads Puffin files, and turns their faults into messages of SQLite.

#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

#define FIRST_READ ((size_t)1 << 16)
#define LONGEST ((size_t)1 << 30)  // SQLite allocates no 2 GiB at once

static int said(int code, char *text, char **message) {
  *message = text;
  return text == NULL ? SQLITE_NOMEM : code;
}

int input_fault(const char *name, const puffin_error *error, char **message) {
  char text[160];
  size_t len = 0;
  if (puffin_error_describe(error, text, sizeof text, &len) != PUFFIN_STATUS_OK) {
    return said(SQLITE_ERROR, sqlite3_mprintf("%s: %s", name, puffin_status_message(error->status)), message);
  }
  return said(SQLITE_ERROR, sqlite3_mprintf("%s: %.*s", name, (int)len, text), message);
}

static int system_fault(int code, const char *name, int number, char **message) {
  return said(code, sqlite3_mprintf("%s: %s", name, strerror(number)), message);
}

// Reads to the end, without asking for the size first: what a directory or a pipe would say to that is of no use.
static int read_all(FILE *stream, input *file, char **message) {
  size_t capacity = 0;
  for (;;) {
    if (file->len == capacity) {
      if (capacity >= LONGEST) {
        return said(SQLITE_ERROR, sqlite3_mprintf("%s: 1 GiB or longer, which is not read", file->name), message);
      }
      size_t larger = capacity == 0 ? FIRST_READ : capacity * 2;
      uint8_t *moved = sqlite3_realloc64(file->bytes, larger);
      if (moved == NULL) return SQLITE_NOMEM;
      file->bytes = moved;
      capacity = larger;
    }
    errno = 0;
    size_t got = fread(file->bytes + file->len, 1, capacity - file->len, stream);
    file->len += got;
    if (ferror(stream)) return system_fault(SQLITE_IOERR_READ, file->name, errno, message);
    if (got == 0) break;
  }
  if (file->len > 0) {  // No byte more than the file has: a memory checker then sees any step over its end.
    uint8_t *exact = sqlite3_realloc64(file->bytes, file->len);
    if (exact == NULL) return SQLITE_NOMEM;
    file->bytes = exact;
  }
  return SQLITE_OK;
}

static int parse(input *file, char **message) {
  puffin_error error;
  puffin_footer footer;
  size_t scratch_len = 0;
  if (puffin_file_parse(file->bytes, file->len, &file->file, &error) != PUFFIN_STATUS_OK ||
      puffin_file_footer(&file->file, &footer, &error) != PUFFIN_STATUS_OK ||
      puffin_footer_scratch_len(&footer, NULL, &scratch_len, &error) != PUFFIN_STATUS_OK) {
    return input_fault(file->name, &error, message);
  }
  if (scratch_len > 0) {
    file->scratch = sqlite3_malloc64(scratch_len);
    if (file->scratch == NULL) return SQLITE_NOMEM;
  }
  if (puffin_footer_metadata(&footer, file->scratch, scratch_len, NULL, &file->metadata, &error) != PUFFIN_STATUS_OK) {
    return input_fault(file->name, &error, message);
  }
  return SQLITE_OK;
}

int input_open(const char *name, input **opened, char **message) {
  *opened = NULL;
  input *file = sqlite3_malloc64(sizeof *file);
  if (file == NULL) return SQLITE_NOMEM;
  memset(file, 0, sizeof *file);
  file->references = 1;
  file->name = sqlite3_mprintf("%s", name);
  int code = file->name == NULL ? SQLITE_NOMEM : SQLITE_OK;
  if (code == SQLITE_OK) {
    FILE *stream = fopen(name, "rb");
    if (stream == NULL) {
      code = system_fault(SQLITE_CANTOPEN, name, errno, message);
    } else {
      code = read_all(stream, file, message);
      (void)fclose(stream);
    }
  }
  if (code == SQLITE_OK) code = parse(file, message);
  if (code != SQLITE_OK) {
    input_release(file);
    return code;
  }
  *opened = file;
  return SQLITE_OK;
}

int input_switch(const char *name, input **held, char **message) {
  if (*held != NULL && strcmp((*held)->name, name) == 0) return SQLITE_OK;
  input_release(*held);
  return input_open(name, held, message);
}

input *input_hold(input *file) {
  file->references++;
  return file;
}

void input_release(input *file) {
  if (file == NULL || --file->references > 0) return;
  sqlite3_free(file->scratch);
  sqlite3_free(file->bytes);
  sqlite3_free(file->name);
  sqlite3_free(file);
}

int input_vector(const input *file, const char *data_file, size_t data_file_len, puffin_dv *dv, bool *found,
                 char **message) {
  puffin_blob blob;
  puffin_error error;
  *found = false;
  bool listed = false;
  if (puffin_metadata_find_vector(&file->metadata, data_file, data_file_len, &blob, &listed, &error) !=
          PUFFIN_STATUS_OK ||
      (listed && puffin_dv_read_blob(&file->file, &blob, dv, &error) != PUFFIN_STATUS_OK)) {
    return input_fault(file->name, &error, message);
  }
  *found = listed;
  return SQLITE_OK;
}

int input_name(sqlite3_value *value, const char **name, char **message) {
  *name = NULL;
  if (sqlite3_value_type(value) == SQLITE_NULL) return SQLITE_OK;
  const char *text = (const char *)sqlite3_value_text(value);
  if (text == NULL) return SQLITE_NOMEM;
  if (strlen(text) != (size_t)sqlite3_value_bytes(value)) {
    return said(SQLITE_ERROR, sqlite3_mprintf("%s: the file name goes on behind a NUL character", text), message);
  }
  *name = text;
  return SQLITE_OK;
}

int table_result(sqlite3_vtab *table, int code, char *message) {
  if (message != NULL) {
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = message;
  }
  return code;
}

int context_result(sqlite3_context *context, int code, char *message) {
  if (code == SQLITE_NOMEM) {
    sqlite3_result_error_nomem(context);
  } else if (code == SQLITE_TOOBIG) {
    sqlite3_result_error_toobig(context);
  } else if (message != NULL) {
    sqlite3_result_error(context, message, -1);
    sqlite3_result_error_code(context, code);
  } else {
    sqlite3_result_error_code(context, code);
  }
  sqlite3_free(message);
  return code;
}
