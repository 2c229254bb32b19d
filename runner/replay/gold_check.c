#include "runner/replay/gold_check.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"
#include "runner/replay/task_setup.h"

static const char not_done[] = "all steps were done, but the task is not";

/* ---- recorded gold ---- */

static void take_replay(const struct replay_end *replay,
                        enum replay_truth truth, struct gold_check_end *end)
{
    end->steps = replay->steps;
    end->works = replay->done && truth != REPLAY_TRUTH_MISSED;
    for (size_t i = 0; i < replay->log_count; i++) {
        if (replay->log[i].has_target && !replay->log[i].skipped)
            end->confidence = fmin(end->confidence, replay->log[i].confidence);
    }
    if (!replay->done)
        snprintf(end->why, sizeof(end->why), "step %d: %.200s", replay->step,
                 replay->why);
    else if (truth == REPLAY_TRUTH_MISSED)
        snprintf(end->why, sizeof(end->why), "%s", not_done);
}

/* A recording, with its steps that are left out. */
struct recorded_gold {
    struct trajectory trajectory;
    struct replay_edit *edits; /* owned; NULL: none */
};

static void recorded_gold_release(struct recorded_gold *recorded)
{
    trajectory_release(&recorded->trajectory);
    free(recorded->edits);
}

static bool load_recorded(const struct gold_check *check,
                          struct recorded_gold *recorded, struct err *err)
{
    const char *name = check->task->gold.trajectory;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (check->folder && name[0] != '/')
        buf_printf(&path, "%s/", check->folder);
    buf_text(&path, name);
    done = replay_task_edits(buf_cstr(&path), &recorded->edits, err);
    if (done && !trajectory_load(buf_cstr(&path), &recorded->trajectory, err)) {
        free(recorded->edits);
        done = false;
    }
    buf_release(&path);
    return done || err_wrap(err, "recorded gold");
}

/* A password that was typed is not recorded, only written. */
static bool has_secret(const struct trajectory *trajectory)
{
    for (size_t i = 0; i < trajectory->count; i++) {
        if (trajectory->steps[i].acted && trajectory->steps[i].action.secret)
            return true;
    }
    return false;
}

static bool replay_recorded(const struct gold_check *check,
                            const struct recorded_gold *recorded,
                            struct gold_check_end *end, struct err *err)
{
    const struct replay_task job = {.session = check->session,
                                    .recorded = &recorded->trajectory,
                                    .edits = recorded->edits,
                                    .task = check->task,
                                    .locale = check->locale,
                                    .folder = check->folder,
                                    .popups = check->popups};
    enum replay_truth truth = REPLAY_TRUTH_UNKNOWN;
    struct replay_end replay;

    if (!replay_task_play(&job, &replay, &truth, err))
        return false;
    take_replay(&replay, truth, end);
    replay_end_release(&replay);
    return true;
}

/* ---- written gold ---- */

static bool is_last(enum action_kind kind)
{
    return kind == ACTION_COMPLETE || kind == ACTION_ANSWER ||
           kind == ACTION_FAIL;
}

/*
 * A pop-up is in the way only where a target is missing: written steps may be
 * about one.
 */
static bool look(const struct gold_check *check, bool searches,
                 struct observation *seen, struct err *err)
{
    int dismissed = 0;

    return device_session_observe(check->session, seen, err) &&
           (!searches || popup_handlers_dismiss(check->popups, check->session,
                                                seen, &dismissed, err));
}

/* The agent waits and scrolls where a target is missing. */
static bool is_search(const struct action *action)
{
    return action->kind == ACTION_WAIT || action->kind == ACTION_SCROLL;
}

/*
 * One decision of the agent on the observed screen, carried out. *last: it was
 * the last one.
 */
static bool follow_step(const struct gold_check *check, const struct task *task,
                        struct agent *agent, struct observation *seen,
                        struct agent_reply *reply, bool *last, struct err *err)
{
    const struct agent_view view = {.task = task,
                                    .seen = seen,
                                    .steps_left = 1,
                                    .lease = check->session->lease};
    char doubt[DEVICE_SESSION_DOUBT_MAX];

