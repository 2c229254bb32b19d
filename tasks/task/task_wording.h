/*
 * Other wordings of the instructions of tasks, to see whether an agent depends
 * on how it is asked. They are in a file beside that of the tasks,
 * "a.wordings.json" for "a.json":
 *
 *     [{"task": "shop.cheapest", "wordings": [
 *        {"style": "polite", "say": {"en": "Could you please …", "zh": "…"}},
 *        {"style": "terse", "say": {"en": "Cheapest …", "zh": "…"}}]}]
 *
 * A wording exists in the languages of the instruction, and has its
 * placeholders and no others. A task has at most one wording of each style.
 */
#ifndef TASKS_TASK_TASK_WORDING_H
#define TASKS_TASK_TASK_WORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"

struct task_wording {
    const struct task *task; /* borrowed from the suite */
    enum wording_style style;
    struct bilingual_text say;
};

struct task_wordings {
    struct task_wording *items; /* owned */
    size_t count;
};

/*
 * Load the wordings of a suite's tasks, if there are any. suite must outlive
 * them. Fails with ERR_INVALID and names file, task and wording; wordings is
 * then untouched.
 */
MUST_USE bool task_wordings_load(const struct suite *suite,
                                 struct task_wordings *wordings,
                                 struct err *err);
MUST_USE bool task_wordings_parse(const char *text, size_t length,
                                  const char *path, const struct suite *suite,
                                  struct task_wordings *wordings,
                                  struct err *err);
void task_wordings_release(struct task_wordings *wordings);

/* Selects wordings of a suite. Texts are borrowed. */
struct task_wordings_choice {
    bool all;                 /* every style, and the instruction itself */
    enum wording_style style; /* otherwise: this one */
    const char *const *ids;   /* of tasks; none: all */
    size_t id_count;
};

/* "all", a style, or its number. Fails with ERR_INVALID. */
MUST_USE bool task_wordings_choose(const char *name,
                                   struct task_wordings_choice *choice,
                                   struct err *err);

/*
 * The text of a suite in which each chosen wording is a task, as
 * "shop.cheapest.polite" with "rewording". Tasks without such a wording are
 * left out. Fails with ERR_INVALID for an unknown id, with ERR_NOT_FOUND when
 * no wording is left, and with ERR_LIMIT when text is too small.
 */
MUST_USE bool task_wordings_expand(const struct suite *suite,
                                   const struct task_wordings *wordings,
                                   const struct task_wordings_choice *choice,
                                   struct buf *text, struct err *err);

#endif
