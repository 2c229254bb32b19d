#include "runner/run/work_queue.h"

void work_queue_close(struct work_queue *work)
{
    if (work)
        work->ops->close(work);
}

bool work_queue_claim(struct work_queue *work, size_t phone,
                      struct work_queue_item *item)
{
    return work->ops->claim(work, phone, item);
}

bool work_queue_heartbeat(struct work_queue *work,
                          const struct work_queue_item *item)
{
    return work->ops->heartbeat(work, item);
}

bool work_queue_finish(struct work_queue *work,
                       const struct work_queue_item *item,
                       enum work_queue_outcome outcome,
                       const struct run_result *result)
{
    return work->ops->finish(work, item, outcome, result);
}

void work_queue_stop(struct work_queue *work)
{
    work->ops->stop(work);
}

void work_queue_wait(struct work_queue *work, int64_t ms)
{
    work->ops->wait(work, ms);
}

void work_queue_get_state(struct work_queue *work,
                          struct work_queue_state *state)
{
    work->ops->get_state(work, state);
}

bool work_queue_is_over(struct work_queue *work)
{
    struct work_queue_state state;

    work_queue_get_state(work, &state);
    return state.stopped ||
           (state.all && state.ended + state.given_up == state.all);
}
