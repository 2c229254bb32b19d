#include "runner/run/run_export.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "base/csv.h"
#include "base/json_write.h"
#include "judge/verdict/verdict.h"
#include "process_provider/summarize/episode_process.h"
#include "tasks/task/episode_task.h"
#include "tasks/task/task.h"

/* ---- the table ---- */

static const char *const columns[] = {
    "run",          "task",          "repeat",        "attempt",
    "agent",        "phone",         "app",           "kind",
    "level",        "difficulty",    "category",      "instruction",
    "ending",       "reason",        "steps",         "duration_ms",
    "input_tokens", "cached_tokens", "output_tokens", "cost",
    "judge",        "outcome",       "failure",       "episode",
};

void run_export_csv_header(struct buf *text)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        if (i)
            buf_byte(text, ',');
        buf_text(text, columns[i]);
    }
    buf_byte(text, '\n');
}

void run_export_csv_row(const struct cJSON *row, struct buf *text)
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

static void add_task(struct cJSON *row, const char *folder, struct err *damage)
{
    struct task task;

    if (!episode_task_load(folder, &task, damage))
        return;
    if (task.apps.count)
        json_add_string(row, "app", task.apps.items[0]);
    json_add_string(row, "kind", task_kind_name(task.kind));
    if (task.level)
        json_add_int(row, "level", task.level);
    json_add_string(row, "difficulty", task_difficulty_name(task.difficulty));
    json_add_opt_string(row, "category", task.category);
    json_add_opt_string(row, "instruction",
                        bilingual_text_in(&task.instruction, "en"));
    task_release(&task);
}

/* May it stand in the row: does it come before, and is that judge meant? */
static bool is_chosen(const char *folder, const char *name, const char *first,
                      const char *judge, struct verdict *verdict,
                      struct err *damage)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct verdict read = VERDICT_INIT;
    bool chosen;

    buf_printf(&path, "%s/%s", folder, name);
    chosen = (!first[0] || strcmp(name, first) < 0) &&
             verdict_load(buf_cstr(&path), &read, damage) &&
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
                         struct verdict *verdict, struct err *damage)
{
    char first[NAME_MAX + 1] = "";
    struct dirent *entry;
    DIR *stream = opendir(folder);

    while (stream && (entry = readdir(stream))) {
        if (verdict_is_file_name(entry->d_name) &&
            is_chosen(folder, entry->d_name, first, judge, verdict, damage))
            memcpy(first, entry->d_name, strlen(entry->d_name) + 1);
    }
    if (stream)
        closedir(stream);
    return first[0] != '\0';
}

static void add_verdict(struct cJSON *row, const char *folder,
                        const char *judge, struct err *damage)
{
    struct verdict verdict = VERDICT_INIT;

    if (find_verdict(folder, judge, &verdict, damage)) {
        json_add_string(row, "judge", verdict.judge);
        json_add_string(row, "outcome", outcome_name(verdict.outcome));
        if (verdict.failure.class_ != FAILURE_NONE)
            json_add_string(row, "failure",
                            failure_class_name(verdict.failure.class_));
    }
    verdict_release(&verdict);
}

struct cJSON *run_export_row(const char *run, const char *id, const char *judge,
                             const struct run_result *result,
                             struct err *damage)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct cJSON *row = run_result_to_json(result);

    *damage = (struct err)ERR_INIT;
    json_add_string(row, "run", id);
    buf_printf(&folder, "%s/%s", run, result->episode);
    add_task(row, buf_cstr(&folder), damage);
    add_verdict(row, buf_cstr(&folder), judge, damage);
    buf_release(&folder);
    return row;
}

/* ---- AndroidControl ---- */

/* The name in AndroidControl and AndroidWorld. */
static const char *const types[ACTION_KINDS] = {
    [ACTION_CLICK] = "click",
    [ACTION_LONG_PRESS] = "long_press",
    [ACTION_DOUBLE_TAP] = "double_tap",
    [ACTION_SWIPE] = "scroll",
    [ACTION_DRAG] = "drag_and_drop",
    [ACTION_SCROLL] = "scroll",
    [ACTION_TYPE] = "input_text",
    [ACTION_CLEAR] = "clear_text",
    [ACTION_ENTER] = "keyboard_enter",
    [ACTION_BACK] = "navigate_back",
    [ACTION_HOME] = "navigate_home",
    [ACTION_RECENTS] = "navigate_recents",
    [ACTION_PINCH] = "pinch",
    [ACTION_KEY] = "press_key",
    [ACTION_OPEN_APP] = "open_app",
    [ACTION_RAW] = "raw",
    [ACTION_WAIT] = "wait",
    [ACTION_ASK] = "ask",
    [ACTION_ANSWER] = "answer",
    [ACTION_COMPLETE] = "status",
    [ACTION_FAIL] = "status",
};

/*
 * AndroidControl has the direction of the content, which is opposite to that of
 * the finger.
 */
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
        json_add_opt_string(made, "app_name", action->text);
    else if (action->kind == ACTION_COMPLETE || action->kind == ACTION_FAIL)
        json_add_string(made, "goal_status",
                        action->kind == ACTION_COMPLETE ? "complete"
                                                        : "infeasible");
    else
        json_add_opt_string(made, "text", action->text);
    if (action->replace)
        json_add_bool(made, "clear_text", true);
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
    const struct picture_access no_pictures = {.by = DEADLINE_NEVER};
    struct episode_process process;

    for (size_t i = 0; i < read->count; i++) {
        add_file(screens, read->folder, &read->steps[i].screen);
        add_file(trees, read->folder, &read->steps[i].tree);
        json_add_int(widths, NULL, read->head.width);
        json_add_int(heights, NULL, read->head.height);
        if (read->steps[i].acted)
            add_action(actions, &read->steps[i].action);
    }
    episode_process_make(read, PROCESS_CONVERTER, &no_pictures, &process);
    for (size_t i = 0; i < process.count; i++)
        json_add_string(words, NULL, process.steps[i].description);
    episode_process_release(&process);
}

bool run_export_androidcontrol(const char *folder, struct cJSON **line,
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
    json_add_opt_string(made, "task", read.head.task);
    json_add_opt_string(made, "app", read.head.app);
    json_add_string(made, "ending", trajectory_ending_name(read.ending));
    add_steps(made, &read);
    trajectory_release(&read);
    *line = made;
    return true;
}
