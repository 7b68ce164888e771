#include "set.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets with more positions are asked, but not collected. */
static uint64_t most_collected = 2000000;
/* Most batches of which the masks are compared. */
static int most_batches = 3000;
/* Sets with more positions are never iterated whole. */
static const uint64_t MOST_ITERATED = 64000000;
enum { BATCH = 2048 };
static const uint64_t GUARD = 0xA5A55A5A12345678U;

char why[512];
int32_t refused_with;

void be_brief(void) {
  most_collected = 5000;
  most_batches = 20;
}

outcome wrong(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  return WRONG;
}

outcome refused(puffin_status status) {
  refused_with = status;
  return REFUSED;
}

/* The positions, as many as are collected, and a guard behind them. */
typedef struct {
  uint64_t *data;
  size_t len;
  bool whole;
} list;

static outcome read_positions(const puffin_dv *dv, uint64_t most, list *out) {
  puffin_positions positions;
  MUST(puffin_dv_positions(dv, 0, &positions, NULL));
  size_t room = 1024;
  out->data = must_alloc(room * sizeof *out->data);
  out->len = 0;
  for (;;) {
    if (out->len == room) {
      room *= 2;
      out->data = realloc(out->data, room * sizeof *out->data);
      if (out->data == NULL) {
        die("out of memory");
      }
    }
    size_t want = room - out->len, count = 0;
    if (want > most - out->len) {
      want = (size_t)(most - out->len);
    }
    MUST(puffin_positions_fill(&positions, out->data + out->len, want, &count, NULL));
    out->len += count;
    if (count < want || out->len == most) {
      return ACCEPTED;
    }
  }
}

static outcome digest(const puffin_dv *dv, uint64_t most, char hex[65]) {
  puffin_positions positions;
  MUST(puffin_dv_positions(dv, 0, &positions, NULL));
  sha256 *s = sha256_start();
  uint64_t batch[1009];
  for (uint64_t left = most; left > 0;) {
    size_t want = left < 1009 ? (size_t)left : 1009, count = 0;
    if (puffin_positions_fill(&positions, batch, want, &count, NULL) != PUFFIN_STATUS_OK) {
      return wrong("positions cannot be read");
    }
    for (size_t i = 0; i < count; i++) {
      sha256_add_u64(s, batch[i]);
    }
    left -= count;
    if (count < want) {
      break;
    }
  }
  sha256_end(s, hex);
  return ACCEPTED;
}

/* Takes a fact: the caller looks at its value before it is gone. */
static bool fact(json_object *facts, const char *key, json_object **value) {
  return json_object_object_get_ex(facts, key, value);
}

static outcome check_facts(const puffin_dv *dv, uint64_t cardinality, uint64_t taken, json_object *facts) {
  json_object *value;
  wide number;
  if (fact(facts, "cardinality", &value)) {
    if (!json_integer(value, &number)) {
      return wrong("cardinality is not an integer");
    }
    SAME("cardinality", cardinality, number);
    json_object_object_del(facts, "cardinality");
  }
  for (int highest = 0; highest < 2; highest++) {
    const char *key = highest ? "max" : "min";
    uint64_t position = 7;
    bool found = false;
    MUST(highest ? puffin_dv_max(dv, &position, &found, NULL) : puffin_dv_min(dv, &position, &found, NULL));
    SAME("found", found, cardinality > 0);
    if (fact(facts, key, &value)) {
      if (value == NULL) {
        SAME(key, found, false);
      } else if (!json_integer(value, &number)) {
        return wrong("%s is not an integer", key);
      } else {
        SAME(key, position, number);
      }
      json_object_object_del(facts, key);
    }
  }
  if (fact(facts, "positions", &value)) {
    size_t count = json_object_array_length(value);
    list ours = {NULL, 0, false};
    TRY(read_positions(dv, (uint64_t)count + 1, &ours));
    /* The table may list only those that its context takes. */
    outcome answer = ours.len == count || count == taken ? ACCEPTED : wrong("there are not %zu positions", count);
    for (size_t i = 0; i < count && answer == ACCEPTED; i++) {
      if (!json_integer(json_object_array_get_idx(value, i), &number) || i >= ours.len || (wide)ours.data[i] != number) {
        answer = wrong("position number %zu differs", i);
      }
    }
    free(ours.data);
    TRY(answer);
    json_object_object_del(facts, "positions");
  }
  if (fact(facts, "positions_sha256", &value)) {
    char hex[65] = "";
    const char *truth = json_object_get_string(value);
    if (taken < cardinality) {
      TRY(digest(dv, taken, hex));
    }
    if (strcmp(hex, truth) != 0) {
      if (cardinality > MOST_ITERATED) {
        return wrong("a digest over %" PRIu64 " positions is beyond this program", cardinality);
      }
      TRY(digest(dv, UINT64_MAX, hex));
    }
    if (strcmp(hex, truth) != 0) {
      return wrong("positions_sha256: ours is %s", hex);
    }
    json_object_object_del(facts, "positions_sha256");
  }
  return ACCEPTED;
}

