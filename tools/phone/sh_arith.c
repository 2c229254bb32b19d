#include "tools/phone/sh_arith.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/sh_lex.h"
#include "tools/phone/sh_parse.h"

struct sum {
    const char *at;
    const struct sh_vars *vars;
    unsigned depth;
    struct err *err;
};

static bool binary(struct sum *sum, int level, int32_t *value);

/* The longer ones first. Levels bind tighter as they grow. */
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

static bool variable(struct sum *sum, size_t length, int32_t *value)
{
    char name[64];
    const char *text;
    bool negative;
    char *end;

    if (length >= sizeof(name))
        return bad(sum);
    memcpy(name, sum->at, length);
    name[length] = '\0';
    sum->at += length;
    text = sh_vars_get(sum->vars, name);
    *value = 0;
    if (!text || !*text)
        return true;
    negative = *text == '-';
    *value = number_of(text + negative, &end);
    if (negative)
        *value = (int32_t)(0U - (uint32_t)*value);
    return !*end || err_set(sum->err, ERR_INVALID, "%.40s: bad number", text);
}

static bool enclosed(struct sum *sum, int32_t *value)
{
    sum->at++;
    if (!binary(sum, 1, value))
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
        return variable(sum, length, value);
    if (!isdigit((unsigned char)*sum->at))
        return bad(sum);
    *value = number_of(sum->at, &end);
    sum->at = end;
    return true;
}

static bool unary(struct sum *sum, int32_t *value)
{
    char sign;

    skip_space(sum);
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

/* Two characters, as one number to switch on. */
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

/* The operator of that level which comes next, or NULL. */
static const char *take_operator(struct sum *sum, int level)
{
    skip_space(sum);
    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        size_t length = strlen(operators[i].text);

        if (strncmp(sum->at, operators[i].text, length) != 0)
            continue;
        if (operators[i].level != level)
            return NULL;
        sum->at += length;
        return operators[i].text;
    }
    return NULL;
}

/* Operators of a level, from left to right, over those that bind tighter. */
static bool binary(struct sum *sum, int level, int32_t *value)
{
    const char *op;
    int32_t right = 0;

    if (level > LEVEL_TOP)
        return unary(sum, value);
    if (sum->depth >= SH_DEPTH_MAX)
        return bad(sum);
    sum->depth += level == 1;
    if (!binary(sum, level + 1, value))
        return false;
    while ((op = take_operator(sum, level))) {
        if (!binary(sum, level + 1, &right) ||
            !apply(sum, op, *value, right, value))
            return false;
    }
    sum->depth -= level == 1;
    return true;
}

bool sh_arith(const char *text, const struct sh_vars *vars, int32_t *value,
              struct err *err)
{
    struct sum sum = {.at = text, .vars = vars, .err = err};
    int32_t result;

    skip_space(&sum);
    if (!*sum.at) {
        *value = 0;
        return true;
    }
    if (!binary(&sum, 1, &result))
        return false;
    skip_space(&sum);
    if (*sum.at)
        return bad(&sum);
    *value = result;
    return true;
}
