#include "judge/clues.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "judge/words.h"
#include "process_provider/label.h"
#include "process_provider/place.h"
#include "process_provider/tree_diff.h"

#define NAME_BYTES_MIN 3 /* shorter texts are in too many places */
#define ROWS_IN_ORDER 3
#define FIRST_ROWS 2
#define KEY_BYTES 2 /* of a key's name: "7", "00" */
#define KEYED_MAX 4096
#define STRONG_BYTES 4 /* of a number that is hardly there by chance */

/* ---- texts ---- */

/* Signs and pictures beyond ASCII are none. */
static bool is_letter(uint32_t c)
{
    if (c < 0x80)
        return isalpha((int)c);
    return c != 0xd7 && c != 0xf7 && c >= 0xc0 &&
           !(c >= 0x2000 && c < 0x2c00) && !(c >= 0x3000 && c < 0x3040) &&
           !(c >= 0xfe00 && c < 0xff21) && c < 0x1f000;
}

bool clues_has_letters(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        size_t bytes;

        if (is_letter(utf8_decode(text, left, &bytes)))
            return true;
        text += bytes;
        left -= bytes;
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

    if (!clues_has_letters(name))
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

/* Is it what a button or a tab is called? Rows of lists are things. */
static bool is_on_control(const struct tree *tree, uint32_t node)
{
    while (node != TREE_NONE && !tree->nodes[node].takes_taps)
        node = tree->nodes[node].parent;
    return node != TREE_NONE && place_row(tree, node).node == TREE_NONE;
}

static void find_asked_names(struct clues *clues, const struct tree *tree)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        const char *text = tree->nodes[i].text;

        if (is_of_system(&tree->nodes[i]) || strlen(text) < NAME_BYTES_MIN ||
            !clues_has_letters(text) || strlen(text) >= PHRASE_MAX ||
            !is_asked_for(clues, text) || is_on_control(tree, i) ||
            thesaurus_find(clues->thesaurus, text))
            continue;
        add_once(&clues->names, text, SIZE_MAX);
    }
}

/* ---- keypads ---- */

bool clues_is_key(const struct clues *clues, size_t star)
{
    const struct dossier_step *step =
        &clues->gold->steps[clues->stars->items[star].step];
    const char *name = step->what.label.name.text;
    const struct meaning *meaning;

    if (!step->has_control || clues_has_letters(name) ||
        step->control.checkable)
        return false;
    meaning = thesaurus_find(clues->thesaurus, name);
    return meaning ? meaning->key : strlen(name) <= KEY_BYTES;
}

static void find_keyed(struct clues *clues)
{
    for (size_t i = 0; i < clues->stars->count; i++) {
        const struct dossier_step *step =
            &clues->gold->steps[clues->stars->items[i].step];
        const char *name = step->what.label.name.text;

        if (!clues_is_key(clues, i))
            buf_byte(&clues->keyed, ' ');
        else if (strspn(name, "0123456789") == strlen(name))
            buf_text(&clues->keyed, name);
    }
}

/* ---- names, again ---- */

void clues_init(struct clues *clues, const struct dossier *gold,
                const struct stars *stars)
{
    *clues = (struct clues){.gold = gold,
                            .stars = stars,
                            .thesaurus =
                                thesaurus_open(gold->trajectory.head.locale)};
    clues->keyed = (struct buf)BUF_INIT(KEYED_MAX);
    find_names(clues);
    find_asked_names(clues, gold->last);
    find_keyed(clues);
}

void clues_release(struct clues *clues)
{
    thesaurus_close(clues->thesaurus);
    texts_release(&clues->names);
    buf_release(&clues->keyed);
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

static bool is_zero(const char *number)
{
    return strspn(number, "0:.,") == strlen(number);
}

/* Do its digits stand among those that were tapped, as one input? */
static bool is_keyed(const struct clues *clues, const char *number)
{
    struct buf digits = BUF_INIT(64);
    bool found;

    for (; *number; number++) {
        if (*number >= '0' && *number <= '9')
            buf_byte(&digits, *number);
    }
    found = digits.length > 1 &&
            words_has(buf_cstr(&clues->keyed), buf_cstr(&digits));
    buf_release(&digits);
    return found;
}

/* Times run by themselves, unless somebody asked for them, or they stand. */
static bool is_lasting(const struct clues *clues, const char *number)
{
    return !strchr(number, ':') || is_asked_for(clues, number) ||
           is_zero(number) || is_keyed(clues, number);
}

/* One digit alone is a number only if it is all there is. */
static bool is_telling(const char *text, const char *number)
{
    return strlen(number) >= 2 || !strcmp(text, number);
}

/* Which of the numbers in a text to take. */
typedef bool number_fn(const struct clues *clues, const void *context,
                       const char *text, const char *number);

static void take_numbers(const struct clues *clues, const char *text,
                         number_fn *wanted, const void *context, size_t limit,
                         struct texts *numbers)
{
    const char *begin;
    size_t length;

    while ((length = words_number(text, &begin)) > 0) {
        struct buf number = BUF_INIT(64);

        buf_append(&number, begin, length);
        if (!number.overflow && words_has(text, buf_cstr(&number)) &&
            is_lasting(clues, buf_cstr(&number)) &&
            wanted(clues, context, text, buf_cstr(&number)))
            add_once(numbers, buf_cstr(&number), limit);
        buf_release(&number);
        text = begin + length;
    }
}

/* The same of every text on a screen. */
static void take_numbers_on(const struct clues *clues, const struct tree *tree,
                            number_fn *wanted, const void *context,
                            size_t limit, struct texts *numbers)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!is_of_system(&tree->nodes[i]))
            take_numbers(clues, tree->nodes[i].text, wanted, context, limit,
                         numbers);
    }
}

