/*
 * The tasks of a suite as one HTML file: for each its instruction in both
 * languages and its other wordings, its needs, its gold as a strip of screens,
 * its right and wrong ways, what agents made of it, and what a zoo measured. It
 * has no script.
 */
#ifndef TOOLS_REPORT_HTML_TASK_GALLERY_H
#define TOOLS_REPORT_HTML_TASK_GALLERY_H

#include "base/cancel.h"
#include "base/err.h"
#include "judge/report/judged_runs.h"
#include "tasks/task/suite.h"
#include "tasks/task/task_way.h"
#include "tasks/task/task_wording.h"
#include "tools/report_html/zoo_figures.h"

/* All of it is borrowed. */
struct task_gallery {
    const char *name;                /* of the suite */
    const struct task *const *tasks; /* those to show */
    size_t count;
    const struct task_ways *ways;
    const struct task_wordings *wordings;
    const struct zoo_figures *zoo; /* may have none */
    /* runs of these tasks; those of the agent "gold" give the screens */
    const struct judged_runs *judged;
};

/*
 * Write the page to path, atomically. Fails as file_begin and file_write do,
 * and with ERR_CANCELLED. Without a run of gold, its steps are a list.
 */
MUST_USE bool task_gallery_save(const struct task_gallery *gallery,
                                const char *path, const struct cancel *cancel,
                                struct err *err);

#endif
