/* The files of a new phone, and short ways to use them. */
#ifndef TESTS_PHONE_FILES_PHONE_H
#define TESTS_PHONE_FILES_PHONE_H

#include <stdint.h>

#include "tools/phone/files.h"

#define FILES_PHONE_PROPERTIES "ro.product.model=Proctor\n"

/* As root and as adb's users see them. */
struct files_phone {
    int64_t time;
    struct files *root;
    struct files *shell;
};

struct files_phone *files_phone_new(const struct files_limits *limits);

/* For cmocka: a new phone without limits, and the end of any. */
int files_phone_set_up(void **state);
int files_phone_tear_down(void **state);

/* What the call says: 0, or an errno value. */
#define SAYS(call_) (number = 0, (call_) ? 0 : number)

/* These return 0 or an errno value, too. */
int files_phone_write(struct files *files, const char *path, const char *text);
int files_phone_mkdir(struct files *files, const char *path);
int files_phone_stat(struct files *files, const char *path);

/* Fail the test unless the file is there and has that text. */
void files_phone_expect(struct files *files, const char *path,
                        const char *text);

/* What is at path, not at what it leads to. Fails the test if nothing is. */
struct files_stat files_phone_look(struct files *files, const char *path);

#endif
