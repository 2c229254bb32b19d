#include "tools/web/strip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "process_provider/process.h"
#include "tasks/jsonl.h"

/* Of a reply, as much as one reads in passing. */
#define REPLY_MAX 1500
#define TEXT_MAX 4000

/* ---- reading ---- */

static void set_words(struct strip *strip, int64_t step, const char *words)
{
    if (step < 0 || (uint64_t)step >= strip->word_count)
        return;
    free(strip->words[step]);
    strip->words[step] = mem_dup(words);
}

/* What was said before, and lies beside the events. */
static void load_words(struct strip *strip)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct jsonl_reader reader;
    struct json line;
    struct err ignored;

    buf_printf(&path, "%s/process.jsonl", strip->trajectory.folder);
    (void)!file_load_ordinary(buf_cstr(&path), &text, &ignored);
    reader = (struct jsonl_reader)JSONL_READER(text.data, text.length);
    while (jsonl_next(&reader, &line, &ignored) && line.value) {
        const char *words = NULL;
        int64_t step = -1;

        if (json_get_int(&line, "step", 0, INT_MAX, &step, &ignored) &&
            json_get_string(&line, "words", &words, &ignored))
            set_words(strip, step, words);
    }
    jsonl_reader_release(&reader);
    buf_release(&text);
    buf_release(&path);
}

void strip_load(struct strip *strip, const struct ledger_run *run,
                const struct ledger_entry *entry)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    *strip = (struct strip){.loaded = false};
    buf_printf(&folder, "%s/%s", run->folder, entry->folder);
    strip->loaded =
        trajectory_load(buf_cstr(&folder), &strip->trajectory, &strip->trouble);
    buf_release(&folder);
    if (!strip->loaded)
        return;
    strip->word_count = strip->trajectory.count;
    strip->words = mem_new(strip->word_count + 1, sizeof(char *));
    load_words(strip);
}

void strip_release(struct strip *strip)
{
    for (size_t i = 0; i < strip->word_count; i++)
        free(strip->words[i]);
    free(strip->words);
    if (strip->loaded)
        trajectory_release(&strip->trajectory);
    *strip = (struct strip){.loaded = false};
}

/* ---- showing ---- */

size_t strip_wants(const struct strip *strip, const struct thumbs *thumbs)
{
    size_t count = 0;

    for (size_t i = 0; strip->loaded && i < strip->trajectory.count; i++) {
        const struct trajectory_file *screen =
            &strip->trajectory.steps[i].screen;

        count +=
            *screen->file && thumbs_find(thumbs, screen->sha256) == THUMBS_NONE;
    }
    return count;
}

static bool has_words(const struct strip *strip)
{
    for (size_t i = 0; i < strip->word_count; i++) {
        if (strip->words[i])
            return true;
    }
    return false;
}

void strip_show(struct strip *strip, struct thumbs *thumbs)
{
    struct process process;

    if (!strip->loaded)
        return;
    strip->shown = true;
    for (size_t i = 0; i < strip->trajectory.count; i++)
        thumbs_add(thumbs, &strip->trajectory,
                   &strip->trajectory.steps[i].screen);
    if (has_words(strip))
        return;
    process_make(&strip->trajectory, PROCESS_CONVERTER, &process);
    for (size_t i = 0, said = 0;
         i < strip->trajectory.count && said < process.count; i++) {
        if (strip->trajectory.steps[i].acted)
            set_words(strip, (int64_t)i, process.steps[said++].words);
    }
    process_release(&process);
}

/* ---- as JSON: short names, as there are many ---- */

/* Cut where a character ends; what is cut says so. */
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

static void add_step(struct cJSON *steps, const struct strip *strip, size_t i,
                     const struct thumbs *thumbs)
{
    const struct trajectory_step *step = &strip->trajectory.steps[i];
    struct cJSON *object = json_add_object(steps, NULL);
    size_t thumb = thumbs_find(thumbs, step->screen.sha256);

    if (thumb != THUMBS_NONE && thumbs->items[thumb].jpeg.length)
        json_add_int(object, "p", (int64_t)thumb);
    if (step->acted)
        add_action(object, &step->action);
    add_cut(object, "w", strip->words[i], TEXT_MAX);
    add_cut(object, "b", step->blocked, TEXT_MAX);
    add_cut(object, "e", step->reply_error, TEXT_MAX);
    if (strip->shown)
        add_cut(object, "r", step->reply, REPLY_MAX);
}

static void add_verdict(struct cJSON *into, const struct verdict *verdict)
{
    struct cJSON *needs;

    add_cut(into, "why", verdict->reason, TEXT_MAX);
    if (verdict->failure.class_ != FAILURE_NONE)
        add_cut(into, "fail", verdict->failure.words, TEXT_MAX);
    if (verdict->failure.step >= 0)
        json_add_int(into, "at", verdict->failure.step);
    if (!verdict->need_count)
        return;
    needs = json_add_array(into, "needs");
    for (size_t i = 0; i < verdict->need_count; i++) {
        const struct verdict_need *need = &verdict->needs[i];
        struct cJSON *object = json_add_object(needs, NULL);

        add_cut(object, "n", need->say, TEXT_MAX);
        if (need->known)
            json_add_bool(object, "m", need->met);
        if (need->step >= 0)
            json_add_int(object, "s", need->step);
        add_cut(object, "w", need->why, TEXT_MAX);
    }
}

/* Is the reason of such an ending what the agent said? */
static bool is_by_agent(enum trajectory_ending ending)
{
    return ending == ENDING_ANSWER || ending == ENDING_COMPLETE ||
           ending == ENDING_FAIL;
}

struct cJSON *strip_json(const struct strip *strip,
                         const struct ledger_run *run,
                         const struct ledger_entry *entry,
                         const struct thumbs *thumbs)
{
    struct cJSON *object = json_new_object();
    struct buf path = BUF_INIT(PATH_MAX);
    struct cJSON *steps;

    buf_printf(&path, "%s/%s", run->folder, entry->folder);
    json_add_string(object, "path", buf_cstr(&path));
    buf_release(&path);
    add_cut(object, "ask", entry->instruction, TEXT_MAX);
    /* Why a success ended goes without saying. */
    if (entry->verdict.outcome != OUTCOME_SUCCESS)
        add_cut(object, is_by_agent(entry->ending) ? "said" : "end",
                entry->reason, TEXT_MAX);
    if (entry->judged)
        add_verdict(object, &entry->verdict);
    if (entry->damage || !strip->loaded)
        add_cut(object, "trouble",
                entry->damage ? entry->damage : strip->trouble.text, TEXT_MAX);
    if (!strip->loaded)
        return object;
    json_add_int(object, "W", strip->trajectory.head.width);
    json_add_int(object, "H", strip->trajectory.head.height);
    steps = json_add_array(object, "steps");
    for (size_t i = 0; i < strip->trajectory.count; i++)
        add_step(steps, strip, i, thumbs);
    return object;
}
