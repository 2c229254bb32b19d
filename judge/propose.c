#include "judge/propose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "judge/clues.h"
#include "judge/stars.h"
#include "judge/words.h"
#include "tasks/shapes.h"

#define NAMES_MAX 2   /* of a screen, that a step was done on */
#define NUMBERS_MAX 2 /* the same */
#define END_MAX 4     /* of each on the last screen */
#define VALUE_MAX 200 /* bytes of evidence; longer ones are no setting */
#define SIBLINGS_MAX 12

/* What is under way. */
struct draft {
    const struct dossier *gold;
    struct stars stars;
    struct clues clues;
    struct cJSON *needs;
};

/* ---- patterns ---- */

/* Names that say nothing by themselves: a letter, a picture. */
static bool is_short(const char *name)
{
    return strlen(name) <= 2 || !phrase_readable(name) ||
           (unsigned char)name[0] >= 0xf0;
}

/* By its meaning, or the first of its texts that has one. */
static const struct meaning *meaning_of(const struct draft *draft,
                                        const struct label *label)
{
    const struct meaning *found =
        thesaurus_find(draft->clues.thesaurus, label->name.text);

    for (unsigned i = 0;
         !found && is_short(label->name.text) && i < label->detail_count; i++)
        found = thesaurus_find(draft->clues.thesaurus, label->details[i].text);
    return found;
}

/* All that the thing may be called. */
static void make_pattern(const struct draft *draft, const struct label *label,
                         bool is_name, struct buf *pattern)
{
    const struct meaning *meaning = is_name ? NULL : meaning_of(draft, label);
    bool details = is_short(label->name.text) && label->detail_count;

    /* A letter may stand for several days: the longer text is better. */
    if (details)
        clues_literal(label->details[0].text, pattern);
    else
        clues_literal(label->name.text, pattern);
    if (!meaning)
        return;
    buf_byte(pattern, '|');
    thesaurus_pattern(meaning, pattern);
}

static bool add_pattern(struct cJSON *into, const char *key,
                        const struct buf *pattern)
{
    if (pattern->overflow || !pattern->length)
        return false;
    json_add_string(into, key, buf_cstr(pattern));
    return true;
}

static void add_texts(struct cJSON *into, const char *key,
                      const struct texts *texts)
{
    struct cJSON *array;

    if (!texts->count)
        return;
    array = json_add_array(into, key);
    for (size_t i = 0; i < texts->count; i++)
        json_add_string(array, NULL, texts->items[i]);
}

/* ---- one star ---- */

/* What the screen shows that the step was done on. */
static void add_context(const struct draft *draft, const struct star *star,
                        bool is_name, struct cJSON *check)
{
    const struct dossier_step *step = &draft->gold->steps[star->step];
    struct texts has = {.count = 0};

    if (!is_name)
        clues_names_on(&draft->clues, step->before, NAMES_MAX, &has);
    if (star->step > 0)
        clues_numbers_on(&draft->clues, step->before, star->step - 1,
                         NUMBERS_MAX, &has);
    add_texts(check, "has", &has);
    texts_release(&has);
}

/* The order that it brought things into tells as much as its name. */
static void add_effect(const struct draft *draft,
                       const struct dossier_step *step, bool is_name,
                       struct cJSON *any)
{
    struct texts order = {.count = 0};
    struct cJSON *check;

    if (is_name)
        return;
    clues_order_after(&draft->clues, step, &order);
    if (order.count) {
        check = json_add_object(any, NULL);
        json_add_string(check, "action", "click");
        add_texts(check, "gets", &order);
    }
    texts_release(&order);
}

static void add_touch(const struct draft *draft, const struct star *star,
                      struct cJSON *need)
{
    const struct dossier_step *step = &draft->gold->steps[star->step];
    bool is_name = clues_is_name(&draft->clues, step);
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *any = json_add_array(json_add_object(need, "check"), "any");
    struct cJSON *check = json_add_object(any, NULL);

    json_add_string(check, "action", action_kind_name(step->step->action.kind));
    make_pattern(draft, &step->what.label, is_name, &pattern);
    (void)add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    if (step->control.checkable && step->on != CHECK_EITHER)
        json_add_bool(check, "on", step->on == CHECK_YES);
    add_context(draft, star, is_name, check);
    add_effect(draft, step, is_name, any);
}

