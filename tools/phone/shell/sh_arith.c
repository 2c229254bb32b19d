#include "tools/phone/shell/sh_arith.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell/sh_lex.h"
#include "base/shell/sh_parse.h"

struct sum {
    const char *at;
    struct sh_vars *vars;
    unsigned
        skipped; /* nesting of operands that are parsed but not evaluated */
    unsigned depth;
    struct err *err;
};

static bool choice(struct sum *sum, int32_t *value);
static bool apply(struct sum *sum, const char *op, int32_t a, int32_t b,
                  int32_t *value);

/* Longer operators come first. A higher level binds tighter. */
static const struct {
    const char *text;
    int level;
} operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
    {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

#define LEVEL_TOP 10

static void skip_space(struct sum *sum)
{
    while (isspace((unsigned char)*sum->at))
        sum->at++;
}

static bool bad(struct sum *sum)
{
    if (!*sum->at)
        return err_set(sum->err, ERR_INVALID, "unexpected end of expression");
    return err_set(sum->err, ERR_INVALID, "unexpected '%.40s'", sum->at);
}

static int32_t number_of(const char *text, char **end)
{
    return (int32_t)(uint32_t)strtoull(text, end, 0);
}

/* The value of a variable, as a number. */
static bool value_of(struct sum *sum, const char *name, int32_t *value)
{
    const char *text = sh_vars_get(sum->vars, name);
    bool negative;
    char *end;

    *value = 0;
    if (!text || !*text)
        return true;
    negative = *text == '-';
    *value = number_of(text + negative, &end);
    if (negative)
        *value = (int32_t)(0U - (uint32_t)*value);
    return !*end || err_set(sum->err, ERR_INVALID, "%.40s: bad number", text);
}

static bool set(struct sum *sum, const char *name, int32_t value)
{
    char text[16];

    snprintf(text, sizeof(text), "%ld", (long)value);
    return sum->skipped || sh_vars_set(sum->vars, name, text) ||
           err_set(sum->err, ERR_INVALID, "out of memory");
}

static bool take_name(struct sum *sum, char name[static 64])
{
    size_t length = sh_name_length(sum->at, strlen(sum->at));

    if (!length || length >= 64)
        return bad(sum);
    memcpy(name, sum->at, length);
    name[length] = '\0';
    sum->at += length;
    return true;
}

/* The operator before an assigning '=', "=" if there is none; or NULL. */
static const char *take_assignment(struct sum *sum)
{
    static const char *const assigning[] = {"<<", ">>", "+", "-", "*",
                                            "/",  "%",  "&", "|", "^"};

    skip_space(sum);
    if (sum->at[0] == '=' && sum->at[1] != '=') {
        sum->at++;
        return "=";
    }
    for (size_t i = 0; i < ARRAY_LEN(assigning); i++) {
        size_t length = strlen(assigning[i]);

        if (strncmp(sum->at, assigning[i], length) != 0 ||
            sum->at[length] != '=')
            continue;
        sum->at += length + 1;
        return assigning[i];
    }
    return NULL;
}

/* ++ or --; 0 if it is neither. */
static int take_step(struct sum *sum)
{
    skip_space(sum);
    if (strncmp(sum->at, "++", 2) != 0 && strncmp(sum->at, "--", 2) != 0)
        return 0;
    sum->at += 2;
    return sum->at[-1] == '+' ? 1 : -1;
}

/* A variable, and the operators on it. */
static bool variable(struct sum *sum, int32_t *value)
{
    char name[64];
    const char *op;
    int32_t right;
    int step;

    if (!take_name(sum, name) || !value_of(sum, name, value))
        return false;
    step = take_step(sum);
    if (step)
        return set(sum, name, (int32_t)((uint32_t)*value + (uint32_t)step));
    op = take_assignment(sum);
    if (!op)
        return true;
    if (sum->depth >= SH_DEPTH_MAX)
        return bad(sum);
    sum->depth++;
    if (!choice(sum, &right))
        return false;
    sum->depth--;
    if (*op == '=')
        *value = right;
    else if (!apply(sum, op, *value, right, value))
        return false;
    return set(sum, name, *value);
}

/* ++name and --name; before anything else these are signs. */
static bool prefix_step(struct sum *sum, bool *done, int32_t *value)
{
    const char *before = sum->at;
    int step = take_step(sum);
    char name[64];

    skip_space(sum);
    *done = step && sh_name_length(sum->at, strlen(sum->at));
    if (!*done) {
        sum->at = before;
        return true;
    }
    if (!take_name(sum, name) || !value_of(sum, name, value))
        return false;
    *value = (int32_t)((uint32_t)*value + (uint32_t)step);
    return set(sum, name, *value);
}

static bool enclosed(struct sum *sum, int32_t *value)
{
    sum->at++;
    if (!choice(sum, value))
        return false;
    skip_space(sum);
    if (*sum->at != ')')
        return bad(sum);
    sum->at++;
    return true;
}

static bool plain(struct sum *sum, int32_t *value)
{
    size_t length = sh_name_length(sum->at, strlen(sum->at));
    char *end;

    if (*sum->at == '(')
        return enclosed(sum, value);
    if (length)
        return variable(sum, value);
    if (!isdigit((unsigned char)*sum->at))
        return bad(sum);
    *value = number_of(sum->at, &end);
    sum->at = end;
    return true;
}

static bool unary(struct sum *sum, int32_t *value)
{
    char sign;
    bool done;

    skip_space(sum);
    *value = 0;
    if (!prefix_step(sum, &done, value))
        return false;
    if (done)
        return true;
    sign = *sum->at;
    if (!sign || !strchr("+-!~", sign))
        return plain(sum, value);
    if (sum->depth >= SH_DEPTH_MAX)
        return bad(sum);
    sum->at++;
    sum->depth++;
    if (!unary(sum, value))
        return false;
    sum->depth--;
    if (sign == '-')
        *value = (int32_t)(0U - (uint32_t)*value);
    else if (sign == '!')
        *value = !*value;
    else if (sign == '~')
        *value = ~*value;
    return true;
}

static bool divide(struct sum *sum, char sign, int32_t a, int32_t b,
                   int32_t *value)
{
    if (b == 0 && sum->skipped)
        b = 1;
    if (b == 0)
        return err_set(sum->err, ERR_INVALID, "zero divisor");
    if (a == INT32_MIN && b == -1)
        *value = sign == '/' ? a : 0;
    else
        *value = sign == '/' ? a / b : a % b;
    return true;
}

static int32_t shift(char sign, int32_t a, int32_t b)
{
    unsigned by = (unsigned)b & 31U;

    return sign == '<' ? (int32_t)((uint32_t)a << by) : a >> by;
}

/* Two characters as one number, for switch. */
#define TWO(a, b) ((a) << 8 | (b))

static bool apply(struct sum *sum, const char *op, int32_t a, int32_t b,
                  int32_t *value)
{
    uint32_t x = (uint32_t)a;
    uint32_t y = (uint32_t)b;

    switch (TWO(op[0], op[1])) {
    case TWO('|', '|'):
        *value = a || b;
        return true;
    case TWO('&', '&'):
        *value = a && b;
        return true;
    case TWO('=', '='):
        *value = a == b;
        return true;
    case TWO('!', '='):
        *value = a != b;
        return true;
    case TWO('<', '='):
        *value = a <= b;
        return true;
    case TWO('>', '='):
        *value = a >= b;
        return true;
    case TWO('<', '<'):
    case TWO('>', '>'):
        *value = shift(op[0], a, b);
        return true;
    case TWO('|', 0):
        *value = a | b;
        return true;
    case TWO('^', 0):
        *value = a ^ b;
        return true;
    case TWO('&', 0):
        *value = a & b;
        return true;
    case TWO('<', 0):
        *value = a < b;
        return true;
    case TWO('>', 0):
        *value = a > b;
        return true;
    case TWO('+', 0):
        *value = (int32_t)(x + y);
        return true;
    case TWO('-', 0):
        *value = (int32_t)(x - y);
        return true;
    case TWO('*', 0):
        *value = (int32_t)(x * y);
        return true;
    default:
        return divide(sum, op[0], a, b, value);
    }
}

/* The next operator if it is of that level, otherwise NULL. */
static const char *take_operator(struct sum *sum, int level)
{
    skip_space(sum);
    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        size_t length = strlen(operators[i].text);

        if (strncmp(sum->at, operators[i].text, length) != 0)
            continue;
        /*
         * "+=" and similar operators assign; here the left side is no variable.
         */
        if (operators[i].level != level ||
            (sum->at[length] == '=' && !strchr("=!<>", *operators[i].text)))
            return NULL;
        sum->at += length;
        return operators[i].text;
    }
    return NULL;
}

