#include "runner/record/step_retake.h"

#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/picture/png.h"
#include "runner/record/recorder_private.h"
#include "runner/recording/recording_lock.h"
#include "runner/recording/recording_rewrite.h"
#include "runner/recording/target_bundle.h"

struct retake {
    const struct recording *recording;
    int step;
    struct trajectory_file screen;
    struct trajectory_file tree;
    const struct node_selector *target; /* NULL: none */
};

/* ---- lines ---- */

static void put_file(struct cJSON *line, const char *key,
                     const struct trajectory_file *file)
{
    struct cJSON *object;

    cJSON_DeleteItemFromObjectCaseSensitive(line, key);
    object = json_add_object(line, key);
    json_add_string(object, "file", file->file);
    json_add_string(object, "sha256", file->sha256);
}

static bool change_event(const void *context, struct cJSON *line)
{
    const struct retake *retake = context;

    if (recording_line_is_replaced(retake->recording, line))
        return false;
    if (recording_line_step(line) != retake->step)
        return true;
    if (recording_line_is(line, "observation")) {
        put_file(line, "screen", &retake->screen);
        put_file(line, "tree", &retake->tree);
        cJSON_DeleteItemFromObjectCaseSensitive(line, "doubt");
    } else if (recording_line_is(line, "action")) {
        cJSON_DeleteItemFromObjectCaseSensitive(line, "target");
        if (retake->target)
            cJSON_AddItemToObject(line, "target",
                                  node_selector_to_json(retake->target));
    }
    return true;
}

/* ---- files ---- */

static bool has_crop(const struct node_selector *selector, const char *crop)
{
    return selector && selector->crop && !strcmp(selector->crop, crop);
}

/* Steps have the numbers below: one that goes on takes no crop of these. */
static int free_crop(const struct recording *recording)
{
    int number = TRAJECTORY_STEPS_MAX;
    char crop[64];
    bool used;

    do {
        used = false;
        snprintf(crop, sizeof(crop), TARGET_BUNDLE_CROPS "/%04d.png", ++number);
        for (size_t i = 0; i < recording->count && !used; i++)
            used = has_crop(recording->trajectory.steps[i].target, crop);
    } while (used);
    return number;
}

static bool save_files(struct retake *retake, struct record_store *store,
                       const struct record_screen *screen, struct err *err)
{
    const struct recording *recording = retake->recording;

    snprintf(retake->screen.file, sizeof(retake->screen.file),
             "screens/%04d.png", recording_free_number(recording, false));
    snprintf(retake->tree.file, sizeof(retake->tree.file), "trees/%04d.xml",
             recording_free_number(recording, true));
    return recording_save_file(recording, &retake->screen, &store->png, err) &&
           recording_save_file(recording, &retake->tree, &screen->xml, err);
}

static bool check_screen(const struct recording *recording,
                         struct record_store *store, struct err *err)
{
    const struct trajectory_head *head = &recording->trajectory.head;
    const struct picture *picture = &store->picture;
    const uint32_t width = (uint32_t)head->width;
    const uint32_t height = (uint32_t)head->height;

    if (!store->has_tree)
        return err_set(err, ERR_INVALID,
                       "the phone gave no tree of its screen: try again");
    if (!store->has_picture)
        store->has_picture = png_decode(
            buf_cstr(&store->png), store->png.length, &store->picture, err);
    if (!store->has_picture)
        return err_wrap(err, "the screen of the phone");
    return (picture->width == width && picture->height == height) ||
           (picture->width == height && picture->height == width) ||
           err_set(err, ERR_INVALID,
                   "the screen of this phone has %u x %u pixels, the "
                   "recording %u x %u",
                   picture->width, picture->height, width, height);
}

/* ---- all of it ---- */

static bool replace(struct retake *retake, struct record_store *store,
                    struct record_screen *screen, struct err *err)
{
    const struct recording *recording = retake->recording;
    const struct recording_edit settled = {.kind = EDIT_RETAKE,
                                           .step = retake->step};
    const struct action *action =
        &recording->trajectory.steps[retake->step].action;
    struct node_selector target;
    bool has_target, done;

    if (!record_store_learn(store, &recording->trajectory, err) ||
        !record_store_take(store, screen, err) ||
        !check_screen(recording, store, err) ||
        !save_files(retake, store, screen, err) ||
        !record_store_target(store, action, free_crop(recording), &target,
                             &has_target, err))
        return false;
    retake->target = has_target ? &target : NULL;
    done = recording_change_lines(recording, "events.jsonl", change_event,
                                  retake, err) &&
           recording_edit_add(recording->folder, &settled, err) &&
           recording_drop_replaced(recording->folder, err);
    if (has_target)
        node_selector_release(&target);
    return done;
}

static bool retake(const struct recording *recording, int step,
                   struct record_screen *screen, struct err *err)
{
    struct retake retake = {.recording = recording, .step = step};
    struct record_store store;
    bool done;

    if (step < 0 || (size_t)step >= recording->count ||
        !recording->trajectory.steps[step].acted)
        return err_set(err, ERR_INVALID, "there is no step %d", step);
    record_store_init(&store, recording->folder, NULL);
    done = replace(&retake, &store, screen, err);
    record_store_release(&store);
    return done;
}

bool step_retake(const char *folder, int step, struct record_screen *screen,
                 struct err *err)
{
    struct file_lock lock = FILE_LOCK_INIT;
    struct recording recording;
    bool done;

    if (!recording_lock_take(folder, &lock, err))
        return false;
    done = recording_load(folder, &recording, err);
    if (done) {
        done = retake(&recording, step, screen, err);
        recording_release(&recording);
    }
    file_lock_release(&lock);
    return done;
}
