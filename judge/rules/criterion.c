#include "judge/rules/criterion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/regex.h"
#include "judge/rules/criterion_match.h"

/* ---- moments ---- */

void moments_init(struct moments *moments, size_t steps)
{
    moments->count = steps + 1;
    moments->happens = mem_new(moments->count, sizeof(*moments->happens));
    moments->since = mem_new(moments->count, sizeof(*moments->since));
    for (size_t i = 0; i < moments->count; i++)
        moments->since[i] = -1;
}

void moments_release(struct moments *moments)
{
    free(moments->happens);
    free(moments->since);
    *moments = (struct moments){.count = 0};
}

int moments_last(const struct moments *moments)
{
    for (size_t i = moments->count; i > 0; i--) {
        if (moments->happens[i - 1])
            return (int)(i - 1);
    }
    return -1;
}

/* ---- rules ---- */

static bool open_condition(const struct bilingual_text *bilingual_text,
                           const char *locale, struct condition *condition,
                           struct err *err)
{
    condition->text = bilingual_text_in(bilingual_text, locale);
    return !condition->text || regex_open(condition->text, REGEX_CASELESS,
                                          &condition->pattern, err);
}

static bool open_conditions(const struct episode_check *check,
                            const char *locale, struct criterion *criterion,
                            struct err *err)
{
    const struct bilingual_text *const phrasings[CONDITIONS] = {
        [CONDITION_DID] = &check->did,
        [CONDITION_TARGET] = &check->target,
        [CONDITION_TYPED] = &check->typed,
        [CONDITION_SCREEN] = &check->screen,
        [CONDITION_SHOWS] = &check->shows,
        [CONDITION_TEXT] = &check->text,
        [CONDITION_ID] = &check->id,
        [CONDITION_IS] = &check->is,
        [CONDITION_RESET_BY] = &check->reset_by,
        [CONDITION_REDUCED_BY] = &check->reduced_by,
    };

    for (size_t i = 0; i < CONDITIONS; i++) {
        if (!open_condition(phrasings[i], locale, &criterion->conditions[i],
                            err))
            return false;
    }
    return true;
}

static bool open_parts(const struct episode_check *check, const char *locale,
                       struct criterion *criterion, struct err *err)
{
    criterion->parts =
        mem_new(check->part_count + 1, sizeof(*criterion->parts));
    for (size_t i = 0; i < check->part_count; i++) {
        if (!criterion_open(&check->parts[i], locale, &criterion->parts[i],
                            err))
            return false;
        criterion->part_count++;
    }
    return true;
}

bool criterion_open(const struct episode_check *check, const char *locale,
                    struct criterion **criterion, struct err *err)
{
    struct criterion *opened = mem_new(1, sizeof(*opened));

    opened->check = check;
    if (!open_conditions(check, locale, opened, err) ||
        !open_parts(check, locale, opened, err)) {
        criterion_close(opened);
        return false;
    }
    *criterion = opened;
    return true;
}

void criterion_close(struct criterion *criterion)
{
    if (!criterion)
        return;
    for (size_t i = 0; i < CONDITIONS; i++)
        regex_close(criterion->conditions[i].pattern);
    for (size_t i = 0; i < criterion->part_count; i++)
        criterion_close(criterion->parts[i]);
    free(criterion->parts);
    free(criterion->matches);
    free(criterion->excess);
    free(criterion);
}

/* ---- one step's check ---- */

/* Does the touched element have a state that can be lost again? */
static bool keeps_state(const struct criterion *criterion,
                        const struct episode_evidence_step *step)
{
    if (!step->has_control)
        return false;
    if (step->became.text[0])
        return true;
    return step->on != TRI_STATE_EITHER &&
           (step->control.checkable ||
            criterion->check->on != TRI_STATE_EITHER);
}

/* Was it visible before a later step that touched it or its neighbour? */
static bool is_touched_beside(const struct episode_evidence_step *step,
                              const struct episode_evidence_step *later)
{
    uint32_t node;

    if (!later->has_control)
        return false;
    if (step->became.text[0] &&
        !strcmp(later->control.name.text, step->became.text))
        return true;
    node = screen_control_find(later->before, &step->control);
    return node != TREE_NONE &&
           (node == later->what.target.node ||
            screen_control_are_choices(later->before, node,
                                       later->what.target.node));
}

