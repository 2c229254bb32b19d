#include "tools/phone/system/truth_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NANOSECONDS_PER_MILLISECOND 1000000

void truth_log_init(struct truth_log *truth)
{
    *truth = (struct truth_log){.events = BUF_INIT(TRUTH_LOG_EVENTS_MAX),
                                .first = 1,
                                .next = 1,
                                .first_moment = 1};
    pthread_mutex_init(&truth->lock, NULL);
}

/* Free the states and forget everything. */
static void clear(struct truth_log *truth)
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
    truth->moments = NULL;
    truth->app_count = 0;
    truth->moment_count = 0;
    truth->moment_room = 0;
    truth->moment_bytes = 0;
    buf_clear(&truth->events);
}

void truth_log_release(struct truth_log *truth)
{
    clear(truth);
    buf_release(&truth->events);
    pthread_mutex_destroy(&truth->lock);
}

/* ---- copies ---- */

static void copy_apps(struct truth_log *truth, const struct truth_log *from)
{
    for (size_t i = 0; i < from->app_count; i++)
        truth->apps[i] =
            (struct truth_log_app){.name = mem_dup(from->apps[i].name),
                                   .state = mem_dup(from->apps[i].state)};
    truth->app_count = from->app_count;
}

static void copy_moments(struct truth_log *truth, const struct truth_log *from)
{
    truth->moments = mem_new(from->moment_room, sizeof(*truth->moments));
    truth->moment_room = from->moment_room;
    truth->moment_count = from->moment_count;
    truth->moment_bytes = from->moment_bytes;
    truth->first_moment = from->first_moment;
    for (size_t i = 0; i < from->moment_count; i++)
        truth->moments[i] =
            (struct truth_log_moment){.after = from->moments[i].after,
                                      .app = mem_dup(from->moments[i].app),
                                      .state = mem_dup(from->moments[i].state)};
}

void truth_log_copy(struct truth_log *truth, struct truth_log *from)
{
    pthread_mutex_lock(&truth->lock);
    pthread_mutex_lock(&from->lock);
    clear(truth);
    buf_append(&truth->events, buf_cstr(&from->events), from->events.length);
    truth->first = from->first;
    truth->next = from->next;
    copy_apps(truth, from);
    copy_moments(truth, from);
    truth->generation++;
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_unlock(&truth->lock);
}

/* ---- events ---- */

/* The start of the line before the one that starts at a place. */
static size_t line_before(const struct buf *lines, size_t at)
{
    const char *end = memrchr(lines->data, '\n', at - 1);

    return end ? (size_t)(end - lines->data) + 1 : 0;
}

/* The start of the next line. */
static size_t line_end(const struct buf *lines, size_t at)
{
    const char *end = memchr(lines->data + at, '\n', lines->length - at);

    return end ? (size_t)(end - lines->data) + 1 : lines->length;
}

static void forget_oldest(struct truth_log *truth)
{
    struct buf *events = &truth->events;
    size_t half = 0;

    while (half < events->length / 2) {
        half = line_end(events, half);
        truth->first++;
    }
    buf_consume(events, half);
    truth->generation++;
}

void truth_log_event(struct truth_log *truth, int64_t time, const char *app,
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

uint64_t truth_log_print_events(struct truth_log *truth, uint64_t from,
                                struct buf *text)
{
    uint64_t next;
    size_t at;

    pthread_mutex_lock(&truth->lock);
    at = truth->events.length;
    for (uint64_t number = truth->next; number > from && at; number--)
        at = line_before(&truth->events, at);
    if (at < truth->events.length)
        buf_append(text, truth->events.data + at, truth->events.length - at);
    next = truth->next;
    pthread_mutex_unlock(&truth->lock);
    return next;
}

/* ---- state ---- */

/* The index of that app, or the one to insert it at. */
static size_t place_of(const struct truth_log *truth, const char *app)
{
    size_t at = 0;

    while (at < truth->app_count && strcmp(truth->apps[at].name, app) < 0)
        at++;
    return at;
}

static bool is_at(const struct truth_log *truth, size_t at, const char *app)
{
    return at < truth->app_count && !strcmp(truth->apps[at].name, app);
}

static void forget_app(struct truth_log *truth, size_t at)
{
    free(truth->apps[at].name);
    free(truth->apps[at].state);
    truth->app_count--;
    memmove(&truth->apps[at], &truth->apps[at + 1],
            (truth->app_count - at) * sizeof(truth->apps[0]));
}

static void add_app(struct truth_log *truth, size_t at, const char *app)
{
    memmove(&truth->apps[at + 1], &truth->apps[at],
            (truth->app_count - at) * sizeof(truth->apps[0]));
    truth->apps[at] = (struct truth_log_app){.name = mem_dup(app)};
    truth->app_count++;
}

/* ---- earlier states ---- */

static void forget_moments(struct truth_log *truth)
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
    truth->first_moment += half;
    truth->generation++;
}