static void add_typing(const struct dossier_step *step, struct cJSON *need)
{
    const struct action *action = &step->step->action;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *check = json_add_object(need, "check");

    json_add_string(check, "action", action_kind_name(action->kind));
    if (action->text && action->text[0]) {
        clues_literal(action->text, &pattern);
        (void)add_pattern(check, "typed", &pattern);
    }
    buf_release(&pattern);
}

/* All stars of the layer before, which is in force only after its own. */
static void add_after(const struct draft *draft, size_t i, struct cJSON *need)
{
    const struct star *stars = draft->stars.items;
    struct cJSON *after = NULL;

    for (size_t k = 0; k < i; k++) {
        char id[24];

        if (stars[k].layer + 1 != stars[i].layer)
            continue;
        if (!after)
            after = json_add_array(need, "after");
        snprintf(id, sizeof(id), "star_%zu", k + 1);
        json_add_string(after, NULL, id);
    }
}

/* The act alone: "tapped 'Sort'". */
static void add_say(const struct dossier_step *step, struct cJSON *need)
{
    size_t length = strcspn(step->words, ";");
    char *act = mem_dup_n(step->words, length);

    json_add_string(need, "say", act);
    free(act);
}

static void add_star(struct draft *draft, size_t i)
{
    const struct star *star = &draft->stars.items[i];
    const struct dossier_step *step = &draft->gold->steps[star->step];
    enum action_kind kind = step->step->action.kind;
    struct cJSON *need;
    char id[24];

    /* The task knows its own answer, and the end is told by the ending. */
    if (kind == ACTION_ANSWER || kind == ACTION_COMPLETE || kind == ACTION_FAIL)
        return;
    need = json_add_object(draft->needs, NULL);
    snprintf(id, sizeof(id), "star_%zu", i + 1);
    json_add_string(need, "id", id);
    add_say(step, need);
    add_after(draft, i, need);
    if (step->has_control)
        add_touch(draft, star, need);
    else
        add_typing(step, need);
}

/* ---- the end ---- */

/* A word on the last screen, as judge/words.h sees it. */
static void add_end_word(struct cJSON *all, const char *word)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *end;

    clues_literal(word, &literal);
    /* Without ^ and $. */
    buf_printf(&pattern, "(?<![\\w.,:])%.*s(?!\\w|[.,:]\\d)",
               (int)literal.length - 2, buf_cstr(&literal) + 1);
    end = json_add_object(json_add_object(all, NULL), "end");
    (void)add_pattern(end, "text", &pattern);
    buf_release(&pattern);
    buf_release(&literal);
}

static void add_end_words(const struct draft *draft, struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    struct texts words = {.count = 0};

    clues_names_on(&draft->clues, last, END_MAX, &words);
    clues_numbers_on(&draft->clues, last, draft->gold->count, END_MAX, &words);
    for (size_t i = 0; i < words.count; i++)
        add_end_word(all, words.items[i]);
    texts_release(&words);
}

/* What can be checked, or is selected, and its state at the end. */
static void add_end_state(const struct draft *draft, uint32_t node,
                          struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    enum check_state checked = control_checked(last, node);
    bool on = control_state(last, node) == CHECK_YES;
    struct cJSON *part = json_add_object(all, NULL);
    struct label label;
    struct cJSON *end;

    label_node(last, node, &label);
    make_pattern(draft, &label, false, &pattern);
    end = json_add_object(on ? part : json_add_object(part, "not"), "end");
    (void)add_pattern(end, "text", &pattern);
    json_add_bool(end, checked == CHECK_EITHER ? "selected" : "checked", true);
    buf_release(&pattern);
}

/* With what was switched stand those that were left alone. */
static void add_end_siblings(const struct draft *draft, uint32_t node,
                             struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    uint32_t parent = last->nodes[node].parent;
    size_t count = 0;

    if (parent == TREE_NONE)
        return;
    for (uint32_t i = parent + 1;
         i < last->nodes[parent].end && count < SIBLINGS_MAX;
         i = last->nodes[i].end) {
        struct control ignored;

        if (strcmp(last->nodes[i].class_name, last->nodes[node].class_name) ||
            !control_of(last, i, &ignored))
            continue;
        add_end_state(draft, i, all);
        count++;
    }
}

