#include "tools/phone/system/handset.h"

#include <stdlib.h>

#include "tools/phone/files/initial_files.h"
#include "tools/phone/files/proc_files.h"
#include "tools/phone/system/app_catalog.h"

/* 2025-01-06, a Monday, 09:00 UTC. */
#define FIRST_MOMENT (INT64_C(1736154000) * PHONE_SECOND)
#define DAY (INT64_C(86400) * PHONE_SECOND)

/* Duration of a boot, on the phone's clock. */
#define BOOT_TIME (25 * PHONE_SECOND)

#define BUILD_PROP_MAX ((size_t)16 * 1024)

/* Day and minute depend on the seed. */
static int64_t start_time(uint64_t seed)
{
    uint64_t mixed = seed * UINT64_C(0x9e3779b97f4a7c15);
    int64_t day = (int64_t)(mixed >> 32) % 365;
    int64_t minute = (int64_t)(mixed & 0xffffffffU) % 480;

    return seed ? FIRST_MOMENT + day * DAY + minute * 60 * PHONE_SECOND
                : FIRST_MOMENT;
}

static void write_first_logs(struct handset *handset)
{
    static const struct {
        unsigned pid;
        char level;
        const char *tag;
        const char *text;
    } lines[] = {
        {1, 'I', "init", "starting service 'zygote'..."},
        {412, 'I', "SurfaceFlinger", "Boot is finished (4711 ms)"},
        {743, 'I', "SystemServer", "Entered the Android system server!"},
        {743, 'I', "ActivityManager", "System now ready"},
        {743, 'D', "WifiService", "setWifiEnabled: true"},
        {1021, 'I', "SystemUI", "Boot complete"},
        {1290, 'I', "Launcher", "workspace is bound"},
        {521, 'I', "adbd", "listening"},
    };
    int64_t time = handset->clock.booted + 10 * PHONE_SECOND;

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        logs_write(&handset->logs, time, lines[i].pid, lines[i].level,
                   lines[i].tag, "%s", lines[i].text);
        time += PHONE_SECOND / 4 * (int64_t)(i + 1);
    }
}

/* On old phones all users can read the properties, and have one more link. */
static bool create_files(const struct handset *handset, const char *build_prop,
                         int *number)
{
    const bool old = handset->android->toolbox;

    return initial_files_create(handset->root, build_prop, old ? 0644 : 0600,
                                number) &&
           (!old || files_link(handset->root, "/storage/emulated/0",
                               "/storage/emulated/legacy", number));
}

bool handset_init(struct handset *handset,
                  const struct handset_options *options, struct err *err)
{
    const struct props_options props = {options->serial, options->locale,
                                        options->android};
    struct buf build = BUF_INIT(BUILD_PROP_MAX);
    bool filled;
    int number;

    handset->android = android_level(options->android);
    atomic_init(&handset->stopping, false);
    virtual_clock_init(&handset->clock, start_time(options->seed));
    if (!faults_init(&handset->faults, &handset->clock, options->seed, err)) {
        virtual_clock_release(&handset->clock);
        return false;
    }
    handset->root =
        files_new(&options->files, virtual_clock_view(&handset->clock));
    props_build(handset->android, &build);
    filled = create_files(handset, buf_cstr(&build), &number);
    buf_release(&build);
    if (!filled) {
        files_free(handset->root);
        faults_release(&handset->faults);
        virtual_clock_release(&handset->clock);
        return err_set(err, ERR_LIMIT, "making the phone's files: %s",
                       files_reason(number));
    }
    files_set_live(handset->root, proc_files_text, &handset->clock);
    handset->files = files_as(handset->root, &files_shell);
    props_init(&handset->props, &props);
    settings_init(&handset->settings, handset->android);
    logs_init(&handset->logs);
    string_map_init(&handset->world);
    packages_init(&handset->packages);
    app_catalog_install(&handset->packages, handset->clock.booted,
                        handset->android->toolbox);
    installer_init(&handset->installer);
    processes_init(&handset->processes,
                   handset->android->toolbox ? "zygote" : "zygote64");
    sockets_init(&handset->sockets);
    battery_init(&handset->battery);
    notifications_init(&handset->notifications);
    write_first_logs(handset);
    return true;
}

/* As the setting counts, from 1. */
static void count_boot(struct phone_settings *settings)
{
    struct buf text = BUF_INIT(STRING_MAP_VALUE_MAX);
    unsigned long count = 1;

    if (settings_get(settings, SETTINGS_GLOBAL, "boot_count", &text))
        count = strtoul(buf_cstr(&text), NULL, 10);
    buf_clear(&text);
    buf_printf(&text, "%lu", count + 1);
    (void)!settings_put(settings, SETTINGS_GLOBAL, "boot_count",
                        buf_cstr(&text)); /* ignored if the store is full */
    buf_release(&text);
}

void handset_boot(struct handset *handset)
{
    struct virtual_clock *clock = &handset->clock;

    clock->booted = virtual_clock_now(clock);
    virtual_clock_advance(clock, BOOT_TIME);
    props_boot(&handset->props);
    count_boot(&handset->settings);
    logs_clear(&handset->logs);
    notifications_clear(&handset->notifications);
    write_first_logs(handset);
}

void handset_stop(struct handset *handset)
{
    atomic_store(&handset->stopping, true);
    faults_stop(&handset->faults);
}

void handset_release(struct handset *handset)
{
    notifications_release(&handset->notifications);
    processes_release(&handset->processes);
    installer_release(&handset->installer);
    packages_release(&handset->packages);
    sockets_release(&handset->sockets);
    string_map_release(&handset->world);
    logs_release(&handset->logs);
    settings_release(&handset->settings);
    props_release(&handset->props);
    files_free(handset->files);
    files_free(handset->root);
    faults_release(&handset->faults);
    virtual_clock_release(&handset->clock);
}
