/*
 * Runs a table of cases through the C functions: cases FOLDER [--brief | --refusals FILE], where FOLDER has CASES.tsv and the
 * files it names. FILE gets the number of each refused row's status.
 *
 * Every row of a surface that the library has must give its answer; a row that names something unknown fails. Inputs are
 * read at an even and at an odd address, in memory of exactly their length.
 */
#include "calls.h"
#include "set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Surfaces that the library does not have. */
static const char *const NOT_BUILT[] = {"delta-file",     "delta-inline", "delta-path", "paimon-index",
                                        "hudi-positions", "hudi-poslist", "theta",      NULL};
/* zstd takes an allocator: the C library lists and copies such blobs, and does not decode them. */
static const char *const NOT_IN_C[] = {"zstd-frame", NULL};
/* Surfaces that scripts run. */
static const char *const ELSEWHERE[] = {"build", NULL};

static bool listed(const char *const *names, const char *name) {
  for (; *names != NULL; names++) {
    if (strcmp(*names, name) == 0) {
      return true;
    }
  }
  return false;
}

/* Takes a whole number that a parameter cannot hold for a refusal. */
static outcome as_i64(json_object *context, const char *key, int64_t *out) {
  wide number;
  if (!number_of(context, key, &number)) {
    return wrong("the context has no %s", key);
  }
  if (number < INT64_MIN || number > INT64_MAX) {
    return refused(PUFFIN_STATUS_INVALID_ARGUMENT);
  }
  *out = (int64_t)number;
  return ACCEPTED;
}

#define OPEN(call)                          \
  do {                                      \
    puffin_status open_status = (call);     \
    if (open_status != PUFFIN_STATUS_OK) {  \
      return refused(open_status);          \
    }                                       \
  } while (0)

/* A file opened down to its metadata, with the memory that a compressed footer takes. */
typedef struct {
  puffin_file file;
  puffin_metadata metadata;
  uint8_t *scratch;
} opened;

static outcome open_file(const uint8_t *data, size_t len, opened *o) {
  puffin_footer footer;
  size_t need = 0;
  free(o->scratch);
  o->scratch = NULL;
  OPEN(puffin_file_parse(data, len, &o->file, NULL));
  MUST(puffin_file_footer(&o->file, &footer, NULL));
  OPEN(puffin_footer_scratch_len(&footer, NULL, &need, NULL));
  o->scratch = must_alloc(need);
  OPEN(puffin_footer_metadata(&footer, need > 0 ? o->scratch : NULL, need, NULL, &o->metadata, NULL));
  return ACCEPTED;
}

/* The text of a footer's string, in memory of the caller's. */
static char *plain(puffin_str text) {
  size_t len = 0, again = 0;
  puffin_status status = puffin_str_unescape(text, NULL, 0, &len, NULL);
  if (status != PUFFIN_STATUS_OK && status != PUFFIN_STATUS_BUFFER_TOO_SMALL) {
    return NULL;
  }
  char *out = must_alloc(len + 1);
  bool equal = false;
  if (puffin_str_unescape(text, out, len, &again, NULL) != PUFFIN_STATUS_OK || again != len ||
      puffin_str_equals(text, out, len, &equal, NULL) != PUFFIN_STATUS_OK || !equal) {
    free(out);
    return NULL;
  }
  return out;
}

/* The footer, found in tails of several lengths. */
static outcome check_tails(const uint8_t *data, size_t len, const opened *o) {
  size_t lengths[] = {12, 13, 64, 4096, len};
  puffin_footer footer;
  puffin_footer_info truth = {.struct_size = sizeof truth}, info = {.struct_size = sizeof info};
  MUST(puffin_file_footer(&o->file, &footer, NULL));
  MUST(puffin_footer_get_info(&footer, &truth, NULL));
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t tail = lengths[i] < len ? lengths[i] : len;
    uint64_t offset = 0, fetch = 0;
    MUST(puffin_footer_locate(data + (len - tail), tail, len, &footer, &offset, &fetch, NULL));
    if (fetch > 0) {
      SAME("end of what to fetch", offset + fetch, len);
      MUST(puffin_footer_locate(data + offset, (size_t)fetch, len, &footer, &offset, &fetch, NULL));
      SAME("more to fetch", fetch, 0);
    }
    MUST(puffin_footer_get_info(&footer, &info, NULL));
    SAME("payload", info.payload - data, truth.payload - data);
    SAME("footer", info.offset, truth.offset);
  }
  MUST(puffin_footer_parse(data + truth.offset, (size_t)truth.len, len, &footer, NULL));
  return ACCEPTED;
}

