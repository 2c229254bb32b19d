#include "tools/env/environment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "tasks/task/dates.h"
#include "tools/env/environment_private.h"

#define DATE_MAX ((size_t)64)
#define PROBE_MAX ((size_t)64 * 1024)

/* ---- init and release ---- */

struct environment *environment_new(struct env_world *world, const char *name)
{
    struct environment *env = mem_new(1, sizeof(*env));

    env->world = world;
    snprintf(env->name, sizeof(env->name), "%s", name);
    observation_init(&env->seen);
    return env;
}

/* Forget the episode, and keep the phone. */
static void end_episode(struct environment *env)
{
    env_assignment_drop(env->assignment);
    free(env->notice);
    free(env->answer);
    env->assignment = NULL;
    env->notice = NULL;
    env->answer = NULL;
    element_list_release(&env->elements);
    env->has_elements = false;
    repeat_detector_release(&env->repeats);
    env->repeats = (struct repeat_detector){.count = 0};
    env_record_close(env->record, !env->keeps_record);
    env->record = NULL;
    env->began = false;
    env->broken[0] = '\0';
}

void environment_free(struct environment *env)
{
    if (!env)
        return;
    end_episode(env);
    environment_erase_screen(env);
    observation_release(&env->seen);
    env_phone_close(env->phone);
    free(env);
}

bool environment_break(struct environment *env, const struct err *err)
{
    snprintf(env->broken, sizeof(env->broken), "%s", err->text);
    return false;
}

/* ---- the task ---- */

static bool choose_task(struct environment *env, const char *id,
                        struct err *err)
{
    const struct suite *suite = env->world->suite;

    if (id)
        return suite_choose(suite, id, &env->task, err);
    if (!env->task && suite->count == 1)
        env->task = &suite->tasks[0];
    return env->task ||
           err_set(err, ERR_INVALID,
                   "task: missing; {\"method\": \"tasks\"} lists them");
}

/* The date of the phone; if it does not report it, this computer's. */
static bool today(struct environment *env, int64_t *seconds, struct err *err)
{
    struct buf text = BUF_INIT(DATE_MAX);
    struct date date;
    bool done = env->phone->ops->run(env->phone, "date +%Y-%m-%d", &text, err);

    while (text.length && strchr("\r\n", text.data[text.length - 1]))
        buf_truncate(&text, text.length - 1);
    *seconds = date_parse(buf_cstr(&text), &date) ? date_seconds(date)
                                                  : (int64_t)time(NULL);
    buf_release(&text);
    return done;
}

static bool resolve(struct environment *env, struct err *err)
{
    struct env_phone *phone = env->phone;
    struct cJSON *facts = NULL;
    struct task_values values = {.locale = phone->locale};
    bool done;

    if (!today(env, &values.today_s, err))
        return false;
    if (phone->ops->facts && env->task->truth &&
        !phone->ops->facts(phone, env->task->truth, &facts, err))
        return err_wrap(err, "facts of task %s", env->task->id);
    values.facts = facts;
    done = env_assignment_new(env->task, &values, &env->assignment, err);
    cJSON_Delete(facts);
    return done;
}

/* ---- rewards ---- */

static bool has_truth(const struct environment *env)
{
    return env->phone->ops->judge && env->assignment->task.truth;
}

bool environment_scores_needs(const struct environment *env)
{
    return env->reward_kind != ENV_REWARD_NONE && !has_truth(env);
}

static double value_of(const struct environment *env)
{
    if (env->reward_kind == ENV_REWARD_TRUTH)
        return env->score.met ? 1 : 0;
    return env_score_share(&env->score);
}

bool environment_score(struct environment *env, struct err *err)
{
    double before = env->value;

    env->reward = 0;
    if (env->reward_kind == ENV_REWARD_NONE)
        return true;
    if (!(has_truth(env)
              ? env_score_truth(env->phone, env->assignment->task.truth,
                                env->answer, &env->score, err)
              : env_score_needs(env_record_folder(env->record), &env->score,
                                err)))
        return false;
    env->value = value_of(env);
    env->reward = env->value - before;
    return true;
}

/* ---- observing ---- */

bool environment_read_tree(struct environment *env, struct err *err)
{
    return env->seen.has_tree ||
           env->phone->ops->tree(env->phone, &env->seen, err);
}

static bool record_screen(struct environment *env, struct err *err)
{
    struct env_phone *phone = env->phone;

    if (!env->record)
        return true;
    return (!env->keeps_record ||
            phone->ops->screenshot(phone, &env->seen, err)) &&
           environment_read_tree(env, err) &&
           env_record_observation(env->record, &env->seen, err);
}

bool environment_settle(struct environment *env, struct err *err)
{
    element_list_release(&env->elements);
    env->has_elements = false;
    return env->phone->ops->settle(env->phone, &env->seen, err) &&
           record_screen(env, err);
}

/* ---- probes ---- */

static bool run_probe(struct environment *env, const struct task_probe *probe,
                      bool before, struct err *err)
{
    struct buf text = BUF_INIT(PROBE_MAX);
    bool done = env->phone->ops->run(env->phone, probe->command, &text, err);

    while (text.length && text.data[text.length - 1] == '\n')
        buf_truncate(&text, text.length - 1);
    done = done && env_record_probe(env->record, probe->name, buf_cstr(&text),
                                    before, err);
    buf_release(&text);
    return done || err_wrap(err, "probe %.60s", probe->name);
}

bool environment_probe(struct environment *env, bool before, struct err *err)
{
    const struct task *task = &env->assignment->task;

    for (size_t i = 0; env->record && i < task->probe_count; i++) {
        if ((!before || task->probes[i].unchanged) &&
            !run_probe(env, &task->probes[i], before, err))
            return false;
    }
    return true;
}

