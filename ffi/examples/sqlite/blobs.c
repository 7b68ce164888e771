/*
 * puffin_blobs(file): what the footer of a Puffin file lists, a row a blob, in the order of the footer.
 *
 * Text is as the footer means it, without JSON escapes; fields and properties are JSON, for json_each and json_extract.
 */

#include <string.h>

#include "file.h"

SQLITE_EXTENSION_INIT3

enum column {
  COLUMN_BLOB,
  COLUMN_TYPE,
  COLUMN_OFFSET,
  COLUMN_LENGTH,
  COLUMN_SNAPSHOT_ID,
  COLUMN_SEQUENCE_NUMBER,
  COLUMN_CODEC,
  COLUMN_FIELDS,
  COLUMN_REFERENCED_DATA_FILE,
  COLUMN_CARDINALITY,
  COLUMN_PROPERTIES,
  COLUMN_FILE,
};

static const char schema[] =
    "CREATE TABLE puffin_blobs(blob INTEGER, type TEXT, \"offset\" INTEGER, length INTEGER, snapshot_id INTEGER,"
    " sequence_number INTEGER, codec TEXT, fields TEXT, referenced_data_file TEXT, cardinality INTEGER,"
    " properties TEXT, file TEXT HIDDEN)";

typedef struct blobs_cursor {
  sqlite3_vtab_cursor base;
  input *file;           // kept from one xFilter to the next: an inner loop mostly asks for the same one
  puffin_blobs place;
  puffin_blob blob;
  puffin_blob_info info;
  bool more;             // blob and info are those of the current row
} blobs_cursor;

static int blobs_connect(sqlite3 *db, void *context, int argc, const char *const *argv, sqlite3_vtab **made,
                         char **message) {
  (void)context, (void)argc, (void)argv, (void)message;
  int code = sqlite3_declare_vtab(db, schema);
  if (code != SQLITE_OK) return code;
  // It reads files: not from views and triggers that somebody else put into a database.
  (void)sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  *made = sqlite3_malloc64(sizeof **made);
  if (*made == NULL) return SQLITE_NOMEM;
  memset(*made, 0, sizeof **made);
  return SQLITE_OK;
}

static int blobs_disconnect(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

// Only with a file there is anything to list. A plan without one costs too much to be taken unless there is no other,
// and then xFilter says what is missing.
static int blobs_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  bool unusable = false;
  for (int i = 0; i < info->nConstraint; i++) {
    if (info->aConstraint[i].iColumn != COLUMN_FILE || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!info->aConstraint[i].usable) {
      unusable = true;
      continue;
    }
    info->aConstraintUsage[i].argvIndex = 1;
    info->aConstraintUsage[i].omit = 1;
    info->idxNum = 1;
    info->estimatedCost = 100;
    info->estimatedRows = 10;
    return SQLITE_OK;
  }
  if (unusable) return SQLITE_CONSTRAINT;
  info->idxNum = 0;
  info->estimatedCost = 1e18;
  return SQLITE_OK;
}

