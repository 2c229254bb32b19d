/* A recording becomes a task: its form with proved checks, and its suite. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "runner/recording/recording_task.h"
#include "runner/recording/task_save.h"
#include "tools/serve/serve_record_private.h"

/* What a person has filled in; all texts are borrowed from the tree. */
struct task_form {
    struct cJSON *tree; /* owned */
    const char *folder; /* of the recording */
    const char *suite;  /* name; NULL: none */
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

/* The caller frees the tree, also after a failure. */
static bool read_form(const char *text, const char *folder,
                      struct task_form *form, struct err *err)
{
    *form = (struct task_form){
        .folder = folder,
        .options = {.folders = &form->folder, .count = 1, .kind = -1}};
    if (!json_parse(text, strlen(text), &form->tree, err))
        return false;
    {
        const struct json json = JSON_ROOT(form->tree);

        return json_as_object(&json, err) && read_members(&json, form, err);
    }
}

static bool make(const char *text, const char *folder, struct task_form *form,
                 struct recording_task *made, struct err *err)
{
    return read_form(text, folder, form, err) &&
           recording_task_make(&form->options, made, err);
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
    recording_task_release(&made);
    return true;
}

bool serve_record_form(const char *folder, const char *text,
                       struct cJSON *answer, struct err *err)
{
    struct task_form form;
    struct cJSON *filled = NULL;
    bool done =
        read_form(text, folder, &form, err) && fill_in(&form, &filled, err);

    if (done)
        cJSON_AddItemToObject(answer, "form", filled);
    cJSON_Delete(form.tree);
    return done;
}

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
    bool done = make(text, folder, &form, &made, err);

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
    cJSON_Delete(form.tree);
    buf_release(&path);
    return done;
}
