/* Members without braces: "key: value", separated by commas, tabs or lines. */
#include <string.h>

#include "base/json_write.h"
#include "runner/parse/loose_value_private.h"

/* The line that members stand on. */
struct member_line {
    size_t end;
    size_t last_tab; /* 0: none */
};

static void find_line(const struct loose_value_reader *reader,
                      struct member_line *line)
{
    struct text_span rest =
        loose_value_between(reader, reader->at, reader->in.length);
    const char *end = memchr(rest.text, '\n', rest.length);
    const char *tab;

    if (end)
        rest.length = (size_t)(end - rest.text);
    (void)parse_work_charge(reader->work, rest.length);
    tab = memrchr(rest.text, '\t', rest.length);
    *line = (struct member_line){.end = reader->at + rest.length,
                                 .last_tab =
                                     tab ? (size_t)(tab - reader->in.text) : 0};
}

/* Do tabs separate the members on the rest of the line? Then commas do not. */
static bool has_tabs(const struct loose_value_reader *reader,
                     struct member_line *line)
{
    if (reader->at >= line->end)
        find_line(reader, line);
    return line->last_tab && line->last_tab >= reader->at;
}

/* Is a member over here? At a tab, a line's end, or a comma before a key. */
static bool member_ends(const struct loose_value_reader *reader, bool tabs)
{
    size_t bytes;
    unsigned next = loose_value_peek(reader, &bytes);
    struct loose_value_reader ahead = *reader;
    struct cJSON *key = NULL;
    bool ends;

    if (next != ',' || tabs)
        return !next || loose_value_one_of(next, "\t\r\n");
    ahead.at = loose_value_after_space(reader, reader->at + bytes);
    if (ahead.in.length > ahead.at + LOOSE_VALUE_KEY_MAX)
        ahead.in.length = ahead.at + LOOSE_VALUE_KEY_MAX;
    ends = loose_value_take_key(&ahead, &key);
    cJSON_Delete(key);
    return ends;
}

/* The next value, or else the text up to the member's end. */
static struct cJSON *member_value(struct loose_value_reader *reader,
                                  struct member_line *line)
{
    struct loose_value_reader before = *reader;
    bool tabs = has_tabs(reader, line);
    struct cJSON *value = NULL;
    size_t start;

    if (loose_value_read(reader, &value) == LOOSE_VALUE_FOUND) {
        if (member_ends(reader, tabs))
            return value;
        cJSON_Delete(value);
    }
    *reader = before;
    start = reader->at;
    while (!member_ends(reader, tabs)) {
        size_t bytes;

        (void)loose_value_peek(reader, &bytes);
        reader->at += bytes;
    }
    return loose_value_new_string(
        text_span_trim(loose_value_between(reader, start, reader->at)));
}

/* "- key: value" in a list. */
static bool is_bullet(const struct loose_value_reader *reader)
{
    size_t bytes;

    return loose_value_one_of(loose_value_peek(reader, &bytes), "-*") &&
           loose_value_peek_at(reader, reader->at + bytes, &bytes) == ' ';
}

enum loose_value_result loose_value_read_members(
    struct loose_value_reader *reader, struct cJSON **object)
{
    struct cJSON *members = json_new_object();
    struct member_line line = {0};
    struct cJSON *key = NULL;
    size_t bytes;

    for (;;) {
        while (loose_value_is_space(loose_value_peek(reader, &bytes)) ||
               loose_value_is_separator(loose_value_peek(reader, &bytes)) ||
               is_bullet(reader))
            reader->at += bytes;
        if (reader->budget == 0 || !loose_value_take_key(reader, &key))
            break;
        reader->budget--;
        while (loose_value_one_of(loose_value_peek(reader, &bytes), " "))
            reader->at += bytes;
        loose_value_add_member(members, text_span_of(key->valuestring),
                               member_value(reader, &line));
        cJSON_Delete(key);
    }
    if (!members->child) {
        cJSON_Delete(members);
        return LOOSE_VALUE_OTHER;
    }
    *object = members;
    return LOOSE_VALUE_FOUND;
}
