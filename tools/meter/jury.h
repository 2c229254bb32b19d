/*
 * The judges that are measured, and what each says of every entrant.
 *
 * Beside the real ones stand three that nobody should be proud to beat: one
 * that always says yes, one that knows only how the gold's last screen looks,
 * and one that takes nothing but the gold's own steps.
 */
#ifndef METER_JURY_H
#define METER_JURY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "base/err.h"
#include "judge/judge.h"
#include "judge/meter.h"
#include "tools/meter/entrants.h"
#include "tools/meter/field.h"

enum juror_kind {
    JUROR_JUDGE,
    JUROR_ALWAYS_YES,
    JUROR_LAST_SCREEN,
    JUROR_SAME_AS_GOLD,
};

enum juror_checks {
    CHECKS_NONE,     /* it needs none */
    CHECKS_HAND,     /* those that the task's author wrote */
    CHECKS_PROPOSED, /* made from the gold's stars, on the default skin */
};

struct juror {
    enum juror_kind kind;
    const struct judge *judge; /* borrowed; of JUROR_JUDGE */
    enum juror_checks checks;
    enum process_source source; /* what the words come from */
    const char *name;           /* borrowed */
};

/* "none", "hand", "proposed". */
const char *juror_checks_name(enum juror_checks checks);

/* What else is known of an episode. Texts are owned. */
struct jury_case {
    char *folder;      /* NULL: it was not run */
    char *wrong_about; /* a clause of the truth that is not met; NULL */
    bool surprising;   /* the truth is not what its author meant */
    bool partly;       /* a twin breaks more or other clauses than it says */
};

/* All of them: outcomes[juror * count + i] is what it says of episode i. */
struct jury {
    const struct juror *jurors; /* borrowed */
    size_t juror_count;
    struct meter_episode *episodes; /* owned, as the next two */
    struct jury_case *cases;
    enum outcome *outcomes;
    size_t count;
    struct meter_pair *pairs; /* owned */
    size_t pair_count;
};

/* All of it is borrowed. */
struct jury_options {
    const char *folder; /* of the meter */
    const struct field *fields;
    size_t field_count;
    const struct entrants *entrants;
    const struct juror *jurors;
    size_t juror_count;
    const struct cancel *cancel;
};

/*
 * Hear all jurors about all episodes of the fields, on every core. The caller
 * releases the jury. Fails with ERR_INVALID for an episode or a truth that
 * cannot be read, and with ERR_CANCELLED.
 */
MUST_USE bool jury_hear(const struct jury_options *options, struct jury *jury,
                        struct err *err);
void jury_release(struct jury *jury);

#endif
