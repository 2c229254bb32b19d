/* Shared by the files of an environment. */
#ifndef TOOLS_ENV_ENVIRONMENT_PRIVATE_H
#define TOOLS_ENV_ENVIRONMENT_PRIVATE_H

#include "runner/episode/repeat_detector.h"
#include "runner/observe/element_list.h"
#include "tools/env/env_assignment.h"
#include "tools/env/env_record.h"
#include "tools/env/env_score.h"
#include "tools/env/environment.h"

struct environment {
    struct env_world *world; /* borrowed */
    char name[ENV_NAME_SIZE];
    struct env_phone *phone; /* owned; NULL before the first reset */

    /* ---- the episode ---- */
    bool began;       /* there is one, or was one that failed */
    char broken[256]; /* why it cannot go on; "": it can */
    const struct task *task;
    struct env_assignment *assignment; /* held; NULL: none */
    uint64_t seed;
    struct env_view view; /* what is observed by default */
    enum env_reward_kind reward_kind;
    bool ends_when_met;
    uint32_t actions; /* the allowed ones, a bit each */
    int steps;        /* the budget */
    int step;
    struct observation seen;
    struct element_list elements; /* of seen */
    bool has_elements;
    struct repeat_detector repeats;
    char *notice; /* owned; about the last action; NULL: none */
    char *answer; /* owned; NULL: none */
    struct env_score score;
    double value;  /* what rewards are differences of */
    double reward; /* of the last step */
    int blocked;   /* actions that were not carried out */
    int useless;   /* texts without an action */
    enum trajectory_ending ending;
    char reason[256];
    struct env_record *record; /* owned; NULL: none */
    bool keeps_record;         /* otherwise it is deleted at the end */
};

/* The phone failed: the episode cannot go on. Always false. */
bool environment_break(struct environment *env, const struct err *err);

/* Wait until the screen is settled, and record it where that is asked for. */
MUST_USE bool environment_settle(struct environment *env, struct err *err);

/* Read the tree of the current screen, if it was not read. */
MUST_USE bool environment_read_tree(struct environment *env, struct err *err);

/* Record the task's probes; before: only those that must not change. */
MUST_USE bool environment_probe(struct environment *env, bool before,
                                struct err *err);

/* Score what was done; the reward is the difference to the score before. */
MUST_USE bool environment_score(struct environment *env, struct err *err);

/* Delete the file of the last screenshot, if there is one. */
void environment_erase_screen(const struct environment *env);

/* Is the reward read from the record? */
bool environment_scores_needs(const struct environment *env);

#endif
