#include "runner/episode/episode.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/episode/episode_private.h"

/* For each step of a driving agent, where the task has no time limit. */
#define DRIVE_STEP_MS INT64_C(60000)

int64_t episode_elapsed_ms(const struct episode *episode)
{
    return (clock_ns() - episode->started_ns) / 1000000;
}

bool episode_fail_in(struct episode *episode, enum episode_phase phase)
{
    episode->phase = phase;
    return false;
}

/* ---- the course of an episode ---- */

bool episode_report(struct episode *episode, const char *doing,
                    const char *note)
{
    const struct episode_options *options = episode->options;
    const struct episode_state state = {
        .doing = doing,
        .step = episode->step,
        .steps = episode->steps,
        .left_ms = deadline_left_ms(episode->by),
        .note = note,
        .last = episode->last,
    };

    return !options->watch || options->watch(options->watch_context, &state);
}

static bool report_or_stop(struct episode *episode, const char *doing,
                           struct err *err)
{
    if (cancel_fired(episode->options->cancel) ||
        !episode_report(episode, doing, NULL))
        return err_set(err, ERR_CANCELLED, "interrupted");
    return true;
}

void episode_note_wait(void *context, const char *text)
{
    /* The result is checked before the next step. */
    (void)!episode_report(context, "step", text);
}

static void end_by(struct episode *episode, enum trajectory_ending ending,
                   const char *reason)
{
    episode->ending = ending;
    snprintf(episode->reason, sizeof(episode->reason), "%s", reason);
}

/* If most replies had no action, that is the reason. */
void episode_end_by_budget(struct episode *episode, const char *reason)
{
    char why[sizeof(episode->reason)];

    snprintf(why, sizeof(why), "%s", reason);
    if (episode->useless && 2 * episode->useless >= episode->replies)
        snprintf(why, sizeof(why), "%s; %d of %d replies had no action: %s",
                 reason, episode->useless, episode->replies,
                 episode->useless_why.text);
    end_by(episode, ENDING_BUDGET, why);
}

/* Observe, decide and act until the episode ends. */
static bool run_steps(struct episode *episode, struct err *err)
{
    while (episode->ending == ENDING_NONE) {
        if (!report_or_stop(episode, "step", err))
            return false;
        if (episode->step >= episode->steps)
            episode_end_by_budget(episode, "no steps are left");
        else if (deadline_passed(episode->by))
            episode_end_by_budget(episode, "no time is left");
        else if (!episode_follow_person(episode, err) ||
                 !episode_step(episode, err))
            return false;
    }
    return true;
}

/*
 * Observe the last screen. After an action that only ends the episode, it is
 * usually the screen of the last decision; then its tree is reused, as reading
 * a tree takes seconds.
 */
static bool observe_last(struct episode *episode, struct err *err)
{
    struct device_session *session = episode->options->session;
    struct observation last;
    bool done, same = false;

    if (episode->seen_is_last && episode->seen.has_tree) {
        observation_init(&last);
        done = device_session_capture(session, &last, err);
        same = done && last.screen_hash == episode->seen.screen_hash;
        observation_release(&last);
        if (!done || same)
            return done;
    }
    return device_session_observe(session, &episode->seen, err);
}

/* The last observation, probes, files and truth, before any clean-up. */
static bool conclude(struct episode *episode, struct err *err)
{
    if (!report_or_stop(episode, "ending", err))
        return false;
    if (!observe_last(episode, err) || !episode_mask_secrets(episode, err))
        return episode_fail_in(episode, EPISODE_PHASE_OBSERVE);
    if (!episode_check_typed(episode, err) ||
        !episode_record_observation(episode, err))
        return episode_fail_in(episode, EPISODE_PHASE_RECORD);
    return episode_probe(episode, false, err) &&
           episode_pull_files(episode, err) &&
           episode_record_truth(episode, err);
}

static bool write_end(struct episode *episode, struct err *err)
{
    return trajectory_end(episode->writer, episode->ending, episode->reason,
                          episode_elapsed_ms(episode), err) ||
           episode_fail_in(episode, EPISODE_PHASE_RECORD);
}

/* An agent that drives the phone itself might never end. */
static struct deadline time_budget(const struct episode *episode)
{
    const struct episode_options *options = episode->options;

