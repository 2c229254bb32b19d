#include "tools/meter/truth_read.h"

#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "tasks/trajectory/trajectory.h"

#define TRUTH_MAX ((size_t)16 << 20)

/* Finds the clauses that are not met, and the name of the first. */
struct unmet {
    char *first; /* owned */
    size_t count;
    size_t all; /* clauses, met or not */
    bool meant; /* the expected one is among them */
};

static bool read_clauses(const struct json *root, const char *breaks,
                         struct unmet *unmet, struct err *err)
{
    struct json clauses = JSON_NONE;
    struct json clause = JSON_NONE;

    if (!json_get_array(root, "clauses", &clauses, err))
        return false;
    while (json_next(&clauses, &clause)) {
        const char *name = NULL;
        bool met = false;

        if (!json_get_string(&clause, "name", &name, err) ||
            !json_get_bool(&clause, "met", &met, err))
            return false;
        unmet->all++;
        if (met)
            continue;
        unmet->meant = unmet->meant || (breaks && !strcmp(breaks, name));
        if (!unmet->count++)
            unmet->first = mem_dup(name);
    }
    return true;
}

static bool read_truth(const char *folder, const char *breaks, bool *met,
                       struct unmet *unmet, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(TRUTH_MAX);
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    buf_printf(&path, "%s/truth.json", folder);
    done = file_load(buf_cstr(&path), &text, err) &&
           json_parse(buf_cstr(&text), text.length, &tree, err);
    root.value = tree;
    done = done && json_get_bool(&root, "met", met, err) &&
           read_clauses(&root, breaks, unmet, err);
    if (!done)
        err_prepend(err, "%s", buf_cstr(&path));
    cJSON_Delete(tree);
    buf_release(&text);
    buf_release(&path);
    return done;
}

static bool says_done(const char *folder, bool *done, struct err *err)
{
    struct trajectory trajectory;

    if (!trajectory_load(folder, &trajectory, err))
        return false;
    *done = trajectory.ending == ENDING_COMPLETE ||
            trajectory.ending == ENDING_ANSWER;
    trajectory_release(&trajectory);
    return true;
}

bool truth_read(struct meter_episode *episode, struct case_facts *case_,
                const struct meter_case *meter_case, struct err *err)
{
    const char *breaks = meter_case ? meter_case->breaks : NULL;
    struct unmet unmet = {.count = 0};
    bool met = false;
    bool said = false;

    if (!says_done(case_->folder, &said, err) ||
        !read_truth(case_->folder, breaks, &met, &unmet, err))
        return false;
    episode->right = met && said;
    case_->wrong_about = unmet.first;
    case_->clauses_met =
        unmet.all ? 1 - (double)unmet.count / (double)unmet.all : met;
    if (!meter_case)
        return true;
    case_->surprising =
        episode->right != task_way_meant_right(meter_case->class_);
    case_->partly = breaks && (unmet.count != 1 || !unmet.meant);
    return true;
}
