/*
 * Values the way models write them: JSON, Python literals, calls and tags,
 * with full-width punctuation, forgotten quotes and words left bare.
 *
 * Whatever the notation, the value comes out as JSON:
 *
 *     Click(100, 238)            {"name": "Click", "arguments": {"": [100,
 * 238]}, "raw": "100, 238"} do(action="Tap", at=(1,2)) {"name": "do",
 * "arguments": {"action": "Tap", "at": [1, 2]}, "raw": ...}
 *     ['action': 'wait']         {"action": "wait"}
 *     <point>200 300</point>     [200, 300]
 *     None, True                 null, true
 *
 * It never fails for what is odd, only for what is not there or is cut off.
 */
#ifndef RUNNER_READER_H
#define RUNNER_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/macros.h"

/* A part of a text, borrowed. */
struct span {
    const char *text;
    size_t length;
};

struct reader {
    struct span in;
    size_t at;
    int depth;
    int budget; /* values that may still be made */
    bool whole; /* the text was not cut: its end closes what is open */
};

enum reader_result {
    READER_FOUND,
    READER_OTHER, /* something else stands there; the reader is where it was */
    READER_CUT,   /* the text ends in the middle of it, or it is too large */
};

/* The member of a call's arguments that lists those without a name. */
#define READER_UNNAMED ""

void reader_init(struct reader *reader, struct span in);

/* The character here, in its ASCII form if it has one; 0 at the end. */
unsigned reader_peek(const struct reader *reader, size_t *bytes);
void reader_skip_space(struct reader *reader);

/*
 * A string, number, list, object, call or tag that begins here. The caller
 * frees the value.
 */
MUST_USE enum reader_result reader_value(struct reader *reader,
                                         struct cJSON **value);

/* A name: letters of any script, digits, '_', '-' and '.' within. */
MUST_USE bool reader_name(struct reader *reader, struct span *name);

/* What follows a name as a call: "(", arguments, ")". */
MUST_USE enum reader_result reader_call(struct reader *reader, struct span name,
                                        struct cJSON **value);

/* Members "key: value" up to the end, separated by commas, tabs or lines. */
MUST_USE enum reader_result reader_members(struct reader *reader,
                                           struct cJSON **object);

/* Every number in a text, in order: at most room of them. */
size_t reader_numbers(struct span in, double *numbers, size_t room);

/* A text as a span. */
struct span span_text(const char *text);

/* Without space at either end. */
struct span span_trim(struct span span);

#endif