    if (options->task->seconds > 0)
        return deadline_in_ms(options->task->seconds * INT64_C(1000));
    return options->agent->ops->drive
               ? deadline_in_ms(episode->steps * DRIVE_STEP_MS)
               : DEADLINE_NEVER;
}

static bool run(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct agent *agent = options->agent;
    bool done;

    if (!report_or_stop(episode, "preparing", err) ||
        !episode_take_control(episode, err) || !episode_setup(episode, err))
        return false;
    episode->by = time_budget(episode);
    device_session_set_budget(options->session, episode->by);
    episode->phase = EPISODE_PHASE_DECIDE;
    if (agent->ops->begin &&
        !agent->ops->begin(agent, &episode->asked, options->repeat, err))
        return false;
    done = (agent->ops->drive ? episode_drive(episode, err)
                              : run_steps(episode, err)) &&
           conclude(episode, err);
    if (agent->ops->end)
        agent->ops->end(agent);
    return done && write_end(episode, err);
}

/* ---- failures ---- */

/*
 * A failure is recorded as a void end. An interruption leaves no end, as a kill
 * does, so that `resume` repeats the episode.
 */
static void record_failure(struct episode *episode, struct episode_end *end)
{
    struct err ignored;

    end->failure_cause = failure_cause_of(episode->phase, end->error.code);
    if (end->failure_cause == FAILURE_CAUSE_INTERRUPTED)
        return;
    end_by(episode, ENDING_VOID, end->error.text);
    if (!episode->writer && !episode_create(episode, &ignored))
        return;
    (void)!write_end(episode, &ignored);
}

/* ---- init and release ---- */

static void init(struct episode *episode, const struct episode_options *options)
{
    struct buf name = BUF_INIT(PATH_MAX);
    struct buf folder = BUF_INIT(PATH_MAX);

    run_result_folder(options->task->id, options->repeat, options->attempt,
                      &name);
    buf_printf(&folder, "%s/%s", options->run, buf_cstr(&name));
    *episode = (struct episode){
        .options = options,
        .folder = mem_dup(buf_cstr(&folder)),
        .name = mem_dup(buf_cstr(&name)),
        .started_ns = clock_ns(),
        .steps = (options->policy->steps ? options->policy->steps
                                         : options->task->steps) +
                 options->policy->extra_steps,
        .actions = options->policy->actions ? options->policy->actions
                                            : options->task->actions,
        .by = DEADLINE_NEVER,
        .phase = EPISODE_PHASE_SETUP,
    };
    observation_init(&episode->seen);
    buf_release(&name);
    buf_release(&folder);
}

static void release(struct episode *episode)
{
    for (size_t i = 0; i < episode->past_count; i++) {
        action_release(&episode->past[i].action);
        free(episode->past[i].reply);
        free(episode->past[i].notice);
        buf_release(&episode->past[i].png);
    }
    free(episode->past);
    repeat_detector_release(&episode->repeats);
    element_list_release(&episode->elements);
    typed_check_release(&episode->typed);
    observation_release(&episode->seen);
    takeover_secrets_release(&episode->secrets);
    trajectory_close(episode->writer);
    if (episode->resolved)
        task_release(&episode->asked);
    free(episode->instruction);
    free(episode->notice);
    free(episode->answer);
    free(episode->folder);
    free(episode->name);
}

/* Read the result back from the records. */
static void read_result(const struct episode *episode,
                        struct run_result *result)
{
    struct trajectory trajectory;
    struct err ignored;

    if (trajectory_load(episode->folder, &trajectory, &ignored)) {
        run_result_of(&trajectory, episode->name, result);
        trajectory_release(&trajectory);
        return;
    }
    *result = (struct run_result){
        .task = mem_dup(episode->options->task->id),
        .repeat = episode->options->repeat,
        .attempt = episode->options->attempt,
        .episode = mem_dup(episode->name),
    };
}

void episode_run(const struct episode_options *options, struct episode_end *end)
{
    struct episode episode;
    struct err ignored; /* the session tries it again at its end */

    *end = (struct episode_end){.failure_cause = FAILURE_CAUSE_NONE};
    init(&episode, options);
    if (!run(&episode, &end->error))
        record_failure(&episode, end);
    episode_give_control_back(&episode);
    device_session_set_budget(options->session, DEADLINE_NEVER);
    if (options->agent->ops->drive)
        (void)!device_session_undo_agent(options->session, &ignored);
    read_result(&episode, &end->result);
    release(&episode);
}