/* Rows further down may be out of sight elsewhere. */
static bool is_in_sight(const struct tree *tree, uint32_t node)
{
    struct place_row row = place_row(tree, node);

    return row.node == TREE_NONE || !row.is_list ||
           row.position <= FIRST_ROWS || !tree->nodes[row.node].takes_taps;
}

static bool is_shown(const struct clues *clues, const void *context,
                     const char *text, const char *number)
{
    (void)clues;
    return is_telling(text, number) &&
           words_find(context, number, 0) != TREE_NONE;
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
            take_numbers(clues, step->after->nodes[change->after].text,
                         is_shown, tree, limit, numbers);
    }
    tree_diff_release(&diff);
}

void clues_numbers_on(const struct clues *clues, const struct tree *tree,
                      size_t layer, size_t max, struct texts *numbers)
{
    size_t limit = numbers->count + max;

    for (size_t i = clues->stars->count; tree && i > 0; i--) {
        const struct star *star = &clues->stars->items[i - 1];

        if (star->layer < layer)
            add_changed(clues, &clues->gold->steps[star->step], tree, limit,
                        numbers);
    }
}

static bool is_asked_and_new(const struct clues *clues, const void *context,
                             const char *text, const char *number)
{
    return strlen(number) >= 2 && is_asked_for(clues, number) &&
           is_telling(text, number) &&
           (!context || words_find(context, number, 0) == TREE_NONE);
}

void clues_asked_numbers(const struct clues *clues, const struct tree *first,
                         const struct tree *later, size_t max,
                         struct texts *numbers)
{
    if (later)
        take_numbers_on(clues, later, is_asked_and_new, first,
                        numbers->count + max, numbers);
}

static bool is_alone(const struct clues *clues, const void *context,
                     const char *text, const char *number)
{
    (void)clues;
    (void)context;
    return !strcmp(text, number);
}

void clues_new_numbers(const struct clues *clues,
                       const struct dossier_step *step, size_t max,
                       struct texts *numbers)
{
    size_t limit = numbers->count + max;
    struct tree_diff diff = TREE_DIFF_INIT;

    if (!step->before || !step->after)
        return;
    tree_diff(step->before, step->after, &diff);
    for (size_t i = 0; i < diff.count; i++) {
        const struct tree_change *change = &diff.changes[i];

        if (change->kind == CHANGE_TEXT || change->kind == CHANGE_APPEARED)
            take_numbers(clues, step->after->nodes[change->after].text,
                         is_alone, NULL, limit, numbers);
    }
    tree_diff_release(&diff);
}

static bool is_only_last(const struct clues *clues, const void *context,
                         const char *text, const char *number)
{
    (void)context;
    if (strlen(number) < 2 || strchr(number, ':') || !is_telling(text, number))
        return false;
    for (size_t i = 0; i < clues->gold->count; i++) {
        const struct tree *before = clues->gold->steps[i].before;

        if (before && before != clues->gold->last &&
            words_find(before, number, 0) != TREE_NONE)
            return false;
    }
    return true;
}

void clues_last_numbers(const struct clues *clues, size_t max,
                        struct texts *numbers)
{
    if (clues->gold->last)
        take_numbers_on(clues, clues->gold->last, is_only_last, NULL,
                        numbers->count + max, numbers);
}

/* Was it on no screen up to the step? */
static bool is_strong_and_new(const struct clues *clues, const void *context,
                              const char *text, const char *number)
{
    const struct dossier_step *last = context;

    (void)text;
    if (strlen(number) < STRONG_BYTES || strchr(number, ':'))
        return false;
    for (const struct dossier_step *step = clues->gold->steps; step <= last;
         step++) {
        if (step->before && words_find(step->before, number, 0) != TREE_NONE)
            return false;
    }
    return true;
}

void clues_effect(const struct clues *clues, const struct dossier_step *step,
                  size_t max, struct texts *numbers)
{
    if (step->after)
        take_numbers_on(clues, step->after, is_strong_and_new, step,
                        numbers->count + max, numbers);
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

/* Was any screen before the step in that order already? */
static bool was_in_order(const struct clues *clues,
                         const struct dossier_step *step,
                         const struct texts *rows)
{
    for (const struct dossier_step *earlier = clues->gold->steps;
         earlier <= step; earlier++) {
        if (earlier->before && words_in_order(earlier->before, rows))
            return true;
    }
    return false;
}

void clues_order_after(const struct clues *clues,
                       const struct dossier_step *step, struct texts *names)
{
    struct texts rows = {.count = 0};

    if (!step->after)
        return;
    find_rows(clues, step->after, &rows);
    if (rows.count >= 2 && !was_in_order(clues, step, &rows)) {
        for (size_t i = 0; i < rows.count; i++)
            texts_add(names, rows.items[i]);
    }
    texts_release(&rows);
}
