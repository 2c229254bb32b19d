/* The writer's part of a recorder: what is stored of each screen and action. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/picture/png.h"
#include "process_provider/tree/tree_write.h"
#include "runner/record/keyboard_top.h"
#include "runner/record/recorder.h"
#include "runner/record/recorder_private.h"
#include "runner/recording/recording_edit.h"
#include "runner/recording/target_bundle.h"

void record_store_init(struct record_store *store, const char *folder,
                       struct trajectory_writer *trajectory)
{
    *store = (struct record_store){
        .folder = folder,
        .trajectory = trajectory,
        .tree = TREE_INIT,
        .png = BUF_INIT(RECORD_PNG_MAX),
        .picture = PICTURE_INIT,
        .rows = BUF_INIT(SIZE_MAX / 2),
        .observed = -1,
    };
}

bool record_store_learn(struct record_store *store,
                        const struct trajectory *trajectory, struct err *err)
{
    struct buf xml = BUF_INIT(RECORD_XML_MAX);
    struct err no_tree;
    bool done = true;

    for (size_t i = 0; done && i < trajectory->count; i++) {
        const struct trajectory_file *file = &trajectory->steps[i].tree;

        if (!file->file[0])
            continue;
        buf_clear(&xml);
        done = trajectory_read_file(trajectory, file, &xml, err);
        if (done &&
            tree_read(&store->tree, buf_cstr(&xml), xml.length, &no_tree))
            secret_fields_mask(&store->secrets, &store->tree);
    }
    buf_release(&xml);
    return done;
}

void record_store_release(struct record_store *store)
{
    trajectory_close(store->trajectory);
    secret_fields_release(&store->secrets);
    tree_release(&store->tree);
    buf_release(&store->png);
    picture_release(&store->picture);
    buf_release(&store->rows);
    store->trajectory = NULL;
}

/* ---- screens ---- */

/* Move the pixels of the screen here; the memory goes the other way. */
static void swap_picture(struct record_store *store,
                         struct record_screen *screen)
{
    struct picture mine = store->picture;

    store->picture = screen->picture;
    screen->picture = mine;
}

static bool encode(struct record_store *store, struct err *err)
{
    buf_clear(&store->png);
    buf_clear(&store->rows);
    return png_encode_by(&store->picture, PNG_FAST, &store->rows, &store->png,
                         err);
}

/* Take the PNG as the phone made it, or encode its pixels. */
static bool take_picture(struct record_store *store,
                         struct record_screen *screen, struct err *err)
{
    store->has_picture = !screen->png.length && screen->picture.width;
    if (store->has_picture) {
        swap_picture(store, screen);
        return encode(store, err);
    }
    buf_clear(&store->png);
    buf_append(&store->png, buf_cstr(&screen->png), screen->png.length);
    return true;
}

static bool need_picture(struct record_store *store, struct err *err)
{
    if (!store->has_picture && store->png.length)
        store->has_picture = png_decode(
            buf_cstr(&store->png), store->png.length, &store->picture, err);
    return store->has_picture || !store->png.length;
}

/* Without a tree it is not known where on the screen the password is. */
static void drop_screen(struct record_store *store,
                        struct record_screen *screen)
{
    buf_clear(&store->png);
    buf_clear(&screen->xml);
    store->has_picture = false;
    snprintf(screen->doubt, sizeof(screen->doubt), "%s",
             "the screen was not stored: it has no tree, and may show a "
             "password");
}

/* Remove what was typed into password fields. */
static bool mask(struct record_store *store, struct record_screen *screen,
                 struct err *err)
{
    if (!store->has_tree) {
        if (store->secrets.on_screen)
            drop_screen(store, screen);
        return true;
    }
    if (!secret_fields_mask(&store->secrets, &store->tree))
        return true;
    buf_clear(&screen->xml);
    tree_write_xml(&store->tree, &screen->xml);
    if (screen->xml.overflow)
        return err_set(err, ERR_LIMIT, "a tree of more than %zu MiB",
                       RECORD_XML_MAX >> 20);
    if (!store->png.length)
        return true;
    if (!need_picture(store, err))
        return false;
    secret_fields_paint(&store->secrets, &store->tree, &store->picture);
    return encode(store, err);
}

/* Is it the screen that was already stored for this step? */
static bool is_stored(struct record_store *store,
                      const struct record_screen *screen)
{
    char png[SHA256_HEX_SIZE];
    char xml[SHA256_HEX_SIZE];
    int step = trajectory_next_step(store->trajectory);
    bool same;

    sha256_hex(buf_cstr(&store->png), store->png.length, png);
    sha256_hex(buf_cstr(&screen->xml), screen->xml.length, xml);
    same = store->observed == step && !strcmp(png, store->png_sha256) &&
           !strcmp(xml, store->xml_sha256);
    memcpy(store->png_sha256, png, sizeof(png));
    memcpy(store->xml_sha256, xml, sizeof(xml));
    store->observed = step;
    return same;
}

static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

