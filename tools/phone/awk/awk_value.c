#include "tools/phone/awk/awk_value.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define WIDTH_MAX 4096

struct awk_value awk_value_number(double number)
{
    return (struct awk_value){.type = AWK_NUMERIC, .number = number};
}

struct awk_value awk_value_text(const char *text, size_t length)
{
    return (struct awk_value){.type = AWK_TEXT,
                              .text = mem_dup_n(text, length)};
}

struct awk_value awk_value_input(const char *text, size_t length)
{
    return (struct awk_value){.type = AWK_INPUT,
                              .text = mem_dup_n(text, length)};
}

struct awk_value awk_value_copy(const struct awk_value *value)
{
    struct awk_value copy = *value;

    if (copy.text)
        copy.text = mem_dup(copy.text);
    return copy;
}

void awk_value_release(struct awk_value *value)
{
    free(value->text);
    *value = (struct awk_value)AWK_VALUE_INIT;
}

/* Is the whole text a number, except for blanks around it? */
static bool looks_numeric(const char *text, double *number)
{
    char *end;

    while (isspace((unsigned char)*text))
        text++;
    /* "inf", "nan" and "0x10" are texts. */
    if (!isdigit((unsigned char)text[strspn(text, "+-.")]) ||
        (text[strspn(text, "+-")] == '0' &&
         (text[strspn(text, "+-") + 1] | 0x20) == 'x'))
        return false;
    *number = strtod(text, &end);
    while (isspace((unsigned char)*end))
        end++;
    return !*end;
}

double awk_value_to_number(const struct awk_value *value)
{
    const char *text = value->text;

    if (value->type == AWK_NUMERIC)
        return value->number;
    if (!text)
        return 0;
    while (isspace((unsigned char)*text))
        text++;
    if (!isdigit((unsigned char)text[strspn(text, "+-.")]) ||
        (text[strspn(text, "+-")] == '0' &&
         (text[strspn(text, "+-") + 1] | 0x20) == 'x'))
        return 0;
    return strtod(text, NULL);
}

long long awk_integer(double number)
{
    const double most = 9007199254740992.0;

    if (isnan(number))
        return 0;
    return (long long)fmin(fmax(number, -most), most);
}

/* Is it a number, or does it look like one? */
static bool is_numeric(const struct awk_value *value, double *number)
{
    *number = value->number;
    switch (value->type) {
    case AWK_UNSET:
        *number = 0;
        return true;
    case AWK_NUMERIC:
        return true;
    case AWK_INPUT:
        return looks_numeric(value->text, number);
    case AWK_TEXT:
        return false;
    }
    return false;
}

bool awk_value_is_true(const struct awk_value *value)
{
    double number;

    if (is_numeric(value, &number))
        return number < 0 || number > 0;
    return value->text && *value->text;
}

int awk_value_compare(const struct awk_value *a, const struct awk_value *b)
{
    double x;
    double y;
    struct buf left = BUF_INIT(AWK_VALUE_MAX);
    struct buf right = BUF_INIT(AWK_VALUE_MAX);
    int order;

    if (is_numeric(a, &x) && is_numeric(b, &y))
        return x < y ? -1 : x > y;
    awk_value_put(a, "%.6g", &left);
    awk_value_put(b, "%.6g", &right);
    order = strcmp(buf_cstr(&left), buf_cstr(&right));
    buf_release(&left);
    buf_release(&right);
    return order;
}

void awk_value_put(const struct awk_value *value, const char *format,
                   struct buf *out)
{
    if (value->text) {
        buf_text(out, value->text);
    } else if (value->type == AWK_NUMERIC) {
        if (value->number > -1e15 && value->number < 1e15 &&
            value->number == floor(value->number))
            buf_printf(out, "%lld", (long long)value->number);
        else
            awk_format(format, value, 1, out);
    }
}

/* ---- arrays ---- */

