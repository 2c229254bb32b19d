#include "judge/gold/twins.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/gold/twin_screen.h"
#include "process_provider/diff/tree_diff.h"

const char *twin_kind_name(enum twin_kind kind)
{
    static const char *const names[TWIN_KINDS] = {
        [TWIN_LEFT_OUT] = "left_out",
        [TWIN_OTHER_TARGET] = "other_target",
        [TWIN_UNDONE] = "undone",
        [TWIN_STOPPED_EARLY] = "stopped_early",
    };

    return names[kind];
}

/* ---- a twin under construction ---- */

enum twin_change_kind {
    TWIN_SAME,
    TWIN_REVERT,   /* the difference between two screens is missing */
    TWIN_EXCHANGE, /* two elements of a screen have changed places */
    TWIN_REPLACE,  /* one text is another */
};

/* How the screens after the mistake differ from the recorded ones. */
struct twin_change {
    enum twin_change_kind kind;
    const struct tree *before; /* of REVERT and EXCHANGE */
    const struct tree *after;  /* of REVERT */
    uint32_t one;              /* of EXCHANGE */
    uint32_t other;
    size_t known;     /* screens up to which numbers are known; 0: all */
    const char *text; /* of REPLACE */
    const char *with;
};

struct twin_draft {
    const struct episode_evidence *recording;
    const struct key_steps *key_steps;
    struct twin twin;
    struct composed_step *parts; /* owned */
    size_t count;
    const struct tree *screen; /* the current one */
    const struct tree **known; /* owned; the recorded screens */
    struct twin_change change;
    bool free_targets; /* later targets need not be on the screen */
};

static const struct episode_evidence_step *step_of(
    const struct twin_draft *draft, size_t key_step)
{
    return &draft->recording->steps[draft->key_steps->items[key_step].step];
}

static struct twin_draft draft_of(const struct episode_evidence *recording,
                                  const struct key_steps *key_steps,
                                  enum twin_kind kind, size_t key_step)
{
    struct twin_draft draft = {
        .recording = recording,
        .key_steps = key_steps,
        .twin = {.kind = kind, .key_step = key_step},
        .parts = mem_new(recording->count + 3, sizeof(*draft.parts)),
        .known = mem_new(recording->count + 1, sizeof(*draft.known)),
    };

    for (size_t i = 0; i < recording->count; i++)
        draft.known[i] = recording->steps[i].before;
    return draft;
}

static struct tree *own_tree(struct twin_draft *draft, const struct tree *tree)
{
    struct twin *twin = &draft->twin;

    twin->trees =
        mem_resize(twin->trees, twin->tree_count + 1, sizeof(*twin->trees));
    return twin->trees[twin->tree_count++] = twin_screen_copy(tree);
}

/* Its texts are borrowed. */
static struct trajectory_step *own_step(struct twin_draft *draft,
                                        const struct trajectory_step *step)
{
    struct twin *twin = &draft->twin;
    struct trajectory_step *copy = mem_new(1, sizeof(*copy));

    *copy = *step;
    twin->steps =
        mem_resize(twin->steps, twin->step_count + 1, sizeof(*twin->steps));
    twin->steps[twin->step_count++] = copy;
    return copy;
}

static char *own_text(struct twin_draft *draft, const char *text)
{
    text_list_add(&draft->twin.texts, text);
    return draft->twin.texts.items[draft->twin.texts.count - 1];
}

static void add(struct twin_draft *draft, const struct trajectory_step *step)
{
    draft->parts[draft->count++] =
        (struct composed_step){.step = step, .before = draft->screen};
}

/* The recorded screen as it would be after the mistake. */
static const struct tree *changed(struct twin_draft *draft,
                                  const struct tree *tree)
{
    const struct twin_change *change = &draft->change;
    struct tree *copy;

    if (!tree || change->kind == TWIN_SAME)
        return tree;
    copy = own_tree(draft, tree);
    if (change->kind == TWIN_REVERT)
        twin_screen_revert(copy, change->before, change->after);
    else if (change->kind == TWIN_EXCHANGE)
        twin_screen_exchange(copy, change->before, change->one, change->other);
    else
        twin_screen_replace(copy, change->text, change->with);
    if (change->after)
        twin_screen_stall(copy, change->before, change->after);
    if (change->known)
        twin_screen_renumber(copy, draft->known, change->known,
                             &draft->twin.texts);
    return copy;
}

/* ---- following the recording ---- */

static void follow_until(struct twin_draft *draft, size_t end)
{
    for (size_t i = 0; i < end; i++) {
        draft->screen = draft->recording->steps[i].before;
        add(draft, draft->recording->steps[i].step);
    }
    draft->screen = end < draft->recording->count
                        ? draft->recording->steps[end].before
                        : draft->recording->last;
}

