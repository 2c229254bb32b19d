#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tasks/task.h"

#define PATH_MAX_BYTES ((size_t)4096)

static bool is_file(const char *path)
{
    struct stat found;

    return !stat(path, &found) && !S_ISDIR(found.st_mode);
}

/* The folder of the program, followed by rest. */
static bool beside_program(const char *rest, struct buf *path)
{
    char own[PATH_MAX_BYTES];
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    const char *slash;

    if (length <= 0)
        return false;
    own[length] = '\0';
    slash = strrchr(own, '/');
    if (!slash)
        return false;
    buf_printf(path, "%.*s%s", (int)(slash - own), own, rest);
    return !path->overflow;
}

/* folder/name.json, if there is such a file. */
static char *look_in(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX_BYTES);
    char *found = NULL;

    buf_printf(&path, "%s%s%s.json", folder, *folder ? "/" : "", name);
    if (!path.overflow && is_file(buf_cstr(&path)))
        found = mem_dup(buf_cstr(&path));
    buf_release(&path);
    return found;
}

/* As installed first: a program that was moved takes its suites along. */
static char *look_around(const char *name)
{
    static const char *const fixed[] = {PROCTOR_SUITES_SOURCE,
                                        PROCTOR_SUITES_INSTALLED};
    struct buf folder = BUF_INIT(PATH_MAX_BYTES);
    char *found = look_in("", name);

    if (!found && beside_program("/" PROCTOR_SUITES_FROM_PROGRAM, &folder))
        found = look_in(buf_cstr(&folder), name);
    buf_release(&folder);
    for (size_t i = 0; !found && i < ARRAY_LEN(fixed); i++)
        found = look_in(fixed[i], name);
    return found;
}

/* Nobody calls a suite so. */
static bool is_a_path(const char *name)
{
    size_t length = strlen(name);

    return strchr(name, '/') ||
           (length > 5 && !strcmp(name + length - 5, ".json"));
}

bool suite_locate(const char *name, char **path, struct err *err)
{
    char *found = NULL;

    if (is_file(name))
        found = mem_dup(name);
    else if (*name && !strchr(name, '/'))
        found = look_around(name);
    if (!found && is_a_path(name))
        return err_set(err, ERR_NOT_FOUND, "there is no file %s", name);
    if (!found)
        return err_set(err, ERR_NOT_FOUND,
                       "there is no suite %s: no such file, and no %s.json "
                       "here or in %s",
                       name, name, PROCTOR_SUITES_INSTALLED);
    *path = found;
    return true;
}

bool suite_open(const char *name, struct suite *suite, struct err *err)
{
    char *path;
    bool done;

    if (!suite_locate(name, &path, err))
        return false;
    done = suite_load(path, suite, err);
    free(path);
    return done;
}
