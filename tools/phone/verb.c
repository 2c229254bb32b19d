#include "tools/phone/verb.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int verb_run(struct call *call, const struct verb *verbs, size_t count,
             const char *usage)
{
    struct verb_call verb = {
        .call = call, .phone = call->context, .name = call->argv[1], .next = 2};

    if (call->argc < 2 || !strcmp(call->argv[1], "help") ||
        !strcmp(call->argv[1], "-h")) {
        call_print(call, "%s", usage);
        return call->argc < 2 ? SCREEN_COMMAND_FAILED : 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(verbs[i].name, call->argv[1]))
            return verbs[i].run(&verb);
    }
    call_print(call, "Unknown command: %s\n", call->argv[1]);
    return SCREEN_COMMAND_FAILED;
}

const char *verb_next(struct verb_call *verb)
{
    return verb->next < verb->call->argc ? verb->call->argv[verb->next++]
                                         : NULL;
}

const char *verb_option(struct verb_call *verb)
{
    const char *word =
        verb->next < verb->call->argc ? verb->call->argv[verb->next] : NULL;

    if (!word || word[0] != '-' || !word[1])
        return NULL;
    verb->next++;
    return strcmp(word, "--") ? word : NULL;
}

bool verb_need(struct verb_call *verb, const char **word, int *status)
{
    const char *before = verb->call->argv[verb->next - 1];

    *word = verb_next(verb);
    if (!*word)
        *status = verb_throw(verb, VERB_ILLEGAL,
                             "Argument expected after \"%.100s\"", before);
    return *word != NULL;
}

int verb_throw(struct verb_call *verb, const char *exception, const char *fmt,
               ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return screen_command_fail(
        verb->call, "\nException occurred while executing '%.40s':\n%s: %s",
        verb->name, exception, text);
}