static int blobs_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made) {
  (void)table;
  blobs_cursor *cursor = sqlite3_malloc64(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  *made = &cursor->base;
  return SQLITE_OK;
}

static int blobs_close(sqlite3_vtab_cursor *base) {
  blobs_cursor *cursor = (blobs_cursor *)base;
  input_release(cursor->file);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static int blobs_next(sqlite3_vtab_cursor *base) {
  blobs_cursor *cursor = (blobs_cursor *)base;
  puffin_error error;
  char *message = NULL;
  cursor->info.struct_size = sizeof cursor->info;
  if (puffin_blobs_next(&cursor->place, &cursor->blob, &cursor->more, &error) != PUFFIN_STATUS_OK ||
      (cursor->more && puffin_blob_get_info(&cursor->blob, &cursor->info, &error) != PUFFIN_STATUS_OK)) {
    cursor->more = false;
    int code = input_fault(cursor->file->name, &error, &message);
    return table_result(base->pVtab, code, message);
  }
  return SQLITE_OK;
}

static int blobs_filter(sqlite3_vtab_cursor *base, int plan, const char *unused, int argc, sqlite3_value **argv) {
  (void)unused;
  blobs_cursor *cursor = (blobs_cursor *)base;
  char *message = NULL;
  const char *name = NULL;
  cursor->more = false;
  if (plan == 0 || argc < 1) {
    message = sqlite3_mprintf("puffin_blobs needs a file: puffin_blobs(FILE)");
    return table_result(base->pVtab, message == NULL ? SQLITE_NOMEM : SQLITE_ERROR, message);
  }
  int code = input_name(argv[0], &name, &message);
  if (code == SQLITE_OK && name == NULL) return SQLITE_OK;
  if (code == SQLITE_OK) code = input_switch(name, &cursor->file, &message);
  if (code != SQLITE_OK) return table_result(base->pVtab, code, message);
  puffin_error error;
  if (puffin_metadata_blobs(&cursor->file->metadata, &cursor->place, &error) != PUFFIN_STATUS_OK) {
    code = input_fault(name, &error, &message);
    return table_result(base->pVtab, code, message);
  }
  return blobs_next(base);
}

static int blobs_eof(sqlite3_vtab_cursor *base) { return !((blobs_cursor *)base)->more; }

static int blobs_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = (sqlite3_int64)((blobs_cursor *)base)->info.index;
  return SQLITE_OK;
}

// A string of the footer as plain text; NULL if it is absent.
static int result_str(sqlite3_context *context, const char *name, puffin_str text) {
  if (text.ptr == NULL) return SQLITE_OK;
  char *plain = sqlite3_malloc64(text.len + 1);
  if (plain == NULL) return context_result(context, SQLITE_NOMEM, NULL);
  size_t len = 0;
  puffin_error error;
  if (puffin_str_unescape(text, plain, text.len, &len, &error) != PUFFIN_STATUS_OK) {
    char *message = NULL;
    sqlite3_free(plain);
    int code = input_fault(name, &error, &message);
    return context_result(context, code, message);
  }
  sqlite3_result_text64(context, plain, len, sqlite3_free, SQLITE_UTF8);
  return SQLITE_OK;
}

// A count that a footer holds as text: a number where it is one, else what stands there.
static int result_count(sqlite3_context *context, const char *name, puffin_str text) {
  sqlite3_int64 count = 0;
  bool number = text.ptr != NULL && text.len > 0 && text.len <= 18;
  for (size_t i = 0; number && i < text.len; i++) {
    number = text.ptr[i] >= '0' && text.ptr[i] <= '9';
    count = count * 10 + (text.ptr[i] - '0');
  }
  if (!number) return result_str(context, name, text);
  sqlite3_result_int64(context, count);
  return SQLITE_OK;
}

// Hands over what has been put together.
static int result_built(sqlite3_context *context, sqlite3_str *built) {
  int code = sqlite3_str_errcode(built);
  int len = sqlite3_str_length(built);
  char *text = sqlite3_str_finish(built);
  if (code == SQLITE_OK && text == NULL) code = SQLITE_NOMEM;
  if (code != SQLITE_OK) {
    sqlite3_free(text);
    return context_result(context, code, NULL);
  }
  sqlite3_result_text64(context, text, (sqlite3_uint64)len, sqlite3_free, SQLITE_UTF8);
  return SQLITE_OK;
}

static int result_fields(sqlite3_context *context, const blobs_cursor *cursor) {
  char *message = NULL;
  puffin_error error;
  size_t count = cursor->info.field_count;
  int32_t *fields = sqlite3_malloc64((count + 1) * sizeof *fields);
  if (fields == NULL) return context_result(context, SQLITE_NOMEM, NULL);
  if (puffin_blob_fields(&cursor->blob, fields, count, &count, &error) != PUFFIN_STATUS_OK) {
    sqlite3_free(fields);
    int code = input_fault(cursor->file->name, &error, &message);
    return context_result(context, code, message);
  }
  sqlite3_str *built = sqlite3_str_new(sqlite3_context_db_handle(context));
  sqlite3_str_appendchar(built, 1, '[');
  for (size_t i = 0; i < count; i++) sqlite3_str_appendf(built, i == 0 ? "%d" : ",%d", fields[i]);
  sqlite3_str_appendchar(built, 1, ']');
  sqlite3_free(fields);
  return result_built(context, built);
}

static void append_string(sqlite3_str *built, puffin_str text) {
  sqlite3_str_appendchar(built, 1, '"');
  sqlite3_str_append(built, text.ptr, (int)text.len);  // a footer is shorter than 2^31 bytes
  sqlite3_str_appendchar(built, 1, '"');
}

// Names and values come with their JSON escapes, so that quotes are all that is missing.
static int result_properties(sqlite3_context *context, const blobs_cursor *cursor) {
  char *message = NULL;
  puffin_error error;
  puffin_properties place;
  puffin_property property;
  bool more = false;
  const char *separator = "";
  sqlite3_str *built = sqlite3_str_new(sqlite3_context_db_handle(context));
  sqlite3_str_appendchar(built, 1, '{');
  puffin_status status = puffin_blob_properties(&cursor->blob, &place, &error);
  while (status == PUFFIN_STATUS_OK) {
    status = puffin_properties_next(&place, &property, &more, &error);
    if (status != PUFFIN_STATUS_OK || !more) break;
    sqlite3_str_appendall(built, separator);
    append_string(built, property.name);
    sqlite3_str_appendchar(built, 1, ':');
    append_string(built, property.value);
    separator = ",";
  }
  sqlite3_str_appendchar(built, 1, '}');
  if (status != PUFFIN_STATUS_OK) {
    sqlite3_free(sqlite3_str_finish(built));
    int code = input_fault(cursor->file->name, &error, &message);
    return context_result(context, code, message);
  }
  return result_built(context, built);
}

static int property_of(const blobs_cursor *cursor, sqlite3_context *context, const char *name, puffin_str *value) {
  puffin_error error;
  char *message = NULL;
  if (puffin_blob_property(&cursor->blob, name, strlen(name), value, &error) == PUFFIN_STATUS_OK) return SQLITE_OK;
  int code = input_fault(cursor->file->name, &error, &message);
  return context_result(context, code, message);
}

static int blobs_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  const blobs_cursor *cursor = (const blobs_cursor *)base;
  const puffin_blob_info *info = &cursor->info;
  const char *name = cursor->file->name;
  puffin_str value = {NULL, 0};
  int code = SQLITE_OK;
  switch ((enum column)column) {
    case COLUMN_BLOB:
      sqlite3_result_int64(context, (sqlite3_int64)info->index);
      return SQLITE_OK;
    case COLUMN_TYPE:
      return result_str(context, name, info->blob_type);
    case COLUMN_OFFSET:
      sqlite3_result_int64(context, (sqlite3_int64)info->offset);
      return SQLITE_OK;
    case COLUMN_LENGTH:
      sqlite3_result_int64(context, (sqlite3_int64)info->length);
      return SQLITE_OK;
    case COLUMN_SNAPSHOT_ID:
      sqlite3_result_int64(context, info->snapshot_id);
      return SQLITE_OK;
    case COLUMN_SEQUENCE_NUMBER:
      sqlite3_result_int64(context, info->sequence_number);
      return SQLITE_OK;
    case COLUMN_CODEC:
      return result_str(context, name, info->codec_name);
    case COLUMN_FIELDS:
      return result_fields(context, cursor);
    case COLUMN_REFERENCED_DATA_FILE:
      code = property_of(cursor, context, "referenced-data-file", &value);
      return code == SQLITE_OK ? result_str(context, name, value) : code;
    case COLUMN_CARDINALITY:
      code = property_of(cursor, context, "cardinality", &value);
      return code == SQLITE_OK ? result_count(context, name, value) : code;
    case COLUMN_PROPERTIES:
      return result_properties(context, cursor);
    case COLUMN_FILE:
      sqlite3_result_text(context, name, -1, COPIED);
      return SQLITE_OK;
  }
  return SQLITE_OK;
}

// No xCreate: the table is there without CREATE VIRTUAL TABLE, and only so.
static const sqlite3_module blobs_module = {
    .iVersion = 0,
    .xConnect = blobs_connect,
    .xBestIndex = blobs_best_index,
    .xDisconnect = blobs_disconnect,
    .xOpen = blobs_open,
    .xClose = blobs_close,
    .xFilter = blobs_filter,
    .xNext = blobs_next,
    .xEof = blobs_eof,
    .xColumn = blobs_column,
    .xRowid = blobs_rowid,
};

int register_blobs(sqlite3 *db) { return sqlite3_create_module(db, "puffin_blobs", &blobs_module, NULL); }
