/* Needs from key steps. */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/regex.h"
#include "judge/evidence/screen_words.h"
#include "judge/gold/key_effect.h"
#include "judge/gold/propose.h"
#include "judge/gold/propose_draft.h"
#include "judge/gold/row_words.h"
#include "process_provider/describe/node_context.h"

#define NAMES_MAX 2   /* names of the screen that a step was done on */
#define NUMBERS_MAX 2 /* numbers of the same */
#define EFFECT_MAX 2  /* numbers that identify an effect */

/* ---- what was touched ---- */

/* A key step under construction. */
struct touch {
    const struct proposal_draft *draft;
    size_t key_step;
    const struct episode_evidence_step *step;
    bool is_name;
    const struct thesaurus_meaning *meaning; /* NULL: it has none */
};

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
static void add_target(const struct touch *touch, struct cJSON *check)
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
    if (node_context_is_dialog(step->before, step->what.target.node))
        json_add_bool(check, "dialog", true);
    if (touch->meaning && touch->meaning->adds_up)
        add_times(touch, check);
}

/* What the screen shows that the step was done on. */
static void add_context(const struct touch *touch, struct cJSON *check)
{
    const struct anchors *anchors = &touch->draft->anchors;
    const struct key_step *key_step =
        &touch->draft->key_steps.items[touch->key_step];
    struct text_list has = {.count = 0};

    if (!touch->is_name)
        anchors_names_on(anchors, touch->step->before, NAMES_MAX, &has);
    anchors_numbers_on(anchors, touch->step->before, key_step->layer,
                       NUMBERS_MAX, &has);
    proposal_draft_add_texts(check, "has", &has);
    text_list_release(&has);
}

/* Is the answer the only step left? */
static bool is_before_answer(const struct touch *touch)
{
    const struct proposal_draft *draft = touch->draft;
    size_t next = touch->key_step + 1;

    return next < draft->key_steps.count &&
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
        (touch->key_step &&
         anchors_is_key(&touch->draft->anchors, touch->key_step - 1)))
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
static void add_effect(const struct touch *touch, struct cJSON *any)
{
    struct text_list numbers = {.count = 0};
    struct cJSON *check;

    if (!is_plain(touch))
        return;
    anchors_effect(&touch->draft->anchors, touch->step, EFFECT_MAX, &numbers);
    if (numbers.count) {
        check = json_add_object(any, NULL);
        json_add_string(check, "action",
                        action_kind_name(touch->step->step->action.kind));
        if (node_context_is_dialog(touch->step->before,
                                   touch->step->what.target.node))
            json_add_bool(check, "dialog", true);
        if (touch->draft->gold->task.kind == TASK_PROCESS)
            add_context(touch, check);
        proposal_draft_add_texts(check, "gets", &numbers);
    }
    text_list_release(&numbers);
}

/* Is the opposite step required by a later key step? */
static bool is_taken_back(const struct touch *touch)
{
    const struct proposal_draft *draft = touch->draft;

    for (size_t i = touch->key_step + 1; i < draft->key_steps.count; i++) {
        const struct episode_evidence_step *later =
            &draft->gold->steps[draft->key_steps.items[i].step];
        const struct thesaurus_meaning *meaning =
            later->has_control ? anchors_meaning(&draft->anchors, later) : NULL;

        if (meaning && !strcmp(meaning->is, touch->meaning->undone_by))
            return true;
    }
    return false;
}

/* Did gold search for what is sorted or filtered here? */
static bool is_of_search(const struct touch *touch)
{
    const struct proposal_draft *draft = touch->draft;

    for (size_t i = 0; i < touch->key_step; i++) {
        if (episode_evidence_submits(draft->gold,
                                     draft->key_steps.items[i].step))
            return true;
    }
    return false;
}

/* A tap on a control with the opposite meaning. */
static struct cJSON *add_tap(const struct thesaurus_meaning *meaning,
                             struct cJSON *check)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    json_add_string(check, "action", "click");
    thesaurus_pattern(meaning, &pattern);
    proposal_draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    return check;
}

/* The same on a control with exactly that name. */
static void add_act(const char *action, const char *name, struct cJSON *check)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    json_add_string(check, "action", action);
    anchors_literal(name, &pattern);
    proposal_draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
}

static bool collects(const struct touch *touch)
{
    return touch->meaning && touch->meaning->collects;
}

/* Where the item that gold did this to is visible. */
static void add_names(const struct touch *touch, struct cJSON *check)
{
    struct text_list names = {.count = 0};

    anchors_names_on(&touch->draft->anchors, touch->step->before, NAMES_MAX,
                     &names);
    proposal_draft_add_texts(check, "has", &names);
    text_list_release(&names);
}

/* For content, where it is visible; or a long press on it. */
static void add_opposite(const struct touch *touch,
                         const struct thesaurus_meaning *opposite,
                         struct cJSON *need)
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
        json_add_array(add_tap(opposite, json_add_object(any, NULL)), "row"),
        NULL, name);
    add_act("long_press", name, json_add_object(any, NULL));
}

