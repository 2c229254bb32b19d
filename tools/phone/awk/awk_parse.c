#include "tools/phone/awk/awk_parse.h"

#include <string.h>

#include "base/macros.h"
#include "tools/phone/awk/awk_parser.h"

static bool parse_statement(struct awk_parser *parser, struct awk_node **node);

/* ---- variables ---- */

static const char *const slot_names[AWK_SLOTS] = {
    [AWK_SLOT_NR] = "NR",           [AWK_SLOT_NF] = "NF",
    [AWK_SLOT_FNR] = "FNR",         [AWK_SLOT_FS] = "FS",
    [AWK_SLOT_OFS] = "OFS",         [AWK_SLOT_ORS] = "ORS",
    [AWK_SLOT_RS] = "RS",           [AWK_SLOT_FILENAME] = "FILENAME",
    [AWK_SLOT_SUBSEP] = "SUBSEP",   [AWK_SLOT_RSTART] = "RSTART",
    [AWK_SLOT_RLENGTH] = "RLENGTH", [AWK_SLOT_OFMT] = "OFMT",
    [AWK_SLOT_CONVFMT] = "CONVFMT",
};

bool awk_program_slot(struct awk_program *program, const char *name,
                      size_t *slot)
{
    char *copy;

    for (size_t i = 0; i < program->name_count; i++) {
        if (!strcmp(program->names[i], name)) {
            *slot = i;
            return true;
        }
    }
    copy = program->name_count < AWK_NAMES_MAX
               ? arena_text(&program->arena, name, strlen(name))
               : NULL;
    if (!copy)
        return false;
    *slot = program->name_count;
    program->names[program->name_count++] = copy;
    return true;
}

/* ---- statements ---- */

static bool parse_block(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node **link;

    if (!awk_parser_new_node(parser, AWK_NODE_BLOCK, node) ||
        !awk_parser_expect(parser, "{") || !awk_parser_skip_newlines(parser))
        return false;
    link = &(*node)->a;
    while (!awk_parser_at(parser, "}")) {
        if (!parse_statement(parser, link))
            return false;
        link = &(*link)->next;
        if (!awk_parser_skip_newlines(parser))
            return false;
    }
    return awk_parser_advance(parser);
}

static bool parse_print(struct awk_parser *parser, struct awk_node **node)
{
    enum awk_kind kind =
        awk_parser_at(parser, "print") ? AWK_NODE_PRINT : AWK_NODE_PRINTF;

    if (!awk_parser_new_node(parser, kind, node) || !awk_parser_advance(parser))
        return false;
    parser->in_print = true;
    if (parser->lex.token != AWK_NEWLINE && parser->lex.token != AWK_END &&
        !awk_parser_at(parser, "}") && !awk_parser_at(parser, ">") &&
        !awk_parser_at(parser, ">>") &&
        !awk_parse_list(parser, "}", &(*node)->a))
        return false;
    parser->in_print = false;
    /* print (a, b): the parentheses belong to the list. */
    if ((*node)->a && (*node)->a->kind == AWK_NODE_GROUP && !(*node)->a->next)
        (*node)->a = (*node)->a->a;
    if (kind == AWK_NODE_PRINTF && !(*node)->a)
        return awk_parser_syntax_error(parser);
    if (!awk_parser_at(parser, ">") && !awk_parser_at(parser, ">>"))
        return !awk_parser_at(parser, "|") || awk_parser_syntax_error(parser);
    (*node)->text = awk_parser_at(parser, ">") ? ">" : ">>";
    return awk_parser_advance(parser) &&
           awk_parse_file_name(parser, &(*node)->b);
}

static bool parse_simple(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *value;

    if (awk_parser_at(parser, "print") || awk_parser_at(parser, "printf"))
        return parse_print(parser, node);
    if (awk_parser_at(parser, "delete")) {
        if (!awk_parser_advance(parser) || parser->lex.token != AWK_NAME)
            return awk_parser_syntax_error(parser);
        if (!awk_parse_name(parser, &value) ||
            !awk_parser_node_of(parser, AWK_NODE_DELETE, "", value->a, NULL,
                                node))
            return false;
        (*node)->slot = value->slot;
        return true;
    }
    return awk_parse_expression(parser, &value) &&
           awk_parser_node_of(parser, AWK_NODE_DO_EXPRESSION, "", value, NULL,
                              node);
}

