#include "tools/phone/system/props.h"

#include <stdio.h>
#include <string.h>

#define VALUE_SIZE 128

/* NULL: depends on the version of Android. */
static const struct {
    const char *name;
    const char *value;
} seeded[] = {
    {"dalvik.vm.heapgrowthlimit", "192m"},
    {"dalvik.vm.heapsize", "512m"},
    {"debug.force_rtl", "false"},
    {"dev.bootcomplete", "1"},
    {"gsm.operator.alpha", ""},
    {"gsm.operator.isroaming", "false"},
    {"gsm.sim.state", "ABSENT"},
    {"init.svc.adbd", "running"},
    {"init.svc.bootanim", "stopped"},
    {"init.svc.servicemanager", "running"},
    {"init.svc.surfaceflinger", "running"},
    {"init.svc.zygote", "running"},
    {"net.bt.name", "Android"},
    {"persist.sys.locale", "en-US"},
    {"persist.sys.timezone", "GMT"},
    {"persist.sys.usb.config", "adb"},
    {"ro.adb.secure", "1"},
    {"ro.board.platform", "software"},
    {"ro.boot.hardware", "proctor"},
    {"ro.boot.serialno", "PROCTOR0001"},
    {"ro.bootmode", "unknown"},
    {"ro.build.characteristics", "default"},
    {"ro.build.date", "Thu Oct  5 00:00:00 UTC 2023"},
    {"ro.build.date.utc", "1696464000"},
    {"ro.build.description", NULL},
    {"ro.build.display.id", NULL},
    {"ro.build.fingerprint", NULL},
    {"ro.build.id", NULL},
    {"ro.build.tags", "release-keys"},
    {"ro.build.type", "user"},
    {"ro.build.user", "proctor"},
    {"ro.build.version.all_codenames", "REL"},
    {"ro.build.version.codename", "REL"},
    {"ro.build.version.incremental", "1"},
    {"ro.build.version.release", NULL},
    {"ro.build.version.release_or_codename", NULL},
    {"ro.build.version.sdk", NULL},
    {"ro.build.version.security_patch", NULL},
    {"ro.config.ringtone", "Ring_Synth_04.ogg"},
    {"ro.crypto.state", "encrypted"},
    {"ro.debuggable", "0"},
    {"ro.hardware", "proctor"},
    {"ro.kernel.version", "5.15"},
    {"ro.proctor.clock", "virtual"},
    {"ro.product.board", "phone"},
    {"ro.product.brand", "proctor"},
    {"ro.product.cpu.abi", "arm64-v8a"},
    {"ro.product.cpu.abilist", "arm64-v8a"},
    {"ro.product.cpu.abilist32", ""},
    {"ro.product.cpu.abilist64", "arm64-v8a"},
    {"ro.product.device", "phone"},
    {"ro.product.first_api_level", NULL},
    {"ro.product.locale", "en-US"},
    {"ro.product.manufacturer", "proctor"},
    {"ro.product.model", "proctor phone"},
    {"ro.product.name", "phone"},
    {"ro.secure", "1"},
    {"ro.serialno", "PROCTOR0001"},
    {"ro.sf.lcd_density", "420"},
    {"ro.system.build.version.sdk", NULL},
    {"ro.vendor.api_level", NULL},
    {"ro.zygote", "zygote64"},
    {"service.adb.tcp.port", "5555"},
    {"sys.boot_completed", "1"},
    {"sys.usb.config", "adb"},
    {"sys.usb.state", "adb"},
    {"vold.has_adoptable", "0"},
    {"wifi.interface", "wlan0"},
};

/*
 * The value of a property that depends on the version; NULL: it does not exist.
 */
static const char *value_of(const struct android_level *android, size_t at,
                            char text[static VALUE_SIZE])
{
    const char *name = seeded[at].name;

    if (seeded[at].value)
        return seeded[at].value;
    if (!strcmp(name, "ro.build.version.security_patch"))
        return android->patch;
    if (!strcmp(name, "ro.build.id") || !strcmp(name, "ro.build.display.id"))
        return android->build_id;
    if (!strncmp(name, "ro.build.version.release", 24))
        return android->release;
    if (!strcmp(name, "ro.build.fingerprint"))
        snprintf(text, VALUE_SIZE, "proctor/phone/phone:%s/%s/1:user/%s",
                 android->release, android->build_id, "release-keys");
    else if (!strcmp(name, "ro.build.description"))
        snprintf(text, VALUE_SIZE, "phone-user %s %s 1 release-keys",
                 android->release, android->build_id);
    else
        snprintf(text, VALUE_SIZE, "%d", android->sdk);
    return text;
}

static bool is_read_only(const char *name)
{
    return !strncmp(name, "ro.", 3);
}

/* all of them fit */
static void seed(struct phone_props *props, const char *name, const char *value)
{
    if (value)
        (void)!string_map_set(&props->string_map, name, value);
}

void props_init(struct phone_props *props, const struct props_options *options)
{
    char text[VALUE_SIZE];

    string_map_init(&props->string_map);
    props->android = android_level(options->android);
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++)
        seed(props, seeded[i].name, value_of(props->android, i, text));
    if (options->serial) {
        seed(props, "ro.serialno", options->serial);
        seed(props, "ro.boot.serialno", options->serial);
    }
    if (options->locale) {
        seed(props, "persist.sys.locale", options->locale);
        seed(props, "ro.product.locale", options->locale);
    }
}

void props_release(struct phone_props *props)
{
    string_map_release(&props->string_map);
}

static bool survives_boot(const char *name)
{
    return is_read_only(name) || !strncmp(name, "persist.", 8);
}

void props_boot(struct phone_props *props)
{
    char text[VALUE_SIZE];

    string_map_keep(&props->string_map, survives_boot);
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++) {
        if (!survives_boot(seeded[i].name))
            seed(props, seeded[i].name, value_of(props->android, i, text));
    }
}

void props_tell_real_clock(struct phone_props *props)
{
    seed(props, "ro.proctor.clock", "real");
}

void props_get(struct phone_props *props, const char *name, struct buf *value)
{
    (void)!string_map_get(&props->string_map, name, value);
}

bool props_set(struct phone_props *props, const char *name, const char *value)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_@:";

    if (is_read_only(name) || name[strspn(name, allowed)] ||
        strlen(value) > PROPS_VALUE_MAX)
        return false;
    return string_map_set(&props->string_map, name, value);
}

void props_list(struct phone_props *props, struct buf *text)
{
    string_map_list(&props->string_map, "[", "]: [", "]", text);
}

void props_build(const struct android_level *android, struct buf *text)
{
    char value[VALUE_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(seeded); i++) {
        const char *seeded_value = value_of(android, i, value);

        if (seeded_value && is_read_only(seeded[i].name))
            buf_printf(text, "%s=%s\n", seeded[i].name, seeded_value);
    }
}
