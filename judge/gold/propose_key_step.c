/* Needs from key steps. */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/regex.h"
#include "judge/evidence/screen_words.h"
#include "judge/gold/act_object.h"
#include "judge/gold/key_effect.h"
#include "judge/gold/looked_up.h"
#include "judge/gold/propose.h"
#include "judge/gold/propose_draft.h"
#include "judge/gold/propose_touch.h"
#include "judge/gold/row_words.h"
#include "process_provider/text/masked_text.h"

#define NAMES_MAX 2   /* names of the screen that a step was done on */
#define NUMBERS_MAX 2 /* numbers of the same */
#define EFFECT_MAX 2  /* numbers that identify an effect */

/* ---- what was touched ---- */

/* How often gold has done the same up to this step. */
static int count_same(const struct touch *touch)
{
    const struct proposal_draft *draft = touch->draft;
    int count = 0;

    for (size_t i = 0; i <= touch->key_step; i++) {
        const struct episode_evidence_step *step =
            &draft->gold->steps[draft->key_steps.items[i].step];

        count += step->has_control &&
                 anchors_meaning(&draft->anchors, step) == touch->meaning;
    }
    return count;
}

/* The last of several equal steps counts for all. */
static bool is_last_of_its_kind(const struct touch *touch)
{
    struct touch later = *touch;

    later.key_step = touch->draft->key_steps.count - 1;
    return count_same(&later) == count_same(touch);
}

/* Exactly that often, unless the count is started over. */
static void add_times(const struct touch *touch, struct cJSON *check)
{
    const struct thesaurus_meaning *restart =
        thesaurus_get(touch->draft->anchors.thesaurus, "set back");
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    if (!is_last_of_its_kind(touch))
        return;
    json_add_int(check, "times", count_same(touch));
    if (restart) {
        thesaurus_pattern(restart, &pattern);
        proposal_draft_add_pattern(check, "reset_by", &pattern);
    }
    buf_release(&pattern);
}

static bool is_same_page(const struct tree *a, const struct tree *b)
{
    return a && b && (a == b || screen_control_same_page(a, b));
}

/* Did the step lead to another page? */
static bool leaves_page(const struct episode_evidence_step *step)
{
    return step->before && step->after &&
           !is_same_page(step->before, step->after);
}

/*
 * An item that is selected may be pressed long for that, or tapped. A long
 * press on what was opened or added takes it back, unless it is known to be in
 * that row.
 */
static bool may_be_pressed_long(const struct touch *touch,
                                const struct text_list *row)
{
    const struct episode_evidence_step *step = touch->step;

    return step->what.position && !step->control.checkable &&
           (touch->is_name ? row->count || !leaves_page(step)
                           : step->what.label.detail_count > 0);
}

static void add_action(const struct touch *touch, const struct text_list *row,
                       struct cJSON *check)
{
    struct cJSON *actions;

    if (!may_be_pressed_long(touch, row)) {
        json_add_string(check, "action",
                        action_kind_name(touch->step->step->action.kind));
        return;
    }
    actions = json_add_array(check, "action");
    json_add_string(actions, NULL, action_kind_name(ACTION_CLICK));
    json_add_string(actions, NULL, action_kind_name(ACTION_LONG_PRESS));
}

/* The name, its row, and the resulting state. */
void touch_add_target(const struct touch *touch, struct cJSON *check)
{
    const struct episode_evidence_step *step = touch->step;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct text_list row = {.count = 0};

    row_words_find(&touch->draft->anchors, step, &row);
    add_action(touch, &row, check);
    proposal_draft_pattern(touch->draft, step, &pattern);
    proposal_draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    proposal_draft_add_texts(check, "row", &row);
    text_list_release(&row);
    if (step->control.checkable && step->on != TRI_STATE_EITHER)
        json_add_bool(check, "on", step->on == TRI_STATE_YES);
    if (episode_evidence_in_window(step))
        json_add_bool(check, "dialog", true);
    if (touch->meaning && touch->meaning->adds_up)
        add_times(touch, check);
}

/*
 * Numbers that were looked up may be keyed in another order: their result is
 * checked. Those of the instruction must be keyed.
 */
static void add_numbers(const struct touch *touch, size_t layer,
                        struct text_list *has)
{
    const struct anchors *anchors = &touch->draft->anchors;
    bool keyed = anchors_follows_key(anchors, touch->step);
    struct text_list numbers = {.count = 0};

