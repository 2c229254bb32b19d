/*
 * One episode on disk, whoever acted: an agent, a person, gold.
 *
 *     events.jsonl        the head, then one line per event
 *     screens/0000.png    what was seen before step 0, and so on; what equals
 *     trees/0000.xml      an earlier one is not stored again
 *
 * docs/format.md has every member. What was written survives a kill at any
 * moment: a file has its name before an event names it, with its hash, and a
 * torn last event is dropped on reading.
 */
#ifndef TASKS_TRAJECTORY_H
#define TASKS_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/sha256.h"
#include "tasks/action.h"

#define TRAJECTORY_FORMAT "proctor-trajectory"
#define TRAJECTORY_VERSION 1
#define TRAJECTORY_STEPS_MAX 10000

enum trajectory_actor {
    ACTOR_AGENT,
    ACTOR_HUMAN,
    ACTOR_GOLD,
    ACTOR_SCRIPT,
    ACTOR_KINDS,
};

/* How an episode ended. */
enum trajectory_ending {
    ENDING_NONE,     /* it did not: interrupted, or still under way */
    ENDING_COMPLETE, /* the agent says that it is done */
    ENDING_FAIL,     /* the agent gives up */
    ENDING_ANSWER,   /* the agent gave its answer */
    ENDING_BUDGET,   /* steps or time ran out */
    ENDING_REPEATED, /* the same action five times */
    ENDING_VOID,     /* not the agent's fault: never scored */
    ENDING_KINDS,
};

/* Who kept an action from being carried out. */
enum trajectory_block {
    BLOCK_NONE,
    BLOCK_REPLY, /* nobody: the reply held no action, and stands as a wait */
    BLOCK_SPACE, /* the task does not allow such actions */
    BLOCK_GUARD, /* it could do harm, or leads out of the task's apps */
    BLOCK_PHONE, /* the phone cannot do it */
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
    int repeat; /* the k of k runs of the task, from 0 */
    int attempt;
    int width; /* of the screen */
    int height;
    int64_t started_ms; /* since 1970 */
};

/* A stored screen or tree; file is "" if there is none. */
struct trajectory_file {
    char file[24]; /* such as "screens/0000.png" */
    char sha256[SHA256_HEX_SIZE];
};

/* ---- writing ---- */

struct trajectory_writer;

/*
 * Start an episode in folder, which is made and must be new. The head gets
 * its uuid.
 */
MUST_USE bool trajectory_create(const char *folder,
                                struct trajectory_head *head,
                                struct trajectory_writer **writer,
                                struct err *err);

/* What is on the screen before a step, or after the last one. */
struct trajectory_sight {
    const void *screen; /* a PNG, byte for byte; NULL for none */
    size_t screen_size;
    const void *tree; /* as uiautomator wrote it; NULL for none */
    size_t tree_size;
    const char *package; /* in front; NULL if unknown */
    const char *activity;
    const char *doubt; /* why both may not show the same screen; NULL */
    int64_t at_ms;     /* since the start */
    int64_t settle_ms; /* how long it took to settle */
};

MUST_USE bool trajectory_see(struct trajectory_writer *writer,
                             const struct trajectory_sight *sight,
                             struct err *err);

/* What a step cost and was said in it. Texts may be NULL. */
struct trajectory_reply {
    const char *text;
    const char *error; /* why it holds no action */
    int64_t latency_ms;
    int64_t input_tokens; /* 0: unknown */
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost;        /* in US dollars; 0: unknown, or nothing */
    int picture_width;  /* of the picture as it was sent; 0: unknown */
    int picture_height; /* likewise */
    int64_t request_bytes;
};

/* A step may have several: one that holds no action is asked for again. */
MUST_USE bool trajectory_reply(struct trajectory_writer *writer,
                               const struct trajectory_reply *reply,
                               struct err *err);

/*
 * The step's action; the next one begins with it. blocked says why it was not
 * carried out; NULL otherwise. Returns when all so far is on the disk.
 */
MUST_USE bool trajectory_act(struct trajectory_writer *writer,
                             enum trajectory_actor actor,
                             const struct action *action, const char *blocked,
                             int64_t at_ms, struct err *err);

/* The same with all that can be said of it. */
struct trajectory_deed {
    enum trajectory_actor actor;
    const struct action *action;
    enum trajectory_block block;
    const char *blocked; /* why; NULL: it was carried out */
    const char *doubt;   /* why it may have been done otherwise; NULL */
    int64_t at_ms;
};

MUST_USE bool trajectory_do(struct trajectory_writer *writer,
                            const struct trajectory_deed *deed,
                            struct err *err);

/*
 * Bring to the disk what trajectory_see will record, so that it need not wait
 * for that: on any thread, while nobody else uses the writer.
 */
MUST_USE bool trajectory_keep(struct trajectory_writer *writer,
                              const struct trajectory_sight *sight,
                              struct err *err);

/*
 * Store a picture before it is seen, for whoever wants it as a file: *path is
 * where it is, and the caller frees it.
 */
MUST_USE bool trajectory_keep_screen(struct trajectory_writer *writer,
                                     const void *screen, size_t size,
                                     char **path, struct err *err);

/* A piece of the device's state as it is at the end, for judges. */
MUST_USE bool trajectory_evidence(struct trajectory_writer *writer,
                                  const char *name, const char *value,
                                  struct err *err);

/* The same as it was before the first step. */
MUST_USE bool trajectory_evidence_before(struct trajectory_writer *writer,
                                         const char *name, const char *value,
                                         struct err *err);

/* The end, and why. Returns when it is on the disk. */
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
    char *reply_error;   /* why it holds no action */
    int replies;         /* how many there were */
    int replies_useless; /* and how many of them held no action */
    bool acted;
    enum trajectory_actor actor;
    struct action action;
    enum trajectory_block block;
    char *blocked;
    char *action_doubt;
    int64_t seen_ms;
    int64_t settle_ms;
    int64_t acted_ms;
    int64_t latency_ms; /* of all replies together, as all that follows */
    int64_t input_tokens;
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost;
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
    struct trajectory_step *steps; /* the last may be a sight alone */
    size_t count;
    struct trajectory_fact *evidence;
    size_t evidence_count;
    enum trajectory_ending ending;
    char *reason;
    int64_t ended_ms;
    bool torn; /* the last event was, and is dropped */
};

/*
 * Read an episode's events; its files are opened by whoever wants them. The
 * caller releases it. Fails with ERR_INVALID and the line for what breaks the
 * format, ERR_UNSUPPORTED for a later version.
 */
MUST_USE bool trajectory_load(const char *folder, struct trajectory *trajectory,
                              struct err *err);
void trajectory_release(struct trajectory *trajectory);

/* The same from events in memory; the folder is named for later. */
MUST_USE bool trajectory_parse(const char *events, size_t length,
                               const char *folder,
                               struct trajectory *trajectory, struct err *err);

/* The content of a stored file; ERR_INVALID when its hash is another. */
MUST_USE bool trajectory_read_file(const struct trajectory *trajectory,
                                   const struct trajectory_file *file,
                                   struct buf *content, struct err *err);

/*
 * Load it and look at every file that it names. Fails as trajectory_load and
 * trajectory_read_file do.
 */
MUST_USE bool trajectory_check(const char *folder, struct err *err);

#endif
