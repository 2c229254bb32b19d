/*
 * Makes steps for the recorder from what a person does on the phone itself:
 * screens, gestures and keys in, steps out. Pure; times in milliseconds of our
 * clock.
 *
 *     screens ──▶ frame_ring ─┐
 *     gestures, keys ─────────┴▶ which screen? ─┬─▶ a step
 *                                               └─▶ typing ──▶ one step at its
 *                                                              end: field_text
 *
 * Touches of the keyboard and keys that type are no steps. The text is taken
 * from the fields when the typing ends: with the next touch, when the field is
 * gone, after Enter, or at the end of the recording.
 */
#ifndef RUNNER_HAND_HAND_STEPS_H
#define RUNNER_HAND_HAND_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/hand/field_text.h"
#include "runner/hand/frame_ring.h"
#include "runner/hand/gesture_recognizer.h"

#define HAND_FLAG_MAX 256
#define HAND_STEPS_MAX (FIELD_CHANGES_MAX + 2) /* of one event */

struct hand_step {
    struct record_screen screen; /* before the step; owned */
    struct action action;        /* owned */
    int64_t at_ms;
    char flag[HAND_FLAG_MAX]; /* why the screen may be wrong; "": it is right */
};

void hand_step_release(struct hand_step *step);

/* Typing that has not ended. */
struct hand_typing {
    bool active;
    struct record_screen screen; /* before the first key */
    struct tree tree;            /* of it */
    struct tree last;            /* the last one that had the field */
    struct action first;         /* the first touch; KEY: it was a key */
    char flag[HAND_FLAG_MAX];
    int64_t began_ms;
    int64_t key_ms;  /* the last key */
    int64_t read_ms; /* when the screen of last was captured */
    bool enter;      /* the last key was Enter */
    bool is_stale;   /* keys came between last and the last key */
};

struct hand_steps {
    struct frame_ring ring;
    struct field_memory fields;
    struct hand_typing typing;
    int64_t touched_ms; /* when the last touch or key ended */
    struct hand_step queue[HAND_STEPS_MAX];
    size_t queued;
};

void hand_steps_init(struct hand_steps *steps);
void hand_steps_release(struct hand_steps *steps);

/* A screen was captured between these times. It is moved out of screen. */
void hand_steps_see(struct hand_steps *steps, struct record_screen *screen,
                    int64_t begin_ms, int64_t end_ms);

/* A gesture, and when it began and ended. */
void hand_steps_gesture(struct hand_steps *steps,
                        const struct recognized_gesture *gesture,
                        struct event_moment down, struct event_moment up);

/* A key went down: Android's code; 0: one that is not known. */
void hand_steps_key(struct hand_steps *steps, int key,
                    struct event_moment down);

/* The recording ends: so does typing. */
void hand_steps_end(struct hand_steps *steps);

/* The next step, in order; the caller releases it. */
MUST_USE bool hand_steps_next(struct hand_steps *steps, struct hand_step *step);

/* Is there a screen that was captured after the last touch? */
bool hand_steps_ready(const struct hand_steps *steps);

#endif
