/* The syntax tree of an awk program. */
#ifndef TOOLS_PHONE_AWK_AWK_PARSE_H
#define TOOLS_PHONE_AWK_AWK_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/regex.h"

#define AWK_TREE_MAX ((size_t)1024 * 1024)
#define AWK_DEPTH_MAX 40U
#define AWK_CHAIN_MAX 400U /* operators of an expression, one in another */
#define AWK_NAMES_MAX 256U
#define AWK_REGEXES_MAX 256U

enum awk_kind {
    /* expressions */
    AWK_NODE_NUMBER,   /* number */
    AWK_NODE_STRING,   /* text */
    AWK_NODE_REGEX,    /* regex: does it match $0? */
    AWK_NODE_VARIABLE, /* slot */
    AWK_NODE_FIELD,    /* $a */
    AWK_NODE_ELEMENT,  /* slot[a, ...] */
    AWK_NODE_ASSIGN,   /* a op= b; text: "=", "+" and so on */
    AWK_NODE_STEP,     /* a++, ++a, a--, --a; number: 1 or -1; first: ++a */
    AWK_NODE_CHOOSE,   /* a ? b : c */
    AWK_NODE_BINARY,   /* a op b; text: the operator, "" joins texts */
    AWK_NODE_UNARY,    /* op a */
    AWK_NODE_IN,       /* (a, ...) in slot */
    AWK_NODE_CALL,     /* text(a, ...) */
    AWK_NODE_GROUP,    /* (a) */
    /* statements */
    AWK_NODE_BLOCK,         /* a, ... */
    AWK_NODE_DO_EXPRESSION, /* a */
    AWK_NODE_PRINT,         /* a, ...; text: ">", ">>" or "" ; b: the file */
    AWK_NODE_PRINTF,        /* the same, as printf */
    AWK_NODE_IF,            /* a, b, c (NULL: none) */
    AWK_NODE_WHILE,         /* a, b; first: the body comes first */
    AWK_NODE_FOR,           /* a (NULL), b (NULL: endless), c (NULL), body */
    AWK_NODE_FOR_IN,        /* a: a variable; slot; body */
    AWK_NODE_DELETE,        /* slot[a, ...]; a NULL: all of it */
    AWK_NODE_NEXT,
    AWK_NODE_EXIT, /* a (NULL: keep the exit status) */
    AWK_NODE_BREAK,
    AWK_NODE_CONTINUE,
};

struct awk_node {
    enum awk_kind kind;
    double number;
    const char *text;
    struct regex *regex; /* owned by the program */
    size_t slot;
    unsigned depth; /* of an expression: it is evaluated by recursion */
    bool first;
    struct awk_node *a;
    struct awk_node *b;
    struct awk_node *c;
    struct awk_node *body;
    struct awk_node *next; /* the next one of a list */
};

enum awk_when {
    AWK_WHEN_BEGIN,
    AWK_WHEN_END,
    AWK_WHEN_ALWAYS,
    AWK_WHEN_MATCH, /* from */
    AWK_WHEN_RANGE, /* from, to */
};

struct awk_rule {
    enum awk_when when;
    struct awk_node *from;
    struct awk_node *to;
    struct awk_node *action; /* NULL: print the line */
    bool inside; /* the range of this rule has begun and not ended */
    struct awk_rule *next;
};

/* The first slots belong to awk's predefined variables. */
enum awk_slot {
    AWK_SLOT_NR,
    AWK_SLOT_NF,
    AWK_SLOT_FNR,
    AWK_SLOT_FS,
    AWK_SLOT_OFS,
    AWK_SLOT_ORS,
    AWK_SLOT_RS,
    AWK_SLOT_FILENAME,
    AWK_SLOT_SUBSEP,
    AWK_SLOT_RSTART,
    AWK_SLOT_RLENGTH,
    AWK_SLOT_OFMT,
    AWK_SLOT_CONVFMT,
    AWK_SLOTS,
};

struct awk_program {
    struct arena arena;
    struct awk_rule *rules;
    const char *names[AWK_NAMES_MAX];
    size_t name_count;
    struct regex *regexes[AWK_REGEXES_MAX]; /* owned */
    size_t regex_count;
};

/*
 * Parse text into a zeroed program; account pays for its nodes (NULL: none
 * does). Fails with ERR_INVALID; the caller releases program in either case.
 */
MUST_USE bool awk_program_parse(struct awk_program *program, const char *text,
                                struct memory_account *account,
                                struct err *err);
void awk_program_release(struct awk_program *program);

/* The slot of a variable, added if it is new. False when there are too many. */
MUST_USE bool awk_program_slot(struct awk_program *program, const char *name,
                               size_t *slot);

#endif
