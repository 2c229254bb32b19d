/*
 * Known icons, found in pictures by their shape: the common icons of Android
 * apps, drawn from the Material Design fonts.
 */
#ifndef PROCESS_PROVIDER_PICTURES_ICON_LIBRARY_H
#define PROCESS_PROVIDER_PICTURES_ICON_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/picture.h"
#include "process_provider/pictures/silhouette.h"

struct icon_match {
    const char *name; /* "volume"; NULL: none is known that looks like it */
    float likeness;   /* from 0 to 1 */
    struct box box;   /* where it is */
    unsigned ink;     /* as in struct silhouette */
};

#define ICON_LIBRARY_VERSION_MAX 128

/* Read-only once it is open: any number of threads may use it. */
struct icon_library;

/*
 * Draw all icons, which takes some milliseconds. Never fails: without a font
 * the icons of that font are missing, and icon_library_complete says so.
 */
struct icon_library *icon_library_open(void);
void icon_library_close(struct icon_library *library); /* NULL is fine */

/* The fonts that were found, each with its revision; "" for none. */
const char *icon_library_version(const struct icon_library *library);

/* Fails with ERR_NOT_FOUND or ERR_INVALID when a font cannot be used. */
MUST_USE bool icon_library_complete(const struct icon_library *library,
                                    struct err *err);

/* The icon at (x, y); its name is NULL when none is recognized. */
struct icon_match icon_library_find(const struct icon_library *library,
                                    const struct picture *picture, int x,
                                    int y);

#endif
