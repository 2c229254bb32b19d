#include "runner/run/run_lock.h"

#include <limits.h>

#include "base/buf.h"

bool run_lock_take(const char *folder, struct file_lock *lock, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf what = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/.lock", folder);
    buf_printf(&what, "the run %s", folder);
    done = file_lock_take(lock, buf_cstr(&path), buf_cstr(&what), err);
    buf_release(&path);
    buf_release(&what);
    return done;
}
