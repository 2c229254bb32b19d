#include "judge/gold/anchors.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "judge/evidence/screen_words.h"
#include "judge/gold/looked_up.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/diff/tree_diff.h"

#define NAME_BYTES_MIN 3 /* shorter texts occur in too many places */
#define FIRST_ROWS 2
#define KEY_BYTES 2 /* digits in the name of a key: "7", "00" */
#define KEYED_MAX 4096
#define STRONG_BYTES 4 /* digits of a number that is hardly a coincidence */

/* ---- texts ---- */

/* Signs and emoji beyond ASCII are not letters. */
static bool is_letter(uint32_t c)
{
    if (c < 0x80)
        return isalpha((int)c);
    return c != 0xd7 && c != 0xf7 && c >= 0xc0 &&
           !(c >= 0x2000 && c < 0x2c00) && !(c >= 0x3000 && c < 0x3040) &&
           !(c >= 0xfe00 && c < 0xff21) && c < 0x1f000;
}

bool anchors_has_letters(const char *text)
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

static void add_once(struct text_list *texts, const char *text, size_t max)
{
    if (texts->count < max && *text && !text_list_have(texts, text))
        text_list_add(texts, text);
}

void anchors_literal(const char *text, struct buf *pattern)
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

static const char *instruction_of(const struct episode_evidence *gold)
{
    const char *instruction = gold->trajectory.head.instruction;

    return instruction ? instruction : "";
}

static bool is_asked_for(const struct anchors *anchors, const char *text)
{
    return screen_words_has(instruction_of(anchors->gold), text);
}

/* A count of what is inside: "History" with "10". */
static bool is_count(const struct node_label *label)
{
    return label->detail_count == 1 &&
           strspn(label->details[0].text, "0123456789") ==
               strlen(label->details[0].text);
}

/* A row of a list with a number beside its name: content, not a control. */
static bool is_thing(const struct anchors *anchors,
                     const struct episode_evidence_step *step)
{
    const struct node_label *label = &step->what.label;

    if (!step->what.position || step->control.checkable ||
        (is_count(label) &&
         thesaurus_find(anchors->thesaurus, label->name.text)))
        return false;
    for (unsigned i = 0; i < label->detail_count; i++) {
        if (has_digits(label->details[i].text))
            return true;
    }
    return false;
}

bool anchors_is_name(const struct anchors *anchors,
                     const struct episode_evidence_step *step)
{
    const char *name = step->what.label.name.text;

    if (!anchors_has_letters(name))
        return false;
    if (text_list_have(&anchors->names, name) || is_thing(anchors, step))
        return true;
    return step->what.role != ROLE_BUTTON && is_asked_for(anchors, name) &&
           !thesaurus_find(anchors->thesaurus, name);
}

bool anchors_is_short(const char *name)
{
    return strlen(name) <= 2 || !phrase_readable(name) ||
           (unsigned char)name[0] >= 0xf0;
}

const struct thesaurus_meaning *anchors_meaning_of(
    const struct anchors *anchors, const struct node_label *label)
{
    const struct thesaurus_meaning *found =
        thesaurus_find(anchors->thesaurus, label->name.text);

    for (unsigned i = 0; !found && anchors_is_short(label->name.text) &&
                         i < label->detail_count;
         i++)
        found = thesaurus_find(anchors->thesaurus, label->details[i].text);
    return found;
}

/* What leaves the page does not collect: that "Save" ends a form. */
const struct thesaurus_meaning *anchors_meaning(
    const struct anchors *anchors, const struct episode_evidence_step *step)
{
    const struct node_label *label = &step->what.label;
    const struct thesaurus_meaning *found;

    if (anchors_is_name(anchors, step))
        return NULL;
    found = anchors_meaning_of(anchors, label);
    if (found && found->collects && step->before && step->after &&
        !screen_control_same_page(step->before, step->after))
        return thesaurus_find_other(anchors->thesaurus, label->name.text,
                                    found);
    return found;
}

/* A typed text is a name, unless only parts of it were looked up. */
static void add_typed_names(struct anchors *anchors, size_t step)
{
    const struct action *action = &anchors->gold->steps[step].step->action;
    size_t parts = anchors->looked_up.count;

    if (action->kind != ACTION_TYPE || action->secret || !action->text ||
        strlen(action->text) < NAME_BYTES_MIN)
        return;
    looked_up_find(anchors->gold, step, &anchors->looked_up);
    if (parts == anchors->looked_up.count)
        add_once(&anchors->names, action->text, SIZE_MAX);
    for (; parts < anchors->looked_up.count; parts++)
        add_once(&anchors->names, anchors->looked_up.items[parts], SIZE_MAX);
}

