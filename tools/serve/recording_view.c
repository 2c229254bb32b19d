#include "tools/serve/recording_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

#define HASH_SHOWN 12 /* characters, in the address of a picture */

void recording_view_init(struct recording_view *view)
{
    *view = (struct recording_view){.steps = NULL};
}

void recording_view_release(struct recording_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        free(view->steps[i].json);
        free(view->steps[i].description);
    }
    free(view->steps);
    recording_view_init(view);
}

void recording_view_forget_descriptions(struct recording_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        free(view->steps[i].description);
        view->steps[i].description = NULL;
        view->steps[i].final = false;
    }
}

/* ---- one step ---- */

/* What people call a node: its text, its description, its id. */
static const char *selector_text(const struct node_selector *selector)
{
    const struct text_list *const lists[] = {
        &selector->text, &selector->description, &selector->id};

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (lists[i]->count)
            return lists[i]->items[0];
    }
    return selector->role         ? selector->role
           : selector->class_name ? selector->class_name
                                  : "an element";
}

static void add_node(struct cJSON *array, const struct node_selector *selector)
{
    struct cJSON *node = json_add_object(array, NULL);

    json_add_string(node, "description", selector_text(selector));
    if (selector->has_point) {
        json_add_int(node, "x", selector->point.x);
        json_add_int(node, "y", selector->point.y);
    }
}

/* The answer is what was marked, as a whole. */
static void add_answer(struct cJSON *object, const struct recording_step *step)
{
    struct cJSON *answer = json_add_object(object, "answer");

    json_add_string(answer, "description", step->answer);
    if (step->answer_node && step->answer_node->has_point) {
        json_add_int(answer, "x", step->answer_node->point.x);
        json_add_int(answer, "y", step->answer_node->point.y);
    }
}

static void add_point(struct cJSON *object, const char *key,
                      struct action_point point)
{
    struct cJSON *array = json_add_array(object, key);

    json_add_int(array, NULL, point.x);
    json_add_int(array, NULL, point.y);
}

static void add_picture(struct cJSON *object, const char *name,
                        const struct trajectory_file *screen)
{
    struct buf url = BUF_INIT(256);

    if (!screen->file[0])
        return;
    buf_printf(&url, "recording/%s/%s?%.*s", name, screen->file, HASH_SHOWN,
               screen->sha256);
    json_add_string(object, "picture", buf_cstr(&url));
    buf_release(&url);
}

static void add_action(struct cJSON *object, const struct action *action)
{
    json_add_string(object, "action", action_kind_name(action->kind));
    if (action->has_from)
        add_point(object, "from", action->from);
    if (action->has_to)
        add_point(object, "to", action->to);
}

static void add_marks(struct cJSON *object, const struct recording_step *step)
{
    struct cJSON *evidence;

    json_add_bool(object, "starred", step->starred);
    json_add_bool(object, "deleted", step->deleted);
    json_add_bool(object, "undone", step->undone);
    json_add_bool(object, "trimmed", step->trimmed);
    json_add_opt_string(object, "note", step->note);
    json_add_opt_string(object, "flag", step->flag);
    if (step->wait_for)
        add_node(json_add_array(object, "waits"), step->wait_for);
    if (step->answer)
        add_answer(object, step);
    if (!step->evidence_count)
        return;
    evidence = json_add_array(object, "evidence");
    for (size_t i = 0; i < step->evidence_count; i++)
        add_node(evidence, step->evidence[i]);
}

static char *format_step(const struct recording *recording, size_t index,
                         const char *name, const char *description)
{
    const struct recording_step *step = &recording->steps[index];
    struct cJSON *object = json_new_object();
    struct buf text = BUF_INIT(SIZE_MAX);
    char *json;

    json_add_int(object, "step", (int64_t)index);
    json_add_string(object, "description", description);
    json_add_bool(object, "end", !step->step->acted);
    add_picture(object, name, &step->step->screen);
    if (step->step->acted)
        add_action(object, &step->step->action);
    add_marks(object, step);
    json_format(object, &text);
    cJSON_Delete(object);
    json = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return json;
}

/* ---- all of them ---- */

/* The screen after it may say more, and less when it was undone: then its
   description is made again. */
static const char *description_of(struct shown_step *shown,
                                  const struct recording *recording,
                                  size_t index)
{
    const bool final = index + 1 < recording->count;
    const bool undone = recording->steps[index].undone;

    if (!recording->steps[index].step->acted)
        return "the screen at the end";
    if (!shown->description || (final && !shown->final) ||
        undone != shown->undone) {
        free(shown->description);
        shown->description = recording_describe(recording, index);
        shown->final = final;
        shown->undone = undone;
    }
    return shown->description;
}

static bool show_step(struct recording_view *view,
                      const struct recording *recording, size_t index,
                      const char *name)
{
    struct shown_step *shown = &view->steps[index];
    char *json = format_step(recording, index, name,
                             description_of(shown, recording, index));

    if (shown->json && !strcmp(shown->json, json)) {
        free(json);
        return false;
    }
    free(shown->json);
    shown->json = json;
    shown->revision = view->revision + 1;
    return true;
}

static void make_room(struct recording_view *view, size_t count)
{
    if (count <= view->count)
        return;
    view->steps = mem_resize(view->steps, count, sizeof(view->steps[0]));
    memset(view->steps + view->count, 0,
           (count - view->count) * sizeof(view->steps[0]));
    view->count = count;
}

/* It has become shorter, so it is another one. */
static void start_again(struct recording_view *view)
{
    const uint64_t revision = view->revision;

    recording_view_release(view);
    view->revision = revision;
    view->begun = revision + 1;
}

bool recording_view_read(struct recording_view *view, const char *folder,
                         const char *name, bool *changed, struct err *err)
{
    struct recording recording;
    bool finished;

    if (!recording_load(folder, &recording, err))
        return false;
    finished = recording.trajectory.ending != ENDING_NONE;
    *changed = finished != view->finished || recording.count < view->count;
    if (recording.count < view->count)
        start_again(view);
    view->finished = finished;
    make_room(view, recording.count);
    for (size_t i = 0; i < recording.count; i++)
        *changed = show_step(view, &recording, i, name) || *changed;
    if (*changed)
        view->revision++;
    recording_release(&recording);
    return true;
}

uint64_t recording_view_since(const struct recording_view *view, uint64_t seen)
{
    return seen < view->begun ? 0 : seen;
}

void recording_view_write(const struct recording_view *view, uint64_t since,
                          struct buf *json)
{
    bool first = true;

    for (size_t i = 0; i < view->count; i++) {
        if (view->steps[i].revision <= since)
            continue;
        if (!first)
            buf_byte(json, ',');
        buf_text(json, view->steps[i].json);
        first = false;
    }
}