/* The state in which the step left the touched element. */
static const struct tree *page_of(const struct episode_evidence_step *step)
{
    return step->after ? step->after : step->before;
}

/* Is it in a sheet, which a later step opens or has open on another page? */
static bool is_about_another(const struct episode_evidence_step *step,
                             const struct episode_evidence_step *later)
{
    return step->page != step->before && step->page && later->page &&
           !screen_control_same_page(step->page, later->page);
}

/*
 * The touched element on the screen after a later step, if this is the same
 * page: no step has left it, or it has the same texts.
 */
static uint32_t find_later(const struct episode_evidence_step *step,
                           const struct episode_evidence_step *later)
{
    const struct tree *tree = later->after;
    uint32_t node =
        tree ? screen_control_find(tree, &step->control) : TREE_NONE;
    uint32_t before;

    if (node == TREE_NONE || is_about_another(step, later))
        return TREE_NONE;
    before = later->before ? screen_control_find(later->before, &step->control)
                           : TREE_NONE;
    if ((before == TREE_NONE ||
         screen_control_state(later->before, before) != step->on) &&
        !screen_control_same_page(page_of(step), tree))
        return TREE_NONE;
    return node;
}

/* Does the screen after a later step show it in the other state? */
static bool is_shown_otherwise(const struct episode_evidence_step *step,
                               const struct tree *tree, uint32_t node)
{
    enum tri_state state = screen_control_state(tree, node);

    return step->on != TRI_STATE_EITHER &&
           (state == TRI_STATE_EITHER ? TRI_STATE_NO : state) != step->on;
}

/* Was another option of the same list chosen, and the screen left by that? */
static bool is_chosen_otherwise(const struct episode_evidence_step *step,
                                const struct episode_evidence_step *later)
{
    uint32_t node;

    if (step->what.role != ROLE_RADIO || later->what.role != ROLE_RADIO ||
        !later->has_control || later->on != TRI_STATE_YES)
        return false;
    node = screen_control_find(later->before, &step->control);
    return node != TREE_NONE && node != later->what.target.node &&
           screen_control_are_choices(later->before, node,
                                      later->what.target.node);
}

/* "Save" became "Remove" and was tapped again: it is "Save" again. */
static bool is_swapped_back(const struct episode_evidence_step *step,
                            const struct episode_evidence_step *later)
{
    return step->became.text[0] && later->has_control &&
           !strcmp(later->control.name.text, step->became.text) &&
           !strcmp(later->control.id, step->control.id) &&
           !strcmp(later->control.class_name, step->control.class_name) &&
           !strcmp(later->control.screen.text, step->control.screen.text) &&
           screen_control_same_page(page_of(step), later->before) &&
           (!later->after ||
            screen_control_find(later->after, &step->control) != TREE_NONE);
}

/*
 * A screen that still shows the element decides before a neighbouring choice
 * does.
 */
static bool is_reverted(const struct episode_evidence_step *step,
                        const struct episode_evidence_step *later)
{
    uint32_t node = find_later(step, later);

    if (step->became.text[0])
        return is_swapped_back(step, later) ||
               (node != TREE_NONE &&
                is_shown_otherwise(step, later->after, node));
    return node != TREE_NONE ? is_shown_otherwise(step, later->after, node)
                             : is_chosen_otherwise(step, later);
}

/* In force from one step on, until it is undone. */
static void follow(const struct criterion *criterion,
                   const struct episode_evidence *evidence, size_t from,
                   const bool *excused, struct moments *moments)
{
    const struct episode_evidence_step *step = &evidence->steps[from];
    bool state = keeps_state(criterion, step);

    for (size_t t = from; t < moments->count; t++) {
        if (t > from && t < evidence->count && criterion->excess[t])
            return;
        if (state && t > from && t < evidence->count &&
            is_reverted(step, &evidence->steps[t])) {
            if (!excused || !excused[t] ||
                !is_touched_beside(step, &evidence->steps[t]))
                return;
            state = false; /* in force from here on */
        }
        if (moments->since[t] < 0 || (size_t)moments->since[t] > from)
            moments->since[t] = (int)from;
    }
}

/* Did the step leave a state that a later one may take back? */
static bool has_state(const struct episode_evidence_step *step)
{
    return step->has_control &&
           (step->became.text[0] ||
            (step->on != TRI_STATE_EITHER && step->control.checkable));
}

