/* What each step of a recorded episode did, in words. */
#ifndef PROCESS_PROVIDER_PROCESS_H
#define PROCESS_PROVIDER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "process_provider/describe.h"
#include "tasks/trajectory.h"

enum process_source {
    PROCESS_OFFLINE,   /* the act and what came of it */
    PROCESS_CONVERTER, /* the act, from the screen before it */
    PROCESS_PLAIN,     /* the same, by ProBench's Algorithm 1 as it stands */
    PROCESS_SOURCES,
};

/* "offline", "converter", "plain". */
const char *process_source_name(enum process_source source);

/* Say an act alone, as a source other than PROCESS_OFFLINE does. */
void process_say_act(enum process_source source, const struct scene *scene,
                     const struct action *action, char words[DESCRIPTION_MAX]);

struct process_step {
    char words[DESCRIPTION_MAX];
    struct err doubt; /* code ERR_NONE, or why a screen or tree was not read */
};

/* One per action. */
struct process {
    enum process_source source;
    struct process_step *steps; /* owned */
    size_t count;
};

/*
 * Say it for every action of the episode. A screen or tree that cannot be
 * read is done without, and the step says so in its doubt.
 */
void process_make(const struct trajectory *trajectory,
                  enum process_source source, struct process *process);
void process_release(struct process *process);

/* Write process.jsonl into the episode's folder, all of it or nothing. */
MUST_USE bool process_save(const struct trajectory *trajectory,
                           const struct process *process, struct err *err);

#endif
