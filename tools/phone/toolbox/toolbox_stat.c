/* stat and df. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/core/date_text.h"
#include "tools/phone/files/file_mode.h"
#include "tools/phone/files/users.h"
#include "tools/phone/toolbox/toolbox.h"

#define BLOCK_SIZE 4096U
#define SECTOR_SIZE 512U
#define DEVICE_NUMBER 2048U

/* ---- stat ---- */

static const char *type_name(uint32_t mode)
{
    return S_ISDIR(mode)   ? "directory"
           : S_ISLNK(mode) ? "symbolic link"
           : S_ISCHR(mode) ? "character special file"
                           : "regular file";
}

static void print_stat(struct command_call *call, const char *name,
                       const struct files_stat *stat)
{
    unsigned long long blocks =
        (stat->size + BLOCK_SIZE - 1) / BLOCK_SIZE * (BLOCK_SIZE / SECTOR_SIZE);
    struct buf time = BUF_INIT(64);
    char letters[FILE_MODE_SIZE];
    char user[USERS_NAME_SIZE];
    char group[USERS_NAME_SIZE];

    file_mode_letters(stat->mode, letters);
    users_name(stat->uid, user);
    users_name(stat->gid, group);
    date_text_format(stat->mtime, "%Y-%m-%d %H:%M:%S.%N", &time);
    call_print(call,
               "  File: '%.500s'\n"
               "  Size: %-10llu\tBlocks: %-10llu IO Block: %-6u %s\n",
               name, (unsigned long long)stat->size, blocks, BLOCK_SIZE,
               type_name(stat->mode));
    call_print(call,
               "Device: %xh/%ud\tInode: %-10llu  Links: %-5u\n"
               "Access: (%04o/%s)  Uid: (%5u/%8s)   Gid: (%5u/%8s)\n",
               DEVICE_NUMBER, DEVICE_NUMBER, (unsigned long long)stat->inode,
               stat->links, stat->mode & 07777U, letters, stat->uid, user,
               stat->gid, group);
    call_print(call, "Access: %s\nModify: %s\nChange: %s\n", buf_cstr(&time),
               buf_cstr(&time), buf_cstr(&time));
    buf_release(&time);
}

/* Without options only: formats were the same. */
int toolbox_stat(struct command_call *call)
{
    int status = 0;

    if (call->argc < 2 || call->argv[1][0] == '-')
        return call_inherited(call);
    for (size_t i = 1; i < call->argc; i++) {
        char *path = call_path(call, call->argv[i]);
        struct files_stat stat;
        int number = ENAMETOOLONG;

        if (path && files_stat(call->files, path, false, &stat, &number))
            print_stat(call, call->argv[i], &stat);
        else
            status = call_fail(call, "can't stat '%.400s': %s", call->argv[i],
                               files_reason(number));
        free(path);
    }
    return status;
}

/* ---- df ---- */

static void print_size(struct command_call *call, uint64_t bytes)
{
    static const char units[] = "KMG";
    double size = (double)bytes / 1024;
    size_t unit = 0;

    for (; size >= 1024 && unit + 2 < sizeof(units); unit++)
        size /= 1024;
    call_print(call, "%8.1f%c", size, units[unit]);
}

static void print_space(struct command_call *call, const char *path)
{
    const struct files_space space = files_space(call->files);

    call_print(call, "%-20s", path);
    print_size(call, space.bytes);
    print_size(call, space.bytes_used);
    print_size(call, space.bytes - space.bytes_used);
    call_print(call, "   %u\n", BLOCK_SIZE);
}

/* Every word is a path. */
int toolbox_df(struct command_call *call)
{
    static const char *const mounted[] = {"/", "/system", "/data",
                                          "/storage/emulated"};
    int status = 0;

    call_print(call,
               "Filesystem               Size     Used     Free   Blksize\n");
    for (size_t i = 0; call->argc < 2 && i < ARRAY_LEN(mounted); i++)
        print_space(call, mounted[i]);
    for (size_t i = 1; i < call->argc; i++) {
        char *path = call_path(call, call->argv[i]);
        struct files_stat stat;
        int number = ENAMETOOLONG;

        if (path && files_stat(call->files, path, true, &stat, &number)) {
            print_space(call, call->argv[i]);
        } else {
            call_error(call, "%.500s: %s\n", call->argv[i],
                       files_reason(number));
            status = 1;
        }
        free(path);
    }
    return status;
}
