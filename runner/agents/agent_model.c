/* The agents that ask a model over HTTP, with a profile. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/models/models.h"
#include "runner/parse/reply_parser.h"
#include "runner/prompt/conversation.h"
#include "runner/prompt/token_estimate.h"

#define WAIT_TEXT_MAX 160

/* Shared by all agents of a run. */
struct shared {
    struct models *models;
    struct model *model;
    struct profile profile;
    bool has_profile;
    const char **headers;  /* the profile's; NULL at the end */
    pthread_mutex_t lock;  /* guards picture */
    struct extent picture; /* size of the last picture sent */
};

struct model_agent {
    struct agent agent;
    struct shared *shared;
    int repeat;
    struct conversation turns;
};

/* ---- replies ---- */

/* Failures of the model are replies without an action. */
static bool failed(const struct model_reply *answer, struct err *why)
{
    static const char *const says[MODEL_FINISHES] = {
        [MODEL_REFUSED] = "the model refuses",
        [MODEL_FILTERED] = "the service filters what the model says",
        [MODEL_OVERFLOW] = "the question is longer than the model reads",
        [MODEL_EMPTY] = "the model says nothing",
    };
    const char *reason = buf_cstr(&answer->reason);

    if (!says[answer->finish])
        return false;
    (void)err_set(why, ERR_INVALID, "%s%s%.150s", says[answer->finish],
                  *reason ? ": " : "", reason);
    return true;
}

static void understand(const struct profile *profile, struct extent picture,
                       struct extent screen, const struct model_reply *answer,
                       struct agent_reply *reply)
{
    const struct reply_parse_options options = {.family = profile->family,
                                                .coords_given = true,
                                                .coords = profile->coords,
                                                .typing = profile->typing,
                                                .picture = picture,
                                                .screen = screen};
    const struct model_family *family;

    buf_clear(&reply->text);
    model_reply_transcript(answer, &reply->text);
    reply->usage = answer->usage;
    reply->has_action = false;
    if (failed(answer, &reply->error))
        return;
    reply->has_action =
        reply_parse(buf_cstr(&reply->text), reply->text.length, &options,
                    &reply->action, &family, &reply->error);
    if (!reply->has_action && answer->finish == MODEL_CUT)
        (void)err_wrap(&reply->error, "it is truncated at max_tokens");
}

/* ---- requests ---- */

static size_t first_turn(const struct profile *profile, size_t past)
{
    size_t kept = (size_t)profile->history.turns;

    if (profile->history.layout != PROFILE_TURNS)
        return past;
    return past > kept ? past - kept : 0;
}

static void note_retry(void *context, int attempt, int attempts,
                       const char *why)
{
    const struct agent_view *view = context;
    char text[WAIT_TEXT_MAX];

    snprintf(text, sizeof(text), "waiting for the model, try %d of %d: %s",
             attempt, attempts, why);
    if (view->on_wait)
        view->on_wait(view->wait_context, text);
}

static bool ask(struct model_agent *agent, const struct prompt *prompt,
                const struct model_image *image, struct deadline by,
                const struct cancel *cancel, struct model_reply *answer,
                struct agent_reply *reply, struct err *err)
{
    struct shared *shared = agent->shared;
    struct conversation_request question;
    int64_t start = clock_ns();
    bool done;

    conversation_build_request(&agent->turns, prompt, image, &question);
    question.request.repeat = (unsigned)agent->repeat;
    question.request.on_retry = note_retry;
    question.request.retry_context = (void *)(uintptr_t)prompt->view;
    done = model_ask(shared->model, &question.request, by, cancel, answer, err);
    pthread_mutex_lock(&shared->lock);
    shared->picture = image->size;
    pthread_mutex_unlock(&shared->lock);
    reply->latency_ms = (clock_ns() - start) / 1000000;
    reply->picture = image->size;
    reply->request_bytes = (int64_t)conversation_request_size(&question);
    conversation_request_release(&question);
    return done;
}

