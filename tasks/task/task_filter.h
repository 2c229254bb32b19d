/* Selects tasks of a suite. */
#ifndef TASKS_TASK_TASK_FILTER_H
#define TASKS_TASK_TASK_FILTER_H

#include "tasks/task/task.h"

/* What a task must have; NULL, 0 and negative: any. */
struct task_filter {
    const char *app; /* a part of a package's name */
    int kind;        /* enum task_kind */
    int level;
    const char *category;
    const char *tag;
    const char *locale; /* the instruction exists in this language */
};

bool task_filter_takes(const struct task_filter *filter,
                       const struct task *task);

#endif
