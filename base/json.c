#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#define PATH_SHOWN 128 /* of the position of a value, in an error */

/* Checks the text before cJSON parses it. */
struct json_scan {
    const char *text;
    const char *at;
    const char *end;
    bool in_string;
    size_t depth;
    size_t values; /* an upper limit of their number */
};

/* Put "line 3, column 14: " in front of the reason. */
static bool fail_at(const struct json_scan *scan, enum err_code code,
                    const char *why, struct err *err)
{
    size_t line = 1;
    size_t column = 1;

    for (const char *c = scan->text; c < scan->at; c++) {
        if (*c == '\n') {
            line++;
            column = 1;
        } else if (((uint8_t)*c & 0xc0) != 0x80) {
            column++;
        }
    }
    return err_set(err, code, "line %zu, column %zu: %s", line, column, why);
}

static bool scan_in_string(struct json_scan *scan, struct err *err)
{
    size_t left = (size_t)(scan->end - scan->at);

    if ((uint8_t)*scan->at < ' ')
        return fail_at(scan, ERR_INVALID, "control character in a string", err);
    if (left >= 6 && !memcmp(scan->at, "\\u0000", 6))
        return fail_at(scan, ERR_INVALID, "U+0000 in a string", err);
    if (*scan->at == '"')
        scan->in_string = false;
    else if (*scan->at == '\\' && left > 1)
        scan->at++; /* an escaped character does not end the string */
    return true;
}

static bool scan_between(struct json_scan *scan, struct err *err)
{
    char c = *scan->at;

    if ((uint8_t)c < ' ' && c != '\t' && c != '\n' && c != '\r')
        return fail_at(scan, ERR_INVALID, "control character", err);
    if (c == '"')
        scan->in_string = true;
    if (c == ']' || c == '}')
        scan->depth -= scan->depth > 0;
    if ((c == '[' || c == '{') && ++scan->depth > JSON_DEPTH_MAX)
        return fail_at(scan, ERR_LIMIT, "nested too deeply", err);
    if ((c == '[' || c == '{' || c == ',') && ++scan->values > JSON_VALUES_MAX)
        return fail_at(scan, ERR_LIMIT, "too many values", err);
    return true;
}

/* Refuse what cJSON would accept: too much, invalid UTF-8, NULs. */
static bool check_text(const char *text, size_t length, struct err *err)
{
    struct json_scan scan = {.text = text, .at = text, .end = text + length};
    size_t first;

    for (; scan.at < scan.end; scan.at += first) {
        if (!(scan.in_string ? scan_in_string(&scan, err)
                             : scan_between(&scan, err)))
            return false;
        first = utf8_first(scan.at, (size_t)(scan.end - scan.at));
        if (!first)
            return fail_at(&scan, ERR_INVALID, "not UTF-8", err);
    }
    return true;
}

/* at is where cJSON stopped, or the last character if that is the end. */
static bool fail_syntax(const char *text, const char *at, const char *end,
                        struct err *err)
{
    const struct json_scan scan = {.text = text, .at = at};
    size_t first = utf8_first(at, (size_t)(end - at));
    char why[32] = "syntax error";

    if (first && (uint8_t)*at > ' ')
        snprintf(why, sizeof(why), "syntax error near \"%.*s\"", (int)first,
                 at);
    return fail_at(&scan, ERR_INVALID, why, err);
}

bool json_parse(const char *text, size_t length, struct cJSON **tree,
                struct err *err)
{
    const char *end = text + length;
    const char *at = text;
    struct cJSON *parsed;

    if (length > JSON_SIZE_MAX)
        return err_set(err, ERR_LIMIT, "larger than %zu bytes", JSON_SIZE_MAX);
    if (!check_text(text, length, err))
        return false;
    parsed = cJSON_ParseWithLengthOpts(text, length, &at, false);
    while (parsed && at < end && strchr(" \t\r\n", *at))
        at++;
    if (!parsed || at < end) {
        cJSON_Delete(parsed);
        return fail_syntax(text, at, end, err);
    }
    *tree = parsed;
    return true;
}

bool json_next(const struct json *parent, struct json *child)
{
    child->value = child->value ? child->value->next : parent->value->child;
    child->parent = parent;
    return child->value != NULL;
}

static int by_name(const void *left, const void *right)
{
    const char *const *a = left;
    const char *const *b = right;

    return strcmp(*a, *b);
}

/* A name that stands twice among sorted ones; NULL: none does. */
static const char *find_twice(const char *const *names, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (!strcmp(names[i - 1], names[i]))
            return names[i];
    }
    return NULL;
}

