/*
 * The shell's lines, cut into words and operators.
 *
 * A word is a piece of the line as it was typed, quotes and all: what it
 * stands for is found out when it is used (sh_expand.h).
 */
#ifndef PHONE_SH_LEX_H
#define PHONE_SH_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Quotes, substitutions and commands inside each other, at most. */
#define SH_DEPTH_MAX 24

struct sh_span {
    const char *data; /* borrowed */
    size_t length;
};

bool sh_span_is(struct sh_span span, const char *text);

enum sh_token_kind {
    SH_TOKEN_END,
    SH_TOKEN_WORD,
    SH_TOKEN_NEWLINE,
    SH_TOKEN_SEMICOLON,
    SH_TOKEN_AMPERSAND,
    SH_TOKEN_AND,
    SH_TOKEN_OR,
    SH_TOKEN_PIPE,
    SH_TOKEN_OPEN,
    SH_TOKEN_CLOSE,
    SH_TOKEN_REDIRECT,
};

enum sh_redirect_kind {
    SH_REDIRECT_READ,   /* <  */
    SH_REDIRECT_WRITE,  /* >  */
    SH_REDIRECT_APPEND, /* >> */
    SH_REDIRECT_SAME,   /* >& and <& */
};

struct sh_token {
    enum sh_token_kind kind;
    struct sh_span text;
    enum sh_redirect_kind redirect;
    int fd; /* of a redirection */
};

struct sh_lex {
    const char *at;
    const char *end;
    bool incomplete; /* what failed was that the text ended too early */
};

void sh_lex_init(struct sh_lex *lex, const char *text, size_t length);

/* The next token. Fails with ERR_INVALID, in the words of Android's shell. */
MUST_USE bool sh_lex_next(struct sh_lex *lex, struct sh_token *token,
                          struct err *err);

/*
 * Where the piece that begins at the front of text ends: a $..., a backquoted
 * command or a quoted string. NULL when it does not.
 */
const char *sh_lex_piece_end(const char *text, const char *end);

#endif
