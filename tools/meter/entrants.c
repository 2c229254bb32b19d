#include "tools/meter/entrants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

#define SUITE_TEXT_MAX ((size_t)64 << 20)

/* ---- who they are ---- */

static struct entrant *add(struct entrants *entrants, const struct task *task,
                           enum way_class class_, const char *name)
{
    struct entrant *entrant;

    entrants->items = mem_resize(entrants->items, entrants->count + 1,
                                 sizeof(*entrants->items));
    entrant = &entrants->items[entrants->count++];
    *entrant = (struct entrant){
        .task = task,
        .class_ = class_,
        .name = mem_dup(name),
    };
    return entrant;
}

static bool takes_part(const struct way *way, const struct task *task,
                       enum way_class only)
{
    return way->task == task && (only == WAY_CLASSES || only == way->class_ ||
                                 way_meant_right(way->class_));
}

static void add_steps(struct cJSON *suite, const struct entrant *entrant,
                      struct cJSON *gold)
{
    struct cJSON *task = task_to_json(entrant->task);
    char id[2 * TASK_ID_MAX];

    snprintf(id, sizeof(id), "%s.%s", entrant->task->id, entrant->name);
    cJSON_DeleteItemFromObjectCaseSensitive(task, "id");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "gold");
    json_add_string(task, "id", id);
    if (!cJSON_AddItemToObject(task, "gold", gold) ||
        !cJSON_AddItemToArray(suite, task))
        mem_out();
}

static struct cJSON *no_steps(void)
{
    struct cJSON *steps = json_new_array();

    json_add_string(json_add_object(steps, NULL), "do",
                    action_kind_name(ACTION_COMPLETE));
    return steps;
}

static void add_task(const struct task *task, const struct ways *ways,
                     enum way_class only, struct entrants *entrants,
                     struct cJSON *suite)
{
    add_steps(suite, add(entrants, task, WAY_GOLD, way_class_name(WAY_GOLD)),
              gold_to_json(&task->gold));
    for (size_t i = 0; i < ways->count; i++) {
        const struct way *way = &ways->items[i];
        struct entrant *entrant;

        if (!takes_part(way, task, only))
            continue;
        entrant = add(entrants, task, way->class_, way->name);
        entrant->breaks = way->breaks;
        add_steps(suite, entrant, gold_to_json(&way->steps));
    }
    if (only == WAY_CLASSES || only == WAY_NOTHING)
        add_steps(suite,
                  add(entrants, task, WAY_NOTHING, way_class_name(WAY_NOTHING)),
                  no_steps());
}

/* ---- pairs ---- */

static char *step_text(const struct cJSON *step)
{
    char *text = cJSON_PrintUnformatted(step);

    if (!text)
        mem_out();
    return text;
}

/* The steps as texts, to be compared. */
static struct texts steps_of(const struct task *task)
{
    struct cJSON *gold = gold_to_json(&task->gold);
    const struct cJSON *steps =
        cJSON_IsArray(gold) ? gold
                            : cJSON_GetObjectItemCaseSensitive(gold, "steps");
    const struct cJSON *step;
    struct texts texts = {.count = 0};

    cJSON_ArrayForEach(step, steps)
    {
        char *text = step_text(step);

        texts_add(&texts, text);
        cJSON_free(text);
    }
    cJSON_Delete(gold);
    return texts;
}

/* How many steps must be added, left out or replaced to make one of other. */
static size_t distance(const struct texts *one, const struct texts *other)
{
    size_t row[GOLD_STEPS_MAX + 1];

    for (size_t j = 0; j <= other->count; j++)
        row[j] = j;
    for (size_t i = 0; i < one->count; i++) {
        size_t corner = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < other->count; j++) {
            size_t above = row[j + 1];
            size_t replaced =
                corner + (strcmp(one->items[i], other->items[j]) != 0);
            size_t least = above < row[j] ? above + 1 : row[j] + 1;

            row[j + 1] = replaced < least ? replaced : least;
            corner = above;
        }
    }
    return row[other->count];
}

/* Of the task's entrants that are labelled otherwise, the nearest; or itself.
 */
