/* One step of an episode: observe, decide, act and record. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "base/picture/png.h"
#include "runner/episode/episode_private.h"

#define MARKED_MAX ((size_t)64 << 20)

/* ---- background work: reading trees, saving files ---- */

struct background_work {
    struct episode *episode;
    pthread_t thread;
    bool started;  /* the thread is running */
    bool tree_due; /* the tree is not read yet */
    bool done;
    enum episode_phase phase; /* the phase of a failure */
    struct err err;
};

static struct trajectory_observation observation_of(
    const struct episode *episode)
{
    const struct observation *seen = &episode->seen;

    return (struct trajectory_observation){
        .screen = seen->png.length ? buf_cstr(&seen->png) : NULL,
        .screen_size = seen->png.length,
        .tree = seen->has_tree ? buf_cstr(&seen->xml) : NULL,
        .tree_size = seen->xml.length,
        .package = seen->package[0] ? seen->package : NULL,
        .activity = seen->activity[0] ? seen->activity : NULL,
        .doubt = seen->doubt[0] ? seen->doubt : NULL,
        .at_ms = episode_elapsed_ms(episode),
        .settle_ms = seen->settle_ms,
    };
}

static void *do_background_work(void *context)
{
    struct background_work *background = context;
    struct episode *episode = background->episode;
    struct trajectory_observation observation;

    background->phase = EPISODE_PHASE_OBSERVE;
    if (background->tree_due &&
        !device_session_read_tree(episode->options->session, &episode->seen,
                                  &background->err))
        return NULL;
    background->phase = EPISODE_PHASE_RECORD;
    observation = observation_of(episode);
    background->done = trajectory_store_observation(
        episode->writer, &observation, &background->err);
    return NULL;
}

static void background_work_start(struct background_work *background)
{
    background->started = !pthread_create(&background->thread, NULL,
                                          do_background_work, background);
}

/* Afterwards the tree is read, or a doubt says why not. */
static bool background_work_join(struct background_work *background,
                                 struct err *err)
{
    if (background->started)
        pthread_join(background->thread, NULL);
    else
        do_background_work(background);
    if (background->done)
        return true;
    *err = background->err;
    return episode_fail_in(background->episode, background->phase);
}

/* ---- observing ---- */

static bool wants_tree(const struct episode *episode)
{
    const struct episode_options *options = episode->options;

    return options->agent->needs_tree || options->policy->tree_first ||
           options->policy->mode != AGENT_SCREEN;
}

/*
 * A notice for the next decision, and for the history of the last action; an
 * agent that drives the phone itself has neither.
 */
static void notice_missing_text(struct episode *episode, const char *why)
{
    struct agent_past *past;

    if (!episode->past_count)
        return;
    past = &episode->past[episode->past_count - 1];
    free(episode->notice);
    episode->notice = mem_dup(why);
    free(past->notice);
    past->notice = mem_dup(why);
}

bool episode_check_typed(struct episode *episode, struct err *err)
{
    char why[TYPED_CHECK_WHY_MAX];

    if (!typed_check_end(&episode->typed, &episode->seen, why))
        return true;
    notice_missing_text(episode, why);
    return trajectory_doubt(episode->writer, why, err);
}

/*
 * Observe the screen; the tree may be read later, unless text was typed, or
 * there may be passwords of a person to mask.
 */
static bool observe_screen(struct episode *episode, bool *tree_due,
                           struct err *err)
{
    struct device_session *session = episode->options->session;

    *tree_due = false;
    if (wants_tree(episode))
        return device_session_observe(session, &episode->seen, err);
    if (!device_session_capture(session, &episode->seen, err))
        return false;
    *tree_due = !episode->typed.due && !episode->secrets.active &&
                !episode_is_taken_over(episode);
    return *tree_due || device_session_read_tree(session, &episode->seen, err);
}

static bool observe(struct episode *episode, struct background_work *background,
                    struct err *err)
{
    if (!observe_screen(episode, &background->tree_due, err) ||
        !episode_mask_secrets(episode, err))
        return episode_fail_in(episode, EPISODE_PHASE_OBSERVE);
    element_list_release(&episode->elements);
    if (wants_tree(episode) && episode->seen.has_tree)
        element_list_build(&episode->seen.tree, &episode->elements);
    return episode_check_typed(episode, err) ||
           episode_fail_in(episode, EPISODE_PHASE_RECORD);
}

bool episode_record_observation(struct episode *episode, struct err *err)
{
    const struct trajectory_observation observation = observation_of(episode);

    return trajectory_write_observation(episode->writer, &observation, err);
}

/* ---- the screenshot as a file ---- */

