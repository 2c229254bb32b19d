#include "judge/evidence/episode_evidence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread_group.h"
#include "process_provider/describe/node_context.h"
#include "tasks/task/episode_task.h"

#define TREE_BYTES_MAX ((size_t)64 << 20)
#define SHEET_TOP 0.1 /* of the screen's height */

/* A tree file of the episode, and its parsed tree. */
struct episode_evidence_tree {
    const struct trajectory_file *file; /* borrowed */
    struct tree *tree;                  /* owned; NULL: it could not be read */
};

/* ---- trees ---- */

static struct tree *read_tree(struct episode_evidence *evidence,
                              const struct trajectory_file *file)
{
    struct tree *tree = mem_new(1, sizeof(*tree));
    struct buf content = BUF_INIT(TREE_BYTES_MAX);
    bool done =
        trajectory_read_file(&evidence->trajectory, file, &content,
                             &evidence->doubt) &&
        tree_read(tree, buf_cstr(&content), content.length, &evidence->doubt);

    buf_release(&content);
    if (done)
        return tree;
    tree_release(tree);
    free(tree);
    return NULL;
}

/* Equal trees share one file; usually it is the last one that was read. */
static const struct tree *tree_of_file(struct episode_evidence *evidence,
                                       const struct trajectory_file *file,
                                       size_t *nodes)
{
    struct episode_evidence_tree *entry;

    if (!file->file[0])
        return NULL;
    for (size_t i = evidence->tree_count; i > 0; i--) {
        if (!strcmp(evidence->trees[i - 1].file->file, file->file))
            return evidence->trees[i - 1].tree;
    }
    entry = &evidence->trees[evidence->tree_count++];
    entry->file = file;
    if (*nodes > EPISODE_EVIDENCE_NODES_MAX) {
        (void)err_set(&evidence->doubt, ERR_LIMIT, "more than %zu nodes",
                      EPISODE_EVIDENCE_NODES_MAX);
        return NULL;
    }
    entry->tree = read_tree(evidence, file);
    *nodes += entry->tree ? entry->tree->count : 0;
    return entry->tree;
}

/* The screens before each step, and after the last. */
static void find_trees(struct episode_evidence *evidence,
                       const struct tree **trees)
{
    const struct trajectory *trajectory = &evidence->trajectory;
    size_t nodes = 0;

    evidence->trees = mem_new(trajectory->count + 1, sizeof(*evidence->trees));
    for (size_t i = 0; i < trajectory->count; i++) {
        trees[i] = tree_of_file(evidence, &trajectory->steps[i].tree, &nodes);
        if (!trees[i])
            continue;
        if (!evidence->first)
            evidence->first = trees[i];
        evidence->last = trees[i];
    }
}

/* ---- steps ---- */

/* Only windows above the screen, such as a sheet, begin further down. */
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

/*
 * Find the touched element on the next screen: by its name, or by its position.
 */
static uint32_t find_after(struct episode_evidence_step *step)
{
    uint32_t node;
    struct node_label label;

    if (!step->has_control || !step->after)
        return TREE_NONE;
    node = screen_control_find(step->after, &step->control);
    if (node != TREE_NONE)
        return node;
    node = screen_control_place(step->after, &step->control);
    if (node == TREE_NONE)
        return node;
    node_label_of(step->after, node, &label);
    if (label.source != NODE_LABEL_NONE && label.source != NODE_LABEL_ID &&
        strcmp(label.name.text, step->control.name.text) != 0)
        step->became = label.name;
    return node;
}

/* The state on the next screen, or the state that the tap must have caused. */
static enum tri_state state_after(struct episode_evidence_step *step)
{
    uint32_t node = find_after(step);
    enum tri_state state;

    if (node != TREE_NONE) {
        state = screen_control_state(step->after, node);
        if (state == TRI_STATE_EITHER && step->what.selected)
            return TRI_STATE_NO;
        return state;
    }
    if (!step->what.toggles)
        return TRI_STATE_EITHER;
    return step->what.on ? TRI_STATE_YES : TRI_STATE_NO;
}

static void find_control(struct episode_evidence_step *step)
{
    if (!step->what.touches || step->what.target.kind == TAP_TARGET_NOTHING)
        return;
    step->has_control =
        screen_control_of(step->before, step->what.target.node, &step->control);
    step->on = state_after(step);
}

/* The pictures before and after a step; they are swapped at each step. */
struct evidence_screens {
    struct recorded_screen memory[2];
    struct recorded_screen *before;
    struct recorded_screen *after;
};

