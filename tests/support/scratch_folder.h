/* A folder for a test program, which is removed afterwards. */
#ifndef TESTS_SUPPORT_SCRATCH_FOLDER_H
#define TESTS_SUPPORT_SCRATCH_FOLDER_H

/*
 * For cmocka, as setup and teardown of a group: creates an empty folder, makes
 * it the current one, and puts caches into it; then removes everything.
 */
int scratch_folder_enter(void **state);
int scratch_folder_leave(void **state);

/* Its absolute path, between setup and teardown. */
const char *scratch_folder_path(void);

#endif
