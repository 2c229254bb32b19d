/*
 * The output of getevent, of a list of devices and of events: anything is
 * taken, and every finger that comes down is lifted or cancelled.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "runner/hand/getevent_reader.h"

struct fuzzed {
    struct getevent_reader reader;
    struct gesture_recognizer recognizer;
    long down;
};

static void take_gestures(struct fuzzed *fuzzed)
{
    struct recognized_gesture gesture;

    while (gesture_recognizer_next(&fuzzed->recognizer, &gesture)) {
        if (gesture.up_ms < gesture.down_ms)
            abort();
        recognized_gesture_release(&gesture);
    }
}

static void take_contact(void *context, const struct touch_contact *contact)
{
    struct fuzzed *fuzzed = context;

    if (contact->x < 0 || contact->y < 0 || contact->x >= 1080 ||
        contact->y >= 2400)
        abort();
    if (contact->phase == CONTACT_DOWN)
        fuzzed->down++;
    else if (contact->phase != CONTACT_MOVE)
        fuzzed->down--;
    gesture_recognizer_add(&fuzzed->recognizer, contact);
    take_gestures(fuzzed);
}

static void take_key(void *context, const struct getevent_key *key)
{
    struct fuzzed *fuzzed = context;

    gesture_recognizer_pass(&fuzzed->recognizer, key->at_ms);
    take_gestures(fuzzed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzzed fuzzed;
    const struct getevent_sink sink = {take_contact, take_key, &fuzzed};
    const struct gesture_options options = {
        .screen = {1080, 2400}, .edge_gestures = true, .double_taps = true};
    const char *text = (const char *)data;
    const struct touch_display display = {
        .size = {1080, 2400},
        .panel = {size % 3 ? 0 : 720, size % 3 ? 0 : 1280}};
    struct touch_devices devices;

    touch_devices_parse(text, size, &devices);
    if (!devices.count)
        devices = (struct touch_devices){
            .items = {{"/dev/input/event1", {0, 4095}, {0, 4095}}}, .count = 1};
    fuzzed.down = 0;
    getevent_reader_init(&fuzzed.reader, &devices, &display, &sink);
    gesture_recognizer_init(&fuzzed.recognizer, &options);
    getevent_reader_feed(&fuzzed.reader, text, size / 2, 0);
    getevent_reader_feed(&fuzzed.reader, text + size / 2, size - size / 2, 50);
    getevent_reader_end(&fuzzed.reader, 100);
    if (fuzzed.down != 0)
        abort();
    gesture_recognizer_end(&fuzzed.recognizer);
    take_gestures(&fuzzed);
    gesture_recognizer_release(&fuzzed.recognizer);
    return 0;
}
