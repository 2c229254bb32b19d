/* A model over HTTP that decides, by a profile. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "runner/agents.h"
#include "runner/estimate.h"
#include "runner/models.h"
#include "runner/parse.h"
#include "runner/turns.h"

/* What all agents of a run share. */
struct shared {
    struct models *models;
    struct model *model;
    struct profile profile;
    bool has_profile;
    const char **headers;  /* the profile's; the last is NULL */
    pthread_mutex_t lock;  /* guards picture */
    struct extent picture; /* as it was sent last */
};

struct model_agent {
    struct agent agent;
    struct shared *shared;
    int repeat;
    struct turns turns;
};

/* ---- what is said ---- */

/* The model's own failures are replies without an action. */
static bool failed(const struct model_reply *heard, struct err *why)
{
    static const char *const says[MODEL_FINISHES] = {
        [MODEL_REFUSED] = "the model refuses",
        [MODEL_FILTERED] = "the service filters what the model says",
        [MODEL_OVERFLOW] = "the question is longer than the model reads",
        [MODEL_EMPTY] = "the model says nothing",
    };
    const char *reason = buf_cstr(&heard->reason);

    if (!says[heard->finish])
        return false;
    (void)err_set(why, ERR_INVALID, "%s%s%.150s", says[heard->finish],
                  *reason ? ": " : "", reason);
    return true;
}

static void understand(const struct profile *profile, struct extent picture,
                       struct extent screen, const struct model_reply *heard,
                       struct agent_reply *reply)
{
    const struct parse_options options = {.family = profile->family,
                                          .coords_told = true,
                                          .coords = profile->coords,
                                          .picture = picture,
                                          .screen = screen};
    const struct family *family;

    buf_clear(&reply->text);
    model_reply_transcript(heard, &reply->text);
    reply->usage = heard->usage;
    reply->has_action = false;
    if (failed(heard, &reply->error))
        return;
    reply->has_action =
        parse_reply(buf_cstr(&reply->text), reply->text.length, &options,
                    &reply->action, &family, &reply->error);
    if (!reply->has_action && heard->finish == MODEL_CUT)
        (void)err_wrap(&reply->error, "it may say no more than so many tokens");
}

/* ---- asking ---- */

static size_t first_turn(const struct profile *profile, size_t past)
{
    size_t kept = (size_t)profile->history.turns;

    if (profile->history.layout != PROFILE_TURNS)
        return past;
    return past > kept ? past - kept : 0;
}

static bool ask(struct model_agent *agent, const struct prompt *prompt,
                const struct sight *sight, struct deadline by,
                const struct cancel *cancel, struct model_reply *heard,
                struct agent_reply *reply, struct err *err)
{
    struct shared *shared = agent->shared;
    struct turns_question question;
    int64_t start = clock_ns();
    bool done;

    turns_ask(&agent->turns, prompt, sight, &question);
    question.request.repeat = (unsigned)agent->repeat;
    done = model_ask(shared->model, &question.request, by, cancel, heard, err);
    pthread_mutex_lock(&shared->lock);
    shared->picture = sight->size;
    pthread_mutex_unlock(&shared->lock);
    reply->latency_ms = (clock_ns() - start) / 1000000;
    reply->picture = sight->size;
    reply->request_bytes = (int64_t)turns_question_size(&question);
    turns_question_release(&question);
    return done;
}

static bool begin(struct agent *base, const struct task *task, int repeat,
                  struct err *err)
{
    struct model_agent *agent = (struct model_agent *)base;

    (void)task, (void)err;
    turns_clear(&agent->turns);
    agent->repeat = repeat;
    return true;
}

static bool decide(struct agent *base, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err)
{
    struct model_agent *agent = (struct model_agent *)base;
    const struct profile *profile = &agent->shared->profile;
    struct prompt prompt = {.profile = profile,
                            .view = view,
                            .first = first_turn(profile, view->past_count)};
    struct sight sight = SIGHT_INIT;
    struct model_reply heard = MODEL_REPLY_INIT;
    bool done = sight_make(
        view->frames, &profile->picture, &view->seen->png, view->seen->screen,
        view->mode == AGENT_MARKS ? view->elements : NULL, &sight, err);

    prompt.picture = sight.size;
    if (done)
        done = ask(agent, &prompt, &sight, by, cancel, &heard, reply, err);
    if (done) {
        understand(profile, sight.size, view->seen->screen, &heard, reply);
        turns_note(&agent->turns, view->past_count, profile->history.screens,
                   &sight, &heard);
    } else if (err->code == ERR_LIMIT) {
        /* It said more than anybody reads: its own fault. */
        reply->error = *err;
        done = true;
    }
    sight_release(&sight);
    model_reply_release(&heard);
    return done;
}

