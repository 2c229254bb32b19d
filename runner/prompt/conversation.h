/*
 * An episode as a conversation with a model: the turns so far, and the next
 * request.
 */
#ifndef RUNNER_PROMPT_CONVERSATION_H
#define RUNNER_PROMPT_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/model.h"
#include "runner/prompt/model_image.h"
#include "runner/prompt/prompt.h"

/* One step of the conversation. */
struct conversation_turn {
    bool replied; /* this model replied; otherwise another agent acted */
    struct model_image
        image;      /* the picture that was sent; empty when no longer needed */
    struct buf raw; /* its reply as the service sent it */
    struct buf text; /* the text of its reply */
    struct model_call calls[MODEL_CALLS_MAX];
    size_t call_count;
};

struct conversation {
    struct conversation_turn *items; /* owned; one per past step */
    size_t count;
};

void conversation_clear(struct conversation *turns);

/*
 * Store the picture and the reply of a step, replacing an earlier one. The
 * image is moved and empty afterwards; the reply is copied. Only the last
 * `screens` pictures are kept.
 */
void conversation_add_turn(struct conversation *turns, size_t step, int screens,
                           struct model_image *image,
                           const struct model_reply *reply);

/* A request, and the memory of its texts. */
struct conversation_request {
    struct model_message *messages;
    size_t message_count;
    struct model_part *parts; /* of all messages */
    size_t part_count;
    size_t part_capacity;
    char **texts; /* owned */
    size_t text_count;
    char *tools;                  /* owned; NULL: none */
    const char **headers;         /* owned; NULL at the end */
    struct model_request request; /* points to the members above */
};

void conversation_request_release(struct conversation_request *question);

/*
 * Build the request for the current step, with sampling and tools, from the
 * texts of prompt and the picture. All are borrowed until the request is
 * released.
 */
void conversation_build_request(const struct conversation *turns,
                                const struct prompt *prompt,
                                const struct model_image *image,
                                struct conversation_request *question);

/* Its size in bytes: texts, and pictures as encoded. */
size_t conversation_request_size(const struct conversation_request *question);

#endif
