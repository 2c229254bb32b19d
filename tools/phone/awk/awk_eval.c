/* Evaluation of expressions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/awk/awk_run.h"

static const char *conversion(const struct awk *awk)
{
    const struct awk_value *format = &awk->variables[AWK_SLOT_CONVFMT];

    return format->text ? format->text : "%.6g";
}

char *awk_eval_text(struct awk *awk, const struct awk_node *node)
{
    struct awk_value value = awk_eval(awk, node);
    struct buf text = BUF_INIT(AWK_VALUE_MAX);
    char *copy;

    if (value.text) {
        copy = value.text;
        value.text = NULL;
    } else {
        awk_value_put(&value, conversion(awk), &text);
        copy = mem_dup(buf_cstr(&text));
    }
    buf_release(&text);
    awk_value_release(&value);
    return copy;
}

double awk_eval_number(struct awk *awk, const struct awk_node *node)
{
    struct awk_value value = awk_eval(awk, node);
    double number = awk_value_to_number(&value);

    awk_value_release(&value);
    return number;
}

bool awk_eval_true(struct awk *awk, const struct awk_node *node)
{
    struct awk_value value = awk_eval(awk, node);
    bool is = awk_value_is_true(&value);

    awk_value_release(&value);
    return is;
}

char *awk_eval_key(struct awk *awk, const struct awk_node *keys)
{
    struct buf key = BUF_INIT(AWK_VALUE_MAX);
    char *copy;

    for (const struct awk_node *at = keys; at; at = at->next) {
        char *part = awk_eval_text(awk, at);

        if (at != keys)
            awk_value_put(&awk->variables[AWK_SLOT_SUBSEP], "%.6g", &key);
        buf_text(&key, part);
        free(part);
    }
    copy = mem_dup(buf_cstr(&key));
    buf_release(&key);
    return copy;
}

/* ---- variables, fields and elements ---- */

static struct awk_value *element(struct awk *awk, const struct awk_node *node)
{
    char *key = awk_eval_key(awk, node->a);
    struct awk_value *found =
        awk_array_at(&awk->arrays[node->slot], key, &awk->array_bytes);

    free(key);
    if (!found)
        awk_break(awk, "out of space in arrays");
    else
        awk_pay(awk);
    return found;
}

void awk_assign(struct awk *awk, const struct awk_node *place,
                const struct awk_value *value)
{
    struct awk_value *found;

    if (place->kind == AWK_NODE_VARIABLE) {
        awk_set_variable(awk, place->slot, value);
        return;
    }
    if (place->kind == AWK_NODE_FIELD) {
        awk_set_field(awk, awk_eval_number(awk, place->a), value);
        return;
    }
    found = element(awk, place);
    if (!found)
        return;
    if (value->text)
        awk->array_bytes += strlen(value->text);
    if (found->text)
        awk->array_bytes -= strlen(found->text);
    if (awk->array_bytes > AWK_ARRAYS_BYTES_MAX) {
        awk_break(awk, "out of space in arrays");
        return;
    }
    awk_value_release(found);
    *found = awk_value_copy(value);
    awk_pay(awk);
}

/* ---- operators ---- */

static double calculate(struct awk *awk, char op, double a, double b)
{
    switch (op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '^':
        return pow(a, b);
    default:
        if (b < 0 || b > 0)
            return op == '/' ? a / b : fmod(a, b);
        awk_break(awk, "division by zero");
        return 0;
    }
}

static struct awk_value assign(struct awk *awk, const struct awk_node *node)
{
    struct awk_value value = awk_eval(awk, node->b);

    if (*node->text != '=') {
        double before = awk_eval_number(awk, node->a);
        double by = awk_value_to_number(&value);

        awk_value_release(&value);
        value = awk_value_number(calculate(awk, *node->text, before, by));
    }
    if (awk->flow == AWK_FLOW_ON)
        awk_assign(awk, node->a, &value);
    return value;
}

static struct awk_value step(struct awk *awk, const struct awk_node *node)
{
    double before = awk_eval_number(awk, node->a);
    struct awk_value after = awk_value_number(before + node->number);

    awk_assign(awk, node->a, &after);
    return node->first ? after : awk_value_number(before);
}

static struct awk_value join(struct awk *awk, const struct awk_node *node)
{
    char *left = awk_eval_text(awk, node->a);
    char *right = awk_eval_text(awk, node->b);
    struct buf text = BUF_INIT(AWK_VALUE_MAX);
    struct awk_value value;

    buf_text(&text, left);
    buf_text(&text, right);
    if (text.overflow)
        awk_break(awk, "string too long");
    value = awk_value_text(buf_cstr(&text), text.length);
    buf_release(&text);
    free(left);
    free(right);
    return value;
}

static bool compare(struct awk *awk, const struct awk_node *node)
{
    struct awk_value left = awk_eval(awk, node->a);
    struct awk_value right = awk_eval(awk, node->b);
    int order = awk_value_compare(&left, &right);

    awk_value_release(&left);
    awk_value_release(&right);
    if (!strcmp(node->text, "=="))
        return order == 0;
    if (!strcmp(node->text, "!="))
        return order != 0;
    if (order == 0)
        return node->text[1] == '=';
    return (order < 0) == (node->text[0] == '<');
}

