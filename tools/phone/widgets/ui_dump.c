#include "tools/phone/widgets/ui_dump.h"

#include <string.h>

#include "base/utf8.h"

struct dump {
    struct buf *xml;
    const char *package;
    bool compressed;
};

static bool has(const char *text)
{
    return text && *text;
}

/* ---- attributes ---- */

/* Characters that are invalid in XML; the dumper replaces them by a dot. */
static bool is_forbidden(uint32_t c)
{
    return c < 0x9 || (c >= 0xb && c <= 0xc) || (c >= 0xe && c <= 0x1f) ||
           (c >= 0x7f && c <= 0x84) || (c >= 0x86 && c <= 0x9f) ||
           (c >= 0xfdd0 && c <= 0xfddf) ||
           (c > 0xffff && (c & 0xfffe) == 0xfffe) || c == 0xfffe || c == 0xffff;
}

/* Line ends, and characters beyond 16 bits, become character references. */
static void put_character(struct buf *xml, uint32_t c, const char *text,
                          size_t bytes, char quote)
{
    if (is_forbidden(c))
        buf_byte(xml, '.');
    else if (c == '&')
        buf_text(xml, "&amp;");
    else if (c == '<')
        buf_text(xml, "&lt;");
    else if (c == '>')
        buf_text(xml, "&gt;");
    else if (c == (unsigned char)quote)
        buf_text(xml, c == '"' ? "&quot;" : "&apos;");
    else if (c < ' ' || c > 0xffff)
        buf_printf(xml, "&#%u;", c);
    else if (c == UTF8_REPLACEMENT)
        buf_text(xml, "\xef\xbf\xbd");
    else
        buf_append(xml, text, bytes);
}

/* A value with double quotes is enclosed in apostrophes. */
static void put_text(struct buf *xml, const char *name, const char *value)
{
    const char *text = value ? value : "";
    size_t left = strlen(text);
    char quote = strchr(text, '"') ? '\'' : '"';

    buf_printf(xml, " %s=%c", name, quote);
    while (left) {
        size_t bytes;
        uint32_t character = utf8_decode(text, left, &bytes);

        put_character(xml, character, text, bytes, quote);
        text += bytes;
        left -= bytes;
    }
    buf_byte(xml, quote);
}

/* An empty field shows its hint, a password dots. */
static void put_shown_text(struct buf *xml, const struct widget *widget)
{
    struct buf dots = BUF_INIT(SIZE_MAX / 2);

    if (!has(widget->text) || !(widget->flags & WIDGET_PASSWORD)) {
        put_text(xml, "text", has(widget->text) ? widget->text : widget->hint);
        return;
    }
    for (const char *at = widget->text; *at; at++) {
        if (((unsigned char)*at & 0xc0) != 0x80)
            buf_text(&dots, "•");
    }
    put_text(xml, "text", buf_cstr(&dots));
    buf_release(&dots);
}

static void put_flag(struct buf *xml, const char *name, bool value)
{
    buf_byte(xml, ' ');
    buf_text(xml, name);
    buf_text(xml, value ? "=\"true\"" : "=\"false\"");
}

/* ---- nodes ---- */

static const char *class_of(const struct widget *widget)
{
    return widget->class ? widget->class : widget->kind->class;
}

static bool is_seen(const struct widget *widget)
{
    return !box_is_empty(widget_visible(widget));
}

/* Does it, or any widget below it, have text? */
static bool is_named(const struct widget *widget)
{
    const struct widget *at = widget;

    while (at && !has(at->text) && !has(at->description))
        at = widget_after(at, widget);
    return at != NULL;
}

/* "Not accessibility friendly": can be pressed, but has no text. */
static bool is_unfriendly(const struct widget *widget)
{
    static const char *const excluded[] = {"GridView", "GridLayout", "ListView",
                                           "TableLayout"};
    const char *class = class_of(widget);

    if (!(widget->flags & WIDGET_CLICKABLE) ||
        (widget->flags & WIDGET_DISABLED) || is_named(widget))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(excluded); i++) {
        size_t length = strlen(excluded[i]);

        if (strlen(class) >= length &&
            !strcmp(class + strlen(class) - length, excluded[i]))
            return false;
    }
    return true;
}

