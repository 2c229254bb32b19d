#include "runner/classify/door_shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Scripts inside each other: sh -c, substitutions. */
#define DEPTH_MAX 8

/* Commands of one script, with those of its loops. */
#define COMMANDS_MAX 1024

static void walk_list(struct door_shell *shell, const struct sh_node *node);
static void walk(struct door_shell *shell, const struct sh_node *node);

void door_shell_init(struct door_shell *shell,
                     const struct door_context *context)
{
    *shell = (struct door_shell){.context = *context, .folder = "/"};
}

/* ---- commands ---- */

static void put_words(struct buf *text, const struct sh_word *words)
{
    for (; words; words = words->next) {
        if (text->length)
            buf_byte(text, ' ');
        buf_append(text, words->text.data, words->text.length);
    }
}

static void assign(struct door_shell *shell, const struct sh_word *word)
{
    size_t length = sh_assignment_length(word->text);
    bool known;
    char *value;

    if (!length)
        return;
    value = door_words_expand_one(
        shell,
        (struct sh_span){word->text.data + length, word->text.length - length},
        &known);
    door_shell_set(shell, word->text.data, length - 1, known ? value : NULL);
    free(value);
}

/* Where the output goes; the caller frees what is returned. */
static char *redirect(struct door_shell *shell,
                      const struct sh_redirect *redirects)
{
    char *file = NULL;

    shell->has_here = false;
    for (; redirects; redirects = redirects->next) {
        bool known;
        char *target;

        if (redirects->kind == SH_REDIRECT_HERE) {
            shell->here = redirects->target;
            shell->has_here = true;
            continue;
        }
        target = door_words_expand_one(shell, redirects->target, &known);
        if ((redirects->kind != SH_REDIRECT_WRITE &&
             redirects->kind != SH_REDIRECT_APPEND) ||
            redirects->fd == 2) {
            free(target);
            continue;
        }
        free(file);
        file = target;
        shell->context.discarded = known && !strcmp(target, "/dev/null");
        if (!known)
            shell->context.uncertain = true;
    }
    return file;
}

static void walk_simple(struct door_shell *shell, const struct sh_node *node)
{
    struct door_context outer = shell->context;
    struct door_words words = {.count = 0};
    struct buf text = BUF_INIT(DOOR_COMMAND_MAX + 1);
    char *file;

    if (++shell->commands > COMMANDS_MAX) {
        if (shell->commands == COMMANDS_MAX + 1)
            door_record_raw(&shell->context, EFFECT_UNKNOWN);
        return;
    }
    put_words(&text, node->assignments);
    put_words(&text, node->words);
    if (!text.overflow && text.length) {
        shell->context.command = buf_cstr(&text);
        shell->context.length = text.length;
    }
    file = redirect(shell, node->redirects);
    shell->context.output = file;
    for (const struct sh_word *word = node->assignments; word;
         word = word->next)
        assign(shell, word);
    door_words_expand(shell, node->words, &words);
    door_command_run(shell,
                     (struct door_args){words.items, words.known, words.count});
    outer.now = shell->context.now;
    shell->context = outer;
    door_words_release(&words);
    buf_release(&text);
    free(file);
}

/* ---- what holds commands together ---- */

/* It may run or not, or several times. */
static void walk_uncertain(struct door_shell *shell, const struct sh_node *node)
{
    bool uncertain = shell->context.uncertain;

    shell->context.uncertain = true;
    if (node)
        walk(shell, node);
    shell->context.uncertain = uncertain;
}

static void walk_pipeline(struct door_shell *shell, const struct sh_node *node)
{
    bool piped = shell->context.piped;

    for (const struct sh_node *stage = node->body; stage; stage = stage->next) {
        shell->context.piped = piped || node->body->next != NULL;
        walk(shell, stage);
    }
    shell->context.piped = piped;
}

/* Over words that are all known; others run it an unknown number of times. */
static void walk_for(struct door_shell *shell, const struct sh_node *node)
{
    struct door_words words = {.count = 0};
    bool decided;

    door_words_expand(shell, node->words, &words);
    decided = !node->arguments && door_args_all_known((struct door_args){
                                      words.items, words.known, words.count});
    for (size_t i = 0; decided && i < words.count; i++) {
        door_shell_set(shell, node->name.data, node->name.length,
                       words.items[i]);
        if (shell->commands <= COMMANDS_MAX)
            walk(shell, node->body);
    }
    if (!decided) {
        door_shell_set(shell, node->name.data, node->name.length, NULL);
        walk_uncertain(shell, node->body);
    }
    door_words_release(&words);
}

