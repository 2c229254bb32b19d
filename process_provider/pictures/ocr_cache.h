/*
 * What Tesseract printed for a picture, on disk: a picture that was read once
 * is not read again, by this or another process.
 *
 * An entry is a file whose name is the hash of what was read and by what: the
 * picture as Tesseract got it, the layout, and the version of Tesseract and its
 * models. Entries are written whole or not at all.
 */
#ifndef PROCESS_PROVIDER_PICTURES_OCR_CACHE_H
#define PROCESS_PROVIDER_PICTURES_OCR_CACHE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/sha256.h"

/* Any number of threads may use it. */
struct ocr_cache;

/*
 * Use a folder, which is made if need be and readable by its owner alone;
 * version is that of OCR. NULL, if the folder cannot be made, belongs to
 * another user, is a link, or others may write into it: then nothing is cached.
 */
struct ocr_cache *ocr_cache_open(const char *folder, const char *version);
void ocr_cache_close(struct ocr_cache *cache); /* NULL is fine */

/* The name of an entry; "" if cache is NULL. */
void ocr_cache_key(const struct ocr_cache *cache, const char *layout,
                   const struct buf *picture, char key[SHA256_HEX_SIZE]);

/* Append what was printed. False: it is not cached. cache may be NULL. */
bool ocr_cache_get(const struct ocr_cache *cache, const char *key,
                   struct buf *table);

/*
 * Keep what was printed, unless it is very large. The cache has at most 64 Ki
 * entries and 256 MiB: the oldest entries make room. A cache that cannot be
 * written costs time, and nothing else.
 */
void ocr_cache_put(const struct ocr_cache *cache, const char *key,
                   const struct buf *table);

#endif