/* Names that were typed, tapped by name, or part of the instruction. */
static void find_names(struct anchors *anchors)
{
    const struct episode_evidence *gold = anchors->gold;

    for (size_t i = 0; i < gold->count; i++)
        add_typed_names(anchors, i);
    for (size_t i = 0; i < anchors->key_steps->count; i++) {
        const struct episode_evidence_step *step =
            &gold->steps[anchors->key_steps->items[i].step];

        if (step->has_control && anchors_is_name(anchors, step) &&
            strlen(step->what.label.name.text) >= NAME_BYTES_MIN)
            add_once(&anchors->names, step->what.label.name.text, SIZE_MAX);
    }
}

/* Is it the name of a button or a tab? Rows of lists are content. */
static bool is_on_control(const struct tree *tree, uint32_t node)
{
    while (node != TREE_NONE && !tree->nodes[node].takes_taps)
        node = tree->nodes[node].parent;
    return node != TREE_NONE && node_context_row(tree, node).node == TREE_NONE;
}

/* A single word is a name only as it is written: a "Note" is not the "note" of
 * the instruction. */
static bool is_asked_as_written(const struct anchors *anchors, const char *text)
{
    return is_asked_for(anchors, text) &&
           (strchr(text, ' ') || strstr(instruction_of(anchors->gold), text));
}

static void find_asked_names(struct anchors *anchors, const struct tree *tree)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        const char *text = tree->nodes[i].text;

        if (is_of_system(&tree->nodes[i]) || strlen(text) < NAME_BYTES_MIN ||
            !anchors_has_letters(text) || strlen(text) >= PHRASE_MAX ||
            !is_asked_as_written(anchors, text) || is_on_control(tree, i) ||
            thesaurus_find(anchors->thesaurus, text))
            continue;
        add_once(&anchors->names, text, SIZE_MAX);
    }
}

/* ---- keypads ---- */

static bool is_digit_key(const struct episode_evidence_step *step)
{
    const char *name = step->what.label.name.text;

    return step->has_control && !step->control.checkable && *name &&
           strlen(name) <= KEY_BYTES &&
           strspn(name, "0123456789") == strlen(name);
}

/* Between digits a sign is a key, whatever else it means: "+" adds one, too. */
static bool is_sign_key(const struct anchors *anchors,
                        const struct episode_evidence_step *step,
                        const struct thesaurus_meaning *meaning)
{
    const struct thesaurus_meaning *other = thesaurus_find_other(
        anchors->thesaurus, step->what.label.name.text, meaning);

    return other && other->key && step > anchors->gold->steps &&
           is_digit_key(step - 1);
}

static bool is_key(const struct anchors *anchors,
                   const struct episode_evidence_step *step)
{
    const char *name = step->what.label.name.text;
    const struct thesaurus_meaning *meaning;

    if (!step->has_control || anchors_has_letters(name) ||
        step->control.checkable)
        return false;
    meaning = thesaurus_find(anchors->thesaurus, name);
    if (!meaning)
        return strlen(name) <= KEY_BYTES;
    return meaning->key || is_sign_key(anchors, step, meaning);
}

bool anchors_is_key(const struct anchors *anchors, size_t key_step)
{
    return is_key(
        anchors,
        &anchors->gold->steps[anchors->key_steps->items[key_step].step]);
}

bool anchors_is_key_step(const struct anchors *anchors,
                         const struct episode_evidence_step *step)
{
    for (size_t i = 0; i < anchors->key_steps->count; i++) {
        if (&anchors->gold->steps[anchors->key_steps->items[i].step] == step)
            return true;
    }
    return false;
}

bool anchors_follows_key(const struct anchors *anchors,
                         const struct episode_evidence_step *step)
{
    return step > anchors->gold->steps && is_key(anchors, step - 1);
}

static void find_keyed(struct anchors *anchors)
{
    for (size_t i = 0; i < anchors->key_steps->count; i++) {
        const struct episode_evidence_step *step =
            &anchors->gold->steps[anchors->key_steps->items[i].step];
        const char *name = step->what.label.name.text;

        if (!anchors_is_key(anchors, i))
            buf_byte(&anchors->keyed, ' ');
        else if (strspn(name, "0123456789") == strlen(name))
            buf_text(&anchors->keyed, name);
    }
}

