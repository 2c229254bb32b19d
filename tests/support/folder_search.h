/* Looks for bytes in all files of a folder, such as a secret that must be in
 * none. */
#ifndef TESTS_SUPPORT_FOLDER_SEARCH_H
#define TESTS_SUPPORT_FOLDER_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The path of a file below folder that has these bytes, valid until the next
 * call; NULL: none has. A file that cannot be read fails the test.
 */
const char *folder_search(const char *folder, const void *bytes, size_t length);

/* The same for a text. */
const char *folder_search_text(const char *folder, const char *text);

#endif
