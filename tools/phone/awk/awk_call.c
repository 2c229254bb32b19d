/* Awk's built-in functions. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/awk/awk_run.h"

#define FORMAT_ARGUMENTS_MAX 64U

static const struct awk_node *argument(const struct awk_node *node, size_t n)
{
    const struct awk_node *at = node->a;

    while (at && n--)
        at = at->next;
    return at;
}

static struct awk_value bad_call(struct awk *awk, const struct awk_node *node)
{
    char text[64];

    snprintf(text, sizeof(text), "wrong arguments for %.20s", node->text);
    awk_break(awk, text);
    return (struct awk_value)AWK_VALUE_INIT;
}

/*
 * Without an argument, the length of $0; of an array, its number of elements.
 */
static struct awk_value do_length(struct awk *awk, const struct awk_node *node)
{
    const struct awk_node *of = argument(node, 0);
    char *text;
    size_t length;

    if (!of)
        return awk_value_number((double)awk->record.length);
    if (of->kind == AWK_NODE_VARIABLE && awk->arrays[of->slot].count)
        return awk_value_number((double)awk->arrays[of->slot].count);
    text = awk_eval_text(awk, of);
    length = strlen(text);
    free(text);
    return awk_value_number((double)length);
}

static struct awk_value do_substr(struct awk *awk, const struct awk_node *node)
{
    char *text = awk_eval_text(awk, argument(node, 0));
    double size = (double)strlen(text);
    double begin = round(awk_eval_number(awk, argument(node, 1)));
    double end = size + 1;
    struct awk_value value;

    if (argument(node, 2))
        end = begin + round(awk_eval_number(awk, argument(node, 2)));
    if (!(begin >= 1))
        begin = 1;
    if (!(end <= size + 1))
        end = size + 1;
    if (begin < end)
        value = awk_value_text(text + (size_t)begin - 1, (size_t)(end - begin));
    else
        value = awk_value_text("", 0);
    free(text);
    return value;
}

static struct awk_value do_index(struct awk *awk, const struct awk_node *node)
{
    char *text = awk_eval_text(awk, argument(node, 0));
    char *part = awk_eval_text(awk, argument(node, 1));
    const char *found = strstr(text, part);
    double place = found ? (double)(found - text + 1) : 0;

    free(text);
    free(part);
    return awk_value_number(place);
}

static struct awk_value do_case(struct awk *awk, const struct awk_node *node)
{
    bool upper = !strcmp(node->text, "toupper");
    struct awk_value value = {.type = AWK_TEXT,
                              .text = awk_eval_text(awk, argument(node, 0))};

    for (char *at = value.text; *at; at++) {
        unsigned char c = (unsigned char)*at;

        if (c < 0x80)
            *at = (char)(upper ? toupper(c) : tolower(c));
    }
    return value;
}

/* ---- split ---- */

struct awk_splitting {
    struct awk *awk;
    struct awk_array *array;
    size_t count;
};

static void add_piece(void *context, const char *text, size_t length)
{
    struct awk_splitting *splitting = context;
    struct awk *awk = splitting->awk;
    struct awk_value *element;
    char key[24];

    snprintf(key, sizeof(key), "%zu", ++splitting->count);
    element = awk_array_at(splitting->array, key, &awk->array_bytes);
    if (!element) {
        awk_break(awk, "out of space in arrays");
        return;
    }
    *element = awk_value_input(text, length);
    awk->array_bytes += element->text ? strlen(element->text) : 0;
}

static struct awk_value do_split(struct awk *awk, const struct awk_node *node)
{
    const struct awk_node *into = argument(node, 1);
    const struct awk_node *by = argument(node, 2);
    struct buf separator = BUF_INIT(AWK_VALUE_MAX);
    struct awk_splitting splitting = {.awk = awk};
    char *text;