/*
 * The name by which gold opened the list that is sorted or filtered here: the
 * key step before it, if that is a name and no later step taps the same; NULL:
 * none.
 */
static const struct episode_evidence_step *opener_of(const struct touch *touch)
{
    const struct episode_evidence *gold = touch->draft->gold;
    const struct key_step *key_steps = touch->draft->key_steps.items;
    const struct episode_evidence_step *opener;
    size_t before = touch->key_step;

    while (before > 0 &&
           key_steps[before].layer == key_steps[touch->key_step].layer)
        before--;
    opener = &gold->steps[key_steps[before].step];
    if (key_steps[before].layer == key_steps[touch->key_step].layer ||
        !opener->has_control ||
        !anchors_is_name(&touch->draft->anchors, opener))
        return NULL;
    for (const struct episode_evidence_step *later = touch->step + 1;
         later < gold->steps + gold->count; later++) {
        if (later->has_control &&
            !strcmp(later->what.label.name.text, opener->what.label.name.text))
            return NULL;
    }
    return opener;
}

/*
 * Sorting and filtering are lost after a reset, after a new search, or when the
 * list is opened again.
 */
static void add_disarray(const struct touch *touch, struct cJSON *need)
{
    const struct thesaurus_meaning *reset =
        thesaurus_get(touch->draft->anchors.thesaurus, "set back");
    const struct episode_evidence_step *opener = opener_of(touch);
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

/* The check that undoes it, if gold does not undo it as well; NULL: none. */
static const struct thesaurus_meaning *opposite_of(const struct touch *touch)
{
    struct thesaurus *thesaurus = touch->draft->anchors.thesaurus;

    if (touch->is_name)
        return thesaurus_get(thesaurus, "remove");
    if (!touch->meaning || !touch->meaning->undone_by || is_taken_back(touch))
        return NULL;
    return thesaurus_get(thesaurus, touch->meaning->undone_by);
}

/*
 * A step that can be undone must have been done as in gold at some time, and
 * must have been done last. A new search does not keep the order of the one
 * before it.
 */
static struct cJSON *add_lasting(const struct touch *touch, struct cJSON *need)
{
    const struct thesaurus_meaning *opposite = opposite_of(touch);
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
    };
}

/*
 * Where the screen offers to undo the step, that undoes it, and doing it again
 * with the button for that does it.
 */
static void add_undo(const struct touch *touch, struct cJSON *need,
                     struct cJSON *any)
{
    struct thesaurus *thesaurus = touch->draft->anchors.thesaurus;
    struct cJSON *all;

    if (cJSON_GetObjectItemCaseSensitive(need, "undone_by") ||
        !key_effect_may_be_undone(&touch->draft->anchors, touch->step))
        return;
    (void)add_tap(thesaurus_get(thesaurus, "undo"),
                  json_add_object(need, "undone_by"));
    all = json_add_array(json_add_object(any, NULL), "all");
    add_target(touch, json_add_object(json_add_object(all, NULL), "once"));
    (void)add_tap(thesaurus_get(thesaurus, "redo"), json_add_object(all, NULL));
}

static void add_touch(const struct proposal_draft *draft, size_t key_step,
                      struct cJSON *need)
{
    const struct touch touch = touch_of(draft, key_step);
    struct cJSON *any = json_add_array(add_lasting(&touch, need), "any");
    struct cJSON *check = json_add_object(any, NULL);

    add_target(&touch, check);
    if (draft->gold->task.kind == TASK_PROCESS)
        add_context(&touch, check);
    add_outcome(&touch, check);
    add_order(&touch, any);
    add_effect(&touch, any);
    add_undo(&touch, need, any);
}

/* ---- what was typed ---- */

/* More words are better; digits must be equal. */
static void add_typed(const char *text, struct buf *pattern)
{
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);

    anchors_literal(text, &literal);
    if (anchors_has_letters(text))
        buf_printf(pattern, "(?<![A-Za-z0-9])%.*s(?![A-Za-z0-9])",
                   (int)literal.length - 2, buf_cstr(&literal) + 1);
    else
        buf_text(pattern, buf_cstr(&literal));
    buf_release(&literal);
}

static void add_typing(const struct episode_evidence_step *step,
                       struct cJSON *need)
{
    const struct action *action = &step->step->action;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *check = json_add_object(need, "check");

    json_add_string(check, "action", action_kind_name(action->kind));
    if (action->kind == ACTION_TYPE && !action->secret && action->text &&
        action->text[0]) {
        add_typed(action->text, &pattern);
        proposal_draft_add_pattern(check, "typed", &pattern);
    }
    buf_release(&pattern);
}

/* ---- the need ---- */

static bool is_dropped(const struct proposal_draft *draft, size_t key_step)
{
    enum action_kind kind =
        draft->gold->steps[draft->key_steps.items[key_step].step]
            .step->action.kind;

    /* The task has its own answer check, and complete is part of the ending. */
    return kind == ACTION_ANSWER || kind == ACTION_COMPLETE ||
           kind == ACTION_FAIL ||
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
    if (step->has_control)
        add_touch(draft, key_step, need);
    else
        add_typing(step, need);
}
