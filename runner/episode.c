#include "runner/episode.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/episode_private.h"

int64_t episode_now(const struct episode *episode)
{
    return (clock_ns() - episode->started_ns) / 1000000;
}

bool episode_fails(struct episode *episode, enum mishap_place place)
{
    episode->place = place;
    return false;
}

/* ---- the whole way ---- */

static bool tell(struct episode *episode, const char *doing, struct err *err)
{
    const struct episode_options *options = episode->options;
    const struct episode_state state = {
        .doing = doing,
        .step = episode->step,
        .steps = episode->steps,
        .left_ms = deadline_left_ms(episode->by),
    };

    if (cancel_fired(options->cancel) ||
        (options->watch && !options->watch(options->watch_context, &state)))
        return err_set(err, ERR_CANCELLED, "interrupted");
    return true;
}

static void end_by(struct episode *episode, enum trajectory_ending ending,
                   const char *reason)
{
    episode->ending = ending;
    snprintf(episode->reason, sizeof(episode->reason), "%s", reason);
}

/* See, decide and act until something ends it. */
static bool work_on_it(struct episode *episode, struct err *err)
{
    while (episode->ending == ENDING_NONE) {
        if (!tell(episode, "step", err))
            return false;
        if (episode->step >= episode->steps)
            end_by(episode, ENDING_BUDGET, "no steps are left");
        else if (deadline_passed(episode->by))
            end_by(episode, ENDING_BUDGET, "no time is left");
        else if (!episode_step(episode, err))
            return false;
    }
    return true;
}

/* The last screen, and what the phone says of itself, before any clean-up. */
static bool conclude(struct episode *episode, struct err *err)
{
    if (!tell(episode, "ending", err))
        return false;
    if (!session_see(episode->options->session, &episode->seen, err))
        return episode_fails(episode, MISHAP_SEEING);
    if (!episode_record_sight(episode, err))
        return episode_fails(episode, MISHAP_RECORDING);
    return episode_probe(episode, false, err) && episode_fetch(episode, err) &&
           episode_tell_truth(episode, err);
}

static bool write_end(struct episode *episode, struct err *err)
{
    return trajectory_end(episode->writer, episode->ending, episode->reason,
                          episode_now(episode), err) ||
           episode_fails(episode, MISHAP_RECORDING);
}

static bool go(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct agent *agent = options->agent;
    bool done;

    if (!tell(episode, "preparing", err) || !episode_prepare(episode, err))
        return false;
    if (options->task->seconds > 0)
        episode->by = deadline_in_ms(options->task->seconds * INT64_C(1000));
    episode->place = MISHAP_DECIDING;
    if (agent->ops->begin &&
        !agent->ops->begin(agent, &episode->asked, options->repeat, err))
        return false;
    done = work_on_it(episode, err) && conclude(episode, err);
    if (agent->ops->end)
        agent->ops->end(agent);
    return done && write_end(episode, err);
}

/* ---- when it goes wrong ---- */

/*
 * A mishap is recorded as an end that is void; an interruption leaves none,
 * as a kill does, so that `resume` begins anew.
 */
static void record_mishap(struct episode *episode, struct episode_end *end)
{
    struct err ignored;

    end->mishap = mishap_of(episode->place, end->error.code);
    if (end->mishap == MISHAP_INTERRUPTED)
        return;
    end_by(episode, ENDING_VOID, end->error.text);
    if (!episode->writer && !episode_create(episode, &ignored))
        return;
    (void)!write_end(episode, &ignored);
}

/* ---- beginning and ending ---- */

static void init(struct episode *episode, const struct episode_options *options)
{
    struct buf name = BUF_INIT(PATH_MAX);
    struct buf folder = BUF_INIT(PATH_MAX);

    result_folder(options->task->id, options->repeat, options->attempt, &name);
    buf_printf(&folder, "%s/%s", options->run, buf_cstr(&name));
    *episode = (struct episode){
        .options = options,
        .folder = mem_dup(buf_cstr(&folder)),
        .name = mem_dup(buf_cstr(&name)),
        .started_ns = clock_ns(),
        .steps = options->policy->steps ? options->policy->steps
                                        : options->task->steps,
        .actions = options->policy->actions ? options->policy->actions
                                            : options->task->actions,
        .by = DEADLINE_NEVER,
        .place = MISHAP_PREPARING,
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
    streak_release(&episode->streak);
    elements_release(&episode->elements);
    observation_release(&episode->seen);
    trajectory_close(episode->writer);
    if (episode->resolved)
        task_release(&episode->asked);
    free(episode->instruction);
    free(episode->notice);
    free(episode->answer);
    free(episode->folder);
    free(episode->name);
}

/* What was written is what counts. */
static void read_result(const struct episode *episode, struct result *result)
{
    struct trajectory trajectory;
    struct err ignored;

    if (trajectory_load(episode->folder, &trajectory, &ignored)) {
        result_of(&trajectory, episode->name, result);
        trajectory_release(&trajectory);
        return;
    }
    *result = (struct result){
        .task = mem_dup(episode->options->task->id),
        .repeat = episode->options->repeat,
        .attempt = episode->options->attempt,
        .episode = mem_dup(episode->name),
    };
}

void episode_run(const struct episode_options *options, struct episode_end *end)
{
    struct episode episode;

    *end = (struct episode_end){.mishap = MISHAP_NONE};
    init(&episode, options);
    if (!go(&episode, &end->error))
        record_mishap(&episode, end);
    read_result(&episode, &end->result);
    release(&episode);
}
