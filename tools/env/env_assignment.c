#include "tools/env/env_assignment.h"

#include <stdlib.h>

#include "base/mem.h"

bool env_assignment_new(const struct task *task,
                        const struct task_values *values,
                        struct env_assignment **assignment, struct err *err)
{
    struct env_assignment *made = mem_new(1, sizeof(*made));
    const char *words;

    if (!task_resolve(task, values, &made->task, err)) {
        free(made);
        return false;
    }
    atomic_init(&made->holders, 1);
    words = bilingual_text_in(&made->task.instruction, values->locale);
    made->instruction = mem_dup(words ? words : "");
    *assignment = made;
    return true;
}

struct env_assignment *env_assignment_hold(struct env_assignment *assignment)
{
    atomic_fetch_add(&assignment->holders, 1);
    return assignment;
}

void env_assignment_drop(struct env_assignment *assignment)
{
    if (!assignment || atomic_fetch_sub(&assignment->holders, 1) > 1)
        return;
    task_release(&assignment->task);
    free(assignment->instruction);
    free(assignment);
}
