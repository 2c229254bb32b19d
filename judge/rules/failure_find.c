#include "judge/rules/failure_find.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/macros.h"
#include "judge/evidence/no_effect.h"
#include "judge/rules/needs_check.h"

#define OFTEN 3            /* so often it is not an accident */
#define SHARE 3            /* one in so many steps: the same */
#define TYPED_BYTES_MIN 12 /* shorter instructions may be search words */
#define TYPED_SHARE 0.8    /* of the instruction: it was typed as a whole */

/* The inputs of the search. */
struct failure_inputs {
    const struct episode_evidence *evidence;
    const struct verdict *verdict;
    const struct needs_check
        *needs; /* NULL: the task's checks are not decided */
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
    vsnprintf(failure->description, sizeof(failure->description), fmt, args);
    va_end(args);
    return true;
}

/* A mistake is the reason if it is frequent or came at the end. */
static bool is_telling(const struct episode_evidence *evidence, size_t times,
                       int last)
{
    size_t acts = evidence->count;
    bool at_the_end;

    while (acts > 0 &&
           (evidence->steps[acts - 1].step->action.kind == ACTION_COMPLETE ||
            evidence->steps[acts - 1].step->action.kind == ACTION_FAIL))
        acts--;
    at_the_end = last >= 0 && (size_t)last + 1 == acts;
    return times >= OFTEN || (times && times * SHARE >= acts) || at_the_end;
}

/* ---- replies and the action space ---- */

static bool is_unparsed(const struct failure_inputs *inquiry,
                        struct failure *failure)
{
    const struct trajectory *trajectory = &inquiry->evidence->trajectory;
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

/* Older records have no reason for a block; then its text decides. */
static bool breaks_rules(const struct task *task,
                         const struct trajectory_step *step)
{
    return step->block == BLOCK_SPACE ||
           (step->block == BLOCK_NONE &&
            (step->blocked || !is_allowed(task, step->action.kind)));
}

/* By the guard, or because the phone cannot do it. */
static bool was_blocked(const struct task *task,
                        const struct trajectory_step *step)
{
    (void)task;
    return step->block == BLOCK_GUARD || step->block == BLOCK_PHONE;
}

static bool is_often(const struct failure_inputs *inquiry,
                     bool (*test)(const struct task *task,
                                  const struct trajectory_step *step),
                     enum failure_class class_, struct failure *failure)
{
    const struct episode_evidence *evidence = inquiry->evidence;
    const struct trajectory_step *step;
    size_t times = 0;
    int last = -1;

    for (size_t i = 0; i < evidence->count; i++) {
        if (!test(&evidence->task, evidence->steps[i].step))
            continue;
        times++;
        last = (int)i;
    }
    if (!is_telling(evidence, times, last))
        return false;
    step = evidence->steps[last].step;
    return conclude(failure, class_, last, "%s: %.160s",
                    action_kind_name(step->action.kind),
                    step->blocked ? step->blocked
                                  : "the task does not allow it");
}

static bool is_outside(const struct failure_inputs *inquiry,
                       struct failure *failure)
{
    return is_often(inquiry, breaks_rules, FAILURE_OUTSIDE, failure);
}

static bool is_blocked(const struct failure_inputs *inquiry,
                       struct failure *failure)
{
    return is_often(inquiry, was_blocked, FAILURE_BLOCKED, failure);
}

/* ---- typing ---- */

/* Letters in lower case, without separators. */
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
    struct buf asked = BUF_INIT(ACTION_TEXT_MAX);
    bool same;

    squeeze(typed, &wrote);
    squeeze(instruction, &asked);
    same = asked.length >= TYPED_BYTES_MIN &&
           (double)wrote.length >= TYPED_SHARE * (double)asked.length &&
           (strstr(buf_cstr(&wrote), buf_cstr(&asked)) ||
            strstr(buf_cstr(&asked), buf_cstr(&wrote)));
    buf_release(&wrote);
    buf_release(&asked);
    return same;
}

static bool is_typed_task(const struct failure_inputs *inquiry,
                          struct failure *failure)
{
    const struct episode_evidence *evidence = inquiry->evidence;
    const char *instruction = evidence->trajectory.head.instruction;

    for (size_t i = 0; instruction && i < evidence->count; i++) {
        const struct action *action = &evidence->steps[i].step->action;

        if (action->kind == ACTION_TYPE && action->text &&
            is_instruction(action->text, instruction))
            return conclude(failure, FAILURE_TYPED_TASK, (int)i,
                            "it typed the instruction itself");
    }
    return false;
}

/* ---- the goal ---- */

static bool is_not_completed(const struct failure_inputs *inquiry,
                             struct failure *failure)
{
    const struct verdict *verdict = inquiry->verdict;

    if (verdict->outcome != OUTCOME_UNCOMPLETED || !verdict->need_count ||
        verdict->met != verdict->need_count)
        return false;
    return conclude(failure, FAILURE_NOT_COMPLETED, -1,
                    "every need was met, but the agent did not complete");
}

static bool is_undone(const struct failure_inputs *inquiry,
                      struct failure *failure)
{
    int passed = inquiry->needs ? needs_check_passed(inquiry->needs) : -1;

    if (passed < 0 || inquiry->verdict->met == inquiry->verdict->need_count)
        return false;
    return conclude(failure, FAILURE_UNDONE, passed,
                    "every need was met after step %d, but not at the end",
                    passed);
}

/* ---- without effect ---- */

static bool is_click(const struct episode_evidence_step *step)
{
    return step->what.touches && !step->step->blocked;
}

/* The distance of a point from a rectangle. */
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

