/*
 * A description of each step of a recorded episode, as `proctor process` prints
 * it and process.jsonl stores it.
 */
#ifndef PROCESS_PROVIDER_SUMMARIZE_EPISODE_PROCESS_H
#define PROCESS_PROVIDER_SUMMARIZE_EPISODE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "process_provider/summarize/step_description.h"
#include "tasks/trajectory/trajectory.h"

struct episode_process_step {
    char description[DESCRIPTION_MAX];
    struct err doubt; /* ERR_NONE, or why a screen or tree was not used */
};

/* One per action. */
struct episode_process {
    enum process_source source;
    struct episode_process_step *steps; /* owned */
    size_t count;
};

/*
 * Describe every action of the episode with step_describe; the caller releases
 * process. A screen or tree that cannot be read is not used, and the step's
 * doubt says why. Blocks while pictures are read, at most as access allows.
 */
void episode_process_make(const struct trajectory *trajectory,
                          enum process_source source,
                          const struct picture_access *access,
                          struct episode_process *process);
void episode_process_release(struct episode_process *process);

/* Write process.jsonl into the episode's folder, all of it or nothing. */
MUST_USE bool episode_process_save(const struct trajectory *trajectory,
                                   const struct episode_process *process,
                                   struct err *err);

/*
 * Read step and description of one line of process.jsonl, of this version or
 * the one before. The description is borrowed from line.
 */
MUST_USE bool episode_process_read_line(const struct json *line, int64_t *step,
                                        const char **description,
                                        struct err *err);

#endif
