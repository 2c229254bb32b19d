#include "runner/reader.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "runner/reader_private.h"

#define DEPTH_MAX 32
#define VALUES_MAX 4096
#define TAG_MAX 32 /* bytes of "<|box_start|>" and its like */
#define KEY_MAX 64 /* bytes looked at to tell whether they are a key */

enum {
    IDEOGRAPHIC_SPACE = 0x3000,
    IDEOGRAPHIC_COMMA = 0x3001,
    LEFT_LENS = 0x3010, /* 【 */
    RIGHT_LENS = 0x3011,
    NO_BREAK_SPACE = 0xa0,
    FULL_WIDTH_FIRST = 0xff01, /* '!' */
    FULL_WIDTH_LAST = 0xff5e,  /* '~' */
    FULL_WIDTH_OFFSET = 0xff01 - '!',
};

/* ---- characters ---- */

void reader_init(struct reader *reader, struct span in)
{
    *reader = (struct reader){.in = in, .budget = VALUES_MAX};
}

/* What a character of other scripts stands for in a notation. */
static unsigned fold(uint32_t character)
{
    if (character >= FULL_WIDTH_FIRST && character <= FULL_WIDTH_LAST)
        return character - FULL_WIDTH_OFFSET;
    switch (character) {
    case IDEOGRAPHIC_SPACE:
    case NO_BREAK_SPACE:
        return ' ';
    case IDEOGRAPHIC_COMMA:
        return ',';
    case LEFT_LENS:
        return '[';
    case RIGHT_LENS:
        return ']';
    default:
        return character;
    }
}

unsigned reader_peek_at(const struct reader *reader, size_t at, size_t *bytes)
{
    *bytes = 0;
    if (at >= reader->in.length)
        return 0;
    return fold(
        utf8_decode(reader->in.text + at, reader->in.length - at, bytes));
}

unsigned reader_peek(const struct reader *reader, size_t *bytes)
{
    return reader_peek_at(reader, reader->at, bytes);
}