/* Lists the blobs, each of which must be readable, and takes the facts about them. */
static outcome list_blobs(const uint8_t *data, size_t len, const opened *o, json_object *facts) {
  puffin_blobs blobs;
  puffin_blob blob, by_number;
  puffin_properties properties;
  puffin_property property;
  size_t count = 0, declared = 0;
  bool more = true;
  json_object *value;
  wide number;
  MUST(puffin_metadata_blobs(&o->metadata, &blobs, NULL));
  for (;; count++) {
    OPEN(puffin_blobs_next(&blobs, &blob, &more, NULL));
    if (!more) {
      break;
    }
    puffin_blob_info info = {.struct_size = sizeof info}, other = {.struct_size = sizeof other};
    MUST(puffin_blob_get_info(&blob, &info, NULL));
    SAME("number", info.index, count);
    if (count < 100) { /* by its number takes time for those before */
      MUST(puffin_metadata_blob(&o->metadata, count, &by_number, NULL));
      MUST(puffin_blob_get_info(&by_number, &other, NULL));
      SAME("blob by its number", other.json.ptr - info.json.ptr, 0);
    }
    MUST(puffin_blob_properties(&blob, &properties, NULL));
    for (bool another = true;;) {
      MUST(puffin_properties_next(&properties, &property, &another, NULL));
      if (!another) {
        break;
      }
      char *name = plain(property.name), *text = plain(property.value);
      puffin_str found = {NULL, 0};
      if (name == NULL || text == NULL) {
        return wrong("a property is no text");
      }
      MUST(puffin_blob_property(&blob, name, strlen(name), &found, NULL));
      if (strlen(name) == property.name.len) { /* without a NUL in it */
        SAME("property by its name", found.ptr - property.value.ptr, 0);
      }
      free(name);
      free(text);
    }
    if (count == 0 && json_object_object_get_ex(facts, "snapshot_id", &value)) {
      if (!json_integer(value, &number)) {
        return wrong("snapshot_id is not an integer");
      }
      SAME("snapshot_id", info.snapshot_id, number);
      json_object_object_del(facts, "snapshot_id");
    }
    if (count == 0 && json_object_object_get_ex(facts, "referenced_data_file", &value)) {
      puffin_str path;
      MUST(puffin_blob_property(&blob, "referenced-data-file", 20, &path, NULL));
      char *ours = path.ptr == NULL ? NULL : plain(path);
      const char *truth = value == NULL ? NULL : json_object_get_string(value);
      bool same = ours == NULL || truth == NULL ? ours == truth : strcmp(ours, truth) == 0;
      free(ours);
      if (!same) {
        return wrong("referenced_data_file differs");
      }
      json_object_object_del(facts, "referenced_data_file");
    }
  }
  MUST(puffin_metadata_blob_count(&o->metadata, &declared, NULL));
  SAME("blob count", count, declared);
  if (json_object_object_get_ex(facts, "blobs", &value)) {
    if (!json_integer(value, &number)) {
      return wrong("blobs is not an integer");
    }
    SAME("blobs", count, number);
    json_object_object_del(facts, "blobs");
  }
  return check_tails(data, len, o);
}

static outcome verify(const opened *o) {
  size_t count = 0;
  MUST(puffin_metadata_blob_count(&o->metadata, &count, NULL));
  size_t words = puffin_verify_scratch_len(count);
  uint64_t *scratch = must_alloc(words * 8);
  puffin_verify state;
  puffin_finding finding;
  outcome answer = ACCEPTED;
  bool more = true;
  puffin_status status =
      puffin_verify_start(&o->file, &o->metadata, words > 0 ? scratch : NULL, words, NULL, 0, NULL, &state, NULL);
  while (status == PUFFIN_STATUS_OK && answer == ACCEPTED) {
    status = puffin_verify_next(&state, &finding, &more, NULL);
    if (status != PUFFIN_STATUS_OK || !more) {
      break;
    }
    if (finding.severity == PUFFIN_SEVERITY_ERROR) {
      refused_with = finding.kind;
      answer = REFUSED;
    }
  }
  free(scratch);
  return status == PUFFIN_STATUS_OK ? answer : wrong("verify: %s", puffin_status_name(status));
}

