#include "process_provider/pictures/recorded_screen.h"

#include "base/picture/png.h"

void recorded_screen_set(struct recorded_screen *screen,
                         const struct trajectory *trajectory,
                         const struct trajectory_file *file)
{
    screen->trajectory = trajectory;
    screen->file = file;
    screen->asked = screen->there = false;
    screen->err = (struct err)ERR_INIT;
}

static bool load(struct recorded_screen *screen)
{
    const struct trajectory_file *file = screen->file;
    struct buf *bytes = &screen->bytes;

    buf_clear(bytes);
    return file && file->file[0] &&
           trajectory_read_file(screen->trajectory, file, bytes,
                                &screen->err) &&
           png_decode(buf_cstr(bytes), bytes->length, &screen->picture,
                      &screen->err);
}

const struct picture *recorded_screen_picture(void *screen)
{
    struct recorded_screen *of = screen;

    if (!of->asked)
        of->there = load(of);
    of->asked = true;
    return of->there ? &of->picture : NULL;
}

void recorded_screen_release(struct recorded_screen *screen)
{
    picture_release(&screen->picture);
    buf_release(&screen->bytes);
}
