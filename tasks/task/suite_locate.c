#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/task/suite.h"

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

/*
 * The installed location first: a program that was moved takes its suites
 * along.
 */
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

/*
 * "phone" from "phone.json". "phone.ways.json" belongs to it, and is not a
 * suite.
 */
static char *suite_name(const char *file)
{
    size_t length = strlen(file);

    if (length <= 5 || strcmp(file + length - 5, ".json") != 0 ||
        memchr(file, '.', length - 5))
        return NULL;
    return mem_dup_n(file, length - 5);
}

static void add_folder(const char *folder, struct text_list *names)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;

    while (directory && (entry = readdir(directory))) {
        char *name = suite_name(entry->d_name);

        if (name && !text_list_have(names, name))
            text_list_add(names, name);
        free(name);
    }
    if (directory)
        closedir(directory);
}

void suite_list_names(struct text_list *names)
{
    static const char *const fixed[] = {PROCTOR_SUITES_SOURCE,
                                        PROCTOR_SUITES_INSTALLED};
    struct buf folder = BUF_INIT(PATH_MAX_BYTES);

    if (beside_program("/" PROCTOR_SUITES_FROM_PROGRAM, &folder))
        add_folder(buf_cstr(&folder), names);
    buf_release(&folder);
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        add_folder(fixed[i], names);
}

static bool fail_unknown(const char *name, struct err *err)
{
    struct text_list names = {.items = NULL};
    struct nearest_word nearest;

    suite_list_names(&names);
    nearest_word_init(&nearest, name);
    for (size_t i = 0; i < names.count; i++)
        nearest_word_offer(&nearest, names.items[i]);
    if (nearest.best)
        err_set(err, ERR_NOT_FOUND,
                "there is no suite \"%.64s\"; did you mean \"%.64s\"?", name,
                nearest.best);
    else
        err_set(err, ERR_NOT_FOUND,
                "there is no suite %.64s: no such file, and no %.64s.json "
                "here or in %s",
                name, name, PROCTOR_SUITES_INSTALLED);
    text_list_release(&names);
    return false;
}

/* Not a possible name of a suite. */
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
        return fail_unknown(name, err);
    *path = found;
    return true;
}

bool suite_open(const char *name, struct suite *suite, struct err *err)
{
    char *path = NULL;
    bool done;

    if (!suite_locate(name, &path, err))
        return false;
    done = suite_load(path, suite, err);
    free(path);
    return done;
}