/* ---- names, again ---- */

void anchors_init(struct anchors *anchors, const struct episode_evidence *gold,
                  const struct key_steps *key_steps)
{
    *anchors = (struct anchors){
        .gold = gold,
        .key_steps = key_steps,
        .thesaurus = thesaurus_open(gold->trajectory.head.locale)};
    anchors->keyed = (struct buf)BUF_INIT(KEYED_MAX);
    find_names(anchors);
    find_asked_names(anchors, gold->last);
    find_keyed(anchors);
}

void anchors_release(struct anchors *anchors)
{
    thesaurus_close(anchors->thesaurus);
    text_list_release(&anchors->names);
    text_list_release(&anchors->looked_up);
    buf_release(&anchors->keyed);
}

bool anchors_shows_whole(const struct tree *tree, const char *text)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!strcmp(tree->nodes[i].text, text) &&
            !is_of_system(&tree->nodes[i]))
            return true;
    }
    return false;
}

void anchors_names_on(const struct anchors *anchors, const struct tree *tree,
                      size_t max, struct text_list *names)
{
    size_t limit = names->count + max;

    for (size_t i = anchors->names.count; tree && i > 0; i--) {
        const char *name = anchors->names.items[i - 1];

        if (anchors_shows_whole(tree, name) ||
            (text_list_have(&anchors->looked_up, name) &&
             screen_words_find(tree, name, 0) != TREE_NONE))
            add_once(names, name, limit);
    }
}

/* ---- numbers ---- */

static bool is_zero(const char *number)
{
    return strspn(number, "0:.,") == strlen(number);
}

/* Are its digits among those that were tapped, as one input? */
static bool is_keyed(const struct anchors *anchors, const char *number)
{
    struct buf digits = BUF_INIT(64);
    bool found;

    for (; *number; number++) {
        if (*number >= '0' && *number <= '9')
            buf_byte(&digits, *number);
    }
    found = digits.length > 1 &&
            screen_words_has(buf_cstr(&anchors->keyed), buf_cstr(&digits));
    buf_release(&digits);
    return found;
}

/*
 * Times change without input, unless the task asks for them or they stand
 * still.
 */
static bool is_lasting(const struct anchors *anchors, const char *number)
{
    return !strchr(number, ':') || is_asked_for(anchors, number) ||
           is_zero(number) || is_keyed(anchors, number);
}

/* A single digit is a number only if it is the whole text. */
static bool is_telling(const char *text, const char *number)
{
    return strlen(number) >= 2 || !strcmp(text, number);
}

/* Which numbers of a text to use. */
typedef bool number_fn(const struct anchors *anchors, const void *context,
                       const char *text, const char *number);

static void take_numbers(const struct anchors *anchors, const char *text,
                         number_fn *wanted, const void *context, size_t limit,
                         struct text_list *numbers)
{
    const char *begin;
    size_t length;

    while ((length = screen_words_number(text, &begin)) > 0) {
        struct buf number = BUF_INIT(64);

        buf_append(&number, begin, length);
        if (!number.overflow && screen_words_has(text, buf_cstr(&number)) &&
            is_lasting(anchors, buf_cstr(&number)) &&
            wanted(anchors, context, text, buf_cstr(&number)))
            add_once(numbers, buf_cstr(&number), limit);
        buf_release(&number);
        text = begin + length;
    }
}

/* The same for every text on a screen. */
static void take_numbers_on(const struct anchors *anchors,
                            const struct tree *tree, number_fn *wanted,
                            const void *context, size_t limit,
                            struct text_list *numbers)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!is_of_system(&tree->nodes[i]))
            take_numbers(anchors, tree->nodes[i].text, wanted, context, limit,
                         numbers);
    }
}

/* Rows further down may be out of sight on another phone. */
static bool is_in_sight(const struct tree *tree, uint32_t node)
{
    struct node_context_row row = node_context_row(tree, node);

    return row.node == TREE_NONE || !row.is_list ||
           row.position <= FIRST_ROWS || !tree->nodes[row.node].takes_taps;
}

static bool is_shown(const struct anchors *anchors, const void *context,
                     const char *text, const char *number)
{
    (void)anchors;
    return is_telling(text, number) &&
           screen_words_find(context, number, 0) != TREE_NONE;
}

static void add_changed(const struct anchors *anchors,
                        const struct episode_evidence_step *step,
                        const struct tree *tree, size_t limit,
                        struct text_list *numbers)
{
    struct tree_diff diff = TREE_DIFF_INIT;

