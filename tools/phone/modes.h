/* A file's mode in letters, and from text. */
#ifndef PHONE_MODES_H
#define PHONE_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

#define MODES_SIZE 11

/* Such as "drwxr-x--x". */
void modes_letters(uint32_t mode, char letters[static MODES_SIZE]);

/* "644" or "u+x,go-w", applied to mode. False when it makes no sense. */
MUST_USE bool modes_change(const char *text, uint32_t *mode);

#endif
