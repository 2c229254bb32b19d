#include "runner/replay/replay_task.h"

#include "base/json.h"
#include "base/mem.h"
#include "runner/recording/recording.h"
#include "runner/replay/replay_texts.h"
#include "runner/replay/task_setup.h"

static struct replay_edit edit_of(const struct recording_step *step)
{
    const struct node_selector *mark = step->wait_for;
    struct replay_edit edit = {.left_out = !recording_step_counts(step)};

    edit.waits =
        mark && mark->has_point && !(edit.left_out && step->step->acted);
    if (edit.waits)
        edit.at = mark->point;
    return edit;
}

bool replay_task_edits(const char *folder, struct replay_edit **edits,
                       struct err *err)
{
    struct recording recording;

    *edits = NULL;
    if (!recording_is_one(folder))
        return true;
    if (!recording_load(folder, &recording, err))
        return false;
    *edits = mem_new(recording.count + 1, sizeof(**edits));
    for (size_t i = 0; i < recording.count; i++)
        (*edits)[i] = edit_of(&recording.steps[i]);
    recording_release(&recording);
    return true;
}

bool replay_task_judge(struct device_session *session, const struct task *task,
                       const char *answer, enum replay_truth *truth,
                       struct err *err)
{
    struct truth_source *source = session->lease->truth_source;
    struct cJSON *verdict = NULL;

    *truth = REPLAY_TRUTH_UNKNOWN;
    if (!source || !task->truth)
        return true;
    if (!source->ops->judge(source, task->truth, answer, &verdict, err))
        return err_wrap(err, "truth of task %s", task->id);
    *truth = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(verdict, "met"))
                 ? REPLAY_TRUTH_MET
                 : REPLAY_TRUTH_MISSED;
    cJSON_Delete(verdict);
    return true;
}

/* The recorded texts and the current ones in their place. */
static void collect_texts(const struct replay_task *job, const struct task *now,
                          const char *locale, struct carried_texts *texts)
{
    const struct replay_texts_side was = {job->recorded->head.locale,
                                          job->recorded->head.instruction,
                                          job->asked};
    const struct replay_texts_side is = {
        locale, bilingual_text_in(&now->instruction, locale), now};

    replay_texts_collect(job->task, &was, &is, texts);
}

static bool play(const struct replay_task *job, const struct task *now,
                 const char *locale, struct replay_end *end, struct err *err)
{
    struct carried_texts texts = {.was = {0}};
    const struct replay_options options = {.session = job->session,
                                           .recorded = job->recorded,
                                           .edits = job->edits,
                                           .locale = locale,
                                           .texts = &texts,
                                           .popups = job->popups,
                                           .writer = job->writer,
                                           .picture = job->picture};
    bool done;

    if (job->task)
        collect_texts(job, now, locale, &texts);
    done = replay_play(&options, end, err);
    carried_texts_release(&texts);
    return done;
}

static bool set_up(const struct replay_task *job, const struct task *now,
                   struct err *err)
{
    const struct trajectory_head *head = &job->recorded->head;
    struct observation seen;
    bool done;

    observation_init(&seen);
    done = (!job->set_up ||
            device_session_run(job->session, job->set_up, NULL, err)) &&
           task_setup_run_commands(job->session, now, err) &&
           task_setup_launch(job->session, head->app, &seen, err);
    observation_release(&seen);
    return done;
}

bool replay_task_play(const struct replay_task *job, struct replay_end *end,
                      enum replay_truth *truth, struct err *err)
{
    struct task bare = {.reset = TASK_RESET_RESTART};
    const struct task *task = job->task    ? job->task
                              : job->asked ? job->asked
                                           : &bare;
    struct task now = {.id = NULL};
    const char *locale;
    bool done;

    *truth = REPLAY_TRUTH_UNKNOWN;
    if (task == &bare && job->recorded->head.app)
        text_list_add(&bare.apps, job->recorded->head.app);
    if (!task_setup_reset(job->session, task, job->locale, job->folder, err)) {
        text_list_release(&bare.apps);
        return false;
    }
    text_list_release(&bare.apps);
    locale = task_setup_locale(job->session, job->locale);
    if (job->task &&
        !task_setup_resolve(job->session, job->task, locale, &now, err))
        return false;
    done = set_up(job, job->task ? &now : task, err) &&
           play(job, &now, locale, end, err);
    if (done && end->done &&
        !replay_task_judge(job->session, job->task ? &now : task, end->answer,
                           truth, err)) {
        replay_end_release(end);
        done = false;
    }
    if (job->task)
        task_release(&now);
    return done;
}