static size_t index_of(const struct json *json)
{
    const struct cJSON *at = json->parent->value->child;
    size_t index = 0;

    for (; at != json->value; at = at->next)
        index++;
    return index;
}

/* The position of json, such as: apps[2].name */
static void put_path(const struct json *json, struct buf *path)
{
    if (!json->parent)
        return;
    put_path(json->parent, path);
    if (json->value->string)
        buf_printf(path, "%s%s", path->length ? "." : "", json->value->string);
    else
        buf_printf(path, "[%zu]", index_of(json));
}

/* Put the position in front of the reason; key, if any, is a member of json. */
static bool fail_here(const struct json *json, const char *key, const char *why,
                      struct err *err)
{
    struct buf path = BUF_INIT(PATH_SHOWN);

    put_path(json, &path);
    if (key)
        buf_printf(&path, "%s%s", path.length ? "." : "", key);
    err_set(err, ERR_INVALID, "%s", why);
    if (path.length)
        err_wrap(err, "%s", buf_cstr(&path));
    buf_release(&path);
    return false;
}

bool json_check_unique(const struct json *object, struct err *err)
{
    size_t count = 0;
    struct json member = JSON_NONE;
    const char **names;
    const char *twice;

    if (!cJSON_IsObject(object->value))
        return true;
    names =
        mem_new((size_t)cJSON_GetArraySize(object->value) + 1, sizeof(*names));
    while (json_next(object, &member))
        names[count++] = member.value->string;
    qsort(names, count, sizeof(*names), by_name);
    twice = find_twice(names, count);
    free(names);
    return !twice || fail_here(object, twice, "it is given twice", err);
}

