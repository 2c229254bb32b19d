/* One step of an environment: act, settle, score. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/parse/reply_parser.h"
#include "tools/env/environment_private.h"

/* The action of a step, and whether it was done. */
struct env_outcome {
    struct action action; /* owned */
    enum trajectory_block block;
    char why[GUARD_WHY_MAX]; /* why it was not done */
    char doubt[DEVICE_SESSION_DOUBT_MAX];
};

static void block(struct env_outcome *outcome, enum trajectory_block by,
                  const char *why)
{
    outcome->block = by;
    snprintf(outcome->why, sizeof(outcome->why), "%s", why);
}

/* ---- the action ---- */

static void copy_action(const struct action *from, struct action *to)
{
    *to = *from;
    to->text = from->text ? mem_dup(from->text) : NULL;
}

/* The action in a model's reply; without one it is a blocked WAIT. */
static bool parse_text(struct environment *env,
                       const struct env_request *request,
                       struct env_outcome *outcome, struct err *err)
{
    const struct reply_parse_options options = {
        .family =
            request->family[0] ? model_family_find(request->family) : NULL,
        .picture = env->seen.screen,
        .screen = env->seen.screen,
    };
    const struct model_family *family;
    struct err why = ERR_INIT;
    bool parsed = reply_parse(request->text, strlen(request->text), &options,
                              &outcome->action, &family, &why);

    if (!parsed) {
        outcome->action = (struct action){.kind = ACTION_WAIT};
        block(outcome, BLOCK_REPLY, why.text);
        env->useless++;
    }
    return !env->record || env_record_reply(env->record, request->text,
                                            parsed ? NULL : why.text, err);
}

/* Convert the number of an element to a point. */
static bool resolve_index(struct environment *env, struct action *action,
                          struct err *err)
{
    if (!action->has_index || action->has_from)
        return true;
    if (!environment_read_tree(env, err))
        return false;
    if (!env->has_elements)
        element_list_build(&env->seen.tree, &env->elements);
    env->has_elements = true;
    action->has_from =
        element_list_point(&env->elements, action->index, &action->from);
    return action->has_from || err_set(err, ERR_INVALID,
                                       "action.index: there is no element %d "
                                       "on this screen",
                                       action->index);
}

static bool take_action(struct environment *env,
                        const struct env_request *request,
                        struct env_outcome *outcome, struct err *err)
{
    struct err why = ERR_INIT;

    if (request->has_action) {
        copy_action(&request->action, &outcome->action);
        return resolve_index(env, &outcome->action, err);
    }
    if (!parse_text(env, request, outcome, err))
        return false;
    /*
     * A number that is not on the screen is a mistake of the model, and a step.
     */
    if (resolve_index(env, &outcome->action, &why))
        return true;
    if (why.code != ERR_INVALID) {
        *err = why;
        return false;
    }
    block(outcome, BLOCK_REPLY, why.text);
    return true;
}

/* ---- acting ---- */

/* COMPLETE and FAIL are always allowed. */
static bool is_allowed(const struct environment *env, enum action_kind kind)
{
    return (env->actions & (UINT32_C(1) << kind)) || kind == ACTION_COMPLETE ||
           kind == ACTION_FAIL;
}

static bool ends_it(enum action_kind kind)
{
    return kind == ACTION_COMPLETE || kind == ACTION_FAIL ||
           kind == ACTION_ANSWER;
}

/* The guard looks at the tree. */
static bool is_guarded(struct environment *env, struct env_outcome *outcome,
                       struct err *err)
{
    const struct guard *guard = env->world->guard;
    char why[GUARD_WHY_MAX];

    if (!guard || !env->phone->user_owned)
        return true;
    if (!environment_read_tree(env, err))
        return false;
    if (!guard_allows(guard, &env->assignment->task, &env->seen,
                      &outcome->action, why))
        block(outcome, BLOCK_GUARD, why);
    return true;
}

static bool carry_out(struct environment *env, struct env_outcome *outcome,
                      struct err *err)
{
    struct env_phone *phone = env->phone;

    if (phone->ops->perform(phone, &outcome->action, &env->seen, outcome->doubt,
                            err))
        return true;
    if (err->code != ERR_INVALID)
        return false;
    block(outcome, BLOCK_PHONE, err->text);
    return true;
}

static bool act(struct environment *env, struct env_outcome *outcome,
                struct err *err)
{
    char why[GUARD_WHY_MAX];

    if (outcome->block != BLOCK_NONE)
        return true;
    if (!is_allowed(env, outcome->action.kind)) {
        snprintf(why, sizeof(why), "%s is not allowed in this task",
                 action_kind_name(outcome->action.kind));
        block(outcome, BLOCK_SPACE, why);
        return true;
    }
    return is_guarded(env, outcome, err) &&
           (outcome->block != BLOCK_NONE || carry_out(env, outcome, err));
}

static bool record(struct environment *env, const struct env_outcome *outcome,
                   struct err *err)
{
    const struct step_action line = {
        .action = &outcome->action,
        .block = outcome->block,
        .blocked = outcome->block == BLOCK_NONE ? NULL : outcome->why,
        .doubt = outcome->doubt[0] ? outcome->doubt : NULL,
    };