/* Actions that work on any screen. */
static bool works_anywhere(enum action_kind kind)
{
    switch (kind) {
    case ACTION_HOME:
    case ACTION_RECENTS:
    case ACTION_KEY:
    case ACTION_OPEN_APP:
    case ACTION_WAIT:
    case ACTION_ASK:
    case ACTION_ANSWER:
    case ACTION_COMPLETE:
    case ACTION_FAIL:
    case ACTION_RAW:
        return true;
    case ACTION_CLICK:
    case ACTION_LONG_PRESS:
    case ACTION_DOUBLE_TAP:
    case ACTION_SWIPE:
    case ACTION_DRAG:
    case ACTION_SCROLL:
    case ACTION_TYPE:
    case ACTION_CLEAR:
    case ACTION_ENTER:
    case ACTION_BACK:
    case ACTION_PINCH:
    case ACTION_KINDS:
        break;
    }
    return false;
}

static struct action_point middle_of(const struct tree_rect *rect)
{
    return (struct action_point){.x = (rect->left + rect->right) / 2,
                                 .y = (rect->top + rect->bottom) / 2};
}

/* The step on the current screen, where its target may have moved; NULL. */
static const struct trajectory_step *possible(
    struct twin_draft *draft, const struct episode_evidence_step *step)
{
    const struct tree *screen = draft->screen;
    struct trajectory_step *moved;
    uint32_t node;

    if (draft->free_targets || works_anywhere(step->step->action.kind))
        return step->step;
    if (!screen || !step->before)
        return NULL;
    if (!step->has_control)
        return screen == step->before ||
                       screen_control_same_page(screen, step->before)
                   ? step->step
                   : NULL;
    node = screen_control_find(screen, &step->control);
    if (node == TREE_NONE)
        return NULL;
    if (rect_holds(&screen->nodes[node].bounds, step->step->action.from.x,
                   step->step->action.from.y))
        return step->step;
    moved = own_step(draft, step->step);
    moved->action.from = middle_of(&screen->nodes[node].bounds);
    return moved;
}

/* The remaining steps, as far as they are possible. */
static void follow_from(struct twin_draft *draft, size_t from)
{
    for (size_t i = from; i < draft->recording->count; i++) {
        const struct episode_evidence_step *step = &draft->recording->steps[i];
        const struct trajectory_step *done = possible(draft, step);

        if (!done)
            continue;
        add(draft, done);
        if (step->after)
            draft->screen = changed(draft, step->after);
    }
}

static void complete(struct twin_draft *draft)
{
    static const struct trajectory_step ending = {
        .seen = true, .acted = true, .action = {.kind = ACTION_COMPLETE}};

    add(draft, &ending);
}

static bool is_ending(const struct trajectory_step *step)
{
    return step->action.kind == ACTION_COMPLETE ||
           step->action.kind == ACTION_ANSWER;
}

/* Take the draft over into the twins. */
static void finish(struct twin_draft *draft, struct buf *description,
                   struct twins *twins)
{
    struct twin *twin;
    bool answers;

    if (!draft->count || !is_ending(draft->parts[draft->count - 1].step))
        complete(draft);
    answers = draft->parts[draft->count - 1].step->action.kind == ACTION_ANSWER;
    twins->items =
        mem_resize(twins->items, twins->count + 1, sizeof(*twins->items));
    twin = &twins->items[twins->count++];
    *twin = draft->twin;
    twin->description = mem_dup(buf_cstr(description));
    episode_evidence_compose(
        draft->recording, draft->parts, draft->count, draft->screen,
        answers ? ENDING_ANSWER : ENDING_COMPLETE, &twin->evidence);
    free(draft->known);
    free(draft->parts);
    buf_release(description);
}

static void drop(struct twin_draft *draft)
{
    struct twins one = {.items = mem_new(1, sizeof(*one.items)), .count = 1};

    one.items[0] = draft->twin;
    free(draft->known);
    free(draft->parts);
    twins_release(&one);
}

static struct buf describe(const struct twin_draft *draft, const char *what)
{
    struct buf text = BUF_INIT(DESCRIPTION_MAX + 64);

    buf_printf(&text, "%s: %s", what,
               step_of(draft, draft->twin.key_step)->what.text);
    return text;
}

/* ---- left out ---- */

/* The steps since the last key step only led to this one. */
static size_t lead_of(const struct key_steps *key_steps, size_t key_step)
{
    return key_step ? key_steps->items[key_step - 1].step + 1 : 0;
}

