/* Actions in a line of text, without the brackets of a call. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json_write.h"
#include "runner/parse/call_search.h"

/* TYPE [text]: whatever stands up to the line's last bracket. */
static bool try_bracketed(struct call_search *search,
                          const struct action_verb *verb)
{
    struct text_span line = call_search_line(search);
    const char *end = memrchr(line.text, ']', line.length);
    struct text_span inner;

    if (!call_search_charge(search, line.length) || !end || line.text[0] != '[')
        return false;
    inner = (struct text_span){line.text + 1, (size_t)(end - line.text) - 1};
    search->reader.at += (size_t)(end - line.text) + 1;
    return call_search_keep_verb(search, verb, NULL, inner);
}

/* CLICK <point>[[1, 2]]</point>, click [5], SCROLL [DOWN] */
bool call_search_try_operand(struct call_search *search,
                             const struct action_verb *verb)
{
    struct loose_value_reader before = search->reader;
    struct cJSON *value = NULL;
    enum loose_value_result result;

    search->attempts--;
    if (verb->form == ACTION_VERB_TEXT || verb->form == ACTION_VERB_WORDS)
        return try_bracketed(search, verb);
    result = loose_value_read(&search->reader, &value);
    if (result == LOOSE_VALUE_FOUND)
        return call_search_keep_verb(search, verb, value, text_span_of(""));
    search->cut = search->cut || result == LOOSE_VALUE_TRUNCATED;
    call_search_return(search, before);
    return false;
}

/* Only marks that end a sentence or wrap a word. */
static bool is_punctuation(struct text_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (!call_search_one_of(text.text[i], " \t\r.!#*`\"')]>"))
            return false;
    }
    return true;
}

/* "from (1, 2) to (3, 4)": no words but those between numbers. */
static bool joins_numbers(struct text_span text, struct parse_work *work)
{
    static const char *const words[] = {
        "from",        "to",       "at",       "and",    "on",
        "point",       "position", "location", "coords", "coordinate",
        "coordinates", "x",        "y"};
    struct loose_value_reader reader;
    struct text_span word;

    loose_value_init(&reader, text, work);
    while (reader.at < text.length) {
        size_t i = 0;
        size_t bytes;

        if (!loose_value_read_name(&reader, &word)) {
            (void)loose_value_peek(&reader, &bytes);
            reader.at += bytes;
            continue;
        }
        while (i < ARRAY_LEN(words) &&
               (word.length != strlen(words[i]) ||
                strncasecmp(word.text, words[i], word.length) != 0))
            i++;
        if (i == ARRAY_LEN(words))
            return false;
    }
    return true;
}

static struct cJSON *new_text(struct text_span text)
{
    struct buf copy = BUF_INIT(ACTION_CALL_KEY_SIZE);
    struct cJSON *made;

    buf_append(&copy, text.text, text.length);
    made = cJSON_CreateString(buf_cstr(&copy));
    buf_release(&copy);
    return made;
}

/* Its numbers as a list, or else its text. */
static struct cJSON *line_value(struct text_span line, struct parse_work *work)
{
    double numbers[8];
    size_t count =
        loose_value_find_numbers(line, work, numbers, ARRAY_LEN(numbers));
    struct cJSON *list = json_new_array();
    struct buf text = BUF_INIT(ACTION_CALL_KEY_SIZE);

    for (size_t i = 0; i < count; i++)
        json_add_number(list, NULL, numbers[i]);
    if (!count) {
        buf_append(&text, line.text, line.length);
        json_add_string(list, NULL, buf_cstr(&text));
        buf_release(&text);
    }
    return list;
}

/* type "hello" */
static bool keep_quoted(struct call_search *search,
                        const struct action_verb *verb, struct text_span line)
{
    struct cJSON *value = NULL;
    struct loose_value_reader reader;

    loose_value_init(&reader, line, search->reader.work);
    return loose_value_read(&reader, &value) == LOOSE_VALUE_FOUND &&
           call_search_keep_verb(search, verb, value, text_span_of(""));
}

/* Without this word at its start. */
static struct text_span after_word(struct text_span line, const char *word)
{
    size_t length = strlen(word);

    if (line.length > length && !strncasecmp(line.text, word, length)) {
        line.text += length;
        line.length -= length;
    }
    return line;
}

/* "the back button" is "back". */
static struct text_span bare_key(struct text_span line)
{
    static const char *const ends[] = {" button", " key"};

    line = after_word(line, "the ");
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        size_t length = strlen(ends[i]);

        if (line.length > length &&
            !strncasecmp(line.text + line.length - length, ends[i], length))
            line.length -= length;
    }
    return line;
}

/* Click on the "Search" button at (540, 600): the numbers that end a line. */
static struct text_span last_brackets(struct text_span line,
                                      struct parse_work *work)
{
    const char *open = memrchr(line.text, '(', line.length);
    struct text_span inner = {line.text, 0};
    double numbers[5];
    size_t count;

