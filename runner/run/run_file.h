/*
 * run.json: the plan of a run and its phones. docs/format.md lists the members.
 */
#ifndef RUNNER_RUN_RUN_FILE_H
#define RUNNER_RUN_RUN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sha256.h"
#include "runner/agent.h"
#include "runner/device/device_info.h"
#include "runner/episode/episode_policy.h"
#include "runner/run/noise.h"
#include "tasks/json/text_list.h"

#define RUN_FORMAT "proctor-run"
#define RUN_VERSION 2
#define RUN_TEXTS_MAX 10000
#define RUN_REPEATS_MAX 1000
#define RUN_RETRIES_DEFAULT 2

/* The options of a run. Texts are owned, and NULL where not given. */
struct run_plan {
    char *suite; /* file of the suite */
    char suite_sha256[SHA256_HEX_SIZE];
    struct text_list tasks;
    char *agent;
    char *profile;
    struct text_list devices; /* as given: "phone:4", a serial */
    char *locale;             /* "en" or "zh"; NULL: the phone's */
    char *faults;             /* of built-in phones */
    char *snapshots;          /* folder of snapshots of built-in phones */
    /* built-in phones, or the phone of an agent that drives it, are reached
       through the user's adb server */
    bool via_server;
    bool private_net; /* an agent that drives the phone has its own network, */
    struct text_list allow; /* from which it reaches these places */
    int64_t seed;           /* of built-in phones, like skin */
    int skin;
    int repeats;
    int retries; /* of void attempts */
    enum policy_preset preset;
    enum noise_level noise; /* on built-in phones */
    enum agent_mode mode;
    int shard_index;     /* of the part of the run that is done, */
    int shard_count;     /* of this many; 0: all of it */
    int steps;           /* replace the tasks' steps; 0: the tasks' */
    char *queue;         /* URL of the database that has the run, without
                            secrets; NULL: it runs here */
    char *queue_run;     /* its name there */
    char *recordings;    /* where its recordings are fetched from, such as
                            s3://…; NULL: they are in the run's folder */
    bool fast_input;     /* act through scrcpy's server, */
    char *scrcpy_server; /* which is this file; NULL: where scrcpy has it */
    bool realtime;       /* built-in phones use this computer's clock */
    bool limits_cost;
    double max_cost; /* US dollars, of the whole run, if it limits_cost */
    bool limits_tokens;
    int64_t max_tokens;  /* the same for tokens */
    char *prices;        /* the file of prices; NULL: the built-in one */
    char *model_cache;   /* its folder; NULL: none */
    char *observe_cache; /* its folder; NULL: the default */
    char *keyboard;      /* the APK that may be installed; NULL: none */
    bool unguarded;      /* no guard on users' own phones */
    char *guard;        /* file of the guard's lists; NULL: the built-in ones */
    bool awake;         /* users' own phones: keep the screen on, */
    bool no_animations; /* switch animations off, */
    bool no_rotation;   /* and lock the rotation */
    bool on_my_phone;   /* undirected agents may use users' own phones */
};

void run_plan_release(struct run_plan *plan);

/* A phone of the run. */
struct run_device {
    char *serial; /* owned */
    bool builtin;
    struct device_info facts;
    struct cJSON *apps; /* owned; {package: version}; NULL: none is known */
};

struct run_file {
    char *id; /* owned */
    int64_t created_ms;
    char *proctor; /* owned; version of proctor that created it */
    struct run_plan plan;
    struct cJSON *model; /* owned; description of the model; NULL: none */
    struct run_device *devices; /* owned */
    size_t device_count;
};

void run_file_release(struct run_file *file);

/* Add a phone, or update it. */
void run_file_add_device(struct run_file *file, const char *serial,
                         bool builtin, const struct device_info *facts);

/* Add all phones of another run, with their apps. */
void run_file_add_devices(struct run_file *file, const struct run_file *other);

/* Add the version of an app on a phone of the run. */
void run_file_add_app(struct run_file *file, const char *serial,
                      const char *package, const char *version);

/* Has it been added? */
bool run_file_has_app(const struct run_file *file, const char *serial,
                      const char *package);

/* Append the text of run.json. */
void run_file_format(const struct run_file *file, struct buf *text);

/* Write run.json into the run's folder, atomically. Fails with ERR_IO. */
MUST_USE bool run_file_save(const struct run_file *file, const char *folder,
                            struct err *err);

/*
 * Read run.json; the caller releases it. Fails with ERR_INVALID and the member,
 * ERR_UNSUPPORTED for a later version, or as file_load.
 */
MUST_USE bool run_file_load(const char *folder, struct run_file *file,
                            struct err *err);
MUST_USE bool run_file_parse(const char *text, size_t length,
                             struct run_file *file, struct err *err);

#endif
