#include "tools/phone/services/subcommand.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int subcommand_run(struct command_call *call, const struct subcommand *verbs,
                   size_t count, const char *usage)
{
    struct subcommand_call subcommand = {
        .call = call, .phone = call->context, .name = call->argv[1], .next = 2};

    if (call->argc < 2 || !strcmp(call->argv[1], "help") ||
        !strcmp(call->argv[1], "-h")) {
        call_print(call, "%s", usage);
        return call->argc < 2 ? SCREEN_COMMAND_FAILED : 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(verbs[i].name, call->argv[1]))
            return verbs[i].run(&subcommand);
    }
    call_print(call, "Unknown command: %s\n", call->argv[1]);
    return SCREEN_COMMAND_FAILED;
}

const char *subcommand_next(struct subcommand_call *subcommand)
{
    return subcommand->next < subcommand->call->argc
               ? subcommand->call->argv[subcommand->next++]
               : NULL;
}

const char *subcommand_option(struct subcommand_call *subcommand)
{
    const char *word = subcommand->next < subcommand->call->argc
                           ? subcommand->call->argv[subcommand->next]
                           : NULL;

    if (!word || word[0] != '-' || !word[1])
        return NULL;
    subcommand->next++;
    return strcmp(word, "--") ? word : NULL;
}

bool subcommand_need(struct subcommand_call *subcommand, const char **word,
                     int *status)
{
    const char *before = subcommand->call->argv[subcommand->next - 1];

    *word = subcommand_next(subcommand);
    if (!*word)
        *status =
            subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                             "Argument expected after \"%.100s\"", before);
    return *word != NULL;
}

int subcommand_throw(struct subcommand_call *subcommand, const char *exception,
                     const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return screen_command_fail(
        subcommand->call,
        "\nException occurred while executing '%.40s':\n%s: %s",
        subcommand->name, exception, text);
}
