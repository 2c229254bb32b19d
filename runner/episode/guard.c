#include "runner/episode/guard.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/user_folder.h"
#include "process_provider/describe/describe.h"
#include "runner/embedded_files.h"
#include "runner/episode/guard_list.h"

#define FILE_MAX ((size_t)1 << 20)
#define PATH_SIZE 4096

/* Longer texts are not names of controls. */
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

/* A given file must exist; the default one need not. */
static bool load_users(const char *file, struct buf *text, struct err *err)
{
    struct buf path = BUF_INIT(PATH_SIZE);
    bool done;

    if (file)
        return file_load(file, text, err);
    done = !user_folder_path(USER_FOLDER_CONFIG, "guard.json", &path) ||
           file_load(buf_cstr(&path), text, err) || err->code == ERR_NOT_FOUND;
    buf_release(&path);
    return done;
}

bool guard_open(const char *file, struct guard **guard, struct err *err)
{
    const struct embedded_file *own =
        embedded_find(&runner_files, "episode/guard/deny.json");
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

/* Whole words only; in scripts without spaces anywhere. */
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

        if (task && task->id && !strcmp(allowance->task, task->id) &&
            text_list_have(&allowance->words, word))
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
    if (task && text_list_have(&task->apps, package))
        return true;
    if (text_list_have(&guard->list.packages, package))
        snprintf(why, GUARD_WHY_MAX, "%.100s must never be used", package);
    else if (task && !is_system(guard, package))
        snprintf(why, GUARD_WHY_MAX,
                 "%.100s is not one of the task's apps: go back to them",
                 package);
    else
        return true;
    return false;
}

/* ---- targets ---- */

/* The element that is touched, and the rules for it. */
struct guard_target {
    const struct guard *guard;
    const struct task *task;
    const struct tree *tree;
    const struct tree_node *node;
};

static int digit_of(const char *text)
{
    return isdigit((unsigned char)text[0]) && !text[1] ? text[0] - '0' : -1;
}

/* Does the target's app show a key for each digit? */
static bool shows_keypad(const struct guard_target *target)
{
    const struct tree *tree = target->tree;
    unsigned digits = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        int digit = digit_of(*node->text ? node->text : node->description);

        if (digit >= 0 && node->flags & NODE_CLICKABLE &&
            !strcmp(node->package, target->node->package))
            digits |= 1U << digit;
    }
    return digits == 0x3ff;
}

/* "delete" on a keypad deletes a digit, not data. */
static bool only_edits(const struct guard_target *target, const char *name)
{
    const struct text_list *words = &target->guard->list.keypad;

    for (size_t i = 0; i < words->count; i++) {
        if (!strcasecmp(name, words->items[i]))
            return shows_keypad(target);
    }
    return false;
}

static bool name_allowed(const struct guard_target *target, const char *name,
                         char why[GUARD_WHY_MAX])
{
    const char *word;
    char clean[NAME_BYTES_MAX + 1];

    if (!*name || !guard_finds_word(target->guard, name, &word) ||
        task_may(target->guard, target->task, word) || only_edits(target, name))
        return true;
    clean_text_copy(clean, sizeof(clean), name, strlen(name));
    snprintf(why, GUARD_WHY_MAX,
             "'%s' is not to be touched on a user's own phone ('%.40s')", clean,
             word);
    return false;
}

/*
 * Check all names of the element at the point: its label, texts and details.
 * Text typed into a field is not a name.
 */
static bool target_allowed(const struct guard *guard, const struct task *task,
                           const struct tree *tree, struct action_point at,
                           char why[GUARD_WHY_MAX])
{
    const struct scene scene = {.tree = tree};
    struct guard_target target = {.guard = guard, .task = task, .tree = tree};
    struct description found;

    describe_tap(&scene, at.x, at.y, &found);
    if (found.target.node == TREE_NONE)
        return true;
    target.node = &tree->nodes[found.target.node];
    if (*target.node->package &&
        !app_allowed(guard, task, target.node->package, why))
        return false;
    if (found.label.source != NODE_LABEL_NONE &&
        !name_allowed(&target, found.label.name.text, why))
        return false;
    if (target.node->role == ROLE_FIELD)
        return true;
    for (unsigned i = 0; i < found.label.detail_count; i++) {
        if (!name_allowed(&target, found.label.details[i].text, why))
            return false;
    }
    return name_allowed(&target, target.node->description, why) &&
           name_allowed(&target, target.node->text, why);
}

/* Does it press something at a point? */
static bool presses(const struct action *action)
{
    return action->has_from &&
           (action_is_tap(action->kind) || action->kind == ACTION_TYPE ||
            action->kind == ACTION_CLEAR);
}

/* Only packages are checked here; the actor resolves names. */
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
    if (!action_is_on_screen(action->kind))
        return true;
    if (seen->black) {
        snprintf(why, GUARD_WHY_MAX,
                 "the window is protected: it is not known what is touched");
        return false;
    }
    if (*seen->package && !app_allowed(guard, task, seen->package, why))
        return false;
    if (!presses(action) || !seen->has_tree)
        return true;
    return target_allowed(guard, task, &seen->tree, action->from, why);
}