static bool conclude_missed(const struct episode_evidence *evidence, int step,
                            struct failure *failure)
{
    const struct episode_evidence_step *one = &evidence->steps[step];
    double distance = 0;
    uint32_t node =
        nearest_control(one->before, one->step->action.from, &distance);
    struct node_label label = {.source = NODE_LABEL_NONE};

    if (node == TREE_NONE)
        return conclude(failure, FAILURE_MISSED, step,
                        "tapped where no element reacts to taps");
    node_label_of(one->before, node, &label);
    conclude(failure, FAILURE_MISSED, step, "tapped %.0f px beside %s%s%s",
             distance, label.source == NODE_LABEL_NONE ? "something" : "'",
             label.source == NODE_LABEL_NONE ? "" : label.name.text,
             label.source == NODE_LABEL_NONE ? "" : "'");
    failure->distance = (int)lround(distance);
    return true;
}

static bool is_missed(const struct failure_inputs *inquiry,
                      struct failure *failure)
{
    const struct episode_evidence *evidence = inquiry->evidence;
    size_t times = 0;
    int last = -1;

    for (size_t i = 0; i < evidence->count; i++) {
        const struct episode_evidence_step *step = &evidence->steps[i];

        if (!is_click(step) || step->what.target.kind == TAP_TARGET_CONTROL ||
            !no_effect(step))
            continue;
        times++;
        last = (int)i;
    }
    return is_telling(evidence, times, last) &&
           conclude_missed(evidence, last, failure);
}

/* The tapped element is a field that had the focus before. */
static bool is_focused_field(const struct episode_evidence_step *step)
{
    const struct tree_node *node;

    if (!is_click(step) || step->what.target.node == TREE_NONE)
        return false;
    node = &step->before->nodes[step->what.target.node];
    return node->role == ROLE_FIELD && node->flags & NODE_FOCUSED;
}

static bool is_focused(const struct failure_inputs *inquiry,
                       struct failure *failure)
{
    const struct episode_evidence *evidence = inquiry->evidence;
    size_t times = 0;
    int last = -1;

    for (size_t i = 0; i < evidence->count; i++) {
        if (!is_focused_field(&evidence->steps[i]))
            continue;
        times++;
        last = (int)i;
    }
    if (times < 2 || !is_telling(evidence, times, last))
        return false;
    return conclude(failure, FAILURE_FOCUSED, last,
                    "tapped a field that had the focus %zu times", times);
}

/* The longest sequence of equal actions. */
static size_t longest_row(const struct episode_evidence *evidence, int *last,
                          bool *effect)
{
    size_t longest = 0;
    size_t length = 0;
    bool any = false;

    for (size_t i = 0; i < evidence->count; i++) {
        bool same = i > 0 && action_equal(&evidence->steps[i].step->action,
                                          &evidence->steps[i - 1].step->action);

        length = same ? length + 1 : 1;
        any = (same && any) || !no_effect(&evidence->steps[i]);
        if (length <= longest)
            continue;
        longest = length;
        *last = (int)i;
        *effect = any;
    }
    return longest;
}

static bool is_repeated(const struct failure_inputs *inquiry,
                        struct failure *failure)
{
    const struct episode_evidence *evidence = inquiry->evidence;
    bool effect = false;
    int last = -1;
    size_t times = longest_row(evidence, &last, &effect);

    if (evidence->trajectory.ending != ENDING_REPEATED &&
        (times < OFTEN || effect || !is_telling(evidence, times, last)))
        return false;
    return conclude(failure, FAILURE_REPEATED, last,
                    "did the same %zu times%s: %.140s", times,
                    effect ? "" : " without effect",
                    last >= 0 ? evidence->steps[last].description : "");
}

/* ---- the rest ---- */

/* All needs before the first open one are met. */
static bool is_too_early(const struct failure_inputs *inquiry,
                         struct failure *failure)
{
    const struct verdict *verdict = inquiry->verdict;
    enum trajectory_ending ending = inquiry->evidence->trajectory.ending;
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
    /* An agent with as many steps as gold took another way. */
    if (verdict->gold_steps > 0 && verdict->steps >= verdict->gold_steps)
        return false;
    return conclude(failure, FAILURE_TOO_EARLY, verdict->steps - 1,
                    "completed before: %.180s", verdict->needs[first].say);
}

static void find_rest(const struct failure_inputs *inquiry,
                      struct failure *failure)
{
    const struct verdict *verdict = inquiry->verdict;
    const char *reason = verdict->reason ? verdict->reason : "";

    switch (inquiry->evidence->trajectory.ending) {
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

static void inquire(const struct failure_inputs *inquiry,
                    struct failure *failure)
{
    static bool (*const classes[])(const struct failure_inputs *inquiry,
                                   struct failure *failure) = {
        is_not_completed, is_undone,  is_typed_task, is_unparsed, is_outside,
        is_blocked,       is_focused, is_missed,     is_repeated, is_too_early,
    };

    for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
        if (classes[i](inquiry, failure))
            return;
    }
    find_rest(inquiry, failure);
}

void failure_find(const struct episode_evidence *evidence,
                  const struct verdict *verdict, struct failure *failure)
{
    struct failure_inputs inquiry = {.evidence = evidence, .verdict = verdict};
    struct needs_check needs;
    struct err ignored;
    bool known;

    *failure = (struct failure)FAILURE_INIT;
    if (verdict->outcome != OUTCOME_FAILURE &&
        verdict->outcome != OUTCOME_UNCOMPLETED)
        return;
    known = needs_check_open(evidence, &needs, &ignored);
    inquiry.needs = known ? &needs : NULL;
    inquire(&inquiry, failure);
    if (known)
        needs_check_release(&needs);
}
