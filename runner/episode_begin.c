/* How an episode begins: the phone's state, the task's words, the records. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/begin.h"
#include "runner/episode_private.h"
#include "tasks/dates.h"

#define FOLDERS_ABOVE 4 /* the repeat's, the task's, "episodes", the run's */
#define DATE_MAX ((size_t)64)
#define PROBE_MAX ((size_t)64 * 1024)
#define TRUTH_MAX ((size_t)16 << 20)

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

/* Recorded gold lies beside the suite; agents know only the task. */
static void name_gold(struct episode *episode)
{
    const char *folder = episode->options->suite_folder;
    char **gold = &episode->asked.gold.trajectory;
    struct buf path = BUF_INIT(PATH_MAX);

    if (!*gold || (*gold)[0] == '/' || !folder)
        return;
    buf_printf(&path, "%s/%s", folder, *gold);
    free(*gold);
    *gold = mem_dup(buf_cstr(&path));
    buf_release(&path);
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
    name_gold(episode);
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

/* What the task was, and where the episode is, before anything is done. */
static bool sync_beginning(const struct episode *episode, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/task.json", episode->folder);
    done = file_sync(buf_cstr(&path), err);
    /* The attempt's folder, and then up to the run's. */
    for (int i = 0; done && i <= FOLDERS_ABOVE; i++) {
        buf_truncate(&path, (size_t)(strrchr(path.data, '/') - path.data));
        done = file_sync(buf_cstr(&path), err);
    }
    buf_release(&path);
    return done;
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
        .started_ms = clock_wall_ms() - episode_now(episode),
    };

    return make_parents(episode, err) &&
           trajectory_create(episode->folder, &head, &episode->writer, err) &&
           task_save(task, episode->folder, err) &&
           sync_beginning(episode, err);
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
    done = text.overflow ? err_set(err, ERR_LIMIT, "a truth too long")
                         : file_save_synced(buf_cstr(&path), 0666, text.data,
                                            text.length, err);
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
    const struct episode_options *options = episode->options;
    struct session *session = options->session;
    const struct texts *apps = &options->task->apps;

    episode->place = MISHAP_PREPARING;
    if (!begin_reset(session, options->task, options->locale,
                     options->suite_folder, err))
        return false;
    choose_locale(episode);
    if (!resolve(episode, err) ||
        !begin_set_up(session, &episode->asked, err) ||
        !begin_launch(session, apps->count ? apps->items[0] : NULL,
                      &episode->seen, err))
        return false;
    if (!episode_create(episode, err))
        return episode_fails(episode, MISHAP_RECORDING);
    return episode_probe(episode, true, err);
}
