#include "process_provider/pictures/picture_reader.h"

#include <limits.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/user_folder.h"

#define VERSION_MS 10000

struct picture_reader {
    struct icon_library *icons; /* owned */
    char ocr[OCR_VERSION_MAX];
    struct err ocr_missing;  /* ERR_NONE: it is there */
    struct ocr_cache *cache; /* owned; NULL: none */
};

struct picture_reader *picture_reader_open(void)
{
    struct picture_reader *reader = mem_new(1, sizeof(*reader));

    reader->icons = icon_library_open();
    reader->ocr_missing = (struct err)ERR_INIT;
    (void)!ocr_version(deadline_in_ms(VERSION_MS), NULL, reader->ocr,
                       &reader->ocr_missing);
    return reader;
}

void picture_reader_close(struct picture_reader *reader)
{
    if (!reader)
        return;
    icon_library_close(reader->icons);
    ocr_cache_close(reader->cache);
    free(reader);
}

void picture_reader_use_cache(struct picture_reader *reader)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    if (!reader->cache && reader->ocr_missing.code == ERR_NONE &&
        user_folder_path(USER_FOLDER_CACHE, "ocr", &folder))
        reader->cache = ocr_cache_open(buf_cstr(&folder), reader->ocr);
    buf_release(&folder);
}

const struct ocr_cache *picture_reader_ocr_cache(
    const struct picture_reader *reader)
{
    return reader->cache;
}

const struct icon_library *picture_reader_icons(
    const struct picture_reader *reader)
{
    return reader->icons;
}

bool picture_reader_has_ocr(const struct picture_reader *reader,
                            struct err *err)
{
    if (reader->ocr_missing.code != ERR_NONE)
        *err = reader->ocr_missing;
    return reader->ocr_missing.code == ERR_NONE;
}

static void add_version(struct cJSON *into, const char *key,
                        const char *version)
{
    if (*version)
        json_add_string(into, key, version);
    else
        json_add_null(into, key);
}

void picture_reader_add_versions(const struct picture_reader *reader,
                                 struct cJSON *into)
{
    add_version(into, "ocr", reader ? reader->ocr : "");
    add_version(into, "icons",
                reader ? icon_library_version(reader->icons) : "");
}