void json_complain(const struct json *json, struct err *err, const char *fmt,
                   ...)
{
    char why[sizeof(err->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(why, sizeof(why), fmt, args);
    va_end(args);
    (void)fail_here(json, NULL, why, err);
}

static const char *kind_of(const struct cJSON *value)
{
    return cJSON_IsString(value)   ? "a string"
           : cJSON_IsNumber(value) ? "a number"
           : cJSON_IsBool(value)   ? "a boolean"
           : cJSON_IsObject(value) ? "an object"
           : cJSON_IsArray(value)  ? "an array"
                                   : "null";
}

bool json_fail_kind(const struct json *json, const char *expected,
                    struct err *err)
{
    char why[128];

    snprintf(why, sizeof(why), "expected %s, found %s", expected,
             kind_of(json->value));
    return fail_here(json, NULL, why, err);
}

bool json_as_string(const struct json *json, const char **text, struct err *err)
{
    if (!cJSON_IsString(json->value))
        return json_fail_kind(json, "a string", err);
    *text = json->value->valuestring;
    return true;
}

bool json_as_int(const struct json *json, int64_t min, int64_t max,
                 int64_t *number, struct err *err)
{
    double value = json->value->valuedouble;
    char why[128];

    if (!cJSON_IsNumber(json->value))
        return json_fail_kind(json, "an integer", err);
    if (fabs(value) <= (double)JSON_INT_MAX && value == floor(value) &&
        (int64_t)value >= min && (int64_t)value <= max) {
        *number = (int64_t)value;
        return true;
    }
    snprintf(why, sizeof(why),
             "expected an integer from %" PRId64 " to %" PRId64 ", found %g",
             min, max, value);
    return fail_here(json, NULL, why, err);
}

bool json_as_number(const struct json *json, double *number, struct err *err)
{
    if (!cJSON_IsNumber(json->value))
        return json_fail_kind(json, "a number", err);
    if (!isfinite(json->value->valuedouble))
        return fail_here(json, NULL, "too large a number", err);
    *number = json->value->valuedouble;
    return true;
}

bool json_as_bool(const struct json *json, bool *truth, struct err *err)
{
    if (!cJSON_IsBool(json->value))
        return json_fail_kind(json, "a boolean", err);
    *truth = cJSON_IsTrue(json->value);
    return true;
}

bool json_as_object(const struct json *json, struct err *err)
{
    return cJSON_IsObject(json->value) ||
           json_fail_kind(json, "an object", err);
}

bool json_as_array(const struct json *json, struct err *err)
{
    return cJSON_IsArray(json->value) || json_fail_kind(json, "an array", err);
}

bool json_get(const struct json *object, const char *key, struct json *member,
              struct err *err)
{
    assert(member != object);
    if (!json_as_object(object, err))
        return false;
    member->parent = object;
    member->value = cJSON_GetObjectItemCaseSensitive(object->value, key);
    return member->value || fail_here(object, key, "missing", err);
}

bool json_get_string(const struct json *object, const char *key,
                     const char **text, struct err *err)
{
    struct json member;

    return json_get(object, key, &member, err) &&
           json_as_string(&member, text, err);
}

bool json_get_int(const struct json *object, const char *key, int64_t min,
                  int64_t max, int64_t *number, struct err *err)
{
    struct json member;

    return json_get(object, key, &member, err) &&
           json_as_int(&member, min, max, number, err);
}

bool json_get_number(const struct json *object, const char *key, double *number,
                     struct err *err)
{
    struct json member;

    return json_get(object, key, &member, err) &&
           json_as_number(&member, number, err);
}

bool json_get_bool(const struct json *object, const char *key, bool *truth,
                   struct err *err)
{
    struct json member;

    return json_get(object, key, &member, err) &&
           json_as_bool(&member, truth, err);
}

bool json_get_object(const struct json *object, const char *key,
                     struct json *child, struct err *err)
{
    struct json member;

    assert(child != object);
    if (!json_get(object, key, &member, err) || !json_as_object(&member, err))
        return false;
    *child = member;
    return true;
}

bool json_get_array(const struct json *object, const char *key,
                    struct json *child, struct err *err)
{
    struct json member;

    assert(child != object);
    if (!json_get(object, key, &member, err) || !json_as_array(&member, err))
        return false;
    *child = member;
    return true;
}

/* json_get_... reports a value that is not an object. */
static bool absent(const struct json *object, const char *key)
{
    const struct cJSON *member =
        cJSON_GetObjectItemCaseSensitive(object->value, key);

    return cJSON_IsObject(object->value) && (!member || cJSON_IsNull(member));
}

bool json_opt_string(const struct json *object, const char *key,
                     const char **text, struct err *err)
{
    return absent(object, key) || json_get_string(object, key, text, err);
}

bool json_opt_int(const struct json *object, const char *key, int64_t min,
                  int64_t max, int64_t *number, struct err *err)
{
    return absent(object, key) ||
           json_get_int(object, key, min, max, number, err);
}

bool json_opt_number(const struct json *object, const char *key, double *number,
                     struct err *err)
{
    return absent(object, key) || json_get_number(object, key, number, err);
}

bool json_opt_bool(const struct json *object, const char *key, bool *truth,
                   struct err *err)
{
    return absent(object, key) || json_get_bool(object, key, truth, err);
}

bool json_opt_object(const struct json *object, const char *key,
                     struct json *child, struct err *err)
{
    return absent(object, key) || json_get_object(object, key, child, err);
}

bool json_opt_array(const struct json *object, const char *key,
                    struct json *child, struct err *err)
{
    return absent(object, key) || json_get_array(object, key, child, err);
}

bool json_get_copy(const struct json *object, const char *key, char **text,
                   struct err *err)
{
    const char *found;

    if (!json_get_string(object, key, &found, err))
        return false;
    free(*text);
    *text = mem_dup(found);
    return true;
}

bool json_opt_copy(const struct json *object, const char *key, char **text,
                   struct err *err)
{
    return absent(object, key) || json_get_copy(object, key, text, err);
}

bool json_opt_small(const struct json *object, const char *key, int min,
                    int max, int *number, struct err *err)
{
    int64_t found = *number;

    if (!json_opt_int(object, key, min, max, &found, err))
        return false;
    *number = (int)found;
    return true;
}

bool json_opt_count(const struct json *object, const char *key, int64_t *number,
                    struct err *err)
{
    return json_opt_int(object, key, 0, JSON_INT_MAX, number, err);
}

bool json_check_format(const struct json *object, const char *format,
                       int newest, struct err *err)
{
    const char *found;
    int64_t version;

    if (!json_get_string(object, "format", &found, err) ||
        !json_get_int(object, "version", 1, INT_MAX, &version, err))
        return false;
    if (strcmp(found, format) != 0)
        return err_set(err, ERR_INVALID, "format: expected \"%s\"", format);
    return version <= newest ||
           err_set(err, ERR_UNSUPPORTED,
                   "version %" PRId64
                   " is not supported; the newest known one is %d",
                   version, newest);
}

const char *json_name_in_use(const struct json *object, const char *name,
                             const char *old_name)
{
    return !cJSON_GetObjectItemCaseSensitive(object->value, name) &&
                   cJSON_GetObjectItemCaseSensitive(object->value, old_name)
               ? old_name
               : name;
}