/* A regular expression literal, or the text of any other expression. */
static bool matches(struct awk *awk, const struct awk_node *node)
{
    char *text = awk_eval_text(awk, node->a);
    struct regex *regex = node->b->regex;
    char *dynamic = NULL;
    size_t begin;
    size_t end;
    bool found;

    if (node->b->kind != AWK_NODE_REGEX) {
        dynamic = awk_eval_text(awk, node->b);
        regex = awk_pattern(awk, dynamic);
    }
    found = regex && regex_find(regex, text, strlen(text), &begin, &end);
    free(text);
    free(dynamic);
    return found != (node->text[0] == '!');
}

static struct awk_value binary(struct awk *awk, const struct awk_node *node)
{
    const char *op = node->text;

    if (!*op)
        return join(awk, node);
    if (!strcmp(op, "&&"))
        return awk_value_number(awk_eval_true(awk, node->a) &&
                                awk_eval_true(awk, node->b));
    if (!strcmp(op, "||"))
        return awk_value_number(awk_eval_true(awk, node->a) ||
                                awk_eval_true(awk, node->b));
    if (!strcmp(op, "~") || !strcmp(op, "!~"))
        return awk_value_number(matches(awk, node));
    if (strchr("<>=!", *op))
        return awk_value_number(compare(awk, node));
    return awk_value_number(calculate(awk, *op, awk_eval_number(awk, node->a),
                                      awk_eval_number(awk, node->b)));
}

static struct awk_value unary(struct awk *awk, const struct awk_node *node)
{
    double number;

    if (*node->text == '!')
        return awk_value_number(!awk_eval_true(awk, node->a));
    number = awk_eval_number(awk, node->a);
    return awk_value_number(*node->text == '-' ? -number : number);
}

static struct awk_value is_in(struct awk *awk, const struct awk_node *node)
{
    char *key = awk_eval_key(awk, node->a);
    bool found = awk_array_find(&awk->arrays[node->slot], key) != NULL;

    free(key);
    return awk_value_number(found);
}

static struct awk_value element_value(struct awk *awk,
                                      const struct awk_node *node)
{
    const struct awk_value *found = element(awk, node);

    return found ? awk_value_copy(found) : (struct awk_value)AWK_VALUE_INIT;
}

static struct awk_value record_matches(struct awk *awk,
                                       const struct awk_node *node)
{
    size_t begin;
    size_t end;

    return awk_value_number(regex_find(node->regex, buf_cstr(&awk->record),
                                       awk->record.length, &begin, &end));
}

static struct awk_value evaluate(struct awk *awk, const struct awk_node *node)
{
    if (awk->flow == AWK_FLOW_EXIT)
        return (struct awk_value)AWK_VALUE_INIT;
    switch (node->kind) {
    case AWK_NODE_NUMBER:
        return awk_value_number(node->number);
    case AWK_NODE_STRING:
        return awk_value_text(node->text, strlen(node->text));
    case AWK_NODE_REGEX:
        return record_matches(awk, node);
    case AWK_NODE_VARIABLE:
        return awk_value_copy(&awk->variables[node->slot]);
    case AWK_NODE_FIELD:
        return awk_field(awk, awk_eval_number(awk, node->a));
    case AWK_NODE_ELEMENT:
        return element_value(awk, node);
    case AWK_NODE_ASSIGN:
        return assign(awk, node);
    case AWK_NODE_STEP:
        return step(awk, node);
    case AWK_NODE_CHOOSE:
        return awk_eval(awk, awk_eval_true(awk, node->a) ? node->b : node->c);
    case AWK_NODE_BINARY:
        return binary(awk, node);
    case AWK_NODE_UNARY:
        return unary(awk, node);
    case AWK_NODE_IN:
        return is_in(awk, node);
    case AWK_NODE_CALL:
        return awk_call(awk, node);
    case AWK_NODE_GROUP:
        return awk_eval(awk, node->a);
    case AWK_NODE_BLOCK:
    case AWK_NODE_DO_EXPRESSION:
    case AWK_NODE_PRINT:
    case AWK_NODE_PRINTF:
    case AWK_NODE_IF:
    case AWK_NODE_WHILE:
    case AWK_NODE_FOR:
    case AWK_NODE_FOR_IN:
    case AWK_NODE_DELETE:
    case AWK_NODE_NEXT:
    case AWK_NODE_EXIT:
    case AWK_NODE_BREAK:
    case AWK_NODE_CONTINUE:
        break; /* statements have no value */
    }
    return (struct awk_value)AWK_VALUE_INIT;
}

struct awk_value awk_eval(struct awk *awk, const struct awk_node *node)
{
    struct awk_value value = evaluate(awk, node);

    /* Copying long texts counts as work, too. */
    if (value.text && !call_spend(awk->call, strlen(value.text)))
        awk->flow = AWK_FLOW_EXIT;
    return value;
}
