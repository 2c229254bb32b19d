#include "judge/gold/prove.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/rules/rules_judge.h"

#define REASON_MAX 1024

void proof_release(struct proof *proof)
{
    for (size_t i = 0; i < proof->count; i++) {
        free(proof->rows[i].description);
        free(proof->rows[i].reason);
    }
    for (size_t i = 0; i < proof->need_count; i++)
        free(proof->needs[i].say);
    free(proof->rows);
    free(proof->needs);
    free(proof->reason);
    *proof = (struct proof){.count = 0};
}

/* ---- one twin ---- */

/* The need that was proposed for a key step; the verdict's count: none. */
static size_t need_of(const struct task *task, size_t key_step)
{
    char id[PROPOSE_NEED_ID_MAX];

    propose_need_id(key_step, id);
    for (size_t i = 0; i < task->need_count; i++) {
        if (task->needs[i].id && !strcmp(task->needs[i].id, id))
            return i;
    }
    return task->need_count;
}

/* The step that meets a need; NULL: the last screen does. */
static const struct episode_evidence_step *met_by(
    const struct twin *twin, const struct verdict_need *need)
{
    const struct episode_evidence_step *step;

    if (need->step < 0 || (size_t)need->step >= twin->evidence.count)
        return NULL;
    step = &twin->evidence.steps[need->step];
    return action_is_on_phone(step->step->action.kind) ? step : NULL;
}

/* Why no check tells the twin from the recording. */
static char *why_accepted(const struct twin *twin, const struct task *task,
                          const struct verdict *verdict)
{
    struct buf text = BUF_INIT(REASON_MAX);
    size_t place = need_of(task, twin->key_step);
    char *reason;

    if (place >= task->need_count) {
        buf_text(&text, "no check asks for this step");
    } else {
        const struct verdict_need *need = &verdict->needs[place];
        const struct episode_evidence_step *step = met_by(twin, need);

        buf_printf(&text, "the check \"%.200s\" is met by ", need->say);
        if (step)
            buf_printf(&text, "another step: %.400s", step->what.text);
        else
            buf_text(&text, "the last screen");
    }
    reason = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return reason;
}

static void count_broken(const struct verdict *verdict, struct proof *proof)
{
    for (size_t i = 0; i < proof->need_count && i < verdict->need_count; i++) {
        if (verdict->needs[i].known && !verdict->needs[i].met)
            proof->needs[i].refuses++;
    }
}

static bool judge_twin(const struct episode_evidence *recording,
                       const struct twin *twin, struct proof *proof,
                       struct err *err)
{
    struct episode_evidence evidence = twin->evidence;
    struct verdict verdict = VERDICT_INIT;
    struct proof_row *row = &proof->rows[proof->count];

    evidence.task = recording->task;
    if (!rules_judge(&evidence, &verdict, err)) {
        verdict_release(&verdict);
        return false;
    }
    count_broken(&verdict, proof);
    *row = (struct proof_row){
        .kind = twin->kind,
        .description = mem_dup(twin->description),
        .refused = verdict.outcome != OUTCOME_SUCCESS,
    };
    row->reason = row->refused ? mem_dup(verdict.reason ? verdict.reason : "")
                               : why_accepted(twin, &recording->task, &verdict);
    proof->count++;
    proof->refused += row->refused;
    verdict_release(&verdict);
    return true;
}

/* ---- all of them ---- */

static bool judge_recording(const struct episode_evidence *recording,
                            struct proof *proof, struct err *err)
{
    struct verdict verdict = VERDICT_INIT;
    bool done = rules_judge(recording, &verdict, err);

    if (done) {
        proof->accepted = verdict.outcome == OUTCOME_SUCCESS;
        proof->reason = mem_dup(verdict.reason ? verdict.reason : "");
    }
    verdict_release(&verdict);
    return done;
}

static void list_needs(const struct task *task, const char *locale,
                       struct proof *proof)
{
    proof->needs = mem_new(task->need_count + 1, sizeof(*proof->needs));
    for (size_t i = 0; i < task->need_count; i++) {
        const char *say = bilingual_text_in(&task->needs[i].say, locale);

        proof->needs[proof->need_count++].say = mem_dup(say ? say : "");
    }
}

