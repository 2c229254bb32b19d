#include "runner/recording/recording_change.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/recording/recording_folder.h"
#include "runner/recording/recording_lock.h"
#include "runner/recording/target_bundle.h"

#define FILE_MAX ((size_t)64 << 20)

static bool check_name(const char *name, struct err *err)
{
    return recording_name_is_valid(name) ||
           err_set(err, ERR_INVALID,
                   "\"%.40s\" is not a name of a-z, 0-9, . and -", name);
}

/* The path of another recording beside this one. */
static void put_sibling(const char *folder, const char *name, struct buf *path)
{
    size_t length = strlen(folder);

    while (length > 1 && folder[length - 1] == '/')
        length--;
    while (length > 0 && folder[length - 1] != '/')
        length--;
    buf_append(path, folder, length);
    buf_text(path, name);
}

/* ---- another name ---- */

/*
 * A kill may have left the original of a blurred picture. A damaged recording
 * stays as it is.
 */
static bool tidy(const char *folder, struct err *err)
{
    struct recording recording;
    struct err damaged;
    bool done;

    if (!recording_load(folder, &recording, &damaged))
        return true;
    done = recording_folder_tidy(&recording, err);
    recording_release(&recording);
    return done;
}

static bool rename_folder(const char *folder, const char *path, struct err *err)
{
    if (!renameat2(AT_FDCWD, folder, AT_FDCWD, path, RENAME_NOREPLACE))
        return true;
    if (errno == EEXIST)
        return err_set(err, ERR_INVALID, "%s exists: choose another name",
                       path);
    return err_errno(err, errno, "rename %s", folder);
}

bool recording_rename(const char *folder, const char *name, struct err *err)
{
    struct file_lock lock = FILE_LOCK_INIT;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (!check_name(name, err) || !recording_lock_take(folder, &lock, err))
        return false;
    put_sibling(folder, name, &path);
    done = tidy(folder, err) && rename_folder(folder, buf_cstr(&path), err) &&
           file_sync_folder_of(buf_cstr(&path), err);
    file_lock_release(&lock);
    buf_release(&path);
    return done;
}

/* ---- a part of it ---- */

static bool check_range(const struct recording *recording, int from, int to,
                        struct err *err)
{
    return (from >= 0 && from <= to && (size_t)to < recording->count &&
            recording->trajectory.steps[to].acted) ||
           err_set(err, ERR_INVALID,
                   "there are no steps %d to %d in a recording of %zu", from,
                   to, recording->count);
}

bool recording_trim(const char *folder, int from, int to, struct err *err)
{
    const struct recording_edit edit = {
        .kind = EDIT_TRIM, .from = from, .to = to};
    struct recording recording;
    bool done;

    if (!recording_load(folder, &recording, err))
        return false;
    done = check_range(&recording, from, to, err) &&
           recording_edit_add(folder, &edit, err);
    recording_release(&recording);
    return done;
}

/* A copy that is being written. */
struct part_copy {
    const struct recording *recording;
    const char *folder; /* its hidden path */
    struct trajectory_writer *writer;
    int64_t began_ms; /* times are from here */
};

static bool read_opt(const struct trajectory *trajectory,
                     const struct trajectory_file *file, struct buf *content,
                     struct err *err)
{
    return !file->file[0] ||
           trajectory_read_file(trajectory, file, content, err);
}

static bool copy_observation(struct part_copy *copy,
                             const struct trajectory_step *step,
                             struct err *err)
{
    const struct trajectory *trajectory = &copy->recording->trajectory;
    struct buf screen = BUF_INIT(FILE_MAX);
    struct buf tree = BUF_INIT(FILE_MAX);
    struct trajectory_observation observation = {
        .package = step->package,
        .activity = step->activity,
        .doubt = step->doubt,
        .at_ms = step->seen_ms - copy->began_ms,
        .settle_ms = step->settle_ms,
    };
    bool done = read_opt(trajectory, &step->screen, &screen, err) &&
                read_opt(trajectory, &step->tree, &tree, err);

    if (done) {
        observation.screen = screen.length ? screen.data : NULL;
        observation.screen_size = screen.length;
        observation.tree = tree.length ? tree.data : NULL;
        observation.tree_size = tree.length;
        done = trajectory_write_observation(copy->writer, &observation, err);
    }
    buf_release(&screen);
    buf_release(&tree);
    return done;
}

