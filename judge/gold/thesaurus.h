/*
 * Names that apps use for the same thing: a small thesaurus of user interfaces,
 * in English and Chinese (judge/data/thesaurus.json). Each entry is a meaning
 * and a pattern of its names; the first pattern that matches a name is its
 * meaning.
 */
#ifndef JUDGE_GOLD_THESAURUS_H
#define JUDGE_GOLD_THESAURUS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct thesaurus;

struct thesaurus_meaning {
    const char *is; /* borrowed from the thesaurus, as all here */
    const char *like;
    const char *unless;    /* NULL: none */
    const char *undone_by; /* the meaning that undoes it; NULL: none */
    bool key;      /* a key of a keypad: one of many taps for one input */
    bool adds_up;  /* doing it twice has twice the effect */
    bool collects; /* adds one more item */
    bool arranges; /* sorts or filters a list */
    bool settles;  /* may be done more often: ends a form, opens, starts, … */
    bool commits;  /* cannot be done twice: sends, pays, … */
    bool takes_back; /* undoes the last thing that was done */
};

/*
 * Open it in the language of locale ("zh…": Chinese, else English). Not
 * thread-safe. It is embedded in the program, so this does not fail.
 */
struct thesaurus *thesaurus_open(const char *locale);
void thesaurus_close(struct thesaurus *thesaurus); /* NULL is fine */

/* The meaning of a name; NULL when it is not a word of user interfaces. */
const struct thesaurus_meaning *thesaurus_find(struct thesaurus *thesaurus,
                                               const char *name);

/* The same, without one of the meanings. */
const struct thesaurus_meaning *thesaurus_find_other(
    struct thesaurus *thesaurus, const char *name,
    const struct thesaurus_meaning *but);

/* The entry of that meaning; NULL: none. */
const struct thesaurus_meaning *thesaurus_get(struct thesaurus *thesaurus,
                                              const char *is);

/* Append a pattern of all names with that meaning. */
void thesaurus_pattern(const struct thesaurus_meaning *meaning,
                       struct buf *pattern);

#endif
