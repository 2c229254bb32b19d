/* od and xxd: bytes as numbers. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/phone/toybox/cmd.h"

#define LINE 16U
#define COLUMNS_MAX 256

/* The format of the bytes. */
enum od_type {
    OD_OCTAL_WORDS, /* the default */
    OD_CHARACTERS,  /* -c */
    OD_OCTAL_BYTES, /* -b */
    OD_HEX_BYTES,   /* -t x1 */
    OD_HEX_WORDS,   /* -x */
    OD_DECIMAL_WORDS,
    OD_DECIMAL_BYTES,
};

struct od {
    enum od_type type;
    char base; /* base of addresses: 'o', 'x', 'd', 'n' */
    bool all;  /* -v: print repeated lines */
    long long left;
    long long at;
    uint8_t line[LINE];
    size_t length;
    uint8_t before[LINE];
    bool has_before;
    bool starred;
};

static void print_address(struct command_call *call, const struct od *od)
{
    if (od->base == 'o')
        call_print(call, "%07llo", (unsigned long long)od->at);
    else if (od->base == 'x')
        call_print(call, "%06llx", (unsigned long long)od->at);
    else if (od->base == 'd')
        call_print(call, "%07lld", od->at);
}

static void print_character(struct command_call *call, uint8_t byte)
{
    static const char letters[] = "0abtnvfr";
    static const char bytes[] = "\0\a\b\t\n\v\f\r";
    const char *found = memchr(bytes, byte, sizeof(bytes) - 1);

    if (found)
        call_print(call, "  \\%c", letters[found - bytes]);
    else if (byte >= 0x20 && byte < 0x7f)
        call_print(call, "   %c", byte);
    else
        call_print(call, " %03o", byte);
}

static void print_byte(struct command_call *call, enum od_type type,
                       uint8_t byte)
{
    if (type == OD_CHARACTERS)
        print_character(call, byte);
    else if (type == OD_OCTAL_BYTES)
        call_print(call, " %03o", byte);
    else if (type == OD_HEX_BYTES)
        call_print(call, " %02x", byte);
    else
        call_print(call, " %3d", (int8_t)byte);
}

static void print_line(struct command_call *call, struct od *od)
{
    bool words = od->type == OD_OCTAL_WORDS || od->type == OD_HEX_WORDS ||
                 od->type == OD_DECIMAL_WORDS;

    print_address(call, od);
    for (size_t i = 0; i < od->length; i += words ? 2 : 1) {
        unsigned low = od->line[i];
        unsigned high = i + 1 < od->length ? od->line[i + 1] : 0;
        unsigned word = low | high << 8;

        if (od->type == OD_OCTAL_WORDS)
            call_print(call, " %06o", word);
        else if (od->type == OD_HEX_WORDS)
            call_print(call, " %04x", word);
        else if (od->type == OD_DECIMAL_WORDS)
            call_print(call, " %5d", (int16_t)word);
        else
            print_byte(call, od->type, od->line[i]);
    }
    call_print(call, "\n");
}

/* A line equal to the one before is printed as "*". */
static void end_line(struct command_call *call, struct od *od)
{
    bool same = od->has_before && od->length == LINE && !od->all &&
                !memcmp(od->line, od->before, LINE);

    if (!same)
        print_line(call, od);
    else if (!od->starred)
        call_print(call, "*\n");
    od->starred = same;
    od->has_before = od->length == LINE;
    memcpy(od->before, od->line, LINE);
    od->at += (long long)od->length;
    od->length = 0;
}

static void od_input(struct command_call *call, const char *name,
                     struct sh_in *in, void *context)
{
    struct od *od = context;
    uint8_t data[4096];
    size_t got = 1;

    (void)name;
    while (od->left && got && call_read(call, in, data, sizeof(data), &got)) {
        for (size_t i = 0; i < got && od->left; i++, od->left--) {
            od->line[od->length++] = data[i];
            if (od->length == LINE)
                end_line(call, od);
        }
    }
}

