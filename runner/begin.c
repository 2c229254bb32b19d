#include "runner/begin.h"

#include <limits.h>

#include "adb/shell.h"
#include "base/text.h"
#include "runner/app_start.h"
#include "runner/replay.h"

#define OUTPUT_MAX ((size_t)1 << 20)

static bool for_each_app(struct session *session, const struct task *task,
                         session_fn *function, struct err *err)
{
    for (size_t i = 0; i < task->apps.count; i++) {
        if (!session_do(session, function, task->apps.items[i], err))
            return false;
    }
    return true;
}

static bool clear_apps(struct session *session, const struct task *task,
                       struct err *err)
{
    if (task->requires.logged_in)
        return err_set(err, ERR_INVALID,
                       "reset \"clear\" would log out of what the task needs "
                       "a login for");
    return for_each_app(session, task, app_clear, err);
}

static bool play(struct session *session, const struct trajectory *recorded,
                 struct err *err)
{
    struct observation seen;
    struct replay_end end;
    bool done;

    observation_init(&seen);
    done = begin_launch(session, recorded->head.app, &seen, err) &&
           replay_play(session, recorded, NULL, &end, err);
    observation_release(&seen);
    return done && (end.done ||
                    err_set(err, ERR_REMOTE, "step %d: %s", end.step, end.why));
}

/* Do how somebody brought the phone there. */
static bool play_beginning(struct session *session, const struct task *task,
                           const char *folder, struct err *err)
{
    const char *name = task->snapshot ? task->snapshot : "";
    struct buf path = BUF_INIT(PATH_MAX);
    struct trajectory recorded;
    bool done;

    if (folder && name[0] != '/')
        buf_printf(&path, "%s/", folder);
    buf_text(&path, name);
    done = trajectory_load(buf_cstr(&path), &recorded, err);
    if (done) {
        done = play(session, &recorded, err);
        trajectory_release(&recorded);
    }
    buf_release(&path);
    return done || err_wrap(err, "the recorded beginning");
}

bool begin_reset(struct session *session, const struct task *task,
                 const char *locale, const char *folder, struct err *err)
{
    bool software = session->lease->oracle != NULL;
    bool loads = task->reset == TASK_RESET_SNAPSHOT;

    if (task->reset != TASK_RESET_NONE && (software || loads) &&
        !session_refresh(session, loads ? task->snapshot : NULL, locale, err))
        return err_wrap(err, "reset the phone");
    switch (task->reset) {
    case TASK_RESET_CLEAR:
        return software || clear_apps(session, task, err);
    case TASK_RESET_RECORDED:
        return play_beginning(session, task, folder, err);
    case TASK_RESET_RESTART:
        return software || for_each_app(session, task, app_stop, err);
    case TASK_RESET_NONE:
    case TASK_RESET_SNAPSHOT:
    case TASK_RESETS:
        break;
    }
    return true;
}

/* A command that the phone refuses would leave another task than was meant. */
static bool obey(struct device *device, const char *command, struct deadline by,
                 struct err *err)
{
    struct shell_result result;
    char words[120];
    bool done;

    if (!shell_run(device, command, OUTPUT_MAX, by, &result, err))
        return false;
    text_copy_clean(words, sizeof(words), buf_cstr(&result.errors),
                    result.errors.length);
    done = result.status <= 0 ||
           err_set(err, ERR_REMOTE, "%.80s: status %d%s%s", command,
                   result.status, words[0] ? ": " : "", words);
    shell_result_release(&result);
    return done;
}

bool begin_set_up(struct session *session, const struct task *task,
                  struct err *err)
{
    for (size_t i = 0; i < task->set_up.count; i++) {
        if (!session_do(session, obey, task->set_up.items[i], err))
            return err_wrap(err, "set up");
    }
    return true;
}

bool begin_launch(struct session *session, const char *app,
                  struct observation *seen, struct err *err)
{
    const struct action action = {.kind = ACTION_OPEN_APP,
                                  .text = (char *)(uintptr_t)app};
    char doubt[SESSION_DOUBT_MAX];

    if (!session_look(session, seen, err))
        return false;
    return !app || session_act(session, &action, seen, doubt, err) ||
           err_wrap(err, "start %.80s", app);
}
