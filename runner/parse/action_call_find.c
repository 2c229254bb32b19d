/* The value in a text, in whatever notation it stands. */
#include <string.h>

#include "base/clean_text.h"
#include "base/json_write.h"
#include "runner/parse/action_call.h"
#include "runner/parse/call_search.h"

#define ATTEMPTS_MAX 512 /* places where reading a value is tried */

/* At a bracket: JSON, a Python literal, or nothing of interest. */
static void try_value(struct call_search *search, unsigned bracket)
{
    struct loose_value_reader before = search->reader;
    struct cJSON *value = NULL;
    enum loose_value_result result = loose_value_read(&search->reader, &value);

    if (result == LOOSE_VALUE_FOUND &&
        (call_search_keep(search, value) || bracket == '{'))
        return;
    call_search_return(search, before);
    if (result == LOOSE_VALUE_TRUNCATED && bracket == '{') {
        search->cut = true;
        search->reader.at = search->reader.in.length;
        return;
    }
    call_search_skip_character(search);
}

/* "action: CLICK", among other members on the same or other lines. */
static bool try_members(struct call_search *search, size_t name_at)
{
    struct loose_value_reader before = search->reader;
    struct cJSON *object = NULL;

    search->attempts--;
    search->reader.at = call_search_line_start(search, name_at);
    if (loose_value_read_members(&search->reader, &object) ==
        LOOSE_VALUE_FOUND) {
        /* Members that end before the action's are others' business. */
        if (search->reader.at <= before.at)
            cJSON_Delete(object);
        else if (call_search_keep(search, object))
            return true;
    }
    call_search_return(search, before);
    return false;
}

#define ACTION_VERB_WORDS_MAX 3 /* "press and hold" */

/* Up to three words that name a verb; the reader is after them then. */
static const struct action_verb *take_verb(struct call_search *search,
                                           struct text_span name)
{
    struct loose_value_reader ends[ACTION_VERB_WORDS_MAX];
    const char *start = name.text;
    size_t count = 0;
    struct text_span word;

    ends[count++] = search->reader;
    while (count < ACTION_VERB_WORDS_MAX) {
        struct loose_value_reader next = ends[count - 1];

        if (next.at >= next.in.length || next.in.text[next.at] != ' ')
            break;
        next.at++;
        if (!loose_value_read_name(&next, &word))
            break;
        ends[count++] = next;
    }
    while (count > 0) {
        const char *end = search->reader.in.text + ends[--count].at;
        const struct action_verb *verb =
            action_verb_find((struct text_span){start, (size_t)(end - start)});

        if (verb || !count) {
            search->reader = ends[count];
            return verb;
        }
    }
    return NULL;
}

static bool is_action_key(struct text_span name)
{
    char key[ACTION_CALL_KEY_SIZE];

    action_verb_normalise(name, key, sizeof(key));
    return !strcmp(key, "action") || !strcmp(key, "actiontype");
}

/*
 * A text without quotes may hold brackets that do not match: Type(smile :) ).
 * It continues to the last bracket of its line that nothing before it opens.
 */
static size_t end_of_text(struct call_search *search)
{
    struct text_span line = call_search_line(search);
    size_t end = 0;
    int depth = 0;

    if (!call_search_charge(search, line.length))
        return search->reader.at;
    for (size_t i = 0; i < line.length; i++) {
        if (line.text[i] == '(')
            depth++;
        else if (line.text[i] == ')' && --depth < 0) {
            end = i + 1;
            depth = 0;
        }
    }
    return search->reader.at + end;
}

/* Go past what may stand between two points: ", ", " to ", " -> ". */
static void skip_joint(struct loose_value_reader *reader)
{
    static const char *const joints[] = {",", "->", "→", "to ", "and "};

    loose_value_skip_space(reader);
    for (size_t i = 0; i < ARRAY_LEN(joints); i++) {
        size_t length = strlen(joints[i]);

        if (reader->in.length - reader->at > length &&
            !memcmp(reader->in.text + reader->at, joints[i], length)) {
            reader->at += length;
            loose_value_skip_space(reader);
            return;
        }
    }
}

/* Swipe (1, 2), (3, 4): the end of a path behind the call. */
static void take_path_end(struct call_search *search,
                          const struct action_verb *verb, struct cJSON *call)
{
    struct loose_value_reader ahead = search->reader;
    struct cJSON *list = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(call, "arguments"),
        LOOSE_VALUE_UNNAMED);
    struct cJSON *end = NULL;
    size_t bytes;

    if (!verb || verb->form != ACTION_VERB_PATH ||
        cJSON_GetArraySize(list) != 2 || !cJSON_IsNumber(list->child) ||
        !cJSON_IsNumber(list->child->next))
        return;
    skip_joint(&ahead);
    if (loose_value_peek(&ahead, &bytes) != '(' ||
        loose_value_read(&ahead, &end) != LOOSE_VALUE_FOUND)
        return;
    cJSON_AddItemToArray(list, end);
    search->reader.at = ahead.at;
}

