/*
 * Finished runs as reports need them: each attempt with its task, its cost and
 * what one judge says of it. Read from files alone.
 */
#ifndef JUDGE_LEDGER_H
#define JUDGE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "judge/verdict.h"
#include "tasks/task.h"
#include "tasks/trajectory.h"

/* A judge whose verdicts lie in a run's folders. */
struct ledger_judge {
    char *name; /* owned: "rules" */
    char hash[sizeof(((struct verdict *)0)->hash)];
    size_t verdicts;
};

struct ledger_run {
    char *folder; /* owned, as all texts here; NULL where unknown */
    char *id;
    char *agent;
    char *suite;
    char *locale;
    int64_t created_ms;
    int repeats;
    size_t planned;              /* episodes; 0: unknown */
    size_t finished;             /* that count */
    struct ledger_judge *judges; /* the first is the one that is listened to */
    size_t judge_count;
};

/* One attempt. */
struct ledger_entry {
    size_t run;   /* its index */
    char *folder; /* owned, as all texts here: below the run's folder */
    char *task;
    int repeat;
    int attempt;
    char *agent;
    char *phone;
    bool builtin; /* a phone made of software */
    /* It stands for its task and repeat: no later attempt replaces it. */
    bool counts;

    enum task_kind kind;
    char *app;
    char *category;
    char *locale;
    char *instruction;
    int level; /* 0: not said */
    enum task_difficulty difficulty;

    enum trajectory_ending ending;
    char *reason; /* of the ending */
    int steps;
    int64_t duration_ms;
    int64_t input_tokens; /* 0: unknown */
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost; /* NAN: unknown */

    char *damage; /* why its files could not be read; NULL: they could */
    bool judged;  /* there is a verdict; otherwise its outcome still holds */
    struct verdict verdict;
};

struct ledger {
    struct ledger_run *runs; /* owned */
    size_t run_count;
    struct ledger_entry *entries; /* owned */
    size_t count;
};

#define LEDGER_INIT                                                            \
    {                                                                          \
        .runs = NULL                                                           \
    }

#define LEDGER_ENTRIES_MAX ((size_t)1 << 20)

void ledger_release(struct ledger *ledger);

/*
 * Add the run in folder. judge names whose verdicts are taken, as "rules", by
 * its hash, or as "rules-1a2b3c4d"; NULL: of those that there are, the one who
 * judged most, and of equals the first by name.
 *
 * An attempt whose ending is void needs no judge. One without a verdict is
 * unscored, and so is one whose task or verdicts cannot be read (damage). On
 * failure (as file_load and jsonl_next, and ERR_NOT_FOUND when a judge was
 * named and never judged) the ledger is as it was.
 */
MUST_USE bool ledger_add(struct ledger *ledger, const char *folder,
                         const char *judge, struct err *err);

/* The attempts of one run's results.jsonl in memory; for fuzzing. */
MUST_USE bool ledger_parse_results(struct ledger *ledger, size_t run,
                                   const char *text, size_t length,
                                   struct err *err);

#endif
