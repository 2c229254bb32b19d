/* The folder of a new run: run.json and a copy of the suite. */
#ifndef TOOLS_CLI_RUN_RUN_FOLDER_H
#define TOOLS_CLI_RUN_RUN_FOLDER_H

#include "base/buf.h"
#include "runner/run/run_file.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"

/*
 * Find and read a suite; text gets its bytes. It is read once: it may be a
 * pipe, and it may change meanwhile. Fails as suite_locate and suite_parse.
 */
MUST_USE bool run_folder_read_suite(const char *name, struct buf *text,
                                    struct suite *suite, struct err *err);

/*
 * Make the folder of the run that file has the plan of: out, or (NULL) a new
 * one in parent (NULL: runs). folder gets its path. Existing files are not
 * overwritten: ERR_INVALID.
 */
MUST_USE bool run_folder_make(const char *out, const char *parent,
                              const struct buf *suite, struct run_file *file,
                              struct buf *folder, struct err *err);

/* Remove what run_folder_make made of a run that could not even begin. */
void run_folder_forget(const char *folder);

#endif
