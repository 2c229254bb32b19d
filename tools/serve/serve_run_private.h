/* What a served phone has in addition when a run uses it. */
#ifndef TOOLS_SERVE_SERVE_RUN_PRIVATE_H
#define TOOLS_SERVE_SERVE_RUN_PRIVATE_H

#include <pthread.h>

#include "runner/episode/takeover.h"
#include "tools/live/lent_device.h"
#include "tools/live/person_actions.h"
#include "tools/run_socket/run_hub.h"
#include "tools/run_socket/run_socket.h"
#include "tools/serve/serve_run.h"

#define RUN_TEXT_MAX 256

struct cJSON;
struct serve_message;
struct served_phone;

/* What the agent of a phone does. */
struct run_phone_progress {
    char task[RUN_TEXT_MAX]; /* "": none */
    int repeat;
    int attempt;
    const char *doing; /* static */
    int step;
    int steps;
    char note[RUN_TEXT_MAX]; /* what it waits for; "" */
    char last[RUN_TEXT_MAX]; /* its last action; "" */
    char trouble[RUN_TEXT_MAX];
};

struct served_run_phone {
    char serial[DEVICE_SERIAL_MAX];
    struct takeover takeover;
    struct lent_device lent; /* of a phone over ADB */
    bool away; /* a built-in phone that is switched off; guarded by the server's
                  lock */

    pthread_mutex_t lock; /* guards all below */
    struct person_actions person;
    size_t pending;         /* commands of a person that are not answered */
    uint32_t release_epoch; /* given back when none is pending; 0: not */
    struct run_phone_progress progress;
};

struct run_source;

/* Of the server of a run. */
struct serve_run {
    char *name;  /* owned; for people */
    char *agent; /* owned */
    struct run_socket socket;
    bool listens;
    struct served_phone **phones; /* owned; in the run's order */
    size_t count;
    struct run_source *sources; /* owned */
};

/* Make serve->run, and listen at the socket. */
MUST_USE bool serve_run_start(struct serve *serve,
                              const struct serve_run_options *options,
                              struct err *err);
/* No one can connect afterwards. NULL in serve->run is fine. */
void serve_run_stop(struct serve *serve);
/* After all phones are closed. */
void serve_run_release(struct serve *serve);
void served_run_phone_free(struct served_run_phone *run);

void serve_run_sources_free(struct serve_run *run);

/* A command of a person, from phone_view_send until its answer. */
struct run_command;
struct run_command *run_command_begin(struct served_phone *phone,
                                      const struct view_command *command);
/* It was carried out, or not. NULL is fine. */
void run_command_end(struct run_command *command, bool done);

/* Give control back when the last command of the person is over. */
void serve_run_give_back(struct served_run_phone *run, uint32_t epoch);

/* Add what the agent does to the phone's entry in the list. */
void serve_run_describe(const struct served_phone *phone, struct cJSON *entry);

/* ---- runs in other processes: serve_attach.c ---- */

/* A page's connection to a run. */
struct serve_link {
    struct serve_link *next;
    uint64_t page; /* its client */
    uint64_t id;   /* in the hub */
    char name[RUN_SOCKET_NAME_MAX];
};

MUST_USE bool serve_attach_start(struct serve *serve, struct err *err);
/* Connect pages to runs that they are not connected to. With the lock. */
void serve_attach_runs(struct serve *serve);
/* The page is closed: end its connections. With the lock. */
void serve_detach_page(struct serve *serve, uint64_t client);
void serve_attach_release(struct serve *serve);

/*
 * Pass a message on to the run that it is for. False: it is for none. With the
 * lock.
 */
struct serve_page;
bool serve_forward(struct serve *serve, struct serve_page *page,
                   const struct serve_message *message, const char *text,
                   size_t length, struct err *err, bool *done);

#endif
