/*
 * What apps call the same thing: a small thesaurus of the words of user
 * interfaces, in English and Chinese (judge/thesaurus.json). Each entry is a
 * meaning and a pattern of the names that it goes by; the first that fits a
 * name is its meaning.
 */
#ifndef JUDGE_THESAURUS_H
#define JUDGE_THESAURUS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct thesaurus;

struct meaning {
    const char *is; /* borrowed from the thesaurus, as all here */
    const char *like;
    const char *unless;    /* NULL: nothing */
    const char *undone_by; /* the meaning that takes it back; NULL: none */
    bool key;              /* of a keypad: one of many taps for one input */
    bool adds_up;          /* done twice it is twice as much */
    bool collects;         /* puts one more thing beside those that are there */
    bool arranges;         /* sorts or filters what was found */
};

/*
 * Open it in the language of locale ("zh…": Chinese, else English). Of one
 * thread at a time. It is a part of the program, so this does not fail.
 */
struct thesaurus *thesaurus_open(const char *locale);
void thesaurus_close(struct thesaurus *thesaurus); /* NULL is fine */

/* What a name means; NULL when it is no word of interfaces. */
const struct meaning *thesaurus_find(struct thesaurus *thesaurus,
                                     const char *name);

/* The entry of that name; NULL: there is none. */
const struct meaning *thesaurus_get(struct thesaurus *thesaurus,
                                    const char *is);

/* Append a pattern of all names with that meaning. */
void thesaurus_pattern(const struct meaning *meaning, struct buf *pattern);

#endif
