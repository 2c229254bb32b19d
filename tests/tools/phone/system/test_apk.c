#include "tests/tools/phone/system/test_apk.h"

#include <string.h>

#include <zlib.h>

#include "base/macros.h"

#define STRINGS_MAX 64U
#define NONE 0xffffffffU
#define MANIFEST "AndroidManifest.xml"

/* The attributes, whose names come first, and their ids in the same order. */
enum attribute {
    LABEL,
    NAME,
    TARGET_PACKAGE,
    SCHEME,
    VERSION_CODE,
    VERSION_NAME,
    TARGET_SDK,
    TEST_ONLY,
    ATTRIBUTES,
    PACKAGE = ATTRIBUTES, /* has no id */
};

static const char *const names[] = {
    "label",       "name",        "targetPackage",    "scheme",
    "versionCode", "versionName", "targetSdkVersion", "testOnly",
    "package"};
static const uint32_t ids[ATTRIBUTES] = {0x01010001, 0x01010003, 0x01010021,
                                         0x01010027, 0x0101021b, 0x0101021c,
                                         0x01010270, 0x01010272};

struct writer {
    const char *strings[STRINGS_MAX];
    uint32_t count;
    struct buf body;
};

/* An attribute with a text or, where that is NULL, a number. */
struct value {
    enum attribute attribute;
    const char *text;
    int32_t number;
};

static void put_u16(struct buf *out, size_t value)
{
    buf_byte(out, (char)value);
    buf_byte(out, (char)(value >> 8));
}

static uint32_t string_of(struct writer *writer, const char *text)
{
    for (uint32_t i = 0; i < writer->count; i++) {
        if (!strcmp(writer->strings[i], text))
            return i;
    }
    writer->strings[writer->count] = text;
    return writer->count++;
}

static void put_value(struct writer *writer, const struct value *value)
{
    uint32_t text = value->text ? string_of(writer, value->text) : NONE;

    buf_u32le(&writer->body, NONE);
    buf_u32le(&writer->body, (uint32_t)value->attribute);
    buf_u32le(&writer->body, text);
    put_u16(&writer->body, 8);
    buf_byte(&writer->body, 0);
    buf_byte(&writer->body, value->text ? 0x03 : 0x10);
    buf_u32le(&writer->body, value->text ? text : (uint32_t)value->number);
}

static void start(struct writer *writer, const char *element,
                  const struct value *values, size_t count)
{
    uint32_t name = string_of(writer, element);

    put_u16(&writer->body, 0x0102);
    put_u16(&writer->body, 16);
    buf_u32le(&writer->body, (uint32_t)(36 + 20 * count));
    buf_u32le(&writer->body, 1);
    buf_u32le(&writer->body, NONE);
    buf_u32le(&writer->body, NONE);
    buf_u32le(&writer->body, name);
    put_u16(&writer->body, 20);
    put_u16(&writer->body, 20);
    put_u16(&writer->body, count);
    for (int i = 0; i < 3; i++)
        put_u16(&writer->body, 0);
    for (size_t i = 0; i < count; i++)
        put_value(writer, &values[i]);
}

static void end(struct writer *writer, const char *element)
{
    put_u16(&writer->body, 0x0103);
    put_u16(&writer->body, 16);
    buf_u32le(&writer->body, 24);
    buf_u32le(&writer->body, 1);
    buf_u32le(&writer->body, NONE);
    buf_u32le(&writer->body, NONE);
    buf_u32le(&writer->body, string_of(writer, element));
}

static void whole(struct writer *writer, const char *element,
                  enum attribute attribute, const char *text)
{
    start(writer, element, &(struct value){attribute, text, 0}, 1);
    end(writer, element);
}

static void component(struct writer *writer, const char *element,
                      const char *class, const char *action,
                      const char *category, const char *scheme)
{
    start(writer, element, &(struct value){NAME, class, 0}, 1);
    start(writer, "intent-filter", NULL, 0);
    whole(writer, "action", NAME, action);
    if (category)
        whole(writer, "category", NAME, category);
    if (scheme)
        whole(writer, "data", SCHEME, scheme);
    end(writer, "intent-filter");
    end(writer, element);
}

static void put_strings(const struct writer *writer, bool utf8, struct buf *out)
{
    struct buf texts = BUF_INIT(1U << 16U);
    struct buf offsets = BUF_INIT(4 * STRINGS_MAX);

    for (uint32_t i = 0; i < writer->count; i++) {
        const char *text = writer->strings[i];

        buf_u32le(&offsets, (uint32_t)texts.length);
        if (utf8) {
            buf_byte(&texts, (char)strlen(text));
            buf_byte(&texts, (char)strlen(text));
            buf_text(&texts, text);
            buf_byte(&texts, 0);
            continue;
        }
        put_u16(&texts, strlen(text));
        for (; *text; text++)
            put_u16(&texts, (unsigned char)*text);
        put_u16(&texts, 0);
    }
    while (texts.length % 4)
        buf_byte(&texts, 0);
    put_u16(out, 0x0001);
    put_u16(out, 28);
    buf_u32le(out, (uint32_t)(28 + offsets.length + texts.length));
    buf_u32le(out, writer->count);
    buf_u32le(out, 0);
    buf_u32le(out, utf8 ? 0x100 : 0);
    buf_u32le(out, (uint32_t)(28 + offsets.length));
    buf_u32le(out, 0);
    buf_append(out, offsets.data, offsets.length);
    buf_append(out, texts.data, texts.length);
    buf_release(&texts);
    buf_release(&offsets);
}

