/* The value in a text, in whatever notation it stands. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/json_write.h"
#include "base/text.h"
#include "runner/said.h"
#include "runner/said_private.h"

#define NAME_SIZE SAID_KEY_SIZE
#define ATTEMPTS_MAX 512 /* places where reading a value is tried */

struct search {
    struct reader reader;
    bool strict;
    int attempts; /* left */
    struct said *said;
    char *unknown;
    bool found;
    bool cut; /* the text ends in the middle of what comes last */
};

static bool is_one_of(char byte, const char *set)
{
    return byte && strchr(set, byte);
}

/* The value is somebody's deed now, or freed. */
static bool keep(struct search *search, struct cJSON *value)
{
    struct said said = {.value = value};

    if (!said_look(value, search->strict, &said, search->unknown)) {
        cJSON_Delete(value);
        return false;
    }
    said_release(search->said);
    *search->said = said;
    search->found = true;
    search->unknown[0] = '\0';
    return true;
}

static void skip_character(struct search *search)
{
    size_t bytes;

    (void)reader_peek(&search->reader, &bytes);
    search->reader.at += bytes;
}

static struct span rest_of(const struct search *search)
{
    return (struct span){search->reader.in.text + search->reader.at,
                         search->reader.in.length - search->reader.at};
}

static struct span rest_of_line(const struct search *search)
{
    struct span rest = rest_of(search);
    const char *end = memchr(rest.text, '\n', rest.length);

    if (end)
        rest.length = (size_t)(end - rest.text);
    return rest;
}

/* At a bracket: JSON, a Python literal, or nothing of interest. */
static void try_value(struct search *search, unsigned bracket)
{
    struct reader before = search->reader;
    struct cJSON *value = NULL;
    enum reader_result result = reader_value(&search->reader, &value);

    if (result == READER_FOUND &&
        (keep(search, value) || (bracket == '{' && search->unknown[0])))
        return;
    search->reader = before;
    if (result == READER_CUT && bracket == '{') {
        search->cut = true;
        search->reader.at = search->reader.in.length;
        return;
    }
    skip_character(search);
}

/* ---- <invoke name="tap"><parameter name="x">1</parameter></invoke> ---- */

static const char *const call_tags[] = {"<invoke name=", "<function="};
static const char *const parameter_tags[] = {"<parameter name=", "<parameter="};

static size_t prefix_length(struct span text, const char *const tags[2])
{
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(tags[i]);

        if (text.length > length && !memcmp(text.text, tags[i], length))
            return length;
    }
    return 0;
}

/* After the prefix: the name, and past the '>'. */
static bool take_tag_name(struct reader *reader, size_t prefix,
                          struct span *name)
{
    const char *start = reader->in.text + reader->at + prefix;
    size_t room = reader->in.length - reader->at - prefix;
    const char *end = memchr(start, '>', room < NAME_SIZE ? room : NAME_SIZE);

    if (!end)
        return false;
    reader->at += prefix + (size_t)(end - start) + 1;
    *name = (struct span){start, (size_t)(end - start)};
    while (name->length && is_one_of(name->text[0], "\"' ")) {
        name->text++;
        name->length--;
    }
    while (name->length && is_one_of(name->text[name->length - 1], "\"' /"))
        name->length--;
    return name->length > 0;
}

static void add_text(struct cJSON *object, struct span key, struct span value)
{
    static const struct {
        const char *entity;
        char means;
    } entities[] = {{"&lt;", '<'},    {"&gt;", '>'},   {"&quot;", '"'},
                    {"&apos;", '\''}, {"&#39;", '\''}, {"&amp;", '&'}};
    char name[NAME_SIZE];
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);
    size_t at = 0;

    while (at < value.length) {
        size_t i = 0;
        size_t length = 0;

        for (; i < ARRAY_LEN(entities); i++) {
            length = strlen(entities[i].entity);
            if (value.length - at >= length &&
                !memcmp(value.text + at, entities[i].entity, length))
                break;
        }
        if (i < ARRAY_LEN(entities)) {
            buf_byte(&text, entities[i].means);
            at += length;
        } else {
            buf_byte(&text, value.text[at++]);
        }
    }
    text_copy_clean(name, sizeof(name), key.text, key.length);
    json_add_string(object, name, buf_cstr(&text));
    buf_release(&text);
}

/* The parameters of a call in tags. False when one of them is cut off. */
static bool take_parameters(struct search *search, struct cJSON *arguments)
{
    static const char close[] = "</parameter>";

    for (;;) {
        struct span rest;
        struct span name;
        const char *end;
        size_t prefix;

        reader_skip_space(&search->reader);
        prefix = prefix_length(rest_of(search), parameter_tags);
        if (!prefix)
            return true;
        if (!take_tag_name(&search->reader, prefix, &name))
            return false;
        rest = rest_of(search);
        end = memmem(rest.text, rest.length, close, sizeof(close) - 1);
        if (!end)
            return false;
        rest.length = (size_t)(end - rest.text);
        add_text(arguments, name, span_trim(rest));
        search->reader.at += rest.length + sizeof(close) - 1;
    }
}

