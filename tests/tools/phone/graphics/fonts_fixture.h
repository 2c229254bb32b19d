/* Fonts, which take long to open, for a whole group of tests. */
#ifndef TESTS_TOOLS_PHONE_GRAPHICS_FONTS_FIXTURE_H
#define TESTS_TOOLS_PHONE_GRAPHICS_FONTS_FIXTURE_H

#include "tools/phone/graphics/font.h"

extern struct phone_fonts *fonts;

/* Set-up and tear-down of cmocka's groups. */
int open_fonts(void **state);
int close_fonts(void **state);

#endif
