/*
 * An episode of an agent that drives the phone itself.
 *
 * The agent runs in its own program; threads of the door report each action
 * before the phone gets it. The screen before an action is the one that the
 * agent has read since the last action, or else is observed now. An action is
 * written when the next one begins or the agent ends, as until then it may
 * become longer: letters become a text, two taps a double tap.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/doors/door_recorder.h"
#include "runner/doors/door_screen.h"
#include "runner/episode/episode_private.h"

struct episode_recorder {
    struct door_recorder recorder;
    struct episode *episode;
    struct cancel enough; /* fired when the episode is over */

    pthread_mutex_t lock; /* guards all below, and the episode */
    bool over;            /* no further action is taken */
    bool has_pending;
    struct step_outcome pending; /* the last action, not yet written */
    struct buf screen;           /* what the agent has read since; empty: not */
    enum door_format format;     /* of the screen */
    struct buf xml;
    struct err error; /* why the episode cannot go on; ERR_NONE: it can */
};

/* ---- the end ---- */

static void end(struct episode_recorder *recorder)
{
    recorder->over = true;
    cancel_fire(&recorder->enough);
}

static void fail(struct episode_recorder *recorder, const struct err *err)
{
    if (recorder->error.code == ERR_NONE)
        recorder->error = *err;
    end(recorder);
}

/* ---- writing ---- */

/* Commands outside the UI are recorded, but are no steps of the budget. */
static bool is_step(const struct action *action)
{
    return action->kind != ACTION_RAW;
}

/* Write the last action, and end the episode if that was enough. */
static void write_pending(struct episode_recorder *recorder)
{
    struct episode *episode = recorder->episode;
    struct step_outcome *pending = &recorder->pending;
    struct err err = ERR_INIT;

    if (!recorder->has_pending)
        return;
    recorder->has_pending = false;
    if (!episode_record_action(episode, episode->options->agent->actor, pending,
                               &err)) {
        fail(recorder, &err);
    } else {
        episode->step += is_step(&pending->action);
        if (pending->block == BLOCK_NONE)
            typed_check_begin(&episode->typed, &pending->action,
                              &episode->seen);
        episode_end_if_over(episode, pending);
    }
    if (episode->ending != ENDING_NONE)
        end(recorder);
    action_release(&pending->action);
}

static bool has_budget(struct episode_recorder *recorder)
{
    struct episode *episode = recorder->episode;

    if (recorder->over)
        return false;
    if (episode->step >= episode->steps)
        episode_end_by_budget(episode, "no steps are left");
    else if (deadline_passed(episode->by))
        episode_end_by_budget(episode, "no time is left");
    else if (episode_report(episode, "step", NULL))
        return true;
    end(recorder);
    return false;
}

/* ---- observing ---- */

/* Screens that the agent has read are only valid before its next action. */
static void forget_views(struct episode_recorder *recorder)
{
    buf_clear(&recorder->screen);
    buf_clear(&recorder->xml);
}

/* Make the observation of what the agent has read. False: that is not enough.
 */
static bool adopt(struct episode_recorder *recorder)
{
    struct episode *episode = recorder->episode;
    struct buf *screen = &recorder->screen;
    const struct buf *xml = recorder->xml.length ? &recorder->xml : NULL;
    struct err ignored; /* a screenshot that is none */

    if (screen->length &&
        !door_screen_convert(recorder->format, screen, &ignored))
        buf_clear(screen);
    return (screen->length || xml) &&
           device_session_adopt(episode->options->session,
                                screen->length ? screen : NULL, xml,
                                &episode->seen, &ignored);
}

static bool observe(struct episode_recorder *recorder, struct err *err)
{
    struct episode *episode = recorder->episode;
    struct device_session *session = episode->options->session;
    struct observation *seen = &episode->seen;
    bool done;

    if (adopt(recorder))
        done = seen->has_tree || device_session_read_tree(session, seen, err);
    else
        done = device_session_observe(session, seen, err);
    forget_views(recorder);
    if (!done || !episode_mask_secrets(episode, err))
        return episode_fail_in(episode, EPISODE_PHASE_OBSERVE);
    return (episode_check_typed(episode, err) &&
            episode_record_observation(episode, err)) ||
           episode_fail_in(episode, EPISODE_PHASE_RECORD);
}