static void end(struct agent *base)
{
    turns_clear(&((struct model_agent *)base)->turns);
}

static void close_agent(struct agent *base)
{
    struct model_agent *agent = (struct model_agent *)base;

    turns_clear(&agent->turns);
    free(agent);
}

static const struct agent_ops agent_ops = {
    .begin = begin, .decide = decide, .end = end, .close = close_agent};

static bool make(void *context, struct agent **made, struct err *err)
{
    struct model_agent *agent = mem_new(1, sizeof(*agent));

    (void)err;
    agent->agent = (struct agent){.ops = &agent_ops, .actor = ACTOR_AGENT};
    agent->shared = context;
    *made = &agent->agent;
    return true;
}

/* ---- what a run's agents share ---- */

static void close_shared(void *context)
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

    if (!profile_load(name ? name : profile_for(service, model),
                      &shared->profile, err))
        return false;
    shared->has_profile = true;
    if (profile->api && strcmp(profile->api, service) != 0)
        return err_set(err, ERR_INVALID,
                       "the profile %s is for %s:MODEL, not for %s:",
                       profile->name, profile->api, service);
    return true;
}

/* The cache is a file in the folder of what is remembered. */
static bool open_models(struct shared *shared,
                        const struct agents_options *options, struct err *err)
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

/* A limit that nobody can watch is none. */
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
                        const struct agents_options *options, void **opened,
                        struct err *err)
{
    struct shared *shared = mem_new(1, sizeof(*shared));
    struct buf name = BUF_INIT(512);
    bool done;

    pthread_mutex_init(&shared->lock, NULL);
    buf_printf(&name, "%s:%s", service, model);
    done = take_profile(shared, options->profile, service, model, err) &&
           open_models(shared, options, err) &&
           models_get(shared->models, buf_cstr(&name), &shared->model, err) &&
           check_price(shared, options->spending, err);
    buf_release(&name);
    if (done)
        *opened = shared;
    else
        close_shared(shared);
    return done;
}

/* ---- what it is, and what it may cost ---- */

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

static void describe(void *context, struct cJSON *into)
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

static void estimate(void *context, struct extent screen, int steps,
                     struct model_usage *usage)
{
    const struct shared *shared = context;

    estimate_episode(&shared->profile, models_service(shared->model), screen,
                     steps, usage);
    usage->cost = price_cost(models_price(shared->model), usage);
}

/* ---- the kinds ---- */

static bool open_openai(const char *model, const struct agents_options *options,
                        void **shared, struct err *err)
{
    return open_shared("openai", model, options, shared, err);
}

static bool open_responses(const char *model,
                           const struct agents_options *options, void **shared,
                           struct err *err)
{
    return open_shared("responses", model, options, shared, err);
}

static bool open_anthropic(const char *model,
                           const struct agents_options *options, void **shared,
                           struct err *err)
{
    return open_shared("anthropic", model, options, shared, err);
}

static bool open_gemini(const char *model, const struct agents_options *options,
                        void **shared, struct err *err)
{
    return open_shared("gemini", model, options, shared, err);
}

#define MODEL_KIND(name_, open_, summary_)                                     \
    {                                                                          \
        .name = (name_), .argument = "MODEL", .summary = (summary_),           \
        .profiled = true, .open = (open_), .make = make,                       \
        .close = close_shared, .describe = describe, .estimate = estimate      \
    }

const struct agent_kind agent_openai = MODEL_KIND(
    "openai", open_openai, "a model behind OpenAI's API, or one like it");
const struct agent_kind agent_responses = MODEL_KIND(
    "responses", open_responses, "a model behind OpenAI's responses");
const struct agent_kind agent_anthropic =
    MODEL_KIND("anthropic", open_anthropic, "a model of Anthropic's");
const struct agent_kind agent_gemini =
    MODEL_KIND("gemini", open_gemini, "a model of Google's");
