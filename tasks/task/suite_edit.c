#include "tasks/task/suite_edit.h"

#include <ctype.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"

/* A part of the text. */
struct json_span {
    const char *from;
    const char *to;
};

/* ---- finding parts of JSON; the text is known to be valid ---- */

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* at is the quotation mark in front. */
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
    size_t depth = 0;

    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= depth && (*at == '}' || *at == ']');
        at++;
    } while (*at && (depth || !strchr(",]} \t\r\n", *at)));
    return at;
}

/* The next member or element of what begins at first; false: no more. */
static bool next(const char *first, const char **at, struct json_span *key,
                 struct json_span *value)
{
    *at = skip_space(*at ? *at : first + 1);
    if (**at == ',')
        *at = skip_space(*at + 1);
    if (!**at || **at == '}' || **at == ']')
        return false;
    *key = (struct json_span){*at, *at};
    if (*first == '{') {
        key->to = skip_string(*at);
        *at = skip_space(key->to);
        *at = skip_space(*at + (**at == ':'));
    }
    value->from = *at;
    value->to = *at = skip_value(*at);
    return true;
}

static bool is_text(const struct json_span *span, const char *text)
{
    size_t length = strlen(text);

    return (size_t)(span->to - span->from) == length + 2 &&
           !memcmp(span->from + 1, text, length);
}

/* Find a member of an object. */
static bool find_member(const char *object, const char *name,
                        struct json_span *key, struct json_span *value)
{
    const char *at = NULL;

    while (next(object, &at, key, value)) {
        if (is_text(key, name))
            return true;
    }
    return false;
}

/* The object of the task with this id; NULL: there is none. */
static const char *find_task(const char *text, const char *id)
{
    const char *root = skip_space(text);
    struct json_span key, value, id_key, id_value;
    const char *at = NULL;

    if (*root == '{') {
        if (!find_member(root, "tasks", &key, &value))
            return NULL;
        root = value.from;
    }
    while (next(root, &at, &key, &value)) {
        if (find_member(value.from, "id", &id_key, &id_value) &&
            is_text(&id_value, id))
            return value.from;
    }
    return NULL;
}

/* ---- writing ---- */

static void put_value(const struct task_validated *validated, struct buf *out)
{
    struct cJSON *object = json_new_object();

    if (validated->date)
        json_add_string(object, "date", validated->date);
    if (validated->version)
        json_add_string(object, "version", validated->version);
    if (validated->device)
        json_add_string(object, "device", validated->device);
    json_format(object, out);
    cJSON_Delete(object);
}

/* As much space as stands in front of the id. */
static void put_indent(const char *text, const char *key, struct buf *out)
{
    const char *from = key;

    while (from > text && isspace((unsigned char)from[-1]) && from[-1] != '\n')
        from--;
    if (from > text && from[-1] == '\n')
        from--;
    buf_append(out, from, (size_t)(key - from));
}

bool suite_edit_validated(const struct buf *text, const char *id,
                          const struct task_validated *validated,
                          struct buf *out, struct err *err)
{
    const char *all = text->data;
    const char *task = text->length ? find_task(all, id) : NULL;
    struct json_span key = {NULL, NULL}, value = {NULL, NULL};
    struct json_span id_key;

    if (!task)
        return err_set(err, ERR_NOT_FOUND, "there is no task %.64s", id);
    if (find_member(task, "validated", &key, &value)) {
        buf_append(out, all, (size_t)(value.from - all));
        put_value(validated, out);
    } else {
        (void)find_member(task, "id", &id_key, &value);
        buf_append(out, all, (size_t)(value.to - all));
        buf_byte(out, ',');
        put_indent(all, id_key.from, out);
        buf_text(out, "\"validated\": ");
        put_value(validated, out);
    }
    buf_text(out, value.to);
    return !out->overflow ||
           err_set(err, ERR_LIMIT, "the suite would become too large");
}
