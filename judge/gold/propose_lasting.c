/* What undoes a key step, and how it is done again. */
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/regex.h"
#include "judge/gold/key_effect.h"
#include "judge/gold/propose_touch.h"

#define NAMES_MAX 2 /* names of the screen that a step was done on */

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

/* Names of that meaning which gold itself taps after the step: not to undo it.
 */
static void exclude_own(const struct touch *touch,
                        const struct thesaurus_meaning *opposite,
                        struct buf *pattern)
{
    const struct episode_evidence *gold = touch->draft->gold;
    struct thesaurus *thesaurus = touch->draft->anchors.thesaurus;

    for (const struct episode_evidence_step *later = touch->step + 1;
         later < gold->steps + gold->count; later++) {
        const char *name = later->what.label.name.text;

        if (!later->has_control || thesaurus_find(thesaurus, name) != opposite)
            continue;
        buf_text(pattern, "(?!");
        anchors_literal(name, pattern);
        buf_byte(pattern, ')');
    }
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
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *any;

    if (!touch->is_name) {
        json_add_string(undone, "action", "click");
        exclude_own(touch, opposite, &pattern);
        thesaurus_pattern(opposite, &pattern);
        proposal_draft_add_pattern(undone, "target", &pattern);
        buf_release(&pattern);
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
struct cJSON *touch_add_lasting(const struct touch *touch, struct cJSON *need)
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
    touch_add_target(touch, json_add_object(any, NULL));
    touch_add_effect(touch, any);
    return json_add_object(json_add_object(all, NULL), "once");
}

/* Either of what undoes it already, and what is added. */
static struct cJSON *undone_by_any(struct cJSON *need)
{
    struct cJSON *other =
        cJSON_DetachItemFromObjectCaseSensitive(need, "undone_by");
    struct cJSON *any =
        json_add_array(json_add_object(need, "undone_by"), "any");

    if (other && !cJSON_AddItemToArray(any, other))
        mem_out();
    return any;
}

void touch_add_object_loss(const struct touch *touch, struct cJSON *need)
{
    struct thesaurus *thesaurus = touch->draft->anchors.thesaurus;
    const struct thesaurus_meaning *remove = thesaurus_get(thesaurus, "remove");
    const struct thesaurus_meaning *cancel = thesaurus_get(thesaurus, "cancel");
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *any;
    struct cJSON *check;

    if (!touch->object || !remove || !cancel ||
        touch->step->what.role == ROLE_RADIO ||
        (touch->meaning &&
         (touch->meaning == remove || touch->meaning == cancel)))
        return;
    any = undone_by_any(need);
    check = add_tap(remove, json_add_object(any, NULL));
    json_add_bool(check, "dialog", true);
    json_add_string(json_add_array(check, "has"), NULL, touch->object);
    check = json_add_object(any, NULL);
    json_add_string(check, "action", "click");
    anchors_literal(touch->object, &literal);
    buf_printf(&pattern, "(?=.*%.*s)", (int)literal.length - 2,
               buf_cstr(&literal) + 1);
    thesaurus_pattern(cancel, &pattern);
    proposal_draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    buf_release(&literal);
}

/* Of several edits the last one is taken back first. */
static bool is_last_edit(const struct touch *touch)
{
    const struct proposal_draft *draft = touch->draft;

    for (size_t i = touch->key_step + 1; i < draft->key_steps.count; i++) {
        const struct episode_evidence_step *later =
            &draft->gold->steps[draft->key_steps.items[i].step];

        if (later->has_control && key_effect_is_edit(&draft->anchors, later))
            return false;
    }
    return key_effect_is_edit(&draft->anchors, touch->step);
}

void touch_add_undo(const struct touch *touch, struct cJSON *need,
                    struct cJSON *any)
{
    struct thesaurus *thesaurus = touch->draft->anchors.thesaurus;
    struct cJSON *all;

    if (cJSON_GetObjectItemCaseSensitive(need, "undone_by") ||
        !is_last_edit(touch))
        return;
    (void)add_tap(thesaurus_get(thesaurus, "undo"),
                  json_add_object(need, "undone_by"));
    all = json_add_array(json_add_object(any, NULL), "all");
    touch_add_target(touch,
                     json_add_object(json_add_object(all, NULL), "once"));
    (void)add_tap(thesaurus_get(thesaurus, "redo"), json_add_object(all, NULL));
}
