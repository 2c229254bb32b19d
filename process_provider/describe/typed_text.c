#include "process_provider/describe/typed_text.h"

#include <ctype.h>
#include <string.h>

#include "process_provider/describe/tap_target.h"

#define LETTERS_MAX 200 /* of a typed text that are looked for */

bool typed_text_same_field(const struct tree_node *a, const struct tree_node *b)
{
    if (a->role != ROLE_FIELD || strcmp(a->class_name, b->class_name) != 0 ||
        strcmp(a->id, b->id) != 0)
        return false;
    return a->id[0] ||
           (a->bounds.left == b->bounds.left && a->bounds.top == b->bounds.top);
}

/* The field with the focus after a step, if it was on the screen before. */
static const struct tree_node *field_after(const struct tree *before,
                                           const struct tree *after)
{
    uint32_t field = tap_target_field(after);

    if (field == TREE_NONE || !(after->nodes[field].flags & NODE_FOCUSED) ||
        after->nodes[field].flags & NODE_PASSWORD)
        return NULL;
    for (uint32_t i = 0; i < before->count; i++) {
        if (typed_text_same_field(&before->nodes[i], &after->nodes[field]))
            return &after->nodes[field];
    }
    return NULL;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The next letter at or behind *at, in lower case; 0 at the end. */
static int next_letter(const char **at)
{
    while (**at && !is_letter(**at))
        ++*at;
    return **at ? tolower((unsigned char)*(*at)++) : 0;
}

/* Does shown begin with the first letters of typed? Fields add separators. */
static bool begins_with(const char *shown, const char *typed)
{
    for (int i = 0; i < LETTERS_MAX; i++) {
        int letter = next_letter(&typed);

        if (!letter || letter != next_letter(&shown))
            return !letter;
    }
    return true;
}

static bool holds(const char *shown, const char *typed)
{
    for (; *shown; shown++) {
        if (begins_with(shown, typed))
            return true;
    }
    return begins_with(shown, typed);
}

const struct tree_node *typed_text_missing(const struct action *action,
                                           const struct tree *before,
                                           const struct tree *after)
{
    const struct tree_node *field;

    if (action->kind != ACTION_TYPE || action->submit || !action->text ||
        !before || !after)
        return NULL;
    field = field_after(before, after);
    return field && !holds(field->text, action->text) ? field : NULL;
}
