/*
 * run.json: all that is needed to run it again, and on what it ran.
 * docs/format.md has the members.
 */
#ifndef RUNNER_RUN_FILE_H
#define RUNNER_RUN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sha256.h"
#include "runner/agent.h"
#include "runner/facts.h"
#include "runner/policy.h"
#include "tasks/texts.h"

#define RUN_FORMAT "proctor-run"
#define RUN_VERSION 1
#define RUN_TEXTS_MAX 10000
#define RUN_REPEATS_MAX 1000
#define RUN_RETRIES_DEFAULT 2

/* What was asked for. Texts are owned, and NULL where nothing was said. */
struct run_plan {
    char *suite; /* its file */
    char suite_sha256[SHA256_HEX_SIZE];
    struct texts tasks;
    char *agent;
    char *profile;
    struct texts devices; /* as they were named: "phone:4", a serial */
    char *locale;         /* "en" or "zh"; NULL: whatever the phone has */
    char *faults;         /* of built-in phones */
    char *snapshots;      /* the folder of theirs */
    bool via_server;      /* reach them through an adb server */
    int64_t seed;         /* of built-in phones, as skin */
    int skin;
    int repeats;
    int retries; /* of what is void */
    enum policy_preset preset;
    enum agent_mode mode;
    int steps;      /* in place of the tasks' own; 0: theirs */
    bool unguarded; /* the guard was told to stay away */
    char *guard;    /* file of what it goes by; NULL: its own list */
    bool awake;     /* somebody's phones stay awake, */
    bool still;     /* show no animations, */
    bool upright;   /* and do not rotate */
    bool aimless;   /* an agent without an aim may use somebody's phone */
};

void run_plan_release(struct run_plan *plan);

/* A phone that took part. */
struct run_device {
    char *serial; /* owned */
    bool builtin;
    struct facts facts;
    struct cJSON *apps; /* owned; {package: version}; NULL: none is known */
};

struct run_file {
    char *id; /* owned */
    int64_t created_ms;
    char *proctor; /* owned: the version that made it */
    struct run_plan plan;
    struct cJSON *model;        /* owned; what the agent asks; NULL: no model */
    struct run_device *devices; /* owned */
    size_t device_count;
};

void run_file_release(struct run_file *file);

/* Add a phone, or say anew what is known of it. */
void run_file_add_device(struct run_file *file, const char *serial,
                         bool builtin, const struct facts *facts);

/* Note the version of an app on a phone that was added. */
void run_file_add_app(struct run_file *file, const char *serial,
                      const char *package, const char *version);

/* Is it noted already? */
bool run_file_has_app(const struct run_file *file, const char *serial,
                      const char *package);

/* Write run.json into the run's folder, all of it or nothing. */
MUST_USE bool run_file_save(const struct run_file *file, const char *folder,
                            struct err *err);

/*
 * Read it; the caller releases it. Fails with ERR_INVALID and the member,
 * ERR_UNSUPPORTED for a later version, or as file_load does.
 */
MUST_USE bool run_file_load(const char *folder, struct run_file *file,
                            struct err *err);
MUST_USE bool run_file_parse(const char *text, size_t length,
                             struct run_file *file, struct err *err);

#endif
