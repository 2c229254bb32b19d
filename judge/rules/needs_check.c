#include "judge/rules/needs_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define WHY_MAX (DESCRIPTION_MAX + 160)

static const char *locale_of(const struct episode_evidence *evidence)
{
    return evidence->trajectory.head.locale;
}

static const char *name_of(const struct needs_check *needs, size_t i)
{
    const struct task_need *need = needs->views[i].need;
    const char *say = bilingual_text_in(&need->say, locale_of(needs->evidence));

    return say ? say : need->id ? need->id : "";
}

/* ---- looking ---- */

static bool open_view(const struct episode_evidence *evidence,
                      const struct task_need *need, struct need_view *view,
                      struct err *err)
{
    const char *locale = locale_of(evidence);

    view->need = need;
    moments_init(&view->moments, evidence->count);
    moments_init(&view->undone, evidence->count);
    view->by = mem_new(evidence->count + 1, sizeof(*view->by));
    if (need->check) {
        if (!criterion_open(need->check, locale, &view->check, err))
            return false;
        criterion_look(view->check, evidence, NULL, &view->moments);
    }
    if (need->undone_by) {
        if (!criterion_open(need->undone_by, locale, &view->undone_by, err))
            return false;
        criterion_look(view->undone_by, evidence, NULL, &view->undone);
    }
    return true;
}

/* The step at which it first happens; the number of steps: never. */
static size_t first_step(const struct moments *moments)
{
    size_t t = 0;

    while (t + 1 < moments->count && !moments->happens[t])
        t++;
    return t;
}

/* The first step that another need asks for undoes nothing. */
static void excuse(struct needs_check *needs, size_t i)
{
    size_t steps = needs->evidence->count;
    struct need_view *view = &needs->views[i];
    bool *excused = mem_new(steps + 1, sizeof(*excused));

    for (size_t k = 0; k < needs->count; k++) {
        if (k != i)
            excused[first_step(&needs->views[k].moments)] = true;
    }
    moments_release(&view->moments);
    moments_init(&view->moments, steps);
    criterion_look(view->check, needs->evidence, excused, &view->moments);
    free(excused);
}

static size_t find_need(const struct needs_check *needs, const char *id)
{
    for (size_t i = 0; i < needs->count; i++) {
        if (needs->views[i].need->id && !strcmp(needs->views[i].need->id, id))
            return i;
    }
    return needs->count;
}

static void fulfil(struct needs_check *needs, size_t i);

/* Was the other need met and in force before this step? */
static bool is_before(struct needs_check *needs, size_t other, size_t moment)
{
    if (other == needs->count || needs->views[other].busy)
        return false;
    fulfil(needs, other);
    /* Before a step; needs that are met at the end are met together. */
    if (moment == needs->evidence->count)
        return needs->views[other].by[moment] >= 0;
    return moment > 0 && needs->views[other].by[moment - 1] >= 0;
}

/* The first need that had to be met before and was not; count: none. */
static size_t missing_before(struct needs_check *needs, size_t i, size_t moment)
{
    const struct text_list *after = &needs->views[i].need->after;

    if (needs->ordered && i > 0 && !is_before(needs, i - 1, moment))
        return i - 1;
    for (size_t k = 0; k < after->count; k++) {
        size_t other = find_need(needs, after->items[k]);

        if (!is_before(needs, other, moment))
            return other;
    }
    return needs->count;
}

/* The latest step up to moment that meets it and was not undone. */
static int met_by(struct needs_check *needs, size_t i, size_t moment)
{
    struct need_view *view = &needs->views[i];
    int since = view->moments.since[moment];

    for (int s = (int)moment; since >= 0 && s >= since; s--) {
        if (view->moments.happens[s] &&
            missing_before(needs, i, (size_t)s) == needs->count)
            return s;
        if (view->undone.happens[s])
            break;
    }
    return -1;
}

static void fulfil(struct needs_check *needs, size_t i)
{
    struct need_view *view = &needs->views[i];

    if (view->done)
        return;
    view->busy = true;
    for (size_t t = 0; t < view->moments.count; t++)
        view->by[t] = view->check ? met_by(needs, i, t) : 0;
    view->busy = false;
    view->done = true;
}

static bool open_all(const struct episode_evidence *evidence,
                     const struct task_need *list, size_t count, bool ordered,
                     struct needs_check *needs, struct err *err)
{
    *needs = (struct needs_check){.evidence = evidence, .ordered = ordered};
    needs->views = mem_new(count + 1, sizeof(*needs->views));
    for (size_t i = 0; i < count; i++) {
        needs->count++;
        if (!open_view(evidence, &list[i], &needs->views[i], err)) {
            err_wrap(err, "need '%.60s'", name_of(needs, i));
            needs_check_release(needs);
            return false;
        }
    }
    for (size_t i = 0; i < needs->count; i++) {
        if (needs->views[i].check)
            excuse(needs, i);
    }
    for (size_t i = 0; i < needs->count; i++)
        fulfil(needs, i);
    return true;
}

bool needs_check_open(const struct episode_evidence *evidence,
                      struct needs_check *needs, struct err *err)
{
    const struct task *task = &evidence->task;

    return open_all(evidence, task->needs, task->need_count, task->ordered,
                    needs, err);
}

void needs_check_release(struct needs_check *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        struct need_view *view = &needs->views[i];

        criterion_close(view->check);
        criterion_close(view->undone_by);
        moments_release(&view->moments);
        moments_release(&view->undone);
        free(view->by);
    }
    free(needs->views);
    *needs = (struct needs_check){.count = 0};
}

