#include "tools/phone/shell/sh_dialect.h"

#include <string.h>

static const struct sh_dialect_variable variables_r59[] = {
    {"ANDROID_DATA", "/data"},
    {"ANDROID_ROOT", "/system"},
    {"HOME", "/"},
    {"HOSTNAME", "phone"},
    {"LOGNAME", "shell"},
    {"PATH", "/product/bin:/apex/com.android.runtime/bin:/system/bin:"
             "/odm/bin:/vendor/bin"},
    {"SHELL", "/bin/sh"},
    {"TMPDIR", "/data/local/tmp"},
    {"USER", "shell"},
    {NULL, NULL},
};

static const struct sh_dialect_variable variables_r48[] = {
    {"ANDROID_ASSETS", "/system/app"},
    {"ANDROID_DATA", "/data"},
    {"ANDROID_ROOT", "/system"},
    {"ANDROID_STORAGE", "/storage"},
    {"ASEC_MOUNTPOINT", "/mnt/asec"},
    {"EMULATED_STORAGE_TARGET", "/storage/emulated"},
    {"EXTERNAL_STORAGE", "/storage/emulated/legacy"},
    {"HOME", "/data"},
    {"LD_LIBRARY_PATH", "/vendor/lib:/system/lib"},
    {"LOOP_MOUNTPOINT", "/mnt/obb"},
    {"PATH", "/sbin:/vendor/bin:/system/sbin:/system/bin:/system/xbin"},
    {"SHELL", "/system/bin/sh"},
    {NULL, NULL},
};

static const char *const builtins_r59[] = {NULL};
static const char *const builtins_r48[] = {"cat", "sleep", NULL};

const struct sh_dialect sh_dialect_r59 = {
    .version = "@(#)MIRBSD KSH R59 2020/05/16 Android",
    .not_found = "inaccessible or not found",
    .variables = variables_r59,
    .builtins = builtins_r59,
};

const struct sh_dialect sh_dialect_r48 = {
    .version = "@(#)MIRBSD KSH R48 2013/08/14",
    .not_found = "not found",
    .token_first = true,
    .exports_names = true,
    .variables = variables_r48,
    .builtins = builtins_r48,
};

const struct sh_dialect *sh_dialect_of(const struct android_level *android)
{
    return android->toolbox ? &sh_dialect_r48 : &sh_dialect_r59;
}

bool sh_dialect_has(const struct sh_dialect *dialect, const char *command)
{
    for (const char *const *at = dialect->builtins; *at; at++) {
        if (!strcmp(*at, command))
            return true;
    }
    return false;
}
