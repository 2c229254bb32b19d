/* The files of a new phone, and helpers to use them. */
#ifndef TESTS_TOOLS_PHONE_FILES_FILES_FIXTURE_H
#define TESTS_TOOLS_PHONE_FILES_FILES_FIXTURE_H

#include <stdint.h>

#include "tools/phone/files/files.h"

#define FILES_PHONE_PROPERTIES "ro.product.model=Proctor\n"

/* As root and as adb's users see them. */
struct files_phone {
    int64_t time;
    struct phone_files *root;
    struct phone_files *shell;
};

struct files_phone *files_phone_new(const struct files_limits *limits);

/* For cmocka: set up a new phone without limits, and tear down any. */
int files_phone_set_up(void **state);
int files_phone_tear_down(void **state);

/* The result of the call: 0, or an errno value. */
#define SAYS(call_) (number = 0, (call_) ? 0 : number)

/* These return 0 or an errno value, too. */
int files_phone_write(struct phone_files *files, const char *path,
                      const char *text);
int files_phone_mkdir(struct phone_files *files, const char *path);
int files_phone_stat(struct phone_files *files, const char *path);

/* Fail the test unless the file is there and has that text. */
void files_phone_expect(struct phone_files *files, const char *path,
                        const char *text);

/*
 * The file at path, without following a link. Fails the test if there is none.
 */
struct files_stat files_phone_look(struct phone_files *files, const char *path);

#endif
