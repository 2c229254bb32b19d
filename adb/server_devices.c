/* The list of devices, as an adb server writes it for people. */
#include <stdlib.h>
#include <string.h>

#include "adb/server.h"
#include "base/mem.h"
#include "base/text.h"

/* A part of the server's text. */
struct part {
    const char *text;
    size_t length;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool begins_with(struct part part, const char *word)
{
    size_t length = strlen(word);

    return part.length >= length && !memcmp(part.text, word, length);
}

/* Cut length bytes off the front of rest. */
static struct part cut(struct part *rest, size_t length)
{
    struct part front = {rest->text, length};

    rest->text += length;
    rest->length -= length;
    return front;
}

static struct part cut_line(struct part *rest)
{
    const char *end = memchr(rest->text, '\n', rest->length);
    struct part line =
        cut(rest, end ? (size_t)(end - rest->text) : rest->length);

    if (end)
        (void)cut(rest, 1);
    return line;
}

static void skip_blanks(struct part *rest)
{
    while (rest->length && is_blank(*rest->text))
        (void)cut(rest, 1);
}

/* Cut the next word off rest; a phrase that has blanks of its own is one. */
static struct part cut_word(struct part *rest, const char *phrase)
{
    size_t length = 0;

    skip_blanks(rest);
    if (phrase && begins_with(*rest, phrase))
        return cut(rest, strlen(phrase));
    while (length < rest->length && !is_blank(rest->text[length]))
        length++;
    return cut(rest, length);
}

/* Could a request name it? Cut or cleaned it would be another serial. */
static bool is_serial(struct part word)
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

static uint64_t parse_id(struct part digits)
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

static void take_fact(struct server_device *device, struct part word)
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
            text_copy_clean(facts[i].value, facts[i].size, word.text,
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
static bool parse_line(struct part line, struct server_device *device)
{
    struct part serial = cut_word(&line, "(no serial number)");
    struct part state = cut_word(&line, "no permissions");

    if (!is_serial(serial) || !state.length)
        return false;
    *device = (struct server_device){0};
    text_copy_clean(device->serial, sizeof(device->serial), serial.text,
                    serial.length);
    text_copy_clean(device->state, sizeof(device->state), state.text,
                    state.length);
    for (;;) {
        struct part word = cut_word(&line, NULL);

        if (!word.length)
            return true;
        take_fact(device, word);
    }
}

/* What the adb command prints around the list is no device. */
static bool is_chatter(struct part line)
{
    return begins_with(line, "List of devices") || begins_with(line, "* ");
}

void server_parse_devices(const char *text, size_t length,
                          struct server_devices *devices)
{
    struct part rest = {text, length};
    struct server_devices found = {0};
    struct server_device device;

    while (rest.length && found.count < SERVER_DEVICES_MAX) {
        struct part line = cut_line(&rest);

        if (is_chatter(line) || !parse_line(line, &device))
            continue;
        found.items = mem_resize(found.items, found.count + 1, sizeof(device));
        found.items[found.count++] = device;
    }
    *devices = found;
}

void server_devices_release(struct server_devices *devices)
{
    free(devices->items);
    *devices = (struct server_devices){0};
}
