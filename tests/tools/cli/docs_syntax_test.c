/*
 * Every command line of proctor in the README and in docs/, in examples and
 * within sentences, names a command and options that exist.
 * docs_commands_test runs those that are examples.
 */
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/cli/command_line/command.h"

#define PAGE_MAX ((size_t)1 << 20)
#define WORDS_MAX 64

/* Pages that quote what was true once. */
static const char *const history[] = {"CHANGELOG.md", "decisions.md"};

/* Options of other programs that the pages name. */
static const char *const of_others[] = {
    "--compressed",          /* uiautomator */
    "--full",                /* tools/test */
    "--limit-mm-per-prompt", /* vLLM */
    "--mmproj",              /* llama.cpp */
    "--quick",               /* tools/test */
    "--rounds",              /* tools/bench */
};

/* A command line that was found, and what of it is checked. */
struct quoted_line {
    const char *page;
    const char *text;
    bool whole; /* an example: no operand may be missing */
};

struct findings_count {
    size_t lines;
    size_t options;
    size_t wrong;
};

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* ---- words ---- */

struct split_line {
    char *text;                 /* owned */
    char *words[WORDS_MAX + 1]; /* and room for a value */
    size_t count;
};

/* The end of the word at `at`, whose quotes are taken off. */
static char *take_word(char *at)
{
    char *to = at;
    char quote = '\0';

    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (quote && *at == quote)
            quote = '\0';
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else
            *to++ = *at;
    }
    if (*at)
        at++;
    *to = '\0';
    return at;
}

/* Up to a comment, a pipe or a redirection. "…" stands for further words. */
static void split(const char *line, struct split_line *split)
{
    char *at;

    *split = (struct split_line){.text = mem_dup(line)};
    at = split->text;
    while (*at) {
        char *word = at + strspn(at, " \t\n");

        if (!*word || strchr("#|&<>;", *word))
            break;
        at = take_word(word);
        assert_true(split->count < WORDS_MAX);
        if (strcmp(word, "…") != 0)
            split->words[split->count++] = word;
    }
}

/* A placeholder where the parser wants a number. */
static void fill_in(struct split_line *split)
{
    static char one[] = "1";

    for (size_t i = 0; i < split->count; i++)
        if (!strcmp(split->words[i], "SECONDS"))
            split->words[i] = one;
}

/* ---- checking ---- */

static void complain(const struct quoted_line *line, const struct err *err,
                     struct findings_count *found)
{
    print_error("%s: \"%s\": %s\n", line->page, line->text, err->text);
    found->wrong++;
}

static bool parses(const struct quoted_line *line,
                   const struct command *command, char *const *words,
                   size_t count, struct err *err)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    struct shared_args shared = {0};
    void *args = mem_new(1, command->args_size + 1);
    struct operand_words operands = {0};
    struct syntax syntax = {
        .command = command->name,
        .groups = groups,
        .group_count = command_groups(command, args, &shared, groups),
        .operands = command->operands,
        .operand_count = command->operand_count,
    };
    bool done = option_parse(&syntax, words, count, &operands, err) &&
                ((!line->whole && !operands.count) ||
                 option_check_words(&syntax, &operands, err));

    operand_words_release(&operands);
    free(args);
    return done;
}

/* A sentence may name an option without its value: "`proctor run --seed`". */
static bool parses_with_value(const struct quoted_line *line,
                              const struct command *command, char **words,
                              size_t count)
{
    static char value[] = "1";
    struct err ignored;

    if (line->whole || !count || !begins(words[count - 1], "--"))
        return false;
    words[count] = value;
    return parses(line, command, words, count + 1, &ignored);
}

static void check_line(const struct quoted_line *line,
                       struct findings_count *found)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t group_count = command_groups(NULL, NULL, NULL, groups);
    const struct command *command;
    struct split_line words;
    struct err err = ERR_INIT;
    size_t name;

    split(line->text, &words);
    fill_in(&words);
    name =
        1 + option_skip(groups, group_count, words.words + 1, words.count - 1);
    if (name < words.count &&
        !(command_find(words.words[name], &command, &err) &&
          (parses(line, command, words.words + name + 1, words.count - name - 1,
                  &err) ||
           parses_with_value(line, command, words.words + name + 1,
                             words.count - name - 1))))
        complain(line, &err, found);
    free(words.text);
    found->lines++;
}

static bool has_option(const struct command *command, const char *name,
                       size_t length)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(command, NULL, NULL, groups);

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < groups[i].count; k++)
            if (strlen(groups[i].options[k].name) == length &&
                !strncmp(groups[i].options[k].name, name, length))
                return true;
    return false;
}

