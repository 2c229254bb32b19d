#include "judge/gold/row_words.h"

#include <string.h>

#include "judge/evidence/screen_words.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"

#define NUMBERS_MAX 2
#define NUMBER_BYTES 2 /* a single digit is often a count that changes */
#define WORDS_MAX 4

/* ---- the texts of a row ---- */

/* The text of a node; "" for a control of the row, which is wording. */
static const char *text_of(const struct tree *tree, uint32_t row, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];

    if (node != row && one->takes_taps)
        return "";
    return one->text[0] ? one->text : one->description;
}

static bool is_content(const struct anchors *anchors, const char *text)
{
    return phrase_readable(text) && strlen(text) < PHRASE_MAX &&
           !thesaurus_find(anchors->thesaurus, text);
}

/* Has the row of a list all these words? */
static bool has_words(const struct tree *tree, uint32_t row,
                      const struct text_list *words)
{
    for (size_t i = 0; i < words->count; i++) {
        if (!screen_words_within(tree, row, words->items[i]))
            return false;
    }
    return true;
}

/* A text of row that the other row does not have; NULL: none. */
static const char *difference(const struct anchors *anchors,
                              const struct tree *tree, uint32_t row,
                              uint32_t other)
{
    for (uint32_t i = row; i < tree->nodes[row].end; i++) {
        const char *text = text_of(tree, row, i);

        if (is_content(anchors, text) &&
            !screen_words_within(tree, other, text))
            return text;
    }
    return NULL;
}

/* ---- the words ---- */

/* Without digits, is it another text? "Oct 8" and "Sep 2" are; "3 songs" and "4
 * songs" are not. */
static bool differs_by_letters(const char *a, const char *b)
{
    static const char digits[] = "0123456789";

    while (*a && *b) {
        size_t of_a = strspn(a, digits);
        size_t of_b = strspn(b, digits);

        if (!of_a != !of_b)
            return true;
        a += of_a;
        b += of_b;
        if (*a != *b)
            return true;
        if (*a)
            a++, b++;
    }
    return *a || *b;
}

/* Is it no count, because other rows have other words with their number? */
static bool is_no_count(const struct episode_evidence_step *step,
                        unsigned detail)
{
    const struct tree *tree = step->before;
    const struct phrase *text = &step->what.label.details[detail];
    uint32_t row = screen_control_row(tree, step->what.target.node);
    uint32_t list = tree->nodes[row].parent;

    if (list == TREE_NONE)
        return false;
    for (uint32_t i = list + 1; i < tree->nodes[list].end;
         i = tree->nodes[i].end) {
        struct node_label other;

        node_label_of(tree, i, &other);
        if (i != row && other.source != NODE_LABEL_NONE &&
            detail < other.detail_count &&
            strpbrk(other.details[detail].text, "0123456789") &&
            differs_by_letters(text->text, other.details[detail].text))
            return true;
    }
    return false;
}

/* Single digits count as words of such a text. */
static void add_short_texts(const struct episode_evidence_step *step,
                            struct text_list *words)
{
    const struct node_label *label = &step->what.label;

    for (unsigned i = 0; i < label->detail_count; i++) {
        const char *text = label->details[i].text;

        if (strpbrk(text, "0123456789") && anchors_has_letters(text) &&
            is_no_count(step, i))
            text_list_add(words, text);
    }
}

/* "23:03" alone: where a city's clock is shown, it is another one later. */
static bool is_time_of_day(const char *text)
{
    static const char digits[] = "0123456789";
    size_t hours = strspn(text, digits);

    return (hours == 1 || hours == 2) && text[hours] == ':' &&
           strspn(text + hours + 1, digits) == 2 && !text[hours + 3];
}

static void add_numbers(const struct anchors *anchors,
                        const struct node_label *label, struct text_list *words)
{
    size_t limit = words->count + NUMBERS_MAX;

    for (unsigned i = 0; i < label->detail_count; i++) {
        const char *text = label->details[i].text;
        size_t length;

        if (is_time_of_day(text) && !anchors_asks_number_of(anchors, text))
            continue;
        while (words->count < limit &&
               (length = screen_words_number(text, &text)) > 0) {
            struct buf number = BUF_INIT(PHRASE_MAX);

            buf_append(&number, text, length);
            if (length >= NUMBER_BYTES &&
                screen_words_has(label->details[i].text, buf_cstr(&number)) &&
                !text_list_have(words, buf_cstr(&number)))
                text_list_add(words, buf_cstr(&number));
            buf_release(&number);
            text += length;
        }
    }
}

/* Could the step have been done in the other row as well? */
static bool is_like(const struct tree *tree,
                    const struct episode_evidence_step *step, uint32_t other,
                    bool is_part)
{
    const struct tree_node *touched = &tree->nodes[step->what.target.node];
    uint32_t end = is_part ? tree->nodes[other].end : other + 1;

    for (uint32_t i = other; i < end; i++) {
        struct node_label label;

        if (strcmp(tree->nodes[i].class_name, touched->class_name) != 0)
            continue;
        node_label_of(tree, i, &label);
        if (label.source != NODE_LABEL_NONE &&
            !strcmp(label.name.text, step->what.label.name.text))
            return true;
    }
    return false;
}

/*
 * The rows of the same list that these words do not tell from this one. A row
 * with no other text is the same item again, without its badge.
 */
static void add_differences(const struct anchors *anchors,
                            const struct episode_evidence_step *step,
                            uint32_t row, struct text_list *words)
{
    const struct tree *tree = step->before;
    uint32_t list = tree->nodes[row].parent;
    bool is_part = row != step->what.target.node;

    for (uint32_t i = list + 1;
         i < tree->nodes[list].end && words->count < WORDS_MAX;
         i = tree->nodes[i].end) {
        const char *text;

        if (i == row || !is_like(tree, step, i, is_part) ||
            !has_words(tree, i, words) || !difference(anchors, tree, i, row))
            continue;
        text = difference(anchors, tree, row, i);
        if (text)
            text_list_add(words, text);
    }
}

void row_words_find(const struct anchors *anchors,
                    const struct episode_evidence_step *step,
                    struct text_list *words)
{
    const char *title = step->control.row.text;
    struct node_context_row row;

    if (!step->before || !step->has_control ||
        step->what.target.node == TREE_NONE)
        return;
    if (anchors_is_name(anchors, step)) {
        add_numbers(anchors, &step->what.label, words);
        if (!words->count)
            add_short_texts(step, words);
    }
    row = node_context_row(step->before, step->what.target.node);
    if (row.node == TREE_NONE)
        return;
    if (!anchors_is_name(anchors, step) && anchors_has_letters(title) &&
        is_content(anchors, title))
        text_list_add(words, title);
    add_differences(anchors, step, row.node, words);
}
