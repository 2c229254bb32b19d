#include "judge/gold/propose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
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
    proposal_draft_add_amounts(draft);
    if (is_told_by_end(draft))
        proposal_draft_add_end(draft);
}

static void write_process(struct proposal_draft *draft)
{
    for (size_t i = 0; i < draft->key_steps.count; i++)
        proposal_draft_add_key_step(draft, i);
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
 * What the gold undoes itself undoes nothing, and what it did not do exactly as
 * often as counted does not count. Returns whether that changed anything.
 */
static bool weaken(struct proposal *proposal, size_t place)
{
    struct cJSON *need = cJSON_GetArrayItem(proposal->needs, (int)place);

    if (cJSON_GetObjectItemCaseSensitive(need, "undone_by")) {
        cJSON_DeleteItemFromObjectCaseSensitive(need, "undone_by");
        return true;
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

/* ---- the proposal ---- */

bool propose(const struct episode_evidence *gold, struct proposal *proposal,
             struct err *err)
{
    struct proposal_draft draft = {.gold = gold, .needs = NULL};
    struct proposal made;

    if (!key_steps_find(gold, &draft.key_steps, err))
        return false;
    draft.needs = json_new_array();
    anchors_init(&draft.anchors, gold, &draft.key_steps);
    write_needs(&draft);
    anchors_release(&draft.anchors);
    key_steps_release(&draft.key_steps);
    if (!cJSON_GetArraySize(draft.needs) &&
        gold->task.answer.kind == TASK_ANSWER_NONE) {
        cJSON_Delete(draft.needs);
        return err_set(err, ERR_INVALID,
                       "the gold has no step with \"key_step\": true");
    }
    made.needs = read_again(draft.needs);
    if (!hold_against_gold(gold, &made, err)) {
        proposal_release(&made);
        return false;
    }
    *proposal = made;
    return true;
}