    if (!agent->ops->decide(agent, &view, deadline_in_ms(INT_MAX), NULL, reply,
                            err))
        return false;
    *last = !reply->has_action || is_last(reply->action.kind);
    return *last || device_session_perform(check->session, &reply->action, seen,
                                           doubt, err);
}

/* Compare the end with the truth. */
static bool take_end(const struct gold_check *check, const struct task *task,
                     const struct agent_reply *reply,
                     struct gold_check_end *end, struct err *err)
{
    const struct action *action = &reply->action;
    bool gave_up = !reply->has_action || action->kind == ACTION_FAIL;
    enum replay_truth truth;

    if (gave_up) {
        snprintf(end->why, sizeof(end->why), "step %d: %.200s", end->steps,
                 reply->has_action && action->text ? action->text
                                                   : "there is no action");
        return true;
    }
    if (!replay_task_judge(check->session, task,
                           action->kind == ACTION_ANSWER ? action->text : NULL,
                           &truth, err))
        return false;
    end->works = truth != REPLAY_TRUTH_MISSED;
    if (!end->works)
        snprintf(end->why, sizeof(end->why), "%s", not_done);
    return true;
}

static bool follow(const struct gold_check *check, const struct task *task,
                   struct agent *agent, struct observation *seen,
                   struct gold_check_end *end, struct err *err)
{
    bool searches = false;
    bool last = false;

    if (!agent->ops->begin(agent, task, 0, err))
        return false;
    if (check->popups)
        popup_handlers_forget(check->popups);
    while (!last) { /* the agent gives up after some searches */
        struct agent_reply reply;
        bool done;

        agent_reply_init(&reply);
        done = look(check, searches, seen, err) &&
               follow_step(check, task, agent, seen, &reply, &last, err) &&
               (!last || take_end(check, task, &reply, end, err));
        searches = is_search(&reply.action);
        agent_reply_release(&reply);
        if (!done)
            return false;
        end->steps += !last;
    }
    return true;
}

static bool follow_written(const struct gold_check *check,
                           struct gold_check_end *end, struct err *err)
{
    const char *locale;
    struct observation seen;
    struct agent *agent = NULL;
    struct task task;
    bool done;

    if (!task_setup_reset(check->session, check->task, check->locale,
                          check->folder, err))
        return false;
    locale = task_setup_locale(check->session, check->locale);
    if (!task_setup_resolve(check->session, check->task, locale, &task, err))
        return false;
    observation_init(&seen);
    done = agent_gold.make(NULL, &agent, err) &&
           task_setup_run_commands(check->session, &task, err) &&
           task_setup_require_apps(check->session, &task, err) &&
           task_setup_launch(check->session,
                             task.apps.count ? task.apps.items[0] : NULL, &seen,
                             err) &&
           follow(check, &task, agent, &seen, end, err);
    agent_close(agent);
    observation_release(&seen);
    task_release(&task);
    return done;
}

/* ---- both ---- */

/* Errors that are not about the task. */
static bool is_about_phone(enum err_code code)
{
    return code == ERR_CANCELLED || device_session_is_loss(code);
}

/* The recording is followed where there is one: it knows more than steps. */
static bool follow_gold(const struct gold_check *check,
                        struct gold_check_end *end, struct err *err)
{
    struct recorded_gold recorded;
    bool done;

    if (!check->task->gold.trajectory)
        return follow_written(check, end, err);
    if (!load_recorded(check, &recorded, err))
        return false;
    done = check->task->gold.count && has_secret(&recorded.trajectory)
               ? follow_written(check, end, err)
               : replay_recorded(check, &recorded, end, err);
    recorded_gold_release(&recorded);
    return done;
}

bool gold_check_run(const struct gold_check *check, struct gold_check_end *end,
                    struct err *err)
{
    *end = (struct gold_check_end){.confidence = 1};
    if (follow_gold(check, end, err))
        return true;
    if (is_about_phone(err->code))
        return false;
    end->works = false;
    snprintf(end->why, sizeof(end->why), "%s", err->text);
    return true;
}
