/* Tokens of an awk program. */
#ifndef TOOLS_PHONE_AWK_AWK_LEX_H
#define TOOLS_PHONE_AWK_AWK_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum awk_token {
    AWK_END,
    AWK_NEWLINE, /* and ';' */
    AWK_NUMBER,
    AWK_STRING, /* text is its content, without quotes and escapes */
    AWK_REGEX,  /* text is the part between the slashes */
    AWK_NAME,
    AWK_FUNCTION, /* a built-in function; text is its name */
    AWK_KEYWORD,
    AWK_OPERATOR, /* text is the operator, a bracket or ',' */
};

struct awk_lex {
    const char *at;
    unsigned line;
    enum awk_token token; /* the current token */
    enum awk_token before;
    double number;
    struct buf text;
};

#define AWK_TEXT_MAX ((size_t)64 * 1024)

void awk_lex_init(struct awk_lex *lex, const char *program);
void awk_lex_release(struct awk_lex *lex);

/* Advance to the next token. Fails with ERR_INVALID. */
MUST_USE bool awk_lex_next(struct awk_lex *lex, struct err *err);

/* Is the current token this operator or keyword? */
bool awk_lex_is(const struct awk_lex *lex, const char *text);

#endif