static bool agent_model_begin(struct agent *base, const struct task *task,
                              int repeat, struct err *err)
{
    struct model_agent *agent = (struct model_agent *)base;

    (void)task, (void)err;
    conversation_clear(&agent->turns);
    agent->repeat = repeat;
    return true;
}

static bool agent_model_decide(struct agent *base,
                               const struct agent_view *view,
                               struct deadline by, const struct cancel *cancel,
                               struct agent_reply *reply, struct err *err)
{
    struct model_agent *agent = (struct model_agent *)base;
    const struct profile *profile = &agent->shared->profile;
    struct prompt prompt = {.profile = profile,
                            .view = view,
                            .first = first_turn(profile, view->past_count)};
    struct model_image image = MODEL_IMAGE_INIT;
    struct model_reply answer = MODEL_REPLY_INIT;
    bool done = model_image_make(
        view->frames, &profile->picture, &view->seen->png, view->seen->screen,
        view->mode == AGENT_MARKS ? view->elements : NULL, &image, err);

    prompt.picture = image.size;
    if (done)
        done = ask(agent, &prompt, &image, by, cancel, &answer, reply, err);
    if (done) {
        understand(profile, image.size, view->seen->screen, &answer, reply);
        conversation_add_turn(&agent->turns, view->past_count,
                              profile->history.screens, &image, &answer);
    } else if (err->code == ERR_LIMIT) {
        /* A reply that is too long is a failure of the model. */
        reply->error = *err;
        done = true;
    }
    model_image_release(&image);
    model_reply_release(&answer);
    return done;
}

static void agent_model_end(struct agent *base)
{
    conversation_clear(&((struct model_agent *)base)->turns);
}

static void agent_model_close(struct agent *base)
{
    struct model_agent *agent = (struct model_agent *)base;

    conversation_clear(&agent->turns);
    free(agent);
}

static const struct agent_ops agent_ops = {.begin = agent_model_begin,
                                           .decide = agent_model_decide,
                                           .end = agent_model_end,
                                           .close = agent_model_close};

static bool agent_model_make(void *context, struct agent **made,
                             struct err *err)
{
    struct model_agent *agent = mem_new(1, sizeof(*agent));

    (void)err;
    agent->agent = (struct agent){.ops = &agent_ops, .actor = ACTOR_AGENT};
    agent->shared = context;
    *made = &agent->agent;
    return true;
}

/* ---- shared by the agents of a run ---- */

static void agent_model_close_shared(void *context)
{
    struct shared *shared = context;

    model_close(shared->model);
    models_close(shared->models);
    if (shared->has_profile)
        profile_release(&shared->profile);
    pthread_mutex_destroy(&shared->lock);
    free(shared);
}

static bool take_profile(struct shared *shared, const char *name,
                         const char *service, const char *model,
                         struct err *err)
{
    const struct profile *profile = &shared->profile;

    if (!profile_load(name ? name : profile_for_model(service, model),
                      &shared->profile, err))
        return false;
    shared->has_profile = true;
    if (profile->api && strcmp(profile->api, service) != 0)
        return err_set(err, ERR_INVALID,
                       "the profile %s is for %s:MODEL, not for %s:",
                       profile->name, profile->api, service);
    return true;
}

/* The cache is a file in the given folder. */
static bool open_models(struct shared *shared,
                        const struct agent_factory_options *options,
                        struct err *err)
{
    struct models_options wanted = {.prices = options->prices,
                                    .spending = options->spending,
                                    .log = options->log};
    struct buf path = BUF_INIT(4096);
    bool done;

    if (options->cache) {
        (void)mkdir(options->cache, 0700);
        buf_printf(&path, "%s/models.db", options->cache);
        wanted.cache = buf_cstr(&path);
    }
    done = models_open(&wanted, &shared->models, err);
    buf_release(&path);
    return done;
}

/* A limit that cannot be counted is an error. */
static bool check_price(const struct shared *shared,
                        const struct spending *spending, struct err *err)
{
    if (!spending || spending->max_cost < 0 || models_price(shared->model))
        return true;
    return err_set(err, ERR_INVALID,
                   "--max-cost needs the price of %s: give it in a file "
                   "(--prices)",
                   shared->model->name);
}

