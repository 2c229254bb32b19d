#include "judge/failure_find.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/macros.h"
#include "judge/needs.h"
#include "judge/nothing.h"

#define OFTEN 3            /* times: no accident */
#define SHARE 3            /* one of so many: the same */
#define TYPED_BYTES_MIN 12 /* shorter instructions may be search words */
#define TYPED_SHARE 0.8    /* of the instruction: it was typed as a whole */

/* What is looked at. */
struct inquiry {
    const struct dossier *dossier;
    const struct verdict *verdict;
    const struct needs *needs; /* NULL: the task's checks tell nothing */
};

PRINTF_LIKE(4, 5)
static bool conclude(struct failure *failure, enum failure_class class_,
                     int step, const char *fmt, ...)
{
    va_list args;

    *failure = (struct failure)FAILURE_INIT;
    failure->class_ = class_;
    failure->step = step;
    va_start(args, fmt);
    vsnprintf(failure->words, sizeof(failure->words), fmt, args);
    va_end(args);
    return true;
}

/* What happens so often, or in the end, is why. */
static bool is_telling(const struct dossier *dossier, size_t times, int last)
{
    size_t acts = dossier->count;
    bool at_the_end;

    while (acts > 0 &&
           (dossier->steps[acts - 1].step->action.kind == ACTION_COMPLETE ||
            dossier->steps[acts - 1].step->action.kind == ACTION_FAIL))
        acts--;
    at_the_end = last >= 0 && (size_t)last + 1 == acts;
    return times >= OFTEN || (times && times * SHARE >= acts) || at_the_end;
}

/* ---- replies and the action space ---- */

static bool is_unparsed(const struct inquiry *inquiry, struct failure *failure)
{
    const struct trajectory *trajectory = &inquiry->dossier->trajectory;
    size_t errors = 0;
    int last = -1;

    for (size_t i = 0; i < trajectory->count; i++) {
        if (!trajectory->steps[i].reply_error)
            continue;
        errors++;
        last = (int)i;
    }
    if (last < 0 || (2 * errors < trajectory->count && errors < OFTEN &&
                     (size_t)last + 1 < trajectory->count))
        return false;
    return conclude(failure, FAILURE_UNPARSED, last,
                    "%zu of %zu replies held no action: %.120s", errors,
                    trajectory->count, trajectory->steps[last].reply_error);
}

static bool is_allowed(const struct task *task, enum action_kind kind)
{
    return !task->actions || task->actions & (1U << (unsigned)kind);
}

static bool is_outside(const struct inquiry *inquiry, struct failure *failure)
{
    const struct dossier *dossier = inquiry->dossier;
    size_t times = 0;
    int last = -1;

    for (size_t i = 0; i < dossier->count; i++) {
        const struct trajectory_step *step = dossier->steps[i].step;

        /* What was no action at all is told by its reply. */
        if (step->block == BLOCK_REPLY ||
            (!step->blocked && is_allowed(&dossier->task, step->action.kind)))
            continue;
        times++;
        last = (int)i;
    }
    if (!is_telling(dossier, times, last))
        return false;
    return conclude(failure, FAILURE_OUTSIDE, last, "%s: %.160s",
                    action_kind_name(dossier->steps[last].step->action.kind),
                    dossier->steps[last].step->blocked
                        ? dossier->steps[last].step->blocked
                        : "the task does not allow it");
}

/* ---- typing ---- */

/* Letters in lower case, without what separates them. */
static void squeeze(const char *text, struct buf *out)
{
    for (; *text; text++) {
        if (isalnum((unsigned char)*text) || (unsigned char)*text >= 0x80)
            buf_byte(out, (char)tolower((unsigned char)*text));
    }
}

static bool is_instruction(const char *typed, const char *instruction)
{
    struct buf wrote = BUF_INIT(ACTION_TEXT_MAX);
    struct buf told = BUF_INIT(ACTION_TEXT_MAX);
    bool same;

    squeeze(typed, &wrote);
    squeeze(instruction, &told);
    same = told.length >= TYPED_BYTES_MIN &&
           (double)wrote.length >= TYPED_SHARE * (double)told.length &&
           (strstr(buf_cstr(&wrote), buf_cstr(&told)) ||
            strstr(buf_cstr(&told), buf_cstr(&wrote)));
    buf_release(&wrote);
    buf_release(&told);
    return same;
}

static bool is_typed_task(const struct inquiry *inquiry,
                          struct failure *failure)
{
    const struct dossier *dossier = inquiry->dossier;
    const char *instruction = dossier->trajectory.head.instruction;

