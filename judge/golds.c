#include "judge/golds.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

void golds_release(struct golds *golds)
{
    for (size_t i = 0; i < golds->count; i++) {
        free(golds->items[i].task);
        proposal_release(&golds->items[i].proposal);
    }
    free(golds->items);
    *golds = (struct golds)GOLDS_INIT;
}

/* The same on every phone that holds the same, and on no other. */
static char *key_of(const struct trajectory *trajectory,
                    const struct task *task)
{
    struct cJSON *gold = gold_to_json(&task->gold);
    struct buf key = BUF_INIT(SIZE_MAX);

    buf_printf(&key, "%s\n%s\n", task->id,
               trajectory->head.instruction ? trajectory->head.instruction
                                            : "");
    json_format(gold, &key);
    cJSON_Delete(gold);
    return key.data;
}

bool golds_add(struct golds *golds, const char *folder, struct err *err)
{
    struct dossier dossier;
    struct proposal proposal;
    enum trajectory_ending ending;
    bool done;

    if (!dossier_open(folder, PROCESS_OFFLINE, &dossier, err))
        return false;
    ending = dossier.trajectory.ending;
    if (ending != ENDING_COMPLETE && ending != ENDING_ANSWER)
        done = err_set(err, ERR_INVALID, "%s: gold ends with %s", folder,
                       trajectory_ending_name(ending));
    else
        done = propose(&dossier, &proposal, err) || err_wrap(err, "%s", folder);
    if (done) {
        golds->items =
            mem_resize(golds->items, golds->count + 1, sizeof(*golds->items));
        golds->items[golds->count++] = (struct golds_entry){
            key_of(&dossier.trajectory, &dossier.task), proposal};
    }
    dossier_release(&dossier);
    return done;
}

const struct proposal *golds_find(const struct golds *golds,
                                  const struct trajectory *trajectory,
                                  const struct task *task)
{
    const struct proposal *found = NULL;
    char *key = key_of(trajectory, task);

    for (size_t i = 0; !found && golds && i < golds->count; i++) {
        if (!strcmp(golds->items[i].task, key))
            found = &golds->items[i].proposal;
    }
    free(key);
    return found;
}
