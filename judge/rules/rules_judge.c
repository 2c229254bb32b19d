#include "judge/rules/rules_judge.h"

#include <stdio.h>
#include <string.h>

#include "judge/rules/answer_check.h"
#include "judge/rules/image_check.h"
#include "judge/rules/needs_check.h"
#include "judge/verdict/episode_ending.h"

#define TEXT_MAX 512

/* ---- what is not a need, and yet must hold ---- */

static bool look_at_answer(const struct episode_evidence *evidence,
                           struct verdict *verdict, struct err *err)
{
    const struct task_answer *answer = &evidence->task.answer;
    const char *said = episode_evidence_answer(evidence);
    char wanted[TEXT_MAX / 2];
    char say[TEXT_MAX];
    char why[TEXT_MAX];
    bool right = false;

    if (answer->kind == TASK_ANSWER_NONE)
        return true;
    if (said && !answer_check(answer, said, &right, err))
        return false;
    answer_describe(answer, wanted, sizeof(wanted));
    snprintf(say, sizeof(say), "the answer is %s", wanted);
    snprintf(why, sizeof(why), said ? "it said '%.400s'" : "it gave none",
             said);
    needs_check_add(verdict, say, true, right,
                    right ? (int)evidence->count - 1 : -1, why);
    return true;
}

static bool look_at_never(const struct episode_evidence *evidence,
                          struct verdict *verdict, struct err *err)
{
    const struct task *task = &evidence->task;

    for (size_t i = 0; i < task->never_count; i++) {
        struct criterion *criterion;
        struct moments moments;
        char why[TEXT_MAX + DESCRIPTION_MAX];
        int step;

        if (!criterion_open(&task->never[i], evidence->trajectory.head.locale,
                            &criterion, err))
            return err_wrap(err, "never[%zu]", i);
        moments_init(&moments, evidence->count);
        criterion_look(criterion, evidence, NULL, &moments);
        step = moments_last(&moments);
        moments_release(&moments);
        criterion_close(criterion);
        if (step < 0)
            continue;
        snprintf(why, sizeof(why), "step %d: %s", step,
                 (size_t)step < evidence->count
                     ? evidence->steps[step].description
                     : "at the end");
        needs_check_add(verdict, "nothing forbidden is done", true, false, -1,
                        why);
    }
    return true;
}

static void look_at_unchanged(const struct episode_evidence *evidence,
                              struct verdict *verdict)
{
    const struct task *task = &evidence->task;

    for (size_t i = 0; i < task->probe_count; i++) {
        const char *name = task->probes[i].name;
        const char *before = episode_evidence_recorded(evidence, name, false);
        const char *after = episode_evidence_recorded(evidence, name, true);
        char say[TEXT_MAX];
        char why[TEXT_MAX];

        if (!task->probes[i].unchanged ||
            (before && after && !strcmp(before, after)))
            continue;
        snprintf(say, sizeof(say), "'%.80s' stays as it was", name);
        /* A single value proves nothing. */
        if (!before || !after)
            snprintf(why, sizeof(why), "it was not recorded before and after");
        else
            snprintf(why, sizeof(why), "it was '%.120s', and became '%.120s'",
                     before, after);
        needs_check_add(verdict, say, before && after, false, -1, why);
    }
}

/* ---- all together ---- */

static const struct verdict_need *first_unmet(const struct verdict *verdict,
                                              bool known)
{
    for (size_t i = 0; i < verdict->need_count; i++) {
        if (!verdict->needs[i].met && verdict->needs[i].known == known)
            return &verdict->needs[i];
    }
    return NULL;
}

static void decide(struct verdict *verdict)
{
    const struct verdict_need *unmet = first_unmet(verdict, true);

    if (unmet) {
        episode_ending_set(verdict, OUTCOME_FAILURE, "not met: %s (%s)",
                           unmet->say, unmet->why);
        return;
    }
    unmet = first_unmet(verdict, false);
    if (unmet)
        episode_ending_set(verdict, OUTCOME_UNSCORED, "not known: %s (%s)",
                           unmet->say, unmet->why);
    else if (!verdict->need_count)
        episode_ending_set(verdict, OUTCOME_UNSCORED, "the task has no checks");
    else
        episode_ending_set(verdict, OUTCOME_SUCCESS, "%zu of %zu needs are met",
                           verdict->need_count, verdict->need_count);
}

bool rules_judge(const struct episode_evidence *evidence,
                 struct verdict *verdict, struct err *err)
{
    bool open = episode_ending_decide(evidence, verdict);
    struct needs_check needs;
    bool done;

    if (verdict->outcome == OUTCOME_VOID)
        return true;
    if (!needs_check_open(evidence, &needs, err))
        return false;
    needs_check_tell(&needs, verdict);
    done = look_at_answer(evidence, verdict, err) &&
           look_at_never(evidence, verdict, err) &&
           needs_check_checklist(evidence, verdict, err);
    look_at_unchanged(evidence, verdict);
    image_check(evidence, verdict);
    if (done && open)
        decide(verdict);
    needs_check_release(&needs);
    return done;
}