/* ---- telling ---- */

static struct verdict_need new_need(const char *say, bool known, bool met,
                                    int step, const char *why)
{
    return (struct verdict_need){.say = mem_dup(say),
                                 .known = known,
                                 .met = met,
                                 .step = step,
                                 .why = why ? mem_dup(why) : NULL};
}

static void add_need(struct verdict *verdict, struct verdict_need need)
{
    verdict->needs = mem_resize(verdict->needs, verdict->need_count + 1,
                                sizeof(*verdict->needs));
    verdict->needs[verdict->need_count++] = need;
    verdict->met += need.met;
}

void needs_check_add(struct verdict *verdict, const char *say, bool known,
                     bool met, int step, const char *why)
{
    add_need(verdict, new_need(say, known, met, step, why));
}

/* "step 3: tapped 'Sort'" */
static void tell_step(const struct needs_check *needs, const char *before,
                      int step, char why[WHY_MAX])
{
    const struct episode_evidence *evidence = needs->evidence;

    if ((size_t)step < evidence->count)
        snprintf(why, WHY_MAX, "%sstep %d: %s", before, step,
                 evidence->steps[step].description);
    else
        snprintf(why, WHY_MAX, "%sthe end", before);
}

static int undone_at(const struct need_view *view, int step)
{
    for (size_t t = (size_t)step + 1; t < view->moments.count; t++) {
        if (view->undone.happens[t] || view->moments.since[t] < 0)
            return (int)t;
    }
    return -1;
}

/* It happened, but the need is not met. */
static void tell_in_vain(struct needs_check *needs, size_t i, int step,
                         char why[WHY_MAX])
{
    struct need_view *view = &needs->views[i];
    size_t missing = missing_before(needs, i, (size_t)step);
    int undone = undone_at(view, step);
    char before[96];

    if (missing < needs->count) {
        snprintf(why, WHY_MAX, "step %d came without '%.80s' before it", step,
                 name_of(needs, missing));
        return;
    }
    snprintf(before, sizeof(before), "step %d did it, and it was undone by ",
             step);
    tell_step(needs, before, undone, why);
}

static void tell_unmet(struct needs_check *needs, size_t i, char why[WHY_MAX])
{
    struct need_view *view = &needs->views[i];
    int step = moments_last(&view->moments);
    int nearest;

    if (step >= 0) {
        tell_in_vain(needs, i, step, why);
        return;
    }
    if (view->need->check->kind == EPISODE_CHECK_END) {
        snprintf(why, WHY_MAX, "the last screen does not show it");
        return;
    }
    if (view->need->check->kind == EPISODE_CHECK_EVIDENCE) {
        const char *name = view->need->check->evidence;
        const char *value =
            episode_evidence_recorded(needs->evidence, name, true);

        snprintf(why, WHY_MAX, "'%s' was %s%.200s", name,
                 value ? "" : "not recorded", value ? value : "");
        return;
    }
    nearest = criterion_nearest(view->check, needs->evidence);
    if (nearest < 0)
        snprintf(why, WHY_MAX, "no step comes near");
    else
        tell_step(needs, "no step does; nearest is ", nearest, why);
}

static struct verdict_need tell(struct needs_check *needs, size_t i)
{
    const struct need_view *view = &needs->views[i];
    size_t end = view->moments.count - 1;
    int by = view->by[end];
    char why[WHY_MAX];

    if (!view->check)
        return new_need(name_of(needs, i), false, false, -1,
                        "it has no check: only a model can decide it");
    if (by < 0)
        tell_unmet(needs, i, why);
    else
        tell_step(needs, "", by, why);
    /* A need that is met at the end is attributed to the last step. */
    if (by == (int)end)
        by = (int)end - 1;
    return new_need(name_of(needs, i), true, view->by[end] >= 0, by, why);
}

void needs_check_tell(const struct needs_check *needs, struct verdict *verdict)
{
    struct needs_check view = *needs; /* all are met: nothing changes */

    for (size_t i = 0; i < needs->count; i++)
        add_need(verdict, tell(&view, i));
}

bool needs_check_checklist(const struct episode_evidence *evidence,
                           struct verdict *verdict, struct err *err)
{
    const struct task *task = &evidence->task;
    struct needs_check questions;

    if (!open_all(evidence, task->checklist, task->checklist_count, false,
                  &questions, err))
        return err_wrap(err, "checklist");
    verdict->checklist =
        mem_new(questions.count + 1, sizeof(*verdict->checklist));
    for (size_t i = 0; i < questions.count; i++) {
        verdict->checklist[i] = tell(&questions, i);
        verdict->checklist_met += verdict->checklist[i].met;
    }
    verdict->checklist_count = questions.count;
    needs_check_release(&questions);
    return true;
}

/* Would the need be met if the episode had ended with this step? */
static bool is_met_then(const struct needs_check *needs, size_t i, size_t step)
{
    const struct need_view *view = &needs->views[i];

    if (view->check && view->need->check->kind == EPISODE_CHECK_END)
        return criterion_is_on(view->check, needs->evidence->steps[step].after);
    return view->by[step] >= 0;
}

int needs_check_passed(const struct needs_check *needs)
{
    size_t end = needs->evidence->count;

    for (size_t t = end; t > 0; t--) {
        bool all = needs->count > 0;

        for (size_t i = 0; all && i < needs->count; i++)
            all = is_met_then(needs, i, t - 1);
        if (all)
            return (int)(t - 1);
    }
    return -1;
}
