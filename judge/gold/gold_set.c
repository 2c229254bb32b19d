#include "judge/gold/gold_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

void gold_set_release(struct gold_set *gold_set)
{
    for (size_t i = 0; i < gold_set->count; i++) {
        free(gold_set->items[i].task);
        proposal_release(&gold_set->items[i].proposal);
    }
    free(gold_set->items);
    *gold_set = (struct gold_set)GOLD_SET_INIT;
}

/* Equal on every phone with the same contents, and on no other. */
static char *key_of(const struct trajectory *trajectory,
                    const struct task *task)
{
    struct cJSON *gold = task_gold_to_json(&task->gold);
    struct buf key = BUF_INIT(SIZE_MAX);

    buf_printf(&key, "%s\n%s\n", task->id,
               trajectory->head.instruction ? trajectory->head.instruction
                                            : "");
    json_format(gold, &key);
    cJSON_Delete(gold);
    return key.data;
}

bool gold_set_add(struct gold_set *gold_set, const char *folder,
                  const struct picture_access *access, struct err *err)
{
    struct episode_evidence evidence;
    struct proposal proposal;
    enum trajectory_ending ending;
    bool done;

    if (!episode_evidence_open(folder, PROCESS_OFFLINE, access, &evidence, err))
        return false;
    ending = evidence.trajectory.ending;
    if (ending != ENDING_COMPLETE && ending != ENDING_ANSWER)
        done = err_set(err, ERR_INVALID, "%s: gold ends with %s", folder,
                       trajectory_ending_name(ending));
    else
        done =
            propose(&evidence, &proposal, err) || err_wrap(err, "%s", folder);
    if (done) {
        gold_set->items = mem_resize(gold_set->items, gold_set->count + 1,
                                     sizeof(*gold_set->items));
        gold_set->items[gold_set->count++] = (struct gold_set_entry){
            key_of(&evidence.trajectory, &evidence.task), proposal};
    }
    episode_evidence_release(&evidence);
    return done;
}

const struct proposal *gold_set_find(const struct gold_set *gold_set,
                                     const struct trajectory *trajectory,
                                     const struct task *task)
{
    const struct proposal *found = NULL;
    char *key = key_of(trajectory, task);

    for (size_t i = 0; !found && gold_set && i < gold_set->count; i++) {
        if (!strcmp(gold_set->items[i].task, key))
            found = &gold_set->items[i].proposal;
    }
    free(key);
    return found;
}
