#include "adb/keyring.h"

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
                       "HOME is not set, so there is no place for keys");
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

/* Others may want the same key at this very moment: one of us makes it. */
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

static bool add_directory(struct keyring *keyring, const char *path,
                          struct err *err)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool added = true;

    if (!directory)
        return err_errno(err, errno, "reading the keys in %s", path);
    while (added && (entry = readdir(directory))) {
        struct buf file = BUF_INIT(PATH_LIMIT);

        buf_printf(&file, "%s/%s", path, entry->d_name);
        if (has_suffix(entry->d_name, ".adb_key"))
            added = keyring_add(keyring, buf_cstr(&file), err);
        buf_release(&file);
    }
    closedir(directory);
    return added;
}

static bool add_vendor_key(struct keyring *keyring, const char *path,
                           struct err *err)
{
    struct stat found;

    if (!stat(path, &found) && S_ISDIR(found.st_mode))
        return add_directory(keyring, path, err);
    return keyring_add(keyring, path, err);
}

static bool add_vendor_keys(struct keyring *keyring, struct err *err)
{
    const char *next = getenv("ADB_VENDOR_KEYS");
    bool added = true;

    while (added && next && *next) {
        size_t length = strcspn(next, ":");
        struct buf path = BUF_INIT(PATH_LIMIT);

        buf_append(&path, next, length);
        if (path.overflow)
            added = err_set(err, ERR_INVALID, "a path of it is too long");
        else if (length)
            added = add_vendor_key(keyring, buf_cstr(&path), err);
        buf_release(&path);
        next += length + (next[length] == ':');
    }
    return added || err_wrap(err, "ADB_VENDOR_KEYS");
}

bool keyring_load(struct keyring *keyring, struct err *err)
{
    *keyring = (struct keyring)KEYRING_INIT;
    return add_own_key(keyring, err) && add_vendor_keys(keyring, err);
}
