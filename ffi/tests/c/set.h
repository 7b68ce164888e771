/* Every question of a set of positions, asked through C in several ways, and what a table says of the answers. */
#ifndef SET_H
#define SET_H

#include "puffin_codec.h"
#include "table.h"

/* Looks at fewer positions of large sets, for tools under which a program is fifty times slower. */
void be_brief(void);

/* What came of a row. */
typedef enum { ACCEPTED, REFUSED, WRONG } outcome;

/* Why it is WRONG, in words. */
extern char why[512];
outcome wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The status with which the last row was REFUSED. */
extern int32_t refused_with;
outcome refused(puffin_status status);

/* Goes on only if a step was ACCEPTED. */
#define TRY(step)                 \
  do {                            \
    outcome step_outcome = (step); \
    if (step_outcome != ACCEPTED) { \
      return step_outcome;        \
    }                             \
  } while (0)

/* Goes on only if a call, which must succeed, does. */
#define MUST(call)                                                                                            \
  do {                                                                                                        \
    puffin_status must_status = (call);                                                                       \
    if (must_status != PUFFIN_STATUS_OK) {                                                                    \
      return wrong("%s:%d: %s", __FILE__, __LINE__, puffin_status_name(must_status));                         \
    }                                                                                                         \
  } while (0)

/* Goes on only if it is so. */
#define SAME(what, ours, truth)                                                                               \
  do {                                                                                                        \
    wide same_ours = (wide)(ours), same_truth = (wide)(truth);                                                \
    if (same_ours != same_truth) {                                                                            \
      return wrong("%s: ours is %lld, the truth %lld (%s:%d)", (what), (long long)same_ours, (long long)same_truth, \
                   __FILE__, __LINE__);                                                                       \
    }                                                                                                         \
  } while (0)

/* Asks everything of a vector, and takes the facts that hold from `facts`. */
outcome check_set(const puffin_dv *dv, json_object *context, json_object *facts);

/* The same of a 32-bit bitmap, and that it agrees with the vector of the same positions. */
outcome check_bitmap32(const puffin_bitmap32 *bitmap, const uint8_t *data, size_t len, json_object *context,
                       json_object *facts);

#endif
