/* What `proctor check` finds wrong with recordings. */
#ifndef TOOLS_CLI_RUN_RECORDING_CHECKS_H
#define TOOLS_CLI_RUN_RECORDING_CHECKS_H

#include <cjson/cJSON.h>

#include "base/err.h"

struct recording_checks {
    struct cJSON *bad;   /* owned: an array of {"episode", "error"} */
    struct cJSON *notes; /* owned: the same for what `resume` puts right */
    int episodes;
    bool in_run; /* the folder is a run's */
};

void recording_checks_init(struct recording_checks *checks);
void recording_checks_release(struct recording_checks *checks);

/*
 * Check a run's folder, one episode's, or one with several below it. Reads
 * every file that the episodes name. Fails as the system does, and with
 * ERR_INVALID when there is neither a run nor an episode.
 */
MUST_USE bool recording_checks_folder(struct recording_checks *checks,
                                      const char *folder, struct err *err);

#endif
