/*
 * Which steps of a gold trajectory have a star: the task's gold says it, and
 * the trajectory may have more steps, such as scrolling to what is needed.
 */
#ifndef JUDGE_STARS_H
#define JUDGE_STARS_H

#include "judge/dossier.h"

struct star {
    size_t step;  /* of the trajectory */
    size_t layer; /* stars of a layer come in any order, layers in theirs */
};

struct stars {
    struct star *items; /* owned */
    size_t count;
};

/*
 * Find them. Fails with ERR_INVALID when the task has no gold steps, or the
 * trajectory does not follow them.
 */
MUST_USE bool stars_find(const struct dossier *gold, struct stars *stars,
                         struct err *err);
void stars_release(struct stars *stars);

#endif