static void next_screens(struct evidence_screens *screens,
                         const struct trajectory *trajectory, size_t step)
{
    struct recorded_screen *before = screens->after;

    screens->after = screens->before;
    screens->before = before;
    recorded_screen_set(
        screens->after, trajectory,
        step < trajectory->count ? &trajectory->steps[step].screen : NULL);
}

static void describe(struct episode_evidence_step *step,
                     const struct evidence_screens *screens,
                     enum process_source source,
                     const struct picture_access *access)
{
    const struct step_view view = {
        .action = &step->step->action,
        .before = step->before,
        .after = step->after,
        .before_screen = screens->before,
        .after_screen = screens->after,
        .access = *access,
        .block = step->step->block,
        .blocked = step->step->blocked,
    };

    step_describe(&view, source, &step->what);
    step->description = mem_dup(step->what.line);
}

/* Steps that are described one after the other share their screens. */
#define STEPS_AT_ONCE 8

/* The steps that are still to be described, for all threads. */
struct describing {
    struct episode_evidence *evidence;
    const struct picture_access *access;
    pthread_mutex_t lock;
    size_t next; /* guarded by lock */
};

/* The first of the next steps to be described; the count if there is none. */
static size_t take_steps(struct describing *describing)
{
    size_t first;

    pthread_mutex_lock(&describing->lock);
    first = describing->next;
    if (first < describing->evidence->count)
        describing->next += STEPS_AT_ONCE;
    pthread_mutex_unlock(&describing->lock);
    return first < describing->evidence->count ? first
                                               : describing->evidence->count;
}

static void describe_some(struct describing *describing, size_t first,
                          struct evidence_screens *screens)
{
    struct episode_evidence *evidence = describing->evidence;
    const struct picture_access *access = describing->access;

    next_screens(screens, &evidence->trajectory, first);
    for (size_t i = first; i < evidence->count && i < first + STEPS_AT_ONCE &&
                           !cancel_fired(access->cancel);
         i++) {
        next_screens(screens, &evidence->trajectory, i + 1);
        describe(&evidence->steps[i], screens, evidence->source, access);
        find_control(&evidence->steps[i]);
        if (access->described)
            access->described(access->context);
    }
}

static void describe_until_done(void *context)
{
    struct describing *describing = context;
    struct evidence_screens screens = {
        .memory = {RECORDED_SCREEN_INIT, RECORDED_SCREEN_INIT}};
    size_t first;

    screens.before = &screens.memory[0];
    screens.after = &screens.memory[1];
    while ((first = take_steps(describing)) < describing->evidence->count)
        describe_some(describing, first, &screens);
    recorded_screen_release(&screens.memory[0]);
    recorded_screen_release(&screens.memory[1]);
}

/*
 * Set what is known of a step before it is described. *page is the last screen
 * that is no sheet.
 */
static void prepare_step(struct episode_evidence_step *step,
                         const struct trajectory_step *done,
                         const struct tree *before, const struct tree *after,
                         const struct tree **page)
{
    *step = (struct episode_evidence_step){
        .step = done, .before = before, .after = after};
    if (before && !is_sheet(before))
        *page = before;
    step->page = *page ? *page : before;
}

static void prepare_steps(struct episode_evidence *evidence,
                          const struct tree **trees)
{
    const struct trajectory *trajectory = &evidence->trajectory;
    const struct tree *page = NULL;

    for (size_t i = 0; i < trajectory->count && trajectory->steps[i].acted;
         i++) {
        bool more = i + 1 < trajectory->count;

        prepare_step(&evidence->steps[i], &trajectory->steps[i], trees[i],
                     more ? trees[i + 1] : NULL, &page);
        evidence->count++;
    }
}

static void describe_steps(struct episode_evidence *evidence,
                           const struct tree **trees,
                           const struct picture_access *access)
{
    struct describing describing = {.evidence = evidence,
                                    .access = access,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};

    prepare_steps(evidence, trees);
    if (access->threads > 1 && evidence->count > STEPS_AT_ONCE)
        thread_group_share(access->threads, describe_until_done, &describing);
    else
        describe_until_done(&describing);
    pthread_mutex_destroy(&describing.lock);
}

/* ---- the whole ---- */

