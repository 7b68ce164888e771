/* The rows of a case table that are about single calls. */
#ifndef CALLS_H
#define CALLS_H

#include "set.h"

/* A number of the context: false if it is not there. */
bool number_of(json_object *context, const char *key, wide *out);

/* puffin_dv_parse on a valid vector, or on what the context says. */
outcome call_parse(json_object *context);
/* Each bulk output, with an output that is NULL, misaligned or too short: none may be accepted, nothing written. */
outcome call_fill(json_object *context);

#endif