/* Does the later step touch the same control, and bring its state back? */
static bool brings_back(const struct episode_evidence_step *step,
                        const struct episode_evidence_step *later)
{
    if (step->became.text[0])
        return is_swapped_back(step, later);
    return later->has_control && later->on != TRI_STATE_EITHER &&
           later->on != step->on &&
           !strcmp(later->control.name.text, step->control.name.text) &&
           !strcmp(later->control.id, step->control.id) &&
           !strcmp(later->control.row.text, step->control.row.text) &&
           !strcmp(later->control.screen.text, step->control.screen.text);
}

/*
 * The earlier step whose state this one takes back, and that was not taken back
 * before; the step itself: none.
 */
static size_t taken_back_by(const struct episode_evidence *evidence,
                            size_t step, const bool *gone)
{
    for (size_t i = step; i > 0; i--) {
        const struct episode_evidence_step *earlier = &evidence->steps[i - 1];

        if (!gone[i - 1] && has_state(earlier) &&
            brings_back(earlier, &evidence->steps[step]))
            return i - 1;
    }
    return step;
}

/* How much each step adds to a count. */
struct additions {
    int *of;    /* 1, 0 or -1; owned */
    bool *gone; /* owned; taken back by a later step, or before a reset */
};

/* Forget the last addition that is left; false: there is none. */
static bool take_last(const struct additions *additions, size_t step)
{
    for (size_t i = step; i > 0; i--) {
        if (additions->of[i - 1] > 0 && !additions->gone[i - 1]) {
            additions->gone[i - 1] = true;
            return true;
        }
    }
    return false;
}

/*
 * If steps may be subtracted, a step that takes back the state of an earlier
 * one subtracts what the earlier one added.
 */
static int addition_of(const struct criterion *criterion,
                       const struct episode_evidence *evidence, size_t step,
                       const struct additions *additions)
{
    bool reduced = criterion->conditions[CONDITION_REDUCED_BY].pattern;
    size_t taken =
        reduced ? taken_back_by(evidence, step, additions->gone) : step;

    if (taken < step) {
        additions->gone[taken] = true;
        return -additions->of[taken];
    }
    if (criterion->matches[step])
        return 1;
    return criterion_takes_back(criterion, &evidence->steps[step],
                                evidence->source) &&
                   take_last(additions, step)
               ? -1
               : 0;
}

/*
 * The step that brings the count to the required number meets the check, even
 * after one was subtracted; any other count does not.
 */
static void count_times(struct criterion *criterion,
                        const struct episode_evidence *evidence)
{
    struct additions additions = {
        .of = mem_new(evidence->count + 1, sizeof(*additions.of)),
        .gone = mem_new(evidence->count + 1, sizeof(*additions.gone)),
    };
    int wanted = criterion->check->times;
    int times = 0;

    for (size_t i = 0; i < evidence->count; i++) {
        int more;

        if (criterion_starts_anew(criterion, &evidence->steps[i],
                                  evidence->source)) {
            memset(additions.gone, true, i * sizeof(*additions.gone));
            times = 0;
        }
        more = addition_of(criterion, evidence, i, &additions);
        additions.of[i] = more;
        times += more;
        criterion->matches[i] = more && times == wanted;
        criterion->excess[i] =
            (more > 0 && times > wanted) || (more < 0 && times < wanted);
    }
    free(additions.of);
    free(additions.gone);
}

/* The steps that match; computed once. */
static const bool *find_matches(struct criterion *criterion,
                                const struct episode_evidence *evidence)
{
    if (criterion->matches)
        return criterion->matches;
    criterion->matches =
        mem_new(evidence->count + 1, sizeof(*criterion->matches));
    criterion->excess =
        mem_new(evidence->count + 1, sizeof(*criterion->excess));
    for (size_t i = 0; i < evidence->count; i++)
        criterion->matches[i] = criterion_match_step(
            criterion, &evidence->steps[i], evidence->source);
    if (criterion->check->times)
        count_times(criterion, evidence);
    return criterion->matches;
}

static void look_at_steps(struct criterion *criterion,
                          const struct episode_evidence *evidence,
                          const bool *excused, struct moments *moments)
{
    const bool *matches = find_matches(criterion, evidence);

    for (size_t i = 0; i < evidence->count; i++) {
        moments->happens[i] = matches[i];
        if (matches[i])
            follow(criterion, evidence, i, excused, moments);
    }
}

