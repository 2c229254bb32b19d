/* Expressions: from single values up to assignments. */
#include <string.h>

#include "base/macros.h"
#include "tools/phone/awk/awk_parser.h"
#include "tools/phone/toybox/grep_pattern.h"

/* ---- lists, names, calls ---- */

bool awk_parse_list(struct awk_parser *parser, const char *closing,
                    struct awk_node **first)
{
    struct awk_node **link = first;

    while (!awk_parser_at(parser, closing)) {
        if (!awk_parse_expression(parser, link))
            return false;
        link = &(*link)->next;
        if (!awk_parser_at(parser, ","))
            break;
        if (!awk_parser_advance(parser) || !awk_parser_skip_newlines(parser))
            return false;
    }
    return true;
}

/* Inside brackets everything is allowed that print and for exclude. */
static bool parse_enclosed(struct awk_parser *parser, const char *closing,
                           struct awk_node **first)
{
    bool in_print = parser->in_print;
    bool in_for = parser->in_for;
    bool done;

    parser->in_print = parser->in_for = false;
    done = awk_parser_advance(parser) &&
           awk_parse_list(parser, closing, first) &&
           awk_parser_expect(parser, closing);
    parser->in_print = in_print;
    parser->in_for = in_for;
    return done;
}

bool awk_parse_name(struct awk_parser *parser, struct awk_node **node)
{
    if (!awk_parser_new_node(parser, AWK_NODE_VARIABLE, node))
        return false;
    if (!awk_program_slot(parser->program, buf_cstr(&parser->lex.text),
                          &(*node)->slot))
        return awk_parser_too_large(parser);
    if (!awk_parser_advance(parser))
        return false;
    if (!awk_parser_at(parser, "["))
        return true;
    (*node)->kind = AWK_NODE_ELEMENT;
    return parse_enclosed(parser, "]", &(*node)->a) &&
           ((*node)->a || awk_parser_syntax_error(parser)) &&
           awk_parser_set_depth(parser, *node);
}

static bool parse_call(struct awk_parser *parser, struct awk_node **node)
{
    bool bare = !strcmp(buf_cstr(&parser->lex.text), "length");

    if (!awk_parser_node_of(parser, AWK_NODE_CALL, buf_cstr(&parser->lex.text),
                            NULL, NULL, node) ||
        !awk_parser_advance(parser))
        return false;
    if (!awk_parser_at(parser, "("))
        return bare || awk_parser_syntax_error(parser);
    return parse_enclosed(parser, ")", &(*node)->a) &&
           awk_parser_set_depth(parser, *node);
}

/* (a), or (a, b) in c. */
static bool parse_group(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *inner = NULL;

    if (!parse_enclosed(parser, ")", &inner))
        return false;
    if (!inner)
        return awk_parser_syntax_error(parser);
    if (inner->next && !awk_parser_at(parser, "in"))
        return awk_parser_syntax_error(parser);
    return awk_parser_node_of(parser, AWK_NODE_GROUP, "", inner, NULL, node);
}

/* ---- single values ---- */

static bool add_regex(struct awk_parser *parser, const char *text,
                      struct regex **regex)
{
    struct awk_program *program = parser->program;

    if (program->regex_count == AWK_REGEXES_MAX)
        return awk_parser_too_large(parser);
    if (!grep_pattern_open(text, GREP_PATTERN_EXTENDED, false, regex,
                           parser->err))
        return false;
    program->regexes[program->regex_count++] = *regex;
    return true;
}

static bool parse_primary(struct awk_parser *parser, struct awk_node **node);

static bool is_place(const struct awk_node *node)
{
    return node->kind == AWK_NODE_VARIABLE || node->kind == AWK_NODE_FIELD ||
           node->kind == AWK_NODE_ELEMENT;
}

static bool parse_prefix_step(struct awk_parser *parser, struct awk_node **node)
{
    double by = awk_parser_at(parser, "++") ? 1 : -1;
    struct awk_node *place;

    if (!awk_parser_advance(parser) || !parse_primary(parser, &place))
        return false;
    if (!is_place(place))
        return awk_parser_syntax_error(parser);
    if (!awk_parser_node_of(parser, AWK_NODE_STEP, "", place, NULL, node))
        return false;
    (*node)->number = by;
    (*node)->first = true;
    return true;
}

