#include "judge/gold/propose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "judge/gold/free_order.h"
#include "judge/gold/propose_draft.h"
#include "judge/rules/needs_check.h"
#include "tasks/task/task_struct_json.h"

/*
 * After the answer, or after switching a control whose state is checked, the
 * agent may have gone to another screen.
 */
static bool is_told_by_end(const struct proposal_draft *draft)
{
    const struct episode_evidence_step *last;

    if (!draft->key_steps.count ||
        draft->gold->task.answer.kind != TASK_ANSWER_NONE)
        return false;
    last =
        &draft->gold
             ->steps[draft->key_steps.items[draft->key_steps.count - 1].step];
    return !last->became.text[0] && last->on == TRI_STATE_EITHER;
}

/*
 * What was recorded of the phone is enough for a state. Otherwise the key steps
 * have brought it about, in any order.
 */
static void write_state(struct proposal_draft *draft)
{
    if (proposal_draft_evidence_tells(draft))
        return;
    for (size_t i = 0; i < draft->key_steps.count; i++)
        proposal_draft_add_key_step(draft, i);
    proposal_draft_add_items(draft);
    proposal_draft_add_amounts(draft);
    if (is_told_by_end(draft))
        proposal_draft_add_end(draft);
}

static void write_process(struct proposal_draft *draft)
{
    for (size_t i = 0; i < draft->key_steps.count; i++)
        proposal_draft_add_key_step(draft, i);
    proposal_draft_add_items(draft);
    proposal_draft_add_amounts(draft);
    if (is_told_by_end(draft))
        proposal_draft_add_end(draft);
}

static void write_needs(struct proposal_draft *draft)
{
    bool state = draft->gold->task.kind == TASK_STATE;

    if (state)
        write_state(draft);
    proposal_draft_add_evidence(draft);
    if (!state || !cJSON_GetArraySize(draft->needs))
        write_process(draft);
}

/* Numbers are written in various ways, so the rules compare them as numbers. */
static struct cJSON *read_again(struct cJSON *needs)
{
    struct buf text = BUF_INIT(JSON_SIZE_MAX);
    struct cJSON *tree = NULL;
    struct err ignored;

    json_format(needs, &text);
    cJSON_Delete(needs);
    if (!json_parse(buf_cstr(&text), text.length, &tree, &ignored))
        tree = json_new_array();
    buf_release(&text);
    return tree;
}

void propose_need_id(size_t key_step, char id[PROPOSE_NEED_ID_MAX])
{
    snprintf(id, PROPOSE_NEED_ID_MAX, "star_%zu", key_step + 1);
}

void proposal_release(struct proposal *proposal)
{
    cJSON_Delete(proposal->needs);
    proposal->needs = NULL;
}

/* Nothing may come after a need that is not there. */
static void forget_need(struct cJSON *needs, const char *id)
{
    struct cJSON *need;

    cJSON_ArrayForEach(need, needs)
    {
        struct cJSON *after = cJSON_GetObjectItemCaseSensitive(need, "after");

        for (int i = cJSON_GetArraySize(after); i > 0; i--) {
            if (!strcmp(cJSON_GetArrayItem(after, i - 1)->valuestring, id))
                cJSON_DeleteItemFromArray(after, i - 1);
        }
        if (after && !cJSON_GetArraySize(after))
            cJSON_DeleteItemFromObjectCaseSensitive(need, "after");
    }
}

void proposal_remove(struct proposal *proposal, size_t need)
{
    struct cJSON *removed =
        cJSON_DetachItemFromArray(proposal->needs, (int)need);
    const struct cJSON *id = cJSON_GetObjectItemCaseSensitive(removed, "id");

    if (id)
        forget_need(proposal->needs, id->valuestring);
    cJSON_Delete(removed);
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
        if (!struct_json_read(&need_struct_json, &need,
                              &task->needs[task->need_count], err)) {
            proposal_restore(task, swap);
            return err_wrap(err, "a proposed need");
        }
        task->need_count++;
    }
    return true;
}

