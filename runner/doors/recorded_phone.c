#include "runner/doors/recorded_phone.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell_wire.h"
#include "base/mem.h"
#include "runner/classify/door_classifier.h"

#define REFUSAL_MAX ((size_t)1024)
#define REFUSED_STATUS 1

/* For the list of the phone's input devices. */
#define FIND_TOUCH_MS 10000
#define FIND_TOUCH_MAX ((size_t)1 << 20)

struct recorded_phone {
    struct adb_server_phone inner;
    struct door_recorder *recorder; /* borrowed */
    /* Held from classifying to reporting, so that both have the same order. */
    pthread_mutex_t turn;

    pthread_mutex_t lock; /* guards all below */
    struct door_classifier *classifier;
    unsigned captures; /* the newest screenshot or tree that was asked for */
    unsigned stale;    /* those up to this one are older than the last action */
};

struct recorded_stream {
    struct stream stream;
    struct recorded_phone *phone;
    struct stream *inner;           /* owned */
    struct door_stream *classified; /* owned; guarded by the phone's lock */
};

static int64_t now_ms(void)
{
    return clock_ns() / 1000000;
}

/* ---- items ---- */

static void note_captures(struct recorded_phone *phone,
                          const struct door_item *item)
{
    pthread_mutex_lock(&phone->lock);
    if (item->kind == DOOR_SCREENSHOT || item->kind == DOOR_TREE) {
        if (item->capture > phone->captures)
            phone->captures = item->capture;
    } else {
        phone->stale = phone->captures;
    }
    pthread_mutex_unlock(&phone->lock);
}

/* A capture that is older than the last action shows another screen. */
static bool is_fresh(struct recorded_phone *phone, unsigned capture)
{
    bool fresh;

    pthread_mutex_lock(&phone->lock);
    fresh = capture > phone->stale;
    pthread_mutex_unlock(&phone->lock);
    return fresh;
}

/* The phone may have been turned since the last action. */
static void update_display(struct recorded_phone *phone)
{
    struct touch_display display =
        phone->recorder->ops->display(phone->recorder);

    pthread_mutex_lock(&phone->lock);
    door_classifier_set_display(phone->classifier, display);
    pthread_mutex_unlock(&phone->lock);
}

static void report_change(struct door_recorder *recorder,
                          const struct door_item *item)
{
    if (item->changed && recorder->ops->change)
        recorder->ops->change(recorder, item->change, item->changed);
}

/* Report what is about to happen. False: it must not, and why says so. */
static bool report(struct recorded_phone *phone, const struct door_items *items,
                   char why[DOOR_RECORDER_WHY_MAX])
{
    struct door_recorder *recorder = phone->recorder;

    for (size_t i = 0; i < items->count; i++) {
        const struct door_item *item = &items->items[i];

        if (item->kind != DOOR_READ)
            note_captures(phone, item);
        if (item->kind == DOOR_ACTION || item->kind == DOOR_RAW) {
            if (!recorder->ops->act(recorder, &item->action, item->continues,
                                    why))
                return false;
            update_display(phone);
        }
        report_change(recorder, item);
    }
    return true;
}

/* Report what the agent has read. */
static void report_captures(struct recorded_phone *phone,
                            struct door_captures *captures)
{
    struct door_recorder *recorder = phone->recorder;

    for (size_t i = 0; i < captures->count; i++) {
        struct door_capture *capture = &captures->items[i];

        if (!is_fresh(phone, capture->capture))
            continue;
        if (capture->kind == DOOR_TREE)
            recorder->ops->note_tree(recorder, &capture->data);
        else
            recorder->ops->note_screen(recorder, capture->format,
                                       &capture->data);
    }
}

/* ---- the stream ---- */

/* Report what bytes of the client do, before they go on. */
static bool report_input(struct recorded_stream *recorded, const void *data,
                         size_t size, struct err *err)
{
    struct recorded_phone *phone = recorded->phone;
    struct door_items items = DOOR_ITEMS_INIT;
    char why[DOOR_RECORDER_WHY_MAX];
    bool wanted, allowed;

    pthread_mutex_lock(&phone->lock);
    wanted = door_stream_wants_input(recorded->classified);
    pthread_mutex_unlock(&phone->lock);
    if (!wanted)
        return true;
    pthread_mutex_lock(&phone->turn);
    pthread_mutex_lock(&phone->lock);
    door_stream_input(recorded->classified, data, size, now_ms(), &items);
    pthread_mutex_unlock(&phone->lock);
    allowed = report(phone, &items, why);
    pthread_mutex_unlock(&phone->turn);
    door_items_release(&items);
    return allowed || err_set(err, ERR_DENIED, "refused: %s", why);
}

