#include "tools/phone/apps/builtin_app.h"

#include <stdlib.h>

#include "base/mem.h"

void *builtin_app_new(size_t size, const struct phone_app_ops *ops,
                      const struct task_stack_opening *opening)
{
    struct builtin_app *made = mem_new(1, size);

    made->app.ops = ops;
    made->task_stack = opening->task_stack;
    return made;
}

void builtin_app_close(struct phone_app *app)
{
    free(app);
}