static size_t closest(const struct entrants *entrants,
                      const struct texts *steps, const bool *right,
                      size_t place)
{
    size_t least = SIZE_MAX;
    size_t found = place;

    for (size_t i = 0; i < entrants->count; i++) {
        size_t apart;

        if (entrants->items[i].task != entrants->items[place].task ||
            right[i] == right[place])
            continue;
        apart = distance(&steps[place], &steps[i]);
        if (apart < least) {
            least = apart;
            found = i;
        }
    }
    return found;
}

static bool has_pair(const struct meter_pair *pairs, size_t count,
                     const struct meter_pair *pair)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].right == pair->right && pairs[i].wrong == pair->wrong)
            return true;
    }
    return false;
}

size_t entrants_pair(const struct entrants *entrants, const bool *right,
                     struct meter_pair *pairs)
{
    struct texts *steps = mem_new(entrants->count + 1, sizeof(*steps));
    size_t count = 0;

    for (size_t i = 0; i < entrants->count; i++)
        steps[i] = steps_of(&entrants->suite.tasks[i]);
    for (size_t i = 0; i < entrants->count; i++) {
        size_t other = closest(entrants, steps, right, i);
        struct meter_pair pair = {.right = right[i] ? i : other,
                                  .wrong = right[i] ? other : i};

        if (other != i && !has_pair(pairs, count, &pair))
            pairs[count++] = pair;
    }
    for (size_t i = 0; i < entrants->count; i++)
        texts_release(&steps[i]);
    free(steps);
    return count;
}

/* ---- all of them ---- */

static bool is_chosen(const struct entrants_choice *choice, const char *id)
{
    for (size_t i = 0; i < choice->id_count; i++) {
        if (!strcmp(choice->ids[i], id))
            return true;
    }
    return !choice->id_count;
}

static bool choose_tasks(const struct suite *suite,
                         const struct entrants_choice *choice,
                         struct entrants *entrants, struct err *err)
{
    for (size_t i = 0; i < choice->id_count; i++) {
        if (!suite_find(suite, choice->ids[i]))
            return err_set(err, ERR_INVALID,
                           "suite %s has no task \"%.64s\" (see: proctor "
                           "tasks %s)",
                           suite->name, choice->ids[i], suite->name);
    }
    entrants->tasks = mem_new(suite->count + 1, sizeof(*entrants->tasks));
    for (size_t i = 0; i < suite->count; i++) {
        const struct task *task = &suite->tasks[i];

        if (task->truth && task->gold.count && is_chosen(choice, task->id))
            entrants->tasks[entrants->task_count++] = task;
    }
    return entrants->task_count > 0 ||
           err_set(err, ERR_INVALID,
                   "no task of %s has both gold and a truth: only those of "
                   "the built-in phone can be measured on",
                   suite->name);
}

static bool make_suite(const struct suite *suite, const struct ways *ways,
                       enum way_class only, struct entrants *entrants,
                       struct err *err)
{
    struct cJSON *tasks = json_new_array();
    struct buf text = BUF_INIT(SUITE_TEXT_MAX);
    bool done;

    for (size_t i = 0; i < entrants->task_count; i++)
        add_task(entrants->tasks[i], ways, only, entrants, tasks);
    json_format(tasks, &text);
    done = suite_parse(buf_cstr(&text), text.length, suite->path,
                       &entrants->suite, err) ||
           err_wrap(err, "make a task of each way");
    buf_release(&text);
    cJSON_Delete(tasks);
    return done;
}

bool entrants_make(const struct suite *suite, const struct ways *ways,
                   const struct entrants_choice *choice,
                   struct entrants *entrants, struct err *err)
{
    struct entrants made = {.count = 0};

    if (!choose_tasks(suite, choice, &made, err) ||
        !make_suite(suite, ways, choice->only, &made, err)) {
        entrants_release(&made);
        return false;
    }
    *entrants = made;
    return true;
}

void entrants_release(struct entrants *entrants)
{
    for (size_t i = 0; i < entrants->count; i++)
        free(entrants->items[i].name);
    free(entrants->items);
    free(entrants->tasks);
    suite_release(&entrants->suite);
    *entrants = (struct entrants){.count = 0};
}
