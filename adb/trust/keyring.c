#include "adb/trust/keyring.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_LIMIT 4096

void keyring_release(struct keyring *keyring)
{
    for (size_t i = 0; i < keyring->count; i++)
        key_close(keyring->keys[i]);
    *keyring = (struct keyring)KEYRING_INIT;
}

void keyring_parse(struct keyring *keyring, const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end && keyring->count < KEYRING_MAX) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        struct err err;

        if (key_parse_public(text, (size_t)(stop - text),
                             &keyring->keys[keyring->count], &err))
            keyring->count++;
        text = stop + 1;
    }
}

static bool home_directory(struct buf *path, struct err *err)
{
    const char *home = getenv("HOME");

    if (!home || !*home)
        return err_set(err, ERR_NOT_FOUND,
                       "HOME is not set: the keys are in $HOME/.android");
    buf_printf(path, "%s/.android", home);
    return true;
}

bool keyring_path(struct buf *path, struct err *err)
{
    if (!home_directory(path, err))
        return false;
    buf_text(path, "/adbkey");
    return !path->overflow || err_set(err, ERR_LIMIT, "HOME is too long");
}

static bool keyring_add(struct keyring *keyring, const char *path,
                        struct err *err)
{
    if (keyring->count == KEYRING_MAX)
        return err_set(err, ERR_LIMIT, "more than %d keys", KEYRING_MAX);
    if (!key_read(path, &keyring->keys[keyring->count], err))
        return false;
    keyring->count++;
    return true;
}

static bool is_missing(const char *path)
{
    struct stat found;

    return stat(path, &found) && errno == ENOENT;
}

/* Several processes may need the key at the same time: one of them makes it. */
static bool make_alone(const char *path, struct err *err)
{
    struct key *key = NULL;
    bool made;

    if (!is_missing(path))
        return true;
    made = key_generate(&key, err) && key_write(key, path, err);
    key_close(key);
    return made;
}

static bool make_own_key(const char *path, struct err *err)
{
    struct buf directory = BUF_INIT(PATH_LIMIT);
    bool made = home_directory(&directory, err);
    int lock = -1;

    if (made && mkdir(buf_cstr(&directory), 0750) && errno != EEXIST)
        made = err_errno(err, errno, "making %s", buf_cstr(&directory));
    if (made) {
        lock = open(buf_cstr(&directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock < 0 || flock(lock, LOCK_EX))
            made = err_errno(err, errno, "locking %s", buf_cstr(&directory));
    }
    made = made && make_alone(path, err);
    if (lock >= 0)
        close(lock);
    buf_release(&directory);
    return made;
}

static bool add_own_key(struct keyring *keyring, struct err *err)
{
    struct buf path = BUF_INIT(PATH_LIMIT);
    bool added = keyring_path(&path, err);

    if (added && is_missing(buf_cstr(&path)))
        added = make_own_key(buf_cstr(&path), err);
    added = added && keyring_add(keyring, buf_cstr(&path), err);
    buf_release(&path);
    return added;
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    size_t end = strlen(suffix);

    return length > end && !strcmp(text + length - end, suffix);
}

/* Receives the keys that cannot be used. */
struct keyring_report {
    keyring_problem_fn *problem; /* may be NULL */
    void *context;
};

static void report(const struct keyring_report *report, const char *what,
                   const struct err *err)
{
    struct err problem = *err;

    if (what)
        err_wrap(&problem, "%s", what);
    if (report->problem)
        report->problem(report->context, problem.text);
}

static void add_vendor_file(struct keyring *keyring, const char *path,
                            const struct keyring_report *to)
{
    struct err err;

    if (!keyring_add(keyring, path, &err))
        report(to, "ADB_VENDOR_KEYS", &err);
}

static void add_directory(struct keyring *keyring, const char *path,
                          const struct keyring_report *to)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    struct err err;

    if (!directory) {
        err_errno(&err, errno, "reading the keys in %s", path);
        report(to, "ADB_VENDOR_KEYS", &err);
        return;
    }
    while ((entry = readdir(directory))) {
        struct buf file = BUF_INIT(PATH_LIMIT);

        buf_printf(&file, "%s/%s", path, entry->d_name);
        if (has_suffix(entry->d_name, ".adb_key"))
            add_vendor_file(keyring, buf_cstr(&file), to);
        buf_release(&file);
    }
    closedir(directory);
}

static void add_vendor_key(struct keyring *keyring, const char *path,
                           const struct keyring_report *to)
{
    struct stat found;

    if (!stat(path, &found) && S_ISDIR(found.st_mode))
        add_directory(keyring, path, to);
    else
        add_vendor_file(keyring, path, to);
}

void keyring_add_vendors(struct keyring *keyring, keyring_problem_fn *problem,
                         void *context)
{
    const struct keyring_report to = {problem, context};
    const char *next = getenv("ADB_VENDOR_KEYS");
    struct err err;

    while (next && *next) {
        size_t length = strcspn(next, ":");
        struct buf path = BUF_INIT(PATH_LIMIT);

        buf_append(&path, next, length);
        if (path.overflow) {
            err_set(&err, ERR_INVALID, "a path is too long: %.60s...", next);
            report(&to, "ADB_VENDOR_KEYS", &err);
        } else if (length) {
            add_vendor_key(keyring, buf_cstr(&path), &to);
        }
        buf_release(&path);
        next += length + (next[length] == ':');
    }
}

void keyring_load(struct keyring *keyring, keyring_problem_fn *problem,
                  void *context)
{
    const struct keyring_report to = {problem, context};
    struct err err;

    *keyring = (struct keyring)KEYRING_INIT;
    if (!add_own_key(keyring, &err))
        report(&to, NULL, &err);
    keyring_add_vendors(keyring, problem, context);
}
