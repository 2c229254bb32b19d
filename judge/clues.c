#include "judge/clues.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "judge/words.h"
#include "process_provider/label.h"
#include "process_provider/place.h"
#include "process_provider/tree_diff.h"

#define NAME_BYTES_MIN 3 /* shorter texts are in too many places */
#define ROWS_IN_ORDER 3
#define FIRST_ROWS 2

/* ---- texts ---- */

static bool has_letters(const char *text)
{
    for (; *text; text++) {
        if (isalpha((unsigned char)*text) || (unsigned char)*text >= 0x80)
            return true;
    }
    return false;
}

static bool has_digits(const char *text)
{
    return strpbrk(text, "0123456789") != NULL;
}

static bool is_of_system(const struct tree_node *node)
{
    return !strcmp(node->package, "com.android.systemui");
}

static void add_once(struct texts *texts, const char *text, size_t max)
{
    if (texts->count < max && *text && !texts_have(texts, text))
        texts_add(texts, text);
}

void clues_literal(const char *text, struct buf *pattern)
{
    buf_byte(pattern, '^');
    for (; *text; text++) {
        if ((unsigned char)*text < 0x80 && !isalnum((unsigned char)*text) &&
            *text != ' ')
            buf_byte(pattern, '\\');
        buf_byte(pattern, *text);
    }
    buf_byte(pattern, '$');
}

/* ---- names ---- */

static const char *instruction_of(const struct dossier *gold)
{
    const char *told = gold->trajectory.head.instruction;

    return told ? told : "";
}

static bool is_asked_for(const struct clues *clues, const char *text)
{
    return words_has(instruction_of(clues->gold), text);
}

/* A row of a list that has a number beside its name: a thing, not a control. */
static bool is_thing(const struct dossier_step *step)
{
    const struct label *label = &step->what.label;

    if (!step->what.position || step->control.checkable)
        return false;
    for (unsigned i = 0; i < label->detail_count; i++) {
        if (has_digits(label->details[i].text))
            return true;
    }
    return false;
}

bool clues_is_name(const struct clues *clues, const struct dossier_step *step)
{
    const char *name = step->what.label.name.text;

    if (!has_letters(name))
        return false;
    if (texts_have(&clues->names, name) || is_thing(step))
        return true;
    return is_asked_for(clues, name) && !thesaurus_find(clues->thesaurus, name);
}

/* What was typed, what was tapped by its name, and what was asked for. */
static void find_names(struct clues *clues)
{
    const struct dossier *gold = clues->gold;

    for (size_t i = 0; i < gold->count; i++) {
        const struct action *action = &gold->steps[i].step->action;

        if (action->kind == ACTION_TYPE && action->text &&
            strlen(action->text) >= NAME_BYTES_MIN)
            add_once(&clues->names, action->text, SIZE_MAX);
    }
    for (size_t i = 0; i < clues->stars->count; i++) {
        const struct dossier_step *step =
            &gold->steps[clues->stars->items[i].step];

        if (step->has_control && clues_is_name(clues, step) &&
            strlen(step->what.label.name.text) >= NAME_BYTES_MIN)
            add_once(&clues->names, step->what.label.name.text, SIZE_MAX);
    }
}

static void find_asked_names(struct clues *clues, const struct tree *tree)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        const char *text = tree->nodes[i].text;

        if (is_of_system(&tree->nodes[i]) || strlen(text) < NAME_BYTES_MIN ||
            !has_letters(text) || strlen(text) >= PHRASE_MAX ||
            !is_asked_for(clues, text) ||
            thesaurus_find(clues->thesaurus, text))
            continue;
        add_once(&clues->names, text, SIZE_MAX);
    }
}

void clues_init(struct clues *clues, const struct dossier *gold,
                const struct stars *stars)
{
    *clues = (struct clues){.gold = gold,
                            .stars = stars,
                            .thesaurus =
                                thesaurus_open(gold->trajectory.head.locale)};
    find_names(clues);
    find_asked_names(clues, gold->last);
}

void clues_release(struct clues *clues)
{
    thesaurus_close(clues->thesaurus);
    texts_release(&clues->names);
}

