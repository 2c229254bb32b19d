/* Needs from stars. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "judge/propose_draft.h"
#include "judge/words.h"
#include "process_provider/place.h"

#define NAMES_MAX 2   /* of a screen, that a step was done on */
#define NUMBERS_MAX 2 /* the same */
#define EFFECT_MAX 2  /* numbers by which an effect is known */

/* ---- patterns ---- */

/* Names that say nothing by themselves: a letter, a picture. */
static bool is_short(const char *name)
{
    return strlen(name) <= 2 || !phrase_readable(name) ||
           (unsigned char)name[0] >= 0xf0;
}

const struct meaning *draft_meaning(const struct draft *draft,
                                    const struct label *label)
{
    const struct meaning *found =
        thesaurus_find(draft->clues.thesaurus, label->name.text);

    for (unsigned i = 0;
         !found && is_short(label->name.text) && i < label->detail_count; i++)
        found = thesaurus_find(draft->clues.thesaurus, label->details[i].text);
    return found;
}

void draft_pattern(const struct draft *draft, const struct label *label,
                   bool is_name, struct buf *pattern)
{
    const struct meaning *meaning =
        is_name ? NULL : draft_meaning(draft, label);
    bool details = is_short(label->name.text) && label->detail_count;

    /* A letter may stand for several days: the longer text is better. */
    clues_literal(details ? label->details[0].text : label->name.text, pattern);
    /* A sum may be written in two ways, and has one result. */
    if (!clues_has_letters(label->name.text) && !details) {
        for (unsigned i = 0; i < label->detail_count; i++) {
            buf_byte(pattern, '|');
            clues_literal(label->details[i].text, pattern);
        }
    }
    if (!meaning)
        return;
    buf_byte(pattern, '|');
    thesaurus_pattern(meaning, pattern);
}

void draft_add_pattern(struct cJSON *into, const char *key,
                       const struct buf *pattern)
{
    if (!pattern->overflow && pattern->length)
        json_add_string(into, key, buf_cstr(pattern));
}

void draft_add_texts(struct cJSON *into, const char *key,
                     const struct texts *texts)
{
    struct cJSON *array;

    if (!texts->count)
        return;
    array = json_add_array(into, key);
    for (size_t i = 0; i < texts->count; i++)
        json_add_string(array, NULL, texts->items[i]);
}

/* ---- what was touched ---- */

/* A star under way. */
struct touch {
    const struct draft *draft;
    size_t star;
    const struct dossier_step *step;
    bool is_name;
    const struct meaning *meaning; /* NULL: it has none */
};

/* How often gold has done the same by then. */
static int count_same(const struct touch *touch)
{
    const struct draft *draft = touch->draft;
    int count = 0;

    for (size_t i = 0; i <= touch->star; i++) {
        const struct dossier_step *step =
            &draft->gold->steps[draft->stars.items[i].step];

        count += step->has_control &&
                 draft_meaning(draft, &step->what.label) == touch->meaning;
    }
    return count;
}

/* The last of several counts for all. */
static bool is_last_of_its_kind(const struct touch *touch)
{
    struct touch later = *touch;

    later.star = touch->draft->stars.count - 1;
    return count_same(&later) == count_same(touch);
}

/* So often, and no more, unless somebody starts over. */
static void add_times(const struct touch *touch, struct cJSON *check)
{
    const struct meaning *anew =
        thesaurus_get(touch->draft->clues.thesaurus, "set back");
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    if (!is_last_of_its_kind(touch))
        return;
    json_add_int(check, "times", count_same(touch));
    if (anew) {
        thesaurus_pattern(anew, &pattern);
        draft_add_pattern(check, "anew", &pattern);
    }
    buf_release(&pattern);
}

/* The name, where it stands, and the state that it was brought to. */
static void add_target(const struct touch *touch, struct cJSON *check)
{
    const struct dossier_step *step = touch->step;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    json_add_string(check, "action", action_kind_name(step->step->action.kind));
    draft_pattern(touch->draft, &step->what.label, touch->is_name, &pattern);
    draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    if (step->control.checkable && step->on != CHECK_EITHER)
        json_add_bool(check, "on", step->on == CHECK_YES);
    if (place_is_dialog(step->before, step->what.target.node))
        json_add_bool(check, "dialog", true);
    if (touch->meaning && touch->meaning->adds_up)
        add_times(touch, check);
}

