/*
 * The state of awk's parser. Shared by the files that parse; every function
 * that fails sets the parser's err.
 */
#ifndef TOOLS_PHONE_AWK_AWK_PARSER_H
#define TOOLS_PHONE_AWK_AWK_PARSER_H

#include "tools/phone/awk/awk_lex.h"
#include "tools/phone/awk/awk_parse.h"

struct awk_parser {
    struct awk_lex lex; /* at the current token */
    struct awk_program *program;
    unsigned depth;
    bool in_print; /* '>' redirects the output */
    bool in_for;   /* "in" is not an operator here: for (k in a) */
    struct err *err;
};

/* Fail, because of the current token or a limit. Always false. */
static inline bool awk_parser_syntax_error(struct awk_parser *parser)
{
    return err_set(parser->err, ERR_INVALID, "syntax error at source line %u",
                   parser->lex.line);
}

static inline bool awk_parser_too_large(struct awk_parser *parser)
{
    return err_set(parser->err, ERR_INVALID, "program too large");
}

/* A new node in the program's arena. */
MUST_USE bool awk_parser_new_node(struct awk_parser *parser, enum awk_kind kind,
                                  struct awk_node **node);

/* A node for an operator and its operands. */
MUST_USE bool awk_parser_node_of(struct awk_parser *parser, enum awk_kind kind,
                                 const char *text, struct awk_node *a,
                                 struct awk_node *b, struct awk_node **node);

/* All operands of a node are known: set its depth, which is limited. */
MUST_USE bool awk_parser_set_depth(struct awk_parser *parser,
                                   struct awk_node *node);

/* Go to the next token. */
MUST_USE bool awk_parser_advance(struct awk_parser *parser);
MUST_USE bool awk_parser_skip_newlines(struct awk_parser *parser);

/* Is it the current token? expect: go past it, or fail. */
bool awk_parser_at(const struct awk_parser *parser, const char *text);
MUST_USE bool awk_parser_expect(struct awk_parser *parser, const char *text);

/* ---- awk_parse_expression.c ---- */

MUST_USE bool awk_parse_expression(struct awk_parser *parser,
                                   struct awk_node **node);

/* A list separated by commas, up to the closing token, which is left. */
MUST_USE bool awk_parse_list(struct awk_parser *parser, const char *closing,
                             struct awk_node **first);

/* A variable, or an element of an array. */
MUST_USE bool awk_parse_name(struct awk_parser *parser, struct awk_node **node);

/* The file behind print's ">": an expression without comparisons. */
MUST_USE bool awk_parse_file_name(struct awk_parser *parser,
                                  struct awk_node **node);

#endif