/* The call that was read, or the longer text that it wraps. */
static bool keep_call(struct call_search *search, size_t open,
                      const struct action_verb *verb, struct cJSON *call)
{
    const char *text = search->reader.in.text;
    size_t end = search->reader.at;
    struct text_span inner = {text + open + 1, end - open - 1};

    take_path_end(search, verb, call);
    if (call_search_takes_text(verb) && text[open] == '(' &&
        call_search_begins_line(search) &&
        !call_search_one_of(text_span_trim(inner).text[0], "\"'`"))
        end = end_of_text(search);
    if (end <= search->reader.at)
        return call_search_keep(search, call);
    cJSON_Delete(call);
    search->reader.at = end;
    return call_search_keep_verb(
        search, verb, NULL,
        text_span_trim((struct text_span){text + open + 1, end - open - 2}));
}

/* After a name, at a bracket; attached: nothing stands between them. */
static void try_call(struct call_search *search, struct text_span name,
                     const struct action_verb *verb, bool attached)
{
    struct loose_value_reader before = search->reader;
    struct cJSON *call = NULL;
    enum loose_value_result result =
        loose_value_read_call(&search->reader, name, &call);
    size_t end = search->reader.at;

    search->attempts--;
    if (result == LOOSE_VALUE_FOUND && keep_call(search, before.at, verb, call))
        return;
    call_search_return(search, before);
    if (result == LOOSE_VALUE_FOUND && search->strict && !search->unknown[0])
        clean_text_copy(search->unknown, ACTION_CALL_NAME_SIZE, name.text,
                        name.length);
    /* The arguments of an unknown call are no actions. */
    if (result == LOOSE_VALUE_FOUND && attached)
        search->reader.at = end;
    if (result == LOOSE_VALUE_TRUNCATED && (verb || is_action_key(name))) {
        search->cut = true;
        search->reader.at = search->reader.in.length;
    }
}

/* 'action': 'wait' without braces. */
static void skip_quote(struct call_search *search)
{
    struct text_span rest = call_search_rest(search);

    if (rest.length && call_search_one_of(rest.text[0], "\"'"))
        search->reader.at++;
}

static void try_name(struct call_search *search)
{
    size_t start = search->reader.at;
    struct text_span name;
    const struct action_verb *verb;
    size_t after;
    size_t bytes;
    unsigned next;

    if (!loose_value_read_name(&search->reader, &name)) {
        call_search_skip_character(search);
        return;
    }
    verb = take_verb(search, name);
    after = search->reader.at;
    name.length = after - start;
    if (is_action_key(name))
        skip_quote(search);
    loose_value_skip_space(&search->reader);
    next = loose_value_peek(&search->reader, &bytes);
    if (call_search_at_pairs(search))
        call_search_try_pairs(search, name);
    else if (next == '(')
        try_call(search, name, verb, search->reader.at == after);
    else if ((next == ':' && is_action_key(name) &&
              try_members(search, start)) ||
             (verb && (next == '[' || next == '<') &&
              call_search_try_operand(search, verb)))
        return;
    else {
        search->reader.at = after;
        if (verb && search->strict && call_search_try_line(search, verb))
            search->reader.at += call_search_line(search).length;
    }
    if (search->reader.at < after)
        search->reader.at = after;
}

static void step(struct call_search *search)
{
    size_t bytes;
    unsigned next = loose_value_peek(&search->reader, &bytes);

    search->start = search->reader.at;
    if (next == '{' || next == '[') {
        search->attempts--;
        try_value(search, next);
    } else if (next == '<') {
        call_search_try_tag(search);
    } else {
        try_name(search);
    }
}

/* (576,12),(592,42) and nothing else. */
static void try_place(struct call_search *search)
{
    struct text_span text = search->reader.in;
    double numbers[4];
    struct cJSON *list;
    size_t count = loose_value_find_numbers(text, search->reader.work, numbers,
                                            ARRAY_LEN(numbers));

    if (call_search_has_letters(text) || (count != 2 && count != 4))
        return;
    list = json_new_array();
    for (size_t i = 0; i < count; i++)
        json_add_number(list, NULL, numbers[i]);
    (void)call_search_keep(search, list);
}

enum action_call_result action_call_find(struct text_span text,
                                         struct action_call_view view,
                                         struct parse_work *work,
                                         struct action_call *call,
                                         char unknown[ACTION_CALL_NAME_SIZE])
{
    struct action_call last = {.value = NULL};
    struct call_search search = {.strict = view.strict,
                                 .marked = view.first,
                                 .attempts = ATTEMPTS_MAX,
                                 .call = &last,
                                 .unknown = unknown};

    unknown[0] = '\0';
    loose_value_init(&search.reader, text, work);
    search.reader.whole = view.whole;
    while (search.reader.at < text.length && search.attempts > 0 &&
           !parse_work_is_over(work) && !(view.first && search.found))
        step(&search);
    if (view.strict && !search.found && !search.cut)
        try_place(&search);
    if (parse_work_is_over(work)) {
        action_call_release(&last);
        return ACTION_CALL_ENDLESS;
    }
    if (search.cut) {
        action_call_release(&last);
        return ACTION_CALL_TRUNCATED;
    }
    if (!search.found)
        return unknown[0] ? ACTION_CALL_UNKNOWN : ACTION_CALL_NONE;
    *call = last;
    return ACTION_CALL_FOUND;
}