static bool open_shared(const char *service, const char *model,
                        const struct agent_factory_options *options,
                        void **opened, struct err *err)
{
    struct shared *shared = mem_new(1, sizeof(*shared));
    struct buf name = BUF_INIT(512);
    bool done;

    pthread_mutex_init(&shared->lock, NULL);
    buf_printf(&name, "%s:%s", service, model);
    done = take_profile(shared, options->profile, service, model, err) &&
           open_models(shared, options, err) &&
           models_open_model(shared->models, buf_cstr(&name), &shared->model,
                             err) &&
           check_price(shared, options->spending, err);
    buf_release(&name);
    if (done)
        *opened = shared;
    else
        agent_model_close_shared(shared);
    return done;
}

/* ---- description and estimate ---- */

static void add_sampling(const struct profile *profile, struct cJSON *into)
{
    const struct profile_sampling *sampling = &profile->sampling;
    struct cJSON *object = json_add_object(into, "sampling");

    if (sampling->temperature >= 0)
        json_add_number(object, "temperature", sampling->temperature);
    if (sampling->top_p > 0)
        json_add_number(object, "top_p", sampling->top_p);
    if (sampling->top_k > 0)
        json_add_int(object, "top_k", sampling->top_k);
    if (sampling->max_tokens > 0)
        json_add_int(object, "max_tokens", sampling->max_tokens);
    if (sampling->seed >= 0)
        json_add_int(object, "seed", sampling->seed);
}

static void agent_model_describe(void *context, struct cJSON *into)
{
    struct shared *shared = context;
    const struct profile *profile = &shared->profile;
    struct cJSON *object;

    models_describe(shared->model, into);
    object = json_add_object(into, "profile");
    json_add_string(object, "name", profile->name);
    json_add_string(object, "sha256", profile->hash);
    json_add_string(object, "coords", coords_name(profile->coords));
    add_sampling(profile, into);
    pthread_mutex_lock(&shared->lock);
    if (shared->picture.width) {
        object = json_add_object(into, "picture");
        json_add_int(object, "width", shared->picture.width);
        json_add_int(object, "height", shared->picture.height);
    }
    pthread_mutex_unlock(&shared->lock);
}

static void agent_model_estimate(void *context,
                                 const struct agent_estimate *episode,
                                 struct model_usage *usage)
{
    const struct shared *shared = context;

    token_estimate_episode(&shared->profile, models_service(shared->model),
                           episode, usage);
    usage->cost = price_cost(models_price(shared->model), usage);
}

/* ---- the kinds ---- */

static bool open_openai(const char *model,
                        const struct agent_factory_options *options,
                        void **shared, struct err *err)
{
    return open_shared("openai", model, options, shared, err);
}

static bool open_responses(const char *model,
                           const struct agent_factory_options *options,
                           void **shared, struct err *err)
{
    return open_shared("responses", model, options, shared, err);
}

static bool open_anthropic(const char *model,
                           const struct agent_factory_options *options,
                           void **shared, struct err *err)
{
    return open_shared("anthropic", model, options, shared, err);
}

static bool open_gemini(const char *model,
                        const struct agent_factory_options *options,
                        void **shared, struct err *err)
{
    return open_shared("gemini", model, options, shared, err);
}

#define MODEL_KIND(name_, open_, summary_)                                     \
    {                                                                          \
        .name = (name_), .argument = "MODEL", .summary = (summary_),           \
        .profiled = true, .open = (open_), .make = agent_model_make,           \
        .close = agent_model_close_shared, .describe = agent_model_describe,   \
        .estimate = agent_model_estimate                                       \
    }

const struct agent_kind agent_openai = MODEL_KIND(
    "openai", open_openai, "a model behind OpenAI's API, or one like it");
const struct agent_kind agent_responses = MODEL_KIND(
    "responses", open_responses, "a model behind OpenAI's responses");
const struct agent_kind agent_anthropic =
    MODEL_KIND("anthropic", open_anthropic, "a model of Anthropic's");
const struct agent_kind agent_gemini =
    MODEL_KIND("gemini", open_gemini, "a model of Google's");
