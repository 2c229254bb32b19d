/*
 * Many screens on one small picture, to look at and to compare with the
 * approved one (tests/tools/phone/golden).
 */
#ifndef TESTS_TOOLS_PHONE_GRAPHICS_CONTACT_SHEET_H
#define TESTS_TOOLS_PHONE_GRAPHICS_CONTACT_SHEET_H

#include "base/picture/picture.h"

/* One screen on the sheet, in pixels. */
#define CONTACT_WIDTH 90
#define CONTACT_HEIGHT 200

struct contact_sheet {
    struct picture picture;
    int columns;
    int count; /* of what was added */
};

/* A white sheet with room for this many screens. */
void contact_sheet_init(struct contact_sheet *sheet, int columns, int screens);
void contact_sheet_release(struct contact_sheet *sheet);

/* Add a screen, made small; one that is wider than high is made smaller. */
void contact_sheet_add(struct contact_sheet *sheet,
                       const struct picture *screen);

/*
 * Fail if the sheet differs from the golden one of that name: exactly, with the
 * FreeType that it was drawn with, otherwise with a tolerance. With
 * PROCTOR_WRITE_GOLDENS set, the sheet becomes the golden one.
 */
void contact_sheet_check(const struct contact_sheet *sheet, const char *name);

#endif
