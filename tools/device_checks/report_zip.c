#include "tools/device_checks/report_zip.h"

#include <stdlib.h>
#include <zip.h>

#include "base/file.h"
#include "base/mem.h"

#define BUNDLE_LIMIT ((size_t)64 * 1024 * 1024)

static bool fail(struct zip_error *error, const char *what, struct err *err)
{
    return err_set(err, ERR_IO, "packing %s: %s", what,
                   zip_error_strerror(error));
}

static bool add_file(struct zip *zip, const struct report_zip_file *file,
                     struct err *err)
{
    struct zip_source *source = zip_source_buffer(zip, buf_cstr(file->content),
                                                  file->content->length, 0);

    if (source && zip_file_add(zip, file->name, source, ZIP_FL_ENC_UTF_8) >= 0)
        return true;
    zip_source_free(source);
    return fail(zip_get_error(zip), file->name, err);
}

/* Pack the files into memory, which source then holds. */
static bool pack(struct zip_source *memory, const struct report_zip_file *files,
                 size_t count, struct err *err)
{
    struct zip_error error;
    struct zip *zip;
    bool done = true;

    zip_error_init(&error);
    zip_source_keep(memory); /* the archive takes one reference, we keep one */
    zip = zip_open_from_source(memory, ZIP_TRUNCATE, &error);
    if (!zip) {
        zip_source_free(memory);
        fail(&error, "the bundle", err);
        zip_error_fini(&error);
        return false;
    }
    for (size_t i = 0; i < count && done; i++)
        done = add_file(zip, &files[i], err);
    if (done && !zip_close(zip))
        return true;
    if (done)
        fail(zip_get_error(zip), "the bundle", err);
    zip_discard(zip);
    return false;
}

static bool read_packed(struct zip_source *memory, struct buf *packed,
                        struct err *err)
{
    struct zip_stat stat;
    char *room;
    bool done;

    if (zip_source_stat(memory, &stat) || zip_source_open(memory))
        return fail(zip_source_error(memory), "the bundle", err);
    room = buf_reserve(packed, stat.size);
    done = room &&
           zip_source_read(memory, room, stat.size) == (zip_int64_t)stat.size;
    zip_source_close(memory);
    if (!done)
        return err_set(err, ERR_LIMIT, "the bundle is too large");
    buf_commit(packed, stat.size);
    return true;
}

bool report_zip_save(const char *path, const struct report_zip_file *files,
                     size_t count, struct err *err)
{
    struct buf packed = BUF_INIT(BUNDLE_LIMIT);
    struct zip_source *memory = zip_source_buffer_create(NULL, 0, 0, NULL);
    bool done;

    if (!memory)
        mem_out();
    done = pack(memory, files, count, err) &&
           read_packed(memory, &packed, err) &&
           file_save(path, 0666, packed.data, packed.length, err);
    zip_source_free(memory);
    buf_release(&packed);
    return done;
}
