/*
 * Words read off a picture, for what no UI tree knows of: web views, games,
 * keyboards, calendars that apps draw themselves.
 *
 * Reading is done by Tesseract as a program of its own: its models and its
 * trouble with a picture stay out of our process.
 */
#ifndef PROCESS_PROVIDER_READING_H
#define PROCESS_PROVIDER_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/box.h"
#include "base/err.h"
#include "base/picture.h"
#include "process_provider/phrase.h"

#define READING_WORDS_MAX 2048U /* a page of small print has half as many */

struct reading_word {
    struct box box;      /* in the picture's pixels */
    unsigned confidence; /* 0 to 100 */
    unsigned line;       /* of the written lines, which one it is on */
    struct phrase text;  /* in Chinese, often one character */
};

/* Words in the order they are read: of one line, from left to right. */
struct reading {
    struct reading_word *words; /* owned */
    size_t count;
};

#define READING_INIT                                                           \
    {                                                                          \
        .words = NULL                                                          \
    }

void reading_release(struct reading *reading);

/*
 * Read the words in a part of a picture, in English and Chinese. What of the
 * part is outside of the picture does not count.
 *
 * Blocks while the program runs, about 0.2 s for a strip of a screen; not
 * longer than some 10 s. On success the caller releases
 * reading, which may hold no words. Fails with ERR_UNSUPPORTED, naming the
 * packages, when Tesseract or one of its languages is not installed, with
 * ERR_INVALID for a part without pixels, with ERR_TIMEOUT, ERR_LIMIT
 * and ERR_IO; reading is then untouched.
 */
MUST_USE bool reading_make(const struct picture *picture, struct box part,
                           struct reading *reading, struct err *err);

/*
 * Read the one letter or digit on the key under a finger. Among other keys it
 * is read better this way than in a strip, as small signs at its side do not
 * count. Nothing is read of what has more ink at its sides, as letters of
 * words have. Icons are taken for letters now and then: ask only where keys
 * are known to be.
 *
 * As reading_make in all else; reading holds a word or none.
 */
MUST_USE bool reading_make_key(const struct picture *picture, int x, int y,
                               struct reading *reading, struct err *err);

/*
 * The words of Tesseract's table in TSV, in its pixels: one row per word, and
 * rows that are no words, or make no sense, are skipped. The caller releases
 * reading.
 */
void reading_parse(const char *table, size_t length, struct reading *reading);

/*
 * What is written under a finger: the words of one line that stand close to
 * one another, as one text, and the box around them. What was hard to read
 * does not count. False, and nothing written, when there is nothing.
 */
bool reading_at(const struct reading *reading, int x, int y,
                struct phrase *words, struct box *box);

#endif
