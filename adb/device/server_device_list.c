/* Parses the list of devices of an adb server. */
#include <stdlib.h>
#include <string.h>

#include "adb/device/server_client.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* A part of the server's text. */
struct list_part {
    const char *text;
    size_t length;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool begins_with(struct list_part part, const char *word)
{
    size_t length = strlen(word);

    return part.length >= length && !memcmp(part.text, word, length);
}

/* Remove length bytes from the front of rest. */
static struct list_part cut(struct list_part *rest, size_t length)
{
    struct list_part front = {rest->text, length};

    rest->text += length;
    rest->length -= length;
    return front;
}

static struct list_part cut_line(struct list_part *rest)
{
    const char *end = memchr(rest->text, '\n', rest->length);
    struct list_part line =
        cut(rest, end ? (size_t)(end - rest->text) : rest->length);

    if (end)
        (void)cut(rest, 1);
    return line;
}

static void skip_blanks(struct list_part *rest)
{
    while (rest->length && is_blank(*rest->text))
        (void)cut(rest, 1);
}

/* Remove the next word from rest. */
static struct list_part cut_word(struct list_part *rest)
{
    size_t length = 0;

    skip_blanks(rest);
    while (length < rest->length && !is_blank(rest->text[length]))
        length++;
    return cut(rest, length);
}

/* The states that adb servers of all versions write. */
static const char *const states[] = {
    "authorizing", "bootloader",     "connecting", "detached", "device",
    "host",        "no permissions", "offline",    "recovery", "rescue",
    "sideload",    "unauthorized",   "unknown",
};

/* Is rest empty, or does it start with a blank and KEY:VALUE? */
static bool ends_or_has_facts(struct list_part rest)
{
    struct list_part next;

    if (!rest.length)
        return true;
    if (!is_blank(*rest.text))
        return false;
    next = cut_word(&rest);
    return !next.length || memchr(next.text, ':', next.length);
}

/*
 * If rest starts with a state, remove it: the line must end after it or
 * continue with KEY:VALUE. After "no permissions" any explanation may follow.
 */
static bool cut_state(struct list_part *rest, struct list_part *state)
{
    for (size_t i = 0; i < ARRAY_LEN(states); i++) {
        struct list_part behind = *rest;
        struct list_part found;

        if (!begins_with(*rest, states[i]))
            continue;
        found = cut(&behind, strlen(states[i]));
        if (!strchr(states[i], ' ') && !ends_or_has_facts(behind))
            continue;
        *state = found;
        *rest = behind;
        return true;
    }
    return false;
}

/*
 * Remove serial and state from line. A serial may contain blanks (names from
 * mDNS: "adb-X (2)._adb-tls-connect._tcp"), so it ends before the first word
 * that is a state. If there is no known state it ends at the first blank.
 */
static void cut_serial_and_state(struct list_part *line,
                                 struct list_part *serial,
                                 struct list_part *state)
{
    struct list_part rest;

    skip_blanks(line);
    rest = *line;
    while (rest.length) {
        (void)cut_word(&rest);
        *serial =
            (struct list_part){line->text, (size_t)(rest.text - line->text)};
        skip_blanks(&rest);
        if (cut_state(&rest, state)) {
            *line = rest;
            return;
        }
    }
    *serial = cut_word(line);
    *state = cut_word(line);
}

/*
 * Could a request contain it? Truncated or cleaned it would be another serial.
 */
static bool is_serial(struct list_part word)
{
    if (!word.length ||
        word.length >= sizeof(((struct server_device *)NULL)->serial))
        return false;
    for (size_t i = 0; i < word.length; i++) {
        unsigned char c = (unsigned char)word.text[i];

        if (c < 0x20 || c == 0x7f)
            return false;
    }
    return true;
}

static uint64_t parse_id(struct list_part digits)
{
    uint64_t id = 0;

    for (size_t i = 0; i < digits.length; i++) {
        unsigned digit = (unsigned)(digits.text[i] - '0');

        if (digit > 9 || id > (UINT64_MAX - digit) / 10)
            return 0;
        id = id * 10 + digit;
    }
    return id;
}

static void take_fact(struct server_device *device, struct list_part word)
{
    const struct {
        const char *key;
        char *value;
        size_t size;
    } facts[] = {
        {"product:", device->product, sizeof(device->product)},
        {"model:", device->model, sizeof(device->model)},
        {"device:", device->device, sizeof(device->device)},
    };

    for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
        if (begins_with(word, facts[i].key)) {
            (void)cut(&word, strlen(facts[i].key));
            clean_text_copy(facts[i].value, facts[i].size, word.text,
                            word.length);
            return;
        }
    }
    if (begins_with(word, "transport_id:")) {
        (void)cut(&word, strlen("transport_id:"));
        device->transport_id = parse_id(word);
    }
}

/* "SERIAL STATE [usb:PATH] product:P model:M device:D transport_id:N" */
static bool parse_line(struct list_part line, struct server_device *device)
{
    struct list_part serial;
    struct list_part state;

    cut_serial_and_state(&line, &serial, &state);
    if (!is_serial(serial) || !state.length)
        return false;
    *device = (struct server_device){0};
    clean_text_copy(device->serial, sizeof(device->serial), serial.text,
                    serial.length);
    clean_text_copy(device->state, sizeof(device->state), state.text,
                    state.length);
    for (;;) {
        struct list_part word = cut_word(&line);

        if (!word.length)
            return true;
        take_fact(device, word);
    }
}

/* Lines that the adb command prints around the list. */
static bool is_chatter(struct list_part line)
{
    return begins_with(line, "List of devices") || begins_with(line, "* ");
}

void server_device_list_parse(const char *text, size_t length,
                              struct server_device_list *devices)
{
    struct list_part rest = {text, length};
    struct server_device_list found = {0};
    struct server_device device;

    while (rest.length && found.count < SERVER_DEVICE_LIST_MAX) {
        struct list_part line = cut_line(&rest);

        if (is_chatter(line) || !parse_line(line, &device))
            continue;
        found.items = mem_resize(found.items, found.count + 1, sizeof(device));
        found.items[found.count++] = device;
    }
    *devices = found;
}

void server_device_list_release(struct server_device_list *devices)
{
    free(devices->items);
    *devices = (struct server_device_list){0};
}
