/* Commands of the console, except events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "tools/phone/console/console_private.h"
#include "tools/phone/core/date_text.h"

#define AVD_NAME "proctor"

#define END_OF_COMMANDS                                                        \
    {                                                                          \
        NULL, NULL, NULL, NULL, NULL                                           \
    }

/* Parse an integer. False if it is none, or out of range. */
static bool read_number(const char *text, long long low, long long high,
                        long long *number)
{
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return !errno && end != text && !*end && *number >= low && *number <= high;
}

static void set_world(const struct console_call *call, const char *name,
                      const char *value)
{
    (void)!string_map_set(&call->console->handset->world, name, value);
}

/* ---- avd ---- */

static bool avd_name(struct console_call *call)
{
    console_say(call, AVD_NAME);
    return true;
}

static bool avd_status(struct console_call *call)
{
    console_say(call, "virtual device is running");
    return true;
}

static bool snapshot_list(struct console_call *call)
{
    struct buf text = BUF_INIT(CONSOLE_REPLY_MAX / 2);
    size_t count = 0;
    bool done = snapshot_store_list(call->console->snapshot_store, &text,
                                    &count, call->err);

    if (done && !count)
        console_say(call, "There is no snapshot available.");
    if (done && count) {
        console_say(call, "List of snapshots present on all disks:");
        console_say(call, "ID        TAG                   VM SIZE"
                          "                DATE");
        console_say_lines(call, buf_cstr(&text));
    }
    buf_release(&text);
    return done;
}

static bool snapshot_save_one(struct console_call *call)
{
    return snapshot_store_save(call->console->snapshot_store,
                               console_word(call), call->err);
}

static bool snapshot_load_one(struct console_call *call)
{
    return snapshot_store_load(call->console->snapshot_store,
                               console_word(call), call->err);
}

static bool snapshot_delete(struct console_call *call)
{
    return snapshot_store_delete(call->console->snapshot_store,
                                 console_word(call), call->err);
}

static const struct console_command snapshots[] = {
    {"list", "", "Tell the snapshots", snapshot_list, NULL},
    {"save", " <name>", "Save the phone", snapshot_save_one, NULL},
    {"load", " <name>", "Go on from a snapshot", snapshot_load_one, NULL},
    {"del", " <name>", "Delete a snapshot", snapshot_delete, NULL},
    {"delete", " <name>", "The same", snapshot_delete, NULL},
    END_OF_COMMANDS,
};

const struct console_command console_avd[] = {
    {"name", "", "Tell the phone's name", avd_name, NULL},
    {"status", "", "Tell whether it runs", avd_status, NULL},
    {"snapshot", " list|save|load|del", "See its snapshots", NULL, snapshots},
    END_OF_COMMANDS,
};

/* ---- the display ---- */

static bool set_display(struct console_call *call,
                        const struct screen_display *display)
{
    return screen_set_display(call->console->screen, display, call->err);
}

bool console_rotate(struct console_call *call)
{
    struct screen_display display = screen_display(call->console->screen);

    display.rotation++;
    return set_display(call, &display);
}

/* ---- power ---- */

static const struct status {
    const char *word;
    const char *name;
    int number; /* values of BatteryManager */
} statuses[] = {
    {"unknown", "Unknown", 1},
    {"charging", "Charging", 2},
    {"discharging", "Discharging", 3},
    {"not-charging", "Not charging", 4},
    {"full", "Full", 5},
};

static bool power_display(struct console_call *call)
{
    struct phone_battery *battery = &call->console->handset->battery;
    int status = battery->status;
    const char *name = statuses[0].name;

    for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
        if (statuses[i].number == status)
            name = statuses[i].name;
    }
    console_say(call, "AC: %s", battery->ac ? "online" : "offline");
    console_say(call, "status: %s", name);
    console_say(call, "health: Good");
    console_say(call, "present: true");
    console_say(call, "capacity: %d",
                screen_display(call->console->screen).battery);
    return true;
}

static bool power_ac(struct console_call *call)
{
    const char *word = console_word(call);

    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0)
        return console_fail(call, "Usage: \"ac on\" or \"ac off\"");
    call->console->handset->battery.ac = !strcmp(word, "on");
    return true;
}

static bool power_status(struct console_call *call)
{
    const char *word = console_word(call);

    for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
        if (!strcmp(statuses[i].word, word)) {
            call->console->handset->battery.status = statuses[i].number;
            return true;
        }
    }
    return console_fail(call, "Usage: \"status unknown|charging|discharging|"
                              "not-charging|full\"");
}