static void set_at_end(struct moments *moments, bool happens)
{
    size_t end = moments->count - 1;

    moments->happens[end] = happens;
    moments->since[end] = happens ? (int)end : -1;
}

/* ---- several ---- */

static void join_any(struct moments *whole, const struct moments *part)
{
    for (size_t t = 0; t < whole->count; t++) {
        whole->happens[t] |= part->happens[t];
        if (part->since[t] >= 0 &&
            (whole->since[t] < 0 || part->since[t] < whole->since[t]))
            whole->since[t] = part->since[t];
    }
}

static void join_all(struct moments *whole, const struct moments *part,
                     bool first)
{
    for (size_t t = 0; t < whole->count; t++) {
        bool later = whole->since[t] >= 0 && part->since[t] > whole->since[t];

        whole->happens[t] |= part->happens[t];
        if (first || part->since[t] < 0 || later)
            whole->since[t] = part->since[t];
    }
}

/* It happens at a step where one part happens while the others are in force. */
static void finish_all(struct moments *whole)
{
    for (size_t t = 0; t < whole->count; t++)
        whole->happens[t] = whole->happens[t] && whole->since[t] >= 0;
}

static void look_at_parts(struct criterion *criterion,
                          const struct episode_evidence *evidence,
                          const bool *excused, struct moments *moments)
{
    bool all = criterion->check->kind == EPISODE_CHECK_ALL;

    for (size_t i = 0; i < criterion->part_count; i++) {
        struct moments part;

        moments_init(&part, evidence->count);
        criterion_look(criterion->parts[i], evidence, excused, &part);
        if (all)
            join_all(moments, &part, i == 0);
        else
            join_any(moments, &part);
        moments_release(&part);
    }
    if (all)
        finish_all(moments);
}

static void look_for_none(struct criterion *criterion,
                          const struct episode_evidence *evidence,
                          struct moments *moments)
{
    struct moments part;

    moments_init(&part, evidence->count);
    criterion_look(criterion->parts[0], evidence, NULL, &part);
    set_at_end(moments, moments_last(&part) < 0);
    moments_release(&part);
}

/* In force forever from the first time it happens. */
static void look_for_once(struct criterion *criterion,
                          const struct episode_evidence *evidence,
                          struct moments *moments)
{
    int first = -1;

    criterion_look(criterion->parts[0], evidence, NULL, moments);
    for (size_t t = 0; t < moments->count; t++) {
        if (first < 0 && moments->happens[t])
            first = (int)t;
        moments->since[t] = first;
    }
}

void criterion_look(struct criterion *criterion,
                    const struct episode_evidence *evidence,
                    const bool *excused, struct moments *moments)
{
    switch (criterion->check->kind) {
    case EPISODE_CHECK_STEP:
        look_at_steps(criterion, evidence, excused, moments);
        return;
    case EPISODE_CHECK_END:
        set_at_end(moments, criterion_match_end(criterion, evidence->last));
        return;
    case EPISODE_CHECK_EVIDENCE:
        set_at_end(moments, criterion_match_evidence(criterion, evidence));
        return;
    case EPISODE_CHECK_ANY:
    case EPISODE_CHECK_ALL:
        look_at_parts(criterion, evidence, excused, moments);
        return;
    case EPISODE_CHECK_NOT:
        look_for_none(criterion, evidence, moments);
        return;
    case EPISODE_CHECK_ONCE:
        look_for_once(criterion, evidence, moments);
        return;
    }
}

bool criterion_is_on(struct criterion *criterion, const struct tree *tree)
{
    return criterion_match_end(criterion, tree);
}

/* ---- the nearest ---- */

static void find_nearest(struct criterion *criterion,
                         const struct episode_evidence *evidence, double *best,
                         int *step)
{
    for (size_t i = 0; i < criterion->part_count; i++)
        find_nearest(criterion->parts[i], evidence, best, step);
    if (criterion->check->kind != EPISODE_CHECK_STEP)
        return;
    for (size_t i = 0; i < evidence->count; i++) {
        double near = criterion_nearness(criterion, &evidence->steps[i],
                                         evidence->source);

        if (near > *best) {
            *best = near;
            *step = (int)i;
        }
    }
}

int criterion_nearest(struct criterion *criterion,
                      const struct episode_evidence *evidence)
{
    double best = 0;
    int step = -1;

    find_nearest(criterion, evidence, &best, &step);
    return step;
}
