/*
 * Puffin files for the SQL functions and tables of this extension: read into memory, opened, shared by count.
 *
 * Every function that can fail returns an SQLite result code. With any but SQLITE_OK and SQLITE_NOMEM, *message is a
 * text from sqlite3_mprintf that names the file and says what is wrong; it belongs to the caller.
 */
#ifndef PUFFIN_SQLITE_FILE_H
#define PUFFIN_SQLITE_FILE_H

#include <puffin_codec.h>
#include <sqlite3ext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What SQLITE_TRANSIENT says with a cast from a number: SQLite copies the text before the call returns.
#define COPIED ((sqlite3_destructor_type)(intptr_t)-1)

// A file in memory with its footer read. Never changes once it is open.
typedef struct input {
  int references;        // who holds it; connections never share one, so that no lock is needed
  char *name;            // as it was given
  uint8_t *bytes;        // the whole file
  size_t len;            // their number
  uint8_t *scratch;      // the text of a compressed footer, else NULL
  puffin_file file;      // borrows bytes
  puffin_metadata metadata;  // borrows bytes and scratch
} input;

// Reads and opens a file: *opened is held once. NULL after a failure.
int input_open(const char *name, input **opened, char **message);

// Makes *held the file of that name: keeps it if it is that one already, else lets go of it and opens the other.
// *held is NULL after a failure.
int input_switch(const char *name, input **held, char **message);

// Holds a file once more.
input *input_hold(input *file);

// Lets go of a file, which may be NULL; the last to do so frees it.
void input_release(input *file);

// Opens the vector of a data file. *found is false if the file has none, which is no failure.
int input_vector(const input *file, const char *data_file, size_t data_file_len, puffin_dv *dv, bool *found,
                 char **message);

// Says what an error record of a call on this file says. Returns SQLITE_ERROR or SQLITE_NOMEM.
int input_fault(const char *name, const puffin_error *error, char **message);

// The text of an SQL value as a file name. *name is NULL if the value is NULL; fails if it holds a NUL character, as
// file names cannot. Valid until the value changes.
int input_name(sqlite3_value *value, const char **name, char **message);

// The last step of a table's method: hands the message to SQLite, and the code through.
int table_result(sqlite3_vtab *table, int code, char *message);

// The last step of a function that failed, scalar or column: hands message and code to SQLite, and the code through.
int context_result(sqlite3_context *context, int code, char *message);

// Tables, and the two functions; each registers itself. extension.c calls them.
int register_blobs(sqlite3 *db);
int register_positions(sqlite3 *db);

#endif