/* ---- what the door reports ---- */

static void take_action(struct episode_recorder *recorder,
                        const struct action *action, int64_t at_ms)
{
    recorder->pending =
        (struct step_outcome){.action = *action, .at_ms = at_ms};
    recorder->pending.action.text = action->text ? mem_dup(action->text) : NULL;
    recorder->has_pending = true;
}

/* Begin a new action. False: it must not reach the phone. */
static bool begin(struct episode_recorder *recorder,
                  const struct action *action, char *why)
{
    struct err err = ERR_INIT;

    write_pending(recorder);
    if (!has_budget(recorder)) {
        snprintf(why, DOOR_RECORDER_WHY_MAX, "the episode is over");
        return false;
    }
    if (episode_is_taken_over(recorder->episode)) {
        snprintf(why, DOOR_RECORDER_WHY_MAX, "a person drives the phone");
        return false;
    }
    if (!episode_follow_person(recorder->episode, &err)) {
        fail(recorder, &err);
        snprintf(why, DOOR_RECORDER_WHY_MAX, "%s", err.text);
        return false;
    }
    if (!observe(recorder, &err)) {
        fail(recorder, &err);
        snprintf(why, DOOR_RECORDER_WHY_MAX, "%s", err.text);
        return false;
    }
    take_action(recorder, action, episode_elapsed_ms(recorder->episode));
    if (!episode_guard_blocks(recorder->episode, &recorder->pending))
        return true;
    snprintf(why, DOOR_RECORDER_WHY_MAX, "%s", recorder->pending.why);
    return false;
}

static bool episode_recorder_act(struct door_recorder *door,
                                 const struct action *action, bool continues,
                                 char why[DOOR_RECORDER_WHY_MAX])
{
    struct episode_recorder *recorder = (struct episode_recorder *)door;
    bool allowed = true;

    pthread_mutex_lock(&recorder->lock);
    if (continues && recorder->has_pending && !recorder->over &&
        recorder->pending.block == BLOCK_NONE) {
        action_release(&recorder->pending.action);
        take_action(recorder, action, recorder->pending.at_ms);
        forget_views(recorder);
    } else {
        allowed = begin(recorder, action, why);
    }
    pthread_mutex_unlock(&recorder->lock);
    return allowed;
}

/* Only on the user's own phone: others are reset. */
static void episode_recorder_change(struct door_recorder *door,
                                    enum door_change change, const char *name)
{
    static device_session_note_fn *const notes[] = {
        [DOOR_SETS] = undo_journal_note_setting,
        [DOOR_USES_KEYBOARD] = undo_journal_note_keyboard,
        [DOOR_WRITES_FILE] = undo_journal_note_file,
    };
    struct episode_recorder *recorder = (struct episode_recorder *)door;
    struct device_session *session = recorder->episode->options->session;
    struct err ignored; /* what cannot be restored stays, as the record says */

    if (!session->lease->user_owned || change == DOOR_CHANGES_NOTHING)
        return;
    pthread_mutex_lock(&recorder->lock);
    (void)!device_session_note(session, notes[change], name, &ignored);
    pthread_mutex_unlock(&recorder->lock);
}

static struct touch_display episode_recorder_display(struct door_recorder *door)
{
    struct episode_recorder *recorder = (struct episode_recorder *)door;
    const struct observation *seen = &recorder->episode->seen;
    struct touch_display display;

    pthread_mutex_lock(&recorder->lock);
    display.size = seen->screen;
    display.rotation =
        seen->has_tree && seen->tree.rotation > 0 ? seen->tree.rotation : 0;
    pthread_mutex_unlock(&recorder->lock);
    return display;
}

static void move(struct buf *to, struct buf *from)
{
    size_t limit = from->limit;

    buf_release(to);
    *to = *from;
    *from = (struct buf)BUF_INIT(limit);
}

