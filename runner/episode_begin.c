/* How an episode begins: the phone's state, the task's words, the records. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "adb/shell.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/episode_private.h"
#include "tasks/dates.h"

#define DATE_MAX ((size_t)64)
#define PROBE_MAX ((size_t)64 * 1024)
#define TRUTH_MAX ((size_t)16 << 20)

/* ---- the phone ---- */

/* One command for each of the task's apps. */
static bool for_each_app(struct episode *episode, const char *command,
                         struct err *err)
{
    const struct task *task = episode->options->task;

    for (size_t i = 0; i < task->apps.count; i++) {
        struct buf line = BUF_INIT(PATH_MAX);
        bool done;

        buf_text(&line, command);
        shell_quote(&line, task->apps.items[i]);
        done =
            session_run(episode->options->session, buf_cstr(&line), NULL, err);
        buf_release(&line);
        if (!done)
            return false;
    }
    return true;
}

static bool clear_apps(struct episode *episode, struct err *err)
{
    if (episode->options->task->requires.logged_in)
        return err_set(err, ERR_INVALID,
                       "reset \"clear\" would log out of what the task needs "
                       "a login for");
    return for_each_app(episode, "pm clear ", err);
}

/*
 * A phone made of software is as new each time, whatever the task says, but
 * for a task that takes it as it is.
 */
static bool reset(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    const struct task *task = options->task;

    if (task->reset == TASK_RESET_NONE)
        return true;
    if (options->session->lease->oracle || task->reset == TASK_RESET_SNAPSHOT)
        return session_refresh(options->session, options->locale, err) ||
               err_wrap(err, "reset the phone");
    switch (task->reset) {
    case TASK_RESET_CLEAR:
        return clear_apps(episode, err);
    case TASK_RESET_RECORDED:
        return err_set(err, ERR_UNSUPPORTED,
                       "reset \"recorded\" plays a trajectory, which only "
                       "`proctor replay` does so far");
    case TASK_RESET_RESTART:
    case TASK_RESET_NONE:
    case TASK_RESET_SNAPSHOT:
    case TASK_RESETS:
        break;
    }
    return for_each_app(episode, "am force-stop ", err);
}

static bool set_up(struct episode *episode, struct err *err)
{
    const struct task *task = &episode->asked;

    for (size_t i = 0; i < task->set_up.count; i++) {
        if (!session_run(episode->options->session, task->set_up.items[i], NULL,
                         err))
            return err_wrap(err, "set up");
    }
    return true;
}

/* The first app is in front before step 0. */
static bool launch(struct episode *episode, struct err *err)
{
    const struct task *task = &episode->asked;
    struct observation *seen = &episode->seen;
    char doubt[SESSION_DOUBT_MAX];
    struct action action = {.kind = ACTION_OPEN_APP};

    if (!session_look(episode->options->session, seen, err))
        return false;
    if (!task->apps.count)
        return true;
    action.text = task->apps.items[0];
    return session_act(episode->options->session, &action, seen, doubt, err) ||
           err_wrap(err, "start %.80s", action.text);
}

/* ---- the task ---- */

/*
 * The day that it is on the phone, which may be another than here. What a
 * phone does not tell, the computer's clock must do for.
 */
