/* Awk's values: numbers and texts, which convert into each other. */
#ifndef TOOLS_PHONE_AWK_AWK_VALUE_H
#define TOOLS_PHONE_AWK_AWK_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define AWK_VALUE_MAX ((size_t)1 << 20) /* in one text */

enum awk_type {
    AWK_UNSET, /* counts as "" and 0 */
    AWK_NUMERIC,
    AWK_TEXT,
    AWK_INPUT, /* a text from input: also a number if it looks like one */
};

struct awk_value {
    enum awk_type type;
    double number; /* of NUMERIC */
    char *text;    /* owned; of TEXT and INPUT */
};

#define AWK_VALUE_INIT                                                         \
    {                                                                          \
        .type = AWK_UNSET                                                      \
    }

struct awk_value awk_value_number(double number);
struct awk_value awk_value_text(const char *text, size_t length);
struct awk_value awk_value_input(const char *text, size_t length);
struct awk_value awk_value_copy(const struct awk_value *value);
void awk_value_release(struct awk_value *value);

double awk_value_to_number(const struct awk_value *value);

/* A number as an integer, cut at +-2^53; 0 for NaN. */
long long awk_integer(double number);
bool awk_value_is_true(const struct awk_value *value);

/*
 * Append the value as a text. Numbers that are no integers use format (OFMT or
 * CONVFMT).
 */
void awk_value_put(const struct awk_value *value, const char *format,
                   struct buf *out);

/* Negative, 0 or positive. Compares numbers if both are, otherwise texts. */
int awk_value_compare(const struct awk_value *a, const struct awk_value *b);

/*
 * An array: values by key, sorted by key. *bytes counts the size of several
 * arrays, which is bounded.
 */
struct awk_element {
    char *key; /* owned */
    struct awk_value value;
};

struct awk_array {
    struct awk_element *elements; /* owned */
    size_t count;
    size_t capacity;
};

#define AWK_ARRAY_MAX 32768U
#define AWK_ARRAYS_BYTES_MAX ((size_t)8 << 20)

/* Subtracts what it frees from bytes. */
void awk_array_release(struct awk_array *array, size_t *bytes);

/* NULL if there is no such element. */
struct awk_value *awk_array_find(struct awk_array *array, const char *key);

/* The same, but adds a missing element; NULL when there is no room. */
struct awk_value *awk_array_at(struct awk_array *array, const char *key,
                               size_t *bytes);
void awk_array_delete(struct awk_array *array, const char *key, size_t *bytes);

/* Format as printf does, with values as arguments. */
void awk_format(const char *format, const struct awk_value *values,
                size_t count, struct buf *out);

#endif
