/* The pictures of real screens, next to their trees. */
#ifndef TESTS_PROCESS_SCREENS_H
#define TESTS_PROCESS_SCREENS_H

#include <stdbool.h>

#include "base/picture.h"

/* The picture that was taken with the tree at path; false for none. */
bool screen_load_beside(const char *path, struct picture *picture);

#endif
