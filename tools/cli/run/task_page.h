/* Tasks, to be read by people. */
#ifndef TOOLS_CLI_RUN_TASK_PAGE_H
#define TOOLS_CLI_RUN_TASK_PAGE_H

#include "tasks/task/task.h"
#include "tools/cli/terminal/text_page.h"

/* A line for each; locale chooses the language of the instructions. */
void task_page_list(struct text_page *page, const struct task *const *tasks,
                    size_t count, const char *locale);

/* All that there is to say of one. */
void task_page_whole(struct text_page *page, const struct task *task);

#endif