/* What the screen shows that the step was done on. */
static void add_context(const struct touch *touch, struct cJSON *check)
{
    const struct clues *clues = &touch->draft->clues;
    const struct star *star = &touch->draft->stars.items[touch->star];
    struct texts has = {.count = 0};

    if (!touch->is_name)
        clues_names_on(clues, touch->step->before, NAMES_MAX, &has);
    clues_numbers_on(clues, touch->step->before, star->layer, NUMBERS_MAX,
                     &has);
    draft_add_texts(check, "has", &has);
    texts_release(&has);
}

/* Is only the answer left to be given? */
static bool is_before_answer(const struct touch *touch)
{
    const struct draft *draft = touch->draft;
    size_t next = touch->star + 1;

    return next < draft->stars.count &&
           draft->gold->steps[draft->stars.items[next].step]
                   .step->action.kind == ACTION_ANSWER;
}

/*
 * What was put in key by key shows in what came of it, and so does the answer
 * where the last step before it found it.
 */
static void add_outcome(const struct touch *touch, struct cJSON *check)
{
    const char *answer = dossier_answer(touch->draft->gold);
    struct texts gets = {.count = 0};

    if (touch->star && clues_is_key(&touch->draft->clues, touch->star - 1))
        clues_new_numbers(&touch->draft->clues, touch->step, 1, &gets);
    else if (answer && is_before_answer(touch) && touch->step->after &&
             words_find(touch->step->after, answer, 0) != TREE_NONE)
        texts_add(&gets, answer);
    draft_add_texts(check, "gets", &gets);
    texts_release(&gets);
}

/* The order that it brought things into, where its name says nothing. */
static void add_order(const struct touch *touch, struct cJSON *any)
{
    struct texts order = {.count = 0};
    struct cJSON *check;

    if (touch->is_name || touch->meaning)
        return;
    clues_order_after(&touch->draft->clues, touch->step, &order);
    if (order.count) {
        check = json_add_object(any, NULL);
        json_add_string(check, "action", "click");
        draft_add_texts(check, "gets", &order);
    }
    texts_release(&order);
}

/* Does what it does depend on it alone, and not on what was chosen before? */
static bool is_plain(const struct touch *touch)
{
    const struct meaning *meaning = touch->meaning;

    return !touch->is_name && touch->step->on == CHECK_EITHER &&
           !touch->step->control.checkable &&
           !(meaning && (meaning->arranges || meaning->adds_up));
}

/* A button with a name that nobody knows may still lead to the same. */
static void add_effect(const struct touch *touch, struct cJSON *any)
{
    struct texts numbers = {.count = 0};
    struct cJSON *check;

    if (!is_plain(touch))
        return;
    clues_effect(&touch->draft->clues, touch->step, EFFECT_MAX, &numbers);
    if (numbers.count) {
        check = json_add_object(any, NULL);
        json_add_string(check, "action",
                        action_kind_name(touch->step->step->action.kind));
        if (place_is_dialog(touch->step->before, touch->step->what.target.node))
            json_add_bool(check, "dialog", true);
        if (touch->draft->gold->task.kind == TASK_PROCESS)
            add_context(touch, check);
        draft_add_texts(check, "gets", &numbers);
    }
    texts_release(&numbers);
}

/* Is what would take it back asked for by a later star? */
static bool is_taken_back(const struct touch *touch)
{
    const struct draft *draft = touch->draft;

    for (size_t i = touch->star + 1; i < draft->stars.count; i++) {
        const struct dossier_step *later =
            &draft->gold->steps[draft->stars.items[i].step];
        const struct meaning *meaning =
            later->has_control ? draft_meaning(draft, &later->what.label)
                               : NULL;

        if (meaning && !strcmp(meaning->is, touch->meaning->undone_by))
            return true;
    }
    return false;
}

/* Did gold search for what is arranged here? */
static bool is_of_search(const struct touch *touch)
{
    const struct draft *draft = touch->draft;

    for (size_t i = 0; i < touch->star; i++) {
        const struct action *action =
            &draft->gold->steps[draft->stars.items[i].step].step->action;

        if (action->kind == ACTION_TYPE && action->submit)
            return true;
    }
    return false;
}

/* A tap on what means the opposite. */
static struct cJSON *add_tap(const struct meaning *meaning, struct cJSON *check)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    json_add_string(check, "action", "click");
    thesaurus_pattern(meaning, &pattern);
    draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    return check;
}

/* The same on what is called by that very name. */
static void add_act(const char *action, const char *name, struct cJSON *check)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    json_add_string(check, "action", action);
    clues_literal(name, &pattern);
    draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
}