/* Facts about decoded bytes. */
static outcome check_content(const uint8_t *out, size_t len, json_object *facts) {
  json_object *value;
  wide number;
  if (json_object_object_get_ex(facts, "out_len", &value)) {
    if (!json_integer(value, &number)) {
      return wrong("out_len is not an integer");
    }
    SAME("out_len", len, number);
    json_object_object_del(facts, "out_len");
  }
  if (json_object_object_get_ex(facts, "out_sha256", &value)) {
    char hex[65];
    sha256 *s = sha256_start();
    sha256_add(s, out, len);
    sha256_end(s, hex);
    if (strcmp(hex, json_object_get_string(value)) != 0) {
      return wrong("out_sha256: ours is %s", hex);
    }
    json_object_object_del(facts, "out_sha256");
  }
  return ACCEPTED;
}

static outcome blob_content(const opened *o, json_object *context, json_object *facts) {
  puffin_blob blob;
  puffin_dv dv;
  wide number;
  if (!number_of(context, "blob", &number) || number < 0) {
    return wrong("the context has no blob");
  }
  OPEN(puffin_metadata_blob(&o->metadata, (size_t)number, &blob, NULL));
  puffin_blob_info info = {.struct_size = sizeof info};
  MUST(puffin_blob_get_info(&blob, &info, NULL));
  bool is_vector = false;
  MUST(puffin_str_equals(info.blob_type, "deletion-vector-v1", 18, &is_vector, NULL));
  if (is_vector) {
    OPEN(puffin_dv_read_blob(&o->file, &blob, &dv, NULL));
    return check_set(&dv, context, facts);
  }
  const uint8_t *stored;
  size_t stored_len = 0, len = 0, written = 0;
  OPEN(puffin_file_stored(&o->file, &blob, &stored, &stored_len, NULL));
  OPEN(puffin_blob_decoded_len(&blob, stored, stored_len, NULL, &len, NULL));
  uint8_t *out = must_alloc(len);
  puffin_status status = puffin_blob_decode(&blob, stored, stored_len, NULL, out, len, &written, NULL);
  outcome answer = status == PUFFIN_STATUS_OK ? check_content(out, written, facts) : refused(status);
  free(out);
  return answer;
}

static outcome bound(const uint8_t *data, size_t len, const opened *o, json_object *context, json_object *facts) {
  puffin_manifest_entry entry;
  puffin_dv dv;
  puffin_blob blob;
  json_object *path;
  wide number;
  TRY(as_i64(context, "content_offset", &entry.content_offset));
  TRY(as_i64(context, "content_size", &entry.content_size_in_bytes));
  if (number_of(context, "record_count", &number)) {
    TRY(as_i64(context, "record_count", &entry.record_count));
  } else {
    uint64_t cardinality = 0;
    OPEN(puffin_dv_read_range(data, len, entry.content_offset, entry.content_size_in_bytes, NULL, &dv, NULL));
    MUST(puffin_dv_cardinality(&dv, &cardinality, NULL));
    entry.record_count = (int64_t)cardinality;
  }
  if (!json_object_object_get_ex(context, "referenced_data_file", &path)) {
    return wrong("the context has no referenced_data_file");
  }
  entry.referenced_data_file.ptr = json_object_get_string(path);
  entry.referenced_data_file.len = (size_t)json_object_get_string_len(path);
  OPEN(puffin_dv_read_bound(&o->file, &o->metadata, &entry, &dv, NULL));
  MUST(puffin_metadata_bound_blob(&o->metadata, &entry, &blob, NULL));
  /* The same from a part of the file. */
  puffin_range range = {0, 0};
  size_t count = 0;
  MUST(puffin_fetch_ranges(&entry, 1, 0, &range, 1, &count, NULL));
  SAME("ranges to fetch", count, 1);
  MUST(puffin_dv_read_entry(data + range.start, (size_t)(range.end - range.start), range.start, &entry, &dv, NULL));
  return check_set(&dv, context, facts);
}