/* An option alone: "`--seed N`". */
static void check_option(const char *page, const char *text,
                         struct findings_count *found)
{
    size_t length = strcspn(text + 2, " =\n");
    bool known = has_option(NULL, text + 2, length);

    for (size_t i = 0; !known && commands[i]; i++)
        known = has_option(commands[i], text + 2, length);
    for (size_t i = 0; !known && i < ARRAY_LEN(of_others); i++)
        known = !strncmp(text, of_others[i], length + 2);
    if (!known) {
        print_error("%s: no command has the option %s\n", page, text);
        found->wrong++;
    }
    found->options++;
}

/* ---- pages ---- */

/* The command after variables; NULL: that of another program. */
static const char *command_in(const char *line)
{
    while (isupper((unsigned char)*line)) {
        size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

        if (line[name] != '=')
            return NULL;
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return begins(line, "proctor ") ? line : NULL;
}

/* A span of code within a sentence, which may go on in the next line. */
static void check_span(const char *page, char *span,
                       struct findings_count *found)
{
    struct quoted_line line = {.page = page, .text = span};

    for (char *at = span; *at; at++)
        if (*at == '\n')
            *at = ' ';
    if (begins(span, "proctor "))
        check_line(&line, found);
    else if (begins(span, "--") && isalpha((unsigned char)span[2]))
        check_option(page, span, found);
}

static void check_spans(const char *page, char *text,
                        struct findings_count *found)
{
    char *at = text;

    while ((at = strchr(at, '`'))) {
        char *end = strchr(++at, '`');

        if (!end)
            break;
        *end = '\0';
        check_span(page, at, found);
        at = end + 1;
    }
}

/*
 * A line of a fenced example. docs_commands_test runs what is in a fence "sh"
 * or behind a prompt. Other lines are output, which does not begin with a
 * command.
 */
static void check_example(const char *page, const char *fence, bool first,
                          const char *line, struct findings_count *found)
{
    bool prompt = begins(line, "$ ");
    struct quoted_line quoted = {page, command_in(prompt ? line + 2 : line),
                                 true};

    if (!quoted.text)
        return;
    if (prompt || !strcmp(fence, "```sh")) {
        check_line(&quoted, found);
    } else if (first) {
        print_error("%s: \"%s\": put it into a fence \"sh\"\n", page, line);
        found->wrong++;
    }
}

static void check_page(const char *page, char *text,
                       struct findings_count *found)
{
    struct buf sentences = BUF_INIT(PAGE_MAX);
    const char *fence = NULL;
    bool first = false;
    char *line;

    while ((line = strsep(&text, "\n"))) {
        const char *start = line + strspn(line, " ");

        if (fence && !begins(start, "```"))
            check_example(page, fence, first, start, found);
        first = !fence;
        if (begins(start, "```"))
            fence = fence ? NULL : start;
        else if (!fence)
            buf_printf(&sentences, "%s\n", line);
    }
    assert_null(fence);
    check_spans(page, sentences.data ? sentences.data : (char[]){""}, found);
    buf_release(&sentences);
}

static void check_folder(const char *folder, struct findings_count *found)
{
    DIR *pages = opendir(folder);
    const struct dirent *entry;

    assert_non_null(pages);
    while ((entry = readdir(pages))) {
        struct buf path = BUF_INIT(4096);
        struct buf text = BUF_INIT(PAGE_MAX);
        const char *end = strrchr(entry->d_name, '.');
        struct err err;
        bool skip = !end || strcmp(end, ".md") != 0;

        for (size_t i = 0; i < ARRAY_LEN(history); i++)
            skip = skip || !strcmp(entry->d_name, history[i]);
        buf_printf(&path, "%s/%s", folder, entry->d_name);
        if (!skip) {
            if (!file_load(buf_cstr(&path), &text, &err))
                fail_msg("%s", err.text);
            buf_byte(&text, '\0');
            check_page(entry->d_name, text.data, found);
        }
        buf_release(&text);
        buf_release(&path);
    }
    closedir(pages);
}

static void commands_and_options_in_the_documentation_exist(void **state)
{
    struct findings_count found = {0};

    (void)state;
    check_folder(SOURCES, &found);
    check_folder(SOURCES "/docs", &found);
    assert_int_equal(found.wrong, 0);
    assert_true(found.lines >= 150);
    assert_true(found.options >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_and_options_in_the_documentation_exist),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
