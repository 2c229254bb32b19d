#include "runner/guard.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "process_provider/describe.h"
#include "runner/data.h"
#include "runner/guard_list.h"

#define FILE_MAX ((size_t)1 << 20)
#define PATH_SIZE 4096

/* Names of controls are short: of more, nobody would make a button. */
#define NAME_WORDS_MAX 6
#define NAME_BYTES_MAX 60

struct guard {
    struct guard_list list;
};

/* ---- opening ---- */

bool guard_parse(const char *text, size_t length, const char *over,
                 size_t over_length, struct guard **guard, struct err *err)
{
    struct guard *made = mem_new(1, sizeof(*made));

    if (!guard_list_read(&made->list, text, length, err) ||
        (over && !guard_list_read(&made->list, over, over_length, err))) {
        guard_close(made);
        return false;
    }
    *guard = made;
    return true;
}

void guard_close(struct guard *guard)
{
    if (!guard)
        return;
    guard_list_release(&guard->list);
    free(guard);
}

static bool users_file(char path[PATH_SIZE])
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length;

    if (config && *config)
        length = snprintf(path, PATH_SIZE, "%s/proctor/guard.json", config);
    else if (home && *home)
        length =
            snprintf(path, PATH_SIZE, "%s/.config/proctor/guard.json", home);
    else
        return false;
    return length > 0 && length < PATH_SIZE;
}

/* One that was named must be there; the usual one need not. */
static bool load_users(const char *file, struct buf *text, struct err *err)
{
    char path[PATH_SIZE];

    if (file)
        return file_load(file, text, err);
    return !users_file(path) || file_load_ordinary(path, text, err) ||
           err->code == ERR_NOT_FOUND;
}

bool guard_open(const char *file, struct guard **guard, struct err *err)
{
    const struct embedded_file *own =
        embedded_find(&runner_files, "guard/deny.json");
    struct buf users = BUF_INIT(FILE_MAX);
    bool done =
        load_users(file, &users, err) &&
        guard_parse(own->text, own->length, users.length ? users.data : NULL,
                    users.length, guard, err);

    buf_release(&users);
    return done || err_wrap(err, "the guard");
}

/* ---- words ---- */

static bool is_ascii(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text >= 0x80)
            return false;
    }
    return true;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* As whole words; scripts without blanks have none, so anywhere. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    bool whole = is_ascii(word);

    for (const char *at = name; (at = strcasestr(at, word)); at++) {
        if (!whole ||
            ((at == name || !is_letter(at[-1])) && !is_letter(at[length])))
            return true;
    }
    return false;
}

static bool is_short(const char *name)
{
    size_t words = 0;

    for (const char *at = name; *at; at++)
        words += *at != ' ' && (at == name || at[-1] == ' ');
    return words <= NAME_WORDS_MAX && strlen(name) <= NAME_BYTES_MAX;
}

bool guard_finds_word(const struct guard *guard, const char *name,
                      const char **word)
{
    if (!is_short(name))
        return false;
    for (size_t i = 0; i < guard->list.words.count; i++) {
        if (has_word(name, guard->list.words.items[i])) {
            *word = guard->list.words.items[i];
            return true;
        }
    }
    return false;
}

static bool task_may(const struct guard *guard, const struct task *task,
                     const char *word)
{
    for (size_t i = 0; i < guard->list.allowance_count; i++) {
        const struct guard_allowance *allowance = &guard->list.allowances[i];

        if (task->id && !strcmp(allowance->task, task->id) &&
            texts_have(&allowance->words, word))
            return true;
    }
    return false;
}

/* ---- apps ---- */

static bool is_system(const struct guard *guard, const char *package)
{
    for (size_t i = 0; i < guard->list.system.count; i++) {
        if (!fnmatch(guard->list.system.items[i], package, 0))
            return true;
    }
    return false;
}

