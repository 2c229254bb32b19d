/* The action of a step: carry it out or block it, record it, and end by it. */
#include <stdio.h>

#include "base/mem.h"
#include "runner/episode/episode_private.h"

/* ---- acting ---- */

void step_outcome_block(struct step_outcome *outcome, enum trajectory_block by,
                        const char *why)
{
    outcome->block = by;
    snprintf(outcome->why, sizeof(outcome->why), "%s", why);
}

static bool carry_out(struct episode *episode, struct step_outcome *outcome,
                      struct err *err)
{
    bool done;

    if (!episode_begin_action(episode, outcome))
        return true;
    done = device_session_perform(episode->options->session, &outcome->action,
                                  &episode->seen, outcome->doubt, err);
    episode_end_action(episode);
    if (done)
        return true;
    if (err->code != ERR_INVALID)
        return episode_fail_in(episode, EPISODE_PHASE_ACT);
    step_outcome_block(outcome, BLOCK_PHONE, err->text);
    return true;
}

/* COMPLETE and FAIL are always allowed. */
static bool is_allowed(const struct episode *episode, enum action_kind kind)
{
    return (episode->actions & (UINT32_C(1) << kind)) ||
           kind == ACTION_COMPLETE || kind == ACTION_FAIL;
}

bool episode_guard_blocks(const struct episode *episode,
                          struct step_outcome *outcome)
{
    const struct guard *guard = episode->options->guard;
    char why[GUARD_WHY_MAX];

    if (!guard || guard_allows(guard, &episode->asked, &episode->seen,
                               &outcome->action, why))
        return false;
    step_outcome_block(outcome, BLOCK_GUARD, why);
    return true;
}

bool episode_act(struct episode *episode, struct step_outcome *outcome,
                 struct err *err)
{
    char why[GUARD_WHY_MAX];

    if (outcome->block != BLOCK_NONE)
        return true;
    if (!is_allowed(episode, outcome->action.kind)) {
        snprintf(why, sizeof(why), "%s is not allowed in this task",
                 action_kind_name(outcome->action.kind));
        step_outcome_block(outcome, BLOCK_SPACE, why);
        return true;
    }
    return episode_guard_blocks(episode, outcome) ||
           carry_out(episode, outcome, err);
}

/* For people who watch the run. */
static void describe_last(struct episode *episode,
                          const struct step_outcome *outcome)
{
    const struct observation *seen = &episode->seen;
    const struct scene scene = {.tree = seen->has_tree ? &seen->tree : NULL};
    struct description description;

    describe_step(&scene, &outcome->action, &description);
    snprintf(
        episode->last, sizeof(episode->last), "%s%s",
        outcome->block == BLOCK_NONE ? "" : "not done: ", description.text);
}

bool episode_record_action(struct episode *episode, enum trajectory_actor actor,
                           const struct step_outcome *outcome, struct err *err)
{
    const struct step_action line = {
        .actor = actor,
        .action = &outcome->action,
        .block = outcome->block,
        .blocked = outcome->block == BLOCK_NONE ? NULL : outcome->why,
        .doubt = outcome->doubt[0] ? outcome->doubt : NULL,
        .at_ms = outcome->at_ms ? outcome->at_ms : episode_elapsed_ms(episode),
    };

    describe_last(episode, outcome);
    return trajectory_write_action(episode->writer, &line, err) ||
           episode_fail_in(episode, EPISODE_PHASE_RECORD);
}

/* ---- ending ---- */

static bool ends_it(enum action_kind kind)
{
    return kind == ACTION_COMPLETE || kind == ACTION_FAIL ||
           kind == ACTION_ANSWER;
}

static void end_by_action(struct episode *episode, const struct action *action)
{
    static const enum trajectory_ending endings[ACTION_KINDS] = {
        [ACTION_COMPLETE] = ENDING_COMPLETE,
        [ACTION_FAIL] = ENDING_FAIL,
        [ACTION_ANSWER] = ENDING_ANSWER,
    };

    episode->ending = endings[action->kind];
    snprintf(episode->reason, sizeof(episode->reason), "%s",
             action->text ? action->text : "the agent said so");
    if (action->kind == ACTION_ANSWER)
        episode->answer = mem_dup(action->text ? action->text : "");
}

void episode_end_if_over(struct episode *episode,
                         const struct step_outcome *outcome)
{
    const struct episode_policy *policy = episode->options->policy;

    if (outcome->block == BLOCK_NONE && ends_it(outcome->action.kind)) {
        end_by_action(episode, &outcome->action);
        episode->seen_is_last = true;
    } else if (episode->options->agent->actor == ACTOR_AGENT &&
               outcome->block != BLOCK_REPLY &&
               outcome->block != BLOCK_PERSON &&
               outcome->action.kind != ACTION_RAW &&
               repeat_detector_add(&episode->repeats, policy, &outcome->action,
                                   episode->seen.screen_hash,
                                   episode->seen.screen.width)) {
        episode->ending = ENDING_REPEATED;
        snprintf(episode->reason, sizeof(episode->reason),
                 "the same action %d times", policy->equal_actions);
    }
}
