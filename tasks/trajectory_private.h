/* What the writer and the reader of trajectories share. */
#ifndef TASKS_TRAJECTORY_PRIVATE_H
#define TASKS_TRAJECTORY_PRIVATE_H

#include "tasks/trajectory.h"

#define TRAJECTORY_EVENTS "events.jsonl"

MUST_USE bool trajectory_actor_find(const char *name,
                                    enum trajectory_actor *actor);
MUST_USE bool trajectory_block_find(const char *name,
                                    enum trajectory_block *block);
#endif
