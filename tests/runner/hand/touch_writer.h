/*
 * Writes fingers on a screen as `getevent` prints them, in the ways of several
 * drivers. The inverse of what is tested, written from the drivers' side.
 */
#ifndef TESTS_RUNNER_HAND_TOUCH_WRITER_H
#define TESTS_RUNNER_HAND_TOUCH_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/extent.h"

#define WRITER_FINGERS 4

/* How a driver reports; the names in the table are in touch_writer.c. */
enum driver_kind {
    DRIVER_B,           /* slots, tracking ids, BTN_TOUCH */
    DRIVER_B_BARE,      /* slots, tracking ids, nothing else */
    DRIVER_B_POINTER,   /* the same, and ABS_X repeats the first finger */
    DRIVER_B_PRESSURE0, /* the same, and the pressure is always 0 */
    DRIVER_B_NO_IDS,    /* positions and BTN_TOUCH; one finger */
    DRIVER_B_LIFT0,     /* positions; pressure 0 lifts; one finger */
    DRIVER_A,           /* SYN_MT_REPORT; an empty one when all are lifted */
    DRIVER_A_IDS,       /* with tracking ids; BTN_TOUCH 0 at the end */
    DRIVER_A_HOLES,     /* with ids; empty SYN_MT_REPORT for lifted fingers */
    DRIVER_A_SIZE0,     /* fingers that are lifted have size 0 */
    DRIVER_SINGLE,      /* ABS_X, ABS_Y, BTN_TOUCH; one finger */
    DRIVERS,
};

bool driver_find(const char *name, enum driver_kind *driver);
bool driver_takes_one_finger(enum driver_kind driver);

struct writer_options {
    enum driver_kind driver;
    bool names;   /* -l */
    bool times;   /* -t */
    bool devices; /* all devices, with their paths */
    bool noise;   /* lines of other devices, torn and strange lines */
    int axis_min;
    int axis_max;
    /* The screen as it is turned, and the panel as it was built. */
    struct extent size;
    int rotation;
    struct extent panel;
};

struct writer_finger {
    bool down;
    int x; /* pixels of the screen */
    int y;
};

struct touch_writer {
    struct writer_options options;
    struct buf out;
    struct writer_finger last[WRITER_FINGERS];
    int ids[WRITER_FINGERS];
    int raw[WRITER_FINGERS][2]; /* as reported last; -1: never */
    int next_id;
    int slot;
    unsigned random;
    int64_t at_ms;
};

void touch_writer_init(struct touch_writer *writer,
                       const struct writer_options *options);
void touch_writer_release(struct touch_writer *writer);

/* What `getevent -p` lists for this phone. */
void touch_writer_list(const struct touch_writer *writer, struct buf *out);

/* All fingers at this time. */
void touch_writer_frame(struct touch_writer *writer, int64_t at_ms,
                        const struct writer_finger wanted[WRITER_FINGERS]);

#endif
