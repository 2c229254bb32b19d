/* The syntax tree of a shell script. */
#ifndef BASE_SHELL_SH_PARSE_H
#define BASE_SHELL_SH_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/shell/sh_lex.h"

/* The length of one argument on Linux. */
#define SH_TEXT_MAX ((size_t)128 * 1024)

/* Memory limit for the tree of one text. */
#define SH_TREE_MAX ((size_t)1024 * 1024)

struct sh_word {
    struct sh_span text; /* as typed */
    struct sh_word *next;
};

struct sh_redirect {
    enum sh_redirect_kind kind;
    int fd;
    struct sh_span target; /* as typed; of HERE, its lines */
    bool quoted;           /* of HERE: do not expand */
    struct sh_redirect *next;
};

enum sh_node_kind {
    SH_NODE_SIMPLE,   /* assignments and words */
    SH_NODE_PIPELINE, /* body: the commands of the pipeline */
    SH_NODE_LIST,     /* body: the commands in order */
    SH_NODE_SUBSHELL, /* body: the commands in order, in a subshell */
    SH_NODE_IF,       /* condition, body, otherwise (NULL: no else) */
    SH_NODE_LOOP,     /* condition, body; until: negate the condition */
    SH_NODE_FOR,      /* name, words, body; arguments: loop over "$@" */
    SH_NODE_CASE,     /* name: the word; body: the branches */
    SH_NODE_BRANCH,   /* words: patterns; body (NULL: empty) */
    SH_NODE_TEST,     /* words: those between "[[" and "]]" */
    SH_NODE_FUNCTION, /* name; text: its body as typed */
};

/* Whether an element of a list runs, given the status of the one before. */
enum sh_joint {
    SH_JOINT_ALWAYS,
    SH_JOINT_AND,
    SH_JOINT_OR,
};

struct sh_node {
    enum sh_node_kind kind;
    enum sh_joint joint;
    bool negated;
    bool background;
    bool until;
    bool arguments; /* for without "in" */
    struct sh_span name;
    struct sh_span text;
    struct sh_word *assignments;
    struct sh_word *words;
    struct sh_redirect *redirects;
    struct sh_node *condition;
    struct sh_node *body;
    struct sh_node *otherwise;
    struct sh_node *next; /* the next one of a list or pipeline */
};

struct sh_tree {
    struct arena arena;   /* holds every node, and a copy of the text */
    struct sh_node *root; /* a list */
    bool token_first;     /* messages say "'fi' unexpected", as old shells did,
                             and not "unexpected 'fi'" */
};

#define SH_TREE_INIT(account_)                                                 \
    {                                                                          \
        .arena = ARENA_INIT(SH_TREE_MAX, account_)                             \
    }

/*
 * Parse length bytes of text into a tree that is SH_TREE_INIT. Fails with
 * ERR_INVALID and the message of Android's shell, or with ERR_LIMIT.
 * *incomplete says whether more text could make it valid.
 */
MUST_USE bool sh_parse(const char *text, size_t length, struct sh_tree *tree,
                       bool *incomplete, struct err *err);
void sh_tree_release(struct sh_tree *tree);

/* The length of the name before '=' in an assignment (A=1); 0 if it is none. */
size_t sh_assignment_length(struct sh_span word);

/* The length of the variable name at the start of text. */
size_t sh_name_length(const char *text, size_t length);

#endif