    if (!open || line.text[line.length - 1] != ')')
        return inner;
    inner = (struct text_span){open + 1,
                               (size_t)(line.text + line.length - open) - 2};
    count = loose_value_find_numbers(inner, work, numbers, ARRAY_LEN(numbers));
    if (call_search_has_letters(inner) || (count != 2 && count != 4))
        inner.length = 0;
    return inner;
}

/* The default target of a verb without brackets. */
static bool is_operand(const struct action_verb *verb, struct text_span line,
                       struct parse_work *work)
{
    enum action_direction direction;
    enum action_kind kind;
    double number;

    switch (verb->form) {
    case ACTION_VERB_PLAIN:
        line = after_word(line, "for ");
        return line.length &&
               loose_value_find_numbers(line, work, &number, 1) &&
               line.length < ACTION_CALL_KEY_SIZE &&
               isdigit((unsigned char)line.text[0]);
    case ACTION_VERB_KEY:
        return action_verb_key(bare_key(line), &kind);
    case ACTION_VERB_TEXT:
    case ACTION_VERB_WORDS:
    case ACTION_VERB_STATUS:
        return false;
    case ACTION_VERB_POINT:
    case ACTION_VERB_PATH:
    case ACTION_VERB_SCROLL:
    case ACTION_VERB_FIELD:
    case ACTION_VERB_GESTURE:
        break;
    }
    return action_verb_direction(line, &direction) ||
           (joins_numbers(line, work) &&
            loose_value_find_numbers(line, work, &number, 1));
}

/* "Type: hello", "open_app Clock": a text that nothing wraps. */
static bool try_plain_text(struct call_search *search,
                           const struct action_verb *verb, bool colon,
                           struct text_span line)
{
    struct text_span name = {search->reader.in.text + search->start,
                             search->reader.at - search->start};

    if (!search->marked || verb->form != ACTION_VERB_TEXT ||
        (!colon && !memchr(name.text, '_', name.length)))
        return false;
    return call_search_keep_verb(search, verb, NULL, line);
}

/* "Action Input: {...}" on the line below holds what the verb takes. */
static bool try_input(struct call_search *search,
                      const struct action_verb *verb)
{
    static const char *const names[] = {
        "Action Input:", "Input:", "Arguments:", "Parameters:", "Args:"};
    struct call_search below = *search;
    struct cJSON *value = NULL;
    struct text_span line;
    size_t i = 0;

    below.reader.at += call_search_line(search).length;
    loose_value_skip_space(&below.reader);
    line = call_search_line(&below);
    while (i < ARRAY_LEN(names) &&
           (line.length < strlen(names[i]) ||
            strncasecmp(line.text, names[i], strlen(names[i])) != 0))
        i++;
    if (i == ARRAY_LEN(names))
        return false;
    below.reader.at += strlen(names[i]);
    line = text_span_trim(call_search_line(&below));
    search->reader.at = below.reader.at;
    if (call_search_takes_text(verb) &&
        (!line.length || !call_search_one_of(line.text[0], "{\"'")))
        return call_search_keep_verb(search, verb, NULL, line);
    if (loose_value_read(&below.reader, &value) != LOOSE_VALUE_FOUND)
        return false;
    search->reader.at = below.reader.at;
    return cJSON_IsObject(value)
               ? call_search_keep_arguments(search, verb, value)
               : call_search_keep_verb(search, verb, value, line);
}

/* A line that has only a verb: Back; scroll down; tap 100, 200. */
bool call_search_try_line(struct call_search *search,
                          const struct action_verb *verb)
{
    struct parse_work *work = search->reader.work;
    struct text_span line = call_search_line(search);
    bool colon;

    if (!call_search_begins_line(search) ||
        !call_search_charge(search, line.length))
        return false;
    line = text_span_trim(line);
    if (is_punctuation(line))
        return try_input(search, verb) ||
               call_search_keep_verb(search, verb, NULL, text_span_of(""));
    colon = line.text[0] == ':';
    if (colon)
        line =
            text_span_trim((struct text_span){line.text + 1, line.length - 1});
    if (!line.length)
        return false;
    if (verb->form == ACTION_VERB_TEXT &&
        call_search_one_of(line.text[0], "\"'"))
        return keep_quoted(search, verb, line);
    if (try_plain_text(search, verb, colon, line))
        return true;
    while (line.length && call_search_one_of(line.text[line.length - 1], ".!"))
        line.length--;
    if (line.length && search->marked && verb->form == ACTION_VERB_POINT &&
        last_brackets(line, work).length)
        line = last_brackets(line, work);
    if (!line.length || !is_operand(verb, line, work))
        return false;
    line = verb->form == ACTION_VERB_KEY ? bare_key(line)
                                         : after_word(line, "for ");
    if (verb->form == ACTION_VERB_PLAIN || verb->form == ACTION_VERB_KEY)
        return call_search_keep_verb(search, verb, new_text(line), line);
    return call_search_keep_operands(search, verb, line_value(line, work),
                                     line);
}
