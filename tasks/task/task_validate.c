#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/task/action_set.h"
#include "tasks/task/task_private.h"

/* ---- names that refer to each other ---- */

static bool fail_reference(const struct json *json, const char *what,
                           const struct nearest_word *nearest, struct err *err)
{
    if (nearest->best)
        return json_fail(json, err,
                         "there is no %s \"%s\"; did you mean \"%s\"?", what,
                         nearest->wanted, nearest->best);
    return json_fail(json, err, "there is no %s \"%s\"", what, nearest->wanted);
}

/* Every "evidence" below is the name of a probe. */
static bool check_evidence(const struct task *task, const struct json *json,
                           struct err *err)
{
    struct json child = JSON_NONE;

    while (json_next(json, &child)) {
        const char *key = child.value->string;
        struct nearest_word nearest;
        bool known = false;

        if (!check_evidence(task, &child, err))
            return false;
        if (!key || strcmp(key, "evidence") != 0)
            continue;
        nearest_word_init(&nearest, child.value->valuestring);
        for (size_t i = 0; i < task->probe_count; i++) {
            known |= !strcmp(nearest.wanted, task->probes[i].name);
            nearest_word_offer(&nearest, task->probes[i].name);
        }
        if (!known)
            return fail_reference(&child, "probe", &nearest, err);
    }
    return true;
}

static bool check_probes(const struct task *task, const struct json *json,
                         struct err *err)
{
    struct json member = JSON_NONE;

    for (size_t i = 0; i < task->probe_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!strcmp(task->probes[i].name, task->probes[j].name) &&
                json_get(json, "probes", &member, err))
                return json_fail(&member, err, "\"%s\" is there twice",
                                 task->probes[i].name);
        }
    }
    while (json_next(json, &member)) {
        const char *key = member.value->string;

        if ((!strcmp(key, "needs") || !strcmp(key, "never") ||
             !strcmp(key, "checklist")) &&
            !check_evidence(task, &member, err))
            return false;
    }
    return true;
}

/* The need of that id; need_count when there is none. */
static size_t find_need(const struct task *task, const char *id)
{
    size_t i = 0;

    while (i < task->need_count &&
           (!task->needs[i].id || strcmp(task->needs[i].id, id) != 0))
        i++;
    return i;
}

static bool check_after(const struct task *task, size_t which,
                        const struct json *json, struct err *err)
{
    const struct text_list *after = &task->needs[which].after;

    for (size_t i = 0; i < after->count; i++) {
        struct nearest_word nearest;

        nearest_word_init(&nearest, after->items[i]);
        if (find_need(task, after->items[i]) < task->need_count)
            continue;
        for (size_t j = 0; j < task->need_count; j++) {
            if (task->needs[j].id)
                nearest_word_offer(&nearest, task->needs[j].id);
        }
        return fail_reference(json, "need", &nearest, err);
    }
    return true;
}

/*
 * Take away, again and again, each need that waits for none that is left: in
 * the end only a circle remains.
 */
static bool is_circular(const struct task *task)
{
    bool *gone = mem_new(task->need_count + 1, sizeof(*gone));
    size_t left = task->need_count;
    bool moved = true;

    while (moved) {
        moved = false;
        for (size_t i = 0; i < task->need_count; i++) {
            const struct text_list *after = &task->needs[i].after;
            size_t waits = 0;

            for (size_t j = 0; j < after->count; j++)
                waits += !gone[find_need(task, after->items[j])];
            if (!gone[i] && !waits) {
                gone[i] = true;
                moved = true;
                left--;
            }
        }
    }
    free(gone);
    return left > 0;
}

static bool check_needs(const struct task *task, const struct json *json,
                        struct err *err)
{
    struct json needs;
    struct json need = JSON_NONE;

    if (!task->need_count &&
        (task->answer.kind != TASK_ANSWER_NONE || task->image_count))
        return true; /* that tells as well */
    if (!json_get(json, "needs", &needs, err))
        return false;
    for (size_t i = 0; json_next(&needs, &need); i++) {
        const char *id = task->needs[i].id;

        if (id && find_need(task, id) != i)
            return json_fail(&need, err, "\"%s\" is there twice", id);
        if (!check_after(task, i, &need, err))
            return false;
    }
    return !is_circular(task) ||
           json_fail(&needs, err, "\"after\" goes in a circle");
}

/* ---- members that do not go together ---- */

static bool check_gold(const struct task *task, const struct json *json,
                       struct err *err)
{
    struct json gold;

    for (size_t i = 0; i < task->gold.count; i++) {
        enum action_kind kind = task->gold.steps[i].action.kind;
        uint32_t allowed = task->actions | ACTION_BIT(ACTION_COMPLETE) |
                           ACTION_BIT(ACTION_FAIL); /* always */

        if (!(allowed & ACTION_BIT(kind)) && json_get(json, "gold", &gold, err))
            return json_fail(&gold, err,
                             "step %zu: \"actions\" do not allow %s", i + 1,
                             action_kind_name(kind));
    }
    return true;
}

static bool check_pairs(const struct task *task, const struct json *json,
                        struct err *err)
{
    struct json member;

    if (task->reset == TASK_RESET_CLEAR && task->requires.logged_in &&
        json_get(json, "reset", &member, err))
        return json_fail(&member, err,
                         "clear would log out what requires.logged_in is "
                         "about");
    if (task->facts.count && !task->truth &&
        json_get(json, "facts", &member, err))
        return json_fail(&member, err, "need a \"truth\" that tells them");
    if (task->answer.kind != TASK_ANSWER_NONE &&
        !(task->actions & ACTION_BIT(ACTION_ANSWER)) &&
        json_get(json, "answer", &member, err))
        return json_fail(&member, err, "\"actions\" do not allow to answer");
    return true;
}

/* A rewording is named after its task and its style. */
static bool check_rewording(const struct task *task, const struct json *json,
                            struct err *err)
{
    const struct task_rewording *rewording = &task->rewording;
    struct json member;
    size_t length;

    if (!rewording->of)
        return true;
    if (!json_get(json, "rewording", &member, err))
        return false;
    if (rewording->style == WORDING_STYLES)
        return json_fail(&member, err, "\"style\" is missing");
    length = strlen(rewording->of);
    return (!strncmp(task->id, rewording->of, length) &&
            task->id[length] == '.' &&
            !strcmp(task->id + length + 1,
                    wording_style_names[rewording->style])) ||
           json_fail(&member, err, "the task must be called \"%s.%s\"",
                     rewording->of, wording_style_names[rewording->style]);
}

bool task_validate(const struct json *json, void *thing, struct err *err)
{
    struct task *task = thing;
    struct json member;

    if (!task->apps.count && !json_get(json, "app", &member, err))
        return false;
    if (!task->seconds)
        task->seconds = task_difficulty_seconds(task->difficulty);
    return check_needs(task, json, err) && check_probes(task, json, err) &&
           check_gold(task, json, err) && check_pairs(task, json, err) &&
           check_rewording(task, json, err);
}
