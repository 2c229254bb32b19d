/*
 * The record of one episode of an environment, as a run has it: a trajectory in
 * FOLDER/episodes/TASK/NUMBER/0, which judges and reports can read.
 */
#ifndef TOOLS_ENV_ENV_RECORD_H
#define TOOLS_ENV_ENV_RECORD_H

#include "runner/observe/observer.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/trajectory.h"

struct env_record;

/* All of it is borrowed for the call. */
struct env_record_head {
    const char *folder;      /* created if it is missing */
    const struct task *task; /* with its values filled in */
    const char *phone;
    const char *instruction;
    const char *locale;
    int number; /* of the episode, among those of its task */
    struct extent screen;
};

MUST_USE bool env_record_open(const struct env_record_head *head,
                              struct env_record **record, struct err *err);

/* Close it; with erase, its files are deleted. NULL is fine. */
void env_record_close(struct env_record *record, bool erase);

/* The folder of the episode. */
const char *env_record_folder(const struct env_record *record);

MUST_USE bool env_record_observation(struct env_record *record,
                                     const struct observation *seen,
                                     struct err *err);

/* A reply as text; error is why it has no action, or NULL. */
MUST_USE bool env_record_reply(struct env_record *record, const char *text,
                               const char *error, struct err *err);

/* The actor and the time are filled in. */
MUST_USE bool env_record_action(struct env_record *record,
                                const struct step_action *action,
                                struct err *err);

/* What a probe of the task printed before the first step, or at the end. */
MUST_USE bool env_record_probe(struct env_record *record, const char *name,
                               const char *value, bool before, struct err *err);

/* The end; verdict is the truth, or NULL. */
MUST_USE bool env_record_end(struct env_record *record,
                             enum trajectory_ending ending, const char *reason,
                             const struct cJSON *verdict, struct err *err);

#endif