static void put_elements(struct writer *writer, const struct test_apk *apk)
{
    const struct value facts[] = {{VERSION_CODE, NULL, apk->code},
                                  {VERSION_NAME, apk->version, 0},
                                  {PACKAGE, apk->package, 0}};
    const struct value application[] = {
        {LABEL, apk->label ? apk->label : "", 0},
        {TEST_ONLY, NULL, apk->test_only ? -1 : 0}};

    start(writer, "manifest", facts, ARRAY_LEN(facts));
    start(writer, "uses-sdk", &(struct value){TARGET_SDK, NULL, 33}, 1);
    end(writer, "uses-sdk");
    if (apk->permission)
        whole(writer, "uses-permission", NAME, apk->permission);
    if (apk->runner) {
        const struct value tests[] = {{NAME, apk->runner, 0},
                                      {TARGET_PACKAGE, apk->tested, 0}};

        start(writer, "instrumentation", tests, ARRAY_LEN(tests));
        end(writer, "instrumentation");
    }
    start(writer, "application", application, ARRAY_LEN(application));
    if (apk->activity)
        component(writer, "activity", apk->activity,
                  "android.intent.action.MAIN",
                  "android.intent.category.LAUNCHER", NULL);
    if (apk->viewer)
        component(writer, "activity", apk->viewer, "android.intent.action.VIEW",
                  NULL, "test");
    if (apk->keyboard)
        component(writer, "service", apk->keyboard, "android.view.InputMethod",
                  NULL, NULL);
    end(writer, "application");
    end(writer, "manifest");
}

void test_apk_manifest(const struct test_apk *apk, struct buf *xml)
{
    struct writer writer = {.body = BUF_INIT(1U << 16U)};
    struct buf chunks = BUF_INIT(1U << 17U);

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        string_of(&writer, names[i]);
    put_elements(&writer, apk);
    put_strings(&writer, apk->utf8, &chunks);
    put_u16(&chunks, 0x0180);
    put_u16(&chunks, 8);
    buf_u32le(&chunks, 8 + sizeof(ids));
    for (size_t i = 0; i < ATTRIBUTES; i++)
        buf_u32le(&chunks, ids[i]);
    put_u16(xml, 0x0003);
    put_u16(xml, 8);
    buf_u32le(xml, (uint32_t)(8 + chunks.length + writer.body.length));
    buf_append(xml, chunks.data, chunks.length);
    buf_append(xml, writer.body.data, writer.body.length);
    buf_release(&chunks);
    buf_release(&writer.body);
}

/* What an entry has in both of its headers, from its versions on. */
static void put_entry(struct buf *zip, const struct buf *content)
{
    put_u16(zip, 20);
    put_u16(zip, 0);
    put_u16(zip, 0); /* stored */
    buf_u32le(zip, 0x58210000);
    buf_u32le(zip, (uint32_t)crc32(0, (const uint8_t *)content->data,
                                   (uInt)content->length));
    buf_u32le(zip, (uint32_t)content->length);
    buf_u32le(zip, (uint32_t)content->length);
    put_u16(zip, strlen(MANIFEST));
    put_u16(zip, 0);
}

void test_apk_write(const struct test_apk *apk, struct buf *zip)
{
    struct buf xml = BUF_INIT(1U << 18U);
    size_t first = zip->length;
    size_t table;

    test_apk_manifest(apk, &xml);
    buf_u32le(zip, 0x04034b50);
    put_entry(zip, &xml);
    buf_text(zip, MANIFEST);
    buf_append(zip, xml.data, xml.length);
    table = zip->length - first;
    buf_u32le(zip, 0x02014b50);
    put_u16(zip, 20);
    put_entry(zip, &xml);
    for (int i = 0; i < 7; i++)
        put_u16(zip, 0); /* no comment, first disk, no attributes, offset 0 */
    buf_text(zip, MANIFEST);
    buf_u32le(zip, 0x06054b50);
    buf_u32le(zip, 0);
    put_u16(zip, 1);
    put_u16(zip, 1);
    buf_u32le(zip, (uint32_t)(zip->length - first - table - 12));
    buf_u32le(zip, (uint32_t)table);
    put_u16(zip, 0);
    buf_release(&xml);
}
