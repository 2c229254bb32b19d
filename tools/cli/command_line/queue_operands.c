#include "tools/cli/command_line/queue_operands.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_url(const char *word)
{
    return !strncmp(word, "postgresql://", 13) ||
           !strncmp(word, "postgres://", 11);
}

/* The words are those of argv, which ps shows. */
static void hide(const char *word)
{
    char *text = (char *)(uintptr_t)word;
    char *from = strstr(text, "://") + 3;
    char *end = from + strcspn(from, "/?#");
    char *at = memchr(from, '@', (size_t)(end - from));
    char *colon = at ? memchr(from, ':', (size_t)(at - from)) : NULL;
    char *query = strstr(text, "password=");

    if (colon)
        memset(colon + 1, '*', (size_t)(at - colon - 1));
    if (query)
        memset(query + 9, '*', strcspn(query + 9, "&"));
}

bool queue_operands_read(const struct operand_words *words, size_t at,
                         char **url, const char **rest, struct err *err)
{
    const char *variable = getenv("PROCTOR_QUEUE");

    *rest = NULL;
    if (at < words->count && is_url(words->items[at])) {
        *url = mem_dup(words->items[at]);
        hide(words->items[at++]);
    } else if (variable && *variable) {
        *url = mem_dup(variable);
    } else {
        return err_set(err, ERR_INVALID,
                       "no queue is given: name its database, such as "
                       "postgresql://host/proctor, or set PROCTOR_QUEUE");
    }
    if (at < words->count)
        *rest = words->items[at++];
    if (at == words->count)
        return true;
    free(*url);
    *url = NULL;
    return err_set(err, ERR_INVALID, "unexpected word: %.100s",
                   words->items[at]);
}
