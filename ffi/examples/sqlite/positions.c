/*
 * puffin_positions(file, data_file): the positions of the deleted rows of a data file, ascending, a row a position.
 *
 * They are streamed out of the serialized vector, a batch at a time. Comparisons of position become the place to start
 * and the place to stop; rowid is the ordinal, from 0, of a position in its vector, whatever is asked of it.
 */

#include <string.h>

#include "file.h"

SQLITE_EXTENSION_INIT3

enum column { COLUMN_POSITION, COLUMN_FILE, COLUMN_DATA_FILE };

enum { BATCH = 1024 };

static const char schema[] =
    "CREATE TABLE puffin_positions(position INTEGER, file TEXT HIDDEN, data_file TEXT HIDDEN)";

typedef struct positions_cursor {
  sqlite3_vtab_cursor base;
  input *file;       // this and the vector are kept from one xFilter to the next, as an inner loop asks for the same
  char *data_file;   // NULL: no vector has been looked for
  size_t data_file_len;
  bool found;        // the data file has a vector
  puffin_dv dv;
  puffin_positions place;
  uint64_t last;     // the highest position that is asked for
  sqlite3_int64 ordinal;
  size_t index;      // of the current position in the batch
  size_t count;      // of positions in the batch; 0 at the end
  size_t capacity;   // how much of the batch is filled at once
  uint64_t batch[BATCH];
} positions_cursor;

static int positions_connect(sqlite3 *db, void *context, int argc, const char *const *argv, sqlite3_vtab **made,
                             char **message) {
  (void)context, (void)argc, (void)argv, (void)message;
  int code = sqlite3_declare_vtab(db, schema);
  if (code != SQLITE_OK) return code;
  (void)sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  *made = sqlite3_malloc64(sizeof **made);
  if (*made == NULL) return SQLITE_NOMEM;
  memset(*made, 0, sizeof **made);
  return SQLITE_OK;
}

static int positions_disconnect(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

// The letter by which xFilter is told of a comparison; 0 for those of no use.
static char letter(unsigned char op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return '=';
    case SQLITE_INDEX_CONSTRAINT_GT: return '>';
    case SQLITE_INDEX_CONSTRAINT_GE: return 'g';
    case SQLITE_INDEX_CONSTRAINT_LT: return '<';
    case SQLITE_INDEX_CONSTRAINT_LE: return 'l';
    default: return 0;
  }
}

// Arguments of xFilter: file, data_file, then a bound a letter of the plan's text. Bounds are a help only: SQLite
// checks the comparisons again, which settles what text and fractions mean.
static int positions_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  int file = -1, data_file = -1, arguments = 2;
  bool unusable = false, equal = false, low = false, high = false;
  sqlite3_str *plan = sqlite3_str_new(NULL);
  for (int i = 0; i < info->nConstraint; i++) {
    unsigned char op = info->aConstraint[i].op;
    int column = info->aConstraint[i].iColumn;
    if (column == COLUMN_FILE || column == COLUMN_DATA_FILE) {
      int *slot = column == COLUMN_FILE ? &file : &data_file;
      if (op != SQLITE_INDEX_CONSTRAINT_EQ || *slot >= 0) continue;
      if (info->aConstraint[i].usable) {
        *slot = i;
      } else {
        unusable = true;
      }
    } else if (column == COLUMN_POSITION && info->aConstraint[i].usable && letter(op) != 0) {
      sqlite3_str_appendchar(plan, 1, letter(op));
      info->aConstraintUsage[i].argvIndex = ++arguments;
      equal = equal || letter(op) == '=';
      low = low || letter(op) == '>' || letter(op) == 'g';
      high = high || letter(op) == '<' || letter(op) == 'l';
    }
  }
  int code = sqlite3_str_errcode(plan);
  info->idxStr = sqlite3_str_finish(plan);  // NULL if there is no bound
  info->needToFreeIdxStr = 1;
  if (code != SQLITE_OK) return code;
  if (file < 0 || data_file < 0) {
    for (int i = 0; i < info->nConstraint; i++) info->aConstraintUsage[i].argvIndex = 0;
    if (unusable) return SQLITE_CONSTRAINT;
    info->idxNum = 0;  // xFilter will say what is missing, unless there is another plan
    info->estimatedCost = 1e18;
    return SQLITE_OK;
  }
  info->aConstraintUsage[file].argvIndex = 1;
  info->aConstraintUsage[file].omit = 1;
  info->aConstraintUsage[data_file].argvIndex = 2;
  info->aConstraintUsage[data_file].omit = 1;
  info->idxNum = 1;
  info->estimatedRows = equal ? 1 : low && high ? 1000 : low || high ? 10000 : 100000;
  info->estimatedCost = equal ? 2 : 10 + (double)info->estimatedRows;
  if (equal) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  info->orderByConsumed = info->nOrderBy == 1 && !info->aOrderBy[0].desc &&
                          (info->aOrderBy[0].iColumn == COLUMN_POSITION || info->aOrderBy[0].iColumn < 0);
  return SQLITE_OK;
}

