#include "tasks/task/task_filter.h"

#include <string.h>

static bool uses(const struct task *task, const char *app)
{
    for (size_t i = 0; i < task->apps.count; i++) {
        if (strstr(task->apps.items[i], app))
            return true;
    }
    return false;
}

static bool speaks(const struct bilingual_text *bilingual_text,
                   const char *locale)
{
    return bilingual_text->any ||
           (!strncmp(locale, "zh", 2) ? bilingual_text->zh
                                      : bilingual_text->en);
}

bool task_filter_takes(const struct task_filter *filter,
                       const struct task *task)
{
    return (!filter->app || uses(task, filter->app)) &&
           (filter->kind < 0 || (int)task->kind == filter->kind) &&
           (filter->level <= 0 || task->level == filter->level) &&
           (!filter->category ||
            (task->category && !strcmp(task->category, filter->category))) &&
           (!filter->tag || text_list_have(&task->tags, filter->tag)) &&
           (!filter->locale || speaks(&task->instruction, filter->locale));
}
