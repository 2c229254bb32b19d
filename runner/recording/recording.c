#include "runner/recording/recording.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/path_parts.h"
#include "base/picture/picture_file.h"
#include "process_provider/summarize/step_description.h"
#include "tasks/trajectory/episode_folders.h"

#define TREE_MAX ((size_t)64 << 20)

bool recording_name_is_valid(const char *name)
{
    size_t length = strlen(name);

    return length > 0 && length < RECORDING_NAME_MAX && name[0] != '.' &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-")];
}

/* ---- edits ---- */

static bool same_selector(const struct node_selector *a,
                          const struct node_selector *b)
{
    struct cJSON *one = node_selector_to_json(a);
    struct cJSON *two = node_selector_to_json(b);
    bool same = cJSON_Compare(one, two, true);

    cJSON_Delete(one);
    cJSON_Delete(two);
    return same;
}

static void apply_evidence(const struct recording_edit *edit,
                           struct recording_step *step)
{
    size_t at = 0;

    while (at < step->evidence_count &&
           !same_selector(step->evidence[at], edit->selector))
        at++;
    if (edit->on && at == step->evidence_count && at < RECORDING_EVIDENCE_MAX) {
        step->evidence[step->evidence_count++] = edit->selector;
    } else if (!edit->on && at < step->evidence_count) {
        step->evidence_count--;
        memmove(&step->evidence[at], &step->evidence[at + 1],
                (step->evidence_count - at) * sizeof(step->evidence[0]));
    }
}

static void apply_to_step(const struct recording_edit *edit,
                          struct recording_step *step)
{
    switch (edit->kind) {
    case EDIT_STAR:
        step->starred = edit->on;
        break;
    case EDIT_NOTE:
        step->note = *edit->text ? edit->text : NULL;
        break;
    case EDIT_DELETE:
        step->deleted = edit->on;
        break;
    case EDIT_EVIDENCE:
        apply_evidence(edit, step);
        break;
    case EDIT_WAIT_FOR:
        step->wait_for = edit->selector;
        break;
    case EDIT_TARGET:
        step->target = edit->selector;
        break;
    case EDIT_UNDONE:
        step->undone = true;
        step->restored = edit->on;
        break;
    case EDIT_FLAG:
        step->flag = *edit->text ? edit->text : NULL;
        break;
    case EDIT_RETAKE:
        step->flag = NULL;
        step->target = step->step->target;
        break;
    case EDIT_ANSWER:
        step->answer = *edit->text ? edit->text : NULL;
        step->answer_node = step->answer ? edit->selector : NULL;
        break;
    case EDIT_TRIM:
    case RECORDING_EDIT_KINDS:
        break;
    }
}

static void apply_trim(const struct recording_edit *edit,
                       struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++)
        recording->steps[i].trimmed = (int)i < edit->from || (int)i > edit->to;
}

/* A task has one answer: the one that was marked last. */
static void drop_answers(struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        recording->steps[i].answer = NULL;
        recording->steps[i].answer_node = NULL;
    }
}

/* Edits of steps that were not finished have no effect. */
static void apply_edits(struct recording *recording)
{
    for (size_t i = 0; i < recording->edits.count; i++) {
        const struct recording_edit *edit = &recording->edits.items[i];

        if (edit->kind == EDIT_TRIM) {
            apply_trim(edit, recording);
        } else if ((size_t)edit->step < recording->count) {
            if (edit->kind == EDIT_ANSWER && *edit->text)
                drop_answers(recording);
            apply_to_step(edit, &recording->steps[edit->step]);
        }
    }
}

/* ---- loading ---- */

static void join_steps(struct recording *recording)
{
    recording->count = recording->trajectory.count;
    recording->steps = mem_new(recording->count + 1, sizeof(*recording->steps));
    for (size_t i = 0; i < recording->count; i++)
        recording->steps[i] = (struct recording_step){
            .step = &recording->trajectory.steps[i],
            .target = recording->trajectory.steps[i].target};
    apply_edits(recording);
}

bool recording_load(const char *folder, struct recording *recording,
                    struct err *err)
{
    struct recording read = {.count = 0};

    if (!trajectory_load(folder, &read.trajectory, err))
        return false;
    if (!recording_edits_load(folder, &read.edits, err)) {
        trajectory_release(&read.trajectory);
        return false;
    }
    read.folder = mem_dup(folder);
    read.name = path_name(folder);
    join_steps(&read);
    *recording = read;
    return true;
}

void recording_release(struct recording *recording)
{
    trajectory_release(&recording->trajectory);
    recording_edits_release(&recording->edits);
    free(recording->steps);
    free(recording->folder);
    free(recording->name);
    *recording = (struct recording){.count = 0};
}

