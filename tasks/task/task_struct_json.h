/* The shapes that a task is made of. */
#ifndef TASKS_TASK_TASK_STRUCT_JSON_H
#define TASKS_TASK_TASK_STRUCT_JSON_H

#include "tasks/json/struct_json.h"

extern const struct struct_json node_selector_shape;
extern const struct struct_json episode_check_shape;
extern const struct struct_json task_gold_shape;
extern const struct struct_json need_struct_json;
extern const struct struct_json task_struct_json;

#endif
