/* Real data beside the project, which tests read where it is. */
#ifndef TESTS_SUPPORT_FIXTURES_H
#define TESTS_SUPPORT_FIXTURES_H

#include <stdbool.h>
#include <stddef.h>

/* Defined for who links proctor_fixtures: FIXTURES_FOLDER, their folder. */

struct fixtures {
    char **paths; /* owned, and what they point to */
    size_t count;
};

/* All files there whose name ends so, in the order of their names. False when
 * there is none; then nothing is to be released. */
bool fixtures_find(struct fixtures *fixtures, const char *ending);
void fixtures_release(struct fixtures *fixtures);

#endif