    if (!into || into->kind != AWK_NODE_VARIABLE)
        return bad_call(awk, node);
    text = awk_eval_text(awk, argument(node, 0));
    if (by && by->kind == AWK_NODE_REGEX) {
        buf_text(&separator, by->text);
        if (separator.length == 1 && strcmp(by->text, " ") == 0)
            buf_text(&separator, "{1}"); /* one space, not a run of blanks */
    } else if (by) {
        char *given = awk_eval_text(awk, by);

        buf_text(&separator, given);
        free(given);
    } else {
        awk_value_put(&awk->variables[AWK_SLOT_FS], "%.6g", &separator);
    }
    splitting.array = &awk->arrays[into->slot];
    awk_array_release(splitting.array, &awk->array_bytes);
    awk_split(awk, text, buf_cstr(&separator), add_piece, &splitting);
    awk_pay(awk);
    buf_release(&separator);
    free(text);
    return awk_value_number((double)splitting.count);
}

/* ---- patterns ---- */

/* The regular expression given as an argument, or compiled from its text. */
static struct regex *pattern_of(struct awk *awk, const struct awk_node *node)
{
    struct regex *regex;
    char *text;

    if (node->kind == AWK_NODE_REGEX)
        return node->regex;
    text = awk_eval_text(awk, node);
    regex = awk_pattern(awk, text);
    free(text);
    return regex;
}

/* In a replacement, "&" stands for the match and "\&" for an ampersand. */
static void put_replacement(const char *text, const char *match, size_t length,
                            struct buf *out)
{
    for (; *text; text++) {
        if (*text == '\\' && (text[1] == '&' || text[1] == '\\'))
            buf_byte(out, *++text);
        else if (*text == '&')
            buf_append(out, match, length);
        else
            buf_byte(out, *text);
    }
}

/* The number of replacements; out gets the new text. */
static size_t replace(struct awk *awk, struct regex *regex, const char *text,
                      const char *by, bool all, struct buf *out)
{
    struct regex_span spans[REGEX_SPANS];
    size_t length = strlen(text);
    size_t behind = SIZE_MAX;
    size_t count = 0;
    size_t at = 0;

    while (at <= length && (all || !count) && call_step(awk->call) &&
           regex_find_spans(regex, text, length, at, spans)) {
        bool empty = spans[0].begin == spans[0].end;

        buf_append(out, text + at, spans[0].begin - at);
        if (!empty || spans[0].begin != behind) {
            put_replacement(by, text + spans[0].begin,
                            spans[0].end - spans[0].begin, out);
            count++;
        }
        at = spans[0].end;
        behind = empty ? behind : at;
        if (empty) {
            if (at < length)
                buf_byte(out, text[at]);
            at++;
        }
    }
    if (at < length)
        buf_append(out, text + at, length - at);
    return count;
}

static struct awk_value do_sub(struct awk *awk, const struct awk_node *node)
{
    static const struct awk_node zero = {.kind = AWK_NODE_NUMBER, .text = ""};
    static const struct awk_node whole = {
        .kind = AWK_NODE_FIELD, .text = "", .a = (struct awk_node *)&zero};
    const struct awk_node *place =
        argument(node, 2) ? argument(node, 2) : &whole;
    struct buf out = BUF_INIT(AWK_VALUE_MAX);
    char *by = awk_eval_text(awk, argument(node, 1));
    char *text = awk_eval_text(awk, place);
    struct regex *regex = pattern_of(awk, argument(node, 0));
    size_t count = 0;

    if (regex)
        count = replace(awk, regex, text, by, node->text[0] == 'g', &out);
    if (out.overflow) {
        awk_break(awk, "string too long");
    } else if (count) {
        struct awk_value value = awk_value_text(buf_cstr(&out), out.length);

        if (place->kind == AWK_NODE_VARIABLE || place->kind == AWK_NODE_FIELD ||
            place->kind == AWK_NODE_ELEMENT)
            awk_assign(awk, place, &value);
        awk_value_release(&value);
    }
    buf_release(&out);
    free(by);
    free(text);
    return awk_value_number((double)count);
}

static struct awk_value do_match(struct awk *awk, const struct awk_node *node)
{
    char *text = awk_eval_text(awk, argument(node, 0));
    struct regex *regex = pattern_of(awk, argument(node, 1));
    size_t begin = 0;
    size_t end = 0;
    bool found = regex && regex_find(regex, text, strlen(text), &begin, &end);
    const struct awk_value start =
        awk_value_number(found ? (double)begin + 1 : 0);
    const struct awk_value length =
        awk_value_number(found ? (double)(end - begin) : -1);