static outcome encode(const uint8_t *data, size_t len, json_object *context, json_object *facts) {
  json_object *rule, *value;
  wide number, start, step, count, run;
  uint64_t *positions = NULL;
  size_t total = 0;
  if (!json_object_object_get_ex(context, "positions", &rule)) {
    return wrong("the context has no positions");
  }
  if (json_object_is_type(rule, json_type_array)) {
    total = json_object_array_length(rule);
    positions = must_alloc(total * 8);
    for (size_t i = 0; i < total; i++) {
      if (!json_integer(json_object_array_get_idx(rule, i), &number)) {
        free(positions);
        return wrong("a position is not an integer");
      }
      if (number < 0) {
        free(positions);
        return refused(PUFFIN_STATUS_INVALID_ARGUMENT);
      }
      positions[i] = (uint64_t)number;
    }
  } else {
    if (!number_of(rule, "start", &start) || !number_of(rule, "step", &step) || !number_of(rule, "count", &count) ||
        !number_of(rule, "run", &run)) {
      return wrong("positions are neither a list nor a rule");
    }
    total = (size_t)(count * run);
    positions = must_alloc(total * 8);
    for (wide i = 0; i < count; i++) {
      for (wide j = 0; j < run; j++) {
        positions[i * run + j] = (uint64_t)(start + i * step + j);
      }
    }
  }
  puffin_source source;
  puffin_status status = puffin_source_positions(positions, total, &source, NULL);
  size_t words = puffin_encode_scratch_len(1), need = 0;
  uint64_t *scratch = must_alloc(words * 8), cardinality = 0;
  uint8_t *out = NULL;
  if (status == PUFFIN_STATUS_OK) {
    status = puffin_encode_len(&source, 1, NULL, scratch, words, &need, NULL, NULL);
  }
  if (status == PUFFIN_STATUS_OK) {
    out = must_alloc(need);
    status = puffin_encode(&source, 1, NULL, scratch, words, out, need, &need, &cardinality, NULL);
  }
  free(scratch);
  free(positions);
  outcome answer = status == PUFFIN_STATUS_OK ? ACCEPTED : refused(status);
  if (answer == ACCEPTED && (need != len || memcmp(out, data, len) != 0)) {
    answer = wrong("encoded otherwise");
  }
  if (answer == ACCEPTED && json_object_object_get_ex(facts, "size", &value)) {
    answer = json_integer(value, &number) && number == (wide)need ? ACCEPTED : wrong("size");
    json_object_object_del(facts, "size");
  }
  if (answer == ACCEPTED) {
    puffin_dv dv;
    json_object *none = json_object_new_object();
    status = puffin_dv_parse_with_cardinality(out, need, cardinality, &dv, NULL);
    answer = status == PUFFIN_STATUS_OK ? check_set(&dv, none, facts) : wrong("does not read what it wrote");
    json_object_put(none);
  }
  free(out);
  return answer;
}

static outcome bitmap(bool wide_keys, const uint8_t *data, size_t len, json_object *context, json_object *facts) {
  puffin_dv dv;
  puffin_bitmap32 bitmap;
  wide consumed = (wide)len;
  size_t used = len, prefix = 0;
  bool is_prefix = number_of(context, "consumed", &consumed);
  if (is_prefix) {
    OPEN(wide_keys ? puffin_dv_parse_bitmap_prefix(data, len, &dv, &used, NULL)
                   : puffin_bitmap32_parse_prefix(data, len, &bitmap, &used, NULL));
  } else {
    OPEN(wide_keys ? puffin_dv_parse_bitmap(data, len, &dv, NULL) : puffin_bitmap32_parse(data, len, &bitmap, NULL));
  }
  SAME("bytes used", used, consumed);
  if (wide_keys) {
    MUST(puffin_dv_parse_bitmap_prefix(data, len, &dv, &prefix, NULL));
    SAME("bytes used of a prefix", prefix, used);
    const uint8_t *bytes;
    MUST(puffin_dv_bitmap(&dv, &bytes, &prefix, NULL));
    SAME("bytes of the bitmap", bytes - data, 0);
    return check_set(&dv, context, facts);
  }
  MUST(puffin_bitmap32_parse_prefix(data, len, &bitmap, &prefix, NULL));
  SAME("bytes used of a prefix", prefix, used);
  return check_bitmap32(&bitmap, data, used, context, facts);
}

