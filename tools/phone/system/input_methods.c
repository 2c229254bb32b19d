#include "tools/phone/system/input_methods.h"

#include <string.h>

#define CURRENT "default_input_method"
#define ENABLED "enabled_input_methods"

static void get(struct handset *handset, const char *setting, struct buf *value)
{
    (void)!settings_get(&handset->settings, SETTINGS_SECURE, setting, value);
}

static void put(struct handset *handset, const char *setting, const char *value)
{
    (void)!settings_put(&handset->settings, SETTINGS_SECURE, setting, value);
}

bool input_methods_exist(struct handset *handset, const char *name)
{
    struct phone_component wanted;
    struct phone_package package;

    return component_parse(name, &wanted) &&
           packages_find(&handset->packages, wanted.package, &package) &&
           package.ime[0] && !strcmp(package.ime, wanted.class);
}

/* ---- the list of enabled keyboards: "a/.B:c/.D;1;2" ---- */

/* The position of name in the list, without its subtypes; NULL: not there. */
static const char *find_in(const char *list, const char *name)
{
    size_t length = strlen(name);

    while (*list) {
        size_t whole = strcspn(list, ":");

        if (strcspn(list, ":;") == length && !strncmp(list, name, length))
            return list;
        list += whole + (list[whole] == ':');
    }
    return NULL;
}

bool input_methods_is_enabled(struct handset *handset, const char *name)
{
    struct buf list = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool enabled;

    get(handset, ENABLED, &list);
    enabled = find_in(buf_cstr(&list), name) != NULL;
    buf_release(&list);
    return enabled;
}

bool input_methods_is_current(struct handset *handset, const char *name)
{
    struct buf current = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool same;

    get(handset, CURRENT, &current);
    same = !strcmp(buf_cstr(&current), name);
    buf_release(&current);
    return same;
}

bool input_methods_enable(struct handset *handset, const char *name)
{
    struct buf list = BUF_INIT(STRING_MAP_VALUE_MAX);

    if (input_methods_is_enabled(handset, name))
        return false;
    get(handset, ENABLED, &list);
    if (list.length)
        buf_byte(&list, ':');
    buf_text(&list, name);
    put(handset, ENABLED, buf_cstr(&list));
    buf_release(&list);
    return true;
}

bool input_methods_disable(struct handset *handset, const char *name)
{
    struct buf list = BUF_INIT(STRING_MAP_VALUE_MAX);
    struct buf rest = BUF_INIT(STRING_MAP_VALUE_MAX);
    const char *found;

    get(handset, ENABLED, &list);
    found = find_in(buf_cstr(&list), name);
    if (found) {
        const char *after = found + strcspn(found, ":");

        buf_append(&rest, list.data, (size_t)(found - list.data));
        buf_text(&rest, *after ? after + 1 : after);
        if (rest.length && rest.data[rest.length - 1] == ':')
            buf_truncate(&rest, rest.length - 1);
        put(handset, ENABLED, buf_cstr(&rest));
        if (input_methods_is_current(handset, name))
            put(handset, CURRENT, INPUT_METHODS_DEFAULT);
    }
    buf_release(&list);
    buf_release(&rest);
    return found != NULL;
}

bool input_methods_select(struct handset *handset, const char *name)
{
    if (!input_methods_exist(handset, name) ||
        !input_methods_is_enabled(handset, name))
        return false;
    put(handset, CURRENT, name);
    return true;
}

void input_methods_reset(struct handset *handset)
{
    put(handset, ENABLED, INPUT_METHODS_DEFAULT);
    put(handset, CURRENT, INPUT_METHODS_DEFAULT);
}

void input_methods_install_adb(struct handset *handset)
{
    const struct phone_package package = {
        .name = "com.android.adbkeyboard",
        .labels = {"ADB Keyboard", "ADB Keyboard"},
        .version = "2.4-dev",
        .version_code = 3,
        .target_sdk = 34,
        .ime = "com.android.adbkeyboard.AdbIME",
        .apk = "/data/app/~~YWRia2V5Ym9hcmQ=/com.android.adbkeyboard-1/"
               "base.apk",
        .installed = handset->clock.booted,
        .updated = handset->clock.booted,
    };

    (void)!packages_put(&handset->packages, &package); /* there is room */
}
