/* Calls that a model writes as tags. */
#include <string.h>

#include "base/json_write.h"
#include "runner/parse/call_search.h"

/* ---- <invoke name="tap"><parameter name="x">1</parameter></invoke> ---- */

static const char *const call_tags[] = {"<invoke name=", "<function="};
static const char *const parameter_tags[] = {"<parameter name=", "<parameter="};

static size_t prefix_length(struct text_span text, const char *const tags[2])
{
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(tags[i]);

        if (text.length > length && !memcmp(text.text, tags[i], length))
            return length;
    }
    return 0;
}

/* After the prefix: the name, and past the '>'. */
static bool take_tag_name(struct loose_value_reader *reader, size_t prefix,
                          struct text_span *name)
{
    const char *start = reader->in.text + reader->at + prefix;
    size_t room = reader->in.length - reader->at - prefix;
    const char *end = memchr(
        start, '>', room < ACTION_CALL_KEY_SIZE ? room : ACTION_CALL_KEY_SIZE);

    if (!end)
        return false;
    reader->at += prefix + (size_t)(end - start) + 1;
    *name = (struct text_span){start, (size_t)(end - start)};
    while (name->length && call_search_one_of(name->text[0], "\"' ")) {
        name->text++;
        name->length--;
    }
    while (name->length &&
           call_search_one_of(name->text[name->length - 1], "\"' /"))
        name->length--;
    return name->length > 0;
}

/* Find close in what is left; false: it is not there. */
static bool find_close(struct call_search *search, const char *close,
                       struct text_span *inner)
{
    const struct text_span rest = call_search_rest(search);
    const char *end = memmem(rest.text, rest.length, close, strlen(close));

    *inner = (struct text_span){rest.text,
                                end ? (size_t)(end - rest.text) : rest.length};
    return call_search_charge(search, inner->length) && end;
}

/* The parameters of a call in tags. False when one of them is cut off. */
static bool take_parameters(struct call_search *search, struct cJSON *arguments)
{
    static const char close[] = "</parameter>";

    for (;;) {
        struct text_span rest;
        struct text_span name;
        size_t prefix;

        loose_value_skip_space(&search->reader);
        prefix = prefix_length(call_search_rest(search), parameter_tags);
        if (!prefix)
            return true;
        if (!take_tag_name(&search->reader, prefix, &name))
            return false;
        if (!find_close(search, close, &rest))
            return false;
        call_search_add_text(arguments, name, text_span_trim(rest));
        search->reader.at += rest.length + sizeof(close) - 1;
    }
}

/* The names in other tags are no verbs. */
static void skip_tag(struct call_search *search)
{
    struct text_span rest = call_search_rest(search);
    const char *end =
        memchr(rest.text, '>',
               rest.length < ACTION_CALL_KEY_SIZE ? rest.length
                                                  : ACTION_CALL_KEY_SIZE);

    if (end)
        search->reader.at += (size_t)(end - rest.text) + 1;
    else
        call_search_skip_character(search);
}

/* <function=tap>{"x": 1}</function>: the arguments as JSON. */
static void take_object(struct call_search *search, struct cJSON *call)
{
    struct loose_value_reader before = search->reader;
    struct cJSON *value = NULL;
    size_t bytes;

    if (loose_value_peek(&search->reader, &bytes) == '{' &&
        loose_value_read(&search->reader, &value) == LOOSE_VALUE_FOUND)
        cJSON_ReplaceItemInObjectCaseSensitive(call, "arguments", value);
    else
        call_search_return(search, before);
}

static void try_call_tag(struct call_search *search, size_t prefix)
{
    struct cJSON *call;
    struct cJSON *arguments;
    struct text_span name;

    if (!take_tag_name(&search->reader, prefix, &name)) {
        skip_tag(search);
        return;
    }
    call = json_new_object();
    call_search_add_text(call, text_span_of("name"), name);
    arguments = json_add_object(call, "arguments");
    if (!take_parameters(search, arguments)) {
        cJSON_Delete(call);
        call_search_give_up(search);
        return;
    }
    take_object(search, call);
    (void)call_search_keep(search, call);
}

/* ---- <click x="540" y="600"/> ---- */

static void try_attributes(struct call_search *search)
{
    struct text_span rest = call_search_rest(search);
    size_t end = call_search_tag_end(search);
    bool closed = end < search->reader.in.length;
    struct loose_value_reader reader;
    struct cJSON *members = NULL;
    struct text_span name;

    loose_value_init(
        &reader,
        (struct text_span){rest.text + 1,
                           closed ? end - search->reader.at - 1 : 0},
        search->reader.work);
    if (loose_value_read_name(&reader, &name) && action_verb_find(name) &&
        loose_value_read_attributes(&reader, &members)) {
        struct cJSON *call = json_new_object();

        call_search_add_text(call, text_span_of("name"), name);
        cJSON_AddItemToObject(call, "arguments", members);
        search->reader.at = end + 1;
        (void)call_search_keep(search, call);
        return;
    }
    skip_tag(search);
}

void call_search_try_tag(struct call_search *search)
{
    size_t prefix = prefix_length(call_search_rest(search), call_tags);

    if (prefix)
        try_call_tag(search, prefix);
    else
        try_attributes(search);
}

/* ---- click <arg_key>x</arg_key><arg_value>540</arg_value> ---- */

static const char pair_tag[] = "<arg_key>";

/* The text between two tags, the first of which is here. */
static bool take_tagged(struct call_search *search, const char *open,
                        const char *close, struct text_span *inner)
{
    struct text_span rest;

    loose_value_skip_space(&search->reader);
    rest = call_search_rest(search);
    if (rest.length < strlen(open) || memcmp(rest.text, open, strlen(open)) ||
        !find_close(search, close, &rest))
        return false;
    search->reader.at += rest.length + strlen(close);
    *inner = (struct text_span){rest.text + strlen(open),
                                rest.length - strlen(open)};
    return true;
}

bool call_search_at_pairs(const struct call_search *search)
{
    struct text_span rest = call_search_rest(search);

    return rest.length >= sizeof(pair_tag) - 1 &&
           !memcmp(rest.text, pair_tag, sizeof(pair_tag) - 1);
}

void call_search_try_pairs(struct call_search *search, struct text_span name)
{
    struct cJSON *call = json_new_object();
    struct cJSON *arguments;
    struct text_span key;
    struct text_span value;

    call_search_add_text(call, text_span_of("name"), name);
    arguments = json_add_object(call, "arguments");
    while (take_tagged(search, pair_tag, "</arg_key>", &key)) {
        if (!take_tagged(search, "<arg_value>", "</arg_value>", &value)) {
            cJSON_Delete(call);
            call_search_give_up(search);
            return;
        }
        call_search_add_text(arguments, text_span_trim(key),
                             text_span_trim(value));
    }
    (void)call_search_keep(search, call);
}
