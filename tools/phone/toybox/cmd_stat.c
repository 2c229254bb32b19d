/* stat and df: properties of a file, and free space. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/core/date_text.h"
#include "tools/phone/files/file_mode.h"
#include "tools/phone/files/users.h"
#include "tools/phone/toybox/cmd.h"

#define DEVICE_NUMBER 64771U
#define BLOCK_SIZE 512U

static const char whole[] =
    "  File: %N\n"
    "  Size: %s\t Blocks: %b\t IO Blocks: %B\t %F\n"
    "Device: %Dh/%dd\t Inode: %i\t Links: %h\t Device type: %t,%T\n"
    "Access: (0%a/%A)\tUid: (%5u/%8U)\tGid: (%5g/%8G)\n"
    "Access: %x\n"
    "Modify: %y\n"
    "Change: %z";

static const char *type_name(const struct files_stat *stat)
{
    if (S_ISDIR(stat->mode))
        return "directory";
    if (S_ISLNK(stat->mode))
        return "symbolic link";
    if (S_ISCHR(stat->mode))
        return "character device";
    return stat->size ? "regular file" : "regular empty file";
}

/* Text properties of a format; "" for others. */
static void put_text(struct command_call *call, char letter, const char *name,
                     const char *path, const struct files_stat *stat,
                     struct buf *value)
{
    char small[USERS_NAME_SIZE];
    struct shared_bytes *target;
    int number;

    switch (letter) {
    case 'A':
        file_mode_letters(stat->mode, small);
        buf_text(value, small);
        break;
    case 'F':
        buf_text(value, type_name(stat));
        break;
    case 'U':
    case 'G':
        users_name(letter == 'U' ? stat->uid : stat->gid, small);
        buf_text(value, small);
        break;
    case 'n':
    case 'N':
        buf_text(value, name);
        if (letter == 'n' || !S_ISLNK(stat->mode) ||
            !files_read_link(call->files, path, &target, &number))
            break;
        buf_printf(value, " -> %.*s", (int)target->size,
                   (const char *)target->data);
        shared_bytes_drop(target);
        break;
    case 'x':
    case 'y':
    case 'z':
        date_text_format(stat->mtime, "%Y-%m-%d %H:%M:%S.%N %z", value);
        break;
    default:
        break;
    }
}

static bool put_number(char letter, const struct files_stat *stat,
                       struct buf *value)
{
    unsigned long long blocks = (stat->size + BLOCK_SIZE - 1) / BLOCK_SIZE;

    switch (letter) {
    case 'a':
        buf_printf(value, "%03o", stat->mode & 07777U);
        return true;
    case 'b':
        buf_printf(value, "%llu", blocks);
        return true;
    case 'B':
        buf_printf(value, "%u", BLOCK_SIZE);
        return true;
    case 'd':
        buf_printf(value, "%u", DEVICE_NUMBER);
        return true;
    case 'D':
        buf_printf(value, "%x", DEVICE_NUMBER);
        return true;
    case 'f':
        buf_printf(value, "%x", stat->mode);
        return true;
    case 'g':
        buf_printf(value, "%u", stat->gid);
        return true;
    case 'h':
        buf_printf(value, "%u", stat->links);
        return true;
    case 'i':
        buf_printf(value, "%llu", (unsigned long long)stat->inode);
        return true;
    case 's':
        buf_printf(value, "%llu", (unsigned long long)stat->size);
        return true;
    case 't':
        buf_printf(value, "%x", stat->device >> 8);
        return true;
    case 'T':
        buf_printf(value, "%x", stat->device & 255U);
        return true;
    case 'u':
        buf_printf(value, "%u", stat->uid);
        return true;
    case 'X':
    case 'Y':
    case 'Z':
        buf_printf(value, "%lld", (long long)(stat->mtime / PHONE_SECOND));
        return true;
    default:
        return false;
    }
}

static void print_format(struct command_call *call, const char *format,
                         const char *name, const char *path,
                         const struct files_stat *stat)
{
    struct buf value = BUF_INIT(2 * FILES_PATH_MAX);

    for (; *format; format++) {
        char *end;
        long width;

        if (*format != '%' || !format[1]) {
            call_write(call, format, 1);
            continue;
        }
        width = strtol(format + 1, &end, 10);
        format = end;
        buf_clear(&value);
        if (!*format)
            break;
        if (*format == '%')
            buf_byte(&value, '%');
        else if (!put_number(*format, stat, &value))
            put_text(call, *format, name, path, stat, &value);
        call_print(call, "%*s", width > 0 && width < 256 ? (int)width : 0,
                   buf_cstr(&value));
    }
    call_write(call, "\n", 1);
    buf_release(&value);
}

int do_stat(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "Lc:t", &options, &status))
        return status;
    status = options.count ? 0 : call_fail(call, "Needs 1 argument");
    for (size_t i = 0; i < options.count; i++) {
        const char *name = options.operands[i];
        char *path = call_path(call, name);
        struct files_stat stat;
        int number = ENAMETOOLONG;

        if (path &&
            files_stat(call->files, path, options.given['L'], &stat, &number))
            print_format(call,
                         options.values['c'] ? options.values['c'] : whole,
                         name, path, &stat);
        else
            status =
                call_fail(call, "'%.400s': %s", name, files_reason(number));
        free(path);
    }
    call_options_release(&options);
    return status;
}

/* ---- df ---- */

static void print_space(struct command_call *call, const char *device,
                        const struct files_space *space, const char *mounted)
{
    unsigned long long total = space->bytes / 1024;
    unsigned long long used = (space->bytes_used + 1023) / 1024;
    unsigned long long percent = total ? (used * 100 + total - 1) / total : 0;

    call_print(call, "%-14s %11llu %8llu %9llu %3llu%% %s\n", device, total,
               used, total - used, percent, mounted);
}

/* All writable folders are one file system. */
int do_df(struct command_call *call)
{
    static const struct {
        const char *device;
        const char *mounted;
        bool read_only;
    } mounts[] = {
        {"/dev/block/dm-5", "/", true},
        {"/dev/block/dm-42", "/data", false},
        {"/dev/fuse", "/storage/emulated", false},
    };
    struct files_space space = files_space(call->files);
    struct command_options options;
    const char *only = NULL;
    int status;

    if (!call_options(call, "Hahikt:", &options, &status))
        return status;
    if (options.count)
        only = strncmp(options.operands[0], "/data", 5) ? "/storage/emulated"
                                                        : "/data";
    call_options_release(&options);
    call_print(call, "%-14s %11s %8s %9s %4s %s\n", "Filesystem", "1K-blocks",
               "Used", "Available", "Use%", "Mounted on");
    for (size_t i = 0; i < ARRAY_LEN(mounts); i++) {
        struct files_space shown = space;

        if (mounts[i].read_only)
            shown.bytes_used = shown.bytes;
        if (!only || !strcmp(only, mounts[i].mounted))
            print_space(call, mounts[i].device, &shown, mounts[i].mounted);
    }
    return 0;
}
