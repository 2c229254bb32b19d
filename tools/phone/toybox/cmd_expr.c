/* expr: evaluates an expression. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/grep_pattern.h"

#define DEPTH_MAX 24U
#define VALUE_SIZE ((size_t)64 * 1024)

struct formula {
    struct command_call *call;
    size_t at; /* index of the next argument */
    unsigned depth;
    bool broken; /* an error was printed */
};

/* Longer operators come first. A higher level binds tighter. */
static const struct {
    const char *text;
    unsigned level;
} operators[] = {
    {"|", 1},  {"&", 2}, {"<=", 3}, {">=", 3}, {"!=", 3},
    {"==", 3}, {"=", 3}, {"<", 3},  {">", 3},  {"+", 4},
    {"-", 4},  {"*", 5}, {"/", 5},  {"%", 5},  {":", 6},
};

#define LEVEL_TOP 6U

static char *level(struct formula *formula, unsigned level_now);

static char *broken(struct formula *formula, const char *why)
{
    if (!formula->broken)
        call_fail(formula->call, "%s", why);
    formula->broken = true;
    return mem_dup("");
}

static bool as_number(const char *text, long long *number)
{
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return !errno && end != text && !*end;
}

static bool is_nothing(const char *text)
{
    long long number;

    return !*text || (as_number(text, &number) && number == 0);
}

static char *number_text(long long number)
{
    char text[32];

    snprintf(text, sizeof(text), "%lld", number);
    return mem_dup(text);
}

/* ---- operators ---- */

/* The text that the group matched, or the length of the match. */
static char *match(struct formula *formula, const char *text, const char *regex)
{
    struct regex_span spans[REGEX_SPANS];
    struct regex *pattern;
    struct err err;
    char *anchored = mem_new(strlen(regex) + 2, 1);
    bool grouped = strstr(regex, "\\(") != NULL;
    char *result;
    bool fine;

    snprintf(anchored, strlen(regex) + 2, "%s%s", *regex == '^' ? "" : "^",
             regex);
    fine =
        grep_pattern_open(anchored, GREP_PATTERN_BASIC, false, &pattern, &err);
    free(anchored);
    if (!fine)
        return broken(formula, "bad regex");
    fine = regex_find_spans(pattern, text, strlen(text), 0, spans);
    if (grouped)
        result = fine && spans[1].set ? mem_dup_n(text + spans[1].begin,
                                                  spans[1].end - spans[1].begin)
                                      : mem_dup("");
    else
        result = number_text(fine ? (long long)spans[0].end : 0);
    regex_close(pattern);
    return result;
}

static char *compare(const char *op, const char *a, const char *b)
{
    long long x;
    long long y;
    int order;

    if (as_number(a, &x) && as_number(b, &y))
        order = x < y ? -1 : x > y;
    else
        order = strcmp(a, b);
    if (op[0] == '=')
        return number_text(order == 0);
    if (op[0] == '!')
        return number_text(order != 0);
    if (op[0] == '<')
        return number_text(order < 0 || (op[1] && order == 0));
    return number_text(order > 0 || (op[1] && order == 0));
}

static char *calculate(struct formula *formula, char op, const char *a,
                       const char *b)
{
    long long x;
    long long y;
    long long result = 0;
    bool fits;

    if (!as_number(a, &x) || !as_number(b, &y))
        return broken(formula, "not integer");
    if ((op == '/' || op == '%') && y == 0)
        return broken(formula, "division by zero");
    if (op == '/' || op == '%') {
        fits = y != -1;
        result = op == '%' ? (fits ? x % y : 0)
                 : fits    ? x / y
                           : (long long)(0ULL - (unsigned long long)x);
        return number_text(result);
    }
    if (op == '+')
        fits = !__builtin_add_overflow(x, y, &result);
    else if (op == '-')
        fits = !__builtin_sub_overflow(x, y, &result);
    else
        fits = !__builtin_mul_overflow(x, y, &result);
    return fits ? number_text(result) : broken(formula, "overflow");
}

static char *apply(struct formula *formula, const char *op, const char *a,
                   const char *b)
{
    switch (*op) {
    case '|':
        return mem_dup(!is_nothing(a) ? a : !is_nothing(b) ? b : "0");
    case '&':
        return mem_dup(!is_nothing(a) && !is_nothing(b) ? a : "0");
    case ':':
        return match(formula, a, b);
    case '<':
    case '>':
    case '=':
    case '!':
        return compare(op, a, b);
    default:
        return calculate(formula, *op, a, b);
    }
}

/* ---- the expression ---- */

static char *operand(struct formula *formula)
{
    struct command_call *call = formula->call;
    const char *word;
    char *value;

    if (formula->at >= call->argc || formula->broken)
        return broken(formula, "syntax error");
    word = call->argv[formula->at++];
    if (strcmp(word, "(") != 0)
        return mem_dup_n(word, strnlen(word, VALUE_SIZE));
    if (formula->depth >= DEPTH_MAX)
        return broken(formula, "syntax error");
    formula->depth++;
    value = level(formula, 1);
    formula->depth--;
    if (formula->at >= call->argc ||
        strcmp(call->argv[formula->at], ")") != 0) {
        free(value);
        return broken(formula, "syntax error");
    }
    formula->at++;
    return value;
}

static const char *take_operator(struct formula *formula, unsigned wanted)
{
    struct command_call *call = formula->call;

    for (size_t i = 0; formula->at < call->argc && i < ARRAY_LEN(operators);
         i++) {
        if (strcmp(operators[i].text, call->argv[formula->at]) != 0)
            continue;
        if (operators[i].level != wanted)
            return NULL;
        formula->at++;
        return operators[i].text;
    }
    return NULL;
}

static char *level(struct formula *formula, unsigned level_now)
{
    char *value;
    const char *op;

    if (level_now > LEVEL_TOP)
        return operand(formula);
    value = level(formula, level_now + 1);
    while (!formula->broken && (op = take_operator(formula, level_now))) {
        char *right = level(formula, level_now + 1);
        char *result = formula->broken || !call_step(formula->call)
                           ? mem_dup("")
                           : apply(formula, op, value, right);

        free(value);
        free(right);
        value = result;
    }
    return value;
}

int do_expr(struct command_call *call)
{
    struct formula formula = {.call = call, .at = 1};
    char *value;
    int status;

    if (call->argc < 2)
        return call_needs(call, 1, 2);
    value = level(&formula, 1);
    if (!formula.broken && formula.at < call->argc) {
        free(value);
        value = broken(&formula, "syntax error");
    }
    if (!formula.broken)
        call_print(call, "%s\n", value);
    status = formula.broken ? 2 : is_nothing(value);
    free(value);
    return status;
}
