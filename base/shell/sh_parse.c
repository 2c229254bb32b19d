#include "base/shell/sh_parse.h"

#include "base/shell/sh_parser.h"

/* ---- simple commands ---- */

size_t sh_name_length(const char *text, size_t length)
{
    size_t i = 0;

    while (i < length &&
           (text[i] == '_' || (text[i] >= 'a' && text[i] <= 'z') ||
            (text[i] >= 'A' && text[i] <= 'Z') ||
            (i && text[i] >= '0' && text[i] <= '9')))
        i++;
    return i;
}

size_t sh_assignment_length(struct sh_span word)
{
    size_t length = sh_name_length(word.data, word.length);

    return length && length < word.length && word.data[length] == '='
               ? length + 1
               : 0;
}

static bool parse_redirect(struct sh_parser *parser, struct sh_redirect ***tail)
{
    struct sh_redirect *redirect = arena_new(parser->arena, sizeof(*redirect));
    bool tabs = parser->token.tabs;

    if (!redirect)
        return sh_parser_too_large(parser);
    redirect->kind = parser->token.redirect;
    redirect->fd = parser->token.fd;
    if (!sh_parser_advance(parser))
        return false;
    if (parser->token.kind != SH_TOKEN_WORD)
        return sh_parser_unexpected(parser);
    redirect->target = parser->token.text;
    if (redirect->kind == SH_REDIRECT_HERE &&
        !sh_parser_note_here(parser, redirect, tabs))
        return false;
    **tail = redirect;
    *tail = &redirect->next;
    return sh_parser_advance(parser);
}

static bool parse_redirects(struct sh_parser *parser,
                            struct sh_redirect **first)
{
    struct sh_redirect **tail = first;

    while (parser->token.kind == SH_TOKEN_REDIRECT) {
        if (!parse_redirect(parser, &tail))
            return false;
    }
    return true;
}

static bool parse_simple(struct sh_parser *parser, struct sh_node **command)
{
    struct sh_word **assignments;
    struct sh_word **words;
    struct sh_redirect **redirects;
    struct sh_node *node;

    if (!sh_parser_new_node(parser, SH_NODE_SIMPLE, &node))
        return false;
    assignments = &node->assignments;
    words = &node->words;
    redirects = &node->redirects;
    for (;;) {
        bool done;

        if (parser->token.kind == SH_TOKEN_REDIRECT)
            done = parse_redirect(parser, &redirects);
        else if (parser->token.kind != SH_TOKEN_WORD)
            break;
        else if (!node->words && sh_assignment_length(parser->token.text))
            done = sh_parser_append_word(parser, &assignments);
        else
            done = sh_parser_append_word(parser, &words);
        if (!done)
            return false;
    }
    if (!node->words && !node->assignments && !node->redirects)
        return sh_parser_unexpected(parser);
    *command = node;
    return true;
}

bool sh_parse_command(struct sh_parser *parser, struct sh_node **command)
{
    bool compound;

    if (sh_parser_at_closing_word(parser))
        return sh_parser_unexpected(parser);
    if (!sh_parse_compound(parser, command, &compound))
        return false;
    return compound ? parse_redirects(parser, &(*command)->redirects)
                    : parse_simple(parser, command);
}

/* ---- pipelines and lists ---- */

static bool parse_stages(struct sh_parser *parser, struct sh_node *first,
                         struct sh_node **pipeline)
{
    struct sh_node *last = first;

    if (!sh_parser_new_node(parser, SH_NODE_PIPELINE, pipeline))
        return false;
    (*pipeline)->body = first;
    while (parser->token.kind == SH_TOKEN_PIPE) {
        if (!sh_parser_advance(parser) || !sh_parser_skip_newlines(parser) ||
            !sh_parse_command(parser, &last->next))
            return false;
        last = last->next;
    }
    return true;
}

