/* Finds the pictures of real screens, next to their trees. */
#ifndef TESTS_PROCESS_PROVIDER_DESCRIBE_SCREEN_FILES_H
#define TESTS_PROCESS_PROVIDER_DESCRIBE_SCREEN_FILES_H

#include <stdbool.h>

#include "base/picture/picture.h"

/* The picture that was taken with the tree at path; false if there is none. */
bool screen_load_beside(const char *path, struct picture *picture);

#endif
