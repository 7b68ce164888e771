/*
 * Random calls on damaged files: random SEED ROUNDS FILE...
 *
 * Each round takes one of the files, damages it (or not), and asks whatever the functions answer about it, with memory of random
 * length. Held against the header: nothing is written behind an output, or into one that is too short; a size that is asked for
 * is exact; what is asked in two ways has one answer; what is written is read again. Made for sanitizers.
 */
#include "puffin_codec.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                              \
  if (!(condition)) {                                                                                 \
    die("round %zu of seed %llu: not so: %s (line %d)", round_number, seed, #condition, __LINE__); \
  }

static unsigned long long seed;
static size_t round_number;
static uint64_t state;

static uint64_t draw(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return below == 0 ? 0 : (state * 0x2545F4914F6CDD1DU >> 11) % below;
}

/* Memory of `len` bytes behind which a guard lies, at an odd address if that is allowed. */
typedef struct {
  uint8_t *block, *data;
  size_t len;
} guarded;

static guarded room(size_t len, bool aligned) {
  size_t shift = aligned ? 0 : (size_t)draw(8);
  guarded g = {must_alloc(len + shift + 8), NULL, len};
  g.data = g.block + shift;
  memset(g.block, 0xA5, len + shift + 8);
  return g;
}

static void leave(guarded *g, bool untouched) {
  for (size_t i = 0; i < 8; i++) {
    CHECK(g->data[g->len + i] == 0xA5);
  }
  for (size_t i = 0; untouched && i < g->len; i++) {
    CHECK(g->data[i] == 0xA5);
  }
  free(g->block);
}

/* A length around the one that is needed. */
static size_t around(size_t need) {
  switch (draw(4)) {
    case 0: return need;
    case 1: return need > 0 ? need - 1 : 0;
    case 2: return need + (size_t)draw(9);
    default: return (size_t)draw(need + 1);
  }
}

static bytes damaged(const bytes *file) {
  bytes copy = {must_alloc(file->len), file->len};
  memcpy(copy.data, file->data, file->len);
  for (uint64_t times = draw(4); times > 0 && copy.len > 0; times--) {
    size_t at = (size_t)draw(copy.len);
    switch (draw(5)) {
      case 0: copy.data[at] ^= (uint8_t)(1U << draw(8)); break;
      case 1: copy.data[at] = (uint8_t)draw(256); break;
      case 2: copy.len = at; break;
      case 3: {
        size_t from = (size_t)draw(copy.len), len = (size_t)draw(17);
        size_t most = copy.len - (at > from ? at : from);
        memmove(copy.data + at, copy.data + from, len < most ? len : most);
        break;
      }
      default:
        for (size_t i = at; i < copy.len && i < at + 4; i++) {
          copy.data[i] = draw(2) ? 0xFF : (uint8_t)draw(256);
        }
    }
  }
  /* Exactly as long as it says. */
  bytes exact = {must_alloc(copy.len), copy.len};
  memcpy(exact.data, copy.data, copy.len);
  free(copy.data);
  return exact;
}

static void read_text(puffin_str text) {
  size_t need = 0, len = 0;
  if (text.ptr == NULL) {
    return;
  }
  puffin_status status = puffin_str_unescape(text, NULL, 0, &need, NULL);
  CHECK(status == (need == 0 ? PUFFIN_STATUS_OK : PUFFIN_STATUS_BUFFER_TOO_SMALL) && need <= text.len);
  guarded g = room(around(need), false);
  status = puffin_str_unescape(text, (char *)g.data, g.len, &len, NULL);
  CHECK(len == need && status == (g.len < need ? PUFFIN_STATUS_BUFFER_TOO_SMALL : PUFFIN_STATUS_OK));
  leave(&g, status != PUFFIN_STATUS_OK);
}

/* Masks, selections, positions and counts of one window. */
static void ask_window(const puffin_dv *dv, puffin_cursor *cursor, uint64_t first, bool valid) {
  size_t rows = (size_t)draw(3000), need = (rows + 63) / 64, count = 0, bits = 0;
  uint64_t counted = 0;
  puffin_error error = {0};
  guarded g = room(around(need) * 8, true);
  uint64_t *mask = (uint64_t *)(void *)g.data;
  puffin_status status = puffin_cursor_deleted_mask(cursor, first, rows, mask, g.len / 8, &error);
  if (g.len / 8 < need) {
    CHECK(status == PUFFIN_STATUS_BUFFER_TOO_SMALL && error.found == need);
    leave(&g, true);
    return;
  }
  if (status != PUFFIN_STATUS_OK) {
    CHECK(status == PUFFIN_STATUS_INVALID_ARGUMENT && rows > 0 && first > UINT64_MAX - rows + 1);
    leave(&g, true);
    return;
  }
  for (size_t i = 0; i < need; i++) {
    for (uint64_t word = mask[i]; word != 0; word &= word - 1) {
      bits++;
    }
  }
  guarded selection = room(around(bits) * 4, true);
  status = puffin_cursor_deleted_offsets(cursor, first, rows, (uint32_t *)(void *)selection.data, selection.len / 4, &count, NULL);
  if (valid) {
    CHECK(count == bits && status == (selection.len / 4 < bits ? PUFFIN_STATUS_BUFFER_TOO_SMALL : PUFFIN_STATUS_OK));
    for (size_t i = 0; status == PUFFIN_STATUS_OK && i < count; i++) {
      uint32_t row = ((uint32_t *)(void *)selection.data)[i];
      CHECK(mask[row / 64] >> (row % 64) & 1);
    }
    if (first <= UINT64_MAX - rows) {
      bool intersects = false;
      CHECK(puffin_dv_count(dv, first, first + rows, &counted, NULL) == PUFFIN_STATUS_OK && counted == bits);
      CHECK(puffin_dv_intersects(dv, first, first + rows, &intersects, NULL) == PUFFIN_STATUS_OK && intersects == (bits > 0));
    }
    if (rows > 0) {
      size_t row = (size_t)draw(rows);
      bool there = false;
      CHECK(puffin_dv_contains(dv, first + row, &there, NULL) == PUFFIN_STATUS_OK && there == (mask[row / 64] >> (row % 64) & 1));
    }
  }
  leave(&selection, valid && status != PUFFIN_STATUS_OK);
  guarded octets = room((rows + 7) / 8, false);
  CHECK(puffin_cursor_live_mask_bytes(cursor, first, rows, octets.data, octets.len, NULL) == PUFFIN_STATUS_OK);
  for (size_t i = 0; valid && i < rows; i++) {
    CHECK((octets.data[i / 8] >> (i % 8) & 1) != (mask[i / 64] >> (i % 64) & 1));
  }
  leave(&octets, false);
  leave(&g, false);
}

static void encode(const puffin_dv *dv, bool valid) {
  puffin_source sources[3];
  uint64_t rows[20];
  size_t count = 1, row_count = (size_t)draw(20), need = 0, len = 0;
  if (puffin_source_vector(dv, &sources[0], NULL) != PUFFIN_STATUS_OK) {
    return;
  }
  for (size_t i = 0; i < row_count; i++) {
    rows[i] = (i > 0 && draw(30) > 0 ? rows[i - 1] : 0) + draw(100000);
  }
  count += puffin_source_positions(rows, row_count, &sources[count], NULL) == PUFFIN_STATUS_OK;
  puffin_range range = {draw(100000), draw(200000)};
  count += puffin_source_ranges(&range, 1, &sources[count], NULL) == PUFFIN_STATUS_OK;
  puffin_encode_options options = {sizeof options, (uint32_t)draw(2), (uint32_t)draw(2)};
  size_t words = puffin_encode_scratch_len(count);
  guarded scratch = room(words * 8, true);
  uint64_t *memory = (uint64_t *)(void *)scratch.data, cardinality = 0, written = 0;
  puffin_error error = {0};
  puffin_status status = puffin_encode_len(sources, count, &options, memory, words - 1, &need, &cardinality, &error);
  CHECK(status == PUFFIN_STATUS_SCRATCH_TOO_SMALL && error.found == words && need == 0);
  status = puffin_encode_len(sources, count, &options, memory, words, &need, &cardinality, &error);
  if (options.dense_keys && status == PUFFIN_STATUS_VECTOR_TOO_LONG) {
    leave(&scratch, false); /* billions of empty buckets */
    return;
  }
  CHECK(status == PUFFIN_STATUS_OK);
  guarded out = room(around(need), false);
  status = puffin_encode(sources, count, &options, memory, words, out.data, out.len, &len, &written, NULL);
  CHECK(len == need && status == (out.len < need ? PUFFIN_STATUS_BUFFER_TOO_SMALL : PUFFIN_STATUS_OK));
  if (status == PUFFIN_STATUS_OK) {
    puffin_dv again;
    puffin_operation missing;
    bool none = false;
    CHECK((options.bare_bitmap ? puffin_dv_parse_bitmap : puffin_dv_parse)(out.data, len, &again, NULL) == PUFFIN_STATUS_OK);
    uint64_t read = 0;
    CHECK(puffin_dv_cardinality(&again, &read, NULL) == PUFFIN_STATUS_OK && read == written && written == cardinality);
    CHECK(puffin_dv_difference(dv, &again, &missing, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_operation_is_empty(&missing, &none, NULL) == PUFFIN_STATUS_OK && (none || !valid));
  }
  leave(&out, status != PUFFIN_STATUS_OK);
  leave(&scratch, false);
}

static void ask_vector(const puffin_dv *dv, bool valid) {
  puffin_cursor cursor;
  puffin_positions positions;
  puffin_positions_rev back;
  puffin_ranges ranges;
  puffin_operation operation;
  puffin_index index;
  uint64_t batch[64], cardinality = 0, position = 0;
  puffin_range some[16];
  size_t count = 0, words = 0;
  bool found = false, there[64];
  CHECK(puffin_dv_cardinality(dv, &cardinality, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_dv_select(dv, draw(cardinality + 1), &position, &found, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_dv_cursor(dv, &cursor, NULL) == PUFFIN_STATUS_OK);
  for (int i = 0; i < 6; i++) {
    uint64_t first = draw(2) ? position - draw(2000) : draw(3) ? position + draw(100000) : draw(UINT64_MAX);
    ask_window(dv, &cursor, draw(9) ? first : UINT64_MAX - draw(4000), valid);
  }
  CHECK(puffin_dv_positions(dv, draw(2) ? 0 : position, &positions, NULL) == PUFFIN_STATUS_OK);
  for (int i = 0; i < 4; i++) {
    size_t want = (size_t)draw(65);
    CHECK(puffin_positions_fill(&positions, batch, want, &count, NULL) == PUFFIN_STATUS_OK && count <= want);
    CHECK(puffin_dv_contains_many(dv, batch, count, there, NULL) == PUFFIN_STATUS_OK);
    for (size_t j = 0; valid && j < count; j++) {
      CHECK(there[j] && (j == 0 || batch[j] > batch[j - 1]));
    }
    CHECK(puffin_positions_seek(&positions, position + draw(1000), NULL) == PUFFIN_STATUS_OK);
  }
  CHECK(puffin_dv_positions_rev(dv, &back, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_positions_rev_fill(&back, batch, 64, &count, NULL) == PUFFIN_STATUS_OK);
  CHECK((draw(2) ? puffin_dv_deleted_ranges : puffin_dv_live_ranges)(dv, position, draw(2) ? UINT64_MAX : position + draw(9999), &ranges, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_ranges_fill(&ranges, some, 16, &count, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_dv_index_len(dv, &words, NULL) == PUFFIN_STATUS_OK);
  if (words < 10000) {
    guarded memory = room(around(words) * 8, true);
    puffin_status status = puffin_dv_index_into(dv, (uint64_t *)(void *)memory.data, memory.len / 8, &index, NULL);
    if (status == PUFFIN_STATUS_OK) {
      bool by_index = false, by_itself = false;
      uint64_t probe = draw(2) ? position : draw(UINT64_MAX);
      CHECK(puffin_index_contains(&index, probe, &by_index, NULL) == PUFFIN_STATUS_OK);
      CHECK(puffin_dv_contains(dv, probe, &by_itself, NULL) == PUFFIN_STATUS_OK && (by_index == by_itself || !valid));
    } else {
      CHECK(status == PUFFIN_STATUS_BUFFER_TOO_SMALL && memory.len / 8 < words);
    }
    leave(&memory, status != PUFFIN_STATUS_OK);
  }
  CHECK(puffin_dv_intersection(dv, dv, &operation, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_operation_cardinality(&operation, &position, NULL) == PUFFIN_STATUS_OK && (position == cardinality || !valid));
  encode(dv, valid);
}

/* The same bytes, taken for one thing after the other. */
static void as_vectors(const bytes *b) {
  puffin_dv dv;
  puffin_bitmap32 bitmap;
  puffin_values values;
  uint32_t batch[40], value = 0;
  uint64_t cardinality = 0;
  size_t used = 0, count = 0;
  bool found = false;
  if (puffin_dv_parse(b->data, b->len, &dv, NULL) == PUFFIN_STATUS_OK ||
      puffin_dv_parse_bitmap(b->data, b->len, &dv, NULL) == PUFFIN_STATUS_OK ||
      puffin_dv_parse_prefix(b->data, b->len, &dv, &used, NULL) == PUFFIN_STATUS_OK ||
      puffin_dv_parse_bitmap_prefix(b->data, b->len, &dv, &used, NULL) == PUFFIN_STATUS_OK) {
    CHECK(used <= b->len);
    ask_vector(&dv, true);
  }
  if (puffin_dv_parse_trusted(b->data, b->len, &dv, NULL) == PUFFIN_STATUS_OK ||
      puffin_dv_parse_bitmap_trusted(b->data, b->len, &dv, NULL) == PUFFIN_STATUS_OK) {
    ask_vector(&dv, false);
  }
  if (puffin_bitmap32_parse(b->data, b->len, &bitmap, NULL) == PUFFIN_STATUS_OK ||
      puffin_bitmap32_parse_prefix(b->data, b->len, &bitmap, &used, NULL) == PUFFIN_STATUS_OK ||
      puffin_bitmap32_parse_trusted(b->data, b->len, &bitmap, NULL) == PUFFIN_STATUS_OK) {
    CHECK(puffin_bitmap32_cardinality(&bitmap, &cardinality, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_bitmap32_select(&bitmap, draw(cardinality + 1), &value, &found, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_bitmap32_rank(&bitmap, value, &cardinality, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_bitmap32_values(&bitmap, value, &values, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_values_fill(&values, batch, 40, &count, NULL) == PUFFIN_STATUS_OK && count <= 40);
  }
  size_t need = 0, len = 0;
  puffin_limits limits = {.struct_size = sizeof limits, .max_decoded_len = 1 << 20};
  if (puffin_lz4_decoded_len(b->data, b->len, &limits, &need, NULL) == PUFFIN_STATUS_OK) {
    guarded out = room(around(need), false);
    (void)puffin_lz4_decode(b->data, b->len, &limits, out.data, out.len, &len, NULL);
    leave(&out, out.len < need);
  }
}

/* Copies what can be read of a file into another one, which is read again. */
static void copy_file(const puffin_file *file, const puffin_metadata *metadata) {
  puffin_blobs blobs;
  puffin_blob blob;
  puffin_writer writer;
  puffin_written written;
  size_t added = 0, buffer_len = PUFFIN_EMPTY_FOOTER_LEN + (size_t)draw(200), stored_len = 0;
  uint64_t scratch[64];
  bool more = true, in_memory = draw(2) == 0;
  static uint8_t memory[1 << 21];
  uint8_t *buffers[40] = {must_alloc(buffer_len)};
  size_t buffer_count = 1;
  CHECK(puffin_writer_start(in_memory ? memory : NULL, in_memory ? sizeof memory : 0, buffers[0], buffer_len, scratch, draw(2) ? 64 : 2, &writer, NULL) == PUFFIN_STATUS_OK);
  CHECK(puffin_metadata_blobs(metadata, &blobs, NULL) == PUFFIN_STATUS_OK);
  while (more && added < 30) {
    const uint8_t *stored = NULL;
    puffin_error error = {0};
    if (puffin_blobs_next(&blobs, &blob, &more, NULL) != PUFFIN_STATUS_OK || !more ||
        puffin_file_stored(file, &blob, &stored, &stored_len, NULL) != PUFFIN_STATUS_OK) {
      continue;
    }
    puffin_status status = puffin_writer_copy_blob(&writer, &blob, stored, stored_len, NULL, &error);
    if (status == PUFFIN_STATUS_BUFFER_TOO_SMALL && error.found > buffer_len && buffer_count < 40) {
      buffer_len = (size_t)error.found;
      buffers[buffer_count] = must_alloc(buffer_len);
      CHECK(puffin_writer_replace_buffer(&writer, buffers[buffer_count], buffer_len, NULL) == PUFFIN_STATUS_OK);
      buffer_count++;
      puffin_status again = puffin_writer_copy_blob(&writer, &blob, stored, stored_len, NULL, &error);
      CHECK(again != PUFFIN_STATUS_BUFFER_TOO_SMALL || in_memory);
      status = again;
    }
    added += status == PUFFIN_STATUS_OK;
  }
  puffin_error error = {0};
  puffin_status status = puffin_writer_finish(&writer, NULL, 0, &written, &error);
  CHECK(status == PUFFIN_STATUS_OK || (in_memory && status == PUFFIN_STATUS_BUFFER_TOO_SMALL));
  if (status == PUFFIN_STATUS_OK) {
    CHECK(puffin_writer_finish(&writer, NULL, 0, &written, NULL) == PUFFIN_STATUS_WRITER_CLOSED);
    puffin_footer footer;
    puffin_metadata copy;
    size_t count = 0;
    CHECK(puffin_footer_parse(written.footer, written.footer_len, written.file_len, &footer, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_footer_metadata(&footer, NULL, 0, NULL, &copy, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_metadata_blob_count(&copy, &count, NULL) == PUFFIN_STATUS_OK && count == added);
  }
  for (size_t i = 0; i < buffer_count; i++) {
    free(buffers[i]);
  }
}

static void as_file(const bytes *b) {
  puffin_file file;
  puffin_footer footer;
  puffin_metadata metadata;
  puffin_blobs blobs;
  puffin_blob blob;
  puffin_dv dv;
  size_t need = 0, count = 0, len = 0, seen = 0;
  bool more = true;
  uint64_t offset = 0, fetch = 0;
  puffin_limits limits = {.struct_size = sizeof limits, .max_decoded_len = 1 << 20, .json_depth = (uint32_t)draw(40), .json_members = (uint32_t)draw(300)};
  (void)puffin_footer_locate(b->data, b->len, draw(2) ? b->len : draw(1 << 20), &footer, &offset, &fetch, NULL);
  if (puffin_file_parse(b->data, b->len, &file, NULL) != PUFFIN_STATUS_OK) {
    CHECK(puffin_file_footer(&file, &footer, NULL) == PUFFIN_STATUS_INVALID_ARGUMENT);
    return;
  }
  CHECK(puffin_file_footer(&file, &footer, NULL) == PUFFIN_STATUS_OK);
  if (puffin_footer_scratch_len(&footer, &limits, &need, NULL) != PUFFIN_STATUS_OK) {
    return;
  }
  guarded scratch = room(around(need), false);
  puffin_error error = {0};
  puffin_status status = puffin_footer_metadata(&footer, scratch.data, scratch.len, &limits, &metadata, &error);
  CHECK((status == PUFFIN_STATUS_SCRATCH_TOO_SMALL) == (scratch.len < need) || status != PUFFIN_STATUS_OK);
  if (status == PUFFIN_STATUS_OK) {
    CHECK(puffin_metadata_blobs(&metadata, &blobs, NULL) == PUFFIN_STATUS_OK);
    CHECK(puffin_metadata_blob_count(&metadata, &count, NULL) == PUFFIN_STATUS_OK);
    while (more) {
      status = puffin_blobs_next(&blobs, &blob, &more, NULL);
      seen += more;
      CHECK(seen <= count);
      if (status != PUFFIN_STATUS_OK || !more) {
        continue;
      }
      puffin_blob_info info = {.struct_size = sizeof info};
      puffin_properties properties;
      puffin_property property;
      CHECK(puffin_blob_get_info(&blob, &info, NULL) == PUFFIN_STATUS_OK);
      read_text(info.blob_type);
      guarded fields = room(around(info.field_count) * 4, true);
      status = puffin_blob_fields(&blob, (int32_t *)(void *)fields.data, fields.len / 4, &len, NULL);
      CHECK(len == info.field_count && (status == PUFFIN_STATUS_OK) == (fields.len / 4 >= len));
      leave(&fields, status != PUFFIN_STATUS_OK);
      CHECK(puffin_blob_properties(&blob, &properties, NULL) == PUFFIN_STATUS_OK);
      for (bool another = true; another;) {
        CHECK(puffin_properties_next(&properties, &property, &another, NULL) == PUFFIN_STATUS_OK);
        read_text(property.name);
        read_text(property.value);
      }
      if (puffin_dv_read_blob(&file, &blob, &dv, NULL) == PUFFIN_STATUS_OK) {
        ask_vector(&dv, true);
      }
      const uint8_t *stored = NULL;
      size_t stored_len = 0;
      if (puffin_file_stored(&file, &blob, &stored, &stored_len, NULL) == PUFFIN_STATUS_OK &&
          puffin_blob_decoded_len(&blob, stored, stored_len, &limits, &need, NULL) == PUFFIN_STATUS_OK) {
        guarded out = room(around(need), false);
        status = puffin_blob_decode(&blob, stored, stored_len, &limits, out.data, out.len, &len, NULL);
        CHECK(status != PUFFIN_STATUS_BUFFER_TOO_SMALL || (len == need && out.len < need));
        leave(&out, out.len < need);
      }
    }
    CHECK(seen == count);
    size_t words = puffin_verify_scratch_len(count);
    guarded verify_scratch = room(around(words) * 8, true), buffer = room((size_t)draw(5000), false);
    puffin_verify verify;
    puffin_finding finding;
    status = puffin_verify_start(&file, &metadata, (uint64_t *)(void *)verify_scratch.data, verify_scratch.len / 8, buffer.data, buffer.len, &limits, &verify, NULL);
    CHECK((status == PUFFIN_STATUS_OK) == (verify_scratch.len / 8 >= words));
    for (more = status == PUFFIN_STATUS_OK; more;) {
      CHECK(puffin_verify_next(&verify, &finding, &more, NULL) == PUFFIN_STATUS_OK);
    }
    leave(&verify_scratch, false);
    leave(&buffer, false);
    copy_file(&file, &metadata);
  }
  leave(&scratch, false);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    die("usage: random SEED ROUNDS FILE...");
  }
  seed = strtoull(argv[1], NULL, 10);
  state = seed * 2 + 1;
  size_t rounds = (size_t)strtoull(argv[2], NULL, 10), files = (size_t)argc - 3;
  bytes *all = must_alloc(files * sizeof *all);
  for (size_t i = 0; i < files; i++) {
    table here = {.folder = argv[3 + i]};
    char *slash = strrchr(argv[3 + i], '/');
    CHECK(slash != NULL);
    *slash = '\0';
    all[i] = table_read(&here, slash + 1);
  }
  for (round_number = 0; round_number < rounds; round_number++) {
    bytes b = damaged(&all[draw(files)]);
    as_file(&b);
    as_vectors(&b);
    bytes_free(&b);
  }
  for (size_t i = 0; i < files; i++) {
    bytes_free(&all[i]);
  }
  free(all);
  printf("random: %zu rounds over %zu files\n", rounds, files);
  return 0;
}