static bool copy_action(struct part_copy *copy,
                        const struct recording_step *step, struct err *err)
{
    const struct trajectory_step *from = step->step;
    struct node_selector target;
    char crop[64];
    struct step_action action = {
        .actor = from->actor,
        .action = &from->action,
        .block = from->block,
        .blocked = from->blocked,
        .doubt = from->action_doubt,
        .at_ms = from->acted_ms - copy->began_ms,
    };

    if (step->target) {
        target = *step->target; /* which is only written */
        snprintf(crop, sizeof(crop), TARGET_BUNDLE_CROPS "/%04d.png",
                 trajectory_next_step(copy->writer));
        if (target.crop &&
            !target_bundle_copy_crop(copy->recording->folder, target.crop,
                                     copy->folder, crop, err))
            return false;
        if (target.crop)
            target.crop = crop;
        action.target = &target;
    }
    return trajectory_write_action(copy->writer, &action, err);
}

static bool add(const struct part_copy *copy, struct recording_edit edit,
                int step, struct err *err)
{
    edit.step = step;
    return recording_edit_add(copy->folder, &edit, err);
}

/* Selectors of edits have no crops. */
static bool add_selector(const struct part_copy *copy,
                         enum recording_edit_kind kind,
                         const struct node_selector *selector, int step,
                         struct err *err)
{
    struct node_selector plain = *selector; /* which is only written */

    plain.crop = NULL;
    return add(
        copy,
        (struct recording_edit){.kind = kind, .on = true, .selector = &plain},
        step, err);
}

/* Texts of edits are only written. */
static bool add_text(const struct part_copy *copy,
                     enum recording_edit_kind kind, const char *text, int step,
                     struct err *err)
{
    return !text ||
           add(copy,
               (struct recording_edit){.kind = kind, .text = (char *)text},
               step, err);
}

static bool add_mark(const struct part_copy *copy, bool has,
                     enum recording_edit_kind kind, bool on, int step,
                     struct err *err)
{
    return !has || add(copy, (struct recording_edit){.kind = kind, .on = on},
                       step, err);
}

static bool copy_evidence(const struct part_copy *copy,
                          const struct recording_step *step, int number,
                          struct err *err)
{
    for (size_t i = 0; i < step->evidence_count; i++) {
        if (!add_selector(copy, EDIT_EVIDENCE, step->evidence[i], number, err))
            return false;
    }
    return true;
}

/* What the screen before the step shows. */
static bool copy_answer(const struct part_copy *copy,
                        const struct recording_step *step, int number,
                        struct err *err)
{
    struct node_selector plain = {.nth = 0}; /* as the text, only written */

    if (!step->answer)
        return true;
    if (step->answer_node)
        plain = *step->answer_node;
    plain.crop = NULL;
    return add(
        copy,
        (struct recording_edit){.kind = EDIT_ANSWER,
                                .text = (char *)step->answer,
                                .selector = step->answer_node ? &plain : NULL},
        number, err);
}

static bool copy_edits(const struct part_copy *copy,
                       const struct recording_step *step, int number,
                       struct err *err)
{
    return copy_evidence(copy, step, number, err) &&
           copy_answer(copy, step, number, err) &&
           (!step->wait_for ||
            add_selector(copy, EDIT_WAIT_FOR, step->wait_for, number, err)) &&
           add_text(copy, EDIT_NOTE, step->note, number, err) &&
           add_text(copy, EDIT_FLAG, step->flag, number, err) &&
           add_mark(copy, step->starred, EDIT_STAR, true, number, err) &&
           add_mark(copy, step->deleted, EDIT_DELETE, true, number, err) &&
           add_mark(copy, step->undone, EDIT_UNDONE, step->restored, number,
                    err);
}

static bool copy_step(struct part_copy *copy, const struct recording_step *step,
                      struct err *err)
{
    return copy_edits(copy, step, trajectory_next_step(copy->writer), err) &&
           (!step->step->seen || copy_observation(copy, step->step, err)) &&
           (!step->step->acted || copy_action(copy, step, err));
}

