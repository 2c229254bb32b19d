#include "tools/phone/builtin_app.h"

#include <stdlib.h>

#include "base/mem.h"

void *builtin_app_new(size_t size, const struct app_ops *ops,
                      const struct stage_opening *opening)
{
    struct builtin_app *made = mem_new(1, size);

    made->app.ops = ops;
    made->stage = opening->stage;
    return made;
}

void builtin_app_close(struct app *app)
{
    free(app);
}
