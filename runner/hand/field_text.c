#include "runner/hand/field_text.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "process_provider/describe/typed_text.h"
#include "runner/record/field_key.h"

#define KEY_MAX ((size_t)128 * 1024)

/* ---- memory ---- */

void field_memory_release(struct field_memory *memory)
{
    text_list_release(&memory->secrets);
    text_list_release(&memory->hints);
}

/* Is the field, with text behind its key, in a list? NULL: without a text. */
static bool is_listed(const struct text_list *list,
                      const struct tree_node *node, const char *text)
{
    struct buf key = BUF_INIT(KEY_MAX);
    bool listed;

    field_key_put(node, &key);
    if (text)
        buf_printf(&key, "\n%s", text);
    listed = !key.overflow && text_list_have(list, buf_cstr(&key));
    buf_release(&key);
    return listed;
}

static void list_field(struct text_list *list, const struct tree_node *node,
                       const char *text)
{
    struct buf key = BUF_INIT(KEY_MAX);

    if (is_listed(list, node, text))
        return;
    field_key_put(node, &key);
    if (text)
        buf_printf(&key, "\n%s", text);
    if (!key.overflow)
        text_list_add(list, buf_cstr(&key));
    buf_release(&key);
}

void field_memory_see(struct field_memory *memory, const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].flags & NODE_PASSWORD)
            list_field(&memory->secrets, &tree->nodes[i], NULL);
    }
}

static bool is_secret(const struct field_memory *memory,
                      const struct tree_node *node)
{
    return (node->flags & NODE_PASSWORD) ||
           is_listed(&memory->secrets, node, NULL);
}

/* ---- content ---- */

/* Does it show its hint? Only where the dump tells. */
static bool shows_hint(const struct tree_node *node)
{
    return *node->hint && strcmp(node->text, node->hint) == 0;
}

/* Is the content known to be text, not a hint? */
static bool is_certain(const struct tree_node *node)
{
    return *node->hint || !*node->text;
}

/* "" where the hint is shown, or what was shown before any text was typed. */
static const char *content_of(const struct field_memory *memory,
                              const struct tree_node *node)
{
    if (shows_hint(node) || is_listed(&memory->hints, node, node->text))
        return "";
    return node->text;
}

/* ---- the same field ---- */

/* Of the fields like this one, which is it, and how many are there? */
static void count_alike(const struct tree *tree, const struct tree_node *node,
                        const struct tree_node *self, size_t *place,
                        size_t *count)
{
    *place = *count = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (&tree->nodes[i] == self)
            *place = *count;
        *count += typed_text_same_field(&tree->nodes[i], node);
    }
}

static bool is_at_same_place(const struct tree_node *a,
                             const struct tree_node *b)
{
    return memcmp(&a->bounds, &b->bounds, sizeof(a->bounds)) == 0;
}

/*
 * The field of the tree before, or TREE_NONE. Of several that are alike, as in
 * a list, the one in the same order or at the same place.
 */
static uint32_t find_before(const struct tree *before, const struct tree *after,
                            const struct tree_node *field)
{
    size_t place, count, unused, count_before;
    size_t at = 0;

    count_alike(after, field, field, &place, &count);
    count_alike(before, field, NULL, &unused, &count_before);
    for (uint32_t i = 0; i < before->count; i++) {
        const struct tree_node *node = &before->nodes[i];

        if (!typed_text_same_field(node, field))
            continue;
        if (count == count_before ? at == place : is_at_same_place(node, field))
            return i;
        at++;
    }
    return TREE_NONE;
}

/* ---- changes ---- */

static struct action replaced(const char *text)
{
    if (!*text)
        return (struct action){.kind = ACTION_CLEAR};
    return (struct action){
        .kind = ACTION_TYPE, .replace = true, .text = mem_dup(text)};
}

/* The action that turns the content from into to. */
static struct action change_of(const struct tree_node *before, const char *from,
                               const char *to)
{
    size_t kept = strlen(from);
    struct action action;

    if (!is_certain(before) || strncmp(from, to, kept) != 0 || !to[kept])
        return replaced(to);
    action = replaced(to + kept);
    action.replace = false;
    return action;
}

/* Dots tell how many characters there are, never which: no text is kept. */
static struct action secret_change(const struct tree_node *before,
                                   const char *to)
{
    if (!*to)
        return (struct action){.kind = ACTION_CLEAR};
    return (struct action){.kind = ACTION_TYPE,
                           .replace = *before->text && !shows_hint(before),
                           .text = mem_dup("")};
}

static void point_at(struct action *action, const struct tree_rect *bounds)
{
    action->has_from = true;
    action->from =
        (struct action_point){bounds->left + (bounds->right - bounds->left) / 2,
                              bounds->top + (bounds->bottom - bounds->top) / 2};
}

static void add_change(struct field_memory *memory, const struct tree *before,
                       const struct tree *after, struct field_change change,
                       struct field_changes *changes)
{
    const struct tree_node *old = &before->nodes[change.before];
    const struct tree_node *new = &after->nodes[change.after];
    const char *from = content_of(memory, old);
    const char *to = content_of(memory, new);

    if (strcmp(from, to) == 0)
        return;
    if (changes->count == FIELD_CHANGES_MAX || strlen(to) > ACTION_TEXT_MAX) {
        changes->is_incomplete = true;
        return;
    }
    change.is_secret = is_secret(memory, old) || is_secret(memory, new);
    change.action =
        change.is_secret ? secret_change(old, to) : change_of(old, from, to);
    if (!(old->flags & NODE_FOCUSED))
        point_at(&change.action, &old->bounds);
    /*
     * A text that gave way to one that begins differently was a hint, where the
     * dump does not tell. When it is back, the field is empty.
     */
    if (!is_certain(old) && !change.is_secret && *from && *from != *to)
        list_field(&memory->hints, old, old->text);
    changes->items[changes->count++] = change;
}

void field_text_compare(struct field_memory *memory, const struct tree *before,
                        const struct tree *after, struct field_changes *changes)
{
    *changes = (struct field_changes){.count = 0};
    field_memory_see(memory, before);
    field_memory_see(memory, after);
    for (uint32_t i = 0; i < after->count; i++) {
        struct field_change change = {.after = i};

        if (after->nodes[i].role != ROLE_FIELD)
            continue;
        change.before = find_before(before, after, &after->nodes[i]);
        if (change.before != TREE_NONE)
            add_change(memory, before, after, change, changes);
    }
}

void field_changes_release(struct field_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        action_release(&changes->items[i].action);
    changes->count = 0;
}

/* ---- submitting ---- */

bool field_text_submitted(const struct field_memory *memory,
                          const struct tree *before, const struct tree *after)
{
    const struct tree_node *field = NULL;

    for (uint32_t i = 0; i < before->count; i++) {
        if (before->nodes[i].role == ROLE_FIELD &&
            (before->nodes[i].flags & NODE_FOCUSED))
            field = &before->nodes[i];
    }
    if (!field)
        return false;
    for (uint32_t i = 0; i < after->count; i++) {
        if (typed_text_same_field(&after->nodes[i], field))
            return *content_of(memory, field) &&
                   !*content_of(memory, &after->nodes[i]);
    }
    return true;
}
