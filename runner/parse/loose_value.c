#include "runner/parse/loose_value.h"

#include <string.h>

#include "base/buf.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "runner/parse/loose_value_private.h"

#define DEPTH_MAX 32
#define VALUES_MAX 65536
#define BRACKETS_MAX 4096 /* bytes of bare words with brackets among them */

void loose_value_init(struct loose_value_reader *reader, struct text_span in,
                      struct parse_work *work)
{
    *reader = (struct loose_value_reader){
        .in = in, .budget = VALUES_MAX, .work = work};
}

/* ---- new values ---- */

struct cJSON *loose_value_new_string(struct text_span span)
{
    struct buf repaired = BUF_INIT(4 * LOOSE_VALUE_STRING_MAX);
    struct cJSON *holder = json_new_array();
    struct cJSON *made;

    utf8_repair(span.text, span.length, &repaired);
    json_add_string(holder, NULL, buf_cstr(&repaired));
    made = cJSON_DetachItemFromArray(holder, 0);
    cJSON_Delete(holder);
    buf_release(&repaired);
    return made;
}

void loose_value_add_member(struct cJSON *object, struct text_span key,
                            struct cJSON *value)
{
    struct buf name = BUF_INIT(LOOSE_VALUE_STRING_MAX);

    utf8_repair(key.text, key.length, &name);
    cJSON_AddItemToObject(object, buf_cstr(&name), value);
    buf_release(&name);
}

static bool span_is(struct text_span span, const char *word)
{
    return span.length == strlen(word) && !memcmp(span.text, word, span.length);
}

/* A word left bare is a string, unless it is a constant's name. */
static struct cJSON *word_value(struct text_span word)
{
    if (span_is(word, "None") || span_is(word, "null") ||
        span_is(word, "none") || span_is(word, "nil"))
        return cJSON_CreateNull();
    if (span_is(word, "True") || span_is(word, "true"))
        return cJSON_CreateTrue();
    if (span_is(word, "False") || span_is(word, "false"))
        return cJSON_CreateFalse();
    return loose_value_new_string(word);
}

/* ---- keys and bare words ---- */

bool loose_value_take_key(struct loose_value_reader *reader, struct cJSON **key)
{
    size_t start = reader->at;
    struct text_span name;
    size_t bytes;
    bool found = false;

    if (loose_value_closing_quote(loose_value_peek(reader, &bytes)))
        found = loose_value_string(reader, key) == LOOSE_VALUE_FOUND;
    else if (loose_value_read_name(reader, &name)) {
        *key = loose_value_new_string(name);
        found = true;
    }
    loose_value_skip_space(reader);
    if (found &&
        (loose_value_take(reader, ':') || loose_value_take(reader, '=')))
        return true;
    if (found)
        cJSON_Delete(*key);
    *key = NULL;
    reader->at = start;
    return false;
}

/* A quoted key here, before which a comma was forgotten. */
static bool key_begins(const struct loose_value_reader *reader)
{
    struct loose_value_reader ahead = *reader;
    struct cJSON *key = NULL;
    size_t bytes;
    bool begins;

    if (!loose_value_closing_quote(loose_value_peek(reader, &bytes)))
        return false;
    if (ahead.in.length > ahead.at + LOOSE_VALUE_KEY_MAX)
        ahead.in.length = ahead.at + LOOSE_VALUE_KEY_MAX;
    begins = loose_value_take_key(&ahead, &key);
    cJSON_Delete(key);
    return begins;
}

/*
 * Skip unquoted words; text in brackets belongs to them. False if a bracket is
 * not closed: as in ":(", it is only a character then.
 */
static bool skip_words(struct loose_value_reader *reader, const char *ends,
                       bool brackets)
{
    size_t limit = reader->at + BRACKETS_MAX;
    int depth = 0;
    size_t bytes;
    unsigned next;

    while ((next = loose_value_peek(reader, &bytes)) &&
           (depth > 0 || !loose_value_one_of(next, ends))) {
        if (depth > 0 && reader->at > limit)
            return false;
        if (brackets && loose_value_one_of(next, "([{"))
            depth++;
        else if (depth > 0 && loose_value_one_of(next, ")]}"))
            depth--;
        reader->at += bytes;
    }
    return depth == 0;
}

/* Words left bare go on to what ends a value. */
static struct text_span take_words(struct loose_value_reader *reader,
                                   const char *ends)
{
    size_t start = reader->at;

    if (!skip_words(reader, ends, true)) {
        reader->at = start;
        (void)skip_words(reader, ends, false);
    }
    return text_span_trim(loose_value_between(reader, start, reader->at));
}

/* ---- lists, objects, calls ---- */

/* A value, or the bare words up to one of ends. */
static enum loose_value_result read_item(struct loose_value_reader *reader,
                                         const char *ends, struct cJSON **value)
{
    size_t start = reader->at;
    enum loose_value_result result = loose_value_read(reader, value);
    struct text_span words;
    size_t bytes;

    if (result == LOOSE_VALUE_TRUNCATED)
        return result;
    if (result == LOOSE_VALUE_FOUND) {
        loose_value_skip_space(reader);
        if (loose_value_one_of(loose_value_peek(reader, &bytes), ends) ||
            reader->at == reader->in.length || key_begins(reader))
            return result;
        cJSON_Delete(*value);
        *value = NULL;
        reader->at = start;
    }
    words = take_words(reader, ends);
    if (!words.length)
        return LOOSE_VALUE_OTHER;
    *value = word_value(words);
    return LOOSE_VALUE_FOUND;
}

