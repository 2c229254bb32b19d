/*
 * Gestures on many kinds of phones, through getevent's text: what the reader
 * and the recognizer make of them is what was done. The share is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/macros.h"
#include "runner/hand/getevent_reader.h"
#include "tests/runner/hand/touch_writer.h"

#define PHONES_MAX 32
#define GESTURES_MAX 64
#define GESTURES_MIN 300
#define RIGHT_PERCENT 98

#define STROKES_MAX 4
#define LEGS_MAX 6
#define FRAME_MS 8
#define POINT_TOLERANCE 4

/* ---- the table ---- */

struct phone_row {
    char name[32];
    struct writer_options writer;
    struct gesture_options gestures;
};

struct leg {
    int x, y; /* thousandths: where it ends */
    int ms;
};

struct stroke {
    int begin; /* ms */
    int x, y;
    struct leg legs[LEGS_MAX];
    size_t leg_count;
};

struct gesture_row {
    char expected[64];
    char script[160];
    struct stroke strokes[STROKES_MAX];
    size_t stroke_count;
    bool is_together; /* some fingers at the same time */
    bool is_edge;     /* it needs navigation by gestures */
};

struct gesture_table {
    struct phone_row phones[PHONES_MAX];
    size_t phone_count;
    struct gesture_row gestures[GESTURES_MAX];
    size_t gesture_count;
};

/* The next word, up to a blank; *at moves behind it. */
static void read_word(const char **at, char *word, size_t size)
{
    size_t length;

    *at += strspn(*at, " ");
    length = strcspn(*at, " ");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length;
}

/* The next number, behind blanks and one separator of these. */
static int read_number(const char **at, const char *separators)
{
    char *end;
    long number;

    *at += strspn(*at, " ");
    *at += strspn(*at, separators);
    number = strtol(*at, &end, 10);
    if (end == *at)
        fail_msg("not a number: %s", *at);
    *at = end;
    return (int)number;
}

static struct extent read_extent(const char **at)
{
    int width = read_number(at, "");

    return (struct extent){width, read_number(at, "x")};
}

static void read_phone(struct gesture_table *table, const char *line)
{
    struct phone_row *row = &table->phones[table->phone_count++];
    struct writer_options *writer = &row->writer;
    char driver[32], format[8], navigation[16], noise[16];
    const char *at = line;

    assert_true(table->phone_count <= PHONES_MAX);
    read_word(&at, row->name, sizeof(row->name));
    read_word(&at, driver, sizeof(driver));
    read_word(&at, format, sizeof(format));
    writer->axis_min = read_number(&at, "");
    writer->axis_max = read_number(&at, ".");
    writer->size = read_extent(&at);
    writer->rotation = read_number(&at, "");
    writer->panel = read_extent(&at);
    row->gestures.density = read_number(&at, "");
    read_word(&at, navigation, sizeof(navigation));
    read_word(&at, noise, sizeof(noise));
    if (!driver_find(driver, &writer->driver))
        fail_msg("not a phone: %s", line);
    writer->names = strchr(format, 'l');
    writer->times = strchr(format, 't');
    writer->devices = strchr(format, 'p');
    writer->noise = noise[0];
    row->gestures.screen = writer->size;
    row->gestures.edge_gestures = strcmp(navigation, "gestures") == 0;
    row->gestures.double_taps = true;
}

static int stroke_end(const struct stroke *stroke)
{
    int end = stroke->begin;

    for (size_t i = 0; i < stroke->leg_count; i++)
        end += stroke->legs[i].ms;
    return end;
}

static void add_leg(struct stroke *stroke, int x, int y, int ms)
{
    assert_true(stroke->leg_count < LEGS_MAX);
    stroke->legs[stroke->leg_count++] = (struct leg){x, y, ms};
}

/* "500,800 after 20 hold 60 to 500,300 150", up to ";" or "&". */
static const char *read_stroke(const char *at, int begin, struct stroke *stroke)
{
    char word[16];
    int x = read_number(&at, "");
    int y = read_number(&at, ",");

    *stroke = (struct stroke){.begin = begin, .x = x, .y = y};
    for (at += strspn(at, " "); *at && *at != ';' && *at != '&';
         at += strspn(at, " ")) {
        read_word(&at, word, sizeof(word));
        if (strcmp(word, "after") == 0) {
            stroke->begin += read_number(&at, "");
            continue;
        }
        if (strcmp(word, "to") == 0) {
            x = read_number(&at, "");
            y = read_number(&at, ",");
        } else if (strcmp(word, "hold") != 0) {
            fail_msg("not a part of a stroke: %s", word);
        }
        add_leg(stroke, x, y, read_number(&at, ""));
    }
    return at;
}

