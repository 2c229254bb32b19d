#include "judge/criterion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "judge/criterion_match.h"

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

static bool open_condition(const struct phrasing *phrasing, const char *locale,
                           struct condition *condition, struct err *err)
{
    condition->text = phrasing_in(phrasing, locale);
    return !condition->text || pattern_open(condition->text, PATTERN_CASELESS,
                                            &condition->pattern, err);
}

static bool open_conditions(const struct check *check, const char *locale,
                            struct criterion *criterion, struct err *err)
{
    const struct phrasing *const phrasings[CONDITIONS] = {
        [CONDITION_DID] = &check->did,     [CONDITION_TARGET] = &check->target,
        [CONDITION_TYPED] = &check->typed, [CONDITION_SCREEN] = &check->screen,
        [CONDITION_SHOWS] = &check->shows, [CONDITION_TEXT] = &check->text,
        [CONDITION_ID] = &check->id,       [CONDITION_IS] = &check->is,
        [CONDITION_ANEW] = &check->anew,   [CONDITION_LESS] = &check->less,
    };

    for (size_t i = 0; i < CONDITIONS; i++) {
        if (!open_condition(phrasings[i], locale, &criterion->conditions[i],
                            err))
            return false;
    }
    return true;
}

static bool open_parts(const struct check *check, const char *locale,
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

bool criterion_open(const struct check *check, const char *locale,
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
        pattern_close(criterion->conditions[i].pattern);
    for (size_t i = 0; i < criterion->part_count; i++)
        criterion_close(criterion->parts[i]);
    free(criterion->parts);
    free(criterion->matches);
    free(criterion->excess);
    free(criterion);
}

/* ---- one step's check ---- */

/* Is there a state of what the step touched that can be lost again? */
static bool keeps_state(const struct criterion *criterion,
                        const struct dossier_step *step)
{
    if (!step->has_control)
        return false;
    if (step->became.text[0])
        return true;
    return step->on != CHECK_EITHER &&
           (step->control.checkable || criterion->check->on != CHECK_EITHER);
}

/* Was it in sight before a later step, which touched it or one beside it? */
static bool is_touched_beside(const struct dossier_step *step,
                              const struct dossier_step *later)
{
    uint32_t node;

    if (!later->has_control)
        return false;
    if (step->became.text[0] &&
        !strcmp(later->control.name.text, step->became.text))
        return true;
    node = control_find(later->before, &step->control);
    return node != TREE_NONE &&
           (node == later->what.target.node ||
            control_are_choices(later->before, node, later->what.target.node));
}

/* Where the step left what it touched. */
static const struct tree *page_of(const struct dossier_step *step)
{
    return step->after ? step->after : step->before;
}

/*
 * What the step touched, on the screen after a later one, if that is the same
 * page: because nobody left it, or by its texts.
 */
static uint32_t find_later(const struct dossier_step *step,
                           const struct dossier_step *later)
{
    const struct tree *tree = later->after;
    uint32_t node = tree ? control_find(tree, &step->control) : TREE_NONE;
    uint32_t before;

    if (node == TREE_NONE)
        return TREE_NONE;
    before =
        later->before ? control_find(later->before, &step->control) : TREE_NONE;
    if ((before == TREE_NONE ||
         control_state(later->before, before) != step->on) &&
        !control_same_page(page_of(step), tree))
        return TREE_NONE;
    return node;
}

/* Does the screen after a later step show it in the other state? */
static bool is_shown_otherwise(const struct dossier_step *step,
                               const struct tree *tree, uint32_t node)
{
    enum check_state state = control_state(tree, node);

    return step->on != CHECK_EITHER &&
           (state == CHECK_EITHER ? CHECK_NO : state) != step->on;
}

/* Is another one of the same choices taken, and the screen gone with that? */
static bool is_chosen_otherwise(const struct dossier_step *step,
                                const struct dossier_step *later)
{
    uint32_t node;

    if (step->what.role != ROLE_RADIO || later->what.role != ROLE_RADIO ||
        !later->has_control || later->on != CHECK_YES)
        return false;
    node = control_find(later->before, &step->control);
    return node != TREE_NONE && node != later->what.target.node &&
           control_are_choices(later->before, node, later->what.target.node);
}

/* "Save" became "Remove", and somebody tapped that: it is "Save" again. */
static bool is_swapped_back(const struct dossier_step *step,
                            const struct dossier_step *later)
{
    return step->became.text[0] && later->has_control &&
           !strcmp(later->control.name.text, step->became.text) &&
           !strcmp(later->control.id, step->control.id) &&
           !strcmp(later->control.class_name, step->control.class_name) &&
           !strcmp(later->control.screen.text, step->control.screen.text) &&
           control_same_page(page_of(step), later->before) &&
           (!later->after ||
            control_find(later->after, &step->control) != TREE_NONE);
}

/* A screen that still shows it tells more than what was chosen beside it. */
static bool is_reverted(const struct dossier_step *step,
                        const struct dossier_step *later)
{
    uint32_t node = find_later(step, later);

    if (step->became.text[0])
        return is_swapped_back(step, later) ||
               (node != TREE_NONE &&
                is_shown_otherwise(step, later->after, node));
    return node != TREE_NONE ? is_shown_otherwise(step, later->after, node)
                             : is_chosen_otherwise(step, later);
}

/* From one step on, until it is undone. */
static void follow(const struct criterion *criterion,
                   const struct dossier *dossier, size_t from,
                   const bool *excused, struct moments *moments)
{
    const struct dossier_step *step = &dossier->steps[from];
    bool state = keeps_state(criterion, step);

    for (size_t t = from; t < moments->count; t++) {
        if (t > from && t < dossier->count && criterion->excess[t])
            return;
        if (state && t > from && t < dossier->count &&
            is_reverted(step, &dossier->steps[t])) {
            if (!excused || !excused[t] ||
                !is_touched_beside(step, &dossier->steps[t]))
                return;
            state = false; /* it is as it should be, from here on */
        }
        if (moments->since[t] < 0 || (size_t)moments->since[t] > from)
            moments->since[t] = (int)from;
    }
}

/*
 * The step that brings the count to so many is the one, be it that one was
 * taken back; from any other count on it is not so many any more.
 */
static void count_times(struct criterion *criterion,
                        const struct dossier *dossier)
{
    int wanted = criterion->check->times;
    int times = 0;

    for (size_t i = 0; i < dossier->count; i++) {
        const struct dossier_step *step = &dossier->steps[i];
        bool more = criterion->matches[i];
        bool less;

        if (criterion_starts_anew(criterion, step, dossier->source))
            times = 0;
        less = !more && times > 0 &&
               criterion_takes_back(criterion, step, dossier->source);
        times += more - less;
        criterion->matches[i] = (more || less) && times == wanted;
        criterion->excess[i] =
            (more && times > wanted) || (less && times < wanted);
    }
}

/* Which steps it describes; that is looked up once. */
static const bool *find_matches(struct criterion *criterion,
                                const struct dossier *dossier)
{
    if (criterion->matches)
        return criterion->matches;
    criterion->matches =
        mem_new(dossier->count + 1, sizeof(*criterion->matches));
    criterion->excess = mem_new(dossier->count + 1, sizeof(*criterion->excess));
    for (size_t i = 0; i < dossier->count; i++)
        criterion->matches[i] = criterion_match_step(
            criterion, &dossier->steps[i], dossier->source);
    if (criterion->check->times)
        count_times(criterion, dossier);
    return criterion->matches;
}

static void look_at_steps(struct criterion *criterion,
                          const struct dossier *dossier, const bool *excused,
                          struct moments *moments)
{
    const bool *matches = find_matches(criterion, dossier);

    for (size_t i = 0; i < dossier->count; i++) {
        moments->happens[i] = matches[i];
        if (matches[i])
            follow(criterion, dossier, i, excused, moments);
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

/* It happens where one part does while the others are in force. */
static void finish_all(struct moments *whole)
{
    for (size_t t = 0; t < whole->count; t++)
        whole->happens[t] = whole->happens[t] && whole->since[t] >= 0;
}

static void look_at_parts(struct criterion *criterion,
                          const struct dossier *dossier, const bool *excused,
                          struct moments *moments)
{
    bool all = criterion->check->kind == CHECK_ALL;

    for (size_t i = 0; i < criterion->part_count; i++) {
        struct moments part;

        moments_init(&part, dossier->count);
        criterion_look(criterion->parts[i], dossier, excused, &part);
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
                          const struct dossier *dossier,
                          struct moments *moments)
{
    struct moments part;

    moments_init(&part, dossier->count);
    criterion_look(criterion->parts[0], dossier, NULL, &part);
    set_at_end(moments, moments_last(&part) < 0);
    moments_release(&part);
}

/* From where it first happens on, in force for good. */
static void look_for_once(struct criterion *criterion,
                          const struct dossier *dossier,
                          struct moments *moments)
{
    int first = -1;

    criterion_look(criterion->parts[0], dossier, NULL, moments);
    for (size_t t = 0; t < moments->count; t++) {
        if (first < 0 && moments->happens[t])
            first = (int)t;
        moments->since[t] = first;
    }
}

void criterion_look(struct criterion *criterion, const struct dossier *dossier,
                    const bool *excused, struct moments *moments)
{
    switch (criterion->check->kind) {
    case CHECK_STEP:
        look_at_steps(criterion, dossier, excused, moments);
        return;
    case CHECK_END:
        set_at_end(moments, criterion_match_end(criterion, dossier->last));
        return;
    case CHECK_EVIDENCE:
        set_at_end(moments, criterion_match_evidence(criterion, dossier));
        return;
    case CHECK_ANY:
    case CHECK_ALL:
        look_at_parts(criterion, dossier, excused, moments);
        return;
    case CHECK_NOT:
        look_for_none(criterion, dossier, moments);
        return;
    case CHECK_ONCE:
        look_for_once(criterion, dossier, moments);
        return;
    }
}

bool criterion_is_on(struct criterion *criterion, const struct tree *tree)
{
    return criterion_match_end(criterion, tree);
}

/* ---- the nearest ---- */

static void find_nearest(struct criterion *criterion,
                         const struct dossier *dossier, double *best, int *step)
{
    for (size_t i = 0; i < criterion->part_count; i++)
        find_nearest(criterion->parts[i], dossier, best, step);
    if (criterion->check->kind != CHECK_STEP)
        return;
    for (size_t i = 0; i < dossier->count; i++) {
        double near =
            criterion_nearness(criterion, &dossier->steps[i], dossier->source);

        if (near > *best) {
            *best = near;
            *step = (int)i;
        }
    }
}

int criterion_nearest(struct criterion *criterion,
                      const struct dossier *dossier)
{
    double best = 0;
    int step = -1;

    find_nearest(criterion, dossier, &best, &step);
    return step;
}