static bool power_capacity(struct console_call *call)
{
    struct screen_display display = screen_display(call->console->screen);
    long long percent;

    if (!read_number(console_word(call), 0, 100, &percent))
        return console_fail(call, "Usage: \"capacity <percentage>\"");
    display.battery = (int)percent;
    return set_display(call, &display);
}

const struct console_command console_power[] = {
    {"display", "", "Tell battery and charger", power_display, NULL},
    {"ac", " on|off", "Set the charger", power_ac, NULL},
    {"status", " <status>", "Set what the battery does", power_status, NULL},
    {"capacity", " <percentage>", "Set its level", power_capacity, NULL},
    END_OF_COMMANDS,
};

/* ---- geo ---- */

static bool is_number(const char *text)
{
    char *end;

    (void)strtod(text, &end);
    return end != text && !*end;
}

static bool geo_fix(struct console_call *call)
{
    static const char *const names[] = {"geo.longitude", "geo.latitude",
                                        "geo.altitude", "geo.satellites"};
    const char *values[ARRAY_LEN(names)];
    size_t count = 0;

    while (count < ARRAY_LEN(names) && *call->rest) {
        values[count] = console_word(call);
        if (!is_number(values[count]))
            return console_fail(call, "argument '%.40s' is not a number",
                                values[count]);
        count++;
    }
    if (count < 2)
        return console_fail(call, "not enough arguments: see 'help geo fix' "
                                  "for details");
    for (size_t i = 0; i < count; i++)
        set_world(call, names[i], values[i]);
    return true;
}

const struct console_command console_geo[] = {
    {"fix", " <longitude> <latitude> [<altitude> [<satellites>]]",
     "Set where it is", geo_fix, NULL},
    END_OF_COMMANDS,
};

/* ---- network ---- */

/* Kilobits per second up and down, and milliseconds, as in the emulator. */
static const struct network {
    const char *name;
    double up, down;
    int least, most;
} networks[] = {
    {"gsm", 14.4, 14.4, 150, 550}, {"hscsd", 14.4, 57.6, 80, 400},
    {"gprs", 28.8, 57.6, 35, 200}, {"edge", 473.6, 473.6, 80, 400},
    {"umts", 384, 384, 35, 200},   {"hsdpa", 5760, 13980, 0, 0},
    {"lte", 58000, 173000, 0, 0},  {"evdo", 75000, 280000, 0, 0},
    {"full", 0, 0, 0, 0},          {"none", 0, 0, 0, 0},
};

static const struct network *find_network(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(networks); i++) {
        if (!strcmp(networks[i].name, name))
            return &networks[i];
    }
    return NULL;
}

/* "10" or "10:200". */
static bool read_range(char *word, double most, double numbers[static 2])
{
    char *colon = strchr(word, ':');

    if (colon)
        *colon = '\0';
    if (!is_number(word) || (colon && !is_number(colon + 1)))
        return false;
    numbers[0] = strtod(word, NULL);
    numbers[1] = colon ? strtod(colon + 1, NULL) : numbers[0];
    return numbers[0] >= 0 && numbers[1] >= numbers[0] && numbers[1] <= most;
}

static void store(const struct console_call *call, const char *first,
                  const char *second, const double numbers[static 2])
{
    char text[32];

    snprintf(text, sizeof(text), "%g", numbers[0]);
    set_world(call, first, text);
    snprintf(text, sizeof(text), "%g", numbers[1]);
    set_world(call, second, text);
}

static double stored(const struct console_call *call, const char *name)
{
    struct buf value = BUF_INIT(64);
    double number;

    (void)!string_map_get(&call->console->handset->world, name, &value);
    number = strtod(buf_cstr(&value), NULL);
    buf_release(&value);
    return number;
}

static bool network_speed(struct console_call *call)
{
    char *word = console_word(call);
    const struct network *network = find_network(word);
    double numbers[2];

    if (network) {
        numbers[0] = network->up;
        numbers[1] = network->down;
    } else if (!read_range(word, 1e9, numbers)) {
        return console_fail(call, "invalid <speed> argument, see 'help network "
                                  "speed' for valid values");
    }
    store(call, "network.up", "network.down", numbers);
    return true;
}

/* Every service starts later by the minimum latency. */
static bool delay_services(struct console_call *call, double ms)
{
    struct phone_faults *faults = &call->console->handset->faults;
    uint64_t number = (uint64_t)stored(call, "network.fault");
    char text[64];

    (void)!faults_remove(faults, number);
    set_world(call, "network.fault", "0");
    if (ms < 1)
        return true;
    snprintf(text, sizeof(text), "delay:ms=%d", (int)ms);
    if (!faults_add(faults, text, strlen(text), call->err))
        return false;
    snprintf(text, sizeof(text), "%llu",
             (unsigned long long)faults_last(faults));
    set_world(call, "network.fault", text);
    return true;
}

