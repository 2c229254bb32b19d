#include "judge/gold/merge_recordings.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/rules/rules_judge.h"

#define NEED_PREFIX "star_" /* of needs for key steps: propose_need_id */

const char *merged_kind_name(enum merged_kind kind)
{
    static const char *const names[MERGED_KINDS] = {
        [MERGED_REQUIRED] = "required",
        [MERGED_ALTERNATIVE] = "alternative",
        [MERGED_OPTIONAL] = "optional",
    };

    return names[kind];
}

void merged_gold_release(struct merged_gold *merged)
{
    for (size_t i = 0; i < merged->count; i++)
        free(merged->steps[i].say);
    free(merged->steps);
    free(merged->accepted);
    *merged = (struct merged_gold){.count = 0};
}

/* ---- who meets what ---- */

/* The needs of one proposal, and when each recording meets them. */
struct needs_met {
    struct cJSON *needs; /* borrowed: an array */
    size_t count;
    size_t recordings;
    int *met; /* owned; [recording * count + need]: the step; -1: not met */
};

static const char *text_of(const struct cJSON *need, const char *key)
{
    const struct cJSON *value = cJSON_GetObjectItemCaseSensitive(need, key);

    return cJSON_IsString(value) ? value->valuestring : "";
}

static struct cJSON *need_at(const struct needs_met *comparison, size_t need)
{
    return cJSON_GetArrayItem(comparison->needs, (int)need);
}

static bool is_key_step(const struct needs_met *comparison, size_t need)
{
    return !strncmp(text_of(need_at(comparison, need), "id"), NEED_PREFIX,
                    strlen(NEED_PREFIX));
}

static int met_at(const struct needs_met *comparison, size_t recording,
                  size_t need)
{
    return comparison->met[recording * comparison->count + need];
}

/* Judge with the needs, whatever their order; the order is what is compared. */
static bool meet(struct episode_evidence *recording, const struct cJSON *needs,
                 int *met, struct err *err)
{
    struct proposal unordered = {.needs = cJSON_Duplicate(needs, true)};
    struct proposal_swap swap;
    struct verdict verdict = VERDICT_INIT;
    struct cJSON *need;
    bool done;

    if (!unordered.needs)
        mem_out();
    cJSON_ArrayForEach(need, unordered.needs)
    {
        cJSON_DeleteItemFromObjectCaseSensitive(need, "after");
    }
    done = proposal_apply(&unordered, &recording->task, &swap, err);
    proposal_release(&unordered);
    if (!done)
        return false;
    done = rules_judge(recording, &verdict, err);
    for (size_t i = 0; done && i < recording->task.need_count; i++)
        met[i] = verdict.needs[i].met ? verdict.needs[i].step : -1;
    proposal_restore(&recording->task, &swap);
    verdict_release(&verdict);
    return done;
}

static bool compare(struct episode_evidence *recordings, size_t count,
                    struct cJSON *needs, struct needs_met *comparison,
                    struct err *err)
{
    bool done = true;

    *comparison = (struct needs_met){
        .needs = needs,
        .count = (size_t)cJSON_GetArraySize(needs),
        .recordings = count,
    };
    comparison->met =
        mem_new(count * comparison->count + 1, sizeof(*comparison->met));
    for (size_t i = 0; done && i < count; i++)
        done = meet(&recordings[i], needs,
                    &comparison->met[i * comparison->count], err);
    return done;
}

/* ---- orders ---- */

/* order[a * count + b]: a comes before b. */
static void find_order(const struct needs_met *comparison, bool *order)
{
    size_t count = comparison->count;

    for (size_t b = 0; b < count; b++) {
        const struct cJSON *after =
            cJSON_GetObjectItemCaseSensitive(need_at(comparison, b), "after");
        const struct cJSON *id;

        cJSON_ArrayForEach(id, after)
        {
            for (size_t a = 0; a < count; a++) {
                if (a != b && cJSON_IsString(id) &&
                    !strcmp(text_of(need_at(comparison, a), "id"),
                            id->valuestring))
                    order[a * count + b] = true;
            }
        }
    }
    for (size_t c = 0; c < count; c++) {
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < count; b++)
                order[a * count + b] |=
                    order[a * count + c] && order[c * count + b];
        }
    }
}