bool recording_step_counts(const struct recording_step *step)
{
    return step->step->acted && !step->step->blocked && !step->deleted &&
           !step->undone && !step->trimmed;
}

/* ---- descriptions ---- */

static bool load_tree(const struct trajectory *trajectory,
                      const struct trajectory_step *step, struct tree *tree)
{
    struct buf xml = BUF_INIT(TREE_MAX);
    struct err ignored;
    bool done = step && step->tree.file[0] &&
                trajectory_read_file(trajectory, &step->tree, &xml, &ignored) &&
                tree_read(tree, buf_cstr(&xml), xml.length, &ignored);

    buf_release(&xml);
    return done;
}

char *recording_describe(const struct recording *recording, size_t step)
{
    const struct trajectory *trajectory = &recording->trajectory;
    const struct trajectory_step *at = &trajectory->steps[step];
    /* The next screen is the one before an undone step, not its effect. */
    const struct trajectory_step *next =
        step + 1 < trajectory->count && !recording->steps[step].undone ? at + 1
                                                                       : NULL;
    struct recorded_screen before = RECORDED_SCREEN_INIT;
    struct recorded_screen after = RECORDED_SCREEN_INIT;
    struct tree trees[2] = {TREE_INIT, TREE_INIT};
    struct description description;
    struct step_view view = {
        .action = &at->action,
        .before_screen = &before,
        .after_screen = &after,
        .block = at->block,
        .blocked = at->blocked,
    };

    if (!at->acted)
        return mem_dup("");
    recorded_screen_set(&before, trajectory, &at->screen);
    recorded_screen_set(&after, trajectory, next ? &next->screen : NULL);
    view.before = load_tree(trajectory, at, &trees[0]) ? &trees[0] : NULL;
    view.after = load_tree(trajectory, next, &trees[1]) ? &trees[1] : NULL;
    step_describe(&view, PROCESS_OFFLINE, &description);
    recorded_screen_release(&before);
    recorded_screen_release(&after);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
    return mem_dup(description.line);
}

/* ---- folders ---- */

bool recording_is_one(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat found;
    bool is_one;

    buf_printf(&path, "%s/" RECORDING_EDITS_FILE, folder);
    is_one = episode_folders_is_one(folder) && !path.overflow &&
             !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return is_one;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool recording_list(const char *folder, struct text_list *names,
                    struct err *err)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;

    *names = (struct text_list){.count = 0};
    if (!stream && errno == ENOENT)
        return true;
    if (!stream)
        return err_errno(err, errno, "looking for recordings in %s", folder);
    while ((entry = readdir(stream))) {
        struct buf path = BUF_INIT(PATH_MAX);

        buf_printf(&path, "%s/%s", folder, entry->d_name);
        if (recording_name_is_valid(entry->d_name) &&
            recording_is_one(buf_cstr(&path)))
            text_list_add(names, entry->d_name);
        buf_release(&path);
    }
    closedir(stream);
    if (names->count)
        qsort(names->items, names->count, sizeof(*names->items), compare_names);
    return true;
}

/* ---- checking ---- */

/* A crop that a selector names must be a picture; edits come later than it. */
static bool check_crop(const struct recording *recording, size_t step,
                       const struct node_selector *selector, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct picture picture = PICTURE_INIT;
    bool done;

    if (!selector || !selector->crop)
        return true;
    buf_printf(&path, "%s/%s", recording->folder, selector->crop);
    done = picture_file_load(buf_cstr(&path), &picture, err) ||
           err_wrap(err, "the target of step %zu", step);
    picture_release(&picture);
    buf_release(&path);
    return done;
}

static bool check_edits(const struct recording *recording, struct err *err)
{
    for (size_t i = 0; i < recording->edits.count; i++) {
        const struct recording_edit *edit = &recording->edits.items[i];

        /* A kill can leave an edit of a step that was not finished. */
        if (edit->kind != EDIT_TRIM && (size_t)edit->step > recording->count)
            return err_set(err, ERR_INVALID,
                           "%s/" RECORDING_EDITS_FILE
                           ": there is no step %d to %s",
                           recording->folder, edit->step,
                           recording_edit_kind_name(edit->kind));
    }
    return true;
}

bool recording_check_edits(const char *folder, struct err *err)
{
    struct recording recording;
    bool done;

    if (!recording_load(folder, &recording, err))
        return false;
    done = check_edits(&recording, err);
    for (size_t i = 0; done && i < recording.count; i++)
        done = check_crop(&recording, i, recording.steps[i].target, err) &&
               check_crop(&recording, i, recording.steps[i].wait_for, err) &&
               check_crop(&recording, i, recording.steps[i].answer_node, err);
    recording_release(&recording);
    return done;
}

bool recording_check(const char *folder, struct err *err)
{
    return trajectory_check(folder, err) && recording_check_edits(folder, err);
}
