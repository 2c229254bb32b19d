/*
 * Finished runs as reports need them: each attempt with its task, its cost and
 * its verdict by one judge. Read from files only.
 */
#ifndef JUDGE_REPORT_JUDGED_RUNS_H
#define JUDGE_REPORT_JUDGED_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "judge/verdict/verdict.h"
#include "tasks/json/text_list.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/trajectory.h"

/* A judge with verdicts in a run's folders. */
struct judged_runs_judge {
    char *name; /* owned: "rules" */
    char hash[sizeof(((struct verdict *)0)->hash)];
    size_t verdicts;
};

struct judged_run {
    char *folder; /* owned, as all texts here; NULL where unknown */
    char *id;
    char *agent;
    char *suite;
    char *locale;
    int64_t created_ms;
    int repeats;
    size_t planned;          /* episodes; 0: unknown */
    size_t finished;         /* episodes that count */
    struct text_list faults; /* what is wrong with its files; entries whose
                                damage is known are not among them */
    struct judged_runs_judge
        *judges; /* the verdicts of the first one are used */
    size_t judge_count;
};

/* One attempt. */
struct judged_attempt {
    size_t run;   /* its index */
    char *folder; /* owned, as all texts here: below the run's folder */
    char *task;
    int repeat;
    int attempt;
    char *agent;
    char *phone;
    bool builtin; /* the built-in phone */
    /* It counts for its task and repeat: no later attempt replaces it. */
    bool counts;

    enum task_kind kind;
    char *original;      /* the task that this one rewords; NULL: none */
    const char *wording; /* its style; static; NULL: none */
    char *app;           /* the package that was started */
    bool several_apps;   /* and more: the task uses several */
    char *category;
    char *locale;
    char *instruction;
    int level; /* 0: not given */
    enum task_difficulty difficulty;

    enum trajectory_ending ending;
    char *reason; /* of the ending */
    int steps;
    int raw_commands;   /* as in struct run_result */
    int person_actions; /* the same */
    int64_t duration_ms;
    int64_t input_tokens; /* 0: unknown */
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost; /* NAN: unknown */

    char *damage; /* why its files could not be read; NULL: they were read */
    bool judged;  /* there is a verdict; outcome is valid in either case */
    struct verdict verdict;
};

struct judged_runs {
    struct judged_run *runs; /* owned */
    size_t run_count;
    struct judged_attempt *entries; /* owned */
    size_t count;
};

#define JUDGED_RUNS_INIT                                                       \
    {                                                                          \
        .runs = NULL                                                           \
    }

#define JUDGED_RUNS_ENTRIES_MAX ((size_t)1 << 20)

void judged_runs_release(struct judged_runs *judged);

/*
 * Add the run in folder. judge selects whose verdicts are used: by name
 * ("rules"), by hash, or as "rules-1a2b3c4d"; NULL: the judge with the most
 * verdicts, and of equals the first by name.
 *
 * An attempt whose ending is void needs no verdict. One without a verdict is
 * unscored, and so is one whose task, events or verdicts cannot be read or do
 * not agree with results.jsonl (damage). A run without results.jsonl has no
 * attempts. On
 * failure (as file_load and jsonl_next, and ERR_NOT_FOUND when the named judge
 * has no verdict) the runs are unchanged.
 */
MUST_USE bool judged_runs_add(struct judged_runs *judged, const char *folder,
                              const char *judge, struct err *err);

/* Parse the attempts of one run's results.jsonl in memory; for fuzzing. */
MUST_USE bool judged_runs_parse_results(struct judged_runs *judged, size_t run,
                                        const char *text, size_t length,
                                        struct err *err);

#endif
