/*
 * Recordings of `getevent` from real phones: the gestures in them. They are
 * read where they are present.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/macros.h"
#include "runner/hand/getevent_reader.h"

struct real_recording {
    const char *file;
    struct extent screen;
    int density;
    int axis; /* the largest value of both; 0: positions are pixels */
    const char *expected;
};

struct listener {
    struct getevent_reader reader;
    struct gesture_recognizer recognizer;
    char found[2048];
    size_t keys;
};

static void take_gestures(struct listener *listener)
{
    struct recognized_gesture gesture;

    while (gesture_recognizer_next(&listener->recognizer, &gesture)) {
        const struct action *action = &gesture.action;
        size_t used = strlen(listener->found);

        snprintf(listener->found + used, sizeof(listener->found) - used,
                 "%s%s %d %d", used ? "; " : "",
                 gesture_kind_name(gesture.kind), action->from.x,
                 action->from.y);
        used = strlen(listener->found);
        if (action->has_to)
            snprintf(listener->found + used, sizeof(listener->found) - used,
                     " %d %d", action->to.x, action->to.y);
        if (action->text)
            snprintf(listener->found + used, sizeof(listener->found) - used,
                     " [%s]", action->text);
        recognized_gesture_release(&gesture);
    }
}

static void take_contact(void *context, const struct touch_contact *contact)
{
    struct listener *listener = context;

    gesture_recognizer_add(&listener->recognizer, contact);
    take_gestures(listener);
}

static void take_key(void *context, const struct getevent_key *key)
{
    struct listener *listener = context;

    (void)key;
    listener->keys++;
}

/* All devices of the file are touch screens with this range. */
static void list_devices(int axis, struct touch_devices *devices)
{
    devices->count = 0;
    for (int i = 0; axis && i < 4; i++) {
        struct touch_device *device = &devices->items[devices->count++];

        *device = (struct touch_device){.x = {0, axis}, .y = {0, axis}};
        snprintf(device->path, sizeof(device->path), "/dev/input/event%d", i);
    }
}

/* Lines without times come 10 ms apart, report by report. */
static void feed_lines(struct listener *listener, const struct buf *text)
{
    int64_t now = 0;

    for (size_t at = 0; at < text->length;) {
        const char *line = text->data + at;
        const char *end = memchr(line, '\n', text->length - at);
        size_t size = end ? (size_t)(end - line) + 1 : text->length - at;

        if (memmem(line, size, "0000 0000 0000", 14))
            now += 10;
        getevent_reader_feed(&listener->reader, line, size, now);
        at += size;
    }
    getevent_reader_end(&listener->reader, now + 10);
    gesture_recognizer_end(&listener->recognizer);
    take_gestures(listener);
}

static bool listen_to(const struct real_recording *recording,
                      struct listener *listener)
{
    const struct getevent_sink sink = {take_contact, take_key, listener};
    const struct touch_display display = {.size = recording->screen};
    const struct gesture_options options = {.screen = recording->screen,
                                            .density = recording->density};
    struct touch_devices devices;
    struct buf text = BUF_INIT(1 << 22);
    struct err ignored;
    char path[512];

    snprintf(path, sizeof(path), FIXTURES_FOLDER "/%s", recording->file);
    if (!file_load(path, &text, &ignored))
        return false;
    memset(listener, 0, sizeof(*listener));
    list_devices(recording->axis, &devices);
    getevent_reader_init(&listener->reader, &devices, &display, &sink);
    gesture_recognizer_init(&listener->recognizer, &options);
    feed_lines(listener, &text);
    gesture_recognizer_release(&listener->recognizer);
    buf_release(&text);
    return true;
}

