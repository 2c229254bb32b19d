/* Values in tags: <point>200 300</point>, and the attributes of a tag. */
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "runner/parse/loose_value_private.h"

#define TAG_MAX 32 /* bytes of "<|box_start|>" and similar tags */

/* Is a closing tag next? */
static bool is_closing_tag(const struct loose_value_reader *reader)
{
    return reader->in.length - reader->at >= 2 &&
           !memcmp(reader->in.text + reader->at, "</", 2);
}

/* "<point>" or "<|box_start|>" here? Go past it. */
static bool take_tag(struct loose_value_reader *reader)
{
    struct text_span rest =
        loose_value_between(reader, reader->at, reader->in.length);
    const char *end;

    if (!rest.length || rest.text[0] != '<')
        return false;
    end = memchr(rest.text, '>', rest.length < TAG_MAX ? rest.length : TAG_MAX);
    if (!end || memchr(rest.text + 1, '<', (size_t)(end - rest.text) - 1))
        return false;
    reader->at += (size_t)(end - rest.text) + 1;
    return true;
}

static struct cJSON *number_list(const double *numbers, size_t count)
{
    struct cJSON *list = json_new_array();

    for (size_t i = 0; i < count; i++)
        json_add_number(list, NULL, numbers[i]);
    return list;
}

enum loose_value_result loose_value_read_tagged(
    struct loose_value_reader *reader, struct cJSON **value)
{
    size_t start = reader->at;
    double numbers[8];
    struct text_span inner;
    const char *end;
    size_t count;
    size_t bytes;

    if (is_closing_tag(reader) || !take_tag(reader))
        return LOOSE_VALUE_OTHER;
    /* A placeholder such as <index>, which the model did not fill in. */
    if (loose_value_one_of(loose_value_peek(reader, &bytes), ",)]}")) {
        *value = loose_value_new_string(
            loose_value_between(reader, start, reader->at));
        return LOOSE_VALUE_FOUND;
    }
    inner = loose_value_between(reader, reader->at, reader->in.length);
    end = memchr(inner.text, '<', inner.length);
    if (!end) {
        reader->at = start;
        return LOOSE_VALUE_TRUNCATED;
    }
    inner.length = (size_t)(end - inner.text);
    (void)parse_work_charge(reader->work, inner.length);
    reader->at += inner.length;
    if (!take_tag(reader)) {
        reader->at = start;
        return LOOSE_VALUE_OTHER;
    }
    count = loose_value_find_numbers(inner, reader->work, numbers,
                                     ARRAY_LEN(numbers));
    *value = count ? number_list(numbers, count)
                   : loose_value_new_string(text_span_trim(inner));
    return LOOSE_VALUE_FOUND;
}

bool loose_value_read_attributes(struct loose_value_reader *reader,
                                 struct cJSON **object)
{
    struct cJSON *members = json_new_object();
    struct cJSON *key = NULL;
    struct cJSON *value = NULL;
    size_t bytes;

    for (;;) {
        loose_value_skip_space(reader);
        if (!loose_value_take_key(reader, &key))
            break;
        if (!loose_value_closing_quote(loose_value_peek(reader, &bytes)) ||
            loose_value_string(reader, &value) != LOOSE_VALUE_FOUND) {
            cJSON_Delete(key);
            break;
        }
        loose_value_add_member(members, text_span_of(key->valuestring), value);
        cJSON_Delete(key);
    }
    if (!members->child) {
        cJSON_Delete(members);
        return false;
    }
    *object = members;
    return true;
}
