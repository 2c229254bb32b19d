#include "runner/session/popup_handlers.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/regex.h"
#include "runner/embedded_files.h"

#define FILE_MAX ((size_t)1 << 20)
#define HANDLERS_MAX 200
#define IN_A_ROW_MAX 3

struct popup_handler {
    char *package; /* owned, as the others; NULL: any */
    struct regex *shows;
    struct node_selector tap;
    bool off;
};

struct popup_handlers {
    struct popup_handler items[HANDLERS_MAX];
    size_t count;
};

/* ---- reading them ---- */

static bool read_handler(const struct json *json, struct popup_handler *handler,
                         struct err *err)
{
    const char *shows = NULL;
    const char *name = NULL;
    struct json tap = JSON_NONE;

    return json_get_string(json, "name", &name, err) &&
           json_opt_copy(json, "package", &handler->package, err) &&
           json_get_string(json, "shows", &shows, err) &&
           regex_open(shows, REGEX_CASELESS, &handler->shows, err) &&
           json_get_object(json, "tap", &tap, err) &&
           node_selector_from_json(&tap, &handler->tap, err);
}

static bool read_all(struct popup_handlers *handlers, const char *text,
                     size_t length, struct err *err)
{
    struct json root = JSON_NONE;
    struct json item = JSON_NONE;
    struct cJSON *tree = NULL;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    root.value = tree;
    done = cJSON_IsArray(tree) ||
           err_set(err, ERR_INVALID, "expected an array of handlers");
    while (done && json_next(&root, &item)) {
        if (handlers->count == HANDLERS_MAX)
            done =
                err_set(err, ERR_LIMIT, "more than %d handlers", HANDLERS_MAX);
        else
            done =
                read_handler(&item, &handlers->items[handlers->count++], err);
    }
    cJSON_Delete(tree);
    return done;
}

bool popup_handlers_open(const char *file, struct popup_handlers **handlers,
                         struct err *err)
{
    struct popup_handlers *made = mem_new(1, sizeof(*made));
    struct buf text = BUF_INIT(FILE_MAX);
    bool done = true;

    if (file)
        done = file_load(file, &text, err);
    else
        buf_text(
            &text,
            embedded_get(&runner_files, "session/popups/known.json")->text);
    done = done && (read_all(made, buf_cstr(&text), text.length, err) ||
                    err_wrap(err, "%s", file ? file : "known pop-ups"));
    buf_release(&text);
    if (done)
        *handlers = made;
    else
        popup_handlers_close(made);
    return done;
}

void popup_handlers_close(struct popup_handlers *handlers)
{
    if (!handlers)
        return;
    for (size_t i = 0; i < handlers->count; i++) {
        free(handlers->items[i].package);
        regex_close(handlers->items[i].shows);
        node_selector_release(&handlers->items[i].tap);
    }
    free(handlers);
}

/* ---- using them ---- */

/* A name that begins with a dot is the end of the package's. */
static bool is_package(const char *package, const char *name)
{
    size_t length = strlen(package);
    size_t end = strlen(name);

    if (name[0] != '.')
        return !strcmp(package, name);
    return length >= end && !strcmp(package + length - end, name);
}

/* A node with a text of the pop-up; NULL: it is not on the screen. */
static const struct tree_node *find_text(const struct popup_handler *handler,
                                         const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (*node->text && !(node->flags & NODE_INVISIBLE) &&
            (!handler->package ||
             is_package(node->package, handler->package)) &&
            regex_matches(handler->shows, node->text))
            return node;
    }
    return NULL;
}

void popup_handlers_forget(struct popup_handlers *handlers)
{
    for (size_t i = 0; i < handlers->count; i++)
        handlers->items[i].off = false;
}

void popup_handlers_expect(struct popup_handlers *handlers,
                           const struct tree *tree)
{
    for (size_t i = 0; i < handlers->count; i++) {
        if (find_text(&handlers->items[i], tree))
            handlers->items[i].off = true;
    }
}

bool popup_handlers_find(const struct popup_handlers *handlers,
                         const struct observation *seen,
                         struct action_point *at)
{
    struct selector_scope place = {.seen = seen};
    struct selector_match found;
    struct err ignored;

    for (size_t i = 0; seen->has_tree && i < handlers->count; i++) {
        const struct popup_handler *handler = &handlers->items[i];

        place.beside = handler->off ? NULL : find_text(handler, &seen->tree);
        if (!place.beside ||
            !selector_find(&place, &handler->tap, &found, &ignored))
            continue;
        *at = found.at;
        return true;
    }
    return false;
}

bool popup_handlers_dismiss(const struct popup_handlers *handlers,
                            struct device_session *session,
                            struct observation *seen, int *count,
                            struct err *err)
{
    struct action tap = {.kind = ACTION_CLICK, .has_from = true};
    char doubt[DEVICE_SESSION_DOUBT_MAX];

    for (int i = 0; handlers && i < IN_A_ROW_MAX; i++) {
        if (!popup_handlers_find(handlers, seen, &tap.from))
            break;
        if (!device_session_perform(session, &tap, seen, doubt, err) ||
            !device_session_observe(session, seen, err))
            return err_wrap(err, "dismiss a pop-up");
        ++*count;
    }
    return true;
}
