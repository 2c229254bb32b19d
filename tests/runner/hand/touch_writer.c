#include "tests/runner/hand/touch_writer.h"

#include <stdio.h>
#include <string.h>

#include "base/macros.h"

#define PATH "/dev/input/event3"
#define FIRST_SECOND 258956
#define SHAKE 3 /* pixels */

static const char *const driver_names[DRIVERS] = {
    [DRIVER_B] = "B",
    [DRIVER_B_BARE] = "B-bare",
    [DRIVER_B_POINTER] = "B-pointer",
    [DRIVER_B_PRESSURE0] = "B-pressure0",
    [DRIVER_B_NO_IDS] = "B-no-ids",
    [DRIVER_B_LIFT0] = "B-lift0",
    [DRIVER_A] = "A",
    [DRIVER_A_IDS] = "A-ids",
    [DRIVER_A_HOLES] = "A-holes",
    [DRIVER_A_SIZE0] = "A-size0",
    [DRIVER_SINGLE] = "single",
};

bool driver_find(const char *name, enum driver_kind *driver)
{
    for (int i = 0; i < DRIVERS; i++) {
        if (strcmp(driver_names[i], name) == 0) {
            *driver = (enum driver_kind)i;
            return true;
        }
    }
    return false;
}

bool driver_takes_one_finger(enum driver_kind driver)
{
    return driver == DRIVER_B_NO_IDS || driver == DRIVER_B_LIFT0 ||
           driver == DRIVER_SINGLE;
}

/* ---- lines ---- */

enum { SYN = 0, KEY = 1, ABS = 3 };

static const struct code_name {
    unsigned type;
    unsigned code;
    const char *name;
} names[] = {
    {SYN, 0, "SYN_REPORT"},
    {SYN, 2, "SYN_MT_REPORT"},
    {KEY, 0x145, "BTN_TOOL_FINGER"},
    {KEY, 0x14a, "BTN_TOUCH"},
    {ABS, 0x00, "ABS_X"},
    {ABS, 0x01, "ABS_Y"},
    {ABS, 0x2f, "ABS_MT_SLOT"},
    {ABS, 0x30, "ABS_MT_TOUCH_MAJOR"},
    {ABS, 0x35, "ABS_MT_POSITION_X"},
    {ABS, 0x36, "ABS_MT_POSITION_Y"},
    {ABS, 0x39, "ABS_MT_TRACKING_ID"},
    {ABS, 0x3a, "ABS_MT_PRESSURE"},
};

static const char *name_of(unsigned type, unsigned code)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (names[i].type == type && names[i].code == code)
            return names[i].name;
    }
    return "?";
}

static void put_prefix(struct touch_writer *writer, const char *path)
{
    if (writer->options.times)
        buf_printf(&writer->out, "[%8lld.%06lld] ",
                   (long long)(FIRST_SECOND + writer->at_ms / 1000),
                   (long long)(writer->at_ms % 1000 * 1000));
    if (writer->options.devices)
        buf_printf(&writer->out, "%s: ", path);
}

static void put(struct touch_writer *writer, unsigned type, unsigned code,
                int value)
{
    static const char *const types[] = {"EV_SYN", "EV_KEY", "", "EV_ABS"};

    put_prefix(writer, PATH);
    if (!writer->options.names)
        buf_printf(&writer->out, "%04x %04x %08x\n", type, code,
                   (unsigned)value);
    else if (type == KEY)
        buf_printf(&writer->out, "%-12s %-20s %-20s\n", types[type],
                   name_of(type, code), value ? "DOWN" : "UP");
    else
        buf_printf(&writer->out, "%-12s %-20s %08x            \n", types[type],
                   name_of(type, code), (unsigned)value);
}

static unsigned random_below(struct touch_writer *writer, unsigned limit)
{
    writer->random = writer->random * 1664525 + 1013904223;
    return (writer->random >> 8) % limit;
}

/* What else may stand between the lines of a touch screen. */
static void put_noise(struct touch_writer *writer)
{
    static const char *const lines[] = {
        "add device 9: /dev/input/event9\n  name:     \"headset\"\n",
        "could not get driver version for /dev/input/mouse0\n",
        "\n",
        "[  258956.83\n",
        "/dev/input/event3: 0003 0035\n",
        "0003 0036 0000zzzz\n",
        "\x01\xff garbage \xe4\xb8\xad\n",
        "/dev/input/event5: 0002 0000 000000c8\n",
        "/dev/input/event5: 0003 0000 00000100\n",
        "/dev/input/event5: 0003 0001 00000200\n",
        "/dev/input/event5: 0001 014a 00000001\n",
        "/dev/input/event5: 0000 0000 00000000\n",
        "/dev/input/event3: 0004 0004 00000007\n",
        "/dev/input/event3: 0003 0034 00000007\n",
        "[ 53890.813990] /dev/input/event0: EV_MSC MSC_SCAN 00000074\n",
    };

    if (writer->options.noise)
        buf_printf(&writer->out, "%s",
                   lines[random_below(writer, ARRAY_LEN(lines))]);
}

