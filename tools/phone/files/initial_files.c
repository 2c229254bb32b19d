#include "tools/phone/files/initial_files.h"

#include <string.h>

#include "tools/phone/files/proc_files.h"

#define SYSTEM 1000
#define SHELL 2000
#define MEDIA_RW 1023
#define GRAPHICS 1003

struct directory {
    const char *path;
    uint32_t mode;
    uint32_t uid;
    uint32_t gid;
};

static const struct directory directories[] = {
    {"/acct", 0555, 0, 0},
    {"/apex", 0755, 0, 0},
    {"/cache", 0770, SYSTEM, 2001},
    {"/config", 0755, 0, 0},
    {"/data", 0771, SYSTEM, SYSTEM},
    {"/data/anr", 0775, SYSTEM, SYSTEM},
    {"/data/app", 0771, SYSTEM, SYSTEM},
    {"/data/data", 0771, SYSTEM, SYSTEM},
    {"/data/local", 0751, 0, 0},
    {"/data/local/tmp", 0771, SHELL, SHELL},
    {"/data/media", 0770, MEDIA_RW, MEDIA_RW},
    {"/data/misc", 01771, SYSTEM, 9998},
    {"/data/misc/adb", 02750, SYSTEM, SHELL},
    {"/data/system", 0775, SYSTEM, SYSTEM},
    {"/data/user", 0711, SYSTEM, SYSTEM},
    {"/dev", 0755, 0, 0},
    {"/dev/graphics", 0755, 0, 0},
    {"/dev/input", 0755, 0, 0},
    {"/mnt", 0755, 0, SYSTEM},
    {"/odm", 0755, 0, 0},
    {"/proc", 0555, 0, 0},
    {"/product", 0755, 0, 0},
    {"/storage", 0755, 0, 0},
    {"/storage/emulated", 0711, 0, 0},
    {"/storage/emulated/0", 0771, 0, 0},
    {"/storage/emulated/0/Alarms", 0771, 0, 0},
    {"/storage/emulated/0/Android", 0771, 0, 0},
    {"/storage/emulated/0/Android/data", 0771, 0, 0},
    {"/storage/emulated/0/Android/media", 0771, 0, 0},
    {"/storage/emulated/0/Android/obb", 0771, 0, 0},
    {"/storage/emulated/0/Audiobooks", 0771, 0, 0},
    {"/storage/emulated/0/DCIM", 0771, 0, 0},
    {"/storage/emulated/0/Documents", 0771, 0, 0},
    {"/storage/emulated/0/Download", 0771, 0, 0},
    {"/storage/emulated/0/Movies", 0771, 0, 0},
    {"/storage/emulated/0/Music", 0771, 0, 0},
    {"/storage/emulated/0/Notifications", 0771, 0, 0},
    {"/storage/emulated/0/Pictures", 0771, 0, 0},
    {"/storage/emulated/0/Podcasts", 0771, 0, 0},
    {"/storage/emulated/0/Recordings", 0771, 0, 0},
    {"/storage/emulated/0/Ringtones", 0771, 0, 0},
    {"/storage/self", 0755, 0, 0},
    {"/sys", 0755, 0, 0},
    {"/system", 0755, 0, 0},
    {"/system/app", 0755, 0, 0},
    {"/system/bin", 0751, 0, SHELL},
    {"/system/etc", 0755, 0, 0},
    {"/system/fonts", 0755, 0, 0},
    {"/system/framework", 0755, 0, 0},
    {"/system/lib64", 0755, 0, 0},
    {"/system/priv-app", 0755, 0, 0},
    {"/system/xbin", 0751, 0, SHELL},
    {"/vendor", 0755, 0, SHELL},
};

static const struct {
    const char *path;
    const char *target;
} links[] = {
    {"/bin", "/system/bin"},
    {"/bugreports", "/data/user_de/0/com.android.shell/files/bugreports"},
    {"/d", "/sys/kernel/debug"},
    {"/data/user/0", "/data/data"},
    {"/etc", "/system/etc"},
    {"/mnt/sdcard", "/storage/self/primary"},
    {"/sdcard", "/storage/self/primary"},
    {"/storage/self/primary", "/storage/emulated/0"},
};

