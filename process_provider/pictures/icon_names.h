/* What the icons are called that people know, and where fonts have them. */
#ifndef PROCESS_PROVIDER_PICTURES_ICON_NAMES_H
#define PROCESS_PROVIDER_PICTURES_ICON_NAMES_H

#include <stddef.h>
#include <stdint.h>

enum icon_font {
    ICON_FONT_GOOGLE,    /* of Material Design itself: filled shapes */
    ICON_FONT_COMMUNITY, /* in its manner, by others: outlines too */
    ICON_FONTS,
};

#define ICON_LOOKS 6 /* characters that one name has in a font, at most */

struct icon_name {
    const char *name;
    uint16_t looks[ICON_FONTS][ICON_LOOKS]; /* up to the first 0 */
};

extern const struct icon_name icon_names[];
extern const size_t icon_name_count;

#endif
