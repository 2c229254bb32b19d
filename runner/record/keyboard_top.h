/* Where the keyboard on a screen begins. */
#ifndef RUNNER_RECORD_KEYBOARD_TOP_H
#define RUNNER_RECORD_KEYBOARD_TOP_H

#include "process_provider/tree/tree.h"

/*
 * In pixels; 0: there is none, or that is not known. reported is what the phone
 * says, 0 where it says nothing; then the tree tells it. tree is NULL where it
 * is not known.
 */
int keyboard_top(const struct tree *tree, int reported);

#endif
