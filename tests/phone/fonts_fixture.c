#include "tests/phone/fonts_fixture.h"

struct fonts *fonts;

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