/* The names in other tags are no verbs. */
static void skip_tag(struct search *search)
{
    struct span rest = rest_of(search);
    const char *end = memchr(rest.text, '>',
                             rest.length < NAME_SIZE ? rest.length : NAME_SIZE);

    if (end)
        search->reader.at += (size_t)(end - rest.text) + 1;
    else
        skip_character(search);
}

static void try_tag(struct search *search)
{
    size_t prefix = prefix_length(rest_of(search), call_tags);
    struct cJSON *call;
    struct cJSON *arguments;
    struct span name;

    if (!prefix || !take_tag_name(&search->reader, prefix, &name)) {
        skip_tag(search);
        return;
    }
    call = json_new_object();
    add_text(call, span_text("name"), name);
    arguments = json_add_object(call, "arguments");
    if (!take_parameters(search, arguments)) {
        cJSON_Delete(call);
        search->cut = true;
        search->reader.at = search->reader.in.length;
        return;
    }
    (void)keep(search, call);
}

/* ---- a verb in the text ---- */

/* {"name": verb, "arguments": {"": [value]}, "raw": raw}; value is owned. */
static bool keep_verb(struct search *search, const struct verb *verb,
                      struct cJSON *value, struct span raw)
{
    struct cJSON *call = json_new_object();
    struct cJSON *arguments = json_add_object(call, "arguments");
    struct cJSON *list = json_add_array(arguments, READER_UNNAMED);

    json_add_string(call, "name", verb->name);
    add_text(call, span_text("raw"), raw);
    if (value)
        cJSON_AddItemToArray(list, value);
    return keep(search, call);
}

/* TYPE [text]: whatever stands up to the line's last bracket. */
static bool try_bracketed(struct search *search, const struct verb *verb)
{
    struct span line = rest_of_line(search);
    const char *end = memrchr(line.text, ']', line.length);
    struct span inner;

    if (!end || line.text[0] != '[')
        return false;
    inner = (struct span){line.text + 1, (size_t)(end - line.text) - 1};
    search->reader.at += (size_t)(end - line.text) + 1;
    return keep_verb(search, verb, NULL, inner);
}

/* CLICK <point>[[1, 2]]</point>, click [5], SCROLL [DOWN] */
static bool try_operand(struct search *search, const struct verb *verb)
{
    struct reader before = search->reader;
    struct cJSON *value = NULL;
    enum reader_result result;

    search->attempts--;
    if (verb->form == VERB_TEXT || verb->form == VERB_WORDS)
        return try_bracketed(search, verb);
    result = reader_value(&search->reader, &value);
    if (result == READER_FOUND)
        return keep_verb(search, verb, value, span_text(""));
    search->cut = search->cut || result == READER_CUT;
    search->reader = before;
    return false;
}

/* Only marks that end a sentence or wrap a word. */
static bool is_punctuation(struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (!is_one_of(text.text[i], " \t\r.!#*`\"')]>"))
            return false;
    }
    return true;
}

static bool has_letters(struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (isalpha((unsigned char)text.text[i]) ||
            (unsigned char)text.text[i] >= 0x80)
            return true;
    }
    return false;
}