/* ---- positions ---- */

static int raw_of(const struct writer_options *options, double share)
{
    double steps = (double)options->axis_max - options->axis_min + 1;

    return options->axis_min + (int)(share * steps);
}

/* Where a pixel lies on the panel, from 0 to 1 along both sides. */
static void raw_position(const struct touch_writer *writer,
                         const struct writer_finger *finger, int raw[2])
{
    const struct writer_options *options = &writer->options;
    double across = (finger->x + 0.5) / options->size.width;
    double down = (finger->y + 0.5) / options->size.height;
    /* The screen turns by quarters; the panel does not. */
    const double places[4][2] = {{across, down},
                                 {1 - down, across},
                                 {1 - across, 1 - down},
                                 {down, 1 - across}};
    bool turned = options->rotation % 2;
    double width = turned ? options->size.height : options->size.width;
    double height = turned ? options->size.width : options->size.height;
    double zoom_x = options->panel.width / width;
    double zoom_y = options->panel.height / height;
    double zoom = zoom_x < zoom_y ? zoom_x : zoom_y;
    double x = places[options->rotation][0] - 0.5;
    double y = places[options->rotation][1] - 0.5;

    raw[0] = raw_of(options, 0.5 + x * width * zoom / options->panel.width);
    raw[1] = raw_of(options, 0.5 + y * height * zoom / options->panel.height);
}

/* ---- protocol B ---- */

static void choose_slot(struct touch_writer *writer, int slot)
{
    if (writer->slot != slot &&
        !driver_takes_one_finger(writer->options.driver))
        put(writer, ABS, 0x2f, slot);
    writer->slot = slot;
}

static void put_axis(struct touch_writer *writer, int finger, int axis,
                     int value, unsigned code)
{
    if (writer->raw[finger][axis] == value)
        return; /* the kernel leaves it out */
    writer->raw[finger][axis] = value;
    put(writer, ABS, code, value);
}

static void put_down_b(struct touch_writer *writer, int i)
{
    enum driver_kind driver = writer->options.driver;

    choose_slot(writer, i);
    if (!driver_takes_one_finger(driver))
        put(writer, ABS, 0x39, writer->ids[i]);
    if (driver == DRIVER_B_PRESSURE0)
        put(writer, ABS, 0x3a, 0);
    if (driver == DRIVER_B_LIFT0)
        put(writer, ABS, 0x3a, 40);
}

static void lift_b(struct touch_writer *writer, int i)
{
    choose_slot(writer, i);
    if (!driver_takes_one_finger(writer->options.driver))
        put(writer, ABS, 0x39, -1);
    if (writer->options.driver == DRIVER_B_LIFT0)
        put(writer, ABS, 0x3a, 0);
}

static void frame_b(struct touch_writer *writer,
                    const struct writer_finger *fingers)
{
    for (int i = 0; i < WRITER_FINGERS; i++) {
        const struct writer_finger *last = &writer->last[i];
        int raw[2];

        if (!fingers[i].down) {
            if (last->down)
                lift_b(writer, i);
            continue;
        }
        raw_position(writer, &fingers[i], raw);
        if (!last->down)
            put_down_b(writer, i);
        if (writer->raw[i][0] != raw[0] || writer->raw[i][1] != raw[1])
            choose_slot(writer, i);
        put_axis(writer, i, 0, raw[0], 0x35);
        put_axis(writer, i, 1, raw[1], 0x36);
        if (i == 0 && writer->options.driver == DRIVER_B_POINTER) {
            put(writer, ABS, 0x00, raw[0]);
            put(writer, ABS, 0x01, raw[1]);
        }
    }
}

/* ---- protocol A ---- */

static void put_contact_a(struct touch_writer *writer, int i,
                          const struct writer_finger *finger)
{
    enum driver_kind driver = writer->options.driver;
    int raw[2];

    raw_position(writer, finger, raw);
    if (driver == DRIVER_A_IDS || driver == DRIVER_A_HOLES)
        put(writer, ABS, 0x39, i);
    if (driver == DRIVER_A_SIZE0)
        put(writer, ABS, 0x30, finger->down ? 12 : 0);
    put(writer, ABS, 0x35, raw[0]);
    put(writer, ABS, 0x36, raw[1]);
    put(writer, SYN, 2, 0);
}

