#include "base/shell/sh_parser.h"

#include <string.h>

#include "base/macros.h"

bool sh_parser_new_node(struct sh_parser *parser, enum sh_node_kind kind,
                        struct sh_node **node)
{
    struct sh_node *made = arena_new(parser->arena, sizeof(*made));

    if (!made)
        return sh_parser_too_large(parser);
    made->kind = kind;
    *node = made;
    return true;
}

static void fill_unexpected_text(struct sh_parser *parser, struct sh_span text)
{
    int length = (int)(text.length < 60 ? text.length : 60);

    err_fill(parser->err, ERR_INVALID,
             parser->token_first ? "syntax error: '%.*s' unexpected"
                                 : "syntax error: unexpected '%.*s'",
             length, text.data);
}

void sh_parser_fill_unexpected(struct sh_parser *parser)
{
    const struct sh_token *token = &parser->token;

    if (token->kind == SH_TOKEN_END) {
        parser->lex.incomplete = true;
        err_fill(parser->err, ERR_INVALID, "syntax error: unexpected EOF");
    } else if (token->kind == SH_TOKEN_NEWLINE) {
        err_fill(parser->err, ERR_INVALID, "syntax error: unexpected newline");
    } else {
        fill_unexpected_text(parser, token->text);
    }
}

/* ---- here-documents ---- */

/* The delimiter of a here-document, without its quotes. */
bool sh_parser_note_here(struct sh_parser *parser, struct sh_redirect *redirect,
                         bool tabs)
{
    struct sh_span word = parser->token.text;
    struct sh_here *here = arena_new(parser->arena, sizeof(*here));
    char *copy = arena_text(parser->arena, word.data, word.length);
    struct sh_here **link = &parser->heres;
    size_t length = 0;

    if (!here || !copy)
        return sh_parser_too_large(parser);
    for (size_t i = 0; i < word.length; i++) {
        if (strchr("'\"\\", copy[i]))
            redirect->quoted = true;
        else
            copy[length++] = copy[i];
    }
    here->redirect = redirect;
    here->delimiter = (struct sh_span){copy, length};
    here->tabs = tabs;
    while (*link)
        link = &(*link)->next;
    *link = here;
    return true;
}

/* The lines of a here-document, without leading tabs. */
static bool cut_tabs(struct sh_parser *parser, struct sh_span *body)
{
    char *copy = arena_text(parser->arena, body->data, body->length);
    size_t length = 0;
    bool begins = true;

    if (!copy)
        return sh_parser_too_large(parser);
    for (size_t i = 0; i < body->length; i++) {
        if (begins && copy[i] == '\t')
            continue;
        begins = copy[i] == '\n';
        copy[length++] = copy[i];
    }
    *body = (struct sh_span){copy, length};
    return true;
}

static bool read_heres(struct sh_parser *parser)
{
    for (; parser->heres; parser->heres = parser->heres->next) {
        struct sh_here *here = parser->heres;

        if (!sh_lex_here(&parser->lex, here->delimiter, here->tabs,
                         &here->redirect->target))
            return err_set(
                parser->err, ERR_INVALID, "here document '%.*s' unclosed",
                (int)(here->delimiter.length < 60 ? here->delimiter.length
                                                  : 60),
                here->delimiter.data);
        if (here->tabs && !cut_tabs(parser, &here->redirect->target))
            return false;
    }
    return true;
}

/* ---- tokens ---- */

bool sh_parser_advance(struct sh_parser *parser)
{
    parser->behind = parser->token.text.data + parser->token.text.length;
    if (!sh_lex_next(&parser->lex, &parser->token, parser->err))
        return false;
    return (parser->token.kind != SH_TOKEN_NEWLINE &&
            parser->token.kind != SH_TOKEN_END) ||
           read_heres(parser);
}

bool sh_parser_at_word(const struct sh_parser *parser, const char *word)
{
    return parser->token.kind == SH_TOKEN_WORD &&
           sh_span_is(parser->token.text, word);
}

bool sh_parser_expect_word(struct sh_parser *parser, const char *word)
{
    return sh_parser_at_word(parser, word) ? sh_parser_advance(parser)
                                           : sh_parser_unexpected(parser);
}

bool sh_parser_skip_newlines(struct sh_parser *parser)
{
    while (parser->token.kind == SH_TOKEN_NEWLINE) {
        if (!sh_parser_advance(parser))
            return false;
    }
    return true;
}

/* Words that end a list when they are in the position of a command. */
bool sh_parser_at_closing_word(const struct sh_parser *parser)
{
    static const char *const closing[] = {"then", "elif", "else", "fi",
                                          "do",   "done", "}",    "esac"};

    for (size_t i = 0; i < ARRAY_LEN(closing); i++) {
        if (sh_parser_at_word(parser, closing[i]))
            return true;
    }
    return false;
}

bool sh_parser_append_word(struct sh_parser *parser, struct sh_word ***tail)
{
    struct sh_word *word = arena_new(parser->arena, sizeof(*word));

    if (!word)
        return sh_parser_too_large(parser);
    word->text = parser->token.text;
    **tail = word;
    *tail = &word->next;
    return sh_parser_advance(parser);
}