/* Where in a list the first position is that is not below `position`. */
static size_t lower_bound(const list *l, uint64_t position) {
  size_t from = 0, to = l->len;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (l->data[middle] < position) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/* Masks and selections of one window, in every form, against the list. */
static outcome check_window(puffin_cursor *cursor, const puffin_dv *dv, const list *l, uint64_t first, size_t rows) {
  size_t words = (rows + 63) / 64, byte_count = (rows + 7) / 8, from = lower_bound(l, first), dead = 0;
  uint64_t *expected = must_alloc(words * 8), *mask = must_alloc((words + 1) * 8);
  uint32_t *offsets = must_alloc((rows + 1) * sizeof *offsets);
  uint8_t *octets = must_alloc(byte_count + 2);
  outcome answer = ACCEPTED;
  size_t count = 0;
#define CHECK(condition)                                                                                      \
  if (answer == ACCEPTED && !(condition)) {                                                                   \
    answer = wrong("window of %zu rows from %" PRIu64 ": %s (%s:%d)", rows, first, #condition, __FILE__, __LINE__); \
  }
  while (from + dead < l->len && l->data[from + dead] - first < rows) {
    uint64_t bit = l->data[from + dead] - first;
    expected[bit / 64] |= (uint64_t)1 << (bit % 64);
    dead++;
  }
  for (int live = 0; live < 2; live++) {
    for (size_t i = 0; i < words && live; i++) {
      uint64_t inside = rows - i * 64 >= 64 ? UINT64_MAX : ((uint64_t)1 << (rows % 64)) - 1;
      expected[i] = ~expected[i] & inside;
    }
    mask[words] = GUARD;
    CHECK((live ? puffin_cursor_live_mask : puffin_cursor_deleted_mask)(cursor, first, rows, mask, words + 1, NULL) ==
          PUFFIN_STATUS_OK);
    CHECK(memcmp(mask, expected, words * 8) == 0 && mask[words] == GUARD);
    memset(mask, 0x5A, words * 8);
    CHECK((live ? puffin_dv_live_mask : puffin_dv_deleted_mask)(dv, first, rows, mask, words, NULL) == PUFFIN_STATUS_OK);
    CHECK(memcmp(mask, expected, words * 8) == 0 && mask[words] == GUARD);
    /* At an odd address, in the bytes' own order. */
    octets[byte_count + 1] = 0xEE;
    CHECK((live ? puffin_cursor_live_mask_bytes : puffin_cursor_deleted_mask_bytes)(cursor, first, rows, octets + 1,
                                                                                    byte_count, NULL) == PUFFIN_STATUS_OK);
    for (size_t i = 0; i < byte_count && answer == ACCEPTED; i++) {
      CHECK(octets[i + 1] == (uint8_t)(expected[i / 8] >> (8 * (i % 8))));
    }
    CHECK(octets[byte_count + 1] == 0xEE);
    size_t want = live ? rows - dead : dead;
    for (size_t room = want == 0 ? 0 : want - 1; room <= want && answer == ACCEPTED; room++) {
      puffin_error error;
      offsets[0] = 77;
      puffin_status status =
          (live ? puffin_cursor_live_offsets : puffin_cursor_deleted_offsets)(cursor, first, rows, offsets, room, &count, &error);
      CHECK(count == want);
      if (room < want) {
        CHECK(status == PUFFIN_STATUS_BUFFER_TOO_SMALL && error.found == want && offsets[0] == 77);
      } else {
        CHECK(status == PUFFIN_STATUS_OK);
      }
    }
    size_t at = 0;
    for (size_t row = 0; row < rows && answer == ACCEPTED; row++) {
      if (expected[row / 64] >> (row % 64) & 1) {
        CHECK(offsets[at] == row);
        at++;
      }
    }
    CHECK(at == want);
  }
  bool intersects = false, whole = false;
  uint64_t counted = 0;
  if (first <= UINT64_MAX - rows) {
    CHECK(puffin_dv_intersects(dv, first, first + rows, &intersects, NULL) == PUFFIN_STATUS_OK && intersects == (dead > 0));
    CHECK(puffin_dv_count(dv, first, first + rows, &counted, NULL) == PUFFIN_STATUS_OK && counted == dead);
    CHECK(puffin_dv_contains_range(dv, first, first + rows, &whole, NULL) == PUFFIN_STATUS_OK && whole == (dead == rows));
  }
#undef CHECK
  free(expected);
  free(mask);
  free(offsets);
  free(octets);
  return answer;
}

/* Batches front to back with one cursor, as an engine reads; of a gap, no more than the first batch. */
static outcome check_batches(const puffin_dv *dv, const list *l, size_t rows) {
  puffin_cursor cursor;
  MUST(puffin_dv_cursor(dv, &cursor, NULL));
  uint64_t first = l->len > 0 && l->data[0] > 3 * rows ? l->data[0] - 3 * rows : 0;
  for (int batch = 0; batch < most_batches; batch++) {
    TRY(check_window(&cursor, dv, l, first, rows));
    size_t next = first > UINT64_MAX - rows ? l->len : lower_bound(l, first + rows);
    if (next == l->len) {
      return ACCEPTED;
    }
    uint64_t follow = first + rows, jump = l->data[next] - l->data[next] % 7;
    first = jump > follow + rows ? jump : follow;
  }
  return ACCEPTED;
}

static outcome check_samples(const puffin_dv *dv, const list *l) {
  puffin_index index;
  puffin_positions positions;
  size_t index_words = 0;
  MUST(puffin_dv_index_len(dv, &index_words, NULL));
  uint64_t *memory = must_alloc(index_words * 8);
  MUST(puffin_dv_index_into(dv, memory, index_words, &index, NULL));
  MUST(puffin_dv_positions(dv, 0, &positions, NULL));
  size_t step = l->len / 97 + 1;
  for (size_t i = 0; i < l->len; i += step) {
    uint64_t position = l->data[i], answer = 0;
    bool yes = false;
    MUST(puffin_dv_contains(dv, position, &yes, NULL));
    SAME("contains", yes, true);
    MUST(puffin_index_contains(&index, position, &yes, NULL));
    SAME("contains by index", yes, true);
    MUST(puffin_dv_rank(dv, position, &answer, NULL));
    SAME("rank", answer, i + 1);
    MUST(puffin_dv_select(dv, i, &answer, &yes, NULL));
    SAME("select", answer, position);
    SAME("selected", yes, true);
    MUST(puffin_positions_seek(&positions, position, NULL));
    puffin_positions ahead = positions; /* a copy goes its own way */
    size_t count = 0;
    MUST(puffin_positions_fill(&ahead, &answer, 1, &count, NULL));
    SAME("sought", answer, position);
    if (position < UINT64_MAX) {
      bool touches = i + 1 < l->len && l->data[i + 1] == position + 1;
      MUST(puffin_dv_contains(dv, position + 1, &yes, NULL));
      SAME("contains the neighbour", yes, touches);
      MUST(puffin_index_contains(&index, position + 1, &yes, NULL));
      SAME("contains the neighbour by index", yes, touches);
    }
  }
  free(memory);
  bool found = true;
  uint64_t none = 7;
  if (l->whole) {
    MUST(puffin_dv_select(dv, l->len, &none, &found, NULL));
    SAME("select past the end", found, false);
  }
  return ACCEPTED;
}

static outcome check_reads(const puffin_dv *dv, const list *l) {
  /* Backwards, and whether each is there. */
  puffin_positions_rev back;
  MUST(puffin_dv_positions_rev(dv, &back, NULL));
  uint64_t batch[999];
  bool there[999];
  size_t at = l->len, count = 0;
  do {
    MUST(puffin_positions_rev_fill(&back, batch, 999, &count, NULL));
    for (size_t i = 0; i < count; i++) {
      SAME("position read backwards", batch[i], at > 0 ? l->data[--at] : 0);
    }
    MUST(puffin_dv_contains_many(dv, batch, count, there, NULL));
    for (size_t i = 0; i < count; i++) {
      SAME("contains many", there[i], true);
    }
  } while (count == 999);
  SAME("positions read backwards", at, 0);
  /* Ranges of deleted rows, and of those between. */
  puffin_ranges deleted, live;
  puffin_range range, gap;
  uint64_t next = 0;
  at = 0;
  MUST(puffin_dv_deleted_ranges(dv, 0, UINT64_MAX, &deleted, NULL));
  MUST(puffin_dv_live_ranges(dv, 0, UINT64_MAX, &live, NULL));
  for (;;) {
    MUST(puffin_ranges_fill(&deleted, &range, 1, &count, NULL));
    if (count == 0) {
      break;
    }
    if (range.start > 0) {
      MUST(puffin_ranges_fill(&live, &gap, 1, &count, NULL));
      SAME("live ranges", count, 1);
      SAME("live range's start", gap.start, next);
      SAME("live range's end", gap.end, range.start);
    }
    for (uint64_t position = range.start; position < range.end; position++) {
      SAME("position in a range", at < l->len && l->data[at] == position, true);
      at++;
    }
    next = range.end;
  }
  SAME("positions in ranges", at, l->len - (l->len > 0 && l->data[l->len - 1] == UINT64_MAX));
  /* With itself, a vector has nothing but itself. */
  puffin_operation operation;
  uint64_t cardinality = 7;
  bool yes = false;
  MUST(puffin_dv_union(dv, dv, &operation, NULL));
  MUST(puffin_operation_cardinality(&operation, &cardinality, NULL));
  SAME("union with itself", cardinality, l->len);
  puffin_positions united;
  MUST(puffin_operation_positions(&operation, &united, NULL));
  MUST(puffin_positions_fill(&united, batch, 999, &count, NULL));
  SAME("positions of the union", count, l->len < 999 ? l->len : 999);
  SAME("positions of the union", memcmp(batch, l->data, count * 8), 0);
  MUST(puffin_dv_difference(dv, dv, &operation, NULL));
  MUST(puffin_operation_is_empty(&operation, &yes, NULL));
  SAME("difference from itself is empty", yes, true);
  MUST(puffin_dv_intersection(dv, dv, &operation, NULL));
  MUST(puffin_operation_cardinality(&operation, &cardinality, NULL));
  SAME("intersection with itself", cardinality, l->len);
  MUST(puffin_operation_ranges(&operation, &deleted, NULL));
  MUST(puffin_ranges_fill(&deleted, &range, 1, &count, NULL));
  SAME("ranges of the intersection", count, l->len > 0);
  MUST(puffin_dv_is_subset(dv, dv, &yes, NULL));
  SAME("subset of itself", yes, true);
  MUST(puffin_dv_is_disjoint(dv, dv, &yes, NULL));
  SAME("disjoint from itself", yes, l->len == 0);
  return ACCEPTED;
}

/* What is written of a vector is read as the same vector. */
static outcome check_encoding(const puffin_dv *dv, const list *l) {
  puffin_source source;
  if ((puffin_features() & PUFFIN_FEATURE_WRITE) == 0) {
    return ACCEPTED;
  }
  puffin_status status = puffin_source_vector(dv, &source, NULL);
  if (status == PUFFIN_STATUS_KEY_OUT_OF_RANGE) {
    return ACCEPTED; /* may be read, and not written */
  }
  MUST(status);
  size_t words = puffin_encode_scratch_len(1), len = 0, written = 0;
  uint64_t *scratch = must_alloc(words * 8), cardinality = 0;
  MUST(puffin_encode_len(&source, 1, NULL, scratch, words, &len, &cardinality, NULL));
  SAME("cardinality of the encoding", cardinality, l->len);
  uint8_t *blob = must_alloc(len + 1);
  /* To the byte, at an odd address. */
  MUST(puffin_encode(&source, 1, NULL, scratch, words, blob + 1, len, &written, &cardinality, NULL));
  SAME("length written", written, len);
  puffin_dv again;
  MUST(puffin_dv_parse_with_cardinality(blob + 1, len, l->len, &again, NULL));
  list read = {NULL, 0, true};
  TRY(read_positions(&again, UINT64_MAX, &read));
  SAME("positions written", read.len, l->len);
  SAME("positions written", memcmp(read.data, l->data, l->len * 8), 0);
  status = puffin_encode(&source, 1, NULL, scratch, words, blob + 1, len - 1, &written, NULL, NULL);
  SAME("a short buffer", status, PUFFIN_STATUS_BUFFER_TOO_SMALL);
  SAME("the need of a short buffer", written, len);
  free(read.data);
  free(blob);
  free(scratch);
  return ACCEPTED;
}

/* The questions that a context has under seek, windows and expand_rows. */
static outcome check_sequence(const puffin_dv *dv, const list *l, json_object *context, uint64_t taken) {
  json_object *value, *item;
  wide number;
  puffin_positions positions;
  MUST(puffin_dv_positions(dv, 0, &positions, NULL));
  for (uint64_t i = 0; i < taken && taken != UINT64_MAX; i++) {
    uint64_t position;
    size_t count = 0;
    MUST(puffin_positions_fill(&positions, &position, 1, &count, NULL));
    if (count == 0) {
      break;
    }
  }
  if (fact(context, "seek", &value)) {
    for (size_t i = 0; i < json_object_array_length(value); i++) {
      item = json_object_array_get_idx(value, i);
      if (!json_integer(json_object_array_get_idx(item, 0), &number)) {
        return wrong("a seek is not a number");
      }
      if (number >= 0) {
        MUST(puffin_positions_seek(&positions, (uint64_t)number, NULL));
      }
      puffin_positions ahead = positions;
      uint64_t position = 0;
      size_t count = 0;
      MUST(puffin_positions_fill(&ahead, &position, 1, &count, NULL));
      json_object *next = json_object_array_get_idx(item, 1);
      SAME("positions after a seek", count, next != NULL);
      if (next != NULL && json_integer(next, &number)) {
        SAME("position after a seek", position, number);
      }
    }
  }
  puffin_cursor cursor;
  MUST(puffin_dv_cursor(dv, &cursor, NULL));
  if (fact(context, "windows", &value)) {
    for (size_t i = 0; i < json_object_array_length(value); i++) {
      item = json_object_array_get_idx(value, i);
      wide from, to;
      if (!json_integer(json_object_array_get_idx(item, 0), &from) || !json_integer(json_object_array_get_idx(item, 1), &to)) {
        return wrong("a window is not two numbers");
      }
      if (from < 0 || to < from || to - from > 1 << 24) {
        return wrong("a window that this program does not make");
      }
      json_object *inside = json_object_array_get_idx(item, 2);
      size_t count = json_object_array_length(inside), start = lower_bound(l, (uint64_t)from);
      SAME("positions in a window", lower_bound(l, (uint64_t)to) - start, count);
      for (size_t j = 0; j < count; j++) {
        if (!json_integer(json_object_array_get_idx(inside, j), &number)) {
          return wrong("a position is not a number");
        }
        SAME("position in a window", l->data[start + j], number);
      }
      TRY(check_window(&cursor, dv, l, (uint64_t)from, (size_t)(to - from)));
    }
  }
  if (fact(context, "expand_rows", &value)) {
    if (!json_integer(value, &number) || number < 0 || number > 1 << 24) {
      return wrong("expand_rows that this program does not make");
    }
    TRY(check_window(&cursor, dv, l, 0, (size_t)number));
  }
  return ACCEPTED;
}

outcome check_set(const puffin_dv *dv, json_object *context, json_object *facts) {
  uint64_t cardinality = 0, taken = UINT64_MAX;
  json_object *value;
  wide number;
  MUST(puffin_dv_cardinality(dv, &cardinality, NULL));
  if (fact(context, "take", &value)) {
    if (!json_integer(value, &number) || number < 0) {
      return wrong("take is not a count");
    }
    taken = (uint64_t)number;
  }
  TRY(check_facts(dv, cardinality, taken, facts));
  list l = {NULL, 0, cardinality <= most_collected};
  TRY(read_positions(dv, l.whole ? UINT64_MAX : 1000, &l));
  outcome answer = check_samples(dv, &l);
  if (l.whole) {
    SAME("positions read", l.len, cardinality);
    answer = answer == ACCEPTED ? check_sequence(dv, &l, context, taken) : answer;
    answer = answer == ACCEPTED ? check_batches(dv, &l, BATCH) : answer;
    answer = answer == ACCEPTED ? check_batches(dv, &l, 1001) : answer;
    answer = answer == ACCEPTED ? check_reads(dv, &l) : answer;
    answer = answer == ACCEPTED ? check_encoding(dv, &l) : answer;
  }
  free(l.data);
  return answer;
}

outcome check_bitmap32(const puffin_bitmap32 *bitmap, const uint8_t *data, size_t len, json_object *context,
                       json_object *facts) {
  /* The 64-bit bitmap with this one under key 0. */
  static const uint8_t head[12] = {1};
  uint8_t *framed = must_alloc(sizeof head + len);
  memcpy(framed, head, sizeof head);
  memcpy(framed + sizeof head, data, len);
  puffin_dv dv;
  MUST(puffin_dv_parse_bitmap(framed, sizeof head + len, &dv, NULL));
  uint64_t cardinality = 0, rank = 0, position = 0;
  bool found = false, same = false;
  uint32_t value = 0;
  MUST(puffin_bitmap32_cardinality(bitmap, &cardinality, NULL));
  puffin_values values;
  puffin_positions positions;
  MUST(puffin_bitmap32_values(bitmap, 0, &values, NULL));
  MUST(puffin_dv_positions(&dv, 0, &positions, NULL));
  uint32_t batch[777];
  uint64_t expected[777];
  uint64_t total = 0;
  size_t count = 0, other = 0;
  do {
    MUST(puffin_values_fill(&values, batch, 777, &count, NULL));
    MUST(puffin_positions_fill(&positions, expected, 777, &other, NULL));
    SAME("values read", count, other);
    for (size_t i = 0; i < count; i++) {
      SAME("value", batch[i], expected[i]);
    }
    if (count > 0) {
      MUST(puffin_bitmap32_contains(bitmap, batch[count - 1], &same, NULL));
      SAME("contains", same, true);
      MUST(puffin_bitmap32_rank(bitmap, batch[count - 1], &rank, NULL));
      SAME("rank", rank, total + count);
      MUST(puffin_bitmap32_select(bitmap, total, &value, &found, NULL));
      SAME("select", value, batch[0]);
      puffin_values sought;
      MUST(puffin_bitmap32_values(bitmap, 0, &sought, NULL));
      MUST(puffin_values_seek(&sought, batch[0], NULL));
      MUST(puffin_values_fill(&sought, &value, 1, &other, NULL));
      SAME("sought", value, batch[0]);
    }
    total += count;
  } while (count == 777 && total < most_collected);
  if (count < 777) {
    SAME("values", total, cardinality);
  }
  MUST(puffin_bitmap32_min(bitmap, &value, &found, NULL));
  MUST(puffin_dv_min(&dv, &position, &same, NULL));
  SAME("min", value, position);
  SAME("has min", found, same);
  MUST(puffin_bitmap32_max(bitmap, &value, &found, NULL));
  MUST(puffin_dv_max(&dv, &position, &same, NULL));
  SAME("max", value, position);
  SAME("has max", found, same);
  outcome answer = check_set(&dv, context, facts);
  free(framed);
  return answer;
}
