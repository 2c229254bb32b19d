#include "runner/recording/task_draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/path_parts.h"
#include "judge/rules/answer_check.h"
#include "tasks/task/task_rules.h"

#define LEVELS 5
#define APPS_MAX 16
#define NUMBER_BYTES_MAX 15 /* a double is exact */
#define APP_SEPARATORS " ,"

size_t task_draft_stars(const struct task_gold *gold)
{
    size_t stars = 0;

    for (size_t i = 0; i < gold->count; i++)
        stars += gold->steps[i].key_step;
    return stars;
}

/* Easier tasks have fewer steps. */
static int level_of(size_t steps)
{
    static const size_t limits[LEVELS - 1] = {3, 6, 10, 15};
    int level = 1;

    while (level < LEVELS && steps > limits[level - 1])
        level++;
    return level;
}

/* Launcher, keyboard and system windows belong to no task. */
static bool is_app(const char *package)
{
    return package[0] && !strstr(package, "launcher") &&
           !strstr(package, "systemui") && !strstr(package, "inputmethod");
}

/* The apps that were in front. */
static void find_apps(const struct trajectory *trajectory,
                      struct text_list *apps)
{
    if (trajectory->head.app)
        text_list_add(apps, trajectory->head.app);
    for (size_t i = 0; i < trajectory->count && apps->count < APPS_MAX; i++) {
        const char *package = trajectory->steps[i].package;

        if (package && is_app(package) && !text_list_have(apps, package))
            text_list_add(apps, package);
    }
}

static void split_apps(const char *given, struct text_list *apps)
{
    while (*(given += strspn(given, APP_SEPARATORS))) {
        size_t length = strcspn(given, APP_SEPARATORS);
        char *app = mem_dup_n(given, length);

        if (!text_list_have(apps, app))
            text_list_add(apps, app);
        free(app);
        given += length;
    }
}

static void add_apps(const struct recording_task_options *options,
                     const struct trajectory *trajectory, struct cJSON *task)
{
    struct text_list apps = {.count = 0};
    struct cJSON *array;

    if (options->apps)
        split_apps(options->apps, &apps);
    else
        find_apps(trajectory, &apps);
    if (apps.count == 1) {
        json_add_string(task, "app", apps.items[0]);
    } else {
        array = json_add_array(task, "apps");
        for (size_t i = 0; i < apps.count; i++)
            json_add_string(array, NULL, apps.items[i]);
    }
    text_list_release(&apps);
}

/* The caller frees it. */
static char *id_of(const struct recording_task_options *options,
                   const struct trajectory *trajectory)
{
    struct err ignored;

    if (options->id)
        return mem_dup(options->id);
    return text_rule_check(&task_rule_id, trajectory->head.task, &ignored)
               ? mem_dup(trajectory->head.task)
               : path_name(trajectory->folder);
}

/* False: it is not known, and stands for something to be written. */
static bool add_instruction(const struct recording_task_options *options,
                            const struct trajectory *trajectory,
                            struct cJSON *task)
{
    const char *recorded = trajectory->head.instruction;
    struct cJSON *both;

    if (options->instruction_en && options->instruction_zh) {
        both = json_add_object(task, "instruction");
        json_add_string(both, "en", options->instruction_en);
        json_add_string(both, "zh", options->instruction_zh);
        return true;
    }
    if (options->instruction_en || options->instruction_zh)
        recorded = options->instruction_en ? options->instruction_en
                                           : options->instruction_zh;
    if (recorded && recorded[0]) {
        json_add_string(task, "instruction", recorded);
        return true;
    }
    json_add_string(task, "instruction", "Do what the recording shows.");
    return false;
}

/* Where signs of money, percent and blanks that begin a text end. */
static const char *skip_signs(const char *text)
{
    static const char *const signs[] = {" ", "\u00a0", "$",  "€", "£",
                                        "¥", "￥",     "元", "%"};
    size_t i = 0;

    while (i < ARRAY_LEN(signs)) {
        size_t length = strlen(signs[i]);

        i++;
        if (!strncmp(text, signs[i - 1], length)) {
            text += length;
            i = 0;
        }
    }
    return text;
}

/*
 * Is the text one number, such as "-4", "$ 1,250.50", "12.50 €" or "45%"? One
 * that begins with 0, as of a phone, or has too many digits for a double is a
 * text: it must be answered exactly.
 */
static bool is_number(const char *text, double *number)
{
    const char *begin = skip_signs(text);
    const char *digits = begin + (*begin == '-');
    const char *end = answer_number(text, number);

    return end && isdigit((unsigned char)*digits) &&
           end - digits <= NUMBER_BYTES_MAX &&
           !(digits[0] == '0' && isdigit((unsigned char)digits[1])) &&
           !*skip_signs(end);
}

static void add_answer(const struct task_gold *gold, struct cJSON *task)
{
    const struct action *last = &gold->steps[gold->count - 1].action;
    double number;

    if (last->kind != ACTION_ANSWER || !last->text)
        return;
    if (is_number(last->text, &number))
        json_add_number(task, "answer", number);
    else
        json_add_string(task, "answer", last->text);
}

static void add_validated(const struct trajectory *trajectory,
                          struct cJSON *task)
{
    time_t started = (time_t)(trajectory->head.started_ms / 1000);
    struct cJSON *validated;
    struct tm day;
    char date[16];

    if (!started || !gmtime_r(&started, &day) ||
        !strftime(date, sizeof(date), "%Y-%m-%d", &day))
        return;
    validated = json_add_object(task, "validated");
    json_add_string(validated, "date", date);
    json_add_opt_string(validated, "device", trajectory->head.phone);
}

static enum task_kind kind_of(const struct recording_task_options *options,
                              const struct recorded_way *way)
{
    if (options->kind >= 0)
        return (enum task_kind)options->kind;
    return task_draft_stars(&way->gold) > 1 ? TASK_PROCESS : TASK_STATE;
}

/* More than the default where the recording needs many steps. */
static void add_budget(const struct recording_task_options *options,
                       size_t recorded, struct cJSON *task)
{
    int64_t steps = options->steps;

    if (!steps && 2 * recorded > TASK_STEPS_DEFAULT)
        steps = (int64_t)(2 * recorded);
    if (steps)
        json_add_int(json_add_object(task, "budget"), "steps", steps);
}

struct cJSON *task_draft_make(const struct recording_task_options *options,
                              const struct recorded_way *way,
                              struct text_list *warnings)
{
    const struct trajectory *trajectory = &way->trajectory;
    struct cJSON *task = json_new_object();
    struct cJSON *need;
    size_t steps = way->gold.count;
    char *id = id_of(options, trajectory);
    char level[] = "L1";

    json_add_string(task, "id", id);
    free(id);
    add_apps(options, trajectory, task);
    json_add_string(task, "kind", task_kind_name(kind_of(options, way)));
    if (!add_instruction(options, trajectory, task))
        text_list_add(warnings,
                      "write the instruction: the recording has none");
    need = json_add_object(json_add_array(task, "needs"), NULL);
    json_add_string(need, "say", "it is done");
    add_answer(&way->gold, task);
    level[1] =
        (char)('0' + (options->level ? options->level : level_of(steps)));
    json_add_string(task, "level", level);
    add_budget(options, steps, task);
    add_validated(trajectory, task);
    cJSON_AddItemToObject(task, "gold", task_gold_to_json(&way->gold));
    return task;
}
