/*
 * A task: what an agent is asked to do, and what must hold of how it does it.
 *
 * docs/tasks.md describes the file. A suite is an array of tasks, or an object
 * with the array under "tasks". Five members make a task; all else has a
 * default. The episode keeps its task as task.json, with dates, facts and the
 * language filled in, so that judges need nothing else.
 */
#ifndef TASKS_TASK_H
#define TASKS_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/action.h"
#include "tasks/check.h"
#include "tasks/gold.h"
#include "tasks/phrasing.h"
#include "tasks/selector.h"
#include "tasks/texts.h"

#define TASK_ID_MAX 64
#define TASK_STEPS_DEFAULT 15
#define SUITE_TASKS_MAX 2000
#define SUITE_FILE_MAX ((size_t)8 << 20)

enum task_kind {
    TASK_STATE,   /* the last screen tells */
    TASK_PROCESS, /* what was done on the way counts as well */
    TASK_KINDS,
};

enum task_difficulty {
    TASK_EASY,   /* 5 minutes */
    TASK_MEDIUM, /* 10 */
    TASK_HARD,   /* 20 */
    TASK_DIFFICULTIES,
};

/* How a phone is brought to the state in which the task begins. */
enum task_reset {
    TASK_RESET_RESTART,  /* end the apps, and start the first */
    TASK_RESET_NONE,     /* take it as it is */
    TASK_RESET_CLEAR,    /* forget the apps' data */
    TASK_RESET_SNAPSHOT, /* load one, or have a new built-in phone */
    TASK_RESET_RECORDED, /* play a recorded trajectory */
    TASK_RESETS,
};

/* A key point, in plain words, and maybe a check that needs no model. */
struct task_need {
    char *id;                /* NULL: none; [a-z0-9_]+ */
    struct phrasing say;     /* for people and model judges */
    struct check *check;     /* owned; NULL: only a model can tell */
    struct texts after;      /* ids of needs that must be met before */
    struct check *undone_by; /* owned; a later step like this undoes it */
};

enum task_answer_kind {
    TASK_ANSWER_NONE,
    TASK_ANSWER_EXACT,   /* one of the values, but for case and blanks */
    TASK_ANSWER_NUMBER,  /* a number near it */
    TASK_ANSWER_PATTERN, /* a regular expression */
};

struct task_answer {
    enum task_answer_kind kind;
    struct texts values; /* any of them will do */
    double number;
    char *number_from; /* until task_resolve: a text that gives it; or NULL */
    double tolerance;
    char *pattern;
};

/* A piece of the phone's own state, recorded before and after. */
struct task_probe {
    char *name;
    char *command;  /* run in the phone's shell; the suite's author's words */
    bool unchanged; /* what it says at the end must be what it said */
};

/* What a phone must have for the task; NULL and empty: anything will do. */
struct task_requires {
    char *version; /* of the first app, at least */
    struct selector
        *logged_in; /* owned; is on the first screen when it is so */
    char *locale;   /* such as "en-US", or "en" */
    struct texts permissions;
};

/* Where and when somebody saw the task work. */
struct task_validated {
    char *date;
    char *version;
    char *device;
};

/* A picture that must look like another at the end. */
struct task_image {
    char *file;      /* on the phone; NULL: the last screen */
    char *reference; /* beside the suite */
    char *transform; /* such as "flip", "rotate 90", "crop 0,0,10,10"; NULL */
    double ssim;     /* at least; negative: does not matter */
    double psnr;
};

struct task {
    char *id;
    struct texts apps; /* packages; the first is started */
    enum task_kind kind;
    struct phrasing instruction;

    struct task_need *needs;
    size_t need_count;
    bool ordered;        /* needs are met in their order */
    struct check *never; /* steps that must not be */
    size_t never_count;
    struct task_answer answer;
    struct task_image *images;
    size_t image_count;

    int level; /* 1 to 5; 0: not said */
    enum task_difficulty difficulty;
    char *category; /* NULL: none */
    struct texts tags;
    char *comment;    /* for whoever reads the file; NULL: none */
    uint32_t actions; /* a bit per enum action_kind that is allowed */
    int steps;        /* budget */
    int seconds;

    enum task_reset reset;
    char *snapshot;      /* or the recorded trajectory; NULL */
    struct texts set_up; /* commands in the phone's shell */
    struct task_requires requires;
    struct task_validated validated;
    struct task_probe *probes;
    size_t probe_count;

    struct gold gold;   /* no steps and no file: there is none */
    char *truth;        /* its name on the built-in phone; NULL */
    struct texts facts; /* that the phone fills in for {name} */
};

void task_release(struct task *task);

/* A file of tasks. */
struct suite {
    char *path;
    char *name;    /* the file's, unless it says another */
    char *comment; /* for whoever reads it; NULL: none */
    struct task *tasks;
    size_t count;
};

/*
 * Load and validate. On failure (ERR_INVALID, ERR_LIMIT, or as file_load) the
 * message names file, task and field, and suite is untouched.
 */
MUST_USE bool suite_load(const char *path, struct suite *suite,
                         struct err *err);
MUST_USE bool suite_parse(const char *text, size_t length, const char *path,
                          struct suite *suite, struct err *err);
void suite_release(struct suite *suite);

/*
 * The file of a suite: name itself where that is a file, or else name.json in
 * this folder, beside the program (as installed, or as built), or where suites
 * were to be installed. The caller frees *path. ERR_NOT_FOUND says where it was
 * looked for.
 */
MUST_USE bool suite_locate(const char *name, char **path, struct err *err);

/* Locate and load. */
MUST_USE bool suite_open(const char *name, struct suite *suite,
                         struct err *err);

/* NULL when there is none. */
const struct task *suite_find(const struct suite *suite, const char *id);

/* What stands for {…} in a task's texts. */
struct task_values {
    const char *locale;        /* "en" or "zh": which texts are taken */
    int64_t today_s;           /* seconds since 1970 of the day it is, local */
    const struct cJSON *facts; /* an object of texts; NULL: none */
};

/*
 * The task as it is asked: one language, every {…} filled in. The caller
 * releases it. Fails with ERR_INVALID for a value that is not known.
 */
MUST_USE bool task_resolve(const struct task *task,
                           const struct task_values *values,
                           struct task *resolved, struct err *err);

/* All of it as JSON, which suite_parse reads again; defaults left out. */
struct cJSON *task_to_json(const struct task *task);

/* task.json of an episode: written whole, and read again. */
MUST_USE bool task_save(const struct task *task, const char *folder,
                        struct err *err);
MUST_USE bool task_load(const char *folder, struct task *task, struct err *err);

/* Seconds that a task of this difficulty may take, unless it says so. */
int task_difficulty_seconds(enum task_difficulty difficulty);

const char *task_kind_name(enum task_kind kind);
const char *task_difficulty_name(enum task_difficulty difficulty);
const char *task_reset_name(enum task_reset reset);

#endif