/* Save the screenshot with marks, over that of the last step. */
static bool save_marked(struct episode *episode, char **path, struct err *err)
{
    struct frame_pool *frames =
        observer_frames(episode->options->session->observer);
    struct pool_frame *frame = frame_pool_take(frames);
    struct picture *picture = &frame->shot.picture;
    struct buf png = BUF_INIT(MARKED_MAX);
    struct buf name = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&name, "%s/marked.png", episode->folder);
    done = png_decode(buf_cstr(&episode->seen.png), episode->seen.png.length,
                      picture, err);
    if (done)
        element_list_draw(&episode->elements, picture);
    done = done && pool_frame_encode(frame, picture, &png, err);
    frame_pool_give(frames, frame);
    done = done && file_save(buf_cstr(&name), 0666, png.data, png.length, err);
    if (done)
        *path = mem_dup(buf_cstr(&name));
    buf_release(&name);
    buf_release(&png);
    return done;
}

static bool keep_file(struct episode *episode, char **path, struct err *err)
{
    const struct episode_options *options = episode->options;
    const struct buf *png = &episode->seen.png;

    if (!options->agent->needs_file || !png->length)
        return true;
    return (options->policy->mode == AGENT_MARKS
                ? save_marked(episode, path, err)
                : trajectory_store_screen(episode->writer, png->data,
                                          png->length, path, err)) ||
           episode_fail_in(episode, EPISODE_PHASE_RECORD);
}

/* ---- deciding ---- */

static bool ask(struct episode *episode, const char *screen_file,
                const char *notice, struct agent_reply *reply, struct err *err)
{
    const struct episode_options *options = episode->options;
    enum agent_mode mode = options->policy->mode;
    const struct agent_view view = {
        .task = &episode->asked,
        .instruction = episode->instruction,
        .mode = mode,
        .seen = &episode->seen,
        .elements = mode == AGENT_SCREEN ? NULL : &episode->elements,
        .past = episode->past,
        .past_count = episode->past_count,
        .notice = notice,
        .actions = episode->actions,
        .step = episode->step,
        .steps_left = episode->steps - episode->step,
        .folder = episode->folder,
        .screen_file = screen_file,
        .on_wait = episode_note_wait,
        .wait_context = episode,
        .frames = observer_frames(options->session->observer),
        .lease = options->session->lease,
    };
    int64_t start = clock_ns();

    if (!options->agent->ops->decide(options->agent, &view, episode->by,
                                     options->cancel, reply, err))
        return episode_fail_in(episode, EPISODE_PHASE_DECIDE);
    if (!reply->latency_ms)
        reply->latency_ms = (clock_ns() - start) / 1000000;
    return true;
}

/* Convert the number of an element to a point. */
static void resolve_index(struct episode *episode, struct agent_reply *reply)
{
    struct action *action = &reply->action;

    if (!reply->has_action || !action->has_index || action->has_from)
        return;
    if (!episode->elements.count && episode->seen.has_tree)
        element_list_build(&episode->seen.tree, &episode->elements);
    action->has_from =
        element_list_point(&episode->elements, action->index, &action->from);
    if (action->has_from)
        return;
    err_fill(&reply->error, ERR_INVALID, "there is no element %d",
             action->index);
    action_release(action);
    reply->has_action = false;
}

static int64_t known(int64_t number)
{
    return number > 0 ? number : 0;
}

/* Agents like gold have actions without a reply. */
static bool is_silent(const struct agent_reply *reply)
{
    return reply->has_action && !reply->text.length &&
           reply->usage.input_tokens <= 0 && reply->usage.output_tokens <= 0;
}

static bool record_reply(struct episode *episode,
                         const struct agent_reply *reply, struct err *err)
{
    const struct trajectory_reply line = {
        .text = reply->text.length ? buf_cstr(&reply->text) : NULL,
        .error = reply->has_action ? NULL : reply->error.text,
        .latency_ms = reply->latency_ms,
        .input_tokens = known(reply->usage.input_tokens),
        .cached_tokens = known(reply->usage.cached_tokens),
        .output_tokens = known(reply->usage.output_tokens),
        .cost = reply->usage.cost,
        .picture_width = reply->picture.width,
        .picture_height = reply->picture.height,
        .request_bytes = reply->request_bytes,
    };

    return is_silent(reply) || trajectory_reply(episode->writer, &line, err) ||
           episode_fail_in(episode, EPISODE_PHASE_RECORD);
}

/* Ask the agent while the background work runs; both must succeed. */
static bool ask_and_read(struct episode *episode, const char *file,
                         struct background_work *background,
                         struct agent_reply *reply, struct err *err)
{
    struct err ignored;

    background_work_start(background);
    if (ask(episode, file, episode->notice, reply, err))
        return background_work_join(background, err);
    if (background->started && !background_work_join(background, &ignored))
        episode->phase = EPISODE_PHASE_DECIDE;
    return false;
}

/* Process a reply, and record it. */
static bool process_reply(struct episode *episode, struct agent_reply *reply,
                          struct err *err)
{
    resolve_index(episode, reply);
    episode->replies++;
    if (!reply->has_action) {
        episode->useless++;
        episode->useless_why = reply->error;
    }
    return record_reply(episode, reply, err);
}

