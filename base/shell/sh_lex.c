#include "base/shell/sh_lex.h"

#include <string.h>

bool sh_span_is(struct sh_span span, const char *text)
{
    return span.length == strlen(text) && !memcmp(span.data, text, span.length);
}

void sh_lex_init(struct sh_lex *lex, const char *text, size_t length)
{
    *lex = (struct sh_lex){.at = text, .end = text + length};
}

/*
 * ---- pieces: each function gets a piece's first byte and finds its end ----
 */

static const char *piece_end(const char *at, const char *end, unsigned depth);

static const char *find(const char *at, const char *end, char byte)
{
    return at < end ? memchr(at, byte, (size_t)(end - at)) : NULL;
}

static const char *behind(const char *found)
{
    return found ? found + 1 : NULL;
}

static bool opens_piece(const char *at, const char *end)
{
    switch (*at) {
    case '\\':
    case '\'':
    case '"':
    case '`':
        return true;
    case '$':
        return end - at > 1 && at[1] && strchr("({'", at[1]);
    default:
        return false;
    }
}

/* A single quote, or $ and one: plain characters in double quotes. */
static bool is_single(const char *at)
{
    return *at == '\'' || (*at == '$' && at[1] == '\'');
}

/*
 * Skip to the closing byte, over nested pieces. In double quotes, single quotes
 * are plain characters; in commands, parentheses are balanced.
 */
static const char *closed_end(const char *at, const char *end, char closing,
                              unsigned depth)
{
    size_t open = 1;

    while (at && at < end) {
        if (*at == closing && --open == 0)
            return at + 1;
        if (*at == '(' && closing == ')')
            open++;
        if (opens_piece(at, end) && !(closing == '"' && is_single(at)))
            at = piece_end(at, end, depth);
        else
            at++;
    }
    return NULL;
}

/* Of $'...': a backslash keeps a quote from ending it. */
static const char *escaped_end(const char *at, const char *end)
{
    while (at < end && *at != '\'')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at < end ? at + 1 : NULL;
}

static const char *backquote_end(const char *at, const char *end)
{
    while (at < end && *at != '`')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at < end ? at + 1 : NULL;
}

static const char *piece_end(const char *at, const char *end, unsigned depth)
{
    if (depth >= SH_DEPTH_MAX)
        return NULL;
    switch (*at) {
    case '\\':
        return end - at > 1 ? at + 2 : NULL;
    case '\'':
        return behind(find(at + 1, end, '\''));
    case '"':
        return closed_end(at + 1, end, '"', depth + 1);
    case '`':
        return backquote_end(at + 1, end);
    default:
        if (at[1] == '\'')
            return escaped_end(at + 2, end);
        return closed_end(at + 2, end, at[1] == '(' ? ')' : '}', depth + 1);
    }
}

const char *sh_lex_piece_end(const char *text, const char *end)
{
    return piece_end(text, end, 0);
}

/* ---- tokens ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

static bool ends_word(char c)
{
    return is_blank(c) || strchr("\n;&|()<>", c);
}

/* Skip blanks, joined lines and comments. */
static void skip_nothing(struct sh_lex *lex)
{
    while (lex->at < lex->end) {
        if (is_blank(*lex->at)) {
            lex->at++;
        } else if (lex->end - lex->at > 1 && !memcmp(lex->at, "\\\n", 2)) {
            lex->at += 2;
        } else if (*lex->at == '#') {
            const char *newline = find(lex->at, lex->end, '\n');

            lex->at = newline ? newline : lex->end;
        } else {
            return;
        }
    }
}

static bool take_word(struct sh_lex *lex, struct sh_token *token,
                      struct err *err)
{
    const char *begin = lex->at;

    while (lex->at < lex->end && !ends_word(*lex->at)) {
        const char *next = lex->at + 1;

        if (opens_piece(lex->at, lex->end))
            next = piece_end(lex->at, lex->end, 0);
        if (!next) {
            lex->incomplete = true;
            return err_set(err, ERR_INVALID, "no closing quote");
        }
        lex->at = next;
    }
    token->kind = SH_TOKEN_WORD;
    token->text = (struct sh_span){begin, (size_t)(lex->at - begin)};
    return true;
}

