#include "tools/phone/sh_parse.h"

#include <string.h>

#include "base/macros.h"

/* A program that reads one token ahead. */
struct parser {
    struct sh_lex lex;
    struct sh_token token;
    struct arena *arena;
    unsigned depth;
    struct err *err;
};

static bool parse_list(struct parser *parser, struct sh_node **list);

/* ---- tokens ---- */

static bool too_large(struct parser *parser)
{
    return err_set(parser->err, ERR_LIMIT, "the command is too large");
}

static bool advance(struct parser *parser)
{
    return sh_lex_next(&parser->lex, &parser->token, parser->err);
}

static bool unexpected(struct parser *parser)
{
    struct sh_token *token = &parser->token;

    if (token->kind == SH_TOKEN_END) {
        parser->lex.incomplete = true;
        return err_set(parser->err, ERR_INVALID,
                       "syntax error: unexpected EOF");
    }
    if (token->kind == SH_TOKEN_NEWLINE)
        return err_set(parser->err, ERR_INVALID,
                       "syntax error: unexpected newline");
    return err_set(parser->err, ERR_INVALID, "syntax error: unexpected '%.*s'",
                   (int)(token->text.length < 60 ? token->text.length : 60),
                   token->text.data);
}

static bool at_word(const struct parser *parser, const char *word)
{
    return parser->token.kind == SH_TOKEN_WORD &&
           sh_span_is(parser->token.text, word);
}

static bool expect_word(struct parser *parser, const char *word)
{
    return at_word(parser, word) ? advance(parser) : unexpected(parser);
}

static bool skip_newlines(struct parser *parser)
{
    while (parser->token.kind == SH_TOKEN_NEWLINE) {
        if (!advance(parser))
            return false;
    }
    return true;
}

/* Words that end a list where a command could begin. */
static bool at_closing_word(const struct parser *parser)
{
    static const char *const closing[] = {"then", "elif", "else", "fi",
                                          "do",   "done", "}"};

    for (size_t i = 0; i < ARRAY_LEN(closing); i++) {
        if (at_word(parser, closing[i]))
            return true;
    }
    return false;
}

static bool node_new(struct parser *parser, enum sh_node_kind kind,
                     struct sh_node **node)
{
    struct sh_node *made = arena_new(parser->arena, sizeof(*made));

    if (!made)
        return too_large(parser);
    made->kind = kind;
    *node = made;
    return true;
}

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

static bool append_word(struct parser *parser, struct sh_word ***tail)
{
    struct sh_word *word = arena_new(parser->arena, sizeof(*word));

    if (!word)
        return too_large(parser);
    word->text = parser->token.text;
    **tail = word;
    *tail = &word->next;
    return advance(parser);
}

static bool parse_redirect(struct parser *parser, struct sh_redirect ***tail)
{
    struct sh_redirect *redirect = arena_new(parser->arena, sizeof(*redirect));

    if (!redirect)
        return too_large(parser);
    redirect->kind = parser->token.redirect;
    redirect->fd = parser->token.fd;
    if (!advance(parser))
        return false;
    if (parser->token.kind != SH_TOKEN_WORD)
        return unexpected(parser);
    redirect->target = parser->token.text;
    **tail = redirect;
    *tail = &redirect->next;
    return advance(parser);
}

static bool parse_redirects(struct parser *parser, struct sh_redirect **first)
{
    struct sh_redirect **tail = first;

    while (parser->token.kind == SH_TOKEN_REDIRECT) {
        if (!parse_redirect(parser, &tail))
            return false;
    }
    return true;
}

static bool parse_simple(struct parser *parser, struct sh_node **command)
{
    struct sh_word **assignments;
    struct sh_word **words;
    struct sh_redirect **redirects;
    struct sh_node *node;

    if (!node_new(parser, SH_NODE_SIMPLE, &node))
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
            done = append_word(parser, &assignments);
        else
            done = append_word(parser, &words);
        if (!done)
            return false;
    }
    if (!node->words && !node->assignments && !node->redirects)
        return unexpected(parser);
    *command = node;
    return true;
}

/* ---- compound commands ---- */

static bool parse_enclosed(struct parser *parser, struct sh_node **command)
{
    bool subshell = parser->token.kind == SH_TOKEN_OPEN;
    struct sh_node *node;

    if (!advance(parser) || !parse_list(parser, &node))
        return false;
    if (subshell) {
        node->kind = SH_NODE_SUBSHELL;
        if (parser->token.kind != SH_TOKEN_CLOSE)
            return unexpected(parser);
        *command = node;
        return advance(parser);
    }
    *command = node;
    return expect_word(parser, "}");
}

/* Stands at "if" or "elif"; the "fi" is the caller's. */
static bool parse_branch(struct parser *parser, struct sh_node **command)
{
    struct sh_node *node;

    if (!node_new(parser, SH_NODE_IF, &node) || !advance(parser) ||
        !parse_list(parser, &node->condition) || !expect_word(parser, "then") ||
        !parse_list(parser, &node->body))
        return false;
    *command = node;
    return true;
}

static bool parse_if(struct parser *parser, struct sh_node **command)
{
    struct sh_node *last;

    if (!parse_branch(parser, command))
        return false;
    last = *command;
    while (at_word(parser, "elif")) {
        if (!parse_branch(parser, &last->otherwise))
            return false;
        last = last->otherwise;
    }
    if (at_word(parser, "else") &&
        (!advance(parser) || !parse_list(parser, &last->otherwise)))
        return false;
    return expect_word(parser, "fi");
}

static bool parse_body(struct parser *parser, struct sh_node *loop)
{
    return expect_word(parser, "do") && parse_list(parser, &loop->body) &&
           expect_word(parser, "done");
}

