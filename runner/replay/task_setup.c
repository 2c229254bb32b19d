#include "runner/replay/task_setup.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "runner/device/app_start.h"
#include "runner/replay/replay_task.h"
#include "tasks/task/dates.h"

#define OUTPUT_MAX ((size_t)1 << 20)
#define MISSING_MAX 160 /* bytes of the names of apps in a message */
#define DATE_MAX ((size_t)64)
#define COMMAND_MAX ((size_t)4096)

static bool for_each_app(struct device_session *session,
                         const struct task *task, device_session_fn *function,
                         struct err *err)
{
    for (size_t i = 0; i < task->apps.count; i++) {
        if (!device_session_call(session, function, task->apps.items[i], err))
            return false;
    }
    return true;
}

static bool clear_apps(struct device_session *session, const struct task *task,
                       struct err *err)
{
    if (task->requires.logged_in)
        return err_set(
            err, ERR_INVALID,
            "reset \"clear\" would delete the login that the task needs");
    return task_setup_require_apps(session, task, err) &&
           for_each_app(session, task, app_clear, err);
}

static bool play(struct device_session *session,
                 const struct trajectory *recorded, const char *locale,
                 const struct replay_edit *edits, struct err *err)
{
    struct replay_options options = {.session = session,
                                     .recorded = recorded,
                                     .edits = edits,
                                     .locale = locale};
    struct popup_handlers *popups = NULL;
    struct observation seen;
    struct replay_end end;
    bool done;

    observation_init(&seen);
    done = popup_handlers_open(NULL, &popups, err) &&
           task_setup_launch(session, recorded->head.app, &seen, err);
    options.popups = popups;
    done = done && replay_play(&options, &end, err);
    observation_release(&seen);
    popup_handlers_close(popups);
    if (!done)
        return false;
    done =
        end.done || err_set(err, ERR_REMOTE, "step %d: %s", end.step, end.why);
    replay_end_release(&end);
    return done;
}

/* Replay the recorded beginning of the task. */
static bool play_beginning(struct device_session *session,
                           const struct task *task, const char *locale,
                           const char *folder, struct err *err)
{
    const char *name = task->snapshot ? task->snapshot : "";
    struct buf path = BUF_INIT(PATH_MAX);
    struct trajectory recorded;
    struct replay_edit *edits = NULL;
    bool done;

    if (folder && name[0] != '/')
        buf_printf(&path, "%s/", folder);
    buf_text(&path, name);
    done = replay_task_edits(buf_cstr(&path), &edits, err) &&
           trajectory_load(buf_cstr(&path), &recorded, err);
    if (done) {
        done = play(session, &recorded, locale, edits, err);
        trajectory_release(&recorded);
    }
    free(edits);
    buf_release(&path);
    return done || err_wrap(err, "the recorded beginning");
}

bool task_setup_reset(struct device_session *session, const struct task *task,
                      const char *locale, const char *folder, struct err *err)
{
    bool fresh = session->lease->fresh_starts;
    bool loads = task->reset == TASK_RESET_SNAPSHOT;

    if (task->reset != TASK_RESET_NONE && (fresh || loads) &&
        !device_session_refresh(session, loads ? task->snapshot : NULL, locale,
                                err))
        return err_wrap(err, "reset the phone");
    switch (task->reset) {
    case TASK_RESET_CLEAR:
        return fresh || clear_apps(session, task, err);
    case TASK_RESET_RECORDED:
        return play_beginning(session, task, locale, folder, err);
    case TASK_RESET_RESTART:
        return fresh || for_each_app(session, task, app_stop, err);
    case TASK_RESET_NONE:
    case TASK_RESET_SNAPSHOT:
    case TASK_RESETS:
        break;
    }
    return true;
}

const char *task_setup_locale(const struct device_session *session,
                              const char *locale)
{
    if (!locale)
        locale = observer_facts(session->observer)->locale;
    return strncmp(locale, "zh", 2) ? "en" : "zh";
}

/*
 * The date of the phone, which may differ from this computer's; if the phone
 * does not report it, this computer's.
 */
static bool today(struct device_session *session, int64_t *seconds,
                  struct err *err)
{
    struct buf text = BUF_INIT(DATE_MAX);
    struct date date;

    if (!device_session_run(session, "date +%Y-%m-%d", &text, err)) {
        buf_release(&text);
        return false;
    }
    while (text.length && strchr("\r\n", text.data[text.length - 1]))
        buf_truncate(&text, text.length - 1);
    *seconds = date_parse(buf_cstr(&text), &date) ? date_seconds(date)
                                                  : (int64_t)time(NULL);
    buf_release(&text);
    return true;
}

