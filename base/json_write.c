#include "base/json_write.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* A new node, which cJSON makes NULL only when memory is out. */
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

void json_format(const struct cJSON *tree, struct buf *text)
{
    char *line = cJSON_PrintUnformatted(tree);

    if (!line)
        mem_out();
    buf_text(text, line);
    cJSON_free(line);
}

bool json_print(const struct cJSON *tree, FILE *out, struct err *err)
{
    char *line = cJSON_PrintUnformatted(tree);
    int written;

    if (!line)
        mem_out();
    written = fprintf(out, "%s\n", line);
    cJSON_free(line);
    return written >= 0 || err_errno(err, errno, "writing JSON");
}