static bool collects(const struct touch *touch)
{
    return touch->meaning && touch->meaning->collects;
}

/* Where what gold did this to is in sight. */
static void add_names(const struct touch *touch, struct cJSON *check)
{
    struct texts names = {.count = 0};

    clues_names_on(&touch->draft->clues, touch->step->before, NAMES_MAX,
                   &names);
    draft_add_texts(check, "has", &names);
    texts_release(&names);
}

/* Of a thing, where it is in sight; or a finger held on the thing itself. */
static void add_opposite(const struct touch *touch,
                         const struct meaning *opposite, struct cJSON *need)
{
    const char *name = touch->step->what.label.name.text;
    struct cJSON *undone = json_add_object(need, "undone_by");
    struct cJSON *any;

    if (!touch->is_name) {
        (void)add_tap(opposite, undone);
        if (collects(touch))
            add_names(touch, undone);
        return;
    }
    any = json_add_array(undone, "any");
    json_add_string(
        json_add_array(add_tap(opposite, json_add_object(any, NULL)), "has"),
        NULL, name);
    add_act("long_press", name, json_add_object(any, NULL));
}

/*
 * By what gold opened the list that is arranged here: the star before it, if
 * that is a name, and no later step taps the same. NULL: by nothing of the
 * kind.
 */
static const struct dossier_step *opener_of(const struct touch *touch)
{
    const struct dossier *gold = touch->draft->gold;
    const struct star *stars = touch->draft->stars.items;
    const struct dossier_step *opener;
    size_t before = touch->star;

    while (before > 0 && stars[before].layer == stars[touch->star].layer)
        before--;
    opener = &gold->steps[stars[before].step];
    if (stars[before].layer == stars[touch->star].layer ||
        !opener->has_control || !clues_is_name(&touch->draft->clues, opener))
        return NULL;
    for (const struct dossier_step *later = touch->step + 1;
         later < gold->steps + gold->count; later++) {
        if (later->has_control &&
            !strcmp(later->what.label.name.text, opener->what.label.name.text))
            return NULL;
    }
    return opener;
}

/*
 * What was sorted or filtered is not so after a reset, after a new search, or
 * in a list that was opened anew.
 */
static void add_disarray(const struct touch *touch, struct cJSON *need)
{
    const struct meaning *reset =
        thesaurus_get(touch->draft->clues.thesaurus, "set back");
    const struct dossier_step *opener = opener_of(touch);
    struct cJSON *any =
        json_add_array(json_add_object(need, "undone_by"), "any");

    if (reset)
        (void)add_tap(reset, json_add_object(any, NULL));
    if (is_of_search(touch))
        json_add_string(json_add_object(any, NULL), "action", "type");
    if (opener)
        add_act("click", opener->what.label.name.text,
                json_add_object(any, NULL));
}

/* What takes it back, if gold does not do that itself; NULL: nothing. */
static const struct meaning *opposite_of(const struct touch *touch)
{
    struct thesaurus *thesaurus = touch->draft->clues.thesaurus;

    if (touch->is_name)
        return thesaurus_get(thesaurus, "remove");
    if (!touch->meaning || !touch->meaning->undone_by || is_taken_back(touch))
        return NULL;
    return thesaurus_get(thesaurus, touch->meaning->undone_by);
}

/*
 * What can be taken back must have been done as gold did it at some time, and
 * then done last. A new search is not arranged as the one before it.
 */
static struct cJSON *add_lasting(const struct touch *touch, struct cJSON *need)
{
    const struct meaning *opposite = opposite_of(touch);
    struct cJSON *check = json_add_object(need, "check");
    struct cJSON *all;
    struct cJSON *any;

    if (touch->meaning && touch->meaning->arranges)
        add_disarray(touch, need);
    else if (opposite)
        add_opposite(touch, opposite, need);
    if (!opposite || touch->is_name || collects(touch))
        return check;
    all = json_add_array(check, "all");
    any = json_add_array(json_add_object(all, NULL), "any");
    add_target(touch, json_add_object(any, NULL));
    add_effect(touch, any);
    return json_add_object(json_add_object(all, NULL), "once");
}

static struct touch touch_of(const struct draft *draft, size_t star)
{
    const struct dossier_step *step =
        &draft->gold->steps[draft->stars.items[star].step];
    bool is_name = clues_is_name(&draft->clues, step);

