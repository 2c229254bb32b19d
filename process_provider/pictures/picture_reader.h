/*
 * What reads pictures: the icon library, and OCR where it is installed.
 *
 * The program opens one reader and passes it to whatever describes screens.
 * Descriptions depend on what the reader found, so its versions belong to the
 * configuration of a judge.
 */
#ifndef PROCESS_PROVIDER_PICTURES_PICTURE_READER_H
#define PROCESS_PROVIDER_PICTURES_PICTURE_READER_H

#include <stdbool.h>

#include "process_provider/pictures/icon_library.h"
#include "process_provider/pictures/ocr.h"

struct cJSON;

/* Read-only once it is open: any number of threads may use it. */
struct picture_reader;

/*
 * Draw the icons and ask Tesseract for its version: some tenths of a second.
 * Never fails: what is not installed is not used.
 */
struct picture_reader *picture_reader_open(void);
void picture_reader_close(struct picture_reader *reader); /* NULL is fine */

/*
 * Keep what OCR reads in the user's cache, and use what is there. Before any
 * other thread uses the reader. Without OCR or a home nothing is cached.
 */
void picture_reader_use_cache(struct picture_reader *reader);

/* NULL: there is none. */
const struct ocr_cache *picture_reader_ocr_cache(
    const struct picture_reader *reader);

const struct icon_library *picture_reader_icons(
    const struct picture_reader *reader);

/* Fails as ocr_version did when the reader was opened. */
MUST_USE bool picture_reader_has_ocr(const struct picture_reader *reader,
                                     struct err *err);

/*
 * Add what is used, with versions, as the members "ocr" and "icons"; null
 * stands for what is not installed. A reader that is NULL reads nothing.
 */
void picture_reader_add_versions(const struct picture_reader *reader,
                                 struct cJSON *into);

/* Permission to read pictures: for how long, and on how many threads. */
struct picture_access {
    const struct picture_reader *reader; /* borrowed; NULL: do not read */
    struct deadline by;
    const struct cancel *cancel; /* borrowed; may be NULL */
    unsigned threads;            /* for the steps of an episode; 0: one */
    /* Called on any thread for each step that was described; may be NULL. */
    void (*described)(void *context);
    void *context;
};

#endif
