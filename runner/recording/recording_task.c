#include "runner/recording/recording_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/gold/anchors.h"
#include "judge/gold/free_order.h"
#include "runner/recording/task_draft.h"
#include "tasks/task/task_quote.h"
#include "tasks/task/task_struct_json.h"

#define PATTERN_BYTES_MAX 1024

/* ---- the draft ---- */

bool recording_task_draft(const struct recording_task_options *options,
                          struct cJSON **draft, struct err *err)
{
    struct text_list warnings = {.count = 0};
    struct recorded_way way;

    if (!recorded_way_load(options->folders[0], options->answer, &way, err))
        return false;
    *draft = json_new_object();
    cJSON_AddItemToObject(*draft, "task",
                          task_draft_make(options, &way, &warnings));
    cJSON_DeleteItemFromObjectCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(*draft, "task"), "needs");
    if (warnings.count)
        cJSON_DeleteItemFromObjectCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(*draft, "task"), "instruction");
    text_list_release(&warnings);
    recorded_way_release(&way);
    return true;
}

/* As text in between, because numbers are written in various ways. */
static bool read_task(const struct cJSON *json, struct task *task,
                      struct err *err)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    json_format(json, &text);
    done = json_parse(buf_cstr(&text), text.length, &tree, err);
    root.value = tree;
    done = done && struct_json_read(&task_struct_json, &root, task, err);
    cJSON_Delete(tree);
    buf_release(&text);
    return done;
}

/* ---- evidence of one recording ---- */

/* The instruction as it would have been asked on that phone. */
static void set_instruction(const struct task *task,
                            struct trajectory *trajectory)
{
    const char *text =
        bilingual_text_in(&task->instruction, trajectory->head.locale);

    free(trajectory->head.instruction);
    trajectory->head.instruction = text ? mem_dup(text) : NULL;
}

/* The way is used up, also on failure. */
static bool open_evidence(const struct recording_task_options *options,
                          struct recorded_way *way, struct text_list *warnings,
                          struct episode_evidence *evidence, struct err *err)
{
    struct cJSON *json = task_draft_make(options, way, warnings);
    struct task task;
    bool done = read_task(json, &task, err);

    cJSON_Delete(json);
    if (done) {
        set_instruction(&task, &way->trajectory);
        done = episode_evidence_make(&way->trajectory, &task, PROCESS_OFFLINE,
                                     NULL, evidence, err);
        way->trajectory = (struct trajectory){.count = 0};
    }
    recorded_way_release(way);
    return done;
}

/* ---- checks ---- */

/* A node that a person marked must be on the last screen. */
static void add_marked(const struct recorded_evidence *marked,
                       struct cJSON *needs)
{
    struct cJSON *need = json_add_object(needs, NULL);
    struct buf text = BUF_INIT(PATTERN_BYTES_MAX);
    struct cJSON *end;

    buf_printf(&text, "the last screen shows '%.200s'",
               marked->text ? marked->text : marked->id);
    json_add_string(need, "say", buf_cstr(&text));
    end = json_add_object(json_add_object(need, "check"), "end");
    buf_clear(&text);
    anchors_literal(marked->text ? marked->text : marked->id, &text);
    json_add_string(end, marked->text ? "text" : "id", buf_cstr(&text));
    buf_release(&text);
}

/* A task under construction, with the data of each recording. */
struct making {
    const struct recording_task_options *options;
    struct recording_task *made;
    struct episode_evidence evidence[RECORDING_TASK_MAX];
    size_t evidence_count;
    struct proposal proposals[RECORDING_TASK_MAX];
    struct proof proofs[RECORDING_TASK_MAX];
    size_t proved;
    struct cJSON *marked; /* owned: needs for marked nodes */
};

