/*
 * Tokens of the shell's language: words and operators. A word is a piece of the
 * text as it was typed, including quotes; sh_expand.h expands it.
 */
#ifndef BASE_SHELL_SH_LEX_H
#define BASE_SHELL_SH_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Limit of nested quotes, substitutions and commands. */
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
    SH_TOKEN_CASE_END, /* ;; */
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
    SH_REDIRECT_HERE,   /* << and <<-: followed by lines up to a delimiter */
    SH_REDIRECT_STRING, /* <<<: followed by a word */
};

struct sh_token {
    enum sh_token_kind kind;
    struct sh_span text;
    enum sh_redirect_kind redirect;
    int fd;    /* of a redirection */
    bool tabs; /* <<-: leading tabs of the lines are removed */
};

struct sh_lex {
    const char *at;
    const char *end;
    bool incomplete; /* it failed because the text ended too early */
};

void sh_lex_init(struct sh_lex *lex, const char *text, size_t length);

/*
 * Advance to the next token. Fails with ERR_INVALID and the message of
 * Android's shell.
 */
MUST_USE bool sh_lex_next(struct sh_lex *lex, struct sh_token *token,
                          struct err *err);

/*
 * Read the text between "((" and "))", if the second "(" follows directly.
 * True: it was read, and is skipped.
 */
MUST_USE bool sh_lex_sum(struct sh_lex *lex, struct sh_span *text);

/*
 * Read the lines up to one that equals delimiter, and skip that one. tabs:
 * ignore leading tabs of that line. False if it is missing.
 */
MUST_USE bool sh_lex_here(struct sh_lex *lex, struct sh_span delimiter,
                          bool tabs, struct sh_span *body);

/*
 * The end of the piece at the start of text: a $..., a backquoted command or a
 * quoted string. NULL if it is not closed.
 */
const char *sh_lex_piece_end(const char *text, const char *end);

#endif