static bool recorded_stream_write(struct stream *stream, const void *data,
                                  size_t size, struct deadline by,
                                  struct err *err)
{
    struct recorded_stream *recorded = (struct recorded_stream *)stream;

    return report_input(recorded, data, size, err) &&
           stream_write(recorded->inner, data, size, by, err);
}

/* Look for screenshots and trees in bytes of the phone; none: it has ended. */
static void report_output(struct recorded_stream *recorded, const char *data,
                          size_t size)
{
    struct recorded_phone *phone = recorded->phone;
    struct door_captures captures = DOOR_CAPTURES_INIT;

    pthread_mutex_lock(&phone->lock);
    if (!size)
        door_stream_output_end(recorded->classified, &captures);
    else if (door_stream_wants_output(recorded->classified))
        door_stream_output(recorded->classified, data, size, &captures);
    pthread_mutex_unlock(&phone->lock);
    report_captures(phone, &captures);
    door_captures_release(&captures);
}

static bool recorded_stream_read(struct stream *stream, void *data, size_t size,
                                 struct deadline by, size_t *got,
                                 struct err *err)
{
    struct recorded_stream *recorded = (struct recorded_stream *)stream;

    if (!stream_read(recorded->inner, data, size, by, got, err))
        return false;
    report_output(recorded, data, *got);
    return true;
}

static void recorded_stream_interrupt(struct stream *stream)
{
    stream_interrupt(((struct recorded_stream *)stream)->inner);
}

static bool recorded_stream_is_writable(struct stream *stream)
{
    return stream_is_writable(((struct recorded_stream *)stream)->inner);
}

/* Record incomplete commands now; the phone has already received them. */
static void close_classified(struct recorded_phone *phone,
                             struct door_stream *classified)
{
    struct door_items items = DOOR_ITEMS_INIT;
    struct door_captures captures = DOOR_CAPTURES_INIT;
    char ignored[DOOR_RECORDER_WHY_MAX];

    pthread_mutex_lock(&phone->turn);
    pthread_mutex_lock(&phone->lock);
    door_stream_close(classified, now_ms(), &items, &captures);
    pthread_mutex_unlock(&phone->lock);
    report_captures(phone, &captures);
    (void)!report(phone, &items, ignored);
    pthread_mutex_unlock(&phone->turn);
    door_captures_release(&captures);
    door_items_release(&items);
}

static void recorded_stream_close(struct stream *stream)
{
    struct recorded_stream *recorded = (struct recorded_stream *)stream;

    stream_close(recorded->inner);
    close_classified(recorded->phone, recorded->classified);
    free(recorded);
}

static const struct stream_ops recorded_stream_ops = {
    .read = recorded_stream_read,
    .write = recorded_stream_write,
    .interrupt = recorded_stream_interrupt,
    .close = recorded_stream_close,
    .is_writable = recorded_stream_is_writable,
};

/* ---- opening ---- */

static bool starts(const char *service, const char *prefix)
{
    return !strncmp(service, prefix, strlen(prefix));
}

/* Write the output of a command that fails with why; none for others. */
static void write_refusal(const char *service, const char *why,
                          struct buf *bytes)
{
    struct buf text = BUF_INIT(REFUSAL_MAX);

    buf_printf(&text, "proctor: refused: %s\n", why);
    if (starts(service, "shell,v2")) {
        const unsigned char status = REFUSED_STATUS;

        shell_wire_put(bytes, SHELL_WIRE_STDERR, text.data, text.length);
        shell_wire_put(bytes, SHELL_WIRE_EXIT, &status, 1);
    } else if (starts(service, "shell") || starts(service, "exec:")) {
        buf_append(bytes, text.data, text.length);
    }
    buf_release(&text);
}

static bool refuse(const char *service, const char *why, struct stream **stream,
                   struct err *err)
{
    struct buf bytes = BUF_INIT(REFUSAL_MAX);

    write_refusal(service, why, &bytes);
    if (!bytes.length)
        return err_set(err, ERR_DENIED, "refused: %s", why);
    *stream = stream_over_bytes(bytes.data, bytes.length);
    buf_release(&bytes);
    return true;
}

