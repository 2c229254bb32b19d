/*
 * One episode on disk, by an agent, a person or gold.
 *
 *     events.jsonl        the head, then one line per event
 *     screens/0000.png    the screen before step 0, and so on; content
 *     trees/0000.xml      equal to an earlier file is not stored again
 *
 * docs/format.md has every member. What was written survives a kill at any
 * moment: a file is complete before an event names it, with its hash, and a
 * torn last event is dropped when reading.
 */
#ifndef TASKS_TRAJECTORY_TRAJECTORY_H
#define TASKS_TRAJECTORY_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/sha256.h"
#include "tasks/task/action.h"
#include "tasks/task/node_selector.h"

#define TRAJECTORY_FORMAT "proctor-trajectory"
#define TRAJECTORY_VERSION 2
#define TRAJECTORY_STEPS_MAX 10000

enum trajectory_actor {
    ACTOR_AGENT,
    ACTOR_HUMAN,
    ACTOR_GOLD,
    ACTOR_SCRIPT,
    ACTOR_KINDS,
};

/* The ending of an episode. */
enum trajectory_ending {
    ENDING_NONE,     /* none: interrupted, or still running */
    ENDING_COMPLETE, /* the agent completed */
    ENDING_FAIL,     /* the agent gives up */
    ENDING_ANSWER,   /* the agent gave its answer */
    ENDING_BUDGET,   /* steps or time ran out */
    ENDING_REPEATED, /* the same action five times */
    ENDING_VOID,     /* a reason outside the agent: never scored */
    ENDING_KINDS,
};

/* What kept an action from being executed. */
enum trajectory_block {
    BLOCK_NONE,
    BLOCK_REPLY,  /* the reply had no action; a wait is recorded */
    BLOCK_SPACE,  /* the task does not allow it */
    BLOCK_GUARD,  /* it could do harm, or leaves the task's apps */
    BLOCK_PHONE,  /* the phone cannot do it */
    BLOCK_PERSON, /* a person has taken over the phone */
    BLOCK_KINDS,
};

const char *trajectory_block_name(enum trajectory_block block);
const char *trajectory_actor_name(enum trajectory_actor actor);
const char *trajectory_ending_name(enum trajectory_ending ending);
MUST_USE bool trajectory_ending_find(const char *name,
                                     enum trajectory_ending *ending);

/* The first line. Texts are NULL when unknown; the task is needed. */
struct trajectory_head {
    char uuid[37]; /* written by trajectory_create */
    char *task;
    char *agent;
    char *phone; /* its serial */
    char *instruction;
    char *app; /* package */
    char *locale;
    int repeat; /* the repeat of the task, from 0 */
    int attempt;
    int width; /* of the screen */
    int height;
    int64_t started_ms; /* since 1970 */
    bool builtin;       /* a recording on a built-in phone, with: */
    int64_t seed;
    int skin;
};

/* A stored screen or tree; file is "" if there is none. */
struct trajectory_file {
    char file[24]; /* such as "screens/0000.png" */
    char sha256[SHA256_HEX_SIZE];
};

/* ---- writing ---- */

struct trajectory_writer;

/*
 * Start an episode in folder, which is created and must not exist. The head
 * gets its uuid.
 */
MUST_USE bool trajectory_create(const char *folder,
                                struct trajectory_head *head,
                                struct trajectory_writer **writer,
                                struct err *err);

/*
 * Go on with an episode that has no end: a torn last event is cut off. The next
 * step is the one after the last action; the observation of that step, if there
 * is one, can be written again. Fails as trajectory_load, and with ERR_INVALID
 * for an episode that has an end.
 */
MUST_USE bool trajectory_continue(const char *folder,
                                  struct trajectory_writer **writer,
                                  struct err *err);

/* The step that is written next. */
int trajectory_next_step(const struct trajectory_writer *writer);

/* The screen before a step, or after the last one. */
struct trajectory_observation {
    const void *screen; /* a PNG, unchanged; NULL: none */
    size_t screen_size;
    const void *tree; /* as uiautomator wrote it; NULL: none */
    size_t tree_size;
    const char *package; /* in front; NULL if unknown */
    const char *activity;
    const char *doubt; /* why both may not show the same screen; NULL */
    int64_t at_ms;     /* since the start */
    int64_t settle_ms; /* how long it took to settle */
};

/* Written again before the step's action, it replaces the one before. */
MUST_USE bool trajectory_write_observation(
    struct trajectory_writer *writer,
    const struct trajectory_observation *observation, struct err *err);

/* A reply, with its cost. Texts may be NULL. */
struct trajectory_reply {
    const char *text;
    const char *error; /* why it has no action */
    int64_t latency_ms;
    int64_t input_tokens; /* 0: unknown */
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost;        /* in US dollars; negative: unknown */
    int picture_width;  /* of the picture as it was sent; 0: unknown */
    int picture_height; /* the same */
    int64_t request_bytes;
};

/*
 * A step may have several: after a reply without an action the agent is asked
 * again.
 */
MUST_USE bool trajectory_reply(struct trajectory_writer *writer,
                               const struct trajectory_reply *reply,
                               struct err *err);

