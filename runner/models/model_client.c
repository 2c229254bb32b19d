/* One model over HTTP: a request with retries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/models/api_fault.h"
#include "runner/models/models_private.h"

#define HEADERS_MAX 16
#define HEADER_NAME_MAX 64

/* A request with all its tries. */
struct client_question {
    struct model_client *client;
    const struct model_request *request;
    struct request_body body;
    const char *headers[HEADERS_MAX + 1];
    char key[SHA256_HEX_SIZE]; /* its key in the cache */
    struct deadline by;
    const struct cancel *cancel;
};

/* ---- sending ---- */

/* Decode a reply, plain or streamed. */
static bool decode(const struct api *api, const struct http_reply *http,
                   struct cJSON **root, struct err *err)
{
    char type[64] = "";

    (void)!http_header(http, "content-type", type, sizeof(type));
    if (!strncmp(type, "text/event-stream", 17) ||
        !strncmp(buf_cstr(&http->body), "data:", 5) ||
        !strncmp(buf_cstr(&http->body), "event:", 6))
        return sse_read(api, buf_cstr(&http->body), http->body.length, root,
                        err);
    if (json_parse(buf_cstr(&http->body), http->body.length, root, err))
        return true;
    if (err->code != ERR_LIMIT)
        err->code = ERR_PROTOCOL;
    return err_wrap(err, "the reply is not JSON");
}

/* True if a secret was in there. */
static bool mask_reply(struct secret_mask *mask, struct model_reply *reply)
{
    bool found = secret_mask_buf(mask, &reply->text);

    found |= secret_mask_buf(mask, &reply->reason);
    found |= secret_mask_buf(mask, &reply->raw);
    for (size_t i = 0; i < reply->call_count; i++)
        found |= secret_mask_text(mask, reply->calls[i].json,
                                  strlen(reply->calls[i].json));
    return found;
}

/*
 * Read a reply. Secrets that appear after decoding are masked in the tree;
 * *spread: a secret is spread over several of its strings.
 */
static bool understand(struct model_client *client, struct cJSON *root,
                       struct model_reply *reply, bool *spread, struct err *err)
{
    (void)secret_mask_json(&client->models->mask, root);
    if (!client->api->read(root, reply, err))
        return false;
    if (!reply->text.length && !reply->call_count &&
        reply->finish == MODEL_FINISHED)
        reply->finish = MODEL_EMPTY;
    reply->usage.cost = price_cost(client->price, &reply->usage);
    *spread = mask_reply(&client->models->mask, reply);
    return true;
}

/* Apply an error status to the request. */
static bool answer_fault(const struct api_fault *fault, long status,
                         struct model_reply *reply, struct err *err)
{
    if (fault->kind == API_FAULT_OVERFLOW ||
        fault->kind == API_FAULT_FILTERED) {
        reply->finish =
            fault->kind == API_FAULT_OVERFLOW ? MODEL_OVERFLOW : MODEL_FILTERED;
        buf_text(&reply->reason, fault->message);
        return true;
    }
    return err_set(err, api_fault_code(fault, status), "HTTP status %ld%s%s",
                   status, *fault->message ? ": " : "", fault->message);
}

/* One try. */
struct attempt {
    struct http_reply http;
    struct cJSON *root; /* the reply; NULL: none */
    bool spread;        /* a secret is spread over several strings of it */
    bool again;         /* try again */
    int64_t floor_ns;   /* but not before that time */
};

static void attempt_release(struct attempt *attempt)
{
    http_reply_release(&attempt->http);
    cJSON_Delete(attempt->root);
    *attempt = (struct attempt){.http = HTTP_REPLY_INIT};
}

static enum concurrency_result judge(struct client_question *question,
                                     struct attempt *attempt,
                                     struct model_reply *reply, bool *done,
                                     struct err *err)
{
    struct model_client *client = question->client;
    long status = attempt->http.status;
    struct api_fault fault;
    char word[8];

    (void)secret_mask_buf(&client->models->mask, &attempt->http.body);
    if (status >= 200 && status <= 299) {
        *done = decode(client->api, &attempt->http, &attempt->root, err) &&
                understand(client, attempt->root, reply, &attempt->spread, err);
        attempt->again = !*done && retry_code(err->code);
        return *done ? CONCURRENCY_OK : CONCURRENCY_UNRELATED;
    }
    api_fault_read(status, &attempt->http.body, &fault);
    *done = answer_fault(&fault, status, reply, err);
    attempt->again =
        fault.kind == API_FAULT_PASSING || fault.kind == API_FAULT_TOO_MUCH;
    if (http_header(&attempt->http, "x-should-retry", word, sizeof(word)) &&
        !strcmp(word, "false"))
        attempt->again = false;
    attempt->floor_ns =
        retry_floor_ns(&attempt->http, client->models->options.clock_ops);
    if (fault.floor_ns > attempt->floor_ns)
        attempt->floor_ns = fault.floor_ns;
    return fault.kind == API_FAULT_TOO_MUCH ? CONCURRENCY_OVERLOADED
                                            : CONCURRENCY_UNRELATED;
}