static bool parse_pipeline(struct sh_parser *parser, struct sh_node **pipeline)
{
    struct sh_node *first = NULL;
    bool negated = false;

    while (sh_parser_at_word(parser, "!")) {
        negated = !negated;
        if (!sh_parser_advance(parser))
            return false;
    }
    if (!sh_parse_command(parser, &first))
        return false;
    if (parser->token.kind != SH_TOKEN_PIPE)
        *pipeline = first;
    else if (!parse_stages(parser, first, pipeline))
        return false;
    (*pipeline)->negated = negated;
    return true;
}

/* Pipelines joined by && and ||; *last is the last of them. */
static bool parse_chain(struct sh_parser *parser, struct sh_node **link,
                        struct sh_node **last)
{
    enum sh_joint joint = SH_JOINT_ALWAYS;

    for (;;) {
        enum sh_token_kind kind;

        if (!parse_pipeline(parser, link))
            return false;
        *last = *link;
        (*last)->joint = joint;
        kind = parser->token.kind;
        if (kind != SH_TOKEN_AND && kind != SH_TOKEN_OR)
            return true;
        joint = kind == SH_TOKEN_AND ? SH_JOINT_AND : SH_JOINT_OR;
        if (!sh_parser_advance(parser) || !sh_parser_skip_newlines(parser))
            return false;
        link = &(*last)->next;
    }
}

static bool at_list_end(const struct sh_parser *parser)
{
    return parser->token.kind == SH_TOKEN_END ||
           parser->token.kind == SH_TOKEN_CLOSE ||
           parser->token.kind == SH_TOKEN_CASE_END ||
           sh_parser_at_closing_word(parser);
}

static bool at_separator(const struct sh_parser *parser)
{
    return parser->token.kind == SH_TOKEN_SEMICOLON ||
           parser->token.kind == SH_TOKEN_AMPERSAND ||
           parser->token.kind == SH_TOKEN_NEWLINE;
}

static bool parse_elements(struct sh_parser *parser, struct sh_node *list)
{
    struct sh_node **link = &list->body;

    while (!at_list_end(parser)) {
        struct sh_node *first;
        struct sh_node *last;

        if (!parse_chain(parser, link, &last))
            return false;
        first = *link;
        link = &last->next;
        if (!at_separator(parser))
            break;
        if (parser->token.kind == SH_TOKEN_AMPERSAND) {
            for (; first; first = first->next)
                first->background = true;
        }
        if (!sh_parser_advance(parser) || !sh_parser_skip_newlines(parser))
            return false;
    }
    return true;
}

bool sh_parse_list(struct sh_parser *parser, struct sh_node **list)
{
    bool done;

    if (parser->depth >= SH_DEPTH_MAX)
        return sh_parser_too_large(parser);
    parser->depth++;
    done = sh_parser_new_node(parser, SH_NODE_LIST, list) &&
           sh_parser_skip_newlines(parser) && parse_elements(parser, *list);
    parser->depth--;
    return done;
}

/* ---- the whole text ---- */

static bool parse_text(struct sh_parser *parser, struct sh_tree *tree)
{
    if (!sh_parser_advance(parser) || !sh_parser_skip_newlines(parser) ||
        !sh_parser_new_node(parser, SH_NODE_LIST, &tree->root))
        return false;
    if (parser->token.kind == SH_TOKEN_END)
        return true; /* empty, or only a comment */
    if (!sh_parse_list(parser, &tree->root))
        return false;
    return parser->token.kind == SH_TOKEN_END || sh_parser_unexpected(parser);
}

bool sh_parse(const char *text, size_t length, struct sh_tree *tree,
              bool *incomplete, struct err *err)
{
    struct sh_parser parser = {
        .arena = &tree->arena, .token_first = tree->token_first, .err = err};
    char *copy = NULL;
    bool done;

    *incomplete = false;
    if (length <= SH_TEXT_MAX)
        copy = arena_text(&tree->arena, text, length);
    if (!copy)
        return sh_parser_too_large(&parser);
    sh_lex_init(&parser.lex, copy, length);
    parser.token.text.data = copy;
    done = parse_text(&parser, tree);
    *incomplete = parser.lex.incomplete;
    return done;
}

void sh_tree_release(struct sh_tree *tree)
{
    arena_release(&tree->arena);
    tree->root = NULL;
}
