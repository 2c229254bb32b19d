/* The setup of an episode: the phone, the task's variables, the records. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/mem.h"
#include "runner/episode/episode_private.h"
#include "runner/replay/task_setup.h"
#include "tasks/task/episode_task.h"
#include "tasks/trajectory/episode_truth.h"

#define FOLDERS_ABOVE 4 /* of the repeat, the task, "episodes" and the run */
#define PROBE_MAX ((size_t)64 * 1024)

/* ---- the task ---- */

static void choose_locale(struct episode *episode)
{
    const struct episode_options *options = episode->options;

    snprintf(episode->locale, sizeof(episode->locale), "%s",
             task_setup_locale(options->session, options->locale));
}

/* The path of recorded gold is relative to the suite. */
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
    const char *words;

    episode->resolved = task_setup_resolve(
        options->session, options->task, episode->locale, &episode->asked, err);
    if (!episode->resolved)
        return false;
    name_gold(episode);
    words = bilingual_text_in(&episode->asked.instruction, episode->locale);
    episode->instruction = mem_dup(words ? words : "");
    return true;
}

/* ---- the records ---- */

static bool make_folder(const char *path, struct err *err)
{
    return !mkdir(path, 0777) || errno == EEXIST ||
           err_errno(err, errno, "make %s", path);
}

/* Create the folders above that of the attempt. */
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

/* Sync task.json and all folders before the first action. */
static bool sync_beginning(const struct episode *episode, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/task.json", episode->folder);
    done = file_sync(buf_cstr(&path), err);
    /* From the attempt's folder up to the run's. */
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
        .started_ms = clock_wall_ms() - episode_elapsed_ms(episode),
    };

    return make_parents(episode, err) &&
           trajectory_create(episode->folder, &head, &episode->writer, err) &&
           episode_task_save(task, episode->folder, err) &&
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
        done = device_session_run(episode->options->session, probe->command,
                                  &text, err);
        if (!done)
            episode->phase = EPISODE_PHASE_OBSERVE;
        while (text.length && text.data[text.length - 1] == '\n')
            buf_truncate(&text, text.length - 1);
        if (done) {
            done = before ? trajectory_evidence_before(episode->writer,
                                                       probe->name,
                                                       buf_cstr(&text), err)
                          : trajectory_evidence(episode->writer, probe->name,
                                                buf_cstr(&text), err);
            episode->phase = EPISODE_PHASE_RECORD;
        }
        buf_release(&text);
        if (!done)
            return err_wrap(err, "probe %.60s", probe->name);
    }
    return true;
}

bool episode_record_truth(struct episode *episode, struct err *err)
{
    struct truth_source *truth_source =
        episode->options->session->lease->truth_source;
    struct cJSON *verdict = NULL;
    bool done;

    if (!truth_source || !episode->asked.truth)
        return true;
    if (!truth_source->ops->judge(truth_source, episode->asked.truth,
                                  episode->answer, &verdict, err)) {
        episode->phase = EPISODE_PHASE_OBSERVE;
        return err_wrap(err, "truth of task %s", episode->asked.id);
    }
    /* They have what a person typed into apps, passwords too. */
    if (episode->secrets.active)
        cJSON_DeleteItemFromObjectCaseSensitive(verdict, "events");
    done = episode_truth_save(episode->folder, verdict, true, err);
    episode->phase = EPISODE_PHASE_RECORD;
    cJSON_Delete(verdict);
    return done;
}

bool episode_setup(struct episode *episode, struct err *err)
{
    const struct episode_options *options = episode->options;
    struct device_session *session = options->session;
    const struct text_list *apps = &options->task->apps;

    episode->phase = EPISODE_PHASE_SETUP;
    if (!task_setup_reset(session, options->task, options->locale,
                          options->suite_folder, err))
        return false;
    choose_locale(episode);
    if (!resolve(episode, err) ||
        !task_setup_run_commands(session, &episode->asked, err) ||
        !task_setup_require_apps(session, options->task, err) ||
        !task_setup_launch(session, apps->count ? apps->items[0] : NULL,
                           &episode->seen, err))
        return false;
    if (!episode_create(episode, err))
        return episode_fail_in(episode, EPISODE_PHASE_RECORD);
    return episode_probe(episode, true, err);
}
