#include "runner/hand/getevent_reader.h"

#include <stdio.h>
#include <string.h>

#include "runner/touch/evdev_keys.h"

/* ---- fingers ---- */

static void report(struct getevent_reader *reader,
                   const struct getevent_source *source, size_t slot,
                   enum contact_phase phase, int64_t now)
{
    const struct getevent_finger *finger = &source->fingers[slot];
    struct touch_contact contact = {
        .phase = phase,
        .pointer = (uint64_t)(source - reader->sources) * TOUCH_SLOTS + slot,
        .x = finger->at.x,
        .y = finger->at.y,
        .at_ms = now,
    };

    if (!finger->is_beside)
        reader->sink.contact(reader->sink.context, &contact);
}

static void lift(struct getevent_reader *reader, struct getevent_source *source,
                 size_t slot, enum contact_phase phase, int64_t now)
{
    struct getevent_finger *finger = &source->fingers[slot];

    if (!finger->down)
        return;
    report(reader, source, slot, phase, now);
    *finger = (struct getevent_finger){.down = false};
}

static void place(struct getevent_reader *reader,
                  struct getevent_source *source, size_t slot, int64_t now)
{
    const struct finger_slot *seen = &source->decoder.slots[slot];
    struct getevent_finger *finger = &source->fingers[slot];
    struct action_point at;
    bool inside =
        touch_display_pixel(&reader->display, source->device, seen->raw, &at);

    if (finger->down && finger->id != seen->id)
        lift(reader, source, slot, CONTACT_UP, now);
    if (finger->down && at.x == finger->at.x && at.y == finger->at.y)
        return;
    finger->at = at;
    finger->id = seen->id;
    if (!finger->down)
        finger->is_beside = !inside;
    report(reader, source, slot, finger->down ? CONTACT_MOVE : CONTACT_DOWN,
           now);
    finger->down = true;
}

static void report_fingers(struct getevent_reader *reader,
                           struct getevent_source *source, int64_t now)
{
    /* Fingers that are lifted come first: a new one may be in a lower slot. */
    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        if (!source->decoder.slots[i].active)
            lift(reader, source, i, CONTACT_UP, now);
    }
    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        if (source->decoder.slots[i].active)
            place(reader, source, i, now);
    }
}

static void cancel_fingers(struct getevent_reader *reader,
                           struct getevent_source *source, int64_t now)
{
    for (size_t i = 0; i < TOUCH_SLOTS; i++)
        lift(reader, source, i, CONTACT_CANCEL, now);
}

/* ---- devices ---- */

/* A line without a path is of the only device. */
static const struct touch_device *find_device(
    const struct getevent_reader *reader, const char *path)
{
    if (!*path && reader->devices.count)
        return &reader->devices.items[0];
    return touch_devices_find(&reader->devices, path);
}

/* NULL: there are too many devices. */
static struct getevent_source *find_source(struct getevent_reader *reader,
                                           const char *path)
{
    struct getevent_source *source;

    for (size_t i = 0; i < reader->source_count; i++) {
        if (strcmp(reader->sources[i].path, path) == 0)
            return &reader->sources[i];
    }
    if (reader->source_count == GETEVENT_SOURCES_MAX)
        return NULL;
    source = &reader->sources[reader->source_count++];
    *source = (struct getevent_source){.device = find_device(reader, path)};
    source->touches = source->device || !reader->devices.count;
    snprintf(source->path, sizeof(source->path), "%s", path);
    return source;
}

/* ---- lines ---- */

/* Buttons of mice, tools and such, of the kernel's input-event-codes.h. */
static bool is_button(unsigned code)
{
    return code >= 0x100 && code < 0x160;
}

static void take_key(struct getevent_reader *reader, unsigned code,
                     int32_t value, int64_t now)
{
    struct getevent_key key = {.down = value == 1, .at_ms = now};

    if (value < 0 || value > 1)
        return;
    if (evdev_key(code, &key.key) || !is_button(code))
        reader->sink.key(reader->sink.context, &key);
}

static void take_event(struct getevent_reader *reader,
                       const struct getevent_line *line, int64_t now)
{
    struct getevent_source *source = find_source(reader, line->path);
    enum touch_decoded decoded = TOUCH_EVENT_UNKNOWN;

    if (source && source->touches)
        decoded = touch_event_decoder_add(&source->decoder, line->type,
                                          line->code, line->value);
    if (decoded == TOUCH_EVENT_REPORT)
        report_fingers(reader, source, now);
    else if (decoded == TOUCH_EVENT_LOST)
        cancel_fingers(reader, source, now);
    else if (decoded == TOUCH_EVENT_UNKNOWN && line->type == EVDEV_EV_KEY)
        take_key(reader, line->code, line->value, now);
}

static void take_line(struct getevent_reader *reader, int64_t now)
{
    struct getevent_line line;

    reader->line[reader->length] = '\0';
    reader->length = 0;
    if (getevent_line_parse(reader->line, &line))
        take_event(reader, &line, line.has_time ? line.at_us / 1000 : now);
}

void getevent_reader_feed(struct getevent_reader *reader, const char *bytes,
                          size_t length, int64_t now_ms)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            if (!reader->is_too_long)
                take_line(reader, now_ms);
            reader->length = 0;
            reader->is_too_long = false;
        } else if (reader->length + 1 < GETEVENT_LINE_MAX) {
            reader->line[reader->length++] = bytes[i] ? bytes[i] : '?';
        } else {
            reader->is_too_long = true;
        }
    }
}

void getevent_reader_end(struct getevent_reader *reader, int64_t now_ms)
{
    getevent_reader_feed(reader, "\n", 1, now_ms);
    for (size_t i = 0; i < reader->source_count; i++)
        cancel_fingers(reader, &reader->sources[i], now_ms);
}

/* ---- the reader ---- */

void getevent_reader_init(struct getevent_reader *reader,
                          const struct touch_devices *devices,
                          const struct touch_display *display,
                          const struct getevent_sink *sink)
{
    memset(reader, 0, sizeof(*reader));
    reader->devices = *devices;
    reader->display = *display;
    reader->sink = *sink;
}

void getevent_reader_set_display(struct getevent_reader *reader,
                                 const struct touch_display *display)
{
    reader->display = *display;
}