static bool prove_task(const struct episode_evidence *recording,
                       const struct twins *twins, struct proof *proof,
                       struct err *err)
{
    struct key_steps key_steps;
    bool done;

    list_needs(&recording->task, recording->trajectory.head.locale, proof);
    if (!key_steps_find(recording, &key_steps, err))
        return false;
    done = judge_recording(recording, proof, err);
    for (size_t i = 0; done && i < twins->count; i++) {
        done = judge_twin(recording, &twins->items[i], proof, err);
        if (done && twins->items[i].key_step < key_steps.count)
            proof->rows[i].step =
                key_steps.items[twins->items[i].key_step].step;
    }
    key_steps_release(&key_steps);
    return done;
}

bool prove(struct episode_evidence *recording, const struct proposal *proposal,
           const struct twins *twins, struct proof *proof, struct err *err)
{
    struct proof made = {.rows = mem_new(twins->count + 1, sizeof(*made.rows))};
    struct proposal_swap swap;
    bool done;

    if (!proposal_apply(proposal, &recording->task, &swap, err)) {
        proof_release(&made);
        return false;
    }
    done = prove_task(recording, twins, &made, err);
    proposal_restore(&recording->task, &swap);
    if (done)
        *proof = made;
    else
        proof_release(&made);
    return done;
}

/* ---- checks that no twin can break ---- */

size_t prove_prune(const struct proof *proof, struct proposal *proposal)
{
    size_t removed = 0;

    for (size_t i = proof->need_count; i > 0; i--) {
        if (proof->needs[i - 1].refuses)
            continue;
        proposal_remove(proposal, i - 1);
        removed++;
    }
    return removed;
}

static bool prove_twins(struct episode_evidence *recording,
                        const struct twins *twins, struct proposal *proposal,
                        struct proof *proof, struct err *err)
{
    if (!prove(recording, proposal, twins, proof, err))
        return false;
    if (!prove_prune(proof, proposal))
        return true;
    proof_release(proof);
    return prove(recording, proposal, twins, proof, err);
}

bool prove_recording(struct episode_evidence *recording,
                     struct proposal *proposal, struct proof *proof,
                     struct err *err)
{
    struct key_steps key_steps;
    struct twins twins;
    bool done;

    if (!key_steps_find(recording, &key_steps, err))
        return false;
    done = propose(recording, proposal, err);
    if (done) {
        twins_make(recording, &key_steps, &twins);
        done = prove_twins(recording, &twins, proposal, proof, err);
        twins_release(&twins);
        if (!done)
            proposal_release(proposal);
    }
    key_steps_release(&key_steps);
    return done;
}

/* ---- JSON ---- */

static void row_to_json(const struct proof_row *row, struct cJSON *into)
{
    json_add_string(into, "twin", twin_kind_name(row->kind));
    json_add_int(into, "step", (int64_t)row->step);
    json_add_string(into, "description", row->description);
    json_add_bool(into, "refused", row->refused);
    json_add_string(into, "reason", row->reason);
}

struct cJSON *proof_to_json(const struct proof *proof)
{
    struct cJSON *json = json_new_object();
    struct cJSON *rows;
    struct cJSON *needs;

    json_add_bool(json, "accepted", proof->accepted);
    json_add_string(json, "reason", proof->reason);
    json_add_int(json, "refused", (int64_t)proof->refused);
    rows = json_add_array(json, "twins");
    for (size_t i = 0; i < proof->count; i++)
        row_to_json(&proof->rows[i], json_add_object(rows, NULL));
    needs = json_add_array(json, "needs");
    for (size_t i = 0; i < proof->need_count; i++) {
        struct cJSON *need = json_add_object(needs, NULL);

        json_add_string(need, "say", proof->needs[i].say);
        json_add_int(need, "refuses", (int64_t)proof->needs[i].refuses);
    }
    return json;
}