static bool parse_loop(struct parser *parser, struct sh_node **command)
{
    struct sh_node *node;

    if (!node_new(parser, SH_NODE_LOOP, &node))
        return false;
    node->until = at_word(parser, "until");
    *command = node;
    return advance(parser) && parse_list(parser, &node->condition) &&
           parse_body(parser, node);
}

static bool parse_for_words(struct parser *parser, struct sh_node *node)
{
    struct sh_word **tail = &node->words;

    if (!expect_word(parser, "in"))
        return false;
    while (parser->token.kind == SH_TOKEN_WORD) {
        if (!append_word(parser, &tail))
            return false;
    }
    if (parser->token.kind != SH_TOKEN_SEMICOLON &&
        parser->token.kind != SH_TOKEN_NEWLINE)
        return unexpected(parser);
    return advance(parser);
}

static bool parse_for(struct parser *parser, struct sh_node **command)
{
    struct sh_node *node;

    if (!node_new(parser, SH_NODE_FOR, &node) || !advance(parser))
        return false;
    node->name = parser->token.text;
    if (parser->token.kind != SH_TOKEN_WORD ||
        sh_name_length(node->name.data, node->name.length) != node->name.length)
        return unexpected(parser);
    *command = node;
    return advance(parser) && skip_newlines(parser) &&
           parse_for_words(parser, node) && skip_newlines(parser) &&
           parse_body(parser, node);
}

static bool parse_compound(struct parser *parser, struct sh_node **command,
                           bool *found)
{
    *found = true;
    if (parser->token.kind == SH_TOKEN_OPEN || at_word(parser, "{"))
        return parse_enclosed(parser, command);
    if (at_word(parser, "if"))
        return parse_if(parser, command);
    if (at_word(parser, "while") || at_word(parser, "until"))
        return parse_loop(parser, command);
    if (at_word(parser, "for"))
        return parse_for(parser, command);
    *found = false;
    return true;
}

static bool parse_command(struct parser *parser, struct sh_node **command)
{
    bool compound;

    if (at_closing_word(parser))
        return unexpected(parser);
    if (!parse_compound(parser, command, &compound))
        return false;
    return compound ? parse_redirects(parser, &(*command)->redirects)
                    : parse_simple(parser, command);
}

/* ---- pipelines and lists ---- */

static bool parse_stages(struct parser *parser, struct sh_node *first,
                         struct sh_node **pipeline)
{
    struct sh_node *last = first;

    if (!node_new(parser, SH_NODE_PIPELINE, pipeline))
        return false;
    (*pipeline)->body = first;
    while (parser->token.kind == SH_TOKEN_PIPE) {
        if (!advance(parser) || !skip_newlines(parser) ||
            !parse_command(parser, &last->next))
            return false;
        last = last->next;
    }
    return true;
}

static bool parse_pipeline(struct parser *parser, struct sh_node **pipeline)
{
    struct sh_node *first = NULL;
    bool negated = false;

    while (at_word(parser, "!")) {
        negated = !negated;
        if (!advance(parser))
            return false;
    }
    if (!parse_command(parser, &first))
        return false;
    if (parser->token.kind != SH_TOKEN_PIPE)
        *pipeline = first;
    else if (!parse_stages(parser, first, pipeline))
        return false;
    (*pipeline)->negated = negated;
    return true;
}

/* Several pipelines joined by && and ||; *last is the last of them. */
static bool parse_chain(struct parser *parser, struct sh_node **link,
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
        if (!advance(parser) || !skip_newlines(parser))
            return false;
        link = &(*last)->next;
    }
}

static bool at_list_end(const struct parser *parser)
{
    return parser->token.kind == SH_TOKEN_END ||
           parser->token.kind == SH_TOKEN_CLOSE || at_closing_word(parser);
}

static bool at_separator(const struct parser *parser)
{
    return parser->token.kind == SH_TOKEN_SEMICOLON ||
           parser->token.kind == SH_TOKEN_AMPERSAND ||
           parser->token.kind == SH_TOKEN_NEWLINE;
}

static bool parse_elements(struct parser *parser, struct sh_node *list)
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
        if (!advance(parser) || !skip_newlines(parser))
            return false;
    }
    return list->body || unexpected(parser);
}

static bool parse_list(struct parser *parser, struct sh_node **list)
{
    bool done;

    if (parser->depth >= SH_DEPTH_MAX)
        return too_large(parser);
    parser->depth++;
    done = node_new(parser, SH_NODE_LIST, list) && skip_newlines(parser) &&
           parse_elements(parser, *list);
    parser->depth--;
    return done;
}

/* ---- the whole ---- */

static bool parse_text(struct parser *parser, struct sh_tree *tree)
{
    if (!advance(parser) || !skip_newlines(parser) ||
        !node_new(parser, SH_NODE_LIST, &tree->root))
        return false;
    if (parser->token.kind == SH_TOKEN_END)
        return true; /* nothing, or a comment */
    if (!parse_list(parser, &tree->root))
        return false;
    return parser->token.kind == SH_TOKEN_END || unexpected(parser);
}

bool sh_parse(const char *text, size_t length, struct sh_tree *tree,
              bool *incomplete, struct err *err)
{
    struct parser parser = {.arena = &tree->arena, .err = err};
    char *copy = NULL;
    bool done;

    *incomplete = false;
    if (length <= SH_TEXT_MAX)
        copy = arena_text(&tree->arena, text, length);
    if (!copy)
        return too_large(&parser);
    sh_lex_init(&parser.lex, copy, length);
    done = parse_text(&parser, tree);
    *incomplete = parser.lex.incomplete;
    return done;
}

void sh_tree_release(struct sh_tree *tree)
{
    arena_release(&tree->arena);
    tree->root = NULL;
}
