/*
 * Lists the blobs of a Puffin file: list FILE
 *
 * A line for each blob: its number, type, offset, length and snapshot id; for a deletion vector its data file and its
 * cardinality, counted, behind them. Fields are parted by tabs.
 */

#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <puffin_codec.h>

static int fault(const char *path, const puffin_error *error) {
  fprintf(stderr, "%s: %s: %s at byte %" PRIu64 "\n", path, puffin_status_name(error->status),
          puffin_status_message(error->status), error->offset);
  return 1;
}

/* A string of the footer in plain text. Its length is asked for first, which costs as much as writing it. */
static int print_text(puffin_str text, puffin_error *error) {
  size_t len = 0;
  puffin_status status = puffin_str_unescape(text, NULL, 0, &len, error);
  if (status != PUFFIN_STATUS_OK && status != PUFFIN_STATUS_BUFFER_TOO_SMALL) {
    return status;
  }
  char *plain = malloc(len + 1);
  if (plain == NULL) {
    perror("malloc");
    exit(1);
  }
  status = puffin_str_unescape(text, plain, len, &len, error);
  if (status == PUFFIN_STATUS_OK) {
    fwrite(plain, 1, len, stdout);
  }
  free(plain);
  return status;
}

static int print_blob(const puffin_file *file, const puffin_blob *blob, puffin_error *error) {
  puffin_blob_info info = {.struct_size = sizeof info};
  int status = puffin_blob_get_info(blob, &info, error);
  if (status != PUFFIN_STATUS_OK) {
    return status;
  }
  printf("%zu\t", info.index);
  status = print_text(info.blob_type, error);
  if (status != PUFFIN_STATUS_OK) {
    return status;
  }
  printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRId64, info.offset, info.length, info.snapshot_id);

  bool is_vector = false;
  status = puffin_str_equals(info.blob_type, "deletion-vector-v1", strlen("deletion-vector-v1"), &is_vector, error);
  if (status == PUFFIN_STATUS_OK && is_vector) {
    puffin_str data_file;
    puffin_dv dv;
    uint64_t cardinality = 0;
    putchar('\t');
    status = puffin_blob_property(blob, "referenced-data-file", strlen("referenced-data-file"), &data_file, error);
    if (status == PUFFIN_STATUS_OK && data_file.ptr != NULL) {
      status = print_text(data_file, error);
    }
    if (status == PUFFIN_STATUS_OK) {
      status = puffin_dv_read_blob(file, blob, &dv, error);
    }
    if (status == PUFFIN_STATUS_OK) {
      status = puffin_dv_cardinality(&dv, &cardinality, error);
    }
    if (status == PUFFIN_STATUS_OK) {
      printf("\t%" PRIu64, cardinality);
    }
  }
  putchar('\n');
  return status;
}

/* Everything about the bytes of a file; scratch is for the text of a footer that is compressed. */
static int list(const uint8_t *data, size_t len, uint8_t **scratch, puffin_error *error) {
  puffin_file file;
  puffin_footer footer;
  puffin_metadata metadata;
  puffin_blobs blobs;
  size_t scratch_len = 0;
  int status = puffin_file_parse(data, len, &file, error);
  if (status == PUFFIN_STATUS_OK) {
    status = puffin_file_footer(&file, &footer, error);
  }
  if (status == PUFFIN_STATUS_OK) {
    status = puffin_footer_scratch_len(&footer, NULL, &scratch_len, error);
  }
  if (status == PUFFIN_STATUS_OK && scratch_len > 0) {
    *scratch = malloc(scratch_len);
    if (*scratch == NULL) {
      perror("malloc");
      exit(1);
    }
  }
  if (status == PUFFIN_STATUS_OK) {
    status = puffin_footer_metadata(&footer, *scratch, scratch_len, NULL, &metadata, error);
  }
  if (status == PUFFIN_STATUS_OK) {
    status = puffin_metadata_blobs(&metadata, &blobs, error);
  }
  while (status == PUFFIN_STATUS_OK) {
    puffin_blob blob;
    bool more = false;
    status = puffin_blobs_next(&blobs, &blob, &more, error);
    if (status == PUFFIN_STATUS_OK && !more) {
      break;
    }
    if (status == PUFFIN_STATUS_OK) {
      status = print_blob(&file, &blob, error);
    }
  }
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: list FILE\n");
    return 2;
  }
  const char *path = argv[1];
  struct stat stat;
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0 || fstat(descriptor, &stat) != 0) {
    perror(path);
    return 1;
  }
  /* Nothing can be mapped of an empty file; it is no Puffin file either, which the library is to say. */
  size_t len = (size_t)stat.st_size;
  void *data = len == 0 ? NULL : mmap(NULL, len, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (data == MAP_FAILED) {
    perror(path);
    return 1;
  }

  uint8_t *scratch = NULL;
  puffin_error error;
  int status = list(data, len, &scratch, &error);
  free(scratch);
  if (data != NULL) {
    munmap(data, len);
  }
  if (status != PUFFIN_STATUS_OK) {
    return fault(path, &error);
  }
  return 0;
}