static void walk_case(struct door_shell *shell, const struct sh_node *node)
{
    bool known;

    free(door_words_expand_one(shell, node->name, &known));
    for (const struct sh_node *branch = node->body; branch;
         branch = branch->next)
        walk_uncertain(shell, branch->body);
}

static void walk_test(struct door_shell *shell, const struct sh_node *node)
{
    struct door_words words = {.count = 0};

    door_words_expand(shell, node->words, &words);
    door_words_release(&words);
    door_record_read(&shell->context);
}

static void walk_function(struct door_shell *shell, const struct sh_node *node)
{
    bool uncertain = shell->context.uncertain;

    shell->context.uncertain = true;
    door_shell_run(shell, node->text.data, node->text.length);
    shell->context.uncertain = uncertain;
}

/* The output of several commands goes to a file: none of it is read. */
static void walk_redirected(struct door_shell *shell,
                            const struct sh_node *node)
{
    struct door_context outer = shell->context;
    struct sh_node plain = *node;
    char *file = redirect(shell, node->redirects);

    plain.redirects = NULL;
    shell->context.piped = true;
    walk(shell, &plain);
    outer.now = shell->context.now;
    shell->context = outer;
    if (file && !door_shell_is_temporary(shell, file))
        door_record_raw(&shell->context, EFFECT_FILE);
    free(file);
}

static void walk(struct door_shell *shell, const struct sh_node *node)
{
    if (node->redirects && node->kind != SH_NODE_SIMPLE) {
        walk_redirected(shell, node);
        return;
    }
    switch (node->kind) {
    case SH_NODE_SIMPLE:
        walk_simple(shell, node);
        break;
    case SH_NODE_PIPELINE:
        walk_pipeline(shell, node);
        break;
    case SH_NODE_LIST:
    case SH_NODE_SUBSHELL:
        walk_list(shell, node->body);
        break;
    case SH_NODE_IF:
        walk(shell, node->condition);
        walk_uncertain(shell, node->body);
        walk_uncertain(shell, node->otherwise);
        break;
    case SH_NODE_LOOP:
        walk_uncertain(shell, node->condition);
        walk_uncertain(shell, node->body);
        break;
    case SH_NODE_FOR:
        walk_for(shell, node);
        break;
    case SH_NODE_CASE:
        walk_case(shell, node);
        break;
    case SH_NODE_BRANCH:
        walk_uncertain(shell, node->body);
        break;
    case SH_NODE_TEST:
        walk_test(shell, node);
        break;
    case SH_NODE_FUNCTION:
        walk_function(shell, node);
        break;
    }
}

/* ---- lists ---- */

/* Whether it succeeds is a question: its name says so, or a '!'. */
static bool is_question(const struct sh_node *node)
{
    const struct sh_node *last = node;

    if (node->negated || node->kind == SH_NODE_TEST)
        return true;
    if (node->kind == SH_NODE_PIPELINE) {
        for (last = node->body; last && last->next;)
            last = last->next;
    }
    if (!last || last->kind != SH_NODE_SIMPLE || !last->words)
        return false;
    return door_command_is_test(last->words->text);
}

/*
 * After a question, `&&` and `||` may skip what follows; after anything else,
 * `&&` does not and `||` does.
 */
static void walk_list(struct door_shell *shell, const struct sh_node *node)
{
    bool uncertain = shell->context.uncertain;
    bool asked = false;

    for (; node; node = node->next) {
        if (node->joint == SH_JOINT_ALWAYS)
            asked = false;
        if (node->joint == SH_JOINT_OR)
            asked = true;
        shell->context.uncertain = uncertain || asked;
        walk(shell, node);
        asked = asked || is_question(node);
    }
    shell->context.uncertain = uncertain;
}

/* ---- scripts ---- */

void door_shell_run(struct door_shell *shell, const char *text, size_t length)
{
    struct sh_tree tree = SH_TREE_INIT(NULL);
    struct err ignored;
    bool incomplete;

    if (shell->depth >= DEPTH_MAX ||
        !sh_parse(text, length, &tree, &incomplete, &ignored)) {
        struct door_context context = shell->context;

        context.command = text;
        context.length = length;
        door_record_raw(&context, EFFECT_UNKNOWN);
    } else {
        shell->depth++;
        if (tree.root)
            walk(shell, tree.root);
        shell->depth--;
    }
    sh_tree_release(&tree);
}

bool door_shell_is_complete(const char *text, size_t length)
{
    struct sh_tree tree = SH_TREE_INIT(NULL);
    struct err ignored;
    bool incomplete = false;
    bool parsed = sh_parse(text, length, &tree, &incomplete, &ignored);

    sh_tree_release(&tree);
    return parsed || !incomplete;
}
