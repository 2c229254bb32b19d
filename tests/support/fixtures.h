/* Real data beside the project, which tests read if it is present. */
#ifndef TESTS_SUPPORT_FIXTURES_H
#define TESTS_SUPPORT_FIXTURES_H

#include <stdbool.h>
#include <stddef.h>

/* Defined for targets that link proctor_fixtures: FIXTURES_FOLDER. */

struct fixtures {
    char **paths; /* owned, and what they point to */
    size_t count;
};

/*
 * All files there whose name has this ending, sorted by name. False if there is
 * none; then nothing has to be released.
 */
bool fixtures_find(struct fixtures *fixtures, const char *ending);
void fixtures_release(struct fixtures *fixtures);

#endif
