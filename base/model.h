/*
 * What a model is to the rest of proctor: messages with pictures in; text,
 * calls of tools and usage out. Who speaks to a real one implements struct
 * model_ops.
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

/* A tool that the model wants to be used: structured, not in its text. */
struct model_call {
    char *id;   /* owned, as the others; "" where the service has none */
    char *name; /* of the tool */
    char *json; /* the call as the service writes it, one line */
};

/*
 * Text, or a picture as a file has it. It may be what came of a call that the
 * model made; several parts that stand together may answer one call.
 */
struct model_part {
    const char *text;  /* borrowed, UTF-8; NULL: a picture */
    const void *image; /* borrowed */
    size_t image_size;
    const char *image_type; /* borrowed: "image/png" or "image/jpeg" */
    const struct model_call *answers; /* borrowed; NULL: no call */
};

struct model_message {
    enum model_role role;
    const struct model_part *parts; /* borrowed */
    size_t part_count;
    /*
     * Of what the same model said before, in place of parts: the raw of its
     * reply; NULL: none. Services want their calls and signed thoughts back
     * as they gave them.
     */
    const char *raw;
};

/* One question. All of it is borrowed until ask returns. */
struct model_request {
    const struct model_message *messages;
    size_t message_count;
    uint32_t max_tokens; /* of the answer; 0: as the model likes */
    double temperature;  /* negative: as the model likes */
    double top_p;        /* 0: as the model likes */
    int top_k;           /* the same */
    bool has_seed;
    int64_t seed;
    const char *detail; /* of pictures: "low", "high"; NULL: as it likes */
    /*
     * For one service alone, as JSON: an array of tools, and an object of
     * members that the body has besides; and lines "name: value" of the head,
     * of which the last is NULL. NULL: none.
     */
    const char *tools;
    const char *extra;
    const char *const *headers;
    /* Equal questions with another number are asked anew, cache or not. */
    unsigned repeat;
};

/* What it cost; -1 where the model does not say. */
struct model_usage {
    int64_t input_tokens; /* all of them, also the cached */
    int64_t output_tokens;
    int64_t cached_tokens; /* that the service had seen before */
    double cost;           /* US dollars; -1: the price is not known */
};

#define MODEL_USAGE_UNKNOWN                                                    \
    {                                                                          \
        .input_tokens = -1, .output_tokens = -1, .cached_tokens = -1,          \
        .cost = -1                                                             \
    }

/* Sum up: what is unknown of more counts as nothing. */
void model_usage_add(struct model_usage *usage, const struct model_usage *more);

/* How an answer ended. All but the first two are the model's own failures. */
enum model_finish {
    MODEL_FINISHED,
    MODEL_CUT,      /* its text has as many tokens as it may */
    MODEL_REFUSED,  /* the model does not want to */
    MODEL_FILTERED, /* the service does not let it */
    MODEL_OVERFLOW, /* the question is longer than it can read */
    MODEL_EMPTY,    /* it said nothing */
    MODEL_FINISHES,
};

/* "finished", "cut", "refused", "filtered", "overflow", "empty". */
const char *model_finish_name(enum model_finish finish);

#define MODEL_TEXT_MAX ((size_t)1 << 20)
#define MODEL_CALLS_MAX 16

struct model_reply {
    struct buf text; /* owned; foreign, and not to be trusted */
    struct model_call calls[MODEL_CALLS_MAX]; /* owned; the same */
    size_t call_count;
    enum model_finish finish;
    struct buf reason; /* owned; what the service says of such an end */
    struct buf raw;    /* owned; for model_message.raw; empty: none */
    char *served;      /* owned; the model that the service names; or NULL */
    int tries;         /* questions that it took; 0: it was remembered */
    struct model_usage usage;
};

#define MODEL_REPLY_INIT                                                       \
    {                                                                          \
        .text = BUF_INIT(MODEL_TEXT_MAX), .reason = BUF_INIT(MODEL_TEXT_MAX),  \
        .raw = BUF_INIT(4 * MODEL_TEXT_MAX), .usage = MODEL_USAGE_UNKNOWN      \
    }

void model_reply_release(struct model_reply *reply);

/* Add a call; false when there are too many. */
MUST_USE bool model_reply_call(struct model_reply *reply, const char *id,
                               const char *name, const char *json);

/*
 * Append all that was said as one text: the calls stand behind the text, as a
 * JSON array within <tool_call> and </tool_call>.
 */
void model_reply_transcript(const struct model_reply *reply, struct buf *text);

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
 * On success reply holds what was said, and the caller releases it; its finish
 * may still be a failure of the model. On failure, which is never the model's
 * own, it is as it was: ERR_TIMEOUT when `by` passes, ERR_CANCELLED when
 * cancel (may be NULL) is fired, ERR_UNREACHABLE and ERR_BUSY when asking
 * again did not help, ERR_UNAUTHORIZED, ERR_NOT_FOUND for a model that is not
 * there, ERR_LIMIT for a reply too long, ERR_REMOTE for what else the service
 * says, ERR_PROTOCOL for an answer that is none.
 */
MUST_USE bool model_ask(struct model *model,
                        const struct model_request *request, struct deadline by,
                        const struct cancel *cancel, struct model_reply *reply,
                        struct err *err);

/* NULL is fine. */
void model_close(struct model *model);

#endif