static void leave_out(const struct episode_evidence *recording,
                      const struct key_steps *key_steps, size_t key_step,
                      size_t first, struct twins *twins)
{
    struct twin_draft draft =
        draft_of(recording, key_steps, TWIN_LEFT_OUT, key_step);
    size_t step = key_steps->items[key_step].step;
    const struct tree *before = recording->steps[first].before;
    const struct tree *after = recording->steps[step].after;
    struct buf text =
        describe(&draft, first < step ? "left out with its way" : "left out");

    follow_until(&draft, first);
    if (before && after && screen_control_same_page(before, after))
        draft.change = (struct twin_change){
            .kind = TWIN_REVERT, .before = before, .after = after};
    follow_from(&draft, step + 1);
    finish(&draft, &text, twins);
}

static void add_left_out(const struct episode_evidence *recording,
                         const struct key_steps *key_steps, size_t key_step,
                         struct twins *twins)
{
    size_t step = key_steps->items[key_step].step;
    size_t lead = lead_of(key_steps, key_step);

    leave_out(recording, key_steps, key_step, step, twins);
    if (lead < step)
        leave_out(recording, key_steps, key_step, lead, twins);
}

/* ---- another target ---- */

static void add_other_text(const struct episode_evidence *recording,
                           const struct key_steps *key_steps, size_t key_step,
                           struct twins *twins)
{
    struct twin_draft draft =
        draft_of(recording, key_steps, TWIN_OTHER_TARGET, key_step);
    size_t at = key_steps->items[key_step].step;
    const struct episode_evidence_step *step = &recording->steps[at];
    struct trajectory_step *typed;
    struct buf other = BUF_INIT(ACTION_TEXT_MAX);
    struct buf text = BUF_INIT(DESCRIPTION_MAX + 64);

    twin_screen_other_text(step->step->action.text, &other);
    follow_until(&draft, at);
    typed = own_step(&draft, step->step);
    typed->action.text = own_text(&draft, buf_cstr(&other));
    add(&draft, typed);
    draft.change = (struct twin_change){.kind = TWIN_REPLACE,
                                        .text = step->step->action.text,
                                        .with = typed->action.text};
    draft.free_targets = true;
    draft.screen = step->after ? changed(&draft, step->after) : draft.screen;
    follow_from(&draft, at + 1);
    buf_printf(&text, "'%.80s' instead: %s", buf_cstr(&other), step->what.text);
    buf_release(&other);
    finish(&draft, &text, twins);
}

static void add_other_node(const struct episode_evidence *recording,
                           const struct key_steps *key_steps, size_t key_step,
                           struct twins *twins)
{
    struct twin_draft draft =
        draft_of(recording, key_steps, TWIN_OTHER_TARGET, key_step);
    size_t at = key_steps->items[key_step].step;
    const struct episode_evidence_step *step = &recording->steps[at];
    uint32_t other = twin_screen_other(step->before, step->what.target.node);
    struct trajectory_step *touch;
    struct buf text = BUF_INIT(DESCRIPTION_MAX + 64);
    struct node_label label;

    if (other == TREE_NONE) {
        drop(&draft);
        return;
    }
    follow_until(&draft, at);
    touch = own_step(&draft, step->step);
    touch->action.from = middle_of(&step->before->nodes[other].bounds);
    add(&draft, touch);
    draft.change = (struct twin_change){.kind = TWIN_EXCHANGE,
                                        .before = step->before,
                                        .one = step->what.target.node,
                                        .other = other};
    if (step->after && screen_control_same_page(step->before, step->after))
        draft.change.after = step->after;
    else
        draft.change.known = at + 1;
    draft.free_targets = true;
    draft.screen = step->after ? changed(&draft, step->after) : draft.screen;
    follow_from(&draft, at + 1);
    node_label_of(step->before, other, &label);
    buf_printf(&text, "'%.80s' instead: %s", label.name.text, step->what.text);
    finish(&draft, &text, twins);
}

static void add_other_target(const struct episode_evidence *recording,
                             const struct key_steps *key_steps, size_t key_step,
                             struct twins *twins)
{
    const struct episode_evidence_step *step =
        &recording->steps[key_steps->items[key_step].step];
    const struct action *action = &step->step->action;

    if (step->has_control && action_is_tap(action->kind))
        add_other_node(recording, key_steps, key_step, twins);
    else if ((action->kind == ACTION_TYPE || action->kind == ACTION_ANSWER) &&
             action->text && action->text[0])
        add_other_text(recording, key_steps, key_step, twins);
}

/* ---- undone ---- */

/* Does a later key step touch the same control? Then that is its undoing. */
static bool is_touched_again(const struct twin_draft *draft, size_t key_step)
{
    const struct episode_evidence_step *step = step_of(draft, key_step);

    for (size_t i = key_step + 1; i < draft->key_steps->count; i++) {
        const struct episode_evidence_step *later = step_of(draft, i);

        if (later->has_control &&
            !strcmp(later->control.id, step->control.id) &&
            !strcmp(later->control.screen.text, step->control.screen.text) &&
            !strcmp(later->control.row.text, step->control.row.text) &&
            (!strcmp(later->control.name.text, step->control.name.text) ||
             !strcmp(later->control.name.text, step->became.text)))
            return true;
    }
    return false;
}

