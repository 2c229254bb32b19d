#include "base/own_program.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

bool own_program_path(const char *folder, const char *name, char **path,
                      struct err *err)
{
    struct buf made = BUF_INIT(2 * PATH_MAX);
    char own[PATH_MAX];
    ssize_t length;

    if (!folder) {
        length = readlink("/proc/self/exe", own, sizeof(own) - 1);
        if (length <= 0)
            return err_errno(err, errno, "read /proc/self/exe");
        own[length] = '\0';
        folder = dirname(own);
    }
    buf_printf(&made, "%s/%s", folder, name);
    *path = mem_dup(buf_cstr(&made));
    buf_release(&made);
    return true;
}