    return !env->record || env_record_action(env->record, &line, err);
}

/* ---- the end of an episode ---- */

static void end_by(struct environment *env, enum trajectory_ending ending,
                   const char *reason)
{
    env->ending = ending;
    snprintf(env->reason, sizeof(env->reason), "%s", reason);
}

static void end_by_action(struct environment *env, const struct action *action)
{
    static const enum trajectory_ending endings[ACTION_KINDS] = {
        [ACTION_COMPLETE] = ENDING_COMPLETE,
        [ACTION_FAIL] = ENDING_FAIL,
        [ACTION_ANSWER] = ENDING_ANSWER,
    };

    end_by(env, endings[action->kind],
           action->text ? action->text : "the agent said so");
    if (action->kind != ACTION_ANSWER)
        return;
    free(env->answer);
    env->answer = mem_dup(action->text ? action->text : "");
}

static bool is_repeated(struct environment *env,
                        const struct env_outcome *outcome)
{
    return outcome->block != BLOCK_REPLY &&
           repeat_detector_add(&env->repeats, &env->world->policy,
                               &outcome->action, env->seen.screen_hash,
                               env->seen.screen.width);
}

/* By the action, the budget, or an action that was repeated. */
static void end_if_over(struct environment *env,
                        const struct env_outcome *outcome)
{
    char why[64];

    if (outcome->block == BLOCK_NONE && ends_it(outcome->action.kind)) {
        end_by_action(env, &outcome->action);
    } else if (is_repeated(env, outcome)) {
        snprintf(why, sizeof(why), "the same action %d times",
                 env->world->policy.equal_actions);
        end_by(env, ENDING_REPEATED, why);
    } else if (env->step + 1 >= env->steps) {
        end_by(env, ENDING_BUDGET, "no steps are left");
    }
}

static bool record_end(struct environment *env, struct err *err)
{
    struct env_phone *phone = env->phone;
    struct cJSON *verdict = NULL;
    bool done;

    if (!env->record || env->ending == ENDING_NONE)
        return true;
    if (phone->ops->judge && env->assignment->task.truth &&
        !phone->ops->judge(phone, env->assignment->task.truth, env->answer,
                           &verdict, err))
        return false;
    done = env_record_end(env->record, env->ending, env->reason, verdict, err);
    cJSON_Delete(verdict);
    return done;
}

/* ---- the step ---- */

static void set_notice(struct environment *env,
                       const struct env_outcome *outcome)
{
    free(env->notice);
    env->notice = NULL;
    if (outcome->block != BLOCK_NONE)
        env->notice = mem_dup(outcome->why);
    else if (outcome->action.kind == ACTION_ASK)
        env->notice =
            mem_dup("no user is available to answer: decide yourself");
}

/*
 * An action that only ends the episode leaves the screen as it was; a record
 * has its last screen all the same.
 */
static bool observe_after(struct environment *env,
                          const struct env_outcome *outcome, struct err *err)
{
    bool same = outcome->block == BLOCK_NONE && ends_it(outcome->action.kind);

    return (same && !env->record) || environment_settle(env, err);
}

static bool finish(struct environment *env, const struct env_outcome *outcome,
                   struct err *err)
{
    if (!record(env, outcome, err))
        return false;
    set_notice(env, outcome);
    end_if_over(env, outcome);
    env->step++;
    env->blocked += outcome->block != BLOCK_NONE;
    if (!observe_after(env, outcome, err) ||
        (env->ending != ENDING_NONE && !environment_probe(env, false, err)) ||
        !environment_score(env, err))
        return false;
    if (env->ending == ENDING_NONE && env->ends_when_met && env->score.met) {
        end_by(env, ENDING_COMPLETE, "the truth is met");
        if (!environment_probe(env, false, err))
            return false;
    }
    return record_end(env, err);
}

static bool check_episode(const struct environment *env, struct err *err)
{
    if (!env->began)
        return err_set(err, ERR_INVALID, "environment %s: reset it first",
                       env->name);
    if (env->broken[0])
        return err_set(err, ERR_INVALID,
                       "environment %s failed: reset it. It failed because: "
                       "%.150s",
                       env->name, env->broken);
    return env->ending == ENDING_NONE ||
           err_set(err, ERR_INVALID,
                   "environment %s: the episode is over (%.100s): reset it",
                   env->name, env->reason);
}

bool environment_step(struct environment *env,
                      const struct env_request *request, struct err *err)
{
    struct env_outcome outcome = {.block = BLOCK_NONE};
    bool done;

    if (!check_episode(env, err))
        return false;
    if (!take_action(env, request, &outcome, err)) {
        action_release(&outcome.action);
        return err->code == ERR_INVALID ? false : environment_break(env, err);
    }
    done = act(env, &outcome, err) && finish(env, &outcome, err);
    action_release(&outcome.action);
    return done || environment_break(env, err);
}
