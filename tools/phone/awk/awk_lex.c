#include "tools/phone/awk/awk_lex.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_table.h"

static const char *const keywords[] = {
    "BEGIN", "END",    "break", "continue", "delete",  "do",
    "else",  "exit",   "for",   "if",       "in",      "next",
    "print", "printf", "while", "function", "getline", "return",
};

static const char *const functions[] = {
    "atan2",   "close",  "cos",   "exp",   "fflush", "gsub",    "index",
    "int",     "length", "log",   "match", "rand",   "sin",     "split",
    "sprintf", "sqrt",   "srand", "sub",   "substr", "tolower", "toupper",
};

/* Longer operators come first. */
static const char *const operators[] = {
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "^=", "!~", ">>", "{",  "}",  "(",  ")",
    "[",  "]",  ",",  "=",  "<",  ">",  "+",  "-",  "*",  "/",
    "%",  "^",  "!",  "~",  "?",  ":",  "$",  "|",
};

void awk_lex_init(struct awk_lex *lex, const char *program)
{
    *lex = (struct awk_lex){
        .at = program, .line = 1, .text = BUF_INIT(AWK_TEXT_MAX)};
}

void awk_lex_release(struct awk_lex *lex)
{
    buf_release(&lex->text);
}

bool awk_lex_is(const struct awk_lex *lex, const char *text)
{
    return (lex->token == AWK_OPERATOR || lex->token == AWK_KEYWORD) &&
           !strcmp(buf_cstr(&lex->text), text);
}

static bool fail(const struct awk_lex *lex, const char *what, struct err *err)
{
    return err_set(err, ERR_INVALID, "%s at source line %u", what, lex->line);
}

static void skip_blanks(struct awk_lex *lex)
{
    for (;; lex->at++) {
        if (*lex->at == '#') {
            lex->at += strcspn(lex->at, "\n");
            lex->at--;
        } else if (*lex->at == '\\' && lex->at[1] == '\n') {
            lex->line++;
            lex->at++;
        } else if (!*lex->at || !strchr(" \t\r", *lex->at)) {
            return;
        }
    }
}

static void put_escape(struct awk_lex *lex)
{
    static const char letters[] = "abfnrtv";
    static const char meanings[] = "\a\b\f\n\r\t\v";
    const char *found = *lex->at ? strchr(letters, *lex->at) : NULL;

    if (found) {
        buf_byte(&lex->text, meanings[found - letters]);
        lex->at++;
    } else if (*lex->at >= '0' && *lex->at <= '7') {
        unsigned value = 0;

        for (int i = 0; i < 3 && *lex->at >= '0' && *lex->at <= '7'; i++)
            value = value * 8 + (unsigned)(*lex->at++ - '0');
        if (value & 0xff)
            buf_byte(&lex->text, (char)value);
    } else if (*lex->at) {
        if (!strchr("\"\\/", *lex->at))
            buf_byte(&lex->text, '\\');
        buf_byte(&lex->text, *lex->at++);
    }
}

static bool take_string(struct awk_lex *lex, struct err *err)
{
    for (lex->at++; *lex->at && *lex->at != '"' && *lex->at != '\n';) {
        if (*lex->at == '\\') {
            lex->at++;
            put_escape(lex);
        } else {
            buf_byte(&lex->text, *lex->at++);
        }
    }
    if (*lex->at != '"')
        return fail(lex, "non-terminated string", err);
    lex->at++;
    lex->token = AWK_STRING;
    return true;
}

/* Called behind the first slash. */
static bool take_regex(struct awk_lex *lex, struct err *err)
{
    bool set = false;

    for (; *lex->at && *lex->at != '\n' && (*lex->at != '/' || set);
         lex->at++) {
        if (*lex->at == '\\' && lex->at[1]) {
            if (lex->at[1] != '/')
                buf_byte(&lex->text, '\\');
            lex->at++;
        } else if (*lex->at == '[' && !set) {
            set = true;
        } else if (*lex->at == ']' && set && lex->at[-1] != '[') {
            set = false;
        }
        buf_byte(&lex->text, *lex->at);
    }
    if (*lex->at != '/')
        return fail(lex, "non-terminated regular expression", err);
    lex->at++;
    lex->token = AWK_REGEX;
    return true;
}

/* After these tokens '/' divides; elsewhere it begins a regular expression. */
static bool ends_operand(const struct awk_lex *lex, const char *last)
{
    switch (lex->before) {
    case AWK_NUMBER:
    case AWK_STRING:
    case AWK_REGEX:
    case AWK_NAME:
        return true;
    case AWK_OPERATOR:
        return *last == ')' || *last == ']' || *last == '$' ||
               !strcmp(last, "++") || !strcmp(last, "--");
    case AWK_FUNCTION:
        return !strcmp(last, "length");
    case AWK_END:
    case AWK_NEWLINE:
    case AWK_KEYWORD:
        return false;
    }
    return false;
}

static void take_word(struct awk_lex *lex)
{
    while (isalnum((unsigned char)*lex->at) || *lex->at == '_')
        buf_byte(&lex->text, *lex->at++);
    if (NAME_TABLE_HAS(keywords, buf_cstr(&lex->text)))
        lex->token = AWK_KEYWORD;
    else if (NAME_TABLE_HAS(functions, buf_cstr(&lex->text)))
        lex->token = AWK_FUNCTION;
    else
        lex->token = AWK_NAME;
}

static bool take_operator(struct awk_lex *lex, struct err *err)
{
    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        size_t length = strlen(operators[i]);

        if (strncmp(lex->at, operators[i], length) != 0)
            continue;
        buf_text(&lex->text, operators[i]);
        lex->at += length;
        lex->token = AWK_OPERATOR;
        return true;
    }
    return fail(lex, "syntax error", err);
}

bool awk_lex_next(struct awk_lex *lex, struct err *err)
{
    char last[8];
    char *end;

    snprintf(last, sizeof(last), "%s", buf_cstr(&lex->text));
    lex->before = lex->token;
    buf_clear(&lex->text);
    skip_blanks(lex);
    if (!*lex->at) {
        lex->token = AWK_END;
    } else if (*lex->at == '\n' || *lex->at == ';') {
        lex->line += *lex->at++ == '\n';
        lex->token = AWK_NEWLINE;
    } else if (isdigit((unsigned char)*lex->at) ||
               (*lex->at == '.' && isdigit((unsigned char)lex->at[1]))) {
        lex->number = strtod(lex->at, &end);
        lex->at = end;
        lex->token = AWK_NUMBER;
    } else if (isalpha((unsigned char)*lex->at) || *lex->at == '_') {
        take_word(lex);
    } else if (*lex->at == '"') {
        return take_string(lex, err);
    } else if (*lex->at == '/' && !ends_operand(lex, last)) {
        lex->at++;
        return take_regex(lex, err);
    } else {
        return take_operator(lex, err);
    }
    return !lex->text.overflow || fail(lex, "too long a text", err);
}
