/*
 * Reads values as models write them: JSON, Python literals, calls and tags,
 * with full-width punctuation, missing quotes and bare words.
 *
 * Every notation becomes JSON:
 *
 *     Click(100, 238)         {"name": "Click", "arguments": {"": [100, 238]},
 *                              "raw": "100, 238"}
 *     do(action="Tap")        {"name": "do", "arguments": {"action": "Tap"},
 *                              "raw": ...}
 *     ['action': 'wait']      {"action": "wait"}
 *     <point>200 300</point>  [200, 300]
 *     None, True              null, true
 *
 * Odd notation is never an error, only a missing or truncated value.
 */
#ifndef RUNNER_PARSE_LOOSE_VALUE_H
#define RUNNER_PARSE_LOOSE_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/macros.h"
#include "runner/parse/parse_work.h"

/* A part of a text, borrowed. */
struct text_span {
    const char *text;
    size_t length;
};

struct loose_value_reader {
    struct text_span in;
    size_t at;
    int depth;
    int budget; /* number of values that may still be created */
    bool whole; /* the text is not truncated: its end closes open brackets */
    struct parse_work *work; /* borrowed; NULL: unlimited */
};

enum loose_value_result {
    LOOSE_VALUE_FOUND,
    LOOSE_VALUE_OTHER,     /* no such value; the position is unchanged */
    LOOSE_VALUE_TRUNCATED, /* the text ends within the value, or it is too large
                            */
};

/* The member of a call's arguments for those without a name. */
#define LOOSE_VALUE_UNNAMED ""

/* work is borrowed; NULL: it is not counted. */
void loose_value_init(struct loose_value_reader *reader, struct text_span in,
                      struct parse_work *work);

/*
 * The current character, as ASCII if it is a full-width form; 0 at the end.
 * When the limit of work is reached, that is the end: *bytes is all that is
 * left.
 */
unsigned loose_value_peek(const struct loose_value_reader *reader,
                          size_t *bytes);
void loose_value_skip_space(struct loose_value_reader *reader);

/*
 * Read a string, number, list, object, call or tag. The caller frees the value.
 */
MUST_USE enum loose_value_result loose_value_read(
    struct loose_value_reader *reader, struct cJSON **value);

/* Read a name: letters of any script, digits, and '_', '-' and '.' inside. */
MUST_USE bool loose_value_read_name(struct loose_value_reader *reader,
                                    struct text_span *name);

/* Read the rest of a call after its name: "(", arguments, ")". */
MUST_USE enum loose_value_result loose_value_read_call(
    struct loose_value_reader *reader, struct text_span name,
    struct cJSON **value);

/*
 * Read members "key: value" up to the end, separated by commas, tabs or lines.
 */
MUST_USE enum loose_value_result loose_value_read_members(
    struct loose_value_reader *reader, struct cJSON **object);

/* Read the attributes of a tag: key="value" key='value'. False: none. */
MUST_USE bool loose_value_read_attributes(struct loose_value_reader *reader,
                                          struct cJSON **object);

/* Find all numbers in a text, in order, at most room of them. */
size_t loose_value_find_numbers(struct text_span in, struct parse_work *work,
                                double *numbers, size_t room);

/* The span of a whole string. */
struct text_span text_span_of(const char *text);

/* Without white space at both ends, or at the end only. */
struct text_span text_span_trim(struct text_span span);
struct text_span text_span_trim_end(struct text_span span);

#endif
