/*
 * 500 scripted episodes in six styles of command lines on a built-in phone: the
 * actions that the classifier finds in the lines are those of the phone's own
 * log of input events, its text field and its app in front.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/classify/door_classifier.h"
#include "tests/runner/classify/input_log.h"
#include "tests/tools/phone/services/system_phone.h"
#include "tools/phone/system/input_methods.h"

#define EPISODES 500
#define STEPS 8
#define LINE_SIZE 2048

#define WIDTH 1080
#define HEIGHT 2400

/* The search field of the home screen. */
#define FIELD_X 540
#define FIELD_Y 2220

enum style {
    STYLE_FILES,      /* screencap and dump to files, input with names */
    STYLE_CHARACTERS, /* a command per character, key codes */
    STYLE_KEYBOARD,   /* ADBKeyboard with base64, monkey */
    STYLE_EXEC,       /* exec screencap, quick swipes, broadcasts */
    STYLE_JOINED,     /* several commands in a line, sh -c */
    STYLE_EVENTS,     /* sendevent and motionevent */
    STYLES,
};

struct event_episode {
    struct system_phone *phone;
    enum style style;
    struct door_classifier *classifier;
    struct action_series found;
    struct input_log log;
    uint64_t next_event; /* of the phone, that is not in the log yet */
    unsigned random;
};

static unsigned random_below(struct event_episode *episode, unsigned limit)
{
    episode->random = episode->random * 1664525 + 1013904223;
    return (episode->random >> 8) % limit;
}

static int64_t now_ms(struct event_episode *episode)
{
    return virtual_clock_now(episode->phone->context.clock) / CLOCK_MILLISECOND;
}

static void pass(struct event_episode *episode, int ms)
{
    virtual_clock_advance(episode->phone->context.clock,
                          ms * (int64_t)CLOCK_MILLISECOND);
}

/* ---- the truth ---- */

/* The events of the phone's devices since the last time. */
static void take_events(struct event_episode *episode)
{
    struct input_devices *devices = episode->phone->context.devices;
    struct input_event event;

    while (input_devices_read(devices, &episode->next_event, &event)) {
        input_log_take(&episode->log, &event);
        episode->next_event++;
    }
}

/* The UI tree of what the phone shows now; the caller frees it. */
static char *dump(struct event_episode *episode)
{
    struct buf tree = BUF_INIT(1 << 20);
    char *text;

    screen_dump(episode->phone->context.screen, false, &tree);
    text = mem_dup(buf_cstr(&tree));
    buf_release(&tree);
    return text;
}

/* ---- the classifier ---- */

static void keep_item(struct event_episode *episode,
                      const struct door_item *item)
{
    struct action_series *found = &episode->found;

    if (item->kind == DOOR_RAW &&
        item->action.effect != EFFECT_KEYBOARD) /* ime set */
        fail_msg("not understood: %s", item->command);
    if (item->kind != DOOR_ACTION)
        return;
    assert_true(item->number >= 1 && item->number <= INPUT_LOG_MAX);
    assert_int_equal(item->continues, item->number <= found->count);
    if (item->continues)
        action_release(&found->items[item->number - 1]);
    else
        found->count = item->number;
    found->items[item->number - 1] = item->action;
    found->items[item->number - 1].text =
        item->action.text ? mem_dup(item->action.text) : NULL;
}

/* One command line as the classifier gets it, and the phone unless NULL. */
static void classify(struct event_episode *episode, const char *line,
                     struct system_phone *phone)
{
    struct door_items items = DOOR_ITEMS_INIT;
    struct door_captures captures = DOOR_CAPTURES_INIT;
    char service[LINE_SIZE];
    struct door_stream *stream;

    snprintf(service, sizeof(service), "shell:%s", line);
    stream = door_stream_open(episode->classifier, service, strlen(service),
                              now_ms(episode), &items);
    if (phone)
        system_phone_run(phone, line, 0);
    door_stream_close(stream, now_ms(episode), &items, &captures);
    for (size_t i = 0; i < items.count; i++)
        keep_item(episode, &items.items[i]);
    take_events(episode);
    door_items_release(&items);
    door_captures_release(&captures);
}

PRINTF_LIKE(2, 3)
static void run(struct event_episode *episode, const char *fmt, ...)
{
    char line[LINE_SIZE - 16];
    va_list arguments;

    va_start(arguments, fmt);
    vsnprintf(line, sizeof(line), fmt, arguments);
    va_end(arguments);
    classify(episode, line, episode->phone);
}

