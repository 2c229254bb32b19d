#include "base/json_write.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/mem.h"
#include "base/utf8.h"

/* cJSON returns NULL only when memory is exhausted. */
static struct cJSON *must_have(struct cJSON *node)
{
    if (!node)
        mem_out();
    return node;
}

/* The caller frees it. */
static char *repaired(const char *text)
{
    size_t length = strlen(text);
    struct buf good = BUF_INIT(SIZE_MAX / 2);

    utf8_repair(text, length, &good);
    return good.data ? good.data : mem_dup("");
}

static void add(struct cJSON *into, const char *key, struct cJSON *item)
{
    char *name;

    must_have(item);
    assert(cJSON_IsArray(into) ? !key : cJSON_IsObject(into) && key);
    if (!key) {
        cJSON_AddItemToArray(into, item);
        return;
    }
    name = repaired(key);
    if (!cJSON_AddItemToObject(into, name, item))
        mem_out();
    free(name);
}

struct cJSON *json_new_object(void)
{
    return must_have(cJSON_CreateObject());
}

struct cJSON *json_new_array(void)
{
    return must_have(cJSON_CreateArray());
}

void json_add_string(struct cJSON *into, const char *key, const char *text)
{
    char *good = repaired(text);

    add(into, key, cJSON_CreateString(good));
    free(good);
}

void json_add_opt_string(struct cJSON *into, const char *key, const char *text)
{
    if (text)
        json_add_string(into, key, text);
}

void json_add_int(struct cJSON *into, const char *key, int64_t number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%" PRId64, number);
    add(into, key, cJSON_CreateRaw(digits));
}

void json_add_number(struct cJSON *into, const char *key, double number)
{
    add(into, key, cJSON_CreateNumber(number));
}

void json_add_bool(struct cJSON *into, const char *key, bool truth)
{
    add(into, key, cJSON_CreateBool(truth));
}

void json_add_null(struct cJSON *into, const char *key)
{
    add(into, key, cJSON_CreateNull());
}

struct cJSON *json_add_object(struct cJSON *into, const char *key)
{
    struct cJSON *object = json_new_object();

    add(into, key, object);
    return object;
}

struct cJSON *json_add_array(struct cJSON *into, const char *key)
{
    struct cJSON *array = json_new_array();

    add(into, key, array);
    return array;
}

/*
 * Append JSON text with the control characters that cJSON does not escape (DEL,
 * C1, text direction) escaped: the same JSON, safe on a terminal. They occur
 * only in strings.
 */
static void append_escaped(const char *json, struct buf *text)
{
    size_t length = strlen(json);
    size_t from = 0;
    size_t at = 0;

    while (at < length) {
        size_t bytes = 1;
        uint32_t character = (unsigned char)json[at];

        if (character >= 0x7f) {
            character = utf8_decode(json + at, length - at, &bytes);
            if (text_is_control(character)) {
                buf_append(text, json + from, at - from);
                buf_printf(text, "\\u%04x", (unsigned)character);
                from = at + bytes;
            }
        }
        at += bytes;
    }
    buf_append(text, json + from, length - from);
}

void json_format(const struct cJSON *tree, struct buf *text)
{
    char *line = cJSON_PrintUnformatted(tree);

    if (!line)
        mem_out();
    append_escaped(line, text);
    cJSON_free(line);
}

void json_format_indented(const struct cJSON *tree, struct buf *text)
{
    char *lines = cJSON_Print(tree);

    if (!lines)
        mem_out();
    append_escaped(lines, text);
    cJSON_free(lines);
}

bool json_print(const struct cJSON *tree, FILE *out, struct err *err)
{
    struct buf line = BUF_INIT(SIZE_MAX / 2);
    int written;

    json_format(tree, &line);
    written = fprintf(out, "%s\n", buf_cstr(&line));
    buf_release(&line);
    return written >= 0 || err_errno(err, errno, "writing JSON");
}
