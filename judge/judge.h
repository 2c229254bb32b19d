/*
 * A judge, ready for any number of episodes: what it is called, how it is
 * configured, and what it says of each.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/model.h"
#include "judge/dossier.h"
#include "judge/golds.h"
#include "judge/verdict.h"

enum judge_kind {
    JUDGE_RULES,     /* the task's own checks */
    JUDGE_CHECKLIST, /* checks proposed from gold trajectories */
    JUDGE_MODEL,
    JUDGE_KINDS,
};

/* All pointers are borrowed for as long as the judge is used. */
struct judge_options {
    enum judge_kind kind;
    enum process_source source; /* of the words */
    const struct golds *golds;  /* of JUDGE_CHECKLIST */
    struct model *model;        /* of JUDGE_MODEL */
    struct model *summarizer;   /* says the words in place of source; or NULL */
    const char *prompt;         /* NULL: the built-in ones */
    unsigned repeats;           /* 0: one */
    int64_t ask_ms;             /* for one question; 0: the usual */
    const struct cancel *cancel;
};

/* Any thread may use it, and several at once. */
struct judge {
    struct judge_options options;
    char *name;   /* owned: "rules", "openai:gpt-4o" */
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

/*
 * The same for what was gathered already, with the judge's own source. The
 * words are replaced when there is a summarizer.
 */
MUST_USE bool judge_dossier(const struct judge *judge, struct dossier *dossier,
                            struct verdict *verdict, struct err *err);

/*
 * Has a judge that is paid for said this before, in this configuration? The
 * caller releases the verdict, which is otherwise untouched. What was not
 * scored is not remembered.
 */
MUST_USE bool judge_remembers(const struct judge *judge, const char *folder,
                              struct verdict *verdict);

#endif
