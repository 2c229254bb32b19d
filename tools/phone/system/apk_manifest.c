#include "tools/phone/system/apk_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "tools/phone/system/zip_archive.h"

/* Kinds of chunks and values, from ResourceTypes.h. */
#define CHUNK_STRINGS 0x0001U
#define CHUNK_XML 0x0003U
#define CHUNK_START 0x0102U
#define CHUNK_END 0x0103U
#define CHUNK_RESOURCES 0x0180U
#define CHUNK_HEADER 8U
#define STRINGS_HEADER 28U
#define STRINGS_UTF8 0x100U
#define NODE_HEADER 16U
#define ELEMENT_HEADER 20U /* size of a node's own header */
#define ATTRIBUTE_SIZE 20U
#define VALUE_STRING 3U
#define VALUE_FIRST_INT 0x10U
#define NONE 0xffffffffU

/* Resource ids of the attributes that are read, from Android's public.xml. */
enum apk_attribute {
    ATTRIBUTE_LABEL = 0x01010001,
    ATTRIBUTE_NAME = 0x01010003,
    ATTRIBUTE_TARGET_PACKAGE = 0x01010021,
    ATTRIBUTE_SCHEME = 0x01010027,
    ATTRIBUTE_VERSION_CODE = 0x0101021b,
    ATTRIBUTE_VERSION_NAME = 0x0101021c,
    ATTRIBUTE_TARGET_SDK = 0x01010270,
    ATTRIBUTE_TEST_ONLY = 0x01010272,
    ATTRIBUTE_TARGET_ACTIVITY = 0x01010202,
};

#define TEXT_SIZE 256
#define ACTIONS_MAX 8U
#define XML_MAX ((size_t)4 << 20)

static uint16_t get_u16le(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/* ---- texts ---- */

struct strings {
    const uint8_t *chunk;
    size_t size;
    uint32_t count;
    uint32_t start; /* offset of the first text in the chunk */
    bool utf8;
};

static bool read_strings(const uint8_t *chunk, size_t size,
                         struct strings *strings)
{
    if (size < STRINGS_HEADER)
        return false;
    *strings = (struct strings){
        .chunk = chunk,
        .size = size,
        .count = get_u32le(chunk + 8),
        .start = get_u32le(chunk + 20),
        .utf8 = get_u32le(chunk + 16) & STRINGS_UTF8,
    };
    return strings->count <= (size - STRINGS_HEADER) / 4 &&
           strings->start <= size;
}

/* A length of one or two units; high is the bit that says which. */
static bool take_length(const uint8_t **at, size_t *left, bool utf8,
                        size_t *length)
{
    size_t unit = utf8 ? 1 : 2;
    size_t high = utf8 ? 0x80 : 0x8000;
    size_t first;

    if (*left < unit)
        return false;
    first = utf8 ? **at : get_u16le(*at);
    *at += unit;
    *left -= unit;
    *length = first;
    if (!(first & high))
        return true;
    if (*left < unit)
        return false;
    *length = (first & (high - 1)) << (utf8 ? 8 : 16) |
              (utf8 ? **at : get_u16le(*at));
    *at += unit;
    *left -= unit;
    return true;
}

static void copy_utf16(const uint8_t *units, size_t count,
                       char text[static TEXT_SIZE])
{
    struct buf out = BUF_INIT(TEXT_SIZE - 1);

    for (size_t i = 0; i < count; i++) {
        uint32_t unit = get_u16le(units + 2 * i);

        if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < count) {
            uint32_t low = get_u16le(units + 2 * ++i);

            unit = 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
        }
        utf8_append(unit, &out);
    }
    snprintf(text, TEXT_SIZE, "%s", buf_cstr(&out));
    buf_release(&out);
}

static void copy_utf8(const uint8_t *bytes, size_t length,
                      char text[static TEXT_SIZE])
{
    struct buf out = BUF_INIT(4 * TEXT_SIZE);

    utf8_repair((const char *)bytes, length < TEXT_SIZE ? length : TEXT_SIZE,
                &out);
    snprintf(text, TEXT_SIZE, "%s", buf_cstr(&out));
    buf_release(&out);
}

/* The text with that index; "" if there is none. */
static void get_string(const struct strings *strings, uint32_t index,
                       char text[static TEXT_SIZE])
{
    const uint8_t *at;
    uint32_t offset;
    size_t left, length;

    text[0] = '\0';
    if (index >= strings->count)
        return;
    offset = get_u32le(strings->chunk + STRINGS_HEADER + (size_t)4 * index);
    if (offset > strings->size - strings->start)
        return;
    at = strings->chunk + strings->start + offset;
    left = strings->size - strings->start - offset;
    if (!take_length(&at, &left, strings->utf8, &length) ||
        (strings->utf8 && !take_length(&at, &left, true, &length)))
        return;
    if (length > left / (strings->utf8 ? 1 : 2))
        return;
    (strings->utf8 ? copy_utf8 : copy_utf16)(at, length, text);
}

/* ---- elements ---- */

