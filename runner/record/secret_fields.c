#include "runner/record/secret_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/picture/canvas.h"
#include "process_provider/describe/tap_target.h"
#include "runner/record/field_key.h"
#include "runner/recording/recording.h"

#define KEY_MAX ((size_t)4096)
#define COVER 0xff808080U /* opaque gray */

/* Characters that stand for those of a password. */
static const char *const dots[] = {"•", "●", "*", "∙", "⬤"};
static const char mask[] = RECORDING_MASK;

void secret_fields_release(struct secret_fields *fields)
{
    text_list_release(&fields->known);
    text_list_release(&fields->hints);
}

/* ---- which fields ---- */

static bool is_known(const struct secret_fields *fields,
                     const struct tree_node *node)
{
    struct buf key = BUF_INIT(KEY_MAX);
    bool known;

    field_key_put(node, &key);
    known = text_list_have(&fields->known, buf_cstr(&key));
    buf_release(&key);
    return known;
}

/* A field together with its text. */
static void put_hint(const struct tree_node *node, struct buf *hint)
{
    field_key_put(node, hint);
    buf_printf(hint, "\n%s", node->text);
}

static bool shows_hint(const struct secret_fields *fields,
                       const struct tree_node *node)
{
    struct buf hint = BUF_INIT(KEY_MAX);
    bool shows;

    if (!strcmp(node->text, node->hint))
        return true;
    put_hint(node, &hint);
    shows = !hint.overflow && text_list_have(&fields->hints, buf_cstr(&hint));
    buf_release(&hint);
    return shows;
}

static bool is_secret(const struct secret_fields *fields,
                      const struct tree_node *node)
{
    return (node->flags & NODE_PASSWORD) ||
           (fields->known.count && node->role == ROLE_FIELD &&
            is_known(fields, node));
}

static bool has_dots(const char *text)
{
    for (size_t i = 0; i < sizeof(dots) / sizeof(dots[0]); i++) {
        if (strstr(text, dots[i]))
            return true;
    }
    return false;
}

/* Does it show its content, in dots or not? */
static bool shows_content(const struct secret_fields *fields,
                          const struct tree_node *node)
{
    return *node->text && !shows_hint(fields, node);
}

/* The text of a field before typing is its hint, unless it is dots. */
static void learn(struct secret_fields *fields, const struct tree_node *node)
{
    struct buf key = BUF_INIT(KEY_MAX);

    if (is_known(fields, node))
        return;
    field_key_put(node, &key);
    text_list_add(&fields->known, buf_cstr(&key));
    buf_clear(&key);
    put_hint(node, &key);
    if (*node->text && !has_dots(node->text) && !key.overflow)
        text_list_add(&fields->hints, buf_cstr(&key));
    buf_release(&key);
}

/* ---- focus ---- */

static bool has_focused_secret(const struct secret_fields *fields,
                               const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if ((node->flags & NODE_FOCUSED) && is_secret(fields, node))
            return true;
    }
    return false;
}

static bool has_focused_field(const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if ((tree->nodes[i].flags & NODE_FOCUSED) &&
            tree->nodes[i].role == ROLE_FIELD)
            return true;
    }
    return false;
}

static bool has_secret_field(const struct secret_fields *fields,
                             const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (is_secret(fields, &tree->nodes[i]))
            return true;
    }
    return false;
}

/* Do keys type into such a field, or may they? */
static bool gets_keys(const struct secret_fields *fields,
                      const struct tree *tree)
{
    return has_focused_field(tree) ? has_focused_secret(fields, tree)
                                   : has_secret_field(fields, tree);
}

/* ---- masking ---- */

bool secret_fields_mask(struct secret_fields *fields, struct tree *tree)
{
    bool masked = false;

    fields->on_screen = false;
    for (uint32_t i = 0; i < tree->count; i++) {
        struct tree_node *node = &tree->nodes[i];

        if (node->flags & NODE_PASSWORD)
            learn(fields, node);
        if (!is_secret(fields, node))
            continue;
        fields->on_screen = true;
        if (!shows_content(fields, node))
            continue;
        node->text = mask;
        masked = true;
    }
    fields->gets_keys = gets_keys(fields, tree);
    return masked;
}

void secret_fields_paint(const struct secret_fields *fields,
                         const struct tree *tree, struct picture *picture)
{
    struct canvas canvas;

    canvas_init(&canvas, picture);
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (is_secret(fields, node) && node->text == mask)
            canvas_fill(&canvas,
                        (struct box){node->bounds.left, node->bounds.top,
                                     node->bounds.right, node->bounds.bottom},
                        COVER);
    }
}

/* ---- typing ---- */

bool secret_fields_get_text(const struct secret_fields *fields,
                            const struct tree *tree,
                            const struct action *action)
{
    struct tap_target target;

    if (!tree)
        return true;
    if (!action->has_from)
        return gets_keys(fields, tree);
    target = tap_target_at(tree, action->from.x, action->from.y);
    return target.node == TREE_NONE
               ? has_secret_field(fields, tree)
               : is_secret(fields, &tree->nodes[target.node]);
}

void secret_fields_hide_typing(struct action *action)
{
    if (action->text)
        explicit_bzero(action->text, strlen(action->text));
    if (action->kind != ACTION_TYPE) {
        action_release(action);
        *action = (struct action){.kind = ACTION_TYPE};
    }
    free(action->text);
    action->text = mem_dup(RECORDING_MASK);
    action->secret = true;
}
