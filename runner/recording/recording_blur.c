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
#include "tasks/json/jsonl.h"

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

/* The first number of a store that no event uses. */
static int free_number(const struct recording *recording, bool tree)
{
    int next = 0;

    for (size_t i = 0; i < recording->count; i++) {
        const struct trajectory_step *step = &recording->trajectory.steps[i];
        const char *file = tree ? step->tree.file : step->screen.file;
        const char *number = strchr(file, '/');
        int found = number ? (int)strtol(number + 1, NULL, 10) : -1;

        if (found >= next)
            next = found + 1;
    }
    return next;
}

static bool save_file(const struct blur *blur, struct trajectory_file *file,
                      const struct buf *content, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    sha256_hex(buf_cstr(content), content->length, file->sha256);
    buf_printf(&path, "%s/%s", blur->recording->folder, file->file);
    done = file_save_synced(buf_cstr(&path), 0666, buf_cstr(content),
                            content->length, err);
    buf_release(&path);
    return done;
}

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
                 free_number(blur->recording, false));
        buf_clear(&png);
        done = png_encode(&picture, PNG_FAST, &png, err) &&
               save_file(blur, after, &png, err);
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
        done = save_file(blur, &made->after, &xml, err);
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

static int step_of(const struct cJSON *line)
{
    const struct cJSON *step = cJSON_GetObjectItemCaseSensitive(line, "step");

    return cJSON_IsNumber(step) ? step->valueint : -1;
}

static bool is_event(const struct cJSON *line, const char *name)
{
    const struct cJSON *event = cJSON_GetObjectItemCaseSensitive(line, "event");

    return cJSON_IsString(event) && !strcmp(event->valuestring, name);
}

/* Only the last observation of a step counts: earlier ones are dropped. */
static bool is_replaced(const struct blur *blur, const struct cJSON *line)
{
    const struct trajectory_step *step;
    const struct cJSON *screen;
    const struct cJSON *file;
    int number = step_of(line);

    if (!is_event(line, "observation") || number < 0 ||
        (size_t)number >= blur->recording->count)
        return false;
    step = &blur->recording->trajectory.steps[number];
    screen = cJSON_GetObjectItemCaseSensitive(line, "screen");
    file = cJSON_GetObjectItemCaseSensitive(screen, "file");
    return cJSON_IsString(file) &&
           strcmp(file->valuestring, step->screen.file) != 0;
}

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
    int step = step_of(line);
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

static void change_event(const struct blur *blur, struct cJSON *line)
{
    replace_file(line, "screen", &blur->screen);
    for (size_t i = 0; i < blur->tree_count; i++)
        replace_file(line, "tree", &blur->trees[i]);
    strip_selector(blur, line, "target");
    blurred_texts_mask_action(&blur->texts, line);
}

static void change_edit(const struct blur *blur, struct cJSON *line)
{
    strip_selector(blur, line, "selector");
}

typedef void change_line_fn(const struct blur *blur, struct cJSON *line);

static bool change_lines(const struct blur *blur, change_line_fn *change,
                         struct jsonl_reader *reader, struct buf *changed,
                         struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return !changed->overflow ||
                   err_set(err, ERR_LIMIT, "the file is too large");
        if (is_replaced(blur, reader->tree))
            continue;
        change(blur, reader->tree);
        json_format(reader->tree, changed);
        buf_byte(changed, '\n');
    }
}

/* Change all lines of a file, at once. */
static bool change_file(const struct blur *blur, const char *name,
                        change_line_fn *change, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct buf changed = BUF_INIT(JSONL_FILE_MAX);
    struct jsonl_reader reader;
    bool done;

    buf_printf(&path, "%s/%s", blur->recording->folder, name);
    done = file_load(buf_cstr(&path), &text, err);
    reader = (struct jsonl_reader)JSONL_READER(buf_cstr(&text), text.length);
    done = done && change_lines(blur, change, &reader, &changed, err) &&
           file_save_synced(buf_cstr(&path), 0666, buf_cstr(&changed),
                            changed.length, err);
    jsonl_reader_release(&reader);
    buf_release(&changed);
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* ---- all of it ---- */

/* Files that nothing names any more are deleted: the original, too. */
static bool remove_originals(const char *folder, struct err *err)
{
    struct recording recording;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (!recording_load(folder, &recording, err))
        return false;
    done = recording_folder_tidy(&recording, err);
    buf_printf(&path, "%s/process.jsonl", folder); /* can be made again */
    if (unlink(buf_cstr(&path)) && errno != ENOENT)
        done = err_errno(err, errno, "remove %s", buf_cstr(&path));
    buf_release(&path);
    recording_release(&recording);
    return done;
}

/* Edits that come meanwhile wait. */
static bool change_edits(const struct blur *blur, struct err *err)
{
    bool done;
    int lock;

    if (!recording_edits_lock(blur->recording->folder, &lock, err))
        return false;
    done = change_file(blur, RECORDING_EDITS_FILE, change_edit, err);
    close(lock);
    return done;
}

static bool blur_recording(struct blur *blur, struct err *err)
{
    const char *folder = blur->recording->folder;

    return blur_screen(blur, err) && blur_trees(blur, err) &&
           change_edits(blur, err) &&
           change_file(blur, "events.jsonl", change_event, err) &&
           remove_originals(folder, err);
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
    blur.next_tree = free_number(recording, true);
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