static bool parse_atom(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_lex *lex = &parser->lex;

    switch (lex->token) {
    case AWK_NUMBER:
        if (!awk_parser_new_node(parser, AWK_NODE_NUMBER, node))
            return false;
        (*node)->number = lex->number;
        return awk_parser_advance(parser);
    case AWK_STRING:
        return awk_parser_node_of(parser, AWK_NODE_STRING, buf_cstr(&lex->text),
                                  NULL, NULL, node) &&
               awk_parser_advance(parser);
    case AWK_REGEX:
        return awk_parser_node_of(parser, AWK_NODE_REGEX, buf_cstr(&lex->text),
                                  NULL, NULL, node) &&
               add_regex(parser, buf_cstr(&lex->text), &(*node)->regex) &&
               awk_parser_advance(parser);
    case AWK_NAME:
        return awk_parse_name(parser, node);
    case AWK_FUNCTION:
        return parse_call(parser, node);
    case AWK_END:
    case AWK_NEWLINE:
    case AWK_KEYWORD:
    case AWK_OPERATOR:
        break;
    }
    if (awk_parser_at(parser, "("))
        return parse_group(parser, node);
    if (awk_parser_at(parser, "++") || awk_parser_at(parser, "--"))
        return parse_prefix_step(parser, node);
    return awk_parser_syntax_error(parser);
}

/* $ binds tightest; ++ and -- follow a variable, field or element. */
static bool parse_primary(struct awk_parser *parser, struct awk_node **node)
{
    bool done;

    if (parser->depth >= AWK_DEPTH_MAX)
        return awk_parser_too_large(parser);
    parser->depth++;
    if (awk_parser_at(parser, "$")) {
        struct awk_node *index;

        done = awk_parser_advance(parser);
        if (done && awk_parser_at(parser, "-"))
            done = awk_parser_advance(parser) &&
                   parse_primary(parser, &index) &&
                   awk_parser_node_of(parser, AWK_NODE_UNARY, "-", index, NULL,
                                      &index);
        else
            done = done && parse_primary(parser, &index);
        done = done && awk_parser_node_of(parser, AWK_NODE_FIELD, "", index,
                                          NULL, node);
    } else {
        done = parse_atom(parser, node);
    }
    parser->depth--;
    if (!done || !is_place(*node) ||
        (!awk_parser_at(parser, "++") && !awk_parser_at(parser, "--")))
        return done;
    if (!awk_parser_node_of(parser, AWK_NODE_STEP, "", *node, NULL, node))
        return false;
    (*node)->number = awk_parser_at(parser, "++") ? 1 : -1;
    return awk_parser_advance(parser);
}

/* a ^ b is right-associative; a sign before it applies to the whole power. */
static bool parse_power(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *right;
    bool done;

    if (parser->depth >= AWK_DEPTH_MAX)
        return awk_parser_too_large(parser);
    if (awk_parser_at(parser, "!") || awk_parser_at(parser, "-") ||
        awk_parser_at(parser, "+")) {
        char sign[2] = {buf_cstr(&parser->lex.text)[0], '\0'};
        struct awk_node *inner;

        parser->depth++;
        done =
            awk_parser_advance(parser) && parse_power(parser, &inner) &&
            awk_parser_node_of(parser, AWK_NODE_UNARY, sign, inner, NULL, node);
        parser->depth--;
        return done;
    }
    if (!parse_primary(parser, node))
        return false;
    if (!awk_parser_at(parser, "^"))
        return true;
    parser->depth++;
    done = awk_parser_advance(parser) && parse_power(parser, &right) &&
           awk_parser_node_of(parser, AWK_NODE_BINARY, "^", *node, right, node);
    parser->depth--;
    return done;
}

/* ---- operators ---- */

#define LEVEL_SUM 6

/* Operators by precedence, from lowest to highest. */
static const char *const levels[][7] = {
    {"||"},
    {"&&"},
    {"in"},
    {"~", "!~"},
    {"<", "<=", "==", "!=", ">", ">="},
    {""}, /* adjacent texts are concatenated */
    [LEVEL_SUM] = {"+", "-"},
    {"*", "/", "%"},
};

static const char *operator_of(const struct awk_parser *parser, size_t level)
{
    if (parser->in_print && awk_parser_at(parser, ">"))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(levels[level]) && levels[level][i]; i++) {
        if (awk_parser_at(parser, levels[level][i]))
            return levels[level][i];
    }
    return NULL;
}

