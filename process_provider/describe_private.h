/* What descriptions of taps and of other steps share. */
#ifndef PROCESS_PROVIDER_DESCRIBE_PRIVATE_H
#define PROCESS_PROVIDER_DESCRIBE_PRIVATE_H

#include "process_provider/describe.h"
#include "process_provider/line.h"

/* Describe a touch at (x, y): "tapped", "long-pressed" … is the verb. */
void describe_touch(const struct scene *scene, const char *verb, int x, int y,
                    struct description *description);

/* "; screen 'Hotels' of booking", as far as that is known. */
void describe_add_place(struct line *line, const struct phrase *screen,
                        const struct phrase *app);

#endif
