/* Needs from the last screen, and from the recorded state of the phone. */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/regex.h"
#include "judge/evidence/screen_words.h"
#include "judge/gold/propose_draft.h"

#define WORDS_MAX 4   /* limit for names, and for numbers, of the last screen */
#define PAGE_MAX 3    /* numbers that identify a page */
#define VALUE_MAX 200 /* bytes of evidence; longer ones are not a setting */
#define GROUPS_MAX 16
#define SIBLINGS_MAX 12
#define CONTROLS_MAX 4 /* that identify a page */

/* ---- words ---- */

/* A word on the last screen, as judge/evidence/screen_words.h sees it. */
static void add_word(struct cJSON *all, const char *word)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *end;

    anchors_literal(word, &literal);
    /* Without ^ and $. */
    buf_printf(&pattern, "(?<![A-Za-z0-9_.,:])%.*s(?![A-Za-z0-9_]|[.,:]\\d)",
               (int)literal.length - 2, buf_cstr(&literal) + 1);
    end = json_add_object(json_add_object(all, NULL), "end");
    proposal_draft_add_pattern(end, "text", &pattern);
    buf_release(&pattern);
    buf_release(&literal);
}

static const struct episode_evidence_step *last_key_step(
    const struct proposal_draft *draft)
{
    const struct key_steps *key_steps = &draft->key_steps;

    return &draft->gold->steps[key_steps->items[key_steps->count - 1].step];
}

/* Did the last key step lead to the last screen? */
static bool is_page_opened_last(const struct proposal_draft *draft)
{
    const struct episode_evidence_step *step;

    if (!draft->key_steps.count)
        return false;
    step = last_key_step(draft);
    return step->has_control && step->before && step->after &&
           step->after == draft->gold->last &&
           !screen_control_same_page(step->before, step->after);
}

/* Is there a control with that meaning? */
static bool has_meaning(const struct proposal_draft *draft,
                        const struct tree *tree,
                        const struct thesaurus_meaning *meaning)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        struct node_label label;

        if (!tree->nodes[i].takes_taps)
            continue;
        node_label_of(tree, i, &label);
        if (label.source != NODE_LABEL_NONE &&
            anchors_meaning_of(&draft->anchors, &label) == meaning)
            return true;
    }
    return false;
}

/*
 * A page that was opened last is still open: it has one of the controls that
 * the screen before it did not have.
 */
static void add_page(const struct proposal_draft *draft, struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    const struct tree *before = last_key_step(draft)->before;
    struct cJSON *any = json_new_array();

    for (uint32_t i = 0;
         i < last->count && cJSON_GetArraySize(any) < CONTROLS_MAX; i++) {
        const struct thesaurus_meaning *meaning;
        struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
        struct node_label label;

        if (!last->nodes[i].takes_taps)
            continue;
        node_label_of(last, i, &label);
        meaning = label.source == NODE_LABEL_NONE
                      ? NULL
                      : anchors_meaning_of(&draft->anchors, &label);
        if (!meaning || has_meaning(draft, before, meaning))
            continue;
        proposal_draft_pattern_of(draft, last, i, meaning, &pattern);
        proposal_draft_add_pattern(
            json_add_object(json_add_object(any, NULL), "end"), "text",
            &pattern);
        buf_release(&pattern);
    }
    if (cJSON_GetArraySize(any))
        cJSON_AddItemToObject(json_add_object(all, NULL), "any", any);
    else
        cJSON_Delete(any);
}

/* Does the screen before the last key step show all these words as well? */
static bool are_shown_before(const struct proposal_draft *draft,
                             const struct text_list *words)
{
    const struct tree *before = last_key_step(draft)->before;

    for (size_t i = 0; i < words->count; i++) {
        if (screen_words_find(before, words->items[i], 0) == TREE_NONE)
            return false;
    }
    return true;
}

static void add_words(const struct proposal_draft *draft, struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    struct text_list words = {.count = 0};

    anchors_names_on(&draft->anchors, last, WORDS_MAX, &words);
    anchors_numbers_on(&draft->anchors, last, SIZE_MAX, WORDS_MAX, &words);
    anchors_asked_numbers(&draft->anchors, draft->gold->first, last, WORDS_MAX,
                          &words);
    if (is_page_opened_last(draft))
        anchors_last_numbers(&draft->anchors, PAGE_MAX, &words);
    for (size_t i = 0; i < words.count; i++)
        add_word(all, words.items[i]);
    if (is_page_opened_last(draft) && are_shown_before(draft, &words))
        add_page(draft, all);
    text_list_release(&words);
}

/* ---- states ---- */