/* The bytes that an element counts for. */
static size_t cost_of(const struct awk_element *element)
{
    return strlen(element->key) + sizeof(*element) +
           (element->value.text ? strlen(element->value.text) : 0);
}

static void release_element(struct awk_element *element, size_t *bytes)
{
    *bytes -= cost_of(element);
    free(element->key);
    awk_value_release(&element->value);
}

void awk_array_release(struct awk_array *array, size_t *bytes)
{
    for (size_t i = 0; i < array->count; i++)
        release_element(&array->elements[i], bytes);
    free(array->elements);
    *array = (struct awk_array){.count = 0};
}

static size_t place(const struct awk_array *array, const char *key, bool *found)
{
    size_t low = 0;
    size_t high = array->count;

    *found = false;
    while (low < high && !*found) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(array->elements[middle].key, key);

        if (order < 0)
            low = middle + 1;
        else
            high = middle;
        if (order == 0) {
            *found = true;
            low = middle;
        }
    }
    return low;
}

struct awk_value *awk_array_find(struct awk_array *array, const char *key)
{
    bool found;
    size_t at = place(array, key, &found);

    return found ? &array->elements[at].value : NULL;
}

struct awk_value *awk_array_at(struct awk_array *array, const char *key,
                               size_t *bytes)
{
    bool found;
    size_t at = place(array, key, &found);
    size_t cost = strlen(key) + sizeof(struct awk_element);

    if (found)
        return &array->elements[at].value;
    if (array->count >= AWK_ARRAY_MAX || *bytes + cost > AWK_ARRAYS_BYTES_MAX)
        return NULL;
    *bytes += cost;
    if (array->count == array->capacity) {
        array->capacity = array->capacity ? 2 * array->capacity : 16;
        array->elements = mem_resize(array->elements, array->capacity,
                                     sizeof(*array->elements));
    }
    memmove(array->elements + at + 1, array->elements + at,
            (array->count - at) * sizeof(*array->elements));
    array->elements[at] = (struct awk_element){.key = mem_dup(key)};
    array->count++;
    return &array->elements[at].value;
}

void awk_array_delete(struct awk_array *array, const char *key, size_t *bytes)
{
    bool found;
    size_t at = place(array, key, &found);

    if (!found)
        return;
    release_element(&array->elements[at], bytes);
    array->count--;
    memmove(array->elements + at, array->elements + at + 1,
            (array->count - at) * sizeof(*array->elements));
}

/* ---- printf ---- */

struct awk_conversion {
    bool left, zero, plus, blank;
    int width;
    int precision; /* -1: none */
};

static void put_padded(struct buf *out, const struct awk_conversion *c,
                       const char *body, bool number)
{
    size_t length = strlen(body);
    size_t padding = (size_t)c->width > length ? (size_t)c->width - length : 0;
    bool zeros = number && c->zero && !c->left;
    bool sign = *body == '-' || *body == '+';

    if (zeros && sign)
        buf_byte(out, *body++);
    for (size_t i = 0; !c->left && i < padding && !out->overflow; i++)
        buf_byte(out, zeros ? '0' : ' ');
    buf_text(out, body);
    for (size_t i = 0; c->left && i < padding && !out->overflow; i++)
        buf_byte(out, ' ');
}

static void put_integer(struct buf *out, const struct awk_conversion *c,
                        char letter, double number)
{
    char digits[96];
    const char *sign = c->plus ? "+" : c->blank ? " " : "";
    int precision = c->precision < 0    ? 1
                    : c->precision > 64 ? 64
                                        : c->precision;
    long long value;

    if (!(number > -9e18))
        number = -9e18;
    if (number > 9e18)
        number = 9e18;
    value = (long long)number;
    if (letter == 'o')
        snprintf(digits, sizeof(digits), "%.*llo", precision,
                 (unsigned long long)value);
    else if (letter == 'x')
        snprintf(digits, sizeof(digits), "%.*llx", precision,
                 (unsigned long long)value);
    else if (letter == 'X')
        snprintf(digits, sizeof(digits), "%.*llX", precision,
                 (unsigned long long)value);
    else
        snprintf(digits, sizeof(digits), "%s%.*lld", value < 0 ? "" : sign,
                 precision, value);
    put_padded(out, c, digits, true);
}

