/*
 * A kind of service that models are asked through: what a request looks like
 * there, and what an answer means. One file each: runner/api_*.c.
 */
#ifndef RUNNER_API_H
#define RUNNER_API_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/model.h"
#include "runner/body.h"
#include "runner/sse.h"

/* Whom a request is for. */
struct api_model {
    const char *name;
    bool official;       /* the provider's own api, not a compatible one */
    bool fixed_sampling; /* it refuses temperature and the like */
};

struct api {
    const char *name;          /* "openai" */
    const char *key_variable;  /* in the environment */
    const char *base_variable; /* the same, for the URL */
    const char *base;          /* the provider's own */
    const char *key_header;    /* what stands before the key in its header */
    const char *header;        /* another one; NULL: none */

    /* Append to the base what is asked for. */
    void (*put_path)(const char *model, struct buf *url);

    /* Fails with ERR_INVALID for a request that makes no sense here. */
    bool (*write)(const struct api_model *model,
                  const struct model_request *request, struct body *body,
                  struct err *err);

    /*
     * Understand an answer. Fails with ERR_PROTOCOL for what is none, and with
     * ERR_UNREACHABLE for a failure of the service.
     */
    bool (*read)(const struct cJSON *root, struct model_reply *reply,
                 struct err *err);

    /* What one event of a stream adds to it. False: the stream is broken. */
    bool (*merge)(struct sse *stream, const struct cJSON *event);
    /* The answer that the stream was, as read wants it; the caller frees it. */
    struct cJSON *(*whole)(struct sse *stream);
};

extern const struct api api_openai;
extern const struct api api_responses;
extern const struct api api_anthropic;
extern const struct api api_gemini;

/* NULL: there is none. */
const struct api *api_find(const char *name, size_t length);

/* ---- for those who implement one ---- */

/* The members of request->extra; NULL: none. Fails for what is no object. */
MUST_USE bool api_extra(const struct model_request *request,
                        struct cJSON **extra, struct err *err);

/* Append ", key: number", unless extra has it. */
void api_put_number(struct body *body, const struct cJSON *extra,
                    const char *key, double number);

/* How a service calls what steers an answer. */
struct api_dials {
    const char *max_tokens; /* NULL: it is put elsewhere */
    const char *seed;       /* NULL: there is none */
    const char *top_p;
    const char *top_k; /* NULL: there is none */
};

/* Append those that the request sets, unless extra has them. */
void api_put_dials(struct body *body, const struct api_dials *names,
                   const struct api_model *model,
                   const struct model_request *request,
                   const struct cJSON *extra);

/* Append each member of extra. */
void api_put_extra(struct body *body, const struct cJSON *extra);
/* What all requests end with: tools, the rest of extra, which is freed, "}". */
void api_end_request(struct body *body, const struct model_request *request,
                     struct cJSON *extra);

/* Begin a value in a list: a comma stands before all but the first. */
void api_comma(struct body *body, bool *first);

/* A picture as a data: URL, in quotes. */
void api_put_data_url(struct body *body, const struct model_part *part);

/* Texts of a message: of all parts that answer call (NULL: no call). */
void api_put_texts(struct body *body, const struct model_message *message,
                   const struct model_call *call, const char *otherwise);

/* Step through the calls that a message answers, from NULL on. */
const struct model_call *api_next_call(const struct model_message *message,
                                       const struct model_call *call);

/* "" if it is no string there. */
const char *api_text(const struct cJSON *object, const char *key);
const struct cJSON *api_member(const struct cJSON *object, const char *key);
/* -1 if it is no number there. */
int64_t api_count(const struct cJSON *object, const char *key);

/* JSON within a text, which the caller frees; NULL: it is none. */
struct cJSON *api_parse(const char *text);

/* How OpenAI's two services write a request: all but the names is the same. */
struct api_chat {
    const char *list; /* of messages */
    struct api_dials dials;
    void (*put_message)(struct body *body, const struct model_request *request,
                        const struct model_message *message, bool *first);
};

MUST_USE bool api_write_chat(const struct api_chat *chat,
                             const struct api_model *model,
                             const struct model_request *request,
                             struct body *body, struct err *err);

/*
 * Keep the call of a function as {"name", "arguments"}; what is called the
 * latter arrives as a text of JSON, or as JSON.
 */
void api_add_function(struct model_reply *reply, const char *id,
                      const struct cJSON *function);

/* Keep a call, written as value is; too many are left out. */
void api_add_call(struct model_reply *reply, const char *id, const char *name,
                  const struct cJSON *value);

/* Keep the turn as it came, for the next request. */
void api_keep_raw(struct model_reply *reply, const struct cJSON *value);

void api_add_served(struct model_reply *reply, const struct cJSON *name);

#endif