static bool is_space(unsigned character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

size_t reader_after_space(const struct reader *reader, size_t at)
{
    size_t bytes;

    while (is_space(reader_peek_at(reader, at, &bytes)))
        at += bytes;
    return at;
}

void reader_skip_space(struct reader *reader)
{
    reader->at = reader_after_space(reader, reader->at);
}

/* Go past this character, if it is the next. */
static bool take(struct reader *reader, unsigned character)
{
    size_t bytes;

    if (reader_peek(reader, &bytes) != character)
        return false;
    reader->at += bytes;
    return true;
}

bool reader_one_of(unsigned character, const char *set)
{
    return character && character < 128 && strchr(set, (int)character);
}

struct span span_text(const char *text)
{
    return (struct span){text, strlen(text)};
}

struct span span_trim(struct span span)
{
    while (span.length && is_space((unsigned char)span.text[0])) {
        span.text++;
        span.length--;
    }
    while (span.length && is_space((unsigned char)span.text[span.length - 1]))
        span.length--;
    return span;
}

struct span reader_between(const struct reader *reader, size_t from, size_t to)
{
    return (struct span){reader->in.text + from, to - from};
}

/* ---- making values ---- */

struct cJSON *reader_new_string(struct span span)
{
    struct buf repaired = BUF_INIT(4 * READER_STRING_MAX);
    struct cJSON *holder = json_new_array();
    struct cJSON *made;

    utf8_repair(span.text, span.length, &repaired);
    json_add_string(holder, NULL, buf_cstr(&repaired));
    made = cJSON_DetachItemFromArray(holder, 0);
    cJSON_Delete(holder);
    buf_release(&repaired);
    return made;
}

static void add_member(struct cJSON *object, struct span key,
                       struct cJSON *value)
{
    struct buf name = BUF_INIT(READER_STRING_MAX);

    utf8_repair(key.text, key.length, &name);
    cJSON_AddItemToObject(object, buf_cstr(&name), value);
    buf_release(&name);
}

/* ---- names and words ---- */

static bool is_name_start(unsigned character)
{
    return character == '_' || character >= 128 ||
           (character && isalpha((int)character));
}

static bool is_name_part(unsigned character)
{
    return is_name_start(character) || reader_one_of(character, "0123456789-.");
}

/* Quotes of other scripts and the like are letters to nobody. */
static bool is_mark(unsigned character)
{
    return (character >= 0x2010 && character <= 0x206f) ||
           (character >= IDEOGRAPHIC_SPACE && character <= 0x303f) ||
           character == UTF8_REPLACEMENT;
}

bool reader_name(struct reader *reader, struct span *name)
{
    size_t start = reader->at;
    size_t bytes;
    unsigned next = reader_peek(reader, &bytes);

    if (!is_name_start(next) || is_mark(next))
        return false;
    while (is_name_part(next) && !is_mark(next)) {
        reader->at += bytes;
        next = reader_peek(reader, &bytes);
    }
    while (reader_one_of((unsigned char)reader->in.text[reader->at - 1], "-."))
        reader->at--;
    *name = reader_between(reader, start, reader->at);
    return true;
}

static bool span_is(struct span span, const char *word)
{
    return span.length == strlen(word) && !memcmp(span.text, word, span.length);
}

/* A word left bare is a string, unless it is a constant's name. */
static struct cJSON *word_value(struct span word)
{
    if (span_is(word, "None") || span_is(word, "null") ||
        span_is(word, "none") || span_is(word, "nil"))
        return cJSON_CreateNull();
    if (span_is(word, "True") || span_is(word, "true"))
        return cJSON_CreateTrue();
    if (span_is(word, "False") || span_is(word, "false"))
        return cJSON_CreateFalse();
    return reader_new_string(word);
}

/* ---- numbers ---- */

/* A number's characters in ASCII; how many bytes of the text they take. */
static size_t number_text(const struct reader *reader, char *ascii, size_t size)
{
    size_t at = reader->at;
    size_t count = 0;
    bool digits = false;
    bool point = false;

    for (;;) {
        size_t bytes;
        unsigned next = reader_peek_at(reader, at, &bytes);
        bool digit = reader_one_of(next, "0123456789");

        if (!digit && !(count == 0 && reader_one_of(next, "+-")) &&
            !(next == '.' && !point))
            break;
        digits = digits || digit;
        point = point || next == '.';
        if (count + 1 == size)
            return 0;
        ascii[count++] = (char)next;
        at += bytes;
    }
    ascii[count] = '\0';
    return digits ? at - reader->at : 0;
}

/* "100px" is 100. */
static void skip_unit(struct reader *reader)
{
    struct reader ahead = *reader;
    struct span unit;

    if (reader_name(&ahead, &unit) && span_is(unit, "px"))
        *reader = ahead;
}

static bool take_number(struct reader *reader, double *number)
{
    char ascii[40];
    size_t bytes = number_text(reader, ascii, sizeof(ascii));

    if (!bytes)
        return false;
    *number = strtod(ascii, NULL);
    reader->at += bytes;
    skip_unit(reader);
    return true;
}

size_t reader_numbers(struct span in, double *numbers, size_t room)
{
    struct reader reader;
    size_t count = 0;
    bool in_word = false;

    reader_init(&reader, in);
    while (reader.at < in.length && count < room) {
        size_t bytes;
        unsigned next = reader_peek(&reader, &bytes);

        if (!in_word && take_number(&reader, &numbers[count])) {
            count++;
            continue;
        }
        in_word =
            is_name_part(next) && !reader_one_of(next, "-.") && !is_mark(next);
        reader.at += bytes;
    }
    return count;
}

/* ---- tags ---- */

/* "<point>" or "<|box_start|>" here? Go past it. */
static bool take_tag(struct reader *reader)
{
    struct span rest = reader_between(reader, reader->at, reader->in.length);
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

/* What stands between two tags: numbers, or a text. */
static enum reader_result read_tagged(struct reader *reader,
                                      struct cJSON **value)
{
    size_t start = reader->at;
    double numbers[8];
    struct span inner;
    const char *end;
    size_t count;

    if (!take_tag(reader))
        return READER_OTHER;
    inner = reader_between(reader, reader->at, reader->in.length);
    end = memchr(inner.text, '<', inner.length);
    if (!end) {
        reader->at = start;
        return READER_CUT;
    }
    inner.length = (size_t)(end - inner.text);
    reader->at += inner.length;
    if (!take_tag(reader)) {
        reader->at = start;
        return READER_OTHER;
    }
    count = reader_numbers(inner, numbers, ARRAY_LEN(numbers));
    *value = count ? number_list(numbers, count)
                   : reader_new_string(span_trim(inner));
    return READER_FOUND;
}

/* ---- lists, objects, calls ---- */

static bool is_separator(unsigned character)
{
    return character == ',' || character == ';';
}

/* Words left bare go on to what ends a value. */
static struct span take_words(struct reader *reader, const char *ends)
{
    size_t start = reader->at;
    size_t bytes;
    unsigned next;

    while ((next = reader_peek(reader, &bytes)) && !reader_one_of(next, ends))
        reader->at += bytes;
    return span_trim(reader_between(reader, start, reader->at));
}

/* A value, or the bare words up to one of ends. */
static enum reader_result read_item(struct reader *reader, const char *ends,
                                    struct cJSON **value)
{
    size_t start = reader->at;
    enum reader_result result = reader_value(reader, value);
    struct span words;
    size_t bytes;

    if (result == READER_CUT)
        return result;
    if (result == READER_FOUND) {
        reader_skip_space(reader);
        if (reader_one_of(reader_peek(reader, &bytes), ends) ||
            reader->at == reader->in.length)
            return result;
        cJSON_Delete(*value);
        *value = NULL;
        reader->at = start;
    }
    words = take_words(reader, ends);
    if (!words.length)
        return READER_OTHER;
    *value = word_value(words);
    return READER_FOUND;
}

/* "key:" or "key=", quoted or bare. Stays where it is if there is none. */
static bool take_key(struct reader *reader, struct cJSON **key)
{
    size_t start = reader->at;
    struct span name;
    size_t bytes;
    bool found = false;

    if (reader_closing_quote(reader_peek(reader, &bytes)))
        found = reader_string(reader, key) == READER_FOUND;
    else if (reader_name(reader, &name)) {
        *key = reader_new_string(name);
        found = true;
    }
    reader_skip_space(reader);
    if (found && (take(reader, ':') || take(reader, '=')))
        return true;
    if (found)
        cJSON_Delete(*key);
    *key = NULL;
    reader->at = start;
    return false;
}

/* Go past what closes a list, or be at the end that stands for it. */
static bool take_close(struct reader *reader, unsigned close)
{
    return take(reader, close) || reader->at == reader->in.length;
}

/* Items up to close, which is left: named ones into object, others to list. */
static enum reader_result read_items(struct reader *reader, unsigned close,
                                     struct cJSON *object, struct cJSON *list)
{
    static const char ends[] = ",;)]}";

    for (;;) {
        struct cJSON *value = NULL;
        struct cJSON *key = NULL;
        enum reader_result result;
        size_t bytes;

        reader_skip_space(reader);
        while (is_separator(reader_peek(reader, &bytes))) {
            reader->at += bytes;
            reader_skip_space(reader);
        }
        if (reader_peek(reader, &bytes) == close)
            return READER_FOUND;
        if (reader->at == reader->in.length)
            return reader->whole ? READER_FOUND : READER_CUT;
        if (reader_one_of(reader_peek(reader, &bytes), ")]}"))
            return READER_OTHER;
        (void)take_key(reader, &key);
        reader_skip_space(reader);
        result = read_item(reader, ends, &value);
        if (result == READER_FOUND && key) {
            add_member(object, span_text(key->valuestring), value);
        } else if (result == READER_FOUND) {
            cJSON_AddItemToArray(list, value);
        }
        cJSON_Delete(key);
        if (result == READER_CUT)
            return result;
    }
}

/* A list, unless its items have names. */
static enum reader_result read_list(struct reader *reader, unsigned close,
                                    struct cJSON **value)
{
    struct cJSON *object = json_new_object();
    struct cJSON *list = json_new_array();
    enum reader_result result = read_items(reader, close, object, list);
    bool named = object->child || close == '}';

    if (result != READER_FOUND) {
        cJSON_Delete(object);
        cJSON_Delete(list);
        return result;
    }
    cJSON_Delete(named ? list : object);
    *value = named ? object : list;
    return take_close(reader, close) ? READER_FOUND : READER_OTHER;
}

enum reader_result reader_call(struct reader *reader, struct span name,
                               struct cJSON **value)
{
    struct reader before = *reader;
    struct cJSON *call = json_new_object();
    struct cJSON *arguments = json_add_object(call, "arguments");
    struct cJSON *list = json_add_array(arguments, READER_UNNAMED);
    enum reader_result result = READER_OTHER;
    size_t start;

    if (take(reader, '(')) {
        start = reader->at;
        result = read_items(reader, ')', arguments, list);
        cJSON_AddItemToObject(call, "raw",
                              reader_new_string(span_trim(
                                  reader_between(reader, start, reader->at))));
    }
    if (result != READER_FOUND || !take_close(reader, ')')) {
        cJSON_Delete(call);
        if (result == READER_OTHER)
            *reader = before;
        return result;
    }
    cJSON_AddItemToObject(call, "name", reader_new_string(name));
    *value = call;
    return READER_FOUND;
}

static enum reader_result read_word(struct reader *reader, struct cJSON **value)
{
    struct span name;
    enum reader_result result;

    if (!reader_name(reader, &name))
        return READER_OTHER;
    result = reader_call(reader, name, value);
    if (result != READER_OTHER)
        return result;
    *value = word_value(name);
    return READER_FOUND;
}

static enum reader_result read_any(struct reader *reader, struct cJSON **value)
{
    size_t bytes;
    unsigned next = reader_peek(reader, &bytes);
    double number;

    if (reader_closing_quote(next))
        return reader_string(reader, value);
    if (take(reader, '['))
        return read_list(reader, ']', value);
    if (take(reader, '('))
        return read_list(reader, ')', value);
    if (take(reader, '{'))
        return read_list(reader, '}', value);
    if (next == '<')
        return read_tagged(reader, value);
    if (take_number(reader, &number)) {
        *value = cJSON_CreateNumber(number);
        return READER_FOUND;
    }
    return read_word(reader, value);
}

enum reader_result reader_value(struct reader *reader, struct cJSON **value)
{
    size_t start = reader->at;
    enum reader_result result;

    if (reader->depth == DEPTH_MAX || reader->budget == 0)
        return READER_CUT;
    reader->depth++;
    reader->budget--;
    reader_skip_space(reader);
    result = read_any(reader, value);
    reader->depth--;
    if (result == READER_OTHER)
        reader->at = start;
    return result;
}

/* ---- members without braces ---- */

/* Is a member over here? At a tab, a line's end, or a comma before a key. */
static bool member_ends(const struct reader *reader)
{
    size_t bytes;
    unsigned next = reader_peek(reader, &bytes);
    struct reader ahead = *reader;
    struct cJSON *key = NULL;
    bool ends;

    if (next != ',')
        return !next || reader_one_of(next, "\t\r\n");
    ahead.at = reader_after_space(reader, reader->at + bytes);
    if (ahead.in.length > ahead.at + KEY_MAX)
        ahead.in.length = ahead.at + KEY_MAX;
    ends = take_key(&ahead, &key);
    cJSON_Delete(key);
    return ends;
}

/* The value that stands here, or else the text up to the member's end. */
static struct cJSON *member_value(struct reader *reader)
{
    struct reader before = *reader;
    struct cJSON *value = NULL;
    size_t start;

    if (reader_value(reader, &value) == READER_FOUND) {
        if (member_ends(reader))
            return value;
        cJSON_Delete(value);
    }
    *reader = before;
    start = reader->at;
    while (!member_ends(reader)) {
        size_t bytes;

        (void)reader_peek(reader, &bytes);
        reader->at += bytes;
    }
    return reader_new_string(
        span_trim(reader_between(reader, start, reader->at)));
}

enum reader_result reader_members(struct reader *reader, struct cJSON **object)
{
    struct cJSON *members = json_new_object();
    struct cJSON *key = NULL;
    size_t bytes;

    for (;;) {
        while (is_space(reader_peek(reader, &bytes)) ||
               is_separator(reader_peek(reader, &bytes)))
            reader->at += bytes;
        if (reader->budget == 0 || !take_key(reader, &key))
            break;
        reader->budget--;
        while (reader_one_of(reader_peek(reader, &bytes), " "))
            reader->at += bytes;
        add_member(members, span_text(key->valuestring), member_value(reader));
        cJSON_Delete(key);
    }
    if (!members->child) {
        cJSON_Delete(members);
        return READER_OTHER;
    }
    *object = members;
    return READER_FOUND;
}