static const struct real_recording recordings[] = {
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen.txt",
     {720, 1600},
     320,
     0,
     "tap 635 959; tap 686 1516; tap 185 1583; tap 165 1585; tap 171 1597"},
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen~1a6f6b8.txt",
     {720, 1600},
     320,
     0,
     "tap 267 1199; tap 645 1507; tap 164 905; tap 105 991; tap 82 1308; tap "
     "682 1382; tap 155 1578; tap 165 1587; tap 165 1595; tap 184 1585; tap "
     "169 1583"},
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen~27bd61b.txt",
     {720, 1600},
     320,
     0,
     "tap 692 978; tap 156 1599; tap 165 1575; tap 478 1446; tap 389 1558"},
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen~64d4555.txt",
     {720, 1600},
     320,
     0,
     "tap 659 1194; tap 177 1592; tap 645 1223; tap 179 1597; tap 653 1241; "
     "tap 185 1588; tap 630 1236; tap 195 1593; tap 623 1236; tap 200 1596; "
     "tap 650 1214; tap 193 1599; tap 674 1238; tap 185 1596; tap 639 1242; "
     "tap 193 1599"},
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen~78582ee.txt",
     {720, 1600},
     320,
     0,
     "tap 625 1242; tap 339 300; tap 542 1500; tap 189 1202; tap 332 464; tap "
     "684 1475"},
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen~b66f25d.txt",
     {720, 1600},
     320,
     0,
     "tap 640 1219; tap 153 1544; tap 192 1560; tap 659 735; tap 367 1588; tap "
     "637 466; tap 471 283; tap 371 1575"},
    {"device-outputs/09franchico+auto-zap__movimentos_touchscreen~cf24430.txt",
     {720, 1600},
     320,
     0,
     "tap 649 436; tap 492 244; tap 406 292; tap 179 1595; tap 541 417; tap "
     "180 1588; tap 386 1578"},
    {"device-outputs/Cartucho+android-touch-record-replay__"
     "recorded_touch_events.txt",
     {720, 1280},
     320,
     0,
     "tap 446 600"},
    {"device-outputs/GeniusPudding+droidbot_multidevice__test_emulator-5554__"
     "user_input.txt",
     {1080, 1920},
     420,
     32767,
     "swipe 398 1626 398 1308; swipe 423 1551 423 0"},
    {"device-outputs/GeniusPudding+droidbot_multidevice__test_emulator-5556__"
     "user_input.txt",
     {1080, 1920},
     420,
     32767,
     "swipe 743 701 743 0"},
    {"device-outputs/GeniusPudding+droidbot_multidevice__testing_repackage__"
     "user_input.txt",
     {1080, 1920},
     420,
     0,
     "fling 382 1356 464 962; tap 370 1511; tap 399 1492"},
    {"device-outputs/GeniusPudding+droidbot_multidevice__nly-repack__"
     "user_input.txt",
     {1080, 1920},
     420,
     0,
     ""},
    {"device-outputs/NightSparrows+NSGameScriptor__getevent.txt",
     {1280, 720},
     320,
     0,
     "cancelled touch 0 0"},
    {"device-outputs/resess+ViaLin__evaluation_package__DroidICCBench__config__"
     "Callbacks_Button2.replay.txt",
     {1440, 2560},
     560,
     0,
     "tap 795 1310; tap 1049 1534; tap 1082 1557; tap 776 1146; tap 732 649"},
    {"device-outputs/resess+ViaLin__evaluation_package__DroidICCBench__config__"
     "Callbacks_Button5.replay.txt",
     {1440, 2560},
     560,
     0,
     "tap 1034 1610; tap 1036 1636; tap 779 1433"},
    {"device-outputs/zapolsky+3m-solution__getevent.log",
     {1920, 1080},
     160,
     32767,
     "tap with several fingers 1688 854 [3 fingers tap 1688 854]"},
    {"device-outputs/zawa-works+AdbGetevent__data__pos.txt",
     {1080, 1920},
     420,
     0,
     "fling 747 943 725 650; fling 859 1333 724 733; swipe with several "
     "fingers 604 414 [2 fingers swipe 604 414 594 846 402]; swipe with "
     "several "
     "fingers 630 509 [3 fingers swipe 630 509 577 990 222]"},
    {"real-android/4.4.2/getevent-lt.txt", {800, 600}, 160, 0, ""},
    {"real-android/4.4.2/getevent-lt-one-device.txt", {800, 600}, 160, 0, ""},
    {"real-android/4.4.2/getevent.txt", {800, 600}, 160, 0, ""},
};

static void gestures_of_real_phones_are_found(void **state)
{
    static struct listener listener;
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(recordings); i++) {
        if (!listen_to(&recordings[i], &listener) ||
            strcmp(listener.found, recordings[i].expected) == 0)
            continue;
        print_error("%s:\n  expected %s\n  found    %s\n", recordings[i].file,
                    recordings[i].expected, listener.found);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gestures_of_real_phones_are_found),
    };

    return cmocka_run_group_tests_name("real_touches", tests, NULL, NULL);
}
