#include "runner/observe/observed_step.h"

#include "base/picture/png.h"

/* A screenshot that was just taken, as one of a recorded step. */
static void take_screen(const struct observation *seen,
                        struct recorded_screen *screen)
{
    *screen = (struct recorded_screen)RECORDED_SCREEN_INIT;
    screen->asked = true;
    screen->there = seen && png_decode(buf_cstr(&seen->png), seen->png.length,
                                       &screen->picture, &screen->err);
}

static const struct tree *tree_of(const struct observation *seen)
{
    return seen && seen->has_tree ? &seen->tree : NULL;
}

void observed_step_describe(const struct observed_step *step,
                            struct description *description)
{
    struct recorded_screen screens[2];
    const struct step_view view = {
        .action = step->action,
        .before = tree_of(step->before),
        .after = tree_of(step->after),
        .before_screen = &screens[0],
        .after_screen = &screens[1],
        .access = step->access,
        .block = step->block,
        .blocked = step->blocked,
    };

    take_screen(step->before, &screens[0]);
    take_screen(step->after, &screens[1]);
    step_describe(&view, PROCESS_OFFLINE, description);
    recorded_screen_release(&screens[0]);
    recorded_screen_release(&screens[1]);
}
