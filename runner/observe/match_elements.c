#include "runner/observe/match_elements.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#define TEXT_MAX 4096
#define MEANING_MAX 40 /* longer texts are sentences, not names of controls */
#define HASH_START UINT64_C(14695981039346656037)
#define HASH_STEP UINT64_C(1099511628211)

/* A control that covers more of the screen is the background. */
#define BACKGROUND_PART 0.6

/* The height of a system bar, at most. */
#define BAR_PART 0.07

/* ---- texts that stand for others ---- */

void carried_texts_release(struct carried_texts *texts)
{
    text_list_release(&texts->was);
    text_list_release(&texts->is);
}

void carried_texts_add(struct carried_texts *texts, const char *was,
                       const char *is)
{
    if (!*was || !*is || !strcmp(was, is) || text_list_have(&texts->was, was))
        return;
    text_list_add(&texts->was, was);
    text_list_add(&texts->is, is);
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) != 0;
}

/* Short texts, such as "1", stand for others only as whole words. */
static bool stands_at(const char *text, const char *at, const char *was)
{
    size_t length = strlen(was);

    return (at == text || !is_word_byte(*was) || !is_word_byte(at[-1])) &&
           (!is_word_byte(was[length - 1]) || !is_word_byte(at[length]));
}

/* The longest recorded text at a place; SIZE_MAX: none. */
static size_t longest_at(const struct carried_texts *texts, const char *text,
                         const char *at)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < texts->was.count; i++) {
        const char *was = texts->was.items[i];

        if (!strncmp(at, was, strlen(was)) && stands_at(text, at, was) &&
            (best == SIZE_MAX || strlen(was) > strlen(texts->was.items[best])))
            best = i;
    }
    return best;
}

char *carried_texts_apply(const struct carried_texts *texts, const char *text)
{
    struct buf made = BUF_INIT(TEXT_MAX);
    bool any = false;
    char *copy = NULL;

    for (const char *at = text; texts && *at;) {
        size_t found = longest_at(texts, text, at);

        if (found == SIZE_MAX) {
            buf_byte(&made, *at++);
            continue;
        }
        any = true;
        buf_text(&made, texts->is.items[found]);
        at += strlen(texts->was.items[found]);
    }
    if (any && !made.overflow)
        copy = mem_dup(buf_cstr(&made));
    buf_release(&made);
    return copy;
}

/* ---- texts and numbers of an element ---- */

static const char *without_package(const char *id)
{
    const char *slash = strrchr(id, '/');

    return slash ? slash + 1 : id;
}

static bool has_number(const struct match_element *element, uint64_t number)
{
    for (size_t i = 0; i < element->number_count; i++) {
        if (element->numbers[i] == number)
            return true;
    }
    return false;
}

/* Each run of digits, with points and colons inside: "110.58", "13:01". */
static void add_numbers(struct match_element *element, const char *text)
{
    while (*text && element->number_count < MATCH_ELEMENT_NUMBERS) {
        uint64_t hash = HASH_START;

        if (!isdigit((unsigned char)*text)) {
            text++;
            continue;
        }
        for (; isdigit((unsigned char)*text) ||
               ((*text == '.' || *text == ':' || *text == ',') &&
                isdigit((unsigned char)text[1]));
             text++)
            hash = (hash ^ (unsigned char)*text) * HASH_STEP;
        if (!has_number(element, hash))
            element->numbers[element->number_count++] = hash;
    }
}

static bool has_text(const struct match_element *element, const char *text)
{
    for (size_t i = 0; i < element->text_count; i++) {
        if (!strcmp(element->texts[i], text))
            return true;
    }
    return false;
}

static void add_text(struct match_elements *elements,
                     struct match_element *element, const char *text,
                     const struct carried_texts *texts)
{
    char *replaced;

    if (!*text || element->text_count == MATCH_ELEMENT_TEXTS ||
        has_text(element, text))
        return;
    replaced = carried_texts_apply(texts, text);
    if (replaced) {
        text_list_add(&elements->replaced, replaced);
        free(replaced);
        text = elements->replaced.items[elements->replaced.count - 1];
    }
    element->texts[element->text_count++] = text;
    add_numbers(element, text);
}

/* Typed text does not identify a field. */
static void add_own_texts(struct match_elements *elements,
                          struct match_element *element, uint32_t node,
                          const struct carried_texts *texts)
{
    const struct tree_node *seen = &elements->tree->nodes[node];

    if (seen->role == ROLE_FIELD || (seen->flags & NODE_PASSWORD)) {
        add_text(elements, element, seen->hint, texts);
    } else {
        add_text(elements, element, seen->text, texts);
    }
    add_text(elements, element, seen->description, texts);
}

static bool is_listed(const struct text_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] == text)
            return true;
    }
    return false;
}

