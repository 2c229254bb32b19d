/* A person takes over during an episode: see takeover.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "runner/episode/episode_private.h"

static const char driving[] = "a person drives the phone";

bool episode_take_control(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;

    if (!options->takeover)
        return true;
    if (control_lease_holder(&options->takeover->lease, NULL) != CONTROL_FREE &&
        !episode_report(episode, "preparing", driving))
        return err_set(err, ERR_CANCELLED, "interrupted");
    return takeover_begin(options->takeover, options->cancel, &episode->epoch,
                          err);
}

void episode_give_control_back(struct episode *episode)
{
    struct takeover *takeover = episode->options->takeover;

    if (takeover)
        control_lease_give_back(&takeover->lease, episode->epoch);
}

/* ---- the agent ---- */

bool episode_begin_action(struct episode *episode, struct step_outcome *outcome)
{
    struct takeover *takeover = episode->options->takeover;
    struct err ignored;

    if (!takeover ||
        control_lease_enter(&takeover->lease, episode->epoch, &ignored))
        return true;
    step_outcome_block(outcome, BLOCK_PERSON,
                       "a person took over the phone before it was done");
    return false;
}

void episode_end_action(struct episode *episode)
{
    if (episode->options->takeover)
        control_lease_leave(&episode->options->takeover->lease);
}

/* ---- the person ---- */

bool episode_is_taken_over(const struct episode *episode)
{
    struct takeover *takeover = episode->options->takeover;
    enum control_holder holder =
        takeover ? control_lease_holder(&takeover->lease, NULL) : CONTROL_AGENT;

    return holder == CONTROL_PERSON || holder == CONTROL_RECORDER;
}

bool episode_mask_secrets(struct episode *episode, struct err *err)
{
    struct takeover_secrets *secrets = &episode->secrets;

    secrets->active = secrets->active || episode_is_taken_over(episode);
    return takeover_secrets_mask_screen(secrets, &episode->seen, err);
}

/* The screen before the next action of the person. */
static bool observe(struct episode *episode, struct err *err)
{
    return (device_session_observe(episode->options->session, &episode->seen,
                                   err) &&
            episode_mask_secrets(episode, err)) ||
           episode_fail_in(episode, EPISODE_PHASE_OBSERVE);
}

/* Note why the record of a person's action may be wrong. */
static void set_doubt(struct step_outcome *outcome, size_t missed, bool late,
                      bool masked)
{
    if (missed)
        snprintf(outcome->doubt, sizeof(outcome->doubt),
                 "%zu actions of the person before it are not recorded",
                 missed);
    else if (late)
        snprintf(outcome->doubt, sizeof(outcome->doubt),
                 "the screen may have been observed after it%s",
                 masked ? "; the text was not stored, as the field may be a "
                          "password field"
                        : "");
}

/*
 * Record an action of the person, without passwords. The screen was observed
 * after the action before it; a person who acts faster than that is recorded
 * with a doubt.
 */
static bool record(struct episode *episode, struct action *action,
                   size_t missed, bool late, struct err *err)
{
    bool masked = takeover_secrets_mask_action(
        &episode->secrets, &episode->seen, late || missed, action);
    struct step_outcome outcome = {.action = *action};

    set_doubt(&outcome, missed, late, masked);
    return (episode_record_observation(episode, err) ||
            episode_fail_in(episode, EPISODE_PHASE_RECORD)) &&
           episode_record_action(episode, ACTOR_HUMAN, &outcome, err);
}

/* Record all that the person does, until the phone is given back. */
static bool record_person(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct action action;
    size_t missed;
    bool done = observe(episode, err);
    bool late = takeover_has_actions(options->takeover);

    while (done && takeover_next(options->takeover, options->cancel, &action,
                                 &missed)) {
        done = record(episode, &action, missed, late, err) &&
               observe(episode, err);
        late = takeover_has_actions(options->takeover);
        action_release(&action);
    }
    return done;
}

/* Record what persons do, until control could be taken for the agent. */
static bool record_until_free(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct err busy = ERR_INIT;

    do {
        if (cancel_fired(options->cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (!record_person(episode, err))
            return false;
    } while (!control_lease_take_free(&options->takeover->lease, CONTROL_AGENT,
                                      &episode->epoch, &busy));
    return true;
}

/* Also by the password fields of the screen that the person takes over. */
static bool begin_masking(struct episode *episode, struct err *err)
{
    episode->secrets.active = true;
    return episode_mask_secrets(episode, err) ||
           episode_fail_in(episode, EPISODE_PHASE_OBSERVE);
}

static void notice_person(struct episode *episode)
{
    free(episode->notice);
    episode->notice = mem_dup(
        "a person took over the phone for a while: look at the screen again");
}

bool episode_follow_person(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    int64_t began = clock_ns();

    if (!options->takeover || takeover_holds(options->takeover, episode->epoch))
        return true;
    if (!episode_report(episode, "step", driving))
        return err_set(err, ERR_CANCELLED, "interrupted");
    device_session_set_budget(options->session, DEADLINE_NEVER);
    if (!begin_masking(episode, err) || !record_until_free(episode, err))
        return false;
    if (episode->by.at_ns != DEADLINE_NEVER.at_ns)
        episode->by.at_ns += clock_ns() - began;
    device_session_set_budget(options->session, episode->by);
    notice_person(episode);
    return true;
}
