#include "tools/report_html/episode_data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "process_provider/summarize/episode_process.h"
#include "tasks/json/jsonl.h"

/* The length of a reply that is shown. */
#define REPLY_MAX 1500
#define TEXT_MAX 4000

/* ---- reading ---- */

static void set_description(struct episode_data *episode_data, int64_t step,
                            const char *description)
{
    if (step < 0 || (uint64_t)step >= episode_data->description_count)
        return;
    free(episode_data->descriptions[step]);
    episode_data->descriptions[step] = mem_dup(description);
}

/* The descriptions that the judge read. */
static void take_descriptions(struct episode_data *episode_data,
                              const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->process_count; i++)
        set_description(episode_data, (int64_t)i,
                        verdict->process[i].description);
}

/* The descriptions that `proctor process` wrote. */
static void load_descriptions(struct episode_data *episode_data)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct jsonl_reader reader;
    struct json line;
    struct err ignored;

    buf_printf(&path, "%s/process.jsonl", episode_data->trajectory.folder);
    (void)!file_load(buf_cstr(&path), &text, &ignored);
    reader = (struct jsonl_reader)JSONL_READER(text.data, text.length);
    while (jsonl_next(&reader, &line, &ignored) && line.value) {
        const char *description = NULL;
        int64_t step = -1;

        if (episode_process_read_line(&line, &step, &description, &ignored))
            set_description(episode_data, step, description);
    }
    jsonl_reader_release(&reader);
    buf_release(&text);
    buf_release(&path);
}

void episode_data_load(struct episode_data *episode_data,
                       const struct judged_run *run,
                       const struct judged_attempt *entry)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    *episode_data = (struct episode_data){.loaded = false};
    buf_printf(&folder, "%s/%s", run->folder, entry->folder);
    episode_data->loaded = trajectory_load(
        buf_cstr(&folder), &episode_data->trajectory, &episode_data->trouble);
    buf_release(&folder);
    if (!episode_data->loaded)
        return;
    episode_data->description_count = episode_data->trajectory.count;
    episode_data->descriptions =
        mem_new(episode_data->description_count + 1, sizeof(char *));
    if (entry->judged && entry->verdict.process_count)
        take_descriptions(episode_data, &entry->verdict);
    else
        load_descriptions(episode_data);
}

void episode_data_release(struct episode_data *episode_data)
{
    for (size_t i = 0; i < episode_data->description_count; i++)
        free(episode_data->descriptions[i]);
    free(episode_data->descriptions);
    if (episode_data->loaded)
        trajectory_release(&episode_data->trajectory);
    *episode_data = (struct episode_data){.loaded = false};
}

/* ---- showing ---- */

size_t episode_data_wants(const struct episode_data *episode_data,
                          const struct thumbnails *thumbnails)
{
    size_t count = 0;

    for (size_t i = 0;
         episode_data->loaded && i < episode_data->trajectory.count; i++) {
        const struct trajectory_file *screen =
            &episode_data->trajectory.steps[i].screen;

        count += *screen->file &&
                 thumbnails_find(thumbnails, screen->sha256) == THUMBNAILS_NONE;
    }
    return count;
}

static bool has_descriptions(const struct episode_data *episode_data)
{
    for (size_t i = 0; i < episode_data->description_count; i++) {
        if (episode_data->descriptions[i])
            return true;
    }
    return false;
}

void episode_data_show(struct episode_data *episode_data,
                       struct thumbnails *thumbnails)
{
    const struct picture_access no_pictures = {.by = DEADLINE_NEVER};
    struct episode_process process;

    if (!episode_data->loaded)
        return;
    episode_data->shown = true;
    for (size_t i = 0; i < episode_data->trajectory.count; i++)
        thumbnails_add(thumbnails, &episode_data->trajectory,
                       &episode_data->trajectory.steps[i].screen);
    if (has_descriptions(episode_data))
        return;
    episode_process_make(&episode_data->trajectory, PROCESS_OFFLINE,
                         &no_pictures, &process);
    for (size_t i = 0, described = 0;
         i < episode_data->trajectory.count && described < process.count; i++) {
        if (episode_data->trajectory.steps[i].acted)
            set_description(episode_data, (int64_t)i,
                            process.steps[described++].description);
    }
    episode_process_release(&process);
}

/* ---- as JSON: short names, as there are many ---- */

