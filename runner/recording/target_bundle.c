#include "runner/recording/target_bundle.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "process_provider/describe/tap_target.h"
#include "runner/agents/gold_recorded.h"
#include "runner/observe/crop_match.h"
#include "runner/observe/selector_find.h"

#define CROP_MAX ((size_t)64 << 20)

/* ---- anchors ---- */

/* Can it be read again? Texts of a screen may be too long, or have lines. */
static bool is_readable(const struct node_selector *target)
{
    struct cJSON *line = node_selector_to_json(target);
    struct buf text = BUF_INIT(JSON_SIZE_MAX);
    struct cJSON *tree = NULL;
    struct node_selector read;
    struct err why;
    bool readable;

    json_format(line, &text);
    readable = json_parse(buf_cstr(&text), text.length, &tree, &why);
    if (readable) {
        const struct json json = JSON_ROOT(tree);

        readable = node_selector_from_json(&json, &read, &why);
    }
    if (readable)
        node_selector_release(&read);
    cJSON_Delete(tree);
    cJSON_Delete(line);
    buf_release(&text);
    return readable;
}

static bool build(const struct tree *tree, uint32_t node,
                  struct action_point point, struct node_selector *target)
{
    if (node == TREE_NONE)
        return false;
    selector_build(tree, node, point, target);
    if (is_readable(target))
        return true;
    text_list_release(&target->text);
    text_list_release(&target->description);
    if (is_readable(target))
        return true;
    node_selector_release(target);
    return false;
}

bool target_bundle_at(const struct tree *tree, struct action_point point,
                      uint32_t *node, struct node_selector *target)
{
    *node = tap_target_at(tree, point.x, point.y).node;
    return build(tree, *node, point, target);
}

static struct action_point center(const struct tree_rect *bounds)
{
    return (struct action_point){(bounds->left + bounds->right) / 2,
                                 (bounds->top + bounds->bottom) / 2};
}

bool target_bundle_build(const struct tree *tree, const struct action *action,
                         uint32_t *node, struct node_selector *target)
{
    if (gold_recorded_has_target(action))
        return target_bundle_at(tree, action->from, node, target);
    if (action->kind != ACTION_TYPE && action->kind != ACTION_CLEAR)
        return false;
    *node = tap_target_field(tree);
    return *node != TREE_NONE &&
           build(tree, *node, center(&tree->nodes[*node].bounds), target);
}

/* ---- crops ---- */

/* A crop of more than this part of the screen identifies nothing. */
static bool is_useful(struct box box, const struct picture *picture)
{
    return !box_is_empty(box) && (int64_t)box_width(box) * box_height(box) * 3 <
                                     (int64_t)picture->width * picture->height;
}

static bool save(const struct picture *picture, struct box box,
                 const char *folder, const char *name, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/" TARGET_BUNDLE_CROPS, folder);
    done = file_make_folder(buf_cstr(&path), 0777, err);
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, name);
    done = done && crop_match_save(picture, box, buf_cstr(&path), err) &&
           file_sync(buf_cstr(&path), err);
    buf_clear(&path);
    buf_printf(&path, "%s/" TARGET_BUNDLE_CROPS, folder);
    done = done && file_sync(buf_cstr(&path), err) && file_sync(folder, err);
    buf_release(&path);
    return done;
}

bool target_bundle_save_crop(const struct tree_node *node,
                             const struct picture *picture, const char *folder,
                             int step, struct node_selector *target,
                             struct err *err)
{
    const struct tree_rect *bounds = &node->bounds;
    char name[32];
    struct box box = box_meet(
        (struct box){bounds->left, bounds->top, bounds->right, bounds->bottom},
        (struct box){0, 0, (int)picture->width, (int)picture->height});

    if ((node->flags & NODE_PASSWORD) || node->role == ROLE_FIELD ||
        !is_useful(box, picture))
        return true;
    snprintf(name, sizeof(name), TARGET_BUNDLE_CROPS "/%04d.png", step);
    if (!save(picture, box, folder, name, err))
        return false;
    free(target->crop);
    target->crop = mem_dup(name);
    return true;
}

bool target_bundle_copy_crop(const char *from, const char *crop, const char *to,
                             const char *name, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf content = BUF_INIT(CROP_MAX);
    bool done;

    buf_printf(&path, "%s/" TARGET_BUNDLE_CROPS, to);
    done = file_make_folder(buf_cstr(&path), 0777, err);
    buf_clear(&path);
    buf_printf(&path, "%s/%s", from, crop);
    done = done && file_load(buf_cstr(&path), &content, err);
    buf_clear(&path);
    buf_printf(&path, "%s/%s", to, name);
    done = done && file_save_synced(buf_cstr(&path), 0666, content.data,
                                    content.length, err);
    buf_release(&path);
    buf_release(&content);
    return done;
}