static void read_gesture(struct gesture_table *table, const char *line)
{
    struct gesture_row *row = &table->gestures[table->gesture_count++];
    const char *colon = strstr(line, " : ");
    const char *at = colon + 3;
    int begin = 1000;

    assert_true(table->gesture_count <= GESTURES_MAX && colon);
    snprintf(row->expected, sizeof(row->expected), "%.*s", (int)(colon - line),
             line);
    snprintf(row->script, sizeof(row->script), "%s", at);
    row->is_edge =
        strstr(row->expected, " gesture") || strncmp(at, "2,", 2) == 0;
    for (;;) {
        struct stroke *stroke = &row->strokes[row->stroke_count++];

        assert_true(row->stroke_count <= STROKES_MAX);
        at = read_stroke(at, begin, stroke);
        if (*at == ';')
            begin = stroke_end(stroke);
        else if (*at == '&')
            row->is_together = true;
        else
            return;
        at++;
    }
}

static void read_table(struct gesture_table *table)
{
    struct buf text = BUF_INIT(1 << 20);
    struct err err = ERR_INIT;

    *table = (struct gesture_table){.phone_count = 0};
    assert_true(file_load(TEST_GESTURE_TABLE, &text, &err));
    buf_byte(&text, '\0');
    for (char *line = text.data, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (strncmp(line, "phone ", 6) == 0)
            read_phone(table, line + 6);
        else if (strncmp(line, "gesture ", 8) == 0)
            read_gesture(table, line + 8);
    }
    buf_release(&text);
}

/* ---- fingers ---- */

static struct writer_finger finger_at(const struct stroke *stroke, int ms,
                                      struct extent size)
{
    struct writer_finger finger = {.down = true};
    double x = stroke->x;
    double y = stroke->y;
    int since = stroke->begin;

    /* The frame in which it arrives is the last. */
    if (ms < stroke->begin || ms >= stroke_end(stroke) + FRAME_MS)
        return (struct writer_finger){.down = false};
    for (size_t i = 0; i < stroke->leg_count; i++) {
        const struct leg *leg = &stroke->legs[i];
        double part = leg->ms ? (double)(ms - since) / leg->ms : 1;

        if (part > 1)
            part = 1;
        if (part <= 0)
            break;
        x += (leg->x - x) * part;
        y += (leg->y - y) * part;
        since += leg->ms;
    }
    finger.x = (int)(x * (size.width - 1) / 1000);
    finger.y = (int)(y * (size.height - 1) / 1000);
    return finger;
}

static int script_end(const struct gesture_row *row)
{
    int end = 0;

    for (size_t i = 0; i < row->stroke_count; i++) {
        if (stroke_end(&row->strokes[i]) > end)
            end = stroke_end(&row->strokes[i]);
    }
    return end;
}

static void write_frame(struct touch_writer *writer,
                        const struct gesture_row *row, int ms)
{
    struct writer_finger fingers[WRITER_FINGERS] = {{.down = false}};

    for (size_t i = 0; i < row->stroke_count; i++) {
        size_t slot = row->is_together ? i : 0;
        struct writer_finger finger =
            finger_at(&row->strokes[i], ms, writer->options.size);

        if (finger.down)
            fingers[slot] = finger;
    }
    touch_writer_frame(writer, ms, fingers);
}

/* ---- recognition ---- */

struct recognition {
    struct getevent_reader reader;
    struct gesture_recognizer recognizer;
    char found[160];
    struct action first; /* of the first gesture; without its text */
};

static void append_found(struct recognition *seen,
                         const struct recognized_gesture *gesture)
{
    size_t used = strlen(seen->found);

    if (!used) {
        seen->first = gesture->action;
        seen->first.text = NULL;
    }
    snprintf(seen->found + used, sizeof(seen->found) - used, "%s%s%s%s",
             used ? "; " : "", gesture_kind_name(gesture->kind),
             gesture->kind == GESTURE_PINCH ? " " : "",
             gesture->kind == GESTURE_PINCH ? gesture->action.text : "");
}

static void take_gestures(struct recognition *seen)
{
    struct recognized_gesture gesture;

    while (gesture_recognizer_next(&seen->recognizer, &gesture)) {
        append_found(seen, &gesture);
        recognized_gesture_release(&gesture);
    }
}

static void take_contact(void *context, const struct touch_contact *contact)
{
    struct recognition *seen = context;

    gesture_recognizer_add(&seen->recognizer, contact);
    take_gestures(seen);
}

