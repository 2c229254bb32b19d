/*
 * A task: what an agent should do, and what must hold for success.
 *
 * docs/tasks.md describes the file. Five members are required; all others have
 * a default.
 */
#ifndef TASKS_TASK_TASK_H
#define TASKS_TASK_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/json/bilingual_text.h"
#include "tasks/json/text_list.h"
#include "tasks/task/action.h"
#include "tasks/task/episode_check.h"
#include "tasks/task/node_selector.h"
#include "tasks/task/suite.h"
#include "tasks/task/task_gold.h"
#include "tasks/task/wording_style.h"

#define TASK_ID_MAX 64
#define TASK_STEPS_DEFAULT 15
#define TASK_STEPS_MAX 1000
#define TASK_FILE_MAX ((size_t)32 << 20) /* of a suite, or of one task */

enum task_kind {
    TASK_STATE,   /* decided by the last screen */
    TASK_PROCESS, /* the steps count as well */
    TASK_KINDS,
};

enum task_difficulty {
    TASK_EASY,   /* 5 minutes */
    TASK_MEDIUM, /* 10 */
    TASK_HARD,   /* 20 */
    TASK_DIFFICULTIES,
};

/* How a phone is brought to the state in which the task starts. */
enum task_reset {
    TASK_RESET_RESTART,  /* stop the apps, and start the first */
    TASK_RESET_NONE,     /* use it as it is */
    TASK_RESET_CLEAR,    /* clear the apps' data */
    TASK_RESET_SNAPSHOT, /* load one, or use a new built-in phone */
    TASK_RESET_RECORDED, /* replay a recorded trajectory */
    TASK_RESETS,
};

/* A key point as a sentence, with an optional check for the rules judge. */
struct task_need {
    char *id;                    /* NULL: none; [a-z0-9_]+ */
    struct bilingual_text say;   /* for people and model judges */
    struct episode_check *check; /* owned; NULL: only a model can tell */
    struct text_list after;      /* ids of needs that must be met before */
    struct episode_check
        *undone_by; /* owned; a later step like this undoes it */
};

enum task_answer_kind {
    TASK_ANSWER_NONE,
    TASK_ANSWER_EXACT,   /* one of the values, ignoring case and blanks */
    TASK_ANSWER_NUMBER,  /* a number within the tolerance */
    TASK_ANSWER_PATTERN, /* a regular expression */
};

struct task_answer {
    enum task_answer_kind kind;
    struct text_list values; /* any of them is right */
    double number;
    char *number_from; /* until task_resolve: a text with the value; or NULL */
    double tolerance;
    char *pattern;
};

/* A command that reads the phone's state, before and after. */
struct task_probe {
    char *name;
    char *command; /* run in the phone's shell; written by the suite's author */
    bool unchanged; /* the output at the end must equal that before */
};

/* What a phone must have for the task; NULL and empty: anything. */
struct task_requires {
    char *version; /* of the first app, at least */
    struct node_selector
        *logged_in; /* owned; is on the first screen when it is so */
    char *locale;   /* such as "en-US", or "en" */
    struct text_list permissions;
};

/* Where and when the task was seen to work. */
struct task_validated {
    char *date;
    char *version;
    char *device;
};

/* A picture that must look like a reference at the end. */
struct task_image {
    char *file;      /* on the phone; NULL: the last screen */
    char *reference; /* beside the suite */
    char *transform; /* such as "flip", "rotate 90", "crop 0,0,10,10"; NULL */
    double ssim;     /* minimum; negative: not given */
    double psnr;
};

/* The task is another one in other words. */
struct task_rewording {
    char *of;                 /* the id of that one; NULL: it is not */
    enum wording_style style; /* WORDING_STYLES: none */
};

struct task {
    char *id;
    struct text_list apps; /* packages; the first is started */
    enum task_kind kind;
    struct bilingual_text instruction;
    struct task_rewording rewording;

    struct task_need *needs;
    size_t need_count;
    bool ordered;                /* needs are met in their order */
    struct task_need *checklist; /* questions that score how it was done */
    size_t checklist_count;
    struct episode_check *never; /* checks that must not happen */
    size_t never_count;
    struct task_answer answer;
    struct task_image *images;
    size_t image_count;

    int level; /* 1 to 5; 0: not given */
    enum task_difficulty difficulty;
    char *category; /* NULL: none */
    struct text_list tags;
    char *comment;    /* a comment for readers of the file; NULL: none */
    uint32_t actions; /* the allowed actions, a bit per enum action_kind */
    int steps;        /* budget */
    int seconds;

    enum task_reset reset;
    char *snapshot;          /* or the recorded trajectory; NULL */
    struct text_list set_up; /* commands in the phone's shell */
    struct task_requires requires;
    struct task_validated validated;
    struct task_probe *probes;
    size_t probe_count;

    struct task_gold gold;  /* no steps and no file: none */
    char *truth;            /* its name on the built-in phone; NULL */
    struct text_list facts; /* values that the phone fills in for {name} */
};

void task_release(struct task *task);

/* Values for {…} in a task's texts. */
struct task_values {
    const char *locale; /* "en" or "zh": the language of the texts */
    int64_t today_s;    /* the current day in seconds since 1970, local time */
    const struct cJSON *facts; /* an object of texts; NULL: none */
};

/*
 * The task for one language, with every {…} filled in. The caller releases it.
 * Fails with ERR_INVALID for an unknown value.
 */
MUST_USE bool task_resolve(const struct task *task,
                           const struct task_values *values,
                           struct task *resolved, struct err *err);

/* All of it as JSON, which suite_parse can read; defaults are left out. */
struct cJSON *task_to_json(const struct task *task);

/* The default time limit of this difficulty, in seconds. */
int task_difficulty_seconds(enum task_difficulty difficulty);

const char *task_kind_name(enum task_kind kind);
const char *task_difficulty_name(enum task_difficulty difficulty);
const char *task_reset_name(enum task_reset reset);

#endif
