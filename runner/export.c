#include "runner/export.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "base/csv.h"
#include "base/json_write.h"
#include "judge/verdict.h"
#include "process_provider/process.h"
#include "tasks/task.h"

/* ---- the table ---- */

static const char *const columns[] = {
    "run",          "task",          "repeat",        "attempt",
    "agent",        "phone",         "app",           "kind",
    "level",        "difficulty",    "category",      "instruction",
    "ending",       "reason",        "steps",         "duration_ms",
    "input_tokens", "cached_tokens", "output_tokens", "cost",
    "judge",        "outcome",       "failure",       "episode",
};

void export_csv_head(struct buf *text)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        if (i)
            buf_byte(text, ',');
        buf_text(text, columns[i]);
    }
    buf_byte(text, '\n');
}

void export_csv_row(const struct cJSON *row, struct buf *text)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        const struct cJSON *value =
            cJSON_GetObjectItemCaseSensitive(row, columns[i]);

        if (i)
            buf_byte(text, ',');
        if (cJSON_IsString(value))
            csv_text(text, value->valuestring);
        else if (value)
            json_format(value, text);
    }
    buf_byte(text, '\n');
}

static void add_text(struct cJSON *into, const char *key, const char *text)
{
    if (text)
        json_add_string(into, key, text);
}

static void add_task(struct cJSON *row, const char *folder)
{
    struct task task;
    struct err ignored;

    if (!task_load(folder, &task, &ignored))
        return;
    if (task.apps.count)
        json_add_string(row, "app", task.apps.items[0]);
    json_add_string(row, "kind", task_kind_name(task.kind));
    if (task.level)
        json_add_int(row, "level", task.level);
    json_add_string(row, "difficulty", task_difficulty_name(task.difficulty));
    add_text(row, "category", task.category);
    add_text(row, "instruction", phrasing_in(&task.instruction, "en"));
    task_release(&task);
}

/* May it stand in the row: does it come before, and is that judge meant? */
static bool is_chosen(const char *folder, const char *name, const char *first,
                      const char *judge, struct verdict *verdict)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct verdict read = VERDICT_INIT;
    struct err ignored;
    bool chosen;

    buf_printf(&path, "%s/%s", folder, name);
    chosen = (!first[0] || strcmp(name, first) < 0) &&
             verdict_load(buf_cstr(&path), &read, &ignored) &&
             (!judge || verdict_judge_is(read.judge, read.hash, judge));
    buf_release(&path);
    if (!chosen) {
        verdict_release(&read);
        return false;
    }
    verdict_release(verdict);
    *verdict = read;
    return true;
}

/* The verdict of that judge (NULL: any); of several the first by name. */
static bool find_verdict(const char *folder, const char *judge,
                         struct verdict *verdict)
{
    char first[NAME_MAX + 1] = "";
    struct dirent *entry;
    DIR *stream = opendir(folder);

    while (stream && (entry = readdir(stream))) {
        if (verdict_is_file_name(entry->d_name) &&
            is_chosen(folder, entry->d_name, first, judge, verdict))
            memcpy(first, entry->d_name, strlen(entry->d_name) + 1);
    }
    if (stream)
        closedir(stream);
    return first[0] != '\0';
}

static void add_verdict(struct cJSON *row, const char *folder,
                        const char *judge)
{
    struct verdict verdict = VERDICT_INIT;

    if (find_verdict(folder, judge, &verdict)) {
        json_add_string(row, "judge", verdict.judge);
        json_add_string(row, "outcome", outcome_name(verdict.outcome));
        if (verdict.failure.class_ != FAILURE_NONE)
            json_add_string(row, "failure",
                            failure_class_name(verdict.failure.class_));
    }
    verdict_release(&verdict);
}

struct cJSON *export_row(const char *run, const char *id, const char *judge,
                         const struct result *result)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct cJSON *row = result_to_json(result);

    json_add_string(row, "run", id);
    buf_printf(&folder, "%s/%s", run, result->episode);
    add_task(row, buf_cstr(&folder));
    add_verdict(row, buf_cstr(&folder), judge);
    buf_release(&folder);
    return row;
}

/* ---- AndroidControl ---- */

/* What AndroidControl and AndroidWorld call it. */
static const char *const types[ACTION_KINDS] = {
    [ACTION_CLICK] = "click",
    [ACTION_LONG_PRESS] = "long_press",
    [ACTION_DOUBLE_TAP] = "double_tap",
    [ACTION_SWIPE] = "scroll",
    [ACTION_DRAG] = "drag_and_drop",
    [ACTION_SCROLL] = "scroll",
    [ACTION_TYPE] = "input_text",
    [ACTION_ENTER] = "keyboard_enter",
    [ACTION_BACK] = "navigate_back",
    [ACTION_HOME] = "navigate_home",
    [ACTION_RECENTS] = "navigate_recents",
    [ACTION_OPEN_APP] = "open_app",
    [ACTION_WAIT] = "wait",
    [ACTION_ASK] = "ask",
    [ACTION_ANSWER] = "answer",
    [ACTION_COMPLETE] = "status",
    [ACTION_FAIL] = "status",
};

