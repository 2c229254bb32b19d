#include "tests/process_provider/describe/tap_labels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) != 0;
}

/* Is word in text, as a whole word? A "*" at its end stands for any ending. */
static bool says(const char *text, const char *word)
{
    size_t length = strlen(word);
    bool open = length && word[length - 1] == '*';

    length -= open;
    for (const char *at = text; *at; at++) {
        bool starts = at == text || !is_word(at[-1]) || !is_word(word[0]);

        if (!starts || strncasecmp(at, word, length) != 0)
            continue;
        if (open || !is_word(at[length]) || !is_word(word[length - 1]))
            return true;
    }
    return false;
}

static bool says_any(const char *text, char *words)
{
    char *rest = words;
    char *word;
    bool found = false;

    while ((word = strsep(&rest, "|")))
        found = found || says(text, word);
    return found;
}

bool label_holds(const char *must, const char *must_not, const char *text)
{
    char *wanted = mem_dup(must);
    char *unwanted = mem_dup(must_not);
    char *rest = wanted;
    char *words;
    bool right = true;

    while ((words = strsep(&rest, ";")))
        right = right && says_any(text, words);
    rest = unwanted;
    while ((words = strsep(&rest, ";")))
        right = right && (!*words || !says(text, words));
    free(wanted);
    free(unwanted);
    return right;
}
