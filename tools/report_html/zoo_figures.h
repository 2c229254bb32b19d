/* What a zoo has measured of tasks, as `proctor zoo --json` prints it. */
#ifndef TOOLS_REPORT_HTML_ZOO_FIGURES_H
#define TOOLS_REPORT_HTML_ZOO_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct zoo_figure {
    char *task;            /* owned */
    double success;        /* 0 to 1 */
    double discrimination; /* NAN: it is always, or never, done */
    bool poor;
};

struct zoo_figures {
    struct zoo_figure *items; /* owned */
    size_t count;
};

/* The caller releases it. Fails with ERR_INVALID, and as file_load. */
MUST_USE bool zoo_figures_load(const char *path, struct zoo_figures *figures,
                               struct err *err);
void zoo_figures_release(struct zoo_figures *figures);

/* NULL: the task was not measured. */
const struct zoo_figure *zoo_figures_find(const struct zoo_figures *figures,
                                          const char *task);

#endif