/*
 * Controls that can be checked, or are selected, with their state at the end. A
 * control that is on, with a name that is not in the thesaurus, cannot be
 * required.
 */
static void add_state(const struct proposal_draft *draft, uint32_t node,
                      struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    enum tri_state checked = screen_control_checked(last, node);
    bool on = screen_control_state(last, node) == TRI_STATE_YES;
    const struct thesaurus_meaning *meaning;
    struct node_label label;
    struct cJSON *part;
    struct cJSON *end;

    node_label_of(last, node, &label);
    meaning = anchors_meaning_of(&draft->anchors, &label);
    if (on && !meaning)
        return;
    part = json_add_object(all, NULL);
    proposal_draft_pattern_of(draft, last, node, meaning, &pattern);
    end = json_add_object(on ? part : json_add_object(part, "not"), "end");
    proposal_draft_add_pattern(end, "text", &pattern);
    json_add_bool(end, checked == TRI_STATE_EITHER ? "selected" : "checked",
                  true);
    buf_release(&pattern);
}

/* With the switched controls come those that were left alone. */
static void add_group(const struct proposal_draft *draft, uint32_t node,
                      struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    uint32_t parent = last->nodes[node].parent;
    size_t count = 0;

    for (uint32_t i = parent + 1;
         i < last->nodes[parent].end && count < SIBLINGS_MAX;
         i = last->nodes[i].end) {
        struct screen_control ignored;

        if (strcmp(last->nodes[i].class_name, last->nodes[node].class_name) !=
                0 ||
            !screen_control_of(last, i, &ignored))
            continue;
        add_state(draft, i, all);
        count++;
    }
}

/* The node of a switched control at the end; TREE_NONE: not in sight. */
static uint32_t find_switched(const struct proposal_draft *draft,
                              size_t key_step)
{
    const struct tree *last = draft->gold->last;
    const struct episode_evidence_step *step =
        &draft->gold->steps[draft->key_steps.items[key_step].step];
    uint32_t node;

    if (!last || !step->has_control || step->on == TRI_STATE_EITHER ||
        step->became.text[0])
        return TREE_NONE;
    node = screen_control_find(last, &step->control);
    if (node == TREE_NONE || last->nodes[node].parent == TREE_NONE ||
        screen_control_state(last, node) != step->on)
        return TREE_NONE;
    return node;
}

static void add_states(const struct proposal_draft *draft, struct cJSON *all)
{
    uint32_t groups[GROUPS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < draft->key_steps.count && count < GROUPS_MAX; i++) {
        uint32_t node = find_switched(draft, i);
        size_t k = 0;

        if (node == TREE_NONE)
            continue;
        while (k < count && groups[k] != draft->gold->last->nodes[node].parent)
            k++;
        if (k < count)
            continue;
        groups[count++] = draft->gold->last->nodes[node].parent;
        add_group(draft, node, all);
    }
}

void proposal_draft_add_end(struct proposal_draft *draft)
{
    struct cJSON *need = json_new_object();
    struct cJSON *all;

    json_add_string(need, "id", "end");
    json_add_string(need, "say", "the last screen shows what was done");
    all = json_add_array(json_add_object(need, "check"), "all");
    add_words(draft, all);
    add_states(draft, all);
    if (cJSON_GetArraySize(all))
        cJSON_AddItemToArray(draft->needs, need);
    else
        cJSON_Delete(need);
}

/* ---- evidence ---- */

void proposal_draft_add_evidence(struct proposal_draft *draft)
{
    const struct task *task = &draft->gold->task;

    for (size_t i = 0; i < task->probe_count; i++) {
        const char *name = task->probes[i].name;
        const char *value = episode_evidence_recorded(draft->gold, name, true);
        struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
        struct cJSON *need;
        struct cJSON *check;
        char text[128];

        if (!value || strlen(value) > VALUE_MAX)
            continue;
        need = json_add_object(draft->needs, NULL);
        snprintf(text, sizeof(text), "'%.80s' is as it was in the gold", name);
        json_add_string(need, "say", text);
        check = json_add_object(need, "check");
        json_add_string(check, "evidence", name);
        anchors_literal(value, &pattern);
        proposal_draft_add_pattern(check, "is", &pattern);
        buf_release(&pattern);
    }
}

bool proposal_draft_evidence_tells(const struct proposal_draft *draft)
{
    const struct task *task = &draft->gold->task;

    for (size_t i = 0; i < task->probe_count; i++) {
        if (!task->probes[i].unchanged &&
            episode_evidence_recorded(draft->gold, task->probes[i].name, true))
            return true;
    }
    return false;
}
