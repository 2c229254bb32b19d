/*
 * A judge, ready for any number of episodes: what it is called, how it is
 * configured, and what it says of each.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>

#include "base/err.h"
#include "judge/dossier.h"
#include "judge/verdict.h"

enum judge_kind {
    JUDGE_RULES,
    JUDGE_KINDS,
};

struct judge_options {
    enum judge_kind kind;
    enum process_source source; /* of the words */
};

/* Any thread may use it, and several at once. */
struct judge {
    struct judge_options options;
    char *name;   /* owned: "rules" */
    char *config; /* owned: a JSON object */
};

void judge_init(struct judge *judge, const struct judge_options *options);
void judge_release(struct judge *judge);

/*
 * Judge the episode in folder. The caller releases the verdict. Fails as
 * dossier_open, and as the judge itself does; verdict is then untouched.
 */
MUST_USE bool judge_episode(const struct judge *judge, const char *folder,
                            struct verdict *verdict, struct err *err);

/* The same for what was gathered already, with the judge's own source. */
MUST_USE bool judge_dossier(const struct judge *judge,
                            const struct dossier *dossier,
                            struct verdict *verdict, struct err *err);

#endif