/* The body of "if (...)" and loops, on the same line or the next. */
static bool parse_body(struct awk_parser *parser, struct awk_node **node)
{
    if (parser->lex.token == AWK_NEWLINE && parser->lex.at[-1] == ';')
        return awk_parser_new_node(parser, AWK_NODE_BLOCK, node) &&
               awk_parser_advance(parser);
    return awk_parser_skip_newlines(parser) && parse_statement(parser, node);
}

static bool parse_if(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *made;
    struct awk_lex before;

    if (!awk_parser_new_node(parser, AWK_NODE_IF, &made) ||
        !awk_parser_advance(parser) || !awk_parser_expect(parser, "(") ||
        !awk_parse_expression(parser, &made->a) ||
        !awk_parser_expect(parser, ")") || !parse_body(parser, &made->b))
        return false;
    *node = made;
    /* "else" may follow newlines, which otherwise end the "if". */
    before = parser->lex;
    while (parser->lex.token == AWK_NEWLINE) {
        if (!awk_parser_advance(parser))
            return false;
    }
    if (awk_parser_at(parser, "else"))
        return awk_parser_advance(parser) && parse_body(parser, &made->c);
    if (before.token == AWK_NEWLINE) {
        parser->lex.at = before.at;
        parser->lex.line = before.line;
        parser->lex.token = AWK_NEWLINE;
        parser->lex.before = before.before;
    }
    return true;
}

static bool parse_while(struct awk_parser *parser, struct awk_node **node)
{
    if (!awk_parser_new_node(parser, AWK_NODE_WHILE, node))
        return false;
    if (awk_parser_at(parser, "do")) {
        (*node)->first = true;
        return awk_parser_advance(parser) && parse_body(parser, &(*node)->b) &&
               awk_parser_skip_newlines(parser) &&
               awk_parser_expect(parser, "while") &&
               awk_parser_expect(parser, "(") &&
               awk_parse_expression(parser, &(*node)->a) &&
               awk_parser_expect(parser, ")");
    }
    return awk_parser_advance(parser) && awk_parser_expect(parser, "(") &&
           awk_parse_expression(parser, &(*node)->a) &&
           awk_parser_expect(parser, ")") && parse_body(parser, &(*node)->b);
}

/* One part of for (a; b; c); may be empty. */
static bool parse_part(struct awk_parser *parser, const char *closing,
                       bool statement, struct awk_node **node)
{
    if (parser->lex.token != AWK_NEWLINE && !awk_parser_at(parser, closing)) {
        if (!(statement ? parse_simple(parser, node)
                        : awk_parse_expression(parser, node)))
            return false;
    }
    if (*closing)
        return awk_parser_expect(parser, closing);
    if (parser->lex.token != AWK_NEWLINE)
        return awk_parser_syntax_error(parser);
    return awk_parser_advance(parser);
}

static bool parse_for(struct awk_parser *parser, struct awk_node **node)
{
    struct awk_node *made;

    if (!awk_parser_new_node(parser, AWK_NODE_FOR, &made) ||
        !awk_parser_advance(parser) || !awk_parser_expect(parser, "("))
        return false;
    *node = made;
    if (parser->lex.token == AWK_NAME) {
        parser->in_for = true;
        if (!parse_simple(parser, &made->a))
            return false;
        parser->in_for = false;
        if (awk_parser_at(parser, "in")) {
            struct awk_node *name = made->a->a;

            if (made->a->kind != AWK_NODE_DO_EXPRESSION ||
                name->kind != AWK_NODE_VARIABLE ||
                !awk_parser_advance(parser) || parser->lex.token != AWK_NAME)
                return awk_parser_syntax_error(parser);
            made->kind = AWK_NODE_FOR_IN;
            made->a = name;
            if (!awk_program_slot(parser->program, buf_cstr(&parser->lex.text),
                                  &made->slot))
                return awk_parser_too_large(parser);
            return awk_parser_advance(parser) &&
                   awk_parser_expect(parser, ")") &&
                   parse_body(parser, &made->body);
        }
        if (parser->lex.token != AWK_NEWLINE)
            return awk_parser_syntax_error(parser);
        if (!awk_parser_advance(parser))
            return false;
    } else if (!parse_part(parser, "", true, &made->a)) {
        return false;
    }
    return parse_part(parser, "", false, &made->b) &&
           parse_part(parser, ")", true, &made->c) &&
           parse_body(parser, &made->body);
}

