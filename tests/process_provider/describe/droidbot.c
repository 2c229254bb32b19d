#include "tests/process_provider/describe/droidbot.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"

#define STATE_MAX ((size_t)16 << 20)
#define DEPTH_MAX 100

static void put_text(struct buf *xml, const char *name,
                     const struct cJSON *text)
{
    buf_printf(xml, " %s=\"", name);
    for (const char *at = cJSON_IsString(text) ? text->valuestring : ""; *at;
         at++) {
        if (strchr("\"&<>\n", *at))
            buf_printf(xml, "&#%d;", *at);
        else
            buf_byte(xml, *at);
    }
    buf_byte(xml, '"');
}

static int corner(const struct cJSON *bounds, int which, int axis)
{
    const struct cJSON *number =
        cJSON_GetArrayItem(cJSON_GetArrayItem(bounds, which), axis);

    return number ? number->valueint : 0;
}

static void put_attributes(struct buf *xml, const struct cJSON *view)
{
    static const char *const texts[][2] = {
        {"text", "text"},
        {"resource_id", "resource-id"},
        {"content_description", "content-desc"},
        {"class", "class"},
        {"package", "package"},
    };
    static const char *const flags[][2] = {
        {"checkable", "checkable"},   {"checked", "checked"},
        {"clickable", "clickable"},   {"enabled", "enabled"},
        {"focusable", "focusable"},   {"focused", "focused"},
        {"scrollable", "scrollable"}, {"selected", "selected"},
        {"is_password", "password"},  {"long_clickable", "long-clickable"},
    };
    const struct cJSON *bounds =
        cJSON_GetObjectItemCaseSensitive(view, "bounds");

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        put_text(xml, texts[i][1],
                 cJSON_GetObjectItemCaseSensitive(view, texts[i][0]));
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        buf_printf(
            xml, " %s=\"%s\"", flags[i][1],
            cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(view, flags[i][0]))
                ? "true"
                : "false");
    buf_printf(xml, " bounds=\"[%d,%d][%d,%d]\"", corner(bounds, 0, 0),
               corner(bounds, 0, 1), corner(bounds, 1, 0),
               corner(bounds, 1, 1));
}

/* Views refer to their children by number. */
static void put_view(struct buf *xml, const struct cJSON *views, int number,
                     int depth)
{
    const struct cJSON *view = cJSON_GetArrayItem(views, number);
    const struct cJSON *child;

    if (depth > DEPTH_MAX ||
        !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(view, "visible")))
        return;
    buf_text(xml, "<node");
    put_attributes(xml, view);
    buf_text(xml, ">");
    cJSON_ArrayForEach(child,
                       cJSON_GetObjectItemCaseSensitive(view, "children"))
        put_view(xml, views, child->valueint, depth + 1);
    buf_text(xml, "</node>");
}

/* Append the dump of a state. */
static bool put_state(const char *path, struct buf *xml, struct err *err)
{
    struct buf text = BUF_INIT(STATE_MAX);
    struct cJSON *state = NULL;
    bool done = file_load(path, &text, err) &&
                json_parse(text.data, text.length, &state, err);

    if (done) {
        buf_text(xml, "<hierarchy rotation=\"0\">");
        put_view(xml, cJSON_GetObjectItemCaseSensitive(state, "views"), 0, 0);
        buf_text(xml, "</hierarchy>");
    }
    cJSON_Delete(state);
    buf_release(&text);
    return done;
}

bool droidbot_or_dump_load(struct tree *tree, const char *path, struct err *err)
{
    struct buf xml = BUF_INIT(STATE_MAX);
    bool done;

    if (!strstr(path, ".json"))
        return tree_load(tree, path, err);
    done = put_state(path, &xml, err) &&
           tree_read(tree, xml.data, xml.length, err);
    buf_release(&xml);
    return done;
}
