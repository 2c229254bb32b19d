/*
 * The files of a suite: one, or all of a folder. In a folder, each file is a
 * suite, such as the tasks of one app; together they are one suite, named
 * after the folder. "a.ways.json" and "a.wordings.json" belong to "a.json" and
 * hold no tasks.
 */
#ifndef TASKS_TASK_SUITE_FILES_H
#define TASKS_TASK_SUITE_FILES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tasks/json/text_list.h"

/* "a.json", and not "a.ways.json". */
bool suite_files_is_suite(const char *name);

/* Add the path itself, or the files with tasks in that folder, by name. */
MUST_USE bool suite_files_list(const char *path, struct text_list *files,
                               struct err *err);

/*
 * Read a suite as one JSON text: a file as it is, or all tasks of a folder.
 * Files of a folder are validated first, so that a mistake names its file. On
 * failure (ERR_INVALID, ERR_LIMIT, or as file_load) text is untouched.
 */
MUST_USE bool suite_files_load(const char *path, struct buf *text,
                               struct err *err);

/* The file with the ways of the tasks in a file of a suite. */
void suite_files_ways(const char *file, struct buf *path);
/* The file with other wordings of their instructions. */
void suite_files_wordings(const char *file, struct buf *path);

/*
 * What paths in the tasks of a suite begin from: the folder that the suite is,
 * or is in. The caller frees it.
 */
char *suite_files_folder(const char *path);

#endif
