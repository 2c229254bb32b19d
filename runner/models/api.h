/*
 * The API of a service: how requests are written and replies are read. One file
 * each: runner/models/api_*.c.
 */
#ifndef RUNNER_MODELS_API_H
#define RUNNER_MODELS_API_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/model.h"
#include "runner/models/request_body.h"
#include "runner/models/sse.h"

/* The model that a request is for. */
struct api_model {
    const char *name;
    bool official; /* the provider's own service, not a compatible server */
    bool fixed_sampling; /* it refuses temperature and similar parameters */
};

struct api {
    const char *name;          /* "openai" */
    const char *key_variable;  /* environment variable with the key */
    const char *base_variable; /* environment variable with the base URL */
    const char *base;          /* base URL of the provider */
    const char *key_header;    /* the header of the key, up to the key */
    const char *header;        /* another header; NULL: none */

    /* Append the path for a model to the base URL. */
    void (*put_path)(const char *model, struct buf *url);

    /*
     * Write a request. Fails with ERR_INVALID for one that this API cannot
     * express.
     */
    bool (*write)(const struct api_model *model,
                  const struct model_request *request,
                  struct request_body *body, struct err *err);

    /*
     * Read a reply. Fails with ERR_PROTOCOL for one that is damaged, and with
     * ERR_UNREACHABLE when the service reports a failure.
     */
    bool (*read)(const struct cJSON *root, struct model_reply *reply,
                 struct err *err);

    /* Add one event of a stream. False: the stream is damaged. */
    bool (*merge)(struct sse *stream, const struct cJSON *event);
    /*
     * Build the reply from the whole stream, as read expects it; the caller
     * frees it.
     */
    struct cJSON *(*whole)(struct sse *stream);
};

extern const struct api api_openai;
extern const struct api api_responses;
extern const struct api api_anthropic;
extern const struct api api_gemini;

/* NULL: there is none. */
const struct api *api_find(const char *name, size_t length);

/* ---- for implementations ---- */

/* Parse request->extra; NULL: none. Fails if it is not an object. */
MUST_USE bool api_extra(const struct model_request *request,
                        struct cJSON **extra, struct err *err);

/* Append ", key: number", unless extra has it. */
void api_put_number(struct request_body *body, const struct cJSON *extra,
                    const char *key, double number);

/* The names of the sampling parameters of a service. */
struct api_sampling_names {
    const char *max_tokens; /* NULL: it is written elsewhere */
    const char *seed;       /* NULL: not supported */
    const char *top_p;
    const char *top_k; /* NULL: not supported */
};

/* Append the parameters that the request sets, unless extra has them. */
void api_put_sampling(struct request_body *body,
                      const struct api_sampling_names *names,
                      const struct api_model *model,
                      const struct model_request *request,
                      const struct cJSON *extra);

/* Append each member of extra. */
void api_put_extra(struct request_body *body, const struct cJSON *extra);
/*
 * Append the end of a request: tools, the members of extra, which is freed, and
 * "}".
 */
void api_end_request(struct request_body *body,
                     const struct model_request *request, struct cJSON *extra);

/* Begin a value in a list: append a comma before all but the first. */
void api_comma(struct request_body *body, bool *first);

/* Append a picture as a data: URL, in quotes. */
void api_put_data_url(struct request_body *body, const struct model_part *part);

/* Append the texts of all parts that answer a call (NULL: no call). */
void api_put_texts(struct request_body *body,
                   const struct model_message *message,
                   const struct model_call *call, const char *otherwise);

/* The next call that a message answers; NULL: the first. */
const struct model_call *api_next_call(const struct model_message *message,
                                       const struct model_call *call);

/* "" if it is not a string. */
const char *api_text(const struct cJSON *object, const char *key);
const struct cJSON *api_member(const struct cJSON *object, const char *key);
/* -1 if it is not a number. */
int64_t api_count(const struct cJSON *object, const char *key);

/* Parse JSON in a text; the caller frees it. NULL: it is not JSON. */
struct cJSON *api_parse(const char *text);

/* A request of OpenAI's two APIs, which differ only in names. */
struct api_chat {
    const char *list; /* name of the list of messages */
    struct api_sampling_names sampling_names;
    void (*put_message)(struct request_body *body,
                        const struct model_request *request,
                        const struct model_message *message, bool *first);
};

MUST_USE bool api_write_chat(const struct api_chat *chat,
                             const struct api_model *model,
                             const struct model_request *request,
                             struct request_body *body, struct err *err);

/*
 * Add a function call as {"name", "arguments"}. The arguments are JSON, or JSON
 * in a string.
 */
void api_add_function(struct model_reply *reply, const char *id,
                      const struct cJSON *function);

/* Add a call with this value; calls beyond the limit are dropped. */
void api_add_call(struct model_reply *reply, const char *id, const char *name,
                  const struct cJSON *value);

/* Keep the raw turn for the next request. */
void api_keep_raw(struct model_reply *reply, const struct cJSON *value);

void api_add_served(struct model_reply *reply, const struct cJSON *name);

#endif