static bool today(struct episode *episode, int64_t *seconds, struct err *err)
{
    struct buf text = BUF_INIT(DATE_MAX);
    struct date date;

    if (!session_run(episode->options->session, "date +%Y-%m-%d", &text, err)) {
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

static void choose_locale(struct episode *episode)
{
    const struct episode_options *options = episode->options;
    const char *locale =
        options->locale ? options->locale
                        : observer_facts(options->session->observer)->locale;

    snprintf(episode->locale, sizeof(episode->locale), "%s",
             !strncmp(locale, "zh", 2) ? "zh" : "en");
}

static bool resolve(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct oracle *oracle = options->session->lease->oracle;
    struct cJSON *facts = NULL;
    struct task_values values = {.locale = episode->locale};
    const char *words;

    if (!today(episode, &values.today_s, err))
        return false;
    if (oracle && options->task->truth &&
        !oracle->ops->facts(oracle, options->task->truth, &facts, err))
        return err_wrap(err, "facts of task %s", options->task->id);
    values.facts = facts;
    episode->resolved =
        task_resolve(options->task, &values, &episode->asked, err);
    cJSON_Delete(facts);
    if (!episode->resolved)
        return err_wrap(err, "task %s", options->task->id);
    words = phrasing_in(&episode->asked.instruction, episode->locale);
    episode->instruction = mem_dup(words ? words : "");
    return true;
}

/* ---- the records ---- */

static bool make_folder(const char *path, struct err *err)
{
    return !mkdir(path, 0777) || errno == EEXIST ||
           err_errno(err, errno, "make %s", path);
}

/* The folders above the attempt's own. */
static bool make_parents(const struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/episodes", options->run);
    done = make_folder(buf_cstr(&path), err);
    buf_printf(&path, "/%s", options->task->id);
    done = done && make_folder(buf_cstr(&path), err);
    buf_printf(&path, "/%d", options->repeat);
    done = done && make_folder(buf_cstr(&path), err);
    buf_release(&path);
    return done;
}

static int64_t wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool episode_create(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    const struct task *task =
        episode->resolved ? &episode->asked : options->task;
    struct trajectory_head head = {
        .task = options->task->id,
        .agent = (char *)(uintptr_t)options->agent_name,
        .phone = options->session->lease->serial,
        .instruction = episode->instruction,
        .app = task->apps.count ? task->apps.items[0] : NULL,
        .locale = episode->locale[0] ? episode->locale : NULL,
        .repeat = options->repeat,
        .attempt = options->attempt,
        .width = episode->seen.screen.width,
        .height = episode->seen.screen.height,
        .started_ms = wall_ms() - episode_now(episode),
    };

    return make_parents(episode, err) &&
           trajectory_create(episode->folder, &head, &episode->writer, err) &&
           task_save(task, episode->folder, err);
}

/* ---- probes and the truth ---- */

bool episode_probe(struct episode *episode, bool before, struct err *err)
{
    const struct task *task = &episode->asked;

    for (size_t i = 0; i < task->probe_count; i++) {
        const struct task_probe *probe = &task->probes[i];
        struct buf text = BUF_INIT(PROBE_MAX);
        bool done;

        if (before && !probe->unchanged)
            continue;
        done =
            session_run(episode->options->session, probe->command, &text, err);
        if (!done)
            episode->place = MISHAP_SEEING;
        while (text.length && text.data[text.length - 1] == '\n')
            buf_truncate(&text, text.length - 1);
        if (done) {
            done = before ? trajectory_evidence_before(episode->writer,
                                                       probe->name,
                                                       buf_cstr(&text), err)
                          : trajectory_evidence(episode->writer, probe->name,
                                                buf_cstr(&text), err);
            episode->place = MISHAP_RECORDING;
        }
        buf_release(&text);
        if (!done)
            return err_wrap(err, "probe %.60s", probe->name);
    }
    return true;
}

static bool save_truth(const struct episode *episode,
                       const struct cJSON *verdict, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(TRUTH_MAX);
    bool done;

    json_format(verdict, &text);
    buf_byte(&text, '\n');
    buf_printf(&path, "%s/truth.json", episode->folder);
    done = text.overflow
               ? err_set(err, ERR_LIMIT, "a truth too long")
               : file_save(buf_cstr(&path), 0666, text.data, text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}

bool episode_tell_truth(struct episode *episode, struct err *err)
{
    struct oracle *oracle = episode->options->session->lease->oracle;
    struct cJSON *verdict = NULL;
    bool done;

    if (!oracle || !episode->asked.truth)
        return true;
    if (!oracle->ops->judge(oracle, episode->asked.truth, episode->answer,
                            &verdict, err)) {
        episode->place = MISHAP_SEEING;
        return err_wrap(err, "truth of task %s", episode->asked.id);
    }
    done = save_truth(episode, verdict, err);
    episode->place = MISHAP_RECORDING;
    cJSON_Delete(verdict);
    return done;
}

bool episode_prepare(struct episode *episode, struct err *err)
{
    episode->place = MISHAP_PREPARING;
    if (!reset(episode, err))
        return false;
    choose_locale(episode);
    if (!resolve(episode, err) || !set_up(episode, err) ||
        !launch(episode, err))
        return false;
    if (!episode_create(episode, err))
        return episode_fails(episode, MISHAP_RECORDING);
    return episode_probe(episode, true, err);
}
