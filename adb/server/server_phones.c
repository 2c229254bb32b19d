#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "adb/server/server_private.h"
#include "adb/transport/tcp.h"

/* The text after prefix, or NULL when text does not start with it. */
static const char *behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) ? NULL : text + length;
}

/* Is serial an address without its port, "HOST" for "HOST:5555"? */
static bool is_host_of(const char *serial, const struct adb_server_phone *phone)
{
    char with_port[SERVER_SERIAL_MAX + 16];

    if (phone->usb)
        return false;
    snprintf(with_port, sizeof(with_port), "%s:%d", serial, TCP_DEFAULT_PORT);
    return !strcmp(with_port, phone->serial);
}

/* Lists show '_' for what is not alphanumeric in a model. */
static char plain_letter(char letter)
{
    return isalnum((unsigned char)letter) ? letter : '_';
}

static bool is_model(const char *text, const char *model)
{
    while (*text && *model && plain_letter(*model) == *text) {
        text++;
        model++;
    }
    return !*text && !*model;
}

/* AOSP accepts more than the serial itself after "-s". */
static bool is_named(const struct adb_server_phone *phone, const char *serial)
{
    const char *rest;

    if (!strcmp(serial, phone->serial) || is_host_of(serial, phone))
        return true;
    if (phone->devpath && !strcmp(serial, phone->devpath))
        return true;
    if ((rest = behind(serial, "product:")))
        return !strcmp(rest, phone->banner.product);
    if ((rest = behind(serial, "model:")))
        return is_model(rest, phone->banner.model);
    if ((rest = behind(serial, "device:")))
        return !strcmp(rest, phone->banner.device);
    return false;
}

static bool is_meant(const struct adb_server *server,
                     const struct adb_server_phone *phone,
                     const struct server_target *target)
{
    switch (target->scope) {
    case SERVER_SCOPE_ANY:
        return true;
    case SERVER_SCOPE_USB:
        return phone->usb;
    case SERVER_SCOPE_LOCAL:
        return !phone->usb;
    case SERVER_SCOPE_SERIAL:
        return is_named(phone, target->serial);
    case SERVER_SCOPE_ID:
        return server_phones_id(server, phone) == target->id;
    }
    return false;
}

static void explain_none(const struct server_target *target,
                         char why[SERVER_WHY_MAX])
{
    switch (target->scope) {
    case SERVER_SCOPE_ANY:
        snprintf(why, SERVER_WHY_MAX, "no devices/emulators found");
        break;
    case SERVER_SCOPE_USB:
        snprintf(why, SERVER_WHY_MAX, "no devices found");
        break;
    case SERVER_SCOPE_LOCAL:
        snprintf(why, SERVER_WHY_MAX, "no emulators found");
        break;
    case SERVER_SCOPE_SERIAL:
        snprintf(why, SERVER_WHY_MAX, "device '%s' not found", target->serial);
        break;
    case SERVER_SCOPE_ID:
        snprintf(why, SERVER_WHY_MAX, "no device with transport id '%llu'",
                 (unsigned long long)target->id);
        break;
    }
}

static void explain_several(const struct server_target *target,
                            char why[SERVER_WHY_MAX])
{
    static const char *const nouns[] = {
        [SERVER_SCOPE_ANY] = "device/emulator",
        [SERVER_SCOPE_USB] = "device",
        [SERVER_SCOPE_LOCAL] = "emulator",
        [SERVER_SCOPE_SERIAL] = "device",
        [SERVER_SCOPE_ID] = "device",
    };

    snprintf(why, SERVER_WHY_MAX, "more than one %s", nouns[target->scope]);
}

static bool is_lost(const struct adb_server_phone *phone)
{
    return phone->ops->is_lost(phone->context);
}

const struct adb_server_phone *server_phones_find(
    const struct adb_server *server, const struct server_target *target,
    bool any_state, char why[SERVER_WHY_MAX])
{
    const struct adb_server_phone *found = NULL;

    for (size_t i = 0; i < server->options.phone_count; i++) {
        const struct adb_server_phone *phone = &server->options.phones[i];

        if (!is_meant(server, phone, target))
            continue;
        if (found) {
            explain_several(target, why);
            return NULL;
        }
        found = phone;
    }
    if (!found) {
        explain_none(target, why);
    } else if (!any_state && is_lost(found)) {
        snprintf(why, SERVER_WHY_MAX, "device offline");
        found = NULL;
    }
    return found;
}

size_t server_phones_count(const struct adb_server *server,
                           const struct server_target *target, bool lost)
{
    size_t count = 0;

    for (size_t i = 0; i < server->options.phone_count; i++) {
        const struct adb_server_phone *phone = &server->options.phones[i];

        count += is_meant(server, phone, target) && is_lost(phone) == lost;
    }
    return count;
}

uint64_t server_phones_id(const struct adb_server *server,
                          const struct adb_server_phone *phone)
{
    return (uint64_t)(phone - server->options.phones) + 1;
}

const char *server_phones_state(const struct adb_server_phone *phone)
{
    if (is_lost(phone))
        return "offline";
    return *phone->banner.state ? phone->banner.state : "device";
}

/* " KEY:VALUE", with '_' for what is not alphanumeric if plain. */
static void append_detail(struct buf *text, const char *key, const char *value,
                          bool plain)
{
    if (!value || !*value)
        return;
    buf_printf(text, " %s", key);
    for (; *value; value++)
        buf_byte(text, plain ? plain_letter(*value) : *value);
}

static void append_phone(const struct adb_server *server,
                         const struct adb_server_phone *phone,
                         bool with_details, struct buf *text)
{
    const char *state = server_phones_state(phone);

    if (!with_details) {
        buf_printf(text, "%s\t%s\n", phone->serial, state);
        return;
    }
    buf_printf(text, "%-22s %s", phone->serial, state);
    append_detail(text, "", phone->devpath, false);
    append_detail(text, "product:", phone->banner.product, false);
    append_detail(text, "model:", phone->banner.model, true);
    append_detail(text, "device:", phone->banner.device, false);
    buf_printf(text, " transport_id:%llu\n",
               (unsigned long long)server_phones_id(server, phone));
}

void server_phones_list(const struct adb_server *server, bool with_details,
                        struct buf *text)
{
    for (size_t i = 0; i < server->options.phone_count; i++)
        append_phone(server, &server->options.phones[i], with_details, text);
}

void server_phones_features(feature_set features, struct buf *text)
{
    const char *comma = "";

    for (enum feature i = 0; i < FEATURE_COUNT; i++) {
        if (!(features & FEATURE_BIT(i)))
            continue;
        buf_printf(text, "%s%s", comma, feature_name(i));
        comma = ",";
    }
}