static void making_release(struct making *making)
{
    for (size_t i = 0; i < making->evidence_count; i++)
        episode_evidence_release(&making->evidence[i]);
    for (size_t i = 0; i < making->proved; i++) {
        proposal_release(&making->proposals[i]);
        proof_release(&making->proofs[i]);
    }
    cJSON_Delete(making->marked);
}

/* All recordings end with the answer of the first one; "": without any. */
static const char *answer_of(const struct making *making)
{
    const struct recording_task *made = making->made;
    const struct task_gold *gold = &made->ways[0].gold;

    if (making->options->answer || !made->way_count)
        return making->options->answer;
    return gold->steps[gold->count - 1].action.kind == ACTION_ANSWER
               ? gold->steps[gold->count - 1].action.text
               : "";
}

static bool read_recording(struct making *making, size_t i, struct err *err)
{
    const struct recording_task_options *options = making->options;
    struct recording_task *made = making->made;
    const char *answer = answer_of(making);
    struct recorded_way way;

    /* One is analysed, the other is saved. */
    if (!recorded_way_load(options->folders[i], answer, &way, err))
        return false;
    if (!recorded_way_load(options->folders[i], answer, &made->ways[i], err)) {
        recorded_way_release(&way);
        return false;
    }
    made->way_count++;
    for (size_t k = 0; !i && k < way.evidence_count; k++)
        add_marked(&way.evidence[k], making->marked);
    if (way.secrets)
        text_list_add(&made->warnings,
                      "a password was typed, and is not recorded: write the "
                      "text of that step into the task's gold");
    if (way.left_out)
        text_list_add(
            &made->warnings,
            "a pinch or another step that gold cannot do is left out");
    if (!open_evidence(options, &way, &made->warnings, &making->evidence[i],
                       err))
        return err_wrap(err, "%s", options->folders[i]);
    making->evidence_count++;
    return true;
}

static struct cJSON *copy_needs(const struct cJSON *needs)
{
    struct cJSON *copy = cJSON_Duplicate(needs, true);

    if (!copy)
        mem_out();
    return copy;
}

/*
 * How many starred steps have a check: nothing is known any more of a target
 * that was blurred. Warns of those of the first recording.
 */
static bool count_checked(struct making *making, size_t i, size_t *checked,
                          struct err *err)
{
    const struct episode_evidence *evidence = &making->evidence[i];
    struct key_steps key_steps;

    *checked = 0;
    if (!task_draft_stars(&evidence->task.gold))
        return true;
    if (!key_steps_find(evidence, &key_steps, err))
        return false;
    *checked = key_steps.count;
    for (size_t k = 0; k < key_steps.count; k++) {
        size_t step = key_steps.items[k].step;
        char text[128];

        if (!propose_is_hidden(&evidence->steps[step]))
            continue;
        (*checked)--;
        snprintf(text, sizeof(text),
                 "starred step %zu has no check: its target was blurred",
                 step + 1);
        if (!i)
            text_list_add(&making->made->warnings, text);
    }
    key_steps_release(&key_steps);
    return true;
}

/* Without a star only the marked nodes can be checked; see keep_twins. */
static bool prove_marked(struct making *making, size_t i, struct err *err)
{
    const struct twins none = {.count = 0};
    bool has_stars = task_draft_stars(&making->evidence[i].task.gold) > 0;

    if (!cJSON_GetArraySize(making->marked))
        return err_set(err, ERR_INVALID,
                       "%sstar %s step that matters, or mark a node of the "
                       "last screen as evidence",
                       has_stars ? "the targets of the starred steps were "
                                   "blurred: "
                                 : "",
                       has_stars ? "another" : "a");
    if (!has_stars)
        text_list_add(&making->made->warnings,
                      "no step is starred: the wrong twins are those of the "
                      "last step");
    making->proposals[i].needs = copy_needs(making->marked);
    if (prove(&making->evidence[i], &making->proposals[i], &none,
              &making->proofs[i], err))
        return true;
    proposal_release(&making->proposals[i]);
    return false;
}

