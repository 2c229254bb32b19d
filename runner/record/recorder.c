#include "runner/record/recorder.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/record/recorder_private.h"
#include "runner/recording/recording.h"
#include "runner/recording/recording_folder.h"
#include "runner/recording/recording_lock.h"
#include "tasks/trajectory/episode_folders.h"

/* Screens of some megabytes wait here: few, so that memory stays bounded. */
#define QUEUE_MAX 4

enum item_kind { ITEM_SCREEN, ITEM_ACTION };

struct queue_item {
    enum item_kind kind;
    struct record_screen screen; /* of SCREEN */
    int64_t at_ms;               /* the same */
    struct record_action record; /* of ACTION */
};

struct recorder {
    struct recorder_options options;
    struct record_phone *phone; /* borrowed */
    char *folder;
    struct file_lock lock_file;
    struct record_store store; /* of the writer thread */
    pthread_t writer;
    bool has_writer;

    /* Of the recording thread: */
    bool has_screen;              /* since the last action */
    int64_t base_ms;              /* of the recording, when now_ms was: */
    int64_t opened_ms;            /* by the phone's clock */
    int64_t last_ms;              /* times never go back */
    int saved_step[RECORD_SLOTS]; /* whose state each slot has; -1: none */

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct queue_item queue[QUEUE_MAX];
    size_t first;
    size_t count;
    bool busy;     /* the writer thread has an item */
    bool stopping; /* nothing more will come */
    int next_step;
    int stored;
    struct err failure; /* ERR_NONE: writing works */
};

/* ---- the writer thread ---- */

static void release_item(struct queue_item *item)
{
    record_screen_release(&item->screen);
    action_release(&item->record.action);
}

static bool store_item(struct recorder *recorder, struct queue_item *item,
                       struct err *err)
{
    if (item->kind == ITEM_SCREEN)
        return record_store_screen(&recorder->store, &item->screen, item->at_ms,
                                   err);
    return record_store_action(&recorder->store, &item->record, err);
}

static void count_stored(struct recorder *recorder, int stored)
{
    pthread_mutex_lock(&recorder->lock);
    recorder->stored = stored;
    pthread_mutex_unlock(&recorder->lock);
}

/* Report the result of an item; without the lock. */
static void report(struct recorder *recorder, const struct queue_item *item,
                   bool done, const struct err *err)
{
    const struct recorder_options *options = &recorder->options;

    if (!done && options->on_failure)
        options->on_failure(options->context, err);
    if (done && item->kind == ITEM_ACTION && options->on_step)
        options->on_step(options->context, item->record.step);
}

/* Under the lock. False: there is nothing more to do. */
static bool take_item(struct recorder *recorder, struct queue_item *item)
{
    while (!recorder->count && !recorder->stopping)
        pthread_cond_wait(&recorder->changed, &recorder->lock);
    if (!recorder->count)
        return false;
    *item = recorder->queue[recorder->first];
    recorder->first = (recorder->first + 1) % QUEUE_MAX;
    recorder->count--;
    recorder->busy = true;
    pthread_cond_broadcast(&recorder->changed);
    return true;
}

static void *write_items(void *context)
{
    struct recorder *recorder = context;
    struct queue_item item;

    pthread_mutex_lock(&recorder->lock);
    while (take_item(recorder, &item)) {
        bool works = recorder->failure.code == ERR_NONE;
        struct err err = ERR_INIT;
        bool done = false;

        pthread_mutex_unlock(&recorder->lock);
        if (works) {
            done = store_item(recorder, &item, &err);
            if (done && item.kind == ITEM_ACTION)
                count_stored(recorder, item.record.step + 1);
            report(recorder, &item, done, &err);
        }
        pthread_mutex_lock(&recorder->lock);
        if (works && !done)
            recorder->failure = err;
        release_item(&item);
        recorder->busy = false;
        pthread_cond_broadcast(&recorder->changed);
    }
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
}

/* Move an item into the queue. Blocks while it is full. */
static bool put_item(struct recorder *recorder, struct queue_item *item,
                     struct err *err)
{
    bool done;

    pthread_mutex_lock(&recorder->lock);
    while (recorder->count == QUEUE_MAX && recorder->failure.code == ERR_NONE)
        pthread_cond_wait(&recorder->changed, &recorder->lock);
    done = recorder->failure.code == ERR_NONE;
    if (done) {
        recorder->queue[(recorder->first + recorder->count++) % QUEUE_MAX] =
            *item;
        recorder->next_step += item->kind == ITEM_ACTION;
        pthread_cond_broadcast(&recorder->changed);
    } else {
        *err = recorder->failure;
        release_item(item);
    }
    pthread_mutex_unlock(&recorder->lock);
    return done;
}

