/*
 * Several recordings of one task, merged into one gold.
 *
 * The key steps of the first recording are compared with the others by their
 * proposed checks: those that every recording meets are required. Where another
 * recording met them in another order, the order is free. A key step that
 * another recording replaced by its own is one of two alternatives; one that it
 * went without is not required.
 */
#ifndef JUDGE_GOLD_MERGE_RECORDINGS_H
#define JUDGE_GOLD_MERGE_RECORDINGS_H

#include "base/err.h"
#include "judge/evidence/episode_evidence.h"
#include "judge/gold/propose.h"

/* What became of a key step of the first recording. */
enum merged_kind {
    MERGED_REQUIRED,
    MERGED_ALTERNATIVE, /* it, or a step of another recording */
    MERGED_OPTIONAL,    /* another recording went without it */
    MERGED_KINDS,
};

/* "required", "alternative", "optional". */
const char *merged_kind_name(enum merged_kind kind);

struct merged_step {
    char *say;       /* owned */
    size_t key_step; /* of the first recording, by its index */
    enum merged_kind kind;
    bool free; /* its order to the next one is free */
};

struct merged_gold {
    struct merged_step *steps; /* owned; of the needs for key steps */
    size_t count;
    bool *accepted; /* owned; by recording: do the merged checks accept it? */
    size_t recording_count;
};

void merged_gold_release(struct merged_gold *merged);

/*
 * Merge the proposals of recordings[0] to [count - 1] into that of the first.
 * Their tasks are used while this runs, and are then as they were. The caller
 * releases merged. Fails as proposal_apply and rules_judge; proposals[0] may
 * then be changed.
 */
MUST_USE bool merge_recordings(struct episode_evidence *recordings,
                               struct proposal *proposals, size_t count,
                               struct merged_gold *merged, struct err *err);

/* For pages and scripts. The caller deletes it. */
struct cJSON *merged_gold_to_json(const struct merged_gold *merged);

#endif
