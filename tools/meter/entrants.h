/*
 * Who takes part when judges are measured: for each task its gold, its ways
 * (tasks/way.h) and one that does nothing. Each is made a task of its own,
 * with these steps as its gold, so that the runner can do them as any other.
 *
 * Each wrong way makes a pair with the right one that it is closest to, and
 * each right way with its closest wrong one: as few steps as can be differ.
 */
#ifndef METER_ENTRANTS_H
#define METER_ENTRANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/meter.h"
#include "tasks/task.h"
#include "tasks/way.h"

struct entrant {
    const struct task *task; /* borrowed: that of the suite */
    enum way_class class_;
    char *name;         /* owned: of the way */
    const char *breaks; /* borrowed: the clause that it breaks; NULL */
};

struct entrants {
    const struct task **tasks; /* owned; of the suite, those that take part */
    size_t task_count;
    struct suite suite;    /* a task for each, in the same order */
    struct entrant *items; /* owned */
    size_t count;
};

/* Which take part. */
struct entrants_choice {
    const char *const *ids; /* of tasks; none: all */
    size_t id_count;
    enum way_class only; /* of wrong ways; WAY_CLASSES: all */
};

/*
 * Make them; suite and ways must live as long. Only tasks with gold and a
 * truth take part. Fails with ERR_INVALID when there are none, for an id that
 * is unknown, or when a way's name makes a task's that is too long.
 */
MUST_USE bool entrants_make(const struct suite *suite, const struct ways *ways,
                            const struct entrants_choice *choice,
                            struct entrants *entrants, struct err *err);
void entrants_release(struct entrants *entrants);

/*
 * Which make pairs, where right has the label of each of them: by the truth,
 * whatever their authors meant. pairs has room for as many as there are
 * entrants. Returns how many were found.
 */
size_t entrants_pair(const struct entrants *entrants, const bool *right,
                     struct meter_pair *pairs);

#endif