bool recorder_flush(struct recorder *recorder, struct err *err)
{
    bool done;

    pthread_mutex_lock(&recorder->lock);
    while ((recorder->count || recorder->busy) &&
           recorder->failure.code == ERR_NONE)
        pthread_cond_wait(&recorder->changed, &recorder->lock);
    done = recorder->failure.code == ERR_NONE;
    if (!done)
        *err = recorder->failure;
    pthread_mutex_unlock(&recorder->lock);
    return done;
}

/* The writer has nothing to do then: its fields may be used here. They go on
 * with those of the last screen that was stored. */
bool recorder_mask(struct recorder *recorder, struct tree *tree,
                   struct err *err)
{
    struct secret_fields *secrets = &recorder->store.secrets;
    bool on_screen;
    bool gets_keys;

    if (!recorder_flush(recorder, err))
        return false;
    on_screen = secrets->on_screen;
    gets_keys = secrets->gets_keys;
    (void)secret_fields_mask(secrets, tree);
    secrets->on_screen = on_screen;
    secrets->gets_keys = gets_keys;
    return true;
}

/* ---- opening ---- */

static int64_t wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The folder gets its name when its events and edits have a head. */
static bool begin(const struct recorder *recorder, struct err *err)
{
    const struct recorder_options *options = &recorder->options;
    struct trajectory_writer *writer = NULL;
    struct buf hidden = BUF_INIT(PATH_MAX);
    struct trajectory_head head = {
        .task = (char *)options->name,
        .agent = (char *)"human",
        .phone = recorder->phone->serial,
        .instruction = (char *)options->instruction,
        .app = (char *)options->app,
        .locale = (char *)(options->locale ? options->locale
                                           : recorder->phone->locale),
        .width = recorder->phone->width,
        .height = recorder->phone->height,
        .started_ms = wall_ms(),
        .builtin = recorder->phone->builtin,
        .seed = recorder->phone->seed,
        .skin = recorder->phone->skin,
    };
    bool done;

    recording_folder_hidden(recorder->folder, &hidden);
    recording_folder_discard_left(recorder->folder);
    done = file_make_folder(options->recordings, 0777, err) &&
           trajectory_create(buf_cstr(&hidden), &head, &writer, err) &&
           recording_edits_create(buf_cstr(&hidden), err);
    trajectory_close(writer);
    buf_release(&hidden);
    return done && recording_folder_complete(recorder->folder, err);
}

/* The times of a recording go on where they ended. */
static void set_times(struct recorder *recorder,
                      const struct trajectory *trajectory)
{
    for (size_t i = 0; i < trajectory->count; i++) {
        const struct trajectory_step *step = &trajectory->steps[i];

        if (step->seen_ms > recorder->base_ms)
            recorder->base_ms = step->seen_ms;
        if (step->acted_ms > recorder->base_ms)
            recorder->base_ms = step->acted_ms;
    }
    recorder->last_ms = recorder->base_ms;
    recorder->opened_ms = recorder->phone->ops->now_ms(recorder->phone);
}

static bool go_on(struct recorder *recorder, struct err *err)
{
    struct trajectory_writer *writer = NULL;
    struct recording recording;
    bool done;

    if (!recording_lock_take(recorder->folder, &recorder->lock_file, err) ||
        !recording_load(recorder->folder, &recording, err))
        return false;
    if (recording.trajectory.ending != ENDING_NONE)
        err_set(err, ERR_INVALID,
                "the recording %s is finished: choose another name",
                recorder->folder);
    else if (trajectory_continue(recorder->folder, &writer, err))
        set_times(recorder, &recording.trajectory);
    if (writer) {
        record_store_init(&recorder->store, recorder->folder, writer);
        recorder->next_step = recorder->stored = trajectory_next_step(writer);
    }
    done = writer && recording_folder_tidy(&recording, err) &&
           record_store_learn(&recorder->store, &recording.trajectory, err);
    recording_release(&recording);
    return done;
}

static bool start_writer(struct recorder *recorder, struct err *err)
{
    int number = pthread_create(&recorder->writer, NULL, write_items, recorder);

    recorder->has_writer = !number;
    return !number || err_errno(err, number, "start the writer of recordings");
}

