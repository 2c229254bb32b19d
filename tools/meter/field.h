/*
 * All entrants on built-in phones of one setting: the seed of what the phones
 * hold, the skin that words and arranges it, and the language. Two ordinary
 * runs are the result, one of the ways and one of a random walk through each
 * task, so that everything that reads runs can read them.
 */
#ifndef METER_FIELD_H
#define METER_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/log.h"
#include "runner/run.h"
#include "tools/meter/entrants.h"

struct field {
    int64_t seed;
    int skin;
    const char *locale; /* "en" or "zh"; static */
};

/* All of it is borrowed. */
struct field_options {
    const struct entrants *entrants;
    const struct suite *suite; /* whose tasks are walked through at random */
    const char *folder;        /* exists; the runs are made in it */
    bool random;               /* walks, too */
    size_t phones;
    struct run_watcher watcher;
    const struct cancel *cancel;
    const struct log *log;
};

/* The folders of both runs, within that of the meter. */
#define FIELD_NAME_MAX 64
void field_name(const struct field *field, bool random,
                char name[FIELD_NAME_MAX]);

/*
 * Run them, or what is left of them. Fails as run_do does, and with
 * ERR_CANCELLED when it is interrupted.
 */
MUST_USE bool field_run(const struct field *field,
                        const struct field_options *options, struct err *err);

#endif
