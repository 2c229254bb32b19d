/* The shapes that a task is made of. */
#ifndef TASKS_SHAPES_H
#define TASKS_SHAPES_H

#include "tasks/shape.h"

extern const struct shape selector_shape;
extern const struct shape check_shape;
extern const struct shape gold_shape;
extern const struct shape need_shape;
extern const struct shape task_shape;

#endif