/* Skip the closing bracket of a list; the end of the text closes it, too. */
static bool take_close(struct loose_value_reader *reader, unsigned close)
{
    return loose_value_take(reader, close) || reader->at == reader->in.length;
}

/* Items up to close, which is left: named ones into object, others to list. */
static enum loose_value_result read_items(struct loose_value_reader *reader,
                                          unsigned close, struct cJSON *object,
                                          struct cJSON *list)
{
    static const char ends[] = ",;)]}";

    for (;;) {
        struct cJSON *value = NULL;
        struct cJSON *key = NULL;
        enum loose_value_result result;
        size_t bytes;

        loose_value_skip_space(reader);
        while (loose_value_is_separator(loose_value_peek(reader, &bytes))) {
            reader->at += bytes;
            loose_value_skip_space(reader);
        }
        if (loose_value_peek(reader, &bytes) == close)
            return LOOSE_VALUE_FOUND;
        if (reader->at == reader->in.length)
            return reader->whole ? LOOSE_VALUE_FOUND : LOOSE_VALUE_TRUNCATED;
        if (loose_value_one_of(loose_value_peek(reader, &bytes), ")]}"))
            return LOOSE_VALUE_OTHER;
        (void)!loose_value_take_key(reader, &key);
        loose_value_skip_space(reader);
        result = read_item(reader, ends, &value);
        if (result == LOOSE_VALUE_FOUND && key) {
            loose_value_add_member(object, text_span_of(key->valuestring),
                                   value);
        } else if (result == LOOSE_VALUE_FOUND) {
            cJSON_AddItemToArray(list, value);
        }
        cJSON_Delete(key);
        if (result == LOOSE_VALUE_TRUNCATED)
            return result;
    }
}

/* A list, unless its items have names. */
static enum loose_value_result read_list(struct loose_value_reader *reader,
                                         unsigned close, struct cJSON **value)
{
    struct cJSON *object = json_new_object();
    struct cJSON *list = json_new_array();
    enum loose_value_result result = read_items(reader, close, object, list);
    bool named = object->child || (close == '}' && !list->child);

    if (result != LOOSE_VALUE_FOUND) {
        cJSON_Delete(object);
        cJSON_Delete(list);
        return result;
    }
    cJSON_Delete(named ? list : object);
    *value = named ? object : list;
    return take_close(reader, close) ? LOOSE_VALUE_FOUND : LOOSE_VALUE_OTHER;
}

enum loose_value_result loose_value_read_call(struct loose_value_reader *reader,
                                              struct text_span name,
                                              struct cJSON **value)
{
    struct loose_value_reader before = *reader;
    struct cJSON *call = json_new_object();
    struct cJSON *arguments = json_add_object(call, "arguments");
    struct cJSON *list = json_add_array(arguments, LOOSE_VALUE_UNNAMED);
    enum loose_value_result result = LOOSE_VALUE_OTHER;
    size_t start;

    if (loose_value_take(reader, '(')) {
        start = reader->at;
        result = read_items(reader, ')', arguments, list);
        cJSON_AddItemToObject(
            call, "raw",
            loose_value_new_string(text_span_trim(
                loose_value_between(reader, start, reader->at))));
    }
    if (result != LOOSE_VALUE_FOUND || !take_close(reader, ')')) {
        cJSON_Delete(call);
        if (result == LOOSE_VALUE_OTHER)
            *reader = before;
        return result;
    }
    cJSON_AddItemToObject(call, "name", loose_value_new_string(name));
    *value = call;
    return LOOSE_VALUE_FOUND;
}

/* ---- any value ---- */

static enum loose_value_result read_word(struct loose_value_reader *reader,
                                         struct cJSON **value)
{
    struct text_span name;
    enum loose_value_result result;

    if (!loose_value_read_name(reader, &name))
        return LOOSE_VALUE_OTHER;
    result = loose_value_read_call(reader, name, value);
    if (result != LOOSE_VALUE_OTHER)
        return result;
    *value = word_value(name);
    return LOOSE_VALUE_FOUND;
}

static enum loose_value_result read_any(struct loose_value_reader *reader,
                                        struct cJSON **value)
{
    size_t bytes;
    unsigned next = loose_value_peek(reader, &bytes);
    double number;

    if (loose_value_closing_quote(next))
        return loose_value_string(reader, value);
    if (loose_value_take(reader, '['))
        return read_list(reader, ']', value);
    if (loose_value_take(reader, '('))
        return read_list(reader, ')', value);
    if (loose_value_take(reader, '{'))
        return read_list(reader, '}', value);
    if (next == '<')
        return loose_value_read_tagged(reader, value);
    if (loose_value_take_number(reader, &number)) {
        *value = cJSON_CreateNumber(number);
        return LOOSE_VALUE_FOUND;
    }
    return read_word(reader, value);
}

enum loose_value_result loose_value_read(struct loose_value_reader *reader,
                                         struct cJSON **value)
{
    size_t start = reader->at;
    enum loose_value_result result;

    if (reader->depth == DEPTH_MAX || reader->budget == 0 ||
        parse_work_is_over(reader->work))
        return LOOSE_VALUE_TRUNCATED;
    reader->depth++;
    reader->budget--;
    loose_value_skip_space(reader);
    result = read_any(reader, value);
    reader->depth--;
    if (result == LOOSE_VALUE_OTHER)
        reader->at = start;
    return result;
}