/* -t x1, c, o2, d2 and so on. */
static bool read_type(struct od *od, const char *text)
{
    static const struct {
        const char *text;
        enum od_type type;
    } types[] = {
        {"x1", OD_HEX_BYTES},     {"x2", OD_HEX_WORDS},
        {"x", OD_HEX_WORDS},      {"o1", OD_OCTAL_BYTES},
        {"o2", OD_OCTAL_WORDS},   {"c", OD_CHARACTERS},
        {"a", OD_CHARACTERS},     {"d1", OD_DECIMAL_BYTES},
        {"u1", OD_DECIMAL_BYTES}, {"d2", OD_DECIMAL_WORDS},
    };

    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (!strcmp(types[i].text, text)) {
            od->type = types[i].type;
            return true;
        }
    }
    return false;
}

static bool read_options(struct command_call *call, struct od *od,
                         const struct command_options *options)
{
    const char *type = options->given['c']   ? "c"
                       : options->given['b'] ? "o1"
                       : options->given['x'] ? "x2"
                       : options->given['d'] || options->given['s']
                           ? "d2"
                           : options->values['t'];

    od->all = options->given['v'];
    if (options->values['A'])
        od->base = options->values['A'][0];
    if (!strchr("oxdn", od->base) || !od->base) {
        call_fail(call, "bad -A '%.10s'", options->values['A']);
        return false;
    }
    if (type && !read_type(od, type)) {
        call_fail(call, "bad -t '%.100s'", type);
        return false;
    }
    return !options->values['N'] ||
           call_number(call, options->values['N'], 0, INT64_MAX, &od->left);
}

int do_od(struct command_call *call)
{
    struct od od = {.base = 'o', .left = INT64_MAX};
    struct command_options options;
    int status;

    if (!call_options(call, "A:N:bcdost:vx", &options, &status))
        return status;
    if (!read_options(call, &od, &options)) {
        call_options_release(&options);
        return 1;
    }
    status =
        call_each_input(call, options.operands, options.count, od_input, &od);
    if (od.length)
        end_line(call, &od);
    if (od.base != 'n') {
        print_address(call, &od);
        call_print(call, "\n");
    }
    call_options_release(&options);
    return status;
}

/* ---- xxd ---- */

struct xxd {
    bool plain; /* -p */
    size_t columns;
    long long left;
    unsigned long long at;
    uint8_t line[COLUMNS_MAX];
    size_t length;
};

static void end_xxd_line(struct command_call *call, struct xxd *xxd)
{
    if (!xxd->plain)
        call_print(call, "%08llx:", xxd->at);
    for (size_t i = 0; i < (xxd->plain ? xxd->length : xxd->columns); i++) {
        if (!xxd->plain && i % 2 == 0)
            call_print(call, " ");
        if (i < xxd->length)
            call_print(call, "%02x", xxd->line[i]);
        else
            call_print(call, "  ");
    }
    if (!xxd->plain)
        call_print(call, "  ");
    for (size_t i = 0; !xxd->plain && i < xxd->length; i++)
        call_print(call, "%c", isprint(xxd->line[i]) ? xxd->line[i] : '.');
    call_print(call, "\n");
    xxd->at += xxd->length;
    xxd->length = 0;
}

static void xxd_input(struct command_call *call, const char *name,
                      struct sh_in *in, void *context)
{
    struct xxd *xxd = context;
    uint8_t data[4096];
    size_t got = 1;

    (void)name;
    while (xxd->left && got && call_read(call, in, data, sizeof(data), &got)) {
        for (size_t i = 0; i < got && xxd->left; i++, xxd->left--) {
            xxd->line[xxd->length++] = data[i];
            if (xxd->length == xxd->columns)
                end_xxd_line(call, xxd);
        }
    }
}

int do_xxd(struct command_call *call)
{
    struct xxd xxd = {.left = INT64_MAX};
    struct command_options options;
    long long columns;
    int status;

    if (!call_options(call, "c:g:l:p", &options, &status))
        return status;
    xxd.plain = options.given['p'];
    columns = xxd.plain ? 30 : 16;
    if ((options.values['c'] &&
         !call_number(call, options.values['c'], 1, COLUMNS_MAX, &columns)) ||
        (options.values['l'] &&
         !call_number(call, options.values['l'], 0, INT64_MAX, &xxd.left))) {
        call_options_release(&options);
        return 1;
    }
    xxd.columns = (size_t)columns;
    status =
        call_each_input(call, options.operands, options.count, xxd_input, &xxd);
    if (xxd.length)
        end_xxd_line(call, &xxd);
    call_options_release(&options);
    return status;
}
