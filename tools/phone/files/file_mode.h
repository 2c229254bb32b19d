/* A file's mode as letters, and from text. */
#ifndef TOOLS_PHONE_FILES_FILE_MODE_H
#define TOOLS_PHONE_FILES_FILE_MODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

#define FILE_MODE_SIZE 11

/* Such as "drwxr-x--x". */
void file_mode_letters(uint32_t mode, char letters[static FILE_MODE_SIZE]);

/* Apply "644" or "u+x,go-w" to mode. False if it is invalid. */
MUST_USE bool file_mode_change(const char *text, uint32_t *mode);

#endif
