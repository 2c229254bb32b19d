/*
 * What can still be said of a tap where no node has a name: that it was on a
 * web page, on something the app draws itself, on the keyboard, or on the
 * system's navigation bar.
 */
#ifndef PROCESS_PROVIDER_DESCRIBE_UNNAMED_TARGET_H
#define PROCESS_PROVIDER_DESCRIBE_UNNAMED_TARGET_H

#include <stdbool.h>

#include "process_provider/text/phrase.h"
#include "process_provider/tree/tree.h"

#define UNNAMED_TARGET_MAX (2 * PHRASE_MAX + 64) /* bytes, with the NUL */

/*
 * Where a keyboard probably begins, in pixels; 0: there is none. The tree has
 * no nodes of it.
 */
int unnamed_target_keyboard_top(const struct tree *tree);

/* Is there probably a keyboard at this height, where the tree has no nodes? */
bool unnamed_target_is_keyboard(const struct tree *tree, int y);

/*
 * Is (x, y) on the system's navigation bar with its three buttons? The bar lies
 * on top of the app; dumps hold it as a background, or end above it.
 */
bool unnamed_target_is_navigation(const struct tree *tree, int x, int y);

/*
 * Say what is at (x, y), where no node with a name is: "nothing: an empty
 * place", "nothing: a place without a name on the web page 'News', near
 * 'Sport'", "a key of the keyboard, it seems,", "the system navigation bar,
 * where Back is on most phones,". When the screen changed after the tap, it is
 * never called nothing.
 */
void unnamed_target_describe(const struct tree *tree, int x, int y,
                             bool changed, char words[UNNAMED_TARGET_MAX]);

#endif