static void frame_a(struct touch_writer *writer,
                    const struct writer_finger *fingers)
{
    enum driver_kind driver = writer->options.driver;
    int count = 0;

    for (int i = 0; i < WRITER_FINGERS; i++) {
        struct writer_finger last = writer->last[i];

        if (fingers[i].down) {
            put_contact_a(writer, i, &fingers[i]);
            count++;
        } else if (last.down && driver == DRIVER_A_SIZE0) {
            last.down = false;
            put_contact_a(writer, i, &last);
        } else if (driver == DRIVER_A_HOLES && i < 2) {
            put(writer, SYN, 2, 0);
        }
    }
    if (!count && driver == DRIVER_A)
        put(writer, SYN, 2, 0);
}

/* ---- frames ---- */

static void frame_single(struct touch_writer *writer,
                         const struct writer_finger *fingers)
{
    int raw[2];

    if (!fingers[0].down)
        return;
    raw_position(writer, &fingers[0], raw);
    put_axis(writer, 0, 0, raw[0], 0x00);
    put_axis(writer, 0, 1, raw[1], 0x01);
}

static size_t count_down(const struct writer_finger *fingers)
{
    size_t count = 0;

    for (int i = 0; i < WRITER_FINGERS; i++)
        count += fingers[i].down;
    return count;
}

static void put_button(struct touch_writer *writer, bool down)
{
    enum driver_kind driver = writer->options.driver;

    if (driver == DRIVER_B_BARE || driver == DRIVER_B_LIFT0 ||
        driver == DRIVER_A || driver == DRIVER_A_HOLES ||
        driver == DRIVER_A_SIZE0)
        return;
    put(writer, KEY, 0x14a, down);
    if (driver == DRIVER_B)
        put(writer, KEY, 0x145, down);
}

static bool is_same(const struct writer_finger *a,
                    const struct writer_finger *b)
{
    return a->down == b->down && (!a->down || (a->x == b->x && a->y == b->y));
}

/* No finger and no sensor is still. */
static void shake(struct touch_writer *writer,
                  struct writer_finger fingers[WRITER_FINGERS])
{
    for (int i = 0; writer->options.noise && i < WRITER_FINGERS; i++) {
        fingers[i].x += (int)random_below(writer, 2 * SHAKE + 1) - SHAKE;
        fingers[i].y += (int)random_below(writer, 2 * SHAKE + 1) - SHAKE;
    }
}

void touch_writer_frame(struct touch_writer *writer, int64_t at_ms,
                        const struct writer_finger wanted[WRITER_FINGERS])
{
    struct writer_finger fingers[WRITER_FINGERS];
    size_t before = count_down(writer->last);
    size_t now = count_down(wanted);
    bool changed = false;

    writer->at_ms = at_ms;
    memcpy(fingers, wanted, sizeof(fingers));
    shake(writer, fingers);
    for (int i = 0; i < WRITER_FINGERS; i++) {
        changed |= !is_same(&fingers[i], &writer->last[i]);
        if (fingers[i].down && !writer->last[i].down)
            writer->ids[i] = writer->next_id++;
    }
    if (!changed)
        return;
    put_noise(writer);
    if (now && !before)
        put_button(writer, true);
    if (writer->options.driver == DRIVER_SINGLE)
        frame_single(writer, fingers);
    else if (writer->options.driver >= DRIVER_A)
        frame_a(writer, fingers);
    else
        frame_b(writer, fingers);
    if (before && !now)
        put_button(writer, false);
    put(writer, SYN, 0, 0);
    memcpy(writer->last, fingers, sizeof(writer->last));
}

/* ---- the phone ---- */

static void list_axis(struct buf *out, unsigned code, int min, int max)
{
    buf_printf(out,
               "                %04x  : value 0, min %d, max %d, fuzz 0, flat "
               "0, resolution 0\n",
               code, min, max);
}

void touch_writer_list(const struct touch_writer *writer, struct buf *out)
{
    const struct writer_options *options = &writer->options;
    bool single = options->driver == DRIVER_SINGLE;

    buf_printf(out,
               "add device 1: /dev/input/event5\n  name:     \"sensor\"\n"
               "  events:\n    ABS (0003): 0000  : value 0, min 0, max 99\n"
               "add device 2: " PATH "\n  name:     \"screen\"\n  events:\n"
               "    KEY (0001): 014a \n    ABS (0003):\n");
    list_axis(out, single ? 0x00 : 0x35, options->axis_min, options->axis_max);
    list_axis(out, single ? 0x01 : 0x36, options->axis_min, options->axis_max);
}

void touch_writer_init(struct touch_writer *writer,
                       const struct writer_options *options)
{
    *writer = (struct touch_writer){.options = *options,
                                    .out = BUF_INIT(1 << 20),
                                    .next_id = 100,
                                    .slot = 0,
                                    .random = 7};
    memset(writer->raw, -1, sizeof(writer->raw));
}

void touch_writer_release(struct touch_writer *writer)
{
    buf_release(&writer->out);
}
