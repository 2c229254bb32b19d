/* Shared by the writer and the reader of trajectories. */
#ifndef TASKS_TRAJECTORY_TRAJECTORY_PRIVATE_H
#define TASKS_TRAJECTORY_TRAJECTORY_PRIVATE_H

#include "tasks/trajectory/trajectory.h"

#define TRAJECTORY_EVENTS "events.jsonl"

MUST_USE bool trajectory_actor_find(const char *name,
                                    enum trajectory_actor *actor);
MUST_USE bool trajectory_block_find(const char *name,
                                    enum trajectory_block *block);
#endif
