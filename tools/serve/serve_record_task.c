/*
 * A recording becomes a task: its form with proved checks, its twins on
 * built-in phones, and its suite.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "runner/recording/recording_task.h"
#include "runner/recording/task_save.h"
#include "tools/meter/twin_runs.h"
#include "tools/serve/serve_record_private.h"

/* The folder of what was carried out, in that of all recordings. No recording
 * has such a name. */
#define TWINS_FOLDER "_twins"

#define TWIN_PHONES 2

/* What a person has filled in; all texts are borrowed from the tree. */
struct task_form {
    struct cJSON *tree; /* owned */
    /* Of the recording, and of others of the same task; owned. */
    char *folders[RECORDING_TASK_MAX];
    const char *suite; /* name; NULL: none */
    const char *truth; /* name; NULL: none */
    bool replace;
    bool draft; /* only what the recording alone says */
    struct recording_task_options options;
};

static bool read_kind(const struct json *json,
                      struct recording_task_options *options, struct err *err)
{
    const char *kind = NULL;

    if (!json_opt_string(json, "kind", &kind, err))
        return false;
    for (int i = TASK_STATE; kind && i <= TASK_PROCESS; i++) {
        if (!strcmp(kind, task_kind_name((enum task_kind)i)))
            options->kind = i;
    }
    return !kind || options->kind >= 0 ||
           err_set(err, ERR_INVALID, "the kind is state or process");
}

static bool read_members(const struct json *json, struct task_form *form,
                         struct err *err)
{
    struct recording_task_options *options = &form->options;

    if (!json_opt_bool(json, "draft", &form->draft, err) ||
        !read_kind(json, options, err) ||
        !json_opt_string(json, "apps", &options->apps, err) ||
        !json_opt_small(json, "steps", 1, TASK_STEPS_MAX, &options->steps,
                        err) ||
        !json_opt_string(json, "id", &options->id, err) ||
        !json_opt_string(json, "en", &options->instruction_en, err) ||
        !json_opt_string(json, "zh", &options->instruction_zh, err) ||
        !json_opt_string(json, "answer", &options->answer, err) ||
        !json_opt_small(json, "level", 1, 5, &options->level, err) ||
        !json_opt_string(json, "suite", &form->suite, err) ||
        !json_opt_string(json, "truth", &form->truth, err) ||
        !json_opt_bool(json, "replace", &form->replace, err))
        return false;
    if (form->suite && !recording_name_is_valid(form->suite))
        return err_set(err, ERR_INVALID,
                       "give the suite a name of small letters, digits, dots "
                       "and hyphens");
    return form->draft ||
           (options->instruction_en || options->instruction_zh) ||
           err_set(err, ERR_INVALID,
                   "give the instruction, in English or Chinese");
}

static void add_folder(struct task_form *form, const char *folder)
{
    form->folders[form->options.count++] = mem_dup(folder);
}

/* Other recordings of the same task, by their names. */
static bool read_others(const struct json *json, const char *recordings,
                        struct task_form *form, struct err *err)
{
    struct json names = JSON_NONE;
    struct json name = JSON_NONE;

    if (!json_opt_array(json, "with", &names, err))
        return false;
    while (names.value && json_next(&names, &name)) {
        struct buf folder = BUF_INIT(PATH_MAX);
        const char *text;

        if (!json_as_string(&name, &text, err))
            return false;
        if (!recording_name_is_valid(text))
            return err_set(err, ERR_INVALID, "there is no recording %.60s",
                           text);
        if (form->options.count == RECORDING_TASK_MAX)
            return err_set(err, ERR_LIMIT, "a task has at most %d recordings",
                           RECORDING_TASK_MAX);
        buf_printf(&folder, "%s/%s", recordings, text);
        add_folder(form, buf_cstr(&folder));
        buf_release(&folder);
    }
    return true;
}

static void release_form(struct task_form *form)
{
    for (size_t i = 0; i < form->options.count; i++)
        free(form->folders[i]);
    cJSON_Delete(form->tree);
}

/* The form does not move; the caller releases it, also after a failure. */
static bool read_form(const char *text, const char *recordings,
                      const char *folder, struct task_form *form,
                      struct err *err)
{
    *form = (struct task_form){.options = {.kind = -1}};
    form->options.folders = (const char *const *)form->folders;
    add_folder(form, folder);
    if (!json_parse(text, strlen(text), &form->tree, err))
        return false;
    {
        const struct json json = JSON_ROOT(form->tree);

        return json_as_object(&json, err) && read_members(&json, form, err) &&
               read_others(&json, recordings, form, err);
    }
}

static bool fill_in(const struct task_form *form, struct cJSON **filled,
                    struct err *err)
{
    struct recording_task made;

    if (form->draft)
        return recording_task_draft(&form->options, filled, err);
    if (!recording_task_make(&form->options, &made, err))
        return false;
    *filled = recording_task_to_json(&made);
    json_add_bool(*filled, "builtin", made.ways[0].trajectory.head.builtin);
    recording_task_release(&made);
    return true;
}

