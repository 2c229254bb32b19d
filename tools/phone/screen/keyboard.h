/*
 * The on-screen keyboard: a separate window at the bottom, as an input method
 * has, and the effect of its keys. Chinese is typed in pinyin.
 */
#ifndef TOOLS_PHONE_SCREEN_KEYBOARD_H
#define TOOLS_PHONE_SCREEN_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/screen/app.h"
#include "tools/phone/widgets/widget.h"

#define KEYBOARD_PACKAGE "com.android.inputmethod.latin"
#define KEYBOARD_PINYIN_MAX 24

enum keyboard_page {
    KEYBOARD_LETTERS,
    KEYBOARD_SYMBOLS,
    KEYBOARD_MORE, /* rare symbols */
    KEYBOARD_EMOJI,
};

/* Zeros are a hidden keyboard. */
struct phone_keyboard {
    bool shown;
    enum keyboard_page page;
    bool shift;
    bool latin; /* type letters, not pinyin */
    char pinyin[KEYBOARD_PINYIN_MAX + 1];
};

void keyboard_show(struct phone_keyboard *keyboard);
void keyboard_hide(struct phone_keyboard *keyboard);

/* Its height in dp, including the system bar below it; 0 if it is hidden. */
float keyboard_height(const struct phone_keyboard *keyboard,
                      const struct phone_surroundings *around);

/* Add its window, for typing into field. */
void keyboard_build(const struct phone_keyboard *keyboard,
                    const struct phone_surroundings *around,
                    const struct widget *field, struct widget_tree *tree);

/* The effect of a key of that window; may also change the keyboard. */
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
struct keyboard_stroke keyboard_press(struct phone_keyboard *keyboard,
                                      const struct widget *key,
                                      enum phone_locale locale);

void keyboard_save(const struct phone_keyboard *keyboard, struct buf *out);
void keyboard_load(struct phone_keyboard *keyboard, struct saved_state *in);

#endif