static void episode_recorder_note_screen(struct door_recorder *door,
                                         enum door_format format,
                                         struct buf *data)
{
    struct episode_recorder *recorder = (struct episode_recorder *)door;

    pthread_mutex_lock(&recorder->lock);
    move(&recorder->screen, data);
    recorder->format = format;
    pthread_mutex_unlock(&recorder->lock);
}

static void episode_recorder_note_tree(struct door_recorder *door,
                                       struct buf *xml)
{
    struct episode_recorder *recorder = (struct episode_recorder *)door;

    pthread_mutex_lock(&recorder->lock);
    move(&recorder->xml, xml);
    pthread_mutex_unlock(&recorder->lock);
}

/* ---- the course ---- */

static bool recorder_init(struct episode_recorder *recorder,
                          struct episode *episode, struct err *err)
{
    static const struct door_recorder_ops ops = {
        .act = episode_recorder_act,
        .change = episode_recorder_change,
        .display = episode_recorder_display,
        .note_screen = episode_recorder_note_screen,
        .note_tree = episode_recorder_note_tree,
    };

    *recorder = (struct episode_recorder){
        .recorder = {.ops = &ops},
        .episode = episode,
        .enough = CANCEL_INIT,
        .error = ERR_INIT,
    };
    pthread_mutex_init(&recorder->lock, NULL);
    return cancel_init(&recorder->enough, err);
}

static void recorder_release(struct episode_recorder *recorder)
{
    if (recorder->has_pending)
        action_release(&recorder->pending.action);
    buf_release(&recorder->screen);
    buf_release(&recorder->xml);
    cancel_release(&recorder->enough);
    pthread_mutex_destroy(&recorder->lock);
}

static bool drive(struct episode_recorder *recorder, struct agent_reply *reply,
                  struct err *err)
{
    struct episode *episode = recorder->episode;
    const struct episode_options *options = episode->options;
    const struct agent_drive view = {
        .task = &episode->asked,
        .instruction = episode->instruction,
        .locale = episode->locale,
        .folder = episode->folder,
        .steps = episode->steps,
        .screen = episode->seen.screen,
        .lease = options->session->lease,
        .recorder = &recorder->recorder,
        .enough = &recorder->enough,
    };

    episode->phase = EPISODE_PHASE_DECIDE;
    if (options->agent->ops->drive(options->agent, &view, episode->by,
                                   options->cancel, reply, err))
        return true;
    if (err->code == ERR_TIMEOUT && deadline_passed(episode->by)) {
        episode_end_by_budget(episode, "no time is left");
        return true;
    }
    return episode_fail_in(episode, EPISODE_PHASE_DECIDE);
}

/* The agent ended: its last action is a step, too. */
static bool finish(struct episode_recorder *recorder, struct agent_reply *reply,
                   struct err *err)
{
    recorder->pending = (struct step_outcome){.action = reply->action};
    recorder->has_pending = true;
    reply->has_action = false;
    reply->action = (struct action){.kind = ACTION_WAIT};
    if (!observe(recorder, err))
        return false;
    write_pending(recorder);
    return true;
}

/* After the agent: write what is left, and find the reason for the end. */
static bool conclude(struct episode_recorder *recorder,
                     struct agent_reply *reply, struct err *err)
{
    struct episode *episode = recorder->episode;

    write_pending(recorder);
    if (episode->ending == ENDING_NONE && recorder->error.code == ERR_NONE) {
        if (recorder->over || cancel_fired(episode->options->cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (!finish(recorder, reply, err))
            return false;
    }
    *err = recorder->error;
    return recorder->error.code == ERR_NONE;
}

bool episode_drive(struct episode *episode, struct err *err)
{
    struct episode_recorder recorder;
    struct agent_reply reply;
    bool done;

    agent_reply_init(&reply);
    done = recorder_init(&recorder, episode, err) &&
           drive(&recorder, &reply, err) && conclude(&recorder, &reply, err);
    agent_reply_release(&reply);
    recorder_release(&recorder);
    return done;
}
