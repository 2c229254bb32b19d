/*
 * The text of a key action: a key ("VOLUME_UP"), the same key several times
 * ("DEL*3"), or keys that are pressed together ("CTRL_LEFT+A").
 */
#ifndef BASE_KEY_PRESS_H
#define BASE_KEY_PRESS_H

#include <stddef.h>

#include "base/err.h"

#define KEY_PRESS_KEYS_MAX 4
#define KEY_PRESS_TIMES_MAX 500
#define KEY_PRESS_TEXT_MAX 160

struct key_press {
    int codes[KEY_PRESS_KEYS_MAX]; /* pressed together */
    size_t count;
    int times; /* of a single key; 1 for several */
};

/* Fails with ERR_INVALID and the part that is no key. */
MUST_USE bool key_press_parse(const char *text, struct key_press *press,
                              struct err *err);

/* The text that key_press_parse reads. */
void key_press_text(const struct key_press *press,
                    char text[KEY_PRESS_TEXT_MAX]);

#endif