/* ---- reset ---- */

static bool open_record(struct environment *env, struct err *err)
{
    struct env_world *world = env->world;
    const struct env_record_head head = {
        .folder = world->record ? world->record : world->scratch,
        .task = &env->assignment->task,
        .phone = env->phone->serial,
        .instruction = env->assignment->instruction,
        .locale = env->phone->locale,
        .number = atomic_fetch_add(&world->episodes, 1),
        .screen = env->phone->screen,
    };

    env->keeps_record = world->record != NULL;
    if (!env->keeps_record && !environment_scores_needs(env))
        return true;
    return env_record_open(&head, &env->record, err);
}

static void begin(struct environment *env, const struct env_request *request)
{
    const struct episode_policy *policy = &env->world->policy;

    env->seed = request->seed;
    env->view = request->view;
    env->reward_kind = request->reward;
    env->ends_when_met = request->ends_when_met;
    env->steps = request->steps  ? request->steps
                 : policy->steps ? policy->steps
                                 : env->task->steps;
    env->actions = policy->actions ? policy->actions : env->task->actions;
    env->step = 0;
    env->score = (struct env_score){.met = false};
    env->value = 0;
    env->reward = 0;
    env->blocked = 0;
    env->useless = 0;
    env->ending = ENDING_NONE;
    env->reason[0] = '\0';
}

static bool prepare(struct environment *env, const struct env_request *request,
                    struct err *err)
{
    const struct env_phone_start start = {
        .task = env->task,
        .seed = request->seed,
        .locale = request->locale[0] ? request->locale : NULL,
        .folder = env->world->suite_folder,
    };
    struct env_world *world = env->world;
    struct env_phone *phone;

    if (!env->phone && !world->maker->make(world->maker, &env->phone, err))
        return false;
    phone = env->phone;
    if (!phone->ops->reset(phone, &start, err) || !resolve(env, err) ||
        !phone->ops->set_up(phone, &env->assignment->task, err))
        return false;
    if (env->reward_kind == ENV_REWARD_DEFAULT)
        env->reward_kind = has_truth(env) ? ENV_REWARD_TRUTH : ENV_REWARD_SHARE;
    if (env->reward_kind == ENV_REWARD_TRUTH && !has_truth(env))
        return err_set(err, ERR_INVALID,
                       "reward: task %s has no truth on this phone; give "
                       "\"share\"",
                       env->task->id);
    return open_record(env, err) && environment_probe(env, true, err);
}

/* Rewards count from what is done at the start. */
static bool score_start(struct environment *env, struct err *err)
{
    if (!environment_score(env, err))
        return false;
    env->reward = 0;
    return true;
}

bool environment_reset(struct environment *env,
                       const struct env_request *request, struct err *err)
{
    end_episode(env);
    if (!choose_task(env, request->task, err))
        return false;
    begin(env, request);
    env->began = true;
    if (prepare(env, request, err) && environment_settle(env, err) &&
        score_start(env, err))
        return true;
    return environment_break(env, err);
}

/* ---- fork ---- */

static void copy_episode(struct environment *copy,
                         const struct environment *env)
{
    copy->began = true;
    copy->task = env->task;
    copy->seed = env->seed;
    copy->view = env->view;
    copy->reward_kind = env->reward_kind;
    copy->ends_when_met = env->ends_when_met;
    copy->actions = env->actions;
    copy->steps = env->steps;
    copy->step = env->step;
    copy->assignment = env_assignment_hold(env->assignment);
    copy->notice = env->notice ? mem_dup(env->notice) : NULL;
    copy->answer = env->answer ? mem_dup(env->answer) : NULL;
    copy->score = env->score;
    copy->value = env->value;
    copy->reward = env->reward;
    copy->blocked = env->blocked;
    copy->useless = env->useless;
    copy->ending = env->ending;
    memcpy(copy->reason, env->reason, sizeof(copy->reason));
    copy->repeats = env->repeats;
    copy->repeats.last.text =
        env->repeats.last.text ? mem_dup(env->repeats.last.text) : NULL;
}

/* The screen without its PNG and tree, which are read when they are needed. */
static void copy_screen(struct environment *copy, const struct environment *env)
{
    struct observation *seen = &copy->seen;

    seen->screen = env->seen.screen;
    seen->screen_hash = env->seen.screen_hash;
    seen->settle_ms = env->seen.settle_ms;
    memcpy(seen->package, env->seen.package, sizeof(seen->package));
    memcpy(seen->activity, env->seen.activity, sizeof(seen->activity));
    memcpy(seen->doubt, env->seen.doubt, sizeof(seen->doubt));
}

bool environment_fork(struct environment *env, const char *name,
                      struct environment **copy, struct err *err)
{
    struct environment *made;

    if (!env->began || env->broken[0])
        return err_set(err, ERR_INVALID,
                       "environment %s has no episode to copy: reset it",
                       env->name);
    if (!env->phone->ops->fork)
        return err_set(err, ERR_UNSUPPORTED,
                       "phone %s cannot be copied: only built-in ones can",
                       env->phone->serial);
    if (environment_scores_needs(env))
        return err_set(err, ERR_UNSUPPORTED,
                       "an episode that is scored by its record cannot be "
                       "copied: give \"reward\": \"none\"");
    made = environment_new(env->world, name);
    copy_episode(made, env);
    copy_screen(made, env);
    if (!env->phone->ops->fork(env->phone, &made->phone, err)) {
        environment_free(made);
        return false;
    }
    *copy = made;
    return true;
}
