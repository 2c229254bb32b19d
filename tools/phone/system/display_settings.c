#include "tools/phone/system/display_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/system/input_methods.h"

#define AUTOMATIC "accelerometer_rotation"
#define ROTATION "user_rotation"
#define NIGHT "ui_night_mode"
#define TEXT_SIZE "font_scale"     /* "1.15" */
#define LANGUAGES "system_locales" /* the first one is used: "zh-CN,en-US" */
#define KEYBOARD "default_input_method"
#define NIGHT_YES 2 /* UiModeManager.MODE_NIGHT_YES */

static long get_number(struct phone_settings *settings,
                       enum settings_space space, const char *name,
                       long otherwise)
{
    struct buf text = BUF_INIT(STRING_MAP_VALUE_MAX);
    long number = settings_get(settings, space, name, &text)
                      ? strtol(buf_cstr(&text), NULL, 10)
                      : otherwise;

    buf_release(&text);
    return number;
}

/* The phone is never turned by hand: with auto-rotate its rotation is 0. */
static void turn(const struct display_settings *display)
{
    struct screen_display next = screen_display(display->screen);
    bool automatic =
        get_number(display->settings, SETTINGS_SYSTEM, AUTOMATIC, 1) != 0;
    long rotation =
        get_number(display->settings, SETTINGS_SYSTEM, ROTATION, 0) & 3;
    struct err err = ERR_INIT;

    next.rotation = automatic ? 0 : (int)rotation;
    if (next.rotation != screen_display(display->screen).rotation)
        (void)!screen_set_display(display->screen, &next, &err);
}

static void darken(const struct display_settings *display)
{
    struct screen_display next = screen_display(display->screen);
    struct err err = ERR_INIT;

    next.dark =
        get_number(display->settings, SETTINGS_SECURE, NIGHT, 1) == NIGHT_YES;
    (void)!screen_set_display(display->screen, &next, &err);
}

/* Values out of range are clamped. */
static void enlarge(const struct display_settings *display)
{
    struct screen_display next = screen_display(display->screen);
    struct buf text = BUF_INIT(STRING_MAP_VALUE_MAX);
    struct err err = ERR_INIT;
    double percent = 100;

    if (settings_get(display->settings, SETTINGS_SYSTEM, TEXT_SIZE, &text))
        percent = strtod(buf_cstr(&text), NULL) * 100;
    buf_release(&text);
    next.text_size =
        percent > 0
            ? (int)fmin(fmax(percent + 0.5, SCREEN_TEXT_MIN), SCREEN_TEXT_MAX)
            : 100;
    (void)!screen_set_display(display->screen, &next, &err);
}

static void speak(const struct display_settings *display)
{
    struct screen_display next = screen_display(display->screen);
    struct buf languages = BUF_INIT(STRING_MAP_VALUE_MAX);
    struct err err = ERR_INIT;

    if (settings_get(display->settings, SETTINGS_SYSTEM, LANGUAGES, &languages))
        next.locale =
            strncmp(buf_cstr(&languages), "zh", 2) ? LOCALE_EN : LOCALE_ZH;
    buf_release(&languages);
    (void)!screen_set_display(display->screen, &next, &err);
}

static void choose_keyboard(const struct display_settings *display)
{
    struct buf name = BUF_INIT(STRING_MAP_VALUE_MAX);

    (void)!settings_get(display->settings, SETTINGS_SECURE, KEYBOARD, &name);
    screen_set_keyboard(display->screen,
                        !strcmp(buf_cstr(&name), INPUT_METHODS_DEFAULT));
    buf_release(&name);
}

static void obey(void *context, enum settings_space space, const char *name)
{
    const struct display_settings *display = context;

    if (space == SETTINGS_SYSTEM &&
        (!strcmp(name, AUTOMATIC) || !strcmp(name, ROTATION)))
        turn(display);
    else if (space == SETTINGS_SYSTEM && !strcmp(name, LANGUAGES))
        speak(display);
    else if (space == SETTINGS_SYSTEM && !strcmp(name, TEXT_SIZE))
        enlarge(display);
    else if (space == SETTINGS_SECURE && !strcmp(name, NIGHT))
        darken(display);
    else if (space == SETTINGS_SECURE && (!strcmp(name, KEYBOARD) || !*name))
        choose_keyboard(display);
}

void display_settings_follow(struct display_settings *display,
                             struct phone_settings *settings,
                             struct phone_screen *screen)
{
    *display = (struct display_settings){settings, screen};
    settings_watch(settings, obey, display);
}

void display_settings_turn(struct phone_settings *settings, bool held,
                           int rotation)
{
    const char digits[] = {(char)('0' + (rotation & 3)), '\0'};

    (void)!settings_put(settings, SETTINGS_SYSTEM, ROTATION, digits);
    (void)!settings_put(settings, SETTINGS_SYSTEM, AUTOMATIC, held ? "0" : "1");
}