/* The reply has no action: ask again with the reason, if the policy says so. */
static bool ask_again(struct episode *episode, const char *file,
                      struct agent_reply *reply, struct err *err)
{
    struct err why = reply->error;

    if (reply->has_action || !episode->options->policy->ask_again ||
        deadline_passed(episode->by))
        return true;
    agent_reply_release(reply);
    return ask(episode, file, why.text, reply, err) &&
           process_reply(episode, reply, err);
}

/* Get a decision. Observation and reply are recorded, and the tree is read. */
static bool decide(struct episode *episode, struct background_work *background,
                   struct agent_reply *reply, struct err *err)
{
    char *file = NULL;
    bool done = keep_file(episode, &file, err) &&
                ask_and_read(episode, file, background, reply, err);

    if (done && !episode_record_observation(episode, err))
        done = episode_fail_in(episode, EPISODE_PHASE_RECORD);
    done = done && process_reply(episode, reply, err) &&
           ask_again(episode, file, reply, err);
    free(file);
    return done;
}

/* ---- history ---- */

/* Only the last keeps_screens screenshots are kept. */
static void forget_pictures(struct episode *episode)
{
    size_t keeps = (size_t)episode->options->agent->keeps_screens;

    if (episode->past_count > keeps)
        buf_release(&episode->past[episode->past_count - 1 - keeps].png);
}

static void remember(struct episode *episode,
                     const struct step_outcome *outcome,
                     const struct agent_reply *reply)
{
    struct agent_past *past;

    episode->past = mem_resize(episode->past, episode->past_count + 1,
                               sizeof(*episode->past));
    past = &episode->past[episode->past_count++];
    *past = (struct agent_past){
        .action = outcome->action,
        .reply = reply->text.length ? mem_dup(buf_cstr(&reply->text)) : NULL,
        .notice = outcome->block == BLOCK_NONE ? NULL : mem_dup(outcome->why),
        .png = BUF_INIT(episode->seen.png.limit),
    };
    past->action.text =
        outcome->action.text ? mem_dup(outcome->action.text) : NULL;
    if (episode->options->agent->keeps_screens > 0)
        buf_append(&past->png, buf_cstr(&episode->seen.png),
                   episode->seen.png.length);
    forget_pictures(episode);
}

/* Set the notice for the next decision. */
static void set_notice(struct episode *episode,
                       const struct step_outcome *outcome)
{
    free(episode->notice);
    episode->notice = NULL;
    if (outcome->block != BLOCK_NONE)
        episode->notice = mem_dup(outcome->why);
    else if (outcome->action.kind == ACTION_ASK)
        episode->notice =
            mem_dup("no user is available to answer: decide yourself");
}

/* ---- the step ---- */

/* Take the action of the reply; without one it is a blocked WAIT. */
static void take_reply(struct agent_reply *reply, struct step_outcome *outcome)
{
    if (reply->has_action) {
        outcome->action = reply->action;
        reply->has_action = false;
        reply->action = (struct action){.kind = ACTION_WAIT};
        return;
    }
    outcome->action = (struct action){.kind = ACTION_WAIT};
    step_outcome_block(outcome, BLOCK_REPLY, reply->error.text);
}

static bool finish_step(struct episode *episode, struct agent_reply *reply,
                        struct err *err)
{
    struct step_outcome outcome = {.block = BLOCK_NONE};
    bool done;

    take_reply(reply, &outcome);
    done = episode_act(episode, &outcome, err) &&
           episode_record_action(episode, episode->options->agent->actor,
                                 &outcome, err);
    if (done) {
        remember(episode, &outcome, reply);
        set_notice(episode, &outcome);
        episode_end_if_over(episode, &outcome);
        if (outcome.block == BLOCK_NONE)
            typed_check_begin(&episode->typed, &outcome.action, &episode->seen);
        episode->step += outcome.block != BLOCK_PERSON;
    }
    action_release(&outcome.action);
    return done;
}

/* A timeout during a decision is the end of the budget, not a failure. */
static bool time_is_up(struct episode *episode, const struct err *err)
{
    if (episode->phase != EPISODE_PHASE_DECIDE || err->code != ERR_TIMEOUT ||
        !deadline_passed(episode->by))
        return false;
    episode->ending = ENDING_BUDGET;
    snprintf(episode->reason, sizeof(episode->reason), "no time is left");
    return true;
}

bool episode_step(struct episode *episode, struct err *err)
{
    struct background_work background = {.episode = episode};
    struct agent_reply reply;
    bool done;

    agent_reply_init(&reply);
    episode->phase = EPISODE_PHASE_OBSERVE;
    done = observe(episode, &background, err) &&
           decide(episode, &background, &reply, err) &&
           finish_step(episode, &reply, err);
    agent_reply_release(&reply);
    return done || time_is_up(episode, err);
}
