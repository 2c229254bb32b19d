/* xargs. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_builtins.h"

#define XARGS_WORDS_MAX 4096U

/* One invocation of xargs: the given arguments, and those from the input. */
struct round {
    char **words; /* owned; the first ones are borrowed */
    size_t own;
    size_t count;
    size_t most; /* arguments from the input in one invocation */
    int status;
};

static void round_run(struct command_call *call, struct round *round)
{
    int status =
        sh_run_words(call->shell, round->words, round->count, &call->ports);

    if (status)
        round->status = status == 127 ? 127 : 123;
    while (round->count > round->own)
        free(round->words[--round->count]);
    round->words[round->count] = NULL;
}

static void round_add(struct command_call *call, struct round *round,
                      const char *word, size_t length)
{
    round->words[round->count++] = mem_dup_n(word, length);
    round->words[round->count] = NULL;
    if (round->count - round->own == round->most)
        round_run(call, round);
}

/* Split the input into words; with zero, at NUL bytes. */
static void round_read(struct command_call *call, struct round *round,
                       bool zero)
{
    const char *blanks = zero ? "" : " \t\r";
    struct command_lines lines;
    const char *line;
    size_t length;

    call_lines_init(&lines, call, call->ports.in);
    while (call_lines_next(&lines, &line, &length)) {
        const char *end = line + length;

        while (line < end) {
            const char *begin = line;

            while (line < end && *line && !strchr(blanks, *line))
                line++;
            if (line > begin)
                round_add(call, round, begin, (size_t)(line - begin));
            line++;
        }
    }
    call_lines_release(&lines);
}

int sh_builtin_xargs(struct command_call *call)
{
    char echo[] = "echo";
    struct round round = {.most = XARGS_WORDS_MAX};
    long long most = XARGS_WORDS_MAX;
    bool zero = false;
    size_t at = 1;

    for (; at < call->argc && call->argv[at][0] == '-'; at++) {
        if (!strcmp(call->argv[at], "-0"))
            zero = true;
        else if (strcmp(call->argv[at], "-n") || at + 1 >= call->argc)
            return call_fail(call, "Unknown option '%s'", call->argv[at]);
        else if (!call_number(call, call->argv[++at], 1, XARGS_WORDS_MAX,
                              &most))
            return 1;
    }
    round.most = (size_t)most;
    round.own = at < call->argc ? call->argc - at : 1;
    round.words =
        mem_new(round.own + XARGS_WORDS_MAX + 1, sizeof(*round.words));
    round.words[0] = echo;
    if (at < call->argc)
        memcpy(round.words, call->argv + at, round.own * sizeof(char *));
    round.count = round.own;
    round_read(call, &round, zero);
    if (round.count > round.own)
        round_run(call, &round);
    free(round.words);
    return round.status;
}
