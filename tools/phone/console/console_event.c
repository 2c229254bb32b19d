/* The console's event commands: events of the kernel's input devices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/console/console_private.h"
#include "tools/phone/screen/input_event_names.h"

/* A name from the table, or a number up to 0xffff. */
static bool read_code(const struct input_event_name *names, const char *text,
                      uint16_t *number)
{
    unsigned long value;
    char *end;

    for (; names && names->name; names++) {
        if (!strcmp(names->name, text)) {
            *number = names->number;
            return true;
        }
    }
    errno = 0;
    value = strtoul(text, &end, 0);
    if (errno || end == text || *end || *text == '-' || value > UINT16_MAX)
        return false;
    *number = (uint16_t)value;
    return true;
}

/* "EV_KEY:KEY_HOME:1". */
static bool send_one(struct console_call *call, char *event)
{
    char *code_text = strchr(event, ':');
    char *value_text = code_text ? strchr(code_text + 1, ':') : NULL;
    uint16_t type;
    uint16_t code;
    char *end;
    long value;

    if (!value_text)
        return console_fail(call, "Usage: event send <type>:<code>:<value> "
                                  "...");
    *code_text++ = '\0';
    *value_text++ = '\0';
    if (!read_code(input_types, event, &type))
        return console_fail(call,
                            "invalid event type in '%.40s', try 'event types' "
                            "for valid values",
                            event);
    if (!read_code(input_codes(type), code_text, &code))
        return console_fail(call,
                            "invalid event code in '%.40s', try 'event codes "
                            "<type>' for valid values",
                            code_text);
    errno = 0;
    value = strtol(value_text, &end, 0);
    if (errno || end == value_text || *end || value < INT32_MIN ||
        value > INT32_MAX)
        return console_fail(call,
                            "invalid event value in '%.40s', must be an "
                            "integer",
                            value_text);
    input_devices_write(call->console->input, input_device_of(type, code), type,
                        code, (int32_t)value);
    return true;
}

static bool event_send(struct console_call *call)
{
    if (!*call->rest)
        return console_fail(call, "Usage: event send <type>:<code>:<value> "
                                  "...");
    while (*call->rest) {
        if (!send_one(call, console_word(call)))
            return false;
    }
    virtual_clock_advance(&call->console->handset->clock, CLOCK_TOUCH);
    return true;
}

static bool event_text(struct console_call *call)
{
    call->rest[strcspn(call->rest, "\r\n")] = '\0';
    if (!*call->rest)
        return console_fail(call,
                            "argument missing, try 'event text <message>'");
    screen_type(call->console->screen, call->rest);
    virtual_clock_advance(&call->console->handset->clock, CLOCK_TOUCH);
    return true;
}

static bool event_types(struct console_call *call)
{
    console_say(call, "event <type> can be an integer or one of the following "
                      "aliases");
    for (const struct input_event_name *at = input_types; at->name; at++)
        console_say(call, "    %s", at->name);
    return true;
}

static bool event_codes(struct console_call *call)
{
    const char *word = console_word(call);
    const struct input_event_name *codes;
    uint16_t type;

    if (!*word)
        return console_fail(call, "argument missing, try 'event codes <type>'");
    if (!read_code(input_types, word, &type))
        return console_fail(call, "bad argument, see valid types with 'event "
                                  "types'");
    codes = input_codes(type);
    if (!codes)
        console_say(call, "no code aliases defined for this type");
    else
        console_say(call,
                    "type '%.40s' accepts the following <code> aliases:", word);
    for (; codes && codes->name; codes++)
        console_say(call, "    %s", codes->name);
    return true;
}

const struct console_command console_event[] = {
    {"send", " <type>:<code>:<value> ...", "Send events", event_send, NULL},
    {"types", "", "Tell the types' names", event_types, NULL},
    {"codes", " <type>", "Tell the codes' names", event_codes, NULL},
    {"text", " <message>", "Type", event_text, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
