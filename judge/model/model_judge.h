/*
 * ProBench's judge: a model gets the task and the last screen, for process
 * tasks also the descriptions of all steps, and answers whether the task is
 * done.
 */
#ifndef JUDGE_MODEL_MODEL_JUDGE_H
#define JUDGE_MODEL_MODEL_JUDGE_H

#include "base/cancel.h"
#include "base/model.h"
#include "judge/evidence/episode_evidence.h"
#include "judge/verdict/verdict.h"

/* Increased whenever the same model may get another request. */
#define MODEL_JUDGE_VERSION 3

#define MODEL_JUDGE_REPEATS_MAX 99

/* Everything is borrowed. */
struct model_judge {
    struct model *model;
    const char *prompt; /* replaces the built-in prompts; or NULL */
    unsigned repeats;   /* number of requests; the majority counts. 0: one */
    int64_t ask_ms;     /* limit of one request; 0: the default */
    const struct cancel *cancel; /* may be NULL */
};

/*
 * Judge the episode into verdict, which is VERDICT_INIT or signed. An invalid
 * answer is asked for once more; after a second one the request is unscored,
 * and never guessed.
 *
 * Fails as model_ask, and as reading the last screen does.
 */
MUST_USE bool model_judge(const struct model_judge *judge,
                          const struct episode_evidence *evidence,
                          struct verdict *verdict, struct err *err);

/* The answer of a reply. */
enum model_vote {
    VOTE_NONE, /* no valid answer */
    VOTE_TRUE,
    VOTE_FALSE,
};

/*
 * True or False between <answer> and </answer>, after the reasoning. Several
 * answers that differ are invalid.
 */
enum model_vote model_judge_read(const struct model_reply *reply);

#endif