    if (!step->before || !step->after)
        return;
    tree_diff(step->before, step->after, &diff);
    for (size_t i = 0; i < diff.count; i++) {
        const struct tree_change *change = &diff.changes[i];

        if (change->kind == CHANGE_TEXT && !change->by_scroll &&
            is_in_sight(step->after, change->after))
            take_numbers(anchors, step->after->nodes[change->after].text,
                         is_shown, tree, limit, numbers);
    }
    tree_diff_release(&diff);
}

void anchors_numbers_on(const struct anchors *anchors, const struct tree *tree,
                        size_t layer, size_t max, struct text_list *numbers)
{
    size_t limit = numbers->count + max;

    for (size_t i = anchors->key_steps->count; tree && i > 0; i--) {
        const struct key_step *key_step = &anchors->key_steps->items[i - 1];

        if (key_step->layer < layer)
            add_changed(anchors, &anchors->gold->steps[key_step->step], tree,
                        limit, numbers);
    }
}

static bool is_asked_and_new(const struct anchors *anchors, const void *context,
                             const char *text, const char *number)
{
    return strlen(number) >= 2 && is_asked_for(anchors, number) &&
           is_telling(text, number) &&
           (!context || screen_words_find(context, number, 0) == TREE_NONE);
}

void anchors_asked_numbers(const struct anchors *anchors,
                           const struct tree *first, const struct tree *later,
                           size_t max, struct text_list *numbers)
{
    if (later)
        take_numbers_on(anchors, later, is_asked_and_new, first,
                        numbers->count + max, numbers);
}

bool anchors_asks_number_of(const struct anchors *anchors, const char *text)
{
    struct buf number = BUF_INIT(64);
    const char *begin;
    size_t length = screen_words_number(text, &begin);
    bool asked;

    buf_append(&number, begin, length);
    asked = length && is_asked_for(anchors, buf_cstr(&number));
    buf_release(&number);
    return asked;
}

static bool is_alone(const struct anchors *anchors, const void *context,
                     const char *text, const char *number)
{
    (void)anchors;
    (void)context;
    return !strcmp(text, number);
}

void anchors_new_numbers(const struct anchors *anchors,
                         const struct episode_evidence_step *step, size_t max,
                         struct text_list *numbers)
{
    size_t limit = numbers->count + max;
    struct tree_diff diff = TREE_DIFF_INIT;

    if (!step->before || !step->after)
        return;
    tree_diff(step->before, step->after, &diff);
    for (size_t i = 0; i < diff.count; i++) {
        const struct tree_change *change = &diff.changes[i];

        if (change->kind == CHANGE_TEXT || change->kind == CHANGE_APPEARED)
            take_numbers(anchors, step->after->nodes[change->after].text,
                         is_alone, NULL, limit, numbers);
    }
    tree_diff_release(&diff);
}

static bool is_only_last(const struct anchors *anchors, const void *context,
                         const char *text, const char *number)
{
    (void)context;
    if (strlen(number) < 2 || strchr(number, ':') || !is_telling(text, number))
        return false;
    for (size_t i = 0; i < anchors->gold->count; i++) {
        const struct tree *before = anchors->gold->steps[i].before;

        if (before && before != anchors->gold->last &&
            screen_words_find(before, number, 0) != TREE_NONE)
            return false;
    }
    return true;
}

void anchors_last_numbers(const struct anchors *anchors, size_t max,
                          struct text_list *numbers)
{
    if (anchors->gold->last)
        take_numbers_on(anchors, anchors->gold->last, is_only_last, NULL,
                        numbers->count + max, numbers);
}

/* Was it absent from every screen up to the step? */
static bool is_strong_and_new(const struct anchors *anchors,
                              const void *context, const char *text,
                              const char *number)
{
    const struct episode_evidence_step *last = context;

    (void)text;
    if (strlen(number) < STRONG_BYTES || strchr(number, ':'))
        return false;
    for (const struct episode_evidence_step *step = anchors->gold->steps;
         step <= last; step++) {
        if (step->before &&
            screen_words_find(step->before, number, 0) != TREE_NONE)
            return false;
    }
    return true;
}

void anchors_effect(const struct anchors *anchors,
                    const struct episode_evidence_step *step, size_t max,
                    struct text_list *numbers)
{
    if (step->after)
        take_numbers_on(anchors, step->after, is_strong_and_new, step,
                        numbers->count + max, numbers);
}