/* State of reading, for the current nesting of elements. */
struct apk_reader {
    struct apk_manifest *manifest;
    struct strings strings;
    const uint8_t *resources; /* resource ids of the first texts, which are
                                 attribute names */
    size_t resource_count;
    bool service; /* the current component is no activity */
    char component[TEXT_SIZE];
    bool main, launcher; /* of the current intent filter */
    char actions[ACTIONS_MAX][TEXT_SIZE];
    size_t action_count;
    char scheme[TEXT_SIZE];
};

struct element {
    const struct apk_reader *reader;
    const uint8_t *attributes;
    size_t count;
    size_t size; /* of one */
};

static uint32_t attribute_id(const struct apk_reader *reader, uint32_t name)
{
    return name < reader->resource_count
               ? get_u32le(reader->resources + (size_t)4 * name)
               : 0;
}

static const uint8_t *find_attribute(const struct element *element, uint32_t id,
                                     const char *name)
{
    char text[TEXT_SIZE];

    for (size_t i = 0; i < element->count; i++) {
        const uint8_t *attribute = element->attributes + i * element->size;
        uint32_t index = get_u32le(attribute + 4);

        if (id && attribute_id(element->reader, index) == id)
            return attribute;
        get_string(&element->reader->strings, index, text);
        if (!id && !strcmp(text, name))
            return attribute;
    }
    return NULL;
}

/* A literal text; "" for a reference to a resource. */
static void get_text(const struct element *element, uint32_t id,
                     const char *name, char text[static TEXT_SIZE])
{
    const uint8_t *attribute = find_attribute(element, id, name);

    text[0] = '\0';
    if (!attribute)
        return;
    if (get_u32le(attribute + 8) != NONE)
        get_string(&element->reader->strings, get_u32le(attribute + 8), text);
    else if (attribute[15] == VALUE_STRING)
        get_string(&element->reader->strings, get_u32le(attribute + 16), text);
}

static int64_t get_number(const struct element *element, uint32_t id)
{
    const uint8_t *attribute = find_attribute(element, id, "");

    return attribute && attribute[15] >= VALUE_FIRST_INT
               ? (int32_t)get_u32le(attribute + 16)
               : 0;
}

/* The full class name: ".Main" and "Main" are in the package. */
static void get_class(const struct apk_reader *reader,
                      const struct element *element, uint32_t id,
                      char class[static TEXT_SIZE])
{
    char text[TEXT_SIZE];

    get_text(element, id, "", text);
    snprintf(class, TEXT_SIZE, "%.120s%s%.120s",
             text[0] == '.' || !strchr(text, '.')
                 ? reader->manifest->package.name
                 : "",
             text[0] != '.' && !strchr(text, '.') ? "." : "", text);
}

static void start_manifest(struct apk_reader *reader,
                           const struct element *element)
{
    struct phone_package *package = &reader->manifest->package;
    char text[TEXT_SIZE];

    get_text(element, 0, "package", text);
    snprintf(package->name, sizeof(package->name), "%.100s", text);
    get_text(element, ATTRIBUTE_VERSION_NAME, "", text);
    snprintf(package->version, sizeof(package->version), "%.40s", text);
    package->version_code = get_number(element, ATTRIBUTE_VERSION_CODE);
}

static void start_application(struct apk_reader *reader,
                              const struct element *element)
{
    struct phone_package *package = &reader->manifest->package;
    char text[TEXT_SIZE];

    get_text(element, ATTRIBUTE_LABEL, "", text);
    for (size_t i = 0; i < ARRAY_LEN(package->labels); i++)
        snprintf(package->labels[i], sizeof(package->labels[i]), "%.60s", text);
    reader->manifest->test_only = get_number(element, ATTRIBUTE_TEST_ONLY);
}

static void start_component(struct apk_reader *reader,
                            const struct element *element, const char *name)
{
    reader->service = strncmp(name, "activity", 8) != 0;
    get_class(reader, element, ATTRIBUTE_NAME, reader->component);
}

static void start_action(struct apk_reader *reader,
                         const struct element *element)
{
    char text[TEXT_SIZE];

    get_text(element, ATTRIBUTE_NAME, "", text);
    if (!strcmp(text, INTENT_MAIN))
        reader->main = true;
    else if (reader->action_count < ACTIONS_MAX)
        memcpy(reader->actions[reader->action_count++], text, sizeof(text));
}