/* The first recording's marked nodes are checked as well, and are not pruned:
   a person chose them. */
static void add_marked_needs(struct making *making)
{
    const struct cJSON *need;

    cJSON_ArrayForEach(need, making->marked)
    {
        if (!cJSON_AddItemToArray(making->proposals[0].needs, copy_needs(need)))
            mem_out();
    }
}

static bool prove_one(struct making *making, size_t i, struct err *err)
{
    struct episode_evidence *evidence = &making->evidence[i];
    size_t checked;
    bool done = count_checked(making, i, &checked, err) &&
                (checked ? free_order_apply(evidence, err) &&
                               prove_recording(evidence, &making->proposals[i],
                                               &making->proofs[i], err)
                         : prove_marked(making, i, err));

    making->proved += done;
    if (done && checked && !i)
        add_marked_needs(making);
    return done || err_wrap(err, "%s", making->options->folders[i]);
}

/* ---- several recordings ---- */

/* The gold step of a key step, by its index; NULL: there are fewer. */
static struct task_gold_step *key_step_of(struct task_gold *gold,
                                          size_t key_step)
{
    for (size_t i = 0; i < gold->count; i++) {
        if (gold->steps[i].key_step && !key_step--)
            return &gold->steps[i];
    }
    return NULL;
}

/* Free orders are groups. */
static void regroup(const struct merged_gold *merged, struct task_gold *gold)
{
    int group = 0;
    bool free_before = false;

    for (size_t i = 0; i < gold->count; i++)
        gold->steps[i].group = 0;
    for (size_t i = 0; i < merged->count; i++) {
        const struct merged_step *step = &merged->steps[i];
        struct task_gold_step *at = key_step_of(gold, step->key_step);

        if (step->free && !free_before)
            group++;
        if (at && (step->free || free_before))
            at->group = group;
        free_before = step->free;
    }
}

/* Key steps that are not required lose their star. */
static void unstar(const struct merged_gold *merged, struct task_gold *gold)
{
    for (size_t i = merged->count; i > 0; i--) {
        const struct merged_step *step = &merged->steps[i - 1];
        struct task_gold_step *at = key_step_of(gold, step->key_step);

        if (at && step->kind == MERGED_OPTIONAL) {
            at->key_step = false;
            at->group = 0;
        }
    }
}

static bool has_need(const struct cJSON *needs, const struct cJSON *wanted)
{
    const struct cJSON *need;

    cJSON_ArrayForEach(need, needs)
    {
        if (cJSON_Compare(need, wanted, true))
            return true;
    }
    return false;
}

/* A marked node that another recording ends without is not required. */
static void warn_of_dropped(struct making *making)
{
    const struct cJSON *need;

    cJSON_ArrayForEach(need, making->marked)
    {
        if (!has_need(making->proposals[0].needs, need))
            text_list_add(&making->made->warnings,
                          "a marked node is not on the last screen of every "
                          "recording, and is not checked");
    }
}

static bool merge(struct making *making, struct err *err)
{
    if (making->proved < 2)
        return true;
    if (!merge_recordings(making->evidence, making->proposals, making->proved,
                          &making->made->merged, err))
        return false;
    regroup(&making->made->merged, &making->evidence[0].task.gold);
    warn_of_dropped(making);
    return true;
}

static bool keep_twins_of(struct making *making, struct err *err)
{
    struct episode_evidence *first = &making->evidence[0];
    struct key_steps key_steps;
    struct twins twins;
    bool done = true;

    if (!key_steps_find(first, &key_steps, err))
        return false;
    twins_make(first, &key_steps, &twins);
    twin_ways_make(&twins, &making->made->twins);
    if (making->made->merged.recording_count ||
        cJSON_GetArraySize(making->marked)) {
        proof_release(&making->proofs[0]);
        done = prove(first, &making->proposals[0], &twins, &making->proofs[0],
                     err);
    }
    twins_release(&twins);
    key_steps_release(&key_steps);
    return done;
}