/* Did every recording that has both do a first? */
static bool is_always_before(const struct needs_met *comparison, size_t a,
                             size_t b)
{
    for (size_t i = 0; i < comparison->recordings; i++) {
        int first = met_at(comparison, i, a);
        int second = met_at(comparison, i, b);

        if (first >= 0 && second >= 0 && first >= second)
            return false;
    }
    return true;
}

static bool is_between(const bool *order, size_t count, size_t a, size_t b)
{
    for (size_t c = 0; c < count; c++) {
        if (order[a * count + c] && order[c * count + b])
            return true;
    }
    return false;
}

/* Keep the orders that all recordings agree on. */
static void reorder(const struct needs_met *comparison)
{
    size_t count = comparison->count;
    bool *order = mem_new(count * count + 1, sizeof(*order));

    find_order(comparison, order);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++)
            order[a * count + b] &= is_always_before(comparison, a, b);
    }
    for (size_t b = 0; b < count; b++) {
        struct cJSON *need = need_at(comparison, b);
        struct cJSON *after = NULL;

        cJSON_DeleteItemFromObjectCaseSensitive(need, "after");
        for (size_t a = 0; a < count; a++) {
            if (!order[a * count + b] || is_between(order, count, a, b))
                continue;
            if (!after)
                after = json_add_array(need, "after");
            json_add_string(after, NULL, text_of(need_at(comparison, a), "id"));
        }
    }
    free(order);
}

/* ---- alternatives ---- */

/* A key step of another recording that the first one did not do; NULL. */
static struct cJSON *find_other(const struct needs_met *other, bool *used)
{
    for (size_t i = 0; i < other->count; i++) {
        if (!used[i] && is_key_step(other, i) && met_at(other, 0, i) < 0) {
            used[i] = true;
            return need_at(other, i);
        }
    }
    return NULL;
}

static struct cJSON *copy_member(const struct cJSON *need, const char *key)
{
    struct cJSON *copy =
        cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(need, key), true);

    if (!copy)
        mem_out();
    return copy;
}

/* Either of both checks will do. */
static void add_alternative(struct cJSON *need, const struct cJSON *other)
{
    struct cJSON *check = json_new_object();
    struct cJSON *any = json_add_array(check, "any");
    struct buf say = BUF_INIT(SIZE_MAX);

    if (!cJSON_AddItemToArray(any, copy_member(need, "check")) ||
        !cJSON_AddItemToArray(any, copy_member(other, "check")))
        mem_out();
    cJSON_ReplaceItemInObjectCaseSensitive(need, "check", check);
    buf_printf(&say, "%s, or %s", text_of(need, "say"), text_of(other, "say"));
    cJSON_DeleteItemFromObjectCaseSensitive(need, "say");
    json_add_string(need, "say", buf_cstr(&say));
    buf_release(&say);
}

/* ---- the merged gold ---- */

struct merging {
    struct episode_evidence *recordings;
    struct proposal *proposals;
    size_t count;
    struct needs_met *comparisons; /* owned; by recording, of its needs */
    bool **used;                   /* owned; of its needs */
};

static void add_step(struct merged_gold *merged, const struct cJSON *need,
                     enum merged_kind kind)
{
    merged->steps =
        mem_resize(merged->steps, merged->count + 1, sizeof(*merged->steps));
    merged->steps[merged->count++] = (struct merged_step){
        .say = mem_dup(text_of(need, "say")),
        .key_step =
            strtoul(text_of(need, "id") + strlen(NEED_PREFIX), NULL, 10) - 1,
        .kind = kind,
    };
}

/* Every recording without it must have its own step instead. */
static enum merged_kind decide(struct merging *merging, size_t need)
{
    struct needs_met *first = &merging->comparisons[0];
    enum merged_kind kind = MERGED_REQUIRED;

