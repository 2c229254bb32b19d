#include "runner/store/episode_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path_parts.h"

#define DEPTH_MAX 4
#define ENTRIES_MAX 100000
#define UNPACKED_MAX ((zip_uint64_t)16 << 30)
#define PIECE 65536

static bool fail(zip_t *archive, const char *what, struct err *err)
{
    return err_set(err, ERR_IO, "%.120s: %s", what, zip_strerror(archive));
}

/* ---- pack ---- */

static bool is_picture(const char *name)
{
    const char *end = strrchr(name, '.');

    return end && (!strcmp(end, ".png") || !strcmp(end, ".jpg"));
}

static bool add_file(zip_t *archive, const char *path, const char *name,
                     struct err *err)
{
    zip_source_t *source = zip_source_file(archive, path, 0, -1);
    zip_int64_t index =
        source ? zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) : -1;

    if (index < 0) {
        zip_source_free(source);
        return fail(archive, path, err);
    }
    return !is_picture(name) ||
           !zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE,
                                     0) ||
           fail(archive, path, err);
}

static bool add_folder(zip_t *archive, const char *folder, const char *prefix,
                       int depth, struct err *err);

static bool add_entry(zip_t *archive, const char *path, const char *name,
                      int depth, struct err *err)
{
    struct buf prefix = BUF_INIT(PATH_MAX);
    struct stat facts;
    bool done = true;

    if (lstat(path, &facts))
        return err_errno(err, errno, "read %s", path);
    if (S_ISDIR(facts.st_mode) && depth < DEPTH_MAX) {
        buf_printf(&prefix, "%s/", name);
        done = add_folder(archive, path, buf_cstr(&prefix), depth + 1, err);
        buf_release(&prefix);
    } else if (S_ISREG(facts.st_mode)) {
        done = add_file(archive, path, name, err);
    }
    return done;
}

static bool add_folder(zip_t *archive, const char *folder, const char *prefix,
                       int depth, struct err *err)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    bool done = true;

    if (!stream)
        return err_errno(err, errno, "open %s", folder);
    while (done && (entry = readdir(stream))) {
        struct buf path = BUF_INIT(PATH_MAX);
        struct buf name = BUF_INIT(PATH_MAX);

        if (entry->d_name[0] == '.')
            continue;
        buf_printf(&path, "%s/%s", folder, entry->d_name);
        buf_printf(&name, "%s%s", prefix, entry->d_name);
        done = add_entry(archive, buf_cstr(&path), buf_cstr(&name), depth, err);
        buf_release(&path);
        buf_release(&name);
    }
    closedir(stream);
    return done;
}

bool episode_archive_pack(const char *folder, const char *path, struct err *err)
{
    int code = 0;
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    zip_error_t error;

    if (!archive) {
        zip_error_init_with_code(&error, code);
        err_fill(err, ERR_IO, "make %s: %s", path, zip_error_strerror(&error));
        zip_error_fini(&error);
        return false;
    }
    if (add_folder(archive, folder, "", 1, err)) {
        if (!zip_close(archive))
            return true;
        fail(archive, path, err);
    }
    zip_discard(archive);
    return false;
}

/* ---- unpack ---- */

/* As an episode's files are called; nothing leads out of the folder. */
static bool is_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    int depth = 0;

    for (const char *part = name;; part++) {
        size_t length = strspn(part, allowed);

        if (!length || length > NAME_MAX || *part == '.' || ++depth > DEPTH_MAX)
            return false;
        part += length;
        if (!*part)
            return true;
        if (*part != '/')
            return false;
    }
}

static bool copy_bytes(zip_file_t *from, int to, zip_uint64_t *left,
                       struct err *err)
{
    char piece[PIECE];

    for (;;) {
        zip_int64_t length = zip_fread(from, piece, sizeof(piece));

        if (length == 0)
            return true;
        if (length < 0)
            return err_set(err, ERR_INVALID, "it is damaged");
        if ((zip_uint64_t)length > *left)
            return err_set(err, ERR_LIMIT, "it is too large");
        *left -= (zip_uint64_t)length;
        if (!file_write(to, piece, (size_t)length, err))
            return false;
    }
}

static bool write_entry(zip_t *archive, zip_uint64_t index, const char *path,
                        zip_uint64_t *left, struct err *err)
{
    zip_file_t *from = zip_fopen_index(archive, index, 0);
    bool done;
    int to;

    if (!from)
        return err_set(err, ERR_INVALID, "it is damaged");
    to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    done = to < 0 ? err_errno(err, errno, "make %s", path)
                  : copy_bytes(from, to, left, err);
    if (to >= 0)
        (void)close(to);
    (void)zip_fclose(from);
    return done;
}

static bool make_parent(const char *path, struct err *err)
{
    char *parent = path_folder(path);
    bool done = file_make_folder(parent, 0777, err);

    free(parent);
    return done;
}

static bool unpack_entry(zip_t *archive, zip_uint64_t index, const char *folder,
                         zip_uint64_t *left, struct err *err)
{
    const char *name = zip_get_name(archive, index, 0);
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (!name || !is_name(name))
        return err_set(err, ERR_INVALID,
                       "it has a file whose name no episode has");
    buf_printf(&path, "%s/%s", folder, name);
    done = make_parent(buf_cstr(&path), err) &&
           write_entry(archive, index, buf_cstr(&path), left, err);
    buf_release(&path);
    return done;
}

static bool unpack_all(zip_t *archive, const char *folder, struct err *err)
{
    zip_int64_t count = zip_get_num_entries(archive, 0);
    zip_uint64_t left = UNPACKED_MAX;

    if (count > ENTRIES_MAX)
        return err_set(err, ERR_LIMIT, "it has more than %d files",
                       ENTRIES_MAX);
    for (zip_int64_t i = 0; i < count; i++) {
        if (!unpack_entry(archive, (zip_uint64_t)i, folder, &left, err))
            return false;
    }
    return true;
}

bool episode_archive_unpack(const char *path, const char *folder,
                            struct err *err)
{
    zip_t *archive = zip_open(path, ZIP_RDONLY, NULL);
    bool done;

    if (!archive)
        return err_set(err, ERR_INVALID, "it is not a ZIP archive");
    done = !mkdir(folder, 0777) ? unpack_all(archive, folder, err)
                                : err_errno(err, errno, "make %s", folder);
    zip_discard(archive);
    return done;
}