/*
 * Keep the twins, and prove what was merged or marked on them. Without a star
 * they are those of the last step before the ending.
 */
static bool keep_twins(struct making *making, struct err *err)
{
    struct task_gold *gold = &making->evidence[0].task.gold;
    struct task_gold_step *last = task_draft_stars(gold) || gold->count < 2
                                      ? NULL
                                      : &gold->steps[gold->count - 2];
    bool done;

    if (last)
        last->key_step = true;
    done = keep_twins_of(making, err);
    if (last)
        last->key_step = false;
    return done;
}

/* ---- the form ---- */

/* The first recording's task, with the checks as its needs. */
static bool finish(struct making *making, struct err *err)
{
    struct recording_task *made = making->made;
    struct cJSON *json = task_to_json(&making->evidence[0].task);
    struct cJSON *needs = copy_needs(making->proposals[0].needs);
    bool done;

    cJSON_DeleteItemFromObjectCaseSensitive(json, "needs");
    if (cJSON_GetArraySize(needs))
        cJSON_AddItemToObject(json, "needs", needs);
    else
        cJSON_Delete(needs);
    done = read_task(json, &made->task, err);
    cJSON_Delete(json);
    if (!done)
        return false;
    unstar(&made->merged, &made->task.gold);
    if (!making->proofs[0].accepted)
        text_list_add(&made->warnings,
                      "the checks do not accept the recording: the proof says "
                      "why");
    made->proof = making->proofs[0];
    making->proofs[0] = (struct proof){.count = 0};
    return true;
}

void recording_task_release(struct recording_task *made)
{
    task_release(&made->task);
    proof_release(&made->proof);
    merged_gold_release(&made->merged);
    twin_ways_release(&made->twins);
    text_list_release(&made->warnings);
    for (size_t i = 0; i < made->way_count; i++)
        recorded_way_release(&made->ways[i]);
    *made = (struct recording_task){.way_count = 0};
}

bool recording_task_make(const struct recording_task_options *options,
                         struct recording_task *made, struct err *err)
{
    struct recording_task form = {.way_count = 0};
    struct making making = {.options = options, .made = &form};
    bool done = true;

    if (!options->count || options->count > RECORDING_TASK_MAX)
        return err_set(err, ERR_INVALID, "expected 1 to %d recordings",
                       RECORDING_TASK_MAX);
    making.marked = json_new_array();
    for (size_t i = 0; done && i < options->count; i++)
        done = read_recording(&making, i, err);
    for (size_t i = 0; done && i < options->count; i++)
        done = prove_one(&making, i, err);
    done = done && merge(&making, err) && keep_twins(&making, err) &&
           finish(&making, err);
    making_release(&making);
    if (done)
        *made = form;
    else
        recording_task_release(&form);
    return done;
}

/* ---- JSON ---- */

struct cJSON *recording_task_suite_json(const struct recording_task *made)
{
    struct cJSON *json = task_to_json(&made->task);
    struct task quoted;
    struct err ignored;

    if (!read_task(json, &quoted, &ignored))
        return json;
    cJSON_Delete(json);
    task_quote(&quoted);
    json = task_to_json(&quoted);
    task_release(&quoted);
    return json;
}

struct cJSON *recording_task_to_json(const struct recording_task *made)
{
    struct cJSON *json = json_new_object();
    struct cJSON *warnings;

    cJSON_AddItemToObject(json, "task", recording_task_suite_json(made));
    cJSON_AddItemToObject(json, "proof", proof_to_json(&made->proof));
    if (made->way_count > 1)
        cJSON_AddItemToObject(json, "merged",
                              merged_gold_to_json(&made->merged));
    warnings = json_add_array(json, "warnings");
    for (size_t i = 0; i < made->warnings.count; i++)
        json_add_string(warnings, NULL, made->warnings.items[i]);
    return json;
}
