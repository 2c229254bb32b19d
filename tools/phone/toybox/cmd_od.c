/* od and xxd: bytes as numbers. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/phone/toybox/cmd.h"

#define LINE 16U
#define COLUMNS_MAX 256

/* How bytes are printed: as characters, or as numbers of this many bytes. */
struct od_type {
    char kind; /* 'c', or as in printf: 'd', 'o', 'u', 'x' */
    unsigned size;
};

struct od {
    struct od_type type;
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

/* The width of the largest number of that type. */
static int od_width(struct od_type type)
{
    static const int unsigned_widths[] = {[1] = 3, [2] = 5, [4] = 10, [8] = 20};
    static const int signed_widths[] = {[1] = 4, [2] = 6, [4] = 11, [8] = 20};

    if (type.kind == 'o')
        return ((int)type.size * 8 + 2) / 3;
    if (type.kind == 'x')
        return (int)type.size * 2;
    return (type.kind == 'd' ? signed_widths : unsigned_widths)[type.size];
}

/* Bytes that the last number of a line lacks are 0. */
static void print_number(struct command_call *call, const struct od *od,
                         size_t at)
{
    int width = od_width(od->type);
    unsigned unused_bits = 64 - 8 * od->type.size;
    uint64_t value = 0;

    assert(od->type.size > 0);
    for (size_t i = od->type.size; i--;)
        value = value << 8 | (at + i < od->length ? od->line[at + i] : 0);
    if (od->type.kind == 'd')
        call_print(call, " %*" PRId64, width,
                   (int64_t)(value << unused_bits) >> unused_bits);
    else if (od->type.kind == 'u')
        call_print(call, " %*" PRIu64, width, value);
    else if (od->type.kind == 'o')
        call_print(call, " %0*" PRIo64, width, value);
    else
        call_print(call, " %0*" PRIx64, width, value);
}

static void print_line(struct command_call *call, struct od *od)
{
    print_address(call, od);
    for (size_t i = 0; i < od->length; i += od->type.size) {
        if (od->type.kind == 'c')
            print_character(call, od->line[i]);
        else
            print_number(call, od, i);
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

/* -t c, x1, d4, u and so on: without a size, numbers have four bytes. */
static bool read_type(struct od *od, const char *text)
{
    const char *size = text + 1;

    if (!strcmp(text, "c") || !strcmp(text, "a")) {
        od->type = (struct od_type){'c', 1};
        return true;
    }
    if (!*text || !strchr("doux", *text))
        return false;
    size = *size ? size : "4";
    if (!strchr("1248", *size) || size[1])
        return false;
    od->type = (struct od_type){*text, (unsigned)(*size - '0')};
    return true;
}

static bool read_options(struct command_call *call, struct od *od,
                         const struct command_options *options)
{
    const char *type = options->given['c']   ? "c"
                       : options->given['b'] ? "o1"
                       : options->given['x'] ? "x2"
                       : options->given['d'] ? "u2"
                       : options->given['s'] ? "d2"
                                             : options->values['t'];

    od->all = options->given['v'];
    if (options->values['A'])
        od->base = options->values['A'][0];
    if (!strchr("oxdn", od->base) || !od->base) {
        call_fail(call, "bad -A '%.10s'", options->values['A']);
        return false;
    }
    if (type && !read_type(od, type)) {
        call_fail(call, "bad -t %.100s", type);
        return false;
    }
    return !options->values['N'] ||
           call_number(call, options->values['N'], 0, INT64_MAX, &od->left);
}

int do_od(struct command_call *call)
{
    struct od od = {.type = {'o', 2}, .base = 'o', .left = INT64_MAX};
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