static void start_element(struct apk_reader *reader, const char *name,
                          const struct element *element)
{
    struct phone_package *package = &reader->manifest->package;
    char text[TEXT_SIZE];

    if (!strcmp(name, "manifest")) {
        start_manifest(reader, element);
    } else if (!strcmp(name, "uses-sdk")) {
        package->target_sdk = (int)get_number(element, ATTRIBUTE_TARGET_SDK);
    } else if (!strcmp(name, "uses-permission")) {
        get_text(element, ATTRIBUTE_NAME, "", text);
        package_ask_permission(package, text);
    } else if (!strcmp(name, "instrumentation")) {
        get_class(reader, element, ATTRIBUTE_NAME, text);
        snprintf(package->runner, sizeof(package->runner), "%.180s", text);
        get_text(element, ATTRIBUTE_TARGET_PACKAGE, "", text);
        snprintf(package->tested, sizeof(package->tested), "%.100s", text);
    } else if (!strcmp(name, "application")) {
        start_application(reader, element);
    } else if (!strcmp(name, "activity") || !strcmp(name, "activity-alias") ||
               !strcmp(name, "service") || !strcmp(name, "receiver")) {
        start_component(reader, element, name);
    } else if (!strcmp(name, "intent-filter")) {
        reader->main = reader->launcher = false;
        reader->action_count = 0;
        reader->scheme[0] = '\0';
    } else if (!strcmp(name, "action")) {
        start_action(reader, element);
    } else if (!strcmp(name, "category")) {
        get_text(element, ATTRIBUTE_NAME, "", text);
        reader->launcher = reader->launcher || !strcmp(text, INTENT_LAUNCHER);
    } else if (!strcmp(name, "data") && !reader->scheme[0]) {
        get_text(element, ATTRIBUTE_SCHEME, "", reader->scheme);
    }
}

static void end_filter(struct apk_reader *reader)
{
    struct phone_package *package = &reader->manifest->package;

    if (!reader->service && reader->main && reader->launcher &&
        !package->activity[0])
        snprintf(package->activity, sizeof(package->activity), "%.180s",
                 reader->component);
    for (size_t i = 0; i < reader->action_count; i++) {
        if (!reader->service)
            package_answer(package, reader->actions[i], reader->scheme,
                           reader->component);
        else if (!strcmp(reader->actions[i], "android.view.InputMethod"))
            snprintf(package->ime, sizeof(package->ime), "%.180s",
                     reader->component);
    }
}

/* ---- chunks ---- */

static void read_start(struct apk_reader *reader, const uint8_t *chunk,
                       size_t size)
{
    struct element element = {.reader = reader};
    char name[TEXT_SIZE];
    size_t first;

    if (size < NODE_HEADER + ELEMENT_HEADER)
        return;
    chunk += NODE_HEADER;
    size -= NODE_HEADER;
    get_string(&reader->strings, get_u32le(chunk + 4), name);
    first = get_u16le(chunk + 8);
    element.size = get_u16le(chunk + 10);
    element.count = get_u16le(chunk + 12);
    if (element.size < ATTRIBUTE_SIZE || first > size ||
        element.count > (size - first) / element.size)
        return;
    element.attributes = chunk + first;
    start_element(reader, name, &element);
}

static void read_end(struct apk_reader *reader, const uint8_t *chunk,
                     size_t size)
{
    char name[TEXT_SIZE];

    if (size < NODE_HEADER + 8)
        return;
    get_string(&reader->strings, get_u32le(chunk + NODE_HEADER + 4), name);
    if (!strcmp(name, "intent-filter"))
        end_filter(reader);
}

static bool read_chunk(struct apk_reader *reader, const uint8_t *chunk,
                       size_t size)
{
    switch (get_u16le(chunk)) {
    case CHUNK_STRINGS:
        return read_strings(chunk, size, &reader->strings);
    case CHUNK_RESOURCES:
        reader->resources = chunk + CHUNK_HEADER;
        reader->resource_count = (size - CHUNK_HEADER) / 4;
        break;
    case CHUNK_START:
        read_start(reader, chunk, size);
        break;
    case CHUNK_END:
        read_end(reader, chunk, size);
        break;
    default:
        break;
    }
    return true;
}

/* Is it like "com.example.app": letters, digits and '_' between dots? */
static bool is_package_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._";

    return strchr(name, '.') && name[0] != '.' && !strstr(name, "..") &&
           !name[strspn(name, allowed)];
}

bool apk_manifest_read(const uint8_t *xml, size_t size,
                       struct apk_manifest *manifest, struct err *err)
{
    struct apk_reader *reader = mem_new(1, sizeof(*reader));
    size_t at = CHUNK_HEADER;
    bool good = size >= CHUNK_HEADER && get_u16le(xml) == CHUNK_XML;

    *manifest = (struct apk_manifest){.test_only = false};
    reader->manifest = manifest;
    while (good && size - at >= CHUNK_HEADER) {
        size_t length = get_u32le(xml + at + 4);

        good = length >= CHUNK_HEADER && length <= size - at &&
               read_chunk(reader, xml + at, length);
        at += length;
    }
    free(reader);
    if (!good)
        return err_set(err, ERR_INVALID, "Corrupt XML binary file");
    if (!is_package_name(manifest->package.name))
        return err_set(err, ERR_INVALID, "bad package name");
    return true;
}

bool apk_manifest_read_apk(const uint8_t *apk, size_t size,
                           struct apk_manifest *manifest, struct err *err)
{
    struct buf xml = BUF_INIT(XML_MAX);
    bool done = zip_archive_read(apk, size, "AndroidManifest.xml", &xml, err) &&
                apk_manifest_read((const uint8_t *)buf_cstr(&xml), xml.length,
                                  manifest, err);

    buf_release(&xml);
    return done;
}