    anchors_numbers_on(anchors, touch->step->before, layer, NUMBERS_MAX,
                       &numbers);
    for (size_t i = 0; i < numbers.count; i++) {
        if ((!keyed || anchors_asks_number_of(anchors, numbers.items[i])) &&
            !text_list_have(has, numbers.items[i]))
            text_list_add(has, numbers.items[i]);
    }
    text_list_release(&numbers);
}

/* What the screen shows that the step was done on. */
static void add_context(const struct touch *touch, struct cJSON *check)
{
    const struct anchors *anchors = &touch->draft->anchors;
    const struct key_step *key_step =
        &touch->draft->key_steps.items[touch->key_step];
    bool process = touch->draft->gold->task.kind == TASK_PROCESS;
    struct text_list has = {.count = 0};

    if (touch->object)
        text_list_add(&has, touch->object);
    if (!touch->is_name && process)
        anchors_names_on(anchors, touch->step->before, NAMES_MAX, &has);
    if (process)
        add_numbers(touch, key_step->layer, &has);
    proposal_draft_add_texts(check, "has", &has);
    text_list_release(&has);
}

/* Is the answer the only step left, in whatever order the others come? */
static bool is_before_answer(const struct touch *touch)
{
    const struct proposal_draft *draft = touch->draft;
    const struct key_step *key_steps = draft->key_steps.items;
    size_t next = touch->key_step + 1;
    bool is_alone = !touch->key_step || key_steps[next - 2].layer !=
                                            key_steps[touch->key_step].layer;

    return is_alone && next < draft->key_steps.count &&
           draft->gold->steps[draft->key_steps.items[next].step]
                   .step->action.kind == ACTION_ANSWER;
}

/*
 * Input by keys, or by a slider, shows in its effect, and so does the answer
 * where the last step before it found it.
 */
static void add_outcome(const struct touch *touch, struct cJSON *check)
{
    const char *answer = episode_evidence_answer(touch->draft->gold);
    struct text_list gets = {.count = 0};

    if (touch->step->what.role == ROLE_SLIDER ||
        anchors_follows_key(&touch->draft->anchors, touch->step))
        anchors_new_numbers(&touch->draft->anchors, touch->step, 1, &gets);
    else if (answer && is_before_answer(touch) && touch->step->after &&
             screen_words_find(touch->step->after, answer, 0) != TREE_NONE)
        text_list_add(&gets, answer);
    proposal_draft_add_texts(check, "gets", &gets);
    text_list_release(&gets);
}

/* The resulting order of the list, where the control's name has no meaning. */
static void add_order(const struct touch *touch, struct cJSON *any)
{
    struct text_list order = {.count = 0};
    struct cJSON *check;

    if (touch->is_name || touch->meaning)
        return;
    anchors_order_after(&touch->draft->anchors, touch->step, &order);
    if (order.count) {
        check = json_add_object(any, NULL);
        json_add_string(check, "action", "click");
        proposal_draft_add_texts(check, "gets", &order);
    }
    text_list_release(&order);
}

/* Does its effect depend on this step alone, and not on earlier choices? */
static bool is_plain(const struct touch *touch)
{
    const struct thesaurus_meaning *meaning = touch->meaning;

    return !touch->is_name && touch->step->on == TRI_STATE_EITHER &&
           !touch->step->control.checkable &&
           !(meaning && (meaning->arranges || meaning->adds_up));
}

/* A button with an unknown name may still have the same effect. */
void touch_add_effect(const struct touch *touch, struct cJSON *any)
{
    struct text_list numbers = {.count = 0};
    struct cJSON *check;

    if (!is_plain(touch))
        return;
    anchors_effect(&touch->draft->anchors, touch->step, EFFECT_MAX, &numbers);
    if (!numbers.count && !touch->meaning)
        anchors_new_rows(&touch->draft->anchors, touch->step, &numbers);
    if (numbers.count) {
        check = json_add_object(any, NULL);
        json_add_string(check, "action",
                        action_kind_name(touch->step->step->action.kind));
        if (episode_evidence_in_window(touch->step))
            json_add_bool(check, "dialog", true);
        add_context(touch, check);
        proposal_draft_add_texts(check, "gets", &numbers);
    }
    text_list_release(&numbers);
}