/* The screen after the last step, with what a person marked on it. */
static bool copy_last(struct part_copy *copy, size_t after, struct err *err)
{
    const struct recording_step *last;

    if (after >= copy->recording->count)
        return true;
    last = &copy->recording->steps[after];
    return !last->step->seen ||
           (copy_observation(copy, last->step, err) &&
            copy_evidence(copy, last, trajectory_next_step(copy->writer),
                          err) &&
            copy_answer(copy, last, trajectory_next_step(copy->writer), err));
}

static bool copy_end(struct part_copy *copy, int to, struct err *err)
{
    const struct trajectory *trajectory = &copy->recording->trajectory;
    bool goes_on =
        (size_t)to + 1 < trajectory->count && trajectory->steps[to + 1].acted;
    int64_t at_ms = trajectory->steps[to].acted_ms - copy->began_ms;

    return (trajectory->ending == ENDING_NONE && !goes_on) ||
           trajectory_end(copy->writer, ENDING_COMPLETE, NULL, at_ms, err);
}

static bool copy_steps(struct part_copy *copy,
                       const struct recording_part *part, struct err *err)
{
    const struct recording *recording = copy->recording;

    for (int i = part->from; i <= part->to; i++) {
        if ((part->all || recording_step_counts(&recording->steps[i])) &&
            !copy_step(copy, &recording->steps[i], err))
            return false;
    }
    return copy_last(copy, (size_t)part->to + 1, err) &&
           copy_end(copy, part->to, err);
}

static bool write_copy(struct part_copy *copy,
                       const struct recording_part *part, const char *folder,
                       struct err *err)
{
    struct trajectory_head head = copy->recording->trajectory.head;
    const char *name = strrchr(folder, '/');
    bool done;

    head.task = (char *)(name ? name + 1 : folder);
    head.started_ms += copy->began_ms;
    done = trajectory_create(copy->folder, &head, &copy->writer, err) &&
           recording_edits_create(copy->folder, err) &&
           copy_steps(copy, part, err);
    trajectory_close(copy->writer);
    return done;
}

bool recording_copy(const struct recording *recording,
                    const struct recording_part *part, const char *folder,
                    struct err *err)
{
    struct buf hidden = BUF_INIT(PATH_MAX);
    struct part_copy copy = {.recording = recording};
    bool done;

    if (!check_range(recording, part->from, part->to, err))
        return false;
    recording_folder_hidden(folder, &hidden);
    recording_folder_discard_left(folder);
    copy.folder = buf_cstr(&hidden);
    copy.began_ms = recording->steps[part->from].step->seen_ms;
    done = write_copy(&copy, part, folder, err);
    if (!done)
        recording_folder_discard(copy.folder);
    done = done && recording_folder_complete(folder, err);
    buf_release(&hidden);
    return done;
}

/* The first and the last step that are not trimmed off. */
static bool used_range(const struct recording *recording, int *from, int *to)
{
    *from = -1;
    for (size_t i = 0; i < recording->count; i++) {
        if (recording->steps[i].trimmed || !recording->steps[i].step->acted)
            continue;
        *from = *from < 0 ? (int)i : *from;
        *to = (int)i;
    }
    return *from >= 0;
}

static bool split(const struct recording *recording, int step, const char *path,
                  struct err *err)
{
    struct recording_part part = {.from = step, .all = true};
    int from;

    if (!used_range(recording, &from, &part.to) || step <= from ||
        step > part.to)
        return err_set(err, ERR_INVALID,
                       "step %d does not split the recording: choose one "
                       "between its first and its last",
                       step);
    return recording_copy(recording, &part, path, err) &&
           recording_trim(recording->folder, from, step - 1, err);
}

bool recording_split(const char *folder, int step, const char *name,
                     struct err *err)
{
    struct file_lock lock = FILE_LOCK_INIT;
    struct buf path = BUF_INIT(PATH_MAX);
    struct recording recording = {.count = 0};
    bool done;

    if (!check_name(name, err) || !recording_lock_take(folder, &lock, err))
        return false;
    put_sibling(folder, name, &path);
    done = recording_load(folder, &recording, err) &&
           recording_folder_tidy(&recording, err) &&
           split(&recording, step, buf_cstr(&path), err);
    recording_release(&recording);
    file_lock_release(&lock);
    buf_release(&path);
    return done;
}
