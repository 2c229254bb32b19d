/*
 * ProBench's judge: a model is shown the task and the last screen, and of
 * process tasks what each step did, and says whether the task is done.
 */
#ifndef JUDGE_MODEL_JUDGE_H
#define JUDGE_MODEL_JUDGE_H

#include "base/cancel.h"
#include "base/model.h"
#include "judge/dossier.h"
#include "judge/verdict.h"

/* Counts up whenever the same model may be asked otherwise than before. */
#define MODEL_JUDGE_VERSION 2

#define MODEL_JUDGE_REPEATS_MAX 99

/* All of it is borrowed. */
struct model_judge {
    struct model *model;
    const char *prompt;          /* in place of the built-in ones; or NULL */
    unsigned repeats;            /* questions; the majority counts. 0: one */
    int64_t ask_ms;              /* for one question; 0: the usual */
    const struct cancel *cancel; /* may be NULL */
};

/*
 * Judge the episode into verdict, which is VERDICT_INIT or signed. An answer
 * off the menu is asked for once more; if that is none either, the question is
 * not scored, and never guessed.
 *
 * Fails as model_ask, and as reading the last screen does.
 */
MUST_USE bool model_judge(const struct model_judge *judge,
                          const struct dossier *dossier,
                          struct verdict *verdict, struct err *err);

/* What a reply says. */
enum model_vote {
    VOTE_NONE, /* nothing that is on the menu */
    VOTE_TRUE,
    VOTE_FALSE,
};

/*
 * True or False between <answer> and </answer>, behind the thoughts. Several
 * answers that differ are none.
 */
enum model_vote model_judge_read(const struct model_reply *reply);

#endif
