#include "runner/observe/screenshot_method.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/picture/png.h"
#include "base/sha256.h"

#define PATH_SIZE 4096
#define FILE_MAX ((size_t)4096)

#define SLOW_NS INT64_C(1000000000)

static const struct {
    enum screenshot_way way;
    const char *name;
} ways[] = {
    {SCREENSHOT_PNG, "png"},
    {SCREENSHOT_RAW, "raw"},
    {SCREENSHOT_GZIP, "gzip"},
    {SCREENSHOT_FRAMEBUFFER, "framebuffer"},
};

const char *screenshot_method_name(enum screenshot_way way)
{
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        if (ways[i].way == way)
            return ways[i].name;
    }
    return "any";
}

/* The file is named by a hash, as serials and builds are untrusted. */
static bool path_of(const char *folder, const char *serial,
                    const struct device_info *facts, char path[PATH_SIZE])
{
    struct buf key = BUF_INIT(4096);
    char hash[SHA256_HEX_SIZE];
    int length;

    if (!folder)
        return false;
    buf_text(&key, serial);
    buf_byte(&key, '\n');
    buf_text(&key, facts->fingerprint);
    sha256_hex(buf_cstr(&key), key.length, hash);
    buf_release(&key);
    length =
        snprintf(path, PATH_SIZE, "%s/screenshot-%.16s.json", folder, hash);
    return length > 0 && length < PATH_SIZE;
}

static bool read_way(const struct buf *text, enum screenshot_way *way)
{
    struct cJSON *tree;
    struct json root;
    const char *name;
    struct err err;
    bool known = false;

    if (!json_parse(buf_cstr(text), text->length, &tree, &err))
        return false;
    root = (struct json)JSON_ROOT(tree);
    if (json_get_string(&root, "way", &name, &err)) {
        for (size_t i = 0; i < ARRAY_LEN(ways) && !known; i++) {
            known = !strcmp(name, ways[i].name);
            if (known)
                *way = ways[i].way;
        }
    }
    cJSON_Delete(tree);
    return known;
}

bool screenshot_method_load(const char *folder, const char *serial,
                            const struct device_info *facts,
                            enum screenshot_way *way)
{
    struct buf text = BUF_INIT(FILE_MAX);
    char path[PATH_SIZE];
    struct err err;
    bool known = path_of(folder, serial, facts, path) &&
                 file_load(path, &text, &err) && read_way(&text, way);

    buf_release(&text);
    return known;
}

void screenshot_method_save(const char *folder, const char *serial,
                            const struct device_info *facts,
                            enum screenshot_way way)
{
    struct buf text = BUF_INIT(FILE_MAX);
    char path[PATH_SIZE];
    struct cJSON *tree;
    struct err err;

    if (!path_of(folder, serial, facts, path))
        return;
    tree = json_new_object();
    json_add_string(tree, "serial", serial);
    json_add_string(tree, "fingerprint", facts->fingerprint);
    json_add_string(tree, "way", screenshot_method_name(way));
    json_format(tree, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(tree);
    (void)!file_save(path, 0666, text.data, text.length, &err);
    buf_release(&text);
}

/* The time until there is a PNG; negative: it does not work. */
static int64_t time_way(struct device *device, enum screenshot_way way,
                        struct deadline by, struct screenshot *shot,
                        struct err *err)
{
    int64_t began = clock_ns();

    if (!screenshot_take(device, way, by, shot, err))
        return -1;
    buf_clear(&shot->packed);
    if (shot->way != SCREENSHOT_PNG &&
        !png_encode_by(&shot->picture, PNG_FAST, &shot->bytes, &shot->packed,
                       err))
        return -1;
    return clock_ns() - began;
}

/*
 * The first screenshot may be slow: take the faster of two, unless it takes
 * very long.
 */
bool screenshot_method_measure(struct device *device, struct deadline by,
                               struct screenshot *shot,
                               enum screenshot_way *way, struct err *err)
{
    struct err why = ERR_INIT;
    int64_t best = -1;

    for (size_t i = 0; i < 2 * ARRAY_LEN(ways); i++) {
        enum screenshot_way tried = ways[i / 2].way;
        int64_t took = time_way(device, tried, by, shot, &why);

        if (took < 0 && (why.code == ERR_LOST || why.code == ERR_TIMEOUT ||
                         why.code == ERR_CANCELLED))
            break;
        if (took < 0 || took > SLOW_NS)
            i |= 1;
        if (took >= 0 && (best < 0 || took < best)) {
            best = took;
            *way = tried;
        }
    }
    if (best < 0)
        *err = why;
    return best >= 0;
}
