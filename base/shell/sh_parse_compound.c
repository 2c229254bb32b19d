/* Compound commands: groups, if, loops, case, functions, [[ and ((. */
#include <string.h>

#include "base/shell/sh_parser.h"

static bool parse_enclosed(struct sh_parser *parser, struct sh_node **command)
{
    bool subshell = parser->token.kind == SH_TOKEN_OPEN;
    struct sh_node *node;

    if (!sh_parser_advance(parser) || !sh_parse_list(parser, &node))
        return false;
    if (subshell) {
        node->kind = SH_NODE_SUBSHELL;
        if (parser->token.kind != SH_TOKEN_CLOSE)
            return sh_parser_unexpected(parser);
        *command = node;
        return sh_parser_advance(parser);
    }
    *command = node;
    return sh_parser_expect_word(parser, "}");
}

/* Called at "if" or "elif"; the caller reads the "fi". */
static bool parse_branch(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_IF, &node) ||
        !sh_parser_advance(parser) ||
        !sh_parse_list(parser, &node->condition) ||
        !sh_parser_expect_word(parser, "then") ||
        !sh_parse_list(parser, &node->body))
        return false;
    *command = node;
    return node->body->body || sh_parser_unexpected(parser);
}

static bool parse_if(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_node *last;

    if (!parse_branch(parser, command))
        return false;
    last = *command;
    while (sh_parser_at_word(parser, "elif")) {
        if (!parse_branch(parser, &last->otherwise))
            return false;
        last = last->otherwise;
    }
    if (sh_parser_at_word(parser, "else")) {
        if (!sh_parser_advance(parser) ||
            !sh_parse_list(parser, &last->otherwise))
            return false;
        if (!last->otherwise->body)
            return sh_parser_unexpected(parser);
    }
    return sh_parser_expect_word(parser, "fi");
}

static bool parse_body(struct sh_parser *parser, struct sh_node *loop)
{
    return sh_parser_expect_word(parser, "do") &&
           sh_parse_list(parser, &loop->body) &&
           sh_parser_expect_word(parser, "done");
}

static bool parse_loop(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_LOOP, &node))
        return false;
    node->until = sh_parser_at_word(parser, "until");
    *command = node;
    return sh_parser_advance(parser) &&
           sh_parse_list(parser, &node->condition) && parse_body(parser, node);
}

static bool parse_for_words(struct sh_parser *parser, struct sh_node *node)
{
    struct sh_word **tail = &node->words;

    if (!sh_parser_at_word(parser, "in")) {
        node->arguments = true;
        return parser->token.kind != SH_TOKEN_SEMICOLON ||
               sh_parser_advance(parser);
    }
    if (!sh_parser_advance(parser))
        return false;
    while (parser->token.kind == SH_TOKEN_WORD) {
        if (!sh_parser_append_word(parser, &tail))
            return false;
    }
    if (parser->token.kind != SH_TOKEN_SEMICOLON &&
        parser->token.kind != SH_TOKEN_NEWLINE)
        return sh_parser_unexpected(parser);
    return sh_parser_advance(parser);
}

static bool parse_for(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_FOR, &node) ||
        !sh_parser_advance(parser))
        return false;
    node->name = parser->token.text;
    if (parser->token.kind != SH_TOKEN_WORD ||
        sh_name_length(node->name.data, node->name.length) != node->name.length)
        return sh_parser_unexpected(parser);
    *command = node;
    return sh_parser_advance(parser) && sh_parser_skip_newlines(parser) &&
           parse_for_words(parser, node) && sh_parser_skip_newlines(parser) &&
           parse_body(parser, node);
}

/* "(a|b) list ;;": the last ";;" is optional. */
static bool parse_case_branch(struct sh_parser *parser, struct sh_node **branch)
{
    struct sh_word **tail;
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_BRANCH, &node))
        return false;
    *branch = node;
    tail = &node->words;
    if (parser->token.kind == SH_TOKEN_OPEN && !sh_parser_advance(parser))
        return false;
    for (;;) {
        if (parser->token.kind != SH_TOKEN_WORD)
            return sh_parser_unexpected(parser);
        if (!sh_parser_append_word(parser, &tail))
            return false;
        if (parser->token.kind == SH_TOKEN_CLOSE)
            break;
        if (parser->token.kind != SH_TOKEN_PIPE)
            return sh_parser_unexpected(parser);
        if (!sh_parser_advance(parser))
            return false;
    }
    if (!sh_parser_advance(parser) || !sh_parse_list(parser, &node->body))
        return false;
    if (parser->token.kind == SH_TOKEN_CASE_END)
        return sh_parser_advance(parser) && sh_parser_skip_newlines(parser);
    return sh_parser_at_word(parser, "esac") || sh_parser_unexpected(parser);
}

static bool parse_case(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_node **link;
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_CASE, &node) ||
        !sh_parser_advance(parser))
        return false;
    *command = node;
    link = &node->body;
    node->name = parser->token.text;
    if (parser->token.kind != SH_TOKEN_WORD)
        return sh_parser_unexpected(parser);
    if (!sh_parser_advance(parser) || !sh_parser_skip_newlines(parser) ||
        !sh_parser_expect_word(parser, "in") ||
        !sh_parser_skip_newlines(parser))
        return false;
    while (!sh_parser_at_word(parser, "esac")) {
        if (!parse_case_branch(parser, link))
            return false;
        link = &(*link)->next;
    }
    return sh_parser_advance(parser);
}