static outcome lz4_frame(const uint8_t *data, size_t len, json_object *facts) {
  size_t need = 0, written = 0;
  OPEN(puffin_lz4_decoded_len(data, len, NULL, &need, NULL));
  uint8_t *out = must_alloc(need);
  puffin_status status = puffin_lz4_decode(data, len, NULL, out, need, &written, NULL);
  outcome answer = status == PUFFIN_STATUS_OK ? check_content(out, written, facts) : refused(status);
  free(out);
  return answer;
}

static outcome run_file(const char *surface, const uint8_t *data, size_t len, json_object *context, json_object *facts) {
  puffin_dv dv;
  wide number;
  if (strcmp(surface, "dv-blob") == 0) {
    if (number_of(context, "record_count", &number)) {
      if (number < 0 || number > (wide)UINT64_MAX) {
        return refused(PUFFIN_STATUS_INVALID_ARGUMENT);
      }
      OPEN(puffin_dv_parse_with_cardinality(data, len, (uint64_t)number, &dv, NULL));
    } else {
      OPEN(puffin_dv_parse(data, len, &dv, NULL));
    }
    return check_set(&dv, context, facts);
  }
  if (strcmp(surface, "dv-range") == 0) {
    int64_t offset = 0, size = 0, count = 0;
    TRY(as_i64(context, "content_offset", &offset));
    TRY(as_i64(context, "content_size", &size));
    bool counted = number_of(context, "record_count", &number);
    if (counted) {
      TRY(as_i64(context, "record_count", &count));
    }
    OPEN(puffin_dv_read_range(data, len, offset, size, counted ? &count : NULL, &dv, NULL));
    return check_set(&dv, context, facts);
  }
  if (strcmp(surface, "r32") == 0 || strcmp(surface, "r64") == 0) {
    return bitmap(surface[1] == '6', data, len, context, facts);
  }
  if (strcmp(surface, "encode-dv") == 0) {
    return encode(data, len, context, facts);
  }
  if (strcmp(surface, "lz4-frame") == 0) {
    return lz4_frame(data, len, facts);
  }
  opened o;
  memset(&o, 0, sizeof o);
  outcome answer = open_file(data, len, &o);
  if (answer == ACCEPTED) {
    if (strcmp(surface, "puffin-open") == 0) {
      answer = list_blobs(data, len, &o, facts);
    } else if (strcmp(surface, "puffin-verify") == 0) {
      answer = verify(&o);
      answer = answer == ACCEPTED ? list_blobs(data, len, &o, facts) : answer;
    } else if (strcmp(surface, "puffin-blob") == 0) {
      answer = blob_content(&o, context, facts);
    } else if (strcmp(surface, "dv-bound") == 0) {
      answer = bound(data, len, &o, context, facts);
    } else {
      answer = wrong("unknown surface");
    }
  }
  free(o.scratch);
  return answer;
}

/* The facts that have to hold if the row is accepted. */
static json_object *facts_of(const table *t, const row *r) {
  json_object *facts = cell_json(t, r, "facts"), *inner = NULL;
  if (strcmp(cell(t, r, "expectation"), "either") != 0) {
    return facts;
  }
  json_object *chosen = json_object_object_get_ex(facts, "if_accepted", &inner) && inner != NULL
                            ? json_object_get(inner)
                            : json_object_new_object();
  json_object_put(facts);
  return chosen;
}

static bool run_row(const table *t, const row *r, bool odd);

/* Runs every row of an expectation again, at odd addresses. */
static outcome each(const table *t, const char *expectation) {
  size_t runs = 0;
  for (size_t i = 0; i < t->row_count; i++) {
    const row *r = &t->rows[i];
    const char *surface = cell(t, r, "surface");
    if (strcmp(cell(t, r, "expectation"), expectation) != 0 || listed(NOT_BUILT, surface) || listed(NOT_IN_C, surface) ||
        listed(ELSEWHERE, surface) || strcmp(surface, "cabi") == 0) {
      continue;
    }
    runs++;
    if (!run_row(t, r, true)) {
      return wrong("row %s does not", cell(t, r, "id"));
    }
  }
  return runs == 0 ? wrong("there is no such row") : strcmp(expectation, "reject") == 0 ? REFUSED : ACCEPTED;
}