/* Left-associative operators of one level, and those that bind tighter. */
static bool binary(struct sum *sum, int level, int32_t *value)
{
    const char *op;
    int32_t right = 0;

    *value = 0;
    if (level > LEVEL_TOP)
        return unary(sum, value);
    if (sum->depth >= SH_DEPTH_MAX)
        return bad(sum);
    sum->depth += level == 1;
    if (!binary(sum, level + 1, value))
        return false;
    while ((op = take_operator(sum, level))) {
        bool skips = (level == 1 && *value) || (level == 2 && !*value);

        sum->skipped += skips;
        if (!binary(sum, level + 1, &right) ||
            !apply(sum, op, *value, right, value))
            return false;
        sum->skipped -= skips;
    }
    sum->depth -= level == 1;
    return true;
}

/* a ? b : c */
static bool choice(struct sum *sum, int32_t *value)
{
    int32_t parts[2] = {0};
    bool first;

    if (!binary(sum, 1, value))
        return false;
    skip_space(sum);
    if (*sum->at != '?')
        return true;
    if (sum->depth >= SH_DEPTH_MAX)
        return bad(sum);
    first = *value != 0;
    sum->depth++;
    for (int i = 0; i < 2; i++) {
        bool skips = first == (i == 1);

        skip_space(sum);
        if (*sum->at != (i ? ':' : '?'))
            return bad(sum);
        sum->at++;
        sum->skipped += skips;
        if (!choice(sum, &parts[i]))
            return false;
        sum->skipped -= skips;
    }
    sum->depth--;
    *value = parts[first ? 0 : 1];
    return true;
}

bool sh_arith(const char *text, struct sh_vars *vars, int32_t *value,
              struct err *err)
{
    struct sum sum = {.at = text, .vars = vars, .err = err};
    int32_t result;

    skip_space(&sum);
    if (!*sum.at) {
        *value = 0;
        return true;
    }
    if (!choice(&sum, &result))
        return false;
    skip_space(&sum);
    if (*sum.at)
        return bad(&sum);
    *value = result;
    return true;
}