/* Can the current token begin an operand of a concatenation? */
static bool begins_operand(const struct awk_parser *parser)
{
    switch (parser->lex.token) {
    case AWK_NUMBER:
    case AWK_STRING:
    case AWK_NAME:
    case AWK_FUNCTION:
        return true;
    case AWK_OPERATOR:
        return awk_parser_at(parser, "$") || awk_parser_at(parser, "(") ||
               awk_parser_at(parser, "-") || awk_parser_at(parser, "+") ||
               awk_parser_at(parser, "++") || awk_parser_at(parser, "--");
    case AWK_REGEX:
    case AWK_END:
    case AWK_NEWLINE:
    case AWK_KEYWORD:
        return false;
    }
    return false;
}

static bool parse_level(struct awk_parser *parser, size_t level,
                        struct awk_node **node);

/* "in" is followed by the name of an array. */
static bool parse_in(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *keys =
        (*node)->kind == AWK_NODE_GROUP ? (*node)->a : *node;

    if (!awk_parser_advance(parser))
        return false;
    if (parser->lex.token != AWK_NAME)
        return awk_parser_syntax_error(parser);
    if (!awk_parser_node_of(parser, AWK_NODE_IN, "", keys, NULL, node))
        return false;
    if (!awk_program_slot(parser->program, buf_cstr(&parser->lex.text),
                          &(*node)->slot))
        return awk_parser_too_large(parser);
    return awk_parser_advance(parser);
}

static bool parse_joined(struct awk_parser *parser, size_t level,
                         struct awk_node **node)
{
    struct awk_node *right;

    while (begins_operand(parser)) {
        if (!parse_level(parser, level + 1, &right) ||
            !awk_parser_node_of(parser, AWK_NODE_BINARY, "", *node, right,
                                node))
            return false;
    }
    return true;
}

static bool parse_level(struct awk_parser *parser, size_t level,
                        struct awk_node **node)
{
    const char *op;
    struct awk_node *right;

    if (level == ARRAY_LEN(levels))
        return parse_power(parser, node);
    if (!parse_level(parser, level + 1, node))
        return false;
    if (!*levels[level][0])
        return parse_joined(parser, level, node);
    while ((op = operator_of(parser, level))) {
        if (!strcmp(op, "in")) {
            if (parser->in_for)
                return true;
            if (!parse_in(parser, node))
                return false;
            continue;
        }
        if (!awk_parser_advance(parser) || !awk_parser_skip_newlines(parser) ||
            !parse_level(parser, level + 1, &right) ||
            !awk_parser_node_of(parser, AWK_NODE_BINARY, op, *node, right,
                                node))
            return false;
    }
    return true;
}

/* ---- the whole expression ---- */

static bool parse_choice(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *chosen;

    if (!awk_parser_at(parser, "?"))
        return true;
    return awk_parser_node_of(parser, AWK_NODE_CHOOSE, "", *node, NULL,
                              &chosen) &&
           awk_parser_advance(parser) && awk_parser_skip_newlines(parser) &&
           awk_parse_expression(parser, &chosen->b) &&
           awk_parser_skip_newlines(parser) && awk_parser_expect(parser, ":") &&
           awk_parser_skip_newlines(parser) &&
           awk_parse_expression(parser, &chosen->c) &&
           (*node = chosen, awk_parser_set_depth(parser, chosen));
}

/* The operator before '=', or "=". */
static const char *assignment_of(const struct awk_parser *parser)
{
    static const char *const operators[][2] = {
        {"=", "="},  {"+=", "+"}, {"-=", "-"}, {"*=", "*"},
        {"/=", "/"}, {"%=", "%"}, {"^=", "^"},
    };

    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        if (awk_parser_at(parser, operators[i][0]))
            return operators[i][1];
    }
    return NULL;
}

bool awk_parse_expression(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *value;
    const char *op;
    bool done;

    if (parser->depth >= AWK_DEPTH_MAX)
        return awk_parser_too_large(parser);
    parser->depth++;
    done = parse_level(parser, 0, node) && parse_choice(parser, node);
    op = done && is_place(*node) ? assignment_of(parser) : NULL;
    if (op)
        done =
            awk_parser_advance(parser) && awk_parser_skip_newlines(parser) &&
            awk_parse_expression(parser, &value) &&
            awk_parser_node_of(parser, AWK_NODE_ASSIGN, op, *node, value, node);
    parser->depth--;
    return done;
}

bool awk_parse_file_name(struct awk_parser *parser, struct awk_node **node)
{
    return parse_level(parser, LEVEL_SUM, node);
}
