#include "tools/phone/awk/awk_parser.h"

#include <string.h>

/* ---- nodes ---- */

bool awk_parser_new_node(struct awk_parser *parser, enum awk_kind kind,
                         struct awk_node **node)
{
    struct awk_node *made = arena_new(&parser->program->arena, sizeof(*made));

    if (!made)
        return awk_parser_too_large(parser);
    made->kind = kind;
    made->text = "";
    *node = made;
    return true;
}

static unsigned deepest(const struct awk_node *list, unsigned depth)
{
    for (; list; list = list->next)
        depth = list->depth > depth ? list->depth : depth;
    return depth;
}

bool awk_parser_set_depth(struct awk_parser *parser, struct awk_node *node)
{
    node->depth = 1 + deepest(node->c, deepest(node->b, deepest(node->a, 0)));
    return node->depth <= AWK_CHAIN_MAX || awk_parser_too_large(parser);
}

bool awk_parser_node_of(struct awk_parser *parser, enum awk_kind kind,
                        const char *text, struct awk_node *a,
                        struct awk_node *b, struct awk_node **node)
{
    char *copy = arena_text(&parser->program->arena, text, strlen(text));
    struct awk_node *made;

    if (!copy)
        return awk_parser_too_large(parser);
    if (!awk_parser_new_node(parser, kind, &made))
        return false;
    made->text = copy;
    made->a = a;
    made->b = b;
    *node = made;
    return awk_parser_set_depth(parser, made);
}

/* ---- tokens ---- */

bool awk_parser_advance(struct awk_parser *parser)
{
    return awk_lex_next(&parser->lex, parser->err);
}

bool awk_parser_at(const struct awk_parser *parser, const char *text)
{
    return awk_lex_is(&parser->lex, text);
}

bool awk_parser_expect(struct awk_parser *parser, const char *text)
{
    return awk_parser_at(parser, text) ? awk_parser_advance(parser)
                                       : awk_parser_syntax_error(parser);
}

bool awk_parser_skip_newlines(struct awk_parser *parser)
{
    while (parser->lex.token == AWK_NEWLINE) {
        if (!awk_parser_advance(parser))
            return false;
    }
    return true;
}