/* Without a tree, it is where it was. */
static void find_keyboard(struct record_store *store,
                          const struct record_screen *screen)
{
    if (store->has_tree || screen->keyboard_top > 0)
        store->keyboard_top = keyboard_top(
            store->has_tree ? &store->tree : NULL, screen->keyboard_top);
}

static void read_tree(struct record_store *store,
                      const struct record_screen *screen)
{
    const char *why = screen->doubt[0] ? screen->doubt : "the phone gave none";
    struct err err = ERR_INIT;

    store->has_tree =
        screen->xml.length && tree_read(&store->tree, buf_cstr(&screen->xml),
                                        screen->xml.length, &err);
    snprintf(store->no_tree, sizeof(store->no_tree), "%s",
             err.code != ERR_NONE ? err.text : why);
}

bool record_store_take(struct record_store *store, struct record_screen *screen,
                       struct err *err)
{
    store->has_screen = false;
    read_tree(store, screen);
    find_keyboard(store, screen);
    return take_picture(store, screen, err) && mask(store, screen, err);
}

bool record_store_screen(struct record_store *store,
                         struct record_screen *screen, int64_t at_ms,
                         struct err *err)
{
    struct trajectory_observation observation = {
        .package = or_null(screen->package),
        .activity = or_null(screen->activity),
        .at_ms = at_ms,
        .settle_ms = screen->settle_ms,
    };

    if (!record_store_take(store, screen, err))
        return false;
    observation.doubt = or_null(screen->doubt);
    if (store->png.length) {
        observation.screen = store->png.data;
        observation.screen_size = store->png.length;
    }
    if (screen->xml.length) {
        observation.tree = screen->xml.data;
        observation.tree_size = screen->xml.length;
    }
    if (!is_stored(store, screen) &&
        !trajectory_write_observation(store->trajectory, &observation, err))
        return false;
    store->has_screen = true;
    return true;
}

/* ---- actions ---- */

/*
 * Where the keyboard on the screen is touched shows what is typed. Without a
 * tree, it may be a password.
 */
static bool is_secret_key(const struct record_store *store,
                          const struct action *action)
{
    return store->keyboard_top > 0 &&
           (!store->has_tree || store->secrets.gets_keys) &&
           (action_is_gesture(action->kind) || action->kind == ACTION_RAW) &&
           action->has_from && action->from.y >= store->keyboard_top;
}

static void mask_action(const struct record_store *store,
                        struct record_action *record)
{
    struct action *action = &record->action;
    const struct tree *tree = store->has_tree ? &store->tree : NULL;

    if (!is_secret_key(store, action) &&
        (action->kind != ACTION_TYPE ||
         (!action->secret &&
          !secret_fields_get_text(&store->secrets, tree, action))))
        return;
    secret_fields_hide_typing(action);
    if (!tree && !record->flag[0])
        snprintf(record->flag, sizeof(record->flag), "%s",
                 "the text was not stored: without a tree the field may be a "
                 "password field");
}

/* Its target cannot be found again, until the screen is taken again. */
static void flag_missing_tree(const struct record_store *store,
                              struct record_action *record)
{
    if (!store->has_tree && !record->flag[0])
        snprintf(record->flag, sizeof(record->flag),
                 "its screen has no UI tree: %s", store->no_tree);
}

static bool add_flag(const struct record_store *store,
                     struct record_action *record, struct err *err)
{
    const struct recording_edit edit = {
        .kind = EDIT_FLAG, .step = record->step, .text = record->flag};

    return !record->flag[0] || recording_edit_add(store->folder, &edit, err);
}

bool record_store_target(struct record_store *store,
                         const struct action *action, int crop,
                         struct node_selector *target, bool *has_target,
                         struct err *err)
{
    uint32_t node;

    *has_target = store->has_tree &&
                  target_bundle_build(&store->tree, action, &node, target);
    if (!*has_target)
        return true;
    if (need_picture(store, err) &&
        (!store->has_picture ||
         target_bundle_save_crop(&store->tree.nodes[node], &store->picture,
                                 store->folder, crop, target, err)))
        return true;
    node_selector_release(target);
    return false;
}

bool record_store_action(struct record_store *store,
                         struct record_action *record, struct err *err)
{
    struct node_selector target;
    struct step_action action = {
        .actor = ACTOR_HUMAN,
        .action = &record->action,
        .doubt = or_null(record->doubt),
        .at_ms = record->at_ms,
    };
    bool has_target;
    bool done;

    mask_action(store, record);
    flag_missing_tree(store, record);
    if (record->action.kind == ACTION_RAW)
        record->action.has_from = false; /* its text has the place */
    /* A flag of a step that is not finished does no harm; a lost one does. */
    if (!add_flag(store, record, err) ||
        !record_store_target(store, &record->action, record->step, &target,
                             &has_target, err))
        return false;
    action.target = has_target ? &target : NULL;
    done = trajectory_write_action(store->trajectory, &action, err);
    if (has_target)
        node_selector_release(&target);
    return done;
}
