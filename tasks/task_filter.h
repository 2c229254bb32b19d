/* Some of a suite's tasks. */
#ifndef TASKS_TASK_FILTER_H
#define TASKS_TASK_FILTER_H

#include "tasks/task.h"

/* What a task must have; NULL, 0 and negative: it does not matter. */
struct task_filter {
    const char *app; /* a part of a package's name */
    int kind;        /* enum task_kind */
    int level;
    const char *category;
    const char *tag;
    const char *locale; /* the instruction is there in this language */
};

bool task_filter_takes(const struct task_filter *filter,
                       const struct task *task);

#endif