/* The index of the first state that is not from before that event. */
static size_t moments_before(const struct truth_log *truth, uint64_t number)
{
    size_t first = 0;
    size_t end = truth->moment_count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (truth->moments[middle].after < number)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* The last state of an app among the first ones; NULL: there is none. */
static const struct truth_log_moment *last_moment(const struct truth_log *truth,
                                                  const char *app, size_t count)
{
    for (size_t i = count; i > 0; i--) {
        if (!strcmp(truth->moments[i - 1].app, app))
            return &truth->moments[i - 1];
    }
    return NULL;
}

static uint64_t number_of(const struct truth_log *truth,
                          const struct truth_log_moment *moment)
{
    return moment ? truth->first_moment + (uint64_t)(moment - truth->moments)
                  : 0;
}

static void remember(struct truth_log *truth, const char *app,
                     const char *state)
{
    const struct truth_log_moment *last =
        last_moment(truth, app, truth->moment_count);

    if (last && !strcmp(last->state, state))
        return;
    while (truth->moment_count > 1 &&
           truth->moment_bytes + strlen(state) > TRUTH_LOG_MOMENTS_MAX)
        forget_moments(truth);
    if (truth->moment_count == truth->moment_room) {
        truth->moment_room = truth->moment_room ? 2 * truth->moment_room : 16;
        truth->moments = mem_resize(truth->moments, truth->moment_room,
                                    sizeof(truth->moments[0]));
    }
    truth->moment_bytes += strlen(state);
    truth->moments[truth->moment_count++] = (struct truth_log_moment){
        .after = truth->next - 1, .app = mem_dup(app), .state = mem_dup(state)};
}

uint64_t truth_log_moment_before(struct truth_log *truth, const char *app,
                                 uint64_t number)
{
    uint64_t moment;

    pthread_mutex_lock(&truth->lock);
    moment = number_of(truth,
                       last_moment(truth, app, moments_before(truth, number)));
    pthread_mutex_unlock(&truth->lock);
    return moment;
}

uint64_t truth_log_moment_after(struct truth_log *truth, const char *app,
                                uint64_t number)
{
    const struct truth_log_moment *found = NULL;
    uint64_t moment;

    pthread_mutex_lock(&truth->lock);
    for (size_t i = moments_before(truth, number);
         i < truth->moment_count && !found; i++) {
        if (!strcmp(truth->moments[i].app, app))
            found = &truth->moments[i];
    }
    if (!found)
        found = last_moment(truth, app, truth->moment_count);
    moment = number_of(truth, found);
    pthread_mutex_unlock(&truth->lock);
    return moment;
}

void truth_log_print_moment(struct truth_log *truth, uint64_t moment,
                            struct buf *text)
{
    pthread_mutex_lock(&truth->lock);
    if (moment >= truth->first_moment &&
        moment - truth->first_moment < truth->moment_count)
        buf_text(text, truth->moments[moment - truth->first_moment].state);
    else
        buf_text(text, "null");
    pthread_mutex_unlock(&truth->lock);
}

uint64_t truth_log_generation(struct truth_log *truth)
{
    uint64_t generation;

    pthread_mutex_lock(&truth->lock);
    generation = truth->generation;
    pthread_mutex_unlock(&truth->lock);
    return generation;
}

void truth_log_state(struct truth_log *truth, const char *app,
                     const char *state)
{
    size_t at;

    pthread_mutex_lock(&truth->lock);
    remember(truth, app, state ? state : "null");
    at = place_of(truth, app);
    if (!state && is_at(truth, at, app))
        forget_app(truth, at);
    if (state && !is_at(truth, at, app) &&
        truth->app_count < TRUTH_LOG_APPS_MAX)
        add_app(truth, at, app);
    if (state && is_at(truth, at, app)) {
        free(truth->apps[at].state);
        truth->apps[at].state = mem_dup(state);
    }
    pthread_mutex_unlock(&truth->lock);
}

void truth_log_print_state(struct truth_log *truth, struct buf *text)
{
    pthread_mutex_lock(&truth->lock);
    buf_byte(text, '{');
    for (size_t i = 0; i < truth->app_count; i++)
        buf_printf(text, "%s\"%s\":%s", i ? "," : "", truth->apps[i].name,
                   truth->apps[i].state);
    buf_text(text, "}\n");
    pthread_mutex_unlock(&truth->lock);
}