static size_t count_characters(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* The first text that is more than a sign comes first. */
static void put_main_first(struct match_element *element)
{
    const char *main;
    size_t i = 0;

    while (i < element->text_count && count_characters(element->texts[i]) < 2)
        i++;
    if (i == 0 || i == element->text_count)
        return;
    main = element->texts[i];
    memmove(element->texts + 1, element->texts, i * sizeof(element->texts[0]));
    element->texts[0] = main;
}

/* ---- which nodes are elements ---- */

static bool is_in_system_bar(const struct tree *tree,
                             const struct tree_node *node)
{
    struct tree_rect screen = tree_screen(tree);
    int middle = (node->bounds.top + node->bounds.bottom) / 2;
    int bar = (int)(BAR_PART * screen.bottom);

    return !strcmp(node->package, "com.android.systemui") &&
           (middle < bar || middle > screen.bottom - bar);
}

static bool is_shown(const struct tree *tree, const struct tree_node *node)
{
    struct tree_rect screen = tree_screen(tree);

    return !(node->flags & NODE_INVISIBLE) && rect_area(&node->bounds) > 0 &&
           node->bounds.left < screen.right &&
           node->bounds.top < screen.bottom && node->bounds.right > 0 &&
           node->bounds.bottom > 0 && !is_in_system_bar(tree, node);
}

static bool is_control(const struct tree *tree, const struct tree_node *node)
{
    struct tree_rect screen = tree_screen(tree);

    return (node->takes_taps || node->role == ROLE_FIELD ||
            (node->flags & NODE_LONG_CLICKABLE)) &&
           (double)rect_area(&node->bounds) <
               BACKGROUND_PART * (double)rect_area(&screen);
}

/* The switch of a row is a part of the row. */
static bool is_part_of_row(const struct tree_node *node)
{
    return (node->role == ROLE_SWITCH || node->role == ROLE_CHECKBOX ||
            node->role == ROLE_RADIO) &&
           !*node->text && !*node->description;
}

static void place(const struct tree *tree, struct match_element *element)
{
    const struct tree_rect *bounds = &tree->nodes[element->node].bounds;
    struct tree_rect screen = tree_screen(tree);
    double width = screen.right > 0 ? screen.right : 1;
    double height = screen.bottom > 0 ? screen.bottom : 1;

    element->x = (bounds->left + bounds->right) / 2.0 / width;
    element->y = (bounds->top + bounds->bottom) / 2.0 / height;
    element->width = (bounds->right - bounds->left) / width;
    element->height = (bounds->bottom - bounds->top) / height;
}

static void add_element(struct match_elements *elements, uint32_t node,
                        bool control, struct thesaurus *thesaurus,
                        const struct carried_texts *texts)
{
    const struct tree *tree = elements->tree;
    struct match_element *made = &elements->items[elements->count++];
    uint32_t inside = node + 1;

    *made = (struct match_element){.node = node, .control = control};
    made->id = without_package(tree->nodes[node].id);
    add_own_texts(elements, made, node, texts);
    while (control && inside < tree->nodes[node].end) {
        const struct tree_node *child = &tree->nodes[inside];

        if (is_control(tree, child) && !is_part_of_row(child)) {
            inside = child->end;
            continue;
        }
        if (is_shown(tree, child))
            add_own_texts(elements, made, inside, texts);
        inside++;
    }
    put_main_first(made);
    made->replaced =
        made->text_count && is_listed(&elements->replaced, made->texts[0]);
    if (thesaurus && made->text_count &&
        strlen(made->texts[0]) <= MEANING_MAX) {
        const struct thesaurus_meaning *meaning =
            thesaurus_find(thesaurus, made->texts[0]);

        made->meaning = meaning ? meaning->is : NULL;
    }
    place(tree, made);
}

static void count_sharing(struct match_elements *elements)
{
    for (size_t i = 0; i < elements->count; i++) {
        struct match_element *element = &elements->items[i];

        for (size_t j = 0; j < elements->count; j++)
            element->sharing += !strcmp(elements->items[j].id, element->id);
    }
}

void match_elements_init(struct match_elements *elements,
                         const struct tree *tree, uint32_t keep,
                         struct thesaurus *thesaurus,
                         const struct carried_texts *texts)
{
    uint32_t covered = 0; /* nodes before it are inside a control */

    *elements = (struct match_elements){.tree = tree};
    elements->items = mem_new(MATCH_ELEMENTS_MAX + 1, sizeof(*elements->items));
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        bool control = i == keep || (is_control(tree, node) &&
                                     !(i < covered && is_part_of_row(node)));

        if (!is_shown(tree, node) ||
            (elements->count == MATCH_ELEMENTS_MAX && i != keep))
            continue;
        if (control) {
            covered = node->end > covered ? node->end : covered;
            add_element(elements, i, true, thesaurus, texts);
        } else if (i >= covered && (*node->text || *node->description)) {
            add_element(elements, i, false, thesaurus, texts);
        }
        if (elements->count > MATCH_ELEMENTS_MAX)
            break;
    }
    count_sharing(elements);
}

void match_elements_release(struct match_elements *elements)
{
    free(elements->items);
    text_list_release(&elements->replaced);
    *elements = (struct match_elements){.tree = NULL};
}

const struct match_element *match_elements_around(
    const struct match_elements *elements, uint32_t node)
{
    const struct match_element *best = NULL;

    for (size_t i = 0; i < elements->count; i++) {
        const struct match_element *element = &elements->items[i];

        if (tree_within(elements->tree, element->node, node))
            best = element;
    }
    return best;
}

enum role match_element_role(const struct match_elements *elements,
                             const struct match_element *element)
{
    return elements->tree->nodes[element->node].role;
}