/* Called at the compound command that is the function's body. */
static bool parse_function_body(struct sh_parser *parser, struct sh_span name,
                                struct sh_node **command)
{
    const char *begin;
    struct sh_node *body;
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_FUNCTION, &node) ||
        !sh_parser_skip_newlines(parser))
        return false;
    begin = parser->token.text.data;
    if (parser->depth >= SH_DEPTH_MAX)
        return sh_parser_too_large(parser);
    parser->depth++;
    if (!sh_parse_command(parser, &body))
        return false;
    parser->depth--;
    node->name = name;
    node->text = (struct sh_span){begin, (size_t)(parser->behind - begin)};
    *command = node;
    return true;
}

/* Is it a word without quotes and expansions? */
static bool is_plain(struct sh_span word)
{
    for (size_t i = 0; i < word.length; i++) {
        if (strchr("'\"\\$`=/*?[", word.data[i]))
            return false;
    }
    return true;
}

/* Is the current word a name, followed by "()"? */
static bool at_function(const struct sh_parser *parser)
{
    struct sh_span name = parser->token.text;
    struct sh_lex lex = parser->lex;
    struct sh_token token;
    struct err err;

    if (parser->token.kind != SH_TOKEN_WORD || !name.length || !is_plain(name))
        return false;
    return sh_lex_next(&lex, &token, &err) && token.kind == SH_TOKEN_OPEN;
}

/* "name() { ...; }" or "function name { ...; }". */
static bool parse_function(struct sh_parser *parser, struct sh_node **command)
{
    bool named = sh_parser_at_word(parser, "function") && !at_function(parser);
    struct sh_span name;

    if (named && !sh_parser_advance(parser))
        return false;
    name = parser->token.text;
    if (parser->token.kind != SH_TOKEN_WORD)
        return sh_parser_unexpected(parser);
    if (!sh_parser_advance(parser))
        return false;
    if (parser->token.kind == SH_TOKEN_OPEN) {
        if (!sh_parser_advance(parser))
            return false;
        if (parser->token.kind != SH_TOKEN_CLOSE)
            return sh_parser_unexpected(parser);
        if (!sh_parser_advance(parser))
            return false;
    }
    return parse_function_body(parser, name, command);
}

/* [[ ... ]], in which operators of lists and redirections are plain words. */
static bool parse_test(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_word **tail;
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_TEST, &node) ||
        !sh_parser_advance(parser))
        return false;
    tail = &node->words;
    while (!sh_parser_at_word(parser, "]]")) {
        enum sh_token_kind kind = parser->token.kind;

        if (kind == SH_TOKEN_NEWLINE) {
            if (!sh_parser_advance(parser))
                return false;
            continue;
        }
        if (kind != SH_TOKEN_WORD && kind != SH_TOKEN_AND &&
            kind != SH_TOKEN_OR && kind != SH_TOKEN_OPEN &&
            kind != SH_TOKEN_CLOSE && kind != SH_TOKEN_REDIRECT)
            return sh_parser_unexpected(parser);
        if (!sh_parser_append_word(parser, &tail))
            return false;
    }
    *command = node;
    return node->words ? sh_parser_advance(parser)
                       : sh_parser_unexpected(parser);
}

/* (( expression )): the same as let "expression". */
static bool parse_sum(struct sh_parser *parser, struct sh_span sum,
                      struct sh_node **command)
{
    static const char let[] = "let";
    struct sh_word *words = arena_new(parser->arena, 2 * sizeof(*words));
    char *quoted = arena_text(parser->arena, sum.data, sum.length + 2);

    if (!words || !quoted)
        return sh_parser_too_large(parser);
    quoted[0] = '"';
    memcpy(quoted + 1, sum.data, sum.length);
    quoted[sum.length + 1] = '"';
    words[0] = (struct sh_word){{let, sizeof(let) - 1}, &words[1]};
    words[1] = (struct sh_word){{quoted, sum.length + 2}, NULL};
    if (!sh_parser_new_node(parser, SH_NODE_SIMPLE, command))
        return false;
    (*command)->words = words;
    parser->token.text = (struct sh_span){
        sum.data - 2, sum.length + 4}; /* with both parentheses */
    return sh_parser_advance(parser);
}

bool sh_parse_compound(struct sh_parser *parser, struct sh_node **command,
                       bool *found)
{
    struct sh_span sum;

    *found = true;
    if (parser->token.kind == SH_TOKEN_OPEN && sh_lex_sum(&parser->lex, &sum))
        return parse_sum(parser, sum, command);
    if (parser->token.kind == SH_TOKEN_OPEN || sh_parser_at_word(parser, "{"))
        return parse_enclosed(parser, command);
    if (sh_parser_at_word(parser, "if"))
        return parse_if(parser, command);
    if (sh_parser_at_word(parser, "while") ||
        sh_parser_at_word(parser, "until"))
        return parse_loop(parser, command);
    if (sh_parser_at_word(parser, "for"))
        return parse_for(parser, command);
    if (sh_parser_at_word(parser, "case"))
        return parse_case(parser, command);
    if (sh_parser_at_word(parser, "[["))
        return parse_test(parser, command);
    if (sh_parser_at_word(parser, "function") || at_function(parser))
        return parse_function(parser, command);
    *found = false;
    return true;
}
