/*
 * The state of the shell's parser, which reads one token ahead. Shared by the
 * files that parse; every function that fails sets the parser's err.
 */
#ifndef BASE_SHELL_SH_PARSER_H
#define BASE_SHELL_SH_PARSER_H

#include "base/shell/sh_parse.h"

struct sh_parser {
    struct sh_lex lex;
    struct sh_token token; /* the current one */
    struct arena *arena;
    const char *behind; /* the end of the token before this one */
    struct sh_here
        *heres; /* here-documents whose lines have not been read yet */
    unsigned depth;
    bool token_first; /* see struct sh_tree */
    struct err *err;
};

/* A here-document: its lines follow the line with the "<<". */
struct sh_here {
    struct sh_redirect *redirect;
    struct sh_span delimiter;
    bool tabs;
    struct sh_here *next;
};

/* Fail, because of the size or the current token. Always false. */
static inline bool sh_parser_too_large(struct sh_parser *parser)
{
    return err_set(parser->err, ERR_LIMIT, "the command is too large");
}

void sh_parser_fill_unexpected(struct sh_parser *parser);
static inline bool sh_parser_unexpected(struct sh_parser *parser)
{
    sh_parser_fill_unexpected(parser);
    return err_false();
}

/* A new node in the parser's arena. */
MUST_USE bool sh_parser_new_node(struct sh_parser *parser,
                                 enum sh_node_kind kind, struct sh_node **node);

/* Go to the next token. At the end of a line, here-documents are read. */
MUST_USE bool sh_parser_advance(struct sh_parser *parser);
MUST_USE bool sh_parser_skip_newlines(struct sh_parser *parser);

/* Is the current token this word? expect: go past it, or fail. */
bool sh_parser_at_word(const struct sh_parser *parser, const char *word);
MUST_USE bool sh_parser_expect_word(struct sh_parser *parser, const char *word);

/* Is it a word that ends a list in the position of a command, as "fi"? */
bool sh_parser_at_closing_word(const struct sh_parser *parser);

/* Append the current token to a list of words, and go past it. */
MUST_USE bool sh_parser_append_word(struct sh_parser *parser,
                                    struct sh_word ***tail);

/* The current token is the delimiter of a here-document; its lines follow. */
MUST_USE bool sh_parser_note_here(struct sh_parser *parser,
                                  struct sh_redirect *redirect, bool tabs);

/* Parse one command with its redirections, or commands up to a closing word. */
MUST_USE bool sh_parse_command(struct sh_parser *parser,
                               struct sh_node **command);
MUST_USE bool sh_parse_list(struct sh_parser *parser, struct sh_node **list);

/* Parse a compound command, without redirections. *found: is it one? */
MUST_USE bool sh_parse_compound(struct sh_parser *parser,
                                struct sh_node **command, bool *found);

#endif
