#include "judge/dossier.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/recorded_screen.h"
#include "process_provider/summarize_offline.h"

#define TREE_BYTES_MAX ((size_t)64 << 20)
#define SHEET_TOP 0.1 /* of the screen's height */

/* A file of the episode, and what it says. */
struct dossier_tree {
    const struct trajectory_file *file; /* borrowed */
    struct tree *tree;                  /* owned; NULL: it could not be read */
};

/* ---- trees ---- */

static struct tree *read_tree(struct dossier *dossier,
                              const struct trajectory_file *file)
{
    struct tree *tree = mem_new(1, sizeof(*tree));
    struct buf content = BUF_INIT(TREE_BYTES_MAX);
    bool done =
        trajectory_read_file(&dossier->trajectory, file, &content,
                             &dossier->doubt) &&
        tree_read(tree, buf_cstr(&content), content.length, &dossier->doubt);

    buf_release(&content);
    if (done)
        return tree;
    tree_release(tree);
    free(tree);
    return NULL;
}

/* Equal trees are one file; the one that is looked for is mostly the last. */
static const struct tree *tree_of_file(struct dossier *dossier,
                                       const struct trajectory_file *file,
                                       size_t *nodes)
{
    struct dossier_tree *entry;

    if (!file->file[0])
        return NULL;
    for (size_t i = dossier->tree_count; i > 0; i--) {
        if (!strcmp(dossier->trees[i - 1].file->file, file->file))
            return dossier->trees[i - 1].tree;
    }
    entry = &dossier->trees[dossier->tree_count++];
    entry->file = file;
    if (*nodes > DOSSIER_NODES_MAX) {
        (void)err_set(&dossier->doubt, ERR_LIMIT, "more than %zu nodes",
                      DOSSIER_NODES_MAX);
        return NULL;
    }
    entry->tree = read_tree(dossier, file);
    *nodes += entry->tree ? entry->tree->count : 0;
    return entry->tree;
}

/* The screen before each step, and after the last. */
static void find_trees(struct dossier *dossier, const struct tree **sights)
{
    const struct trajectory *trajectory = &dossier->trajectory;
    size_t nodes = 0;

    dossier->trees = mem_new(trajectory->count + 1, sizeof(*dossier->trees));
    for (size_t i = 0; i < trajectory->count; i++) {
        sights[i] = tree_of_file(dossier, &trajectory->steps[i].tree, &nodes);
        if (!sights[i])
            continue;
        if (!dossier->first)
            dossier->first = sights[i];
        dossier->last = sights[i];
    }
}

/* ---- steps ---- */

/* Only a window above the screen, such as a sheet, begins further down. */
static bool is_sheet(const struct tree *tree)
{
    struct tree_rect screen = tree_screen(tree);

    for (uint32_t i = 0; i < tree->count; i = tree->nodes[i].end) {
        const struct tree_rect *root = &tree->nodes[i].bounds;

        if (rect_area(root) && root->top <= SHEET_TOP * screen.bottom)
            return false;
    }
    return true;
}

static bool is_touch(const struct action *action)
{
    return (action->kind == ACTION_CLICK || action->kind == ACTION_LONG_PRESS ||
            action->kind == ACTION_DOUBLE_TAP) &&
           action->has_from;
}

/* What was touched, on the next screen: by its name, or in its place. */
static uint32_t find_after(struct dossier_step *step)
{
    uint32_t node;
    struct label label;

    if (!step->has_control || !step->after)
        return TREE_NONE;
    node = control_find(step->after, &step->control);
    if (node != TREE_NONE)
        return node;
    node = control_place(step->after, &step->control);
    if (node == TREE_NONE)
        return node;
    label_node(step->after, node, &label);
    if (label.source != LABEL_NONE && label.source != LABEL_ID)
        step->became = label.name;
    return node;
}

/* The state that the next screen shows, or that the tap must have led to. */
static enum check_state state_after(struct dossier_step *step)
{
    uint32_t node = find_after(step);
    enum check_state state;

    if (node != TREE_NONE) {
        state = control_state(step->after, node);
        if (state == CHECK_EITHER && step->what.selected)
            return CHECK_NO;
        return state;
    }
    if (!step->what.toggles)
        return CHECK_EITHER;
    return step->what.on ? CHECK_YES : CHECK_NO;
}

static void look_at_touch(struct dossier_step *step)
{
    const struct action *action = &step->step->action;
    const struct scene scene = {.tree = step->before};

    if (!step->before || !is_touch(action))
        return;
    step->touches = true;
    describe_tap(&scene, action->from.x, action->from.y, &step->what);
    if (step->what.target.kind == TARGET_NOTHING)
        return;
    step->has_control =
        control_of(step->before, step->what.target.node, &step->control);
    step->on = state_after(step);
}

