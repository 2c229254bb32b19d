#include "tools/live/live_recorder.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tools/live/live_recorder_private.h"
#include "tools/live/record_view.h"
#include "tools/phone_source/record_builtin.h"

/* ---- what others see ---- */

static void tell(const struct live_recorder *live)
{
    if (live->options.on_change)
        live->options.on_change(live->options.context);
}

void live_recorder_set_ready(struct live_recorder *live, bool ready)
{
    pthread_mutex_lock(&live->state);
    live->ready = ready;
    pthread_mutex_unlock(&live->state);
    tell(live);
}

void live_recorder_note_failure(struct live_recorder *live,
                                const struct err *err)
{
    pthread_mutex_lock(&live->state);
    if (live->failure.code == ERR_NONE)
        live->failure = *err;
    pthread_mutex_unlock(&live->state);
    tell(live);
}

bool live_recorder_is_ready(struct live_recorder *live, struct err *failure)
{
    bool ready;

    pthread_mutex_lock(&live->state);
    ready = live->ready;
    if (failure)
        *failure = live->failure;
    pthread_mutex_unlock(&live->state);
    return ready;
}

struct phone_view *live_recorder_view(const struct live_recorder *live)
{
    return live->options.view;
}

bool live_recorder_is_in_hand(const struct live_recorder *live)
{
    return live->options.in_hand;
}

static void on_step(void *context, int step)
{
    (void)step;
    tell(context);
}

static void on_failure(void *context, const struct err *err)
{
    live_recorder_note_failure(context, err);
}

/* ---- between two steps ---- */

bool live_recorder_undo(struct live_recorder *live,
                        struct recorder_undone *undone, struct err *err)
{
    struct live_steps *steps = live->steps;
    bool done = steps->ops->hold(steps, err) &&
                recorder_undo(live->recorder, undone, err);

    steps->ops->resume(steps, done);
    return done;
}

bool live_recorder_next_step(struct live_recorder *live, struct tree *tree,
                             int *step, struct err *err)
{
    struct live_steps *steps = live->steps;
    bool done = steps->ops->hold(steps, err) &&
                (!tree || recorder_mask(live->recorder, tree, err));

    if (done)
        *step = recorder_next_step(live->recorder);
    steps->ops->resume(steps, false);
    return done;
}

/* ---- opening and closing ---- */

static void release(struct live_recorder *live)
{
    if (live->steps)
        live->steps->ops->close(live->steps);
    record_phone_close(live->phone);
    pthread_mutex_destroy(&live->state);
    free(live);
}

static bool open_phone(struct live_recorder *live, struct err *err)
{
    const struct live_recorder_options *options = &live->options;
    const struct record_builtin_options builtin = {.phone = options->phone,
                                                   .serial = options->serial};

    if (options->phone && options->in_hand)
        return err_set(err, ERR_UNSUPPORTED,
                       "a built-in phone of this page has no touch screen to "
                       "hold: record it here");
    if (options->phone)
        return record_builtin_open(&builtin, &live->phone, err);
    live->phone = record_view_open(options->view, options->serial);
    return true;
}

static bool open_recorder(struct live_recorder *live, struct err *err)
{
    const struct recorder_options options = {
        .recordings = live->options.recordings,
        .name = live->options.name,
        .phone = live->phone,
        .on_step = on_step,
        .on_failure = on_failure,
        .context = live,
    };

    return recorder_open(&options, &live->recorder, err);
}

static bool open_steps(struct live_recorder *live, struct err *err)
{
    if (!live->options.in_hand) {
        live->steps = steps_page_open(live);
        return true;
    }
    if (steps_hand_open(live, &live->steps, err))
        return true;
    recorder_close(live->recorder);
    return false;
}

bool live_recorder_open(const struct live_recorder_options *options,
                        struct live_recorder **recorder, struct err *err)
{
    struct live_recorder *live = mem_new(1, sizeof(*live));

    live->options = *options;
    live->failure = (struct err)ERR_INIT;
    pthread_mutex_init(&live->state, NULL);
    if (!open_phone(live, err) || !open_recorder(live, err) ||
        !open_steps(live, err)) {
        release(live);
        return false;
    }
    *recorder = live;
    return true;
}

bool live_recorder_close(struct live_recorder *live, bool finish,
                         struct err *err)
{
    struct err why = ERR_INIT;
    bool ended = live->steps->ops->end(live->steps, finish, &why);
    bool done = true;

    if (finish) {
        done = recorder_finish(live->recorder, err);
        if (done && !ended) {
            *err = why;
            done = false;
        }
    } else {
        recorder_close(live->recorder); /* the writer has reported it */
    }
    release(live);
    return done;
}
