/*
 * Unites the vectors that two Puffin files hold for one data file: merge A B DATA_FILE OUT
 *
 * Writes the union as a Puffin file with that one vector, beside OUT first and then in its place, and prints what a manifest
 * has to say of it. A file without a vector for the data file counts as one without deleted rows.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <puffin_codec.h>

static void *must_alloc(size_t len) {
  void *memory = malloc(len > 0 ? len : 1);
  if (memory == NULL) {
    perror("malloc");
    exit(1);
  }
  return memory;
}

static void must(const char *path, puffin_status status, const puffin_error *error) {
  if (status != PUFFIN_STATUS_OK) {
    fprintf(stderr, "%s: %s: %s at byte %" PRIu64 "\n", path, puffin_status_name(error->status),
            puffin_status_message(error->status), error->offset);
    exit(1);
  }
}

static uint8_t *read_whole(const char *path, size_t *len) {
  struct stat stat;
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0 || fstat(descriptor, &stat) != 0) {
    perror(path);
    exit(1);
  }
  uint8_t *data = must_alloc((size_t)stat.st_size);
  *len = 0;
  while (*len < (size_t)stat.st_size) {
    ssize_t got = read(descriptor, data + *len, (size_t)stat.st_size - *len);
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

/* Opens the vector of a data file; false if the file has none. The vector borrows data, and nothing of the footer. */
static bool open_vector(const char *path, const uint8_t *data, size_t len, const char *data_file, puffin_dv *dv) {
  puffin_file file;
  puffin_footer footer;
  puffin_metadata metadata;
  puffin_blob blob;
  puffin_error error;
  size_t scratch_len = 0;
  bool found = false;
  must(path, puffin_file_parse(data, len, &file, &error), &error);
  must(path, puffin_file_footer(&file, &footer, &error), &error);
  must(path, puffin_footer_scratch_len(&footer, NULL, &scratch_len, &error), &error);
  uint8_t *scratch = must_alloc(scratch_len);
  must(path, puffin_footer_metadata(&footer, scratch, scratch_len, NULL, &metadata, &error), &error);
  must(path, puffin_metadata_find_vector(&metadata, data_file, strlen(data_file), &blob, &found, &error), &error);
  if (found) {
    must(path, puffin_dv_read_blob(&file, &blob, dv, &error), &error);
  }
  free(scratch);
  return found;
}

/* Encodes the union of vectors; their exact length is asked for first. */
static uint8_t *unite(const puffin_dv *vectors, size_t count, size_t *len) {
  puffin_source sources[2];
  puffin_error error;
  for (size_t i = 0; i < count; i++) {
    must("vector", puffin_source_vector(&vectors[i], &sources[i], &error), &error);
  }
  size_t words = puffin_encode_scratch_len(count);
  uint64_t *scratch = must_alloc(words * sizeof *scratch);
  must("union", puffin_encode_len(sources, count, NULL, scratch, words, len, NULL, &error), &error);
  uint8_t *blob = must_alloc(*len);
  must("union", puffin_encode(sources, count, NULL, scratch, words, blob, *len, len, NULL, &error), &error);
  free(scratch);
  return blob;
}

/* Makes the file around the vector; *footer_len is part of what a table's metadata may have to say. */
static uint8_t *wrap(const char *data_file, const uint8_t *blob, size_t blob_len, puffin_manifest_entry *entry,
                     puffin_written *written) {
  puffin_property created_by = {.name = {"created-by", 10}, .value = {"puffin-codec example", 20}};
  puffin_writer writer;
  puffin_error error;
  size_t vector_len = 0, properties_len = 0, words = puffin_writer_scratch_len(1);
  must("footer", puffin_writer_vector_len(data_file, strlen(data_file), &vector_len, &error), &error);
  must("footer", puffin_writer_properties_len(&created_by, 1, &properties_len, &error), &error);
  size_t footer_len = PUFFIN_EMPTY_FOOTER_LEN + vector_len + properties_len;
  size_t capacity = 4 + blob_len + footer_len;
  uint8_t *file = must_alloc(capacity), *footer = must_alloc(footer_len);
  uint64_t *scratch = must_alloc(words * sizeof *scratch);
  must("writer", puffin_writer_start(file, capacity, footer, footer_len, scratch, words, &writer, &error), &error);
  must("writer",
       puffin_writer_add_vector(&writer, data_file, strlen(data_file), blob, blob_len, entry, &error), &error);
  must("writer", puffin_writer_finish(&writer, &created_by, 1, written, &error), &error);
  written->footer = NULL;  /* it is in the file, and this copy goes */
  free(scratch);
  free(footer);
  return file;
}

/* Readers see the file that was there before, or all of the new one. */
static void replace(const char *path, const uint8_t *data, uint64_t len) {
  int room = snprintf(NULL, 0, "%s.%ld", path, (long)getpid()) + 1;
  char *beside = must_alloc((size_t)room);
  snprintf(beside, (size_t)room, "%s.%ld", path, (long)getpid());
  int descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
  FILE *out = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  if (out == NULL) {
    perror(beside);
    exit(1);
  }
  bool written = fwrite(data, 1, (size_t)len, out) == len && fflush(out) == 0 && fsync(descriptor) == 0;
  if (fclose(out) != 0 || !written || rename(beside, path) != 0) {
    perror(path);
    unlink(beside);
    exit(1);
  }
  free(beside);
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: merge A B DATA_FILE OUT\n");
    return 2;
  }
  const char *data_file = argv[3];
  uint8_t *inputs[2];
  puffin_dv vectors[2];
  size_t found = 0;
  for (size_t i = 0; i < 2; i++) {
    size_t len = 0;
    inputs[i] = read_whole(argv[1 + i], &len);
    found += open_vector(argv[1 + i], inputs[i], len, data_file, &vectors[found]) ? 1 : 0;
  }
  if (found == 0) {
    fprintf(stderr, "no vector for %s in %s or %s\n", data_file, argv[1], argv[2]);
    free(inputs[0]);
    free(inputs[1]);
    return 1;
  }

  size_t blob_len = 0;
  uint8_t *blob = unite(vectors, found, &blob_len);
  puffin_manifest_entry entry;
  puffin_written written;
  uint8_t *file = wrap(data_file, blob, blob_len, &entry, &written);
  replace(argv[4], file, written.file_len);
  printf("content_offset %" PRId64 "\ncontent_size_in_bytes %" PRId64 "\nrecord_count %" PRId64
         "\nreferenced_data_file %.*s\nfile length %" PRIu64 "\nfooter length %zu\n",
         entry.content_offset, entry.content_size_in_bytes, entry.record_count, (int)entry.referenced_data_file.len,
         entry.referenced_data_file.ptr, written.file_len, written.footer_len);
  free(file);
  free(blob);
  free(inputs[0]);
  free(inputs[1]);
  return 0;
}
