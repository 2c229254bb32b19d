/*
 * What a picture shows at a point: a known icon, or words. For what the UI tree
 * does not hold: keyboards, web pages, calendars and players that apps draw
 * themselves.
 */
#ifndef PROCESS_PROVIDER_PICTURES_VISUAL_LABEL_H
#define PROCESS_PROVIDER_PICTURES_VISUAL_LABEL_H

#include <stdbool.h>

#include "base/picture/picture.h"
#include "process_provider/pictures/picture_reader.h"
#include "process_provider/text/phrase.h"

enum visual_label_kind {
    VISUAL_LABEL_UNKNOWN, /* not recognized, or not looked at */
    VISUAL_LABEL_NOTHING, /* an even background */
    VISUAL_LABEL_ICON,
    VISUAL_LABEL_WORDS,
};

struct visual_label {
    enum visual_label_kind kind;
    struct phrase name; /* of the icon, or the words */
};

/*
 * Look at (x, y). Where no icon is clearly there, OCR reads the line, which
 * takes some tenths of a second. Icons or OCR that are not installed are not
 * used.
 *
 * Fails as ocr_read when OCR is installed and does not succeed; label is then
 * VISUAL_LABEL_UNKNOWN.
 */
MUST_USE bool visual_label_find(const struct picture_access *access,
                                const struct picture *picture, int x, int y,
                                struct visual_label *label, struct err *err);

/* The same on a keyboard, where most keys have one letter on them. */
MUST_USE bool visual_label_find_key(const struct picture_access *access,
                                    const struct picture *picture, int x, int y,
                                    struct visual_label *label,
                                    struct err *err);

/* Look for a clearly recognized icon alone. */
void visual_label_find_icon(const struct picture_access *access,
                            const struct picture *picture, int x, int y,
                            struct visual_label *label);

#endif
