/* Blurs a rectangle of a stored picture: see recording_change.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "base/picture/png.h"
#include "process_provider/tree/tree_write.h"
#include "runner/recording/blurred_texts.h"
#include "runner/recording/recording_change.h"
#include "runner/recording/recording_folder.h"
#include "runner/recording/recording_lock.h"
#include "runner/recording/recording_rewrite.h"

#define FILE_MAX ((size_t)64 << 20)
#define CELL_MIN 32 /* pixels: larger than a character */

/* A file that replaces another one. */
struct replaced_file {
    struct trajectory_file before;
    struct trajectory_file after;
};

struct blur {
    const struct recording *recording;
    struct blurred_texts texts; /* and the box */
    struct replaced_file screen;
    struct replaced_file *trees; /* owned: of all steps with that screen */
    size_t tree_count;
    int next_tree; /* number of the next file */
    bool *steps;   /* owned: which steps show the screen */
};

/* ---- pixels ---- */

static void mean_of(const struct picture *picture, struct box cell,
                    uint8_t mean[3])
{
    uint64_t sums[3] = {0};
    uint64_t count = (uint64_t)box_width(cell) * (uint64_t)box_height(cell);

    for (int y = cell.top; y < cell.bottom; y++) {
        const uint8_t *row = picture_row(picture, (uint32_t)y);

        for (int x = cell.left; x < cell.right; x++) {
            for (int i = 0; i < 3; i++)
                sums[i] += row[(size_t)x * PICTURE_PIXEL + (size_t)i];
        }
    }
    for (int i = 0; i < 3; i++)
        mean[i] = (uint8_t)(sums[i] / count);
}

static void fill(struct picture *picture, struct box cell,
                 const uint8_t color[3])
{
    for (int y = cell.top; y < cell.bottom; y++) {
        uint8_t *row = picture_row(picture, (uint32_t)y);

        for (int x = cell.left; x < cell.right; x++)
            memcpy(row + (size_t)x * PICTURE_PIXEL, color, 3);
    }
}

/*
 * Replace the box by few cells of one color each. At most four of them cover a
 * side that is short, so that no text can be computed from them.
 */
static void blur_box(struct picture *picture, struct box box)
{
    int shorter =
        box_width(box) < box_height(box) ? box_width(box) : box_height(box);
    int side = shorter / 2 > CELL_MIN ? shorter / 2 : CELL_MIN;

    for (int y = box.top; y < box.bottom; y += side) {
        for (int x = box.left; x < box.right; x += side) {
            const struct box cell =
                box_meet(box, (struct box){x, y, x + side, y + side});
            uint8_t mean[3];

            mean_of(picture, cell, mean);
            fill(picture, cell, mean);
        }
    }
}

/* ---- files ---- */

static bool blur_screen(struct blur *blur, struct err *err)
{
    struct trajectory_file *after = &blur->screen.after;
    struct buf png = BUF_INIT(FILE_MAX);
    struct picture picture = PICTURE_INIT;
    bool done = trajectory_read_file(&blur->recording->trajectory,
                                     &blur->screen.before, &png, err) &&
                picture_file_decode(buf_cstr(&png), png.length, &picture, err);

    if (done) {
        blur->texts.box =
            box_meet(blur->texts.box, (struct box){0, 0, (int)picture.width,
                                                   (int)picture.height});
        done = !box_is_empty(blur->texts.box) ||
               err_set(err, ERR_INVALID, "the rectangle is not on the screen");
    }
    if (done) {
        blur_box(&picture, blur->texts.box);
        snprintf(after->file, sizeof(after->file), "screens/%04d.png",
                 recording_free_number(blur->recording, false));
        buf_clear(&png);
        done = png_encode(&picture, PNG_FAST, &png, err) &&
               recording_save_file(blur->recording, after, &png, err);
    }
    picture_release(&picture);
    buf_release(&png);
    return done;
}

static const struct replaced_file *find_tree(const struct blur *blur,
                                             const char *file)
{
    for (size_t i = 0; i < blur->tree_count; i++) {
        if (!strcmp(blur->trees[i].before.file, file))
            return &blur->trees[i];
    }
    return NULL;
}

static bool blur_tree(struct blur *blur, const struct trajectory_file *before,
                      struct err *err)
{
    struct replaced_file *made;
    struct buf xml = BUF_INIT(FILE_MAX);
    struct tree tree = TREE_INIT;
    bool done;

    if (!before->file[0] || find_tree(blur, before->file))
        return true;
    done =
        trajectory_read_file(&blur->recording->trajectory, before, &xml, err) &&
        tree_read(&tree, buf_cstr(&xml), xml.length, err);
    if (done && blurred_texts_hide(&blur->texts, &tree)) {
        made = &blur->trees[blur->tree_count];
        made->before = *before;
        snprintf(made->after.file, sizeof(made->after.file), "trees/%04d.xml",
                 blur->next_tree++);
        buf_clear(&xml);
        tree_write_xml(&tree, &xml);
        done = recording_save_file(blur->recording, &made->after, &xml, err);
        blur->tree_count += done;
    }
    tree_release(&tree);
    buf_release(&xml);
    return done;
}

