/*
 * The live recorder of a phone, from its start in the thread to its end; and a
 * screen of a phone for a step that was recorded before.
 */
#include "runner/record/step_retake.h"
#include "tools/live/record_view.h"
#include "tools/phone_source/record_builtin.h"
#include "tools/serve/serve_record_private.h"

#define CONNECT_MS 10000

static void on_change(void *context)
{
    serve_record_changed(context);
}

/* The thread that closes its view does it itself. With the lock. */
static void end_reservation(struct serve_recording *entry)
{
    struct served_phone *phone = entry->phone;

    if (!phone || phone->closing)
        return;
    phone->recording = NULL;
    entry->phone = NULL;
}

static void give_up_phone(struct serve_recording *entry,
                          struct served_phone *phone)
{
    pthread_mutex_lock(&phone->serve->lock);
    if (entry->phone == phone)
        end_reservation(entry);
    pthread_mutex_unlock(&phone->serve->lock);
}

/* What is reserved for the phone; false: it is gone. */
static bool get_options(struct serve_recording *entry,
                        const struct record_job *job,
                        struct live_recorder_options *options, struct err *err)
{
    struct served_phone *phone = job->phone;
    struct serve *serve = phone->serve;
    bool there;

    pthread_mutex_lock(&serve->lock);
    there = entry->phone == phone && phone->view;
    *options = (struct live_recorder_options){
        .recordings = entry->record->folder,
        .name = entry->name,
        .view = phone->view,
        .phone = phone->builtin,
        .serial = phone->serial,
        .in_hand = job->request.in_hand,
        .on_change = on_change,
        .context = entry,
    };
    pthread_mutex_unlock(&serve->lock);
    return there || err_set(err, ERR_NOT_FOUND, "%s is gone", phone->serial);
}

/* The page that has asked drives the phone; false: one of them is gone. */
static bool give_to_page(struct serve_recording *entry,
                         struct served_phone *phone, uint64_t client,
                         uint32_t *epoch, struct err *err)
{
    struct serve *serve = phone->serve;
    struct serve_page *page;
    bool done;

    pthread_mutex_lock(&serve->lock);
    page = serve_find_page(serve, client);
    done = page && phone->view;
    if (done) {
        page->recording = entry;
        page->recording_seen = 0;
        entry->begun = true;
        serve_take_lease(phone, client, CONTROL_RECORDER);
        *epoch = phone->epoch;
        phone->changed = true;
    }
    pthread_mutex_unlock(&serve->lock);
    return done || err_set(err, ERR_CANCELLED, "the page is gone");
}

/* A thread that closes the view waits for `use`, and ends what was begun. */
bool serve_record_begin_live(struct serve_recording *entry,
                             const struct record_job *job, uint32_t *epoch,
                             struct err *err)
{
    struct served_phone *phone = job->phone;
    struct serve *serve = phone->serve;
    struct live_recorder_options options;
    struct err ignored; /* the failure before it is reported */
    bool done;

    pthread_mutex_lock(&entry->use);
    if (entry->live) {
        pthread_mutex_unlock(&entry->use);
        return err_set(err, ERR_BUSY, "%s is being recorded already",
                       entry->name);
    }
    done = get_options(entry, job, &options, err) &&
           live_recorder_open(&options, &entry->live, err);
    if (done && !give_to_page(entry, phone, job->client, epoch, err)) {
        (void)!live_recorder_close(entry->live, false, &ignored);
        entry->live = NULL;
        done = false;
    }
    if (!done)
        give_up_phone(entry, phone);
    pthread_mutex_unlock(&entry->use);
    serve_wake(serve);
    return done;
}

/* ---- the screen of a step ---- */

/* A view that was opened for this is not connected at once. */
static bool capture(const struct live_recorder_options *options,
                    struct record_screen *screen, struct err *err)
{
    const struct record_builtin_options builtin = {.phone = options->phone,
                                                   .serial = options->serial};
    const struct deadline by = deadline_in_ms(CONNECT_MS);
    const struct timespec pause = {.tv_nsec = 50 * 1000000};
    struct record_phone *phone;
    bool done;

    if (!options->phone)
        phone = record_view_open(options->view, options->serial);
    else if (!record_builtin_open(&builtin, &phone, err))
        return false;
    while (!(done = phone->ops->observe(phone, screen, err)) &&
           err->code == ERR_LOST && !deadline_passed(by))
        nanosleep(&pause, NULL);
    record_phone_close(phone);
    return done;
}

bool serve_record_retake(struct serve_recording *entry,
                         const struct record_job *job, const char *folder,
                         struct err *err)
{
    struct live_recorder_options options;
    struct record_screen screen;
    bool done;

    record_screen_init(&screen);
    pthread_mutex_lock(&entry->use);
    done = get_options(entry, job, &options, err) &&
           capture(&options, &screen, err);
    give_up_phone(entry, job->phone);
    pthread_mutex_unlock(&entry->use);
    done = done && step_retake(folder, job->request.step, &screen, err);
    record_screen_release(&screen);
    return done;
}

/* ---- names and ends ---- */

const char *serve_record_name(const struct served_phone *phone)
{
    const struct serve_recording *entry = phone->recording;

    return entry && entry->begun ? entry->name : "";
}

bool serve_record_end_live(struct serve_recording *entry, bool finish,
                           struct err *err)
{
    struct live_recorder *live;
    bool done;

    pthread_mutex_lock(&entry->use);
    live = entry->live;
    entry->live = NULL;
    done = live ? live_recorder_close(live, finish, err)
                : err_set(err, ERR_NOT_FOUND, "%s is not being recorded",
                          entry->name);
    pthread_mutex_unlock(&entry->use);
    return done;
}

void serve_record_end(struct served_phone *phone)
{
    struct serve *serve = phone->serve;
    struct serve_recording *entry;
    struct err ignored; /* the thread has stopped it already */

    pthread_mutex_lock(&serve->lock);
    entry = phone->recording;
    if (entry)
        entry->uses++;
    pthread_mutex_unlock(&serve->lock);
    if (!entry)
        return;
    (void)!serve_record_end_live(entry, false, &ignored);
    pthread_mutex_lock(&serve->lock);
    phone->recording = NULL;
    entry->phone = NULL;
    entry->begun = false;
    serve_record_changed(entry);
    entry->uses--; /* from now on the thread may free it */
    pthread_mutex_unlock(&serve->lock);
}
