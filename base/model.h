/*
 * What a model is to the rest of proctor: messages with pictures in, text and
 * usage out. Who speaks to a real one implements struct model_ops.
 */
#ifndef BASE_MODEL_H
#define BASE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

enum model_role {
    MODEL_SYSTEM,
    MODEL_USER,
    MODEL_ASSISTANT,
};

/* Text, or a picture as a file has it. */
struct model_part {
    const char *text;  /* borrowed, UTF-8; NULL: a picture */
    const void *image; /* borrowed */
    size_t image_size;
    const char *image_type; /* borrowed: "image/png" or "image/jpeg" */
};

struct model_message {
    enum model_role role;
    const struct model_part *parts; /* borrowed */
    size_t part_count;
};

/* One question. All of it is borrowed until ask returns. */
struct model_request {
    const struct model_message *messages;
    size_t message_count;
    uint32_t max_tokens; /* of the answer; 0: as the model likes */
    double temperature;  /* negative: as the model likes */
};

/* What it cost; -1 where the model does not say. */
struct model_usage {
    int64_t input_tokens;
    int64_t output_tokens;
};

#define MODEL_USAGE_UNKNOWN                                                    \
    {                                                                          \
        .input_tokens = -1, .output_tokens = -1                                \
    }

#define MODEL_TEXT_MAX ((size_t)1 << 20)

struct model_reply {
    struct buf text; /* owned; foreign, and not to be trusted */
    struct model_usage usage;
};

#define MODEL_REPLY_INIT                                                       \
    {                                                                          \
        .text = BUF_INIT(MODEL_TEXT_MAX), .usage = MODEL_USAGE_UNKNOWN         \
    }

void model_reply_release(struct model_reply *reply);

struct model;

struct model_ops {
    bool (*ask)(struct model *model, const struct model_request *request,
                struct deadline by, const struct cancel *cancel,
                struct model_reply *reply, struct err *err);
    void (*close)(struct model *model);
};

/* An implementation has this as its first member. */
struct model {
    const struct model_ops *ops; /* borrowed */
    const char *name;            /* borrowed; for people and records */
};

/*
 * Ask, and wait for the whole answer. Any thread may, and several at once.
 *
 * On success reply holds what was said, and the caller releases it. On failure
 * it is as it was: ERR_TIMEOUT when `by` passes, ERR_CANCELLED when cancel
 * (may be NULL) is fired, ERR_UNAUTHORIZED, ERR_LIMIT for a reply too long,
 * ERR_REMOTE for what the service says, ERR_UNREACHABLE.
 */
MUST_USE bool model_ask(struct model *model,
                        const struct model_request *request, struct deadline by,
                        const struct cancel *cancel, struct model_reply *reply,
                        struct err *err);

/* NULL is fine. */
void model_close(struct model *model);

#endif
