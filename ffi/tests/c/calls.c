#include "calls.h"

#include <stdlib.h>
#include <string.h>

bool number_of(json_object *context, const char *key, wide *out) {
  json_object *value;
  return json_object_object_get_ex(context, key, &value) && value != NULL && json_integer(value, out);
}

/* A valid vector: positions 5 and 9, as bytes by hand, with the CRC-32 that the library itself must agree with. */
static size_t valid_vector(uint8_t blob[64]) {
  uint64_t positions[2] = {5, 9}, *scratch = must_alloc(puffin_encode_scratch_len(1) * 8);
  puffin_source source;
  size_t len = 0;
  if (puffin_source_positions(positions, 2, &source, NULL) != PUFFIN_STATUS_OK ||
      puffin_encode(&source, 1, NULL, scratch, puffin_encode_scratch_len(1), blob, 64, &len, NULL, NULL) !=
          PUFFIN_STATUS_OK) {
    die("a vector of two positions cannot be written");
  }
  free(scratch);
  return len;
}

outcome call_parse(json_object *context) {
  uint8_t memory[65];
  json_object *value;
  wide number;
  const char *data = json_object_object_get_ex(context, "data", &value) ? json_object_get_string(value) : "valid";
  uint8_t *blob = memory + (strcmp(data, "odd") == 0 ? ((uintptr_t)memory % 2 == 0) : 0);
  size_t len = valid_vector(blob);
  if (json_object_object_get_ex(context, "len", &value)) {
    if (json_integer(value, &number)) {
      len = (size_t)number;
    } else if (strcmp(json_object_get_string(value), "max") == 0) {
      len = SIZE_MAX;
    } else {
      return wrong("an unknown len");
    }
  }
  puffin_dv dv;
  puffin_error error = {0};
  puffin_status status = puffin_dv_parse(strcmp(data, "null") == 0 ? NULL : blob, len, &dv, &error);
  if (status != PUFFIN_STATUS_OK) {
    bool any = true;
    SAME("status of the record", error.status, status);
    SAME("an object that was not made", puffin_dv_contains(&dv, 5, &any, NULL), PUFFIN_STATUS_INVALID_ARGUMENT);
    return refused(status);
  }
  return ACCEPTED;
}

outcome call_fill(json_object *context) {
  uint8_t blob[64], memory[256];
  json_object *value;
  wide capacity = 8;
  puffin_dv dv;
  puffin_cursor cursor;
  puffin_positions positions;
  puffin_positions_rev back;
  puffin_ranges ranges;
  MUST(puffin_dv_parse(blob, valid_vector(blob), &dv, NULL));
  MUST(puffin_dv_cursor(&dv, &cursor, NULL));
  const char *out = json_object_object_get_ex(context, "out", &value) ? json_object_get_string(value) : "";
  (void)number_of(context, "out_cap", &capacity);
  size_t cap = (size_t)capacity, count = 0, refusals = 0;
  memset(memory, 0xEE, sizeof memory);
  /* Aligned for any word, or one byte off. */
  uintptr_t address = (uintptr_t)memory;
  address = strcmp(out, "null") == 0 ? 0 : (address + 15) / 16 * 16 + (strcmp(out, "misaligned") == 0 ? 1 : 0);
  bool bytes_too = strcmp(out, "misaligned") != 0; /* bytes may have any address */
  uint64_t asked[1] = {5};
  puffin_status statuses[10];
  size_t calls = 0;
  MUST(puffin_dv_positions(&dv, 0, &positions, NULL));
  MUST(puffin_dv_positions_rev(&dv, &back, NULL));
  MUST(puffin_dv_deleted_ranges(&dv, 0, 100, &ranges, NULL));
  statuses[calls++] = puffin_cursor_deleted_mask(&cursor, 0, 64, (uint64_t *)address, cap, NULL);
  statuses[calls++] = puffin_cursor_live_mask(&cursor, 0, 64, (uint64_t *)address, cap, NULL);
  statuses[calls++] = puffin_cursor_deleted_offsets(&cursor, 0, 64, (uint32_t *)address, cap, &count, NULL);
  statuses[calls++] = puffin_cursor_live_offsets(&cursor, 0, 64, (uint32_t *)address, cap > 0 ? 64 : 0, &count, NULL);
  if (cap > 0) { /* these give what there is room for: of nothing, nothing */
    statuses[calls++] = puffin_positions_fill(&positions, (uint64_t *)address, cap, &count, NULL);
    statuses[calls++] = puffin_positions_rev_fill(&back, (uint64_t *)address, cap, &count, NULL);
    statuses[calls++] = puffin_ranges_fill(&ranges, (puffin_range *)address, cap, &count, NULL);
  }
  if (bytes_too) {
    statuses[calls++] = puffin_cursor_deleted_mask_bytes(&cursor, 0, 64, (uint8_t *)address, cap > 0 ? 8 : 0, NULL);
    if (cap > 0) {
      statuses[calls++] = puffin_dv_contains_many(&dv, asked, 1, (bool *)address, NULL);
    }
  }
  for (size_t i = 0; i < calls; i++) {
    refusals += statuses[i] != PUFFIN_STATUS_OK;
  }
  if (refusals == 0) {
    return ACCEPTED;
  }
  SAME("calls refused", refusals, calls);
  for (size_t i = 0; i < sizeof memory; i++) {
    SAME("a byte of the output", memory[i], 0xEE);
  }
  if (strcmp(out, "") == 0 && cap == 0) {
    SAME("the need of a short output", count, 62);
  }
  return refused(statuses[0]);
}