static const struct {
    const char *text;
    enum sh_token_kind kind;
    enum sh_redirect_kind redirect;
    int fd;
    bool tabs;
} operators[] = {
    /* Longer operators come first. */
    {"&&", SH_TOKEN_AND, 0, 0, false},
    {"||", SH_TOKEN_OR, 0, 0, false},
    {";;", SH_TOKEN_CASE_END, 0, 0, false},
    {"<<<", SH_TOKEN_REDIRECT, SH_REDIRECT_STRING, 0, false},
    {"<<-", SH_TOKEN_REDIRECT, SH_REDIRECT_HERE, 0, true},
    {"<<", SH_TOKEN_REDIRECT, SH_REDIRECT_HERE, 0, false},
    {">>", SH_TOKEN_REDIRECT, SH_REDIRECT_APPEND, 1, false},
    {">&", SH_TOKEN_REDIRECT, SH_REDIRECT_SAME, 1, false},
    {"<&", SH_TOKEN_REDIRECT, SH_REDIRECT_SAME, 0, false},
    {">|", SH_TOKEN_REDIRECT, SH_REDIRECT_WRITE, 1, false},
    {"\n", SH_TOKEN_NEWLINE, 0, 0, false},
    {";", SH_TOKEN_SEMICOLON, 0, 0, false},
    {"&", SH_TOKEN_AMPERSAND, 0, 0, false},
    {"|", SH_TOKEN_PIPE, 0, 0, false},
    {"(", SH_TOKEN_OPEN, 0, 0, false},
    {")", SH_TOKEN_CLOSE, 0, 0, false},
    {">", SH_TOKEN_REDIRECT, SH_REDIRECT_WRITE, 1, false},
    {"<", SH_TOKEN_REDIRECT, SH_REDIRECT_READ, 0, false},
};

static bool take_operator(struct sh_lex *lex, struct sh_token *token)
{
    size_t left = (size_t)(lex->end - lex->at);

    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        size_t length = strlen(operators[i].text);

        if (length > left || memcmp(lex->at, operators[i].text, length) != 0)
            continue;
        *token = (struct sh_token){
            .kind = operators[i].kind,
            .text = {lex->at, length},
            .redirect = operators[i].redirect,
            .fd = operators[i].fd,
            .tabs = operators[i].tabs,
        };
        lex->at += length;
        return true;
    }
    return false;
}

/* A digit directly before '<' or '>' is the descriptor. */
static bool take_numbered_redirect(struct sh_lex *lex, struct sh_token *token)
{
    const char *at = lex->at;

    if (lex->end - at < 2 || *at < '0' || *at > '9' ||
        (at[1] != '<' && at[1] != '>'))
        return false;
    lex->at++;
    (void)take_operator(lex, token);
    token->fd = *at - '0';
    token->text.data--;
    token->text.length++;
    return true;
}

bool sh_lex_next(struct sh_lex *lex, struct sh_token *token, struct err *err)
{
    skip_nothing(lex);
    *token = (struct sh_token){.kind = SH_TOKEN_END, .text = {lex->at, 0}};
    if (lex->at == lex->end || take_numbered_redirect(lex, token) ||
        take_operator(lex, token))
        return true;
    return take_word(lex, token, err);
}

bool sh_lex_here(struct sh_lex *lex, struct sh_span delimiter, bool tabs,
                 struct sh_span *body)
{
    const char *begin = lex->at;
    const char *at = begin;

    while (at < lex->end) {
        const char *newline = find(at, lex->end, '\n');
        const char *end = newline ? newline : lex->end;
        const char *text = at;

        while (tabs && text < end && *text == '\t')
            text++;
        if ((size_t)(end - text) == delimiter.length &&
            !memcmp(text, delimiter.data, delimiter.length)) {
            *body = (struct sh_span){begin, (size_t)(at - begin)};
            lex->at = newline ? newline + 1 : lex->end;
            return true;
        }
        at = newline ? newline + 1 : lex->end;
    }
    lex->incomplete = true;
    return false;
}

bool sh_lex_sum(struct sh_lex *lex, struct sh_span *text)
{
    const char *begin = lex->at + 1;
    size_t open = 0;

    if (lex->at >= lex->end || *lex->at != '(')
        return false;
    for (const char *at = begin; at < lex->end; at++) {
        if (*at == '(') {
            open++;
        } else if (*at == ')' && open) {
            open--;
        } else if (*at == ')') {
            if (lex->end - at < 2 || at[1] != ')')
                return false;
            *text = (struct sh_span){begin, (size_t)(at - begin)};
            lex->at = at + 2;
            return true;
        }
    }
    return false;
}
