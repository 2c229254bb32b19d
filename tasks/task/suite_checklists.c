#include "tasks/task/suite_checklists.h"

#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/task/task.h"

#define COPIES_MAX ((size_t)8 << 20) /* bytes of their text */

static bool fail_unknown(const struct cJSON *lists, const struct cJSON *task,
                         const char *name, struct err *err)
{
    const struct cJSON *id = cJSON_GetObjectItemCaseSensitive(task, "id");
    const struct cJSON *list;
    struct nearest_word nearest;

    nearest_word_init(&nearest, name);
    cJSON_ArrayForEach(list, lists) nearest_word_offer(&nearest, list->string);
    err_set(err, ERR_INVALID,
            "checklist: \"checklists\" of the suite has no \"%.64s\"%s%.64s%s",
            name, nearest.best ? "; did you mean \"" : "",
            nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    return cJSON_IsString(id)
               ? err_wrap(err, "task \"%.*s\"", TASK_ID_MAX, id->valuestring)
               : false;
}

/* copied: the text of all copies so far, for the limit of their memory. */
static bool expand(const struct cJSON *lists, struct cJSON *task,
                   struct buf *copied, struct err *err)
{
    const struct cJSON *name =
        cJSON_GetObjectItemCaseSensitive(task, "checklist");
    const struct cJSON *list;
    struct cJSON *questions;

    if (!cJSON_IsString(name))
        return true;
    list = cJSON_GetObjectItemCaseSensitive(lists, name->valuestring);
    if (!list)
        return fail_unknown(lists, task, name->valuestring, err);
    json_format(list, copied);
    if (copied->overflow)
        return err_set(err, ERR_LIMIT,
                       "checklists: with a copy for each task that names one, "
                       "they have more than %zu bytes",
                       COPIES_MAX);
    questions = cJSON_Duplicate(list, true);
    if (!questions ||
        !cJSON_ReplaceItemInObjectCaseSensitive(task, "checklist", questions))
        mem_out();
    return true;
}

bool suite_checklists_expand(struct cJSON *suite, struct err *err)
{
    const struct cJSON *lists =
        cJSON_GetObjectItemCaseSensitive(suite, "checklists");
    struct cJSON *tasks =
        cJSON_IsArray(suite) ? suite
                             : cJSON_GetObjectItemCaseSensitive(suite, "tasks");
    struct buf copied = BUF_INIT(COPIES_MAX);
    struct cJSON *task;
    bool done = true;

    if (lists && !cJSON_IsObject(lists))
        return err_set(err, ERR_INVALID,
                       "checklists: expected an object, with a list of "
                       "questions for each name");
    cJSON_ArrayForEach(task, tasks)
    {
        done = done && expand(lists, task, &copied, err);
    }
    buf_release(&copied);
    cJSON_DeleteItemFromObjectCaseSensitive(suite, "checklists");
    return done;
}