    return (struct touch){
        .draft = draft,
        .star = star,
        .step = step,
        .is_name = is_name,
        .meaning = is_name ? NULL : draft_meaning(draft, &step->what.label),
    };
}

/* Of what is collected there are as many as gold has, and no more. */
static void add_amount(const struct draft *draft, size_t star)
{
    const struct touch touch = touch_of(draft, star);
    const struct meaning *opposite = opposite_of(&touch);
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *need;
    struct cJSON *check;

    if (!collects(&touch) || !opposite || !is_last_of_its_kind(&touch))
        return;
    need = json_add_object(draft->needs, NULL);
    json_add_string(need, "say", "nothing else was added in the same way");
    check = json_add_object(need, "check");
    add_target(&touch, check);
    json_add_int(check, "times", count_same(&touch));
    thesaurus_pattern(opposite, &pattern);
    draft_add_pattern(check, "less", &pattern);
    buf_release(&pattern);
}

static void add_touch(const struct draft *draft, size_t star,
                      struct cJSON *need)
{
    const struct touch touch = touch_of(draft, star);
    struct cJSON *any = json_add_array(add_lasting(&touch, need), "any");
    struct cJSON *check = json_add_object(any, NULL);

    add_target(&touch, check);
    if (draft->gold->task.kind == TASK_PROCESS)
        add_context(&touch, check);
    add_outcome(&touch, check);
    add_order(&touch, any);
    add_effect(&touch, any);
}

/* ---- what was typed ---- */

/* More words say more; digits must be these. */
static void add_typed(const char *text, struct buf *pattern)
{
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);

    clues_literal(text, &literal);
    if (clues_has_letters(text))
        buf_printf(pattern, "(?<![A-Za-z0-9])%.*s(?![A-Za-z0-9])",
                   (int)literal.length - 2, buf_cstr(&literal) + 1);
    else
        buf_text(pattern, buf_cstr(&literal));
    buf_release(&literal);
}

static void add_typing(const struct dossier_step *step, struct cJSON *need)
{
    const struct action *action = &step->step->action;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *check = json_add_object(need, "check");

    json_add_string(check, "action", action_kind_name(action->kind));
    if (action->kind == ACTION_TYPE && action->text && action->text[0]) {
        add_typed(action->text, &pattern);
        draft_add_pattern(check, "typed", &pattern);
    }
    buf_release(&pattern);
}

/* ---- the need ---- */

static bool is_dropped(const struct draft *draft, size_t star)
{
    enum action_kind kind =
        draft->gold->steps[draft->stars.items[star].step].step->action.kind;

    /* The task knows its own answer, and the end is told by the ending. */
    return kind == ACTION_ANSWER || kind == ACTION_COMPLETE ||
           kind == ACTION_FAIL ||
           (star + 1 < draft->stars.count && clues_is_key(&draft->clues, star));
}

/* The stars of the last layer before its own that has any left. */
static void add_after(const struct draft *draft, size_t star,
                      struct cJSON *need)
{
    const struct star *stars = draft->stars.items;
    struct cJSON *after = NULL;
    size_t layer = 0;

    for (size_t k = star; k > 0; k--) {
        char id[24];

        if (is_dropped(draft, k - 1) || stars[k - 1].layer == stars[star].layer)
            continue;
        if (after && stars[k - 1].layer != layer)
            break;
        layer = stars[k - 1].layer;
        if (!after)
            after = json_add_array(need, "after");
        snprintf(id, sizeof(id), "star_%zu", k);
        json_add_string(after, NULL, id);
    }
}

/* The act alone: "tapped 'Sort'". */
static void add_say(const struct dossier_step *step, struct cJSON *need)
{
    char *act = mem_dup_n(step->words, strcspn(step->words, ";"));

    json_add_string(need, "say", act);
    free(act);
}

void draft_add_star(struct draft *draft, size_t star)
{
    const struct dossier_step *step =
        &draft->gold->steps[draft->stars.items[star].step];
    struct cJSON *need;
    char id[24];

    if (is_dropped(draft, star))
        return;
    need = json_add_object(draft->needs, NULL);
    snprintf(id, sizeof(id), "star_%zu", star + 1);
    json_add_string(need, "id", id);
    add_say(step, need);
    if (draft->gold->task.kind == TASK_PROCESS)
        add_after(draft, star, need);
    if (step->has_control) {
        add_touch(draft, star, need);
        add_amount(draft, star);
    } else {
        add_typing(step, need);
    }
}