void proposal_restore(struct task *task, const struct proposal_swap *swap)
{
    for (size_t i = 0; i < task->need_count; i++)
        struct_json_release(&need_struct_json, &task->needs[i]);
    free(task->needs);
    put(task, swap);
}

/* ---- what the gold itself does not meet ---- */

/*
 * What the gold undoes itself undoes nothing, what it did not do exactly as
 * often as counted does not count, and an order that it does not keep is none.
 * Returns whether that changed anything.
 */
static bool weaken(struct proposal *proposal, size_t place)
{
    static const char *const members[] = {"undone_by", "after"};
    struct cJSON *need = cJSON_GetArrayItem(proposal->needs, (int)place);

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        if (cJSON_GetObjectItemCaseSensitive(need, members[i])) {
            cJSON_DeleteItemFromObjectCaseSensitive(need, members[i]);
            return true;
        }
    }
    if (cJSON_GetObjectItemCaseSensitive(need, "id"))
        return false;
    proposal_remove(proposal, place);
    return true;
}

static bool weaken_unmet(const struct verdict *verdict,
                         struct proposal *proposal)
{
    bool changed = false;

    for (size_t i = verdict->need_count; i > 0; i--) {
        if (!verdict->needs[i - 1].met && weaken(proposal, i - 1))
            changed = true;
    }
    return changed;
}

/* The verdict on the gold itself, of its needs alone. */
static bool look_at_gold(const struct episode_evidence *gold,
                         const struct proposal *proposal,
                         struct verdict *verdict, struct err *err)
{
    struct episode_evidence evidence = *gold;
    struct needs_check needs;
    struct proposal_swap swap;
    bool done;

    if (!proposal_apply(proposal, &evidence.task, &swap, err))
        return false;
    done = needs_check_open(&evidence, &needs, err);
    if (done) {
        needs_check_tell(&needs, verdict);
        needs_check_release(&needs);
    }
    proposal_restore(&evidence.task, &swap);
    return done;
}

static bool hold_against_gold(const struct episode_evidence *gold,
                              struct proposal *proposal, struct err *err)
{
    bool changed = true;

    while (changed) {
        struct verdict verdict = VERDICT_INIT;

        if (!look_at_gold(gold, proposal, &verdict, err))
            return false;
        changed = weaken_unmet(&verdict, proposal);
        verdict_release(&verdict);
    }
    return true;
}

/* ---- what the gold does twice ---- */

/* Other names with the same meaning may have another one elsewhere. */
static bool is_same_name(const struct episode_evidence_step *a,
                         const struct episode_evidence_step *b)
{
    return a->has_control && b->has_control &&
           !strcmp(a->what.label.name.text, b->what.label.name.text);
}

/*
 * The last step before a key step that meets its check as well, such as the
 * button that asks before it deletes; the step itself: none. Where key steps
 * have an order, that tells earlier steps apart.
 */
static size_t find_lead(const struct needs_check *needs, size_t need,
                        const struct key_steps *key_steps, size_t key_step)
{
    bool ordered = needs->views[need].need->after.count > 0;
    size_t step = key_steps->items[key_step].step;
    size_t first =
        ordered && key_step ? key_steps->items[key_step - 1].step + 1 : 0;

    for (size_t i = step; i > first; i--) {
        if (needs->views[need].moments.happens[i - 1] &&
            is_same_name(&needs->evidence->steps[i - 1],
                         &needs->evidence->steps[step]))
            return i - 1;
    }
    return step;
}

static void add_after_id(struct cJSON *need, const char *id)
{
    struct cJSON *after = cJSON_GetObjectItemCaseSensitive(need, "after");

    json_add_string(after ? after : json_add_array(need, "after"), NULL, id);
}