/* A finger that goes up scrolls down; AndroidControl says the latter. */
static enum action_direction scrolled(const struct action *action)
{
    static const enum action_direction opposite[ACTION_DIRECTIONS] = {
        [DIRECTION_UP] = DIRECTION_DOWN,
        [DIRECTION_DOWN] = DIRECTION_UP,
        [DIRECTION_LEFT] = DIRECTION_RIGHT,
        [DIRECTION_RIGHT] = DIRECTION_LEFT,
    };
    int x = action->to.x - action->from.x;
    int y = action->to.y - action->from.y;
    enum action_direction way = action->direction;

    if (action->kind == ACTION_SCROLL)
        return way;
    if (way == DIRECTION_NONE && action->has_from && action->has_to) {
        if ((x < 0 ? -x : x) > (y < 0 ? -y : y))
            way = x > 0 ? DIRECTION_RIGHT : DIRECTION_LEFT;
        else
            way = y > 0 ? DIRECTION_DOWN : DIRECTION_UP;
    }
    return opposite[way];
}

static void add_action(struct cJSON *actions, const struct action *action)
{
    struct cJSON *made = json_add_object(actions, NULL);

    json_add_string(made, "action_type", types[action->kind]);
    if (action->kind == ACTION_SWIPE || action->kind == ACTION_SCROLL) {
        json_add_string(made, "direction",
                        action_direction_name(scrolled(action)));
    } else if (action->has_from) {
        json_add_int(made, "x", action->from.x);
        json_add_int(made, "y", action->from.y);
    }
    if (action->kind == ACTION_DRAG && action->has_to) {
        json_add_int(made, "x2", action->to.x);
        json_add_int(made, "y2", action->to.y);
    }
    if (action->kind == ACTION_OPEN_APP)
        add_text(made, "app_name", action->text);
    else if (action->kind == ACTION_COMPLETE || action->kind == ACTION_FAIL)
        json_add_string(made, "goal_status",
                        action->kind == ACTION_COMPLETE ? "complete"
                                                        : "infeasible");
    else
        add_text(made, "text", action->text);
}

static void add_file(struct cJSON *files, const char *folder,
                     const struct trajectory_file *file)
{
    struct buf path = BUF_INIT(PATH_MAX);

    buf_printf(&path, "%s/%s", folder, file->file);
    if (file->file[0])
        json_add_string(files, NULL, buf_cstr(&path));
    else
        json_add_null(files, NULL);
    buf_release(&path);
}

static void add_steps(struct cJSON *line, const struct trajectory *read)
{
    struct cJSON *screens = json_add_array(line, "screenshots");
    struct cJSON *widths = json_add_array(line, "screenshot_widths");
    struct cJSON *heights = json_add_array(line, "screenshot_heights");
    struct cJSON *trees = json_add_array(line, "accessibility_trees");
    struct cJSON *actions = json_add_array(line, "actions");
    struct cJSON *words = json_add_array(line, "step_instructions");
    struct process process;

    for (size_t i = 0; i < read->count; i++) {
        add_file(screens, read->folder, &read->steps[i].screen);
        add_file(trees, read->folder, &read->steps[i].tree);
        json_add_int(widths, NULL, read->head.width);
        json_add_int(heights, NULL, read->head.height);
        if (read->steps[i].acted)
            add_action(actions, &read->steps[i].action);
    }
    process_make(read, PROCESS_CONVERTER, &process);
    for (size_t i = 0; i < process.count; i++)
        json_add_string(words, NULL, process.steps[i].words);
    process_release(&process);
}

bool export_androidcontrol(const char *folder, struct cJSON **line,
                           struct err *err)
{
    struct trajectory read;
    struct cJSON *made;

    if (!trajectory_load(folder, &read, err))
        return false;
    made = json_new_object();
    json_add_string(made, "episode_id", read.head.uuid);
    json_add_string(made, "goal",
                    read.head.instruction ? read.head.instruction : "");
    add_text(made, "task", read.head.task);
    add_text(made, "app", read.head.app);
    json_add_string(made, "ending", trajectory_ending_name(read.ending));
    add_steps(made, &read);
    trajectory_release(&read);
    *line = made;
    return true;
}
