#include "tools/meter/meter_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

#define SUITE_TEXT_MAX ((size_t)64 << 20)

/* ---- creating cases ---- */

static struct meter_case *add(struct meter_cases *meter_cases,
                              const struct task *task,
                              enum task_way_class class_, const char *name)
{
    struct meter_case *meter_case;

    meter_cases->items = mem_resize(meter_cases->items, meter_cases->count + 1,
                                    sizeof(*meter_cases->items));
    meter_case = &meter_cases->items[meter_cases->count++];
    *meter_case = (struct meter_case){
        .task = task,
        .class_ = class_,
        .name = mem_dup(name),
    };
    return meter_case;
}

static bool takes_part(const struct task_way *way, const struct task *task,
                       enum task_way_class only)
{
    return way->task == task &&
           (only == TASK_WAY_CLASSES || only == way->class_ ||
            task_way_meant_right(way->class_));
}

static void add_steps(struct cJSON *suite, const struct meter_case *meter_case,
                      struct cJSON *gold)
{
    struct cJSON *task = task_to_json(meter_case->task);
    char id[2 * TASK_ID_MAX];

    snprintf(id, sizeof(id), "%s.%s", meter_case->task->id, meter_case->name);
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

static void add_task(const struct task *task, const struct task_ways *ways,
                     enum task_way_class only, struct meter_cases *meter_cases,
                     struct cJSON *suite)
{
    add_steps(suite,
              add(meter_cases, task, TASK_WAY_GOLD,
                  task_way_class_name(TASK_WAY_GOLD)),
              task_gold_to_json(&task->gold));
    for (size_t i = 0; i < ways->count; i++) {
        const struct task_way *way = &ways->items[i];
        struct meter_case *meter_case;

        if (!takes_part(way, task, only))
            continue;
        meter_case = add(meter_cases, task, way->class_, way->name);
        meter_case->breaks = way->breaks;
        add_steps(suite, meter_case, task_gold_to_json(&way->steps));
    }
    if (only == TASK_WAY_CLASSES || only == TASK_WAY_NOTHING)
        add_steps(suite,
                  add(meter_cases, task, TASK_WAY_NOTHING,
                      task_way_class_name(TASK_WAY_NOTHING)),
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

/* The steps as texts, for comparison. */
static struct text_list steps_of(const struct task *task)
{
    struct cJSON *gold = task_gold_to_json(&task->gold);
    const struct cJSON *steps =
        cJSON_IsArray(gold) ? gold
                            : cJSON_GetObjectItemCaseSensitive(gold, "steps");
    const struct cJSON *step;
    struct text_list texts = {.count = 0};

    cJSON_ArrayForEach(step, steps)
    {
        char *text = step_text(step);

        text_list_add(&texts, text);
        cJSON_free(text);
    }
    cJSON_Delete(gold);
    return texts;
}

/* The edit distance between two lists of steps. */
static size_t distance(const struct text_list *one,
                       const struct text_list *other)
{
    size_t row[TASK_GOLD_STEPS_MAX + 1];

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

/* The nearest of the task's cases with the opposite label; or itself. */
static size_t closest(const struct meter_cases *meter_cases,
                      const struct text_list *steps, const bool *right,
                      size_t place)
{
    size_t least = SIZE_MAX;
    size_t found = place;

    for (size_t i = 0; i < meter_cases->count; i++) {
        size_t apart;

        if (meter_cases->items[i].task != meter_cases->items[place].task ||
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

size_t meter_cases_pair(const struct meter_cases *meter_cases,
                        const bool *right, struct meter_pair *pairs)
{
    struct text_list *steps = mem_new(meter_cases->count + 1, sizeof(*steps));
    size_t count = 0;

    for (size_t i = 0; i < meter_cases->count; i++)
        steps[i] = steps_of(&meter_cases->suite.tasks[i]);
    for (size_t i = 0; i < meter_cases->count; i++) {
        size_t other = closest(meter_cases, steps, right, i);
        struct meter_pair pair = {.right = right[i] ? i : other,
                                  .wrong = right[i] ? other : i};

        if (other != i && !has_pair(pairs, count, &pair))
            pairs[count++] = pair;
    }
    for (size_t i = 0; i < meter_cases->count; i++)
        text_list_release(&steps[i]);
    free(steps);
    return count;
}

/* ---- all cases ---- */

static bool is_chosen(const struct meter_cases_choice *choice, const char *id)
{
    for (size_t i = 0; i < choice->id_count; i++) {
        if (!strcmp(choice->ids[i], id))
            return true;
    }
    return !choice->id_count;
}

/* FNV-1a over the number of the sample and the id, so that what is chosen does
 * not depend on other tasks. */
static uint64_t sample_key(uint64_t number, const char *id)
{
    uint64_t key = 0xcbf29ce484222325U;

    for (int i = 0; i < 8; i++)
        key = (key ^ (number >> 8 * i & 0xff)) * 0x100000001b3U;
    for (; *id; id++)
        key = (key ^ (unsigned char)*id) * 0x100000001b3U;
    return key ^ key >> 32;
}

/* Drop the task with the largest key until only a sample is left. */
static void keep_sample(const struct meter_cases_choice *choice,
                        struct meter_cases *meter_cases)
{
    while (choice->sample && meter_cases->task_count > choice->sample) {
        const struct task **tasks = meter_cases->tasks;
        uint64_t largest = 0;
        size_t at = 0;

        for (size_t i = 0; i < meter_cases->task_count; i++) {
            uint64_t key = sample_key(choice->sample_number, tasks[i]->id);

            if (key >= largest) {
                largest = key;
                at = i;
            }
        }
        meter_cases->task_count--;
        memmove(&tasks[at], &tasks[at + 1],
                (meter_cases->task_count - at) * sizeof(*tasks));
    }
}

static bool choose_tasks(const struct suite *suite,
                         const struct meter_cases_choice *choice,
                         struct meter_cases *meter_cases, struct err *err)
{
    for (size_t i = 0; i < choice->id_count; i++) {
        const struct task *ignored;

        if (!suite_choose(suite, choice->ids[i], &ignored, err))
            return false;
    }
    meter_cases->tasks = mem_new(suite->count + 1, sizeof(*meter_cases->tasks));
    for (size_t i = 0; i < suite->count; i++) {
        const struct task *task = &suite->tasks[i];

        if (task->truth && task->gold.count && is_chosen(choice, task->id))
            meter_cases->tasks[meter_cases->task_count++] = task;
    }
    keep_sample(choice, meter_cases);
    return meter_cases->task_count > 0 ||
           err_set(err, ERR_INVALID,
                   "no task of %s has both gold and a truth: only those of "
                   "the built-in phone can be measured on",
                   suite->name);
}

static bool make_suite(const struct suite *suite, const struct task_ways *ways,
                       enum task_way_class only,
                       struct meter_cases *meter_cases, struct err *err)
{
    struct cJSON *tasks = json_new_array();
    struct buf text = BUF_INIT(SUITE_TEXT_MAX);
    bool done;

    for (size_t i = 0; i < meter_cases->task_count; i++)
        add_task(meter_cases->tasks[i], ways, only, meter_cases, tasks);
    json_format(tasks, &text);
    done = suite_parse(buf_cstr(&text), text.length, suite->path,
                       &meter_cases->suite, err) ||
           err_wrap(err, "make a task of each way");
    buf_release(&text);
    cJSON_Delete(tasks);
    return done;
}

bool meter_cases_make(const struct suite *suite, const struct task_ways *ways,
                      const struct meter_cases_choice *choice,
                      struct meter_cases *meter_cases, struct err *err)
{
    struct meter_cases made = {.count = 0};

    if (!choose_tasks(suite, choice, &made, err) ||
        !make_suite(suite, ways, choice->only, &made, err)) {
        meter_cases_release(&made);
        return false;
    }
    *meter_cases = made;
    return true;
}

void meter_cases_release(struct meter_cases *meter_cases)
{
    for (size_t i = 0; i < meter_cases->count; i++)
        free(meter_cases->items[i].name);
    free(meter_cases->items);
    free(meter_cases->tasks);
    suite_release(&meter_cases->suite);
    *meter_cases = (struct meter_cases){.count = 0};
}