static void take_key(void *context, const struct getevent_key *key)
{
    (void)context;
    fail_msg("a key %d was not pressed", key->key);
}

static void begin_recognition(struct recognition *seen,
                              const struct touch_writer *writer,
                              const struct gesture_options *gestures)
{
    const struct getevent_sink sink = {take_contact, take_key, seen};
    struct touch_display display = {.size = writer->options.size,
                                    .rotation = writer->options.rotation,
                                    .panel = writer->options.panel};
    struct touch_devices devices;
    struct buf list = BUF_INIT(1 << 16);

    touch_writer_list(writer, &list);
    touch_devices_parse(buf_cstr(&list), list.length, &devices);
    assert_int_equal(devices.count, 1);
    getevent_reader_init(&seen->reader, &devices, &display, &sink);
    gesture_recognizer_init(&seen->recognizer, gestures);
    seen->found[0] = '\0';
    buf_release(&list);
}

/* Bytes come in pieces of any size. */
static void feed(struct recognition *seen, struct buf *out, int64_t now,
                 unsigned *random)
{
    size_t at = 0;

    while (at < out->length) {
        size_t part = 1 + (*random >> 8) % 60;

        *random = *random * 1664525 + 1013904223;
        if (part > out->length - at)
            part = out->length - at;
        getevent_reader_feed(&seen->reader, out->data + at, part, now);
        at += part;
    }
    buf_clear(out);
}

/* ---- what is expected ---- */

static bool is_near(int value, int thousandths, int side)
{
    return abs(value - thousandths * (side - 1) / 1000) <= POINT_TOLERANCE;
}

static bool are_points_right(const struct gesture_row *row,
                             const struct extent *size,
                             const struct action *action)
{
    const struct stroke *stroke = &row->strokes[0];
    const struct leg *last = &stroke->legs[stroke->leg_count - 1];

    if (action->kind == ACTION_PINCH || action->kind == ACTION_RAW ||
        !action->has_from || strncmp(row->expected, "cancelled", 9) == 0)
        return true;
    if (!is_near(action->from.x, stroke->x, size->width) ||
        !is_near(action->from.y, stroke->y, size->height))
        return false;
    return !action->has_to || (is_near(action->to.x, last->x, size->width) &&
                               is_near(action->to.y, last->y, size->height));
}

static bool is_recognized(const struct phone_row *phone,
                          const struct gesture_row *row)
{
    static struct recognition seen;
    struct touch_writer writer;
    unsigned random = 1;
    bool right;

    touch_writer_init(&writer, &phone->writer);
    begin_recognition(&seen, &writer, &phone->gestures);
    for (int ms = 1000; ms <= script_end(row) + 2 * FRAME_MS; ms += FRAME_MS) {
        write_frame(&writer, row, ms);
        feed(&seen, &writer.out, ms, &random);
    }
    getevent_reader_end(&seen.reader, 0);
    gesture_recognizer_end(&seen.recognizer);
    take_gestures(&seen);
    right = strcmp(seen.found, row->expected) == 0 &&
            are_points_right(row, &phone->writer.size, &seen.first);
    if (!right)
        print_message("%s: %s\n  expected %s\n  found    %s %d,%d %d,%d\n",
                      phone->name, row->script, row->expected, seen.found,
                      seen.first.from.x, seen.first.from.y, seen.first.to.x,
                      seen.first.to.y);
    touch_writer_release(&writer);
    gesture_recognizer_release(&seen.recognizer);
    return right;
}

static bool can_do(const struct phone_row *phone, const struct gesture_row *row)
{
    if (row->is_together && driver_takes_one_finger(phone->writer.driver))
        return false;
    return !row->is_edge || phone->gestures.edge_gestures;
}

static void gestures_are_recognized_on_every_phone(void **state)
{
    static struct gesture_table table;
    size_t all = 0;
    size_t right = 0;

    (void)state;
    read_table(&table);
    for (size_t i = 0; i < table.phone_count; i++) {
        for (size_t j = 0; j < table.gesture_count; j++) {
            if (!can_do(&table.phones[i], &table.gestures[j]))
                continue;
            all++;
            right += is_recognized(&table.phones[i], &table.gestures[j]);
        }
    }
    print_message("%zu of %zu gestures are right (%.1f %%)\n", right, all,
                  100.0 * (double)right / (double)all);
    assert_true(all >= GESTURES_MIN);
    assert_true(right * 100 >= all * RIGHT_PERCENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gestures_are_recognized_on_every_phone),
    };

    return cmocka_run_group_tests_name("gesture_table", tests, NULL, NULL);
}