static bool app_allowed(const struct guard *guard, const struct task *task,
                        const char *package, char why[GUARD_WHY_MAX])
{
    if (texts_have(&task->apps, package))
        return true;
    if (texts_have(&guard->list.packages, package))
        snprintf(why, GUARD_WHY_MAX, "%.100s is never to be touched", package);
    else if (!is_system(guard, package))
        snprintf(why, GUARD_WHY_MAX,
                 "%.100s is none of the task's apps: go back to those",
                 package);
    else
        return true;
    return false;
}

/* ---- targets ---- */

static bool name_allowed(const struct guard *guard, const struct task *task,
                         const char *name, char why[GUARD_WHY_MAX])
{
    const char *word;
    char clean[NAME_BYTES_MAX + 1];

    if (!*name || !guard_finds_word(guard, name, &word) ||
        task_may(guard, task, word))
        return true;
    text_copy_clean(clean, sizeof(clean), name, strlen(name));
    snprintf(why, GUARD_WHY_MAX,
             "'%s' is not to be touched on somebody's phone ('%.40s')", clean,
             word);
    return false;
}

/*
 * All names of the thing at the point: its own, its texts, its details. What
 * was typed into a field is no name of it.
 */
static bool target_allowed(const struct guard *guard, const struct task *task,
                           const struct tree *tree, struct action_point at,
                           char why[GUARD_WHY_MAX])
{
    const struct scene scene = {.tree = tree};
    struct description found;
    const struct tree_node *node;

    describe_tap(&scene, at.x, at.y, &found);
    if (found.target.node == TREE_NONE)
        return true;
    node = &tree->nodes[found.target.node];
    if (*node->package && !app_allowed(guard, task, node->package, why))
        return false;
    if (found.label.source != LABEL_NONE &&
        !name_allowed(guard, task, found.label.name.text, why))
        return false;
    if (node->role == ROLE_FIELD)
        return true;
    for (unsigned i = 0; i < found.label.detail_count; i++) {
        if (!name_allowed(guard, task, found.label.details[i].text, why))
            return false;
    }
    return name_allowed(guard, task, node->description, why) &&
           name_allowed(guard, task, node->text, why);
}

/* Does it touch what is on the screen? */
static bool touches(const struct action *action)
{
    switch (action->kind) {
    case ACTION_CLICK:
    case ACTION_LONG_PRESS:
    case ACTION_DOUBLE_TAP:
    case ACTION_SWIPE:
    case ACTION_DRAG:
    case ACTION_SCROLL:
    case ACTION_TYPE:
    case ACTION_ENTER:
        return true;
    case ACTION_BACK:
    case ACTION_HOME:
    case ACTION_RECENTS:
    case ACTION_OPEN_APP:
    case ACTION_WAIT:
    case ACTION_ASK:
    case ACTION_ANSWER:
    case ACTION_COMPLETE:
    case ACTION_FAIL:
    case ACTION_KINDS:
        break;
    }
    return false;
}

static bool is_tap(const struct action *action)
{
    return action->kind == ACTION_CLICK || action->kind == ACTION_LONG_PRESS ||
           action->kind == ACTION_DOUBLE_TAP ||
           (action->kind == ACTION_TYPE && action->has_from);
}

/* Opening by package is told apart here; a name is looked up by the actor. */
static bool opening_allowed(const struct guard *guard, const struct task *task,
                            const struct action *action,
                            char why[GUARD_WHY_MAX])
{
    const char *app = action->text ? action->text : "";

    return !strchr(app, '.') || strchr(app, ' ') ||
           app_allowed(guard, task, app, why);
}

bool guard_allows(const struct guard *guard, const struct task *task,
                  const struct observation *seen, const struct action *action,
                  char why[GUARD_WHY_MAX])
{
    why[0] = '\0';
    if (action->kind == ACTION_OPEN_APP)
        return opening_allowed(guard, task, action, why);
    if (!touches(action))
        return true;
    if (seen->black) {
        snprintf(why, GUARD_WHY_MAX,
                 "the window is protected: nobody can tell what is touched");
        return false;
    }
    if (*seen->package && !app_allowed(guard, task, seen->package, why))
        return false;
    if (!is_tap(action) || !action->has_from || !seen->has_tree)
        return true;
    return target_allowed(guard, task, &seen->tree, action->from, why);
}
