/*
 * The interface to a language model: messages with pictures in; text, tool
 * calls and usage out. Clients of real models implement struct model_ops.
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

/* A tool call: structured, not part of the text. */
struct model_call {
    char *id;   /* owned, as the others; "" if the service has none */
    char *name; /* of the tool */
    char *json; /* the call as the service wrote it, one line */
};

/*
 * Text, or an encoded picture. It may be the result of a tool call; several
 * consecutive parts may answer one call.
 */
struct model_part {
    const char *text;  /* borrowed, UTF-8; NULL: a picture */
    const void *image; /* borrowed */
    size_t image_size;
    const char *image_type; /* borrowed: "image/png" or "image/jpeg" */
    const struct model_call
        *answers; /* borrowed; the call it answers, or NULL */
};

struct model_message {
    enum model_role role;
    const struct model_part *parts; /* borrowed */
    size_t part_count;
    /*
     * For an earlier reply of the same model, instead of parts: the raw of its
     * reply; NULL: none. Services require their tool calls and signed thoughts
     * back unchanged.
     */
    const char *raw;
};

/* One request. All of it is borrowed until ask returns. */
struct model_request {
    const struct model_message *messages;
    size_t message_count;
    uint32_t max_tokens; /* of the reply; 0: the model's default */
    double temperature;  /* negative: the model's default */
    double top_p;        /* 0: the model's default */
    int top_k;           /* 0: the model's default */
    bool has_seed;
    int64_t seed;
    const char
        *detail; /* of pictures: "low", "high"; NULL: the model's default */
    /*
     * For one service only, as JSON: an array of tools, and an object of
     * additional members of the request body; and header lines "name: value",
     * ending with NULL. NULL: none.
     */
    const char *tools;
    const char *extra;
    const char *const *headers;
    /*
     * Equal requests with different numbers are sent again, even with a cache.
     */
    unsigned repeat;
    /*
     * Called before a request is sent again, with the number of the attempt,
     * the maximum, and why the last one failed. May be NULL.
     */
    void (*on_retry)(void *context, int attempt, int attempts, const char *why);
    void *retry_context;
};

/* Token usage and cost; -1: not reported. */
struct model_usage {
    int64_t input_tokens; /* all, including cached ones */
    int64_t output_tokens;
    int64_t cached_tokens; /* read from the service's cache */
    double cost;           /* US dollars; -1: the price is unknown */
};

#define MODEL_USAGE_UNKNOWN                                                    \
    {                                                                          \
        .input_tokens = -1, .output_tokens = -1, .cached_tokens = -1,          \
        .cost = -1                                                             \
    }

/* Add more to a sum: unknown values of more count as 0. */
void model_usage_add(struct model_usage *usage, const struct model_usage *more);

/* How a reply ended. All but the first two are failures of the model. */
enum model_finish {
    MODEL_FINISHED,
    MODEL_CUT,      /* truncated at max_tokens */
    MODEL_REFUSED,  /* the model refused */
    MODEL_FILTERED, /* blocked by the service's filter */
    MODEL_OVERFLOW, /* the request exceeds the context window */
    MODEL_EMPTY,    /* the reply is empty */
    MODEL_FINISHES,
};

/* "finished", "cut", "refused", "filtered", "overflow", "empty". */
const char *model_finish_name(enum model_finish finish);

#define MODEL_TEXT_MAX ((size_t)1 << 20)
#define MODEL_CALLS_MAX 16

struct model_reply {
    struct buf text;                          /* owned; untrusted */
    struct model_call calls[MODEL_CALLS_MAX]; /* owned; untrusted */
    size_t call_count;
    enum model_finish finish;
    struct buf reason; /* owned; the service's explanation of the ending */
    struct buf raw;    /* owned; for model_message.raw; empty: none */
    char *served;      /* owned; the model named by the service; or NULL */
    int tries;         /* requests that it took; 0: from the cache */
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
 * Append the whole reply as one text: tool calls follow the text, as a JSON
 * array within <tool_call> and </tool_call>.
 */
void model_reply_transcript(const struct model_reply *reply, struct buf *text);

struct model;

struct model_ops {
    bool (*ask)(struct model *model, const struct model_request *request,
                struct deadline by, const struct cancel *cancel,
                struct model_reply *reply, struct err *err);
    void (*close)(struct model *model);
};

/* Implementations embed this as their first member. */
struct model {
    const struct model_ops *ops; /* borrowed */
    const char *name;            /* borrowed; for users and records */
};

/*
 * Send a request, and wait for the whole reply. From any thread, several at the
 * same time.
 *
 * On success the caller releases reply; its finish may still be a failure of
 * the model. On failure, which is never the model's, reply is unchanged:
 * ERR_TIMEOUT when `by` passes, ERR_CANCELLED when cancel (may be NULL) is
 * fired, ERR_UNREACHABLE and ERR_BUSY when retries did not help,
 * ERR_UNAUTHORIZED, ERR_NOT_FOUND for an unknown model, ERR_LIMIT for a reply
 * that is too long, ERR_REMOTE for other errors of the service, ERR_PROTOCOL
 * for an invalid response.
 */
MUST_USE bool model_ask(struct model *model,
                        const struct model_request *request, struct deadline by,
                        const struct cancel *cancel, struct model_reply *reply,
                        struct err *err);

/* NULL is fine. */
void model_close(struct model *model);

#endif
