#include "runner/parse/call_search.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/clean_text.h"
#include "base/json_write.h"

/*
 * Each name of an action or argument is compared with every member of a value:
 * for every byte of the value that is about as much as reading so many.
 */
#define KEEP_WORK 8

bool call_search_one_of(char byte, const char *set)
{
    return byte && strchr(set, byte);
}

struct text_span call_search_rest(const struct call_search *search)
{
    return (struct text_span){search->reader.in.text + search->reader.at,
                              search->reader.in.length - search->reader.at};
}

bool call_search_charge(struct call_search *search, size_t bytes)
{
    return parse_work_charge(search->reader.work, bytes);
}

/* Find the line around a position, unless it is the one that is known. */
static void find_line(struct call_search *search, size_t at)
{
    struct text_span in = search->reader.in;
    const char *end;

    if (search->line.to && search->line.from <= at && at <= search->line.to)
        return;
    end = memchr(in.text + at, '\n', in.length - at);
    search->line.to = end ? (size_t)(end - in.text) : in.length;
    while (at > 0 && in.text[at - 1] != '\n')
        at--;
    search->line.from = at;
    (void)call_search_charge(search, search->line.to - search->line.from);
}

struct text_span call_search_line(struct call_search *search)
{
    find_line(search, search->reader.at);
    return (struct text_span){search->reader.in.text + search->reader.at,
                              search->line.to - search->reader.at};
}

size_t call_search_line_start(struct call_search *search, size_t at)
{
    find_line(search, at);
    return search->line.from;
}

size_t call_search_tag_end(struct call_search *search)
{
    struct text_span rest = call_search_rest(search);
    size_t at = search->reader.at;
    const char *end;

    if (at < search->tag_end.from || at > search->tag_end.at ||
        !search->tag_end.at) {
        end = memchr(rest.text, '>', rest.length);
        search->tag_end.from = at;
        search->tag_end.at =
            end ? at + (size_t)(end - rest.text) : search->reader.in.length;
        (void)call_search_charge(search, search->tag_end.at - at);
    }
    return search->tag_end.at;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t size = strlen(end);

    return length >= size && !memcmp(text + length - size, end, size);
}

/*
 * Does the action's name begin its line? Marks may stand before it, and a
 * heading that ends in a colon.
 */
bool call_search_begins_line(struct call_search *search)
{
    size_t at = search->start;
    size_t first = call_search_line_start(search, at);
    const char *text = search->reader.in.text;

    while (at > first && call_search_one_of(text[at - 1], " \t*`\"'#-[(>_"))
        at--;
    return at == first || text[at - 1] == ':' ||
           ends_with(text + first, at - first, "adb shell") ||
           (at - first >= 3 && !memcmp(text + at - 3, "：", 3));
}

void call_search_return(struct call_search *search,
                        struct loose_value_reader before)
{
    before.budget = search->reader.budget;
    search->reader = before;
}

void call_search_skip_character(struct call_search *search)
{
    size_t bytes;

    (void)loose_value_peek(&search->reader, &bytes);
    search->reader.at += bytes;
}

/* An incomplete action is not used. */
void call_search_give_up(struct call_search *search)
{
    search->cut = true;
    search->reader.at = search->reader.in.length;
}

bool call_search_has_letters(struct text_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (isalpha((unsigned char)text.text[i]) ||
            (unsigned char)text.text[i] >= 0x80)
            return true;
    }
    return false;
}

bool call_search_takes_text(const struct action_verb *verb)
{
    return verb &&
           (verb->form == ACTION_VERB_TEXT || verb->form == ACTION_VERB_WORDS);
}

/* Does a line that holds an action follow right after another? */
static bool follows(const struct call_search *search)
{
    struct text_span between;

    if (!search->found || search->start <= search->end)
        return false;
    between = (struct text_span){search->reader.in.text + search->end,
                                 search->start - search->end};
    return memchr(between.text, '\n', between.length) &&
           !text_span_trim(between).length;
}

/*
 * Keep a value if it is an action, or free it. Of actions on lines that follow
 * one another the first is kept.
 */
bool call_search_keep(struct call_search *search, struct cJSON *value)
{
    struct action_call call = {.value = value};
    bool later;

    if (!call_search_charge(search,
                            KEEP_WORK * (search->reader.at - search->start)) ||
        !action_call_in_value(value, search->strict, &call, search->unknown)) {
        cJSON_Delete(value);
        return false;
    }
    later = follows(search);
    search->end = search->reader.at;
    if (later) {
        action_call_release(&call);
        return true;
    }
    action_call_release(search->call);
    *search->call = call;
    search->found = true;
    search->unknown[0] = '\0';
    return true;
}

void call_search_add_text(struct cJSON *object, struct text_span key,
                          struct text_span value)
{
    static const struct {
        const char *entity;
        char means;
    } entities[] = {{"&lt;", '<'},    {"&gt;", '>'},   {"&quot;", '"'},
                    {"&apos;", '\''}, {"&#39;", '\''}, {"&amp;", '&'}};
    char name[ACTION_CALL_KEY_SIZE];
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
    clean_text_copy(name, sizeof(name), key.text, key.length);
    json_add_string(object, name, buf_cstr(&text));
    buf_release(&text);
}

/* {"name": verb, "arguments": {"": list}, "raw": raw}; list is owned. */
bool call_search_keep_operands(struct call_search *search,
                               const struct action_verb *verb,
                               struct cJSON *list, struct text_span raw)
{
    struct cJSON *call = json_new_object();
    struct cJSON *arguments = json_add_object(call, "arguments");

    cJSON_AddItemToObject(arguments, LOOSE_VALUE_UNNAMED, list);
    json_add_string(call, "name", verb->name);
    call_search_add_text(call, text_span_of("raw"), raw);
    return call_search_keep(search, call);
}

/* {"name": verb, "arguments": arguments}; arguments are owned. */
bool call_search_keep_arguments(struct call_search *search,
                                const struct action_verb *verb,
                                struct cJSON *arguments)
{
    struct cJSON *call = json_new_object();

    json_add_string(call, "name", verb->name);
    cJSON_AddItemToObject(call, "arguments", arguments);
    return call_search_keep(search, call);
}

/* The same as keep_operands for one value, which is owned; NULL for none. */
bool call_search_keep_verb(struct call_search *search,
                           const struct action_verb *verb, struct cJSON *value,
                           struct text_span raw)
{
    struct cJSON *list = json_new_array();

    if (value)
        cJSON_AddItemToArray(list, value);
    return call_search_keep_operands(search, verb, list, raw);
}
