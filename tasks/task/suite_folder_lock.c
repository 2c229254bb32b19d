#include "tasks/task/suite_folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

bool suite_folder_lock_take(const char *folder, int *lock, struct err *err)
{
    if (!file_make_folder(folder, 0777, err))
        return false;
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return err_errno(err, errno, "opening %s", folder);
    if (flock(*lock, LOCK_EX)) {
        err_errno(err, errno, "locking %s", folder);
        close(*lock);
        return false;
    }
    return true;
}