/* "from (1, 2) to (3, 4)": no words but those between numbers. */
static bool joins_numbers(struct span text)
{
    static const char *const words[] = {"from", "to", "at", "and", "point"};
    struct reader reader;
    struct span word;

    reader_init(&reader, text);
    while (reader.at < text.length) {
        size_t i = 0;
        size_t bytes;

        if (!reader_name(&reader, &word)) {
            (void)reader_peek(&reader, &bytes);
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

/* Its numbers as a list, or else its text. */
static struct cJSON *line_value(struct span line)
{
    double numbers[8];
    size_t count = reader_numbers(line, numbers, ARRAY_LEN(numbers));
    struct cJSON *list = json_new_array();
    struct buf text = BUF_INIT(NAME_SIZE);

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
static bool keep_quoted(struct search *search, const struct verb *verb,
                        struct span line)
{
    struct cJSON *value = NULL;
    struct reader reader;

    reader_init(&reader, line);
    return reader_value(&reader, &value) == READER_FOUND &&
           keep_verb(search, verb, value, span_text(""));
}

/* A line that is nothing but a verb: Back; scroll down; tap 100, 200. */
static bool try_line(struct search *search, const struct verb *verb)
{
    struct span line = span_trim(rest_of_line(search));
    enum action_direction direction;
    double number;

    if (is_punctuation(line))
        return keep_verb(search, verb, NULL, span_text(""));
    if (line.text[0] == ':')
        line = span_trim((struct span){line.text + 1, line.length - 1});
    if (!line.length)
        return false;
    while (line.length && is_one_of(line.text[line.length - 1], ".!"))
        line.length--;
    if (verb->form == VERB_TEXT && is_one_of(line.text[0], "\"'"))
        return keep_quoted(search, verb, line);
    if (!verb_direction(line, &direction) &&
        (!joins_numbers(line) || !reader_numbers(line, &number, 1)))
        return false;
    return keep_verb(search, verb, line_value(line), line);
}

static size_t line_start(const struct search *search, size_t at)
{
    const char *text = search->reader.in.text;

    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

/* "action: CLICK", among other members on the same or other lines. */
static bool try_members(struct search *search, size_t name_at)
{
    struct reader before = search->reader;
    struct cJSON *object = NULL;

    search->attempts--;
    search->reader.at = line_start(search, name_at);
    if (reader_members(&search->reader, &object) == READER_FOUND) {
        /* Members that end before the action's are others' business. */
        if (search->reader.at <= before.at)
            cJSON_Delete(object);
        else if (keep(search, object))
            return true;
    }
    search->reader = before;
    return false;
}

/* One or two words that name a verb; the reader is after them then. */
static const struct verb *take_verb(struct search *search, struct span name)
{
    struct reader before = search->reader;
    const char *start = name.text;
    struct span second;
    const struct verb *verb;

    if (search->reader.at < search->reader.in.length &&
        search->reader.in.text[search->reader.at] == ' ') {
        search->reader.at++;
        if (reader_name(&search->reader, &second)) {
            verb = verb_find((struct span){
                start, (size_t)(second.text + second.length - start)});
            if (verb)
                return verb;
        }
    }
    search->reader = before;
    return verb_find(name);
}

static bool is_action_key(struct span name)
{
    char key[NAME_SIZE];

    verb_normalise(name, key, sizeof(key));
    return !strcmp(key, "action") || !strcmp(key, "actiontype");
}

static void try_call(struct search *search, struct span name,
                     const struct verb *verb)
{
    struct reader before = search->reader;
    struct cJSON *call = NULL;
    enum reader_result result = reader_call(&search->reader, name, &call);

    search->attempts--;
    if (result == READER_FOUND && keep(search, call))
        return;
    search->reader = before;
    if (result == READER_FOUND && search->strict && !search->unknown[0])
        text_copy_clean(search->unknown, SAID_NAME_SIZE, name.text,
                        name.length);
    if (result == READER_CUT && (verb || is_action_key(name))) {
        search->cut = true;
        search->reader.at = search->reader.in.length;
    }
}

/* 'action': 'wait' without braces. */
static void skip_quote(struct search *search)
{
    struct span rest = rest_of(search);

    if (rest.length && is_one_of(rest.text[0], "\"'"))
        search->reader.at++;
}

static void try_name(struct search *search)
{
    size_t start = search->reader.at;
    struct span name;
    const struct verb *verb;
    size_t after;
    size_t bytes;
    unsigned next;

    if (!reader_name(&search->reader, &name)) {
        skip_character(search);
        return;
    }
    verb = take_verb(search, name);
    after = search->reader.at;
    name.length = after - start;
    if (is_action_key(name))
        skip_quote(search);
    reader_skip_space(&search->reader);
    next = reader_peek(&search->reader, &bytes);
    if (next == '(')
        try_call(search, name, verb);
    else if ((next == ':' && is_action_key(name) &&
              try_members(search, start)) ||
             (verb && (next == '[' || next == '<') &&
              try_operand(search, verb)))
        return;
    else {
        search->reader.at = after;
        if (verb && search->strict && try_line(search, verb))
            search->reader.at += rest_of_line(search).length;
    }
    if (search->reader.at < after)
        search->reader.at = after;
}

static void step(struct search *search)
{
    size_t bytes;
    unsigned next = reader_peek(&search->reader, &bytes);

    if (next == '{' || next == '[') {
        search->attempts--;
        try_value(search, next);
    } else if (next == '<') {
        try_tag(search);
    } else {
        try_name(search);
    }
}

/* (576,12),(592,42) and nothing else. */
static void try_place(struct search *search)
{
    struct span text = search->reader.in;
    double numbers[4];
    struct cJSON *list;
    size_t count = reader_numbers(text, numbers, ARRAY_LEN(numbers));

    if (has_letters(text) || (count != 2 && count != 4))
        return;
    list = json_new_array();
    for (size_t i = 0; i < count; i++)
        json_add_number(list, NULL, numbers[i]);
    (void)keep(search, list);
}

enum said_result said_find(struct span text, struct said_view view,
                           struct said *said, char unknown[SAID_NAME_SIZE])
{
    struct said last = {.value = NULL};
    struct search search = {.strict = view.strict,
                            .attempts = ATTEMPTS_MAX,
                            .said = &last,
                            .unknown = unknown};

    unknown[0] = '\0';
    reader_init(&search.reader, text);
    search.reader.whole = view.whole;
    while (search.reader.at < text.length && search.attempts > 0 &&
           !(view.first && search.found))
        step(&search);
    if (view.strict && !search.found && !search.cut)
        try_place(&search);
    if (search.cut) {
        said_release(&last);
        return SAID_CUT;
    }
    if (!search.found)
        return unknown[0] ? SAID_UNKNOWN : SAID_NOTHING;
    *said = last;
    return SAID_FOUND;
}
