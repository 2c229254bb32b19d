/* What the reader's parts share. */
#ifndef RUNNER_READER_PRIVATE_H
#define RUNNER_READER_PRIVATE_H

#include <stdint.h>

#include "runner/reader.h"

#define READER_STRING_MAX ((size_t)256 * 1024)

/* The character at that place, as reader_peek has it. */
unsigned reader_peek_at(const struct reader *reader, size_t at, size_t *bytes);
size_t reader_after_space(const struct reader *reader, size_t at);
bool reader_one_of(unsigned character, const char *set);
struct span reader_between(const struct reader *reader, size_t from, size_t to);

/* A new string, in valid UTF-8. */
struct cJSON *reader_new_string(struct span span);

/* The quote that ends what this one begins; 0 if it is no quote. */
unsigned reader_closing_quote(uint32_t opening);

/* The string whose quote is next. */
MUST_USE enum reader_result reader_string(struct reader *reader,
                                          struct cJSON **value);

#endif
