/*
 * Puffin files in SQLite: where the extension starts, and its scalar functions.
 *
 *   puffin_is_deleted(file, data_file, position)   1 or 0; NULL if an argument is NULL
 *   puffin_codec_version()                         the version of the library
 */

#include <string.h>

#include "file.h"

SQLITE_EXTENSION_INIT1

// A vector with the file that it borrows.
typedef struct opened {
  input *file;
  bool found;  // false: the file has no vector for that data file, which means that no row of it is deleted
  puffin_dv dv;
} opened;

static void release_file(void *file) { input_release(file); }

static void release_opened(void *memory) {
  opened *vector = memory;
  if (vector != NULL) input_release(vector->file);
  sqlite3_free(vector);
}

/*
 * The file is auxiliary data of the first argument, the vector of the second: SQLite keeps each from row to row as long
 * as that argument is constant, and may drop either whenever it likes. The vector therefore holds the file, and is only
 * used together with the very file that the first argument means now. What is used in this call is held by it, as
 * sqlite3_set_auxdata may free what it is given before it returns.
 */
static int current_file(sqlite3_context *context, sqlite3_value *value, input **file, char **message) {
  input *kept = sqlite3_get_auxdata(context, 0);
  if (kept != NULL) {
    *file = input_hold(kept);
    return SQLITE_OK;
  }
  const char *name = NULL;
  int code = input_name(value, &name, message);
  if (code == SQLITE_OK) code = input_open(name, file, message);
  if (code == SQLITE_OK) sqlite3_set_auxdata(context, 0, input_hold(*file), release_file);
  return code;
}

static int answer(sqlite3_context *context, input *file, sqlite3_value *data_file, sqlite3_int64 position,
                  char **message) {
  opened *kept = sqlite3_get_auxdata(context, 1);
  opened *made = NULL;
  if (kept == NULL || kept->file != file) {
    const char *path = (const char *)sqlite3_value_text(data_file);
    made = path == NULL ? NULL : sqlite3_malloc64(sizeof *made);
    if (made == NULL) return SQLITE_NOMEM;
    made->file = input_hold(file);
    size_t path_len = (size_t)sqlite3_value_bytes(data_file);
    int code = input_vector(file, path, path_len, &made->dv, &made->found, message);
    if (code != SQLITE_OK) {
      release_opened(made);
      return code;
    }
    kept = made;
  }
  bool deleted = false;
  puffin_error error;
  int code = SQLITE_OK;
  if (kept->found && position >= 0 &&
      puffin_dv_contains(&kept->dv, (uint64_t)position, &deleted, &error) != PUFFIN_STATUS_OK) {
    code = input_fault(file->name, &error, message);
  }
  if (made != NULL) sqlite3_set_auxdata(context, 1, made, release_opened);
  if (code == SQLITE_OK) sqlite3_result_int(context, deleted);
  return code;
}

static void is_deleted(sqlite3_context *context, int argc, sqlite3_value **argv) {
  for (int i = 0; i < argc; i++) {
    if (sqlite3_value_type(argv[i]) == SQLITE_NULL) return;
  }
  if (sqlite3_value_numeric_type(argv[2]) != SQLITE_INTEGER) {
    sqlite3_result_error(context, "puffin_is_deleted: the position is no integer", -1);
    return;
  }
  char *message = NULL;
  input *file = NULL;
  int code = current_file(context, argv[0], &file, &message);
  if (code == SQLITE_OK) {
    code = answer(context, file, argv[1], sqlite3_value_int64(argv[2]), &message);
    input_release(file);
  }
  if (code != SQLITE_OK) (void)context_result(context, code, message);
}

static void codec_version(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc, (void)argv;
  sqlite3_result_text(context, puffin_version_string(), -1, SQLITE_STATIC);
}

// The name that SQLite looks for in a library called puffin.so; the one function that the library exports.
__attribute__((visibility("default"))) int sqlite3_puffin_init(sqlite3 *db, char **message,
                                                               const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api)
  if (puffin_abi_version() != PUFFIN_ABI_VERSION) {
    *message = sqlite3_mprintf("puffin: made for ABI %d, linked with %u", PUFFIN_ABI_VERSION, puffin_abi_version());
    return *message == NULL ? SQLITE_NOMEM : SQLITE_ERROR;
  }
  // Not deterministic, as files may change between statements; not for views and triggers, as it reads files.
  int code = sqlite3_create_function(db, "puffin_is_deleted", 3, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, is_deleted, NULL,
                                     NULL);
  if (code == SQLITE_OK) {
    code = sqlite3_create_function(db, "puffin_codec_version", 0,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, codec_version, NULL,
                                   NULL);
  }
  if (code == SQLITE_OK) code = register_blobs(db);
  if (code == SQLITE_OK) code = register_positions(db);
  return code;
}
