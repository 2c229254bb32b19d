/*
 * A suite: a file of tasks, or a folder of such files (suite_files.h). A file
 * is an array of tasks, or an object with the array under "tasks".
 */
#ifndef TASKS_TASK_SUITE_H
#define TASKS_TASK_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tasks/json/text_list.h"
#include "tasks/task/task.h"

#define SUITE_TASKS_MAX 10000

struct suite {
    char *path;
    char *name;    /* that of the file or folder, unless given */
    char *comment; /* a comment for readers; NULL: none */
    struct task *tasks;
    size_t count;
};

/*
 * Load and validate a suite. On failure (ERR_INVALID, ERR_LIMIT, or as
 * file_load) the message names file, task and member, and suite is untouched.
 */
MUST_USE bool suite_load(const char *path, struct suite *suite,
                         struct err *err);
MUST_USE bool suite_parse(const char *text, size_t length, const char *path,
                          struct suite *suite, struct err *err);
void suite_release(struct suite *suite);

/*
 * The path of a suite: name itself if there is such a file or a folder with
 * suites, or else name.json or such a folder in this folder, beside the program
 * (installed or built), or in the installation folder. The caller frees *path.
 * ERR_NOT_FOUND lists the places.
 */
MUST_USE bool suite_locate(const char *name, char **path, struct err *err);

/* Locate and load. */
MUST_USE bool suite_open(const char *name, struct suite *suite,
                         struct err *err);

/* NULL when there is none. */
const struct task *suite_find(const struct suite *suite, const char *id);

/*
 * The same for an id from the command line. ERR_INVALID suggests the nearest
 * one.
 */
MUST_USE bool suite_choose(const struct suite *suite, const char *id,
                           const struct task **task, struct err *err);

/* Add the names of the suites that came with the program, each once. */
void suite_list_names(struct text_list *names);

#endif