static void put_float(struct buf *out, const struct awk_conversion *c,
                      char letter, double number)
{
    char digits[512];
    const char *sign = number < 0 ? "" : c->plus ? "+" : c->blank ? " " : "";
    int precision = c->precision < 0     ? 6
                    : c->precision > 100 ? 100
                                         : c->precision;

    if (letter == 'e')
        snprintf(digits, sizeof(digits), "%s%.*e", sign, precision, number);
    else if (letter == 'f')
        snprintf(digits, sizeof(digits), "%s%.*f", sign, precision, number);
    else
        snprintf(digits, sizeof(digits), "%s%.*g", sign, precision, number);
    put_padded(out, c, digits, true);
}

static void put_string(struct buf *out, const struct awk_conversion *c,
                       char letter, const struct awk_value *value)
{
    struct buf text = BUF_INIT(AWK_VALUE_MAX);
    int code = value->type == AWK_NUMERIC
                   ? (int)(awk_integer(value->number) % 256)
                   : 0;

    if (letter == 'c' && value->type == AWK_NUMERIC && code > 0) {
        buf_byte(&text, (char)code);
    } else {
        awk_value_put(value, "%.6g", &text);
        if (letter == 'c' && text.length)
            buf_truncate(&text, 1);
    }
    if (c->precision >= 0 && (size_t)c->precision < text.length)
        buf_truncate(&text, (size_t)c->precision);
    put_padded(out, c, buf_cstr(&text), false);
    buf_release(&text);
}

/* The next argument; unset if there is none. */
static const struct awk_value *take(const struct awk_value **values,
                                    size_t *count)
{
    static const struct awk_value none = AWK_VALUE_INIT;

    if (!*count)
        return &none;
    --*count;
    return (*values)++;
}

static int take_width(const char **at, const struct awk_value **values,
                      size_t *count)
{
    double width = 0;
    char *end;

    if (**at == '*') {
        ++*at;
        width = awk_value_to_number(take(values, count));
    } else if (isdigit((unsigned char)**at)) {
        width = (double)strtol(*at, &end, 10);
        *at = end;
    }
    if (!(width >= -WIDTH_MAX)) /* also for NaN */
        return -WIDTH_MAX;
    return width > WIDTH_MAX ? WIDTH_MAX : (int)width;
}

void awk_format(const char *format, const struct awk_value *values,
                size_t count, struct buf *out)
{
    while (*format) {
        struct awk_conversion c = {.precision = -1};

        if (*format != '%') {
            buf_byte(out, *format++);
            continue;
        }
        for (format++; *format && strchr("-0+ #", *format); format++) {
            c.left = c.left || *format == '-';
            c.zero = c.zero || *format == '0';
            c.plus = c.plus || *format == '+';
            c.blank = c.blank || *format == ' ';
        }
        c.width = take_width(&format, &values, &count);
        if (c.width < 0) {
            c.left = true;
            c.width = -c.width;
        }
        if (*format == '.') {
            format++;
            c.precision = take_width(&format, &values, &count);
        }
        format += strspn(format, "hlLqjzt");
        if (*format == '%')
            buf_byte(out, '%');
        else if (*format && strchr("diouxX", *format))
            put_integer(out, &c, *format,
                        awk_value_to_number(take(&values, &count)));
        else if (*format && strchr("eEfFgG", *format))
            put_float(out, &c, (char)(*format | 0x20),
                      awk_value_to_number(take(&values, &count)));
        else if (*format == 's' || *format == 'c')
            put_string(out, &c, *format, take(&values, &count));
        else if (*format)
            buf_byte(out, *format);
        format += *format != 0;
    }
}