bool episode_evidence_make(struct trajectory *trajectory, struct task *task,
                           enum process_source source,
                           const struct picture_access *access,
                           struct episode_evidence *evidence, struct err *err)
{
    const struct picture_access none = {.by = DEADLINE_NEVER};
    const struct tree **trees = mem_new(trajectory->count + 1, sizeof(*trees));
    struct episode_evidence made = {
        .trajectory = *trajectory, .task = *task, .source = source};

    made.steps = mem_new(made.trajectory.count + 1, sizeof(*made.steps));
    find_trees(&made, trees);
    describe_steps(&made, trees, access ? access : &none);
    free(trees);
    if (access && cancel_fired(access->cancel)) {
        episode_evidence_release(&made);
        return err_set(err, ERR_CANCELLED, "cancelled");
    }
    *evidence = made;
    return true;
}

bool episode_evidence_open(const char *folder, enum process_source source,
                           const struct picture_access *access,
                           struct episode_evidence *evidence, struct err *err)
{
    struct trajectory trajectory;
    struct task task;

    if (!trajectory_load(folder, &trajectory, err))
        return false;
    if (!episode_task_load(folder, &task, err)) {
        trajectory_release(&trajectory);
        return false;
    }
    return episode_evidence_make(&trajectory, &task, source, access, evidence,
                                 err);
}

void episode_evidence_release(struct episode_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++)
        free(evidence->steps[i].description);
    for (size_t i = 0; i < evidence->tree_count; i++) {
        if (evidence->trees[i].tree)
            tree_release(evidence->trees[i].tree);
        free(evidence->trees[i].tree);
    }
    free(evidence->trees);
    free(evidence->steps);
    trajectory_release(&evidence->trajectory);
    task_release(&evidence->task);
    *evidence = (struct episode_evidence){.count = 0};
}

/* ---- episodes that never happened ---- */

void episode_evidence_compose(const struct episode_evidence *base,
                              const struct composed_step *steps, size_t count,
                              const struct tree *last,
                              enum trajectory_ending ending,
                              struct episode_evidence *composed)
{
    const struct picture_access none = {.by = DEADLINE_NEVER};
    struct recorded_screen screen = RECORDED_SCREEN_INIT;
    const struct evidence_screens screens = {.before = &screen,
                                             .after = &screen};
    const struct tree *page = NULL;

    *composed = *base;
    composed->trajectory.ending = ending;
    composed->steps = mem_new(count + 1, sizeof(*composed->steps));
    composed->count = count;
    composed->trees = NULL;
    composed->tree_count = 0;
    composed->first = count ? steps[0].before : last;
    composed->last = last;
    for (size_t i = 0; i < count; i++) {
        prepare_step(&composed->steps[i], steps[i].step, steps[i].before,
                     i + 1 < count ? steps[i + 1].before : last, &page);
        describe(&composed->steps[i], &screens, base->source, &none);
        find_control(&composed->steps[i]);
    }
}

void episode_evidence_release_composed(struct episode_evidence *composed)
{
    for (size_t i = 0; i < composed->count; i++)
        free(composed->steps[i].description);
    free(composed->steps);
    *composed = (struct episode_evidence){.count = 0};
}

/* ---- what it says ---- */

bool episode_evidence_in_window(const struct episode_evidence_step *step)
{
    return step->what.touches && step->what.target.node != TREE_NONE &&
           (step->page != step->before ||
            node_context_is_dialog(step->before, step->what.target.node));
}

bool episode_evidence_submits(const struct episode_evidence *evidence,
                              size_t step)
{
    const struct action *action = &evidence->steps[step].step->action;

    if (action->kind != ACTION_TYPE)
        return false;
    return action->submit ||
           (step + 1 < evidence->count &&
            evidence->steps[step + 1].step->action.kind == ACTION_ENTER);
}

const char *episode_evidence_answer(const struct episode_evidence *evidence)
{
    for (size_t i = evidence->count; i > 0; i--) {
        const struct action *action = &evidence->steps[i - 1].step->action;

        if ((action->kind == ACTION_ANSWER ||
             action->kind == ACTION_COMPLETE) &&
            action->text && action->text[0])
            return action->text;
    }
    return NULL;
}

const char *episode_evidence_recorded(const struct episode_evidence *evidence,
                                      const char *name, bool last)
{
    const struct trajectory *trajectory = &evidence->trajectory;
    const char *value = NULL;

    for (size_t i = 0; i < trajectory->evidence_count; i++) {
        const struct trajectory_fact *fact = &trajectory->evidence[i];

        if (fact->before != last && !strcmp(fact->name, name))
            value = fact->value;
    }
    return value;
}