/* A look at the screen, which the phone need not draw. */
static void look_by(struct event_episode *episode, const char *line)
{
    classify(episode, line, NULL);
    pass(episode, 100);
}

/* ---- steps in each style ---- */

static void look(struct event_episode *episode)
{
    switch (episode->style) {
    case STYLE_FILES:
        look_by(episode, "screencap -p /sdcard/s.png");
        look_by(episode, "uiautomator dump /sdcard/s.xml");
        break;
    case STYLE_CHARACTERS:
    case STYLE_KEYBOARD:
        look_by(episode, "screencap -p /sdcard/screenshot.png");
        break;
    case STYLE_EXEC:
    case STYLE_JOINED:
    case STYLE_EVENTS:
    case STYLES:
        look_by(episode, "screencap -p");
        break;
    }
}

static int axis_of(int pixel, int side)
{
    return (int)(((int64_t)pixel * (INPUT_AXIS_MAX + 1) + side - 1) / side);
}

#define EVENT "sendevent /dev/input/event1 "

/* A finger by events; the line sleeps while it is down. */
static void send_touch(struct event_episode *episode, int x, int y, int x2,
                       int y2, const char *held)
{
    run(episode,
        EVENT "3 57 7;" EVENT "3 53 %d;" EVENT "3 54 %d;" EVENT "1 330 1;" EVENT
              "0 0 0; sleep %s;" EVENT "3 53 %d;" EVENT "3 54 %d;" EVENT
              "0 0 0;" EVENT "3 57 4294967295;" EVENT "1 330 0;" EVENT "0 0 0",
        axis_of(x, WIDTH), axis_of(y, HEIGHT), held, axis_of(x2, WIDTH),
        axis_of(y2, HEIGHT));
}

static void tap(struct event_episode *episode, int x, int y)
{
    if (episode->style == STYLE_EVENTS)
        send_touch(episode, x, y, x, y, "0.05");
    else if (episode->style == STYLE_JOINED)
        run(episode, "sh -c 'input tap %d %d' && echo ok", x, y);
    else
        run(episode, "input tap %d %d", x, y);
}

static void tap_twice(struct event_episode *episode, int x, int y)
{
    if (episode->style == STYLE_JOINED) {
        run(episode, "input tap %d %d; sleep 0.1; input tap %d %d", x, y, x, y);
        return;
    }
    tap(episode, x, y);
    pass(episode, 100);
    tap(episode, x, y);
}

static void hold(struct event_episode *episode, int x, int y)
{
    if (episode->style == STYLE_EVENTS) {
        run(episode, "input motionevent DOWN %d %d", x, y);
        pass(episode, 900);
        run(episode, "input motionevent UP %d %d", x, y);
    } else {
        run(episode, "input swipe %d %d %d %d 1000", x, y, x, y);
    }
}

static void swipe(struct event_episode *episode, int x, int y, int x2, int y2)
{
    static const int times[STYLES] = {400, 500, 300, 300, 1000, 0};

    if (episode->style == STYLE_EVENTS)
        send_touch(episode, x, y, x2, y2, "0.1");
    else
        run(episode, "input swipe %d %d %d %d %d", x, y, x2, y2,
            times[episode->style]);
}

static void press(struct event_episode *episode, const char *name, int code)
{
    if (episode->style == STYLE_CHARACTERS || episode->style == STYLE_JOINED)
        run(episode, "input keyevent %d", code);
    else
        run(episode, "input keyevent KEYCODE_%s", name);
}

static void type_characters(struct event_episode *episode, const char *text)
{
    for (; *text; text++) {
        if (*text == ' ')
            run(episode, "input text %%s");
        else
            run(episode, "input text \"%c\"", *text);
        pass(episode, 60);
    }
}

static void type_by_keyboard(struct event_episode *episode, const char *text)
{
    struct buf letters = BUF_INIT(LINE_SIZE);

    base64_append(text, strlen(text), &letters);
    run(episode, "ime set %s", INPUT_METHODS_ADB);
    pass(episode, 1000);
    run(episode, "am broadcast -a ADB_INPUT_B64 --es msg %s",
        buf_cstr(&letters));
    buf_release(&letters);
}

/* "%s" for blanks, in quotes. */
static void type_plain(struct event_episode *episode, const char *text)
{
    char words[LINE_SIZE] = "";

    for (size_t used = 0; *text; text++) {
        snprintf(words + used, sizeof(words) - used,
                 *text == ' ' ? "%%s" : "%c", *text);
        used = strlen(words);
    }
    run(episode, "input text '%s'", words);
}