static void add_end_states(const struct draft *draft, struct cJSON *all)
{
    const struct tree *last = draft->gold->last;
    uint32_t parents[16];
    size_t parent_count = 0;

    for (size_t i = 0; last && i < draft->stars.count; i++) {
        const struct dossier_step *step =
            &draft->gold->steps[draft->stars.items[i].step];
        uint32_t node;
        size_t k = 0;

        if (!step->has_control || step->on == CHECK_EITHER ||
            step->became.text[0])
            continue;
        node = control_find(last, &step->control);
        if (node == TREE_NONE || control_state(last, node) != step->on)
            continue;
        while (k < parent_count && parents[k] != last->nodes[node].parent)
            k++;
        if (k < parent_count || parent_count == 16)
            continue;
        parents[parent_count++] = last->nodes[node].parent;
        add_end_siblings(draft, node, all);
    }
}

static void add_end(struct draft *draft)
{
    struct cJSON *need = json_new_object();
    struct cJSON *all;

    json_add_string(need, "id", "end");
    json_add_string(need, "say", "the last screen shows what was done");
    all = json_add_array(json_add_object(need, "check"), "all");
    add_end_words(draft, all);
    add_end_states(draft, all);
    if (cJSON_GetArraySize(all))
        cJSON_AddItemToArray(draft->needs, need);
    else
        cJSON_Delete(need);
}

/* ---- evidence ---- */

static void add_evidence(struct draft *draft)
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
        (void)add_pattern(check, "is", &pattern);
        buf_release(&pattern);
    }
}

/* Is there any that was not only asked for because it must not change? */
static bool evidence_tells(const struct dossier *gold)
{
    for (size_t i = 0; i < gold->task.probe_count; i++) {
        if (!gold->task.probes[i].unchanged &&
            dossier_evidence(gold, gold->task.probes[i].name, true))
            return true;
    }
    return false;
}

/* ---- the whole ---- */

static void write_needs(struct draft *draft)
{
    bool state = draft->gold->task.kind == TASK_STATE;
    bool told = evidence_tells(draft->gold);

    if (!state || !told)
        add_end(draft);
    if (state && (told || cJSON_GetArraySize(draft->needs))) {
        add_evidence(draft);
        return;
    }
    for (size_t i = 0; i < draft->stars.count; i++)
        add_star(draft, i);
    add_evidence(draft);
}

bool propose(const struct dossier *gold, struct proposal *proposal,
             struct err *err)
{
    struct draft draft = {.gold = gold, .needs = NULL};

    if (!stars_find(gold, &draft.stars, err))
        return false;
    draft.needs = json_new_array();
    clues_init(&draft.clues, gold, &draft.stars);
    write_needs(&draft);
    clues_release(&draft.clues);
    stars_release(&draft.stars);
    if (!cJSON_GetArraySize(draft.needs) &&
        gold->task.answer.kind == TASK_ANSWER_NONE) {
        cJSON_Delete(draft.needs);
        return err_set(err, ERR_INVALID, "the gold has no star");
    }
    proposal->needs = draft.needs;
    return true;
}

void proposal_release(struct proposal *proposal)
{
    cJSON_Delete(proposal->needs);
    proposal->needs = NULL;
}

static void put(struct task *task, const struct proposal_swap *swap)
{
    task->needs = swap->needs;
    task->need_count = swap->need_count;
    task->never = swap->never;
    task->never_count = swap->never_count;
    task->ordered = swap->ordered;
}

bool proposal_apply(const struct proposal *proposal, struct task *task,
                    struct proposal_swap *swap, struct err *err)
{
    struct json root = JSON_ROOT(proposal->needs);
    struct json need = JSON_NONE;

    *swap = (struct proposal_swap){task->needs, task->need_count, task->never,
                                   task->never_count, task->ordered};
    put(task, &(struct proposal_swap){.needs = NULL});
    task->needs = mem_new((size_t)cJSON_GetArraySize(proposal->needs) + 1,
                          sizeof(*task->needs));
    while (json_next(&root, &need)) {
        if (!shape_read(&need_shape, &need, &task->needs[task->need_count],
                        err)) {
            proposal_restore(task, swap);
            return err_wrap(err, "a need that was proposed");
        }
        task->need_count++;
    }
    return true;
}

void proposal_restore(struct task *task, const struct proposal_swap *swap)
{
    for (size_t i = 0; i < task->need_count; i++)
        shape_release(&need_shape, &task->needs[i]);
    free(task->needs);
    put(task, swap);
}
