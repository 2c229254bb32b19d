#include "tools/phone/core/android_level.h"

#include "adb/wire/packet.h"

#define KIB 1024U

static const struct android_level levels[ANDROID_VERSIONS] = {
    [ANDROID_14] = {.version = ANDROID_14,
                    .name = "14",
                    .release = "14",
                    .build_id = "UP1A.231005.007",
                    .patch = "2023-10-05",
                    .sdk = 34,
                    .framebuffer = 2,
                    .dump_file = "/sdcard/window_dump.xml"},
    [ANDROID_13] = {.version = ANDROID_13,
                    .name = "13",
                    .release = "13",
                    .build_id = "TQ3A.230805.001",
                    .patch = "2023-08-05",
                    .sdk = 33,
                    .framebuffer = 2,
                    .dump_file = "/sdcard/window_dump.xml"},
    [ANDROID_7] = {.version = ANDROID_7,
                   .name = "7",
                   .release = "7.0",
                   .build_id = "NRD90M",
                   .patch = "2016-08-05",
                   .sdk = 24,
                   .protocol = PACKET_VERSION_MIN,
                   .max_payload = 256 * KIB,
                   .sync_v1 = true,
                   .framebuffer = 1,
                   .no_color_space = true,
                   .dump_file = "/sdcard/window_dump.xml"},
    [ANDROID_4_4] = {.version = ANDROID_4_4,
                     .name = "4.4",
                     .release = "4.4.2",
                     .build_id = "KOT49H",
                     .sdk = 19,
                     .protocol = PACKET_VERSION_MIN,
                     .max_payload = 4 * KIB,
                     .no_exec = true,
                     .shell_v1 = true,
                     .one_host = true,
                     .sync_v1 = true,
                     .sync_once = true,
                     .framebuffer = 1,
                     .toolbox = true,
                     .few_settings = true,
                     .log_folder = "/dev/log/",
                     .rgb_565 = true,
                     .no_color_space = true,
                     .dump_file = "/storage/emulated/legacy/window_dump.xml"},
};

const struct android_level *android_level(enum android_version version)
{
    return &levels[version];
}