static bool shows_whole(const struct tree *tree, const char *text)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!strcmp(tree->nodes[i].text, text) &&
            !is_of_system(&tree->nodes[i]))
            return true;
    }
    return false;
}

void clues_names_on(const struct clues *clues, const struct tree *tree,
                    size_t max, struct texts *names)
{
    size_t limit = names->count + max;

    for (size_t i = clues->names.count; tree && i > 0; i--) {
        if (shows_whole(tree, clues->names.items[i - 1]))
            add_once(names, clues->names.items[i - 1], limit);
    }
}

/* ---- numbers ---- */

/* Times run by themselves, unless somebody asked for them. */
static bool is_lasting(const struct clues *clues, const char *number)
{
    return !strchr(number, ':') || is_asked_for(clues, number);
}

/* One digit alone is a number only if it is all there is. */
static bool is_telling(const char *text, const char *number)
{
    return strlen(number) >= 2 || !strcmp(text, number);
}

static void add_numbers(const struct clues *clues, const char *text,
                        const struct tree *tree, size_t limit,
                        struct texts *numbers)
{
    const char *begin;
    size_t length;

    while ((length = words_number(text, &begin)) > 0) {
        struct buf number = BUF_INIT(64);

        buf_append(&number, begin, length);
        if (!number.overflow && is_telling(text, buf_cstr(&number)) &&
            is_lasting(clues, buf_cstr(&number)) &&
            words_find(tree, buf_cstr(&number), 0) != TREE_NONE)
            add_once(numbers, buf_cstr(&number), limit);
        buf_release(&number);
        text = begin + length;
    }
}

/* Rows further down may be out of sight elsewhere. */
static bool is_in_sight(const struct tree *tree, uint32_t node)
{
    struct place_row row = place_row(tree, node);

    return row.node == TREE_NONE || !row.is_list ||
           row.position <= FIRST_ROWS || !tree->nodes[row.node].takes_taps;
}

static void add_changed(const struct clues *clues,
                        const struct dossier_step *step,
                        const struct tree *tree, size_t limit,
                        struct texts *numbers)
{
    struct tree_diff diff = TREE_DIFF_INIT;

    if (!step->before || !step->after)
        return;
    tree_diff(step->before, step->after, &diff);
    for (size_t i = 0; i < diff.count; i++) {
        const struct tree_change *change = &diff.changes[i];

        if (change->kind == CHANGE_TEXT && !change->by_scroll &&
            is_in_sight(step->after, change->after))
            add_numbers(clues, step->after->nodes[change->after].text, tree,
                        limit, numbers);
    }
    tree_diff_release(&diff);
}

void clues_numbers_on(const struct clues *clues, const struct tree *tree,
                      size_t last, size_t max, struct texts *numbers)
{
    size_t limit = numbers->count + max;

    for (size_t i = clues->stars->count; tree && i > 0; i--) {
        size_t step = clues->stars->items[i - 1].step;

        if (step <= last)
            add_changed(clues, &clues->gold->steps[step], tree, limit, numbers);
    }
}

/* ---- order ---- */

/* What the rows of lists are about, in their order. */
static void find_rows(const struct clues *clues, const struct tree *tree,
                      struct texts *names)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        struct place_row row;
        struct label label;

        if (!node->takes_taps || node->flags & NODE_CHECKABLE ||
            is_of_system(node))
            continue;
        row = place_row(tree, i);
        if (row.node != i || !row.is_list)
            continue;
        label_node(tree, i, &label);
        if (label.source == LABEL_INSIDE && label.detail_count &&
            strlen(label.name.text) >= NAME_BYTES_MIN &&
            !thesaurus_find(clues->thesaurus, label.name.text))
            add_once(names, label.name.text, ROWS_IN_ORDER);
    }
}

void clues_order_after(const struct clues *clues,
                       const struct dossier_step *step, struct texts *names)
{
    struct texts rows = {.count = 0};

    if (!step->before || !step->after)
        return;
    find_rows(clues, step->after, &rows);
    if (rows.count >= 2 && !words_in_order(step->before, &rows)) {
        for (size_t i = 0; i < rows.count; i++)
            texts_add(names, rows.items[i]);
    }
    texts_release(&rows);
}