static bool network_delay(struct console_call *call)
{
    char *word = console_word(call);
    const struct network *network = find_network(word);
    double numbers[2];

    if (network) {
        numbers[0] = network->least;
        numbers[1] = network->most;
    } else if (!read_range(word, 60000, numbers)) {
        return console_fail(call, "invalid <delay> argument, see 'help network "
                                  "delay' for valid values");
    }
    store(call, "network.least", "network.most", numbers);
    return delay_services(call, numbers[0]);
}

static bool network_status(struct console_call *call)
{
    double up = stored(call, "network.up");
    double down = stored(call, "network.down");

    console_say(call, "Current network status:");
    console_say(call, "  download speed: %10.0f bits/s (%.1f KB/s)",
                down * 1000, down / 8);
    console_say(call, "  upload speed:   %10.0f bits/s (%.1f KB/s)", up * 1000,
                up / 8);
    console_say(call, "  minimum latency:  %.0f ms",
                stored(call, "network.least"));
    console_say(call, "  maximum latency:  %.0f ms",
                stored(call, "network.most"));
    return true;
}

const struct console_command console_network[] = {
    {"status", "", "Tell its network", network_status, NULL},
    {"speed", " <name>|<up>[:<down>]", "Set kilobits a second", network_speed,
     NULL},
    {"delay", " <name>|<least>[:<most>]", "Set milliseconds", network_delay,
     NULL},
    END_OF_COMMANDS,
};

/* ---- faults ---- */

static bool say_about_faults(struct console_call *call,
                             void (*tell)(struct phone_faults *, struct buf *))
{
    struct buf text = BUF_INIT(CONSOLE_REPLY_MAX / 2);

    tell(&call->console->handset->faults, &text);
    console_say_lines(call, buf_cstr(&text));
    buf_release(&text);
    return true;
}

static bool fault_list(struct console_call *call)
{
    return say_about_faults(call, faults_list);
}

static bool fault_log(struct console_call *call)
{
    return say_about_faults(call, faults_log);
}

static bool fault_add(struct console_call *call)
{
    call->rest[strcspn(call->rest, "\r\n")] = '\0';
    return faults_add(&call->console->handset->faults, call->rest,
                      strlen(call->rest), call->err);
}

static bool fault_delete(struct console_call *call)
{
    const char *word = console_word(call);
    long long number;

    return (read_number(word, 1, INT64_MAX, &number) &&
            faults_remove(&call->console->handset->faults, (uint64_t)number)) ||
           console_fail(call, "there is no fault '%.40s'", word);
}

static bool fault_clear(struct console_call *call)
{
    faults_clear(&call->console->handset->faults);
    return true;
}

const struct console_command console_fault[] = {
    {"list", "", "Tell what may go wrong", fault_list, NULL},
    {"log", "", "Tell what went wrong", fault_log, NULL},
    {"add", " <faults>", "Add some, as for --faults", fault_add, NULL},
    {"del", " <number>", "Take one out", fault_delete, NULL},
    {"clear", "", "Take all out", fault_clear, NULL},
    END_OF_COMMANDS,
};

/* ---- time ---- */

static bool time_now(struct console_call *call)
{
    struct virtual_clock *clock = &call->console->handset->clock;
    int64_t now = virtual_clock_now(clock);
    struct buf text = BUF_INIT(128);

    date_text_format(now, "%Y-%m-%d %H:%M:%S", &text);
    console_say(call, "%s.%03d UTC, up %lld ms, %s", buf_cstr(&text),
                (int)(now % PHONE_SECOND / CLOCK_MILLISECOND),
                (long long)((now - clock->booted) / CLOCK_MILLISECOND),
                clock->real ? "real" : "virtual");
    buf_release(&text);
    return true;
}

static bool time_advance(struct console_call *call)
{
    struct virtual_clock *clock = &call->console->handset->clock;
    long long ms;

    if (clock->real)
        return console_fail(
            call, "the phone runs in real time: its clock cannot be moved");
    if (!read_number(console_word(call), 0, INT32_MAX, &ms))
        return console_fail(call, "Usage: \"time advance <milliseconds>\"");
    virtual_clock_advance(clock, ms * CLOCK_MILLISECOND);
    return true;
}

const struct console_command console_time[] = {
    {"now", "", "Tell its time", time_now, NULL},
    {"advance", " <milliseconds>", "Let time pass", time_advance, NULL},
    END_OF_COMMANDS,
};