/* The option of the same list that was chosen before; TREE_NONE: none. */
static uint32_t chosen_before(const struct episode_evidence_step *step)
{
    struct tree_diff diff = TREE_DIFF_INIT;
    uint32_t found = TREE_NONE;

    tree_diff(step->before, step->after, &diff);
    for (size_t i = 0; i < diff.count && found == TREE_NONE; i++) {
        const struct tree_change *change = &diff.changes[i];

        if ((change->kind == CHANGE_SELECTED ||
             change->kind == CHANGE_CHECKED) &&
            change->after != TREE_NONE && change->before != TREE_NONE &&
            screen_control_state(step->before, change->before) ==
                TRI_STATE_YES &&
            screen_control_state(step->after, change->after) != TRI_STATE_YES)
            found = change->after;
    }
    tree_diff_release(&diff);
    return found;
}

/* What to tap right after the step, to take it back; TREE_NONE: nothing. */
static uint32_t taken_back_by(const struct episode_evidence_step *step)
{
    uint32_t node;

    if (!step->has_control || !step->before || !step->after ||
        !screen_control_same_page(step->before, step->after))
        return TREE_NONE;
    if (step->became.text[0])
        return screen_control_place(step->after, &step->control);
    if (step->on == TRI_STATE_EITHER)
        return TREE_NONE;
    node = chosen_before(step);
    if (step->on == TRI_STATE_YES && node != TREE_NONE)
        return node;
    return step->control.checkable
               ? screen_control_find(step->after, &step->control)
               : TREE_NONE;
}

static void add_undone(const struct episode_evidence *recording,
                       const struct key_steps *key_steps, size_t key_step,
                       struct twins *twins)
{
    struct twin_draft draft =
        draft_of(recording, key_steps, TWIN_UNDONE, key_step);
    size_t at = key_steps->items[key_step].step;
    const struct episode_evidence_step *step = &recording->steps[at];
    uint32_t node = taken_back_by(step);
    struct trajectory_step *touch;
    struct buf text;

    if (node == TREE_NONE || is_touched_again(&draft, key_step)) {
        drop(&draft);
        return;
    }
    follow_until(&draft, at + 1);
    draft.screen = step->after;
    touch = own_step(&draft, step->step);
    touch->action =
        (struct action){.kind = ACTION_CLICK,
                        .has_from = true,
                        .from = middle_of(&step->after->nodes[node].bounds)};
    add(&draft, touch);
    draft.change = (struct twin_change){
        .kind = TWIN_REVERT, .before = step->before, .after = step->after};
    draft.screen = changed(&draft, step->after);
    draft.free_targets = true;
    follow_from(&draft, at + 1);
    text = describe(&draft, "done and undone");
    finish(&draft, &text, twins);
}

/* ---- stopped early ---- */

static void add_stopped(const struct episode_evidence *recording,
                        const struct key_steps *key_steps, size_t key_step,
                        struct twins *twins)
{
    struct twin_draft draft =
        draft_of(recording, key_steps, TWIN_STOPPED_EARLY, key_step);
    struct buf text = describe(&draft, "stopped before");

    follow_until(&draft, key_steps->items[key_step].step);
    finish(&draft, &text, twins);
}

/* ---- all ---- */

typedef void add_fn(const struct episode_evidence *recording,
                    const struct key_steps *key_steps, size_t key_step,
                    struct twins *twins);

void twins_make(const struct episode_evidence *recording,
                const struct key_steps *key_steps, struct twins *twins)
{
    static add_fn *const adders[TWIN_KINDS] = {
        [TWIN_LEFT_OUT] = add_left_out,
        [TWIN_OTHER_TARGET] = add_other_target,
        [TWIN_UNDONE] = add_undone,
        [TWIN_STOPPED_EARLY] = add_stopped,
    };

    *twins = (struct twins){.count = 0};
    for (size_t kind = 0; kind < TWIN_KINDS; kind++) {
        for (size_t i = 0; i < key_steps->count && twins->count < TWINS_MAX;
             i++)
            adders[kind](recording, key_steps, i, twins);
    }
}

void twins_release(struct twins *twins)
{
    for (size_t i = 0; i < twins->count; i++) {
        struct twin *twin = &twins->items[i];

        episode_evidence_release_composed(&twin->evidence);
        for (size_t k = 0; k < twin->tree_count; k++) {
            tree_release(twin->trees[k]);
            free(twin->trees[k]);
        }
        for (size_t k = 0; k < twin->step_count; k++)
            free(twin->steps[k]);
        free(twin->trees);
        free(twin->steps);
        free(twin->description);
        text_list_release(&twin->texts);
    }
    free(twins->items);
    *twins = (struct twins){.count = 0};
}
