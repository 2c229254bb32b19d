/* What descriptions of taps and of other steps share. */
#ifndef PROCESS_PROVIDER_DESCRIBE_DESCRIBE_PRIVATE_H
#define PROCESS_PROVIDER_DESCRIBE_DESCRIBE_PRIVATE_H

#include "process_provider/describe/describe.h"
#include "process_provider/text/line_builder.h"

/*
 * Describe a touch at (x, y) in description->text; the verb is "tapped",
 * "long-pressed" and so on. The line is still empty.
 */
void describe_touch(const struct scene *scene, const char *verb, int x, int y,
                    struct description *description);

/* Make the line of the text and of "; screen 'Hotels' of booking". */
void describe_add_screen(struct description *description);

#endif