static outcome run_cabi(const table *t, json_object *context) {
  json_object *value;
  if (json_object_object_get_ex(context, "each", &value)) {
    refused_with = 0;
    return each(t, json_object_get_string(value));
  }
  const char *call = json_object_object_get_ex(context, "call", &value) ? json_object_get_string(value) : "";
  if (strcmp(call, "parse") == 0) {
    return call_parse(context);
  }
  return strcmp(call, "fill") == 0 ? call_fill(context) : wrong("an unknown call");
}

/* What came of the row that was run last, and where the statuses of refused ones go. */
static outcome last;
static FILE *refusals;

static const char *const CONTEXT[] = {"content_offset", "content_size", "record_count", "referenced_data_file", "blob",
                                      "consumed",       "positions",    "take",         "seek",                 "windows",
                                      "expand_rows",    "call",         "each",         "data",                 "len",
                                      "out",            "out_cap",      "build",        NULL};

/* Runs one row; says on stdout what is wrong with it. */
static bool run_row(const table *t, const row *r, bool odd) {
  const char *file = cell(t, r, "file"), *surface = cell(t, r, "surface"), *expectation = cell(t, r, "expectation");
  json_object *context = cell_json(t, r, "context"), *facts = facts_of(t, r);
  outcome answer = ACCEPTED;
  json_object_object_foreach(context, key, unused) {
    (void)unused;
    if (!listed(CONTEXT, key)) {
      answer = wrong("unknown context: %s", key);
    }
  }
  if (answer == ACCEPTED && strcmp(surface, "cabi") == 0) {
    answer = run_cabi(t, context);
  } else if (answer == ACCEPTED) {
    bytes content = {NULL, 0};
    if (strcmp(file, "-") != 0) {
      content = table_read(t, file);
    }
    /* malloc gives even addresses. */
    uint8_t *memory = must_alloc(content.len + odd);
    if (content.len > 0) {
      memcpy(memory + odd, content.data, content.len);
    }
    answer = run_file(surface, memory + odd, content.len, context, facts);
    free(memory);
    bytes_free(&content);
  }
  bool good = answer == WRONG                             ? false
              : strcmp(expectation, "accept") == 0        ? answer == ACCEPTED
              : strcmp(expectation, "reject") == 0        ? answer == REFUSED
              : strcmp(expectation, "either") == 0;
  if (good && answer == ACCEPTED && json_object_object_length(facts) > 0) {
    good = false;
    wrong("facts left unchecked: %s", json_object_to_json_string(facts));
    answer = WRONG;
  }
  if (!good) {
    const char *said = answer == WRONG ? why : answer == ACCEPTED ? "accepted" : puffin_status_name(refused_with);
    printf("FAIL %s (%s, %s): %s\n", cell(t, r, "id"), surface, file, said);
  }
  last = answer;
  json_object_put(context);
  json_object_put(facts);
  return good;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[2], "--brief") == 0) {
    be_brief();
  } else if (argc == 4 && strcmp(argv[2], "--refusals") == 0) {
    refusals = fopen(argv[3], "w");
    if (refusals == NULL) {
      die("%s cannot be written", argv[3]);
    }
  } else if (argc != 2) {
    die("usage: cases FOLDER [--brief | --refusals FILE]");
  }
  table t = table_open(argv[1], "CASES.tsv");
  size_t run = 0, failed = 0, not_built = 0, not_in_c = 0, elsewhere = 0;
  for (size_t i = 0; i < t.row_count; i++) {
    const char *surface = cell(&t, &t.rows[i], "surface");
    if (listed(NOT_BUILT, surface)) {
      not_built++;
    } else if (listed(NOT_IN_C, surface)) {
      not_in_c++;
    } else if (listed(ELSEWHERE, surface)) {
      elsewhere++;
    } else {
      run++;
      bool good = run_row(&t, &t.rows[i], false);
      if (good && last == REFUSED && refusals != NULL && strcmp(surface, "cabi") != 0) {
        fprintf(refusals, "%s %d\n", cell(&t, &t.rows[i], "id"), (int)refused_with);
      }
      failed += !(good && run_row(&t, &t.rows[i], true));
    }
  }
  printf("run: %zu\nfailed: %zu\nnot built: %zu\nnot in the C library: %zu\nelsewhere: %zu\n", run, failed, not_built,
         not_in_c, elsewhere);
  if (refusals != NULL) {
    fclose(refusals);
  }
  table_close(&t);
  return failed > 0 || run == 0;
}
