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
#include "tasks/task/suite_files.h"

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

static bool is_suite_folder(const char *path)
{
    struct text_list files = {.items = NULL};
    struct stat found;
    struct err ignored;
    bool is = !stat(path, &found) && S_ISDIR(found.st_mode) &&
              suite_files_list(path, &files, &ignored);

    text_list_release(&files);
    return is;
}

/* folder/name.json or folder/name, if that is a suite. */
static char *look_in(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX_BYTES);
    char *found = NULL;

    buf_printf(&path, "%s%s%s.json", folder, *folder ? "/" : "", name);
    if (!path.overflow && is_file(buf_cstr(&path)))
        found = mem_dup(buf_cstr(&path));
    buf_clear(&path);
    buf_printf(&path, "%s%s%s", folder, *folder ? "/" : "", name);
    if (!found && !path.overflow && is_suite_folder(buf_cstr(&path)))
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

/* "phone" from "phone.json" or from a folder of suites; NULL: no suite. */
static char *suite_name(const char *folder, const char *entry)
{
    struct buf path = BUF_INIT(PATH_MAX_BYTES);
    char *name = NULL;

    buf_printf(&path, "%s/%s", folder, entry);
    if (suite_files_is_suite(entry))
        name = mem_dup_n(entry, strcspn(entry, "."));
    else if (*entry != '.' && !path.overflow &&
             is_suite_folder(buf_cstr(&path)))
        name = mem_dup(entry);
    buf_release(&path);
    return name;
}

static void add_folder(const char *folder, struct text_list *names)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;

    while (directory && (entry = readdir(directory))) {
        char *name = suite_name(folder, entry->d_name);

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

    if (is_file(name) || (strchr(name, '/') && is_suite_folder(name)))
        found = mem_dup(name);
    else if (*name && !strchr(name, '/'))
        found = look_around(name);
    if (!found && is_a_path(name))
        return err_set(err, ERR_NOT_FOUND,
                       "there is no file %s, and no folder with suites", name);
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