bool serve_record_form(const char *recordings, const char *folder,
                       const char *text, struct cJSON *answer, struct err *err)
{
    struct task_form form;
    struct cJSON *filled = NULL;
    bool done = read_form(text, recordings, folder, &form, err) &&
                fill_in(&form, &filled, err);

    if (done)
        cJSON_AddItemToObject(answer, "form", filled);
    release_form(&form);
    return done;
}

/* ---- saving ---- */

/* Beside the folder of recordings. */
static void suite_path(const char *recordings, const char *suite,
                       struct buf *path)
{
    size_t length = strlen(recordings);

    while (length && recordings[length - 1] == '/')
        length--;
    while (length && recordings[length - 1] != '/')
        length--;
    buf_append(path, recordings, length);
    buf_printf(path, "%s.json", suite);
}

bool serve_record_save(const char *recordings, const char *folder,
                       const char *text, struct cJSON *answer, struct err *err)
{
    struct task_form form;
    struct recording_task made;
    struct buf path = BUF_INIT(PATH_MAX);
    char *gold = NULL;
    bool done = read_form(text, recordings, folder, &form, err) &&
                recording_task_make(&form.options, &made, err);

    if (done) {
        struct task_save_options options = {.replace = form.replace};

        suite_path(recordings, form.suite ? form.suite : "my-suite", &path);
        options.suite = buf_cstr(&path);
        done = task_save(&made, &options, &gold, err);
        recording_task_release(&made);
    }
    if (done) {
        json_add_string(answer, "suite", buf_cstr(&path));
        json_add_string(answer, "gold", gold);
    }
    free(gold);
    release_form(&form);
    buf_release(&path);
    return done;
}

/* ---- twins on built-in phones ---- */

/* What a page has asked for, in its own thread. */
struct twins_job {
    struct serve_record *record;
    uint64_t client;
    int64_t id;
    char *folder; /* owned, as the next */
    char *text;
};

static bool make_folder(const char *recordings, struct buf *folder,
                        struct err *err)
{
    buf_printf(folder, "%s/" TWINS_FOLDER, recordings);
    if (!file_make_folder(buf_cstr(folder), 0777, err))
        return false;
    buf_text(folder, "/XXXXXX");
    return mkdtemp(folder->data) ||
           err_errno(err, errno, "make %s", buf_cstr(folder));
}

static bool carry_out(const struct twins_job *job,
                      const struct recording_task *made, const char *truth,
                      struct cJSON *answer, struct err *err)
{
    const struct serve *serve = job->record->serve;
    struct buf folder = BUF_INIT(PATH_MAX);
    struct twin_runs_options options = {
        .truth = truth,
        .config = twin_runs_config(made),
        .phones = TWIN_PHONES,
        .cancel = &serve->cancel,
        .log = serve->options.log,
    };
    struct twin_runs runs;
    bool done = make_folder(job->record->folder, &folder, err);

    options.folder = buf_cstr(&folder);
    done = done && twin_runs_make(made, &options, &runs, err);
    if (done) {
        cJSON_AddItemToObject(answer, "carried_out", twin_runs_to_json(&runs));
        json_add_string(answer, "folder", buf_cstr(&folder));
        twin_runs_release(&runs);
    }
    buf_release(&folder);
    return done;
}

static bool make_twins(const struct twins_job *job, struct cJSON *answer,
                       struct err *err)
{
    struct task_form form;
    struct recording_task made;
    bool done =
        read_form(job->text, job->record->folder, job->folder, &form, err) &&
        (form.truth ||
         err_set(err, ERR_INVALID, "name the truth to compare with")) &&
        recording_task_make(&form.options, &made, err);

    if (done) {
        done = carry_out(job, &made, form.truth, answer, err);
        recording_task_release(&made);
    }
    release_form(&form);
    return done;
}

static void work_on_twins(void *context)
{
    struct twins_job *job = context;
    struct serve *serve = job->record->serve;
    struct cJSON *answer = json_new_object();
    struct err err = ERR_INIT;

    if (make_twins(job, answer, &err)) {
        serve_answer(serve, job->client, job->id, answer);
    } else {
        cJSON_Delete(answer);
        serve_answer_error(serve, job->client, job->id, &err);
    }
    job->record->carries_out = false;
    free(job->folder);
    free(job->text);
    free(job);
}

bool serve_record_start_twins(struct serve_record *record,
                              const struct record_job *asked,
                              const char *folder, struct err *err)
{
    struct twins_job *job;

    if (atomic_exchange(&record->carries_out, true))
        return err_set(err, ERR_BUSY, "other twins are being carried out");
    job = mem_new(1, sizeof(*job));
    *job = (struct twins_job){.record = record,
                              .client = asked->client,
                              .id = asked->id,
                              .folder = mem_dup(folder),
                              .text = mem_dup(asked->request.text)};
    if (thread_group_start(&record->serve->jobs, work_on_twins, job))
        return true;
    record->carries_out = false;
    free(job->folder);
    free(job->text);
    free(job);
    return err_set(err, ERR_LIMIT,
                   "too many requests are running: try again later");
}
