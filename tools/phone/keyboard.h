/*
 * The keyboard on the screen: a window of its own at the bottom, as an input
 * method is, and what its keys do. Chinese is typed in pinyin.
 */
#ifndef PHONE_KEYBOARD_H
#define PHONE_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/app.h"
#include "tools/phone/parcel.h"
#include "tools/phone/widget.h"

#define KEYBOARD_PACKAGE "com.android.inputmethod.latin"
#define KEYBOARD_PINYIN_MAX 24

enum keyboard_page {
    KEYBOARD_LETTERS,
    KEYBOARD_SYMBOLS,
    KEYBOARD_MORE, /* symbols that are used less */
    KEYBOARD_EMOJI,
};

/* One of zeros is hidden. */
struct keyboard {
    bool shown;
    enum keyboard_page page;
    bool shift;
    bool latin; /* letters are letters, not pinyin */
    char pinyin[KEYBOARD_PINYIN_MAX + 1];
};

void keyboard_show(struct keyboard *keyboard);
void keyboard_hide(struct keyboard *keyboard);

/* How high it is, in dp, with what the system has below it; 0 when hidden. */
float keyboard_height(const struct keyboard *keyboard,
                      const struct surroundings *around);

/* Add its window, for typing in field. */
void keyboard_build(const struct keyboard *keyboard,
                    const struct surroundings *around,
                    const struct widget *field, struct widget_tree *tree);

/* What a key of that window does; the keyboard itself may change, too. */
enum keyboard_effect {
    KEYBOARD_NOTHING,
    KEYBOARD_TEXT,
    KEYBOARD_ERASE,
    KEYBOARD_ENTER,
};
struct keyboard_stroke {
    enum keyboard_effect effect;
    char text[64];
};
struct keyboard_stroke keyboard_press(struct keyboard *keyboard,
                                      const struct widget *key,
                                      enum locale locale);

void keyboard_save(const struct keyboard *keyboard, struct buf *out);
void keyboard_load(struct keyboard *keyboard, struct parcel *in);

#endif
