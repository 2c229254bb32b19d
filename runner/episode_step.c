/* One step of an episode: see, decide, act, and record all of it. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/image.h"
#include "base/mem.h"
#include "base/png.h"
#include "runner/episode_private.h"

#define MARKED_MAX ((size_t)64 << 20)

/* ---- while the agent thinks: trees are read, files reach the disk ---- */

struct meanwhile {
    struct episode *episode;
    pthread_t thread;
    bool started;  /* the thread is there */
    bool tree_due; /* the tree is still to be had */
    bool done;
    enum mishap_place place; /* where it failed */
    struct err err;
};

static struct trajectory_sight sight_of(const struct episode *episode)
{
    const struct observation *seen = &episode->seen;

    return (struct trajectory_sight){
        .screen = seen->png.length ? buf_cstr(&seen->png) : NULL,
        .screen_size = seen->png.length,
        .tree = seen->has_tree ? buf_cstr(&seen->xml) : NULL,
        .tree_size = seen->xml.length,
        .package = seen->package[0] ? seen->package : NULL,
        .activity = seen->activity[0] ? seen->activity : NULL,
        .doubt = seen->doubt[0] ? seen->doubt : NULL,
        .at_ms = episode_now(episode),
        .settle_ms = seen->settle_ms,
    };
}

static void *work_meanwhile(void *context)
{
    struct meanwhile *meanwhile = context;
    struct episode *episode = meanwhile->episode;
    struct trajectory_sight sight;

    meanwhile->place = MISHAP_SEEING;
    if (meanwhile->tree_due &&
        !session_read_tree(episode->options->session, &episode->seen,
                           &meanwhile->err))
        return NULL;
    meanwhile->place = MISHAP_RECORDING;
    sight = sight_of(episode);
    meanwhile->done = trajectory_keep(episode->writer, &sight, &meanwhile->err);
    return NULL;
}

static void meanwhile_start(struct meanwhile *meanwhile)
{
    meanwhile->started =
        !pthread_create(&meanwhile->thread, NULL, work_meanwhile, meanwhile);
}

/* The tree is there afterwards, or a doubt why not. */
static bool meanwhile_join(struct meanwhile *meanwhile, struct err *err)
{
    if (meanwhile->started)
        pthread_join(meanwhile->thread, NULL);
    else
        work_meanwhile(meanwhile);
    if (meanwhile->done)
        return true;
    *err = meanwhile->err;
    return episode_fails(meanwhile->episode, meanwhile->place);
}

/* ---- seeing ---- */

static bool wants_tree(const struct episode *episode)
{
    const struct episode_options *options = episode->options;

    return options->agent->needs_tree || options->policy->tree_first ||
           options->policy->mode != AGENT_SCREEN;
}

/* See what the agent is to be shown; the tree may be read later. */
static bool look(struct episode *episode, struct meanwhile *meanwhile,
                 struct err *err)
{
    struct session *session = episode->options->session;
    bool whole = wants_tree(episode);

    if (!(whole ? session_see(session, &episode->seen, err)
                : session_look(session, &episode->seen, err)))
        return episode_fails(episode, MISHAP_SEEING);
    meanwhile->tree_due = !whole;
    elements_release(&episode->elements);
    if (whole && episode->seen.has_tree)
        elements_list(&episode->seen.tree, &episode->elements);
    return true;
}

bool episode_record_sight(struct episode *episode, struct err *err)
{
    const struct trajectory_sight sight = sight_of(episode);

    return trajectory_see(episode->writer, &sight, err);
}

/* ---- the picture as a file ---- */

/* The picture with its marks, in place of the last step's. */
static bool save_marked(struct episode *episode, char **path, struct err *err)
{
    struct frames *frames =
        observer_frames(episode->options->session->observer);
    struct frame *frame = frames_take(frames);
    struct picture *picture = &frame->shot.picture;
    struct buf png = BUF_INIT(MARKED_MAX);
    struct buf name = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&name, "%s/marked.png", episode->folder);
    done = png_decode(buf_cstr(&episode->seen.png), episode->seen.png.length,
                      picture, err);
    if (done)
        elements_draw(&episode->elements, picture);
    done = done && frame_encode(frame, picture, &png, err);
    frames_give(frames, frame);
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
                : trajectory_keep_screen(episode->writer, png->data,
                                         png->length, path, err)) ||
           episode_fails(episode, MISHAP_RECORDING);
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
        .frames = observer_frames(options->session->observer),
        .lease = options->session->lease,
    };
    int64_t start = clock_ns();

    if (!options->agent->ops->decide(options->agent, &view, episode->by,
                                     options->cancel, reply, err))
        return episode_fails(episode, MISHAP_DECIDING);
    if (!reply->latency_ms)
        reply->latency_ms = (clock_ns() - start) / 1000000;
    return true;
}

