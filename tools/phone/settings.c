#include "tools/phone/settings.h"

#include <strings.h>

static const struct {
    enum settings_space space;
    const char *name;
    const char *value;
} seeded[] = {
    {SETTINGS_SYSTEM, "accelerometer_rotation", "1"},
    {SETTINGS_SYSTEM, "dim_screen", "1"},
    {SETTINGS_SYSTEM, "font_scale", "1.0"},
    {SETTINGS_SYSTEM, "haptic_feedback_enabled", "1"},
    {SETTINGS_SYSTEM, "screen_brightness", "102"},
    {SETTINGS_SYSTEM, "screen_brightness_mode", "0"},
    {SETTINGS_SYSTEM, "screen_off_timeout", "60000"},
    {SETTINGS_SYSTEM, "show_touches", "0"},
    {SETTINGS_SYSTEM, "time_12_24", "24"},
    {SETTINGS_SYSTEM, "user_rotation", "0"},
    {SETTINGS_SYSTEM, "volume_music", "5"},
    {SETTINGS_SYSTEM, "volume_ring", "5"},
    {SETTINGS_SECURE, "accessibility_enabled", "0"},
    {SETTINGS_SECURE, "android_id", "9774d56d682e549c"},
    {SETTINGS_SECURE, "default_input_method",
     "com.android.inputmethod.latin/.LatinIME"},
    {SETTINGS_SECURE, "enabled_input_methods",
     "com.android.inputmethod.latin/.LatinIME"},
    {SETTINGS_SECURE, "location_mode", "3"},
    {SETTINGS_SECURE, "show_ime_with_hard_keyboard", "1"},
    {SETTINGS_SECURE, "user_setup_complete", "1"},
    {SETTINGS_GLOBAL, "adb_enabled", "1"},
    {SETTINGS_GLOBAL, "airplane_mode_on", "0"},
    {SETTINGS_GLOBAL, "animator_duration_scale", "1.0"},
    {SETTINGS_GLOBAL, "auto_time", "1"},
    {SETTINGS_GLOBAL, "auto_time_zone", "1"},
    {SETTINGS_GLOBAL, "bluetooth_on", "0"},
    {SETTINGS_GLOBAL, "boot_count", "1"},
    {SETTINGS_GLOBAL, "development_settings_enabled", "1"},
    {SETTINGS_GLOBAL, "device_name", "proctor phone"},
    {SETTINGS_GLOBAL, "device_provisioned", "1"},
    {SETTINGS_GLOBAL, "mobile_data", "1"},
    {SETTINGS_GLOBAL, "stay_on_while_plugged_in", "0"},
    {SETTINGS_GLOBAL, "transition_animation_scale", "1.0"},
    {SETTINGS_GLOBAL, "wifi_on", "1"},
    {SETTINGS_GLOBAL, "window_animation_scale", "1.0"},
};

void settings_init(struct settings *settings)
{
    settings->changed = NULL;
    atomic_init(&settings->changes, 0);
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        pairs_init(&settings->spaces[i]);
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++) /* ours all fit */
        (void)!pairs_set(&settings->spaces[seeded[i].space], seeded[i].name,
                         seeded[i].value);
}

void settings_release(struct settings *settings)
{
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        pairs_release(&settings->spaces[i]);
}

bool settings_find_space(const char *name, enum settings_space *space)
{
    static const char *const names[SETTINGS_SPACES] = {
        [SETTINGS_SYSTEM] = "system",
        [SETTINGS_SECURE] = "secure",
        [SETTINGS_GLOBAL] = "global",
    };

    for (size_t i = 0; i < SETTINGS_SPACES; i++) {
        if (!strcasecmp(name, names[i])) {
            *space = (enum settings_space)i;
            return true;
        }
    }
    return false;
}

bool settings_get(struct settings *settings, enum settings_space space,
                  const char *name, struct buf *value)
{
    return pairs_get(&settings->spaces[space], name, value);
}

void settings_watch(struct settings *settings, settings_changed_fn *changed,
                    void *context)
{
    settings->changed = changed;
    settings->context = context;
}

unsigned long settings_changes(const struct settings *settings)
{
    return atomic_load(&settings->changes);
}

static void tell(struct settings *settings, enum settings_space space,
                 const char *name)
{
    atomic_fetch_add(&settings->changes, 1);
    if (settings->changed)
        settings->changed(settings->context, space, name);
}

bool settings_put(struct settings *settings, enum settings_space space,
                  const char *name, const char *value)
{
    if (!pairs_set(&settings->spaces[space], name, value))
        return false;
    tell(settings, space, name);
    return true;
}

bool settings_delete(struct settings *settings, enum settings_space space,
                     const char *name)
{
    bool was = pairs_delete(&settings->spaces[space], name);

    tell(settings, space, name);
    return was;
}

void settings_list(struct settings *settings, enum settings_space space,
                   struct buf *text)
{
    pairs_list(&settings->spaces[space], "", "=", "", text);
}

void settings_save(struct settings *settings, struct buf *out)
{
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        pairs_save(&settings->spaces[i], out);
}

void settings_load(struct settings *settings, struct parcel *in)
{
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        pairs_load(&settings->spaces[i], in);
    for (size_t i = 0; !in->trial && !in->broken && i < SETTINGS_SPACES; i++)
        tell(settings, (enum settings_space)i, "");
}