    for (size_t i = 0; instruction && i < dossier->count; i++) {
        const struct action *action = &dossier->steps[i].step->action;

        if (action->kind == ACTION_TYPE && action->text &&
            is_instruction(action->text, instruction))
            return conclude(failure, FAILURE_TYPED_TASK, (int)i,
                            "it typed the instruction itself");
    }
    return false;
}

/* ---- the goal ---- */

static bool is_never_said(const struct inquiry *inquiry,
                          struct failure *failure)
{
    const struct verdict *verdict = inquiry->verdict;

    if (verdict->outcome != OUTCOME_UNCOMPLETED || !verdict->need_count ||
        verdict->met != verdict->need_count)
        return false;
    return conclude(failure, FAILURE_NEVER_SAID, -1,
                    "every need was met, and it never said so");
}

static bool is_undone(const struct inquiry *inquiry, struct failure *failure)
{
    int passed = inquiry->needs ? needs_passed(inquiry->needs) : -1;

    if (passed < 0 || inquiry->verdict->met == inquiry->verdict->need_count)
        return false;
    return conclude(failure, FAILURE_UNDONE, passed,
                    "after step %d every need was met, and not at the end",
                    passed);
}

/* ---- without effect ---- */

static bool is_click(const struct dossier_step *step)
{
    return step->touches && !step->step->blocked;
}

/* How far a point is from a rectangle. */
static double distance_to(const struct tree_rect *rect, int x, int y)
{
    int dx = x < rect->left     ? rect->left - x
             : x >= rect->right ? x - rect->right + 1
                                : 0;
    int dy = y < rect->top       ? rect->top - y
             : y >= rect->bottom ? y - rect->bottom + 1
                                 : 0;

    return sqrt((double)dx * dx + (double)dy * dy);
}

static uint32_t nearest_control(const struct tree *tree,
                                struct action_point point, double *distance)
{
    struct tree_rect screen = tree_screen(tree);
    uint32_t nearest = TREE_NONE;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        double away;

        if (!node->takes_taps || !rect_area(&node->bounds) ||
            2 * rect_area(&node->bounds) > rect_area(&screen))
            continue;
        away = distance_to(&node->bounds, point.x, point.y);
        if (nearest != TREE_NONE && away >= *distance)
            continue;
        nearest = i;
        *distance = away;
    }
    return nearest;
}

static bool conclude_missed(const struct dossier *dossier, int step,
                            struct failure *failure)
{
    const struct dossier_step *one = &dossier->steps[step];
    double distance = 0;
    uint32_t node =
        nearest_control(one->before, one->step->action.from, &distance);
    struct label label = {.source = LABEL_NONE};

    if (node == TREE_NONE)
        return conclude(failure, FAILURE_MISSED, step,
                        "tapped where nothing takes taps");
    label_node(one->before, node, &label);
    conclude(failure, FAILURE_MISSED, step, "tapped %.0f px beside %s%s%s",
             distance, label.source == LABEL_NONE ? "something" : "'",
             label.source == LABEL_NONE ? "" : label.name.text,
             label.source == LABEL_NONE ? "" : "'");
    failure->distance = (int)lround(distance);
    return true;
}

static bool is_missed(const struct inquiry *inquiry, struct failure *failure)
{
    const struct dossier *dossier = inquiry->dossier;
    size_t times = 0;
    int last = -1;

    for (size_t i = 0; i < dossier->count; i++) {
        const struct dossier_step *step = &dossier->steps[i];

        if (!is_click(step) || step->what.target.kind == TARGET_CONTROL ||
            !nothing_came_of(step))
            continue;
        times++;
        last = (int)i;
    }
    return is_telling(dossier, times, last) &&
           conclude_missed(dossier, last, failure);
}

/* What was tapped is a field, and had the focus before. */
static bool is_focused_field(const struct dossier_step *step)
{
    const struct tree_node *node;

    if (!is_click(step) || step->what.target.node == TREE_NONE)
        return false;
    node = &step->before->nodes[step->what.target.node];
    return node->role == ROLE_FIELD && node->flags & NODE_FOCUSED;
}

static bool is_focused(const struct inquiry *inquiry, struct failure *failure)
{
    const struct dossier *dossier = inquiry->dossier;
    size_t times = 0;
    int last = -1;

    for (size_t i = 0; i < dossier->count; i++) {
        if (!is_focused_field(&dossier->steps[i]))
            continue;
        times++;
        last = (int)i;
    }
    if (times < 2 || !is_telling(dossier, times, last))
        return false;
    return conclude(failure, FAILURE_FOCUSED, last,
                    "tapped a field that had the focus %zu times", times);
}