/* The same must have been done once before. */
static void add_lead(const struct episode_evidence_step *step,
                     struct cJSON *needs, size_t place, size_t key_step)
{
    struct cJSON *need = cJSON_GetArrayItem(needs, (int)place);
    struct cJSON *after = cJSON_GetObjectItemCaseSensitive(need, "after");
    struct cJSON *check = cJSON_GetObjectItemCaseSensitive(need, "check");
    struct cJSON *lead = json_add_object(needs, NULL);
    char id[PROPOSE_NEED_ID_MAX];

    snprintf(id, sizeof(id), "lead_%zu", key_step + 1);
    json_add_string(lead, "id", id);
    json_add_string(lead, "say", step->what.text);
    if (after)
        cJSON_AddItemToObject(lead, "after", cJSON_Duplicate(after, true));
    cJSON_AddItemToObject(lead, "check", cJSON_Duplicate(check, true));
    add_after_id(need, id);
}

static size_t place_of(const struct needs_check *needs, const char *id)
{
    size_t i = 0;

    while (i < needs->count && (!needs->views[i].need->id ||
                                strcmp(needs->views[i].need->id, id) != 0))
        i++;
    return i;
}

/* The id of the key step that a step is; false: it is none. */
static bool find_key_step(const struct key_steps *key_steps, size_t step,
                          char id[PROPOSE_NEED_ID_MAX])
{
    for (size_t i = 0; i < key_steps->count; i++) {
        if (key_steps->items[i].step == step) {
            propose_need_id(i, id);
            return true;
        }
    }
    return false;
}

static void add_leads(const struct needs_check *needs,
                      const struct key_steps *key_steps,
                      struct proposal *proposal)
{
    for (size_t i = 0; i < key_steps->count; i++) {
        char id[PROPOSE_NEED_ID_MAX];
        size_t need;
        size_t lead;

        propose_need_id(i, id);
        need = place_of(needs, id);
        if (need == needs->count)
            continue;
        lead = find_lead(needs, need, key_steps, i);
        if (lead == key_steps->items[i].step)
            continue;
        if (find_key_step(key_steps, lead, id))
            add_after_id(cJSON_GetArrayItem(proposal->needs, (int)need), id);
        else
            add_lead(&needs->evidence->steps[lead], proposal->needs, need, i);
    }
}

static bool ask_for_leads(const struct episode_evidence *gold,
                          const struct key_steps *key_steps,
                          struct proposal *proposal, struct err *err)
{
    struct episode_evidence evidence = *gold;
    struct proposal_swap swap;
    struct needs_check needs;
    bool done;

    if (!proposal_apply(proposal, &evidence.task, &swap, err))
        return false;
    done = needs_check_open(&evidence, &needs, err);
    if (done) {
        add_leads(&needs, key_steps, proposal);
        needs_check_release(&needs);
    }
    proposal_restore(&evidence.task, &swap);
    return done;
}

/* ---- the proposal ---- */

bool propose(const struct episode_evidence *gold, struct proposal *proposal,
             struct err *err)
{
    struct proposal_draft draft = {.gold = gold, .needs = NULL};
    struct proposal made;
    bool done;

    if (!key_steps_find(gold, &draft.key_steps, err))
        return false;
    free_order_merge(gold, &draft.key_steps);
    draft.needs = json_new_array();
    anchors_init(&draft.anchors, gold, &draft.key_steps);
    write_needs(&draft);
    anchors_release(&draft.anchors);
    made.needs = read_again(draft.needs);
    if (!cJSON_GetArraySize(made.needs) &&
        gold->task.answer.kind == TASK_ANSWER_NONE)
        done = err_set(err, ERR_INVALID,
                       "the gold has no step with \"key_step\": true");
    else
        done = ask_for_leads(gold, &draft.key_steps, &made, err) &&
               hold_against_gold(gold, &made, err);
    key_steps_release(&draft.key_steps);
    if (done)
        *proposal = made;
    else
        proposal_release(&made);
    return done;
}
