#include "tests/tools/phone/graphics/fonts_fixture.h"

struct phone_fonts *fonts;

int open_fonts(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    return fonts_open(&fonts, &err) ? 0 : -1;
}

int close_fonts(void **state)
{
    (void)state;
    fonts_close(fonts);
    return 0;
}