static bool blur_trees(struct blur *blur, struct err *err)
{
    const struct recording *recording = blur->recording;

    for (size_t i = 0; i < recording->count; i++) {
        const struct trajectory_step *step = &recording->trajectory.steps[i];

        blur->steps[i] = !strcmp(step->screen.file, blur->screen.before.file);
        if (blur->steps[i] && !blur_tree(blur, &step->tree, err))
            return false;
    }
    return true;
}

/* ---- lines ---- */

static void replace_file(struct cJSON *line, const char *key,
                         const struct replaced_file *file)
{
    struct cJSON *object = cJSON_GetObjectItemCaseSensitive(line, key);
    const struct cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "file");

    if (!cJSON_IsString(name) || strcmp(name->valuestring, file->before.file))
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(object, "file");
    cJSON_DeleteItemFromObjectCaseSensitive(object, "sha256");
    json_add_string(object, "file", file->after.file);
    json_add_string(object, "sha256", file->after.sha256);
}

/* Remove what a selector of a blurred step says of the box. */
static void strip_selector(const struct blur *blur, struct cJSON *line,
                           const char *name)
{
    struct cJSON *selector = cJSON_GetObjectItemCaseSensitive(line, name);
    const struct trajectory *trajectory = &blur->recording->trajectory;
    int step = recording_line_step(line);
    struct buf xml = BUF_INIT(FILE_MAX);
    struct tree tree = TREE_INIT;
    struct err ignored;
    bool has_tree;

    if (!selector || step < 0 || (size_t)step >= blur->recording->count ||
        !blur->steps[step])
        return;
    has_tree = trajectory->steps[step].tree.file[0] &&
               trajectory_read_file(trajectory, &trajectory->steps[step].tree,
                                    &xml, &ignored) &&
               tree_read(&tree, buf_cstr(&xml), xml.length, &ignored);
    blurred_texts_strip(&blur->texts, has_tree ? &tree : NULL, selector);
    tree_release(&tree);
    buf_release(&xml);
}

static bool change_event(const void *context, struct cJSON *line)
{
    const struct blur *blur = context;

    if (recording_line_is_replaced(blur->recording, line))
        return false;
    replace_file(line, "screen", &blur->screen);
    for (size_t i = 0; i < blur->tree_count; i++)
        replace_file(line, "tree", &blur->trees[i]);
    strip_selector(blur, line, "target");
    blurred_texts_mask_action(&blur->texts, line);
    return true;
}

/* An answer that was read off the box is gone with it. */
static bool is_hidden_answer(const struct blur *blur, const struct cJSON *line)
{
    const struct cJSON *kind = cJSON_GetObjectItemCaseSensitive(line, "edit");
    const struct cJSON *text = cJSON_GetObjectItemCaseSensitive(line, "text");
    int step = recording_line_step(line);

    return step >= 0 && (size_t)step < blur->recording->count &&
           blur->steps[step] && cJSON_IsString(kind) && cJSON_IsString(text) &&
           !strcmp(kind->valuestring, recording_edit_kind_name(EDIT_ANSWER)) &&
           blurred_texts_have(&blur->texts, text->valuestring);
}

static bool change_edit(const void *context, struct cJSON *line)
{
    strip_selector(context, line, "selector");
    return !is_hidden_answer(context, line);
}

/* ---- all of it ---- */

/* Edits that come meanwhile wait. */
static bool change_edits(const struct blur *blur, struct err *err)
{
    bool done;
    int lock;

    if (!recording_edits_lock(blur->recording->folder, &lock, err))
        return false;
    done = recording_change_lines(blur->recording, RECORDING_EDITS_FILE,
                                  change_edit, blur, err);
    close(lock);
    return done;
}

static bool blur_recording(struct blur *blur, struct err *err)
{
    const char *folder = blur->recording->folder;

    return blur_screen(blur, err) && blur_trees(blur, err) &&
           change_edits(blur, err) &&
           recording_change_lines(blur->recording, "events.jsonl", change_event,
                                  blur, err) &&
           recording_drop_replaced(folder, err);
}

static bool blur_step(const struct recording *recording, int step,
                      struct box box, struct err *err)
{
    struct blur blur = {.recording = recording, .texts.box = box};
    bool done;

    if (step < 0 || (size_t)step >= recording->count ||
        !recording->trajectory.steps[step].screen.file[0])
        return err_set(err, ERR_INVALID, "step %d has no screen", step);
    blur.screen.before = recording->trajectory.steps[step].screen;
    blur.next_tree = recording_free_number(recording, true);
    blur.trees = mem_new(recording->count, sizeof(*blur.trees));
    blur.steps = mem_new(recording->count, sizeof(*blur.steps));
    done = blur_recording(&blur, err);
    blurred_texts_release(&blur.texts);
    free(blur.trees);
    free(blur.steps);
    return done;
}

bool recording_blur(const char *folder, int step, struct box box,
                    struct err *err)
{
    struct file_lock lock = FILE_LOCK_INIT;
    struct recording recording;
    bool done;

    if (!recording_lock_take(folder, &lock, err))
        return false;
    done = recording_load(folder, &recording, err);
    if (done) {
        done = blur_step(&recording, step, box, err);
        recording_release(&recording);
    }
    file_lock_release(&lock);
    return done;
}
