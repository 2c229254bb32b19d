/* What a line of shell means: commands, and what holds them together. */
#ifndef PHONE_SH_PARSE_H
#define PHONE_SH_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tools/phone/arena.h"
#include "tools/phone/sh_lex.h"

/* As long as one argument of a program can be on Linux. */
#define SH_TEXT_MAX ((size_t)128 * 1024)

/* What the tree of one text may take. */
#define SH_TREE_MAX ((size_t)1024 * 1024)

struct sh_word {
    struct sh_span text; /* as typed */
    struct sh_word *next;
};

struct sh_redirect {
    enum sh_redirect_kind kind;
    int fd;
    struct sh_span target; /* as typed */
    struct sh_redirect *next;
};

enum sh_node_kind {
    SH_NODE_SIMPLE,   /* assignments and words */
    SH_NODE_PIPELINE, /* body: the stages */
    SH_NODE_LIST,     /* body: one after the other */
    SH_NODE_SUBSHELL, /* body: one after the other, in a copy of the shell */
    SH_NODE_IF,       /* condition, body, otherwise (NULL: none) */
    SH_NODE_LOOP,     /* condition, body; until: the other way round */
    SH_NODE_FOR,      /* name, words, body */
};

/* When an element of a list runs, by how the one before it ended. */
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
    struct sh_span name;
    struct sh_word *assignments;
    struct sh_word *words;
    struct sh_redirect *redirects;
    struct sh_node *condition;
    struct sh_node *body;
    struct sh_node *otherwise;
    struct sh_node *next; /* in a list or pipeline */
};

struct sh_tree {
    struct arena arena;   /* every node, and a copy of the text */
    struct sh_node *root; /* a list */
};

#define SH_TREE_INIT(account_)                                                 \
    {                                                                          \
        .arena = ARENA_INIT(SH_TREE_MAX, account_)                             \
    }

/*
 * Parse length bytes of text into a tree that is SH_TREE_INIT.
 * Fails with ERR_INVALID, in the words of Android's shell, or with ERR_LIMIT.
 * *incomplete says whether more text could make it valid.
 */
MUST_USE bool sh_parse(const char *text, size_t length, struct sh_tree *tree,
                       bool *incomplete, struct err *err);
void sh_tree_release(struct sh_tree *tree);

/* How many bytes of a word are a name and '=', as in A=1; 0 for none. */
size_t sh_assignment_length(struct sh_span word);

/* How many bytes at the front of text make a variable's name. */
size_t sh_name_length(const char *text, size_t length);

#endif