/* A number on the picture, or in the list, becomes a point. */
static void resolve_index(struct episode *episode, struct agent_reply *reply)
{
    struct action *action = &reply->action;

    if (!reply->has_action || !action->has_index || action->has_from)
        return;
    if (!episode->elements.count && episode->seen.has_tree)
        elements_list(&episode->seen.tree, &episode->elements);
    action->has_from =
        elements_point(&episode->elements, action->index, &action->from);
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

/* Gold and chance say nothing: they act. */
static bool is_silent(const struct agent_reply *reply)
{
    return reply->has_action && !reply->text.length &&
           reply->usage.input_tokens <= 0 && reply->usage.output_tokens <= 0;
}

static bool record_reply(struct episode *episode,
                         const struct agent_reply *reply, struct err *err)
{
    const struct trajectory_reply said = {
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

    return is_silent(reply) || trajectory_reply(episode->writer, &said, err) ||
           episode_fails(episode, MISHAP_RECORDING);
}

/* Ask while the rest is done; both are there afterwards, or neither counts. */
static bool ask_and_read(struct episode *episode, const char *file,
                         struct meanwhile *meanwhile, struct agent_reply *reply,
                         struct err *err)
{
    struct err ignored;

    meanwhile_start(meanwhile);
    if (ask(episode, file, episode->notice, reply, err))
        return meanwhile_join(meanwhile, err);
    if (meanwhile->started && !meanwhile_join(meanwhile, &ignored))
        episode->place = MISHAP_DECIDING;
    return false;
}

/* Take a reply for what it is, and record it. */
static bool hear(struct episode *episode, struct agent_reply *reply,
                 struct err *err)
{
    resolve_index(episode, reply);
    return record_reply(episode, reply, err);
}

/* The reply held no action: say why, once, if the rules have it so. */
static bool ask_again(struct episode *episode, const char *file,
                      struct agent_reply *reply, struct err *err)
{
    struct err why = reply->error;

    if (reply->has_action || !episode->options->policy->ask_again ||
        deadline_passed(episode->by))
        return true;
    agent_reply_release(reply);
    return ask(episode, file, why.text, reply, err) &&
           hear(episode, reply, err);
}

/* Have a decision. What was seen and said is recorded, and the tree there. */
static bool decide(struct episode *episode, struct meanwhile *meanwhile,
                   struct agent_reply *reply, struct err *err)
{
    char *file = NULL;
    bool done = keep_file(episode, &file, err) &&
                ask_and_read(episode, file, meanwhile, reply, err);

    if (done && !episode_record_sight(episode, err))
        done = episode_fails(episode, MISHAP_RECORDING);
    done = done && hear(episode, reply, err) &&
           ask_again(episode, file, reply, err);
    free(file);
    return done;
}

/* ---- acting ---- */

/* The step's action, whether or not it may and can be done. */
struct deed {
    struct action action; /* owned */
    enum trajectory_block block;
    char why[GUARD_WHY_MAX]; /* it was not done */
    char doubt[SESSION_DOUBT_MAX];
};

static void block(struct deed *deed, enum trajectory_block by, const char *why)
{
    deed->block = by;
    snprintf(deed->why, sizeof(deed->why), "%s", why);
}

static bool carry_out(struct episode *episode, struct deed *deed,
                      struct err *err)
{
    if (session_act(episode->options->session, &deed->action, &episode->seen,
                    deed->doubt, err))
        return true;
    if (err->code != ERR_INVALID)
        return episode_fails(episode, MISHAP_ACTING);
    block(deed, BLOCK_PHONE, err->text);
    return true;
}

static bool ends_it(enum action_kind kind)
{
    return kind == ACTION_COMPLETE || kind == ACTION_FAIL ||
           kind == ACTION_ANSWER;
}

/* That it is over, an agent may always say. */
static bool is_allowed(const struct episode *episode, enum action_kind kind)
{
    return (episode->actions & (UINT32_C(1) << kind)) ||
           kind == ACTION_COMPLETE || kind == ACTION_FAIL;
}

/* Do it, unless something forbids that; then say what. */
static bool act(struct episode *episode, struct deed *deed, struct err *err)
{
    const struct guard *guard = episode->options->guard;
    char why[GUARD_WHY_MAX];

    if (deed->block != BLOCK_NONE)
        return true;
    if (!is_allowed(episode, deed->action.kind)) {
        snprintf(why, sizeof(why), "%s is not allowed in this task",
                 action_kind_name(deed->action.kind));
        block(deed, BLOCK_SPACE, why);
        return true;
    }
    if (guard && !guard_allows(guard, &episode->asked, &episode->seen,
                               &deed->action, why)) {
        block(deed, BLOCK_GUARD, why);
        return true;
    }
    return carry_out(episode, deed, err);
}

static bool record_deed(struct episode *episode, const struct deed *deed,
                        struct err *err)
{
    const struct trajectory_deed line = {
        .actor = episode->options->agent->actor,
        .action = &deed->action,
        .block = deed->block,
        .blocked = deed->block == BLOCK_NONE ? NULL : deed->why,
        .doubt = deed->doubt[0] ? deed->doubt : NULL,
        .at_ms = episode_now(episode),
    };

    return trajectory_do(episode->writer, &line, err) ||
           episode_fails(episode, MISHAP_RECORDING);
}

/* ---- what is remembered ---- */

/* Only the last pictures that the agent asks for are kept. */
static void forget_pictures(struct episode *episode)
{
    size_t keeps = (size_t)episode->options->agent->keeps_screens;

    if (episode->past_count > keeps)
        buf_release(&episode->past[episode->past_count - 1 - keeps].png);
}

static void remember(struct episode *episode, const struct deed *deed,
                     const struct agent_reply *reply)
{
    struct agent_past *past;

    episode->past = mem_resize(episode->past, episode->past_count + 1,
                               sizeof(*episode->past));
    past = &episode->past[episode->past_count++];
    *past = (struct agent_past){
        .action = deed->action,
        .reply = reply->text.length ? mem_dup(buf_cstr(&reply->text)) : NULL,
        .notice = deed->block == BLOCK_NONE ? NULL : mem_dup(deed->why),
        .png = BUF_INIT(episode->seen.png.limit),
    };
    past->action.text = deed->action.text ? mem_dup(deed->action.text) : NULL;
    if (episode->options->agent->keeps_screens > 0)
        buf_append(&past->png, buf_cstr(&episode->seen.png),
                   episode->seen.png.length);
    forget_pictures(episode);
}

/* What the agent hears before its next decision. */
static void set_notice(struct episode *episode, const struct deed *deed)
{
    free(episode->notice);
    episode->notice = NULL;
    if (deed->block != BLOCK_NONE)
        episode->notice = mem_dup(deed->why);
    else if (deed->action.kind == ACTION_ASK)
        episode->notice =
            mem_dup("nobody is there to answer: decide for yourself");
}

/* ---- ending ---- */

static void end_as_said(struct episode *episode, const struct action *action)
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

/* Only agents are suspected of not noticing what they do. */
static void end_if_over(struct episode *episode, const struct deed *deed)
{
    const struct policy *policy = episode->options->policy;

    if (deed->block == BLOCK_NONE && ends_it(deed->action.kind)) {
        end_as_said(episode, &deed->action);
    } else if (episode->options->agent->actor == ACTOR_AGENT &&
               deed->block != BLOCK_REPLY &&
               streak_add(&episode->streak, policy, &deed->action,
                          episode->seen.looks, episode->seen.screen.width)) {
        episode->ending = ENDING_REPEATED;
        snprintf(episode->reason, sizeof(episode->reason),
                 "the same action %d times", policy->equal_actions);
    }
}

/* ---- the step ---- */

/* The action of the reply; one that holds none stands as a wait. */
static void take_deed(struct agent_reply *reply, struct deed *deed)
{
    if (reply->has_action) {
        deed->action = reply->action;
        reply->has_action = false;
        reply->action = (struct action){.kind = ACTION_WAIT};
        return;
    }
    deed->action = (struct action){.kind = ACTION_WAIT};
    block(deed, BLOCK_REPLY, reply->error.text);
}

static bool finish(struct episode *episode, struct agent_reply *reply,
                   struct err *err)
{
    struct deed deed = {.block = BLOCK_NONE};
    bool done;

    take_deed(reply, &deed);
    done = act(episode, &deed, err) && record_deed(episode, &deed, err);
    if (done) {
        remember(episode, &deed, reply);
        set_notice(episode, &deed);
        end_if_over(episode, &deed);
        episode->step++;
    }
    action_release(&deed.action);
    return done;
}

/* The time that ran out while the agent thought is nobody's mishap. */
static bool time_is_up(struct episode *episode, const struct err *err)
{
    if (episode->place != MISHAP_DECIDING || err->code != ERR_TIMEOUT ||
        !deadline_passed(episode->by))
        return false;
    episode->ending = ENDING_BUDGET;
    snprintf(episode->reason, sizeof(episode->reason), "no time is left");
    return true;
}

bool episode_step(struct episode *episode, struct err *err)
{
    struct meanwhile meanwhile = {.episode = episode};
    struct agent_reply reply;
    bool done;

    agent_reply_init(&reply);
    episode->place = MISHAP_SEEING;
    done = look(episode, &meanwhile, err) &&
           decide(episode, &meanwhile, &reply, err) &&
           finish(episode, &reply, err);
    agent_reply_release(&reply);
    return done || time_is_up(episode, err);
}
