#include "judge/verdict/episode_ending.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define REASON_MAX 1024

void episode_ending_set(struct verdict *verdict, enum outcome outcome,
                        const char *fmt, ...)
{
    char reason[REASON_MAX];
    va_list args;

    va_start(args, fmt);
    vsnprintf(reason, sizeof(reason), fmt, args);
    va_end(args);
    verdict->outcome = outcome;
    free(verdict->reason);
    verdict->reason = mem_dup(reason);
}

/* Gold without a final complete gets one more step. */
static int gold_steps(const struct task_gold *gold)
{
    enum action_kind last;

    if (!gold->count)
        return 0;
    last = gold->steps[gold->count - 1].action.kind;
    return (int)gold->count + (last != ACTION_COMPLETE &&
                               last != ACTION_ANSWER && last != ACTION_FAIL);
}

static const char *because(const struct trajectory *trajectory,
                           const char *otherwise)
{
    return trajectory->reason && trajectory->reason[0] ? trajectory->reason
                                                       : otherwise;
}

bool episode_ending_decide(const struct episode_evidence *evidence,
                           struct verdict *verdict)
{
    const struct trajectory *trajectory = &evidence->trajectory;

    verdict->steps = (int)evidence->count;
    verdict->gold_steps = gold_steps(&evidence->task.gold);
    switch (trajectory->ending) {
    case ENDING_COMPLETE:
    case ENDING_ANSWER:
        return true;
    case ENDING_FAIL:
        episode_ending_set(verdict, OUTCOME_FAILURE, "the agent gave up: %s",
                           because(trajectory, "it did not say why"));
        return false;
    case ENDING_BUDGET:
        episode_ending_set(verdict, OUTCOME_UNCOMPLETED, "%s",
                           because(trajectory, "steps or time ran out"));
        return false;
    case ENDING_REPEATED:
        episode_ending_set(verdict, OUTCOME_UNCOMPLETED, "%s",
                           because(trajectory, "the same action was repeated"));
        verdict->early_stop = true;
        return false;
    case ENDING_VOID:
        episode_ending_set(
            verdict, OUTCOME_VOID, "%s",
            because(trajectory, "the reason is outside the agent"));
        return false;
    case ENDING_NONE:
    case ENDING_KINDS:
        break;
    }
    episode_ending_set(verdict, OUTCOME_UNSCORED, "the episode has no end");
    return false;
}
