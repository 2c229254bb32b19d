#include "base/key_press.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"

/* "*3" behind a key. */
static bool read_times(const char *star, int *times)
{
    char *end;
    long read = strtol(star + 1, &end, 10);

    if (end == star + 1 || *end || read < 1 || read > KEY_PRESS_TIMES_MAX)
        return false;
    *times = (int)read;
    return true;
}

static bool read_key(const char *name, size_t length, struct key_press *press)
{
    char key[KEYCODE_NAME_MAX + sizeof("KEYCODE_")];

    if (length >= sizeof(key) || press->count == KEY_PRESS_KEYS_MAX)
        return false;
    memcpy(key, name, length);
    key[length] = '\0';
    return keycode_parse(key, &press->codes[press->count++]);
}

bool key_press_parse(const char *text, struct key_press *press, struct err *err)
{
    struct key_press read = {.times = 1};
    const char *star = strchr(text, '*');
    const char *at = text;

    for (;;) {
        size_t length = strcspn(at, "+*");

        if (!read_key(at, length, &read))
            return err_set(err, ERR_INVALID, "there is no key \"%.*s\"",
                           (int)(length < 40 ? length : 40), at);
        at += length;
        if (*at != '+')
            break;
        at++;
    }
    if (star && (read.count > 1 || !read_times(star, &read.times)))
        return err_set(
            err, ERR_INVALID,
            "\"%.40s\": expected one key and a number, such as tab*3", star);
    *press = read;
    return true;
}

void key_press_text(const struct key_press *press,
                    char text[KEY_PRESS_TEXT_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < press->count; i++) {
        char name[KEYCODE_NAME_MAX];

        keycode_name(press->codes[i], name);
        length += (size_t)snprintf(text + length, KEY_PRESS_TEXT_MAX - length,
                                   "%s%s", i ? "+" : "", name);
    }
    if (press->times > 1)
        snprintf(text + length, KEY_PRESS_TEXT_MAX - length, "*%d",
                 press->times);
}
