/* Numbers: full-width digits, exponents, units, and ones that are too large. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/parse/loose_value_private.h"

/* The characters of a number, in ASCII. */
struct number_text {
    char ascii[40];
    size_t count;
    bool cut; /* it has more characters than any sensible number */
};

static void add_character(struct number_text *text, unsigned character)
{
    if (text->count + 1 < sizeof(text->ascii)) {
        text->ascii[text->count++] = (char)character;
        text->ascii[text->count] = '\0';
    } else {
        text->cut = true;
    }
}

/* Take the digits from at on; returns where they end. */
static size_t take_digits(const struct loose_value_reader *reader, size_t at,
                          struct number_text *text)
{
    size_t bytes;
    unsigned next;

    while (loose_value_one_of(next = loose_value_peek_at(reader, at, &bytes),
                              "0123456789")) {
        add_character(text, next);
        at += bytes;
    }
    return at;
}

/* "e5" or "E-12" at at; returns where it ends, or at if there is none. */
static size_t take_exponent(const struct loose_value_reader *reader, size_t at,
                            struct number_text *text)
{
    struct number_text exponent = {.count = 0};
    size_t bytes;
    size_t digits = at;
    size_t end;

    if (!loose_value_one_of(loose_value_peek_at(reader, at, &bytes), "eE"))
        return at;
    add_character(&exponent, 'e');
    digits += bytes;
    if (loose_value_one_of(loose_value_peek_at(reader, digits, &bytes), "+-")) {
        add_character(&exponent, loose_value_peek_at(reader, digits, &bytes));
        digits += bytes;
    }
    end = take_digits(reader, digits, &exponent);
    if (end == digits ||
        loose_value_is_name_start(loose_value_peek_at(reader, end, &bytes)))
        return at;
    for (size_t i = 0; i < exponent.count; i++)
        add_character(text, (unsigned)exponent.ascii[i]);
    text->cut = text->cut || exponent.cut;
    return end;
}

/* How many bytes of the text a number takes here; 0 if there is none. */
static size_t read_number_text(const struct loose_value_reader *reader,
                               struct number_text *text)
{
    size_t at = reader->at;
    size_t bytes;
    size_t digits;
    size_t end;

    if (loose_value_one_of(loose_value_peek_at(reader, at, &bytes), "+-")) {
        add_character(text, loose_value_peek_at(reader, at, &bytes));
        at += bytes;
    }
    digits = text->count;
    end = take_digits(reader, at, text);
    if (loose_value_peek_at(reader, end, &bytes) == '.') {
        add_character(text, '.');
        end = take_digits(reader, end + bytes, text);
        digits++;
    }
    if (text->count <= digits)
        return 0;
    return take_exponent(reader, end, text) - reader->at;
}

/* "100px" is 100, and "50%" is 0.5. */
static void take_unit(struct loose_value_reader *reader, double *number)
{
    struct loose_value_reader ahead = *reader;
    struct text_span unit;

    if (loose_value_take(reader, '%'))
        *number /= 100;
    else if (loose_value_read_name(&ahead, &unit) && unit.length == 2 &&
             !memcmp(unit.text, "px", 2))
        *reader = ahead;
}

/* A number that is too large for a double is infinite. */
bool loose_value_take_number(struct loose_value_reader *reader, double *number)
{
    struct number_text text = {.count = 0};
    size_t bytes = read_number_text(reader, &text);

    if (!bytes)
        return false;
    *number = text.cut ? INFINITY : strtod(text.ascii, NULL);
    reader->at += bytes;
    take_unit(reader, number);
    return true;
}

size_t loose_value_find_numbers(struct text_span in, struct parse_work *work,
                                double *numbers, size_t room)
{
    struct loose_value_reader reader;
    size_t count = 0;
    bool in_word = false;

    loose_value_init(&reader, in, work);
    while (reader.at < in.length && count < room) {
        size_t bytes;
        unsigned next = loose_value_peek(&reader, &bytes);

        if (!in_word && loose_value_take_number(&reader, &numbers[count])) {
            count++;
            continue;
        }
        in_word = loose_value_is_name_part(next) &&
                  !loose_value_one_of(next, "-.") && !loose_value_is_mark(next);
        reader.at += bytes;
    }
    return count;
}