static void stop_writer(struct recorder *recorder)
{
    if (!recorder->has_writer)
        return;
    pthread_mutex_lock(&recorder->lock);
    recorder->stopping = true;
    pthread_cond_broadcast(&recorder->changed);
    pthread_mutex_unlock(&recorder->lock);
    pthread_join(recorder->writer, NULL);
    recorder->has_writer = false;
}

bool recorder_open(const struct recorder_options *options,
                   struct recorder **recorder, struct err *err)
{
    struct recorder *made;
    struct buf folder = BUF_INIT(PATH_MAX);
    bool done;

    if (!recording_name_is_valid(options->name))
        return err_set(err, ERR_INVALID,
                       "\"%.40s\" is not a name of a-z, 0-9, . and -",
                       options->name);
    buf_printf(&folder, "%s/%s", options->recordings, options->name);
    made = mem_new(1, sizeof(*made));
    made->options = *options;
    made->phone = options->phone;
    made->folder = mem_dup(buf_cstr(&folder));
    made->lock_file = (struct file_lock)FILE_LOCK_INIT;
    for (size_t i = 0; i < RECORD_SLOTS; i++)
        made->saved_step[i] = -1;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    buf_release(&folder);
    done = (episode_folders_is_one(made->folder) || begin(made, err)) &&
           go_on(made, err) && start_writer(made, err);
    if (!done) {
        recorder_close(made);
        return false;
    }
    *recorder = made;
    return true;
}

void recorder_close(struct recorder *recorder)
{
    if (!recorder)
        return;
    stop_writer(recorder);
    if (recorder->store.folder)
        record_store_release(&recorder->store);
    file_lock_release(&recorder->lock_file);
    pthread_cond_destroy(&recorder->changed);
    pthread_mutex_destroy(&recorder->lock);
    free(recorder->folder);
    free(recorder);
}

/* ---- recording ---- */

/* A time of the phone as one of the recording. */
static int64_t recorded_ms(struct recorder *recorder, int64_t at_ms)
{
    int64_t ms = recorder->base_ms + at_ms - recorder->opened_ms;

    if (ms > recorder->last_ms)
        recorder->last_ms = ms;
    return recorder->last_ms;
}

int recorder_next_step(struct recorder *recorder)
{
    int step;

    pthread_mutex_lock(&recorder->lock);
    step = recorder->next_step;
    pthread_mutex_unlock(&recorder->lock);
    return step;
}

int recorder_stored(struct recorder *recorder)
{
    int stored;

    pthread_mutex_lock(&recorder->lock);
    stored = recorder->stored;
    pthread_mutex_unlock(&recorder->lock);
    return stored;
}

const char *recorder_folder(const struct recorder *recorder)
{
    return recorder->folder;
}

/* Keep the state of the phone before a step. A failure only prevents undo. */
static void save_state(struct recorder *recorder, int step, bool late)
{
    const struct record_phone_ops *ops = recorder->phone->ops;
    unsigned slot = (unsigned)step % RECORD_SLOTS;
    struct err ignored;

    if (ops->save)
        recorder->saved_step[slot] =
            !late && ops->save(recorder->phone, slot, &ignored) ? step : -1;
}

bool recorder_before(struct recorder *recorder, struct record_screen *screen,
                     struct err *err)
{
    struct queue_item item = {.kind = ITEM_SCREEN};

    record_screen_init(&item.screen);
    record_screen_move(&item.screen, screen);
    item.at_ms = recorded_ms(recorder, item.screen.at_ms);
    save_state(recorder, recorder_next_step(recorder), item.screen.late);
    recorder->has_screen = put_item(recorder, &item, err);
    return recorder->has_screen;
}

static void copy_action(const struct action *from, struct action *to)
{
    *to = *from;
    to->text = from->text ? mem_dup(from->text) : NULL;
}

bool recorder_acted(struct recorder *recorder,
                    const struct recorder_action *action, int *step,
                    struct err *err)
{
    struct queue_item item = {.kind = ITEM_ACTION};
    int number = recorder_next_step(recorder);