static bool parse_plain(struct awk_parser *parser, struct awk_node **node)
{
    static const struct {
        const char *word;
        enum awk_kind kind;
    } words[] = {
        {"next", AWK_NODE_NEXT},
        {"exit", AWK_NODE_EXIT},
        {"break", AWK_NODE_BREAK},
        {"continue", AWK_NODE_CONTINUE},
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (!awk_parser_at(parser, words[i].word))
            continue;
        if (!awk_parser_new_node(parser, words[i].kind, node) ||
            !awk_parser_advance(parser))
            return false;
        if (words[i].kind != AWK_NODE_EXIT ||
            parser->lex.token == AWK_NEWLINE || parser->lex.token == AWK_END ||
            awk_parser_at(parser, "}"))
            return true;
        return awk_parse_expression(parser, &(*node)->a);
    }
    return parse_simple(parser, node);
}

/* A statement ends at the end of a line, at ';' or at the end of a block. */
static bool end_statement(struct awk_parser *parser)
{
    if (parser->lex.token == AWK_NEWLINE)
        return awk_parser_advance(parser);
    return awk_parser_at(parser, "}") || parser->lex.token == AWK_END ||
           awk_parser_syntax_error(parser);
}

static bool parse_statement(struct awk_parser *parser, struct awk_node **node)
{
    bool done;

    if (parser->depth >= AWK_DEPTH_MAX)
        return awk_parser_too_large(parser);
    parser->depth++;
    if (awk_parser_at(parser, "{"))
        done = parse_block(parser, node);
    else if (awk_parser_at(parser, "if"))
        done = parse_if(parser, node);
    else if (awk_parser_at(parser, "while") || awk_parser_at(parser, "do"))
        done = parse_while(parser, node);
    else if (awk_parser_at(parser, "for"))
        done = parse_for(parser, node);
    else
        done = parse_plain(parser, node) && end_statement(parser);
    parser->depth--;
    return done;
}

/* ---- rules ---- */

static bool parse_rule(struct awk_parser *parser, struct awk_rule **link)
{
    struct awk_rule *rule = arena_new(&parser->program->arena, sizeof(*rule));

    if (!rule)
        return awk_parser_too_large(parser);
    *link = rule;
    rule->when = AWK_WHEN_ALWAYS;
    if (awk_parser_at(parser, "BEGIN") || awk_parser_at(parser, "END")) {
        rule->when =
            awk_parser_at(parser, "BEGIN") ? AWK_WHEN_BEGIN : AWK_WHEN_END;
        if (!awk_parser_advance(parser) || !awk_parser_at(parser, "{"))
            return awk_parser_syntax_error(parser);
    } else if (!awk_parser_at(parser, "{")) {
        rule->when = AWK_WHEN_MATCH;
        if (!awk_parse_expression(parser, &rule->from))
            return false;
        if (awk_parser_at(parser, ",")) {
            rule->when = AWK_WHEN_RANGE;
            if (!awk_parser_advance(parser) ||
                !awk_parser_skip_newlines(parser) ||
                !awk_parse_expression(parser, &rule->to))
                return false;
        }
    }
    return !awk_parser_at(parser, "{") || parse_block(parser, &rule->action);
}

static bool parse_rules(struct awk_parser *parser)
{
    struct awk_rule **link = &parser->program->rules;

    if (!awk_parser_advance(parser) || !awk_parser_skip_newlines(parser))
        return false;
    while (parser->lex.token != AWK_END) {
        if (!parse_rule(parser, link))
            return false;
        link = &(*link)->next;
        if (!awk_parser_skip_newlines(parser))
            return false;
    }
    return true;
}

/* ---- the program ---- */

bool awk_program_parse(struct awk_program *program, const char *text,
                       struct memory_account *account, struct err *err)
{
    struct awk_parser parser = {.program = program, .err = err};
    bool done;

    program->arena = (struct arena)ARENA_INIT(AWK_TREE_MAX, account);
    for (size_t i = 0; i < AWK_SLOTS; i++)
        program->names[i] = slot_names[i];
    program->name_count = AWK_SLOTS;
    awk_lex_init(&parser.lex, text);
    done = parse_rules(&parser);
    awk_lex_release(&parser.lex);
    return done;
}

void awk_program_release(struct awk_program *program)
{
    for (size_t i = 0; i < program->regex_count; i++)
        regex_close(program->regexes[i]);
    arena_release(&program->arena);
    *program = (struct awk_program){.name_count = 0};
}
