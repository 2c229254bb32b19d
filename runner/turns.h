/*
 * An episode as a conversation: what a model was shown and said so far, and
 * the next question made of it.
 */
#ifndef RUNNER_TURNS_H
#define RUNNER_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/model.h"
#include "runner/prompt.h"
#include "runner/sight.h"

/* One step as the model knows it. */
struct turn {
    bool said;          /* by this model; otherwise somebody else acted */
    struct sight sight; /* what it saw; empty when no longer needed */
    struct buf raw;     /* its reply, for the service */
    struct buf text;    /* the same, for all else */
    struct model_call calls[MODEL_CALLS_MAX];
    size_t call_count;
};

struct turns {
    struct turn *items; /* owned; one for each step that is over */
    size_t count;
};

void turns_clear(struct turns *turns);

/*
 * Remember what was shown and said in a step, in place of what there was. The
 * sight is taken over and is empty afterwards, reply is copied. Only the last
 * screens pictures are kept.
 */
void turns_note(struct turns *turns, size_t step, int screens,
                struct sight *sight, const struct model_reply *reply);

/* A question, and what its texts are kept in. */
struct turns_question {
    struct model_message *messages;
    size_t message_count;
    struct model_part *parts; /* of all messages */
    size_t part_count;
    size_t part_capacity;
    char **texts; /* owned */
    size_t text_count;
    char *tools;                  /* owned; NULL: none */
    const char **headers;         /* owned; the last is NULL */
    struct model_request request; /* all of it */
};

void turns_question_release(struct turns_question *question);

/*
 * Make the question for the step under way, sampling and tools included:
 * prompt says what is told, sight what is shown. Both and turns are borrowed
 * until it is released.
 */
void turns_ask(const struct turns *turns, const struct prompt *prompt,
               const struct sight *sight, struct turns_question *question);

/* Bytes of it: texts, and pictures as they are sent. */
size_t turns_question_size(const struct turns_question *question);

#endif
