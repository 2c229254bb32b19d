/* Shared by the files of loose_value. */
#ifndef RUNNER_PARSE_LOOSE_VALUE_PRIVATE_H
#define RUNNER_PARSE_LOOSE_VALUE_PRIVATE_H

#include <stdint.h>

#include "runner/parse/loose_value.h"

#define LOOSE_VALUE_STRING_MAX ((size_t)256 * 1024)
#define LOOSE_VALUE_KEY_MAX 64 /* bytes looked at to find a key */

/* The character at a position, as loose_value_peek returns it. */
unsigned loose_value_peek_at(const struct loose_value_reader *reader, size_t at,
                             size_t *bytes);
size_t loose_value_after_space(const struct loose_value_reader *reader,
                               size_t at);
bool loose_value_one_of(unsigned character, const char *set);
bool loose_value_is_space(unsigned character);
bool loose_value_is_separator(unsigned character); /* of items: ',' or ';' */
struct text_span loose_value_between(const struct loose_value_reader *reader,
                                     size_t from, size_t to);

/* Skip this character if it is the next. */
bool loose_value_take(struct loose_value_reader *reader, unsigned character);

/* Can a name begin with it, or continue? Marks are letters of no script. */
bool loose_value_is_name_start(unsigned character);
bool loose_value_is_name_part(unsigned character);
bool loose_value_is_mark(unsigned character);

/* Read the next number. One that is out of a double's range is infinite. */
bool loose_value_take_number(struct loose_value_reader *reader, double *number);

/* A new string, in valid UTF-8. */
struct cJSON *loose_value_new_string(struct text_span span);

/* Add value, which the object then owns, under a key in valid UTF-8. */
void loose_value_add_member(struct cJSON *object, struct text_span key,
                            struct cJSON *value);

/*
 * Read "key:" or "key=", quoted or bare; the caller frees the key. False: there
 * is none, and the position is unchanged.
 */
MUST_USE bool loose_value_take_key(struct loose_value_reader *reader,
                                   struct cJSON **key);

/* The closing quote for an opening one; 0: it is not a quote. */
unsigned loose_value_closing_quote(uint32_t opening);

/* Read the string whose quote is next. */
MUST_USE enum loose_value_result loose_value_string(
    struct loose_value_reader *reader, struct cJSON **value);

/* Read what is between two tags: numbers, or a text. */
MUST_USE enum loose_value_result loose_value_read_tagged(
    struct loose_value_reader *reader, struct cJSON **value);

#endif
