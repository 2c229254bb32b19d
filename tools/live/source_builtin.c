/*
 * The screen of a built-in phone of this process: its frame buffer, whenever
 * the phone has drawn something else.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/live/live_source.h"
#include "tools/phone/phone.h"

/* How long a change without an event (screen_await_change) may go unnoticed. */
#define IDLE_MS 100

struct source_builtin {
    struct live_source source; /* first */
    struct phone *phone;       /* borrowed */
    struct live_sink sink;
    pthread_t thread;
    atomic_bool stopped;
};

/* False when it failed. */
static bool deliver(struct source_builtin *source, uint64_t *shown)
{
    struct phone_frame *frame;
    struct err err;

    if (!phone_frame(source->phone, &frame, &err)) {
        source->sink.failed(source->sink.context, &err);
        return false;
    }
    if (frame->number != *shown)
        source->sink.picture(source->sink.context, &frame->picture,
                             clock_ns() / 1000);
    *shown = frame->number;
    screen_frame_drop(frame);
    return true;
}

/* What moves is drawn at the pace of the sink, the rest when it changes. */
static void *watch_screen(void *context)
{
    struct source_builtin *source = context;
    uint64_t seen = 0;
    uint64_t shown = 0;
    bool moves = false;

    while (source->sink.wait_wanted(source->sink.context)) {
        moves = phone_await_change(source->phone,
                                   deadline_in_ms(moves ? 0 : IDLE_MS), &seen);
        if (atomic_load(&source->stopped) || !deliver(source, &shown))
            break;
    }
    return NULL;
}

static void source_builtin_stop(struct live_source *source)
{
    struct source_builtin *builtin = (struct source_builtin *)source;

    atomic_store(&builtin->stopped, true);
    phone_wake(builtin->phone);
    pthread_join(builtin->thread, NULL);
    free(builtin);
}

bool source_builtin_start(struct phone *phone, const struct live_sink *sink,
                          struct live_source **source, struct err *err)
{
    static const struct live_source_ops ops = {.stop = source_builtin_stop};
    struct source_builtin *made = mem_new(1, sizeof(*made));
    int number;

    made->source.ops = &ops;
    made->phone = phone;
    made->sink = *sink;
    atomic_init(&made->stopped, false);
    number = pthread_create(&made->thread, NULL, watch_screen, made);
    if (number) {
        free(made);
        return err_errno(err, number, "starting a thread for the screen");
    }
    *source = &made->source;
    return true;
}