/* The longest row of equal actions. */
static size_t longest_row(const struct dossier *dossier, int *last,
                          bool *effect)
{
    size_t longest = 0;
    size_t length = 0;
    bool any = false;

    for (size_t i = 0; i < dossier->count; i++) {
        bool same = i > 0 && action_equal(&dossier->steps[i].step->action,
                                          &dossier->steps[i - 1].step->action);

        length = same ? length + 1 : 1;
        any = (same && any) || !nothing_came_of(&dossier->steps[i]);
        if (length <= longest)
            continue;
        longest = length;
        *last = (int)i;
        *effect = any;
    }
    return longest;
}

static bool is_repeated(const struct inquiry *inquiry, struct failure *failure)
{
    const struct dossier *dossier = inquiry->dossier;
    bool effect = false;
    int last = -1;
    size_t times = longest_row(dossier, &last, &effect);

    if (dossier->trajectory.ending != ENDING_REPEATED &&
        (times < OFTEN || effect || !is_telling(dossier, times, last)))
        return false;
    return conclude(failure, FAILURE_REPEATED, last,
                    "did the same %zu times%s: %.140s", times,
                    effect ? "" : " without effect",
                    last >= 0 ? dossier->steps[last].words : "");
}

/* ---- the rest ---- */

/* What is met comes first, and the rest is all that is missing. */
static bool is_too_early(const struct inquiry *inquiry, struct failure *failure)
{
    const struct verdict *verdict = inquiry->verdict;
    enum trajectory_ending ending = inquiry->dossier->trajectory.ending;
    size_t first = 0;

    if ((ending != ENDING_COMPLETE && ending != ENDING_ANSWER) ||
        !verdict->need_count)
        return false;
    while (first < verdict->need_count && verdict->needs[first].met)
        first++;
    for (size_t i = first; i < verdict->need_count; i++) {
        if (verdict->needs[i].met)
            return false;
    }
    if (first == verdict->need_count || !verdict->needs[first].known)
        return false;
    /* Who went as far as gold did has gone another way. */
    if (verdict->gold_steps > 0 && verdict->steps >= verdict->gold_steps)
        return false;
    return conclude(failure, FAILURE_TOO_EARLY, verdict->steps - 1,
                    "said so before: %.180s", verdict->needs[first].say);
}

static void find_rest(const struct inquiry *inquiry, struct failure *failure)
{
    const struct verdict *verdict = inquiry->verdict;
    const char *reason = verdict->reason ? verdict->reason : "";

    switch (inquiry->dossier->trajectory.ending) {
    case ENDING_FAIL:
        conclude(failure, FAILURE_GAVE_UP, verdict->steps - 1, "%.200s",
                 reason);
        return;
    case ENDING_BUDGET:
        conclude(failure, FAILURE_BUDGET, -1, "%.200s", reason);
        return;
    case ENDING_NONE:
    case ENDING_COMPLETE:
    case ENDING_ANSWER:
    case ENDING_REPEATED:
    case ENDING_VOID:
    case ENDING_KINDS:
        break;
    }
    conclude(failure, FAILURE_WRONG, -1, "%.200s", reason);
}

static void inquire(const struct inquiry *inquiry, struct failure *failure)
{
    static bool (*const classes[])(const struct inquiry *inquiry,
                                   struct failure *failure) = {
        is_never_said, is_undone, is_typed_task, is_unparsed,  is_outside,
        is_focused,    is_missed, is_repeated,   is_too_early,
    };

    for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
        if (classes[i](inquiry, failure))
            return;
    }
    find_rest(inquiry, failure);
}

void failure_find(const struct dossier *dossier, const struct verdict *verdict,
                  struct failure *failure)
{
    struct inquiry inquiry = {.dossier = dossier, .verdict = verdict};
    struct needs needs;
    struct err ignored;
    bool known;

    *failure = (struct failure)FAILURE_INIT;
    if (verdict->outcome != OUTCOME_FAILURE &&
        verdict->outcome != OUTCOME_UNCOMPLETED)
        return;
    known = needs_open(dossier, &needs, &ignored);
    inquiry.needs = known ? &needs : NULL;
    inquire(&inquiry, failure);
    if (known)
        needs_release(&needs);
}