    if (!recorder->has_screen)
        return err_set(err, ERR_INVALID,
                       "an action without the screen before it");
    record_screen_init(&item.screen);
    copy_action(action->action, &item.record.action);
    item.record.step = number;
    item.record.at_ms = recorded_ms(recorder, action->at_ms);
    snprintf(item.record.doubt, sizeof(item.record.doubt), "%s",
             action->doubt ? action->doubt : "");
    snprintf(item.record.flag, sizeof(item.record.flag), "%s",
             action->flag ? action->flag : "");
    recorder->has_screen = false;
    if (!put_item(recorder, &item, err))
        return false;
    if (step)
        *step = number;
    return true;
}

bool recorder_observe(struct recorder *recorder, struct err *err)
{
    struct record_screen screen;
    bool done;

    record_screen_init(&screen);
    done = recorder->phone->ops->observe(recorder->phone, &screen, err) &&
           recorder_before(recorder, &screen, err);
    record_screen_release(&screen);
    return done;
}

bool recorder_step(struct recorder *recorder, const struct action *action,
                   int *step, struct err *err)
{
    struct record_phone *phone = recorder->phone;
    struct record_done done = {.doubt = ""};
    struct recorder_action acted = {.action = action};

    if (!phone->ops->perform)
        return err_set(err, ERR_UNSUPPORTED,
                       "this phone is only recorded: act on it by hand");
    if (!recorder->has_screen && !recorder_observe(recorder, err))
        return false;
    acted.at_ms = phone->ops->now_ms(phone);
    if (!phone->ops->perform(phone, action, &done, err))
        return false;
    acted.doubt = done.doubt[0] ? done.doubt : NULL;
    return recorder_acted(recorder, &acted, step, err) &&
           recorder_observe(recorder, err) && recorder_flush(recorder, err);
}

/* ---- undo ---- */

static bool find_last(const char *folder, int *step, struct err *err)
{
    struct recording recording;
    bool found = false;

    if (!recording_load(folder, &recording, err))
        return false;
    for (size_t i = recording.count; i-- > 0 && !found;) {
        found = recording_step_counts(&recording.steps[i]);
        if (found)
            *step = (int)i;
    }
    recording_release(&recording);
    return found || err_set(err, ERR_NOT_FOUND, "there is no step to undo");
}

static void restore_state(struct recorder *recorder,
                          struct recorder_undone *undone)
{
    struct record_phone *phone = recorder->phone;
    unsigned slot = (unsigned)undone->step % RECORD_SLOTS;
    struct err why = ERR_INIT;

    if (!phone->ops->restore)
        err_set(&why, ERR_UNSUPPORTED, "this phone has no snapshots");
    else if (recorder->saved_step[slot] != undone->step)
        err_set(&why, ERR_NOT_FOUND, "its state before the step was not kept");
    else
        undone->restored = phone->ops->restore(phone, slot, &why);
    if (!undone->restored)
        snprintf(undone->warning, sizeof(undone->warning),
                 "step %d is only struck out (%.120s): bring the phone back to "
                 "where it was before going on",
                 undone->step, why.text);
}

/* The step is undone on the disk, but the screen after that is missing. */
static void warn_unseen(struct recorder_undone *undone, const struct err *why)
{
    size_t used = strlen(undone->warning);

    if (!used)
        used = (size_t)snprintf(undone->warning, sizeof(undone->warning),
                                "step %d is undone", undone->step);
    snprintf(undone->warning + used, sizeof(undone->warning) - used,
             "; the screen is not recorded (%.40s)", why->text);
}

bool recorder_undo(struct recorder *recorder, struct recorder_undone *undone,
                   struct err *err)
{
    struct recorder_undone made = {.step = -1};
    struct recording_edit edit = {.kind = EDIT_UNDONE};
    struct err why = ERR_INIT;

    if (!recorder_flush(recorder, err) ||
        !find_last(recorder->folder, &made.step, err))
        return false;
    restore_state(recorder, &made);
    edit.step = made.step;
    edit.on = made.restored;
    if (!recording_edit_add(recorder->folder, &edit, err))
        return false;
    recorder->has_screen = false;
    if (!recorder_observe(recorder, &why) || !recorder_flush(recorder, &why))
        warn_unseen(&made, &why);
    *undone = made;
    return true;
}

/* ---- the end ---- */

bool recorder_finish(struct recorder *recorder, struct err *err)
{
    bool done = recorder_flush(recorder, err);

    stop_writer(recorder);
    done = done &&
           trajectory_end(recorder->store.trajectory, ENDING_COMPLETE, NULL,
                          recorded_ms(recorder, recorder->phone->ops->now_ms(
                                                    recorder->phone)),
                          err);
    recorder_close(recorder);
    return done;
}
