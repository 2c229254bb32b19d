#include "tools/phone/system/settings.h"

#include <strings.h>

static const struct {
    const char *name;
    const char *value;
    enum settings_space space;
    bool unset_once; /* null on old phones until it is written */
} seeded[] = {
    {"accelerometer_rotation", "1", SETTINGS_SYSTEM, false},
    {"dim_screen", "1", SETTINGS_SYSTEM, false},
    {"font_scale", "1.0", SETTINGS_SYSTEM, true},
    {"haptic_feedback_enabled", "1", SETTINGS_SYSTEM, false},
    {"screen_brightness", "102", SETTINGS_SYSTEM, false},
    {"screen_brightness_mode", "0", SETTINGS_SYSTEM, false},
    {"screen_off_timeout", "60000", SETTINGS_SYSTEM, false},
    {"show_touches", "0", SETTINGS_SYSTEM, true},
    {"time_12_24", "24", SETTINGS_SYSTEM, true},
    {"user_rotation", "0", SETTINGS_SYSTEM, false},
    {"volume_music", "5", SETTINGS_SYSTEM, false},
    {"volume_ring", "5", SETTINGS_SYSTEM, false},
    {"accessibility_enabled", "0", SETTINGS_SECURE, false},
    {"android_id", "9774d56d682e549c", SETTINGS_SECURE, false},
    {"default_input_method", "com.android.inputmethod.latin/.LatinIME",
     SETTINGS_SECURE, false},
    {"enabled_input_methods", "com.android.inputmethod.latin/.LatinIME",
     SETTINGS_SECURE, false},
    {"location_mode", "3", SETTINGS_SECURE, true},
    {"show_ime_with_hard_keyboard", "1", SETTINGS_SECURE, true},
    {"user_setup_complete", "1", SETTINGS_SECURE, false},
    {"adb_enabled", "1", SETTINGS_GLOBAL, false},
    {"airplane_mode_on", "0", SETTINGS_GLOBAL, false},
    {"animator_duration_scale", "1.0", SETTINGS_GLOBAL, true},
    {"auto_time", "1", SETTINGS_GLOBAL, false},
    {"auto_time_zone", "1", SETTINGS_GLOBAL, false},
    {"bluetooth_on", "0", SETTINGS_GLOBAL, false},
    {"boot_count", "1", SETTINGS_GLOBAL, true},
    {"development_settings_enabled", "1", SETTINGS_GLOBAL, false},
    {"device_name", "proctor phone", SETTINGS_GLOBAL, true},
    {"device_provisioned", "1", SETTINGS_GLOBAL, false},
    {"mobile_data", "1", SETTINGS_GLOBAL, false},
    {"stay_on_while_plugged_in", "0", SETTINGS_GLOBAL, false},
    {"transition_animation_scale", "1.0", SETTINGS_GLOBAL, true},
    {"wifi_on", "1", SETTINGS_GLOBAL, false},
    {"window_animation_scale", "1.0", SETTINGS_GLOBAL, true},
};

void settings_init(struct phone_settings *settings,
                   const struct android_level *android)
{
    settings->changed = NULL;
    atomic_init(&settings->changes, 0);
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        string_map_init(&settings->spaces[i]);
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++) {
        if (seeded[i].unset_once && android->few_settings)
            continue;
        (void)!string_map_set(&settings->spaces[seeded[i].space],
                              seeded[i].name,
                              seeded[i].value); /* all of them fit */
    }
}

void settings_release(struct phone_settings *settings)
{
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        string_map_release(&settings->spaces[i]);
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

bool settings_get(struct phone_settings *settings, enum settings_space space,
                  const char *name, struct buf *value)
{
    return string_map_get(&settings->spaces[space], name, value);
}

void settings_watch(struct phone_settings *settings,
                    settings_changed_fn *changed, void *context)
{
    settings->changed = changed;
    settings->context = context;
}

unsigned long settings_changes(const struct phone_settings *settings)
{
    return atomic_load(&settings->changes);
}

static void tell(struct phone_settings *settings, enum settings_space space,
                 const char *name)
{
    atomic_fetch_add(&settings->changes, 1);
    if (settings->changed)
        settings->changed(settings->context, space, name);
}

bool settings_put(struct phone_settings *settings, enum settings_space space,
                  const char *name, const char *value)
{
    if (!string_map_set(&settings->spaces[space], name, value))
        return false;
    tell(settings, space, name);
    return true;
}

bool settings_delete(struct phone_settings *settings, enum settings_space space,
                     const char *name)
{
    bool was = string_map_delete(&settings->spaces[space], name);

    tell(settings, space, name);
    return was;
}

void settings_list(struct phone_settings *settings, enum settings_space space,
                   struct buf *text)
{
    string_map_list(&settings->spaces[space], "", "=", "", text);
}

void settings_save(struct phone_settings *settings, struct buf *out)
{
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        string_map_save(&settings->spaces[i], out);
}

void settings_load(struct phone_settings *settings, struct saved_state *in)
{
    for (size_t i = 0; i < SETTINGS_SPACES; i++)
        string_map_load(&settings->spaces[i], in);
    for (size_t i = 0; !in->trial && !in->broken && i < SETTINGS_SPACES; i++)
        tell(settings, (enum settings_space)i, "");
}
