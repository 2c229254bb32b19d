#include "tools/phone/truth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NANOSECONDS_PER_MILLISECOND 1000000

void truth_init(struct truth *truth)
{
    *truth = (struct truth){
        .events = BUF_INIT(TRUTH_EVENTS_MAX), .first = 1, .next = 1};
    pthread_mutex_init(&truth->lock, NULL);
}

void truth_release(struct truth *truth)
{
    for (size_t i = 0; i < truth->app_count; i++) {
        free(truth->apps[i].name);
        free(truth->apps[i].state);
    }
    for (size_t i = 0; i < truth->moment_count; i++) {
        free(truth->moments[i].app);
        free(truth->moments[i].state);
    }
    free(truth->moments);
    buf_release(&truth->events);
    pthread_mutex_destroy(&truth->lock);
}

/* ---- events ---- */

/* Where the line behind this one begins. */
static size_t line_end(const struct buf *lines, size_t at)
{
    const char *end = memchr(lines->data + at, '\n', lines->length - at);

    return end ? (size_t)(end - lines->data) + 1 : lines->length;
}

static void forget_oldest(struct truth *truth)
{
    struct buf *events = &truth->events;
    size_t half = 0;

    while (half < events->length / 2) {
        half = line_end(events, half);
        truth->first++;
    }
    buf_consume(events, half);
}

void truth_event(struct truth *truth, int64_t time, const char *app,
                 const char *event, const char *arguments)
{
    struct buf *events = &truth->events;
    size_t longest = strlen(app) + strlen(event) + strlen(arguments) + 128;

    pthread_mutex_lock(&truth->lock);
    while (events->length && longest > events->limit - events->length)
        forget_oldest(truth);
    buf_printf(events,
               "{\"number\":%" PRIu64 ",\"time\":%" PRId64
               ",\"event\":\"%s.%s\",\"args\":%s}\n",
               truth->next, time / NANOSECONDS_PER_MILLISECOND, app, event,
               arguments);
    truth->next++;
    pthread_mutex_unlock(&truth->lock);
}

void truth_print_events(struct truth *truth, uint64_t from, struct buf *text)
{
    size_t at = 0;

    pthread_mutex_lock(&truth->lock);
    for (uint64_t number = truth->first; number < from && number < truth->next;
         number++)
        at = line_end(&truth->events, at);
    if (at < truth->events.length)
        buf_append(text, truth->events.data + at, truth->events.length - at);
    pthread_mutex_unlock(&truth->lock);
}

/* ---- state ---- */

/* Where that app is, or is to be. */
static size_t place_of(const struct truth *truth, const char *app)
{
    size_t at = 0;

    while (at < truth->app_count && strcmp(truth->apps[at].name, app) < 0)
        at++;
    return at;
}

static bool is_at(const struct truth *truth, size_t at, const char *app)
{
    return at < truth->app_count && !strcmp(truth->apps[at].name, app);
}

static void forget_app(struct truth *truth, size_t at)
{
    free(truth->apps[at].name);
    free(truth->apps[at].state);
    truth->app_count--;
    memmove(&truth->apps[at], &truth->apps[at + 1],
            (truth->app_count - at) * sizeof(truth->apps[0]));
}

static void add_app(struct truth *truth, size_t at, const char *app)
{
    memmove(&truth->apps[at + 1], &truth->apps[at],
            (truth->app_count - at) * sizeof(truth->apps[0]));
    truth->apps[at] = (struct truth_app){.name = mem_dup(app)};
    truth->app_count++;
}

/* ---- the states of old ---- */

static void forget_moments(struct truth *truth)
{
    size_t half = truth->moment_count / 2;

    for (size_t i = 0; i < half; i++) {
        truth->moment_bytes -= strlen(truth->moments[i].state);
        free(truth->moments[i].app);
        free(truth->moments[i].state);
    }
    truth->moment_count -= half;
    memmove(truth->moments, truth->moments + half,
            truth->moment_count * sizeof(truth->moments[0]));
}

static const struct truth_moment *last_moment(const struct truth *truth,
                                              const char *app, uint64_t before)
{
    for (size_t i = truth->moment_count; i > 0; i--) {
        const struct truth_moment *moment = &truth->moments[i - 1];

        if (moment->after < before && !strcmp(moment->app, app))
            return moment;
    }
    return NULL;
}

static void remember(struct truth *truth, const char *app, const char *state)
{
    const struct truth_moment *last = last_moment(truth, app, UINT64_MAX);

    if (last && !strcmp(last->state, state))
        return;
    while (truth->moment_count > 1 &&
           truth->moment_bytes + strlen(state) > TRUTH_MOMENTS_MAX)
        forget_moments(truth);
    if (truth->moment_count == truth->moment_room) {
        truth->moment_room = truth->moment_room ? 2 * truth->moment_room : 16;
        truth->moments = mem_resize(truth->moments, truth->moment_room,
                                    sizeof(truth->moments[0]));
    }
    truth->moment_bytes += strlen(state);
    truth->moments[truth->moment_count++] = (struct truth_moment){
        .after = truth->next - 1, .app = mem_dup(app), .state = mem_dup(state)};
}

void truth_print_before(struct truth *truth, const char *app, uint64_t number,
                        struct buf *text)
{
    const struct truth_moment *moment;

    pthread_mutex_lock(&truth->lock);
    moment = last_moment(truth, app, number);
    buf_text(text, moment ? moment->state : "null");
    pthread_mutex_unlock(&truth->lock);
}

void truth_print_after(struct truth *truth, const char *app, uint64_t number,
                       struct buf *text)
{
    const struct truth_moment *found = NULL;

    pthread_mutex_lock(&truth->lock);
    for (size_t i = 0; i < truth->moment_count && !found; i++) {
        if (truth->moments[i].after >= number &&
            !strcmp(truth->moments[i].app, app))
            found = &truth->moments[i];
    }
    if (!found)
        found = last_moment(truth, app, UINT64_MAX);
    buf_text(text, found ? found->state : "null");
    pthread_mutex_unlock(&truth->lock);
}

void truth_state(struct truth *truth, const char *app, const char *state)
{
    size_t at;

    pthread_mutex_lock(&truth->lock);
    remember(truth, app, state ? state : "null");
    at = place_of(truth, app);
    if (!state && is_at(truth, at, app))
        forget_app(truth, at);
    if (state && !is_at(truth, at, app) && truth->app_count < TRUTH_APPS_MAX)
        add_app(truth, at, app);
    if (state && is_at(truth, at, app)) {
        free(truth->apps[at].state);
        truth->apps[at].state = mem_dup(state);
    }
    pthread_mutex_unlock(&truth->lock);
}

void truth_print_state(struct truth *truth, struct buf *text)
{
    pthread_mutex_lock(&truth->lock);
    buf_byte(text, '{');
    for (size_t i = 0; i < truth->app_count; i++)
        buf_printf(text, "%s\"%s\":%s", i ? "," : "", truth->apps[i].name,
                   truth->apps[i].state);
    buf_text(text, "}\n");
    pthread_mutex_unlock(&truth->lock);
}
