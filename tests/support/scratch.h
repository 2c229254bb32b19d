/* A folder of a test program's own, which is gone afterwards. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

/*
 * For cmocka, as set-up and teardown of a group: make an empty folder, make it
 * the current one, and let caches be kept in it; then remove it with all that
 * is in it.
 */
int scratch_enter(void **state);
int scratch_leave(void **state);

/* Its absolute path, between the two. */
const char *scratch_path(void);

#endif
