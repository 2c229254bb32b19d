#include "tools/phone/props.h"

#include <string.h>

#define FINGERPRINT "proctor/phone/phone:14/UP1A.231005.007/1:user/release-keys"

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
    {"ro.build.description", "phone-user 14 UP1A.231005.007 1 release-keys"},
    {"ro.build.display.id", "UP1A.231005.007"},
    {"ro.build.fingerprint", FINGERPRINT},
    {"ro.build.id", "UP1A.231005.007"},
    {"ro.build.tags", "release-keys"},
    {"ro.build.type", "user"},
    {"ro.build.user", "proctor"},
    {"ro.build.version.all_codenames", "REL"},
    {"ro.build.version.codename", "REL"},
    {"ro.build.version.incremental", "1"},
    {"ro.build.version.release", "14"},
    {"ro.build.version.release_or_codename", "14"},
    {"ro.build.version.sdk", "34"},
    {"ro.build.version.security_patch", "2023-10-05"},
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
    {"ro.product.first_api_level", "34"},
    {"ro.product.locale", "en-US"},
    {"ro.product.manufacturer", "proctor"},
    {"ro.product.model", "proctor phone"},
    {"ro.product.name", "phone"},
    {"ro.secure", "1"},
    {"ro.serialno", "PROCTOR0001"},
    {"ro.sf.lcd_density", "420"},
    {"ro.system.build.version.sdk", "34"},
    {"ro.vendor.api_level", "34"},
    {"ro.zygote", "zygote64"},
    {"service.adb.tcp.port", "5555"},
    {"sys.boot_completed", "1"},
    {"sys.usb.config", "adb"},
    {"sys.usb.state", "adb"},
    {"vold.has_adoptable", "0"},
    {"wifi.interface", "wlan0"},
};

static bool is_read_only(const char *name)
{
    return !strncmp(name, "ro.", 3);
}

/* Ours all fit. */
static void seed(struct props *props, const char *name, const char *value)
{
    (void)!pairs_set(&props->pairs, name, value);
}

void props_init(struct props *props, const struct props_options *options)
{
    pairs_init(&props->pairs);
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++)
        seed(props, seeded[i].name, seeded[i].value);
    if (options->serial) {
        seed(props, "ro.serialno", options->serial);
        seed(props, "ro.boot.serialno", options->serial);
    }
    if (options->locale) {
        seed(props, "persist.sys.locale", options->locale);
        seed(props, "ro.product.locale", options->locale);
    }
}

void props_release(struct props *props)
{
    pairs_release(&props->pairs);
}

static bool survives_boot(const char *name)
{
    return is_read_only(name) || !strncmp(name, "persist.", 8);
}

void props_boot(struct props *props)
{
    pairs_keep(&props->pairs, survives_boot);
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++) {
        if (!survives_boot(seeded[i].name))
            seed(props, seeded[i].name, seeded[i].value);
    }
}

void props_tell_real_clock(struct props *props)
{
    seed(props, "ro.proctor.clock", "real");
}

void props_get(struct props *props, const char *name, struct buf *value)
{
    (void)!pairs_get(&props->pairs, name, value);
}

bool props_set(struct props *props, const char *name, const char *value)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_@:";

    if (is_read_only(name) || name[strspn(name, allowed)] ||
        strlen(value) > PROPS_VALUE_MAX)
        return false;
    return pairs_set(&props->pairs, name, value);
}

void props_list(struct props *props, struct buf *text)
{
    pairs_list(&props->pairs, "[", "]: [", "]", text);
}

void props_build(struct buf *text)
{
    for (size_t i = 0; i < ARRAY_LEN(seeded); i++) {
        if (is_read_only(seeded[i].name))
            buf_printf(text, "%s=%s\n", seeded[i].name, seeded[i].value);
    }
}
