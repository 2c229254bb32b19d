/* Needs from the last screen, and from the phone's own state. */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/pattern.h"
#include "judge/propose_draft.h"

#define WORDS_MAX 4   /* names, and numbers, of the last screen */
#define PAGE_MAX 3    /* numbers by which a page is known */
#define VALUE_MAX 200 /* bytes of evidence; longer ones are no setting */
#define GROUPS_MAX 16
#define SIBLINGS_MAX 12

/* ---- words ---- */

/* A word on the last screen, as judge/words.h sees it. */
static void add_word(struct cJSON *all, const char *word)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *end;

    clues_literal(word, &literal);
    /* Without ^ and $. */
    buf_printf(&pattern, "(?<![\\w.,:])%.*s(?!\\w|[.,:]\\d)",
               (int)literal.length - 2, buf_cstr(&literal) + 1);
    end = json_add_object(json_add_object(all, NULL), "end");
    draft_add_pattern(end, "text", &pattern);
    buf_release(&pattern);
    buf_release(&literal);
}

/* Did the last star lead to the screen that is there at the end? */
static bool is_page_opened_last(const struct draft *draft)
{
    const struct dossier_step *step;

    if (!draft->stars.count)
        return false;
    step = &draft->gold->steps[draft->stars.items[draft->stars.count - 1].step];
    return step->has_control && step->before && step->after &&
           step->after == draft->gold->last &&
           !control_same_page(step->before, step->after);
}

static void add_words(const struct draft *draft, struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    struct texts words = {.count = 0};

    clues_names_on(&draft->clues, last, WORDS_MAX, &words);
    clues_numbers_on(&draft->clues, last, SIZE_MAX, WORDS_MAX, &words);
    clues_asked_numbers(&draft->clues, draft->gold->first, last, WORDS_MAX,
                        &words);
    if (is_page_opened_last(draft))
        clues_last_numbers(&draft->clues, PAGE_MAX, &words);
    for (size_t i = 0; i < words.count; i++)
        add_word(all, words.items[i]);
    texts_release(&words);
}

/* ---- states ---- */

/*
 * What can be checked, or is selected, and its state at the end. What is on,
 * and by a name that nobody knows elsewhere, cannot be asked for.
 */
static void add_state(const struct draft *draft, uint32_t node,
                      struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    enum check_state checked = control_checked(last, node);
    bool on = control_state(last, node) == CHECK_YES;
    struct label label;
    struct cJSON *part;
    struct cJSON *end;

    label_node(last, node, &label);
    if (on && !draft_meaning(draft, &label))
        return;
    part = json_add_object(all, NULL);
    draft_pattern(draft, &label, false, &pattern);
    end = json_add_object(on ? part : json_add_object(part, "not"), "end");
    draft_add_pattern(end, "text", &pattern);
    json_add_bool(end, checked == CHECK_EITHER ? "selected" : "checked", true);
    buf_release(&pattern);
}

/* With what was switched stand those that were left alone. */
static void add_group(const struct draft *draft, uint32_t node,
                      struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    uint32_t parent = last->nodes[node].parent;
    size_t count = 0;

    for (uint32_t i = parent + 1;
         i < last->nodes[parent].end && count < SIBLINGS_MAX;
         i = last->nodes[i].end) {
        struct control ignored;

        if (strcmp(last->nodes[i].class_name, last->nodes[node].class_name) !=
                0 ||
            !control_of(last, i, &ignored))
            continue;
        add_state(draft, i, all);
        count++;
    }
}

/* Where what a star switched is at the end; TREE_NONE: it is not in sight. */
static uint32_t find_switched(const struct draft *draft, size_t star)
{
    const struct tree *last = draft->gold->last;
    const struct dossier_step *step =
        &draft->gold->steps[draft->stars.items[star].step];
    uint32_t node;

    if (!last || !step->has_control || step->on == CHECK_EITHER ||
        step->became.text[0])
        return TREE_NONE;
    node = control_find(last, &step->control);
    if (node == TREE_NONE || last->nodes[node].parent == TREE_NONE ||
        control_state(last, node) != step->on)
        return TREE_NONE;
    return node;
}

static void add_states(const struct draft *draft, struct cJSON *all)
{
    uint32_t groups[GROUPS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < draft->stars.count && count < GROUPS_MAX; i++) {
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

void draft_add_end(struct draft *draft)
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

void draft_add_evidence(struct draft *draft)
{
    const struct task *task = &draft->gold->task;

    for (size_t i = 0; i < task->probe_count; i++) {
        const char *name = task->probes[i].name;
        const char *value = dossier_evidence(draft->gold, name, true);
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
        clues_literal(value, &pattern);
        draft_add_pattern(check, "is", &pattern);
        buf_release(&pattern);
    }
}

bool draft_evidence_tells(const struct draft *draft)
{
    const struct task *task = &draft->gold->task;

    for (size_t i = 0; i < task->probe_count; i++) {
        if (!task->probes[i].unchanged &&
            dossier_evidence(draft->gold, task->probes[i].name, true))
            return true;
    }
    return false;
}
