/* What the files about recordings share. */
#ifndef TOOLS_SERVE_SERVE_RECORD_PRIVATE_H
#define TOOLS_SERVE_SERVE_RECORD_PRIVATE_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "tools/live/live_recorder.h"
#include "tools/serve/recording_view.h"
#include "tools/serve/serve_private.h"
#include "tools/serve/serve_record.h"

#define RECORD_JOBS_MAX 256

/* A recording that is being made, or that a page looks at. */
struct serve_recording {
    struct serve_recording *next;
    struct serve_record *record;
    char name[RECORDING_NAME_MAX];
    struct recording_view view; /* of the thread */
    atomic_bool changed;        /* to be read again */
    size_t uses;                /* it is kept meanwhile; guarded by the server's
                                   lock, as the next */
    struct served_phone *phone; /* that is recorded, or will be; NULL: none */
    bool begun;                 /* guarded as that: it is recorded */
    pthread_mutex_t use;        /* held while live is used */
    struct live_recorder *live; /* owned; guarded by use; NULL: none */
};

/* Something that a page has asked for. */
struct record_job {
    struct record_job *next;
    uint64_t client;
    int64_t id;
    enum serve_verb verb;
    struct served_phone *phone;    /* to be recorded; NULL: none */
    struct record_request request; /* its text is owned */
};

struct serve_record {
    struct serve *serve;
    char *folder;                       /* owned; of all recordings */
    struct serve_recording *recordings; /* guarded by the server's lock */
    atomic_bool carries_out;            /* twins, in a thread */
    pthread_t thread;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t wake;
    struct record_job *first; /* owned */
    struct record_job **last;
    size_t waiting;
    bool awake; /* a recording has changed */
    bool stopping;
};

/* ---- serve_record.c ---- */

/* Append the path of a recording's folder. */
void serve_record_folder(const struct serve_record *record, const char *name,
                         struct buf *path);
/* It has changed on the disk. From any thread. */
void serve_record_changed(struct serve_recording *entry);
/* The page follows a recording from now on, and gets all of it. By the thread.
 */
void serve_record_follow(struct serve_record *record, uint64_t client,
                         const char *name);

/* ---- serve_record_live.c ---- */

/*
 * Open the live recorder of the job's phone, for which the recording is
 * reserved, and let the job's page drive that; *epoch gets what its commands
 * need. On failure it is not reserved any more. Blocks; without the lock.
 */
MUST_USE bool serve_record_begin_live(struct serve_recording *entry,
                                      const struct record_job *job,
                                      uint32_t *epoch, struct err *err);
/*
 * Take the screen of the job's phone, for which the recording is reserved until
 * then, as that of the job's step. Blocks; without the lock.
 */
MUST_USE bool serve_record_retake(struct serve_recording *entry,
                                  const struct record_job *job,
                                  const char *folder, struct err *err);
/* Close its live recorder; ERR_NOT_FOUND if it is not being recorded. Without
 * the lock. */
MUST_USE bool serve_record_end_live(struct serve_recording *entry, bool finish,
                                    struct err *err);

/* ---- serve_record_task.c ---- */

/*
 * Fill in the form of a task and prove its checks; text is what a person has
 * given, as JSON. recordings is the folder of all recordings. Blocks while they
 * are read.
 */
MUST_USE bool serve_record_form(const char *recordings, const char *folder,
                                const char *text, struct cJSON *answer,
                                struct err *err);
/* The same, and save it in a suite beside the folder of all recordings. */
MUST_USE bool serve_record_save(const char *recordings, const char *folder,
                                const char *text, struct cJSON *answer,
                                struct err *err);
/*
 * The same, and carry the twins out on built-in phones, in a thread that
 * answers the page. Does not block. Fails with ERR_BUSY while others are.
 */
MUST_USE bool serve_record_start_twins(struct serve_record *record,
                                       const struct record_job *job,
                                       const char *folder, struct err *err);

/* ---- serve_recording_actions.c ---- */

/* Nothing more can be recorded, as when the phone was lost: end it so that it
 * can go on. By the thread. */
void serve_record_end_failed(struct serve_recording *entry);
/* Do what a page has asked for, answer it, and free the job. */
void serve_record_do(struct serve_record *record, struct record_job *job);

#endif
