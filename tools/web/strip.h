/* One episode as a page shows it: its film strip, its words, its verdict. */
#ifndef TOOLS_WEB_STRIP_H
#define TOOLS_WEB_STRIP_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "judge/ledger.h"
#include "tasks/trajectory.h"
#include "tools/web/thumbs.h"

struct strip {
    struct trajectory trajectory;
    bool loaded;
    struct err trouble; /* why not */
    char **words;       /* owned: per step; NULL where there are none */
    size_t word_count;
    bool shown; /* it has pictures, and replies */
};

/* Read it; one that cannot be read says why. */
void strip_load(struct strip *strip, const struct ledger_run *run,
                const struct ledger_entry *entry);
void strip_release(struct strip *strip);

/* How many screens it names that are not yet wanted. */
size_t strip_wants(const struct strip *strip, const struct thumbs *thumbs);

/* Show it: want its screens, and words where nobody said any yet. */
void strip_show(struct strip *strip, struct thumbs *thumbs);

/* All of it that is shown on demand; page.js reads it. */
struct cJSON *strip_json(const struct strip *strip,
                         const struct ledger_run *run,
                         const struct ledger_entry *entry,
                         const struct thumbs *thumbs);

#endif