    awk_set_variable(awk, AWK_SLOT_RSTART, &start);
    awk_set_variable(awk, AWK_SLOT_RLENGTH, &length);
    free(text);
    return start;
}

/* ---- numbers and formats ---- */

static struct awk_value do_sprintf(struct awk *awk, const struct awk_node *node)
{
    struct awk_value values[FORMAT_ARGUMENTS_MAX];
    struct buf out = BUF_INIT(AWK_VALUE_MAX);
    char *format = awk_eval_text(awk, node->a);
    struct awk_value value;
    size_t count = 0;

    for (const struct awk_node *at = node->a->next;
         at && count < FORMAT_ARGUMENTS_MAX; at = at->next)
        values[count++] = awk_eval(awk, at);
    awk_format(format, values, count, &out);
    value = awk_value_text(buf_cstr(&out), out.length);
    while (count)
        awk_value_release(&values[--count]);
    buf_release(&out);
    free(format);
    return value;
}

static double random_number(struct awk *awk)
{
    awk->random = awk->random * UINT64_C(6364136223846793005) +
                  UINT64_C(1442695040888963407);
    return (double)(awk->random >> 11) / (double)(UINT64_C(1) << 53);
}

static struct awk_value do_mathematics(struct awk *awk,
                                       const struct awk_node *node)
{
    const char *name = node->text;
    double x = node->a ? awk_eval_number(awk, node->a) : 0;
    double before = awk->seed;

    if (!strcmp(name, "int"))
        return awk_value_number(trunc(x));
    if (!strcmp(name, "sqrt"))
        return awk_value_number(sqrt(x));
    if (!strcmp(name, "exp"))
        return awk_value_number(exp(x));
    if (!strcmp(name, "log"))
        return awk_value_number(log(x));
    if (!strcmp(name, "sin"))
        return awk_value_number(sin(x));
    if (!strcmp(name, "cos"))
        return awk_value_number(cos(x));
    if (!strcmp(name, "atan2"))
        return awk_value_number(
            atan2(x, awk_eval_number(awk, argument(node, 1))));
    if (!strcmp(name, "rand"))
        return awk_value_number(random_number(awk));
    if (!strcmp(name, "srand")) {
        awk->seed = x;
        awk->random = (uint64_t)awk_integer(x);
        return awk_value_number(before);
    }
    return awk_value_number(0); /* close, fflush: no output is buffered */
}

static const struct {
    const char *name;
    size_t least;
    size_t most;
    struct awk_value (*call)(struct awk *awk, const struct awk_node *node);
} functions[] = {
    {"length", 0, 1, do_length},
    {"substr", 2, 3, do_substr},
    {"index", 2, 2, do_index},
    {"split", 2, 3, do_split},
    {"sub", 2, 3, do_sub},
    {"gsub", 2, 3, do_sub},
    {"match", 2, 2, do_match},
    {"sprintf", 1, 64, do_sprintf},
    {"tolower", 1, 1, do_case},
    {"toupper", 1, 1, do_case},
    {"int", 1, 1, do_mathematics},
    {"sqrt", 1, 1, do_mathematics},
    {"exp", 1, 1, do_mathematics},
    {"log", 1, 1, do_mathematics},
    {"sin", 1, 1, do_mathematics},
    {"cos", 1, 1, do_mathematics},
    {"atan2", 2, 2, do_mathematics},
    {"rand", 0, 0, do_mathematics},
    {"srand", 0, 1, do_mathematics},
    {"close", 1, 1, do_mathematics},
    {"fflush", 0, 1, do_mathematics},
};

struct awk_value awk_call(struct awk *awk, const struct awk_node *node)
{
    size_t count = 0;

    for (const struct awk_node *at = node->a; at; at = at->next)
        count++;
    for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
        if (!strcmp(functions[i].name, node->text))
            return count >= functions[i].least && count <= functions[i].most
                       ? functions[i].call(awk, node)
                       : bad_call(awk, node);
    }
    return bad_call(awk, node);
}
