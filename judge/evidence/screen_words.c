#include "judge/evidence/screen_words.h"

#include <ctype.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Characters that continue a number: "4" is not in "4.8". */
static bool joins(char c)
{
    return c == '.' || c == ',' || c == ':';
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c);
}

/* Scripts beyond ASCII have no spaces between words: any position matches. */
static bool begins_here(const char *text, const char *at, const char *word)
{
    if (at == text || !is_letter(word[0]))
        return true;
    if (is_digit(word[0]) && joins(at[-1]) && at - 1 > text && is_digit(at[-2]))
        return false;
    return !is_letter(at[-1]);
}

static bool ends_here(const char *end, const char *word)
{
    char last = word[strlen(word) - 1];

    if (!is_letter(last))
        return true;
    if (is_digit(last) && joins(end[0]) && is_digit(end[1]))
        return false;
    return !is_letter(end[0]);
}

bool screen_words_has(const char *text, const char *word)
{
    const char *at = text;

    if (!*word)
        return true;
    while ((at = strcasestr(at, word))) {
        if (begins_here(text, at, word) && ends_here(at + strlen(word), word))
            return true;
        at++;
    }
    return false;
}

static bool is_in_node(const struct tree_node *node, const char *word)
{
    return screen_words_has(node->text, word) ||
           screen_words_has(node->description, word);
}

uint32_t screen_words_find(const struct tree *tree, const char *word,
                           uint32_t from)
{
    for (uint32_t i = from; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (strcmp(node->package, "com.android.systemui") != 0 &&
            is_in_node(node, word))
            return i;
    }
    return TREE_NONE;
}

bool screen_words_within(const struct tree *tree, uint32_t node,
                         const char *word)
{
    for (uint32_t i = node; i < tree->nodes[node].end; i++) {
        if (is_in_node(&tree->nodes[i], word))
            return true;
    }
    return false;
}

bool screen_words_in_order(const struct tree *tree,
                           const struct text_list *words)
{
    uint32_t node = 0;

    for (size_t i = 0; i < words->count; i++) {
        node = screen_words_find(tree, words->items[i], node);
        if (node == TREE_NONE)
            return false;
    }
    return true;
}

size_t screen_words_number(const char *text, const char **begin)
{
    size_t length = 0;

    text += strcspn(text, "0123456789");
    *begin = text;
    while (is_digit(text[length]) ||
           (length && joins(text[length]) && is_digit(text[length + 1])))
        length++;
    return length;
}