/* Is it kept when the tree is compressed? */
static bool is_important(const struct widget *widget)
{
    const unsigned used = WIDGET_CLICKABLE | WIDGET_LONG_CLICKABLE |
                          WIDGET_CHECKABLE | WIDGET_FOCUSABLE |
                          WIDGET_SCROLLABLE;

    return !widget->parent || (widget->flags & used) || has(widget->text) ||
           has(widget->description) || has(widget->hint);
}

static void put_attributes(const struct dump *dump, const struct widget *widget,
                           int index)
{
    struct buf *xml = dump->xml;
    unsigned flags = widget->flags;
    struct box box = widget_visible(widget);

    if (is_unfriendly(widget))
        buf_text(xml, " NAF=\"true\"");
    buf_printf(xml, " index=\"%d\"", index);
    put_shown_text(xml, widget);
    put_text(xml, "resource-id", widget->id);
    put_text(xml, "class", class_of(widget));
    put_text(xml, "package", dump->package);
    put_text(xml, "content-desc", widget->description);
    put_flag(xml, "checkable", flags & WIDGET_CHECKABLE);
    put_flag(xml, "checked", flags & WIDGET_CHECKED);
    put_flag(xml, "clickable", flags & WIDGET_CLICKABLE);
    put_flag(xml, "enabled", !(flags & WIDGET_DISABLED));
    put_flag(xml, "focusable", flags & WIDGET_FOCUSABLE);
    put_flag(xml, "focused", flags & WIDGET_FOCUSED);
    put_flag(xml, "scrollable", flags & WIDGET_SCROLLABLE);
    put_flag(xml, "long-clickable", flags & WIDGET_LONG_CLICKABLE);
    put_flag(xml, "password", flags & WIDGET_PASSWORD);
    put_flag(xml, "selected", flags & WIDGET_SELECTED);
    buf_printf(xml, " bounds=\"[%d,%d][%d,%d]\"", box.left, box.top, box.right,
               box.bottom);
}

/* The children of an omitted parent go to its own parent. */
static bool is_left_out(const struct dump *dump, const struct widget *widget)
{
    return dump->compressed && !is_important(widget);
}

static bool has_nodes(const struct dump *dump, const struct widget *widget)
{
    for (const struct widget *child = widget->first; child;
         child = child->next) {
        if (is_left_out(dump, child) ? has_nodes(dump, child) : is_seen(child))
            return true;
    }
    return false;
}

static void put_node(const struct dump *dump, const struct widget *widget,
                     int index);

/* An invisible child keeps its index. Returns the next index. */
static int put_children(const struct dump *dump, const struct widget *widget,
                        int index)
{
    for (const struct widget *child = widget->first; child;
         child = child->next) {
        if (is_left_out(dump, child)) {
            index = put_children(dump, child, index);
            continue;
        }
        if (is_seen(child))
            put_node(dump, child, index);
        index++;
    }
    return index;
}

static void put_node(const struct dump *dump, const struct widget *widget,
                     int index)
{
    buf_text(dump->xml, "<node");
    put_attributes(dump, widget, index);
    if (!has_nodes(dump, widget)) {
        buf_text(dump->xml, " />");
        return;
    }
    buf_byte(dump->xml, '>');
    put_children(dump, widget, 0);
    buf_text(dump->xml, "</node>");
}

void ui_dump_write(const struct widget_tree *tree,
                   const struct ui_dump_options *options, struct buf *xml)
{
    const struct widget *window = widget_tree_active(tree);
    const struct dump dump = {xml, window ? window->package : "",
                              options->compressed};

    buf_printf(xml,
               "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
               "<hierarchy rotation=\"%d\">",
               options->rotation);
    if (window)
        put_node(&dump, window, 0);
    buf_text(xml, "</hierarchy>");
}