/* Send it once. False with attempt->again: try again. */
static bool try_once(struct client_question *question, struct attempt *attempt,
                     struct model_reply *reply, struct err *err)
{
    struct model_client *client = question->client;
    const struct models_options *options = &client->models->options;
    const struct clock_ops *clock_ops = options->clock_ops;
    const struct http_client_request post = {.url = client->url,
                                             .headers = question->headers,
                                             .body = &question->body};
    enum concurrency_result result = CONCURRENCY_UNRELATED;
    struct deadline by =
        deadline_sooner(question->by, deadline_in_ms(options->try_ms));
    int64_t entered;
    bool done;

    if (!concurrency_limit_enter(&client->endpoint->concurrency_limit,
                                 clock_ops, question->by, question->cancel,
                                 err))
        return false;
    entered = clock_ops->now_ns(clock_ops->context);
    done = http_send(client->models->http, &post, by, question->cancel,
                     &attempt->http, err);
    if (done)
        result = judge(question, attempt, reply, &done, err);
    else
        attempt->again = retry_code(err->code);
    log_trace(options->log, LOG_MODEL, "%s: %zu bytes, status %ld, %lld ms%s",
              client->full_name, request_body_size(&question->body),
              attempt->http.status,
              (long long)(clock_ops->now_ns(clock_ops->context) - entered) /
                  1000000,
              done             ? ""
              : attempt->again ? ", again"
                               : ", failed");
    concurrency_limit_leave(
        &client->endpoint->concurrency_limit, clock_ops, result, entered,
        result == CONCURRENCY_OVERLOADED ? attempt->floor_ns : 0);
    return done;
}

/* Wait before the next try; false: there is no next one. */
static bool wait_for_next(struct client_question *question, int tries,
                          const struct attempt *attempt, struct err *err)
{
    const struct models_options *options = &question->client->models->options;
    const struct clock_ops *clock_ops = options->clock_ops;
    int64_t now = clock_ops->now_ns(clock_ops->context);
    int64_t wait_ns = retry_wait_ns(&options->retry, tries, attempt->floor_ns,
                                    clock_ops->chance(clock_ops->context));
    struct err why = ERR_INIT;

    if (!attempt->again)
        return false;
    if (tries >= options->retry.tries)
        return err_wrap(err, "after %d tries", tries);
    if (wait_ns > question->by.at_ns - now)
        return err_wrap(err, "no time left to retry in %lld s",
                        (long long)(wait_ns / 1000000000));
    if (question->request->on_retry)
        question->request->on_retry(question->request->retry_context, tries + 1,
                                    options->retry.tries, err->text);
    if (!clock_ops->wait(clock_ops->context, now + wait_ns, question->cancel,
                         &why)) {
        *err = why;
        return false;
    }
    return true;
}

static bool ask_service(struct client_question *question,
                        struct model_reply *reply, struct buf *answer,
                        struct err *err)
{
    struct attempt attempt = {.http = HTTP_REPLY_INIT};
    bool done = false;

    for (int tries = 1; !done; tries++) {
        attempt_release(&attempt);
        model_reply_release(reply);
        done = try_once(question, &attempt, reply, err);
        reply->tries = tries;
        if (!done && !wait_for_next(question, tries, &attempt, err))
            break;
    }
    if (done && attempt.root && !attempt.spread)
        json_format(attempt.root, answer);
    attempt_release(&attempt);
    return done;
}

/* ---- cache ---- */

/* The key: a hash of all that is sent, and the number of the repeat. */
static void name_question(struct client_question *question)
{
    struct buf all = BUF_INIT(1 << 20);
    char body[SHA256_HEX_SIZE];

    request_body_hash(&question->body, body);
    buf_printf(&all, "%s\n%s\n%u\n", question->client->url, body,
               question->request->repeat);
    for (const char *const *line = question->request->headers; line && *line;
         line++) {
        buf_text(&all, *line);
        buf_byte(&all, '\n');
    }
    sha256_hex(buf_cstr(&all), all.length, question->key);
    buf_release(&all);
}

/* A failing cache is ignored. */
static void note_cache(const struct model_client *client, const struct err *err)
{
    log_trace(client->models->options.log, LOG_MODEL, "%s: the cache: %s",
              client->full_name, err->text);
}

/* Look it up in the cache. */
static bool load_from_cache(struct client_question *question,
                            struct model_reply *reply)
{
    struct model_client *client = question->client;
    struct buf answer = BUF_INIT(HTTP_REPLY_MAX);
    struct cJSON *root = NULL;
    struct err err = ERR_INIT;
    bool found = false;
    bool spread;

