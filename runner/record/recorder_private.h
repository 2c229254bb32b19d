/* Shared by the recorder, its writer, and step_retake. */
#ifndef RUNNER_RECORD_RECORDER_PRIVATE_H
#define RUNNER_RECORD_RECORDER_PRIVATE_H

#include "process_provider/tree/tree.h"
#include "runner/record/record_phone.h"
#include "runner/record/secret_fields.h"
#include "tasks/trajectory/trajectory.h"

/* An action on its way to the disk. */
struct record_action {
    struct action action; /* owned */
    int step;
    int64_t at_ms; /* since the start */
    char doubt[RECORD_DOUBT_MAX];
    char flag[RECORD_DOUBT_MAX];
};

/*
 * Puts screens and actions on the disk. It belongs to one thread: the writer
 * thread of the recorder.
 */
struct record_store {
    const char *folder; /* borrowed */
    struct trajectory_writer *trajectory;
    struct secret_fields secrets;
    /* The screen that was stored last: */
    bool has_screen;
    bool has_tree;
    char no_tree[RECORD_DOUBT_MAX]; /* why it has none */
    struct tree tree;
    struct buf png; /* as stored */
    char png_sha256[SHA256_HEX_SIZE];
    char xml_sha256[SHA256_HEX_SIZE];
    int observed;           /* the step that it was observed for; -1: none */
    int keyboard_top;       /* 0: none */
    struct picture picture; /* of it, once it was needed */
    bool has_picture;
    struct buf rows; /* memory for encoding */
};

/* The store owns trajectory. */
void record_store_init(struct record_store *store, const char *folder,
                       struct trajectory_writer *trajectory);
void record_store_release(struct record_store *store);

/*
 * A recording is continued: learn its password fields. Fails when a tree of it
 * cannot be read from the disk.
 */
MUST_USE bool record_store_learn(struct record_store *store,
                                 const struct trajectory *trajectory,
                                 struct err *err);

/*
 * Read a screen, and remove what was typed into password fields: the store has
 * its picture as PNG and its tree, and the XML is changed. Its memory is used
 * up. Fails as png_encode and png_decode.
 */
MUST_USE bool record_store_take(struct record_store *store,
                                struct record_screen *screen, struct err *err);

/*
 * The target of an action on that screen, with a crop of that number. The
 * caller releases it; *has_target: there is one.
 */
MUST_USE bool record_store_target(struct record_store *store,
                                  const struct action *action, int crop,
                                  struct node_selector *target,
                                  bool *has_target, struct err *err);

/* Store the screen before the next action; its memory is used up. */
MUST_USE bool record_store_screen(struct record_store *store,
                                  struct record_screen *screen, int64_t at_ms,
                                  struct err *err);

/* Store an action. Returns when it is on the disk. */
MUST_USE bool record_store_action(struct record_store *store,
                                  struct record_action *action,
                                  struct err *err);

#endif