static void type_text(struct event_episode *episode, const char *text)
{
    if (episode->style == STYLE_CHARACTERS)
        type_characters(episode, text);
    else if (episode->style == STYLE_KEYBOARD)
        type_by_keyboard(episode, text);
    else
        type_plain(episode, text);
}

static void open_app(struct event_episode *episode, const char *package)
{
    if (episode->style == STYLE_EXEC || episode->style == STYLE_EVENTS)
        run(episode, "am start -W -n %s/.MainActivity", package);
    else
        run(episode, "monkey -p %s -c android.intent.category.LAUNCHER 1",
            package);
}

/* ---- episodes ---- */

static const char *const texts[] = {"milk", "two apples", "Room 42", "a b c",
                                    "price 9"};

/* On the home screen, into its field, where the tap may have typed a blank. */
static void do_typing(struct event_episode *episode)
{
    char *before;
    char *after;

    press(episode, "HOME", 3);
    look(episode);
    tap(episode, FIELD_X, FIELD_Y);
    look(episode);
    before = dump(episode);
    type_text(episode, texts[random_below(episode, ARRAY_LEN(texts))]);
    after = dump(episode);
    input_log_add(&episode->log,
                  (struct action){.kind = ACTION_TYPE,
                                  .text = input_log_typed(before, after)});
    free(before);
    free(after);
}

static void do_opening(struct event_episode *episode)
{
    static const char *const packages[] = {"org.proctor.shop",
                                           "org.proctor.eats"};
    char *tree;

    open_app(episode, packages[random_below(episode, ARRAY_LEN(packages))]);
    tree = dump(episode);
    input_log_add(&episode->log,
                  (struct action){.kind = ACTION_OPEN_APP,
                                  .text = input_log_attribute(tree, "<node",
                                                              " package=\"")});
    free(tree);
}

static void do_step(struct event_episode *episode)
{
    int x = (int)random_below(episode, WIDTH - 200) + 100;
    int y = (int)random_below(episode, HEIGHT - 600) + 300;

    look(episode);
    pass(episode, 700);
    switch (random_below(episode, 10)) {
    case 0:
        press(episode, "BACK", 4);
        break;
    case 1:
        press(episode, "APP_SWITCH", 187);
        break;
    case 2:
        press(episode, "VOLUME_UP", 24);
        break;
    case 3:
        hold(episode, x, y);
        break;
    case 4:
        tap_twice(episode, x, y);
        break;
    case 5:
        swipe(episode, x, 1900, x, 600);
        break;
    case 6:
        do_typing(episode);
        break;
    case 7:
        do_opening(episode);
        break;
    default:
        tap(episode, x, y);
        break;
    }
}

static void find_touch(void *context, struct touch_devices *devices)
{
    const struct buf *listed = system_phone_run(context, "getevent -p", 0);

    touch_devices_parse(buf_cstr(listed), listed->length, devices);
}

static void actions_equal_the_event_log(void **state)
{
    const struct door_options options = {
        .display.size = {WIDTH, HEIGHT},
        .find_touch = find_touch,
        .context = *state,
    };
    size_t wrong = 0;
    size_t all = 0;

    for (unsigned i = 0; i < EPISODES; i++) {
        struct event_episode episode = {.phone = *state,
                                        .style = i % STYLES,
                                        .log.screen = {WIDTH, HEIGHT},
                                        .random = i};
        char name[32];

        input_methods_install_adb(&episode.phone->handset);
        system_phone_run(episode.phone, "ime enable " INPUT_METHODS_ADB, 0);

        episode.next_event = input_devices_end(episode.phone->context.devices);
        episode.classifier = door_classifier_new(&options);
        for (int j = 0; j < STEPS; j++)
            do_step(&episode);
        snprintf(name, sizeof(name), "episode %u", i);
        wrong += action_series_differences(&episode.found, &episode.log.actions,
                                           name);
        all += episode.found.count;
        door_classifier_free(episode.classifier);
        action_series_release(&episode.found);
        input_log_release(&episode.log);
    }
    print_message("%zu actions, %zu differ\n", all, wrong);
    assert_true(all >= EPISODES * STEPS);
    assert_true(wrong * 100 <= all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(actions_equal_the_event_log,
                                        system_phone_set_up,
                                        system_phone_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