    if (!client->models->cache)
        return false;
    name_question(question);
    if (!model_cache_get(client->models->cache, question->key, &answer, &found,
                         &err) ||
        (found && (!json_parse(buf_cstr(&answer), answer.length, &root, &err) ||
                   !understand(client, root, reply, &spread, &err)))) {
        note_cache(client, &err);
        found = false;
    }
    cJSON_Delete(root);
    buf_release(&answer);
    return found;
}

static void save_to_cache(struct client_question *question,
                          const struct buf *answer)
{
    struct model_client *client = question->client;
    struct err err = ERR_INIT;

    if (client->models->cache && answer->length &&
        !model_cache_put(client->models->cache, question->key,
                         client->full_name, answer, &err))
        note_cache(client, &err);
}

/* ---- requests ---- */

static void note_served(struct model_client *client,
                        const struct model_reply *reply)
{
    pthread_mutex_lock(&client->lock);
    if (reply->served &&
        (!client->served || strcmp(client->served, reply->served) != 0)) {
        free(client->served);
        client->served = mem_dup(reply->served);
    }
    pthread_mutex_unlock(&client->lock);
}

static bool prepare(struct client_question *question, struct err *err)
{
    struct model_client *client = question->client;
    size_t count = 0;

    if (client->key_header)
        question->headers[count++] = client->key_header;
    if (client->api->header)
        question->headers[count++] = client->api->header;
    for (const char *const *line = question->request->headers; line && *line;
         line++) {
        if (count == HEADERS_MAX)
            return err_set(err, ERR_LIMIT, "too many headers");
        question->headers[count++] = *line;
    }
    if (!client->api->write(&client->target, question->request, &question->body,
                            err))
        return false;
    if (question->body.text.overflow)
        return err_set(err, ERR_LIMIT, "the request is too long");
    return true;
}

static bool ask(struct client_question *question, struct model_reply *reply,
                struct err *err)
{
    struct model_client *client = question->client;
    struct buf answer = BUF_INIT(HTTP_REPLY_MAX);
    bool done = prepare(question, err);

    if (done && !load_from_cache(question, reply)) {
        done = ask_service(question, reply, &answer, err);
        if (done) {
            spending_charge(client->models->options.spending, &reply->usage);
            save_to_cache(question, &answer);
        }
    }
    if (done)
        note_served(client, reply);
    buf_release(&answer);
    return done;
}

bool model_client_ask(struct model *model, const struct model_request *request,
                      struct deadline by, const struct cancel *cancel,
                      struct model_reply *reply, struct err *err)
{
    struct model_client *client = (struct model_client *)model;
    struct client_question question = {.client = client,
                                       .request = request,
                                       .body = REQUEST_BODY_INIT,
                                       .by = by,
                                       .cancel = cancel};
    bool done = ask(&question, reply, err);

    request_body_release(&question.body);
    if (!done)
        secret_mask_err(&client->models->mask, err);
    return done;
}

/* ---- description ---- */

static void add_masked(struct model_client *client, struct cJSON *into,
                       const char *key, const char *text)
{
    char *copy = mem_dup(text);

    (void)secret_mask_text(&client->models->mask, copy, strlen(copy));
    json_add_string(into, key, copy);
    free(copy);
}

void models_describe(struct model *model, struct cJSON *into)
{
    struct model_client *client = (struct model_client *)model;

    json_add_string(into, "service", client->api->name);
    json_add_string(into, "model", client->target.name);
    add_masked(client, into, "url", client->shown_url);
    pthread_mutex_lock(&client->lock);
    if (client->served)
        add_masked(client, into, "served", client->served);
    pthread_mutex_unlock(&client->lock);
}

/* Not even the length of the key is shown. */
static void add_headers(struct model_client *client, const char *const *lines,
                        struct cJSON *into)
{
    struct cJSON *list = json_add_array(into, "headers");

    for (; *lines; lines++) {
        char name[HEADER_NAME_MAX];

        snprintf(name, sizeof(name), "%s****", client->api->key_header);
        add_masked(client, list, NULL,
                   *lines == client->key_header ? name : *lines);
    }
}

bool models_show(struct model *model, const struct model_request *request,
                 struct cJSON **shown, struct err *err)
{
    struct model_client *client = (struct model_client *)model;
    struct client_question question = {
        .client = client, .request = request, .body = REQUEST_BODY_INIT};
    struct buf text = BUF_INIT(2 * REQUEST_BODY_TEXT_MAX);
    struct cJSON *body = NULL;
    bool done = prepare(&question, err);

    if (done) {
        request_body_show(&question.body, &text);
        done = json_parse(buf_cstr(&text), text.length, &body, err);
    }
    if (done) {
        (void)secret_mask_json(&client->models->mask, body);
        *shown = json_new_object();
        add_masked(client, *shown, "url", client->shown_url);
        add_headers(client, question.headers, *shown);
        cJSON_AddItemToObject(*shown, "body", body);
    }
    buf_release(&text);
    request_body_release(&question.body);
    return done;
}