/* Equal pictures are one file, so that this needs none of them. */
static void summarize(const struct dossier_step *step,
                      const struct scene *before,
                      const struct trajectory_step *next, char *words)
{
    const struct screendiff nothing = {.pixels_changed = 0};
    const struct trajectory_file *screen = &step->step->screen;
    bool same =
        next && screen->file[0] && !strcmp(screen->file, next->screen.file);
    const struct summarize_view view = {
        .action = &step->step->action,
        .before = *before,
        .after = step->after,
        .pixels = same ? &nothing : NULL,
    };

    summarize_offline(&view, words);
}

static void find_words(const struct dossier_step *step,
                       const struct trajectory_step *next,
                       enum process_source source,
                       struct recorded_screen *screen, char *words)
{
    const struct scene before = {.tree = step->before,
                                 .picture = recorded_screen_picture,
                                 .from = screen};

    if (source == PROCESS_OFFLINE)
        summarize(step, &before, next, words);
    else
        process_say_act(source, &before, &step->step->action, words);
}

static void look_at_steps(struct dossier *dossier, const struct tree **sights)
{
    const struct trajectory *trajectory = &dossier->trajectory;
    struct recorded_screen screen = RECORDED_SCREEN_INIT;
    const struct tree *page = NULL;

    for (size_t i = 0; i < trajectory->count; i++) {
        bool more = i + 1 < trajectory->count;
        struct dossier_step *step = &dossier->steps[dossier->count];
        char words[DESCRIPTION_MAX];

        if (!trajectory->steps[i].acted)
            break;
        *step = (struct dossier_step){.step = &trajectory->steps[i],
                                      .before = sights[i],
                                      .after = more ? sights[i + 1] : NULL};
        if (step->before && !is_sheet(step->before))
            page = step->before;
        step->page = page ? page : step->before;
        look_at_touch(step);
        recorded_screen_set(&screen, trajectory, &step->step->screen);
        find_words(step, more ? &trajectory->steps[i + 1] : NULL,
                   dossier->source, &screen, words);
        step->words = mem_dup(words);
        dossier->count++;
    }
    recorded_screen_release(&screen);
}

/* ---- the whole ---- */

void dossier_make(struct trajectory *trajectory, struct task *task,
                  enum process_source source, struct dossier *dossier)
{
    const struct tree **sights =
        mem_new(trajectory->count + 1, sizeof(*sights));

    *dossier = (struct dossier){
        .trajectory = *trajectory, .task = *task, .source = source};
    *trajectory = (struct trajectory){.ending = ENDING_NONE};
    *task = (struct task){.id = NULL};
    dossier->steps =
        mem_new(dossier->trajectory.count + 1, sizeof(*dossier->steps));
    find_trees(dossier, sights);
    look_at_steps(dossier, sights);
    free(sights);
}

bool dossier_open(const char *folder, enum process_source source,
                  struct dossier *dossier, struct err *err)
{
    struct trajectory trajectory;
    struct task task;

    if (!trajectory_load(folder, &trajectory, err))
        return false;
    if (!task_load(folder, &task, err)) {
        trajectory_release(&trajectory);
        return false;
    }
    dossier_make(&trajectory, &task, source, dossier);
    return true;
}

void dossier_release(struct dossier *dossier)
{
    for (size_t i = 0; i < dossier->count; i++)
        free(dossier->steps[i].words);
    for (size_t i = 0; i < dossier->tree_count; i++) {
        if (dossier->trees[i].tree)
            tree_release(dossier->trees[i].tree);
        free(dossier->trees[i].tree);
    }
    free(dossier->trees);
    free(dossier->steps);
    trajectory_release(&dossier->trajectory);
    task_release(&dossier->task);
    *dossier = (struct dossier){.count = 0};
}

const char *dossier_answer(const struct dossier *dossier)
{
    for (size_t i = dossier->count; i > 0; i--) {
        const struct action *action = &dossier->steps[i - 1].step->action;

        if ((action->kind == ACTION_ANSWER ||
             action->kind == ACTION_COMPLETE) &&
            action->text && action->text[0])
            return action->text;
    }
    return NULL;
}

const char *dossier_evidence(const struct dossier *dossier, const char *name,
                             bool last)
{
    const struct trajectory *trajectory = &dossier->trajectory;
    const char *value = NULL;

    for (size_t i = 0; i < trajectory->evidence_count; i++) {
        const struct trajectory_fact *fact = &trajectory->evidence[i];

        if (fact->before != last && !strcmp(fact->name, name))
            value = fact->value;
    }
    return value;
}