    for (size_t i = 1; i < merging->count; i++) {
        struct cJSON *other;

        if (met_at(first, i, need) >= 0)
            continue;
        if (!is_key_step(first, need))
            return MERGED_OPTIONAL;
        other = find_other(&merging->comparisons[i], merging->used[i]);
        if (!other)
            return MERGED_OPTIONAL;
        add_alternative(need_at(first, need), other);
        kind = MERGED_ALTERNATIVE;
    }
    return kind;
}

static void merge_needs(struct merging *merging, struct merged_gold *merged)
{
    struct needs_met *first = &merging->comparisons[0];
    size_t all = first->count;
    bool *dropped = mem_new(all + 1, sizeof(*dropped));

    for (size_t i = 0; i < all; i++) {
        enum merged_kind kind = decide(merging, i);

        dropped[i] = kind == MERGED_OPTIONAL;
        if (is_key_step(first, i))
            add_step(merged, need_at(first, i), kind);
    }
    for (size_t i = 0, step = 0; i < all; i++) {
        if (!is_key_step(first, i))
            continue;
        merged->steps[step++].free = i + 1 < all && is_key_step(first, i + 1) &&
                                     !is_always_before(first, i, i + 1);
    }
    reorder(first);
    for (size_t i = all; i > 0; i--) {
        if (dropped[i - 1])
            proposal_remove(&merging->proposals[0], i - 1);
    }
    free(dropped);
}

static bool accept(struct merging *merging, struct merged_gold *merged,
                   struct err *err)
{
    merged->recording_count = merging->count;
    merged->accepted = mem_new(merging->count, sizeof(*merged->accepted));
    for (size_t i = 0; i < merging->count; i++) {
        struct episode_evidence *recording = &merging->recordings[i];
        struct verdict verdict = VERDICT_INIT;
        struct proposal_swap swap;
        bool done;

        if (!proposal_apply(&merging->proposals[0], &recording->task, &swap,
                            err))
            return false;
        done = rules_judge(recording, &verdict, err);
        merged->accepted[i] = done && verdict.outcome == OUTCOME_SUCCESS;
        proposal_restore(&recording->task, &swap);
        verdict_release(&verdict);
        if (!done)
            return false;
    }
    return true;
}

bool merge_recordings(struct episode_evidence *recordings,
                      struct proposal *proposals, size_t count,
                      struct merged_gold *merged, struct err *err)
{
    struct merging merging = {
        .recordings = recordings,
        .proposals = proposals,
        .count = count,
        .comparisons = mem_new(count, sizeof(*merging.comparisons)),
        .used = mem_new(count, sizeof(*merging.used)),
    };
    bool done = true;

    *merged = (struct merged_gold){.count = 0};
    for (size_t i = 0; done && i < count; i++) {
        done = compare(recordings, count, proposals[i].needs,
                       &merging.comparisons[i], err);
        merging.used[i] =
            mem_new(merging.comparisons[i].count + 1, sizeof(**merging.used));
    }
    if (done)
        merge_needs(&merging, merged);
    done = done && accept(&merging, merged, err);
    for (size_t i = 0; i < count; i++) {
        free(merging.comparisons[i].met);
        free(merging.used[i]);
    }
    free(merging.comparisons);
    free(merging.used);
    if (!done)
        merged_gold_release(merged);
    return done;
}

struct cJSON *merged_gold_to_json(const struct merged_gold *merged)
{
    struct cJSON *json = json_new_object();
    struct cJSON *steps = json_add_array(json, "steps");
    struct cJSON *accepted = json_add_array(json, "accepted");

    for (size_t i = 0; i < merged->count; i++) {
        struct cJSON *step = json_add_object(steps, NULL);

        json_add_string(step, "say", merged->steps[i].say);
        json_add_string(step, "kind", merged_kind_name(merged->steps[i].kind));
        json_add_bool(step, "free", merged->steps[i].free);
    }
    for (size_t i = 0; i < merged->recording_count; i++)
        json_add_bool(accepted, NULL, merged->accepted[i]);
    return json;
}