/* Does it change what it acts on, rather than show more of it? */
static bool has_effect(const struct proposal_draft *draft,
                       const struct episode_evidence_step *step)
{
    const struct thesaurus_meaning *meaning =
        anchors_meaning(&draft->anchors, step);

    return key_effect_of(&draft->anchors, step) != KEY_EFFECT_NONE ||
           step->became.text[0] || step->on != TRI_STATE_EITHER ||
           (meaning && (meaning->commits || meaning->undone_by ||
                        !strcmp(meaning->is, "agree")));
}

/* Where its row tells what a control acts on, the page may be any. */
static const char *object_of(const struct proposal_draft *draft,
                             const struct episode_evidence_step *step,
                             bool is_name)
{
    struct text_list row = {.count = 0};
    bool in_row;

    if (!has_effect(draft, step))
        return NULL;
    row_words_find(&draft->anchors, step, &row);
    in_row = row.count > 0;
    text_list_release(&row);
    if (in_row || (is_name && !step->control.checkable))
        return NULL;
    return act_object_find(&draft->anchors, step);
}

static struct touch touch_of(const struct proposal_draft *draft,
                             size_t key_step)
{
    const struct episode_evidence_step *step =
        &draft->gold->steps[draft->key_steps.items[key_step].step];
    bool is_name = anchors_is_name(&draft->anchors, step);

    return (struct touch){
        .draft = draft,
        .key_step = key_step,
        .step = step,
        .is_name = is_name,
        .meaning = anchors_meaning(&draft->anchors, step),
        .object = object_of(draft, step, is_name),
    };
}

static void add_touch(const struct proposal_draft *draft, size_t key_step,
                      struct cJSON *need)
{
    const struct touch touch = touch_of(draft, key_step);
    struct cJSON *any = json_add_array(touch_add_lasting(&touch, need), "any");
    struct cJSON *check = json_add_object(any, NULL);

    touch_add_target(&touch, check);
    add_context(&touch, check);
    add_outcome(&touch, check);
    add_order(&touch, any);
    touch_add_effect(&touch, any);
    touch_add_undo(&touch, need, any);
    touch_add_object_loss(&touch, need);
}

/* ---- what was typed ---- */

static void add_words(const char *text, struct buf *pattern)
{
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);

    anchors_literal(text, &literal);
    buf_printf(pattern, "(?<![A-Za-z0-9])%.*s(?![A-Za-z0-9])",
               (int)literal.length - 2, buf_cstr(&literal) + 1);
    buf_release(&literal);
}

/* More words are better; digits must be equal. */
static void add_typed(const char *text, struct buf *pattern)
{
    if (anchors_has_letters(text))
        add_words(text, pattern);
    else
        anchors_literal(text, pattern);
}

/* What was looked up must be there, in whatever words. */
static void add_looked_up(const struct text_list *parts, struct buf *pattern)
{
    buf_text(pattern, "(?s)^");
    for (size_t i = 0; i < parts->count; i++) {
        buf_text(pattern, "(?=.*");
        add_words(parts->items[i], pattern);
        buf_byte(pattern, ')');
    }
}

static void add_typing(const struct proposal_draft *draft, size_t key_step,
                       struct cJSON *need)
{
    size_t step = draft->key_steps.items[key_step].step;
    const struct action *action = &draft->gold->steps[step].step->action;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *check = json_add_object(need, "check");
    struct text_list parts = {.count = 0};

    json_add_string(check, "action", action_kind_name(action->kind));
    if (action->kind == ACTION_TYPE && !action->secret && action->text &&
        action->text[0]) {
        looked_up_find(draft->gold, step, &parts);
        if (parts.count)
            add_looked_up(&parts, &pattern);
        else
            add_typed(action->text, &pattern);
        proposal_draft_add_pattern(check, "typed", &pattern);
    }
    text_list_release(&parts);
    buf_release(&pattern);
}

/* ---- the need ---- */

bool propose_is_hidden(const struct episode_evidence_step *step)
{
    return step->has_control && masked_text_is_one(step->what.label.name.text);
}

