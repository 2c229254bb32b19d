/*
 * Turns what an agent sends to a phone over ADB into items of a trajectory.
 *
 * Pure: bytes and times in, items out. No I/O but door_options.find_touch, no
 * clock, no thread; one owner. All state is bounded, whatever is sent.
 *
 * The caller passes on a service or bytes only after it has handled the items
 * that they gave: so the screen can be observed, and an action refused, before
 * the phone gets it. Times are milliseconds of any clock that never goes back.
 *
 *     door_stream_open ─▶ items ─▶ (pass the OPEN on)
 *       while the client sends:  door_stream_input  ─▶ items ─▶ (pass it on)
 *       while the phone answers: door_stream_output ─▶ captured bytes
 *     door_stream_close ─▶ items
 */
#ifndef RUNNER_CLASSIFY_DOOR_CLASSIFIER_H
#define RUNNER_CLASSIFY_DOOR_CLASSIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "runner/classify/door_item.h"
#include "runner/touch/touch_display.h"

struct door_options {
    struct touch_display display;
    /*
     * Find the touch screens of the phone (touch_devices_parse). Called
     * once, when `sendevent` is first used, and may block. NULL: positions of
     * all devices are pixels.
     */
    void (*find_touch)(void *context, struct touch_devices *devices);
    void *context;
};

struct door_classifier;
struct door_stream;

/* For one phone and one episode; never NULL. */
struct door_classifier *door_classifier_new(const struct door_options *options);

/* NULL is fine. All streams must have been closed. */
void door_classifier_free(struct door_classifier *classifier);

/* The phone was turned: points count in the new size from now on. */
void door_classifier_set_display(struct door_classifier *classifier,
                                 struct touch_display display);

/*
 * The agent opens a service ("shell:input tap 1 2", "sync:", "tcp:9008").
 * Items of what it does at once are added to items. Never NULL; the caller
 * closes it.
 */
struct door_stream *door_stream_open(struct door_classifier *classifier,
                                     const char *service, size_t length,
                                     int64_t now, struct door_items *items);

/*
 * A program on the phone connects to the agent through a reverse forward:
 * remote is where the phone listens ("localabstract:scrcpy_1"). Never NULL; the
 * caller closes it.
 */
struct door_stream *door_stream_open_reverse(struct door_classifier *classifier,
                                             const char *remote);

/* Must bytes of the client be given to door_stream_input before they go on? */
bool door_stream_wants_input(const struct door_stream *stream);

/* Bytes from the client, cut anywhere. */
void door_stream_input(struct door_stream *stream, const void *data,
                       size_t length, int64_t now, struct door_items *items);

/* Must bytes of the phone be given to door_stream_output? */
bool door_stream_wants_output(const struct door_stream *stream);

/* A screenshot or tree that has come from the phone completely. */
struct door_capture {
    enum door_item_kind kind; /* SCREENSHOT or TREE */
    enum door_format format;
    unsigned capture; /* of the item that asked for it */
    struct buf data;  /* owned */
};

struct door_captures {
    struct door_capture *items; /* owned */
    size_t count;
    size_t capacity;
};

#define DOOR_CAPTURES_INIT                                                     \
    {                                                                          \
        .count = 0                                                             \
    }

void door_captures_release(struct door_captures *captures);

/*
 * Bytes from the phone, cut anywhere. What is complete now is added to
 * captures. They may be passed on before or after.
 */
void door_stream_output(struct door_stream *stream, const void *data,
                        size_t length, struct door_captures *captures);

/*
 * The phone sends no more: what ends with the output is complete. The client
 * learns of it afterwards, so that its next action is a later one.
 */
void door_stream_output_end(struct door_stream *stream,
                            struct door_captures *captures);

/*
 * The stream has ended, at either side. What it brought last is added to
 * captures, and items tell what was not complete. NULL is fine.
 */
void door_stream_close(struct door_stream *stream, int64_t now,
                       struct door_items *items,
                       struct door_captures *captures);

/* How many items of each kind there were in the episode. */
struct door_counts {
    size_t actions; /* without those that continue another */
    size_t screenshots;
    size_t trees;
    size_t reads;
    size_t raws;
};

struct door_counts door_classifier_counts(
    const struct door_classifier *classifier);

#endif