static int positions_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made) {
  (void)table;
  positions_cursor *cursor = sqlite3_malloc64(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  *made = &cursor->base;
  return SQLITE_OK;
}

static int positions_close(sqlite3_vtab_cursor *base) {
  positions_cursor *cursor = (positions_cursor *)base;
  sqlite3_free(cursor->data_file);
  input_release(cursor->file);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

// Narrows first to last by a comparison. False if nothing is left.
static bool narrow(char op, sqlite3_value *value, sqlite3_int64 *first, sqlite3_int64 *last) {
  const sqlite3_int64 highest = INT64_MAX;
  sqlite3_int64 low = 0, high = highest, bound = 0;
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_NULL:
      return false;
    case SQLITE_INTEGER:
      bound = sqlite3_value_int64(value);
      if (op == '=' || op == 'g') low = bound;
      if (op == '>') {
        if (bound == highest) return false;
        low = bound + 1;
      }
      if (op == '=' || op == 'l') high = bound;
      if (op == '<') {
        if (bound <= 0) return false;
        high = bound - 1;
      }
      break;
    case SQLITE_FLOAT: {
      double real = sqlite3_value_double(value);
      if (!(real > -9e18 && real < 9e18)) return true;
      bound = (sqlite3_int64)real;  // less than 1 away, so that this holds all that the comparison lets through
      if (op == '=' || op == 'g' || op == '>') low = bound - 1;
      if (op == '=' || op == 'l' || op == '<') high = bound + 1;
      break;
    }
    default:
      return true;
  }
  if (low > *first) *first = low;
  if (high < *last) *last = high;
  return *first <= *last;
}

// Opens the vector, unless it is open. file and data_file of the cursor are those that are asked for, or none.
static int positions_vector(positions_cursor *cursor, sqlite3_value *file, sqlite3_value *data_file, bool *none,
                            char **message) {
  const char *name = NULL;
  *none = true;
  int code = input_name(file, &name, message);
  if (code != SQLITE_OK || name == NULL || sqlite3_value_type(data_file) == SQLITE_NULL) return code;
  const char *path = (const char *)sqlite3_value_text(data_file);
  if (path == NULL) return SQLITE_NOMEM;
  size_t path_len = (size_t)sqlite3_value_bytes(data_file);

  const input *before = cursor->file;
  bool kept = before != NULL && strcmp(before->name, name) == 0 && cursor->data_file != NULL &&
              cursor->data_file_len == path_len && memcmp(cursor->data_file, path, path_len) == 0;
  if (!kept) {
    sqlite3_free(cursor->data_file);
    cursor->data_file = NULL;
    code = input_switch(name, &cursor->file, message);
    if (code == SQLITE_OK) {
      code = input_vector(cursor->file, path, path_len, &cursor->dv, &cursor->found, message);
    }
    if (code != SQLITE_OK) return code;
    cursor->data_file = sqlite3_malloc64(path_len + 1);
    if (cursor->data_file == NULL) return SQLITE_NOMEM;
    memcpy(cursor->data_file, path, path_len);
    cursor->data_file[path_len] = 0;
    cursor->data_file_len = path_len;
  }
  *none = !cursor->found;
  return SQLITE_OK;
}

// Fills the batch, and ends it behind the last position that is asked for.
static int positions_fill(positions_cursor *cursor) {
  puffin_error error;
  cursor->index = 0;
  if (puffin_positions_fill(&cursor->place, cursor->batch, cursor->capacity, &cursor->count, &error) !=
      PUFFIN_STATUS_OK) {
    char *message = NULL;
    cursor->count = 0;
    int code = input_fault(cursor->file->name, &error, &message);
    return table_result(cursor->base.pVtab, code, message);
  }
  return SQLITE_OK;
}

static int positions_filter(sqlite3_vtab_cursor *base, int plan, const char *letters, int argc, sqlite3_value **argv) {
  positions_cursor *cursor = (positions_cursor *)base;
  char *message = NULL;
  cursor->index = 0;
  cursor->count = 0;
  if (plan == 0 || argc < 2) {
    message = sqlite3_mprintf("puffin_positions needs a file and a data file: puffin_positions(FILE, DATA_FILE)");
    return table_result(base->pVtab, message == NULL ? SQLITE_NOMEM : SQLITE_ERROR, message);
  }
  bool none = false;
  int code = positions_vector(cursor, argv[0], argv[1], &none, &message);
  if (code != SQLITE_OK) return table_result(base->pVtab, code, message);
  if (none) return SQLITE_OK;

  sqlite3_int64 first = 0, last = INT64_MAX;
  for (int i = 2; i < argc; i++) {
    if (!narrow(letters[i - 2], argv[i], &first, &last)) return SQLITE_OK;
  }
  uint64_t below = 0;
  puffin_error error;
  if ((first > 0 && puffin_dv_rank(&cursor->dv, (uint64_t)first - 1, &below, &error) != PUFFIN_STATUS_OK) ||
      puffin_dv_positions(&cursor->dv, (uint64_t)first, &cursor->place, &error) != PUFFIN_STATUS_OK) {
    code = input_fault(cursor->file->name, &error, &message);
    return table_result(base->pVtab, code, message);
  }
  cursor->ordinal = (sqlite3_int64)below;
  cursor->last = (uint64_t)last;
  cursor->capacity = last - first < BATCH ? (size_t)(last - first + 1) : BATCH;
  return positions_fill(cursor);
}

static int positions_next(sqlite3_vtab_cursor *base) {
  positions_cursor *cursor = (positions_cursor *)base;
  cursor->ordinal++;
  if (++cursor->index < cursor->count) return SQLITE_OK;
  if (cursor->count < cursor->capacity) {  // the batch that ended the vector
    cursor->count = 0;
    return SQLITE_OK;
  }
  return positions_fill(cursor);
}

static int positions_eof(sqlite3_vtab_cursor *base) {
  const positions_cursor *cursor = (const positions_cursor *)base;
  return cursor->index >= cursor->count || cursor->batch[cursor->index] > cursor->last;
}

static int positions_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  const positions_cursor *cursor = (const positions_cursor *)base;
  switch ((enum column)column) {
    case COLUMN_POSITION:
      sqlite3_result_int64(context, (sqlite3_int64)cursor->batch[cursor->index]);
      break;
    case COLUMN_FILE:
      sqlite3_result_text(context, cursor->file->name, -1, COPIED);
      break;
    case COLUMN_DATA_FILE:
      sqlite3_result_text64(context, cursor->data_file, cursor->data_file_len, COPIED, SQLITE_UTF8);
      break;
  }
  return SQLITE_OK;
}

static int positions_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((positions_cursor *)base)->ordinal;
  return SQLITE_OK;
}

static const sqlite3_module positions_module = {
    .iVersion = 0,
    .xConnect = positions_connect,
    .xBestIndex = positions_best_index,
    .xDisconnect = positions_disconnect,
    .xOpen = positions_open,
    .xClose = positions_close,
    .xFilter = positions_filter,
    .xNext = positions_next,
    .xEof = positions_eof,
    .xColumn = positions_column,
    .xRowid = positions_rowid,
};

int register_positions(sqlite3 *db) { return sqlite3_create_module(db, "puffin_positions", &positions_module, NULL); }