static const struct {
    const char *path;
    uint32_t device; /* major << 8 | minor */
    uint32_t mode;
    uint32_t gid;
} devices[] = {
    {"/dev/null", 0x103, 0666, 0},
    {"/dev/random", 0x108, 0666, 0},
    {"/dev/tty", 0x500, 0666, 0},
    {"/dev/urandom", 0x109, 0666, 0},
    {"/dev/zero", 0x105, 0666, 0},
    {"/dev/graphics/fb0", 0x1d00, 0660, GRAPHICS},
};

static const struct {
    const char *path;
    uint32_t mode;
    const char *text;
} texts[] = {
    {"/proc/cpuinfo", 0444,
#define CORE(n)                                                                \
    "processor\t: " #n "\n"                                                    \
    "BogoMIPS\t: 38.40\n"                                                      \
    "Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics\n"         \
    "CPU implementer\t: 0x41\n"                                                \
    "CPU architecture: 8\n"                                                    \
    "CPU variant\t: 0x2\n"                                                     \
    "CPU part\t: 0xd05\n"                                                      \
    "CPU revision\t: 0\n\n"
     CORE(0) CORE(1) CORE(2) CORE(3)},
#undef CORE
    {"/proc/meminfo", 0444,
     "MemTotal:        3849240 kB\n"
     "MemFree:          412660 kB\n"
     "MemAvailable:    1985324 kB\n"},
    {"/proc/version", 0444,
     "Linux version 5.10.0 (build@proctor) #1 SMP PREEMPT\n"},
    {"/system/etc/hosts", 0644, "127.0.0.1       localhost\n"},
};

static const struct {
    const char *path;
    enum files_area area;
} areas[] = {
    {"/", FILES_READ_ONLY},   {"/acct", FILES_PLAIN},
    {"/cache", FILES_PLAIN},  {"/data", FILES_PLAIN},
    {"/dev", FILES_PLAIN},    {"/mnt", FILES_PLAIN},
    {"/proc", FILES_PLAIN},   {"/storage", FILES_PLAIN},
    {"/sys", FILES_PLAIN},    {"/storage/emulated/0", FILES_SHARED},
    {"/config", FILES_PLAIN},
};

static bool make_directories(struct phone_files *files, int *number)
{
    for (size_t i = 0; i < ARRAY_LEN(directories); i++) {
        const struct directory *made = &directories[i];

        if (!files_make_directory(files, made->path, made->mode, false,
                                  number) ||
            !files_set_owner(files, made->path, made->uid, made->gid, number))
            return false;
    }
    return true;
}

static bool make_links(struct phone_files *files, int *number)
{
    for (size_t i = 0; i < ARRAY_LEN(links); i++) {
        if (!files_link(files, links[i].target, links[i].path, number))
            return false;
    }
    return true;
}

static bool make_devices(struct phone_files *files, int *number)
{
    for (size_t i = 0; i < ARRAY_LEN(devices); i++) {
        const char *path = devices[i].path;

        if (!files_make_device(files, path, devices[i].device, devices[i].mode,
                               number) ||
            !files_set_owner(files, path, 0, devices[i].gid, number))
            return false;
    }
    return true;
}

static bool make_texts(struct phone_files *files, int *number)
{
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        if (!files_append(files, texts[i].path, texts[i].text,
                          strlen(texts[i].text), texts[i].mode, number))
            return false;
    }
    return true;
}

static bool set_areas(struct phone_files *files, int *number)
{
    for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
        if (!files_set_area(files, areas[i].path, areas[i].area, number))
            return false;
    }
    return true;
}

bool initial_files_create(struct phone_files *files, const char *build_prop,
                          uint32_t build_prop_mode, int *number)
{
    return make_directories(files, number) && make_links(files, number) &&
           make_devices(files, number) && make_texts(files, number) &&
           proc_files_create(files, number) &&
           files_append(files, "/system/build.prop", build_prop,
                        strlen(build_prop), build_prop_mode, number) &&
           set_areas(files, number);
}