static bool is_dropped(const struct proposal_draft *draft, size_t key_step)
{
    const struct episode_evidence_step *step =
        &draft->gold->steps[draft->key_steps.items[key_step].step];
    enum action_kind kind = step->step->action.kind;

    /* The task has its own answer check, and complete is part of the ending. */
    return kind == ACTION_ANSWER || kind == ACTION_COMPLETE ||
           kind == ACTION_FAIL || propose_is_hidden(step) ||
           (key_step + 1 < draft->key_steps.count &&
            anchors_is_key(&draft->anchors, key_step));
}

/*
 * The first of the key steps that were done on the same page as this one, if
 * this one returns to where that page was opened: then it ends a form, and
 * depends on what was entered there, not on what was done before. 0: no form.
 */
static size_t first_of_form(const struct proposal_draft *draft, size_t key_step)
{
    const struct episode_evidence_step *steps = draft->gold->steps;
    const struct key_step *items = draft->key_steps.items;
    const struct episode_evidence_step *end = &steps[items[key_step].step];
    const struct tree *opened_on;
    size_t first = key_step;

    if (!end->before || !end->after)
        return 0;
    while (first > 0 &&
           is_same_page(steps[items[first - 1].step].after, end->before))
        first--;
    if (!first || first == key_step)
        return 0;
    opened_on = steps[items[first - 1].step + 1].before;
    return is_same_page(opened_on, end->after) &&
                   !is_same_page(opened_on, end->before)
               ? first
               : 0;
}

/* The key steps of the nearest earlier layer that has any left. */
static void add_after(const struct proposal_draft *draft, size_t key_step,
                      struct cJSON *need)
{
    const struct key_step *key_steps = draft->key_steps.items;
    const size_t first = first_of_form(draft, key_step);
    struct cJSON *after = NULL;
    size_t layer = 0;

    for (size_t k = key_step; k > first; k--) {
        char id[PROPOSE_NEED_ID_MAX];

        if (is_dropped(draft, k - 1) ||
            key_steps[k - 1].layer == key_steps[key_step].layer)
            continue;
        if (after && key_steps[k - 1].layer != layer)
            break;
        layer = key_steps[k - 1].layer;
        if (!after)
            after = json_add_array(need, "after");
        propose_need_id(k - 1, id);
        json_add_string(after, NULL, id);
    }
}

/* Does it only lead to another page, as to the cart? */
static bool is_way(const struct proposal_draft *draft,
                   const struct episode_evidence_step *step)
{
    const struct thesaurus_meaning *meaning =
        anchors_meaning(&draft->anchors, step);

    return meaning && meaning->settles && strcmp(meaning->is, "agree") != 0;
}

/* What ends a form comes after the key steps that filled it. */
static void add_after_form(const struct proposal_draft *draft, size_t key_step,
                           struct cJSON *need)
{
    const struct key_step *key_steps = draft->key_steps.items;
    const struct episode_evidence_step *steps = draft->gold->steps;
    const struct episode_evidence_step *step = &steps[key_steps[key_step].step];
    struct cJSON *after = NULL;

    if (!step->has_control || step->control.checkable ||
        is_same_page(step->before, step->after) || is_way(draft, step))
        return;
    for (size_t k = 0; k < key_step; k++) {
        char id[PROPOSE_NEED_ID_MAX];

        if (is_dropped(draft, k) ||
            !is_same_page(steps[key_steps[k].step].before, step->before))
            continue;
        if (!after)
            after = json_add_array(need, "after");
        propose_need_id(k, id);
        json_add_string(after, NULL, id);
    }
}

/* The action without its effect: "tapped 'Sort'". */
static void add_say(const struct episode_evidence_step *step,
                    struct cJSON *need)
{
    char *act = mem_dup_n(step->description, strcspn(step->description, ";"));

    json_add_string(need, "say", act);
    free(act);
}

void proposal_draft_add_key_step(struct proposal_draft *draft, size_t key_step)
{
    const struct episode_evidence_step *step =
        &draft->gold->steps[draft->key_steps.items[key_step].step];
    struct cJSON *need;
    char id[PROPOSE_NEED_ID_MAX];

    if (is_dropped(draft, key_step))
        return;
    need = json_add_object(draft->needs, NULL);
    propose_need_id(key_step, id);
    json_add_string(need, "id", id);
    add_say(step, need);
    if (draft->gold->task.kind == TASK_PROCESS)
        add_after(draft, key_step, need);
    else
        add_after_form(draft, key_step, need);
    if (step->has_control)
        add_touch(draft, key_step, need);
    else
        add_typing(draft, key_step, need);
}
