/* A model that gives scripted answers, and records the questions. */
#ifndef TESTS_JUDGE_MODEL_SCRIPTED_MODEL_H
#define TESTS_JUDGE_MODEL_SCRIPTED_MODEL_H

#include "base/model.h"

#define SCRIPTED_MAX 16

struct scripted_model {
    struct model model;                /* first */
    const char *replies[SCRIPTED_MAX]; /* in turn; NULL: the service fails */
    enum model_finish finishes[SCRIPTED_MAX];
    size_t count; /* number of replies; the last one is repeated */
    size_t asked; /* number of questions */
    struct buf texts[SCRIPTED_MAX]; /* owned; for each question, all texts */
    struct buf image;               /* owned; of the last question */
    size_t images;                  /* in all questions */
    double temperature;             /* of the last question */
    unsigned repeat;                /* the same */
};

void scripted_init(struct scripted_model *scripted);
void scripted_release(struct scripted_model *scripted);

/* Add a reply. */
void scripted_say(struct scripted_model *scripted, const char *reply);

#endif
