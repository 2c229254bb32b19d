#include "judge/propose.h"

#include <stdlib.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/propose_draft.h"
#include "tasks/shapes.h"

/* The last screen tells of a state; the last star sees to it that it shows. */
static void write_state(struct draft *draft)
{
    bool told = draft_evidence_tells(draft);

    if (!told)
        draft_add_end(draft);
    if (!told && cJSON_GetArraySize(draft->needs) && draft->stars.count)
        draft_add_star(draft, draft->stars.count - 1);
}

/*
 * Who gave the answer, or switched what is known again by its state, may have
 * gone on to another screen.
 */
static bool is_told_by_end(const struct draft *draft)
{
    const struct dossier_step *last;

    if (!draft->stars.count ||
        draft->gold->task.answer.kind != TASK_ANSWER_NONE)
        return false;
    last = &draft->gold->steps[draft->stars.items[draft->stars.count - 1].step];
    return !last->became.text[0] && last->on == CHECK_EITHER;
}

static void write_process(struct draft *draft)
{
    for (size_t i = 0; i < draft->stars.count; i++)
        draft_add_star(draft, i);
    if (is_told_by_end(draft))
        draft_add_end(draft);
}

static void write_needs(struct draft *draft)
{
    bool state = draft->gold->task.kind == TASK_STATE;

    if (state)
        write_state(draft);
    draft_add_evidence(draft);
    if (!state || !cJSON_GetArraySize(draft->needs))
        write_process(draft);
}

/* Numbers are written in a way that only a reader understands. */
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
    proposal->needs = read_again(draft.needs);
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
