/*
 * OCR: words read from a picture, for content that no UI tree holds: web views,
 * games, keyboards, calendars that apps draw themselves.
 *
 * Tesseract runs as a separate program, so that a crash or a leak in it does
 * not affect this process.
 */
#ifndef PROCESS_PROVIDER_PICTURES_OCR_H
#define PROCESS_PROVIDER_PICTURES_OCR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"
#include "base/picture/box.h"
#include "base/picture/picture.h"
#include "process_provider/pictures/ocr_cache.h"
#include "process_provider/text/phrase.h"

#define OCR_WORDS_MAX 2048U /* a page of small print has half as many */

struct ocr_word {
    struct box box;      /* in the picture's pixels */
    unsigned confidence; /* 0 to 100 */
    unsigned line;       /* of the written lines, which one it is on */
    struct phrase text;  /* in Chinese, often one character */
};

/* Words in the order they are read: of one line, from left to right. */
struct ocr_text {
    struct ocr_word *words; /* owned */
    size_t count;
};

#define OCR_TEXT_INIT                                                          \
    {                                                                          \
        .words = NULL                                                          \
    }

void ocr_text_release(struct ocr_text *text);

/*
 * Read the words in a part of a picture, in English and Chinese. The part is
 * clipped to the picture. What is in cache (may be NULL) is not read again.
 *
 * Blocks while Tesseract runs, about 0.2 s for a strip of a screen, until `by`
 * passes or cancel (may be NULL) is fired, and at most some 10 s. On success
 * the caller releases text, which may hold no words. Fails with
 * ERR_UNSUPPORTED, naming the packages, when Tesseract or one of its languages
 * is not installed, with ERR_INVALID for a part without pixels, and with
 * ERR_TIMEOUT, ERR_CANCELLED, ERR_LIMIT and ERR_IO; text is then untouched.
 */
MUST_USE bool ocr_read(const struct picture *picture, struct box part,
                       const struct ocr_cache *cache, struct deadline by,
                       const struct cancel *cancel, struct ocr_text *text,
                       struct err *err);

/*
 * Read the one letter or digit on the key at (x, y). Among other keys this is
 * more reliable than reading a strip, as small signs beside the letter do not
 * count. Nothing is read where there is more ink at both sides, as in words.
 * Icons are sometimes taken for letters: call this only where keys are.
 *
 * As ocr_read in all else; text holds one word or none.
 */
MUST_USE bool ocr_read_key(const struct picture *picture, int x, int y,
                           const struct ocr_cache *cache, struct deadline by,
                           const struct cancel *cancel, struct ocr_text *text,
                           struct err *err);

#define OCR_VERSION_MAX 128

/*
 * Which Tesseract and language models ocr_read uses: "tesseract 5.3.0, eng
 * 4113088, chi_sim 2458544", where a model is identified by its size in bytes.
 *
 * Blocks as ocr_read, and fails as it does.
 */
MUST_USE bool ocr_version(struct deadline by, const struct cancel *cancel,
                          char version[OCR_VERSION_MAX], struct err *err);

/*
 * Parse the TSV table that Tesseract prints: one row per word, in its pixels.
 * Rows that are no words or not valid are skipped. The caller releases text.
 */
void ocr_parse(const char *table, size_t length, struct ocr_text *text);

/*
 * The text at (x, y): the words of one line that stand close to each other,
 * joined, and the box around them. Words of low confidence do not count. False,
 * with nothing written, when there is no text.
 */
bool ocr_text_at(const struct ocr_text *text, int x, int y,
                 struct phrase *words, struct box *box);

#endif