/*
 * Write the step's action, which ends the step. blocked says why it was not
 * executed; NULL otherwise. Returns when everything so far is on the disk.
 */
MUST_USE bool trajectory_write_plain_action(struct trajectory_writer *writer,
                                            enum trajectory_actor actor,
                                            const struct action *action,
                                            const char *blocked, int64_t at_ms,
                                            struct err *err);

/* The same with all members. */
struct step_action {
    enum trajectory_actor actor;
    const struct action *action;
    enum trajectory_block block;
    const char *blocked; /* why; NULL: it was executed */
    const char *doubt;   /* why it may have been executed differently; NULL */
    const struct node_selector *target; /* how to find it again; NULL */
    int64_t at_ms;
};

MUST_USE bool trajectory_write_action(struct trajectory_writer *writer,
                                      const struct step_action *action,
                                      struct err *err);

/*
 * Record why the last action may not have done what it should, as the next
 * observation shows; before that is written.
 */
MUST_USE bool trajectory_doubt(struct trajectory_writer *writer,
                               const char *doubt, struct err *err);

/*
 * Write and sync the files that trajectory_write_observation will record, so
 * that it need not wait for them: on any thread, while no other uses the
 * writer.
 */
MUST_USE bool trajectory_store_observation(
    struct trajectory_writer *writer,
    const struct trajectory_observation *observation, struct err *err);

/*
 * Store a picture before it is recorded, for code that needs it as a file:
 * *path is its path, and the caller frees it.
 */
MUST_USE bool trajectory_store_screen(struct trajectory_writer *writer,
                                      const void *screen, size_t size,
                                      char **path, struct err *err);

/* Record a piece of the device's state at the end, for judges. */
MUST_USE bool trajectory_evidence(struct trajectory_writer *writer,
                                  const char *name, const char *value,
                                  struct err *err);

/* The same before the first step. */
MUST_USE bool trajectory_evidence_before(struct trajectory_writer *writer,
                                         const char *name, const char *value,
                                         struct err *err);

/* Write the ending and its reason. Returns when it is on the disk. */
MUST_USE bool trajectory_end(struct trajectory_writer *writer,
                             enum trajectory_ending ending, const char *reason,
                             int64_t at_ms, struct err *err);

void trajectory_close(struct trajectory_writer *writer); /* NULL is fine */

/* ---- reading ---- */

struct trajectory_step {
    bool seen; /* there is an observation */
    struct trajectory_file screen;
    struct trajectory_file tree;
    char *package; /* owned, as all texts here; NULL when unknown */
    char *activity;
    char *doubt;
    char *reply;         /* the last one */
    char *reply_error;   /* why it has no action */
    int replies;         /* number of replies */
    int replies_useless; /* replies without an action */
    bool acted;
    enum trajectory_actor actor;
    struct action action;
    struct node_selector *target; /* owned: ways to find what the action was
                                     done to; NULL: not recorded */
    enum trajectory_block block;
    char *blocked;
    char *action_doubt;
    bool contradicted; /* the next screen shows that the action did not do what
                          it should; action_doubt says so */
    int64_t seen_ms;
    int64_t settle_ms;
    int64_t acted_ms;
    int64_t latency_ms; /* of all replies, as all that follows */
    int64_t input_tokens;
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost;
    int costs_unknown; /* replies whose cost is not recorded */
    int picture_width; /* as it was sent last */
    int picture_height;
};

struct trajectory_fact {
    char *name;
    char *value;
    bool before; /* the first step; otherwise at the end */
};

struct trajectory {
    char *folder;
    struct trajectory_head head;
    struct trajectory_step
        *steps; /* the last may be an observation without an action */
    size_t count;
    struct trajectory_fact *evidence;
    size_t evidence_count;
    enum trajectory_ending ending;
    char *reason;
    int64_t ended_ms;
    bool torn; /* the last event was torn, and is dropped */
};

/*
 * Read an episode's events; its files are not opened. The caller releases it.
 * Fails with ERR_INVALID and the line for an invalid event, ERR_UNSUPPORTED for
 * a later version.
 */
MUST_USE bool trajectory_load(const char *folder, struct trajectory *trajectory,
                              struct err *err);
void trajectory_release(struct trajectory *trajectory);

/* The same from events in memory; folder is stored for later. */
MUST_USE bool trajectory_parse(const char *events, size_t length,
                               const char *folder,
                               struct trajectory *trajectory, struct err *err);

/* Read a stored file; ERR_INVALID when its hash differs. */
MUST_USE bool trajectory_read_file(const struct trajectory *trajectory,
                                   const struct trajectory_file *file,
                                   struct buf *content, struct err *err);

/*
 * A file that it names and that cannot be used, NULL if there is none: it is
 * "missing", or "damaged" as far as its kind, size and end tell. Hashes are not
 * compared. The caller frees it.
 */
char *trajectory_bad_file(const struct trajectory *trajectory,
                          const char **fault);

/*
 * Load an episode and verify every file that it names. Fails as trajectory_load
 * and trajectory_read_file do.
 */
MUST_USE bool trajectory_check(const char *folder, struct err *err);

#endif