bool task_setup_resolve(struct device_session *session, const struct task *task,
                        const char *locale, struct task *resolved,
                        struct err *err)
{
    struct truth_source *truth_source = session->lease->truth_source;
    struct task_values values = {.locale = locale};
    struct cJSON *facts = NULL;
    bool done;

    if (!today(session, &values.today_s, err))
        return false;
    if (truth_source && task->truth &&
        !truth_source->ops->facts(truth_source, task->truth, &facts, err))
        return err_wrap(err, "facts of task %s", task->id);
    values.facts = facts;
    done = task_resolve(task, &values, resolved, err) ||
           err_wrap(err, "task %s", task->id);
    cJSON_Delete(facts);
    return done;
}

/* A setup command that fails would change the task. */
static bool run_command(struct device *device, const char *command,
                        struct deadline by, struct err *err)
{
    struct shell_result result;
    char words[120];
    bool done;

    if (!shell_run(device, command, OUTPUT_MAX, by, &result, err))
        return false;
    clean_text_copy(words, sizeof(words), buf_cstr(&result.errors),
                    result.errors.length);
    done = result.status <= 0 ||
           err_set(err, ERR_REMOTE, "%.80s: status %d%s%s", command,
                   result.status, words[0] ? ": " : "", words);
    shell_result_release(&result);
    return done;
}

bool task_setup_run_commands(struct device_session *session,
                             const struct task *task, struct err *err)
{
    for (size_t i = 0; i < task->set_up.count; i++) {
        if (!device_session_call(session, run_command, task->set_up.items[i],
                                 err))
            return err_wrap(err, "set up");
    }
    return true;
}

/* `pm path` prints "package:FILE" for an installed one, otherwise nothing. */
static bool find_app(struct device_session *session, const char *package,
                     bool *installed, struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    struct buf text = BUF_INIT(OUTPUT_MAX);
    bool done;

    buf_text(&command, "pm path ");
    shell_quote(&command, package);
    done = device_session_run(session, buf_cstr(&command), &text, err);
    *installed = done && strstr(buf_cstr(&text), "package:");
    buf_release(&text);
    buf_release(&command);
    return done;
}

bool task_setup_require_apps(struct device_session *session,
                             const struct task *task, struct err *err)
{
    char missing[MISSING_MAX] = "";
    char more[32] = "";
    size_t count = 0, named = 0;

    for (size_t i = 0; i < task->apps.count; i++) {
        const char *package = task->apps.items[i];
        size_t length = strlen(missing);
        bool installed;

        if (!find_app(session, package, &installed, err))
            return false;
        if (installed)
            continue;
        if (!count || length + strlen(", ") + strlen(package) < MISSING_MAX) {
            snprintf(missing + length, sizeof(missing) - length, "%s%s",
                     named++ ? ", " : "", package);
        }
        count++;
    }
    if (named < count)
        snprintf(more, sizeof(more), " and %zu more", count - named);
    return !count ||
           err_set(err, ERR_NOT_FOUND,
                   "%s%s %s not installed; proctor preflight lists what to "
                   "install",
                   missing, more, count == 1 ? "is" : "are");
}

/*
 * Dismiss known pop-ups over the app that was started. The tree is read only
 * where something else than the app is in front.
 */
static bool dismiss_popups(struct device_session *session, const char *app,
                           struct observation *seen, struct err *err)
{
    struct popup_handlers *popups = NULL;
    int count = 0;
    bool done;

    if (!device_session_capture(session, seen, err))
        return false;
    if (!seen->package[0] || !strcmp(seen->package, app))
        return true;
    done = popup_handlers_open(NULL, &popups, err) &&
           device_session_observe(session, seen, err) &&
           popup_handlers_dismiss(popups, session, seen, &count, err);
    popup_handlers_close(popups);
    return done;
}

bool task_setup_launch(struct device_session *session, const char *app,
                       struct observation *seen, struct err *err)
{
    const struct action action = {.kind = ACTION_OPEN_APP,
                                  .text = (char *)(uintptr_t)app};
    char doubt[DEVICE_SESSION_DOUBT_MAX];

    if (!device_session_capture(session, seen, err))
        return false;
    return !app ||
           ((device_session_perform(session, &action, seen, doubt, err) ||
             err_wrap(err, "start %.80s", app)) &&
            dismiss_popups(session, app, seen, err));
}
