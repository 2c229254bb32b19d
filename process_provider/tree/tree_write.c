#include "process_provider/tree/tree_write.h"

#include <string.h>

#include "base/clean_text.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/utf8.h"
#include "process_provider/text/phrase.h"

#define INDENT 2
#define LINE_TEXT_MAX 256 /* bytes of one text in a line */

/* The flags in the order of uiautomator's attributes. */
static const struct {
    const char *attribute;
    const char *word; /* NULL: the default, not mentioned */
    uint32_t flag;
    bool inverted; /* "true" means that the flag is not set */
} flags[] = {
    {"checkable", "checkable", NODE_CHECKABLE, false},
    {"checked", "checked", NODE_CHECKED, false},
    {"clickable", "clickable", NODE_CLICKABLE, false},
    {"enabled", "disabled", NODE_DISABLED, true},
    {"focusable", NULL, NODE_FOCUSABLE, false},
    {"focused", "focused", NODE_FOCUSED, false},
    {"scrollable", "scrollable", NODE_SCROLLABLE, false},
    {"long-clickable", "long-clickable", NODE_LONG_CLICKABLE, false},
    {"password", "password", NODE_PASSWORD, false},
    {"selected", "selected", NODE_SELECTED, false},
    {"visible-to-user", "invisible", NODE_INVISIBLE, true},
};

static const char *last_part(const char *class_name)
{
    const char *dot = strrchr(class_name, '.');

    return dot ? dot + 1 : class_name;
}

static void put_line_text(struct buf *out, const char *before, const char *text,
                          const char *behind)
{
    char clean[LINE_TEXT_MAX];

    if (phrase_copy(text, clean, sizeof(clean)))
        buf_printf(out, "%s%s%s", before, clean, behind);
}

static void put_line(const struct tree_node *node, size_t depth,
                     struct buf *out)
{
    const struct tree_rect *bounds = &node->bounds;

    for (size_t i = 0; i < depth * INDENT; i++)
        buf_byte(out, ' ');
    buf_text(out, *node->class_name ? "" : "?");
    put_line_text(out, "", last_part(node->class_name), "");
    put_line_text(out, " '", node->text, "'");
    put_line_text(out, " (", node->description, ")");
    put_line_text(out, " hint '", node->hint, "'");
    put_line_text(out, " #", phrase_id_tail(node->id), "");
    buf_printf(out, " [%d,%d][%d,%d]", bounds->left, bounds->top, bounds->right,
               bounds->bottom);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].word && node->flags & flags[i].flag)
            buf_printf(out, " %s", flags[i].word);
    }
    buf_byte(out, '\n');
}

void tree_write_text(const struct tree *tree, struct buf *out)
{
    uint32_t ends[TREE_DEPTH_MAX];
    size_t depth = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        while (depth && ends[depth - 1] <= i)
            depth--;
        put_line(&tree->nodes[i], depth, out);
        ends[depth++] = tree->nodes[i].end;
    }
}

/* What acts on a terminal is written as a number; XML 1.0 has no C0. */
static void put_character(struct buf *out, uint32_t character)
{
    bool named =
        character && character < 0x80 && strchr("<>&\"\n\r\t", (int)character);

    if (named || (text_is_control(character) && character >= 0x7f))
        buf_printf(out, "&#%u;", (unsigned)character);
    else
        utf8_append(character < 0x20 ? UTF8_REPLACEMENT : character, out);
}

static void put_attribute(struct buf *out, const char *name, const char *value)
{
    size_t length = strlen(value);

    buf_printf(out, " %s=\"", name);
    while (length) {
        size_t bytes;

        put_character(out, utf8_decode(value, length, &bytes));
        value += bytes;
        length -= bytes;
    }
    buf_byte(out, '"');
}

static void put_start_tag(const struct tree_node *node, struct buf *out)
{
    buf_text(out, "<node");
    put_attribute(out, "text", node->text);
    put_attribute(out, "resource-id", node->id);
    put_attribute(out, "class", node->class_name);
    put_attribute(out, "package", node->package);
    put_attribute(out, "content-desc", node->description);
    if (*node->hint)
        put_attribute(out, "hint", node->hint);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        bool set = node->flags & flags[i].flag;

        put_attribute(out, flags[i].attribute,
                      set != flags[i].inverted ? "true" : "false");
    }
    buf_printf(out, " bounds=\"[%d,%d][%d,%d]\"", node->bounds.left,
               node->bounds.top, node->bounds.right, node->bounds.bottom);
    if (node->order)
        buf_printf(out, " drawing-order=\"%d\"", node->order);
    buf_text(out, ">");
}

void tree_write_xml(const struct tree *tree, struct buf *out)
{
    uint32_t ends[TREE_DEPTH_MAX];
    size_t depth = 0;

    buf_text(out, "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n");
    if (tree->rotation >= 0)
        buf_printf(out, "<hierarchy rotation=\"%d\">", tree->rotation);
    else
        buf_text(out, "<hierarchy>");
    for (uint32_t i = 0; i < tree->count; i++) {
        for (; depth && ends[depth - 1] <= i; depth--)
            buf_text(out, "</node>");
        put_start_tag(&tree->nodes[i], out);
        ends[depth++] = tree->nodes[i].end;
    }
    for (; depth; depth--)
        buf_text(out, "</node>");
    buf_text(out, "</hierarchy>\n");
}

static void add_text(struct cJSON *object, const char *key, const char *text)
{
    if (*text)
        json_add_string(object, key, text);
}

static void add_node(const struct tree *tree, const struct tree_node *node,
                     struct cJSON *nodes)
{
    struct cJSON *object = json_add_object(nodes, NULL);
    struct cJSON *bounds;

    if (node->parent == TREE_NONE)
        json_add_null(object, "parent");
    else
        json_add_int(object, "parent", node->parent);
    add_text(object, "class", node->class_name);
    add_text(object, "text", node->text);
    add_text(object, "description", node->description);
    add_text(object, "hint", node->hint);
    add_text(object, "id", node->id);
    add_text(object, "package", node->package);
    add_text(object, "window", tree->windows[node->window].title);
    bounds = json_add_array(object, "bounds");
    json_add_int(bounds, NULL, node->bounds.left);
    json_add_int(bounds, NULL, node->bounds.top);
    json_add_int(bounds, NULL, node->bounds.right);
    json_add_int(bounds, NULL, node->bounds.bottom);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].word && node->flags & flags[i].flag)
            json_add_bool(object, flags[i].word, true);
    }
}

struct cJSON *tree_repairs_to_json(const struct tree_repairs *repairs)
{
    struct cJSON *object = json_new_object();

    for (size_t i = 0; i < TREE_REPAIRS; i++) {
        if (repairs->count[i])
            json_add_int(object, tree_repair_name((enum tree_repair)i),
                         repairs->count[i]);
    }
    return object;
}

struct cJSON *tree_to_json(const struct tree *tree)
{
    struct cJSON *object = json_new_object();
    struct cJSON *nodes;

    if (tree->rotation < 0)
        json_add_null(object, "rotation");
    else
        json_add_int(object, "rotation", tree->rotation);
    cJSON_AddItemToObject(object, "repairs",
                          tree_repairs_to_json(&tree->repairs));
    nodes = json_add_array(object, "nodes");
    for (uint32_t i = 0; i < tree->count; i++)
        add_node(tree, &tree->nodes[i], nodes);
    return object;
}