/* Cut between characters, and mark the cut. */
static void add_cut(struct cJSON *into, const char *key, const char *text,
                    size_t limit)
{
    size_t length = text ? strlen(text) : 0;
    struct buf cut = BUF_INIT(SIZE_MAX);

    if (!length)
        return;
    if (length > limit) {
        for (length = limit;
             length && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
        buf_append(&cut, text, length);
        buf_text(&cut, " …");
    } else {
        buf_text(&cut, text);
    }
    json_add_string(into, key, buf_cstr(&cut));
    buf_release(&cut);
}

static void add_action(struct cJSON *into, const struct action *action)
{
    json_add_string(into, "a", action_kind_name(action->kind));
    if (action->has_from) {
        json_add_int(into, "x", action->from.x);
        json_add_int(into, "y", action->from.y);
    }
    if (action->has_to) {
        json_add_int(into, "X", action->to.x);
        json_add_int(into, "Y", action->to.y);
    }
    if (action->direction != DIRECTION_NONE)
        json_add_string(into, "d", action_direction_name(action->direction));
    add_cut(into, "t", action->text, TEXT_MAX);
}

static void add_step(struct cJSON *steps,
                     const struct episode_data *episode_data, size_t i,
                     const struct thumbnails *thumbnails)
{
    const struct trajectory_step *step = &episode_data->trajectory.steps[i];
    struct cJSON *object = json_add_object(steps, NULL);
    size_t thumbnail = thumbnails_find(thumbnails, step->screen.sha256);

    if (thumbnail != THUMBNAILS_NONE &&
        thumbnails->items[thumbnail].jpeg.length)
        json_add_int(object, "p", (int64_t)thumbnail);
    if (step->acted)
        add_action(object, &step->action);
    add_cut(object, "w", episode_data->descriptions[i], TEXT_MAX);
    add_cut(object, "b", step->blocked, TEXT_MAX);
    add_cut(object, "e", step->reply_error, TEXT_MAX);
    if (episode_data->shown)
        add_cut(object, "r", step->reply, REPLY_MAX);
}

static void add_needs(struct cJSON *into, const char *name,
                      const struct verdict_need *needs, size_t count)
{
    struct cJSON *array;

    if (!count)
        return;
    array = json_add_array(into, name);
    for (size_t i = 0; i < count; i++) {
        struct cJSON *object = json_add_object(array, NULL);

        add_cut(object, "n", needs[i].say, TEXT_MAX);
        if (needs[i].known)
            json_add_bool(object, "m", needs[i].met);
        if (needs[i].step >= 0)
            json_add_int(object, "s", needs[i].step);
        add_cut(object, "w", needs[i].why, TEXT_MAX);
    }
}

static void add_verdict(struct cJSON *into, const struct verdict *verdict)
{
    add_cut(into, "why", verdict->reason, TEXT_MAX);
    if (verdict->failure.class_ != FAILURE_NONE)
        add_cut(into, "fail", verdict->failure.description, TEXT_MAX);
    if (verdict->failure.step >= 0)
        json_add_int(into, "at", verdict->failure.step);
    add_needs(into, "needs", verdict->needs, verdict->need_count);
    add_needs(into, "checklist", verdict->checklist, verdict->checklist_count);
}

/* Is the reason of such an ending the agent's own text? */
static bool is_by_agent(enum trajectory_ending ending)
{
    return ending == ENDING_ANSWER || ending == ENDING_COMPLETE ||
           ending == ENDING_FAIL;
}

struct cJSON *episode_data_json(const struct episode_data *episode_data,
                                const struct judged_run *run,
                                const struct judged_attempt *entry,
                                const struct thumbnails *thumbnails)
{
    struct cJSON *object = json_new_object();
    struct buf path = BUF_INIT(PATH_MAX);
    struct cJSON *steps;

    buf_printf(&path, "%s/%s", run->folder, entry->folder);
    json_add_string(object, "path", buf_cstr(&path));
    buf_release(&path);
    add_cut(object, "ask", entry->instruction, TEXT_MAX);
    /* The reason of a success is not shown. */
    if (entry->verdict.outcome != OUTCOME_SUCCESS)
        add_cut(object, is_by_agent(entry->ending) ? "said" : "end",
                entry->reason, TEXT_MAX);
    if (entry->judged)
        add_verdict(object, &entry->verdict);
    if (entry->damage || !episode_data->loaded)
        add_cut(object, "trouble",
                entry->damage ? entry->damage : episode_data->trouble.text,
                TEXT_MAX);
    if (!episode_data->loaded)
        return object;
    json_add_int(object, "W", episode_data->trajectory.head.width);
    json_add_int(object, "H", episode_data->trajectory.head.height);
    steps = json_add_array(object, "steps");
    for (size_t i = 0; i < episode_data->trajectory.count; i++)
        add_step(steps, episode_data, i, thumbnails);
    return object;
}
