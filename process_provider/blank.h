/*
 * What can still be told of a tap on nothing that has a name: that it was on a
 * web page, on something the app draws itself, or on the keyboard.
 */
#ifndef PROCESS_PROVIDER_BLANK_H
#define PROCESS_PROVIDER_BLANK_H

#include <stdbool.h>

#include "process_provider/phrase.h"
#include "process_provider/tree.h"

#define BLANK_MAX (2 * PHRASE_MAX + 64) /* bytes, with the NUL */

/* Is a keyboard at a height where the tree has nothing, as it seems? */
bool blank_is_keyboard(const struct tree *tree, int y);

/*
 * Say what is at (x, y), where no node with a name is: "nothing: an empty
 * place", "nothing: a place without a name on the web page 'News', near
 * 'Sport'", "a key of the keyboard, it seems,".
 */
void blank_describe(const struct tree *tree, int x, int y,
                    char words[BLANK_MAX]);

#endif
