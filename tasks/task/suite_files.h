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

/* What is beside a file of a suite: "a.ways.json" beside "a.json". */
#define SUITE_FILES_WAYS ".ways.json"
#define SUITE_FILES_WORDINGS ".wordings.json"

/* Takes the text of a file; path is for messages. */
typedef bool suite_files_reader(void *context, const struct buf *text,
                                const char *path, struct err *err);

/*
 * Give read what is beside each file of a suite and ends like that; most have
 * nothing there. A failure is as suite_files_list, file_load or read say; a
 * file may be 4 MiB long.
 */
MUST_USE bool suite_files_beside(const char *path, const char *ending,
                                 suite_files_reader *read, void *context,
                                 struct err *err);

/*
 * What paths in the tasks of a suite begin from: the folder that the suite is,
 * or is in. The caller frees it.
 */
char *suite_files_folder(const char *path);

#endif
