/*
 * The judges that are measured, and their verdicts on every case.
 *
 * Beside the real judges there are three baselines: one that always says yes,
 * one that only compares the last screen with gold's, and one that accepts only
 * gold's own steps.
 */
#ifndef TOOLS_METER_JUDGE_SET_H
#define TOOLS_METER_JUDGE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "base/err.h"
#include "judge/judge.h"
#include "judge/statistics/judge_meter.h"
#include "tools/meter/meter_cases.h"
#include "tools/meter/meter_config.h"

enum judge_entry_kind {
    JUDGE_ENTRY_JUDGE,
    JUDGE_ENTRY_ALWAYS_YES,
    JUDGE_ENTRY_LAST_SCREEN,
    JUDGE_ENTRY_SAME_AS_GOLD,
};

enum judge_entry_checks {
    JUDGE_CHECKS_NONE,     /* none needed */
    JUDGE_CHECKS_HAND,     /* written by the task's author */
    JUDGE_CHECKS_PROPOSED, /* proposed from the gold's key steps, on the default
                              skin */
    JUDGE_CHECKS_RECORDED, /* the same, with the gold taken for a recording: the
                              stars alone are known, and the checks are proved
                              on its wrong twins */
};

struct judge_entry {
    enum judge_entry_kind kind;
    const struct judge *judge; /* borrowed; of JUDGE_ENTRY_JUDGE */
    enum judge_entry_checks checks;
    enum process_source source; /* source of the descriptions */
    const char *name;           /* borrowed */
};

/* "none", "hand", "proposed", "recorded". */
const char *judge_entry_checks_name(enum judge_entry_checks checks);

/* Further properties of an episode. Texts are owned. */
struct case_facts {
    char *folder;      /* NULL: it was not run */
    char *wrong_about; /* a clause of the truth that is not met; NULL */
    bool surprising; /* the truth differs from the class given by the author */
    bool partly;     /* it breaks more or other clauses than its author says */
    double
        clauses_met; /* the part of the truth's clauses that are met, 0 to 1 */
};

/* outcomes[judge * count + i] is the outcome of episode i. */
struct judge_set {
    const struct judge_entry *judge_entries; /* borrowed */
    size_t judge_entry_count;
    struct meter_episode *episodes; /* owned, as the next two */
    struct case_facts *facts;
    enum outcome *outcomes;
    size_t count;
    struct meter_pair *pairs; /* owned */
    size_t pair_count;
};

/* Everything is borrowed. */
struct judge_set_options {
    const char *folder; /* of the meter */
    const struct meter_config *configs;
    size_t config_count;
    const struct meter_cases *meter_cases;
    const struct judge_entry *judge_entries;
    size_t judge_entry_count;
    const struct picture_reader *reader; /* NULL: pictures are not read */
    const struct cancel *cancel;
};

/*
 * Run all judges on all episodes of the configs, on every core. The caller
 * releases the result. Fails with ERR_INVALID for an episode or a truth that
 * cannot be read, and with ERR_CANCELLED.
 */
MUST_USE bool judge_set_run(const struct judge_set_options *options,
                            struct judge_set *judge_set, struct err *err);
void judge_set_release(struct judge_set *judge_set);

#endif
