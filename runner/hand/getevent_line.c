#include "runner/hand/getevent_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/touch/evdev_keys.h"
#include "runner/touch/touch_event_decoder.h"

#define WORD_MAX 32
#define SECONDS_MAX 100000000000LL

struct named_code {
    const char *name;
    unsigned code;
};

static const struct named_code types[] = {{"EV_SYN", EVDEV_EV_SYN},
                                          {"EV_KEY", EVDEV_EV_KEY},
                                          {"EV_ABS", EVDEV_EV_ABS}};

static const struct named_code syncs[] = {
    {"SYN_REPORT", EVDEV_SYN_REPORT},
    {"SYN_MT_REPORT", EVDEV_SYN_MT_REPORT},
    {"SYN_DROPPED", EVDEV_SYN_DROPPED},
};

static const struct named_code buttons[] = {
    {"BTN_TOUCH", EVDEV_BTN_TOUCH}, {"BTN_TOOL_FINGER", EVDEV_BTN_TOOL_FINGER}};

static const struct named_code axes[] = {
    {"ABS_X", EVDEV_ABS_X},
    {"ABS_Y", EVDEV_ABS_Y},
    {"ABS_PRESSURE", EVDEV_ABS_PRESSURE},
    {"ABS_MT_SLOT", EVDEV_ABS_MT_SLOT},
    {"ABS_MT_TOUCH_MAJOR", EVDEV_ABS_MT_TOUCH_MAJOR},
    {"ABS_MT_POSITION_X", EVDEV_ABS_MT_POSITION_X},
    {"ABS_MT_POSITION_Y", EVDEV_ABS_MT_POSITION_Y},
    {"ABS_MT_TRACKING_ID", EVDEV_ABS_MT_TRACKING_ID},
    {"ABS_MT_PRESSURE", EVDEV_ABS_MT_PRESSURE},
};

static const struct named_code values[] = {
    {"UP", 0}, {"DOWN", 1}, {"REPEAT", 2}};

static bool find_name(const struct named_code *names, size_t count,
                      const char *word, unsigned *code)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i].name, word) == 0) {
            *code = names[i].code;
            return true;
        }
    }
    return false;
}

/* As many hexadecimal digits as getevent prints. */
static bool is_hex(const char *word, size_t digits)
{
    return strlen(word) == digits && strspn(word, "0123456789abcdef") == digits;
}

static bool read_code(const char *word, unsigned type, unsigned *code)
{
    if (is_hex(word, 4)) {
        *code = (unsigned)strtoul(word, NULL, 16);
        return true;
    }
    if (type == EVDEV_EV_SYN)
        return find_name(syncs, ARRAY_LEN(syncs), word, code);
    if (type == EVDEV_EV_ABS)
        return find_name(axes, ARRAY_LEN(axes), word, code);
    if (find_name(buttons, ARRAY_LEN(buttons), word, code) ||
        evdev_key_find(word, code))
        return true;
    *code = GETEVENT_OTHER_KEY;
    return strncmp(word, "KEY_", 4) == 0;
}

static bool read_type(const char *word, unsigned *type)
{
    if (!is_hex(word, 4))
        return find_name(types, ARRAY_LEN(types), word, type);
    *type = (unsigned)strtoul(word, NULL, 16);
    return *type == EVDEV_EV_SYN || *type == EVDEV_EV_KEY ||
           *type == EVDEV_EV_ABS;
}

static bool read_value(const char *word, int32_t *value)
{
    unsigned number;

    if (is_hex(word, 8))
        number = (unsigned)strtoul(word, NULL, 16);
    else if (!find_name(values, ARRAY_LEN(values), word, &number))
        return false;
    *value = (int32_t)number;
    return true;
}

/* "[   53890.813990] ": the time, and where the rest begins. */
static bool read_time(const char **text, struct getevent_line *line)
{
    const char *at = *text + 1;
    char *end;
    long long seconds;
    long micros;

    at += strspn(at, " ");
    if (!isdigit((unsigned char)*at))
        return false;
    seconds = strtoll(at, &end, 10);
    if (*end != '.' || seconds > SECONDS_MAX ||
        strspn(end + 1, "0123456789") != 6)
        return false;
    micros = strtol(end + 1, &end, 10);
    if (*end != ']')
        return false;
    line->has_time = true;
    line->at_us = seconds * 1000000 + micros;
    *text = end + 1 + strspn(end + 1, " ");
    return true;
}

/* "/dev/input/event1: " */
static bool read_path(const char **text, struct getevent_line *line)
{
    size_t length = strcspn(*text, ": ");

    if ((*text)[length] != ':' || length >= TOUCH_DEVICE_PATH_MAX)
        return false;
    snprintf(line->path, sizeof(line->path), "%.*s", (int)length, *text);
    *text += length + 1;
    *text += strspn(*text, " ");
    return true;
}

/* The words of a line; false unless there are exactly three. */
static bool read_words(const char *text, char words[3][WORD_MAX])
{
    for (size_t i = 0; i < 3; i++) {
        size_t length = strcspn(text, " \t\r");

        if (!length || length >= WORD_MAX)
            return false;
        snprintf(words[i], WORD_MAX, "%.*s", (int)length, text);
        text += length;
        text += strspn(text, " \t\r");
    }
    return !*text;
}

bool getevent_line_parse(const char *text, struct getevent_line *line)
{
    struct getevent_line found = {.has_time = false};
    char words[3][WORD_MAX];

    if (*text == '[' && !read_time(&text, &found))
        return false;
    if (*text == '/' && !read_path(&text, &found))
        return false;
    if (!read_words(text, words) || !read_type(words[0], &found.type) ||
        !read_code(words[1], found.type, &found.code) ||
        !read_value(words[2], &found.value))
        return false;
    *line = found;
    return true;
}