/* Report what the service does at once. */
static bool report_open(struct recorded_phone *phone, const char *service,
                        struct door_stream **classified,
                        char why[DOOR_RECORDER_WHY_MAX])
{
    struct door_items items = DOOR_ITEMS_INIT;
    bool allowed;

    pthread_mutex_lock(&phone->turn);
    pthread_mutex_lock(&phone->lock);
    *classified = door_stream_open(phone->classifier, service, strlen(service),
                                   now_ms(), &items);
    pthread_mutex_unlock(&phone->lock);
    allowed = report(phone, &items, why);
    pthread_mutex_unlock(&phone->turn);
    door_items_release(&items);
    return allowed;
}

/*
 * A socket of the phone does nothing until bytes are sent, and programs try
 * again until something listens there: only what the phone accepts is reported.
 */
static bool is_socket(const char *service)
{
    return starts(service, "tcp:") || starts(service, "local");
}

static bool open_inner(struct recorded_phone *phone, const char *service,
                       struct deadline by, struct stream **inner,
                       struct err *err)
{
    return phone->inner.ops->open(phone->inner.context, service, by, inner,
                                  err);
}

static struct stream *wrap(struct recorded_phone *phone, struct stream *inner,
                           struct door_stream *classified)
{
    struct recorded_stream *recorded = mem_new(1, sizeof(*recorded));

    *recorded = (struct recorded_stream){
        .stream = {.ops = &recorded_stream_ops},
        .phone = phone,
        .inner = inner,
        .classified = classified,
    };
    return &recorded->stream;
}

static bool recorded_phone_open_service(void *context, const char *service,
                                        struct deadline by,
                                        struct stream **stream, struct err *err)
{
    struct recorded_phone *phone = context;
    struct door_stream *classified;
    struct stream *inner = NULL;
    char why[DOOR_RECORDER_WHY_MAX];

    if (is_socket(service) && !open_inner(phone, service, by, &inner, err))
        return false;
    if (!report_open(phone, service, &classified, why)) {
        stream_close(inner);
        close_classified(phone, classified);
        return refuse(service, why, stream, err);
    }
    if (!inner && !open_inner(phone, service, by, &inner, err)) {
        close_classified(phone, classified);
        return false;
    }
    *stream = wrap(phone, inner, classified);
    return true;
}

struct stream *recorded_phone_wrap(void *context, const char *remote,
                                   struct stream *stream)
{
    struct recorded_phone *phone = context;
    struct door_stream *classified;

    pthread_mutex_lock(&phone->lock);
    classified = door_stream_open_reverse(phone->classifier, remote);
    pthread_mutex_unlock(&phone->lock);
    return wrap(phone, stream, classified);
}

static bool recorded_phone_is_lost(void *context)
{
    const struct recorded_phone *phone = context;

    return phone->inner.ops->is_lost(phone->inner.context);
}

/* Ask the phone for its touch screens. Without an answer there are none. */
static void find_touch(void *context, struct touch_devices *devices)
{
    struct deadline by = deadline_in_ms(FIND_TOUCH_MS);
    struct buf text = BUF_INIT(FIND_TOUCH_MAX);
    struct stream *stream = NULL;
    struct err ignored;

    if (open_inner(context, "shell:getevent -p", by, &stream, &ignored))
        (void)!stream_read_all(stream, by, &text, &ignored);
    stream_close(stream);
    touch_devices_parse(buf_cstr(&text), text.length, devices);
    buf_release(&text);
}

struct recorded_phone *recorded_phone_open(const struct adb_server_phone *phone,
                                           struct door_recorder *recorder)
{
    struct recorded_phone *made = mem_new(1, sizeof(*made));
    const struct door_options options = {
        .display = recorder->ops->display(recorder),
        .find_touch = find_touch,
        .context = made,
    };

    *made = (struct recorded_phone){
        .inner = *phone,
        .recorder = recorder,
        .classifier = door_classifier_new(&options),
    };
    pthread_mutex_init(&made->turn, NULL);
    pthread_mutex_init(&made->lock, NULL);
    return made;
}

void recorded_phone_close(struct recorded_phone *phone)
{
    if (!phone)
        return;
    door_classifier_free(phone->classifier);
    pthread_mutex_destroy(&phone->turn);
    pthread_mutex_destroy(&phone->lock);
    free(phone);
}

struct adb_server_phone recorded_phone_show(struct recorded_phone *phone)
{
    static const struct adb_server_phone_ops ops = {
        .open = recorded_phone_open_service,
        .is_lost = recorded_phone_is_lost,
    };
    struct adb_server_phone shown = phone->inner;

    shown.ops = &ops;
    shown.context = phone;
    return shown;
}
